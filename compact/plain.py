"""Pack attack sets into the smallest buffer that a budget allows: the run behind `magicert pack`.

A first layout (the shortest record that ships, a given table, the output of an earlier run, or
nothing), then rounds of squeezing; the best layout so far is always on disk, verified.

When: `magicert pack` and `magicert.pack`. Layered and overlaid tables are packed by
`research/packing`, with the same rounds.

Why rounds: in each round every worker makes the same number of attempts on a copy of the best
layout. So seed, workers and rounds determine the layout, on any machine; a deadline only decides
how many rounds there are.

Cost: from nothing, black with fixed shifts: 73,048 entries after ten minutes on two cores, 72,696
after an hour (`tables/pack-runs.toml`), which is the record that ships. How it works is in
compact/README.md.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from magicert.arguments import duration_text
from magicert.board import CHESS
from magicert.chess import FIXED_BITS, Piece, mask
from magicert.compact.bounds import lower_bound
from magicert.compact.formula_shape import shape_of
from magicert.compact.job import (
    ExactBound,
    Found,
    PackJob,
    PackSettings,
    exact_bound,
    plain_records,
    save,
    shorter_record,
)
from magicert.compact.layouts import Arrangement, Layout, from_table, to_table
from magicert.compact.pack import HistoryPoint, Stop, figures, history_text, squeezed
from magicert.compact.placements import CellData, Key, Placement, cells_of
from magicert.compact.progress import Workers
from magicert.compact.start import NoPlaceError, StartPlan, from_nothing
from magicert.compact.two_level import publish_two_level, two_level
from magicert.data import PackRun, pack_runs, rook_bound
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.system.deadline import BudgetOverError
from magicert.table import Provenance, TableFile

MEASURED = (60, 600, 3600)
"""Budgets of which it is always said what packing from nothing comes to."""


def cells(settings: PackSettings) -> dict[Key, CellData]:
    """What is wanted from nothing."""
    bits = {Piece.ROOK: settings.rook_bits, Piece.BISHOP: settings.bishop_bits}
    if settings.fixed_shift and not settings.private:
        bits = {piece: bits[piece] or FIXED_BITS[piece] for piece in Piece}
    chosen: dict[Key, CellData] = {}
    for piece in settings.chosen:
        chosen |= cells_of(settings.scheme, piece, bits[piece])
    return chosen


def fitting_record(settings: PackSettings) -> tuple[str, TableFile] | None:
    """The shortest plain record that ships for what is wanted from nothing: pieces, scheme, index
    bits, one buffer.
    """
    if settings.apart or settings.private:
        return None
    bits = {key: cell.bits for key, cell in cells(settings).items()}
    fitting = [
        (entries, name, file)
        for name, file, entries in plain_records()
        if file.table.order == "a1" and _bits_of(file, settings.scheme) == bits
    ]
    return min(fitting)[1:] if fitting else None


def _bits_of(file: TableFile, scheme: str) -> dict[Key, int]:
    """The index bits of a table's squares; empty where it has another scheme."""
    bits: dict[Key, int] = {}
    for piece_table in file.table.pieces.values():
        shape = shape_of(piece_table.index)
        if shape is None or shape.scheme != scheme or "bits" not in piece_table.parameters:
            return {}
        values = piece_table.parameters["bits"]
        for row in range(file.table.rows):
            value = values[row] if len(values) > 1 else values[0]
            bits[piece_table.slider, file.table.row_bit(row)] = int(value)
    return bits


def rook_bits(settings: PackSettings, layout: Layout | None) -> set[int]:
    """The index bits that rooks may have: those of the table given, or what is wanted."""
    if layout is not None:
        return {
            placement.cell.bits for placement in layout.placements if placement.piece is Piece.ROOK
        }
    if settings.rook_bits is not None:
        return {settings.rook_bits}
    return {10, 11, FIXED_BITS[Piece.ROOK]}


def proved_bound(pieces: Sequence[Piece], bits: set[int]) -> tuple[int, str]:
    """How many entries no magics can do without, and where that is proved; 0 where it is not."""
    rooks = rook_bound()
    if Piece.ROOK not in pieces or not bits <= set(rooks.bits):
        return 0, ""
    other_pieces = [piece for piece in pieces if piece is not Piece.ROOK]
    return sum(rooks.slots) + (lower_bound(other_pieces) if other_pieces else 0), rooks.source


