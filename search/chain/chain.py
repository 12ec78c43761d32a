"""A chain: many squares of a file taken in one step of a plan, without a table of slots.

The *line* are the squares that the window has taken (for a rook on rank 1 or 2: its rank),
its *patterns* their occupancies. The squares of the chain lie eight bits apart, so once a
cell of one is chosen, the next one's cells are all there is to choose, and what is known of
the one before grows with them. The relations of a new square (relations.py) say how it can
conflict. Which sums make two patterns of the line collide is one table (tables.py), so a relation
tests 64 cells of the new square against every pair of patterns at once: two loads and a shift.

The step "c<n>.<c>" lowers p by n bits, in cells of 2^-c of a bucket. Its children are the
cells of the last square that no relation rules out; they are then visited like any others.
Where tables round, they never reject a valid magic. A "k" behind the step has the nodes below a
chain try some pairs that conflicted before, first of all.
"""

import itertools
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.chain.relations import Kinds, Relation, relations_of
from magicert.search.chain.squares import GRID, SPACING, WIDER, Squares, spread_of, squares_of
from magicert.search.chain.tables import GridShape, LinePatterns
from magicert.search.problem.mirror import is_mirrored
from magicert.search.problem.plan import MIRROR, Plan, recalls
from magicert.search.problem.plans import AnyPlan
from magicert.search.problem.terms import Terms, Words

Ints = NDArray[np.int64]
USUAL, WIDE, EXACT = 0, 1, 2
STEP = 2
"""log2 of the units between two fractions."""
SLACK = 5
"""The squares before the last two drift by less than 2^-SLACK units over a word, where cells are
2^2 units; in proportion where they are longer (docs/rounding-lemma.md, L3).
"""
WIDEST_FAN = 6


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
    line: LinePatterns
    usual: GridShape
    wide: GridShape
    exact: GridShape
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
        return _none()
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
    usual = _shape(terms, squares.cells, squares.cells)
    wide = _shape(terms, squares.cells - WIDER, squares.cells)
    exact = usual if squares.exact is None else _exact(terms, usual, squares.exact)
    shapes = (usual, wide, exact)
    tables = [
        _row(relation, len(kinds.kinds), shapes[stage.shape])
        for stage, found in zip(stages, by_stage, strict=True)
        for relation in found
    ]
    below = [plan.windows[step][0], *(stage.end for stage in stages)]
    spread = spread_of(terms, squares.exact)
    last_fraction = int(usual.fractions) - 2
    return Chain(
        level=step - level,
        recall=recalls(plan.steps[step]),
        below=np.array(below, dtype=np.uint64),
        cells=_cells(below, spread),
        spread=np.uint64(spread),
        shapes=np.array([stage.shape for stage in stages], dtype=np.int64),
        first=np.cumsum([0, *map(len, by_stage)], dtype=np.int64),
        moving=np.array([relation.moving for relation in relations], dtype=np.uint64),
        fixed=np.array([relation.fixed for relation in relations], dtype=np.uint64),
        table=np.array(tables, dtype=np.uint64),
        fractions=np.array([last_fraction if r.fixed else 0 for r in relations], dtype=np.uint64),
        line=kinds.line(),
        usual=usual,
        wide=wide,
        exact=exact,
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
    """The row where a relation's tables begin. Each kind has a table for each fraction, the last
    one for nothing fixed; the merged tables are behind them all.
    """
    fractions = int(shape.fractions)
    if relation.merged:
        table = kinds * fractions + relation.kind
    else:
        table = relation.kind * fractions + (0 if relation.fixed else fractions - 1)
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


def plain(plan: Plan, terms: Terms) -> Plan:
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


def _shape(terms: Terms, cells: int, before: int) -> GridShape:
    """Tables for cells of 2^-cells of a bucket, where the square before has 2^-before.

    A word of 64 cells is 2^(6 - (8 + cells - before)) of the square before's cell.
    """
    drift = 1 << (terms.shift - before + 6 - (SPACING + cells - before))
    unit = 1 << (terms.shift - GRID)
    slack = _slack(terms, before)
    span = (1 << (terms.shift - cells)) + drift + slack
    return _numbers(terms, GRID - cells, span, (unit << STEP) + drift + slack)


def _exact(terms: Terms, usual: GridShape, square: int) -> GridShape:
    """Tables for a square whose cells are single values."""
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


def _numbers(terms: Terms, per_cell: int, span: int, moved: int) -> GridShape:
    words = (1 << (terms.bits + GRID - per_cell)) // 64
    fractions = (1 << (GRID - STEP)) + 1
    return GridShape(*(np.uint64(n) for n in (GRID, per_cell, span, moved, STEP, fractions, words)))


def _none() -> Chain:
    words, ints = np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.int64)
    numbers, flags = np.zeros((1, 1), dtype=np.int32), np.zeros((1, 1), dtype=np.bool_)
    shape = GridShape(*(np.uint64(0) for _ in GridShape._fields))
    line = LinePatterns(words, words, numbers, flags)
    none = np.zeros((1, 4), dtype=np.uint64)
    return Chain(
        -1, False, words, words, np.uint64(0), ints, ints, words, words, words, words,
        line, shape, shape, shape, none, np.uint64(0),
    )  # fmt: skip
