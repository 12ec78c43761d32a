"""The tail: bishops behind the rooks, where cutting and pushing together finds nothing to push.

One attempt, on a copy: lower the goal a little, take out every bishop that reaches beyond it
and a few of their neighbours, and put them back one by one, the biggest first, into whatever
is free below the goal. It counts if all of them find a place.
"""

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.annealing import Effort, Random, annealed
from magicert.compact.anneal.pools import sparse_start
from magicert.compact.anneal.squares import used_indexes
from magicert.compact.layouts.arrangement import MARGIN, Arrangement, Key, Seat

CONFLICT, TAKEN, CLOSED = 60, 8, 30
"""The prices of a conflict, of a slot that is taken, and of one beyond the goal."""
EFFORT = Effort(40_000, 8.0, 0.8)
STRIDES = (1, 4, 16, 48, 128)
"""By how many slots an attempt may try to shorten the buffer."""
PLACES = 8
"""Places tried for one bishop."""
NEAR = 3 * MARGIN // 4
"""So far before the end bishops are neighbours of those at the end."""


def shortened(arrangement: Arrangement, random: Random) -> Arrangement | None:
    """A shorter copy, or None where the attempt failed or a rook is in the way."""
    goal = arrangement.length - int(random.choice(STRIDES))
    beyond = [key for key, seat in arrangement.seats.items() if seat.end > goal]
    if goal <= 0 or any(piece is Piece.ROOK for piece, _ in beyond):
        return None
    near = [
        key
        for key in arrangement.by_offset(Piece.BISHOP)
        if arrangement.seats[key].end > goal - NEAR and key not in beyond
    ]
    more = min(len(near), int(random.integers(7)))
    out = beyond + [near[int(n)] for n in random.choice(len(near), more, replace=False)]
    candidate = arrangement.copy()
    seats = [candidate.take(key) for key in out]
    for seat in sorted(seats, key=lambda seat: (-len(seat.used), seat.data.square)):
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
    data, span = seat.data, 1 << seat.bits
    for _ in range(PLACES):
        lowest = 0 if random.random() < 0.25 else max(0, goal - NEAR)
        start = int(random.integers(lowest, max(lowest + 1, goal)))
        fresh = random.random() < 0.5
        first = sparse_start(random) if fresh else seat.magic
        magic, constant, offset, _ = annealed(
            data, seat.bits, arrangement.mode, (first, seat.constant, start), price, CONFLICT,
            (max(0, start - span), min(goal, start + span)), 64, EFFORT, random,
        )  # fmt: skip
        used = used_indexes(data, seat.bits, arrangement.mode, magic, constant)
        if used is None or offset + int(used[-1]) >= goal:
            continue
        if not arrangement.count[used + offset].any():
            return Seat(data, seat.bits, magic, constant, offset, used)
    return None


def ends_with_bishops(arrangement: Arrangement) -> bool:
    """Whether a bishop reaches furthest."""
    last: Key = max(arrangement.seats, key=lambda key: (arrangement.seats[key].end, key))
    return last[0] is Piece.BISHOP
