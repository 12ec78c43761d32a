"""The column kernel: which of a page's 64 columns a rook with a row step needs.

A column is a residue class modulo 64 of the page's slots, all 64 of them. Squares that claim
whole columns stand side by side without loss, and a page of them is 64 bits. Only the file's
sums are evaluated, at most 64; the rank's patterns follow each as one 64-bit word.

A candidate costs 64 for every column, and `conflict_price` for whatever makes it no magic of
this form. What comes out is exact for the form; `used_indexes` still has the last word on
every magic.
"""

import numpy as np

from magicert.compact.anneal.kernel import REFUSED, next_below, next_fraction, random_state
from magicert.compact.anneal.words import popcount
from magicert.compact.compiled import entry, helper
from magicert.compact.pages.lines import COLUMNS, PAGE, ROW_BITS, WIDEST_STEP

U = np.uint64
WORDS = 66
"""Words of a page's bitset, with a spare word or two."""
LARGEST_FRACTION = np.int64(1) << 48
"""The largest deviation of the row step, in units of 2^-52 of a bucket."""
FORBIDDEN = np.int64(1) << 20
"""A price that no walk pays."""


@helper
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


@helper
def _place(index, step):  # type: ignore[no-untyped-def]
    """Where a slot's bit is in layout `step`: slots 2^step apart are neighbouring bits."""
    columns = (np.int64(1) << step) - 1
    return (index & columns) * (np.int64(PAGE) >> step) + (index >> step)


@helper
def _rows(own, step, index, pattern):  # type: ignore[no-untyped-def]
    """Use the rank's patterns behind one file sum, wrapped at the page's end. True if the
    square uses one of the slots already.
    """
    if step == WIDEST_STEP:
        # A whole column of the page: rows wrap in the word.
        row = U(index >> 6)
        rows = pattern << row | pattern >> ((U(64) - row) & U(63))
        return _claim(own, _place(index & 63, step), rows)
    rows_left = (np.int64(PAGE) - index + (np.int64(1) << step) - 1) >> step
    first = pattern
    if rows_left < 64:
        first = pattern & ((U(1) << U(rows_left)) - U(1))
    twice = _claim(own, _place(index, step), first)
    if first != pattern:
        start = index + (rows_left << step) - np.int64(PAGE)
        twice |= _claim(own, _place(start, step), pattern >> U(rows_left))
    return twice


@helper
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


@entry
def column_cost(  # type: ignore[no-untyped-def]
    magic, black, step, lines, conflict_price, limit, holds, own, products, stamp
):
    """The cost of a magic and its columns as the bits of a word; REFUSED where its row step is
    another or the cost exceeds `limit`. `black` adds ~mask * magic, otherwise nothing is added.

    `holds`, `own` and `products` are working space; `stamp` rises from call to call.
    """
    pattern, deviation = _pattern(magic, step, lines)
    if pattern == U(0):
        return np.int64(REFUSED), U(0)
    within = (np.int64(1) << np.int64(64 - ROW_BITS)) - 1
    most = deviation * lines.farthest
    products[0] = lines.around * magic if black else U(0)
    size = 1
    for shift in lines.shifts:
        one = magic << U(shift)
        for n in range(size):
            products[size + n] = products[n] + one
        size *= 2
    own[:] = U(0)
    behind = lines.behind[step]
    columns = U(0)
    conflicts = np.int64(0)
    for n in range(size):
        index = np.int64(products[n] >> U(64 - ROW_BITS))
        # The rank's fractions must not carry this sum into another bucket.
        fraction = np.int64(products[n] & U(within)) + most
        if fraction > within or fraction < 0:
            conflicts += conflict_price
        key = stamp << 16 | lines.numbers[n]
        if holds[index] == key:
            continue
        if holds[index] >> 16 == stamp:
            conflicts += 4 * conflict_price
            continue
        holds[index] = key
        turn = U(index & 63)
        columns |= behind << turn | behind >> ((U(64) - turn) & U(63))
        if _rows(own, step, index, pattern):
            conflicts += 2 * conflict_price
        if conflicts + COLUMNS * np.int64(popcount(columns)) > limit:
            return np.int64(REFUSED), U(0)
    return conflicts + COLUMNS * np.int64(popcount(columns)), columns


@helper
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


@helper
def _neighbour(magic, state, lines):  # type: ignore[no-untyped-def]
    """One change, or two."""
    new = _changed(magic, state, lines)
    return _changed(new, state, lines) if next_below(state, 16) < 7 else new


@entry
def column_anneal(magic, black, step, lines, conflict_price, hot, cold, steps, seed):  # type: ignore[no-untyped-def]
    """Anneal a magic for few columns; the best found and its cost. The temperature falls from
    `hot` to `cold` geometrically over `steps` candidates.
    """
    state = random_state(seed)
    holds = np.zeros(PAGE, np.int64)
    own = np.zeros(WORDS, np.uint64)
    products = np.empty(64, np.uint64)
    cost, _ = column_cost(
        magic, black, step, lines, conflict_price, np.int64(REFUSED - 1), holds, own, products,
        np.int64(1),
    )  # fmt: skip
    best = (magic, cost)
    temperature = hot
    cooling = (cold / hot) ** (1.0 / steps)
    for n in range(steps):
        temperature *= cooling
        new = _neighbour(magic, state, lines)
        limit = cost - np.int64(temperature * np.log(next_fraction(state)))
        new_cost, _ = column_cost(
            new, black, step, lines, conflict_price, limit, holds, own, products, np.int64(2 + n)
        )
        if new_cost <= limit:
            magic, cost = new, new_cost
            if cost < best[1]:
                best = (magic, cost)
    return best


@entry
def column_walk(magic, black, step, lines, most, steps, seed, columns, magics):  # type: ignore[no-untyped-def]
    """Walk from magic to magic, none of more than `most` columns and none with a conflict.
    What is met goes into `columns` and `magics`; how many, at most as many as they hold.
    """
    state = random_state(seed)
    holds = np.zeros(PAGE, np.int64)
    own = np.zeros(WORDS, np.uint64)
    products = np.empty(64, np.uint64)
    met = 0
    last = U(0)
    for n in range(steps):
        new = _neighbour(magic, state, lines) if n else magic
        cost, claimed = column_cost(
            new, black, step, lines, FORBIDDEN, COLUMNS * most, holds, own, products,
            np.int64(1 + n),
        )  # fmt: skip
        if cost > COLUMNS * most:
            continue
        magic = new
        if claimed != last and met < len(columns):
            columns[met] = claimed
            magics[met] = new
            met += 1
            last = claimed
    return met
