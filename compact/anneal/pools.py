"""Pools: many magics for each square, with few used slots, to pack from.

A pool starts from random magics. A rook's are given a row step: the coefficient of the
rank's line is a power of two of buckets, so that the used set is {row patterns} * step +
{file sums}, whole columns of a page, and tiles with others of its kind (docs/packing.md). A
bishop's start sparse. The annealing kernel does the rest, against an empty buffer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from magicert.board import Piece
from magicert.cell import square_cell
from magicert.compact.anneal.kernel import Offsets, Prices, annealed
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Choice, Key, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.anneal.starts import random_start, sparse_start
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.progress import FOREVER
from magicert.engine import EngineRequest, Quiet, load, option_values
from magicert.outcome import Exists
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.system.deadline import Deadline
from magicert.system.whole_file import write_whole

UNIT = 4
"""The price of the first slot; the last one costs three times as much, so that sets are
drawn together at the low end, where they leave room for others."""
AT_0 = Offsets(0, 0)
CONFLICT = 20 * UNIT
"""The price of a conflict while a pool is annealed."""
HOT = {Piece.ROOK: 80.0, Piece.BISHOP: 5.0}
"""The first temperature, in prices of a slot: hot enough for whole columns of a rook to change."""
PATIENCE, CANDIDATES = 4, 20_000_000
"""Tries that may fail before trial and error is asked, and how many magics that may try."""
ENOUGH_TRIES = 3
"""After so many tries for each entry wanted, one entry will do."""


Pools = Mapping[Key, Sequence[Seat]]
"""For each square some valid magics, seated at offset 0, those with the fewest used slots first."""


@dataclass(frozen=True, slots=True)
class PoolOrder:
    """An order to fill one square's pool: picklable, so that any process can carry it out.

    `wanted` magics, each annealed over `steps` candidates; after three tries for each of
    them one will do, and after `tries` none. BudgetOverError at the deadline.
    """

    cell: CellData
    wanted: int
    steps: int
    tries: int
    seed: int
    deadline: Deadline = FOREVER


def fill_pool(order: PoolOrder) -> list[Seat]:
    """Fill one square's pool; empty where nothing was found."""
    square = order.cell.square
    random = np.random.default_rng([order.seed, square.piece is Piece.ROOK, square.square])
    found: dict[Choice, Seat] = {}
    for number in range(order.tries):
        order.deadline.check()
        enough = order.wanted if number < ENOUGH_TRIES * order.wanted else 1
        if len(found) >= enough:
            break
        seat = _next_try(order, number, nothing_yet=not found, random=random)
        if seat is not None:
            found[seat.choice] = seat
    return sorted(found.values(), key=_fewest_slots)


def _fewest_slots(seat: Seat) -> tuple[int, int]:
    return len(seat.used), seat.choice.magic


def _next_try(order: PoolOrder, number: int, nothing_yet: bool, random: Random) -> Seat | None:
    """Whoever has found nothing so far takes anything at every second try."""
    if nothing_yet and number == PATIENCE:
        return thinned_trial(order, random)
    if nothing_yet and number % 2:
        return any_magic(order.cell, order.steps, random)
    return few_slots(order.cell, order.steps, random)


def any_magic(cell: CellData, steps: int, random: Random) -> Seat | None:
    """Anneal the number of conflicts alone: the quickest way to a first magic."""
    free = Prices(np.zeros(1 << cell.bits, dtype=np.int32), CONFLICT)
    effort = WalkEffort(steps, 3.0 * CONFLICT, 0.4 * CONFLICT)
    return annealed(cell, Choice(sparse_start(random)), free, AT_0, effort, random)


def few_slots(cell: CellData, steps: int, random: Random) -> Seat | None:
    """Anneal one magic for few used slots; None where no valid one came of it.

    Of three starts two are random, and the walk begins hot; one is any magic that works, which
    is then only thinned.
    """
    start = Choice(random_start(cell.square, random))
    hot = UNIT * HOT[cell.square.piece]
    if random.random() < 1 / 3:
        first = any_magic(cell, steps, random)
        if first is None:
            return None
        start, hot = first.choice, hot / 8
    return annealed(cell, start, _graded(cell), AT_0, WalkEffort(steps, hot, float(UNIT)), random)


def thinned_trial(order: PoolOrder, random: Random) -> Seat | None:
    """A magic by trial and error, then annealed for fewer slots where it stands: for squares
    whose conflicts hardly ever anneal away.
    """
    square, bits = order.cell.square, order.cell.bits
    scheme = "black" if order.cell.scheme == "black" else "white"
    trial = load("trial")
    outcome = trial.solve(
        EngineRequest(
            square_cell(SCHEMES[scheme], square.piece, square.square, bits),
            seed=order.seed,
            options={**option_values(trial, {}), "candidates": CANDIDATES},
        ),
        Quiet(),
    )
    if not isinstance(outcome, Exists):
        return None
    start = Choice(outcome.magic)
    effort = WalkEffort(order.steps, float(UNIT), UNIT / 4)
    thinner = annealed(order.cell, start, _graded(order.cell), AT_0, effort, random)
    found = [seat for seat in (Seat.of(order.cell, start), thinner) if seat is not None]
    return min(found, key=_fewest_slots, default=None)


def _graded(cell: CellData) -> Prices:
    """Prices of an empty buffer: UNIT for the first slot, rising to three times that."""
    indexes = 1 << cell.bits
    rise = np.arange(indexes) * (2 * UNIT) // indexes
    return Prices((UNIT + rise).astype(np.int32), CONFLICT)


def save_pools(path: Path, pools: Pools) -> None:
    """Write pools as one compressed file of four columns: cell, magic, constant, used."""
    seats = [seat for pool in pools.values() for seat in pool]
    stream = BytesIO()
    np.savez_compressed(
        stream,
        cell=np.array([(s.piece is Piece.ROOK) << 6 | s.square for s in seats], np.uint8),
        magic=np.array([seat.choice.magic for seat in seats], np.uint64),
        constant=np.array([seat.choice.constant for seat in seats], np.uint64),
        used=np.array([len(seat.used) for seat in seats], np.uint16),
    )
    write_whole(path, stream.getvalue())


def load_pools(path: Path, cells: Mapping[Key, CellData]) -> dict[Key, list[Seat]]:
    """What saved pools have for some cells: those of their magics that are valid there.

    Raises InputError where the file is no pool.
    """
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            columns = [file[name].tolist() for name in ("cell", "magic", "constant")]
    except (AttributeError, EOFError, KeyError, TypeError, ValueError, BadZipFile):
        message = "no pool: expected a file that pack --pools has written"
        raise InputError([Problem(message, file=str(path))]) from None
    pools: dict[Key, list[Seat]] = {}
    for place, magic, constant in zip(*columns, strict=True):
        key = (Piece.ROOK if place >> 6 else Piece.BISHOP, place & 63)
        if key in cells:
            free = cells[key].scheme == "constant"
            seat = Seat.of(cells[key], Choice(magic, constant if free else 0))
            if seat is not None:
                pools.setdefault(key, []).append(seat)
    return {key: sorted(pools[key], key=_fewest_slots) for key in cells if key in pools}
