"""Pack into two levels, the second one overlaid; the best is always on disk.

A lookup is `words[base + bytes[slot]] & line`. See docs/layered.md.
"""

import time
from dataclasses import field

from magicert.board import FIXED_BITS, Piece
from magicert.compact.layouts import Layout, to_table
from magicert.compact.overlay.joint import FirstLevel, first_level
from magicert.compact.overlay.overlay import (
    OverlayOrder,
    OverlaySearch,
    after_round,
    begin,
    figures,
    first_overlay,
    improve,
)
from magicert.compact.overlay.parties import (
    Overlay,
    Party,
    layout_of,
    overlay_of,
    parties_of,
    write_overlaid,
)
from magicert.compact.pack import Stop
from magicert.compact.progress import Mapper, Workers, WorkPhase
from magicert.compact.seats import cell_data, square_data
from magicert.compact.start import NoPlaceError
from magicert.dataclass import dataclass
from magicert.jobs.read_sources import table_from
from magicert.outcome import Answered, Evidence, Impossible, OutcomeKind, Unknown, Watch
from magicert.requests.packing.shared import (
    MOST_REFILLS,
    AnyPack,
    Interrupted,
    Phases,
    executor_of,
    run_out,
)
from magicert.system.deadline import Deadline
from magicert.table import Provenance
from magicert.table.read import TableFile

REFILL_SHARE = 0.4
"""The part of a budget that goes into pages; the rest goes into the words."""
FIRST = WorkPhase("numbering attack sets", "classes")
SHOWN = 12
"""Most points of the history in a table file."""


@dataclass(frozen=True, slots=True)
class Overlaid(Answered):
    """The best table: entries of a byte and words of eight. `demand` counts the words that all
    squares ask for, `parties` the squares and the groups of them that share bytes.
    """

    entries: int
    words: int
    demand: int
    parties: int
    scheme: str
    rounds: int
    stopped: Stop
    limit: int | None = None

    @property
    def bytes(self) -> int:
        return self.entries + 8 * self.words

    @property
    def within_limit(self) -> bool:
        return self.limit is None or self.bytes <= self.limit

    @property
    def kind(self) -> OutcomeKind:
        done = self.stopped != "interrupted" and self.within_limit
        return OutcomeKind.EXISTS if done else OutcomeKind.UNKNOWN


OverlaidOutcome = Overlaid | Interrupted | Impossible | Unknown


def least_bytes() -> int:
    """What no such table can go below: one square's attack sets, each a byte and a word."""
    return 9 * max(square_data(piece, n).attack_sets for piece in Piece for n in range(64))


def pack_overlaid(asked: AnyPack, watch: Watch) -> OverlaidOutcome:
    """Pack; every better table replaces the output file, verified, with buffers and certificate.

    Raises InputError for a table that cannot be packed.
    """
    if asked.limit is not None and asked.limit < least_bytes():
        return Impossible(
            f"at most {asked.limit:,} bytes: one rook alone has {least_bytes() // 9} attack sets, "
            f"each with a byte and a word of its own: {least_bytes():,} bytes",
            evidence=Evidence.COUNTING,
        )
    job = _OverlaidJob(asked, watch)
    try:
        stopped = run_out(job.run, job.phases.until)
    except NoPlaceError as error:
        if error.impossible:
            return Impossible(str(error), evidence=Evidence.COUNTING)
        return Unknown(str(error))
    if job.saved is None or job.layout is None:
        if stopped == "interrupted":
            return Interrupted()
        return Unknown(f"no table in {asked.seconds:,.0f} s: the first one takes ten minutes or so")
    return Overlaid(
        entries=job.layout.length, words=job.saved.words,
        demand=sum(party.demand for party in job.parties), parties=len(job.parties),
        scheme=job.layout.scheme, rounds=job.rounds, stopped=stopped, limit=asked.limit,
    )  # fmt: skip


