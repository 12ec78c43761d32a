"""Plans for the window search: candidates, the estimated size of each, and the choice.

A plan is the order in which the window, the known bits p to q - 1 of the magic, grows. To take a
bit of the mask is to grow the window until that bit's product is known to a fraction of a bucket:
down (p falls) for bits above those taken, up (q rises) for bits below. A candidate's size is
estimated by sampling: a few levels of its tree are searched from random nodes, and a random part of
the survivors stands for all of them in the next levels.

When: once for a cell of which the ledger has nothing yet.

Why: orders differ by large factors, and which is best depends on the square: both ways for the
middle of the board, down from the top for ranks 1 to 3.

Cost: twenty seconds unless `-O planning=` says otherwise, less if the cell is cheap, a few times
that if chains are tried. Most estimates are within a factor of 2. Rare structured magics can be
missed by a sample, and a few prefixes may hold most of a tree (bishop h8), so an estimate proves
nothing.

`Subtrees`, at the end, are small random parts of shards, which `check --sample` searches anew.
"""

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import TypeVar

import numpy as np

from magicert.search.chain.chain import SPACING, chain_plan, check_plan, squares_of
from magicert.search.kernel.descent import probe
from magicert.search.kernel.node import INTERVALS, LOOKED, new_state, task_of
from magicert.search.low.descent import probe_low
from magicert.search.low.node import low_task, new_low_state
from magicert.search.problem import (
    AnyPlan,
    Ints,
    LowPlan,
    Plan,
    Terms,
    Words,
    bits_of,
    is_mirrored,
    low_plan,
    mask_bits,
    terms_of,
)
from magicert.search.shards.shard import (
    COUNT_PLACES,
    Counts,
    LeafObserver,
    Root,
    Work,
    by_fans,
    run_shard,
)
from magicert.system.deadline import FOREVER, BudgetOverError, Deadline

EASY_BITS = 6
"""With up to so many mask bits every order is a candidate; with more only a few are."""
FAN_GAP = 6
"""A mask bit that is at least so many bits above all those taken before is taken by a fan."""
LATEST = 4
"""A chain begins at most so many bits later than it could."""


def default_plan(terms: Terms, order: list[int]) -> Plan:
    """The setting that suits most cells."""
    return build_plan(terms, order, max(1, 6 - terms.bits), 6, 0)


def plans_for_order(terms: Terms, order: list[int]) -> Iterator[Plan]:
    """Plans for one order of the mask bits."""
    least = max(0, 6 - terms.bits)
    for units in sorted({max(least, 1), max(least, 2)}):
        for fan in (6, 8, 1):
            for early in sorted({0, min(3, terms.bits - 1)}):
                yield build_plan(terms, order, units, fan, early)


def low_plans(terms: Terms) -> Iterator[LowPlan]:
    """The plan with low bits first, where the multiplicands are those of a mask."""
    plan = low_plan(terms)
    try:
        plan.check(terms)
    except ValueError:
        return
    yield plan


def chain_plans(terms: Terms) -> Iterator[Plan]:
    """Plans that take the squares of a file in one chain, after those of the line below; the
    longest chains first, because what a short one leaves can take a minute to sample.
    """
    bits = mask_bits(terms)
    run = 1
    while run < len(bits) and bits[-run] - bits[-run - 1] == SPACING:
        run += 1
    for last in range(len(bits) - 1, 0, -1):
        for cells in (4, 3):
            for first in range(len(bits) - run, last - 1):
                plan = chain_plan(terms, bits[:first], bits[first : last + 1], cells)
                try:
                    check_plan(plan, terms)
                except ValueError:
                    continue
                yield plan


def delayed_chain_plans(plan: Plan, terms: Terms) -> Iterator[Plan]:
    """The plan with its chain begun up to LATEST bits later, for the same squares: more nodes build
    tables, and these reject more.
    """
    if not plan.chain:
        return
    place = plan.steps.index(plan.chain)
    before, behind = plan.steps[:place], plan.steps[place + 1 :]
    squares = squares_of(plan, terms, place).chain
    width, _, cells = plan.chain[1:].partition(".")
    for bits in range(1, min(LATEST + 1, int(width))):
        chain = f"c{int(width) - bits}.{cells}"
        delayed = replace(plan, steps=(*before, *["d1"] * bits, chain, *behind))
        try:
            check_plan(delayed, terms)
        except ValueError:
            return
        if squares_of(delayed, terms, place + bits).chain != squares:
            return
        yield delayed


