"""The window search, compiled: depth-first, with an undo log, interval by interval.

A node knows m modulo 2^q up to an interval [low, high]. It looks at every occupancy whose
product moves over few buckets in that interval: one that stays in a bucket takes its slot,
or conflicts (the node is done); one that straddles loses the ends of the interval where it
would conflict. What is left is cut in cells.

The fan (fan.py) tests a word of 64 cells at once; a chain (chain.py) goes down many levels
without a look at the slots.

Words are uint64 throughout: in numba uint64 with a plain int becomes int64 or float64, so
every literal is wrapped, and tests/search/test_kernel_types.py looks at what was compiled.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.chain.descent import begin_chain
from magicert.search.compiled import entry, helper
from magicert.search.kernel.below_chain import follow, glance, recall
from magicert.search.kernel.fan import bit_count, fan, lowest
from magicert.search.kernel.leaves import defer, write, write_deferred, write_found, write_killed
from magicert.search.kernel.state import (
    BLOCK,
    CELLS,
    CHILD,
    DEAD,
    DEFERRED,
    DROPS,
    ENTERING,
    EXAMINED,
    FOUND,
    LAST_CHILD,
    LATER,
    LEAVES,
    LEVEL,
    LOGGED,
    MOST_DROPS,
    NODES,
    OPEN,
    SERIAL,
    WRITTEN,
)
from magicert.search.problem.terms import Words

ONE = np.uint64(1)
ZERO = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
SIX = np.uint64(6)
LAST = np.uint64(63)

DONE, PAUSED, FULL = 0, 1, 2
NODES_OF_A_CHAIN = 1 << 16
"""What one stretch of a chain counts for where nodes are counted to see if it is time to stop."""


class Products(NamedTuple):
    """x, c and the attack set's number of each occupancy."""

    multiplicand: Words
    constant: Words
    attack: NDArray[np.int32]


@helper
def take(pads, register, units, slot, row, attack):
    """Give a slot to an occupancy. It is free, or holds the same attack set already."""
    free = pads.holds[slot] < 0
    if free:
        pads.owner[slot] = row
    pads.holds[slot] = attack
    pads.log[register[LOGGED]] = slot
    register[LOGGED] += np.int64(free)
    unit = slot << units
    bits = ((ONE << (ONE << units)) - ONE) << (unit & LAST)
    pads.taken[unit >> SIX] |= bits
    pads.of_set[attack, unit >> SIX] |= bits


@helper
def undo(pads, register, units, t):
    """Free the slots that were taken at level t."""
    logged = register[LOGGED]
    while logged > pads.log_first[t]:
        logged -= 1
        slot = pads.log[logged]
        unit = slot << units
        bits = ~(((ONE << (ONE << units)) - ONE) << (unit & LAST))
        pads.taken[unit >> SIX] &= bits
        pads.of_set[pads.holds[slot], unit >> SIX] &= bits
        pads.owner[slot] = -1
        pads.holds[slot] = -1
    register[LOGGED] = logged


@helper
def sort_out(products, plan, pads, shift, t):
    """Divide level t's occupancies in those that stay in one bucket (pads.certain) and those
    that straddle (pads.pending). How many of each. No branches: the outcome is a coin's.
    """
    low = pads.low[t]
    span = pads.high[t] - low
    bucket = ONE << shift
    within = bucket - ONE
    certain = straddling = 0
    if t > 0:
        for place in range(pads.pendings[t - 1]):
            row = pads.pending[t - 1, place]
            x = products.multiplicand[row]
            value = x * low + products.constant[row]
            straddles = np.int64((value & within) + x * span >= bucket)
            pads.certain[certain] = row
            pads.certain_slot[certain] = value >> shift
            pads.pending[t, straddling] = row
            straddling += straddles
            certain += 1 - straddles
    for place in range(plan.first[t], plan.first[t + 1]):
        row = plan.order[place]
        x = products.multiplicand[row]
        value = x * low + products.constant[row]
        straddles = np.int64((value & within) + x * span >= bucket)
        pads.certain[certain] = row
        pads.certain_slot[certain] = value >> shift
        pads.pending[t, straddling] = row
        straddling += straddles
        certain += 1 - straddles
    return certain, straddling


@helper
def settle_certain(products, pads, leaves, register, units, t, q, certain, record):
    """Let those that stay in one bucket take their slots. DEAD at the first conflict."""
    for place in range(certain):
        slot = pads.certain_slot[place]
        row = pads.certain[place]
        attack = products.attack[row]
        holds = pads.holds[slot]
        if holds >= 0 and holds != attack:
            register[LEAVES] += 1
            if record:
                write(leaves, register, q, pads.low[t], pads.high[t], row, pads.owner[slot])
            return DEAD
        take(pads, register, units, slot, row, attack)
    return OPEN


