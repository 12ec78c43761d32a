"""A chain: many squares of a file taken in one step of a plan, without a table of slots.

The squares of a rook's file follow one another eight bits apart. Once a cell of one is chosen, all
that matters of the next is how far sums of file squares shift the rank's patterns against
themselves. Here are the squares that a step takes, the tables of shifts at which two patterns
collide (compiled), the relations between squares, and the chain as `descent.py` reads it.

When: where the mask ends in squares eight bits apart, such as for rooks on ranks 1 and 2, whose
rank is known first: a plan's step "c33.4". The planner tries chains where windows without one are
estimated to take more than a minute.

Why: one shifted load tests 64 cells of a square against all pairs of patterns (1,024, with five
squares in the rank); fans look up a slot for each occupancy.

Cost: a table for each node with which a chain begins, and two loads and a shift for 64 cells and a
relation. A chain does not know which pair rules out a cell: a shard whose leaves are written is
run once more, by fans.

Sound: Tables round in one direction only: proofs/rounding-lemma.md, whose words are used here.
"""

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.compiled import LAST, ONE, SIX, ZERO, called, helper
from magicert.search.problem import (
    MIRROR,
    AnyPlan,
    Ints,
    Plan,
    Terms,
    Words,
    cells_of,
    is_mirrored,
    mask_bits,
    recalls,
)

SPACING = 8
"""The squares of a chain lie so many bits apart: on one file."""
LEAST_SQUARES, MOST_SQUARES = 3, 6
GRID = 6
"""log2 of the units of a bucket: positions are rounded to units."""
STEP = 2
"""log2 of the units between two fractions."""
FRACTIONS = (1 << (GRID - STEP)) + 1
"""Tables of a kind: one for each fraction of a bucket, and the last one for nothing added."""
WIDER = 2
"""The last square's cells are tried in groups of 2^WIDER first: few groups live."""
WORD_LOG2 = 6


@dataclass(frozen=True, slots=True)
class Squares:
    """The bits of a line and of its chain; a cell is 2^-cells of a bucket.

    `exact` is the square behind the chain that m's last bits make exact, if it is taken, too.
    """

    line: list[int]
    chain: list[int]
    cells: int
    exact: int | None = None

    @property
    def head(self) -> int:
        """The first square of the chain, as a bitboard."""
        return 1 << self.chain[0]


def squares_of(plan: Plan, terms: Terms, level: int) -> Squares:
    """What the chain step at a level takes. ValueError if it cannot be a chain's."""
    p, q = plan.windows[level]
    end = plan.windows[level + 1][0]
    bits = mask_bits(terms)
    cells = cells_of(plan.steps[level])
    cell = terms.shift - cells
    line = [bit for bit in bits if cell - bit >= p]
    chain = [bit for bit in bits if end <= cell - bit < p]
    apart = all(b - a == SPACING for a, b in itertools.pairwise(chain))
    enough = LEAST_SQUARES <= len(chain) <= MOST_SQUARES
    if q != terms.width or not line or not enough or not apart:
        least, most = LEAST_SQUARES, MOST_SQUARES
        raise ValueError(f"no chain of {least} to {most} squares at window [{p}, {q})")
    exact = None
    after = [bit for bit in bits if bit > chain[-1]]
    last = after == [chain[-1] + SPACING] and cell < after[0]
    last_cell_bit = cell - chain[-1]
    if end == 0 < last_cell_bit and last and _fits_word(terms, last_cell_bit, after[0]):
        exact = after[0]
    elif last_cell_bit != end:
        raise ValueError(f"the chain's last cells end at p = {last_cell_bit}, not {end}")
    if not WIDER < cells <= GRID - 2 or terms.bits + cells - WIDER < WORD_LOG2:
        raise ValueError(f"cells of 2^-{cells} of a bucket: expected 2^-3 or 2^-4")
    return Squares(line, chain, cells, exact)


def _fits_word(terms: Terms, last_bits: int, exact: int) -> bool:
    """Whether m's last bits are cells of one word of an exact square, and its tables have one."""
    spread = spread_of(terms, exact)
    if spread == 0:
        return terms.bits + terms.shift - exact >= WORD_LOG2
    return last_bits + spread <= WORD_LOG2 <= terms.bits


def spread_of(terms: Terms, exact: int | None) -> int:
    """How far apart the cells of an exact square are, as log2: they are of one bucket at most,
    and m's last bits may move it by more.
    """
    return max(0, (exact or 0) - terms.shift)


