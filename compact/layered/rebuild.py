"""Rebuilding pages: some rooks are taken out and put back, alone or in pairs.

What finds no place on a page stands behind the pages in a block (`dense`). Everything follows
from the seed.
"""

import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.walk import WalkEffort as Walk
from magicert.compact.layered.beside import anneal_beside
from magicert.compact.layered.dense import Blocks
from magicert.compact.layered.pages import LibraryEffort, Page, Placer, Places
from magicert.compact.pages.library import Shelf
from magicert.compact.pages.lines import COLUMNS, PAGE
from magicert.compact.pages.pairs import Pair, Pairs
from magicert.system.deadline import Deadline
from magicert.system.whole_file import write_whole

STEPS = 300
"""Rebuildings of one worker in one round."""
HOT, COLD = 1.5, 0.3
"""The first and the last temperature of a round, in columns."""
EFFORT = LibraryEffort(0.1, 1500)
ANNEALED, BESIDE = 4, Walk(20_000, 200.0, 6.0)
"""Pages that a magic is annealed for where those of the library need new columns; and how."""
ONE_OR_TWO, WHOLE_PAGE = 0.3, 0.2
"""How often one rook or two are taken out; how often most of a page."""
NO_BLOCK, NO_PLACE = 1.3, 60
"""What a square that has no dense magic costs without a place: its columns times, and more."""
USED, ROOM = 0.5, 1.0
"""What a column in use costs, and what each column of an empty page is worth. The worth of a page
goes by the square of its free columns: they are more use on one page than on two.
"""


