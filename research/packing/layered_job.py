"""Pack several squares into one entry; the best is always on disk.

The result of a lookup is `word & line`. See research/packing/layered.md.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from magicert.chess import FIXED_BITS, Piece
from magicert.compact.formula_shape import RESULT, is_masked
from magicert.compact.job import Found, PackJob, PackSettings, save
from magicert.compact.layouts import Layout, from_table, rooks_first
from magicert.compact.pack import HistoryPoint, Stop, history_text
from magicert.compact.pages.columns import ROW_BITS
from magicert.compact.placements import CellData, Key, Placement, cells_of
from magicert.compact.progress import Workers, WorkPhase
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.table.files import TableFile
from research.lower_bound.shared import proved
from research.packing.layered.dense import length_of, squeeze
from research.packing.layered.from_nothing import LayeredPlan, layered_from_nothing


def cells(settings: PackSettings) -> tuple[dict[Key, CellData], dict[Key, CellData]]:
    """Rooks on pages, of 12 bits, and bishops; and rooks behind the pages: of 12 bits, or of as
    many as their masks.
    """
    rook, bishop = (FIXED_BITS[piece] if settings.fixed_shift else None for piece in Piece)
    pages = cells_of(settings.scheme, Piece.ROOK, ROW_BITS)
    behind = cells_of(settings.scheme, Piece.ROOK, rook)
    return pages | cells_of(settings.scheme, Piece.BISHOP, bishop), behind


def bits_of_rooks(layout: Layout) -> set[int]:
    """The index bits of a layout's rooks."""
    return {place.cell.bits for place in layout.placements if place.piece is Piece.ROOK}


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedInLayers(Found):
    """The best layout; `used` entries serve a square."""

    layout: Layout
    used: int


class LayeredJob(PackJob):
    """Layouts, each shorter than the one before."""

    layout: Layout | None
    refill_share = 0.85

    def __init__(self, settings: PackSettings, watch: Watch) -> None:
        super().__init__(settings, watch)
        self.used = 0
        self.history: list[HistoryPoint] = []

    def begin(self, workers: Workers) -> None:
        settings = self.settings
        bounds, source = proved(), settings.source
        if source is None or bits_of_rooks(layered_layout(source)) <= {*bounds.rook_bits}:
            self.refuse_limit_below(
                bounds.layered,
                f"entries: fewer than {bounds.layered:,} are impossible, {bounds.page}",
            )
        if settings.source is not None:
            self.save(layered_layout(settings.source))
            return
        plan = LayeredPlan(
            *cells(settings), settings.scheme, settings.seed, self.most_refills,
            settings.workers, self.refill_until,
        )  # fmt: skip

        def found(placements: tuple[Placement, ...], refills: int) -> None:
            self.refills = refills
            self.save(Layout(settings.scheme, rooks_first(placements)))

        layered_from_nothing(plan, found, workers)

    def round(self, seeds: Sequence[tuple[int, int, int]]) -> None:
        assert self.layout is not None
        work = partial(squeeze, self.layout.placements, self.deadline)
        best = min(self.mapper(work, seeds), key=length_of)
        self.rounds += 1
        if length_of(best) < self.layout.length:
            self.save(replace(self.layout, placements=rooks_first(best)))

    def found(self, stopped: Stop) -> PackedInLayers | None:
        if self.layout is None:
            return None
        return PackedInLayers(
            layout=self.layout, used=self.used, rounds=self.rounds, stopped=stopped,
            limit=self.settings.limit,
        )  # fmt: skip

    def progress(self, phase: WorkPhase, done: float, total: float, note: str) -> None:
        best = f"; best {self.layout.length:,}" if self.layout is not None else ""
        super().progress(phase, done, total, f"{note}{best}")

    def save(self, layout: Layout) -> None:
        history = [*self.history, HistoryPoint(time.monotonic() - self.started, layout.length)]
        command = self.settings.command(self.rounds, self.refills)
        report = save(layout, self.settings, command, history_text(history), RESULT)
        self.layout, self.history = layout, history
        self.used = sum(buffer.slots_used for buffer in report.buffers)


def layered_layout(file: TableFile) -> Layout:
    """The layout of a table file, layered or plain.

    Raises InputError where its result is another one, or where plain packing could not take it.
    """
    table, where = file.table, str(file.path)
    problems: list[Problem] = []
    for piece, piece_table in table.pieces.items():
        if piece_table.result is not None and not is_masked(piece_table.result):
            message = f"{piece_table.result.text!r}: expected {RESULT.text!r}, or a plain table"
            problems.append(Problem(message, file=where, key=f"{piece}.result"))
    if not table.shared or table.half_board or len(table.pieces) < 2:
        problems.append(Problem("expected both pieces in one buffer, whole boards", file=where))
    if problems:
        raise InputError(problems)
    return from_table(file, layered=True)
