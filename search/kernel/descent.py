"""The window search, compiled: depth-first with an undo log, 64 cells at a time.

From a node to its children by the steps of a plan: `u` raises q, `d<n>` lowers p and cuts the node
in cells, "c<n>.<c>" follows a chain, "m" takes m and ~m apart. The *fan* tests 64 cells of a step
at once: an occupancy that moves by one unit from cell to cell meets consecutive bits of a string,
so that one load, one shift and one AND say which cells die.

When: for every shard of a window plan; `probe` runs the same for a sample of roots.

Why: after some twenty occupancies a few per cent of the cells are left, and only these are looked
at exactly.

Cost: a node is reckoned six times as expensive as a word of 64 cells (`planning.COSTS`). Where a
plan has the step "m", half of all m are searched, for both sides: random shards of rooks b1, c1
and d1 are 1.7 times as fast.

Sound: L10 (the fan), L11 and L12 (mirror images) of proofs/rounding-lemma.md.
"""

import numpy as np

from magicert.search.chain.descent import OVER, UNFINISHED, begin_chain, next_survivor
from magicert.search.compiled import ALL, LAST, ONE, SIX, ZERO, entry_point, helper, lowest
from magicert.search.kernel.node import (
    BLOCK,
    CELLS,
    CHILD,
    DEAD,
    DEFERRED,
    DONE,
    ENTERING,
    EXAMINED,
    FULL,
    INTERVALS,
    LAST_CHILD,
    LATER,
    LEAVES,
    LEVEL,
    LOGGED,
    LOOKED,
    NO_END,
    NODES,
    OPEN,
    PAIRS,
    PAUSED,
    SERIAL,
    WORDS,
    WRITTEN,
    conflicts,
    place_occupancies,
    product,
    reach,
    tighten,
    undo,
    write_deferred,
    write_killed,
    write_magics,
)
from magicert.search.problem import SIDES
from magicert.system.words import popcount

# The fan: 64 cells tested by one shifted word.
#
# An occupancy that moves by one unit (a fraction 2^-units of a bucket) from cell to cell
# meets, over the cells, consecutive units of the bit
# string `clash` (the units whose slot holds another attack set): one shifted word says which
# cells die. A cell touches two units, so it dies where two neighbours are set (`clash` has
# them joined already); where the drift may carry it into a third, that one is asked too.


@helper
def join_clash(pads, attack):
    """clash[attack]: the units where this one and the next have another attack set."""
    last = len(pads.taken_units) - 1
    for word in range(last):  # without a modulus, so that LLVM makes vectors of it
        join_word(pads, attack, word, word + 1)
    join_word(pads, attack, last, 0)


@helper
def join_word(pads, attack, word, after):
    """One word of clash[attack]."""
    units = pads.taken_units[word] & ~pads.of_set[attack, word]
    next_units = pads.taken_units[after] & ~pads.of_set[attack, after]
    pads.clash[attack, word] = units & ((units >> ONE) | (next_units << LAST))


@helper
def shifted(clash, attack, unit):
    """64 bits of clash[attack] from a unit on."""
    words = np.uint64(clash.shape[1] - 1)
    word = (unit >> SIX) & words
    by = unit & LAST
    low_word, high_word = clash[attack, word], clash[attack, (word + ONE) & words]
    return (low_word >> by) | ((high_word << ONE) << (LAST - by))


@helper
def fan(task, state, t, start, cell, alive):
    """Which of a word of cells, `start` + j * 2^cell, the moving occupancies leave alive."""
    pads, plan = state.pads, task.plan
    unit_log2 = task.shift - task.units
    unit = ONE << unit_log2
    cells = ONE << np.uint64(min(6, plan.width[t]))
    for place in range(np.uint64(plan.fan_first[t]), np.uint64(plan.fan_first[t + 1])):
        occupancy = np.uint64(plan.fan[place])
        x = task.products.multiplicand[occupancy]
        attack = np.uint64(task.products.attack[occupancy])
        value = product(task, pads, t, occupancy, start)
        first_unit = value >> unit_log2
        if pads.clash_at[attack] != pads.serial[t]:
            pads.clash_at[attack] = pads.serial[t]
            join_clash(pads, attack)
        kill = shifted(pads.clash, attack, first_unit)
        drift = (x << cell) - unit
        mirror_span = (x - ONE) & pads.both[t]
        if (value & (unit - ONE)) + drift * cells - x + mirror_span >= unit:
            kill &= shifted(pads.clash, attack, first_unit + ONE)
        if task.record:
            fresh = kill & alive
            while fresh != ZERO:
                pads.killer[t, np.int64(lowest(fresh))] = occupancy
                fresh &= fresh - ONE
        alive &= ~kill
        state.register[WORDS] += 1
        if alive == ZERO:
            break
    return alive


