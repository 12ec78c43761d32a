"""First fit: the squares of a buffer one after the other, the biggest first.

Each takes the seat that lengthens the buffer least: annealed into the holes inside it, or as
its pool has it at the lowest offset that fits, or annealed into the holes at the end.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from magicert.board import square_name
from magicert.compact.anneal.kernel import Offsets, Prices, annealed
from magicert.compact.anneal.pools import Pools
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Seat
from magicert.compact.anneal.squares import Slots
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layouts.arrangement import MARGIN, Arrangement
from magicert.compact.layouts.bitset import bitset, lowest_fit
from magicert.compact.progress import ALONE, Crew, WorkPhase
from magicert.compact.start.wish import Cells

WINDOWS_LOOKED_AT, WINDOWS_TRIED = 400, 80
"""Windows of the buffer that are looked at for a hole, and those of them that are tried."""
ROOMIER = 5, 4
"""A square hardly ever fits where fewer than 5/4 of its slots are free."""
IN_HOLES = WalkEffort(60_000, 4.0, 0.3)
HOLE_CONFLICT = 20
AT_END = WalkEffort(30_000, 12.0, 0.8)
END_TAKEN, END_CONFLICT = 9, 24
"""Annealing at the end: the prices of a slot that is taken and of a conflict."""
DEARER_EVERY = 9
"""log2 of the slots behind the end after which a slot costs 1 more."""
PLACING = WorkPhase("placing squares in the buffer", "squares")
ENTRIES_TRIED = 3
"""Entries of a pool that are tried in the buffer, those with the fewest used slots."""


def place(
    cells: Cells, pools: Pools, seed: int, seated: Iterable[Seat] = (), crew: Crew = ALONE
) -> Arrangement:
    """Seat some squares in one buffer. Some have seats already and need no pool.

    Raises BudgetOverError at the deadline.
    """
    seats = list(seated)
    done = {seat.key for seat in seats}
    left = [key for key in cells if key not in done]
    front = max((seat.end for seat in seats), default=0)
    longest = front + sum(1 << cells[key].bits for key in left)
    arrangement = Arrangement(seats, longest + MARGIN)
    random = np.random.default_rng([seed, len(left)])
    for n, key in enumerate(sorted(left, key=lambda key: (-len(pools[key][0].used), key))):
        crew.deadline.check()
        crew.progress(PLACING, n, len(left), f"{key[0]} {square_name(key[1])}")
        arrangement.put(_best_seat(arrangement, pools[key], front, random))
        front = max(front, arrangement.seats[key].end)
    return Arrangement(arrangement.seats.values(), front + MARGIN)


def _best_seat(arrangement: Arrangement, pool: Sequence[Seat], front: int, random: Random) -> Seat:
    """A seat for a square that has none, in a buffer of length `front`. Behind the end every
    square finds one.
    """
    inside = _in_holes(arrangement, pool[0], front, random)
    if inside is not None:
        return inside
    seats: list[Seat] = []
    for entry in pool[:ENTRIES_TRIED]:
        fitted = _lowest(arrangement, entry, front)
        at_end = _at_end(arrangement, fitted, front, random)
        seats += [fitted] if at_end is None else [fitted, at_end]
    return min(seats, key=lambda seat: (seat.end, len(seat.used)))


def _lowest(arrangement: Arrangement, seat: Seat, front: int) -> Seat:
    """A seat moved to the lowest offset at which it fits, `front` at most."""
    own = bitset([seat.used], seat.end)[: (int(seat.used[-1]) >> 6) + 1]
    taken = bitset([np.flatnonzero(arrangement.taken(front))], front + (1 << seat.cell.bits) + 64)
    return seat.at(int(lowest_fit(taken, own, front)))


def _in_holes(arrangement: Arrangement, seat: Seat, front: int, random: Random) -> Seat | None:
    """A square annealed into the holes left inside the buffer, or None."""
    span = 1 << seat.cell.bits
    if front <= span or not arrangement.seats:
        return None
    taken = np.ones(arrangement.capacity, dtype=np.int32)
    taken[:front] = arrangement.taken(front)
    for start in _roomy(taken[:front] == 0, seat, random):
        offsets = Offsets(max(0, start - span), min(front, start + span))
        choice, prices = seat.choice._replace(offset=start), Prices(taken, HOLE_CONFLICT)
        found = annealed(seat.cell, choice, prices, offsets, IN_HOLES, random)
        if found is not None and found.end <= front and arrangement.is_free(found):
            return found
    return None


def _roomy(free: NDArray[np.bool_], seat: Seat, random: Random) -> Iterator[int]:
    """Random offsets from which on enough slots are free for a square, the roomiest first."""
    span = 1 << seat.cell.bits
    free_before = np.cumsum(free)
    starts = random.integers(len(free) - span, size=WINDOWS_LOOKED_AT)
    within: Slots = free_before[starts + span - 1] - free_before[starts]
    times, parts = ROOMIER
    enough = within > len(seat.used) * times // parts
    starts, within = starts[enough], within[enough]
    yield from starts[np.argsort(-within, kind="stable")][:WINDOWS_TRIED].tolist()


def _at_end(arrangement: Arrangement, fitted: Seat, front: int, random: Random) -> Seat | None:
    """A seated square annealed into the last holes of the buffer, or None."""
    span = int(fitted.used[-1]) + 1
    start = max(0, min(fitted.offset, front - span // 2))
    slots = np.arange(arrangement.capacity)
    price = 1 + np.maximum(0, (slots - front) >> DEARER_EVERY)
    price[arrangement.taken(arrangement.capacity)] = END_TAKEN
    prices = Prices(price.astype(np.int32), END_CONFLICT)
    offsets = Offsets(max(0, start - span), front)
    choice = fitted.choice._replace(offset=start)
    found = annealed(fitted.cell, choice, prices, offsets, AT_END, random)
    return found if found is not None and arrangement.is_free(found) else None
