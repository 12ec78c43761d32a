"""Settling a cell: its shards, on one process, several, or a cluster's."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Protocol

from magicert.cell import Cell
from magicert.engine import Observer
from magicert.problem import InputError, Problem
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.summary import Summary
from magicert.search.problem.mirror import is_mirrored
from magicert.search.shards.recount import recount_shard
from magicert.search.shards.shard import run_shard
from magicert.search.shards.stream import LeafObserver
from magicert.search.shards.work import Root, ShardResult, Work
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
    deadline: float | None = None,
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
    seconds: float | None = None,
    first_only: bool = False,
    inspect: Inspect | None = None,
    digests: bool = False,
) -> Summary:
    """Do the open shards of a cell until they are done, the time is over, or `first_only`
    has its magic. What was running then is given back to the ledger; Ctrl-C does the same.

    With an executor (a cluster's) `workers` shards run there at a time.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
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
        note = f"{nodes:,} nodes in this shard {note}" if nodes else note
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
    deadline: float | None
    first_only: bool
    inspect: Inspect | None
    digests: bool

    @property
    def stops(self) -> bool:
        """Whether no other shard is to be begun."""
        over = self.deadline is not None and time.monotonic() > self.deadline
        return over or (self.first_only and self.show.found > 0)

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
