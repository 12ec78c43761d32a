"""A start from nothing for rooks of 12 bits: libraries, pages, then rounds of refilling them."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from magicert.board import Piece, square_name
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.squares import cell_data
from magicert.compact.pages.columns import LibraryOrder, collect
from magicert.compact.pages.filling import Pages, fill_all, worth
from magicert.compact.pages.library import Library, save_libraries
from magicert.compact.pages.lines import COLUMNS, PAGE, ROW_BITS
from magicert.compact.pages.refill import refill_round
from magicert.compact.progress import ALONE, Crew, Phase
from magicert.compact.start.wish import NoPlaceError, StartPlan
from magicert.system.deadline import BudgetOverError

ROWS = PAGE // COLUMNS
LIBRARIES = Phase("magics in whole columns", "rooks")
REFILLING = Phase("refilling pages", "rounds")
Found = Callable[[list[Seat], int], None]


def paged_rooks(plan: StartPlan, found: Found, crew: Crew = ALONE) -> tuple[list[Seat], int]:
    """Seats for the rooks of a plan in one buffer, none overlapping, and the rounds it took.

    `found` gets the seats of the first filling and of every one with fewer pages, and the rounds
    so far. The same seed and rounds give the same seats. Raises NoPlaceError for a rook without
    any magic in whole columns, and BudgetOverError where the time was over before the pages were
    filled.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "libraries"
        save_libraries(_libraries(plan, crew), path)
        pages = fill_all(path, plan.seed, crew)
        found(seats_of(plan.scheme, pages), 0)
        crew.progress(REFILLING, 0, plan.refills, "")
        for number in range(plan.refills):
            try:
                plan.refill_until.check()
                until = crew._replace(deadline=plan.refill_until)
                better = refill_round(path, pages, (plan.seed, number), until)
            except BudgetOverError:
                return seats_of(plan.scheme, pages), number
            if len(better) < len(pages):
                found(seats_of(plan.scheme, better), number + 1)
            pages = better
            note = f"{len(pages)} pages, {min(map(worth, pages))} columns on the last"
            crew.progress(REFILLING, number + 1, plan.refills, note)
    return seats_of(plan.scheme, pages), plan.refills


def without_last_page(seats: list[Seat]) -> list[Seat]:
    """The seats of all pages but the last, the emptiest. Its squares may do better among the
    bishops behind the others.
    """
    last = max(seat.offset for seat in seats) // PAGE * PAGE
    return [seat for seat in seats if seat.offset < last]


def _libraries(plan: StartPlan, crew: Crew) -> list[Library]:
    black = plan.scheme == "black"
    squares = [square for piece, square in plan.cells if piece is Piece.ROOK]
    orders = [LibraryOrder(square, black, plan.seed, crew.deadline) for square in squares]
    libraries: list[Library] = []
    crew.progress(LIBRARIES, 0, len(orders), "")
    for library in crew.mapper(collect, orders):
        libraries.append(library)
        crew.progress(LIBRARIES, len(libraries), len(orders), square_name(library.square))
    empty = [square_name(one.square) for one in libraries if not len(one.columns)]
    if empty:
        raise NoPlaceError(
            f"rooks {' '.join(empty)}: no magic of {ROW_BITS} bits in whole columns was found; "
            "that is no proof (another --seed, or --square-shifts)",
            impossible=False,
        )
    return libraries


def seats_of(scheme: str, pages: Pages) -> list[Seat]:
    """Every rook's seat in the buffer, the fullest pages first.

    Columns that are turned need an added constant, where the scheme has one. Otherwise an
    offset turns them, and those that it pushes over the edge begin a row further down: every
    square then moves up as far as its own columns are free.
    """
    heights = np.zeros(COLUMNS, dtype=np.int64)
    seats = []
    for page in sorted(pages, key=lambda page: -worth(page)):
        for one in sorted(page, key=lambda one: one.square):
            constant, turn = 0, one.turn
            if scheme == "constant":
                constant, turn = turn << (64 - ROW_BITS), 0
            columns = np.array([n for n in range(COLUMNS) if one.columns >> n & 1])
            pushed = columns < turn
            row = max(0, int((heights[columns] - pushed).max()))
            heights[columns] = row + pushed + ROWS
            cell = cell_data(scheme, Piece.ROOK, one.square, ROW_BITS)
            choice = Choice(one.magic, constant, row * COLUMNS + turn)
            seats.append(Seat.valid(cell, choice))
    return seats
