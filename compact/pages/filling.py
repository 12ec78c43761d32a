"""Filling pages: squares whose fewest columns make up nearly all of a page's 64, and of each a
magic that claims columns which no other one claims.

Everything follows from the seeds: efforts are numbers of tries, never of seconds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from magicert.compact.anneal.random_words import Random
from magicert.compact.pages.library import Shelf, load_libraries
from magicert.compact.pages.lines import COLUMNS
from magicert.compact.pages.page_kernel import Limits, Sets, disjoint
from magicert.compact.progress import Crew, WorkPhase
from magicert.system.deadline import Deadline

U = np.uint64
Seed = tuple[int, ...]
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
FILLING = WorkPhase("filling pages", "rooks")


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


def worth(page: Page) -> int:
    """The columns that a page's squares would claim at least: what it is good for."""
    return sum(seat.least for seat in page)


def claimed(page: Page) -> int:
    """The columns that a page's squares claim, as the bits of a word."""
    columns = 0
    for seat in page:
        columns |= seat.columns
    return columns


def score(pages: Pages) -> tuple[int, ...]:
    """The smaller the better: first how many pages, then how unequally they are filled. A nearly
    empty page beside full ones is nearly gone.
    """
    return len(pages), -sum(worth(page) ** 2 for page in pages)


def fill_all(path: Path, seed: int, crew: Crew) -> Pages:
    """Pages for all squares of the libraries in a file, filled one after the other, each the
    best of TRIES.

    Raises BudgetOverError at the deadline.
    """
    left = set(load_libraries(path))
    total = len(left)
    pages: list[Page] = []
    while left:
        one_page = partial(fill_one, path, tuple(sorted(left)), crew.deadline)
        seeds = [(seed, len(pages), n) for n in range(TRIES)]
        pages.append(max(crew.mapper(one_page, seeds), key=worth))
        left -= {seat.square for seat in pages[-1]}
        crew.progress(FILLING, total - len(left), total, f"{len(pages)} pages")
    return tuple(pages)


def fill_one(path: Path, squares: Sequence[int], deadline: Deadline, seed: Seed) -> Page:
    """Fill one page with some of the squares, as full as a few tries bring it."""
    random = np.random.default_rng(seed)
    shelf = load_libraries(path)
    # A square alone always finds its columns.
    return fill(shelf, squares, COLUMNS, random, deadline) or (
        fill(shelf, squares[:1], COLUMNS, random, deadline)
    )


def fill(
    shelf: Shelf, squares: Iterable[int], slack: int, random: Random, deadline: Deadline
) -> Page:
    """A page with some of the squares that leaves about `slack` columns free at most; empty if
    none came about. BudgetOverError at the deadline.
    """
    weights = {
        square: shelf[square].least * (1 + WEIGHT_NOISE * random.random()) for square in squares
    }
    base = max(weights, key=lambda square: (weights[square], square))
    others = sorted(set(weights) - {base})
    tried: set[frozenset[int]] = set()
    for free in sorted({min(one, slack) for one in SLACKS}):
        for _ in range(GROUPS):
            deadline.check()
            group = _group(shelf, base, others, free, random)
            if group is None or group in tried:
                continue
            tried.add(group)
            page = _solve(shelf, group, random)
            if page:
                return page
    return ()


def _group(
    shelf: Shelf, base: int, others: list[int], slack: int, random: Random
) -> frozenset[int] | None:
    """The base and random others that leave at most `slack` columns free; None if there are no
    such others.
    """
    for _ in range(DRAWS):
        group, free = [base], COLUMNS - shelf[base].least
        for square in random.permutation(others).tolist():
            if shelf[square].least <= free:
                group.append(square)
                free -= shelf[square].least
        if free <= slack or len(group) > len(others):
            return frozenset(group)
    return None


def _solve(shelf: Shelf, group: Iterable[int], random: Random) -> Page:
    """A page with all squares of a group, or an empty one if none was found."""
    libraries = sorted((shelf[n] for n in group), key=lambda one: (-one.least, one.square))
    sizes = np.array([len(library.columns) for library in libraries], dtype=np.int64)
    sets = Sets(
        np.concatenate([library.columns for library in libraries]),
        np.cumsum(sizes) - sizes,
        sizes,
        np.array([library.least for library in libraries], dtype=np.int64),
    )
    found, chosen = disjoint(sets, LIMITS, U(random.integers(1 << 63)))
    if not found:
        return ()
    return tuple(
        PageSeat(
            library.square, int(library.magics[n]), int(library.columns[n]), int(library.turns[n]),
            library.least,
        )
        for library, n in zip(libraries, (chosen - sets.begins).tolist(), strict=True)
    )  # fmt: skip
