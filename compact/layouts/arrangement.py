"""An arrangement: squares seated in one buffer, while they are being packed.

Unlike a `Layout` it may be wrong for a while: squares may overlap, so that a search can
walk through what is not allowed. `overlaps` says how far it is from a layout.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece
from magicert.compact.anneal.seat import Key, Seat

MOST_BITS = 13
"""Most index bits of a square."""
MARGIN = 1 << MOST_BITS
"""Spare slots behind the buffer in every array of slots, for squares that reach beyond it:
the kernels do not check bounds."""


class Arrangement:
    """Seats by piece and square, and how many squares use each slot.

    `capacity` is how many slots the buffer may have at most while it is worked on.
    """

    def __init__(self, seats: Iterable[Seat], capacity: int) -> None:
        self.capacity = capacity
        self.seats: dict[Key, Seat] = {}
        self.count = np.zeros(capacity + MARGIN, dtype=np.int16)
        for seat in seats:
            self.put(seat)

    def put(self, seat: Seat) -> None:
        """Seat a square that has no seat."""
        self.seats[seat.key] = seat
        self.count[seat.slots] += 1

    def take(self, key: Key) -> Seat:
        """Unseat a square."""
        seat = self.seats.pop(key)
        self.count[seat.slots] -= 1
        return seat

    def replace(self, seat: Seat) -> bool:
        """Give a seated square another seat; False, and nothing done, where that would lie
        outside the buffer.
        """
        if seat.offset + int(seat.used[0]) < 0 or seat.end > self.capacity:
            return False
        self.take(seat.key)
        self.put(seat)
        return True

    def move(self, keys: Iterable[Key], distance: int) -> None:
        """Move squares to the right (or, by a negative distance, to the left)."""
        moved = [self.take(key) for key in keys]
        for seat in moved:
            self.put(seat.at(seat.offset + distance))

    def copy(self) -> "Arrangement":
        """An independent copy."""
        new = Arrangement((), self.capacity)
        new.seats = dict(self.seats)
        new.count = self.count.copy()
        return new

    @property
    def length(self) -> int:
        """The largest slot used + 1."""
        return max((seat.end for seat in self.seats.values()), default=0)

    @property
    def used_slots(self) -> int:
        """The sum over squares of the slots that each one uses."""
        return sum(len(seat.used) for seat in self.seats.values())

    def taken(self, end: int) -> NDArray[np.bool_]:
        """Which slots before `end` a square uses."""
        return self.count[:end] > 0

    def is_free(self, seat: Seat) -> bool:
        """Whether no square uses a slot of a seat that is not here."""
        return not self.count[seat.slots].any()

    def overlaps(self) -> int:
        """How many slots too many are used: 0 in a valid arrangement."""
        return int(np.maximum(self.count - 1, 0).sum())

    def overlap_of(self, key: Key) -> int:
        """How many of a square's slots another square uses too."""
        return int(np.count_nonzero(self.count[self.seats[key].slots] > 1))

    def by_offset(self, piece: Piece | None = None) -> list[Key]:
        """The squares from left to right."""
        keys = [key for key in self.seats if piece in (None, key[0])]
        return sorted(keys, key=lambda key: (self.seats[key].offset, key))
