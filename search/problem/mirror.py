"""Mirrored plans: what is dead for m is dead for ~m, and half of all m are enough.

A product x * m runs through the buckets forwards, x * ~m = -x * (m + 1) backwards. If x * t stays
in bucket s for every *real* t from low up to high + 1, then x * m is in slot s for m = low..high,
and in slot ~s for all the ~m: -x * (m + 1) lies in [-(s + 1) B, -s B). So a conflict that holds for
real t holds on both sides (docs/rounding-lemma.md, L12). The steps of a plan before "m" go by it
and are taken once, for the m with the first bit clear; below "m" a node is gone into twice, for its
m and for their ~m. At corners (kernel/descent.py) they are taken apart before a chain. On the side
of ~m all is counted by ~(x * ~m) = x * m + x - 1, so the slots taken above stay what they are.

The empty occupancy's product is 0 for every m: it has no mirror image, and is looked at below "m"
only.
"""

from dataclasses import replace

from magicert.search.problem.plan import MIRROR, Plan
from magicert.search.problem.plans import AnyPlan
from magicert.search.problem.terms import Terms

LAST_BITS = 3
"""With so few bits of m left the sides are taken apart: products between m and m + 1 then count."""


def is_mirrored(plan: AnyPlan) -> bool:
    """Whether its shards are about m and ~m together."""
    return MIRROR in plan.steps


def mirrored(plan: Plan, terms: Terms) -> Plan:
    """The plan with a step "m" where LAST_BITS bits of m are left, or sooner. ValueError if it
    cannot have one.
    """
    after = next(
        level
        for level, step in enumerate((*plan.steps, ""))
        if not step or plan.windows[level + 1][0] < LAST_BITS
    )
    if after < len(plan.steps) and plan.steps[after][0] == "c":
        after += 1
    steps = (*plan.steps[:after], MIRROR, *plan.steps[after:])
    found = replace(plan, steps=steps)
    found.check(terms)
    return found
