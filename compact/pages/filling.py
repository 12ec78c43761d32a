"""Filling pages: squares whose fewest columns make up nearly all of a page's 64, and of each a
magic that claims columns which no other one claims.

Everything follows from the seeds: efforts are numbers of tries, never of seconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from magicert.compact.anneal.annealing import Random
from magicert.compact.pages.library import Library, load_libraries
from magicert.compact.pages.lines import COLUMNS
from magicert.compact.pages.page import Page, Pages, PageSeat, worth
from magicert.compact.pages.page_kernel import Limits, Sets, disjoint
from magicert.compact.progress import FOREVER, Mapper, Phase, Progress
from magicert.system.deadline import Deadline

U = np.uint64
LIMITS = Limits(branches=6, budget=60_000_000)
"""How hard the page kernel tries with one group of squares."""
SLACKS = (1, 2, 3, 4, 6, 9, 14, 64)
"""Columns that a page may leave free: tried in this order."""
GROUPS = 5
"""Groups of squares tried for each slack."""
DRAWS = 200
"""Random choices of squares for one group that fills a page closely enough."""
WEIGHT_NOISE = 0.5
"""The base of a page is one of the largest squares: by the fewest columns, times 1 to 1.5."""
TRIES = 4
"""Fillings of each page in the first casting, of which the best stays."""
FILLING = Phase("filling pages", "rooks")


@dataclass(frozen=True, slots=True)
class Shelf:
    """The libraries of some squares, and the fewest columns of each."""

    libraries: dict[int, Library]
    needs: dict[int, int]


@lru_cache(maxsize=1)
def shelf_of(path: Path) -> Shelf:
    """The libraries of a file, read once in every process."""
    libraries = load_libraries(path)
    return Shelf(libraries, {square: library.least for square, library in libraries.items()})


@dataclass(frozen=True, slots=True)
class Filling:
    """An order to fill one page from some squares, as many as it takes; picklable."""

    path: Path
    squares: tuple[int, ...]
    seed: tuple[int, ...]
    deadline: Deadline = FOREVER


def fill_all(
    path: Path, seed: int, mapper: Mapper, progress: Progress, deadline: Deadline = FOREVER
) -> Pages:
    """Pages for all squares, filled one after the other, each the best of TRIES.

    Raises BudgetOverError at the deadline.
    """
    left = set(shelf_of(path).needs)
    total = len(left)
    pages: list[Page] = []
    while left:
        squares = tuple(sorted(left))
        orders = [Filling(path, squares, (seed, len(pages), n), deadline) for n in range(TRIES)]
        pages.append(max(mapper(fill_one, orders), key=worth))
        left -= {seat.square for seat in pages[-1]}
        progress(FILLING, total - len(left), total, f"{len(pages)} pages")
    return tuple(pages)


def fill_one(order: Filling) -> Page:
    """Fill one page with some of the squares, as full as a few tries bring it."""
    random = np.random.default_rng(order.seed)
    shelf = shelf_of(order.path)
    # A square alone always finds its columns.
    return fill(shelf, order.squares, COLUMNS, random, order.deadline) or (
        fill(shelf, order.squares[:1], COLUMNS, random, order.deadline)
    )


def fill(
    shelf: Shelf, squares: Iterable[int], slack: int, random: Random, deadline: Deadline = FOREVER
) -> Page:
    """A page with some of the squares that leaves about `slack` columns free at most; empty if
    none came about. BudgetOverError at the deadline.
    """
    weights = {
        square: shelf.needs[square] * (1 + WEIGHT_NOISE * random.random()) for square in squares
    }
    base = max(weights, key=lambda square: (weights[square], square))
    others = sorted(set(weights) - {base})
    tried: set[frozenset[int]] = set()
    for free in sorted({min(one, slack) for one in SLACKS}):
        for _ in range(GROUPS):
            deadline.check()
            group = _group(base, others, shelf.needs, free, random)
            if group is None or group in tried:
                continue
            tried.add(group)
            page = _solve(shelf, group, random)
            if page:
                return page
    return ()


def _group(
    base: int, others: list[int], needs: dict[int, int], slack: int, random: Random
) -> frozenset[int] | None:
    """The base and random others that leave at most `slack` columns free; None if there are no
    such others.
    """
    for _ in range(DRAWS):
        group, free = [base], COLUMNS - needs[base]
        for square in random.permutation(others).tolist():
            if needs[square] <= free:
                group.append(square)
                free -= needs[square]
        if free <= slack or len(group) > len(others):
            return frozenset(group)
    return None


def _solve(shelf: Shelf, group: Iterable[int], random: Random) -> Page:
    """A page with all squares of a group, or an empty one if none was found."""
    squares = sorted(group, key=lambda square: (-shelf.needs[square], square))
    libraries = [shelf.libraries[square] for square in squares]
    sizes = np.array([len(library.columns) for library in libraries], dtype=np.int64)
    sets = Sets(
        np.concatenate([library.columns for library in libraries]),
        np.cumsum(sizes) - sizes,
        sizes,
        np.array([shelf.needs[square] for square in squares], dtype=np.int64),
    )
    found, chosen = disjoint(sets, LIMITS, U(random.integers(1 << 63)))
    if not found:
        return ()
    return tuple(
        PageSeat(
            library.square, int(library.magics[n]), int(library.columns[n]), int(library.turns[n]),
            shelf.needs[library.square],
        )
        for library, n in zip(libraries, (chosen - sets.begins).tolist(), strict=True)
    )  # fmt: skip
