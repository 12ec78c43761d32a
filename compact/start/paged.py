"""A start from nothing for rooks of 12 bits: libraries, pages, then rounds of refilling them."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from magicert.board import Piece, square_name
from magicert.compact.anneal.squares import CONSTANT_MODES
from magicert.compact.layouts.arrangement import Seat, seat
from magicert.compact.pages.columns import Library, LibraryOrder, collect, save_libraries
from magicert.compact.pages.lines import COLUMNS, PAGE, ROW_BITS
from magicert.compact.pages.refill import Mapper, Pages, fill_all, refill_round, worth
from magicert.compact.start.first_fit import NoPlaceError

Say = Callable[[int, int, str], None]
ROWS = PAGE // COLUMNS


@dataclass(frozen=True, slots=True)
class PagePlan:
    """`rounds` of refilling at most, and none after `deadline` (of time.monotonic)."""

    seed: int = 1
    rounds: int = 0
    deadline: float | None = None


def paged_rooks(
    scheme: str,
    plan: PagePlan,
    mapper: Mapper,
    progress: Say,
    found: Callable[[list[Seat]], None] = lambda _seats: None,
    squares: Sequence[int] = range(64),
) -> tuple[list[Seat], int]:
    """Seats for the rooks of some squares in one buffer, none overlapping, and the rounds it took.

    `found` gets the seats of the first filling and of every one with fewer pages. The same
    seed and rounds give the same seats. Raises NoPlaceError for a rook without any magic in
    whole columns.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "libraries.npz"
        save_libraries(_libraries(scheme, plan.seed, mapper, progress, squares), path)
        pages = fill_all(
            path, plan.seed, mapper, lambda done, all_: progress(done, all_, "rooks on pages")
        )
        found(seats_of(scheme, pages))
        rounds, began = 0, time.monotonic()
        while rounds < plan.rounds and (plan.deadline is None or time.monotonic() < plan.deadline):
            better = refill_round(path, pages, plan.seed, rounds, mapper)
            rounds += 1
            if len(better) < len(pages):
                found(seats_of(scheme, better))
            pages = better
            note = f"refilling, {len(pages)} pages, {min(map(worth, pages))} columns on the last"
            if plan.deadline is None:
                progress(rounds, plan.rounds, note)
            else:
                progress(int(time.monotonic() - began), int(plan.deadline - began), note)
    return seats_of(scheme, pages), rounds


def without_last_page(seats: list[Seat]) -> list[Seat]:
    """The seats of all pages but the last, the emptiest. Its squares may do better among the
    bishops behind the others.
    """
    last = max(one.offset for one in seats) // PAGE * PAGE
    return [one for one in seats if one.offset < last]


def _libraries(
    scheme: str, seed: int, mapper: Mapper, progress: Say, squares: Sequence[int]
) -> Iterable[Library]:
    black = scheme == "black"
    orders = [LibraryOrder(square, black, not black, seed) for square in squares]
    libraries = []
    for library in mapper(collect, orders):
        libraries.append(library)
        progress(len(libraries), len(orders), "magics in whole columns")
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
    mode = CONSTANT_MODES[scheme]
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
            offset = row * COLUMNS + turn
            seats.append(seat(mode, Piece.ROOK, one.square, ROW_BITS, one.magic, offset, constant))
    return seats
