"""Shards: what there is to do of a cell, one shard's search, its leaf stream, its survivors.

A plan's first steps cut a cell in shards, each a subtree of the search. `run_shard` runs one from
its root to its end and says what it came to: counts, magics, leaves and their SHA-256.

When: everything that searches windows, low bits or slots goes through here.

Why: a shard is what is claimed, recorded, sent to a cluster, replayed and checked by itself. The
same cell, plan and level give the same counts and the same leaves on every machine; so that a
replay can compare them.

Cost: a shard takes some two seconds by the plan's estimate, single ones far longer. Recording
leaves takes about twice as long as counting them.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from magicert import __version__
from magicert.cell import Cell
from magicert.search.chain.chain import Chain, chain_of, chain_plan, squares_of, without_chain
from magicert.search.chain.descent import OVER, begin_node, collect, new_chain_pads
from magicert.search.kernel.descent import search
from magicert.search.kernel.node import (
    BLOCK,
    CELLS,
    DONE,
    DROPS,
    EXAMINED,
    INTERVALS,
    LEAVES,
    MOST_INTERVALS,
    NODES,
    WORDS,
    WRITTEN,
    Leaves,
    State,
    begin,
    new_state,
    task_of,
)
from magicert.search.low.descent import WRONG, begin_low, search_low
from magicert.search.low.node import LowState, low_task, new_low_state
from magicert.search.problem import (
    MIRROR,
    AnyPlan,
    Ints,
    LowPlan,
    Plan,
    SlotPlan,
    Terms,
    bits_of,
    down,
    is_mirrored,
    mask_bits,
    terms_of,
    up,
)
from magicert.search.shards.rest import Rest, Search, can_divide, go_to, left_of, rest_of, whole
from magicert.search.slots.count import NUMBERS, count_shard, slot_engine
from magicert.system.compiled import sources
from magicert.system.deadline import FOREVER, Deadline

Root = tuple[int, int, int]
"""(w, low, high): all m with low <= m mod 2^w <= high."""
MOST_SHARDS = 1 << 12
MOST_LISTED = 10_000
"""Intervals of magics that a shard lists; all are counted."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What the search did: deterministic, so a replay must reproduce it.

    `nodes` were visited; `drops` are pieces cut off their ends; `cells` died in fans and
    chains, in `words` tests of 64 at once; `examined` occupancies were looked at in nodes.
    Where slots are counted: `nodes` are `drops` lines, of `examined` that had tables, and sums with
    another square of the file; `words` of m were tried whole.
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
    """A cell, the plan of its search, and the level at which it is cut in parts.

    With `record` the leaves are written and hashed, otherwise everything is only counted. Each
    part is a shard; but where the plan is mirrored, a shard is a part with its mirror image.
    """

    cell: Cell
    plan: AnyPlan
    level: int
    record: bool = True

    def __post_init__(self) -> None:
        if not is_mirrored(self.plan):
            return
        if self.record:
            raise ValueError('leaves are of m alone: no step "m" in their plan')
        if not 1 <= self.level <= self.plan.steps.index(MIRROR):
            raise ValueError(f'level {self.level}: expected 1 or more, up to the step "m"')

    @property
    def parts(self) -> int:
        return 1 << sum(map(bits_of, self.plan.steps[: self.level]))

    @property
    def shards(self) -> int:
        """How many shards there are: the first parts."""
        return self.parts // 2 if is_mirrored(self.plan) else self.parts

    def parts_of(self, shard: int) -> tuple[int, ...]:
        """The parts of a shard: its own, and if the plan is mirrored the one whose bits are all
        the other ones.
        """
        return (shard, self.parts - 1 - shard) if is_mirrored(self.plan) else (shard,)

    def root(self, number: int) -> Root:
        """The interval of part number n, in the order of the search."""
        low, parts_below = 0, self.parts
        for (p, q), step in zip(self.plan.windows, self.plan.steps[: self.level], strict=False):
            parts_below >>= bits_of(step)
            digit, number = divmod(number, parts_below)
            low += _reversed(digit, up(step)) << q if up(step) else digit << (p - down(step))
        p, q = self.plan.windows[self.level]
        return q, low, low + (1 << p) - 1

    def covers_all(self) -> bool:
        """Whether the roots of the parts, together, are all m: each multiple of 2^p below 2^q
        begins one, for the window [p, q) at the level.
        """
        p, q = self.plan.windows[self.level]
        roots = {self.root(number) for number in range(self.parts)}
        return roots == {(q, low, low + (1 << p) - 1) for low in range(0, 1 << q, 1 << p)}


