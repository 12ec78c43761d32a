"""Settling a cell: its shards on one process, several, or a cluster, and done ones once more.

`settle` claims shards, has them searched, records each once, and stops at the deadline, at Ctrl-C
or at the first magic where one is enough. A shard that lasts is done in stretches of seconds, each
of which the ledger keeps; where no other shard is left to begin, several processes do those of one.
`replay` does random finished shards again and compares.

When: `find`, `disprove` and `atlas --settle`, whenever an engine searches shards.

Why replay: a row that somebody wrote and sealed is found by nothing else. Which shards it takes is
for the system to say, so that nobody who edits a ledger can foresee it.

Cost: nothing beside the shards. On a Dask cluster the ledger stays here: a worker that dies has
its stretches run elsewhere, and none is counted twice.
"""

import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from typing import Any, Protocol

from magicert.cell import Cell
from magicert.outcome import Observer, leave_time_to_notes
from magicert.problem import InputError, Problem
from magicert.search.ledger.division import Division
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.summary import Summary
from magicert.search.problem import is_mirrored
from magicert.search.shards.rest import Rest, StrayRestError, can_divide
from magicert.search.shards.shard import (
    LeafObserver,
    Root,
    ShardResult,
    Work,
    recount_shard,
    run_shard,
)
from magicert.system.deadline import FOREVER, Deadline
from magicert.system.processes import process_pool
from magicert.valid import invalid

REFRESH_SECONDS = 1.0
FIRST_SECONDS, STRETCH_SECONDS = 2.0, 30.0
"""How long the first stretch of a shard lasts, or a moment longer; each is twice as long as the one
before, up to STRETCH_SECONDS.
"""
LAST_STRETCHES_SECONDS = 5.0
"""For stretches to come back at the deadline, which ends them."""


class Inspector(LeafObserver, Protocol):
    """A leaf observer that finds fault: see `problems` after `finish`."""

    problems: list[str]


Inspect = Callable[[Cell, Root], Inspector]
"""Makes an inspector for a shard; it must be picklable for several processes."""


def find_work(ledger: Ledger, cell: Cell, observer: Observer) -> Work | None:
    """The work that the ledger has for a cell, if any. Damage that it mended is said."""
    work = ledger.find(cell)
    while ledger.repairs:
        observer.say(ledger.repairs.pop(0))
    return work


def verified(cell: Cell, magics: Sequence[int]) -> tuple[int, ...]:
    """The magics, after an exhaustive check of all of them."""
    wrong = invalid(cell, magics)
    if wrong:
        raise AssertionError(f"{cell}: {wrong[0]:#x} was found, but is no magic")
    return tuple(magics)


def refuse_wrong_magics(ledger: Ledger, cell: Cell, magics: Sequence[int]) -> None:
    """Raises InputError where one of a ledger's magics is none: a row may be edited and sealed."""
    if wrong := invalid(cell, magics):
        message = f"{wrong[0]:#x} is listed, and is no magic: it was edited, or this is a bug"
        raise InputError([Problem(message, str(ledger.path), str(cell))])


def do_shard(
    work: Work,
    number: int,
    inspect: Inspect | None = None,
    deadline: Deadline = FOREVER,
    first_only: bool = False,
    progress: Callable[[int, float], None] | None = None,
    digests: bool = False,
    rest: Rest | None = None,
    seconds: float | None = None,
) -> ShardResult:
    """Run a shard wherever this is called, or the `rest` of one for so many `seconds`, with its
    inspector looking on. With `digests` the survivors of its chain are counted again.
    """
    inspector = inspect(work.cell, work.root(number)) if inspect and work.record else None
    result = run_shard(
        work, number, (inspector,) if inspector else (),
        first_only=first_only, deadline=deadline, progress=progress,
        rest=rest, seconds=seconds,
    )  # fmt: skip
    if inspector and result.finished and inspector.problems:
        raise AssertionError(f"shard {number} of {work.cell}: {inspector.problems[:3]}")
    if digests and result.finished and work.plan.chain and not is_mirrored(work.plan):
        recount = recount_shard(work, number)
        result = replace(result, survivors=recount.survivors, digest=recount.sha256)
    return result


def settle(
    ledger: Ledger,
    work: Work,
    observer: Observer,
    *,
    workers: int = 1,
    executor: Executor | None = None,
    deadline: Deadline = FOREVER,
    first_only: bool = False,
    inspect: Inspect | None = None,
    digests: bool = False,
) -> Summary:
    """Do the open shards of a cell until they are done, the time is over, or `first_only`
    has its magic. What was running then is given back to the ledger, with those of its stretches
    that are done; Ctrl-C does the same.

    With an executor (a cluster's) `workers` shards run there at a time.
    """
    report = _ProgressReport(ledger, work, observer, workers)
    run = _SettleRun(ledger, work, report, deadline, first_only, inspect, digests)
    if executor is None and workers == 1:
        run.run_here()
    else:
        with nullcontext(executor) if executor else process_pool(workers) as pool:
            run.run_in_pool(pool, workers)
    return ledger.summary(work.cell)


