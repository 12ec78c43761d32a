"""Packing by rounds: every worker squeezes the best arrangement so far, the best of all goes on.

A round is a number of attempts, not of seconds, and every worker's seed follows from the
run's seed, the round and the worker: the same seed, workers and rounds give the same
layout on any machine. A deadline only decides how many rounds there are: a round that it
interrupts counts for nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from magicert.compact.layouts import Arrangement
from magicert.compact.placements import Placement
from magicert.compact.progress import Mapper
from magicert.compact.squeeze import Squeezer
from magicert.system.deadline import Deadline

ATTEMPTS = 24
"""Attempts of one worker in one round: some seconds."""
SHOWN_POINTS = 24
"""Points of a history in a table file: enough to see the curve, few enough to read."""

Stop = Literal["rounds", "budget", "goal", "interrupted"]


@dataclass(frozen=True, slots=True)
class HistoryPoint:
    """A point of the history: after `seconds` the length was `length`."""

    seconds: float
    length: int


def history_text(history: Sequence[HistoryPoint]) -> str:
    """The history of lengths in one line: "0s 85,065; 12s 85,034; ..."."""
    if len(history) > SHOWN_POINTS:
        apart = (len(history) - 1) / (SHOWN_POINTS - 1)
        history = [history[round(place * apart)] for place in range(SHOWN_POINTS)]
    shown = "; ".join(f"{point.seconds:.0f}s {point.length:,}" for point in history)
    return f"history: {shown}" if shown else ""


def figures(arrangement: Arrangement) -> tuple[int, int]:
    """What an arrangement is judged by: the smaller the better."""
    return arrangement.length, arrangement.used_slots


def squeezed(
    start: Arrangement, seeds: Sequence[tuple[int, int, int]], deadline: Deadline,
    mapper: Mapper = map, attempts: int = ATTEMPTS,
) -> Arrangement:  # fmt: skip
    """One round: a worker for each seed begins with `start`; the best of what they return, never
    longer than `start`. Raises BudgetOverError at the deadline.
    """
    placements, capacity = _by_square(start), start.capacity
    results = mapper(partial(_squeezed, placements, capacity, attempts, deadline), seeds)
    return min([start, *(Arrangement(placements, capacity) for placements in results)], key=figures)


def _squeezed(
    placements: tuple[Placement, ...], capacity: int, attempts: int, deadline: Deadline,
    seed: tuple[int, int, int],
) -> tuple[Placement, ...]:  # fmt: skip
    squeezer = Squeezer(Arrangement(placements, capacity), seed)
    for _ in range(attempts):
        deadline.check()
        squeezer.step()
    return _by_square(squeezer.best)


def _by_square(arrangement: Arrangement) -> tuple[Placement, ...]:
    return tuple(placement for _, placement in sorted(arrangement.placements.items()))
