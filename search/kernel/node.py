"""One node: which occupancies conflict in it, which take a slot, and which stay open.

In the inner loops places are unsigned, too: at a signed one numba looks whether it counts from
the end.

What is found dead above a plan's step "m" is so for ~m as well (search/problem/mirror.py): there an
occupancy stays in a bucket only if it does for all real m from `low` up to `high` + 1.
"""

import numpy as np

from magicert.search.compiled import helper
from magicert.search.kernel.leaves import defer, write
from magicert.search.kernel.state import DEAD, DROPS, LEAVES, LOGGED, LOOKED, MOST_DROPS, OPEN
from magicert.search.words import LAST, ONE, SIX, ZERO

AT_FIRST = 8
"""Occupancies that a node looks at before it sees whether any conflicts."""


@helper
def conflicts(pads, slot, attack):
    """Whether a slot holds another attack set."""
    holds = pads.holds[slot]
    return holds >= 0 and holds != attack


@helper
def product(task, pads, t, row, m):
    """An occupancy's product at m, or where level t is about ~m: ~(its product at ~m)."""
    x = task.products.multiplicand[row]
    return x * m + task.products.constant[row] + ((x - ONE) & pads.mirrored[t])


@helper
def units_of(task, slot):
    """The word of a slot's units in `taken`, and their bits in it."""
    unit = slot << task.units
    return unit >> SIX, ((ONE << (ONE << task.units)) - ONE) << (unit & LAST)


@helper
def take(task, state, slot, row, attack):
    """Give a slot to an occupancy. It is free, or holds the same attack set already."""
    pads, register = state.pads, state.register
    free = pads.holds[slot] < 0
    if free:
        pads.owner[slot] = row
    pads.holds[slot] = attack
    pads.log[register[LOGGED]] = slot
    register[LOGGED] += np.int64(free)
    word, bits = units_of(task, slot)
    pads.taken[word] |= bits
    pads.of_set[attack, word] |= bits


@helper
def undo(task, state, t):
    """Free the slots that were taken at level t."""
    pads = state.pads
    logged = state.register[LOGGED]
    while logged > pads.log_first[t]:
        logged -= 1
        slot = pads.log[logged]
        word, bits = units_of(task, slot)
        pads.taken[word] &= ~bits
        pads.of_set[pads.holds[slot], word] &= ~bits
        pads.owner[slot] = -1
        pads.holds[slot] = -1
    state.register[LOGGED] = logged


@helper
def settle(task, state, t):
    """Let those of level t's occupancies that stay in one bucket take their slots, the pending ones
    of the level above first; those that straddle are pads.pending. DEAD at the first conflict,
    else OPEN, and how many straddle.
    """
    pads, plan = state.pads, task.plan
    outcome, straddling = OPEN, ZERO
    if t > 0:
        rows = pads.pending[t - 1]
        outcome, straddling = settle_these(task, state, t, rows, 0, pads.pendings[t - 1], ZERO)
    if outcome == OPEN:
        first, end = plan.first[t], plan.first[t + 1]
        outcome, straddling = settle_these(task, state, t, plan.order, first, end, straddling)
    return outcome, straddling


@helper
def settle_these(task, state, t, rows, first, end, straddling):
    """As settle, for rows[first:end]: a few, then more and more, since many nodes die at once."""
    pads = state.pads
    at_once = AT_FIRST
    while first < end:
        certain = ZERO
        stop = min(first + at_once, end)
        for place in range(np.uint64(first), np.uint64(stop)):
            straddles = note(task, pads, t, np.uint64(rows[place]), certain, straddling)
            straddling += straddles
            certain += ONE - straddles
        state.register[LOOKED] += stop - first
        if settle_certain(task, state, t, certain) == DEAD:
            return DEAD, straddling
        first = stop
        at_once += at_once
    return OPEN, straddling


