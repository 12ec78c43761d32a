"""The fan: 64 cells tested by one shifted word.

An occupancy that moves by one unit (a fraction 2^-units of a bucket) from cell to cell
meets, over the cells, consecutive units of the bit
string `clash` (the units whose slot holds another attack set): one shifted word says which
cells die. A cell touches two units, so it dies where two neighbours are set (`clash` has
them joined already); where the drift may carry it into a third, that one is asked too.
"""

import numpy as np

from magicert.search.compiled import helper
from magicert.search.kernel.state import WORDS

ONE = np.uint64(1)
ZERO = np.uint64(0)
SIX = np.uint64(6)
LAST = np.uint64(63)


@helper
def bit_count(word):
    """How many bits of a word are set, as uint64."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@helper
def lowest(word):
    """The number of the lowest set bit, as uint64."""
    return bit_count((word & (ZERO - word)) - ONE)


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
def fan(products, plan, pads, register, unit_shift, t, start, cell, alive, record):
    """Which of a word of cells, `start` + j * 2^cell, the moving occupancies leave alive."""
    unit = ONE << unit_shift
    cells = ONE << np.uint64(min(6, plan.width[t]))
    for place in range(plan.fan_first[t], plan.fan_first[t + 1]):
        row = plan.fan[place]
        x = products.multiplicand[row]
        attack = products.attack[row]
        value = x * start + products.constant[row]
        at = value >> unit_shift
        if pads.clash_at[attack] != pads.serial[t]:
            pads.clash_at[attack] = pads.serial[t]
            join_clash(pads, attack)
        kill = shifted(pads.clash, attack, at)
        drift = (x << cell) - unit
        if (value & (unit - ONE)) + drift * cells - x >= unit:
            kill &= shifted(pads.clash, attack, at + ONE)
        if record:
            fresh = kill & alive
            while fresh != ZERO:
                pads.killer[t, np.int64(lowest(fresh))] = row
                fresh &= fresh - ONE
        alive &= ~kill
        register[WORDS] += 1
        if alive == ZERO:
            break
    return alive
