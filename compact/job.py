"""A run of packing: what is wanted, what came of it, and the rounds that every kind of run has.

`PackJob` has a first layout, then rounds of making it smaller; the best is always on disk. What a
round does, plain tables say in `plain`, and those of research/packing beside themselves.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from magicert.board import Board
from magicert.chess import Piece
from magicert.compact.bounds import Shortest, shortest
from magicert.compact.cluster import executor_of
from magicert.compact.layouts import Layout, to_table
from magicert.compact.pack import Stop
from magicert.compact.placements import Slots, Words
from magicert.compact.progress import Mapper, Workers, WorkPhase
from magicert.compact.publish import publish
from magicert.compact.start import NoPlaceError
from magicert.compact.two_level import sidecars
from magicert.data import record_tables
from magicert.formula import Formula
from magicert.outcome import (
    Evidence,
    HasOutcome,
    Impossible,
    Observer,
    OutcomeKind,
    Unknown,
    Watch,
)
from magicert.problem import InputError, Problem
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.table import Provenance, TableFile, read_table
from magicert.verify.table.report import Report

DAY = 86400.0
"""As a budget, no limit on any machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackSettings:
    """What to pack, how long, and where the table goes: `magicert.pack` says what each means.

    A run begins with `source`, or with nothing. `resumed` says that the source is the output of an
    earlier run, `record` is its name where it is a record that ships and nobody named a table,
    `from_set` that it is a set that was found for this run, of any board.
    `command` makes the line that gives a layout again, of the rounds and the rounds of refilling
    pages (None: no pages) that it took.
    """

    output: Path
    seconds: float = 600.0
    source: TableFile | None = None
    resumed: bool = False
    record: str = ""
    from_set: bool = False
    scheme: str = "black"
    rook_bits: int | None = None
    bishop_bits: int | None = None
    apart: bool = False
    private: bool = False
    fixed_shift: bool = True
    pieces: str = "both"
    pools: Path | None = None
    refills: int | None = None
    two_level: int | None = None
    seed: int = 1
    workers: int = 1
    rounds: int | None = None
    limit: int | None = None
    cluster: str = ""
    exact: int | None = None
    name: str | None = None
    command: Callable[[int, int | None], str] = lambda _rounds, _refills: ""

    def refuse_conflicts(self) -> None:
        """Raise InputError for settings that contradict each other."""
        problems: list[Problem] = []
        if self.two_level is not None and self.apart:
            message = "--two-level cannot be combined with --apart"
            problems.append(Problem(message))
        if self.output in self._beside:
            message = "the picture of the buffer goes there: choose another name"
            problems.append(Problem(message, key=f"--output {self.output}"))
        if problems:
            raise InputError(problems)

    @property
    def outputs(self) -> list[Path]:
        """The files that are written: the table, and what stands beside it."""
        return [self.output, *self._beside]

    @property
    def _beside(self) -> list[Path]:
        files = [self.output.with_suffix(".certificate.json"), self.output.with_suffix(".svg")]
        if self.two_level is not None:
            second = self.second
            files += [second, second.with_suffix(".certificate.json")]
            if not second.exists():  # buffers say of themselves whose they are only through it
                files += sidecars(second, tuple(Piece))
        return files

    @property
    def second(self) -> Path:
        """Where the same table goes in two levels, with numbers of its own."""
        return self.output.with_name(f"{self.output.stem}-two-level.toml")

    @property
    def chosen(self) -> tuple[Piece, ...]:
        """The pieces that are wanted from nothing."""
        return tuple(Piece) if self.pieces == "both" else (Piece(self.pieces),)


class PlacedWords(Protocol):
    """A square's lookups in a buffer: its slots from its offset, and what is in each."""

    @property
    def key(self) -> tuple[str, int]: ...

    @property
    def used(self) -> Slots: ...

    @property
    def words(self) -> Words: ...


EXACT_SECONDS = 60.0
"""How long an exact bound may take, after the budget."""


@dataclass(frozen=True, slots=True)
class ExactBound:
    """How many entries the smallest squares need alone; None where no bound was found."""

    squares: tuple[str, ...]
    found: Shortest | None

    def __str__(self) -> str:
        names = " ".join(self.squares)
        if self.found is None:
            return f"{names}: no exact bound in {EXACT_SECONDS:.0f} s"
        length, bound = self.found.length, self.found.bound
        proved = "exactly" if length == bound else f"{bound:,} to"
        return f"{names}: alone they need {proved} {length:,} entries"