def candidate_plans(terms: Terms) -> Iterator[Plan]:
    """All window plans without chains, for every order of `bit_orders`."""
    for order in bit_orders(mask_bits(terms)):
        yield from plans_for_order(terms, order)


def bit_orders(bits: list[int]) -> Iterator[list[int]]:
    """Orders in which the bits taken so far are always adjacent in `bits`. With many bits only
    those that go down, then all the way up, then down.
    """
    count = len(bits)
    if not bits:  # the only word is 0
        yield []
        return
    if count <= EASY_BITS:
        for pattern in range(1 << (count - 1)):
            yield from _order_from_choices(bits, [pattern >> n & 1 for n in range(count - 1)])
        return
    for start in range(count):
        for deep in range(count - start):
            yield from _order_from_choices(
                bits, [0] * deep + [1] * start + [0] * (count - 1 - start - deep)
            )


def _order_from_choices(bits: list[int], ups: list[int]) -> Iterator[list[int]]:
    """The order that takes the next lower bit at each 1, the next higher one at each 0."""
    below, above = sum(ups) - 1, sum(ups) + 1
    order = [bits[sum(ups)]]
    for up in ups:
        if up:
            order.append(bits[below])
            below -= 1
        else:
            order.append(bits[above])
            above += 1
    yield order


def build_plan(terms: Terms, order: list[int], units_log2: int, fan: int, early: int) -> Plan:
    """The plan that takes mask bits in this order, with fans of up to 2^fan cells where a
    bit is at least FAN_GAP above those taken before.
    """
    p = q = 64 - order[0] if order else 0
    start = q
    steps: list[str] = []
    for place, bit in enumerate(order):
        if 64 - bit > q:
            steps += ["u"] * (64 - bit - q)
            q = 64 - bit
            continue
        target = max(0, terms.shift - units_log2 - bit)
        lonely = place > 0 and bit - max(order[:place]) >= FAN_GAP
        width = min(fan if lonely else 1, p - target)
        steps += ["d1"] * (p - target - width)
        if width > 0:
            steps.append(f"d{width}")
        p = min(p, target)
    steps += ["u"] * (terms.width - q) + ["d1"] * p
    return Plan(start, tuple(steps), units_log2, early)


# How large the search that a plan describes is likely to be, from a random sample.
#
# The tree is searched in stages of a few levels. At the end of each stage a few hundred random
# survivors stand for all. That gives the size of the whole within a small factor; rare
# structured magics can be missed by a sample, so an estimate proves nothing.

COSTS = Counts(nodes=30, drops=8, cells=0, words=5)
"""Nanoseconds per count on one core of 2024: only for choosing and estimating."""
LOOK_COST = 3
"""Nanoseconds per occupancy that a node looks at; many are refuted before they look at all."""
LOW_COSTS = Counts(nodes=20, drops=8, cells=0, words=1, examined=2)
"""The same with low bits first."""
STAGE_BITS = 7
"""A stage ends once it has taken so many bits of the magic."""
LONGEST_STAGE = 8
"""With low bits first a stage has at most so many bits, or a single step."""
WINDOW_INTERVALS, CHAIN_INTERVALS, LOW_INTERVALS = 1 << 15, 1 << 21, 1 << 18
"""Room for the intervals that survive a stage: of windows, of a chain, with low bits first."""
CHAIN_ROOTS = 64
"""Roots from which a chain is sampled: each builds its own tables, which can take seconds."""
ROOTS_AT_ONCE = 16
"""Roots that are searched between two looks at the clock; one if a stage has little time."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A plan, and how large its whole search is likely to be.

    A chain spends its time on tables, which no count shows: so its `chain_seconds` are measured.
    Its `chain_counts` are part of `counts`. `looked` is how many occupancies the nodes look at
    until they are refuted, without the chain's.
    """

    plan: AnyPlan
    counts: Counts = field(default_factory=Counts)
    looked: int = 0
    chain_counts: Counts = field(default_factory=Counts)
    chain_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """On one core, counting only."""
        prices = LOW_COSTS if isinstance(self.plan, LowPlan) else COSTS
        costs = zip(prices.values, self.counts.values, self.chain_counts.values, strict=True)
        nanoseconds = sum(cost * (n - chain) for cost, n, chain in costs) + LOOK_COST * self.looked
        return self.chain_seconds + 1e-9 * nanoseconds

    def __str__(self) -> str:
        return f"some {self.counts.tests:.1g} tests, or far more"


