"""Where a buffer can be pushed together: cut it, and see how far the right part can move.

A cut parts the squares by their offset. Moving all squares right of a cut by `distance`
to the left shortens the buffer by as much; what then overlaps is the price. All cuts and
all distances are tried at once, by shift-and over 64-bit words.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Key
from magicert.compact.anneal.squares import Slots, Words
from magicert.compact.compiled import Count, entry, inner
from magicert.compact.layouts.arrangement import Arrangement
from magicert.compact.layouts.bitset import bitset, word_at
from magicert.system.words import popcount

U = np.uint64
OVERLAP_WORTH = 0.25
"""A slot that overlaps makes a cut as much worse as this part of a slot of distance."""


class _Squares(NamedTuple):
    """Squares from left to right: their offsets, and square n's slots,
    slots[bounds[n] : bounds[n + 1]].
    """

    starts: Slots
    bounds: Slots
    slots: Slots


class Cut(NamedTuple):
    """Everything from `edge` on moves left by `distance`."""

    edge: int
    distance: int


@dataclass(frozen=True, slots=True)
class CutTable:
    """How many slots overlap, at [n, distance], when the squares from number n of `keys` on move
    left by `distance`; more than `limit` where that is too many.
    """

    keys: list[Key]
    starts: Slots
    overlaps: NDArray[np.int32]
    limit: int

    def draw(self, random: Random, spreads: Sequence[float]) -> Cut | None:
        """A random cut in front of any square but the first; None if all are too expensive. The
        smaller the spread (one of `spreads`), the likelier the cut that gains most.
        """
        choices = np.argwhere(self.overlaps[1:, 1:] <= self.limit) + 1
        if not len(choices):
            return None
        gains = choices[:, 1] - OVERLAP_WORTH * self.overlaps[choices[:, 0], choices[:, 1]]
        weight = np.exp((gains - gains.max()) / float(random.choice(spreads)))
        number, distance = choices[random.choice(len(choices), p=weight / weight.sum())]
        return Cut(int(self.starts[number]), int(distance))


def cut_table(
    arrangement: Arrangement, keys: Collection[Key], farthest: int, limit: int
) -> CutTable:
    """All cuts of the squares `keys`, at distances up to `farthest`."""
    ordered = sorted(keys, key=lambda key: (arrangement.seats[key].offset, key))
    slots = [arrangement.seats[key].slots for key in ordered]
    starts = np.array([arrangement.seats[key].offset for key in ordered], dtype=np.int64)
    squares = _Squares(starts, np.cumsum([0, *map(len, slots)]), np.concatenate(slots))
    right = bitset(slots, arrangement.capacity + farthest + 256)
    overlaps = np.zeros((len(ordered), farthest + 1), dtype=np.int32)
    _all_overlaps(squares, right, limit, overlaps)
    return CutTable(ordered, starts, overlaps, limit)


@entry
def _all_overlaps(
    squares: _Squares, right: Words, limit: Count, overlaps: NDArray[np.int32]
) -> None:
    """Fill overlaps[n, distance] for a cut in front of every square n. `right` is the bitset of
    all squares; it is used up.
    """
    left = np.zeros_like(right)
    last = np.int64(-1)
    for cut in range(len(squares.starts)):
        # Squares before the cut are in `left`; the right part begins at this one's offset.
        start = squares.starts[cut]
        for distance in range(1, overlaps.shape[1]):
            if start < distance:
                overlaps[cut, distance] = limit + 1
            else:
                first = (start - distance) >> 6
                overlaps[cut, distance] = _overlap(left, right, first, last >> 6, distance, limit)
        for place in range(squares.bounds[cut], squares.bounds[cut + 1]):
            slot = squares.slots[place]
            bit = U(1) << U(slot & 63)
            left[slot >> 6] |= bit
            right[slot >> 6] &= ~bit
            last = max(last, slot)


@inner
def _overlap(
    left: Words, right: Words, first: Count, last: Count, distance: Count, limit: Count
) -> Count:
    """Slots of words first..last of `left` that `right`, moved left by `distance`, uses too; or
    more than `limit`.
    """
    total = np.int64(0)
    for place in range(first, last + 1):
        total += np.int64(popcount(left[place] & word_at(right, 64 * place + distance)))
        if total > limit:
            break
    return total