# Between a chain and the nodes of the search: the next cell to visit, and a first look at it.

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
def enter(pads, t, start, last):
    """Level t + 1 is about the cell from `start` to `last`, as far as level t's interval has it."""
    pads.base[t + 1] = start
    pads.low[t + 1] = max(pads.low[t], start)
    pads.high[t + 1] = min(pads.high[t], last)
    return CHILD


@helper
def next_chain_cell(task, state, t):
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
        if outcome == UNFINISHED:
            return LATER
        start = state.chain.survivor[0]
        if pads.mirrored[t] != ZERO:
            start = mirror_of(task.plan.q[t], start + (length - ONE))
        last = start + (length - ONE)
        if last >= pads.low[t] and start <= pads.high[t]:
            break
    return enter(pads, t, start, last)


@helper
def look_below_chain(task, state, t):
    """Almost all nodes below a chain die, and soon: look for one conflict before any slot is
    taken. DEAD or OPEN.
    """
    outcome = OPEN
    if task.chain.recall:
        outcome = recall(task, state, t)
    if outcome == OPEN:
        outcome = find_conflict(task, state, t)
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
    outcome = OPEN
    for place in range(PAIRS):
        first_occupancy, second_occupancy = pads.recent[place, 0], pads.recent[place, 1]
        if first_occupancy == second_occupancy:
            break
        x, y = products.multiplicand[first_occupancy], products.multiplicand[second_occupancy]
        first_value = product(task, pads, t, first_occupancy, low)
        second_value = product(task, pads, t, second_occupancy, low)
        state.register[EXAMINED] += 2
        state.register[LOOKED] += 2
        stays = reach(task, first_value, x, span, (x - ONE) & both) < bucket
        stays &= reach(task, second_value, y, span, (y - ONE) & both) < bucket
        if stays and first_value >> shift == second_value >> shift:
            # Those that conflict often come first.
            place_before = max(place - 1, 0)
            pads.recent[place, 0], pads.recent[place, 1] = (
                pads.recent[place_before, 0], pads.recent[place_before, 1],
            )  # fmt: skip
            pads.recent[place_before, 0], pads.recent[place_before, 1] = (
                first_occupancy,
                second_occupancy,
            )
            outcome = DEAD
            break
    return outcome


@helper
def remember(pads, first_occupancy, second_occupancy):
    """Put a pair in the first free place, or in the last one."""
    place = 0
    while place < PAIRS - 1 and pads.recent[place, 0] != pads.recent[place, 1]:
        place += 1
    pads.recent[place, 0], pads.recent[place, 1] = first_occupancy, second_occupancy


@helper
def find_conflict(task, state, t):
    """Look for a conflict among the occupancies that become active at level t, and with those
    that have slots; take none. DEAD or OPEN. What conflicts is remembered.
    """
    pads, plan, products = state.pads, task.plan, task.products
    low = pads.low[t]
    span = pads.high[t] - low
    both = pads.both[t]
    bucket = ONE << task.shift
    stamp = state.register[SERIAL] << STAMP_BITS
    place = plan.first[t]
    outcome = OPEN
    while place < plan.first[t + 1]:
        occupancy = plan.order[place]
        place += 1
        x = products.multiplicand[occupancy]
        value = product(task, pads, t, occupancy, low)
        if reach(task, value, x, span, (x - ONE) & both) >= bucket:
            continue
        slot = value >> task.shift
        attack = np.int64(products.attack[occupancy])
        slot_conflicts = conflicts(pads, slot, attack)
        last_stamp = pads.glance_stamp[slot]
        if slot_conflicts or (last_stamp >= stamp and last_stamp != stamp + attack):
            outcome = DEAD
            if task.chain.recall:
                rival = pads.owner[slot] if slot_conflicts else pads.glance_occupancy[slot]
                if rival >= 0:  # else nobody may be there
                    remember(pads, occupancy, rival)
            break
        pads.glance_stamp[slot] = stamp + attack
        pads.glance_occupancy[slot] = occupancy
    state.register[EXAMINED] += place - plan.first[t]
    state.register[LOOKED] += place - plan.first[t]
    return outcome


# A node knows m modulo 2^q up to an interval [low, high]. It looks at every occupancy whose
# product moves over few buckets in that interval: one that stays in a bucket takes its slot,
# or conflicts (the node is done); one that straddles loses the ends of the interval where it
# would conflict. What is left is cut in cells.
#
# The fan tests a word of 64 cells at once; a chain (the folder chain) goes down many
# levels without a look at the slots.
#
# Words are uint64 throughout: in numba uint64 with a plain int becomes int64 or float64, so
# every literal is wrapped, and tests/project/test_kernel_types.py looks at what was compiled.

