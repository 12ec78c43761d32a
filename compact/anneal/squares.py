"""What packing knows of a square and of a cell: mask bits, occupancies, numbered attack sets.

Occupancy number n of a square is the subset of `shifts` that the bits of n choose, in
*doubling order*: the second half of the first 2^(j+1) occupancies is the first half with
bit j added. So a product is one addition away from an earlier one.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD, Piece, attack_set, mask, squares_of

Words = NDArray[np.uint64]
Slots = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SquareData:
    """The arrays of one piece on one square.

    `shifts[j]` is the square of mask bit j, `occupancies[n]` and `attacks[n]` belong to
    occupancy number n, `numbers[n]` is attack set number 0.. of it (equal numbers, equal
    sets), `around` is ~mask.
    """

    piece: Piece
    square: int
    shifts: NDArray[np.int64]
    occupancies: Words
    attacks: Words
    numbers: NDArray[np.uint16]
    around: np.uint64

    def __reduce__(self) -> tuple[object, ...]:
        # Other processes make the arrays themselves.
        return square_data, (self.piece, self.square)

    @property
    def attack_sets(self) -> int:
        """How many different attack sets the square has."""
        return int(self.numbers.max()) + 1


@cache
def square_data(piece: Piece, square: int) -> SquareData:
    """The arrays of one piece on one square, made once by the ray walk."""
    board = mask(piece, square)
    # The bits off the slider's rank come first: with the rank still empty, their few sums
    # decide early whether a magic is any good.
    ordered = sorted(squares_of(board), key=lambda bit: (bit >> 3 == square >> 3, bit))
    occupancies = np.array(subsets(ordered), dtype=np.uint64)
    attacks = np.array([attack_set(piece, square, int(o)) for o in occupancies], dtype=np.uint64)
    _, numbers = np.unique(attacks, return_inverse=True)
    return SquareData(
        piece,
        square,
        np.array(ordered, dtype=np.int64),
        occupancies,
        attacks,
        numbers.astype(np.uint16),
        np.uint64(~board & WORD),
    )


def subsets(squares: list[int]) -> list[int]:
    """All sets of some squares, in doubling order."""
    found = [0]
    for square in squares:
        found += [occupancy | 1 << square for occupancy in found]
    return found


@dataclass(frozen=True, slots=True)
class CellData:
    """A cell (scheme, piece, square, index bits) with the arrays of its square.

    Its index is `(product + added word) >> (64 - bits)`; the added word is 0 under "white",
    ~mask * magic under "black", and the square's own under "constant".
    """

    scheme: str
    square: SquareData
    bits: int

    @property
    def around(self) -> np.uint64:
        """The word whose product with the magic is added: ~mask under black, else 0."""
        return self.square.around if self.scheme == "black" else np.uint64(0)

    def indexes(self, magic: int, constant: int = 0) -> Slots:
        """The index of every occupancy, in doubling order."""
        added = np.uint64((int(self.around) * magic + constant) & WORD)
        products = self.square.occupancies * np.uint64(magic)
        return ((products + added) >> np.uint64(64 - self.bits)).astype(np.int64)

    def used_indexes(self, magic: int, constant: int = 0) -> Slots | None:
        """The indexes that a magic uses, sorted; None where two attack sets share one."""
        index = self.indexes(magic, constant)
        used, first, place = np.unique(index, return_index=True, return_inverse=True)
        numbers = self.square.numbers
        if (numbers[first][place] != numbers).any():
            return None
        return used


def cell_data(scheme: str, piece: Piece, square: int, bits: int) -> CellData:
    """A cell, by its four parts."""
    return CellData(scheme, square_data(piece, square), bits)
