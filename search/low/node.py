"""One node that takes a square: which of the square's values are alive.

A node knows m modulo 2^q. The square's product v is then known but for its top eight bits, its
*value* (with fewer bits to a step only every second, fourth ... value is asked for). The old
patterns have their slots. A new one, an old pattern with the square, has the old product plus v:
from value to value it moves by one position. Two new ones move together.
"""

import numpy as np

from magicert.search.compiled import helper
from magicert.search.kernel.state import CELLS, DEAD, DROPS, EXAMINED, OPEN, SERIAL, WORDS
from magicert.search.low.lanes import rule_out
from magicert.search.low.strings import (
    EACH,
    HALF,
    TOP,
    put,
    read,
    repeat,
    snapped,
    string_of,
    take_out,
)
from magicert.search.words import ALL, LAST, ONE, SIX, ZERO
from magicert.system.words import popcount

EIGHT = np.uint64(8)


@helper
def asked(width):
    """The values of a step of so many bits, as four words: all multiples of 2^(8 - width)."""
    if width == EIGHT:
        return ALL, ALL, ALL, ALL
    word, by = ONE, ONE << (EIGHT - width)
    while by <= LAST:
        word |= word << by
        by <<= ONE
    between = word if width > ONE else ZERO
    return word, between, word, between


@helper
def test_values(task, state, level):
    """Find the values of a node that no old pattern and no pair of new ones kills, and keep them
    in state.pads.alive[level]. DEAD if there are none.
    """
    pads, register, tests = state.pads, state.register, task.tests
    t = task.levels.squares[level]
    width = task.levels.width[level]
    v = pads.m[level] << task.bit[t]
    alive = pads.alive[level]
    first = np.uint64(t) * task.classes * EACH
    # Old products, where they are not filled in: those of one square less, without the last
    # square and with it.
    base, mask, with_last = ONE, ZERO, v
    if t > 0:
        base = ONE << np.uint64(t - 1)
        mask = base - ONE
        with_last = v + pads.added[t]
    alive[0], alive[1], alive[2], alive[3] = asked(width)
    start, end = np.uint64(tests.lonely_first[t]), np.uint64(tests.lonely_first[t + 1])
    tested = rule_out(
        alive, pads.taken, first, pads.product, tests.lonely, start, end,
        (task.shift, task.classes - ONE, ZERO), (base, mask, v, with_last),
    )  # fmt: skip
    if alive[0] | alive[1] | alive[2] | alive[3] != ZERO:
        fill(state, t)
        base = ONE << np.uint64(t)
        for group in range(tests.group_first[t], tests.group_first[t + 1]):
            others(task, state, t, group)
            start = np.uint64(tests.hidden_first[group])
            end = np.uint64(tests.hidden_first[group + 1])
            tested += rule_out(
                alive, pads.clash, ZERO, pads.product, tests.hidden, start, end,
                (task.shift, task.classes - ONE, ONE), (base, ALL, v, v),
            )  # fmt: skip
            if alive[0] | alive[1] | alive[2] | alive[3] == ZERO:
                break
    left = popcount(alive[0]) + popcount(alive[1]) + popcount(alive[2]) + popcount(alive[3])
    register[WORDS] += 4 * np.int64(tested)
    register[CELLS] += (np.int64(1) << np.int64(width)) - np.int64(left)
    if left == ZERO:
        return DEAD
    return test_new(task, state, level, v)


@helper
def fill(state, t):
    """Fill in the products of all patterns of t squares."""
    pads = state.pads
    if pads.filled[t] != 0:
        return
    pads.filled[t] = 1
    half = ONE << np.uint64(t - 1)
    added = pads.added[t]
    for n in range(half):
        old = np.uint64(n)
        product = pads.product[half + old]
        pads.product[half + half + old] = product
        pads.product[half + half + half + old] = product + added


@helper
def others(task, state, t, group):
    """pads.clash: the slots taken by other attack sets than the group's."""
    pads, tests = state.pads, task.tests
    words = task.classes * EACH
    first = np.uint64(t) * words
    for n in range(words):
        pads.clash[n] = pads.taken[first + np.uint64(n)]
    base = ONE << np.uint64(t)
    for place in range(tests.member_first[group], tests.member_first[group + 1]):
        take_out(task, pads.clash, pads.product[base + tests.member[place]])
    state.register[EXAMINED] += tests.member_first[group + 1] - tests.member_first[group]


