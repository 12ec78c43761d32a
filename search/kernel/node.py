"""One node of the window search: what is taken, what conflicts, what is cut off.

A node is an interval of m modulo 2^q. Each occupancy that moves over few buckets in it either
stays in one (it takes the slot, or conflicts with another attack set: the node is done), or
reaches into a second one (where it would conflict, that end of the interval is cut off). Here are
the task, the memory of one depth-first search, the leaves that it writes, and `tighten`, which
cuts.

When: for all plans of windows, at every node; `descent.py` goes from node to node.

Why so: everything that the kernel changes is in `State`, with a log to undo it: so a search can
stop between any two nodes, and nothing is copied on the way down.

Sound: L1 (staying) and L9 (tightening) of proofs/rounding-lemma.md. Each leaf names the two
occupancies that conflict: whoever reads it needs two multiplications, and none of this.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD
from magicert.search.chain.chain import Chain, chain_of
from magicert.search.chain.descent import ChainPads, new_chain_pads
from magicert.search.compiled import LAST, ONE, SIX, ZERO, helper
from magicert.search.problem import (
    Ints,
    Plan,
    PlanArrays,
    Terms,
    Words,
    arrays_of,
    is_mirrored,
)


class Products(NamedTuple):
    """x, c and the attack set's number of each occupancy, whose product is x * m + c."""

    multiplicand: Words
    constant: Words
    attack: NDArray[np.int32]


class Task(NamedTuple):
    """A bucket of products is 2^shift wide and has 2^units units. `record`: write leaves.
    `both`: all ones where the plan has a step "m" (Pads.both at the root), else 0.
    """

    products: Products
    plan: PlanArrays
    chain: Chain
    shift: np.uint64
    units: np.uint64
    both: np.uint64
    record: bool


def task_of(
    terms: Terms, plan: Plan, level: int, end: int | None = None, record: bool = False
) -> Task:
    """The task of subtrees whose root is at `level`. With `end` the search stops at that level:
    what is open there counts as found.
    """
    return Task(
        products=Products(terms.multiplicand, terms.constant, terms.attack),
        plan=arrays_of(plan, terms, level, end),
        chain=chain_of(plan, terms, level, len(plan.steps) if end is None else end),
        shift=np.uint64(terms.shift),
        units=np.uint64(plan.units_log2),
        both=np.uint64(WORD if is_mirrored(plan) else 0),
        record=record,
    )


# The memory of one depth-first search: everything the kernel changes.
#
# The kernel can stop between any two nodes and go on later, because all that it knows is here.

BLOCK = 1 << 16
"""Leaves in a full block of the stream."""
MARGIN = 1 << 14
"""More leaves than the kernel can write between two looks at the room left."""
MOST_INTERVALS = 1 << 10
"""Intervals of magics before the kernel stops to have them collected."""
MOST_DROPS = 1 << 12
"""Drops at one node; more are not tried (the node is then a little wider than it could be)."""

PAIRS = 8
"""Pairs of occupancies that are remembered below a chain."""

# What comes of a node, and of asking for its next child.
OPEN, DEAD = 0, 1
LAST_CHILD, CHILD, LATER = 0, 1, 2

DONE, PAUSED, FULL = 0, 1, 2
"""How a stretch of a search ended: all done, enough nodes, or no room for what it found."""
NO_END = np.int64(1 << 60)
"""More nodes than anybody visits."""

# Places in State.register.
LEVEL, ENTERING, LOGGED, DEFERRED, SERIAL = range(5)
NODES, DROPS, CELLS, WORDS, EXAMINED = range(5, 10)
LEAVES, INTERVALS, WRITTEN = range(10, 13)
LOOKED = 13
"""EXAMINED counts all occupancies that a node would look at, this one those until it was dead."""