# The tables of a chain: which shifts make two patterns of the line collide, compiled.
#
# See below for the words. Positions are in units, 2^GRID of them to a bucket,
# and a cell is 2^per_cell of them. A table has a bit for each shift y of the line against itself:
# set if, for all shifts from y on to y plus the length of a cell, two patterns with different
# attack sets share a slot. It is kept for each unit where a cell can begin, and for each fraction
# of a bucket that is added to both patterns beforehand, because their rounding depends on it.


class LinePatterns(NamedTuple):
    """The patterns of a line, and which of them may share a slot.

    excluded[kind, pattern] names a set of patterns, member[set, pattern]: those whose attack set is
    the same as that of `pattern` in relations of that kind.
    """

    multiplicand: Words
    constant: Words
    excluded: NDArray[np.int32]
    member: NDArray[np.bool_]


class GridShape(NamedTuple):
    """A set of tables: its cells, what its shifts and fractions span, and its size.

    A shift of a cell goes on for `span`, the fraction on the fixed side for `moved` (both are
    products of m). `words` to a row of a table, without the one that repeats the first.
    """

    per_cell: np.uint64
    span: np.uint64
    moved: np.uint64
    words: np.uint64


class TableMemory(NamedTuple):
    """Memory for building tables: the slots of the patterns, those of them that matter as cells,
    and these joined with themselves some cells on, where `is_joined` says so. Each kind has a
    `tree` over the units where a cell can begin, its nodes 1, 2, ... as rows of a table.
    """

    slots: NDArray[np.int64]
    plane: Words
    joined: Words
    is_joined: NDArray[np.bool_]
    tree: Words


@helper
def find_slots(line, base, below, add, window, shift, both, slots):
    """The slot of each pattern, whatever m of the node and whatever fraction from `add` on, up
    to `window`; -1 where it could be two. With `both` nothing at all has no slot (L12).
    """
    bucket = ONE << shift
    for pattern in range(len(line.multiplicand)):
        x = line.multiplicand[pattern]
        value = x * base + line.constant[pattern] + add
        stays = (value & (bucket - ONE)) + x * below + window < bucket
        stays &= x | window | ~both != ZERO
        slots[pattern] = np.int64(value >> shift) if stays else np.int64(-1)


@helper
def set_cells(line, pattern_set, slots, cells_log2, words, plane):
    """The slots of the patterns outside a set, as cells; twice, so that it can be rotated."""
    full = (ONE << (ONE << cells_log2)) - ONE
    plane[:] = ZERO
    for pattern in range(len(line.multiplicand)):
        if slots[pattern] >= 0 and not line.member[pattern_set, pattern]:
            cell = np.uint64(slots[pattern]) << cells_log2
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
        source = word + n
        table[first + n] |= (plane[source] >> by) | ((plane[source + ONE] << ONE) << (LAST - by))


@called
def build(line, shape, base, below, shift, both, table, scratch):
    """Fill a set of tables for the node [base, base + below] of m, or for `both` all ones
    [base, base + below) of real m.

    table: kinds x fractions x units of a cell x (words + 1), flat.
    """
    words, fractions = shape.words, np.uint64(FRACTIONS)
    grid = np.uint64(GRID)
    unit_log2 = shift - grid
    for fraction in range(fractions):
        nothing_added = fraction == fractions - ONE
        add = ZERO if nothing_added else fraction << (unit_log2 + np.uint64(STEP))
        window = ZERO if nothing_added else shape.moved
        find_slots(line, base, below, add, window, shift, both, scratch.slots)
        scratch.tree[:] = ZERO
        for pattern_set in range(len(line.member)):
            set_cells(line, pattern_set, scratch.slots, grid - shape.per_cell, words, scratch.plane)
            scratch.is_joined[:] = False
            add_patterns(line, shape, pattern_set, base, below, unit_log2, scratch)
        for kind in range(len(line.excluded)):
            first = ((np.uint64(kind) * fractions + fraction) << shape.per_cell) * (words + ONE)
            write_rows(scratch.tree[kind], ONE << shape.per_cell, words, table, first)


