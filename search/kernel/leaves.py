"""Writing leaves, in compiled code: what the kernel calls when it can prove a piece.

A leaf is an interval of m modulo 2^q on which two occupancies conflict. Leaves are written
in the order of the search tree, so that a checker sees without gaps that they cover it.
"""

import numpy as np

from magicert.search.compiled import helper
from magicert.search.kernel.state import DEFERRED, LEAVES, WRITTEN
from magicert.search.words import ONE, SIX, ZERO


@helper
def write(state, q, low, high, one, other):
    """Write one leaf: for m = low..high modulo 2^q, `one` and `other` conflict.

    `other` < 0 stands for nobody: `one` is in a forbidden slot.
    """
    leaves = state.leaves
    place = state.register[WRITTEN]
    first = np.int64(one)
    second = np.int64(other)
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
def write_found(state, q, low, high):
    """Write that m = low..high modulo 2^q are magics: the pair (1, 0)."""
    write(state, q, low, high, 0, 1)
    place = state.register[WRITTEN] - 1
    state.leaves.first[place] = np.uint16(1)
    state.leaves.second[place] = np.uint16(0)
    state.register[LEAVES] += 1


@helper
def defer(state, low, high, one, other):
    """Keep a leaf that lies above the rest of its node, for when that is done."""
    leaves = state.leaves
    place = state.register[DEFERRED]
    leaves.later_low[place] = low
    leaves.later_high[place] = high
    leaves.later_pair[place, 0] = one
    leaves.later_pair[place, 1] = other
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
