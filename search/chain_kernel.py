"""Following a chain: the cells of its last square that no relation rules out, compiled.

Depth-first over the squares of the chain, a word of 64 cells at a time. It can stop between
any two words, because all that it knows is in ChainPads.
"""

import numpy as np

from search.chain import EXACT, WIDE
from search.chain_tables import build, keep, merge
from search.compiled import called, helper
from search.fan import bit_count, lowest

ONE = np.uint64(1)
ZERO = np.uint64(0)
SIX = np.uint64(6)
LAST = np.uint64(63)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
OVER, FOUND, AGAIN = 0, 1, 2
AT_ONCE = 1 << 22
"""Lookups before the search is given a chance to stop."""


@helper
def begin_chain(chain, pads, shift, base):
    """Start with all m from `base` on that the chain's window leaves open."""
    below = (ONE << chain.below[0]) - ONE
    kinds = np.uint64(len(chain.line.excluded))
    on = chain.units_on
    build(chain.line, chain.usual, base, below, shift, pads.usual, pads.scratch)
    keep(chain.usual, kinds, on, pads.usual, pads.usual_kept)
    build(chain.line, chain.wide, base, below, shift, pads.wide, pads.scratch)
    keep(chain.wide, kinds, on, pads.wide, pads.wide_kept)
    if chain.shapes[-1] == EXACT:
        build(chain.line, chain.exact, base, below, shift, pads.exact, pads.scratch)
        keep(chain.exact, kinds, on, pads.exact, pads.exact_kept)
    pads.depth[0] = 0
    pads.base[0] = base
    pads.word[0] = ALL
    pads.alive[0] = ZERO


@helper
def rule_out(chain, shape, counts, table, shift, depth, start, dead):
    """The cells of a word, from m = start on, that are dead."""
    unit_log2 = shift - shape.grid
    buckets = ~((ONE << shift) - ONE)
    units = (ONE << shape.per_cell) - ONE
    stride = shape.words + ONE
    within = shape.words - ONE
    place, end = chain.first[depth], chain.first[depth + 1]
    begun = place
    while place < end:
        fixed = chain.fixed[place] * start
        y = (chain.moving[place] * start - (fixed & buckets)) >> unit_log2
        fraction = (fixed >> (unit_log2 + shape.step)) & chain.fractions[place]
        row = chain.table[place] + (fraction << shape.per_cell) + (y & units)
        cell = y >> shape.per_cell
        at = row * stride + ((cell >> SIX) & within)
        by = cell & LAST
        dead |= (table[at] >> by) | ((table[at + ONE] << ONE) << (LAST - by))
        place += 1
        if dead == ALL:
            break
    counts[0] += place - begun
    return dead


@helper
def rule_out_of(chain, pads, shift, depth, start, dead):
    """As rule_out, with the tables for this depth."""
    shape = chain.shapes[depth]
    if shape == WIDE:
        return rule_out(chain, chain.wide, pads.counts, pads.wide, shift, depth, start, dead)
    if shape == EXACT:
        return rule_out(chain, chain.exact, pads.counts, pads.exact, shift, depth, start, dead)
    return rule_out(chain, chain.usual, pads.counts, pads.usual, shift, depth, start, dead)


@helper
def merge_first(chain, pads, shift, start):
    """Merge the first square into the tables, for a word of the second one's cells."""
    kinds = np.uint64(len(chain.line.excluded))
    added = (chain.moving[0] * start) >> (shift - chain.usual.grid)
    merge(chain.merged, chain.usual, kinds, added, pads.usual, pads.usual_kept)
    merge(chain.merged, chain.wide, kinds, added, pads.wide, pads.wide_kept)
    if chain.shapes[-1] == EXACT:
        merge(chain.merged, chain.exact, kinds, added, pads.exact, pads.exact_kept)


@called
def next_survivor(chain, pads, shift):
    """Go on to the next cell of the last square that may live: pads.base[last] is where it
    begins. OVER if there is none, AGAIN if this call has done enough.
    """
    squares = len(chain.below) - 1
    stop = pads.counts[0] + AT_ONCE
    depth = pads.depth[0]
    while depth >= 0:
        p = chain.below[depth + 1]
        if pads.alive[depth] == ZERO:
            if pads.counts[0] >= stop:
                pads.depth[0] = depth
                return AGAIN
            width = chain.below[depth] - p
            pads.word[depth] += ONE
            if pads.word[depth] >= (ONE if width <= SIX else ONE << (width - SIX)):
                depth -= 1
                continue
            start = pads.base[depth] + (pads.word[depth] << (p + SIX))
            dead = ALL << (ONE << width) if width < SIX else ZERO
            before = dead
            if depth == 1:
                merge_first(chain, pads, shift, start)
            dead = rule_out_of(chain, pads, shift, depth, start, dead)
            pads.counts[1] += np.int64(bit_count(dead & ~before))
            pads.alive[depth] = ~dead
            continue
        alive = pads.alive[depth]
        pads.alive[depth] = alive & (alive - ONE)
        start = pads.base[depth] + (pads.word[depth] << (p + SIX))
        pads.base[depth + 1] = start + (lowest(alive) << p)
        if depth + 1 == squares:
            pads.depth[0] = depth
            return FOUND
        depth += 1
        pads.word[depth] = ALL
        pads.alive[depth] = ZERO
    pads.depth[0] = depth
    return OVER
