"""Bishops behind the rooks, where cutting and pushing together finds nothing to push.

One attempt, on a copy: lower the goal a little, take out every bishop that reaches beyond it
and a few of their neighbours, and put them back one by one, the biggest first, into whatever
is free below the goal. It counts if all of them find a place.
"""

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.kernel import Offsets, Prices, annealed
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.starts import sparse_start
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layouts.arrangement import MARGIN, Arrangement

CONFLICT, TAKEN, CLOSED = 60, 8, 30
"""The prices of a conflict, of a slot that is taken, and of one beyond the goal."""
EFFORT = WalkEffort(40_000, 8.0, 0.8)
STRIDES = (1, 4, 16, 48, 128)
"""By how many slots an attempt may try to shorten the buffer."""
PLACES = 8
"""Places tried for one bishop."""
ANYWHERE, NEW_MAGIC = 0.25, 0.5
"""How often such a place may be far from the end, and how often the magic is a new one."""
NEAR = 3 * MARGIN // 4
"""So far before the end bishops are neighbours of those at the end."""
NEIGHBOURS = 6
"""Most neighbours that are taken out with those beyond the goal."""


def ends_with_bishops(arrangement: Arrangement) -> bool:
    """Whether a bishop reaches furthest."""
    last = max(arrangement.seats.values(), key=lambda seat: (seat.end, seat.key))
    return last.piece is Piece.BISHOP


def shortened(arrangement: Arrangement, random: Random) -> Arrangement | None:
    """A shorter copy, or None where the attempt failed or a rook is in the way."""
    goal = arrangement.length - int(random.choice(STRIDES))
    beyond = [key for key, seat in arrangement.seats.items() if seat.end > goal]
    if goal <= 0 or any(piece is Piece.ROOK for piece, _ in beyond):
        return None
    near = [
        key
        for key in arrangement.by_offset(Piece.BISHOP)
        if goal - NEAR < arrangement.seats[key].end <= goal
    ]
    more = min(len(near), int(random.integers(NEIGHBOURS + 1)))
    out = beyond + [near[int(n)] for n in random.choice(len(near), more, replace=False)]
    candidate = arrangement.copy()
    seats = [candidate.take(key) for key in out]
    for seat in sorted(seats, key=lambda seat: (-len(seat.used), seat.square)):
        placed = _placed(candidate, seat, goal, random)
        if placed is None:
            return None
        candidate.put(placed)
    return candidate


def _placed(arrangement: Arrangement, seat: Seat, goal: int, random: Random) -> Seat | None:
    """A seat for a bishop that is not here, all of it free and below the goal."""
    price = np.ones(len(arrangement.count), dtype=np.int32)
    price[arrangement.count > 0] += TAKEN
    price[goal:] += CLOSED
    span = 1 << seat.cell.bits
    for _ in range(PLACES):
        lowest = 0 if random.random() < ANYWHERE else max(0, goal - NEAR)
        start = int(random.integers(lowest, max(lowest + 1, goal)))
        magic = sparse_start(random) if random.random() < NEW_MAGIC else seat.choice.magic
        choice = Choice(magic, seat.choice.constant, start)
        offsets = Offsets(max(0, start - span), min(goal, start + span))
        found = annealed(seat.cell, choice, Prices(price, CONFLICT), offsets, EFFORT, random)
        if found is not None and found.end <= goal and arrangement.is_free(found):
            return found
    return None
