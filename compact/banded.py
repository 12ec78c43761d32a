"""A start from nothing for rooks of 12 bits: bands, then rounds of recasting them."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from compact.arrangement import Seat, seat
from compact.bands import Bands, Mapper, cast, line_up, measure, recast_round
from compact.lines import ROW_BITS
from compact.squares import CONSTANT_MODES
from magicert.board import Piece

SCHEMES = {"white": "white", "black": "black", "constant": "white"}
"""The row kernel's scheme for each of ours: a free constant may as well be 0."""

Say = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class CastPlan:
    """`rounds` of recasting at most, and none after `deadline` (of time.monotonic)."""

    seed: int = 1
    rounds: int = 0
    deadline: float | None = None


def banded_rooks(
    scheme: str,
    plan: CastPlan,
    mapper: Mapper,
    progress: Say,
    found: Callable[[list[Seat]], None] = lambda _seats: None,
) -> tuple[list[Seat], int]:
    """Seats for all 64 rooks in one buffer, none overlapping, and the rounds it took.

    `found` gets the seats of every better casting. The same seed and rounds give the same
    seats.
    """
    rows = SCHEMES[scheme]
    sizes = measure(rows, plan.seed, mapper, lambda done, all_: progress(done, all_, "row steps"))
    bands = cast(
        rows, sizes, plan.seed, mapper, lambda done, all_: progress(done, all_, "rooks in bands")
    )
    seats = _seats(scheme, bands)
    found(seats)
    rounds, began = 0, time.monotonic()
    while rounds < plan.rounds and (plan.deadline is None or time.monotonic() < plan.deadline):
        better = recast_round(rows, bands, sizes, plan.seed, rounds, mapper)
        rounds += 1
        length = max(one.end for one in seats)
        note = f"recasting, {len(bands)} bands, rooks {length:,}"
        if plan.deadline is None:
            progress(rounds, plan.rounds, note)
        else:
            progress(int(time.monotonic() - began), int(plan.deadline - began), note)
        if better is not bands:
            bands = better
            seats = _seats(scheme, bands)
            found(seats)
    return seats, rounds


def _seats(scheme: str, bands: Bands) -> list[Seat]:
    mode = CONSTANT_MODES[scheme]
    return [
        seat(mode, Piece.ROOK, one.square, ROW_BITS, one.magic, offset)
        for one, offset in line_up(bands)
    ]
