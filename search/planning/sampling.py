"""How large the search that a plan describes is likely to be, from a random sample.

The tree is run in stages of a few levels. At the end of each stage a few hundred random
survivors stand for all. That tells the size of the whole within a small factor; rare
structured magics can hide from a sample, so an estimate settles nothing.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from magicert.search.kernel.descent import probe
from magicert.search.kernel.state import FOUND, LOOKED, Ints, new_state
from magicert.search.kernel.task import task_of
from magicert.search.low.descent import probe_low
from magicert.search.low.state import new_low_state
from magicert.search.low.task import low_task
from magicert.search.problem.low_plan import LowPlan
from magicert.search.problem.mirror import is_mirrored
from magicert.search.problem.plan import Plan, bits_of
from magicert.search.problem.plans import AnyPlan
from magicert.search.problem.terms import Terms, Words
from magicert.search.shards.shard import COUNTED
from magicert.search.shards.work import Counts

COSTS = Counts(nodes=30, drops=8, cells=0, words=5)
"""What each count costs, in 10^-9 s on one core of 2024: only for choosing and estimating."""
LOOK = 3
"""The same for an occupancy that a node looks at; many nodes die before they look at all."""
LOW_COSTS = Counts(nodes=20, drops=8, cells=0, words=1, examined=2)
"""The same with low bits first."""
STAGE_BITS = 7
"""A stage ends once it has taken so many bits of m."""
LONGEST_STAGE = 8
"""Low bits first, a stage has so many bits, or one step."""
FOUND_ROOM, CHAIN_ROOM, LOW_ROOM = 1 << 15, 1 << 21, 1 << 18
"""Intervals kept of a stage: of windows, of a chain, and low bits first."""
CHAIN_ROOTS = 64
"""Roots that a chain is sampled from: each has tables of its own."""
ROOTS_AT_ONCE = 16
"""Roots between two looks at the clock."""


class OutOfTime(Exception):  # noqa: N818 - no error, an early end
    """The time for planning is over."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A plan, and how large its whole search is likely to be.

    A chain spends its time on tables that no count tells: its `chain_seconds` were measured,
    and its `chain_counts` are among `counts`. `looked`: of the examined occupancies, those that
    nodes look at before they are dead, but for the chain's.
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
        nanoseconds = sum(cost * (n - chain) for cost, n, chain in costs) + LOOK * self.looked
        return self.chain_seconds + 1e-9 * nanoseconds

    def with_stage(self, counts: Counts, looked: int) -> "Estimate":
        """This and one more stage."""
        return replace(self, counts=self.counts + counts, looked=self.looked + looked)

    def with_chain(self, counts: Counts, seconds: float) -> "Estimate":
        """This and the stage of its chain."""
        return replace(
            self, counts=self.counts + counts, chain_counts=counts, chain_seconds=seconds
        )

    def __str__(self) -> str:
        return f"about {self.counts.tests:.2g} tests, {self.seconds:.2g} s on one core"


@dataclass(frozen=True, slots=True)
class _Stage:
    """What came of the roots of one stage: `done` of them were gone into. `survivors` are the
    low ends of what was open at its end.
    """

    done: int
    counts: Counts
    looked: int
    survivors: list[int]
    seconds: float


def sample(
    terms: Terms,
    plan: AnyPlan,
    roots: int,
    seed: int,
    limit: float | None = None,
    deadline: float | None = None,
) -> Estimate | None:
    """Estimate a plan's counts; None as soon as they cost more than `limit` seconds.

    Raises OutOfTime at the deadline (time.monotonic).
    """
    assert not is_mirrored(plan), "behind a step m a root would need a side"
    rng = random.Random(f"{seed} {plan.text}")
    estimate = Estimate(plan)
    level, pool = 0, [0]
    weight = 1.0  # so many nodes of the whole tree stand behind each of the pool
    while level < len(plan.steps) and pool:
        end = _stage_end(plan, level)
        chained = plan.steps[level][0] == "c"
        if chained and len(pool) > CHAIN_ROOTS:
            weight *= len(pool) / CHAIN_ROOTS
            pool = pool[:CHAIN_ROOTS]
        stage = _run(terms, plan, level, end, pool, deadline)
        weight *= len(pool) / stage.done
        counts = Counts(*(int(weight * max(0, count)) for count in stage.counts.values))
        if chained:
            estimate = estimate.with_chain(counts, weight * stage.seconds)
        else:
            estimate = estimate.with_stage(counts, int(weight * max(0, stage.looked)))
        if limit is not None and estimate.seconds > limit:
            return None
        pool = rng.sample(stage.survivors, min(roots, len(stage.survivors)))
        if pool:
            weight *= len(stage.survivors) / len(pool)
        level = end
    return estimate


def _run(
    terms: Terms, plan: AnyPlan, level: int, end: int, pool: list[int], deadline: float | None
) -> _Stage:
    """Run the subtrees of a stage whose roots begin at the numbers in the pool."""
    low = isinstance(plan, LowPlan)
    visit, register, found, twice = (_low if low else _window)(terms, plan, level, end)
    roots = np.array(pool, dtype=np.uint64)
    started = time.thread_time()
    done = 0
    while done < len(roots) and register[FOUND] <= len(found) // 2:
        if deadline is not None and time.monotonic() > deadline:
            raise OutOfTime
        done += visit(roots[done : done + ROOTS_AT_ONCE])
    seconds = time.thread_time() - started
    nodes, drops, cells, words, examined = (int(register[place]) for place in COUNTED)
    # The roots were counted at the end of the stage before.
    counts = Counts(nodes - done, drops, cells, words, examined - done * twice)
    looked = 0 if low else int(register[LOOKED]) - done * twice
    p = plan.windows[end][0]
    lows = found[: int(register[FOUND]), 0]
    return _Stage(done, counts, looked, [int(low) >> p << p for low in lows], seconds)


_Visit = tuple[Callable[[Words], int], Ints, Words, int]
"""What searches a stage from some roots on, and says from how many; its register and what it finds;
and the occupancies of a root that the stage before examined, too.
"""


def _window(terms: Terms, plan: AnyPlan, level: int, end: int) -> _Visit:
    assert isinstance(plan, Plan)
    task = task_of(terms, plan, level, end)
    state = new_state(terms, task, FOUND_ROOM if task.chain.level < 0 else CHAIN_ROOM)
    return partial(probe, task, state), state.register, state.found, int(task.plan.first[1])


def _low(terms: Terms, plan: AnyPlan, level: int, end: int) -> _Visit:
    assert isinstance(plan, LowPlan)
    task = low_task(terms, plan, level, end)
    state = new_low_state(terms, task, LOW_ROOM)
    return partial(probe_low, task, state), state.register, state.found, 0


def _stage_end(plan: AnyPlan, level: int) -> int:
    """The level where a stage ends: some bits on; a chain is a stage of its own."""
    bits, end = 0, level
    while end < len(plan.steps) and bits < STAGE_BITS:
        long = isinstance(plan, LowPlan) and bits + bits_of(plan.steps[end]) > LONGEST_STAGE
        if bits and (long or plan.steps[end][0] == "c"):
            break
        bits += bits_of(plan.steps[end])
        end += 1
    return end