def exact_bound(placements: Iterable[PlacedWords], squares: int, board: Board) -> ExactBound:
    """The shortest buffer of the squares with the fewest used slots, alone."""
    by_size = sorted(placements, key=lambda placed: (len(placed.used), placed.key[1]))
    group = by_size[:squares]
    buffer = shortest([(placed.used, placed.words) for placed in group], EXACT_SECONDS)
    names = (f"{piece}-{board.name(square)}" for piece, square in (p.key for p in group))
    return ExactBound(tuple(names), buffer)


def plain_records() -> Iterator[tuple[str, TableFile, int]]:
    """The records that ship whose entries are attack sets of the whole board, in one buffer: name,
    table, entries.
    """
    for name, path in record_tables().items():
        file = read_table(path)
        table = file.table
        plain = not table.half_board and table.two_level is None and table.buffer_size is not None
        if plain and all(piece_table.result is None for piece_table in table.pieces.values()):
            yield name, file, table.buffer_size or 0


def shorter_record(layout: Layout) -> tuple[str, int] | None:
    """The shortest table that ships for the same squares, if it is shorter, and its entries."""
    candidates = [
        (name, entries)
        for name, file, entries in plain_records()
        if set(file.table.pieces) == set(layout.pieces)
    ]
    best = min(candidates, key=lambda record: record[1], default=None)
    return best if best is not None and best[1] < layout.length else None


class HasLength(Protocol):
    """A layout of any kind."""

    @property
    def length(self) -> int:
        """The entries of all buffers together."""


@dataclass(frozen=True, slots=True)
class Interrupted(HasOutcome):
    """Ctrl-C came while the first layouts were made; whether one of them is on disk."""

    kind = OutcomeKind.UNKNOWN
    entries = 0
    on_disk: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(HasOutcome):
    """The best layout, which is in the output file."""

    layout: HasLength
    rounds: int
    stopped: Stop
    limit: int | None = None

    @property
    def entries(self) -> int:
        return self.layout.length

    @property
    def size(self) -> int:
        """What `limit` is about: entries, or bytes."""
        return self.entries

    @property
    def shortfall(self) -> str:
        """What is not known where the limit was not reached."""
        return (
            f"at most {self.limit:,} entries: the shortest found has {self.entries:,}; "
            "no proof that none is shorter"
        )

    @property
    def within_limit(self) -> bool:
        return self.limit is None or self.size <= self.limit

    @property
    def kind(self) -> OutcomeKind:
        done = self.stopped != "interrupted" and self.within_limit
        return OutcomeKind.EXISTS if done else OutcomeKind.UNKNOWN


MOST_REFILLS = 10_000


