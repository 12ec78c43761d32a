"""A layered buffer as it is worked on: seats, and what they want of each entry."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.kernel import Offsets, arrays_of
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Choice, Key, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layered.needs import Needs, needs_of
from magicert.compact.layered.place_kernel import EntryDemands, PlaceTask, place

MARGIN = 1 << 13
DEARER_EVERY = 128
"""Entries behind the end after which an entry costs 1 more."""
FRESH, BEYOND, CLASH, CONFLICT = 1, 3, 20, 20
"""Prices of an entry that nobody uses, of one beyond the end, of a contradiction with others, and
of one with oneself."""


class Floor:
    """Seats in one buffer, and what is wanted of its entries."""

    def __init__(self, seats: Iterable[Seat], capacity: int) -> None:
        self.capacity = capacity
        self.seats: dict[Key, Seat] = {}
        self.ones = np.zeros(capacity + MARGIN, np.uint64)
        self.zeros = np.zeros(capacity + MARGIN, np.uint64)
        for seat in seats:
            self.put(seat)

    @property
    def length(self) -> int:
        """The largest slot used + 1."""
        return max((seat.end for seat in self.seats.values()), default=0)

    def agrees(self, seat: Seat) -> bool:
        """Whether a seat wants nothing that contradicts what is wanted."""
        needs, slots = _wants(seat)
        attacks = needs.square.attacks
        clash = (attacks & self.zeros[slots]) | (needs.zeros & self.ones[slots])
        return not clash.any()

    def put(self, seat: Seat) -> None:
        """Seat a square that has no seat."""
        needs, slots = _wants(seat)
        np.bitwise_or.at(self.ones, slots, needs.square.attacks)
        np.bitwise_or.at(self.zeros, slots, needs.zeros)
        self.seats[seat.key] = seat

    def take(self, key: Key) -> Seat:
        """Unseat a square: the entries that it used are written again by all others."""
        seat = self.seats.pop(key)
        self.ones[seat.slots] = self.zeros[seat.slots] = 0
        gone = np.zeros(len(self.ones), np.bool_)
        gone[seat.slots] = True
        for other in self.seats.values():
            needs, slots = _wants(other)
            again = gone[slots]
            if again.any():
                np.bitwise_or.at(self.ones, slots[again], needs.square.attacks[again])
                np.bitwise_or.at(self.zeros, slots[again], needs.zeros[again])
        return seat

    def prices(self, end: int, fresh: int = FRESH) -> NDArray[np.int32]:
        """The price of every entry, if the buffer shall end at `end`; `fresh` is that of an entry
        which nobody uses.
        """
        slots = np.arange(len(self.ones))
        price = np.where((self.ones | self.zeros) != 0, 0, fresh)
        price[slots >= end] = BEYOND + (slots[slots >= end] - end) // DEARER_EVERY
        return price.astype(np.int32)

    def annealed(
        self,
        cell: CellData,
        start: Choice,
        offsets: Offsets,
        price: NDArray[np.int32],
        effort: WalkEffort,
        random: Random,
    ) -> tuple[Seat, int] | None:
        """A seat that agrees with all others, and its price; None if none was found."""
        needs = needs_of(cell.square.piece, cell.square.square)
        ground = EntryDemands(self.ones, self.zeros, price, CLASH, CONFLICT)
        task = PlaceTask(arrays_of(cell), needs.square.attacks, needs.zeros, ground, offsets)
        magic, constant, offset, cost = place(
            task,
            Choice(np.uint64(start.magic), np.uint64(start.constant), np.int64(start.offset)),
            effort,
            np.uint64(random.integers(1 << 63)),
        )
        if cost >= (1 << 50):
            return None
        seat = Seat.of(cell, Choice(int(magic), int(constant), int(offset)))
        return (seat, int(cost)) if seat is not None and self.agrees(seat) else None


def _wants(seat: Seat) -> tuple[Needs, NDArray[np.int64]]:
    """What a seat wants, and the slot of each occupancy."""
    needs = needs_of(seat.piece, seat.square)
    slots = seat.cell.indexes(seat.choice.magic, seat.choice.constant) + seat.offset
    return needs, slots
