"""An arrangement: squares with magics and offsets in one buffer, while they are being packed.

Unlike a `Layout` it may be wrong for a while: squares may overlap, so that a search can
walk through what is not allowed. `overlaps` says how far it is from a layout.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece
from magicert.compact.anneal.squares import SquareData, square_data, used_indexes

Slots = NDArray[np.int64]
Key = tuple[Piece, int]
"""A piece and the square (a1=0) that it stands on."""

MOST_BITS = 13
"""Most index bits of a square."""
MARGIN = 1 << MOST_BITS
"""Spare slots behind the buffer in every array of slots, for squares that reach beyond it:
the kernels do not check bounds."""


@dataclass(slots=True)
class Seat:
    """One square's place: its magic, added constant and offset, and the indexes it uses."""

    data: SquareData
    bits: int
    magic: int
    constant: int
    offset: int
    used: Slots

    @property
    def slots(self) -> Slots:
        """The slots that the square uses, sorted."""
        return self.used + self.offset

    @property
    def end(self) -> int:
        """The last slot used + 1."""
        return int(self.used[-1]) + self.offset + 1

    def copy(self) -> "Seat":
        """A seat of its own; `used` is shared, nobody writes to it."""
        return Seat(self.data, self.bits, self.magic, self.constant, self.offset, self.used)


class Arrangement:
    """Seats by piece and square, and how many squares use each slot."""

    def __init__(self, mode: int, seats: Iterable[Seat], room: int) -> None:
        self.mode = mode
        self.room = room
        self.seats: dict[Key, Seat] = {}
        self.count = np.zeros(room + MARGIN, dtype=np.int16)
        for seat in seats:
            self.put(seat)

    def put(self, seat: Seat) -> None:
        """Seat a square that has no seat."""
        self.seats[seat.data.piece, seat.data.square] = seat
        self.count[seat.slots] += 1

    def take(self, key: Key) -> Seat:
        """Unseat a square."""
        seat = self.seats.pop(key)
        self.count[seat.slots] -= 1
        return seat

    def copy(self) -> "Arrangement":
        """An independent copy."""
        new = Arrangement(self.mode, (), self.room)
        new.seats = {key: seat.copy() for key, seat in self.seats.items()}
        new.count[:] = self.count
        return new

    def move(self, keys: Iterable[Key], distance: int) -> None:
        """Move squares to the right (or, by a negative distance, to the left)."""
        moved = [self.take(key) for key in keys]
        for seat in moved:
            seat.offset += distance
            self.put(seat)

    @property
    def length(self) -> int:
        """The largest slot used + 1."""
        return max((seat.end for seat in self.seats.values()), default=0)

    @property
    def used_slots(self) -> int:
        """The sum over squares of the slots that each one uses."""
        return sum(len(seat.used) for seat in self.seats.values())

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

    def reseat(self, key: Key, magic: int, constant: int, offset: int) -> bool:
        """Give a seated square another choice; False, and nothing done, where the
        magic has a conflict.
        """
        old = self.seats[key]
        used = used_indexes(old.data, old.bits, self.mode, magic, constant)
        if used is None or offset + int(used[0]) < 0 or offset + int(used[-1]) >= self.room:
            return False
        self.take(key)
        self.put(Seat(old.data, old.bits, magic, constant, offset, used))
        return True


def seat(
    mode: int, piece: Piece, square: int, bits: int, magic: int, offset: int, constant: int = 0
) -> Seat:
    """A seat made from its numbers. Raises ValueError where the magic has a conflict."""
    data = square_data(piece, square)
    used = used_indexes(data, bits, mode, magic, constant)
    if used is None:
        raise ValueError(f"{piece} on square {square}: {magic:#018x} has a conflict")
    return Seat(data, bits, magic, constant, offset, used)


def occupied(slots: Sequence[Slots], room: int) -> NDArray[np.uint64]:
    """The bitset of slots, bit n of word w being slot 64w + n, with a spare word behind."""
    flags = np.zeros((room + 63) // 64 * 64 + 64, dtype=np.uint8)
    for part in slots:
        flags[part] = 1
    return np.packbits(flags, bitorder="little").view(np.uint64)
