"""Simulated annealing, once: a walk through choices whose cost may rise less and less.

What a choice is, what it costs and which choices are its neighbours is the caller's: compiled
functions that are inlined into the loop (`kernel` for a square in a buffer,
`pages.column_kernel` for a rook's columns).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from magicert.compact.anneal.random_words import next_fraction, random_state
from magicert.compact.compiled import Count, Word, helper

REFUSED = 1 << 50
"""The cost of a choice that was given up early: more than any limit."""


class WalkEffort(NamedTuple):
    """How long a walk is, in candidates, and its first and last temperature, in costs."""

    steps: int
    hot: float
    cold: float


@helper
def walk(
    task: Any,  # noqa: ANN401
    start: Any,  # noqa: ANN401
    effort: WalkEffort,
    seed: Word,
    scratch: Any,  # noqa: ANN401
    neighbour: Callable[..., tuple[Any, bool]],
    cost_of: Callable[..., Count],
) -> tuple[Any, Count]:
    """The best choice met from `start`, and its cost.

    `neighbour(task, choice, state)` gives another choice, and whether it may be taken at all;
    `cost_of(task, choice, limit, scratch)` its cost, or REFUSED once that exceeds `limit`.
    The temperature falls geometrically; the walk ends early at a cost of 0, the least.
    """
    state = random_state(seed)
    choice = start
    cost = cost_of(task, choice, np.int64(REFUSED - 1), scratch)
    best, least = choice, cost
    temperature = effort.hot
    cooling = (effort.cold / effort.hot) ** (1.0 / effort.steps)
    for _ in range(effort.steps):
        if least <= 0:
            break
        temperature *= cooling
        candidate, possible = neighbour(task, choice, state)
        if not possible:
            continue
        limit = cost - np.int64(temperature * np.log(next_fraction(state)))
        candidate_cost = cost_of(task, candidate, limit, scratch)
        if candidate_cost <= limit:
            choice, cost = candidate, candidate_cost
            if cost < least:
                best, least = choice, cost
    return best, least
