"""Placements: what packing knows of a square: magic, constant, offset, and the slots it uses."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD, squares_of
from magicert.chess import Piece, attack_set, mask, square_name

Random = np.random.Generator
"""What everything that is not compiled draws from."""
Words = NDArray[np.uint64]
Slots = NDArray[np.int64]

# Occupancy number n of a square is the subset of `shifts` that the bits of n choose, in
# *doubling order*: the second half of the first 2^(j+1) occupancies is the first half with
# bit j added. So a product is one addition away from an earlier one.


@dataclass(frozen=True, slots=True)
class SquareData:
    """The arrays of one piece on one square.

    `shifts[j]` is the square of mask bit j, by which 1 is shifted to get that bit.
    `occupancies[n]` and `attacks[n]` belong to occupancy number n; `numbers[n]` numbers its attack
    set, from 0 (equal numbers, equal sets). `around` is ~mask.
    """

    piece: Piece
    square: int
    shifts: NDArray[np.int64]
    occupancies: Words
    attacks: Words
    numbers: NDArray[np.uint16]
    around: np.uint64

    def __reduce__(self) -> tuple[object, ...]:
        # Arrays are not sent to other processes, which build them themselves.
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
    occupancies = [0]
    for square in squares:
        occupancies += [occupancy | 1 << square for occupancy in occupancies]
    return occupancies


@dataclass(frozen=True, slots=True)
class CellData:
    """A cell (scheme, piece, square, index bits) with the arrays of its square.

    Its index is `(product + added word) >> (64 - bits)`; the added word is 0 under "white",
    ~mask * magic under "black", and the square's own under "constant".
    """

    scheme: str
    square: SquareData
    bits: int

    def __str__(self) -> str:
        return f"{self.square.piece} {square_name(self.square.square)}"

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


def cells_of(scheme: str, piece: Piece, bits: int | None = None) -> "dict[Key, CellData]":
    """The cells of a piece: of so many bits, or of as many as each mask has squares."""
    return {
        (piece, n): cell_data(scheme, piece, n, bits or mask(piece, n).bit_count())
        for n in range(64)
    }


# Magics to begin annealing from.

ROW_TOP = 58
"""A rook's row step: the lowest bit of its rank, times the magic, is 2^58, so that of 12 index
bits the upper six are the row."""
FRACTION_TOP = 46
"""Bits of that product from here to the row step are 0: a small fraction of a bucket is free."""


def random_word(random: Random) -> int:
    """A uniformly random word."""
    return int(random.integers(1 << 63)) << 1 | int(random.integers(2))


def random_start(square: SquareData, random: Random) -> int:
    """A random magic: a rook's has a row step, a bishop's an eighth of its bits."""
    word = random_word(random)
    if square.piece is Piece.BISHOP:
        return word & int(random.integers(1 << 63)) & int(random.integers(1 << 63))
    lowest = min(bit for bit in square.shifts.tolist() if bit >> 3 == square.square >> 3)
    above = WORD & ~((1 << (64 - lowest)) - 1)
    below = (1 << max(0, FRACTION_TOP - lowest)) - 1
    return 1 << (ROW_TOP - lowest) | word & (above | below)


def sparse_start(random: Random) -> int:
    """A random word with an eighth of its bits, the classic start of the trial-and-error finder."""
    first, second, third = (int(random.integers(1 << 63)) << 1 for _ in range(3))
    return (first & second & third) | int(random.integers(2))


# A placement: one square's choice of magic, added constant and offset, and the slots it uses.

Key = tuple[Piece, int]
"""A piece and the square (a1=0) that it stands on."""


class Choice(NamedTuple):
    """What is chosen for a square. Compiled code takes uint64 and int64."""

    magic: Any
    constant: Any = 0
    offset: Any = 0


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """A cell's place in a buffer: its choice, and the indexes that it uses, sorted.

    No two attack sets of the cell share an index.
    """

    cell: CellData
    choice: Choice
    used: Slots

    def __reduce__(self) -> tuple[object, ...]:
        # Other processes find the used indexes themselves.
        return Placement.valid, (self.cell, self.choice)

    @classmethod
    def of(cls, cell: CellData, choice: Choice) -> Self | None:
        """The placement of a choice; None where the magic has a conflict."""
        used = cell.used_indexes(choice.magic, choice.constant)
        return None if used is None else cls(cell, choice, used)

    @classmethod
    def valid(cls, cell: CellData, choice: Choice) -> Self:
        """The placement of a choice. Raises ValueError where the magic has a conflict."""
        placement = cls.of(cell, choice)
        if placement is None:
            raise ValueError(f"{cell}: {choice.magic:#018x} has a conflict")
        return placement

    def at(self, offset: int) -> Self:
        """The same magic and constant at another offset."""
        return replace(self, choice=self.choice._replace(offset=offset))

    @property
    def piece(self) -> Piece:
        return self.cell.square.piece

    @property
    def square(self) -> int:
        """The square (a1=0)."""
        return self.cell.square.square

    @property
    def key(self) -> Key:
        """Piece and square."""
        return self.piece, self.square

    @property
    def offset(self) -> int:
        """The slot of index 0."""
        return self.choice.offset

    @property
    def slots(self) -> Slots:
        """The slots that the square uses, sorted."""
        return self.used + self.offset

    @property
    def words(self) -> Words:
        """The attack set at each used index."""
        index = self.cell.indexes(self.choice.magic, self.choice.constant)
        first = np.unique(index, return_index=True)[1]
        return self.cell.square.attacks[first]

    @property
    def end(self) -> int:
        """The last slot used + 1."""
        return int(self.used[-1]) + self.offset + 1


def next_seed(random: Random) -> np.uint64:
    """The seed of a kernel."""
    return np.uint64(random.integers(1 << 62))


# Slots as a bitset: slot n is bit n & 63 of word n >> 6.


def bitset(slots: Sequence[Slots], length: int) -> Words:
    """The bitset of some slots below `length`, with a spare word behind."""
    flags = np.zeros((length + 63) // 64 * 64 + 64, dtype=np.uint8)
    for part in slots:
        flags[part] = 1
    return np.packbits(flags, bitorder="little").view(np.uint64)
