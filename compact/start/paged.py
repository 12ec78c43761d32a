"""A start from nothing for rooks of 12 bits: libraries, pages, then rounds of refilling them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from magicert.board import Piece, square_name
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.squares import cell_data
from magicert.compact.pages.bishops import judged_with_bishops
from magicert.compact.pages.columns import rook_libraries
from magicert.compact.pages.filling import Page, Pages, PageSeat, claimed, fill_all, worth
from magicert.compact.pages.interleave import Interleaved, interleaved
from magicert.compact.pages.library import Library, Shelf, save_libraries
from magicert.compact.pages.lines import COLUMNS, PAGE, ROW_BITS
from magicert.compact.pages.pairs import as_library, turned_seat
from magicert.compact.pages.refill import refill_round
from magicert.compact.progress import ALONE, Crew, WorkPhase
from magicert.compact.start.wish import NoPlaceError, StartPlan
from magicert.system.deadline import BudgetOverError

ROWS = PAGE // COLUMNS
PAIR = 64
"""The number, as of a square, of two rooks that interleave."""
REFILLING = WorkPhase("refilling pages", "rounds")


@dataclass(frozen=True)
class Paged:
    """Rooks on pages, and the two that interleave, if any."""

    scheme: str
    pages: Pages
    pair: Interleaved | None = None

    @property
    def seats(self) -> list[Seat]:
        """Every rook's seat in the buffer; none overlap."""
        return seats_of(self.scheme, self.pages, self.pair)

    @property
    def without_emptiest(self) -> "Paged":
        """All pages but the emptiest, whose rooks may do better among the bishops behind."""
        emptiest = min(range(len(self.pages)), key=lambda n: worth(self.pages[n]))
        return Paged(self.scheme, self.pages[:emptiest] + self.pages[emptiest + 1 :], self.pair)


Found = Callable[[Paged, int], None]


def first_pages(plan: StartPlan, crew: Crew = ALONE) -> tuple[Shelf, Paged]:
    """The libraries of a plan's rooks, and pages filled with them once.

    Raises NoPlaceError for a rook without any magic in whole columns, and BudgetOverError where
    the time was over before the pages were filled.
    """
    shelf = _shelf(plan, crew)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "libraries"
        save_libraries([*shelf.values()], path)
        return shelf, Paged(plan.scheme, fill_all(path, plan.seed, crew))


def refilled_pages(
    plan: StartPlan, shelf: Shelf, first: Paged, found: Found, crew: Crew, bishops: Shelf
) -> tuple[Paged, int]:
    """Better pages for the rooks of a plan, and the rounds of refilling it took. Two rooks may
    interleave; and where there can be no fewer pages, they leave room for bishops.

    `found` gets every filling with fewer pages, and the rounds so far. The same seed and rounds
    give the same pages. Raises BudgetOverError where the time was over before the first round.
    """
    pair = interleaved(shelf, plan.seed, crew) if plan.scheme == "black" else None
    with TemporaryDirectory() as folder:
        path, beside = Path(folder) / "libraries", Path(folder) / "bishops"
        save_libraries(_with_pair(shelf, pair, plan.seed), path)
        save_libraries([*bishops.values()], beside)
        judge = partial(judged_with_bishops, beside)
        best = first if pair is None else Paged(plan.scheme, fill_all(path, plan.seed, crew), pair)
        crew.progress(REFILLING, 0, plan.refills, "")
        for number in range(plan.refills):
            try:
                pages = refill_round(path, best.pages, (plan.seed, number), crew, judge)
            except BudgetOverError:
                return best, number
            fewer = len(pages) < len(best.pages)
            best = Paged(plan.scheme, pages, pair)
            if fewer:
                found(best, number + 1)
            crew.progress(REFILLING, number + 1, plan.refills, _note(pages))
    return best, plan.refills


def _note(pages: Pages) -> str:
    free = sorted(COLUMNS - claimed(page).bit_count() for page in pages)
    return f"{len(pages)} pages, free columns: {' '.join(str(one) for one in free if one)}"


def _shelf(plan: StartPlan, crew: Crew) -> Shelf:
    squares = [square for piece, square in plan.cells if piece is Piece.ROOK]
    libraries = rook_libraries(squares, plan.scheme == "black", plan.seed, crew)
    empty = [square_name(one.square) for one in libraries if not len(one.columns)]
    if empty:
        raise NoPlaceError(
            f"rooks {' '.join(empty)}: no magic of {ROW_BITS} bits in whole columns was found; "
            "that is no proof (another --seed, or --square-shifts)",
            impossible=False,
        )
    return {one.square: one for one in libraries}


def _with_pair(shelf: Shelf, pair: Interleaved | None, seed: int) -> list[Library]:
    """All libraries, two rooks that interleave as one square."""
    if pair is None:
        return [*shelf.values()]
    single = [one for square, one in shelf.items() if square not in pair.pairs.key]
    return [*single, as_library(pair.pairs, PAIR, seed)]


def seats_of(scheme: str, pages: Pages, pair: Interleaved | None = None) -> list[Seat]:
    """Every rook's seat in the buffer, the fullest pages first; last of all the page of two that
    interleave, since some of their slots may be pushed over its end.

    Columns that are turned need an added constant, where the scheme has one. Otherwise an
    offset turns them, and those that it pushes over the edge begin a row further down: every
    square then moves up as far as its own columns are free.
    """
    heights = np.zeros(COLUMNS, dtype=np.int64)
    seats: list[Seat] = []

    def order(page: Page) -> tuple[bool, int]:
        return any(one.square == PAIR for one in page), -worth(page)

    for page in sorted(pages, key=order):
        for one in sorted(page, key=lambda one: one.square):
            here = _seats(scheme, one, pair)
            columns = np.array([n for n in range(COLUMNS) if one.columns >> n & 1])
            pushed = columns < (0 if len(here) > 1 else here[0].offset)
            row = max(0, int((heights[columns] - pushed).max()))
            heights[columns] = row + pushed + ROWS
            seats += [seat.at(row * COLUMNS + seat.offset) for seat in here]
    return seats


def _seats(scheme: str, one: PageSeat, pair: Interleaved | None) -> list[Seat]:
    """A rook on a page of its own, or two that interleave."""
    if pair is not None and one.square == PAIR:
        _, host, guest, by = map(int, pair.pairs.rows[one.magic])
        cells = [
            cell_data(scheme, Piece.ROOK, n, ROW_BITS) for n in (pair.pairs.host, pair.pairs.guest)
        ]
        magics = int(pair.hosts[host]), int(pair.guests[guest])
        turns = one.turn, one.turn + by
        return [turned_seat(*of, 0) for of in zip(cells, magics, turns, strict=True)]
    cell = cell_data(scheme, Piece.ROOK, one.square, ROW_BITS)
    if scheme == "constant":
        return [turned_seat(cell, one.magic, one.turn, 0)]
    return [Seat.valid(cell, Choice(one.magic, 0, one.turn))]