LIKE_THE_REST = 32
"""Shards that are done (or a quarter of all, if that is less) before they say how long the others
take."""
DISAGREEMENT = 0.25
"""The most that their mean may be off, one standard error, as a part of it."""


class _ProgressReport:
    """Adds up what the ledger has and what comes, for the observer."""

    def __init__(self, ledger: Ledger, work: Work, observer: Observer, workers: int) -> None:
        self.ledger, self.work, self.observer, self.workers = ledger, work, observer, workers
        self.shards = work.shards
        self.since = time.monotonic()
        self.read_ledger()
        leave_time_to_notes(observer)

    def read_ledger(self) -> None:
        """What the ledger has: other processes may be at work, too."""
        self.seconds, self.magic_count, self.begun = self.ledger.progress(self.work.cell)
        self.read_at = time.monotonic()

    def begin(self) -> None:
        """A stretch begins here: its nodes count from now."""
        self.since = time.monotonic()

    def enter(self, result: ShardResult) -> None:
        """Enter a shard that is done in the ledger; what it calls magics are looked at before."""
        self.look_at_magics(result)
        self.ledger.finish(self.work, result)
        self.seconds.append(result.seconds)
        self.begun.pop(result.number, None)
        self.magic_count += result.magic_count
        if time.monotonic() - self.read_at > REFRESH_SECONDS:
            self.read_ledger()
        self()

    def keep(self, number: int, division: Division) -> None:
        """Keep the stretches of a shard in the ledger."""
        for result in division.done:
            self.look_at_magics(result)
        self.ledger.keep(self.work, number, division)
        self.begun[number] = division.share(self.work), division.seconds
        self()

    def look_at_magics(self, result: ShardResult) -> None:
        """Say the first magic, which is checked before."""
        if result.magic_count:
            (magic,) = verified(self.work.cell, [result.magics[0][0]])
            if not self.magic_count:
                self.observer.say(f"magic {magic:#x} found in shard {result.number}")

    def __call__(self, nodes: int = 0, left: float = 0.0) -> None:
        """Tell the observer how far all is; `nodes` were visited by what runs here, and which share
        of its shard is left of it.
        """
        shares = [share for share, _ in self.begun.values()]
        done = len(self.seconds) + sum(shares)
        notes = [f"{100 * done / self.shards:.2g}% of m"]
        if shares:
            notes.append(f"{len(shares):,} begun")
        if nodes:
            rate = nodes / max(1e-9, time.monotonic() - self.since)
            notes.append(f"{100 * (1 - left):.2g}% of this one, {rate:,.0f} nodes/s")
        notes.append(self.time_left())
        if self.magic_count:
            notes.append(f"{self.magic_count:,} magics")
        self.observer.progress(done, self.shards, ", ".join(notes))

    def time_left(self) -> str:
        """What is known of the time that the other shards take, from those that are done, and from
        those that were begun, which may be the long ones.
        """
        begun = [seconds / max(share, 1e-9) for share, seconds in self.begun.values()]
        known = [*self.seconds, *begun]
        if len(self.seconds) < min(LIKE_THE_REST, self.shards / 4) or len(known) < 2:
            return UNKNOWN_TIME
        each = fmean(known)
        if stdev(known) / len(known) ** 0.5 > DISAGREEMENT * each:
            return UNKNOWN_TIME
        others = self.shards - len(self.seconds) - sum(share for share, _ in self.begun.values())
        return f"{duration(others * each / self.workers)} left if the others are like these"


UNKNOWN_TIME = "time left not known yet"


def duration(seconds: float) -> str:
    """Such as "40 s", "7 min" or "3.2 h"."""
    if seconds < 100:
        return f"{seconds:,.0f} s"
    return f"{seconds / 60:,.0f} min" if seconds < 6000 else f"{seconds / 3600:,.1f} h"


class MagicFound(Exception):  # noqa: N818 - no error, an early end
    """A magic was found in a shard that was not run to its end."""

    def __init__(self, magic: int) -> None:
        super().__init__(f"magic {magic:#x}")
        self.magic = magic