def _reversed(digit: int, bits: int) -> int:
    """The digit with its bits in reverse: the lowest new bit of m divides the children first."""
    return int(f"{digit:0{bits}b}"[::-1], 2)


def level_for(plan: AnyPlan, shards: float) -> int:
    """The first level that cuts a plan's search in at least so many parts, MOST_SHARDS at most. A
    mirrored plan has two or more.
    """
    shards = max(shards, 2) if is_mirrored(plan) else shards
    count = 1
    for level, step in enumerate(plan.steps):
        finer = count << bits_of(step)
        if count >= shards or finer > MOST_SHARDS or step == MIRROR:
            return level
        count = finer
    return 0


@dataclass(frozen=True, slots=True)
class ShardResult:
    """What a shard came to. `sha256` is empty where nothing was recorded.

    `magics` are intervals [low, high] modulo 2^w of the whole cell, at most MOST_LISTED of
    them; `magic_count` counts every magic. `seconds` are of one core, by the `engine` named.
    `survivors` and `digest` are of the shard's chain, where it was asked for. Of a search that was
    stopped, all is of what was done, and `rest` is what is left, where that can be said.
    """

    number: int
    counts: Counts
    leaves: int
    sha256: str
    magics: tuple[tuple[int, int], ...]
    magic_count: int
    seconds: float
    finished: bool = True
    survivors: int = 0
    digest: str = ""
    engine: str = ""
    rest: Rest | None = None

    def joined(self, then: "ShardResult") -> "ShardResult":
        """With what came then, in the order of the search, by the same program."""
        assert (self.number, self.engine) == (then.number, then.engine)
        return replace(
            then,
            counts=self.counts + then.counts,
            magics=(*self.magics, *then.magics)[:MOST_LISTED],
            magic_count=self.magic_count + then.magic_count,
            seconds=self.seconds + then.seconds,
        )


# The leaf stream: blocks of columns in the format of docs/cover-certificates.md.


class LeafObserver(Protocol):
    """Whoever receives a shard's leaf stream: a hash, a file, a checker.

    `add` gets one block at a time; `finish` is called once after the last.
    """

    def add(self, block: bytes) -> None:
        """The next block of the stream."""

    def finish(self) -> object:
        """The stream is complete."""


class LeafBuffer(Protocol):
    """A state of either search: its leaf buffer, and how much is in it."""

    @property
    def register(self) -> Ints:
        """The counts, and where the search stands."""

    @property
    def leaves(self) -> Leaves:
        """The leaf buffer."""


def drain(state: LeafBuffer, last: bool) -> list[bytes]:
    """Take the full blocks out of the leaf buffer; with `last`, what is left as well."""
    blocks = []
    leaf_count = int(state.register[WRITTEN])
    place = 0
    while leaf_count - place >= BLOCK or (last and place < leaf_count):
        count = min(BLOCK, leaf_count - place)
        blocks.append(_block(state.leaves, place, place + count))
        place += count
    remaining = leaf_count - place
    if place:
        for column in state.leaves[:5]:
            column[:remaining] = column[place:leaf_count]
        state.register[WRITTEN] = remaining
    return blocks


