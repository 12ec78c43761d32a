"""The annealing kernel: one square's magic, added constant and offset, all other squares fixed.

The cost of a choice is the price of every slot that it uses, plus `conflict_price` for
every occupancy whose slot holds another attack set of the same square. The caller prices
the slots: one for a slot as such, more where another square is, more beyond the length
wanted. So one kernel finds magics with few used slots, magics for given holes, and magics
that overlap a little while something else is moved.

Everything is uint64 or int64 and says so: `uint64 * int` would quietly become int64.
"""

import numpy as np

from magicert.compact.compiled import entry, helper

U = np.uint64
REFUSED = 1 << 50
"""The cost of what was given up early: more than any limit."""
LAST_STAMP = (1 << 16) - 1
"""Where the marks in `seen` are used up: they are the upper half of a 32-bit word."""

_MULTIPLIER = U(0x2545F4914F6CDD1D)


@helper
def next_word(state):  # type: ignore[no-untyped-def]
    """The next pseudo-random word of xorshift64* (Vigna 2016); `state` is one word, not 0."""
    x = state[0]
    x ^= x << U(13)
    x ^= x >> U(7)
    x ^= x << U(17)
    state[0] = x
    return x * _MULTIPLIER


@helper
def next_below(state, bound):  # type: ignore[no-untyped-def]
    """A pseudo-random int64 from 0 to bound - 1, for bounds far below 2^32."""
    return np.int64(((next_word(state) >> U(32)) * U(bound)) >> U(32))


@helper
def next_fraction(state):  # type: ignore[no-untyped-def]
    """A pseudo-random float in (0, 1]."""
    return (np.float64(next_word(state) >> U(11)) + 1.0) / 9007199254740993.0


@entry
def random_state(seed):  # type: ignore[no-untyped-def]
    """The state of a random number generator, from a seed."""
    state = np.empty(1, np.uint64)
    state[0] = seed | U(1)
    for _ in range(8):
        next_word(state)
    return state


@entry
def cost_of(  # type: ignore[no-untyped-def]
    magic, added, offset, shift, shifts, numbers, price, conflict_price, limit, products, seen,
    stamp,
):  # fmt: skip
    """The cost of one choice, or REFUSED as soon as it exceeds `limit`.

    `products` and `seen` are working space (2^c uint64, 2^bits uint32); `stamp` is from 1 to
    LAST_STAMP and larger from call to call, so that `seen` need not be cleared between.
    """
    mark = np.uint32(stamp) << np.uint32(16)
    window = price[offset:]
    products[0] = added
    index = added >> shift
    seen[index] = mark | np.uint32(numbers[0])
    cost = np.int64(window[index])
    size = 1
    for j in range(len(shifts)):
        step = magic << U(shifts[j])
        for n in range(size):
            products[size + n] = products[n] + step
        start = size
        size *= 2
        while start < size:
            end = min(start + 64, size)
            for n in range(start, end):
                index = products[n] >> shift
                key = mark | np.uint32(numbers[n])
                before = seen[index]
                if before != key:
                    if before < mark:
                        seen[index] = key
                        cost += np.int64(window[index])
                    else:
                        cost += conflict_price
            start = end
            if cost > limit:
                return np.int64(REFUSED)
    return cost


@helper
def _changed(word, state, highest):  # type: ignore[no-untyped-def]
    """A neighbour of a word: one bit turned, or a power of two added or taken away."""
    bit = U(next_below(state, highest))
    kind = next_below(state, 4)
    if kind == 0:
        return word + (U(1) << bit)
    if kind == 1:
        return word - (U(1) << bit)
    return word ^ (U(1) << bit)


@entry
def anneal(  # type: ignore[no-untyped-def]
    magic, constant, offset, mode, around, shift, shifts, numbers, price, conflict_price,
    lowest, highest, jump, hot, cold, steps, goal, seed,
):  # fmt: skip
    """Anneal magic, constant and offset from a start; the best found, as (magic, constant,
    offset, cost).

    Offsets stay within lowest..highest and move by up to `jump`; `mode` is one of
    CONSTANT_MODES. The temperature falls from `hot` to `cold` geometrically over `steps`
    candidates; the walk stops early at a cost of `goal` or less.
    """
    state = random_state(seed)
    products = np.empty(len(numbers), np.uint64)
    seen = np.zeros(np.int64(U(1) << (U(64) - shift)), np.uint32)
    stamp = np.int64(1)
    added = around * magic if mode == 1 else constant
    cost = cost_of(
        magic, added, offset, shift, shifts, numbers, price, conflict_price,
        np.int64(REFUSED), products, seen, stamp,
    )  # fmt: skip
    best = (magic, constant, offset, cost)
    temperature = hot
    cooling = (cold / hot) ** (1.0 / steps)
    for _ in range(steps):
        if best[3] <= goal:
            break
        temperature *= cooling
        new_magic, new_constant, new_offset = magic, constant, offset
        kind = next_below(state, 16)
        if kind < 3 and highest > lowest:
            new_offset = offset + next_below(state, 2 * jump + 1) - jump
            if new_offset < lowest or new_offset > highest:
                continue
        if mode == 2 and (kind < 1 or kind > 11):
            new_constant = _changed(constant, state, 64)
        elif kind > 1:
            new_magic = _changed(magic, state, 64)
            if kind < 8:
                new_magic = _changed(new_magic, state, 64)
        limit = cost - np.int64(temperature * np.log(next_fraction(state)))
        added = around * new_magic if mode == 1 else new_constant
        stamp += np.int64(1)
        if stamp > LAST_STAMP:
            seen[:] = np.uint32(0)
            stamp = np.int64(1)
        new_cost = cost_of(
            new_magic, added, new_offset, shift, shifts, numbers, price, conflict_price,
            limit, products, seen, stamp,
        )  # fmt: skip
        if new_cost <= limit:
            magic, constant, offset, cost = new_magic, new_constant, new_offset, new_cost
            if cost < best[3]:
                best = (magic, constant, offset, cost)
    return best
