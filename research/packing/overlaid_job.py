"""Pack into two levels, the second one overlaid; the best is always on disk.

A lookup is `words[base + bytes[slot]] & line`. See research/packing/layered.md.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from magicert.chess import FIXED_BITS, Piece
from magicert.compact.job import Found, PackJob, PackSettings, provenance_of
from magicert.compact.layouts import Layout, to_table
from magicert.compact.pack import Stop
from magicert.compact.placements import cells_of
from magicert.compact.progress import Workers, WorkPhase
from magicert.outcome import Watch
from research.lower_bound.shared import proved
from research.packing.layered_job import bits_of_rooks
from research.packing.overlay.joint import FirstLevel, first_level
from research.packing.overlay.overlay import (
    OverlaySearch,
    after_round,
    begin,
    figures,
    first_overlay,
    improve,
)
from research.packing.overlay.parties import (
    Overlay,
    Party,
    layout_of,
    overlay_of,
    parties_of,
    write_overlaid,
)

FIRST = WorkPhase("numbering attack sets", "classes")
SHOWN = 12
"""Most points of the history in a table file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlaid(Found):
    """The best table: entries of a byte and words of eight. `demand` counts the words that all
    squares ask for, `parties` the squares and the groups of them that share bytes.
    """

    layout: Layout
    words: int
    demand: int
    parties: int

    @property
    def bytes(self) -> int:
        return self.entries + 8 * self.words

    @property
    def size(self) -> int:
        return self.bytes

    @property
    def shortfall(self) -> str:
        return (
            f"at most {self.limit:,} bytes: the best found has {self.bytes:,}; "
            "no proof that none has fewer"
        )


class OverlaidJob(PackJob):
    """A first level, then words for it, fewer and fewer; each table with its buffers."""

    layout: Layout | None
    refill_share = 0.4
    """The rest of a budget goes into the words."""
    first = "table", "ten minutes or so"
    doing = "overlaying words"
    search: OverlaySearch

    def __init__(self, settings: PackSettings, watch: Watch) -> None:
        super().__init__(settings, watch)
        self.parties: tuple[Party, ...] = ()
        self.saved: Overlay | None = None
        self.history: list[str] = []

    @property
    def on_disk(self) -> bool:
        return self.saved is not None

    def begin(self, workers: Workers) -> None:
        settings, bounds = self.settings, proved()
        if settings.source is None or bits_of_rooks(layout_of(settings.source)) <= {
            *bounds.rook_bits
        }:
            self.refuse_limit_below(
                bounds.overlaid,
                f"bytes: fewer than {bounds.overlaid:,} are impossible, {bounds.page}",
            )
        given = None
        if settings.source is None:
            rooks, bishops = (cells_of(settings.scheme, p, FIXED_BITS[p]) for p in Piece)
            until = self.refill_until
            cells, scheme, seed = rooks | bishops, settings.scheme, settings.seed
            plan = FirstLevel(cells, scheme, seed, self.most_refills, until)
            self.layout, self.refills = first_level(plan, workers)
            self.parties = tuple(parties_of(self.layout.placements))
        else:
            file = settings.source
            self.layout = layout_of(file)
            self.parties = tuple(parties_of(self.layout.placements))
            given = None if file.table.two_level is None else overlay_of(file, self.parties)
        first = given or first_overlay(self.parties, settings.seed, self.deadline, self.look)
        self.save(first)
        self.search = begin(self.parties, first, settings.seed)

    def look(self, overlay: Overlay) -> None:
        """How far the first table is."""
        classes = sum(len(place.numbers) for place in overlay.places)
        note = f"{overlay.words:,} words, before the first table"
        self.progress(FIRST, classes - overlay.missing, classes, note)

    def round(self, seeds: Sequence[tuple[int, int, int]]) -> None:
        """All workers go on with the same search, and so does the best of them."""
        assert self.saved is not None
        work = partial(improve, self.parties, self.search, self.deadline)
        best: OverlaySearch = min(self.mapper(work, seeds), key=figures)
        self.rounds += 1
        self.search = after_round(best, self.saved)
        if self.search.best.words < self.saved.words:
            self.save(self.search.best)

    @property
    def size(self) -> int:
        assert self.saved is not None
        return self.bytes_of(self.saved)

    @property
    def note(self) -> str:
        assert self.saved is not None
        return f"{self.size:,} bytes, {self.saved.words:,} words, {self.settings.output}"

    def found(self, stopped: Stop) -> Overlaid | None:
        if self.saved is None or self.layout is None:
            return None
        return Overlaid(
            layout=self.layout, words=self.saved.words,
            demand=sum(party.demand for party in self.parties), parties=len(self.parties),
            rounds=self.rounds, stopped=stopped, limit=self.settings.limit,
        )  # fmt: skip

    def bytes_of(self, overlay: Overlay) -> int:
        """Of both levels."""
        assert self.layout is not None
        return self.layout.length + 8 * overlay.words

    def save(self, overlay: Overlay) -> None:
        settings, layout = self.settings, self.layout
        assert layout is not None
        seconds = time.monotonic() - self.started
        history = [*self.history, f"{self.bytes_of(overlay):,} bytes after {seconds:.0f} s"]
        step = max(1, len(history) // SHOWN)
        notes = "history: " + "; ".join([*history[:-1:step], history[-1]])
        provenance = provenance_of(settings, settings.command(self.rounds, self.refills), notes)
        table = to_table(layout, settings.name or settings.output.stem, provenance)
        write_overlaid(table, self.parties, overlay, settings.output)
        self.saved, self.history = overlay, history
