"""Where a buffer can be pushed together: cut it, and see how far the right part can move.

A cut parts the squares by their offset. Moving all squares right of a cut by `distance`
to the left shortens the buffer by as much; what then overlaps is the price. All cuts and
all distances are tried at once, by shift-and over 64-bit words.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.words import popcount
from magicert.compact.compiled import entry
from magicert.compact.layouts.arrangement import Arrangement, Key, occupied

U = np.uint64


@entry
def _overlap(left, right, first, last, distance, limit):  # type: ignore[no-untyped-def]
    """Slots of `left` that `right`, moved left by `distance`, uses too; or more than limit."""
    words = distance >> 6
    bits = U(distance & 63)
    total = np.int64(0)
    for place in range(first, last + 1):
        word = right[place + words] >> bits
        if bits != U(0):
            word |= right[place + words + 1] << (U(64) - bits)
        total += np.int64(popcount(left[place] & word))
        if total > limit:
            break
    return total


@entry
def _all_overlaps(starts, bounds, slots, left, right, farthest, limit, table):  # type: ignore[no-untyped-def]
    """Fill table[cut, distance] for every cut in front of a square."""
    squares = len(starts)
    top = np.int64(-1)
    for cut in range(squares):
        # Squares before the cut are in `left`; the right part begins at this one's offset.
        for distance in range(1, farthest + 1):
            if starts[cut] - distance < 0:
                table[cut, distance] = limit + 1
                continue
            first = (starts[cut] - distance) >> 6
            last = top >> 6
            table[cut, distance] = _overlap(left, right, first, last, distance, limit)
        for place in range(bounds[cut], bounds[cut + 1]):
            slot = slots[place]
            bit = U(1) << U(slot & 63)
            left[slot >> 6] |= bit
            right[slot >> 6] &= ~bit
            top = max(top, slot)


def cut_table(
    arrangement: Arrangement, keys: Collection[Key], farthest: int, limit: int
) -> tuple[list[Key], NDArray[np.int32]]:
    """The squares `keys` from left to right, and table[cut, distance]: how many slots overlap
    when the squares from number `cut` on move left by `distance` (limit + 1: too many).
    """
    ordered = sorted(keys, key=lambda key: (arrangement.seats[key].offset, key))
    slots = [arrangement.seats[key].slots for key in ordered]
    bounds = np.cumsum([0, *map(len, slots)])
    starts = np.array([arrangement.seats[key].offset for key in ordered], dtype=np.int64)
    right = np.concatenate(
        [occupied(slots, arrangement.room), np.zeros((farthest >> 6) + 4, np.uint64)]
    )
    table = np.zeros((len(ordered), farthest + 1), dtype=np.int32)
    _all_overlaps(
        starts, bounds, np.concatenate(slots), np.zeros_like(right), right, farthest, limit, table
    )
    return ordered, table