@helper
def tighten(  # noqa: PLR0915 - one loop, four ends
    products, pads, leaves, register, shift, units, t, q, straddling, record
):
    """Cut off the ends of level t's interval where a straddling occupancy conflicts.

    Each piece cut off is a leaf. DEAD if nothing is left.
    """
    bucket = ONE << shift
    within = bucket - ONE
    slots = np.uint64(len(pads.holds) - 1)
    low, high = pads.low[t], pads.high[t]
    drops = pending = 0
    outcome = OPEN
    for place in range(straddling):
        row = pads.pending[t, place]
        x = products.multiplicand[row]
        attack = products.attack[row]
        value = x * low + products.constant[row]
        reach = (value & within) + x * (high - low)
        while reach >= bucket and drops < MOST_DROPS:
            slot = value >> shift
            holds = pads.holds[slot]
            if holds < 0 or holds == attack:
                break
            step = (bucket - (value & within) + x - ONE) // x
            if record:
                write(leaves, register, q, low, low + step - ONE, row, pads.owner[slot])
            drops += 1
            low += step
            value = x * low + products.constant[row]
            reach = (value & within) + x * (high - low)
        while reach >= bucket and drops < MOST_DROPS:
            slot = ((value >> shift) + (reach >> shift)) & slots
            holds = pads.holds[slot]
            if holds < 0 or holds == attack:
                break
            step = (reach & within) // x + ONE
            if record:
                defer(leaves, register, high - step + ONE, high, row, pads.owner[slot])
            drops += 1
            high -= step
            reach = (value & within) + x * (high - low)
        if reach >= bucket:
            pads.pending[t, pending] = row
            pending += 1
            continue
        slot = value >> shift
        holds = pads.holds[slot]
        if holds >= 0 and holds != attack:
            if record:
                write(leaves, register, q, low, high, row, pads.owner[slot])
            drops += 1
            outcome = DEAD
            break
        take(pads, register, units, slot, row, attack)
    register[DROPS] += drops
    register[LEAVES] += drops
    pads.low[t], pads.high[t] = low, high
    pads.pendings[t] = pending
    return outcome


@helper
def visit(products, plan, chain, state, shift, units, t, record):
    """Look at the node at level t. OPEN if it has children to look at."""
    pads, leaves, register = state.pads, state.leaves, state.register
    register[NODES] += 1
    register[SERIAL] += 1
    pads.serial[t] = register[SERIAL]
    pads.log_first[t] = register[LOGGED]
    if record:
        leaves.later_first[t] = register[DEFERRED]
    q = plan.q[t]
    if t > 0 and t == chain.level + 1:
        outcome = OPEN
        if chain.recall:
            outcome = recall(products, pads, register, shift, t)
        if outcome == OPEN:
            outcome = glance(products, plan, chain, pads, register, shift, t)
        if outcome == DEAD:
            register[LEAVES] += 1
            return DEAD
    certain, straddling = sort_out(products, plan, pads, shift, t)
    register[EXAMINED] += certain + straddling
    outcome = settle_certain(products, pads, leaves, register, units, t, q, certain, record)
    if outcome == OPEN:
        outcome = tighten(
            products, pads, leaves, register, shift, units, t, q, straddling, record
        )  # fmt: skip
    if outcome == DEAD:
        return DEAD
    # At the last level of a whole plan everything is settled; a planner's plan may end sooner.
    if t == len(plan.p) - 1 or (
        pads.pendings[t] == 0 and plan.first[t + 1] == len(plan.order)
    ):  # fmt: skip
        place = register[FOUND]
        state.found[place, 0], state.found[place, 1] = pads.low[t], pads.high[t]
        register[FOUND] = place + 1
        if record:
            write_found(leaves, register, q, pads.low[t], pads.high[t])
        return DEAD
    pads.alive[t] = ZERO
    pads.word[t] = -1
    if t == chain.level:
        begin_chain(chain, state.chain, shift, pads.base[t])
    return OPEN


@helper
def next_word(products, plan, state, shift, units, t, record):
    """Go on to level t's next word of cells with any alive. False if there is none."""
    pads, register = state.pads, state.register
    width = plan.width[t]
    cell = np.uint64(plan.p[t] - width)
    bits = np.uint64(min(6, width))
    low, high = pads.low[t], pads.high[t]
    while pads.word[t] + 1 < np.int64(1) << max(0, width - 6):
        pads.word[t] += 1
        start = pads.base[t] + (np.uint64(pads.word[t]) << (cell + SIX))
        last = start + ((ONE << (cell + bits)) - ONE)
        if last < low or start > high:
            continue
        alive = ALL if bits == SIX else (ONE << (ONE << bits)) - ONE
        if low > start:
            alive &= ALL << ((low - start) >> cell)
        if high < last:
            alive &= ALL >> (LAST - ((high - start) >> cell))
        before = alive
        if plan.fan_first[t] < plan.fan_first[t + 1]:
            alive = fan(
                products, plan, pads, register, shift - units, t, start, cell, alive, record
            )  # fmt: skip
            register[CELLS] += np.int64(bit_count(before & ~alive))
        pads.covered[t] = start
        pads.alive[t] = alive
        if alive != ZERO:
            return True
        if record:
            write_killed(
                state.leaves, register, pads, products, shift, t, plan.q[t], cell, last
            )  # fmt: skip
    return False