NODES_OF_A_CHAIN = 1 << 16
"""What one stretch of a chain counts for where nodes are counted to see if it is time to stop."""
CORNER = np.uint64(63)
"""The last bits that a node knows, at a corner."""


@helper
def visit(task, state, t):
    """Look at the node at level t. OPEN if it has children to look at.

    Before: low, high and base of level t say which m it has. After: what it knows is in
    the slots and in the pending occupancies of level t; the log says what to undo.
    """
    pads, register, plan = state.pads, state.register, task.plan
    register[NODES] += 1
    register[SERIAL] += 1
    pads.serial[t] = register[SERIAL]
    pads.log_first[t] = register[LOGGED]
    if task.record:
        state.leaves.later_first[t] = register[DEFERRED]
    if t == task.chain.level and is_corner(task, state, t):
        pads.both[t], pads.sides[t] = ZERO, 1
        pads.corner[0], pads.corner[1] = pads.low[t], pads.high[t]
    if t > 0 and t == task.chain.level + 1 and look_below_chain(task, state, t) == DEAD:
        return DEAD
    register[EXAMINED] += plan.first[t + 1] - plan.first[t]
    if t > 0:
        register[EXAMINED] += pads.pendings[t - 1]
    outcome, straddling = place_occupancies(task, state, t)
    if outcome == DEAD:
        return DEAD
    if tighten(task, state, t, straddling) == DEAD:
        return DEAD
    # At the last level of a whole plan everything is settled; a planner's plan may end sooner.
    all_placed = pads.pendings[t] == 0 and plan.first[t + 1] == len(plan.order)
    if t == len(plan.p) - 1 or (all_placed and pads.both[t] == ZERO):
        place = register[INTERVALS]
        low, high = pads.low[t], pads.high[t]
        if pads.mirrored[t] != ZERO:
            low, high = mirror_of(plan.q[t], high), mirror_of(plan.q[t], low)
        state.intervals[place, 0], state.intervals[place, 1] = low, high
        register[INTERVALS] = place + 1
        if task.record:
            write_magics(state, plan.q[t], pads.low[t], pads.high[t])
        return DEAD
    pads.alive[t] = ZERO
    pads.word[t] = -1
    if t == task.chain.level:
        start_chain(task, state, t)
    return OPEN


@helper
def is_corner(task, state, t):
    """Whether m and ~m are to be taken apart before the chain: below a number with many zeros all
    products are just below a bucket's end, and the tables of both sides together rule out little.
    """
    pads = state.pads
    known = pads.base[t] >> np.uint64(task.plan.p[t])
    return pads.both[t] != ZERO and known & CORNER == CORNER


@helper
def begin_mirror_side(state, t):
    """Begin with the node at level t again, on the side of ~m."""
    pads = state.pads
    pads.sides[t] = 0
    pads.mirrored[t] = ALL
    pads.low[t], pads.high[t] = pads.corner[0], pads.corner[1]


@helper
def next_word(task, state, t):
    """Go on to level t's next word of cells with any alive. False if there is none.

    After: alive[t] are its cells inside the node's interval that the fan leaves alive.
    """
    pads, register, plan = state.pads, state.register, task.plan
    width = plan.width[t]
    cell = np.uint64(plan.p[t] - width)
    bits = np.uint64(min(6, width))
    low, high = pads.low[t], pads.high[t]
    while pads.word[t] + 1 < np.int64(1) << max(0, width - 6):
        pads.word[t] += 1
        start = pads.base[t] + (np.uint64(pads.word[t]) << (cell + SIX))
        # Two shifts: a word may be all 2^64 numbers.
        last = start + (((ONE << cell) << bits) - ONE)
        if last < low or start > high:
            continue
        alive = ALL if bits == SIX else (ONE << (ONE << bits)) - ONE
        if low > start:
            alive &= ALL << ((low - start) >> cell)
        if high < last:
            alive &= ALL >> (LAST - ((high - start) >> cell))
        if plan.fan_first[t] < plan.fan_first[t + 1]:
            before = alive
            alive = fan(task, state, t, start, cell, alive)
            register[CELLS] += np.int64(popcount(before & ~alive))
        pads.covered[t] = start
        pads.alive[t] = alive
        if alive != ZERO:
            return True
        if task.record:
            write_killed(task, state, t, cell, last)
    return False