class _Shard:
    """A claimed shard: its stretches, and which of its rests run."""

    def __init__(self, number: int, division: Division | None) -> None:
        self.number, self.division = number, division
        self.running: set[Rest | None] = set()
        self.seconds = FIRST_SECONDS

    @property
    def waiting(self) -> list[Rest | None]:
        """Rests that nobody does; None stands for a shard that is done whole."""
        rests = (None,) if self.division is None else self.division.rests
        return [rest for rest in rests if rest not in self.running]

    def enter(self, rest: Rest | None, result: ShardResult, left: tuple[Rest, ...]) -> None:
        """What came of a rest."""
        self.running.discard(rest)
        self.seconds = min(STRETCH_SECONDS, 2 * self.seconds)
        if self.division is not None and rest is not None:
            self.division = self.division.enter(rest, result, left)

    def result(self, last: ShardResult) -> ShardResult | None:
        """What the shard came to, if nothing is left. `last` came last."""
        if self.division is None:
            return last if last.finished else None
        if self.division.rests:
            return None
        (joined,) = self.division.done
        return replace(joined, finished=True)


@dataclass(frozen=True, slots=True)
class _SettleRun:
    """The open shards of a cell, one after another or side by side."""

    ledger: Ledger
    work: Work
    report: _ProgressReport
    deadline: Deadline
    first_only: bool
    inspect: Inspect | None
    digests: bool

    @property
    def must_stop(self) -> bool:
        """Whether no other shard is to be begun."""
        return self.deadline.over or (self.first_only and self.report.magic_count > 0)

    def claim(self) -> _Shard | None:
        """A shard to do, with what the ledger has of it; None if there is none to claim."""
        number = self.ledger.claim(self.work.cell)
        if number is None:
            return None
        hashed = self.digests and self.work.plan.chain
        if hashed or not can_divide(self.work):
            return _Shard(number, None)
        return _Shard(number, self.ledger.begun(self.work, number))

    def run_here(self) -> None:
        while not self.must_stop and (shard := self.claim()) is not None:
            try:
                finished = self.finish_here(shard)
            except BaseException:
                self.ledger.release(self.work.cell, shard.number)
                raise
            if not finished:
                self.ledger.release(self.work.cell, shard.number)
                return

    def finish_here(self, shard: _Shard) -> bool:
        """Do all that is left of a shard, stretch by stretch; whether the time was enough."""
        while True:
            rest = shard.waiting[0]
            self.report.begin()
            with self.forgetting_stray(shard):
                result = do_shard(
                    self.work, shard.number, self.inspect,
                    self.deadline, self.first_only, self.report, self.digests,
                    rest=rest, seconds=None if rest is None else shard.seconds,
                )  # fmt: skip
            if self.take(shard, rest, result, halve=False):
                return True
            if self.first_only and result.magic_count:
                raise MagicFound(result.magics[0][0])
            if rest is None or self.deadline.over:
                return False

    @contextmanager
    def forgetting_stray(self, shard: _Shard) -> Iterator[None]:
        """InputError where a ledger has a rest that its shard does not have; it is forgotten."""
        try:
            yield
        except StrayRestError as error:
            self.ledger.start_again(self.work, shard.number)
            message = (
                f"what was left of it is none of its own ({error}): it was edited, or this is a "
                "bug; the same command begins the shard again"
            )
            key = f"{self.work.cell}, shard {shard.number}"
            raise InputError([Problem(message, str(self.ledger.path), key)]) from None

    def take(self, shard: _Shard, rest: Rest | None, result: ShardResult, *, halve: bool) -> bool:
        """Enter what came of a rest, in the ledger too; whether the shard is done."""
        self.ledger.refuse_other_program(self.work, result)
        left: tuple[Rest, ...] = () if result.rest is None else (result.rest,)
        if halve and left:
            left = left[0].halves(self.work)
        shard.enter(rest, result, left)
        if (done := shard.result(result)) is not None:
            self.report.enter(done)
            return True
        if shard.division is not None:
            self.report.keep(shard.number, shard.division)
        return False

    def run_in_pool(self, pool: Executor, workers: int) -> None:
        shards: dict[int, _Shard] = {}
        running: dict[Future[ShardResult], tuple[_Shard, Rest | None]] = {}
        try:
            while True:
                idle = False
                while not self.must_stop and len(running) < workers + 1:
                    shard = next((shard for shard in shards.values() if shard.waiting), None)
                    shard = shard or self.claim()
                    if shard is None:
                        idle = len(running) < workers
                        break
                    shards[shard.number] = shard
                    rest = shard.waiting[0]
                    shard.running.add(rest)
                    seconds = None if rest is None else min(shard.seconds, self.deadline.left)
                    future = pool.submit(
                        do_shard, self.work, shard.number, self.inspect,
                        digests=self.digests, rest=rest, seconds=seconds,
                    )  # fmt: skip
                    running[future] = shard, rest
                if self.must_stop or not running:
                    break
                self.take_finished(running, shards, REFRESH_SECONDS, halve=idle)
            if self.deadline.over:  # which ends those stretches that run, too
                last = Deadline.after(LAST_STRETCHES_SECONDS)
                while any(rest for _, rest in running.values()) and not last.over:
                    self.take_finished(running, shards, last.left, halve=False)
        finally:
            for future in running:
                future.cancel()
            for number in shards:
                self.ledger.release(self.work.cell, number)

    def take_finished(
        self,
        running: dict[Future[ShardResult], tuple[_Shard, Rest | None]],
        shards: dict[int, _Shard],
        seconds: float,
        *,
        halve: bool,
    ) -> None:
        """Wait for so long, and enter what has come. Where processes are idle (`halve`), what is
        left of it is for two.
        """
        finished, _ = wait(running, timeout=seconds, return_when=FIRST_COMPLETED)
        for future in finished:
            shard, rest = running.pop(future)
            with self.forgetting_stray(shard):
                result = future.result()
            if self.take(shard, rest, result, halve=halve):
                del shards[shard.number]
            elif self.first_only and result.magic_count:
                raise MagicFound(result.magics[0][0])
        self.report()


