"""A layout from nothing: rooks of 12 bits on pages, bishops in the columns that they leave free,
everything else by first fit.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from magicert.board import Piece
from magicert.compact.anneal.pools import Pools
from magicert.compact.anneal.seat import Key, Seat
from magicert.compact.layouts.layout import Layout, rooks_first
from magicert.compact.pages.bishops import bishop_shelf, in_free_columns
from magicert.compact.pages.library import Shelf
from magicert.compact.progress import ALONE, Crew
from magicert.compact.start.first_fit import place
from magicert.compact.start.paged import first_pages, refilled_pages
from magicert.compact.start.pools_wanted import ready_pools
from magicert.compact.start.wish import StartPlan

Found = Callable[[Layout, int | None], None]
"""Called with every better layout, and the rounds of refilling pages that it took (None where
there are no pages)."""


def from_nothing(plan: StartPlan, found: Found, crew: Crew = ALONE) -> int | None:
    """Make layouts, each shorter than the one before, and give them to `found`; the rounds of
    refilling in all.

    Raises NoPlaceError where a square has no magic of so few bits, BudgetOverError.
    """
    pools: dict[Key, list[Seat]] = {}
    shelf: Shelf = {}
    lengths: list[int] = []

    def fill(keys: Iterable[Key]) -> None:
        missing = {key: plan.cells[key] for key in keys if key not in pools}
        pools.update(ready_pools(missing, plan.seed, crew, plan.pools))

    def better(seated: list[Seat], rounds: int | None) -> None:
        done = {seat.key for seat in seated}
        fill(key for key in plan.cells if key not in done)
        rooks = all(key in done for key in plan.cells if key[0] is Piece.ROOK)
        for more in _bishops(plan, shelf, seated, behind=rooks):
            layout = _layout(plan, pools, [*seated, *more], crew)
            if not lengths or layout.length < lengths[-1]:
                lengths.append(layout.length)
                found(layout, rounds)

    if not plan.on_pages:
        better([], None)
        return None
    # What cannot be is said before the long work begins.
    fill(key for key in plan.cells if key[0] is Piece.BISHOP)
    libraries, pages = first_pages(plan, crew)
    better(pages.seats, 0)
    better(pages.without_emptiest.seats, 0)
    until = crew._replace(deadline=plan.refill_until)
    if plan.shared:
        bishops = [cell for key, cell in plan.cells.items() if key[0] is Piece.BISHOP]
        shelf.update(bishop_shelf(bishops, plan.seed, until))
        better(pages.seats, 0)
    pages, rounds = refilled_pages(
        plan, libraries, pages, lambda pages, rounds: better(pages.seats, rounds), until, shelf
    )
    better(pages.seats, rounds)
    better(pages.without_emptiest.seats, rounds)
    return rounds


def _bishops(
    plan: StartPlan, shelf: Shelf, seated: Sequence[Seat], *, behind: bool
) -> Iterator[list[Seat]]:
    """Bishops that might get seats in columns: none of them, as many as pages have room for, and
    all where there are no more rooks to come.
    """
    yield []
    if shelf:
        yield in_free_columns(plan.scheme, shelf, seated, plan.seed)
    if shelf and behind:
        yield in_free_columns(plan.scheme, shelf, seated, plan.seed, behind=True)


def _layout(plan: StartPlan, pools: Pools, seated: Sequence[Seat], crew: Crew) -> Layout:
    """A layout from nothing but pools and some squares that are seated already; a half board
    where no square above rank 4 is wanted.
    """
    groups = (plan.pieces,) if plan.shared else tuple((piece,) for piece in plan.pieces)
    seats: list[Seat] = []
    for group in groups:
        cells = {key: cell for key, cell in plan.cells.items() if key[0] in group}
        if plan.private:
            seats += in_a_row(pools[key] for key in cells)
        else:
            here = [seat for seat in seated if seat.piece in group]
            seats += place(cells, pools, plan.seed, here, crew).seats.values()
    half_board = all(square < 32 for _, square in plan.cells)
    return Layout(plan.scheme, rooks_first(seats), plan.shared, half_board=half_board)


def in_a_row(pools: Iterable[Sequence[Seat]]) -> list[Seat]:
    """From each pool the seat that ends first, one behind the other."""
    seats: list[Seat] = []
    start = 0
    for pool in pools:
        best = min(pool, key=lambda seat: (seat.end, seat.choice.magic))
        seats.append(best.at(start))
        start = seats[-1].end
    return seats