class Pads(NamedTuple):
    """The table of slots, and what each level of the search knows.

    `owner` and `holds` say which occupancy took a slot and with which attack set (-1: free).
    `taken_units` and `of_set[a]` are the same as bits, each slot repeated once per unit;
    `clash[a]` is derived from them for the fan, at the node whose serial is clash_at[a].
    `log` is the undo log: slots in the order in which they were taken. `glance_stamp[slot]` is
    the serial of the node that last looked at it, times 2^16, plus the attack set it has there, and
    `glance_occupancy` the occupancy. `recent` are pairs of occupancies that conflicted before; a
    place where both are the same is free.

    `both` and `mirrored` are masks, one for each level: all ones where what is found dead must be
    so for m and ~m alike, and where m stands for ~m (problem.py). `sides` is 1 where a node that
    was split at a corner has a second side left, and `corner` the interval that it began with.
    """

    owner: NDArray[np.int32]
    holds: NDArray[np.int32]
    glance_stamp: Ints
    glance_occupancy: NDArray[np.int32]
    recent: NDArray[np.int32]
    taken_units: Words
    of_set: Words
    clash: Words
    clash_at: Ints
    log: Words
    log_first: Ints
    base: Words
    low: Words
    high: Words
    both: Words
    mirrored: Words
    sides: Ints
    corner: Words
    alive: Words
    word: Ints
    serial: Ints
    pending: NDArray[np.int32]
    pendings: Ints
    killer: NDArray[np.int32]
    covered: Words
    certain: NDArray[np.int32]
    certain_slot: Words


class Leaves(NamedTuple):
    """The leaf buffer, with its deferred part: drops from above, due after the subtree.

    A leaf: [lo, lo + span] modulo 2^width, the occupancies that conflict on it, and the gap
    between it and the leaf before. `next_low` is where the leaf before ended.
    """

    width: NDArray[np.uint8]
    gap: Words
    span: Words
    first: NDArray[np.uint16]
    second: NDArray[np.uint16]
    next_low: Words
    later_low: Words
    later_high: Words
    later_pair: NDArray[np.int32]
    later_first: Ints


class State(NamedTuple):
    """All of it. `intervals` has the magics as intervals [low, high] modulo 2^width."""

    register: Ints
    pads: Pads
    leaves: Leaves
    intervals: Words
    chain: ChainPads


def new_leaves(record: bool, levels: int = 0) -> Leaves:
    """An empty leaf buffer; without `record` there is no room for a leaf. So many levels defer."""
    room = BLOCK + 2 * MARGIN if record else 1
    later = levels * MOST_DROPS if record else 1
    return Leaves(
        width=np.zeros(room, dtype=np.uint8),
        gap=np.zeros(room, dtype=np.uint64),
        span=np.zeros(room, dtype=np.uint64),
        first=np.zeros(room, dtype=np.uint16),
        second=np.zeros(room, dtype=np.uint16),
        next_low=np.zeros(1, dtype=np.uint64),
        later_low=np.zeros(later, dtype=np.uint64),
        later_high=np.zeros(later, dtype=np.uint64),
        later_pair=np.zeros((later, 2), dtype=np.int32),
        later_first=np.zeros(levels, dtype=np.int64),
    )


