"""A layered layout from nothing: pairs of rooks on pages, rebuilt round by round, then the rest."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.seat import Choice, Key, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.layered.dense import dense_rooks
from magicert.compact.layered.finish import finish
from magicert.compact.layered.matching import best_matching
from magicert.compact.layered.needs import page_length
from magicert.compact.layered.pages import Placer, Places
from magicert.compact.layered.pairs import costs, pair_libraries
from magicert.compact.layered.rebuild import (
    PagedRooks,
    RebuildOrder,
    Stock,
    columns_of,
    load_stock,
    rebuild,
    save_stock,
)
from magicert.compact.pages.columns import rook_libraries
from magicert.compact.pages.filling import fill_all, worth
from magicert.compact.pages.library import save_libraries
from magicert.compact.pages.lines import PAGE, ROW_BITS
from magicert.compact.pages.pairs import as_library
from magicert.compact.progress import ALONE, Crew, WorkPhase
from magicert.system.deadline import BudgetOverError, Deadline

REBUILDING = WorkPhase("rebuilding pages", "rounds")
WORD = (1 << 64) - 1
PAUSE = 60.0
"""Seconds of rebuilding, at least, from one seating of the squares behind the pages to the next."""
Found = Callable[[tuple[Seat, ...], int], None]
"""Called with the seats of every shorter layout, and the rounds of rebuilding so far."""


@dataclass(frozen=True)
class LayeredPlan:
    """What is wanted: cells of 12 bits for rooks on pages and for the bishops, `dense` ones for
    rooks behind the pages, a seed, at most so many rounds of rebuilding, by so many workers, until
    when.
    """

    cells: Mapping[Key, CellData]
    dense: Mapping[Key, CellData]
    scheme: str
    seed: int
    rounds: int
    workers: int
    rebuild_until: Deadline


def layered_from_nothing(plan: LayeredPlan, found: Found, crew: Crew = ALONE) -> int:
    """Make layouts, each shorter than the one before; the rounds of rebuilding.

    Raises BudgetOverError where the time was over before the first one.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "libraries"
        board = _first_board(plan, path, crew)
        stock = load_stock(path)
        shortest = _Shortest(plan, stock, found, crew)
        shortest.offer(board, 0)
        shortest.seat()
        rounds = 0
        try:
            while rounds < plan.rounds:
                if _page_to_spare(board, stock):
                    board = _without_emptiest(board)
                plan.rebuild_until.check()
                board = _round(plan, path, board, rounds, crew)
                rounds += 1
                shortest.offer(board, rounds)
                if shortest.due:
                    shortest.seat()
                shown = f"{board.entries(stock.blocks):,} entries without bishops"
                shown += f", {len(board.left)} rooks beside"
                crew.progress(REBUILDING, rounds, plan.rounds, shown)
        except BudgetOverError:
            pass
        shortest.seat()
        return rounds


class _Shortest:
    """The shortest layout, and a shorter board that waits for what is on no page: the squares
    behind the pages take longer than many rounds of rebuilding.
    """

    def __init__(self, plan: LayeredPlan, stock: Stock, found: Found, crew: Crew) -> None:
        self.plan, self.stock, self.found, self.crew = plan, stock, found, crew
        self.length = self.entries = 1 << 40
        self.waiting: tuple[PagedRooks, int] | None = None
        self.pause = Deadline()

    @property
    def due(self) -> bool:
        """Whether a board waits, and the last one was seated a while ago."""
        return self.waiting is not None and self.pause.left <= 0

    def offer(self, board: PagedRooks, rounds: int) -> None:
        """Note a board down if it is complete and shorter than those before."""
        entries = board.entries(self.stock.blocks)
        if board.complete(self.stock.blocks) and entries < self.entries:
            self.waiting, self.entries = (board, rounds), entries

    def seat(self) -> None:
        """Finish the board that waits. Raises BudgetOverError."""
        if self.waiting is None:
            return
        board, rounds = self.waiting
        random = np.random.default_rng([self.plan.seed, rounds])
        seats = seats_of(self.plan, board.pages)
        floor = finish(self.plan.cells, seats, self.stock.blocks, random, self.crew)
        self.waiting, self.pause = None, Deadline.after(PAUSE)
        if floor.length < self.length:
            self.length = floor.length
            self.found(tuple(floor.seats.values()), rounds)


def _round(plan: LayeredPlan, path: Path, board: PagedRooks, number: int, crew: Crew) -> PagedRooks:
    """All workers rebuild the same board, each by its own seed; the best goes on."""
    stock = load_stock(path)
    orders = [
        RebuildOrder(path, plan.scheme, board, (plan.seed, number, worker), plan.rebuild_until)
        for worker in range(plan.workers)
    ]
    return min(crew.mapper(rebuild, orders), key=lambda one: one.cost(stock))


def _first_board(plan: LayeredPlan, path: Path, crew: Crew) -> PagedRooks:
    """Pairs on pages, as the pages of plain packing are filled; the emptiest page is given up."""
    single = path.with_suffix(".rooks")
    black = plan.scheme == "black"
    save_libraries(rook_libraries(range(64), black, plan.seed, crew, turning=False), single)
    shelf, pairs = pair_libraries(single, plan.scheme, plan.seed, crew)
    save_stock(Stock(shelf, pairs, dense_rooks(plan.dense, plan.seed, crew)), path)
    chosen = [pairs[key] for key in best_matching(costs(pairs))]
    libraries = [as_library(one, number, plan.seed) for number, one in enumerate(chosen)]
    paired = path.with_suffix(".pairs")
    save_libraries(libraries, paired)
    filled = fill_all(paired, plan.seed, crew)
    placer = Placer(shelf, pairs, plan.scheme, np.random.default_rng(plan.seed))
    pages = []
    for page in sorted(filled, key=lambda one: -worth(one)):
        rows = [placer.row(chosen[seat.square], seat.magic, seat.turn) for seat in page]
        pages.append({square: place for row in rows for square, place in row.items()})
    return PagedRooks(tuple(pages))


def _page_to_spare(board: PagedRooks, stock: Stock) -> bool:
    """Whether what stands behind the pages is complete, and short enough for one page less."""
    behind = board.entries(stock.blocks) - PAGE * len(board.pages)
    return board.complete(stock.blocks) and behind <= PAGE // 2


def _without_emptiest(board: PagedRooks) -> PagedRooks:
    """The rooks of the page with the fewest columns lose their places."""
    fullest = sorted(board.pages, key=lambda page: (-columns_of(page), sorted(page)))
    return PagedRooks(tuple(fullest[:-1]))


def seats_of(plan: LayeredPlan, pages: Iterable[Places]) -> list[Seat]:
    """The seats of all rooks on pages, one page behind the other."""
    seats = []
    for number, page in enumerate(pages):
        for square, place in sorted(page.items()):
            turned = _turned(plan.scheme, place.magic, place.turn)
            start = turned.offset + number * page_length(plan.scheme)
            cell = plan.cells[Piece.ROOK, square]
            seats.append(Seat.valid(cell, turned._replace(offset=start)))
    return seats


def _turned(scheme: str, magic: int, turn: int) -> Choice:
    """A magic whose columns are turned, on the first page."""
    if scheme == "white":
        return Choice(magic, 0, turn)
    high = turn << (64 - ROW_BITS)
    if scheme == "constant":
        return Choice(magic, high)
    # Under black the magic's highest bits turn: the complement of the mask is odd below.
    return Choice((magic - high) & WORD)