@helper
def add_patterns(line, shape, pattern_set, base, below, unit_log2, scratch):
    """Or what every pattern whose set is `pattern_set` rules out into the trees of its kinds.

    Before: scratch.plane has the slots of the patterns outside that set.
    """
    unit = ONE << unit_log2
    for kind in range(len(line.excluded)):
        for pattern in range(len(line.multiplicand)):
            if line.excluded[kind, pattern] == pattern_set:
                x = line.multiplicand[pattern]
                value = x * base + line.constant[pattern]
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
        if by <= ONE << (np.uint64(GRID) - shape.per_cell):
            if not scratch.is_joined[by]:
                join(scratch.plane, by, words, scratch.joined[by])
                scratch.is_joined[by] = True
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
def narrow(shape, kinds, units_on, table, narrowed):
    """`table` where it is set for all of `units_on` + 1 shifts in a row: for a square that is
    known to so many units.
    """
    words = shape.words
    stride = words + ONE
    units = ONE << shape.per_cell
    for group in range(kinds * np.uint64(FRACTIONS)):
        for start in range(units):
            first = ((group << shape.per_cell) + start) * stride
            for n in range(words):
                narrowed[first + n] = table[first + n]
            for on in range(ONE, units_on + ONE):
                other_row = ((group << shape.per_cell) + ((start + on) & (units - ONE))) * stride
                by = (start + on) >> shape.per_cell
                for n in range(words):
                    source = other_row + n
                    narrowed[first + n] &= (table[source] >> by) | (
                        (table[source + ONE] << ONE) << (LAST - by)
                    )
            narrowed[first + words] = narrowed[first]


@helper
def turn_in(target, first, source, source_first, cell, words):
    """Or a row of a table into another one, from a cell on."""
    word = (cell >> SIX) & (words - ONE)
    by = cell & LAST
    back = LAST - by
    for n in range(words - word):
        from_word = source_first + word + n
        target[first + n] |= (source[from_word] >> by) | ((source[from_word + ONE] << ONE) << back)
    for n in range(words - word, words):
        from_word = source_first + word + n - words
        target[first + n] |= (source[from_word] >> by) | ((source[from_word + ONE] << ONE) << back)


@called
def merge(merged, shape, kinds, added, table, narrowed):
    """The last rows of `table`: what collides if a square is added to neither side, to the
    moving one, to the fixed one, or to both. Its product is `added` units, or a little more.
    """
    words = shape.words
    stride = words + ONE
    units = ONE << shape.per_cell
    grid, fractions = np.uint64(GRID), np.uint64(FRACTIONS)
    no_fraction = fractions - ONE
    fraction = (added & ((ONE << grid) - ONE)) >> np.uint64(STEP)
    buckets = ZERO - ((added >> grid) << (grid - shape.per_cell))
    rows = (kinds * fractions) << shape.per_cell
    for kind in range(len(merged)):
        neither = (merged[kind, 0] * fractions + no_fraction) << shape.per_cell
        moving = (merged[kind, 1] * fractions + no_fraction) << shape.per_cell
        fixed = (merged[kind, 2] * fractions + fraction) << shape.per_cell
        both = (merged[kind, 3] * fractions + fraction) << shape.per_cell
        for start in range(units):
            first = (rows + (np.uint64(kind) << shape.per_cell) + start) * stride
            neither_row = (neither + start) * stride
            for n in range(words):
                table[first + n] = table[neither_row + n]
            on = added + start
            begin = on & (units - ONE)
            cell = on >> shape.per_cell
            turn_in(table, first, narrowed, (moving + begin) * stride, cell, words)
            turn_in(table, first, table, (fixed + start) * stride, buckets, words)
            turn_in(table, first, narrowed, (both + begin) * stride, cell + buckets, words)
            table[first + words] = table[first]


# The relations of a chain's squares, and which pairs of patterns conflict in each.
#
# A new square can conflict with the line itself and with the line plus squares of the chain
# before it. A relation says of each of these whether it is added to the moving side (the
# new square's), to the fixed side, to both or to neither. All that matters is the sum that is added
# to either side: it decides which patterns of the line have different attack sets. Relations in
# which these are the same pairs are of one *kind*, and share a table.

Sides = tuple[int, int]
"""What is added to the moving side and to the fixed side."""
MOVING, FIXED = 1, 2
"""Flags of a square: to which sides it is added."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What is added to either side, and which tables tell: those of a kind, or, if it is
    `merged`, the merged ones of that number.
    """

    moving: int
    fixed: int
    kind: int
    merged: bool = False