class PackJob(ABC):
    """One run: a first layout, from a table or from nothing, then rounds of making it smaller:
    orders to all workers, of which the best goes on. The best is always on disk.
    """

    refill_share = 1.0
    """The part of a budget that goes into refilling pages, if nobody says how many rounds."""
    first = "layout", "some minutes"
    """What there is first, and how long it takes."""
    doing = "squeezing"

    def __init__(self, settings: PackSettings, watch: Watch) -> None:
        self.settings, self.watch = settings, watch
        self.phase: WorkPhase | None = None
        self.shown: Observer | None = None
        self.until = ExitStack()
        """Ends what is shown."""
        self.started = time.monotonic()
        self.deadline = Deadline.after(settings.seconds)
        self.most_refills = MOST_REFILLS if settings.refills is None else settings.refills
        share = self.refill_share if settings.refills is None else 1.0
        self.refill_until = Deadline.after(share * settings.seconds)
        self.executor: Executor | None = None
        self.layout: HasLength | None = None
        self.rounds = 0
        self.refills: int | None = None

    def outcome(self) -> Found | Interrupted | Impossible | Unknown:
        """Every better table replaces the output file, verified, with its certificate.

        Raises InputError for a table that cannot be packed.
        """
        try:
            stopped = self._run()
            result = self.found(stopped)
        except NoPlaceError as error:
            if error.impossible:
                return Impossible(str(error), evidence=Evidence.COUNTING)
            return Unknown(str(error))
        except KeyboardInterrupt:  # while an exact bound was looked for
            return Interrupted(on_disk=self.on_disk)
        if result is not None:
            return result
        if stopped == "interrupted":
            return Interrupted(on_disk=self.on_disk)
        return Unknown(self.nothing)

    def _run(self) -> Stop:
        try:
            with executor_of(self.settings.workers, self.settings.cluster) as self.executor:
                self.begin(Workers(self.mapper, self.progress, self.deadline))
                return self.squeeze()
        except KeyboardInterrupt:
            return "interrupted"
        except BudgetOverError:
            return "budget"
        finally:
            self.until.close()

    @property
    def nothing(self) -> str:
        """Why nothing was written."""
        what, takes = self.first
        return f"no {what} in {self.settings.seconds:,.0f} s: the first one takes {takes}"

    @property
    def on_disk(self) -> bool:
        """Whether a layout was written."""
        return self.layout is not None

    @property
    def mapper(self) -> Mapper:
        """What carries out orders."""
        return map if self.executor is None else self.executor.map

    def refuse_limit_below(self, least: int, why: str) -> None:
        """NoPlaceError where no layout can be as small as is wanted."""
        if self.settings.limit is not None and self.settings.limit < least:
            raise NoPlaceError(f"at most {self.settings.limit:,} {why}", impossible=True)

    @abstractmethod
    def begin(self, workers: Workers) -> None:
        """Have a first layout on disk."""

    @abstractmethod
    def found(self, stopped: Stop) -> Found | None:
        """The best; None where there is nothing."""

    def say(self, message: str) -> None:
        """Tell whoever watches, at once."""
        with self.watch("packing", "") as observer:
            observer.say(message)

    def progress(self, phase: WorkPhase, done: float, total: float, note: str) -> None:
        """How far the run is. The next phase is shown where another name comes."""
        if phase != self.phase:
            self.until.close()
            self.phase = phase
            self.shown = self.until.enter_context(self.watch(*phase))
        assert self.shown is not None
        self.shown.progress(done, total, note)

    @property
    def size(self) -> int:
        """Of the best, in entries or bytes."""
        assert self.layout is not None
        return self.layout.length

    @property
    def note(self) -> str:
        """What is told of the best."""
        return str(self.settings.output)

    @abstractmethod
    def round(self, seeds: Sequence[tuple[int, int, int]]) -> None:
        """A round: each worker has a seed. What is better is saved."""

    @property
    def most_rounds(self) -> int | None:
        """How many rounds there are; None: until the time is over."""
        return self.settings.rounds

    def squeeze(self) -> Stop:
        """Rounds, until it is small enough or there were as many as asked for."""
        settings, most, left = self.settings, self.most_rounds, self.deadline.left
        phase = WorkPhase(self.doing, "s" if most is None else "rounds")
        while True:
            if most is None:
                note = f"round {self.rounds}, {self.note}"
                self.progress(phase, left - self.deadline.left, left, note)
            else:
                self.progress(phase, self.rounds, most, self.note)
            if settings.limit is not None and self.size <= settings.limit:
                return "goal"
            if most is not None and self.rounds >= most:
                return "rounds"
            self.round([(settings.seed, self.rounds, worker) for worker in range(settings.workers)])


def provenance_of(settings: PackSettings, command: str, notes: str) -> Provenance:
    """Where a packed table is from."""
    certificate = settings.output.with_suffix(".certificate.json").name
    return Provenance(command=command, seed=settings.seed, certificate=certificate, notes=notes)


def save(
    layout: Layout,
    settings: PackSettings,
    command: str,
    notes: str,
    result: Formula | None = None,
) -> Report:
    """Write a layout to the output file, verified, and its certificate beside it. `result` is
    what comes of a loaded entry, where that is not the attack set.
    """
    provenance = provenance_of(settings, command, notes)
    table = to_table(layout, settings.name or settings.output.stem, provenance)
    if result is not None:
        piece_tables = {
            piece: replace(piece_table, result=result)
            for piece, piece_table in table.pieces.items()
        }
        table = replace(table, pieces=piece_tables)
    return publish(table, settings.output)