# Do finished shards of a ledger again: a row that somebody wrote and sealed is found by that only.
#
# Which shards is for the system to say, so that nobody who edits a ledger can foresee it.


def replay(
    ledger: Ledger, work: Work, count: int, observer: Observer, deadline: Deadline = FOREVER
) -> int:
    """Do `count` random finished shards again, or as many as the time allows; how many were done.

    Raises InputError where the ledger says something else of one.
    """
    results = ledger.results(work.cell)
    chosen = secrets.SystemRandom().sample(results, min(count, len(results)))
    for done, result in enumerate(chosen):
        if deadline.over:
            return done
        observer.progress(done, len(chosen), f"replaying shard {result.number} of the ledger")
        repeated = do_shard(work, result.number, deadline=deadline, digests=bool(result.digest))
        if not repeated.finished:
            return done
        if differences := _differences(result, repeated):
            key = f"{work.cell}, shard {result.number}"
            raise InputError([Problem(text, str(ledger.path), key) for text in differences])
    return len(chosen)


def _differences(recorded: ShardResult, repeated: ShardResult) -> list[str]:
    """What a shard comes to now and a ledger keeps otherwise: everything is compared, whatever a
    row says of who counted it.
    """
    differences = []
    if (recorded.magic_count, recorded.magics) != (repeated.magic_count, repeated.magics):
        differences.append(
            f"{recorded.magic_count:,} magics: {repeated.magic_count:,} when done again"
        )
    if recorded.counts != repeated.counts:
        differences.append(
            f"counts {recorded.counts.values}: {repeated.counts.values} when done again"
        )
    if (recorded.leaves, recorded.sha256) != (repeated.leaves, repeated.sha256):
        differences.append("the leaves are others when done again")
    if recorded.digest and (recorded.survivors, recorded.digest) != (
        repeated.survivors,
        repeated.digest,
    ):
        differences.append(
            f"{recorded.survivors:,} survivors: {repeated.survivors:,} when done again"
        )
    return differences


# Shards on an existing Dask cluster: its workers compute, the ledger stays here.
#
# A worker that dies has its shards run again elsewhere by Dask; as a shard's result is
# recorded once, by this process, nothing is lost and nothing is counted twice.

CONNECT_SECONDS = 15


RETRIES = 10
"""How often what a dead worker had is run again."""


@contextmanager
def cluster_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor on the cluster at tcp://..., and how many shards it can run at a time.

    Raises InputError where nobody answers.
    """
    with cluster_client(address) as (client, threads):
        # Shards are pure, but two may be asked for at different times: never share a key.
        yield client.get_executor(pure=False, retries=RETRIES), threads


@contextmanager
def cluster_client(address: str) -> Iterator[tuple[Any, int]]:
    """A client of the cluster at tcp://..., and how many threads its workers have.

    Raises InputError where nobody answers.
    """
    from distributed import Client

    if not re.fullmatch(r"\w+://.+:\d+|inproc://.+", address):
        message = "expected the scheduler's address, such as tcp://localhost:8786"
        raise InputError([Problem(message, key=f"--cluster {address}")])
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError([Problem(f"{address}: no scheduler: {error}", key="cluster")]) from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise InputError([Problem(f"{address}: the scheduler has no workers", key="cluster")])
        yield client, threads
    finally:
        client.close()