def _block(leaves: Leaves, start: int, stop: int) -> bytes:
    """Some leaves as one block, every column as narrow as it can be."""
    width, gap, span = leaves.width[start:stop], leaves.gap[start:stop], leaves.span[start:stop]
    first, second = leaves.first[start:stop], leaves.second[start:stop]
    columns = []
    same_width = bool((width == width[0]).all())
    if not same_width:
        columns.append(width.tobytes())
    gaps = bool(gap.any())
    if gaps:
        columns.append(gap.astype("<u8").tobytes())
    span_bytes = next(size for size in (1, 2, 4, 8) if int(span.max()) < 1 << (8 * size))
    columns.append(span.astype(f"<u{span_bytes}").tobytes())
    number_bytes = 1 if max(int(first.max()), int(second.max())) < 256 else 2
    columns += [column.astype(f"<u{number_bytes}").tobytes() for column in (first, second)]
    head = (stop - start).to_bytes(4, "little") + bytes(
        [int(width[0]) if same_width else 255, 8 * gaps, span_bytes, number_bytes]
    )
    return head + b"".join(columns)


# One shard: a subtree of the search, run from its root to its end.

COUNT_PLACES = (NODES, DROPS, CELLS, WORDS, EXAMINED)
"""Where a state has its counts, in the order of Counts."""
Progress = Callable[[int, float], None]
"""Called now and then with the nodes visited so far, and the part of the shard's m that is left."""
NODES_AT_ONCE = 1 << 18
FILE_SQUARES, CHAIN_CELLS = 6, 4
"""Of a rook of rank 1, where leaves are written in place of counted slots."""


@cache
def engine(low: bool = False) -> str:
    """What runs a shard here: the version, and a hash of the compiled code's sources."""
    if low:
        return f"magicert {__version__} low-bits-first search {sources(search_low.__module__)[:16]}"
    return f"magicert {__version__} window search {sources(search.__module__)[:16]}"


def program_of(plan: AnyPlan) -> str:
    """What runs the shards of a plan here: what `ShardResult.engine` says of them then."""
    return slot_engine() if isinstance(plan, SlotPlan) else engine(isinstance(plan, LowPlan))


def by_fans(work: Work, terms: Terms) -> Work:
    """The same parts, searched without a chain or a mirror, so that leaves can be written."""
    plan, level = work.plan, work.level
    if isinstance(plan, SlotPlan):
        bits, level = mask_bits(terms), plan.top_bits
        chained = chain_plan(terms, bits[:-FILE_SQUARES], bits[-FILE_SQUARES:], CHAIN_CELLS)
        plan = replace(chained, early=0)  # measured: a third less leaves
    if isinstance(plan, Plan):
        plan = without_chain(plan, terms)
    return replace(work, plan=plan, level=level, record=True)


def leaf_work(work: Work) -> Work:
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
class _MagicIntervals:
    """Intervals of magics: in each, no product changes its bucket."""

    listed: list[tuple[int, int]] = field(default_factory=list)
    count: int = 0

    def collect(self, state: State | LowState) -> None:
        interval_count = int(state.register[INTERVALS])
        for low, high in state.intervals[:interval_count].tolist():
            self.count += high - low + 1
            if len(self.listed) < MOST_LISTED:
                self.listed.append((low, high))
        state.register[INTERVALS] = 0