@helper
def test_new(task, state, level, v):
    """Drop the living values at which two new patterns conflict, write the positions of the new
    ones in pads.fresh, and put the living values in the order of reversed bits.
    """
    pads, register = state.pads, state.register
    t = task.levels.squares[level]
    alive = pads.alive[level]
    a, b, c, d = alive[0], alive[1], alive[2], alive[3]
    alive[:] = ZERO
    whole = task.run == ONE
    # With eight bits to a slot or more they conflict at every value or at none.
    if whole and together(task, state, t, v) == DEAD:
        left = popcount(a) + popcount(b) + popcount(c) + popcount(d)
        register[DROPS] += np.int64(left)
        return DEAD
    some = ZERO
    for n in range(4):
        word = a if n == 0 else b if n == 1 else c if n == 2 else d
        while word != ZERO:
            value = (np.uint64(n) << SIX) + popcount((word & (ZERO - word)) - ONE)
            word &= word - ONE
            if not whole and together(task, state, t, v + (value << TOP)) == DEAD:
                register[DROPS] += 1
                continue
            place = pads.reversed[value]
            alive[place >> SIX] |= ONE << (place & LAST)
            some |= ONE
    if some == ZERO:
        return DEAD
    positions(task, state, t, v)
    return OPEN


@helper
def together(task, state, t, v):
    """DEAD if two new patterns with different attack sets share a slot."""
    pads, register = state.pads, state.register
    base = ONE << np.uint64(t)
    register[SERIAL] += 1
    serial = register[SERIAL]
    for n in range(base):
        old = np.uint64(n)
        slot = (pads.product[base + old] + v) >> task.shift
        new = old | base
        if pads.seen[slot] != serial:
            pads.seen[slot] = serial
            pads.seen_pattern[slot] = np.int32(new)
        elif task.attack[pads.seen_pattern[slot]] != task.attack[new]:
            register[EXAMINED] += np.int64(n) + 1
            return DEAD
    register[EXAMINED] += np.int64(base)
    return OPEN


@helper
def positions(task, state, t, v):
    """pads.fresh: where the new patterns lie at value 0."""
    pads = state.pads
    words = task.classes * EACH
    first = np.uint64(t) * words
    pads.fresh[first : first + words] = ZERO
    base = ONE << np.uint64(t)
    for n in range(base):
        word, bit = string_of(task, pads.product[base + np.uint64(n)] + v)
        pads.fresh[first + word] |= ONE << bit
    repeat(task, pads.fresh, first)


@helper
def take(task, state, t, value):
    """The slots of t + 1 squares: the old ones, and those of the new patterns at a value."""
    from_word = (ZERO - value) & np.uint64(255)
    bit = from_word & LAST
    from_word >>= SIX
    pads = state.pads
    words = task.classes * EACH
    first = np.uint64(t) * words
    for own in range(task.classes):
        old = first + np.uint64(own) * EACH
        for n in range(HALF):
            word = old + np.uint64(n)
            new = read(pads.fresh, word + from_word, bit)
            if task.run > ONE:
                new = snapped(task, new)
            new |= pads.taken[word]
            pads.taken[word + words] = new
            pads.taken[word + words + HALF] = new


@helper
def take_all(task, state, t):
    """The slots of the patterns of t squares, whose products are filled in, and those that are
    forbidden.
    """
    pads = state.pads
    words = task.classes * EACH
    first = np.uint64(t) * words
    pads.taken[first : first + words] = ZERO
    for slot in range(len(pads.seen)):
        if not task.least_slot <= np.uint64(slot) <= task.most_slot:
            put(task, pads.taken, first, np.uint64(slot) << task.shift)
    base = ONE << np.uint64(t)
    for n in range(base):
        put(task, pads.taken, first, pads.product[base + np.uint64(n)])
    repeat(task, pads.taken, first)
