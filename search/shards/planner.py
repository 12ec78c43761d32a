"""Choosing a plan: which mask bit to take next, growing the window up or down.

A candidate is an order of the mask bits. Taking a bit means growing the window until the
product of that bit is known to a fraction of a bucket: down (p falls) for bits above those
taken, up (q rises) for bits below. Each candidate is tried on a random sample: the tree is
run in stages, at each stage a few hundred random survivors stand for all. That tells the
size of the whole within a small factor; rare structured magics can hide from a sample, so
an estimate settles nothing.
"""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from magicert.search.chain.chain import SPACING, chain_of, check_plan
from magicert.search.kernel.descent import Products, probe
from magicert.search.kernel.state import CELLS, DROPS, EXAMINED, FOUND, NODES, WORDS, new_state
from magicert.search.problem.plan import Plan, arrays_of, bits_of
from magicert.search.problem.terms import Terms, mask_bits
from magicert.search.shards.shard import Counts

SECONDS = Counts(nodes=30, drops=8, cells=0, words=5, examined=3)
"""What each count costs, in 10^-9 s on one core of 2024: only for choosing and estimating."""
NOTHING = Counts()
STAGE_BITS = 7
BEST_ORDERS = 3
FOUND_ROOM = 1 << 15
CHAIN_ROOM = 1 << 21
CHAIN_ROOTS = 64
CHAIN_FROM = 60.0
"""Seconds of the best other plan from which on chains are tried: their samples take seconds."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A plan, and how large its whole search is likely to be.

    A chain spends its time on tables that no count tells: its `chain_seconds` were measured,
    and its `chain_counts` are among `counts`.
    """

    plan: Plan
    counts: Counts
    chain_counts: Counts = NOTHING
    chain_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """On one core, counting only."""
        costs = zip(SECONDS.values, self.counts.values, self.chain_counts.values, strict=True)
        return self.chain_seconds + 1e-9 * sum(cost * (n - chain) for cost, n, chain in costs)

    def __str__(self) -> str:
        return f"about {self.counts.tests:.2g} tests, {self.seconds:.2g} s on one core"


def choose_plan(
    terms: Terms, seed: int = 1, budget: float = 20.0, say: Callable[[str], None] | None = None
) -> Estimate:
    """The cheapest plan that sampling finds in `budget` seconds or a little more."""
    tried: list[Estimate] = []
    # The orders first, each with one setting; then all settings of the best orders. The clock
    # starts after the first sample, which may have had to compile the kernel.
    bits = mask_bits(terms)
    ordered = list(orders(bits))
    ranked: list[tuple[float, list[int]]] = []
    deadline = 0.0
    for order in ordered:
        estimate = _try(terms, default(terms, order), seed, tried)
        if estimate is not None:
            ranked.append((estimate.seconds, order))
        deadline = deadline or time.monotonic() + 0.6 * budget
        if time.monotonic() > deadline:
            break
    ranked.sort()
    deadline = time.monotonic() + 0.4 * budget
    for _, order in ranked[:BEST_ORDERS]:
        for plan in settings(terms, order):
            _try(terms, plan, seed, tried)
            if time.monotonic() > deadline:
                break
    if tried and min(estimate.seconds for estimate in tried) > CHAIN_FROM:
        for plan in chains(terms):
            _try(terms, plan, seed, tried)
            if time.monotonic() > deadline + budget:
                break
    tried.sort(key=lambda estimate: estimate.seconds)
    # With another seed and more roots: the best of many small samples was also lucky.
    better = [sample(terms, estimate.plan, 1000, seed + 1) for estimate in tried[:4]]
    chosen = min((e for e in better if e is not None), key=lambda e: e.seconds)
    if say:
        say(f"{len(tried)} plans sampled; chosen: {chosen.plan.text}")
    return chosen


def _try(terms: Terms, plan: Plan, seed: int, tried: list[Estimate]) -> Estimate | None:
    """Sample a plan, unless it is much worse than the best so far."""
    limit = 4 * min((estimate.seconds for estimate in tried), default=float("inf"))
    estimate = sample(terms, plan, 48, seed, limit)
    if estimate is not None:
        tried.append(estimate)
    return estimate


def default(terms: Terms, order: list[int]) -> Plan:
    """The setting that suits most cells."""
    return build(terms, order, max(1, 6 - terms.bits), 6, 0)


def settings(terms: Terms, order: list[int]) -> Iterator[Plan]:
    """Plans for one order of the mask bits."""
    least = max(0, 6 - terms.bits)
    for units in sorted({max(least, 1), max(least, 2)}):
        for fan in (6, 8, 1):
            for early in sorted({0, min(3, terms.bits - 1)}):
                yield build(terms, order, units, fan, early)


def chains(terms: Terms) -> Iterator[Plan]:
    """Plans that take the squares of a file in one chain, after those of the line below."""
    bits = mask_bits(terms)
    run = 1
    while run < len(bits) and bits[-run] - bits[-run - 1] == SPACING:
        run += 1
    for cells in (4, 3):
        for first in range(len(bits) - run, len(bits) - 1):
            for last in range(first + 2, len(bits)):
                plan = chain_plan(terms, bits[:first], bits[first : last + 1], cells)
                try:
                    check_plan(plan, terms)
                except ValueError:
                    continue
                yield plan


