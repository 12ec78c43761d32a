"""Annealing one square's magic into a buffer, and pools of magics that have few used slots.

A choice is a magic, an added constant and an offset; its cost is the price of each slot that it
uses, and `conflict` for each occupancy whose slot holds another attack set of the same square. The
caller prices the slots: high where others are, or beyond the length wanted. A random walk changes
the choice, at a falling temperature.

When: for every square that packing places: into holes, at the end, or against an empty buffer for
a pool of candidates.

Why: one kernel finds magics with few used slots, magics for given holes, and magics that overlap a
little while something else is moved, because only the prices differ.

Cost: tens of thousands of steps for a square (`WalkEffort`). Efforts are numbers of steps and
never seconds, so that the same seed gives the same magic on any machine. What it finds is checked:
a choice with a conflict is none.
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from magicert.chess import Piece
from magicert.compact.kernels import (
    REFUSED,
    Count,
    State,
    WalkEffort,
    Word,
    entry_point,
    helper,
    inner,
    next_below,
    walk,
)
from magicert.compact.placements import (
    CellData,
    Choice,
    Key,
    Placement,
    Random,
    random_start,
    sparse_start,
)
from magicert.engine import EngineRequest, load, option_values
from magicert.outcome import Exists, Quiet
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.system.deadline import Deadline
from magicert.system.whole_file import write_whole
from magicert.targets import square_cell

# The annealing kernel: one square's magic, added constant and offset, all other squares fixed.
#
# The cost of a choice is the price of every slot that it uses, plus `prices.conflict` for
# every occupancy whose slot holds another attack set of the same square. The caller prices
# the slots: one for a slot as such, more where another square is, more beyond the length
# wanted. So one kernel finds magics with few used slots, magics for given holes, and magics
# that overlap a little while something else is moved.

U = np.uint64
LAST_STAMP = (1 << 16) - 1
"""Where the marks in `marks` are used up: they are the upper half of a 32-bit word."""
BETWEEN_LIMITS = 64
"""Occupancies between two looks at the limit."""


class CellArrays(NamedTuple):
    """What the kernel knows of a cell.

    `shifts` are the squares of the mask bits; `numbers[n]` is the number of occupancy n's
    attack set, in doubling order; an index is `(product + around * magic + constant) >> shift`,
    where `around` is ~mask under black and 0 otherwise. `free_constant`: the constant is chosen.
    """

    shifts: NDArray[np.int64]
    numbers: NDArray[np.uint16]
    around: Word
    shift: Word
    free_constant: bool


class Prices(NamedTuple):
    """The price of every slot of the buffer, and that of a conflict.

    There is a price for every index from any offset allowed: the kernel checks no bounds.
    """

    slots: NDArray[np.int32]
    conflict: int


class Offsets(NamedTuple):
    """The lowest and the highest offset allowed, and how far an offset moves at once."""

    lowest: int
    highest: int
    jump: int = 64


class AnnealTask(NamedTuple):
    """A square to anneal into a buffer."""

    cell: CellArrays
    prices: Prices
    offsets: Offsets


class AnnealScratch(NamedTuple):
    """Working space for one cell: products of all occupancies, and who was seen at an index.

    An entry of `marks` is a stamp above the number of an attack set. Stamps rise from candidate
    to candidate, so that `marks` need not be cleared between them.
    """

    products: NDArray[np.uint64]
    marks: NDArray[np.uint32]
    stamp: NDArray[np.uint32]


@entry_point
def new_scratch(cell: CellArrays) -> AnnealScratch:
    """Working space for a cell."""
    indexes = np.int64(U(1) << (U(64) - cell.shift))
    return AnnealScratch(
        np.empty(len(cell.numbers), np.uint64),
        np.zeros(indexes, np.uint32),
        np.zeros(1, np.uint32),
    )


@helper
def next_mark(scratch: AnnealScratch) -> Any:  # noqa: ANN401
    """A mark larger than all in `marks`: a stamp in the upper half of a uint32."""
    if scratch.stamp[0] == np.uint32(LAST_STAMP):
        scratch.marks[:] = np.uint32(0)
        scratch.stamp[0] = np.uint32(0)
    scratch.stamp[0] += np.uint32(1)
    return scratch.stamp[0] << np.uint32(16)


@inner
def cost_of(task: AnnealTask, choice: Choice, limit: Count, scratch: AnnealScratch) -> Count:
    """The cost of one choice, or REFUSED as soon as it exceeds `limit`."""
    cell, products, marks = task.cell, scratch.products, scratch.marks
    mark = next_mark(scratch)
    price, offset = task.prices.slots, U(choice.offset)
    products[0] = cell.around * choice.magic + choice.constant
    index = products[0] >> cell.shift
    marks[index] = mark | np.uint32(cell.numbers[0])
    cost = np.int64(price[offset + index])
    size = 1
    for j in range(len(cell.shifts)):
        # The first `size` products are there; those with one more mask bit follow them.
        step = choice.magic << U(cell.shifts[j])
        for n in range(size):
            products[size + n] = products[n] + step
        start = size
        size *= 2
        while start < size:
            end = min(start + BETWEEN_LIMITS, size)
            for n in range(start, end):
                index = products[n] >> cell.shift
                key = mark | np.uint32(cell.numbers[n])
                before = marks[index]
                if before != key:
                    if before < mark:
                        marks[index] = key
                        cost += np.int64(price[offset + index])
                    else:
                        cost += task.prices.conflict
            start = end
            if cost > limit:
                return np.int64(REFUSED)
    return cost


@helper
def changed_word(word: Word, state: State) -> Word:
    """A neighbour of a word: one bit turned, or a power of two added or taken away."""
    bit = U(next_below(state, 64))
    kind = next_below(state, 4)
    if kind == 0:
        return word + (U(1) << bit)
    if kind == 1:
        return word - (U(1) << bit)
    return word ^ (U(1) << bit)


@helper
def neighbour(task: Any, choice: Choice, state: State) -> tuple[Choice, bool]:  # noqa: ANN401
    """Another choice, and whether its offset is allowed. `task` is any with a cell and offsets.

    Of sixteen draws three move the offset. All but two change the magic, six of them twice;
    where the constant is free, five change that instead.
    """
    magic, constant, offset = choice.magic, choice.constant, choice.offset
    lowest, highest, jump = task.offsets
    kind = next_below(state, 16)
    if kind < 3 and highest > lowest:
        offset += next_below(state, 2 * jump + 1) - jump
        if offset < lowest or offset > highest:
            return choice, False
    if task.cell.free_constant and (kind < 1 or kind > 11):
        constant = changed_word(constant, state)
    elif kind > 1:
        magic = changed_word(magic, state)
        if kind < 8:
            magic = changed_word(magic, state)
    return Choice(magic, constant, offset), True


@entry_point
def anneal(
    task: AnnealTask, start: Choice, effort: WalkEffort, seed: Word
) -> tuple[Word, Word, Count, Count]:
    """Anneal from a start: magic, constant and offset of the best choice found, and its cost.

    Plain numbers, because Ctrl-C while numba makes a record of them ends in a SystemError.
    """
    scratch = new_scratch(task.cell)
    best, cost = walk(task, start, effort, seed, scratch, neighbour, cost_of)
    return best.magic, best.constant, best.offset, cost


def anneal_placement(
    cell: CellData,
    start: Choice,
    prices: Prices,
    offsets: Offsets,
    effort: WalkEffort,
    random: Random,
) -> Placement | None:
    """The best placement found from a start; None where the best choice found has a conflict."""
    magic, constant, offset, _ = anneal(
        AnnealTask(arrays_of(cell), prices, offsets),
        Choice(np.uint64(start.magic), np.uint64(start.constant), np.int64(start.offset)),
        effort,
        np.uint64(random.integers(1 << 63)),
    )
    return Placement.of(cell, Choice(int(magic), int(constant), int(offset)))


def arrays_of(cell: CellData) -> CellArrays:
    """A cell as the kernel takes it."""
    square, free_constant = cell.square, cell.scheme == "constant"
    shift = np.uint64(64 - cell.bits)
    return CellArrays(square.shifts, square.numbers, cell.around, shift, free_constant)


# Pools: many magics for each square, with few used slots, to pack from.
#
# A pool starts from random magics. A rook's are given a row step: the coefficient of the
# rank's line is a power of two of buckets, so that the used set is {row patterns} * step +
# {file sums}, whole columns of a page, and tiles with others of its kind (README.md beside this). A
# bishop's start sparse. The annealing kernel does the rest, against an empty buffer.

UNIT = 4
"""The price of the first slot; the last one costs three times as much, so that sets are
drawn together at the low end, where they leave room for others."""
AT_0 = Offsets(0, 0)
CONFLICT = 20 * UNIT
"""The price of a conflict while a pool is annealed."""
HOT = {Piece.ROOK: 80.0, Piece.BISHOP: 5.0}
"""The first temperature, in prices of a slot: hot enough for whole columns of a rook to change."""
Efforts = Mapping[Piece, tuple[int, int]]
"""Magics in each pool, and the candidates annealed for each, by piece."""
TRIES = 40
"""Attempts at an entry before a square counts as hopeless."""
PATIENCE, CANDIDATES = 4, 20_000_000
"""Tries that may fail before trial and error is asked, and how many magics that may try."""
ENOUGH_TRIES = 3
"""After so many tries for each entry wanted, one entry will do."""


Pools = Mapping[Key, Sequence[Placement]]
"""For each square some valid magics, placed at offset 0, those with the fewest used slots first."""


def fill_pool(efforts: Efforts, seed: int, deadline: Deadline, cell: CellData) -> list[Placement]:
    """Fill one square's pool; empty where nothing was found. BudgetOverError at the deadline."""
    square = cell.square
    most_entries, steps = efforts[square.piece]
    random = np.random.default_rng([seed, square.piece is Piece.ROOK, square.square])
    entries: dict[Choice, Placement] = {}
    for number in range(TRIES):
        deadline.check()
        if len(entries) >= (most_entries if number < ENOUGH_TRIES * most_entries else 1):
            break
        # Whoever has found nothing so far takes anything at every second try.
        if not entries and number == PATIENCE:
            placement = thinned_trial(cell, steps, seed, random)
        elif not entries and number % 2:
            placement = conflict_free_magic(cell, steps, random)
        else:
            placement = few_slots_magic(cell, steps, random)
        if placement is not None:
            entries[placement.choice] = placement
    return sorted(entries.values(), key=_fewest_slots)


