"""Refilling: a few pages give up their squares and are filled anew. The new pages are kept if
they are fewer, or if the emptiest of them are emptier.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from magicert.compact.anneal.annealing import Random
from magicert.compact.pages.filling import fill, shelf_of
from magicert.compact.pages.lines import COLUMNS
from magicert.compact.pages.page import Page, Pages, score, worth
from magicert.compact.progress import FOREVER, Mapper
from magicert.system.deadline import Deadline

FEWEST, MOST = 2, 4
"""Pages that are refilled at once."""
REFILLS, COPIES = 3, 2
"""Refillings in a row, and such rows in one round, of which the best goes on."""


@dataclass(frozen=True, slots=True)
class Refilling:
    """An order to refill a few of the pages, REFILLS times; picklable."""

    path: Path
    pages: Pages
    seed: tuple[int, ...]
    deadline: Deadline = FOREVER


def refill_round(
    path: Path, pages: Pages, seed: int, number: int, mapper: Mapper, deadline: Deadline = FOREVER
) -> Pages:
    """One round: COPIES refillings of the same pages; the best of what they give.

    Raises BudgetOverError at the deadline.
    """
    orders = [Refilling(path, pages, (seed, number, copy), deadline) for copy in range(COPIES)]
    return min(mapper(refill, orders), key=score)


def refill(order: Refilling) -> Pages:
    """Some pages filled anew, a few times over; what is better stays."""
    random = np.random.default_rng(order.seed)
    pages = order.pages
    for _ in range(REFILLS):
        other = _refilled(order, pages, random)
        # Another filling as good as this one may lead on.
        pages = other if score(other) <= score(pages) else pages
    return pages


def _refilled(order: Refilling, pages: Pages, random: Random) -> Pages:
    """The pages after one refilling; the same ones if their squares did not fit again."""
    shelf = shelf_of(order.path)
    chosen = _emptier(pages, random)
    left = {seat.square for n in chosen for seat in pages[n]}
    new: list[Page] = []
    while left:
        free = COLUMNS * (len(chosen) - len(new)) - sum(shelf.needs[square] for square in left)
        page = fill(shelf, left, free, random, order.deadline) if free >= 0 else ()
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
