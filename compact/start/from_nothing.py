"""A layout from nothing: rooks of 12 bits on pages, everything else by first fit."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from magicert.board import Piece
from magicert.compact.anneal.pools import PoolEntry
from magicert.compact.anneal.seat import Key, Seat
from magicert.compact.layouts.layout import Layout, rooks_first
from magicert.compact.pages.lines import ROW_BITS
from magicert.compact.progress import FOREVER, Mapper, Progress, unseen
from magicert.compact.start.first_fit import Pools, place
from magicert.compact.start.paged import PagePlan, paged_rooks, without_last_page
from magicert.compact.start.pools_wanted import ready_pools
from magicert.compact.start.wish import Wish
from magicert.system.deadline import Deadline

Found = Callable[[Layout, int | None], None]
"""Called with every better layout, and the rounds of refilling pages that it took (None where
there are no pages)."""


@dataclass(frozen=True, slots=True)
class StartPlan:
    """How to begin: `shared` or one buffer for each piece, `private` slots for every square, a
    file of `pools`, at most so many rounds of refilling pages, before `refill_until`.
    """

    seed: int = 1
    shared: bool = True
    private: bool = False
    pools: Path | None = None
    refills: int = 0
    refill_until: Deadline = FOREVER
    deadline: Deadline = FOREVER

    def on_pages(self, wish: Wish) -> bool:
        """Whether rooks begin on pages."""
        rooks = {bits for (piece, _), bits in wish.bits.items() if piece is Piece.ROOK}
        return rooks == {ROW_BITS} and not self.private and self.pools is None


class FromNothing:
    """Makes the layouts of one wish; pools are filled once, when they are needed."""

    def __init__(
        self, wish: Wish, plan: StartPlan, mapper: Mapper = map, progress: Progress = unseen
    ) -> None:
        self.wish = wish
        self.plan = plan
        self.mapper = mapper
        self.progress = progress
        self.pools: dict[Key, list[PoolEntry]] = {}

    def layout(self, found: Found) -> int | None:
        """Make layouts, each shorter than the one before, and give them to `found`; the rounds of
        refilling in all.

        Raises NoPlaceError where a square has no magic of so few bits, BudgetOverError.
        """
        if not self.plan.on_pages(self.wish):
            found(self._with([]), None)
            return None
        # What cannot be is said before the long work begins.
        self._fill_pools(self.wish.of({Piece.BISHOP}))
        return self._on_pages(found)

    def _on_pages(self, found: Found) -> int:
        shortest: list[int] = []

        def better(seats: list[Seat], rounds: int) -> None:
            layout = self._with(seats)
            if not shortest or layout.length < shortest[-1]:
                shortest.append(layout.length)
                found(layout, rounds)

        plan = self.plan
        pages = PagePlan(plan.seed, plan.refills, plan.refill_until, plan.deadline)
        squares = [square for piece, square in self.wish.bits if piece is Piece.ROOK]
        seats, rounds = paged_rooks(
            self.wish.scheme, pages, squares, self.mapper, self.progress, better
        )
        better(seats, rounds)
        better(without_last_page(seats), rounds)
        return rounds

    def _fill_pools(self, wish: Wish) -> None:
        plan = self.plan
        missing = wish.without(self.pools)
        self.pools |= ready_pools(
            missing, plan.seed, self.mapper, self.progress, plan.pools, plan.deadline
        )

    def _with(self, seated: list[Seat]) -> Layout:
        """The layout of squares seated already, and all others from their pools."""
        self._fill_pools(self.wish.without({seat.key for seat in seated}))
        return fresh_layout(self.wish, self.pools, self.plan, seated)


def fresh_layout(wish: Wish, pools: Pools, plan: StartPlan, seated: Iterable[Seat] = ()) -> Layout:
    """A layout from nothing but pools; a half board where no square above rank 4 is wished for.

    Squares `seated` already keep their seats and need no pools.
    """
    ready = list(seated)
    groups = (wish.pieces,) if plan.shared else tuple((piece,) for piece in wish.pieces)
    seats: list[Seat] = []
    for group in groups:
        cells = wish.of(group).cells
        if plan.private:
            seats += in_a_row([[Seat.valid(cells[k], e.choice) for e in pools[k]] for k in cells])
        else:
            here = [seat for seat in ready if seat.piece in group]
            seats += place(cells, pools, plan.seed, here).seats.values()
    half_board = all(square < 32 for _, square in wish.bits)
    return Layout(wish.scheme, rooks_first(seats), plan.shared, half_board=half_board)


def in_a_row(pools: Iterable[list[Seat]]) -> list[Seat]:
    """From each pool the seat that ends first, one behind the other."""
    seats: list[Seat] = []
    start = 0
    for pool in pools:
        best = min(pool, key=lambda seat: (seat.end, seat.choice.magic))
        seats.append(best.at(start))
        start = seats[-1].end
    return seats
