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
from magicert.compact.layered.pairs import as_library, costs, pair_libraries
from magicert.compact.layered.rebuild import (
    Board,
    Order,
    Stock,
    columns_of,
    load_stock,
    rebuild,
    save_stock,
)
from magicert.compact.pages.columns import LibraryOrder, collect
from magicert.compact.pages.filling import fill_all, worth
from magicert.compact.pages.library import Shelf, save_libraries
from magicert.compact.pages.lines import ROW_BITS
from magicert.compact.progress import ALONE, Crew, Phase
from magicert.system.deadline import BudgetOverError, Deadline

LIBRARIES = Phase("magics in whole columns", "rooks")
REBUILDING = Phase("rebuilding pages", "rounds")
WORD = (1 << 64) - 1
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
        shortest = 1 << 40

        def seat(board: Board, rounds: int) -> None:
            nonlocal shortest
            random = np.random.default_rng([plan.seed, rounds])
            seats = seats_of(plan, stock.shelf, board.pages)
            floor = finish(plan.cells, seats, stock.blocks, random, crew)
            if floor.length < shortest:
                shortest = floor.length
                found(tuple(floor.seats.values()), rounds)

        seat(board, 0)
        seated = board.entries(stock.blocks)
        for number in range(plan.rounds):
            if board.complete(stock.blocks):
                board = _without_emptiest(board)
            try:
                plan.rebuild_until.check()
                board = _round(plan, path, board, number, crew)
                entries = board.entries(stock.blocks)
                if board.complete(stock.blocks) and entries < seated:
                    seat(board, number + 1)
                    seated = entries
            except BudgetOverError:
                return number
            shown = f"{entries:,} entries without bishops, {len(board.left)} rooks beside"
            crew.progress(REBUILDING, number + 1, plan.rounds, shown)
        return plan.rounds


def _round(plan: LayeredPlan, path: Path, board: Board, number: int, crew: Crew) -> Board:
    """All workers rebuild the same board, each by its own seed; the best goes on."""
    stock = load_stock(path)
    orders = [
        Order(path, plan.scheme, board, (plan.seed, number, worker), plan.rebuild_until)
        for worker in range(plan.workers)
    ]
    return min(crew.mapper(rebuild, orders), key=lambda one: one.cost(stock))


def _first_board(plan: LayeredPlan, path: Path, crew: Crew) -> Board:
    """Pairs on pages, as the pages of plain packing are filled; the emptiest page is given up."""
    shelf = _shelf(plan, crew)
    single = path.with_suffix(".rooks")
    save_libraries([*shelf.values()], single)
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
    return Board(tuple(pages))


def _shelf(plan: LayeredPlan, crew: Crew) -> Shelf:
    black = plan.scheme == "black"
    orders = [LibraryOrder(n, black, plan.seed, crew.deadline, turning=False) for n in range(64)]
    shelf: Shelf = {}
    crew.progress(LIBRARIES, 0, len(orders), "")
    for library in crew.mapper(collect, orders):
        shelf[library.square] = library
        crew.progress(LIBRARIES, len(shelf), len(orders), "")
    return shelf


def _without_emptiest(board: Board) -> Board:
    """The rooks of the page with the fewest columns lose their places."""
    fullest = sorted(board.pages, key=lambda page: (-columns_of(page), sorted(page)))
    return Board(tuple(fullest[:-1]))


def seats_of(plan: LayeredPlan, shelf: Shelf, pages: Iterable[Places]) -> list[Seat]:
    """The seats of all rooks on pages, one page behind the other."""
    seats = []
    for number, page in enumerate(pages):
        for square, place in sorted(page.items()):
            turned = _turned(plan.scheme, int(shelf[square].magics[place.at]), place.turn)
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
