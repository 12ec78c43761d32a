"""The column kernel: which of a page's 64 columns a rook with a row step needs.

A column is a residue class modulo 64 of the page's slots, all 64 of them. Squares that claim
whole columns stand side by side without loss, and a page of them is 64 bits. Only the file's
sums are evaluated, at most 64; the rank's patterns follow each as one 64-bit word.

A candidate costs 64 for every column, and `conflict` for whatever makes it no magic of this form.
What comes out is exact for the form; `used_indexes` still has the last word on every magic.

Beside other rooks of a layered page only the *empty* columns cost anything. Some columns are
*blocked*, for all classes of the rook's file or for some: what the rook's file attacks there would
contradict the others. A class is an attack set of the file.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD
from magicert.compact.anneal.random_words import State, next_below, random_state
from magicert.compact.anneal.squares import Words
from magicert.compact.anneal.walk import REFUSED, WalkEffort, walk
from magicert.compact.compiled import Count, Word, entry, helper, inner
from magicert.compact.pages.lines import COLUMNS, MORE_BITS, PAGE, ROW_BITS, WIDEST_STEP, Lines
from magicert.system.words import popcount

U = np.uint64
WORDS = 66
"""Words of a page's bitset, with a spare word or two."""
LARGEST_FRACTION = np.int64(1) << 48
"""The largest deviation of the row step, in units of 2^-52 of a bucket."""
FORBIDDEN = 1 << 20
"""A price that no walk pays."""

OTHER_SET, SLOT_TWICE = 4, 2
"""How many conflicts it counts as if a file sum's index holds another attack set, and if a
slot is used behind two file sums."""
MOST_CLASSES = 16
"""More than the attack sets that a file has: 12 at most."""


class ColumnTask(NamedTuple):
    """A rook to anneal for few columns: its lines, the row step (log2), the price of a conflict.

    `blocked[number]` are the columns that the file's attack set of this number must not claim,
    `empty` those that cost their slots. An empty page has nothing else.
    """

    lines: Lines
    step: int
    conflict: int
    blocked: Words = np.zeros(MOST_CLASSES, np.uint64)
    empty: Word = U(WORD)


class ColumnScratch(NamedTuple):
    """Working space: the attack set that holds an index, the square's own bitset of a page, the
    products of the file's patterns.

    An entry of `holds` is a stamp above the number of an attack set. Stamps rise from candidate
    to candidate, so that `holds` need not be cleared between them.
    """

    holds: NDArray[np.int64]
    own: Words
    products: Words
    stamp: NDArray[np.int64]


@entry
def new_column_scratch() -> ColumnScratch:
    """Working space for any square."""
    return ColumnScratch(
        np.zeros(PAGE, np.int64),
        np.zeros(WORDS, np.uint64),
        np.empty(64, np.uint64),
        np.zeros(1, np.int64),
    )


@helper
def _claim(own: Words, place: Count, word: Word) -> bool:
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
def _place(index: Count, step: Count) -> Count:
    """Where a slot's bit is in layout `step`: slots 2^step apart are neighbouring bits."""
    columns = (np.int64(1) << step) - 1
    return (index & columns) * (np.int64(PAGE) >> step) + (index >> step)


@helper
def _rows(own: Words, step: Count, index: Count, pattern: Word) -> bool:
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
def _pattern(task: ColumnTask, magic: Word) -> tuple[Word, Count]:
    """The rank's patterns as the bits of a word, in steps of 2^step, and by how much the
    magic's row step deviates; no bits where it is another step.
    """
    lines, step = task.lines, task.step
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


@inner
def column_cost(
    task: ColumnTask, magic: Word, limit: Count, scratch: ColumnScratch
) -> tuple[Count, Word]:
    """The cost of a magic and its columns as the bits of a word; REFUSED where its row step is
    another or the cost exceeds `limit`.
    """
    lines, step = task.lines, task.step
    holds, own, products = scratch.holds, scratch.own, scratch.products
    scratch.stamp[0] += 1
    stamp = scratch.stamp[0] << 16
    pattern, deviation = _pattern(task, magic)
    if pattern == U(0):
        return np.int64(REFUSED), U(0)
    within = (np.int64(1) << np.int64(64 - ROW_BITS)) - 1
    most = deviation * lines.farthest
    products[0] = lines.around * magic
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
            conflicts += task.conflict
        key = stamp | lines.numbers[n]
        if holds[index] == key:
            continue
        if holds[index] >= stamp:
            conflicts += OTHER_SET * task.conflict
            continue
        holds[index] = key
        turn = U(index & 63)
        claimed = behind << turn | behind >> ((U(64) - turn) & U(63))
        columns |= claimed
        conflicts += task.conflict * np.int64(popcount(claimed & task.blocked[lines.numbers[n]]))
        if _rows(own, step, index, pattern):
            conflicts += SLOT_TWICE * task.conflict
        if conflicts + COLUMNS * np.int64(popcount(columns & task.empty)) > limit:
            return np.int64(REFUSED), U(0)
    return conflicts + COLUMNS * np.int64(popcount(columns & task.empty)), columns


@helper
def _cost_alone(task: ColumnTask, magic: Word, limit: Count, scratch: ColumnScratch) -> Count:
    """The cost without the columns."""
    cost, _ = column_cost(task, magic, limit, scratch)
    return cost


@helper
def _changed(magic: Word, state: State, lines: Lines) -> Word:
    """A neighbour: a bit turned, a power of two added or taken away, or a file square's
    coefficient made a small negative fraction.
    """
    bit = U(next_below(state, 64))
    kind = next_below(state, 96)
    if kind < 2:
        top = U(64 - lines.shifts[next_below(state, len(lines.shifts))])
        length = U(ROW_BITS + next_below(state, MORE_BITS))
        low = top - length if top > length else U(0)
        return magic | ((U(1) << top) - (U(1) << low))
    if kind < 25:
        return magic + (U(1) << bit)
    if kind < 48:
        return magic - (U(1) << bit)
    return magic ^ (U(1) << bit)


@helper
def changed(task: ColumnTask, magic: Word, state: State) -> tuple[Word, bool]:
    """One change, or two; always possible."""
    new = _changed(magic, state, task.lines)
    if next_below(state, 16) < 7:
        new = _changed(new, state, task.lines)
    return new, True


@entry
def column_anneal(
    task: ColumnTask, start: Word, effort: WalkEffort, seed: Word
) -> tuple[Word, Count]:
    """Anneal a magic for few columns; the best found and its cost."""
    return walk(task, start, effort, seed, new_column_scratch(), changed, _cost_alone)


@entry
def column_walk(
    task: ColumnTask, start: Word, most: Count, candidates: Count, seed: Word, found: Words
) -> Count:
    """Walk from magic to magic, none of more than `most` empty columns and none with a conflict
    (`task.conflict` is FORBIDDEN). Magics go into found[0] and their columns into found[1]: how
    many, at most as many as it holds.
    """
    state = random_state(seed)
    scratch = new_column_scratch()
    met = 0
    magic, last = start, U(0)
    for n in range(candidates):
        new = changed(task, magic, state)[0] if n else magic
        cost, columns = column_cost(task, new, COLUMNS * most, scratch)
        if cost > COLUMNS * most:
            continue
        magic = new
        if columns != last and met < found.shape[1]:
            found[0, met], found[1, met] = new, columns
            met += 1
            last = columns
    return met
