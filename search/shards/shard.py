"""One shard: a subtree of the search, run from its root to its end."""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from magicert.cell import Cell
from magicert.search.chain.chain import Chain, chain_of, plain
from magicert.search.kernel.descent import DONE, Products, search
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
from magicert.search.problem.plan import Plan, PlanArrays, arrays_of, bits_of, down
from magicert.search.problem.terms import Terms, terms_of
from magicert.search.shards.stream import LeafObserver, drain

Root = tuple[int, int, int]
"""(w, low, high): all m with low <= m mod 2^w <= high."""
Progress = Callable[[int], None]
"""Called now and then with the tests done so far."""
NODES_AT_ONCE = 1 << 18
MOST_LISTED = 10_000


@dataclass(frozen=True, slots=True)
class Counts:
    """What the search did: deterministic, so a replay must reproduce it.

    `nodes` were visited; `drops` are pieces cut off their ends; `cells` died in fans and
    chains, in `words` tests of 64 at once; `examined` occupancies were looked at in nodes.
    """

    nodes: int = 0
    drops: int = 0
    cells: int = 0
    words: int = 0
    examined: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(a + b for a, b in zip(self.values, other.values, strict=True)))

    @property
    def values(self) -> tuple[int, int, int, int, int]:
        """As a tuple, in the order of the fields."""
        return self.nodes, self.drops, self.cells, self.words, self.examined

    @property
    def tests(self) -> int:
        """Nodes visited and words of cells tested."""
        return self.nodes + self.words


@dataclass(frozen=True, slots=True)
class Work:
    """A cell, the plan of its search, and the level at which it is cut in shards.

    With `record` the leaves are written and hashed, otherwise everything is only counted.
    """

    cell: Cell
    plan: Plan
    level: int
    record: bool = True

    @property
    def shards(self) -> int:
        """How many shards there are."""
        return 1 << sum(map(bits_of, self.plan.steps[: self.level]))

    def root(self, number: int) -> Root:
        """The interval of shard number n, in the order of the search."""
        low, left = 0, self.shards
        for (p, q), step in zip(self.plan.windows, self.plan.steps[: self.level], strict=False):
            left >>= bits_of(step)
            digit, number = divmod(number, left)
            low += digit << (q if step == "u" else p - down(step))
        p, q = self.plan.windows[self.level]
        return q, low, low + (1 << p) - 1


def level_for(plan: Plan, shards: float) -> int:
    """The first level that cuts a plan's search in at least so many shards (at most 4096)."""
    count = 1
    for level, step in enumerate(plan.steps):
        more = count << bits_of(step)
        if count >= shards or more > 4096:
            return level
        count = more
    return 0


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What a shard came to. `sha256` is empty where nothing was recorded.

    `magics` are intervals [low, high] modulo 2^w of the whole cell, at most MOST_LISTED of
    them; `magic_count` counts every magic. `seconds` are of one core.
    """

    number: int
    counts: Counts
    leaves: int
    sha256: str
    magics: tuple[tuple[int, int], ...]
    magic_count: int
    seconds: float
    finished: bool = True


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

    def collect(self, state: State) -> None:
        found = int(state.register[FOUND])
        for low, high in state.found[:found].tolist():
            self.count += high - low + 1
            if len(self.listed) < MOST_LISTED:
                self.listed.append((low, high))
        state.register[FOUND] = 0


def cell_key(cell: Cell) -> tuple[object, ...]:
    """What makes two cells the same question."""
    fixed = tuple(sorted(cell.fixed.items()))
    return cell.scheme.name, cell.piece.value, cell.square, cell.bits, fixed, cell.largest_index


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
    arrays = arrays_of(work.plan, terms, work.level)
    chain = chain_of(work.plan, terms, work.level, len(work.plan.steps))
    state = new_state(terms, arrays, chain, work.plan.units_log2, work.record)
    products = Products(terms.multiplicand, terms.constant, terms.attack)
    begin(state, work.root(number)[1], work.plan.windows[work.level][0])
    sha = Hash()
    watching = (sha, *observers) if work.record else ()
    magics = _Magics()
    finished = False
    most = 1 if first_only else MOST_FOUND
    for status in _chunks(terms, arrays, chain, state, products, work, most):
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
    register = [int(value) for value in state.register]
    return ShardResult(
        number=number,
        counts=Counts(*(register[n] for n in (NODES, DROPS, CELLS, WORDS, EXAMINED))),
        leaves=register[LEAVES] if work.record else 0,
        sha256=sha.finish() if work.record and finished else "",
        magics=tuple(magics.listed),
        magic_count=magics.count,
        seconds=time.thread_time() - started,
        finished=finished,
    )


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
        replace(work, plan=plain(work.plan, terms)), number, observers,
        terms=terms, first_only=first_only, deadline=deadline, progress=progress,
    )  # fmt: skip
    if written.finished and written.magic_count != counted.magic_count:
        raise AssertionError(
            f"shard {number} of {work.cell}: {counted.magic_count} magics along the chain, "
            f"{written.magic_count} without it"
        )
    return replace(written, counts=counted.counts, seconds=written.seconds + counted.seconds)


def _chunks(
    terms: Terms,
    arrays: PlanArrays,
    chain: Chain,
    state: State,
    products: Products,
    work: Work,
    most: int,
) -> Iterator[int]:
    """Run the kernel piece by piece, so that Python sees Ctrl-C and deadlines."""
    shift, units = np.uint64(terms.shift), np.uint64(work.plan.units_log2)
    status = -1
    while status != DONE:
        status = search(
            products, arrays, chain, state, shift, units, work.record, NODES_AT_ONCE, most
        )  # fmt: skip
        yield status