class Kinds:
    """Numbers for the kinds of relations between the patterns of a line, as they come up.

    A kind is a matrix: which pairs of patterns have equal attack sets. `merged` has the four
    kinds of relations that differ in the chain's first square only.
    """

    def __init__(self, terms: Terms, squares: Squares) -> None:
        self.terms = terms
        self.rows = {int(x): n for n, x in enumerate(terms.multiplicand)}
        within = sum(1 << bit for bit in squares.line)
        self.patterns = [n for x, n in self.rows.items() if x & ~within == 0]
        self.kinds: dict[bytes, int] = {}
        self.merged: dict[tuple[int, ...], int] = {}

    def kind(self, sides: Sides) -> int:
        """The number of the kind with these sums added. ValueError if they are no occupancies."""
        try:
            moving, fixed = (
                [self.terms.attack[self.rows[int(self.terms.multiplicand[n]) + added]]
                 for n in self.patterns]
                for added in sides
            )  # fmt: skip
        except KeyError:
            raise ValueError("multiplicands are no sums of squares: no chain") from None
        matrix = (np.array(moving)[:, None] == np.array(fixed)[None]).tobytes()
        return self.kinds.setdefault(matrix, len(self.kinds))

    def merge(self, moving: int, head: int) -> int:
        """The number of the merged tables of a relation that fixes nothing, with the first square
        added to neither side, to the moving one, to the fixed one, and to both.
        """
        sides = [(0, 0), (head, 0), (0, head), (head, head)]
        four = tuple(
            self.kind((moving + moving_head, fixed_head)) for moving_head, fixed_head in sides
        )
        return self.merged.setdefault(four, len(self.merged))

    def line(self) -> LinePatterns:
        """The patterns as the kernel reads them, with all the kinds that have come up."""
        count = len(self.patterns)
        sets: dict[bytes, int] = {}
        excluded = np.zeros((len(self.kinds), count), dtype=np.int32)
        for key, kind in self.kinds.items():
            matrix = np.frombuffer(key, dtype=np.bool_).reshape(count, count)
            for pattern in range(count):
                excluded[kind, pattern] = sets.setdefault(matrix[pattern].tobytes(), len(sets))
        return LinePatterns(
            multiplicand=self.terms.multiplicand[self.patterns],
            constant=self.terms.constant[self.patterns],
            excluded=excluded,
            member=np.array([np.frombuffer(key, dtype=np.bool_) for key in sets]),
        )


def relations_of(kinds: Kinds, squares: Squares, square: int, first: bool) -> list[Relation]:
    """The relations of a square. But for the chain's first one, those that fix nothing or only
    that one are taken together.
    """
    head = squares.head
    sides = _sides([bit for bit in squares.chain if bit < square], square)
    if first:
        return [Relation(moving, fixed, kinds.kind((moving, fixed))) for moving, fixed in sides]
    merged_sums = [moving for moving, fixed in sides if not (fixed or moving & head)]
    merged = [Relation(moving, 0, kinds.merge(moving, head), merged=True) for moving in merged_sums]
    single = [
        Relation(moving, fixed, kinds.kind((moving, fixed)))
        for moving, fixed in sides
        if fixed & ~head
    ]
    return merged + single


def _sides(before: list[int], new: int) -> list[Sides]:
    """All sums of the squares before, with the new one on the moving side; those with the fewest
    squares on both sides first, then those with the fewest on the fixed side.
    """
    ordered = []
    for states in itertools.product(range(4), repeat=len(before)):
        moving, fixed = (
            sum(1 << bit for bit, s in zip(before, states, strict=True) if s & side)
            for side in (MOVING, FIXED)
        )
        order = (states.count(MOVING | FIXED), sum(s >= FIXED for s in states), states)
        ordered.append((order, (moving + (1 << new), fixed)))
    return [sides for _, sides in sorted(ordered)]


# The *line* are the squares that the window has taken (for a rook on rank 1 or 2: its rank),
# its *patterns* their occupancies. The squares of the chain lie eight bits apart, so once a
# cell of one is chosen, the next one's cells are all there is to choose, and what is known of
# the one before grows with them. The relations of a new square say how it can
# conflict. Which sums make two patterns of the line collide is one table, so a relation
# tests 64 cells of the new square against every pair of patterns at once: two loads and a shift.
#
# The step "c<n>.<c>" lowers p by n bits, in cells of 2^-c of a bucket. Its children are the
# cells of the last square that no relation rules out; they are then visited like any others.
# Where tables round, they never reject a valid magic. A "k" behind the step has the nodes below a
# chain try some pairs that conflicted before, first of all.