class Stock(NamedTuple):
    """What boards are made of: libraries of rooks and of pairs, and blocks."""

    shelf: Shelf
    pairs: Pairs
    blocks: Blocks

    def left_cost(self, left: Iterable[int]) -> float:
        """What squares without a page cost, in columns."""
        left = frozenset(left)
        homeless = self.blocks.homeless(left)
        lost = sum(NO_BLOCK * self.shelf[square].least + NO_PLACE for square in homeless)
        return lost + self.blocks.entries(left) / (PAGE // COLUMNS)


@dataclass(frozen=True)
class PagedRooks:
    """Pages, and the rooks that are on none."""

    pages: tuple[Places, ...]

    @property
    def left(self) -> frozenset[int]:
        """The rooks without a page."""
        return frozenset(range(64)) - {square for page in self.pages for square in page}

    def cost(self, stock: Stock) -> float:
        """What is made smaller: columns, blocks, and squares that have no place at all."""
        used = [columns_of(page) for page in self.pages]
        room = sum((COLUMNS - columns) ** 2 for columns in used) / COLUMNS
        return USED * sum(used) - ROOM * room + stock.left_cost(self.left)

    def entries(self, blocks: Blocks) -> int:
        """About how many entries this needs, bishops aside; more if a square has no place."""
        return PAGE * len(self.pages) + blocks.entries(self.left)

    def complete(self, blocks: Blocks) -> bool:
        """Whether whatever is left has a block."""
        return not blocks.homeless(self.left)


def columns_of(page: Places) -> int:
    """How many columns of a page are in use."""
    used = 0
    for place in page.values():
        used |= place.columns
    return used.bit_count()


@dataclass(frozen=True)
class RebuildOrder:
    """An order to rebuild a board; picklable. The libraries are in a file."""

    path: Path
    scheme: str
    board: PagedRooks
    seed: tuple[int, ...]
    deadline: Deadline


def save_stock(stock: Stock, path: Path) -> None:
    """Write a stock for this command's other processes."""
    write_whole(path, pickle.dumps(stock))


@lru_cache(maxsize=1)
def load_stock(path: Path) -> Stock:
    """The stock of a file, read once in every process."""
    stock: Stock = pickle.loads(path.read_bytes())
    return stock


def rebuild(order: RebuildOrder) -> PagedRooks:
    """A board that costs no more, after STEPS rebuildings. BudgetOverError at the deadline."""
    work = _Work(load_stock(order.path), order)
    for step in range(STEPS):
        order.deadline.check()
        work.step(HOT * (COLD / HOT) ** (step / STEPS))
    return work.best


class _Work:
    def __init__(self, stock: Stock, order: RebuildOrder) -> None:
        self.stock, self.shelf, pairs = stock, stock.shelf, stock.pairs
        self.random: Random = np.random.default_rng(order.seed)
        self.placer = Placer(self.shelf, pairs, order.scheme, self.random)
        self.partners: dict[int, list[Pair]] = {square: [] for square in self.shelf}
        for key in sorted(pairs):
            for square in key:
                self.partners[square].append(key)
        self.pages = [self.placer.page(places) for places in order.board.pages]
        self.best = order.board
        self.cost = self.least = order.board.cost(stock)

    def step(self, temperature: float) -> None:
        """Take some rooks out and put them back; as before, if that is too much worse."""
        where = {square: n for n, page in enumerate(self.pages) for square in page.places}
        chosen = self._chosen(where)
        saved: dict[int, Page] = {}
        for n in sorted({where[square] for square in chosen if square in where}):
            saved[n] = self.pages[n].copy()
            gone = [square for square in self.pages[n].places if square in chosen]
            self.placer.remove(self.pages[n], gone)
        left = set(self.shelf) - where.keys()
        self._put_back(chosen | left, saved)
        board = PagedRooks(tuple(dict(page.places) for page in self.pages))
        cost = board.cost(self.stock)
        if cost > self.cost - temperature * np.log(1.0 - self.random.random()):
            for n, page in saved.items():
                self.pages[n] = page
            return
        self.cost = cost
        if cost < self.least:
            self.best, self.least = board, cost

    def _chosen(self, where: dict[int, int]) -> set[int]:
        """One or two; most of a page; or one, some neighbours, some of their pages, some others."""
        random = self.random
        left = sorted(set(self.shelf) - where.keys())
        kind = random.random() if where else 1.0
        if kind < ONE_OR_TWO:
            return set(random.permutation(sorted(where))[: int(random.integers(1, 3))].tolist())
        if kind < ONE_OR_TWO + WHOLE_PAGE:
            page = sorted(self.pages[where[int(random.choice(sorted(where)))]].places)
            return set(random.permutation(page)[: int(random.integers(2, len(page) + 2))].tolist())
        whole = left if left and (not where or random.random() < 0.5) else sorted(where)
        chosen = {int(random.choice(whole))}
        for square in sorted(chosen):
            near = [other for key in self.partners[square] for other in key if other != square]
            chosen |= set(random.permutation(near)[: int(random.integers(3))].tolist())
        for square in sorted(chosen & where.keys()):
            if random.random() < 0.5:
                mates = sorted(self.pages[where[square]].places)
                chosen |= set(random.permutation(mates)[: int(random.integers(3))].tolist())
        return chosen | set(random.integers(64, size=int(random.integers(3))).tolist())

    def _put_back(self, squares: set[int], saved: dict[int, Page]) -> None:
        """Place squares, the larger ones first, alone or in pairs: what saves more columns."""
        left = set(squares)
        while left:
            noise = 1 + 0.6 * self.random.random(64)
            square = max(sorted(left), key=lambda one: self.shelf[one].least * noise[one])
            found = self._alone(square)
            if found is None or found[0] < self.shelf[square].least:
                found = max([*filter(None, [found, self._paired(square, left)])], default=None,
                            key=lambda one: one[0])  # fmt: skip
            if found is None:
                left.discard(square)
                continue
            _, n, places = found
            saved.setdefault(n, self.pages[n].copy())
            for one, place in places.items():
                self.placer.add(self.pages[n], one, place)
                left.discard(one)

    def _alone(self, square: int) -> tuple[float, int, Places] | None:
        """What it saves, the page and the place of a rook alone."""
        best = None
        least = self.shelf[square].least
        most = min(COLUMNS, least + 8)
        for n in self.random.permutation(len(self.pages)).tolist():
            found = self.placer.fit(self.pages[n], square, most, EFFORT)
            if found is not None:
                place, new = found
                best, most = (float(least - new), n, {square: place}), new - 1
                if most < 0:
                    return best
        for n in self.random.permutation(len(self.pages)).tolist()[:ANNEALED]:
            found = anneal_beside(self.placer, self.pages[n], square, most, BESIDE)
            if found is not None:
                place, new = found
                best, most = (float(least - new), n, {square: place}), new - 1
                if most < 0:
                    break
        return best

    def _paired(self, square: int, left: set[int]) -> tuple[float, int, Places] | None:
        """The same of a rook with one of its neighbours that have no place."""
        best = None
        for key in self.partners[square]:
            if not left.issuperset(key):
                continue
            both = sum(self.shelf[one].least for one in key)
            for n in self.random.permutation(len(self.pages)).tolist():
                found = self.placer.fit_pair(self.pages[n], key)
                if found is not None:
                    places, columns = found
                    saves = both - columns + self.random.random()
                    if best is None or saves > best[0]:
                        best = (saves, n, places)
        return best