def run_shard(
    work: Work,
    number: int,
    observers: tuple[LeafObserver, ...] = (),
    *,
    terms: Terms | None = None,
    first_only: bool = False,
    deadline: Deadline = FOREVER,
    progress: Progress | None = None,
    rest: Rest | None = None,
    seconds: float | None = None,
) -> ShardResult:
    """Run one shard of the cell, or of `terms` in its place; or the `rest` of one.

    `first_only` stops at the first magic, `deadline` when it is over, and so many `seconds` after
    the rest was reached, or three times as many as that took: then the result says that it is not
    finished, and what is left. StrayRestError for a rest that the shard does not have.
    """
    started = time.thread_time()
    terms = terms_of(work.cell) if terms is None else terms
    if isinstance(work.plan, SlotPlan):
        return _count_slots(work, work.plan, number, terms, first_only, deadline, progress)
    if work.record and work.plan.chain:
        return _record_chain(work, number, observers, terms, first_only, deadline, progress)
    state, stretch, chain = _start_shard(work, number, terms)
    sha = Hash()
    watching = (sha, *observers) if work.record else ()
    magics = _MagicIntervals()
    most_intervals = 1 if first_only else MOST_INTERVALS
    top = 0
    if rest is not None and rest != whole(work, number):
        go_to(state, stretch, rest, chain)
        top = rest.top
        for place in COUNT_PLACES:
            state.register[place] = 0
    deadline = _stretch_deadline(deadline, seconds, time.thread_time() - started)
    finished, left = False, rest
    for status in _chunks(stretch, most_intervals):
        magics.collect(state)
        finished = status == DONE
        if work.record:
            for block in drain(state, finished):
                for observer in watching:
                    observer.add(block)
        if finished:
            break
        if progress:
            progress(int(state.register[NODES]), left_of(work, state, top))
        if (first_only and magics.count) or deadline.over:
            left = rest_of(state, stretch, top) if can_divide(work) else None
            finished = left is None and can_divide(work)
            break
    if finished:
        for observer in watching:
            observer.finish()
    return ShardResult(
        number=number,
        counts=Counts(*(int(state.register[place]) for place in COUNT_PLACES)),
        leaves=int(state.register[LEAVES]) if work.record else 0,
        sha256=sha.finish() if work.record and finished else "",
        magics=tuple(magics.listed),
        magic_count=magics.count,
        seconds=time.thread_time() - started,
        finished=finished,
        engine=engine(isinstance(work.plan, LowPlan)),
        rest=None if finished else left,
    )


def _stretch_deadline(deadline: Deadline, seconds: float | None, way: float) -> Deadline:
    """When a stretch of so many `seconds` ends, to begin with which took `way` seconds."""
    if seconds is None:
        return deadline
    return Deadline(min(deadline.ends, Deadline.after(max(seconds, 3 * way)).ends))


def _count_slots(
    work: Work,
    plan: SlotPlan,
    number: int,
    terms: Terms,
    first_only: bool,
    deadline: Deadline,
    progress: Progress | None,
) -> ShardResult:
    """A shard by the program that counts slots. Of the two halves of a slot it takes the upper one,
    with its mirror image.
    """
    parts = work.parts_of(number)
    step = next(part >> 1 for part in parts if part & 1)
    counted = count_shard(terms, plan, step, first_only, deadline, progress)
    # A magic on the boundary of two halves, and its mirror image, are in another shard as well.
    magics = sorted(m for m in counted.magics if m >> plan.low_bits in parts)
    tables, lines, *squares, words = counted.numbers or [0] * NUMBERS
    return ShardResult(
        number=number,
        counts=Counts(lines + sum(squares), lines, 0, words, tables),
        leaves=0,
        sha256="",
        magics=tuple((magic, magic) for magic in magics[:MOST_LISTED]),
        magic_count=len(magics),
        seconds=counted.seconds,
        finished=bool(counted.numbers),
        engine=slot_engine(),
    )


def _start_shard(
    work: Work, number: int, terms: Terms
) -> tuple[State | LowState, Search, Chain | None]:
    """A shard at its beginning: its state, what goes on with it, and a window plan's chain."""
    _, base, _ = work.root(number)
    if isinstance(work.plan, LowPlan):
        low = low_task(terms, work.plan, work.level, record=work.record)
        low_state = new_low_state(terms, low)
        begin_low(low, low_state, np.uint64(base))
        return low_state, partial(search_low, low, low_state), None
    assert isinstance(work.plan, Plan)
    task = task_of(terms, work.plan, work.level, record=work.record)
    state = new_state(terms, task)
    begin(task, state, base, work.plan.windows[work.level][0])
    return state, partial(search, task, state), task.chain