def chain_plan(terms: Terms, line: list[int], chain: list[int], cells: int) -> Plan:
    """The plan that takes a line as soon as it is known to a cell, then a chain of squares."""
    start = terms.shift - cells - max(line, default=0)
    end = max(0, terms.shift - cells - chain[-1])
    steps = ["d1"] * (terms.width - start) + [f"c{start - end}.{cells}k"] + ["d1"] * end
    return Plan(terms.width, tuple(steps), max(1, 6 - terms.bits), min(2, terms.bits - 1))


def candidates(terms: Terms) -> Iterator[Plan]:
    """All plans that may be sampled."""
    for order in orders(mask_bits(terms)):
        yield from settings(terms, order)


def orders(bits: list[int]) -> Iterator[list[int]]:
    """Orders in which the bits taken are always neighbours in `bits`; with many bits only
    those that go down, then all the way up, then down.
    """
    count = len(bits)
    if count <= 6:
        patterns = range(1 << (count - 1))
        for pattern in patterns:
            yield from _order(bits, [pattern >> n & 1 for n in range(count - 1)])
        return
    for start in range(count):
        for deep in range(count - start):
            yield from _order(bits, [0] * deep + [1] * start + [0] * (count - 1 - start - deep))


def _order(bits: list[int], ups: list[int]) -> Iterator[list[int]]:
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


def build(terms: Terms, order: list[int], units_log2: int, fan: int, early: int) -> Plan:
    """The plan that takes mask bits in this order, with fans of up to 2^fan cells where a
    bit stands far enough above those taken before.
    """
    p = q = 64 - order[0]
    start = q
    steps: list[str] = []
    for place, bit in enumerate(order):
        if 64 - bit > q:
            steps += ["u"] * (64 - bit - q)
            q = 64 - bit
            continue
        target = max(0, terms.shift - units_log2 - bit)
        lonely = place > 0 and bit - max(order[:place]) >= 6
        width = min(fan if lonely else 1, p - target)
        steps += ["d1"] * (p - target - width)
        if width > 0:
            steps.append(f"d{width}")
        p = min(p, target)
    steps += ["u"] * (terms.width - q) + ["d1"] * p
    return Plan(start, tuple(steps), units_log2, early)


def sample(
    terms: Terms, plan: Plan, roots: int, seed: int, limit: float | None = None
) -> Estimate | None:
    """Estimate a plan's counts; None as soon as they cost more than `limit` seconds."""
    rng = random.Random(f"{seed} {plan.text}")
    products = Products(terms.multiplicand, terms.constant, terms.attack)
    shift, units = np.uint64(terms.shift), np.uint64(plan.units_log2)
    level, weight, total = 0, 1.0, Counts()
    chain_counts, chain_seconds = Counts(), 0.0
    pool = [0]
    while level < len(plan.steps) and pool:
        end = _stage_end(plan, level)
        arrays = arrays_of(plan, terms, level, end)
        chain = chain_of(plan, terms, level, end)
        room = FOUND_ROOM if chain.level < 0 else CHAIN_ROOM
        if chain.level >= 0 and len(pool) > CHAIN_ROOTS:
            weight *= len(pool) / CHAIN_ROOTS
            pool = pool[:CHAIN_ROOTS]
        state = new_state(terms, arrays, chain, plan.units_log2, False, room)
        roots_of_stage = np.array(pool, dtype=np.uint64)
        started = time.thread_time()
        done = probe(products, arrays, chain, state, shift, units, roots_of_stage)
        seconds = time.thread_time() - started
        counts = [int(state.register[n]) for n in (NODES, DROPS, CELLS, WORDS, EXAMINED)]
        # The roots were counted at the end of the stage before.
        counts[0] -= done
        counts[4] -= done * int(arrays.first[1])
        weight *= len(pool) / done
        stage = Counts(*(int(weight * max(0, count)) for count in counts))
        total += stage
        if chain.level >= 0:
            chain_counts, chain_seconds = stage, weight * seconds
        estimate = Estimate(plan, total, chain_counts, chain_seconds)
        if limit is not None and estimate.seconds > limit:
            return None
        survivors = state.found[: int(state.register[FOUND]), 0]
        p = plan.windows[end][0]
        aligned = [int(low) >> p << p for low in survivors]
        pool = rng.sample(aligned, min(roots, len(aligned)))
        if pool:
            weight *= len(aligned) / len(pool)
        level = end
    return Estimate(plan, total, chain_counts, chain_seconds)


def _stage_end(plan: Plan, level: int) -> int:
    """Some bits on; a chain is a stage of its own."""
    bits, end = 0, level
    while end < len(plan.steps) and bits < STAGE_BITS:
        if plan.steps[end][0] == "c" and bits:
            break
        bits += bits_of(plan.steps[end])
        end += 1
    return end