@dataclass(frozen=True, slots=True)
class _Stage:
    """The result of one stage: how many roots were searched, the counts below them, and the
    survivors by the lowest magic of each.
    """

    roots_done: int
    counts: Counts
    looked: int
    survivors: list[int]
    seconds: float


def sample(
    terms: Terms,
    plan: AnyPlan,
    roots: int,
    seed: int,
    limit: float = math.inf,
    deadline: Deadline = FOREVER,
    for_stage: float = math.inf,
) -> Estimate | None:
    """Estimate a plan's counts; None as soon as they cost more than `limit` seconds. A stage that
    takes more than `for_stage` seconds to sample is sampled from fewer roots, at least from one.

    Raises BudgetOverError at the deadline.
    """
    assert not is_mirrored(plan), "behind a step m a root would need a side"
    rng = random.Random(f"{seed} {plan.text}")
    estimate = Estimate(plan)
    level, pool = 0, [0]
    weight = 1.0  # how many nodes of the whole tree each root in the pool stands for
    while level < len(plan.steps) and pool:
        end = _stage_end(plan, level)
        chained = plan.steps[level][0] == "c"
        if chained and len(pool) > CHAIN_ROOTS:
            weight *= len(pool) / CHAIN_ROOTS
            pool = pool[:CHAIN_ROOTS]
        stage = _run_stage(terms, plan, level, end, pool, deadline, for_stage)
        weight *= len(pool) / stage.roots_done
        counts = Counts(*(int(weight * max(0, count)) for count in stage.counts.values))
        estimate = replace(estimate, counts=estimate.counts + counts)
        if chained:
            seconds = weight * stage.seconds
            estimate = replace(estimate, chain_counts=counts, chain_seconds=seconds)
        else:
            looked = estimate.looked + int(weight * max(0, stage.looked))
            estimate = replace(estimate, looked=looked)
        if estimate.seconds > limit:
            return None
        pool = rng.sample(stage.survivors, min(roots, len(stage.survivors)))
        if pool:
            weight *= len(stage.survivors) / len(pool)
        level = end
    return estimate


def _run_stage(
    terms: Terms,
    plan: AnyPlan,
    level: int,
    end: int,
    pool: list[int],
    deadline: Deadline,
    most_seconds: float,
) -> _Stage:
    """Search a stage from the roots in the pool, each given by its lowest magic, for `most_seconds`
    or a little more.
    """
    low_first = isinstance(plan, LowPlan)
    search_roots, register, intervals, counted_before = (
        _low_stage if low_first else _window_stage
    )(terms, plan, level, end)
    roots = np.array(pool, dtype=np.uint64)
    started = time.thread_time()
    batch = ROOTS_AT_ONCE if most_seconds == math.inf else 1
    roots_done, seconds = 0, 0.0
    while (
        roots_done < len(roots)
        and register[INTERVALS] <= len(intervals) // 2
        and seconds <= most_seconds
    ):
        deadline.check()
        roots_done += search_roots(roots[roots_done : roots_done + batch])
        seconds = time.thread_time() - started
    nodes, drops, cells, words, examined = (int(register[place]) for place in COUNT_PLACES)
    # The roots were counted at the end of the stage before.
    counts = Counts(nodes - roots_done, drops, cells, words, examined - roots_done * counted_before)
    looked = 0 if low_first else int(register[LOOKED]) - roots_done * counted_before
    p = plan.windows[end][0]
    starts = intervals[: int(register[INTERVALS]), 0]
    return _Stage(roots_done, counts, looked, [int(start) >> p << p for start in starts], seconds)


_StageSearch = tuple[Callable[[Words], int], Ints, Words, int]
"""A function that searches a stage from some roots and returns from how many it did; its register
of counts; the intervals that it found; and how many occupancies of a root the stage before had
examined already.
"""


