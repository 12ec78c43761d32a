"""What the kernels know of a square: the places of its mask bits and its attack sets by number.

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

CONSTANT_MODES = {"white": 0, "black": 1, "constant": 2}
"""How the kernels form the word that is added to every product: nothing, ~mask * magic,
or a constant of the square's own."""


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

    @property
    def c(self) -> int:
        """popcount(mask)."""
        return len(self.shifts)

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
    occupancies = np.zeros(1, dtype=np.uint64)
    for bit in ordered:
        occupancies = np.concatenate([occupancies, occupancies | np.uint64(1 << bit)])
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


def added_constant(data: SquareData, mode: int, magic: int, constant: int) -> int:
    """The word that a scheme's mode adds to every product of the square."""
    if mode == CONSTANT_MODES["white"]:
        return 0
    if mode == CONSTANT_MODES["black"]:
        return int(data.around) * magic & WORD
    return constant


def indexes(data: SquareData, bits: int, mode: int, magic: int, constant: int) -> NDArray[np.int64]:
    """The index of every occupancy, in doubling order."""
    added = np.uint64(added_constant(data, mode, magic, constant))
    return ((data.occupancies * np.uint64(magic) + added) >> np.uint64(64 - bits)).astype(np.int64)


def used_indexes(
    data: SquareData, bits: int, mode: int, magic: int, constant: int
) -> NDArray[np.int64] | None:
    """The indexes that a magic uses, sorted; None where two attack sets share one."""
    index = indexes(data, bits, mode, magic, constant)
    used, first = np.unique(index, return_index=True)
    place = np.searchsorted(used, index)
    if (data.numbers[first][place] != data.numbers).any():
        return None
    return used
