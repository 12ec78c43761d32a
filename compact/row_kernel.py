"""The row kernel: annealing one rook's magic and offset under a forced row step.

Only the file's sums are evaluated, at most 64 of them; the rank's patterns follow each as
one 64-bit word. The buffer's occupied slots are read as words, too: in *layout e* slot s is
bit (s mod 2^e) * (room / 2^e) + s / 2^e, so that slots 2^e apart are neighbouring bits.

A candidate costs `slot_price` for every slot, `overlap_price` more for every slot that is
taken, and `conflict_price` for whatever makes it no magic of this form. What comes out is
exact for the form; `used_indexes` still has the last word on every magic.
"""

import numpy as np
from numba import njit

from compact.kernel import REFUSED, next_below, next_fraction, next_word
from compact.kernel_words import popcount
from compact.lines import PAGE, ROW_BITS, WIDEST_STEP

U = np.uint64
WORDS = 66
"""Words of a page's own bitset, with a spare word or two."""
LARGEST_FRACTION = np.int64(1) << 48
"""The largest deviation of the row step, in units of 2^-52 of a bucket."""


@njit(cache=True, inline="always")
def _word_at(bits, place):  # type: ignore[no-untyped-def]
    """64 bits of a bitset from a place on."""
    shift = U(place & 63)
    word = bits[place >> 6] >> shift
    if shift != U(0):
        word |= bits[(place >> 6) + 1] << (U(64) - shift)
    return word


@njit(cache=True, inline="always")
def _claim(own, place, word):  # type: ignore[no-untyped-def]
    """Set bits of the square's own bitset from a place on. True if one was set already."""
    shift = U(place & 63)
    at = place >> 6
    low = word << shift
    twice = own[at] & low
    own[at] |= low
    if shift != U(0):
        high = word >> (U(64) - shift)
        twice |= own[at + 1] & high
        own[at + 1] |= high
    return twice != U(0)


@njit(cache=True, inline="always")
def _part(own, layer, room, step, offset, index, word, slot_price, overlap_price):  # type: ignore[no-untyped-def]
    """The price of the slots index + 2^step * n for the bits n of a word, and whether the
    square uses one of them already.
    """
    columns = (np.int64(1) << step) - 1
    place = (index & columns) * (np.int64(PAGE) >> step) + (index >> step)
    twice = _claim(own, place, word)
    slot = offset + index
    taken = _word_at(layer, (slot & columns) * (room >> step) + (slot >> step)) & word
    price = slot_price * np.int64(popcount(word)) + overlap_price * np.int64(popcount(taken))
    return price, twice


@njit(cache=True, inline="always")
def _rows(own, layer, room, step, offset, index, pattern, slot_price, overlap_price):  # type: ignore[no-untyped-def]
    """The price of the rank's patterns behind one file sum, wrapped at the page's end, and
    whether the square uses one of the slots already.
    """
    if step == WIDEST_STEP:
        # A whole column of the page: rows wrap in the word.
        row = U(index >> 6)
        rows = pattern << row | pattern >> ((U(64) - row) & U(63))
        return _part(own, layer, room, step, offset, index & 63, rows, slot_price, overlap_price)
    page = np.int64(PAGE)
    rows_left = (page - index + (np.int64(1) << step) - 1) >> step
    first = pattern
    if rows_left < 64:
        first = pattern & ((U(1) << U(rows_left)) - U(1))
    price, twice = _part(own, layer, room, step, offset, index, first, slot_price, overlap_price)
    if first != pattern:
        start = index + (rows_left << step) - page
        rest = pattern >> U(rows_left)
        more, again = _part(own, layer, room, step, offset, start, rest, slot_price, overlap_price)
        price += more
        twice |= again
    return price, twice


@njit(cache=True, inline="always")
def _pattern(magic, step, lines):  # type: ignore[no-untyped-def]
    """The rank's patterns as the bits of a word, in steps of 2^step, and by how much the
    magic's row step deviates; no bits where it is another step.
    """
    coefficient = magic << U(lines.lowest)
    top = U(64 - ROW_BITS + step)
    deviation = np.int64(coefficient & ((U(1) << top) - U(1)))
    if deviation >> np.int64(top - U(1)):
        deviation -= np.int64(1) << np.int64(top)
    turn = (coefficient - U(deviation)) >> top
    fits = -LARGEST_FRACTION <= deviation <= LARGEST_FRACTION and (
        step == WIDEST_STEP or turn == U(1)
    )
    return lines.turned[turn] if fits else U(0), deviation


