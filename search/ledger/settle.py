"""Settling a cell: its shards on one process, several, or a cluster, and done ones once more."""

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

LOOK_EVERY = 1.0


class Inspector(LeafObserver, Protocol):
    """A leaf observer that finds fault: see `problems` after `finish`."""

    problems: list[str]


Inspect = Callable[[Cell, Root], Inspector]
"""Makes an inspector for a shard; it must be picklable for several processes."""


def find_work(ledger: Ledger, cell: Cell, observer: Observer) -> Work | None:
    """The work that the ledger has for a cell, if any. Damage that it mended is said."""
    work = ledger.find(cell)
    while ledger.mended:
        observer.say(ledger.mended.pop(0))
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
        again = recount_shard(work, number)
        result = replace(result, survivors=again.survivors, digest=again.sha256)
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
    show = _Show(ledger, work, observer)
    run = _Run(ledger, work, show, deadline, first_only, inspect, digests)
    if executor is None and workers == 1:
        run.alone()
    else:
        with nullcontext(executor) if executor else process_pool(workers) as pool:
            run.together(pool, workers)
    return ledger.summary(work.cell)


class _Show:
    """Adds up what the ledger has and what comes, for the observer."""

    def __init__(self, ledger: Ledger, work: Work, observer: Observer) -> None:
        self.ledger, self.work, self.observer = ledger, work, observer
        self.shards = work.shards
        self.look()

    def look(self) -> None:
        """What the ledger has: other processes may be at work, too."""
        self.done, self.found = self.ledger.progress(self.work.cell)
        self.looked = time.monotonic()

    def enter(self, result: ShardResult) -> None:
        """Enter a shard that is done in the ledger; what it calls magics are looked at before."""
        if result.magic_count:
            (magic,) = verified(self.work.cell, [result.magics[0][0]])
            if not self.found:
                self.observer.say(f"magic {magic:#x} found in shard {result.number}")
        self.ledger.done(self.work, result)
        self.done += 1
        self.found += result.magic_count
        if time.monotonic() - self.looked > LOOK_EVERY:
            self.look()
        self()

    def __call__(self, nodes: int = 0) -> None:
        note = f"{self.found:,} magics" if self.found else ""
        within = f"{nodes:,} nodes in this shard" if nodes else ""
        note = ", ".join(filter(None, [within, note]))
        self.observer.progress(self.done, self.shards, note)


class FoundOne(Exception):  # noqa: N818 - no error, an early end
    """A magic was found in a shard that was not run to its end."""

    def __init__(self, magic: int) -> None:
        super().__init__(f"magic {magic:#x}")
        self.magic = magic


@dataclass(frozen=True, slots=True)
class _Run:
    """The open shards of a cell, one after another or side by side."""

    ledger: Ledger
    work: Work
    show: _Show
    deadline: Deadline
    first_only: bool
    inspect: Inspect | None
    digests: bool

    @property
    def stops(self) -> bool:
        """Whether no other shard is to be begun."""
        return self.deadline.over or (self.first_only and self.show.found > 0)

    def alone(self) -> None:
        while not self.stops and (number := self.ledger.claim(self.work.cell)) is not None:
            try:
                result = do_shard(
                    self.work, number, self.inspect,
                    self.deadline, self.first_only, self.show, self.digests,
                )  # fmt: skip
                if result.finished:
                    self.show.enter(result)
                    continue
            except BaseException:
                self.ledger.release(self.work.cell, number)
                raise
            self.ledger.release(self.work.cell, number)
            if result.magic_count:
                raise FoundOne(result.magics[0][0])
            return

    def together(self, pool: Executor, workers: int) -> None:
        running: dict[Future[ShardResult], int] = {}
        try:
            while True:
                stops = self.stops
                while not stops and len(running) < workers + 1:
                    number = self.ledger.claim(self.work.cell)
                    if number is None:
                        break
                    future = pool.submit(
                        do_shard, self.work, number, self.inspect, digests=self.digests
                    )
                    running[future] = number
                if stops or not running:
                    return
                finished, _ = wait(running, timeout=LOOK_EVERY, return_when=FIRST_COMPLETED)
                for future in finished:
                    self.show.enter(future.result())
                    del running[future]
                self.show()
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
        again = do_shard(work, result.number, deadline=deadline, digests=bool(result.digest))
        if not again.finished:
            return done
        if differences := _differences(result, again):
            key = f"{work.cell}, shard {result.number}"
            raise InputError([Problem(text, str(ledger.path), key) for text in differences])
    return len(chosen)


def _differences(kept: ShardResult, again: ShardResult) -> list[str]:
    """What a shard comes to now and a ledger keeps otherwise: everything is compared, whatever a
    row says of who counted it.
    """
    found = []
    if (kept.magic_count, kept.magics) != (again.magic_count, again.magics):
        found.append(f"{kept.magic_count:,} magics: {again.magic_count:,} when done again")
    if kept.counts != again.counts:
        found.append(f"counts {kept.counts.values}: {again.counts.values} when done again")
    if (kept.leaves, kept.sha256) != (again.leaves, again.sha256):
        found.append("the leaves are others when done again")
    if kept.digest and (kept.survivors, kept.digest) != (again.survivors, again.digest):
        found.append(f"{kept.survivors:,} survivors: {again.survivors:,} when done again")
    return found


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
