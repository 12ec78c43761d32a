"""Refilling: a few pages give up their squares and are filled anew. The new pages are kept if
they are fewer, or if the emptiest of them are emptier.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from magicert.compact.anneal.random_words import Random
from magicert.compact.pages.filling import Page, Pages, Seed, fill, score, worth
from magicert.compact.pages.library import Shelf, load_libraries
from magicert.compact.pages.lines import COLUMNS
from magicert.compact.progress import Crew
from magicert.system.deadline import Deadline

FEWEST, MOST = 1, 4
"""Pages that are refilled at once."""
Judge = Callable[[Pages], tuple[int, ...]]
"""What pages are judged by, the smaller the better; picklable."""
REFILLS, COPIES = 3, 2
"""Refillings in a row, and such rows in one round, of which the best goes on."""


def refill_round(path: Path, pages: Pages, seed: Seed, crew: Crew, judge: Judge = score) -> Pages:
    """One round: COPIES refillings of the same pages; the best of what they give.

    Raises BudgetOverError at the deadline.
    """
    seeds = [(*seed, copy) for copy in range(COPIES)]
    order = partial(refill, path, pages, crew.deadline, judge=judge)
    return min(crew.mapper(order, seeds), key=judge)


def refill(path: Path, pages: Pages, deadline: Deadline, seed: Seed, judge: Judge = score) -> Pages:
    """Some pages filled anew, a few times over; what is better stays."""
    random = np.random.default_rng(seed)
    cost = judge(pages)
    for _ in range(REFILLS):
        other = _refilled(load_libraries(path), pages, random, deadline)
        # Another filling as good as this one may lead on.
        if other is not pages and (after := judge(other)) <= cost:
            pages, cost = other, after
    return pages


def _refilled(shelf: Shelf, pages: Pages, random: Random, deadline: Deadline) -> Pages:
    """The pages after one refilling; the same ones if their squares did not fit again."""
    chosen = _emptier(pages, random)
    left = {seat.square for n in chosen for seat in pages[n]}
    new: list[Page] = []
    while left:
        free = COLUMNS * (len(chosen) - len(new)) - sum(shelf[square].least for square in left)
        page = fill(shelf, left, free, random, deadline) if free >= 0 else ()
        if not page:
            return pages
        new.append(page)
        left -= {seat.square for seat in page}
    return tuple(page for n, page in enumerate(pages) if n not in chosen) + tuple(new)


def _emptier(pages: Pages, random: Random) -> set[int]:
    """Numbers of some pages; the emptier a page, the likelier it is among them."""
    empty = np.array([COLUMNS + 1 - worth(page) for page in pages], dtype=float)
    count = min(len(pages), FEWEST + int(random.integers(MOST - FEWEST + 1)))
    return set(random.choice(len(pages), count, replace=False, p=empty / empty.sum()).tolist())
