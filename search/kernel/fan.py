"""The fan: 64 cells tested by one shifted word.

An occupancy that moves by one unit (a fraction 2^-units of a bucket) from cell to cell
meets, over the cells, consecutive units of the bit
string `clash` (the units whose slot holds another attack set): one shifted word says which
cells die. A cell touches two units, so it dies where two neighbours are set (`clash` has
them joined already); where the drift may carry it into a third, that one is asked too.
"""

import numpy as np

from magicert.search.compiled import helper
from magicert.search.kernel.node import product
from magicert.search.kernel.state import WORDS
from magicert.search.words import LAST, ONE, SIX, ZERO, lowest


@helper
def join_clash(pads, attack):
    """clash[attack]: the units where this one and the next have another attack set."""
    words = len(pads.taken)
    for word in range(words):
        after = (word + 1) & (words - 1)
        here = pads.taken[word] & ~pads.of_set[attack, word]
        there = pads.taken[after] & ~pads.of_set[attack, after]
        pads.clash[attack, word] = here & ((here >> ONE) | (there << LAST))


@helper
def shifted(clash, attack, unit):
    """64 bits of clash[attack] from a unit on."""
    words = np.uint64(clash.shape[1] - 1)
    word = (unit >> SIX) & words
    by = unit & LAST
    here, after = clash[attack, word], clash[attack, (word + ONE) & words]
    return (here >> by) | ((after << ONE) << (LAST - by))


@helper
def fan(task, state, t, start, cell, alive):
    """Which of a word of cells, `start` + j * 2^cell, the moving occupancies leave alive."""
    pads, plan = state.pads, task.plan
    unit_log2 = task.shift - task.units
    unit = ONE << unit_log2
    cells = ONE << np.uint64(min(6, plan.width[t]))
    for place in range(np.uint64(plan.fan_first[t]), np.uint64(plan.fan_first[t + 1])):
        row = np.uint64(plan.fan[place])
        x = task.products.multiplicand[row]
        attack = np.uint64(task.products.attack[row])
        value = product(task, pads, t, row, start)
        at = value >> unit_log2
        if pads.clash_at[attack] != pads.serial[t]:
            pads.clash_at[attack] = pads.serial[t]
            join_clash(pads, attack)
        kill = shifted(pads.clash, attack, at)
        drift = (x << cell) - unit
        more = (x - ONE) & pads.both[t]
        if (value & (unit - ONE)) + drift * cells - x + more >= unit:
            kill &= shifted(pads.clash, attack, at + ONE)
        if task.record:
            fresh = kill & alive
            while fresh != ZERO:
                pads.killer[t, np.int64(lowest(fresh))] = row
                fresh &= fresh - ONE
        alive &= ~kill
        state.register[WORDS] += 1
        if alive == ZERO:
            break
    return alive
