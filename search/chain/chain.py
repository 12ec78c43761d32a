"""A chain: many squares of a file taken in one step of a plan, without a table of slots.

The *line* are the squares that the window has taken (for a rook on rank 1 or 2: its rank),
its *patterns* their occupancies. The squares of the chain lie eight bits apart, so once a
cell of one is chosen the next one's cells are all there is to choose, and what is known of
the one before grows with them. A new square conflicts with the line itself and with the
line plus any squares of the chain before it. Such a *relation* says for each square before
whether it is added to the moving side, to the fixed side, to both or to neither; all that
matters is the sum that is added to either side. Which sums make two patterns of the line
collide is one table (chain_tables.py), so a relation tests 64 cells of the new square
against every pair of patterns at once: two loads and a shift.

The step "c<n>.<c>" lowers p by n bits, in cells of 2^-c of a bucket. Its children are the
cells of the last square that no relation rules out; they are then visited like any others.
Tables err on the side of life, so a chain never loses a magic. A "k" behind the step has the
nodes below a chain try some pairs that conflicted before, first of all.
"""

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.chain.tables import Line, Shape
from magicert.search.problem.plan import Plan, cells_of, recalls
from magicert.search.problem.terms import Terms, Words, mask_bits

Ints = NDArray[np.int64]
USUAL, WIDE, EXACT = 0, 1, 2
SPACING = 8
LEAST_SQUARES, MOST_SQUARES = 3, 6
NO_CHAIN = f"no chain of {LEAST_SQUARES} to {MOST_SQUARES} squares at window [{{p}}, {{q}})"
GRID = 6
WIDER = 2
"""The last square's cells are tried in groups of 2^WIDER first: few groups live."""
STEP = 2
"""log2 of the units between two fractions."""
SLACK = 5
"""The squares before the last two drift by less than 2^-SLACK units over a word, where cells are
2^2 units; in proportion where they are longer (docs/rounding-lemma.md, L3).
"""


class Chain(NamedTuple):
    """A chain step as the kernel reads it. `level`: of which level; -1: there is none.
    `recall`: whether the nodes below it first try pairs that conflicted before.

    `below[d]` is p once d squares are taken, cells[d] are those of the words of square d - 1; the
    last one's are 2^spread apart. shapes[d] says which tables are asked for square d:
    the USUAL ones; those of WIDE cells, in which the last square is taken before it is taken
    in the usual ones; or those of a square that is known EXACTLY at the end, m's last bits
    being too few for cells. Relations first[d]..first[d+1] are those of square d: `moving` and
    `fixed` are the multiplicands of what is added to either side, `table` is the row where the
    tables for it begin, `fractions` a mask: 0 where nothing is fixed.

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
    shapes: Ints
    first: Ints
    moving: Words
    fixed: Words
    table: Words
    fractions: Words
    line: Line
    usual: Shape
    wide: Shape
    exact: Shape
    merged: Words
    units_on: np.uint64


@dataclass(frozen=True, slots=True)
class Squares:
    """The bits of a line and of its chain; a cell is 2^-cells of a bucket.

    `exact` is the square behind the chain that m's last bits make exact, if it is taken, too.
    """

    line: list[int]
    chain: list[int]
    cells: int
    exact: int | None = None


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
        raise ValueError(NO_CHAIN.format(p=p, q=q))
    exact = None
    after = [bit for bit in bits if bit > chain[-1]]
    last = after == [chain[-1] + SPACING] and cell < after[0]
    left = cell - chain[-1]
    if end == 0 < left and last and _is_a_word(terms, left, after[0]):
        exact = after[0]
    elif left != end:
        raise ValueError(f"the chain's last cells end at p = {left}, not {end}")
    if not WIDER < cells <= GRID - 2 or terms.bits + cells - WIDER < 6:
        raise ValueError(f"cells of 2^-{cells} of a bucket: expected 2^-3 or 2^-4")
    return Squares(line, chain, cells, exact)


def _is_a_word(terms: Terms, left: int, exact: int) -> bool:
    """Whether m's last bits are cells of one word of an exact square, and its tables have one."""
    spread = _spread(terms, exact)
    if spread == 0:
        return terms.bits + terms.shift - exact >= 6
    return left + spread <= 6 <= terms.bits


def _spread(terms: Terms, exact: int | None) -> int:
    """How far apart the cells of an exact square are, as log2: they are of one bucket at most,
    and m's last bits may move it by more.
    """
    return max(0, (exact or 0) - terms.shift)


def check_plan(plan: Plan, terms: Terms) -> None:
    """ValueError unless the plan can be followed for these terms."""
    plan.check(terms)
    chain_of(plan, terms, 0, len(plan.steps))


