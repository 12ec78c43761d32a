"""Pack several squares into one entry; the best is always on disk.

The result of a lookup is `word & line`. See docs/layered.md.
"""

import time
from dataclasses import field, replace

from magicert.board import FIXED_BITS, Piece, mask
from magicert.compact.layered.dense import SqueezeOrder, length_of, squeeze
from magicert.compact.layered.from_nothing import LayeredPlan, layered_from_nothing
from magicert.compact.layouts import Layout, from_table, rooks_first
from magicert.compact.pack import Mark, Stop
from magicert.compact.progress import Mapper, Workers, WorkPhase
from magicert.compact.seats import CellData, Key, Seat, cell_data, square_data
from magicert.dataclass import dataclass
from magicert.formula import Formula, parse
from magicert.jobs.read_sources import table_from
from magicert.outcome import Evidence, Impossible, Unknown, Watch
from magicert.problem import InputError, Problem
from magicert.requests.packing.shared import (
    MOST_REFILLS,
    AnyPack,
    Found,
    Interrupted,
    Phases,
    executor_of,
    run_out,
    save,
)
from magicert.system.deadline import Deadline
from magicert.table.read import TableFile

RESULT = parse("word & line")
REFILL_SHARE = 0.85


def cells_of(asked: AnyPack) -> dict[Key, CellData]:
    """Rooks on pages, of 12 bits, and bishops."""
    rooks = {(Piece.ROOK, n): _cell(asked, Piece.ROOK, n, fixed=True) for n in range(64)}
    return rooks | {
        (Piece.BISHOP, n): _cell(asked, Piece.BISHOP, n, fixed=asked.fixed_shift) for n in range(64)
    }


def dense_cells(asked: AnyPack) -> dict[Key, CellData]:
    """Rooks behind the pages: of 12 bits, or of as many as their masks."""
    fixed = asked.fixed_shift
    return {(Piece.ROOK, n): _cell(asked, Piece.ROOK, n, fixed=fixed) for n in range(64)}


def _cell(asked: AnyPack, piece: Piece, square: int, *, fixed: bool) -> CellData:
    bits = FIXED_BITS[piece] if fixed else mask(piece, square).bit_count()
    return cell_data(asked.scheme, piece, square, bits)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedInLayers(Found):
    """The best layout; `used` entries serve a square."""

    used: int


LayeredOutcome = PackedInLayers | Interrupted | Impossible | Unknown


def pack_layered(asked: AnyPack, watch: Watch) -> LayeredOutcome:
    """Pack; every better layout replaces the output file, verified, with its certificate.

    Raises InputError for a table that cannot be packed.
    """
    least = max(square_data(piece, square).attack_sets for piece in Piece for square in range(64))
    if asked.limit is not None and asked.limit < least:
        return Impossible(
            f"at most {asked.limit:,} entries: one rook has {least:,} attack sets",
            evidence=Evidence.COUNTING,
        )
    job = _LayeredJob(asked, watch)
    stopped = run_out(job.run, job.phases.until)
    if job.layout is None:
        if stopped == "interrupted":
            return Interrupted()
        return Unknown(f"no layout in {asked.seconds:,.0f} s: the first one takes some minutes")
    return PackedInLayers(
        layout=job.layout,
        used=job.used,
        rounds=job.rounds,
        stopped=stopped,
        limit=asked.limit,
    )


@dataclass
class _LayeredJob:
    asked: AnyPack
    watch: Watch
    layout: Layout | None = None
    used: int = 0
    rounds: int = 0
    refills: int | None = None
    history: list[Mark] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.phases = Phases(self.watch)

    def run(self) -> Stop:
        asked = self.asked
        self.started = time.monotonic()
        deadline = Deadline.after(asked.seconds)
        with executor_of(asked) as executor:
            mapper: Mapper = map if executor is None else executor.map
            workers = Workers(mapper, self._progress, deadline)
            if asked.given is None:
                self._from_nothing(workers)
            else:
                self._save(layered_layout(table_from(asked.given, self.watch)))
            return self._squeeze(mapper, deadline)

    def _from_nothing(self, workers: Workers) -> None:
        asked = self.asked
        share = REFILL_SHARE if asked.refills is None else 1.0
        plan = LayeredPlan(
            cells_of(asked), dense_cells(asked), asked.scheme, asked.seed,
            MOST_REFILLS if asked.refills is None else asked.refills,
            asked.workers, Deadline.after(share * asked.seconds),
        )  # fmt: skip

        def found(seats: tuple[Seat, ...], refills: int) -> None:
            self.refills = refills
            self._save(Layout(asked.scheme, rooks_first(seats)))

        layered_from_nothing(plan, found, workers)

    def _squeeze(self, mapper: Mapper, deadline: Deadline) -> Stop:
        asked = self.asked
        assert self.layout is not None
        cells = {seat.key: seat.cell for seat in self.layout.seats}
        phase = WorkPhase("squeezing", "rounds")
        while True:
            assert self.layout is not None
            seats = self.layout.seats
            self._progress(phase, self.rounds, asked.rounds or self.rounds + 1, str(asked.output))
            if asked.limit is not None and self.layout.length <= asked.limit:
                return "goal"
            if asked.rounds is not None and self.rounds >= asked.rounds:
                return "rounds"
            seeds = [(asked.seed, self.rounds, worker) for worker in range(asked.workers)]
            orders = [SqueezeOrder(cells, seats, seed, deadline) for seed in seeds]
            best = min(mapper(squeeze, orders), key=length_of)
            self.rounds += 1
            if length_of(best) < self.layout.length:
                self._save(replace(self.layout, seats=rooks_first(best)))

    def _progress(self, phase: WorkPhase, done: float, total: float, note: str) -> None:
        best = f"; best {self.layout.length:,}" if self.layout is not None else ""
        self.phases.progress(phase, done, total, f"{note}{best}")

    def _save(self, layout: Layout) -> None:
        mark = Mark(self.rounds, time.monotonic() - self.started, layout.length)
        history = [*self.history, mark]
        command = self.asked.again(self.rounds, self.refills)
        report = save(layout, self.asked, command, history, RESULT)
        self.layout, self.history = layout, history
        self.used = sum(buffer.slots_used for buffer in report.buffers)


def layered_layout(file: TableFile) -> Layout:
    """The layout of a table file, layered or plain.

    Raises InputError where its result is another one, or where plain packing could not take it.
    """
    table, where = file.table, str(file.path)
    problems: list[Problem] = []
    for piece, half in table.pieces.items():
        if half.result is not None and not is_masked(half.result):
            message = f"{half.result.text!r}: expected {RESULT.text!r}, or a plain table"
            problems.append(Problem(message, file=where, key=f"{piece}.result"))
    if not table.shared or table.half_board or len(table.pieces) < 2:
        problems.append(Problem("expected both pieces in one buffer, whole boards", file=where))
    if problems:
        raise InputError(problems)
    return from_table(file, layered=True)


def is_masked(result: Formula) -> bool:
    """Whether a result is `word & line`."""
    return result.tree in (RESULT.tree, parse("line & word").tree)
