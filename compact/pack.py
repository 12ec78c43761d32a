"""Packing by rounds: every worker squeezes the best layout so far, and the best of all goes on.

A round is a number of attempts, not of seconds, and every worker's seed follows from the
run's seed, the round and the worker: the same seed, workers and rounds give the same
layout on any machine. A deadline only decides how many rounds there are: a round that it
interrupts counts for nothing.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Literal

from magicert.compact.layouts import Arrangement, Layout
from magicert.compact.progress import FOREVER
from magicert.compact.seats import Seat
from magicert.compact.squeeze import Squeezer
from magicert.system.deadline import BudgetOverError, Deadline

ATTEMPTS = 24
"""Attempts of one worker in one round: some seconds."""
SHOWN_MARKS = 24
"""Points of a history in a table file: enough to see the curve, few enough to read."""

Stop = Literal["rounds", "budget", "goal", "interrupted"]


@dataclass(frozen=True, slots=True)
class PackPlan:
    """How long to pack and with what: `deadline` and `rounds` are limits, None for no limit;
    `goal` is a length at which to stop.
    """

    seed: int = 1
    workers: int = 1
    deadline: Deadline = FOREVER
    rounds: int | None = None
    goal: int | None = None
    attempts: int = ATTEMPTS


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the history: after `round` rounds and `seconds` the length was `length`."""

    round: int
    seconds: float
    length: int


@dataclass(slots=True)
class Result:
    """The best layout, why packing stopped, and how it went."""

    layout: Layout
    stopped: Stop = "rounds"
    rounds: int = 0
    history: list[Mark] = field(default_factory=list)


Observer = Callable[[Result, bool], None]
"""Called before every round with the best so far and whether it is new: the caller writes it
down, and shows how far the work is."""


def pack(
    layout: Layout,
    plan: PackPlan,
    executor: Executor | None = None,
    observer: Observer = lambda _result, _better: None,
) -> Result:
    """Squeeze a layout until a limit of the plan is reached, or Ctrl-C is pressed.

    The result is never longer than the layout given. Without an executor the work is done
    in this process, one worker after the other.
    """
    started = time.monotonic()
    result = Result(layout, history=[Mark(0, 0.0, layout.length)])
    parts = [layout.arrangement(pieces) for pieces in layout.buffers]
    better = False
    try:
        while True:
            observer(result, better)
            if plan.goal is not None and result.layout.length <= plan.goal:
                return replace(result, stopped="goal")
            if plan.rounds is not None and result.rounds >= plan.rounds:
                return replace(result, stopped="rounds")
            number = result.rounds % len(parts)
            best = _round(parts[number], plan, result.rounds, executor)
            result.rounds += 1
            better = _figures(best) < _figures(parts[number])
            if better:
                shorter = best.length < parts[number].length
                parts[number] = best
                result.layout = layout.with_arrangements(parts)
                if shorter:
                    seconds = time.monotonic() - started
                    result.history.append(Mark(result.rounds, seconds, result.layout.length))
    except BudgetOverError:
        return replace(result, stopped="budget")
    except KeyboardInterrupt:
        return replace(result, stopped="interrupted")


def history_text(history: Sequence[Mark]) -> str:
    """The history of lengths in one line: "0s 85,065; 12s 85,034; ..."."""
    if len(history) > SHOWN_MARKS:
        apart = (len(history) - 1) / (SHOWN_MARKS - 1)
        history = [history[round(place * apart)] for place in range(SHOWN_MARKS)]
    shown = "; ".join(f"{mark.seconds:.0f}s {mark.length:,}" for mark in history)
    return f"history: {shown}" if shown else ""


def _figures(arrangement: Arrangement) -> tuple[int, int]:
    """What an arrangement is judged by: the smaller the better."""
    return arrangement.length, arrangement.used_slots


@dataclass(frozen=True, slots=True)
class _Round:
    """An order to squeeze an arrangement; picklable."""

    seats: tuple[Seat, ...]
    capacity: int
    seed: tuple[int, int, int]
    attempts: int
    deadline: Deadline


def _round(
    start: Arrangement, plan: PackPlan, number: int, executor: Executor | None
) -> Arrangement:
    """One round: all workers begin with `start`; the best of what they return.

    Raises BudgetOverError at the deadline.
    """
    seats = _by_square(start)
    orders = [
        _Round(seats, start.capacity, (plan.seed, number, worker), plan.attempts, plan.deadline)
        for worker in range(plan.workers)
    ]
    results = map(_squeeze, orders) if executor is None else executor.map(_squeeze, orders)
    return min([start, *(Arrangement(seats, start.capacity) for seats in results)], key=_figures)


def _squeeze(order: _Round) -> tuple[Seat, ...]:
    squeezer = Squeezer(Arrangement(order.seats, order.capacity), order.seed)
    for _ in range(order.attempts):
        order.deadline.check()
        squeezer.step()
    return _by_square(squeezer.best)


def _by_square(arrangement: Arrangement) -> tuple[Seat, ...]:
    return tuple(seat for _, seat in sorted(arrangement.seats.items()))
