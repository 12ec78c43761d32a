"""Pages: rooks side by side in whole columns, a few on every page.

A page's squares are chosen so that their fewest columns make up nearly all of its 64; then the
page kernel looks for magics that claim different ones. Pages are *refilled*: a few give up
their squares and are filled anew, which counts if it brings more of the board into fewer.

Everything follows from the seeds: efforts are numbers of tries, never of seconds.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from magicert.compact.pages.columns import Library, Random, load_libraries
from magicert.compact.pages.lines import COLUMNS
from magicert.compact.pages.page_kernel import disjoint

U = np.uint64
BRANCHES = 6
"""Random sets of columns tried for each further square of a page."""
BUDGET = 60_000_000
"""Sets of columns looked at for one group of squares, before giving it up."""
SLACKS = (1, 2, 3, 4, 6, 9, 14, 64)
"""Columns that a page may leave free: tried in this order."""
GROUPS = 5
"""Groups of squares tried for each slack."""
DRAWS = 200
"""Random choices of squares for one group that fills a page closely enough."""
TRIES = 4
"""Fillings of each page in the first casting, of which the best stays."""
REFILLS, COPIES = 3, 2
"""Refillings in a row, and such rows in one round, of which the best goes on."""


@dataclass(frozen=True, slots=True)
class PageSeat:
    """A square on a page: its magic, the columns that it claims, how far they are turned, and
    how many it would claim at least.
    """

    square: int
    magic: int
    columns: int
    turn: int
    least: int


Page = tuple[PageSeat, ...]
Pages = tuple[Page, ...]
Mapper = Callable[..., Iterable]  # type: ignore[type-arg]  # like the built-in `map`


@lru_cache(maxsize=1)
def libraries_of(path: Path) -> dict[int, Library]:
    """The libraries of a file, read once in every process."""
    return load_libraries(path)


@lru_cache(maxsize=1)
def needs_of(path: Path) -> dict[int, int]:
    """The fewest columns of every square."""
    return {square: library.least for square, library in libraries_of(path).items()}


@dataclass(frozen=True, slots=True)
class Filling:
    """An order to fill one page from some squares, as many as it takes; picklable."""

    path: Path
    squares: tuple[int, ...]
    seed: tuple[int, ...]


def fill_one(order: Filling) -> Page:
    """Fill one page with some of the squares, as full as a few tries bring it."""
    random = np.random.default_rng(order.seed)
    libraries, needs = libraries_of(order.path), needs_of(order.path)
    # A square alone always finds its columns.
    return _fill(libraries, needs, order.squares, COLUMNS, random) or (
        _fill(libraries, needs, order.squares[:1], COLUMNS, random)
    )


def _fill(
    libraries: Mapping[int, Library], needs: Mapping[int, int], squares: Iterable[int],
    slack: int, random: Random,
) -> Page:  # fmt: skip
    """A page with some of the squares that leaves about `slack` columns free at most; empty if
    none came about.
    """
    weights = {square: needs[square] * (1 + 0.5 * random.random()) for square in squares}
    base = max(weights, key=lambda square: (weights[square], square))
    others = sorted(set(weights) - {base})
    tried = set()
    for free in sorted({min(one, slack) for one in SLACKS}):
        for _ in range(GROUPS):
            group = _group(base, others, needs, free, random)
            if group is None or group in tried:
                continue
            tried.add(group)
            page = _solve(libraries, needs, group, random)
            if page is not None:
                return page
    return ()


def _group(
    base: int, others: list[int], needs: Mapping[int, int], slack: int, random: Random
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


def _solve(
    libraries: Mapping[int, Library], needs: Mapping[int, int], group: Iterable[int],
    random: Random,
) -> Page | None:  # fmt: skip
    ordered = [libraries[s] for s in sorted(group, key=lambda s: (-needs[s], s))]
    columns = np.concatenate([library.columns for library in ordered])
    sizes = np.array([len(library.columns) for library in ordered], dtype=np.int64)
    begins = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    least = np.array([needs[library.square] for library in ordered], dtype=np.int64)
    left = np.empty((len(ordered) + 1, len(columns)), dtype=np.int32)
    chosen = disjoint(
        columns, begins, sizes, least, np.int64(BRANCHES), np.int64(BUDGET),
        U(random.integers(1 << 63)), left,
    )  # fmt: skip
    if chosen[0] < 0:
        return None
    page = []
    for library, number in zip(ordered, (chosen - begins).tolist(), strict=True):
        page.append(
            PageSeat(
                library.square, int(library.magics[number]), int(library.columns[number]),
                int(library.turns[number]), needs[library.square],
            )
        )  # fmt: skip
    return tuple(page)


def worth(page: Page) -> int:
    """The columns that a page's squares would claim at least: what it is good for."""
    return sum(seat.least for seat in page)


def score(pages: Pages) -> tuple[int, int]:
    """The smaller the better: pages, and how equally they are filled."""
    return len(pages), -sum(worth(page) ** 2 for page in pages)


def fill_all(path: Path, seed: int, mapper: Mapper, progress: Callable[[int, int], None]) -> Pages:
    """Pages for all squares, filled one after the other, each the best of TRIES."""
    left = set(needs_of(path))
    total = len(left)
    pages: list[Page] = []
    while left:
        squares = tuple(sorted(left))
        orders = [Filling(path, squares, (seed, len(pages), n)) for n in range(TRIES)]
        pages.append(max(mapper(fill_one, orders), key=worth))
        left -= {seat.square for seat in pages[-1]}
        progress(total - len(left), total)
    return tuple(pages)


@dataclass(frozen=True, slots=True)
class Refilling:
    """An order to refill a few of the pages, REFILLS times; picklable."""

    path: Path
    pages: Pages
    seed: tuple[int, ...]


def refill(order: Refilling) -> Pages:
    """Two to four pages filled anew, a few times over; what is better stays."""
    random = np.random.default_rng(order.seed)
    pages = order.pages
    for _ in range(REFILLS):
        other = _refilled(order.path, pages, random)
        # Another filling as good as this one may lead on.
        pages = other if score(other) <= score(pages) else pages
    return pages


def _refilled(path: Path, pages: Pages, random: Random) -> Pages:
    empty = np.array([COLUMNS + 1 - worth(page) for page in pages], dtype=float)
    count = min(len(pages), 2 + int(random.integers(3)))
    chosen = set(random.choice(len(pages), count, replace=False, p=empty / empty.sum()).tolist())
    left = {seat.square for n in chosen for seat in pages[n]}
    new: list[Page] = []
    libraries, needs = libraries_of(path), needs_of(path)
    while left:
        slack = COLUMNS * (count - len(new)) - sum(needs[square] for square in left)
        page = _fill(libraries, needs, left, slack, random) if slack >= 0 else ()
        if not page:
            return pages
        new.append(page)
        left -= {seat.square for seat in page}
    return tuple(page for n, page in enumerate(pages) if n not in chosen) + tuple(new)


def refill_round(path: Path, pages: Pages, seed: int, number: int, mapper: Mapper) -> Pages:
    """One round: COPIES refillings of the same pages; the best of what they give."""
    orders = [Refilling(path, pages, (seed, number, copy)) for copy in range(COPIES)]
    return min(mapper(refill, orders), key=score)