def chain_of(plan: Plan, terms: Terms, level: int, end: int) -> Chain:
    """The chain step of a plan between two levels, for arrays that begin at `level`."""
    places = [n for n in range(level, end) if plan.steps[n].startswith("c")]
    if not places:
        return _none()
    if len(places) > 1:
        raise ValueError("one chain in a plan")
    squares = squares_of(plan, terms, places[0])
    rows = {int(x): n for n, x in enumerate(terms.multiplicand)}
    within = sum(1 << bit for bit in squares.line)
    patterns = [n for x, n in rows.items() if x & ~within == 0]
    kinds: dict[bytes, int] = {}
    merged: dict[tuple[int, ...], int] = {}
    usual = _shape(terms, squares.cells, squares.cells)
    wide = _shape(terms, squares.cells - WIDER, squares.cells)
    exact = _exact(terms, usual, squares.exact)
    spread = _spread(terms, squares.exact)
    chain = [*squares.chain, squares.chain[-1]]
    shapes = [USUAL] * (len(chain) - 2) + [WIDE, USUAL]
    ends = [terms.shift - squares.cells - bit for bit in chain]
    ends[-2] += WIDER
    if squares.exact is not None:
        chain.append(squares.exact)
        shapes.append(EXACT)
        ends.append(0)
    first, table, moving, fixed, which = [0], [], [], [], []

    def kind_of(added: int, kept: int) -> int:
        key = _equal(terms, rows, patterns, added, kept)
        return kinds.setdefault(key, len(kinds))

    head = chain[0]
    for depth, square in enumerate(chain):
        found = _relations([bit for bit in squares.chain if bit < square], square)
        together = [added for added, kept in found if depth and not (kept or added & 1 << head)]
        for added in together:
            sides = [(0, 0), (1, 0), (0, 1), (1, 1)]
            four = tuple(kind_of(added + (one << head), two << head) for one, two in sides)
            table.append((-1, merged.setdefault(four, len(merged))))
            moving.append(added)
            fixed.append(0)
        for added, kept in found:
            if not depth or kept & ~(1 << head):
                table.append((0 if kept else 1, kind_of(added, kept)))
                moving.append(added)
                fixed.append(kept)
        which += [shapes[depth]] * (len(table) - first[-1])
        first.append(len(table))
    return Chain(
        level=places[0] - level,
        recall=recalls(plan.steps[places[0]]),
        below=np.array([plan.windows[places[0]][0], *ends], dtype=np.uint64),
        cells=_cells([plan.windows[places[0]][0], *ends], spread),
        spread=np.uint64(spread),
        shapes=np.array(shapes, dtype=np.int64),
        first=np.array(first, dtype=np.int64),
        moving=np.array(moving, dtype=np.uint64),
        fixed=np.array(fixed, dtype=np.uint64),
        table=_rows_of(table, len(kinds), [(usual, wide, exact)[n] for n in which]),
        fractions=np.array([int(usual.fractions) - 2 if kept else 0 for kept in fixed], np.uint64),
        line=_line(terms, patterns, kinds),
        usual=usual,
        wide=wide,
        exact=exact,
        merged=np.array(list(merged), dtype=np.uint64).reshape(-1, 4),
        units_on=np.uint64(1 << (GRID - squares.cells - 2)),
    )


def _cells(below: list[int], spread: int) -> Words:
    """The cells of a word at each depth: those that m leaves, and of the last square every
    2^spread-th.
    """
    cells = [1]
    for p, end in itertools.pairwise(below):
        apart = spread if end == below[-1] else 0
        cells.append(sum(1 << (n << apart) for n in range(1 << min(6, p - end))))
    return np.array(cells, dtype=np.uint64)


def _rows_of(tables: list[tuple[int, int]], kinds: int, shapes: list[Shape]) -> Words:
    """The row where each relation's tables begin; (-1, n) stands for the nth merged table,
    (1, kind) for a kind with nothing fixed.
    """
    rows = []
    for (which, number), shape in zip(tables, shapes, strict=True):
        fractions = int(shape.fractions)
        row = kinds * fractions + number if which < 0 else number * fractions
        rows.append((row + (fractions - 1 if which > 0 else 0)) << int(shape.per_cell))
    return np.array(rows, dtype=np.uint64)


