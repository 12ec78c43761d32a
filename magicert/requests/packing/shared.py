"""What all ways of packing share: the workers, what is told, and what stands beside a table."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from magicert.board import square_name
from magicert.compact.layouts import Layout, Shortest, publish, shortest, to_table
from magicert.compact.pack import Mark, Stop, history_text
from magicert.compact.progress import Mapper, Workers, WorkPhase
from magicert.compact.seats import Key
from magicert.compact.start import NoPlaceError
from magicert.data import record_tables
from magicert.formula import Formula
from magicert.outcome import (
    Answered,
    Evidence,
    Impossible,
    Observer,
    OutcomeKind,
    Unknown,
    Watch,
)
from magicert.requests.packing.question import PackQuestion
from magicert.search.ledger.settle import RETRIES, cluster_client
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.system.processes import process_pool
from magicert.system.whole_file import write_whole
from magicert.table import Provenance, read_table
from magicert.verify.table.report import Report

EXACT_SECONDS = 60.0
"""How long an exact bound may take, after the budget."""


@dataclass(frozen=True, slots=True)
class ExactBound:
    """How many entries the smallest squares need alone; None where no bound was found."""

    squares: tuple[Key, ...]
    found: Shortest | None

    def __str__(self) -> str:
        names = " ".join(f"{piece}-{square_name(square)}" for piece, square in self.squares)
        if self.found is None:
            return f"{names}: no exact bound in {EXACT_SECONDS:.0f} s"
        length, bound = self.found.length, self.found.bound
        proved = "exactly" if length == bound else f"{bound:,} to"
        return f"{names}: alone they need {proved} {length:,} entries"


def exact_bound(layout: Layout, squares: int) -> ExactBound:
    """The shortest buffer of the squares with the fewest used slots, alone."""
    group = sorted(layout.seats, key=lambda seat: (len(seat.used), seat.square))[:squares]
    found = shortest([(seat.used, seat.words) for seat in group], EXACT_SECONDS)
    return ExactBound(tuple(seat.key for seat in group), found)


def shorter_record(layout: Layout) -> tuple[str, int] | None:
    """The shortest table that ships for the same squares, if it is shorter, and its entries."""
    found: list[tuple[str, int]] = []
    for name, path in record_tables().items():
        table = read_table(path).table
        alike = set(table.pieces) == set(layout.pieces) and not table.half_board
        alike = alike and all(half.result is None for half in table.pieces.values())
        if alike and table.two_level is None and table.buffer_size is not None:
            found.append((name, table.buffer_size))
    best = min(found, key=lambda record: record[1], default=None)
    return best if best is not None and best[1] < layout.length else None


AnyPack = PackQuestion[Any]


@contextmanager
def executor_of(asked: AnyPack) -> Iterator[Executor | None]:
    """The executor of a run; None: this process works alone.

    Raises InputError where there is no such cluster.
    """
    if asked.cluster:
        with cluster_client(asked.cluster) as (client, _threads):
            cluster = Cluster(client)
            try:
                yield cluster
            finally:
                cluster.forget()
    elif asked.workers > 1:
        with process_pool(asked.workers) as executor:
            yield executor
    else:
        yield None


class Cluster(Executor):
    """The workers of a Dask cluster. Files that an order names (libraries of magics) are sent to
    each worker once, and lie there under the same name.
    """

    def __init__(self, client: Any) -> None:  # noqa: ANN401
        self.client = client
        self.sent: dict[Path, Any] = {}

    def submit(self, work: Callable[..., Any], /, *args: Any, **more: Any) -> Any:  # noqa: ANN401
        """Begin a piece of work. It is a key of its own, even if it was done before."""
        files = {str(path): self._sent(path) for path in files_of((work, args, more))}
        return self.client.submit(
            carried_out, files, partial(work, **more), *args, pure=False, retries=RETRIES
        )

    def forget(self) -> None:
        """Have the workers remove the files that were sent to them."""
        if self.sent:
            self.client.run(forget_files)

    def _sent(self, path: Path) -> Any:  # noqa: ANN401
        if path not in self.sent:
            data = path.read_bytes()
            self.sent[path] = self.client.scatter(data, broadcast=True, hash=False)
        return self.sent[path]


CARRIED: set[Path] = set()
"""Files that this process, a worker, has written."""
CARRYING = Lock()


def forget_files() -> None:
    """Remove the files that were sent here: called on a worker."""
    while CARRIED:
        CARRIED.pop().unlink(missing_ok=True)


def carried_out(files: Mapping[str, bytes], work: Callable[..., Any], *args: Any) -> Any:  # noqa: ANN401
    """Do a piece of work where its files may not be: called on a worker."""
    for name, data in files.items():
        path = Path(name)
        with CARRYING:  # a worker may have several threads
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, data)
                CARRIED.add(path)
    return work(*args)


def files_of(order: Any) -> set[Path]:  # noqa: ANN401
    """The files that an order names: itself, in what it consists of, or bound to its function."""
    if isinstance(order, Path):
        return {order} if order.is_file() else set()
    if isinstance(order, partial):
        return files_of((order.args, order.keywords))
    if isinstance(order, tuple | list):
        return set().union(*map(files_of, order))
    if isinstance(order, dict):
        return files_of(list(order.values()))
    if is_dataclass(order) and not isinstance(order, type):
        return files_of([getattr(order, each.name) for each in fields(order)])
    return set()


@dataclass(frozen=True, slots=True)
class Interrupted(Answered):
    """Ctrl-C came while the first layouts were made; whether one of them is on disk."""

    kind = OutcomeKind.UNKNOWN
    entries = 0
    on_disk: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Answered):
    """The best layout, which is in the output file."""

    layout: Layout
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

    def __init__(self, asked: AnyPack, watch: Watch) -> None:
        self.asked, self.watch = asked, watch
        self.phase: WorkPhase | None = None
        self.shown: Observer | None = None
        self.until = ExitStack()
        """Ends what is shown."""
        self.started = time.monotonic()
        self.deadline = Deadline.after(asked.seconds)
        self.most_refills = MOST_REFILLS if asked.refills is None else asked.refills
        share = self.refill_share if asked.refills is None else 1.0
        self.refill_until = Deadline.after(share * asked.seconds)
        self.executor: Executor | None = None
        self.layout: Layout | None = None
        self.rounds = 0
        self.refills: int | None = None

    def outcome(self) -> Found | Interrupted | Impossible | Unknown:
        """Every better table replaces the output file, verified, with its certificate.

        Raises InputError for a table that cannot be packed.
        """
        try:
            stopped = self._run()
            found = self.found(stopped)
        except NoPlaceError as error:
            if error.impossible:
                return Impossible(str(error), evidence=Evidence.COUNTING)
            return Unknown(str(error))
        except KeyboardInterrupt:  # while an exact bound was looked for
            return Interrupted(on_disk=self.on_disk)
        if found is not None:
            return found
        if stopped == "interrupted":
            return Interrupted(on_disk=self.on_disk)
        what, takes = self.first
        return Unknown(f"no {what} in {self.asked.seconds:,.0f} s: the first one takes {takes}")

    def _run(self) -> Stop:
        try:
            with executor_of(self.asked) as self.executor:
                self.begin(Workers(self.mapper, self.progress, self.deadline))
                return self.squeeze()
        except KeyboardInterrupt:
            return "interrupted"
        except BudgetOverError:
            return "budget"
        finally:
            self.until.close()

    @property
    def on_disk(self) -> bool:
        """Whether a layout was written."""
        return self.layout is not None

    @property
    def mapper(self) -> Mapper:
        """What carries out orders."""
        return map if self.executor is None else self.executor.map

    def refuse_limit_below(self, least: int, why: str) -> None:
        """NoPlaceError where no layout can be as small as is asked."""
        if self.asked.limit is not None and self.asked.limit < least:
            raise NoPlaceError(f"at most {self.asked.limit:,} {why}", impossible=True)

    @abstractmethod
    def begin(self, workers: Workers) -> None:
        """Have a first layout on disk."""

    @abstractmethod
    def found(self, stopped: Stop) -> Found | None:
        """The best; None where there is nothing."""

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
        return str(self.asked.output)

    @abstractmethod
    def round(self, seeds: Sequence[tuple[int, int, int]]) -> None:
        """A round: each worker has a seed. What is better is saved."""

    @property
    def most_rounds(self) -> int | None:
        """How many rounds there are; None: until the time is over."""
        return self.asked.rounds

    def squeeze(self) -> Stop:
        """Rounds, until it is small enough or there were as many as asked for."""
        asked, most, left = self.asked, self.most_rounds, self.deadline.left
        phase = WorkPhase(self.doing, "s" if most is None else "rounds")
        while True:
            if most is None:
                note = f"round {self.rounds}, {self.note}"
                self.progress(phase, left - self.deadline.left, left, note)
            else:
                self.progress(phase, self.rounds, most, self.note)
            if asked.limit is not None and self.size <= asked.limit:
                return "goal"
            if most is not None and self.rounds >= most:
                return "rounds"
            self.round([(asked.seed, self.rounds, worker) for worker in range(asked.workers)])


def provenance_of(asked: AnyPack, command: str, notes: str) -> Provenance:
    """Where a packed table is from."""
    certificate = asked.path.with_suffix(".certificate.json").name
    return Provenance(command=command, seed=asked.seed, certificate=certificate, notes=notes)


def save(
    layout: Layout,
    asked: AnyPack,
    command: str,
    history: Sequence[Mark],
    result: Formula | None = None,
) -> Report:
    """Write a layout to the output file, verified, and its certificate beside it. `result` is
    what comes of a loaded entry, where that is not the attack set.
    """
    provenance = provenance_of(asked, command, history_text(history))
    table = to_table(layout, asked.name or asked.path.stem, provenance)
    if result is not None:
        halves = {piece: replace(half, result=result) for piece, half in table.pieces.items()}
        table = replace(table, pieces=halves)
    return publish(table, asked.path)
