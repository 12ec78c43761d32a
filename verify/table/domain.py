"""All occupancies of many squares with their attack sets, in numpy.

The bits of a square are listed part by part (attacks.py), so that the attack sets of all
subsets are those of the first part, joined with those of the second, and so on; what no part
asks for comes last. Subset n of the bits stands at place n.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from magicert.board import squares_of
from magicert.formula.wide import Words, bit_or, dtype_of, full, words
from magicert.verify.table.attacks import Mover, Part, lanes, number_of, parts, standing

CHUNK_BITS = 14
"""A group lists at most this many occupancy bits at once; further bits are looped over."""

GROUP_LOOKUPS = 1 << 17
"""And as many squares as have so many occupancies together."""


@dataclass(frozen=True, eq=False)
class SizeGroup:
    """Squares whose sets of relevant bits have the same size.

    `rows` (n,) are the rows of the table, `occupancies` and `attacks` (n, 2^k) hold all
    subsets of the first k relevant bits with their attack sets; `high` lists, per square,
    the relevant bits behind those (empty but for large masks).
    """

    rows: NDArray[np.intp]
    occupancies: Words
    attacks: Words
    high: tuple[tuple[int, ...], ...]
    parts: tuple[tuple[Part, ...], ...]


def groups(mover: Mover, relevant: tuple[int, ...], row_bits: tuple[int, ...]) -> list[SizeGroup]:
    """The squares of a piece by the size of their relevant set.

    `relevant[row]` is the set of bits to run over and `row_bits[row]` the row's square,
    both in the engine's bit numbering.
    """
    mover = standing(mover)
    by_size: dict[int, list[int]] = {}
    for row, board in enumerate(relevant):
        by_size.setdefault(board.bit_count(), []).append(row)
    found = []
    for size, rows in sorted(by_size.items()):
        most = max(1, GROUP_LOOKUPS >> min(size, CHUNK_BITS))
        for first in range(0, len(rows), most):
            some = tuple(rows[first : first + most])
            bits = tuple(row_bits[row] for row in some)
            found.append(_group(mover, some, tuple(relevant[row] for row in some), bits))
    return found


@lru_cache(maxsize=16)  # chess's masks make seven groups
def _group(
    mover: Mover, rows: tuple[int, ...], relevant: tuple[int, ...], squares: tuple[int, ...]
) -> SizeGroup:
    own = tuple(parts(mover, bit, board) for bit, board in zip(squares, relevant, strict=True))
    lists = [_in_parts(some, board) for some, board in zip(own, relevant, strict=True)]
    width, low = mover.board.word, min(CHUNK_BITS, len(lists[0]))
    occupancies = full((len(rows), 1 << low), 0, width)
    for place in range(low):
        half = 1 << place
        bits = words([[1 << bits[place]] for bits in lists], width)
        occupancies[:, half : 2 * half] = bit_or(occupancies[:, :half], bits)
    high = tuple(tuple(bits[low:]) for bits in lists)
    attacks = _attacks(own, low, 0, width)
    occupancies.setflags(write=False)
    attacks.setflags(write=False)
    return SizeGroup(np.array(rows), occupancies, attacks, high, own)


def _in_parts(own: tuple[Part, ...], relevant: int) -> list[int]:
    """The relevant bits, part by part, and then those that no part asks for."""
    first = [bit for part in own for bit in part.blockers]
    return [*first, *(bit for bit in squares_of(relevant) if bit not in first)]


def _attacks(own: tuple[tuple[Part, ...], ...], low: int, number: int, width: int) -> Words:
    """The attack sets of all subsets of the low bits, with subset `number` of the high ones."""
    attacks = np.empty((len(own), 1 << low), dtype_of(width))
    for place, some in enumerate(own):
        known = full(1, 0, width)
        first = 0
        for part in some:
            known = _joined(_with_high(part, first, low, number), known)
            first += len(part.blockers)
        # What nobody asks for changes nothing.
        attacks[place].reshape(-1, len(known))[:] = known
    return attacks


def _with_high(part: Part, first: int, low: int, number: int) -> Words:
    """A part's attacks by its own low bits; those of its bits that are high are as in `number`.

    `first` is the place of its first bit among the square's.
    """
    count = len(part.blockers)
    free = min(max(low - first, 0), count)
    if free == count:
        return part.attacks
    fixed = (number >> max(first - low, 0)) & ((1 << (count - free)) - 1)
    return part.attacks.reshape(-1, 1 << free)[fixed]


def _joined(part: Words, known: Words) -> Words:
    """The attacks of one more part, its bits behind those that are known."""
    joined = np.empty((len(part), len(known)), part.dtype)
    for lane, one, other in zip(lanes(joined), lanes(part), lanes(known), strict=True):
        np.bitwise_or(one[:, None], other[None, :], out=lane)
    return joined.reshape(-1)


@lru_cache(maxsize=64)
def distinct(group: SizeGroup) -> tuple[int, ...]:
    """How many different attack sets each of the squares has."""
    return tuple(map(number_of, group.parts))


def chunk(group: SizeGroup, number: int) -> tuple[Words, Words]:
    """Occupancies and attack sets with subset `number` of the high bits set.

    There are 2^len(group.high[0]) chunks; chunk 0 is the group's own arrays.
    """
    if number == 0:
        return group.occupancies, group.attacks
    width = group.occupancies.dtype.itemsize * 8
    bits = [
        [sum(1 << bit for place, bit in enumerate(high) if number >> place & 1)]
        for high in group.high
    ]
    attacks = _attacks(group.parts, group.occupancies.shape[1].bit_length() - 1, number, width)
    return bit_or(group.occupancies, words(bits, width)), attacks