USUAL, WIDE, EXACT = 0, 1, 2
SLACK = 5
"""The squares before the last two drift by less than 2^-SLACK units over a word, where cells are
2^2 units; in proportion where they are longer (proofs/rounding-lemma.md, L3).
"""
WIDEST_FAN = 6


class Chain(NamedTuple):
    """A chain step as the kernel reads it. `level`: of which level; -1: there is none.
    `recall`: whether the nodes below it first try pairs that conflicted before.

    `below[d]` is p once d squares are taken, cells[d] are those of the words of square d - 1; the
    last one's are 2^spread apart. shape_of[d] says which of the three `shapes` the tables of square
    d have: the USUAL one; that of WIDE cells, in which the last square is taken before it is taken
    in the usual ones; or that of a square that is known EXACTLY at the end, m's last bits
    being too few for cells. Relations first[d]..first[d+1] are those of square d: `moving` and
    `fixed` are the multiplicands of what is added to either side, `table` is the row where the
    tables for it begin.

    Relations of the third square on that fix no square but the first are taken together: the
    first one's states are merged in the last rows of the tables. merged[n, state] are the
    kinds of table to merge. A word of the second square's usual cells knows the first one's
    product to `units_on` units; so the second is not the last.
    """

    level: int
    recall: bool
    below: Words
    cells: Words
    spread: np.uint64
    shape_of: Ints
    first: Ints
    moving: Words
    fixed: Words
    table: Words
    line: LinePatterns
    shapes: tuple[GridShape, GridShape, GridShape]
    merged: Words
    units_on: np.uint64


@dataclass(frozen=True, slots=True)
class _SquareStage:
    """A square as the chain takes it: in cells of which shape, and p once it is taken."""

    square: int
    shape: int
    end: int


def check_plan(plan: AnyPlan, terms: Terms) -> None:
    """ValueError unless the plan can be followed for these terms."""
    plan.check(terms)
    if isinstance(plan, Plan):
        chain_of(plan, terms, 0, len(plan.steps))


def chain_of(plan: Plan, terms: Terms, level: int, end: int) -> Chain:
    """The chain step of a plan between two levels, for arrays that begin at `level`."""
    places = [n for n in range(level, end) if plan.steps[n].startswith("c")]
    if not places:
        return _no_chain()
    if len(places) > 1:
        raise ValueError("one chain in a plan")
    step = places[0]
    squares = squares_of(plan, terms, step)
    if is_mirrored(plan):
        if plan.steps.index(MIRROR) < step:
            raise ValueError('a step "m" before the chain')
        if squares.exact is not None:
            raise ValueError('no step "m" behind a chain that ends with an exact square')
    stages = _stages(terms, squares)
    kinds = Kinds(terms, squares)
    by_stage = [
        relations_of(kinds, squares, stage.square, first=depth == 0)
        for depth, stage in enumerate(stages)
    ]
    relations = list(itertools.chain.from_iterable(by_stage))
    shapes = _shapes(terms, squares)
    tables = [
        _row(relation, len(kinds.kinds), shapes[stage.shape])
        for stage, stage_relations in zip(stages, by_stage, strict=True)
        for relation in stage_relations
    ]
    below = [plan.windows[step][0], *(stage.end for stage in stages)]
    spread = spread_of(terms, squares.exact)
    return Chain(
        level=step - level,
        recall=recalls(plan.steps[step]),
        below=np.array(below, dtype=np.uint64),
        cells=_cells(below, spread),
        spread=np.uint64(spread),
        shape_of=np.array([stage.shape for stage in stages], dtype=np.int64),
        first=np.cumsum([0, *map(len, by_stage)], dtype=np.int64),
        moving=np.array([relation.moving for relation in relations], dtype=np.uint64),
        fixed=np.array([relation.fixed for relation in relations], dtype=np.uint64),
        table=np.array(tables, dtype=np.uint64),
        line=kinds.line(),
        shapes=shapes,
        merged=np.array(list(kinds.merged), dtype=np.uint64).reshape(-1, 4),
        units_on=np.uint64(1 << (GRID - squares.cells - 2)),
    )


