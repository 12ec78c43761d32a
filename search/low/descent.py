"""Low bits first, compiled: depth-first from the lowest bit up, and why a value is dead.

`node.py` says which values of a square live; this goes through them. A child's strings lie above
its parent's, so going back needs no work. Rings say that a value dies and not why: where leaves
are written, each dead value is explained anew, by products and slots alone.

Why so: the explanation asks none of the strings. A value that a string killed for no reason has
none, and would show.

Cost: leaves are as many as values, 2.1e9 for bishop f8 with 4 bits: certificates of such cells
carry counts, and a replay writes the leaves of the shards that it is asked for.
"""

import numpy as np

from magicert.search.compiled import LAST, ONE, SIX, ZERO, entry_point, helper, lowest
from magicert.search.kernel.node import (
    BLOCK,
    CHILD,
    DEAD,
    DONE,
    ENTERING,
    FULL,
    INTERVALS,
    LAST_CHILD,
    LEAVES,
    LEVEL,
    NO_END,
    NODES,
    OPEN,
    PAUSED,
    SERIAL,
    WRITTEN,
    write,
    write_magics,
)
from magicert.search.low.node import EIGHT, TOP, take, take_written, test_values, write_products

# Why a value is dead: two occupancies that share a slot, found by their products alone.
#
# This asks none of the bit strings. So where leaves are written, a value that a string killed for
# no reason would show.


NO_REASON = -2


@helper
def note_owners(task, state, t):
    """Note who owns each slot among the patterns of t squares."""
    pads, register = state.pads, state.register
    register[SERIAL] += 1
    base = ONE << np.uint64(t)
    for n in range(base):
        slot = pads.product[base + np.uint64(n)] >> task.shift
        pads.owner_serial[slot] = register[SERIAL]
        pads.owner[slot] = np.int32(n)
    return register[SERIAL]


@helper
def write_dead(task, state, level, value, owners):
    """Write the leaf of a dead value of a node. False if there is no reason for it to be dead."""
    pads, register, levels = state.pads, state.register, task.levels
    t = levels.squares[level]
    q = levels.q[level + 1]
    m = pads.m[level] | ((value >> (np.uint64(8) - levels.width[level])) << levels.q[level])
    base = ONE << np.uint64(t)
    v = (pads.m[level] << task.bit[t]) + (value << TOP)
    register[SERIAL] += 1
    serial = register[SERIAL]
    for n in range(base):
        slot = (pads.product[base + np.uint64(n)] + v) >> task.shift
        new = np.int64(n) | np.int64(base)
        rival = NO_REASON
        if not task.least_slot <= slot <= task.most_slot:
            rival = -1
        elif pads.owner_serial[slot] == owners and differ(task, pads.owner[slot], new):
            rival = task.row[pads.owner[slot]]
        elif pads.slot_serial[slot] == serial and differ(task, pads.slot_pattern[slot], new):
            rival = task.row[pads.slot_pattern[slot]]
        pads.slot_serial[slot] = serial
        pads.slot_pattern[slot] = np.int32(new)
        if rival != NO_REASON:
            write(state, q, m, m, task.row[new], rival)
            register[LEAVES] += 1
            return True
    return False


@helper
def differ(task, first, second):
    """Whether two patterns have different attack sets."""
    return task.attack[first] != task.attack[second]


# Low bits first, compiled: depth-first, with nothing to undo.
#
# A node knows m modulo 2^q, and so every product of the squares taken so far. Where its step takes
# a square, node.py says which values are alive; a step that takes none has all of them. A child's
# tables lie above its parent's, so going back up needs no work.
#
# Words are uint64 throughout: see the module of the same name in the kernel of the windows.

WRONG = 3
"""How a stretch of the search ended, too: a value was killed for no reason."""


@helper
def visit(task, state, level):
    """Look at a node whose m is in pads.m[level]. OPEN if it has children, or leaves to write."""
    pads, register, levels = state.pads, state.register, task.levels
    register[NODES] += 1
    m = pads.m[level]
    if level == len(levels.q) - 1:
        place = register[INTERVALS]
        state.intervals[place, 0] = state.intervals[place, 1] = m
        register[INTERVALS] = place + 1
        if task.record:
            write_magics(state, levels.q[level], m, m)
        return DEAD
    pads.place[level] = ZERO
    if levels.takes[level] == 0 or test_values(task, state, level) == OPEN:
        return OPEN
    if task.record:
        write_products(state, levels.squares[level])
        return OPEN
    return DEAD


