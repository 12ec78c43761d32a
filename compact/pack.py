"""Packing by rounds: every worker squeezes the best layout so far, and the best of all goes on.

A round is a number of attempts, not of seconds, and every worker's seed follows from the
run's seed, the round and the worker: the same seed, workers and rounds give the same
layout on any machine. A time budget only decides how many rounds there are.
"""

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Literal

from magicert.board import Piece
from magicert.compact.layouts.arrangement import Arrangement, Seat, seat
from magicert.compact.layouts.layout import Layout
from magicert.compact.squeeze.squeeze import Squeezer

ATTEMPTS = 24
"""Attempts of one worker in one round: some seconds."""

Stop = Literal["rounds", "budget", "goal", "interrupted"]
Packed = tuple[tuple[str, int, int, int, int, int], ...]
"""Seats in a form that travels between processes cheaply."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long to pack and with what: `seconds` and `rounds` are limits, None for no limit;
    `goal` is a length at which to stop.
    """

    seed: int = 1
    workers: int = 1
    seconds: float | None = None
    rounds: int | None = None
    goal: int | None = None
    attempts: int = ATTEMPTS


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of the history: after `round` rounds and `seconds` the length was `length`."""

    round: int
    seconds: float
    length: int
    used_slots: int


@dataclass(slots=True)
class Result:
    """The best layout, why packing stopped, and how it went."""

    layout: Layout
    stopped: Stop
    rounds: int
    history: list[Mark] = field(default_factory=list)


Improved = Callable[[Layout, list[Mark]], None]
"""Called with every better layout: the caller writes it down."""
Progress = Callable[[int, float, int], None]
"""Called after every round with the rounds done, the seconds passed and the best length."""


def pack(
    layout: Layout,
    plan: Plan,
    executor: Executor | None = None,
    improved: Improved = lambda _layout, _history: None,
    progress: Progress = lambda _rounds, _seconds, _length: None,
) -> Result:
    """Squeeze a layout until a limit of the plan is reached, or Ctrl-C is pressed.

    The result is never longer than the layout given. Without an executor the work is done
    in this process, one worker after the other.
    """
    started = time.monotonic()
    result = Result(layout, "rounds", 0, [Mark(0, 0.0, layout.length, layout.used_slots)])
    parts = [layout.arrangement(pieces) for pieces in layout.buffers]
    try:
        while True:
            seconds = time.monotonic() - started
            progress(result.rounds, seconds, result.layout.length)
            stop = _limit(plan, result, seconds)
            if stop is not None:
                result.stopped = stop
                return result
            number = result.rounds % len(parts)
            best = _round(parts[number], plan, result.rounds, executor)
            result.rounds += 1
            if _better(best, parts[number]):
                shorter = best.length < parts[number].length
                parts[number] = best
                result.layout = layout.with_arrangements(parts)
                mark = Mark(
                    result.rounds,
                    time.monotonic() - started,
                    result.layout.length,
                    result.layout.used_slots,
                )
                if shorter:
                    result.history.append(mark)
                improved(result.layout, result.history)
    except KeyboardInterrupt:
        result.stopped = "interrupted"
        return result


def _limit(plan: Plan, result: Result, seconds: float) -> Stop | None:
    if plan.goal is not None and result.layout.length <= plan.goal:
        return "goal"
    if plan.rounds is not None and result.rounds >= plan.rounds:
        return "rounds"
    if plan.seconds is not None and seconds >= plan.seconds:
        return "budget"
    return None


def _better(one: Arrangement, other: Arrangement) -> bool:
    return (one.length, one.used_slots) < (other.length, other.used_slots)


def _round(start: Arrangement, plan: Plan, number: int, executor: Executor | None) -> Arrangement:
    """One round: all workers begin with `start`; the best of what they return."""
    jobs = [
        (start.mode, start.room, _pack_seats(start), (plan.seed, number, worker), plan.attempts)
        for worker in range(plan.workers)
    ]
    results = map(_squeeze, jobs) if executor is None else executor.map(_squeeze, jobs)
    best = start
    for packed in results:
        candidate = _unpack_seats(start.mode, start.room, packed)
        if _better(candidate, best):
            best = candidate
    return best


def _squeeze(job: tuple[int, int, Packed, tuple[int, int, int], int]) -> Packed:
    mode, room, packed, seeds, attempts = job
    squeezer = Squeezer(_unpack_seats(mode, room, packed), seeds)
    for _ in range(attempts):
        squeezer.step()
    return _pack_seats(squeezer.best)


def _pack_seats(arrangement: Arrangement) -> Packed:
    seats = [arrangement.seats[key] for key in sorted(arrangement.seats)]
    return tuple(
        (s.data.piece.value, s.data.square, s.bits, s.magic, s.constant, s.offset) for s in seats
    )


def _unpack_seats(mode: int, room: int, packed: Packed) -> Arrangement:
    seats: list[Seat] = [
        seat(mode, Piece(piece), square, bits, magic, offset, constant)
        for piece, square, bits, magic, constant, offset in packed
    ]
    return Arrangement(mode, seats, room)
