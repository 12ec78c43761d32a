"""Choosing a plan, of either kind: the cheapest of many, each tried on a random sample."""

import time
from collections.abc import Callable, Iterable
from itertools import chain

from magicert.search.planning.candidates import (
    chains,
    default,
    later_chains,
    low_plans,
    orders,
    settings,
)
from magicert.search.planning.sampling import Estimate, OutOfTime, sample
from magicert.search.problem.plan import Plan
from magicert.search.problem.plans import AnyPlan
from magicert.search.problem.terms import Terms, mask_bits

ROOTS, MORE_ROOTS = 48, 1000
"""Survivors of a stage that stand for all: of every candidate, and of the finalists."""
MUCH_WORSE = 4
"""A sample ends once it costs so many times the best before it."""
BEST_ORDERS, FINALISTS = 3, 4
FOR_ORDERS, FOR_SETTINGS = 0.6, 0.4
"""Parts of the budget."""
LEAST_BUDGET = 0.5
"""Seconds for windows, at least, where low bits first takes little."""
CHAIN_FROM = 60.0
"""Seconds of the best other plan from which on chains are tried: their samples take seconds."""


def choose_plan(
    terms: Terms,
    seed: int = 1,
    budget: float = 20.0,
    say: Callable[[str], None] | None = None,
    deadline: float | None = None,
    low: bool = True,
) -> Estimate:
    """The cheapest plan that sampling finds in `budget` seconds or a little more (twice that
    where chains are tried), or by the deadline (time.monotonic); of windows only, unless `low`.

    Raises OutOfTime where the deadline comes before the first estimate.
    """
    trials = _Trials(terms, seed, deadline)
    try:
        # Low bits first has one plan: where it takes little, windows are not long looked at.
        trials.run(low_plans(terms) if low else (), 0.0)
        for estimate in trials.estimates:
            budget = min(budget, max(LEAST_BUDGET, estimate.seconds))
        # The orders first, each with one setting; then all settings of the best orders.
        by_default = {default(terms, order): order for order in orders(mask_bits(terms))}
        trials.run(by_default, FOR_ORDERS * budget)
        ranked = sorted(
            (e.seconds, by_default[e.plan])
            for e in trials.estimates
            if isinstance(e.plan, Plan) and e.plan in by_default
        )
        best = [settings(terms, order) for _, order in ranked[:BEST_ORDERS]]
        trials.run(chain.from_iterable(best), FOR_SETTINGS * budget)
        if trials.ranked() and trials.ranked()[0].seconds > CHAIN_FROM:
            trials.run(chains(terms), budget)
            best_plan = trials.ranked()[0].plan
            if isinstance(best_plan, Plan) and best_plan.chain:
                trials.run(later_chains(best_plan, terms), budget)
        finalists = trials.again()
    except OutOfTime:
        finalists = trials.ranked()
        if not finalists:
            raise
    chosen = min(finalists, key=lambda estimate: estimate.seconds)
    if say:
        say(f"{len(trials.estimates)} plans sampled; chosen: {chosen.plan.text}")
    return chosen


class _Trials:
    """The plans that were sampled whole."""

    def __init__(self, terms: Terms, seed: int, deadline: float | None) -> None:
        self.terms, self.seed, self.deadline = terms, seed, deadline
        self.estimates: list[Estimate] = []

    def run(self, plans: Iterable[AnyPlan], seconds: float) -> None:
        """Sample plans, at least one, until so many seconds have gone. They count from the end
        of the first sample, which may have had to compile the kernel.
        """
        end = None
        for plan in plans:
            best = min((estimate.seconds for estimate in self.estimates), default=float("inf"))
            estimate = sample(self.terms, plan, ROOTS, self.seed, MUCH_WORSE * best, self.deadline)
            if estimate is not None:
                self.estimates.append(estimate)
            end = time.monotonic() + seconds if end is None else end
            if time.monotonic() > end:
                break

    def ranked(self) -> list[Estimate]:
        """The cheapest first."""
        return sorted(self.estimates, key=lambda estimate: estimate.seconds)

    def again(self) -> list[Estimate]:
        """The finalists, sampled with another seed and from more roots: the best of many small
        samples was also lucky.
        """
        more = [
            sample(self.terms, first.plan, MORE_ROOTS, self.seed + 1, deadline=self.deadline)
            for first in self.ranked()[:FINALISTS]
        ]
        return [estimate for estimate in more if estimate is not None]