def plain(plan: Plan, terms: Terms) -> Plan:
    """The same order without a chain, for a search that writes leaves: fans in its place."""
    steps: list[str] = []
    units = max(1, 6 - terms.bits)
    for level, step in enumerate(plan.steps):
        if step[0] != "c":
            steps.append(step)
            continue
        p, end = plan.windows[level][0], plan.windows[level + 1][0]
        for bit in squares_of(plan, terms, level).chain:
            below = min(p, max(end, terms.shift - units - bit))
            width = min(6, p - below)
            steps += ["d1"] * (p - below - width) + [f"d{width}"] * (width > 0)
            p = below
        steps += ["d1"] * (p - end)
    return Plan(plan.start, tuple(steps), units, plan.early)


def _shape(terms: Terms, cells: int, before: int) -> Shape:
    """Tables for cells of 2^-cells of a bucket, where the square before has 2^-before.

    A word of 64 cells is 2^(6 - (8 + cells - before)) of the square before's cell.
    """
    drift = 1 << (terms.shift - before + 6 - (SPACING + cells - before))
    unit = 1 << (terms.shift - GRID)
    slack = _slack(terms, before)
    span = (1 << (terms.shift - cells)) + drift + slack
    return _numbers(terms, GRID - cells, span, (unit << STEP) + drift + slack)


def _exact(terms: Terms, usual: Shape, square: int | None) -> Shape:
    """Tables for a square whose cells are single values; as `usual` if there is none."""
    if square is None:
        return usual
    unit = 1 << (terms.shift - GRID)
    slack = _slack(terms, GRID - int(usual.per_cell))
    # Over its cells the square before drifts by as much as one of its own cells.
    drift = 1 << (terms.shift - GRID + int(usual.per_cell))
    moved = (unit << STEP) + drift + slack
    per_cell = GRID - max(0, terms.shift - square)
    return _numbers(terms, per_cell, drift + slack, moved)


def _slack(terms: Terms, cells: int) -> int:
    """What the squares before the last two drift by at most, where usual cells are 2^-cells."""
    return 1 << (terms.shift - SLACK - 2 - cells)


def _numbers(terms: Terms, per_cell: int, span: int, moved: int) -> Shape:
    words = (1 << (terms.bits + GRID - per_cell)) // 64
    fractions = (1 << (GRID - STEP)) + 1
    return Shape(*(np.uint64(n) for n in (GRID, per_cell, span, moved, STEP, fractions, words)))


def _relations(before: list[int], new: int) -> list[tuple[int, int]]:
    """What is added to the moving and to the fixed side, the fewest on both sides first."""
    found = []
    for states in itertools.product(range(4), repeat=len(before)):
        added = sum(1 << bit for bit, s in zip(before, states, strict=True) if s & 1)
        kept = sum(1 << bit for bit, s in zip(before, states, strict=True) if s & 2)
        order = (sum(s == 3 for s in states), sum(s > 1 for s in states), states)
        found.append((order, added + (1 << new), kept))
    return [(added, kept) for _, added, kept in sorted(found)]


def _equal(terms: Terms, rows: dict[int, int], patterns: list[int], added: int, kept: int) -> bytes:
    """Which pairs of patterns have equal attack sets with these sums added, as a matrix."""
    try:
        one = [terms.attack[rows[int(terms.multiplicand[n]) + added]] for n in patterns]
        other = [terms.attack[rows[int(terms.multiplicand[n]) + kept]] for n in patterns]
    except KeyError:
        raise ValueError("multiplicands are no sums of squares: no chain") from None
    return (np.array(one)[:, None] == np.array(other)[None]).tobytes()


def _line(terms: Terms, patterns: list[int], kinds: dict[bytes, int]) -> Line:
    count = len(patterns)
    sets: dict[bytes, int] = {}
    excluded = np.zeros((len(kinds), count), dtype=np.int32)
    for key, kind in kinds.items():
        matrix = np.frombuffer(key, dtype=np.bool_).reshape(count, count)
        for row in range(count):
            excluded[kind, row] = sets.setdefault(matrix[row].tobytes(), len(sets))
    return Line(
        multiplicand=terms.multiplicand[patterns],
        constant=terms.constant[patterns],
        excluded=excluded,
        member=np.array([np.frombuffer(key, dtype=np.bool_) for key in sets]),
    )


def _none() -> Chain:
    words, ints = np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.int64)
    numbers, flags = np.zeros((1, 1), dtype=np.int32), np.zeros((1, 1), dtype=np.bool_)
    shape = Shape(*(np.uint64(0) for _ in Shape._fields))
    line = Line(words, words, numbers, flags)
    none = np.zeros((1, 4), dtype=np.uint64)
    return Chain(
        -1, False, words, words, np.uint64(0), ints, ints, words, words, words, words,
        line, shape, shape, shape, none, np.uint64(0),
    )  # fmt: skip
