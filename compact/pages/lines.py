"""A rook's square as two lines: the *column kernel*'s view of it (design: "rows and columns").

The mask bits of the rank are neighbours, so their contributions double. With a *row step* of
2^e buckets for the lowest of them, the rank's patterns are a fixed set R of multiples of the
step, and the used slots are F + 2^e * R: F has one number for each *file sum* of the vertical
line. A square is then as large as its F, and only the file's few sums need evaluating.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD, Piece, attack_set, mask, squares_of

ROW_BITS = 12
"""A page of 4,096 slots: the column kernel works on indexes of so many bits."""
PAGE = 1 << ROW_BITS
WIDEST_STEP = 6
"""The largest e: a rank of six bits fills a page of 64 rows of 64 columns."""
COLUMNS = 1 << WIDEST_STEP


class Lines(NamedTuple):
    """What the compiled kernel needs: see `RookLines`."""

    shifts: NDArray[np.int64]
    numbers: NDArray[np.int64]
    lowest: np.int64
    farthest: np.int64
    turned: NDArray[np.uint64]
    behind: NDArray[np.uint64]
    around: np.uint64


@dataclass(frozen=True, slots=True)
class RookLines:
    """The file's mask bits and attack sets, and the rank's patterns.

    `lines.shifts` are the squares of the file's mask bits and `lines.numbers[n]` the number of
    file pattern n's attack set, in doubling order; `lines.lowest` is the rank's lowest mask
    bit; `patterns` is R, and `lines.farthest` its largest member. `lines.turned[u]` has R * u
    mod 64 as the bits of a word, or 0 where two of them coincide; `lines.behind[e]` has the
    columns 2^e * R that a file sum of 0 claims. `ends` are the file's
    blockers next to the edges, which make small sets when they weigh next to nothing.
    """

    square: int
    lines: Lines
    patterns: tuple[int, ...]
    ends: tuple[int, ...]


@cache
def rook_lines(square: int) -> RookLines:
    """The two lines of a square, made once."""
    board = mask(Piece.ROOK, square)
    rank = [bit for bit in squares_of(board) if bit >> 3 == square >> 3]
    file = [bit for bit in squares_of(board) if bit >> 3 != square >> 3]
    sets: dict[int, int] = {}
    numbers = [
        sets.setdefault(attack_set(Piece.ROOK, square, occupancy), len(sets))
        for occupancy in _subsets(file)
    ]
    patterns = tuple(sorted(occupancy >> min(rank) for occupancy in _subsets(rank)))
    above, below = [bit for bit in file if bit > square], [bit for bit in file if bit < square]
    lines = Lines(
        np.array(file, dtype=np.int64),
        np.array(numbers, dtype=np.int64),
        np.int64(min(rank)),
        np.int64(patterns[-1]),
        np.array([_turned(patterns, turn) for turn in range(64)], dtype=np.uint64),
        np.array([_columns(patterns, step) for step in range(WIDEST_STEP + 1)], dtype=np.uint64),
        np.uint64(~board & WORD),
    )
    return RookLines(square, lines, patterns, (*above[-1:], *below[:1]))


def _subsets(bits: list[int]) -> list[int]:
    """All sets of some squares, in doubling order."""
    found = [0]
    for bit in bits:
        found += [occupancy | 1 << bit for occupancy in found]
    return found


def _turned(patterns: tuple[int, ...], turn: int) -> int:
    places = {pattern * turn % 64 for pattern in patterns}
    return sum(1 << place for place in places) if len(places) == len(patterns) else 0


def _columns(patterns: tuple[int, ...], step: int) -> int:
    return sum(1 << place for place in {(pattern << step) % COLUMNS for pattern in patterns})


def row_start(square: RookLines, step: int, random: np.random.Generator) -> int:
    """A random magic whose row step is 2^step buckets; half of the file's ends get a small
    negative weight.
    """
    lowest = int(square.lines.lowest)
    word = int(random.integers(1 << 63)) << 1 | int(random.integers(2))
    if random.random() < 0.5:
        word &= int(random.integers(1 << 63)) << 1 | 1
    for end in square.ends:
        if random.random() < 0.5:
            length, top = ROW_BITS + int(random.integers(5)), 64 - end
            word |= (1 << top) - (1 << max(0, top - length))
    # The rank's coefficient shall be the step, up to a small fraction of a bucket.
    forced = (WORD >> lowest) & ~((1 << max(0, 46 - lowest)) - 1)
    return word & ~forced | 1 << max(0, 64 - ROW_BITS + step - lowest)