def _window_stage(terms: Terms, plan: AnyPlan, level: int, end: int) -> _StageSearch:
    assert isinstance(plan, Plan)
    task = task_of(terms, plan, level, end)
    state = new_state(terms, task, WINDOW_INTERVALS if task.chain.level < 0 else CHAIN_INTERVALS)
    return partial(probe, task, state), state.register, state.intervals, int(task.plan.first[1])


def _low_stage(terms: Terms, plan: AnyPlan, level: int, end: int) -> _StageSearch:
    assert isinstance(plan, LowPlan)
    task = low_task(terms, plan, level, end)
    state = new_low_state(terms, task, LOW_INTERVALS)
    return partial(probe_low, task, state), state.register, state.intervals, 0


def _stage_end(plan: AnyPlan, level: int) -> int:
    """The level where a stage ends, some STAGE_BITS on; a chain is a stage by itself."""
    bits, end = 0, level
    while end < len(plan.steps) and bits < STAGE_BITS:
        long = isinstance(plan, LowPlan) and bits + bits_of(plan.steps[end]) > LONGEST_STAGE
        if bits and (long or plan.steps[end][0] == "c"):
            break
        bits += bits_of(plan.steps[end])
        end += 1
    return end


# Choosing a plan of either kind: the cheapest of many by the estimates.

ROOTS, FINALIST_ROOTS = 48, 1000
"""How many survivors of a stage stand for all: for a candidate, and for a finalist."""
COST_LIMIT = 4
"""A candidate is given up once it costs so many times the best one before it."""
BEST_ORDERS, FINALISTS = 3, 4
ORDERS_SHARE, SETTINGS_SHARE = 0.6, 0.4
"""Parts of the budget for the orders and for the settings of the best orders."""
LEAST_BUDGET = 0.5
"""Least seconds for sampling windows if the plan with low bits first is cheap."""
CHAIN_SECONDS = 60.0
"""Chains are tried only if the best other plan takes more: their samples take seconds each."""
STAGE_SHARE, FINALIST_SHARE = 0.05, 0.5
"""Parts of the budget for one stage of a chain, so that each gets a turn, and of a finalist."""


def choose_plan(
    terms: Terms,
    seed: int = 1,
    budget: float = 20.0,
    say: Callable[[str], None] | None = None,
    deadline: Deadline = FOREVER,
    low: bool = True,
) -> Estimate:
    """The cheapest plan that sampling finds in `budget` seconds or a little more (a few times that
    if chains are tried), or by the deadline. Only window plans, unless `low`.

    Raises BudgetOverError if the deadline comes before the first estimate.
    """
    trials = _Trials(terms, seed, deadline)
    try:
        # There is one plan with low bits first: if it is cheap, windows get little time.
        trials.run(low_plans(terms) if low else (), 0.0)
        for estimate in trials.estimates:
            budget = min(budget, max(LEAST_BUDGET, estimate.seconds))
        # The orders first, each with one setting; then all settings of the best orders.
        by_default = {default_plan(terms, order): order for order in bit_orders(mask_bits(terms))}
        trials.run(by_default, ORDERS_SHARE * budget)
        ranked = sorted(
            (e.seconds, by_default[e.plan])
            for e in trials.estimates
            if isinstance(e.plan, Plan) and e.plan in by_default
        )
        best = [plans_for_order(terms, order) for _, order in ranked[:BEST_ORDERS]]
        trials.run(chain.from_iterable(best), SETTINGS_SHARE * budget)
        if trials.ranked() and trials.ranked()[0].seconds > CHAIN_SECONDS:
            trials.run(chain_plans(terms), budget, STAGE_SHARE * budget)
            best_plan = trials.ranked()[0].plan
            if isinstance(best_plan, Plan) and best_plan.chain:
                trials.run(delayed_chain_plans(best_plan, terms), budget, STAGE_SHARE * budget)
        finalists = trials.resample_finalists(FINALIST_SHARE * budget)
    except BudgetOverError:
        finalists = trials.ranked()
        if not finalists:
            raise
    chosen = min(finalists, key=lambda estimate: estimate.seconds)
    if say:
        say(f"{len(trials.estimates)} plans sampled; chosen: {chosen.plan.text}")
    return chosen


