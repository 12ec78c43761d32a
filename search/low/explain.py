"""Why a value is dead: two occupancies that share a slot, found by their products alone.

This asks none of the bit strings. So where leaves are written, a value that a string killed for no
reason would show.
"""

import numpy as np

from magicert.search.compiled import helper
from magicert.search.kernel.leaves import write
from magicert.search.kernel.state import LEAVES, SERIAL
from magicert.search.low.strings import TOP
from magicert.search.words import ONE

NO_REASON = -2


@helper
def note_owners(task, state, t):
    """Note who owns each slot among the patterns of t squares."""
    pads, register = state.pads, state.register
    register[SERIAL] += 1
    base = ONE << np.uint64(t)
    for n in range(base):
        slot = pads.product[base + np.uint64(n)] >> task.shift
        pads.owned[slot] = register[SERIAL]
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
        other = NO_REASON
        if not task.least_slot <= slot <= task.most_slot:
            other = -1
        elif pads.owned[slot] == owners and differ(task, pads.owner[slot], new):
            other = task.row[pads.owner[slot]]
        elif pads.seen[slot] == serial and differ(task, pads.seen_pattern[slot], new):
            other = task.row[pads.seen_pattern[slot]]
        pads.seen[slot] = serial
        pads.seen_pattern[slot] = np.int32(new)
        if other != NO_REASON:
            write(state, q, m, m, task.row[new], other)
            register[LEAVES] += 1
            return True
    return False


@helper
def differ(task, one, other):
    """Whether two patterns have different attack sets."""
    return task.attack[one] != task.attack[other]
