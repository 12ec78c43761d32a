"""A plane: one page of the buffer while rooks with row steps are being fitted into it.

It keeps the occupied slots in every layout that the row kernel reads, and lets squares
overlap for a while.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compact.lines import PAGE, ROW_BITS, WIDEST_STEP, rook_lines
from compact.row_kernel import row_anneal
from compact.squares import CONSTANT_MODES, square_data, used_indexes
from magicert.board import Piece

U = np.uint64
Random = np.random.Generator
Slots = NDArray[np.int64]

ROOM = 2 * PAGE
"""Slots of a plane: a page, and the rows that offsets push beyond its end."""
HIGHEST_OFFSET = 63
CONFLICT = 300
"""The price of a conflict, in slots."""


@dataclass(frozen=True, slots=True)
class RowSeat:
    """A rook's square with its magic, its offset in the page, its row step (log2) and the
    slots of the page that it uses.
    """

    square: int
    magic: int
    offset: int
    step: int
    slots: Slots


@dataclass(frozen=True, slots=True)
class Heat:
    """How hard the row kernel tries: candidates and temperatures, in slots."""

    steps: int
    hot: float
    cold: float


@njit(cache=True)
def _mark(layers, room, slots, value):  # type: ignore[no-untyped-def]
    for slot in slots:
        for step in range(len(layers)):
            place = (slot & ((1 << step) - 1)) * (room >> step) + (slot >> step)
            bit = U(1) << U(place & 63)
            if value:
                layers[step, place >> 6] |= bit
            else:
                layers[step, place >> 6] &= ~bit


class Plane:
    """Seats in one page, under one scheme ("white" or "black"); they may overlap."""

    def __init__(self, scheme: str) -> None:
        self.scheme = scheme
        self.seats: dict[int, RowSeat] = {}
        self.count = np.zeros(ROOM, dtype=np.int16)
        self.layers = np.zeros((WIDEST_STEP + 1, ROOM // 64 + 2), dtype=np.uint64)

    def put(self, seat: RowSeat) -> None:
        """Seat a square that has no seat."""
        self.seats[seat.square] = seat
        self.count[seat.slots] += 1
        _mark(self.layers, ROOM, seat.slots[self.count[seat.slots] == 1], True)

    def take(self, square: int) -> RowSeat:
        """Unseat a square."""
        seat = self.seats.pop(square)
        self.count[seat.slots] -= 1
        _mark(self.layers, ROOM, seat.slots[self.count[seat.slots] == 0], False)
        return seat

    def restore(self, seats: dict[int, RowSeat]) -> None:
        """Put all squares back to where they were."""
        for square in tuple(self.seats):
            self.take(square)
        for seat in seats.values():
            self.put(seat)

    def overlap_of(self, square: int) -> int:
        """How many of a square's slots another square uses too."""
        return int(np.count_nonzero(self.count[self.seats[square].slots] > 1))

    def meets(self, seat: RowSeat) -> int:
        """How many slots of a seat that is not here are taken."""
        return int(np.count_nonzero(self.count[seat.slots]))

    @property
    def free(self) -> int:
        """The slots of one page less those that the seats use."""
        return PAGE - sum(len(seat.slots) for seat in self.seats.values())

    @property
    def overlapping(self) -> list[int]:
        """The squares that overlap others."""
        return [square for square in self.seats if self.overlap_of(square)]

    def anneal(
        self, square: int, step: int, start: tuple[int, int], prices: tuple[int, int],
        heat: Heat, random: Random,
    ) -> RowSeat | None:  # fmt: skip
        """A seat for a square that is not here, annealed from a magic and an offset; None
        where no valid magic came of it. `prices`: of a slot, and of one that is taken.
        """
        magic, offset, _ = row_anneal(
            U(start[0]), np.int64(start[1]), self.scheme == "black", np.int64(step),
            rook_lines(square).lines, self.layers[step], np.int64(ROOM), np.int64(prices[0]),
            np.int64(prices[1]), np.int64(CONFLICT), np.int64(0), np.int64(HIGHEST_OFFSET),
            heat.hot, heat.cold, np.int64(heat.steps), np.int64(0),
            U(random.integers(1 << 63)),
        )  # fmt: skip
        data = square_data(Piece.ROOK, square)
        used = used_indexes(data, ROW_BITS, CONSTANT_MODES[self.scheme], int(magic), 0)
        if used is None:
            return None
        return RowSeat(square, int(magic), int(offset), step, used + int(offset))
