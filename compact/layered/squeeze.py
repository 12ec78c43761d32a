"""Squeezing a layered buffer: the squares that end last, and some others, find new places.

A round is a number of attempts, not of seconds: the same seed gives the same layout.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.seat import Key, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.layered.finish import SPARE, seated
from magicert.compact.layered.ground import Floor
from magicert.system.deadline import Deadline

ATTEMPTS = 6
"""Attempts of one worker in one round."""
MOST_OTHERS = 4
"""Most bishops that give up their places with the last square."""


@dataclass(frozen=True)
class SqueezeOrder:
    """An order to shorten a buffer; picklable."""

    cells: Mapping[Key, CellData]
    seats: tuple[Seat, ...]
    seed: tuple[int, ...]
    deadline: Deadline
    attempts: int = ATTEMPTS


def squeeze(order: SqueezeOrder) -> tuple[Seat, ...]:
    """Seats in a buffer that is no longer. BudgetOverError at the deadline."""
    random = np.random.default_rng(order.seed)
    best = order.seats
    for _ in range(order.attempts):
        order.deadline.check()
        floor = Floor(best, length_of(best) + SPARE)
        last = max(floor.seats, key=lambda key: (floor.seats[key].end, key))
        bishops = [key for key in sorted(floor.seats) if key[0] is Piece.BISHOP]
        others = random.permutation(len(bishops))[: int(random.integers(MOST_OTHERS + 1))]
        moved = {last, *(bishops[n] for n in others.tolist())}
        for key in sorted(moved):
            floor.take(key)
        # The larger ones first, as at the beginning.
        for key in sorted(moved, key=lambda one: (-len(order.cells[one].square.numbers), one)):
            order.deadline.check()
            floor.put(seated(floor, order.cells[key], random))
        if floor.length <= length_of(best):
            best = tuple(floor.seats.values())
    return best


def length_of(seats: tuple[Seat, ...]) -> int:
    """The last slot used + 1."""
    return max(seat.end for seat in seats)
