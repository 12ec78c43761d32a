"""All occupancies of many squares with their attack sets, in numpy.

A blocker hides what is beyond it, and nothing else, so for any occupancy o

    A(o) = A(empty) & ~(union over the blockers b in o of beyond(b)).

Adding the squares of the mask one by one doubles the list of occupancies (pdep order)
and of attack sets alike. The tests hold this against the ray walk of `magicert.board`.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD, Piece, attack_set, beyond, squares_of

Words = NDArray[np.uint64]

CHUNK_BITS = 14
"""A group lists at most this many occupancy bits at once; further bits are looped over."""


@dataclass(frozen=True, slots=True)
class Group:
    """Squares whose sets of relevant bits have the same size.

    `rows` (n,) are the rows of the table, `occupancies` and `attacks` (n, 2^k) hold all
    subsets of the low k relevant bits with their attack sets; `high` lists, per square,
    the relevant bits above those (empty but for oversized masks).
    """

    piece: Piece
    rows: NDArray[np.intp]
    bits: tuple[int, ...]
    occupancies: Words
    attacks: Words
    high: tuple[tuple[int, ...], ...]


def groups(piece: Piece, relevant: tuple[int, ...], row_bits: tuple[int, ...]) -> list[Group]:
    """The squares of a piece by the size of their relevant set.

    `relevant[row]` is the set of bits to run over and `row_bits[row]` the row's square,
    both in the engine's bit numbering (a symmetry of the board: attack sets are the same).
    """
    by_size: dict[int, list[int]] = {}
    for row, board in enumerate(relevant):
        by_size.setdefault(board.bit_count(), []).append(row)
    return [
        _group(
            piece,
            tuple(rows),
            tuple(relevant[row] for row in rows),
            tuple(row_bits[row] for row in rows),
        )
        for _, rows in sorted(by_size.items())
    ]


@lru_cache(maxsize=16)  # the usual masks make seven groups
def _group(
    piece: Piece, rows: tuple[int, ...], relevant: tuple[int, ...], squares: tuple[int, ...]
) -> Group:
    lists = [list(squares_of(board)) for board in relevant]
    low = min(CHUNK_BITS, len(lists[0]))
    occupancies = np.zeros((len(rows), 1 << low), dtype=np.uint64)
    attacks = np.zeros_like(occupancies)
    attacks[:, 0] = [attack_set(piece, square, 0) for square in squares]
    for place in range(low):
        half = 1 << place
        bits = np.array([[1 << bits[place]] for bits in lists], dtype=np.uint64)
        occupancies[:, half : 2 * half] = occupancies[:, :half] | bits
        kept = np.array(
            [
                [_visible(piece, square, bits[place])]
                for square, bits in zip(squares, lists, strict=True)
            ],
            dtype=np.uint64,
        )
        attacks[:, half : 2 * half] = attacks[:, :half] & kept
    occupancies.setflags(write=False)
    attacks.setflags(write=False)
    high = tuple(tuple(bits[low:]) for bits in lists)
    return Group(piece, np.array(rows), squares, occupancies, attacks, high)


@cache
def _visible(piece: Piece, square: int, blocker: int) -> int:
    return ~beyond(piece, square, blocker) & WORD


def chunk(group: Group, number: int) -> tuple[Words, Words]:
    """Occupancies and attack sets with subset `number` of the high bits set.

    There are 2^len(group.high[0]) chunks; chunk 0 is the group's own arrays.
    """
    if number == 0:
        return group.occupancies, group.attacks
    bits, kept = [], []
    for square, high in zip(group.bits, group.high, strict=True):
        chosen = [bit for place, bit in enumerate(high) if number >> place & 1]
        visible = WORD
        for bit in chosen:
            visible &= _visible(group.piece, square, bit)
        bits.append([sum(1 << bit for bit in chosen)])
        kept.append([visible])
    return (
        group.occupancies | np.array(bits, dtype=np.uint64),
        group.attacks & np.array(kept, dtype=np.uint64),
    )
