"""The tables of a chain: which shifts make two patterns of the line collide, compiled.

See chain.py and relations.py for the words. Positions are in units, 2^grid of them to a bucket,
and a cell is 2^per_cell of them. A table has a bit for each shift y of the line against itself:
set if, for all shifts from y on to y plus the length of a cell, two patterns with different
attack sets share a slot. It is kept for each unit where a cell can begin, and for each fraction
of a bucket that is added to both patterns beforehand, because their rounding depends on it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.compiled import called, helper
from magicert.search.problem.terms import Words
from magicert.search.words import LAST, ONE, SIX, ZERO


class LinePatterns(NamedTuple):
    """The patterns of a line, and which of them may share a slot.

    excluded[kind, row] names a set of rows, member[set, row]: those whose attack set is the
    same as that of `row` in relations of that kind.
    """

    multiplicand: Words
    constant: Words
    excluded: NDArray[np.int32]
    member: NDArray[np.bool_]


class GridShape(NamedTuple):
    """A set of tables: its grid, what its shifts and fractions span, and its size.

    A shift of a cell goes on for `span`, the fraction on the fixed side for `moved` (both are
    products of m). `words` to a row of a table, without the one that repeats the first;
    fractions are `step` (log2) units apart, `fractions` - 1 of them and one for nothing added.
    """

    grid: np.uint64
    per_cell: np.uint64
    span: np.uint64
    moved: np.uint64
    step: np.uint64
    fractions: np.uint64
    words: np.uint64


class TableMemory(NamedTuple):
    """Memory for building tables: the slots of the rows, those of them that matter as cells,
    and these joined with themselves some cells on, where that is `made`. Each kind has a `tree`
    over the units where a cell can begin, its nodes 1, 2, ... as rows of a table.
    """

    slots: NDArray[np.int64]
    plane: Words
    joined: Words
    made: NDArray[np.bool_]
    tree: Words


@helper
def find_slots(line, base, below, add, window, shift, both, slots):
    """The slot of each row, whatever m of the node and whatever fraction from `add` on, up
    to `window`; -1 where it could be two. With `both` nothing at all has no slot (L12).
    """
    bucket = ONE << shift
    for row in range(len(line.multiplicand)):
        x = line.multiplicand[row]
        value = x * base + line.constant[row] + add
        sure = (value & (bucket - ONE)) + x * below + window < bucket
        sure &= x | window | ~both != ZERO
        slots[row] = np.int64(value >> shift) if sure else np.int64(-1)


@helper
def lay_out(line, which, slots, cells_log2, words, plane):
    """The slots of the rows outside a set, as cells; twice, so that it can be rotated."""
    full = (ONE << (ONE << cells_log2)) - ONE
    plane[:] = ZERO
    for row in range(len(line.multiplicand)):
        if slots[row] >= 0 and not line.member[which, row]:
            cell = np.uint64(slots[row]) << cells_log2
            plane[cell >> SIX] |= full << (cell & LAST)
    for word in range(words):
        plane[word + words] = plane[word]
    plane[words + words] = plane[0]


@helper
def join(plane, by, words, joined):
    """The cells where both the cell and the one `by` cells on are set."""
    for n in range(words + words):
        joined[n] = plane[n] & ((plane[n] >> by) | ((plane[n + ONE] << ONE) << (LAST - by)))
    joined[words + words] = joined[0]


@helper
def rotate_in(table, first, plane, cell, words):
    """Or a doubled plane into a row of a table, from a cell on."""
    word = (cell >> SIX) & (words - ONE)
    by = cell & LAST
    for n in range(words):
        here = word + n
        table[first + n] |= (plane[here] >> by) | ((plane[here + ONE] << ONE) << (LAST - by))


@called
def build(line, shape, base, below, shift, both, table, scratch):
    """Fill a set of tables for the node [base, base + below] of m, or for `both` all ones
    [base, base + below) of real m.

    table: kinds x fractions x units of a cell x (words + 1), flat.
    """
    words, fractions = shape.words, shape.fractions
    unit_log2 = shift - shape.grid
    for fraction in range(fractions):
        none = fraction == fractions - ONE
        add = ZERO if none else fraction << (unit_log2 + shape.step)
        window = ZERO if none else shape.moved
        find_slots(line, base, below, add, window, shift, both, scratch.slots)
        scratch.tree[:] = ZERO
        for which in range(len(line.member)):
            lay_out(line, which, scratch.slots, shape.grid - shape.per_cell, words, scratch.plane)
            scratch.made[:] = False
            add_patterns(line, shape, which, base, below, unit_log2, scratch)
        for kind in range(len(line.excluded)):
            first = ((np.uint64(kind) * fractions + fraction) << shape.per_cell) * (words + ONE)
            write_rows(scratch.tree[kind], ONE << shape.per_cell, words, table, first)


@helper
def add_patterns(line, shape, which, base, below, unit_log2, scratch):
    """Or what every pattern whose set is `which` rules out into the trees of its kinds.

    Before: scratch.plane has the slots of the rows outside that set.
    """
    unit = ONE << unit_log2
    for kind in range(len(line.excluded)):
        for row in range(len(line.multiplicand)):
            if line.excluded[kind, row] == which:
                x = line.multiplicand[row]
                value = x * base + line.constant[row]
                # The last unit touched, counted from the one where the shift begins, which
                # lies anywhere in it.
                reach = (value & (unit - ONE)) + x * below + shape.span
                last = (reach + unit - ONE) >> unit_log2
                add_pattern(shape, value >> unit_log2, last, scratch, scratch.tree[kind])


@helper
def add_pattern(shape, at, last, scratch, tree):
    """Or what one pattern rules out into a kind's tree: for a cell that begins at unit `at`,
    for one that begins a unit later, and so on. `last`: the last unit touched.

    As long as the pattern stays in one cell and reaches equally far it is the same.
    """
    words, units = shape.words, ONE << shape.per_cell
    start = ZERO
    while start < units:
        unit = (at + start) & (units - ONE)
        by = (unit + last) >> shape.per_cell
        end = min(units, start + min(units - unit, ((by + ONE) << shape.per_cell) - last - unit))
        if by <= ONE << (shape.grid - shape.per_cell):
            if not scratch.made[by]:
                join(scratch.plane, by, words, scratch.joined[by])
                scratch.made[by] = True
            cell = (at + start) >> shape.per_cell
            # A range of leaves is a few nodes.
            low, high = start + units, end + units
            while low < high:
                if low & ONE:
                    rotate_in(tree, low * words, scratch.joined[by], cell, words)
                    low += ONE
                if high & ONE:
                    high -= ONE
                    rotate_in(tree, high * words, scratch.joined[by], cell, words)
                low >>= ONE
                high >>= ONE
        start = end


@helper
def write_rows(tree, units, words, table, first):
    """Write a table's rows, the leaves of a tree: each is what its ancestors are, too."""
    for node in range(ONE, units):
        for n in range(words):
            tree[(node + node) * words + n] |= tree[node * words + n]
            tree[(node + node + ONE) * words + n] |= tree[node * words + n]
    for start in range(units):
        row = first + start * (words + ONE)
        for n in range(words):
            table[row + n] = tree[(units + start) * words + n]
        table[row + words] = table[row]