@helper
def descend(task, state, level):
    """Prepare the next child of a node, a CHILD; LAST_CHILD if there was no other one. Children
    come in the order of reversed bits: so two neighbours' leaves make up one of a bit less.
    """
    pads, levels = state.pads, task.levels
    width = levels.width[level]
    if levels.takes[level] == 0:
        place = pads.place[level]
        if place >> width != ZERO:
            return LAST_CHILD
        pads.place[level] = place + ONE
        value = ZERO
        for bit in range(width):
            value |= (place >> np.uint64(bit) & ONE) << (width - ONE - np.uint64(bit))
        pads.m[level + 1] = pads.m[level] | (value << levels.q[level])
        return CHILD
    place = next_living(task, state, level)
    if place >> width != ZERO:
        return LAST_CHILD
    pads.place[level] = place + ONE
    value = pads.reversed[place]
    t = levels.squares[level]
    pads.m[level + 1] = pads.m[level] | ((value >> (EIGHT - width)) << levels.q[level])
    pads.written[t + 1] = 0
    pads.added[t + 1] = pads.m[level + 1] << task.bit[t]
    if level + 1 < len(levels.q) - 1:
        take(task, state, t, value)
    return CHILD


@helper
def next_living(task, state, level):
    """The place of a node's next living value, or one behind its last. The leaves of the dead
    ones before it are written.
    """
    pads, levels = state.pads, task.levels
    place = pads.place[level]
    end = ONE << levels.width[level]
    alive = pads.alive[level]
    if not task.record:
        while place < end:
            word = alive[place >> SIX] >> (place & LAST)
            if word != ZERO:
                return place + lowest(word)
            place = (place | LAST) + ONE
        return end
    owners = np.int64(0)
    while place < end and alive[place >> SIX] >> (place & LAST) & ONE == ZERO:
        if owners == 0:
            owners = note_owners(task, state, levels.squares[level])
        if not write_dead(task, state, level, pads.reversed[place], owners):
            state.register[LEVEL] = -2
            return end
        place += ONE
    return place


@helper
def start(task, state, m):
    """Prepare the root, all numbers that are m modulo 2^q[0]. DEAD if two of its patterns conflict,
    or one has a forbidden slot: then its one leaf is written.
    """
    pads, register, levels = state.pads, state.register, task.levels
    squares = levels.squares[0]
    pads.m[0] = m
    pads.product[1] = task.constant
    pads.written[:] = 1
    for t in range(squares):
        pads.added[t + 1] = m << task.bit[t]
        pads.written[t + 1] = 0
        write_products(state, t + 1)
    base = ONE << np.uint64(squares)
    register[SERIAL] += 1
    for n in range(base):
        slot = pads.product[base + np.uint64(n)] >> task.shift
        rival = np.int32(-1)
        allowed = task.least_slot <= slot <= task.most_slot
        if allowed and pads.slot_serial[slot] == register[SERIAL]:
            rival = pads.slot_pattern[slot]
        if not allowed or (rival >= 0 and task.attack[rival] != task.attack[n]):
            if task.record:
                row = task.row[rival] if rival >= 0 else np.int32(-1)
                write(state, levels.q[0], m, m, task.row[n], row)
                register[LEAVES] += 1
            register[NODES] += 1
            return DEAD
        pads.slot_serial[slot] = register[SERIAL]
        pads.slot_pattern[slot] = np.int32(n)
    take_written(task, state, squares)
    return OPEN


@entry_point
def begin_low(task, state, m):
    """Start a new state with the subtree of all numbers that are m modulo 2^q[0]."""
    state.leaves.next_low[0] = m
    state.register[ENTERING] = 1
    if start(task, state, m) == DEAD:
        state.register[LEVEL] = -1


@entry_point
def search_low(task, state, most_nodes, most_intervals):
    """Go on with a subtree for at most so many nodes, or until so many magics are found or a block
    of leaves is full.

    DONE, PAUSED, FULL or WRONG; state.register has the counts. Between two nodes everything that
    the search knows is in `state`, so another call goes on where this one stopped.
    """
    register = state.register
    level = register[LEVEL]
    entering = register[ENTERING] != 0
    stop = register[NODES] + most_nodes
    status = DONE
    while level >= 0:
        if register[INTERVALS] >= most_intervals or (task.record and register[WRITTEN] >= BLOCK):
            status = FULL
            break
        if entering:
            if register[NODES] >= stop:
                status = PAUSED
                break
            entering = False
            if visit(task, state, level) == OPEN:
                continue
        elif descend(task, state, level) == CHILD:
            level += 1
            entering = True
            continue
        if register[LEVEL] == -2:
            return WRONG
        level -= 1
    register[LEVEL] = level
    register[ENTERING] = np.int64(entering)
    return status


@entry_point
def probe_low(task, state, roots):
    """Count through one subtree after another. How many were done before state.intervals was nearly
    full; the counts add up.
    """
    register = state.register
    done = 0
    for m in roots:
        if register[INTERVALS] > len(state.intervals) // 2:
            break
        register[LEVEL], register[ENTERING] = 0, 1
        if start(task, state, m) == OPEN:
            search_low(task, state, NO_END, len(state.intervals))
        done += 1
    return done