def _fewest_slots(placement: Placement) -> tuple[int, int]:
    return len(placement.used), placement.choice.magic


def conflict_free_magic(cell: CellData, steps: int, random: Random) -> Placement | None:
    """Anneal the number of conflicts alone: the quickest way to a first magic."""
    free = Prices(np.zeros(1 << cell.bits, dtype=np.int32), CONFLICT)
    effort = WalkEffort(steps, 3.0 * CONFLICT, 0.4 * CONFLICT)
    return anneal_placement(cell, Choice(sparse_start(random)), free, AT_0, effort, random)


def few_slots_magic(cell: CellData, steps: int, random: Random) -> Placement | None:
    """Anneal one magic for few used slots; None where no valid one came of it.

    Of three starts two are random, and the walk begins hot; one is any magic that works, which
    is then only thinned.
    """
    start = Choice(random_start(cell.square, random))
    hot = UNIT * HOT[cell.square.piece]
    if random.random() < 1 / 3:
        first = conflict_free_magic(cell, steps, random)
        if first is None:
            return None
        start, hot = first.choice, hot / 8
    return anneal_placement(
        cell, start, _rising_prices(cell), AT_0, WalkEffort(steps, hot, float(UNIT)), random
    )


def thinned_trial(cell: CellData, steps: int, seed: int, random: Random) -> Placement | None:
    """A magic by trial and error, then annealed for fewer slots where it stands: for squares
    whose conflicts hardly ever anneal away.
    """
    square, bits = cell.square, cell.bits
    scheme = "black" if cell.scheme == "black" else "white"
    trial = load("trial")
    outcome = trial.solve(
        EngineRequest(
            square_cell(SCHEMES[scheme], square.piece, square.square, bits),
            seed=seed,
            options={**option_values(trial, {}), "candidates": CANDIDATES},
        ),
        Quiet(),
    )
    if not isinstance(outcome, Exists):
        return None
    start = Choice(outcome.magic)
    effort = WalkEffort(steps, float(UNIT), UNIT / 4)
    thinner = anneal_placement(cell, start, _rising_prices(cell), AT_0, effort, random)
    placements = [
        placement for placement in (Placement.of(cell, start), thinner) if placement is not None
    ]
    return min(placements, key=_fewest_slots, default=None)