@helper
def note(task, pads, t, row, certain, straddling):
    """Write an occupancy behind those that are certain and behind those that straddle: 1 if it
    straddles, else 0. No branches: the outcome is a coin's.
    """
    low = pads.low[t]
    bucket = ONE << task.shift
    x = task.products.multiplicand[row]
    value = product(task, pads, t, row, low)
    pads.certain[certain] = row
    pads.certain_slot[certain] = value >> task.shift
    pads.pending[t, straddling] = row
    reach = (value & (bucket - ONE)) + x * (pads.high[t] - low)
    return np.uint64(reach + ((x - ONE) & pads.both[t]) >= bucket)


@helper
def settle_certain(task, state, t, certain):
    """Let the noted ones that stay in one bucket take their slots. DEAD at the first conflict."""
    pads = state.pads
    for place in range(certain):
        slot = pads.certain_slot[place]
        row = np.uint64(pads.certain[place])
        attack = task.products.attack[row]
        if conflicts(pads, slot, attack):
            state.register[LEAVES] += 1
            if task.record:
                write(state, task.plan.q[t], pads.low[t], pads.high[t], row, pads.owner[slot])
            return DEAD
        take(task, state, slot, row, attack)
    return OPEN


@helper
def tighten(task, state, t, straddling):
    """Cut off the ends of level t's interval where a straddling occupancy conflicts.

    Each piece cut off is a leaf. After: every occupancy that still straddles is pending, the
    others have their slots. DEAD if nothing is left.
    """
    pads, register = state.pads, state.register
    bucket = ONE << task.shift
    low, high = pads.low[t], pads.high[t]
    drops = pending = 0
    outcome = OPEN
    for place in range(straddling):
        row = np.uint64(pads.pending[t, place])
        low, drops = cut_below(task, state, t, row, low, high, drops)
        high, drops = cut_above(task, state, t, row, low, high, drops)
        x = task.products.multiplicand[row]
        value = product(task, pads, t, row, low)
        more = (x - ONE) & pads.both[t]
        if (value & (bucket - ONE)) + x * (high - low) + more >= bucket:
            pads.pending[t, pending] = row
            pending += 1
            continue
        slot = value >> task.shift
        attack = task.products.attack[row]
        if conflicts(pads, slot, attack):
            if task.record:
                write(state, task.plan.q[t], low, high, row, pads.owner[slot])
            drops += 1
            outcome = DEAD
            break
        take(task, state, slot, row, attack)
    register[DROPS] += drops
    register[LEAVES] += drops
    pads.low[t], pads.high[t] = low, high
    pads.pendings[t] = pending
    return outcome


@helper
def cut_below(task, state, t, row, low, high, drops):
    """Raise `low` to where an occupancy's first bucket no longer conflicts, or its product stays
    in one bucket. The new `low`, and the drops with those made here.
    """
    pads = state.pads
    bucket = ONE << task.shift
    x, attack = task.products.multiplicand[row], task.products.attack[row]
    more = (x - ONE) & pads.both[t]
    while drops < MOST_DROPS:
        value = product(task, pads, t, row, low)
        slot, within = value >> task.shift, value & (bucket - ONE)
        if within + x * (high - low) + more < bucket or not conflicts(pads, slot, attack):
            break
        step = (bucket - within + (x - ONE - more)) // x
        if step == ZERO:
            break
        if task.record:
            write(state, task.plan.q[t], low, low + step - ONE, row, pads.owner[slot])
        drops += 1
        low += step
    return low, drops


@helper
def cut_above(task, state, t, row, low, high, drops):
    """As cut_below, with the last bucket and `high`. Its leaves are written after the node's."""
    pads = state.pads
    bucket = ONE << task.shift
    slots = np.uint64(len(pads.holds) - 1)
    x, attack = task.products.multiplicand[row], task.products.attack[row]
    value = product(task, pads, t, row, low)
    more = (x - ONE) & pads.both[t]
    while drops < MOST_DROPS:
        reach = (value & (bucket - ONE)) + x * (high - low) + more
        slot = ((value >> task.shift) + (reach >> task.shift)) & slots
        if reach < bucket or not conflicts(pads, slot, attack):
            break
        step = ((reach & (bucket - ONE)) + (x - more)) // x
        if step == ZERO:
            break
        if task.record:
            defer(state, high - step + ONE, high, row, pads.owner[slot])
        drops += 1
        high -= step
    return high, drops