def _stages(terms: Terms, squares: Squares) -> list[_SquareStage]:
    """The squares in order: the last one is taken in wide cells, then in usual ones."""

    def end(square: int) -> int:
        return terms.shift - squares.cells - square

    *before, last = squares.chain
    stages = [_SquareStage(square, USUAL, end(square)) for square in before]
    stages += [_SquareStage(last, WIDE, end(last) + WIDER), _SquareStage(last, USUAL, end(last))]
    if squares.exact is not None:
        stages.append(_SquareStage(squares.exact, EXACT, 0))
    return stages


def _row(relation: Relation, kinds: int, shape: GridShape) -> int:
    """The row where a relation's tables begin; the merged ones are behind those of all kinds."""
    if relation.merged:
        table = kinds * FRACTIONS + relation.kind
    else:
        table = relation.kind * FRACTIONS + (0 if relation.fixed else FRACTIONS - 1)
    return table << int(shape.per_cell)


def _cells(below: list[int], spread: int) -> Words:
    """The cells of a word at each depth: those that m leaves, and of the last square every
    2^spread-th.
    """
    cells = [1]
    for p, end in itertools.pairwise(below):
        apart = spread if end == below[-1] else 0
        cells.append(sum(1 << (n << apart) for n in range(1 << min(6, p - end))))
    return np.array(cells, dtype=np.uint64)


def chain_plan(terms: Terms, line: list[int], chain: list[int], cells: int) -> Plan:
    """The plan that takes a line as soon as it is known to a cell, then a chain of squares."""
    start = terms.shift - cells - max(line, default=0)
    end = max(0, terms.shift - cells - chain[-1])
    steps = ["d1"] * (terms.width - start) + [f"c{start - end}.{cells}k"] + ["d1"] * end
    return Plan(terms.width, tuple(steps), max(1, 6 - terms.bits), min(2, terms.bits - 1))


def without_chain(plan: Plan, terms: Terms) -> Plan:
    """The same order without a chain, for a search that writes leaves: fans in its place. Nor
    are m and ~m taken together.
    """
    steps: list[str] = []
    units = max(1, 6 - terms.bits)
    for level, step in enumerate(plan.steps):
        if step[0] != "c":
            steps += [step] * (step != MIRROR)
            continue
        p, end = plan.windows[level][0], plan.windows[level + 1][0]
        for bit in squares_of(plan, terms, level).chain:
            below = min(p, max(end, terms.shift - units - bit))
            width = min(WIDEST_FAN, p - below)
            steps += ["d1"] * (p - below - width) + [f"d{width}"] * (width > 0)
            p = below
        steps += ["d1"] * (p - end)
    return Plan(plan.start, tuple(steps), units, plan.early)


def _shapes(terms: Terms, squares: Squares) -> tuple[GridShape, GridShape, GridShape]:
    """The tables of usual cells, of wide ones, and of a square whose cells are single values."""
    cell = terms.shift - squares.cells

    def shape(per_cell: int, length: int, drift: int) -> GridShape:
        """For cells so long, over a word of which the square before drifts so far."""
        slack = 1 << (cell - SLACK - 2)
        span, moved = length + drift + slack, (1 << (terms.shift - GRID + STEP)) + drift + slack
        words = (1 << (terms.bits + GRID - per_cell)) // 64
        return GridShape(*map(np.uint64, (per_cell, span, moved, words)))

    usual, wide = (
        shape(
            GRID - squares.cells + widening,
            1 << (cell + widening),
            1 << (cell + widening + 6 - SPACING),
        )
        for widening in (0, WIDER)
    )
    if squares.exact is None:
        return usual, wide, usual
    # Over its cells the square before drifts by as much as one of its own cells.
    return usual, wide, shape(GRID - max(0, terms.shift - squares.exact), 0, 1 << cell)


def _no_chain() -> Chain:
    words, ints = np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.int64)
    numbers, flags = np.zeros((1, 1), dtype=np.int32), np.zeros((1, 1), dtype=np.bool_)
    shape = GridShape(*(np.uint64(0) for _ in GridShape._fields))
    line = LinePatterns(words, words, numbers, flags)
    no_merges = np.zeros((1, 4), dtype=np.uint64)
    return Chain(
        -1, False, words, words, np.uint64(0), ints, ints, words, words, words,
        line, (shape, shape, shape), no_merges, np.uint64(0),
    )  # fmt: skip