@helper
def descend(products, plan, chain, state, shift, units, t, record):
    """Prepare level t + 1 for the next child of level t, a CHILD. LAST_CHILD if there was no
    other one, LATER if it needs another call.
    """
    pads = state.pads
    width = plan.width[t]
    if t == chain.level:
        return follow(chain, state, shift, t)
    if width == 0:
        pads.word[t] += 1
        if pads.word[t] > 1:
            return LAST_CHILD
        add = np.uint64(pads.word[t]) << np.uint64(plan.q[t])
        pads.base[t + 1] = pads.base[t] + add
        pads.low[t + 1] = pads.low[t] + add
        pads.high[t + 1] = pads.high[t] + add
        return CHILD
    cell = np.uint64(plan.p[t] - width)
    if pads.alive[t] == ZERO:
        if record and pads.word[t] >= 0:
            word = ONE << (cell + np.uint64(min(6, width)))
            last = pads.base[t] + (np.uint64(pads.word[t]) << (cell + SIX)) + (word - ONE)
            if pads.covered[t] != last + ONE:
                write_killed(
                    state.leaves, state.register, pads, products, shift, t, plan.q[t], cell, last
                )  # fmt: skip
        if not next_word(products, plan, state, shift, units, t, record):
            return LAST_CHILD
    alive = pads.alive[t]
    pads.alive[t] = alive & (alive - ONE)
    start = pads.base[t] + (np.uint64(pads.word[t]) << (cell + SIX)) + (lowest(alive) << cell)
    last = start + ((ONE << cell) - ONE)
    if record and start > pads.covered[t]:
        write_killed(
            state.leaves, state.register, pads, products, shift, t, plan.q[t], cell, start - ONE
        )  # fmt: skip
    pads.covered[t] = last + ONE
    pads.base[t + 1] = start
    pads.low[t + 1] = max(pads.low[t], start)
    pads.high[t + 1] = min(pads.high[t], last)
    return CHILD


@entry
def search(products, plan, chain, state, shift, units, record, most_nodes, most_found):
    """Go on with a subtree for at most so many nodes, or until so many intervals of magics
    are found or a block of leaves is full.

    DONE, PAUSED or FULL; state.register has the counts.
    """
    register, pads, leaves = state.register, state.pads, state.leaves
    t = register[LEVEL]
    entering = register[ENTERING] != 0
    stop = register[NODES] + most_nodes
    status = DONE
    while t >= 0:
        if register[FOUND] >= most_found or (record and register[WRITTEN] >= BLOCK):
            status = FULL
            break
        if entering:
            if register[NODES] >= stop:
                status = PAUSED
                break
            entering = False
            if visit(products, plan, chain, state, shift, units, t, record) == OPEN:
                continue
        else:
            outcome = descend(products, plan, chain, state, shift, units, t, record)
            if outcome == CHILD:
                t += 1
                entering = True
                continue
            if outcome == LATER:
                stop -= NODES_OF_A_CHAIN
                if register[NODES] >= stop:
                    status = PAUSED
                    break
                continue
        if record:
            write_deferred(leaves, register, t, plan.q[t])
        undo(pads, register, units, t)
        t -= 1
    register[LEVEL] = t
    register[ENTERING] = np.int64(entering)
    return status


@entry
def probe(products, plan, chain, state, shift, units, roots):
    """Count through one subtree after another, from their roots' low ends.

    How many were done before state.found was nearly full; the counts add up.
    """
    register, pads = state.register, state.pads
    done = 0
    record = bool(0)  # for numba False were a type of its own, and all compiled twice
    pads.clash_at[:] = -1
    for low in roots:
        if register[FOUND] > len(state.found) // 2:
            break
        register[LEVEL], register[ENTERING] = 0, 1
        pads.base[0] = pads.low[0] = low
        pads.high[0] = low + ((ONE << np.uint64(plan.p[0])) - ONE)
        search(
            products, plan, chain, state, shift, units, record, np.int64(1) << 60, len(state.found)
        )  # fmt: skip
        done += 1
    return done
