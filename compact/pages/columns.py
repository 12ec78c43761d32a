"""Libraries of columns: for every rook, many magics that claim few whole columns of a page.

Annealing finds the first ones; from there a walk along magics that need no more columns meets
thousands of others that claim different ones. Everything follows from the seed: efforts are
numbers of candidates, never of seconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from magicert.board import square_name
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.squares import Words
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.pages.column_kernel import FORBIDDEN, ColumnTask, column_anneal, column_walk
from magicert.compact.pages.library import Library, Turns
from magicert.compact.pages.lines import COLUMNS, Lines, rook_lines, row_start
from magicert.compact.progress import FOREVER, Crew, WorkPhase
from magicert.system.deadline import Deadline

U = np.uint64

STEPS = (6, 5, 4)
"""Row steps (log2) that are tried for a square."""
CONFLICT = 300
"""The price of a conflict while annealing, in slots."""
CANDIDATES, HOT, COLD = 80_000, (100.0, 300.0), 6.0
"""Candidates of one annealing, the temperatures it may begin at and the one at its end."""
FIRST, MORE, LAST = 6, 20, 60
"""Annealings for every row step; more for the best ones; most before giving up a square."""
PROMISING = 1.2
"""A row step is worth more annealings if it needs at most so many times the fewest columns."""
WALKS, WALKED = 64, 40_000
"""Walks for a library, and the candidates of each."""
SPARE, CLIMBS = 4, (0, 1, 0, 2)
"""By how many columns the starts of walks may exceed the fewest, and walks their starts."""
FEW, STUBBORN, WIDER = 1000, 150, 2 * SPARE
"""A library of fewer columns has got stuck at a lucky magic: so many more annealings for every
row step, and walks from magics that need that many more columns.
"""
MET = 200_000
"""Most magics that one walk notes down."""
KEPT = 40_000
"""Most magics in a library."""
LIBRARIES = WorkPhase("magics in whole columns", "rooks")


@dataclass(frozen=True, slots=True)
class LibraryOrder:
    """An order to fill the library of a square; picklable. Under black the columns lie where the
    magics put them; otherwise they can be turned without a change of the magic, and are, if
    `turning`.
    """

    square: int
    black: bool
    seed: int
    deadline: Deadline = FOREVER
    turning: bool = True

    @property
    def lines(self) -> Lines:
        """The square as the column kernel sees it."""
        return rook_lines(self.square, self.black)


class Start(NamedTuple):
    """A magic that walks begin at: how many columns it claims, and its row step (log2)."""

    claimed: int
    step: int
    magic: int


def rook_libraries(
    squares: Iterable[int], black: bool, seed: int, crew: Crew, turning: bool = True
) -> list[Library]:
    """A library for each of some squares, in their order; empty ones included."""
    orders = [LibraryOrder(square, black, seed, crew.deadline, turning) for square in squares]
    libraries: list[Library] = []
    crew.progress(LIBRARIES, 0, len(orders), "")
    for library in crew.mapper(collect, orders):
        libraries.append(library)
        crew.progress(LIBRARIES, len(libraries), len(orders), square_name(library.square))
    return libraries


def collect(order: LibraryOrder) -> Library:
    """Fill a library. Empty if no magic of this form was found; BudgetOverError at the deadline."""
    random = np.random.default_rng([order.seed, order.square])
    starts = _starts(order, random)
    found = _met(order, starts, SPARE, random)
    if starts and len(found) < FEW:
        for _ in range(STUBBORN):
            for step in STEPS:
                order.deadline.check()
                starts += _anneal(order, step, random)
        found |= _met(order, starts, WIDER, random)
    return _library(order, found, random)


def _met(order: LibraryOrder, starts: list[Start], spare: int, random: Random) -> dict[int, int]:
    """Columns and a magic for each, met on walks from starts that exceed the fewest by `spare`."""
    found: dict[int, int] = {}
    starts = sorted(starts)
    near = [start for start in starts if start.claimed <= starts[0].claimed + spare]
    for walk in range(WALKS if near else 0):
        order.deadline.check()
        start = near[int(random.integers(len(near)))]
        most = start.claimed + CLIMBS[walk % len(CLIMBS)]
        for magic, columns in _walk(order, start, most, WALKED, random):
            found.setdefault(columns, magic)
    return found


def _starts(order: LibraryOrder, random: Random) -> list[Start]:
    """Magics that annealing came to: FIRST for every row step, then MORE for promising steps;
    while there is none at all, LAST.
    """
    starts: list[Start] = []
    steps: tuple[int, ...] = STEPS
    for attempt in range(1, LAST + 1):
        for step in steps:
            order.deadline.check()
            starts += _anneal(order, step, random)
        if attempt >= FIRST and starts:
            steps = _promising(steps, starts)
            if attempt >= FIRST + MORE:
                break
    return starts


def _promising(steps: tuple[int, ...], starts: list[Start]) -> tuple[int, ...]:
    """The row steps that need hardly more columns than the best one."""
    fewest = {
        step: min((start.claimed for start in starts if start.step == step), default=COLUMNS)
        for step in steps
    }
    most = PROMISING * min(fewest.values())
    return tuple(step for step in steps if fewest[step] <= most)


def _anneal(order: LibraryOrder, step: int, random: Random) -> list[Start]:
    """One annealing: a start, or none if it came to no magic."""
    first = U(row_start(order.lines, step, random))
    effort = WalkEffort(CANDIDATES, float(random.choice(HOT)), COLD)
    task = ColumnTask(order.lines, step, CONFLICT)
    magic, cost = column_anneal(task, first, effort, U(random.integers(1 << 63)))
    if cost >= FORBIDDEN:
        return []
    # A cost may hide a conflict: a walk of one candidate does not.
    claimed = int(cost) // COLUMNS
    met = _walk(order, Start(claimed, step, int(magic)), claimed, 1, random)
    return [Start(columns.bit_count(), step, magic) for magic, columns in met]


def annealed(
    task: ColumnTask, start: int, effort: WalkEffort, most: int, seed: int
) -> tuple[int, int] | None:
    """The magic that one annealing comes to, and its columns; None if it has a conflict, or claims
    more than `most` empty columns.
    """
    magic, _ = column_anneal(task, U(start), effort, U(seed))
    # A cost may hide a conflict: a walk of one candidate does not.
    found = np.empty((2, 1), np.uint64)
    if not column_walk(task._replace(conflict=FORBIDDEN), U(magic), most, 1, U(seed), found):
        return None
    return int(found[0, 0]), int(found[1, 0])


def _walk(
    order: LibraryOrder, start: Start, most: int, candidates: int, random: Random
) -> list[tuple[int, int]]:
    """Magics and their columns, none of more than `most`."""
    found = np.empty((2, MET), dtype=np.uint64)
    task = ColumnTask(order.lines, start.step, FORBIDDEN)
    seed = U(random.integers(1 << 63))
    met = column_walk(task, U(start.magic), most, candidates, seed, found)
    magics, columns = found[:, :met].tolist()
    return list(zip(magics, columns, strict=True))


def _library(order: LibraryOrder, found: dict[int, int], random: Random) -> Library:
    """KEPT of the magics at most, those of the fewest columns first of all."""
    columns = np.array(list(found), dtype=np.uint64)
    magics = np.array(list(found.values()), dtype=np.uint64)
    turns: Turns = np.zeros(len(columns), dtype=np.uint8)
    if order.turning and not order.black and len(columns):
        drawn = random.integers(len(columns), size=2 * KEPT)
        drawn_turns = random.integers(COLUMNS, size=2 * KEPT).astype(np.uint8)
        chosen, first = np.unique(turned(columns[drawn], drawn_turns), return_index=True)
        columns, magics, turns = chosen, magics[drawn][first], drawn_turns[first]
    rank = np.argsort(np.bitwise_count(columns) + random.random(len(columns)), kind="stable")
    keep = np.sort(rank[:KEPT])
    return Library(order.square, columns[keep], magics[keep], turns[keep])


def turned(columns: Words, turns: Turns) -> Words:
    """Columns turned to the left, each word by its own number of places."""
    by = turns.astype(np.uint64)
    return columns << by | columns >> ((U(COLUMNS) - by) % U(COLUMNS))
