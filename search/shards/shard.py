"""One shard: a subtree of the search, run from its root to its end."""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np

from magicert import __version__
from magicert.search.chain.chain import plain
from magicert.search.kernel.descent import DONE, search
from magicert.search.kernel.state import (
    CELLS,
    DROPS,
    EXAMINED,
    FOUND,
    LEAVES,
    MOST_FOUND,
    NODES,
    WORDS,
    State,
    begin,
    new_state,
)
from magicert.search.kernel.task import task_of
from magicert.search.low.descent import WRONG, begin_low, search_low
from magicert.search.low.state import LowState, new_low_state
from magicert.search.low.task import low_task
from magicert.search.problem.low_plan import LowPlan
from magicert.search.problem.mirror import is_mirrored
from magicert.search.problem.plan import Plan
from magicert.search.problem.terms import Terms, terms_of
from magicert.search.shards.stream import LeafObserver, drain
from magicert.search.shards.work import MOST_LISTED, Counts, ShardResult, Work
from magicert.system.compiled import sources

COUNTED = (NODES, DROPS, CELLS, WORDS, EXAMINED)
"""Where a state has its counts, in the order of Counts."""
Progress = Callable[[int], None]
"""Called now and then with the tests done so far."""
Stretch = Callable[[int, int], int]
"""Goes on with a shard for so many nodes, or until so many magics are found: how it ended."""
NODES_AT_ONCE = 1 << 18


@cache
def engine(low: bool = False) -> str:
    """What runs a shard here: the version, and a hash of the compiled code's sources."""
    if low:
        return f"magicert {__version__} low-bits-first search {sources(search_low.__module__)[:16]}"
    return f"magicert {__version__} window search {sources(search.__module__)[:16]}"


def by_fans(work: Work, terms: Terms) -> Work:
    """The same parts, searched without a chain or a mirror, so that leaves can be written."""
    plan = plain(work.plan, terms) if isinstance(work.plan, Plan) else work.plan
    return replace(work, plan=plan, record=True)


def written_work(work: Work) -> Work:
    """The work that writes the leaves of a shard's parts: itself, but for a mirrored plan."""
    return by_fans(work, terms_of(work.cell)) if is_mirrored(work.plan) else work


class Hash:
    """The SHA-256 of a leaf stream."""

    def __init__(self) -> None:
        self.sha = hashlib.sha256()

    def add(self, block: bytes) -> None:
        """Take in one block."""
        self.sha.update(block)

    def finish(self) -> str:
        """The digest, in hex."""
        return self.sha.hexdigest()


@dataclass
class _Magics:
    """Intervals of magics: in each, no product changes its bucket."""

    listed: list[tuple[int, int]] = field(default_factory=list)
    count: int = 0

    def collect(self, state: State | LowState) -> None:
        found = int(state.register[FOUND])
        for low, high in state.found[:found].tolist():
            self.count += high - low + 1
            if len(self.listed) < MOST_LISTED:
                self.listed.append((low, high))
        state.register[FOUND] = 0


def run_shard(
    work: Work,
    number: int,
    observers: tuple[LeafObserver, ...] = (),
    *,
    terms: Terms | None = None,
    first_only: bool = False,
    deadline: float | None = None,
    progress: Progress | None = None,
) -> ShardResult:
    """Run one shard of the cell, or of `terms` in its place.

    `first_only` stops at the first magic, `deadline` (time.monotonic) when it is over: then
    the result says that it is not finished.
    """
    started = time.thread_time()
    terms = terms_of(work.cell) if terms is None else terms
    if work.record and work.plan.chain:
        return _record_chain(work, number, observers, terms, first_only, deadline, progress)
    state, stretch = _begun(work, number, terms)
    sha = Hash()
    watching = (sha, *observers) if work.record else ()
    magics = _Magics()
    finished = False
    most = 1 if first_only else MOST_FOUND
    for status in _chunks(stretch, most):
        magics.collect(state)
        finished = status == DONE
        if work.record:
            for block in drain(state, finished):
                for observer in watching:
                    observer.add(block)
        if progress:
            progress(int(state.register[NODES]))
        if (first_only and magics.count) or (deadline and time.monotonic() > deadline):
            break
    if finished:
        for observer in watching:
            observer.finish()
    return ShardResult(
        number=number,
        counts=Counts(*(int(state.register[place]) for place in COUNTED)),
        leaves=int(state.register[LEAVES]) if work.record else 0,
        sha256=sha.finish() if work.record and finished else "",
        magics=tuple(magics.listed),
        magic_count=magics.count,
        seconds=time.thread_time() - started,
        finished=finished,
        engine=engine(isinstance(work.plan, LowPlan)),
    )


def _begun(work: Work, number: int, terms: Terms) -> tuple[State | LowState, Stretch]:
    """A shard at its beginning: its state, and what goes on with it."""
    _, base, _ = work.root(number)
    if isinstance(work.plan, LowPlan):
        low = low_task(terms, work.plan, work.level, record=work.record)
        low_state = new_low_state(terms, low)
        begin_low(low, low_state, np.uint64(base))
        return low_state, partial(search_low, low, low_state)
    task = task_of(terms, work.plan, work.level, record=work.record)
    state = new_state(terms, task)
    begin(task, state, base, work.plan.windows[work.level][0])
    return state, partial(search, task, state)


def _record_chain(
    work: Work,
    number: int,
    observers: tuple[LeafObserver, ...],
    terms: Terms,
    first_only: bool,
    deadline: float | None,
    progress: Progress | None,
) -> ShardResult:
    """A chain knows that cells die, not which pair kills them. So what it counts is counted,
    and a plain search of the same shard writes the leaves. Both must find the same magics.
    """
    counted = run_shard(
        replace(work, record=False), number, terms=terms, deadline=deadline, progress=progress
    )  # fmt: skip
    if not counted.finished:
        return counted
    written = run_shard(
        by_fans(work, terms), number, observers,
        terms=terms, first_only=first_only, deadline=deadline, progress=progress,
    )  # fmt: skip
    if written.finished and written.magic_count != counted.magic_count:
        raise AssertionError(
            f"shard {number} of {work.cell}: {counted.magic_count} magics along the chain, "
            f"{written.magic_count} without it"
        )
    return replace(written, counts=counted.counts, seconds=written.seconds + counted.seconds)


def _chunks(stretch: Stretch, most_found: int) -> Iterator[int]:
    """Run the kernel piece by piece, so that Python sees Ctrl-C and deadlines."""
    status = -1
    while status != DONE:
        status = stretch(NODES_AT_ONCE, most_found)
        if status == WRONG:
            raise AssertionError("a bit string killed a value for no reason")
        yield status