@called
def keep(shape, kinds, units_on, table, kept):
    """`table` where it is set for all of `units_on` + 1 shifts in a row: for a square that is
    known to so many units.
    """
    words = shape.words
    stride = words + ONE
    units = ONE << shape.per_cell
    for group in range(kinds * shape.fractions):
        for start in range(units):
            first = ((group << shape.per_cell) + start) * stride
            for n in range(words):
                kept[first + n] = table[first + n]
            for on in range(ONE, units_on + ONE):
                other = ((group << shape.per_cell) + ((start + on) & (units - ONE))) * stride
                by = (start + on) >> shape.per_cell
                for n in range(words):
                    here = other + n
                    kept[first + n] &= (table[here] >> by) | (
                        (table[here + ONE] << ONE) << (LAST - by)
                    )
            kept[first + words] = kept[first]


@helper
def turn_in(target, first, source, other, cell, words):
    """Or a row of a table into another one, from a cell on."""
    word = (cell >> SIX) & (words - ONE)
    by = cell & LAST
    back = LAST - by
    for n in range(words - word):
        here = other + word + n
        target[first + n] |= (source[here] >> by) | ((source[here + ONE] << ONE) << back)
    for n in range(words - word, words):
        here = other + word + n - words
        target[first + n] |= (source[here] >> by) | ((source[here + ONE] << ONE) << back)


@called
def merge(merged, shape, kinds, added, table, kept):
    """The last rows of `table`: what collides if a square is added to neither side, to the
    moving one, to the fixed one, or to both. Its product is `added` units, or a little more.
    """
    words = shape.words
    stride = words + ONE
    units = ONE << shape.per_cell
    none = shape.fractions - ONE
    fraction = (added & ((ONE << shape.grid) - ONE)) >> shape.step
    buckets = ZERO - ((added >> shape.grid) << (shape.grid - shape.per_cell))
    rows = (kinds * shape.fractions) << shape.per_cell
    for kind in range(len(merged)):
        neither = (merged[kind, 0] * shape.fractions + none) << shape.per_cell
        moving = (merged[kind, 1] * shape.fractions + none) << shape.per_cell
        fixed = (merged[kind, 2] * shape.fractions + fraction) << shape.per_cell
        both = (merged[kind, 3] * shape.fractions + fraction) << shape.per_cell
        for start in range(units):
            first = (rows + (np.uint64(kind) << shape.per_cell) + start) * stride
            own = (neither + start) * stride
            for n in range(words):
                table[first + n] = table[own + n]
            on = added + start
            begin = on & (units - ONE)
            cell = on >> shape.per_cell
            turn_in(table, first, kept, (moving + begin) * stride, cell, words)
            turn_in(table, first, table, (fixed + start) * stride, buckets, words)
            turn_in(table, first, kept, (both + begin) * stride, cell + buckets, words)
            table[first + words] = table[first]