def _rising_prices(cell: CellData) -> Prices:
    """Prices of an empty buffer: UNIT for the first slot, rising to three times that."""
    indexes = 1 << cell.bits
    rise = np.arange(indexes) * (2 * UNIT) // indexes
    return Prices((UNIT + rise).astype(np.int32), CONFLICT)


def save_pools(path: Path, pools: Pools) -> None:
    """Write pools as one compressed file of four columns: cell, magic, constant, used."""
    placements = [placement for pool in pools.values() for placement in pool]
    stream = BytesIO()
    np.savez_compressed(
        stream,
        cell=np.array([(s.piece is Piece.ROOK) << 6 | s.square for s in placements], np.uint8),
        magic=np.array([placement.choice.magic for placement in placements], np.uint64),
        constant=np.array([placement.choice.constant for placement in placements], np.uint64),
        used=np.array([len(placement.used) for placement in placements], np.uint16),
    )
    write_whole(path, stream.getvalue())


def load_pools(path: Path, cells: Mapping[Key, CellData]) -> dict[Key, list[Placement]]:
    """What saved pools have for some cells: those of their magics that are valid there.

    Raises InputError where the file is no pool.
    """
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as file:
            columns = [file[name].tolist() for name in ("cell", "magic", "constant")]
    except (AttributeError, EOFError, KeyError, TypeError, ValueError, BadZipFile):
        message = "no pool: expected a file that pack --pools has written"
        raise InputError([Problem(message, file=str(path))]) from None
    pools: dict[Key, list[Placement]] = {}
    for place, magic, constant in zip(*columns, strict=True):
        key = (Piece.ROOK if place >> 6 else Piece.BISHOP, place & 63)
        if key in cells:
            free = cells[key].scheme == "constant"
            placement = Placement.of(cells[key], Choice(magic, constant if free else 0))
            if placement is not None:
                pools.setdefault(key, []).append(placement)
    return {key: sorted(pools[key], key=_fewest_slots) for key in cells if key in pools}