class _Trials:
    """The plans whose samples reached the last level."""

    def __init__(self, terms: Terms, seed: int, deadline: Deadline) -> None:
        self.terms, self.seed, self.deadline = terms, seed, deadline
        self.estimates: list[Estimate] = []

    def run(self, plans: Iterable[AnyPlan], seconds: float, for_stage: float = math.inf) -> None:
        """Sample plans, at least one, until so many seconds have passed. They count from the end
        of the first sample, which may have had to compile the kernel.
        """
        end = None
        for plan in plans:
            best = min((estimate.seconds for estimate in self.estimates), default=math.inf)
            limit = COST_LIMIT * best
            estimate = sample(self.terms, plan, ROOTS, self.seed, limit, self.deadline, for_stage)
            if estimate is not None:
                self.estimates.append(estimate)
            end = end or Deadline.after(seconds)
            if end.over:
                break

    def ranked(self) -> list[Estimate]:
        """The estimates, the cheapest first."""
        return sorted(self.estimates, key=lambda estimate: estimate.seconds)

    def resample_finalists(self, for_stage: float) -> list[Estimate]:
        """The finalists, sampled with another seed and from more roots: the best of many small
        samples was lucky, too.
        """
        resampled = [
            sample(
                self.terms, first.plan, FINALIST_ROOTS, self.seed + 1,
                deadline=self.deadline, for_stage=for_stage,
            )
            for first in self.ranked()[:FINALISTS]
        ]  # fmt: skip
        return [estimate for estimate in resampled if estimate is not None]


# Small random subtrees of shards, each searched anew by fans, with every leaf written.
#
# Each is what lies below a random child of a random child ... of a shard's root. A sample of the
# plan says at which level subtrees are small; one that still has more leaves than fit in a block
# is replaced by one of its children. If the plan has a chain, the same order is searched without
# it, so that the leaves do not depend on the chain's tables.

SUBTREE_LEAVES = 1 << 12
"""Most leaves of a subtree, by the estimate."""
SUBTREE_ROOTS = 64
"""How many survivors of a stage stand for all in that estimate."""
Inspector = TypeVar("Inspector", bound=LeafObserver)


class _TooManyLeaves(Exception):  # noqa: N818 - no error: a smaller subtree is taken
    pass


class _OneBlock:
    """Passes on the first block of leaves, and refuses a second one."""

    def __init__(self, inspector: LeafObserver) -> None:
        self.inspector = inspector
        self.blocks = 0

    def add(self, block: bytes) -> None:
        self.blocks += 1
        if self.blocks > 1:
            raise _TooManyLeaves
        self.inspector.add(block)

    def finish(self) -> object:
        return self.inspector.finish()


class Subtrees:
    """Small subtrees of a cell's shards."""

    def __init__(self, work: Work, seed: int) -> None:
        self.terms = terms_of(work.cell)
        self.work = by_fans(work, self.terms)
        self.rng = random.Random(seed)
        self.level = self._usual_level(seed)

    def _usual_level(self, seed: int) -> int:
        """The first level whose subtrees are small on average."""
        steps = self.work.plan.steps
        estimate = sample(self.terms, self.work.plan, SUBTREE_ROOTS, seed)
        assert estimate is not None
        counts, level = estimate.counts, self.work.level
        leaves = counts.nodes + counts.drops + counts.cells
        while (
            level < len(steps) and leaves // replace(self.work, level=level).parts > SUBTREE_LEAVES
        ):
            level += 1
        return level

    def search(self, number: int, inspect: Callable[[Root], Inspector]) -> Inspector:
        """Search a random subtree of a shard. `inspect` makes the inspector of an interval; the
        one that has seen all leaves of its interval is returned.
        """
        level = self.work.level
        while True:
            while level < self.level:
                number, level = self._child(number, level)
            part = replace(self.work, level=level)
            inspector = inspect(part.root(number))
            try:
                run_shard(part, number, (_OneBlock(inspector),), terms=self.terms)
            except _TooManyLeaves:
                number, level = self._child(number, level)
            else:
                return inspector

    def _child(self, number: int, level: int) -> tuple[int, int]:
        """The number and level of a random child of a node, numbered as shards of that level."""
        bits = bits_of(self.work.plan.steps[level])
        return (number << bits) + self.rng.getrandbits(bits), level + 1
