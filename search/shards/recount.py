"""Counting a chain's survivors again, apart from the search: one number and one digest a shard.

The root of a shard is cut in *nodes*: the intervals that the chain begins with. A node is dead on
its line if two patterns of the line with different attack sets stay in one and the same bucket
for all its m; such a node counts nothing. In each other node all cells of the last square
that no relation rules out are *survivors*. The digest is the SHA-256 of where they begin, in
ascending order, each as an unsigned 64-bit little-endian number. A program that shares
nothing with this one (verify/recount/recount.c) must come to the same.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from magicert.search.chain.chain import chain_of
from magicert.search.chain.collect import begin_node, collect
from magicert.search.chain.descent import OVER
from magicert.search.chain.squares import squares_of
from magicert.search.chain.state import new_chain_pads
from magicert.search.problem.mirror import is_mirrored
from magicert.search.problem.plan import Plan
from magicert.search.problem.terms import Terms, terms_of
from magicert.search.shards.work import Work

AT_ONCE = 1 << 16


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
    starts = np.zeros(AT_ONCE, dtype=np.uint64)
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
