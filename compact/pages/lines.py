"""A rook's square as two lines: the *column kernel*'s view of it (docs/packing.md,
"Rows, columns and pages").

The mask bits of the rank are neighbours, so their contributions double. With a *row step* of
2^e buckets for the lowest of them, the rank's patterns are a fixed set R of multiples of the
step, and the used slots are F + 2^e * R: F has one number for each *file sum* of the vertical
line. A square is then as large as its F, and only the file's few sums need evaluating.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD, Piece, attack_set, mask, squares_of
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.squares import Words, subsets
from magicert.compact.anneal.starts import FRACTION_TOP, random_word
from magicert.compact.compiled import Word

ROW_BITS = 12
"""A page of 4,096 slots: the column kernel works on indexes of so many bits."""
PAGE = 1 << ROW_BITS
WIDEST_STEP = 6
"""The largest e: a rank of six bits fills a page of 64 rows of 64 columns."""
COLUMNS = 1 << WIDEST_STEP
MORE_BITS = 5
"""A small negative weight is ROW_BITS ones and up to four more."""


class Lines(NamedTuple):
    """A rook's square as the column kernel sees it: the file's mask bits and attack sets, and
    the rank's patterns R.

    `shifts` are the squares of the file's mask bits and `numbers[n]` the number of file pattern
    n's attack set, in doubling order; `lowest` is the rank's lowest mask bit, and `farthest` the
    largest member of R. `turned[u]` has R * u mod 64 as the bits of a word, or 0 where two of
    them coincide; `behind[e]` has the columns 2^e * R that a file sum of 0 claims. `ends` are
    the file's blockers next to the edges, which make small sets when they weigh next to nothing.
    `around` times the magic is added: ~mask under black, otherwise 0.
    """

    shifts: NDArray[np.int64]
    numbers: NDArray[np.int64]
    lowest: int
    farthest: int
    turned: Words
    behind: Words
    ends: NDArray[np.int64]
    around: Word


@cache
def rook_lines(square: int, black: bool) -> Lines:
    """The two lines of a square, made once."""
    board = mask(Piece.ROOK, square)
    rank = [bit for bit in squares_of(board) if bit >> 3 == square >> 3]
    file = [bit for bit in squares_of(board) if bit >> 3 != square >> 3]
    attacks = [attack_set(Piece.ROOK, square, occupancy) for occupancy in subsets(file)]
    _, numbers = np.unique(np.array(attacks, dtype=np.uint64), return_inverse=True)
    patterns = tuple(sorted(occupancy >> min(rank) for occupancy in subsets(rank)))
    above, below = [bit for bit in file if bit > square], [bit for bit in file if bit < square]
    return Lines(
        np.array(file, dtype=np.int64),
        numbers.astype(np.int64),
        min(rank),
        patterns[-1],
        np.array([_turned(patterns, turn) for turn in range(64)], dtype=np.uint64),
        np.array([_columns(patterns, step) for step in range(WIDEST_STEP + 1)], dtype=np.uint64),
        np.array([*above[-1:], *below[:1]], dtype=np.int64),
        np.uint64(~board & WORD if black else 0),
    )


def _turned(patterns: tuple[int, ...], turn: int) -> int:
    places = {pattern * turn % 64 for pattern in patterns}
    return sum(1 << place for place in places) if len(places) == len(patterns) else 0


def _columns(patterns: tuple[int, ...], step: int) -> int:
    return sum(1 << place for place in {(pattern << step) % COLUMNS for pattern in patterns})


def row_start(lines: Lines, step: int, random: Random) -> int:
    """A random magic whose row step is 2^step buckets; half of the file's ends get a small
    negative weight.
    """
    word = random_word(random)
    if random.random() < 0.5:
        word &= int(random.integers(1 << 63)) << 1 | 1
    for end in lines.ends.tolist():
        if random.random() < 0.5:
            length, top = ROW_BITS + int(random.integers(MORE_BITS)), 64 - end
            word |= (1 << top) - (1 << max(0, top - length))
    # The rank's coefficient shall be the step, up to a small fraction of a bucket.
    forced = (WORD >> lines.lowest) & ~((1 << max(0, FRACTION_TOP - lines.lowest)) - 1)
    return word & ~forced | 1 << max(0, 64 - ROW_BITS + step - lines.lowest)


def slot_step(scheme: str, square: int) -> int:
    """By how many slots a rook's slots turn on their page at once, without a change of what they
    are.

    An added constant turns by any number. Under black the magic's highest bits turn: below its
    lowest mask bit L the complement of the mask is all ones, so these bits, from 64 - L on, move
    all indexes alike and change nothing else.
    """
    if scheme != "black":
        return 1
    lowest = (mask(Piece.ROOK, square) & -mask(Piece.ROOK, square)).bit_length() - 1
    return 1 << max(0, ROW_BITS - lowest)


def turn_step(scheme: str, square: int) -> int:
    """By how many columns a rook's columns turn at once; COLUMNS where they do not turn at all.
    Under white an offset turns them.
    """
    return min(COLUMNS, slot_step(scheme, square))
