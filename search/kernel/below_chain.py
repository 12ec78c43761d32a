"""Between a chain and the nodes of the search: the next cell to visit, and a first look at it."""

import numpy as np

from magicert.search.chain.descent import AGAIN, OVER, begin_chain, next_survivor
from magicert.search.compiled import helper
from magicert.search.kernel.node import conflicts, product
from magicert.search.kernel.state import (
    CELLS,
    CHILD,
    DEAD,
    EXAMINED,
    LAST_CHILD,
    LATER,
    LEAVES,
    LOOKED,
    OPEN,
    PAIRS,
    SERIAL,
    WORDS,
)
from magicert.search.words import ALL, LAST, ONE, ZERO

STAMP_BITS = 16
"""A stamp is a node's serial number above so many bits for an attack set."""


@helper
def mirror_of(q, m):
    """~m modulo 2^q."""
    return (ALL >> (LAST - np.uint64(q - 1))) - m


@helper
def start_chain(task, state, t):
    """Begin the chain at level t: on the side of ~m at the mirror image of its interval."""
    pads = state.pads
    base = pads.base[t]
    if pads.mirrored[t] != ZERO:
        base = mirror_of(task.plan.q[t], base + ((ONE << task.chain.below[0]) - ONE))
    begin_chain(task.chain, state.chain, task.shift, base, pads.both[t])


@helper
def follow(task, state, t):
    """Prepare level t + 1 for the next cell that a chain leaves alive."""
    pads, register = state.pads, state.register
    length = ONE << task.chain.below[-1]
    while True:
        outcome = next_survivor(task.chain, state.chain, task.shift)
        register[WORDS] += state.chain.counts[0]
        register[CELLS] += state.chain.counts[1]
        state.chain.counts[:] = 0
        if outcome == OVER:
            return LAST_CHILD
        if outcome == AGAIN:
            return LATER
        start = state.chain.found[0]
        if pads.mirrored[t] != ZERO:
            start = mirror_of(task.plan.q[t], start + (length - ONE))
        last = start + (length - ONE)
        if last >= pads.low[t] and start <= pads.high[t]:
            break
    pads.base[t + 1] = start
    pads.low[t + 1] = max(pads.low[t], start)
    pads.high[t + 1] = min(pads.high[t], last)
    return CHILD


@helper
def look_below_chain(task, state, t):
    """Almost all nodes below a chain die, and soon: look for one conflict before any slot is
    taken. DEAD or OPEN.
    """
    outcome = OPEN
    if task.chain.recall:
        outcome = recall(task, state, t)
    if outcome == OPEN:
        outcome = glance(task, state, t)
    if outcome == DEAD:
        state.register[LEAVES] += 1
    return outcome


@helper
def recall(task, state, t):
    """Look whether a pair that conflicted before conflicts here, too: below a chain there are
    regions where one pair kills a thousand million nodes. DEAD or OPEN.
    """
    pads, products, shift = state.pads, task.products, task.shift
    low = pads.low[t]
    span = pads.high[t] - low
    both = pads.both[t]
    bucket = ONE << shift
    within = bucket - ONE
    outcome = OPEN
    for place in range(PAIRS):
        one, other = pads.recent[place, 0], pads.recent[place, 1]
        if one == other:
            break
        x, y = products.multiplicand[one], products.multiplicand[other]
        value = product(task, pads, t, one, low)
        against = product(task, pads, t, other, low)
        state.register[EXAMINED] += 2
        state.register[LOOKED] += 2
        stays = (value & within) + x * span + ((x - ONE) & both) < bucket
        stays &= (against & within) + y * span + ((y - ONE) & both) < bucket
        if stays and value >> shift == against >> shift:
            # Those that conflict often come first.
            before = max(place - 1, 0)
            pads.recent[place, 0], pads.recent[place, 1] = (
                pads.recent[before, 0], pads.recent[before, 1],
            )  # fmt: skip
            pads.recent[before, 0], pads.recent[before, 1] = one, other
            outcome = DEAD
            break
    return outcome


@helper
def remember(pads, one, other):
    """Put a pair in the first free place, or in the last one."""
    place = 0
    while place < PAIRS - 1 and pads.recent[place, 0] != pads.recent[place, 1]:
        place += 1
    pads.recent[place, 0], pads.recent[place, 1] = one, other


@helper
def glance(task, state, t):
    """Look for a conflict among the occupancies that become active at level t, and with those
    that have slots; take none. DEAD or OPEN. What conflicts is remembered.
    """
    pads, plan, products = state.pads, task.plan, task.products
    low = pads.low[t]
    span = pads.high[t] - low
    both = pads.both[t]
    bucket = ONE << task.shift
    within = bucket - ONE
    stamp = state.register[SERIAL] << STAMP_BITS
    place = plan.first[t]
    outcome = OPEN
    while place < plan.first[t + 1]:
        row = plan.order[place]
        place += 1
        x = products.multiplicand[row]
        value = product(task, pads, t, row, low)
        if (value & within) + x * span + ((x - ONE) & both) >= bucket:
            continue
        slot = value >> task.shift
        attack = np.int64(products.attack[row])
        held = conflicts(pads, slot, attack)
        seen = pads.seen[slot]
        if held or (seen >= stamp and seen != stamp + attack):
            outcome = DEAD
            if task.chain.recall:
                other = pads.owner[slot] if held else pads.seen_row[slot]
                if other >= 0:  # else nobody may be there
                    remember(pads, row, other)
            break
        pads.seen[slot] = stamp + attack
        pads.seen_row[slot] = row
    state.register[EXAMINED] += place - plan.first[t]
    state.register[LOOKED] += place - plan.first[t]
    return outcome
