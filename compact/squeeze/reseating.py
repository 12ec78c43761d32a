"""What the slots of a buffer cost a square that is annealed into it."""

from typing import NamedTuple

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.kernel import Offsets, Prices, annealed
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Choice, Key
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layouts.arrangement import Arrangement

CONFLICT = 20
"""The price of a conflict, in used slots: a merged pair of sets must never pay."""
CLOSED = 30
"""The price of a slot beyond the length that an attempt aims at."""
FARTHEST_JUMP = 64
"""By how many slots an offset may move at once."""


class Overlap(NamedTuple):
    """What it costs, beside the slot itself, to use a slot of a rook's, or of bishops only."""

    rook: int
    bishop: int


def prices(arrangement: Arrangement, key: Key, goal: int, overlap: Overlap) -> Prices:
    """What every slot costs a seated square: 1, more where others are, or beyond `goal`."""
    count = arrangement.count
    price = np.ones(len(count), dtype=np.int32)
    price[count > 0] += overlap.rook
    if overlap.bishop != overlap.rook:
        for seat in arrangement.seats.values():
            if seat.piece is Piece.BISHOP:
                price[seat.slots] = 1 + overlap.bishop
        for seat in arrangement.seats.values():
            if seat.piece is Piece.ROOK and seat.key != key:
                price[seat.slots] = 1 + overlap.rook
    own = arrangement.seats[key].slots
    price[own[count[own] == 1]] = 1
    price[goal:] += CLOSED
    return Prices(price, CONFLICT)


def reseat(
    arrangement: Arrangement, key: Key, price: Prices, effort: WalkEffort, reach: int,
    random: Random, magic: int | None = None,
) -> bool:  # fmt: skip
    """Anneal one seated square within `reach` of its offset, from its own magic or another one;
    False if it stays where it is.
    """
    seat = arrangement.seats[key]
    offsets = Offsets(
        max(0, seat.offset - reach),
        min(arrangement.capacity - 1, seat.offset + reach),
        max(1, min(FARTHEST_JUMP, reach)),
    )
    first = seat.choice.magic if magic is None else magic
    start = Choice(first, seat.choice.constant, max(0, seat.offset))
    found = annealed(seat.cell, start, price, offsets, effort, random)
    return found is not None and found.choice != seat.choice and arrangement.replace(found)
