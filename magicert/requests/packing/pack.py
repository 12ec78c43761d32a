"""Pack attack sets into the smallest buffer that a budget allows; the best is always on disk."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from magicert.board import FIXED_BITS, Piece
from magicert.compact.layouts import (
    Arrangement,
    Layout,
    from_table,
    lower_bound,
    publish_two_level,
    to_table,
    two_level,
)
from magicert.compact.pack import Mark, Stop, figures, squeezed
from magicert.compact.progress import Workers
from magicert.compact.seats import CellData, Key, cells_of
from magicert.compact.start import NoPlaceError, StartPlan, from_nothing
from magicert.data import rook_bound
from magicert.outcome import Watch
from magicert.requests.packing.shared import (
    AnyPack,
    ExactBound,
    Found,
    PackJob,
    exact_bound,
    save,
    shorter_record,
)
from magicert.system.deadline import BudgetOverError
from magicert.table import Provenance
from magicert.verify.source.read import table_from


def improves(asked: AnyPack, given: Layout) -> bool:
    """Whether the seats of the table given are where packing begins. Squares that share nothing
    are hardly ever moved together.
    """
    resumed = asked.given == asked.path
    return given.shares or resumed or asked.private or asked.rounds == 0


def cells(asked: AnyPack) -> dict[Key, CellData]:
    """What is wanted from nothing."""
    bits = {Piece.ROOK: asked.rook_bits, Piece.BISHOP: asked.bishop_bits}
    if asked.fixed_shift and not asked.private:
        bits = {piece: bits[piece] or FIXED_BITS[piece] for piece in Piece}
    found: dict[Key, CellData] = {}
    for piece in asked.chosen:
        found |= cells_of(asked.scheme, piece, bits[piece])
    return found


def rook_bits(asked: AnyPack, given: Layout | None) -> set[int]:
    """The index bits that rooks may have: those of the table given, or what is wanted."""
    if given is not None:
        return {seat.cell.bits for seat in given.seats if seat.piece is Piece.ROOK}
    return {asked.rook_bits} if asked.rook_bits is not None else {10, 11, FIXED_BITS[Piece.ROOK]}


def proved_bound(pieces: Sequence[Piece], bits: set[int]) -> tuple[int, str]:
    """How many entries no magics can do without, and where that is proved; 0 where it is not."""
    known = rook_bound()
    if Piece.ROOK not in pieces or not bits <= set(known.bits):
        return 0, ""
    others = [piece for piece in pieces if piece is not Piece.ROOK]
    return sum(known.slots) + (lower_bound(others) if others else 0), known.source


@dataclass(frozen=True, slots=True)
class SecondFile:
    """A two-level table: its file, and the bytes of both levels."""

    path: Path
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PackFound(Found):
    """The best layout. It began with `first` entries, and no magics at all need fewer than
    `bound`. `anew` says whether the squares of the table given, which share nothing, were packed
    from nothing (False: nothing shorter came of that; None: they share). `shorter` is a table
    that ships, with its entries.
    """

    first: int
    anew: bool | None
    bound: int
    exact: ExactBound | None = None
    second: SecondFile | None = None
    shorter: tuple[str, int] | None = None


class PlainJob(PackJob):
    """Layouts of attack sets, each shorter than the one before."""

    refill_share = 0.5
    """The rest of a budget goes into squeezing."""
    anew: bool | None = None
    bound = first_length = 0

    def __init__(self, asked: AnyPack, watch: Watch) -> None:
        super().__init__(asked, watch)
        self.parts: list[Arrangement] = []
        self.history: list[Mark] = []

    def begin(self, workers: Workers) -> None:
        asked, given = self.asked, self.given()
        pieces = asked.chosen if given is None else given.pieces
        named = " and ".join(pieces)
        sets = lower_bound(pieces)
        self.refuse_limit_below(
            sets, f"entries: the squares of {named} have {sets:,} different attack sets"
        )
        proved, source = proved_bound(pieces, rook_bits(asked, given))
        self.refuse_limit_below(
            proved,
            f"entries: with any magics the squares of {named} take {proved:,} or more ({source})",
        )
        self.bound = max(sets, proved)
        if given is not None and improves(asked, given):
            start = given
        else:
            start, self.refills = self.from_nothing(given, workers)
            self.anew = None if given is None else start is not given
        self.save(start)
        self.first_length = (given or start).length
        self.parts = [start.arrangement(pieces) for pieces in start.buffers]
        self.squeezing = time.monotonic()
        self.history = [Mark(0.0, start.length)]

    def given(self) -> Layout | None:
        """The layout to improve, if there is one."""
        source = self.asked.given
        if source is None:
            return None
        return from_table(table_from(source, self.watch))

    def from_nothing(self, given: Layout | None, workers: Workers) -> tuple[Layout, int | None]:
        """The shortest first layout, and its rounds of refilling. All that are found on the way
        are written down; a table given is one of them.
        """
        asked = self.asked
        wanted = cells(asked) if given is None else {seat.key: seat.cell for seat in given.seats}
        plan = StartPlan(
            wanted, asked.seed, not asked.apart, asked.private, asked.pools, self.most_refills,
            self.refill_until,
        )  # fmt: skip
        found: list[Layout] = []

        def better(layout: Layout, rounds: int | None) -> None:
            if given is not None:
                layout = replace(layout, order=given.order, listing=given.listing)
                if layout.length >= given.length:
                    return
            found.append(layout)
            self.refills = rounds
            self.save(layout)

        if given is not None:
            found.append(given)
            self.save(given)
        try:
            rounds = from_nothing(plan, better, workers)
        except (BudgetOverError, NoPlaceError):
            if not found:
                raise
            return found[-1], self.refills
        return found[-1], rounds

    @property
    def note(self) -> str:
        return f"best {self.size:,}, {self.asked.output} has it"

    @property
    def most_rounds(self) -> int | None:
        return 0 if self.asked.private else self.asked.rounds

    def round(self, seeds: Sequence[tuple[int, int, int]]) -> None:
        """One buffer's, by turns."""
        assert self.layout is not None
        number = self.rounds % len(self.parts)
        before = self.parts[number]
        best = squeezed(before, seeds, self.deadline, self.mapper)
        self.rounds += 1
        if figures(best) < figures(before):
            self.parts[number] = best
            layout = self.layout.with_arrangements(self.parts)
            if best.length < before.length:
                self.history.append(Mark(time.monotonic() - self.squeezing, layout.length))
            self.save(layout)

    def save(self, layout: Layout) -> None:
        command = self.asked.again(self.rounds, self.refills)
        save(layout, self.asked, command, self.history)
        self.layout = layout

    def found(self, stopped: Stop) -> PackFound | None:
        asked, layout = self.asked, self.layout
        if layout is None or not self.parts:
            return None
        interrupted = stopped == "interrupted"
        return PackFound(
            layout=layout,
            first=self.first_length,
            anew=self.anew,
            bound=self.bound,
            rounds=self.rounds,
            stopped=stopped,
            limit=asked.limit,
            exact=None if asked.exact is None or interrupted else exact_bound(layout, asked.exact),
            second=None if asked.numbers is None else self.two_level(layout, asked.numbers),
            shorter=shorter_record(layout),
        )

    def two_level(self, layout: Layout, entry_bits: int) -> SecondFile:
        """The same in two levels, beside it."""
        path = self.asked.second
        table = to_table(layout, path.stem, Provenance(notes=f"from {self.asked.path.name}"))
        return SecondFile(path, publish_two_level(two_level(table, entry_bits), path))