@dataclass
class _OverlaidJob:
    asked: AnyPack
    watch: Watch
    layout: Layout | None = None
    parties: tuple[Party, ...] = ()
    saved: Overlay | None = None
    rounds: int = 0
    refills: int | None = None
    history: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.phases = Phases(self.watch)

    def run(self) -> Stop:
        asked, self.started = self.asked, time.monotonic()
        deadline = Deadline.after(asked.seconds)
        with executor_of(asked) as executor:
            mapper: Mapper = map if executor is None else executor.map
            workers = Workers(mapper, self.phases.progress, deadline)
            given = (
                None if asked.given is None else self._given(table_from(asked.given, self.watch))
            )
            if asked.given is None:
                self._from_nothing(workers)
            first = given or first_overlay(self.parties, asked.seed, deadline, self._look)
            self._save(first)
            return self._fewer(first, mapper, deadline)

    def _given(self, file: TableFile) -> Overlay | None:
        """Take the layout of a table; its words, too, if it is an overlaid one."""
        overlaid = file.table.two_level is not None
        self.layout = layout_of(file)
        self.parties = tuple(parties_of(self.layout.seats))
        return overlay_of(file, self.parties) if overlaid else None

    def _from_nothing(self, workers: Workers) -> None:
        asked = self.asked
        cells = {
            (piece, square): cell_data(asked.scheme, piece, square, FIXED_BITS[piece])
            for piece in Piece
            for square in range(64)
        }
        refills = MOST_REFILLS if asked.refills is None else asked.refills
        share = REFILL_SHARE if asked.refills is None else 1.0
        until = Deadline.after(share * asked.seconds)
        plan = FirstLevel(cells, asked.scheme, asked.seed, refills, until)
        self.layout, self.refills = first_level(plan, workers)
        self.parties = tuple(parties_of(self.layout.seats))

    def _look(self, overlay: Overlay) -> None:
        classes = sum(len(place.numbers) for place in overlay.places)
        note = f"{overlay.words:,} words, before the first table"
        self.phases.progress(FIRST, classes - overlay.missing, classes, note)

    def _fewer(self, first: Overlay, mapper: Mapper, deadline: Deadline) -> Stop:
        """Rounds: all workers go on with the same search, and so does the best of them."""
        asked, parties = self.asked, self.parties
        search = begin(parties, first, asked.seed)
        phase = WorkPhase("overlaying words", "rounds")
        while True:
            assert self.saved is not None
            note = f"{self._bytes(self.saved):,} bytes, {self.saved.words:,} words, {asked.output}"
            self.phases.progress(phase, self.rounds, asked.rounds or self.rounds + 1, note)
            if asked.limit is not None and self._bytes(self.saved) <= asked.limit:
                return "goal"
            if asked.rounds is not None and self.rounds >= asked.rounds:
                return "rounds"
            seeds = [(asked.seed, self.rounds, worker) for worker in range(asked.workers)]
            orders = [OverlayOrder(parties, search, seed, deadline) for seed in seeds]
            found: list[OverlaySearch] = list(mapper(improve, orders))
            best = min(found, key=figures)
            self.rounds += 1
            search = after_round(best, self.saved)
            if search.best.words < self.saved.words:
                self._save(search.best)

    def _bytes(self, overlay: Overlay) -> int:
        assert self.layout is not None
        return self.layout.length + 8 * overlay.words

    def _save(self, overlay: Overlay) -> None:
        asked, layout = self.asked, self.layout
        assert layout is not None
        seconds = time.monotonic() - self.started
        history = [*self.history, f"{self._bytes(overlay):,} bytes after {seconds:.0f} s"]
        step = max(1, len(history) // SHOWN)
        provenance = Provenance(
            command=asked.again(self.rounds, self.refills),
            seed=asked.seed,
            certificate=asked.path.with_suffix(".certificate.json").name,
            notes="history: " + "; ".join([*history[:-1:step], history[-1]]),
        )
        table = to_table(layout, asked.name or asked.path.stem, provenance)
        write_overlaid(table, self.parties, overlay, asked.path)
        self.saved, self.history = overlay, history
