"""Settling a cell: its shards on one process, several, or a cluster, and done ones once more.

`settle` claims shards, has them searched, records each once, and stops at the deadline, at Ctrl-C
or at the first magic where one is enough. `replay` does random finished shards again and compares.

When: `find`, `disprove` and `atlas --settle`, whenever an engine searches shards.

Why replay: a row that somebody wrote and sealed is found by nothing else. Which shards it takes is
for the system to say, so that nobody who edits a ledger can foresee it.

Cost: nothing beside the shards. On a Dask cluster the ledger stays here: a worker that dies has
its shards run elsewhere, and none is counted twice.
"""

import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, Protocol

from magicert.cell import Cell
from magicert.outcome import Observer
from magicert.problem import InputError, Problem
from magicert.search.ledger.ledger import Ledger, Summary
from magicert.search.problem import is_mirrored
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
    progress: Callable[[int], None] | None = None,
    digests: bool = False,
) -> ShardResult:
    """Run a shard wherever this is called, with its inspector looking on. With `digests` the
    survivors of its chain are counted again.
    """
    inspector = inspect(work.cell, work.root(number)) if inspect and work.record else None
    result = run_shard(
        work, number, (inspector,) if inspector else (),
        first_only=first_only, deadline=deadline, progress=progress,
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
    has its magic. What was running then is given back to the ledger; Ctrl-C does the same.

    With an executor (a cluster's) `workers` shards run there at a time.
    """
    report = _ProgressReport(ledger, work, observer)
    run = _SettleRun(ledger, work, report, deadline, first_only, inspect, digests)
    if executor is None and workers == 1:
        run.run_here()
    else:
        with nullcontext(executor) if executor else process_pool(workers) as pool:
            run.run_in_pool(pool, workers)
    return ledger.summary(work.cell)


class _ProgressReport:
    """Adds up what the ledger has and what comes, for the observer."""

    def __init__(self, ledger: Ledger, work: Work, observer: Observer) -> None:
        self.ledger, self.work, self.observer = ledger, work, observer
        self.shards = work.shards
        self.read_ledger()

    def read_ledger(self) -> None:
        """What the ledger has: other processes may be at work, too."""
        self.done, self.magic_count = self.ledger.progress(self.work.cell)
        self.read_at = time.monotonic()

    def enter(self, result: ShardResult) -> None:
        """Enter a shard that is done in the ledger; what it calls magics are looked at before."""
        if result.magic_count:
            (magic,) = verified(self.work.cell, [result.magics[0][0]])
            if not self.magic_count:
                self.observer.say(f"magic {magic:#x} found in shard {result.number}")
        self.ledger.finish(self.work, result)
        self.done += 1
        self.magic_count += result.magic_count
        if time.monotonic() - self.read_at > REFRESH_SECONDS:
            self.read_ledger()
        self()

    def __call__(self, nodes: int = 0) -> None:
        note = f"{self.magic_count:,} magics" if self.magic_count else ""
        within = f"{nodes:,} nodes in this shard" if nodes else ""
        note = ", ".join(filter(None, [within, note]))
        self.observer.progress(self.done, self.shards, note)


class MagicFound(Exception):  # noqa: N818 - no error, an early end
    """A magic was found in a shard that was not run to its end."""

    def __init__(self, magic: int) -> None:
        super().__init__(f"magic {magic:#x}")
        self.magic = magic


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

    def run_here(self) -> None:
        while not self.must_stop and (number := self.ledger.claim(self.work.cell)) is not None:
            try:
                result = do_shard(
                    self.work, number, self.inspect,
                    self.deadline, self.first_only, self.report, self.digests,
                )  # fmt: skip
                if result.finished:
                    self.report.enter(result)
                    continue
            except BaseException:
                self.ledger.release(self.work.cell, number)
                raise
            self.ledger.release(self.work.cell, number)
            if result.magic_count:
                raise MagicFound(result.magics[0][0])
            return

    def run_in_pool(self, pool: Executor, workers: int) -> None:
        running: dict[Future[ShardResult], int] = {}
        try:
            while True:
                must_stop = self.must_stop
                while not must_stop and len(running) < workers + 1:
                    number = self.ledger.claim(self.work.cell)
                    if number is None:
                        break
                    future = pool.submit(
                        do_shard, self.work, number, self.inspect, digests=self.digests
                    )
                    running[future] = number
                if must_stop or not running:
                    return
                finished, _ = wait(running, timeout=REFRESH_SECONDS, return_when=FIRST_COMPLETED)
                for future in finished:
                    self.report.enter(future.result())
                    del running[future]
                self.report()
        finally:
            for future, number in running.items():
                future.cancel()
                self.ledger.release(self.work.cell, number)


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