@helper
def descend(task, state, t):
    """Prepare level t + 1 for the next child of level t, a CHILD. LAST_CHILD if there was no
    other one, LATER if it needs another call.
    """
    pads = state.pads
    pads.both[t + 1], pads.mirrored[t + 1] = pads.both[t], pads.mirrored[t]
    if t == task.chain.level:
        return next_chain_cell(task, state, t)
    width = task.plan.width[t]
    if width == 0:
        return next_high_bit(task, state, t)
    return next_side(state, t) if width == SIDES else next_cell(task, state, t)


@helper
def next_side(state, t):
    """As descend, where level t is about m and ~m, and level t + 1 about m, then about ~m."""
    pads = state.pads
    pads.word[t] += 1
    apart = pads.both[t] == ZERO  # since a corner
    if pads.word[t] > 1 - np.int64(apart):
        return LAST_CHILD
    if not apart:
        pads.both[t + 1] = ZERO
        pads.mirrored[t + 1] = ZERO - np.uint64(pads.word[t])
    pads.base[t + 1] = pads.base[t]
    pads.low[t + 1], pads.high[t + 1] = pads.low[t], pads.high[t]
    return CHILD


@helper
def next_high_bit(task, state, t):
    """As descend, where level t + 1 knows bit q as well: 0, then 1."""
    pads = state.pads
    pads.word[t] += 1
    if pads.word[t] > 1:
        return LAST_CHILD
    add = np.uint64(pads.word[t]) << np.uint64(task.plan.q[t])
    pads.base[t + 1] = pads.base[t] + add
    pads.low[t + 1] = pads.low[t] + add
    pads.high[t + 1] = pads.high[t] + add
    return CHILD


@helper
def next_cell(task, state, t):
    """As descend, where the children of level t are the cells of its words."""
    pads = state.pads
    width = task.plan.width[t]
    cell = np.uint64(task.plan.p[t] - width)
    if pads.alive[t] == ZERO:
        if task.record and pads.word[t] >= 0:
            word = (ONE << cell) << np.uint64(min(6, width))
            last = pads.base[t] + (np.uint64(pads.word[t]) << (cell + SIX)) + (word - ONE)
            if pads.covered[t] != last + ONE:
                write_killed(task, state, t, cell, last)
        if not next_word(task, state, t):
            return LAST_CHILD
    alive = pads.alive[t]
    pads.alive[t] = alive & (alive - ONE)
    start = pads.base[t] + (np.uint64(pads.word[t]) << (cell + SIX)) + (lowest(alive) << cell)
    last = start + ((ONE << cell) - ONE)
    if task.record and start > pads.covered[t]:
        write_killed(task, state, t, cell, start - ONE)
    pads.covered[t] = last + ONE
    return enter(pads, t, start, last)


@entry_point
def search(task, state, most_nodes, most_intervals):
    """Go on with a subtree for at most so many nodes, or until so many intervals of magics
    are found or a block of leaves is full.

    DONE, PAUSED or FULL; state.register has the counts. Between two nodes everything that the
    search knows is in `state`, so another call goes on where this one stopped.
    """
    register, pads = state.register, state.pads
    t = register[LEVEL]
    entering = register[ENTERING] != 0
    stop = register[NODES] + most_nodes
    status = DONE
    while t >= 0:
        if register[INTERVALS] >= most_intervals or (task.record and register[WRITTEN] >= BLOCK):
            status = FULL
            break
        if entering:
            if register[NODES] >= stop:
                status = PAUSED
                break
            entering = False
            if visit(task, state, t) == OPEN:
                continue
        else:
            outcome = descend(task, state, t)
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
        # The node is done: its leaves above what was left of it, and then the node above.
        if task.record:
            write_deferred(state, t, task.plan.q[t])
        undo(task, state, t)
        if pads.sides[t] != 0:
            begin_mirror_side(state, t)
            entering = True
            continue
        t -= 1
    register[LEVEL] = t
    register[ENTERING] = np.int64(entering)
    return status


@entry_point
def probe(task, state, roots):
    """Count through one subtree after another of a plan without "m", from their roots' low ends.

    How many were done before state.intervals was nearly full; the counts add up.
    """
    register, pads = state.register, state.pads
    done = 0
    for low in roots:
        if register[INTERVALS] > len(state.intervals) // 2:
            break
        register[LEVEL], register[ENTERING] = 0, 1
        pads.base[0] = pads.low[0] = low
        pads.high[0] = low + ((ONE << np.uint64(task.plan.p[0])) - ONE)
        search(task, state, NO_END, len(state.intervals))
        done += 1
    return done