def shifts_of(placements: Sequence[Placement]) -> str:
    """The shifts of a layout as the measured runs name them; "" for any others."""
    if all(placement.cell.bits == FIXED_BITS[placement.piece] for placement in placements):
        return "fixed"
    if all(placement.cell.bits == mask(*placement.key).bit_count() for placement in placements):
        return "square"
    return ""


def expected_lengths(layout: Layout) -> Iterator[str]:
    """What packing a layout from nothing came to elsewhere, in a minute, ten, an hour."""
    runs = {
        run.seconds: run
        for run in pack_runs()
        if run.scheme == layout.scheme
        and run.shifts == shifts_of(layout.placements)
        and run.pieces == list(layout.pieces)
    }
    if not runs:
        yield "what that gives in a minute, ten minutes or an hour was not measured"
        return
    budgets = sorted({*MEASURED, *runs})
    measured = (f"{duration_text(seconds)} {_entries(runs.get(seconds))}" for seconds in budgets)
    yield f"earlier runs from such a table came to these entries: {', '.join(measured)}"
    machines = dict.fromkeys(f"{run.machine}, {run.date}" for run in runs.values())
    yield f"  on {'; '.join(machines)}"


def _entries(run: PackRun | None) -> str:
    if run is None:
        return "not measured"
    return f"{run.entries:,}" if run.entries else "none yet"


@dataclass(frozen=True, slots=True)
class SecondFile:
    """A two-level table: its file, and the bytes of both levels."""

    path: Path
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PackFound(Found):
    """The best layout. It began with `first` entries, and no magics at all need fewer than
    `bound`. `anew` says whether the squares of the table given, which share nothing, were packed
    from nothing (False: nothing shorter came of that; None: they share). `record` names the
    record that ships with which a run began of itself, `shorter` is a table that ships, with its
    entries.
    """

    layout: Layout
    first: int
    anew: bool | None
    bound: int
    exact: ExactBound | None = None
    second: SecondFile | None = None
    record: str = ""
    shorter: tuple[str, int] | None = None