def _record_chain(
    work: Work,
    number: int,
    observers: tuple[LeafObserver, ...],
    terms: Terms,
    first_only: bool,
    deadline: Deadline,
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
    with_leaves = run_shard(
        by_fans(work, terms), number, observers,
        terms=terms, first_only=first_only, deadline=deadline, progress=progress,
    )  # fmt: skip
    if with_leaves.finished and with_leaves.magic_count != counted.magic_count:
        raise AssertionError(
            f"shard {number} of {work.cell}: {counted.magic_count} magics along the chain, "
            f"{with_leaves.magic_count} without it"
        )
    return replace(
        with_leaves, counts=counted.counts, seconds=with_leaves.seconds + counted.seconds
    )


def _chunks(stretch: Search, most_intervals: int) -> Iterator[int]:
    """Run the kernel piece by piece, so that Python sees Ctrl-C and deadlines."""
    status = -1
    while status != DONE:
        status = stretch(NODES_AT_ONCE, most_intervals)
        if status == WRONG:
            raise AssertionError("a bit string killed a value for no reason")
        yield status


# Counting a chain's survivors again, apart from the search: one number and one digest a shard.
#
# The root of a shard is cut in *nodes*: the intervals that the chain begins with. A node is dead on
# its line if two patterns of the line with different attack sets stay in one and the same bucket
# for all its m; such a node counts nothing. In each other node all cells of the last square
# that no relation rules out are *survivors*. The digest is the SHA-256 of where they begin, in
# ascending order, each as an unsigned 64-bit little-endian number. A program that shares
# nothing with this one (verify/recount/recount.c) must come to the same.

STARTS_PER_CALL = 1 << 16


@dataclass(frozen=True, slots=True)
class Recount:
    """How many survivors a shard has, and the digest of where they begin."""

    survivors: int
    sha256: str


def recount_shard(work: Work, number: int, terms: Terms | None = None) -> Recount:
    """Count the survivors of a shard's chain. ValueError where the plan has no chain, or is
    mirrored, or the shards are cut below it.
    """
    terms = terms_of(work.cell) if terms is None else terms
    if not isinstance(work.plan, Plan) or not work.plan.chain:
        raise ValueError(f"{work.plan.text}: the plan has no chain")
    if is_mirrored(work.plan):
        raise ValueError(f"{work.plan.text}: a mirrored chain is not counted again")
    step = work.plan.steps.index(work.plan.chain)
    if work.level > step:
        raise ValueError(f"level {work.level}: expected at most {step}, where the chain begins")
    chain = chain_of(work.plan, terms, step, step + 1)
    pads = new_chain_pads(chain)
    shift = np.uint64(terms.shift)
    starts = np.zeros(STARTS_PER_CALL, dtype=np.uint64)
    sha = hashlib.sha256()
    survivors = 0
    _, low, high = work.root(number)
    p = work.plan.windows[step][0]
    line = sum(1 << bit for bit in squares_of(work.plan, terms, step).line)
    for base in range(low, high + 1, 1 << p):
        if dead_on_its_line(terms, line, base, p):
            continue
        begin_node(chain, pads, shift, np.uint64(base))
        outcome = -1
        while outcome != OVER:
            count, outcome = collect(chain, pads, shift, starts)
            sha.update(starts[:count].astype("<u8").tobytes())
            survivors += count
    return Recount(survivors, sha.hexdigest())


def dead_on_its_line(terms: Terms, line: int, base: int, p: int) -> bool:
    """Whether two occupancies within `line` conflict on all m from `base` to base + 2^p - 1."""
    rows = np.flatnonzero((terms.multiplicand & ~np.uint64(line)) == 0)
    x = terms.multiplicand[rows]
    value: NDArray[np.uint64] = x * np.uint64(base) + terms.constant[rows]
    bucket = np.uint64(1 << terms.shift)
    stays = (value & (bucket - np.uint64(1))) + x * np.uint64((1 << p) - 1) < bucket
    slots, attacks = value[stays] >> np.uint64(terms.shift), terms.attack[rows][stays]
    order = np.argsort(slots, kind="stable")
    slots, attacks = slots[order], attacks[order]
    return bool(((slots[1:] == slots[:-1]) & (attacks[1:] != attacks[:-1])).any())