def new_state(terms: Terms, task: Task, most_intervals: int = MOST_INTERVALS) -> State:
    """A state for subtrees of a task. It serves one subtree after another."""
    units_log2 = int(task.units)
    levels, occupancies = len(task.plan.p) + 1, len(terms.attack)
    slots = 1 << terms.bits
    words = max(1, (slots << units_log2) // 64)
    sets = int(terms.attack.max()) + 2
    holds = np.full(slots, -1, dtype=np.int32)
    owner = np.full(slots, -1, dtype=np.int32)
    taken_units = np.zeros(words, dtype=np.uint64)
    for slot in range(slots):
        if not terms.least_slot <= slot <= terms.most_slot:
            # Nobody's attack set: a conflict for whoever comes.
            holds[slot] = sets - 1
            unit = slot << units_log2
            taken_units[unit >> 6] |= np.uint64(((1 << (1 << units_log2)) - 1) << (unit & 63))
    return State(
        register=np.zeros(16, dtype=np.int64),
        pads=Pads(
            owner=owner,
            holds=holds,
            glance_stamp=np.zeros(slots, dtype=np.int64),
            glance_occupancy=np.zeros(slots, dtype=np.int32),
            recent=np.zeros((PAIRS, 2), dtype=np.int32),
            taken_units=taken_units,
            of_set=np.zeros((sets, words), dtype=np.uint64),
            clash=np.zeros((sets, words), dtype=np.uint64),
            clash_at=np.full(sets, -1, dtype=np.int64),
            log=np.zeros(occupancies + 1, dtype=np.uint64),
            log_first=np.zeros(levels, dtype=np.int64),
            base=np.zeros(levels, dtype=np.uint64),
            low=np.zeros(levels, dtype=np.uint64),
            high=np.zeros(levels, dtype=np.uint64),
            both=np.zeros(levels, dtype=np.uint64),
            mirrored=np.zeros(levels, dtype=np.uint64),
            sides=np.zeros(levels, dtype=np.int64),
            corner=np.zeros(2, dtype=np.uint64),
            alive=np.zeros(levels, dtype=np.uint64),
            word=np.zeros(levels, dtype=np.int64),
            serial=np.zeros(levels, dtype=np.int64),
            pending=np.zeros((levels, occupancies), dtype=np.int32),
            pendings=np.zeros(levels, dtype=np.int64),
            killer=np.zeros((levels, 64), dtype=np.int32),
            covered=np.zeros(levels, dtype=np.uint64),
            certain=np.zeros(occupancies + 1, dtype=np.int32),
            certain_slot=np.zeros(occupancies + 1, dtype=np.uint64),
        ),
        leaves=new_leaves(task.record, levels),
        intervals=np.zeros((most_intervals, 2), dtype=np.uint64),
        chain=new_chain_pads(task.chain),
    )


def begin(task: Task, state: State, base: int, bits: int) -> None:
    """Start a new state with the subtree of all m in its root's interval, [base, base + 2^bits)."""
    state.register[ENTERING] = 1
    state.pads.base[0] = state.pads.low[0] = state.leaves.next_low[0] = base
    state.pads.high[0] = base + (1 << bits) - 1
    state.pads.both[0] = task.both


# Writing leaves, in compiled code: what the kernel calls when it can prove a piece.
#
# A leaf is an interval of m modulo 2^q on which two occupancies conflict. Leaves are written
# in the order of the search tree, so that a checker sees without gaps that they cover it.


@helper
def write(state, q, low, high, first_occupancy, second_occupancy):
    """Write one leaf: for m = low..high modulo 2^q the two occupancies conflict.

    `second_occupancy` < 0 stands for nobody: `first_occupancy` is in a forbidden slot.
    """
    leaves = state.leaves
    place = state.register[WRITTEN]
    first = np.int64(first_occupancy)
    second = np.int64(second_occupancy)
    if second < 0:
        second = first
    leaves.width[place] = np.uint8(q)
    leaves.gap[place] = low - leaves.next_low[0]
    leaves.span[place] = high - low
    leaves.first[place] = np.uint16(min(first, second))
    leaves.second[place] = np.uint16(max(first, second))
    leaves.next_low[0] = high + ONE
    state.register[WRITTEN] = place + 1


@helper
def write_magics(state, q, low, high):
    """Write that m = low..high modulo 2^q are magics: the pair (1, 0)."""
    write(state, q, low, high, 0, 1)
    place = state.register[WRITTEN] - 1
    state.leaves.first[place] = np.uint16(1)
    state.leaves.second[place] = np.uint16(0)
    state.register[LEAVES] += 1


@helper
def defer(state, low, high, first_occupancy, second_occupancy):
    """Keep a leaf that lies above the rest of its node, for when that is done."""
    leaves = state.leaves
    place = state.register[DEFERRED]
    leaves.later_low[place] = low
    leaves.later_high[place] = high
    leaves.later_pair[place, 0] = first_occupancy
    leaves.later_pair[place, 1] = second_occupancy
    state.register[DEFERRED] = place + 1


@helper
def write_deferred(state, t, q):
    """Write what the node at level t deferred, lowest first."""
    leaves = state.leaves
    place = state.register[DEFERRED]
    while place > leaves.later_first[t]:
        place -= 1
        write(
            state, q, leaves.later_low[place], leaves.later_high[place],
            leaves.later_pair[place, 0], leaves.later_pair[place, 1],
        )  # fmt: skip
    state.register[DEFERRED] = place


@helper
def write_killed(task, state, t, cell, end):
    """Write the cells of level t's word from pads.covered[t] up to `end` (inclusive), which
    were killed by the fan: each run of cells with one killer, bucket by bucket.

    `cell` is the log2 of a cell's length.
    """
    pads, products = state.pads, task.products
    low = max(pads.covered[t], pads.low[t])
    pads.covered[t] = end + ONE
    end = min(end, pads.high[t])
    top = (ONE << task.shift) - ONE
    start = pads.base[t] + (np.uint64(pads.word[t]) << (cell + SIX))
    while low <= end:
        place = np.int64((low - start) >> cell)
        killer = pads.killer[t, place]
        last = low | ((ONE << cell) - ONE)
        while last < end and pads.killer[t, place + 1] == killer:
            place += 1
            last += ONE << cell
        last = min(last, end)
        x = products.multiplicand[killer]
        while low <= last:
            value = x * low + products.constant[killer]
            stays = low + (top - (value & top)) // x
            stop = min(last, stays)
            if stays < low:  # the sum wrapped: it stays for longer than 2^64
                stop = last
            owner = pads.owner[value >> task.shift]
            write(state, task.plan.q[t], low, stop, killer, owner)
            state.register[LEAVES] += 1
            low = stop + ONE
            if low == ZERO:
                return


# One node: which occupancies conflict in it, which take a slot, and which stay open.
#
# In the inner loops places are unsigned, too: at a signed one numba looks whether it counts from
# the end.
#
# What is found dead above a plan's step "m" is so for ~m as well (search/problem.py): there an
# occupancy stays in a bucket only if it does for all real m from `low` up to `high` + 1.

FIRST_BATCH = 8
"""Occupancies that a node looks at before it sees whether any conflicts."""


@helper
def conflicts(pads, slot, attack):
    """Whether a slot holds another attack set."""
    holds = pads.holds[slot]
    return holds >= 0 and holds != attack


@helper
def product(task, pads, t, occupancy, m):
    """An occupancy's product at m, or where level t is about ~m: ~(its product at ~m)."""
    x = task.products.multiplicand[occupancy]
    return x * m + task.products.constant[occupancy] + ((x - ONE) & pads.mirrored[t])


@helper
def reach(task, value, x, span, mirror_span):
    """How far from the start of its first bucket an occupancy's product ends in an interval of
    `span`: a bucket's width, and it does not stay there. `mirror_span` is x - 1 where ~m counts as
    well, else 0.
    """
    return (value & ((ONE << task.shift) - ONE)) + x * span + mirror_span


@helper
def units_of(task, slot):
    """The word of a slot's units in `taken_units`, and their bits in it."""
    unit = slot << task.units
    return unit >> SIX, ((ONE << (ONE << task.units)) - ONE) << (unit & LAST)


@helper
def take(task, state, slot, occupancy, attack):
    """Give a slot to an occupancy. It is free, or holds the same attack set already."""
    pads, register = state.pads, state.register
    free = pads.holds[slot] < 0
    if free:
        pads.owner[slot] = occupancy
    pads.holds[slot] = attack
    pads.log[register[LOGGED]] = slot
    register[LOGGED] += np.int64(free)
    word, bits = units_of(task, slot)
    pads.taken_units[word] |= bits
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
        pads.taken_units[word] &= ~bits
        pads.of_set[pads.holds[slot], word] &= ~bits
        pads.owner[slot] = -1
        pads.holds[slot] = -1
    state.register[LOGGED] = logged


@helper
def place_occupancies(task, state, t):
    """Let those of level t's occupancies that stay in one bucket take their slots, the pending ones
    of the level above first; those that straddle are pads.pending. DEAD at the first conflict,
    else OPEN, and how many straddle.
    """
    pads, plan = state.pads, task.plan
    outcome, straddling = OPEN, ZERO
    if t > 0:
        occupancies = pads.pending[t - 1]
        end = pads.pendings[t - 1]
        outcome, straddling = place_range(task, state, t, occupancies, np.int64(0), end, ZERO)
    if outcome == OPEN:
        first, end = plan.first[t], plan.first[t + 1]
        outcome, straddling = place_range(task, state, t, plan.order, first, end, straddling)
    return outcome, straddling


@helper
def place_range(task, state, t, occupancies, first, end, straddling):
    """As settle, for occupancies[first:end]: a few, then more and more: many nodes die at once."""
    pads = state.pads
    batch = FIRST_BATCH
    while first < end:
        certain = ZERO
        stop = min(first + batch, end)
        for place in range(np.uint64(first), np.uint64(stop)):
            straddles = classify_occupancy(
                task, pads, t, np.uint64(occupancies[place]), certain, straddling
            )
            straddling += straddles
            certain += ONE - straddles
        state.register[LOOKED] += stop - first
        if place_certain(task, state, t, certain) == DEAD:
            return DEAD, straddling
        first = stop
        batch += batch
    return OPEN, straddling


@helper
def classify_occupancy(task, pads, t, occupancy, certain, straddling):
    """Write an occupancy behind those that are certain and behind those that straddle: 1 if it
    straddles, else 0. No branches: the outcome is a coin's.
    """
    low = pads.low[t]
    x = task.products.multiplicand[occupancy]
    value = product(task, pads, t, occupancy, low)
    pads.certain[certain] = occupancy
    pads.certain_slot[certain] = value >> task.shift
    pads.pending[t, straddling] = occupancy
    far = reach(task, value, x, pads.high[t] - low, (x - ONE) & pads.both[t])
    return np.uint64(far >= ONE << task.shift)


@helper
def place_certain(task, state, t, certain):
    """Let the noted ones that stay in one bucket take their slots. DEAD at the first conflict."""
    pads = state.pads
    for place in range(certain):
        slot = pads.certain_slot[place]
        occupancy = np.uint64(pads.certain[place])
        attack = task.products.attack[occupancy]
        if conflicts(pads, slot, attack):
            state.register[LEAVES] += 1
            if task.record:
                write(state, task.plan.q[t], pads.low[t], pads.high[t], occupancy, pads.owner[slot])
            return DEAD
        take(task, state, slot, occupancy, attack)
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
    drops = pending = np.int64(0)  # a literal would be compiled for nothing
    outcome = OPEN
    for place in range(straddling):
        occupancy = np.uint64(pads.pending[t, place])
        low, drops = cut_below(task, state, t, occupancy, low, high, drops)
        high, drops = cut_above(task, state, t, occupancy, low, high, drops)
        x = task.products.multiplicand[occupancy]
        value = product(task, pads, t, occupancy, low)
        if reach(task, value, x, high - low, (x - ONE) & pads.both[t]) >= bucket:
            pads.pending[t, pending] = occupancy
            pending += 1
            continue
        slot = value >> task.shift
        attack = task.products.attack[occupancy]
        if conflicts(pads, slot, attack):
            if task.record:
                write(state, task.plan.q[t], low, high, occupancy, pads.owner[slot])
            drops += 1
            outcome = DEAD
            break
        take(task, state, slot, occupancy, attack)
    register[DROPS] += drops
    register[LEAVES] += drops
    pads.low[t], pads.high[t] = low, high
    pads.pendings[t] = pending
    return outcome


@helper
def cut_below(task, state, t, occupancy, low, high, drops):
    """Raise `low` to where an occupancy's first bucket no longer conflicts, or its product stays
    in one bucket. The new `low`, and the drops with those made here.
    """
    pads = state.pads
    bucket = ONE << task.shift
    x, attack = task.products.multiplicand[occupancy], task.products.attack[occupancy]
    mirror_span = (x - ONE) & pads.both[t]
    while drops < MOST_DROPS:
        value = product(task, pads, t, occupancy, low)
        slot, within = value >> task.shift, value & (bucket - ONE)
        stays = reach(task, value, x, high - low, mirror_span) < bucket
        if stays or not conflicts(pads, slot, attack):
            break
        step = (bucket - within + (x - ONE - mirror_span)) // x
        if step == ZERO:
            break
        if task.record:
            write(state, task.plan.q[t], low, low + step - ONE, occupancy, pads.owner[slot])
        drops += 1
        low += step
    return low, drops


@helper
def cut_above(task, state, t, occupancy, low, high, drops):
    """As cut_below, with the last bucket and `high`. Its leaves are written after the node's."""
    pads = state.pads
    bucket = ONE << task.shift
    slots = np.uint64(len(pads.holds) - 1)
    x, attack = task.products.multiplicand[occupancy], task.products.attack[occupancy]
    value = product(task, pads, t, occupancy, low)
    mirror_span = (x - ONE) & pads.both[t]
    while drops < MOST_DROPS:
        far = reach(task, value, x, high - low, mirror_span)
        slot = ((value >> task.shift) + (far >> task.shift)) & slots
        if far < bucket or not conflicts(pads, slot, attack):
            break
        step = ((far & (bucket - ONE)) + (x - mirror_span)) // x
        if step == ZERO:
            break
        if task.record:
            defer(state, high - step + ONE, high, occupancy, pads.owner[slot])
        drops += 1
        high -= step
    return high, drops