class PlainJob(PackJob):
    """Layouts of attack sets, each shorter than the one before."""

    layout: Layout | None
    refill_share = 0.85
    """The rest of a budget goes into squeezing, which gains nearly all that it does in seconds."""
    anew: bool | None = None
    bound = first_length = 0
    input_layout: Layout | None = None
    """The layout to improve, if there is one."""

    def __init__(self, settings: PackSettings, watch: Watch) -> None:
        super().__init__(settings, watch)
        self.parts: list[Arrangement] = []
        self.history: list[HistoryPoint] = []
        self.is_written = False

    def begin(self, workers: Workers) -> None:
        settings = self.settings
        input_layout = self.input_layout = (
            None if settings.source is None else from_table(settings.source)
        )
        pieces = settings.chosen if input_layout is None else input_layout.pieces
        named = " and ".join(pieces)
        sets = lower_bound(pieces)
        self.refuse_limit_below(
            sets, f"entries: the squares of {named} have {sets:,} different attack sets"
        )
        proved, source = proved_bound(pieces, rook_bits(settings, input_layout))
        self.refuse_limit_below(
            proved,
            f"entries: with any magics the squares of {named} take {proved:,} or more ({source})",
        )
        self.bound = max(sets, proved)
        if settings.record and input_layout is not None:
            self.say(
                f"starting from the record {settings.record}, which ships ({input_layout.length:,} "
                "entries); --from-nothing starts afresh"
            )
        if input_layout is not None and self.improves(input_layout):
            if settings.two_level is not None and not input_layout.shared:
                message = "--two-level needs a table with one shared buffer"
                raise InputError([Problem(message)])
            start = input_layout
        else:
            start, self.refills = self.from_nothing(input_layout, workers)
            self.anew = None if input_layout is None else start is not input_layout
        self.first_length = (input_layout or start).length
        self.save(start)
        self.parts = [start.arrangement(pieces) for pieces in start.buffers]
        self.squeezing = time.monotonic()
        self.history = [HistoryPoint(0.0, start.length)]

    def improves(self, input_layout: Layout) -> bool:
        """Whether the placements of the table given are where packing begins. Squares that share
        nothing are hardly ever moved together.
        """
        settings = self.settings
        return input_layout.shares or settings.resumed or settings.private or settings.rounds == 0

    def is_worth_a_file(self, layout: Layout) -> bool:
        """Whether a layout is written. A table that a run begins with is not written again, unless
        a second, smaller file is made of it, it is within the limit, or no round is wanted.
        """
        given, settings = self.input_layout, self.settings
        if given is None or settings.resumed or layout.length < given.length:
            return True
        is_small_enough = settings.limit is not None and layout.length <= settings.limit
        is_divided = settings.two_level is not None and given.shared
        is_copied = given.shares and self.most_rounds == 0
        return is_small_enough or is_divided or is_copied

    def from_nothing(
        self, input_layout: Layout | None, workers: Workers
    ) -> tuple[Layout, int | None]:
        """The shortest first layout, and its rounds of refilling. All that are found on the way
        are written down; a table given is one of them.
        """
        settings = self.settings
        plan_cells = (
            cells(settings)
            if input_layout is None
            else {placement.key: placement.cell for placement in input_layout.placements}
        )
        plan = StartPlan(
            plan_cells, settings.seed, not settings.apart, settings.private, settings.pools,
            self.most_refills, self.refill_until,
        )  # fmt: skip
        layouts: list[Layout] = []

        def save_if_shorter(layout: Layout, rounds: int | None) -> None:
            if input_layout is not None:
                layout = replace(layout, order=input_layout.order, listing=input_layout.listing)
                if layout.length >= input_layout.length:
                    return
            layouts.append(layout)
            self.refills = rounds
            self.save(layout)

        if input_layout is not None:
            self.say(
                f"in this table no two squares share an entry ({input_layout.length:,} entries): "
                "packing keeps its formula and shifts, and looks for new magics"
            )
            for line in expected_lengths(input_layout):
                self.say(line)
            layouts.append(input_layout)
            self.save(input_layout)
        try:
            rounds = from_nothing(plan, save_if_shorter, workers)
        except (BudgetOverError, NoPlaceError):
            if not layouts:
                raise
            return layouts[-1], self.refills
        return layouts[-1], rounds

    @property
    def note(self) -> str:
        where = f"{self.settings.output} has it" if self.is_written else "not written"
        return f"best {self.size:,}, {where}"

    @property
    def most_rounds(self) -> int | None:
        return 0 if self.settings.private else self.settings.rounds

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
                self.history.append(HistoryPoint(time.monotonic() - self.squeezing, layout.length))
            self.save(layout)

    def save(self, layout: Layout) -> None:
        self.layout = layout
        if self.is_worth_a_file(layout):
            command = self.settings.command(self.rounds, self.refills)
            save(layout, self.settings, command, self.notes(layout))
            self.is_written = True

    def notes(self, layout: Layout) -> str:
        """The history, and the record that a run began with of itself."""
        history, record = history_text(self.history), self.settings.record
        if not record:
            return history
        origin = f"from the record {record} ({self.first_length:,} entries)"
        if layout.length >= self.first_length:
            origin += ": nothing shorter was found"
        return "; ".join(filter(None, [origin, history]))

    @property
    def on_disk(self) -> bool:
        return self.is_written

    @property
    def nothing(self) -> str:
        if self.input_layout is None:
            return super().nothing
        record, entries = self.settings.record, self.input_layout.length
        begun = f"the record {record} ({entries:,} entries)" if record else f"{entries:,} entries"
        found = f"found nothing shorter than {begun} in {self.settings.seconds:,.0f} s"
        shorter, ships = shorter_record(self.input_layout), ""
        if record:
            ships = f", or take the record as it is (magicert emit {record})"
        elif shorter is not None:
            name, length = shorter
            ships = f", or take {name}, which ships with {length:,} entries (magicert emit {name})"
        return f"{found}; no file was written: allow a longer --budget{ships}"

    def found(self, stopped: Stop) -> PackFound | None:
        settings, layout = self.settings, self.layout
        if layout is None or not self.parts or not self.is_written:
            return None
        interrupted = stopped == "interrupted"
        exact = None
        if settings.exact is not None and not interrupted:
            exact = exact_bound(layout.placements, settings.exact, CHESS)
        second = None
        if settings.two_level is not None:
            second = self.two_level(layout, settings.two_level)
        return PackFound(
            layout=layout,
            first=self.first_length,
            anew=self.anew,
            bound=self.bound,
            rounds=self.rounds,
            stopped=stopped,
            limit=settings.limit,
            exact=exact,
            second=second,
            record=settings.record,
            shorter=shorter_record(layout),
        )

    def two_level(self, layout: Layout, entry_bits: int) -> SecondFile:
        """The same in two levels, beside it."""
        path = self.settings.second
        notes = f"from {self.settings.output.name}"
        table = to_table(layout, path.stem, Provenance(notes=notes))
        return SecondFile(path, publish_two_level(two_level(table, entry_bits), path))
