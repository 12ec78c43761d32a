"""Small random pieces of shards, each searched anew by fans, with every leaf written.

A piece is the subtree below a random child of a random child ... of a shard's root. It is small:
a sample of the plan says how large subtrees are at each level, and a piece that comes to more
leaves than fit in a block all the same is left for one of its own children. Where the plan has a
chain the same order without one is searched, so the leaves owe nothing to the chain's tables.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from magicert.search.planning.sampling import sample
from magicert.search.problem.plan import bits_of
from magicert.search.problem.plans import AnyPlan
from magicert.search.problem.terms import Terms, terms_of
from magicert.search.shards.shard import by_fans, run_shard
from magicert.search.shards.stream import LeafObserver
from magicert.search.shards.work import Root, Work

USUAL_LEAVES = 1 << 12
"""Leaves of a piece, as estimated."""
ROOTS = 64
"""Nodes of each stage of the estimate."""
Inspector = TypeVar("Inspector", bound=LeafObserver)


class _TooMany(Exception):  # noqa: N818 - no error: a smaller piece is taken
    pass


class _OneBlock:
    """Passes one block of leaves on."""

    def __init__(self, inspector: LeafObserver) -> None:
        self.inspector = inspector
        self.blocks = 0

    def add(self, block: bytes) -> None:
        self.blocks += 1
        if self.blocks > 1:
            raise _TooMany
        self.inspector.add(block)

    def finish(self) -> object:
        return self.inspector.finish()


class Pieces:
    """The pieces of a cell's shards."""

    def __init__(self, work: Work, seed: int, terms: Terms | None = None) -> None:
        self.terms = terms_of(work.cell) if terms is None else terms
        self.work = by_fans(work, self.terms)
        self.rng = random.Random(seed)
        self.level = self._usual_level(seed)

    def _usual_level(self, seed: int) -> int:
        """The first level whose subtrees are small on average."""
        plan = self.work.plan
        estimate = sample(self.terms, plan, ROOTS, seed)
        assert estimate is not None
        counts = estimate.counts
        leaves, level = counts.nodes + counts.drops + counts.cells, 0
        while level < len(plan.steps) and (
            level < self.work.level or leaves >> _bits(plan, level) > USUAL_LEAVES
        ):
            level += 1
        return level

    def search(self, number: int, inspect: Callable[[Root], Inspector]) -> Inspector:
        """Search a random piece of a shard. `inspect` makes the inspector of an interval: the one
        that was shown all leaves of its interval is returned.
        """
        level = self.work.level
        while True:
            while level < self.level:
                number, level = self._child(number, level)
            part = replace(self.work, level=level)
            inspector = inspect(part.root(number))
            try:
                run_shard(part, number, (_OneBlock(inspector),), terms=self.terms)
            except _TooMany:
                number, level = self._child(number, level)
            else:
                return inspector

    def _child(self, number: int, level: int) -> tuple[int, int]:
        """A random child of a node, numbered as shards of the next level are, and that level."""
        bits = bits_of(self.work.plan.steps[level])
        return (number << bits) + self.rng.getrandbits(bits), level + 1


def _bits(plan: AnyPlan, level: int) -> int:
    """How many bits of m are taken above a level."""
    return sum(map(bits_of, plan.steps[:level]))