@njit(cache=True)
def row_cost(  # type: ignore[no-untyped-def]
    magic, added, offset, step, lines, layer, room, slot_price, overlap_price, conflict_price,
    limit, holds, own, products, stamp,
):  # fmt: skip
    """The cost of one choice, or REFUSED where its row step is another or the cost exceeds
    `limit`. `holds`, `own` and `products` are working space; `stamp` rises from call to call.
    """
    pattern, deviation = _pattern(magic, step, lines)
    if pattern == U(0):
        return np.int64(REFUSED)
    within = (np.int64(1) << np.int64(64 - ROW_BITS)) - 1
    most = deviation * lines.farthest
    products[0] = added
    size = 1
    for shift in lines.shifts:
        one = magic << U(shift)
        for n in range(size):
            products[size + n] = products[n] + one
        size *= 2
    own[:] = U(0)
    cost = np.int64(0)
    for n in range(size):
        index = np.int64(products[n] >> U(64 - ROW_BITS))
        # The rank's fractions must not carry this sum into another bucket.
        fraction = np.int64(products[n] & U(within)) + most
        if fraction > within or fraction < 0:
            cost += conflict_price
        key = stamp << 16 | lines.numbers[n]
        if holds[index] == key:
            continue
        if holds[index] >> 16 == stamp:
            cost += 4 * conflict_price
            continue
        holds[index] = key
        price, twice = _rows(
            own, layer, room, step, offset, index, pattern, slot_price, overlap_price
        )
        cost += price
        if twice:
            cost += 2 * conflict_price
        if cost > limit:
            return np.int64(REFUSED)
    return cost


@njit(cache=True, inline="always")
def _changed(magic, state, lines):  # type: ignore[no-untyped-def]
    """A neighbour: a bit turned, a power of two added or taken away, or a file square's
    coefficient made a small negative fraction.
    """
    bit = U(next_below(state, 64))
    kind = next_below(state, 96)
    if kind < 2:
        top = U(64 - lines.shifts[next_below(state, len(lines.shifts))])
        length = U(ROW_BITS + next_below(state, 5))
        low = top - length if top > length else U(0)
        return magic | ((U(1) << top) - (U(1) << low))
    if kind < 25:
        return magic + (U(1) << bit)
    if kind < 48:
        return magic - (U(1) << bit)
    return magic ^ (U(1) << bit)


@njit(cache=True)
def row_anneal(  # type: ignore[no-untyped-def]
    magic, offset, black, step, lines, layer, room, slot_price, overlap_price, conflict_price,
    lowest, highest, hot, cold, steps, goal, seed,
):  # fmt: skip
    """Anneal magic and offset from a start; the best found, as (magic, offset, cost).

    Offsets stay within lowest..highest. `black` adds ~mask * magic, otherwise nothing is
    added. The temperature falls from `hot` to `cold` geometrically over `steps` candidates;
    the walk stops early at a cost of `goal` or less.
    """
    state = np.empty(1, np.uint64)
    state[0] = seed | U(1)
    for _ in range(8):
        next_word(state)
    holds = np.zeros(PAGE, np.int64)
    own = np.zeros(WORDS, np.uint64)
    products = np.empty(64, np.uint64)
    stamp = np.int64(1)
    around = lines.around if black else U(0)
    cost = row_cost(
        magic, around * magic, offset, step, lines, layer, room, slot_price, overlap_price,
        conflict_price, np.int64(REFUSED - 1), holds, own, products, stamp,
    )  # fmt: skip
    best = (magic, offset, cost)
    temperature = hot
    cooling = (cold / hot) ** (1.0 / steps)
    for _ in range(steps):
        if best[2] <= goal:
            break
        temperature *= cooling
        new_magic, new_offset = magic, offset
        kind = next_below(state, 16)
        if kind < 3 and highest > lowest:
            new_offset = lowest + next_below(state, highest - lowest + 1)
        if kind > 1:
            new_magic = _changed(magic, state, lines)
            if kind < 8:
                new_magic = _changed(new_magic, state, lines)
        limit = cost - np.int64(temperature * np.log(next_fraction(state)))
        stamp += np.int64(1)
        new_cost = row_cost(
            new_magic, around * new_magic, new_offset, step, lines, layer, room, slot_price,
            overlap_price, conflict_price, limit, holds, own, products, stamp,
        )  # fmt: skip
        if new_cost <= limit:
            magic, offset, cost = new_magic, new_offset, new_cost
            if cost < best[2]:
                best = (magic, offset, cost)
    return best
