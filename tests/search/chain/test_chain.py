"""Chains: tables are their definition, what they rule out does conflict, no magic is lost.

D4 to D8, L3 and L5 are those of proofs/rounding-lemma.md.
"""

import hashlib
import itertools
import math
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from magicert.chess import Piece, parse_square
from magicert.scheme import SCHEMES
from magicert.search.chain.chain import (
    GRID,
    Chain,
    GridShape,
    chain_of,
    check_plan,
    squares_of,
    without_chain,
)
from magicert.search.chain.descent import (
    BATCH,
    OVER,
    SURVIVOR,
    ChainPads,
    begin_chain,
    collect,
    merge_first,
    new_chain_pads,
    rule_out,
)
from magicert.search.compiled import entry_point
from magicert.search.kernel.descent import next_chain_cell
from magicert.search.kernel.node import CHILD, LAST_CHILD, State, Task, new_state, task_of
from magicert.search.kernel.node import begin as begin_node
from magicert.search.planning import chain_plan, chain_plans, delayed_chain_plans, sample
from magicert.search.problem import Plan, Terms, down, mirrored, parse_plan, terms, terms_of
from magicert.search.shards.shard import Work, dead_on_its_line, recount_shard, run_shard
from magicert.targets import square_cell
from magicert.verify.cover.checker import StreamCheck
from magicert.verify.cover.statement import Statement

CELL = square_cell(SCHEMES["white"], Piece.ROOK, 0, 1)  # only a name: the terms are given

WORD = (1 << 64) - 1
ALL = np.uint64(WORD)
STEP, SLACK, WIDER = 2, 5, 2
"""As the page has them: a test that takes them from the code would not notice another value."""


BEGIN, MERGE = -1, 0


@entry_point
def at_chain(chain, pads, shift, depth, base, both):
    """Begin, merge, or rule cells out of a square's words: all in one, as whatever is given a chain
    and its pads takes half a second to compile.
    """
    if depth == BEGIN:
        begin_chain(chain, pads, shift, base, both)
    elif depth == MERGE:
        merge_first(chain, pads, shift, base)
    else:
        rule_out(chain, pads, shift, depth)


class Followed:
    """A plan's chain, at a node: of the m that begin like `m`."""

    def __init__(self, about: Terms, plan: Plan, m: int, both: int = 0) -> None:
        self.step = plan.steps.index(plan.chain)
        self.squares = squares_of(plan, about, self.step)
        self.chain: Chain = chain_of(plan, about, self.step, self.step + 1)
        self.pads: ChainPads = new_chain_pads(self.chain)
        self.shift, self.below = np.uint64(about.shift), [int(p) for p in self.chain.below]
        self.base = m >> self.below[0] << self.below[0]
        self.call(BEGIN, self.base, both)

    def call(self, depth: int, base: int = 0, both: int = 0) -> None:
        at_chain(self.chain, self.pads, self.shift, depth, np.uint64(base), np.uint64(both))

    def merge(self, start: int) -> None:
        self.call(MERGE, start)

    def dead_cells(self, depth: int, starts: list[int]) -> list[int]:
        """What rule_out makes of words of square `depth` that begin at `starts`."""
        words = slice(len(starts))
        self.pads.words[depth + 1] = len(starts)
        self.pads.start[depth + 1, words] = starts
        self.pads.alive[depth + 1, words] = ALL
        self.call(depth + 1)
        return (~self.pads.alive[depth + 1, words]).tolist()

    def survivors(self) -> list[int]:
        found, starts, outcome = [], np.empty(7, np.uint64), SURVIVOR
        while outcome != OVER:
            count, outcome = collect(self.chain, self.pads, self.shift, starts)
            found += starts[:count].tolist()
        return found


@cache
def rook(square: str, bits: int) -> Terms:
    return terms_of(square_cell(SCHEMES["white"], Piece.ROOK, parse_square(square), bits))


@pytest.mark.gate_takes(first=2, each_of="spread")
@pytest.mark.parametrize(
    ("seed", "spread"), [*((seed, 0) for seed in range(8)), (8, 1), (9, 1), (10, 2), (11, 3)]
)
def test_a_chain_loses_no_magic(chained, seed, spread, magics_in):
    rng = random.Random(seed)
    about, plan = chained(rng, spread)
    level = plan.steps.index(plan.chain)
    work = Work(CELL, plan, level, record=False)
    magics = 0
    numbers = rng.sample(range(work.shards), 2 if spread else 12)
    for number in numbers:
        expected = magics_in(about, *work.root(number)[1:])
        result = run_shard(work, number, terms=about)
        assert result.finished
        assert result.magic_count == len(expected)
        listed = [m for first, last in result.magics for m in range(first, last + 1)]
        assert np.isin(listed, expected).all()
        magics += len(expected)
    assert 0 < magics < len(numbers) << work.plan.windows[level][0]


BITS = {"g2": 9, "h2": 10, "a1": 11, "c2": 9, "d1": 10}


@cache
def longest(square: str) -> Plan:
    """The plan with the longest chain; on rank 2 its last square is exact."""
    plans = chain_plans(rook(square, BITS[square]))
    return max(plans, key=lambda plan: down(plan.chain))


@pytest.mark.parametrize("words", [1, 100, BATCH])
def test_words_of_a_batch_do_not_mix(words):
    """Whatever is looked up together, each word has the cells that it has alone; and they are
    those of a look-up that is written in plain numbers.
    """
    about, plan = rook("h2", 10), longest("h2")
    rng = random.Random(words)
    m = rng.getrandbits(about.width)
    at = Followed(about, plan, m)
    at.merge(m)
    starts = [rng.getrandbits(64) for _ in range(words)]
    for depth in range(2, len(at.below) - 1):
        counts = at.pads.counts[0]
        together = at.dead_cells(depth, starts)
        expected = [looked_up(at, depth, start) for start in starts]
        assert together == [dead for dead, _ in expected]
        assert at.pads.counts[0] - counts == sum(lookups for _, lookups in expected)


@pytest.mark.long
def test_a_processor_without_vectors_looks_up_the_same():
    """The test above, compiled for any processor: words are then loaded in pairs. (It is not this
    processor's code that is tested, and all of it is compiled for that.)
    """
    generic = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    plugins = ("-p", "no:cacheprovider", "-p", "no:xdist")
    command = [sys.executable, "-P", "-m", "pytest", "-q", *plugins, __file__, "-k", "not_mix"]
    subprocess.run(command, env=generic, check=True, capture_output=True)


def looked_up(at: Followed, depth: int, start: int, dead: int = 0) -> tuple[int, int]:
    """The cells of a word that are dead, and after how many relations it is known."""
    chain, pads, shift = at.chain, at.pads, int(at.shift)
    which = int(chain.shape_of[depth])
    shape, table = chain.shapes[which], pads.tables[which]
    per_cell, words = int(shape.per_cell), int(shape.words)
    lookups = 0
    for relation in range(int(chain.first[depth]), int(chain.first[depth + 1])):
        fixed = int(chain.fixed[relation]) * start % 2**64
        moving = int(chain.moving[relation]) * start % 2**64
        y = ((moving - (fixed >> shift << shift)) % 2**64) >> (shift - GRID)
        row = int(chain.table[relation]) + y % (1 << per_cell)
        row += (fixed >> (shift - GRID + STEP) & 15) << per_cell
        cell = (y >> per_cell) % (64 * words)
        first = row * (words + 1)
        bits = int.from_bytes(table[first : first + words].tobytes(), "little")
        around = bits | bits << 64 * words
        dead |= around >> cell & (2**64 - 1)
        lookups += 1
        if dead == 2**64 - 1:
            break
    return dead, lookups


@pytest.mark.parametrize(
    ("seed", "spread"),
    [(0, 0), *(pytest.param(*some, marks=pytest.mark.slow) for some in ((5, 3), (3, 1)))],
)
def test_following_a_chain_is_a_plain_recursion(chained, seed, spread):
    """The same cells in the same order, and the same counts, as word by word."""
    rng = random.Random(seed)
    about, plan = chained(rng, spread)
    m = rng.getrandbits(about.width)
    at, other = Followed(about, plan, m), Followed(about, plan, m)
    below, counts = at.below, [0, 0]

    def go(depth: int, base: int) -> Iterator[int]:
        if depth == len(below) - 1:
            yield base
            return
        p, width = below[depth + 1], below[depth] - below[depth + 1]
        apart = spread if depth == len(below) - 2 else 0
        for word in range(1 << max(0, width - 6)):
            start = base + (word << (p + 6))
            if depth == 1:
                other.merge(start)
            cells = [n << apart for n in range(1 << min(6, width))]
            dead, lookups = looked_up(other, depth, start, WORD - sum(1 << cell for cell in cells))
            counts[0] += lookups
            counts[1] += sum(dead >> cell & 1 for cell in cells)
            for cell in cells:
                if not dead >> cell & 1:
                    yield from go(depth + 1, start + (cell >> apart << p))

    found = at.survivors()
    assert list(go(0, at.base)) == found
    assert at.pads.counts.tolist() == counts
    assert found


@entry_point
def enter(task, state):
    begin_chain(task.chain, state.chain, task.shift, state.pads.base[0], np.uint64(0))


@entry_point
def next_child(task, state):
    return next_chain_cell(task, state, 0)


def children(task: Task, state: State, low: int, high: int) -> list[tuple[int, int]]:
    """What is left of the cells below a node of which low to high are not settled."""
    state.pads.low[0], state.pads.high[0] = low, high
    enter(task, state)
    found = []
    while (outcome := next_child(task, state)) != LAST_CHILD:
        if outcome == CHILD:
            found.append((int(state.pads.low[1]), int(state.pads.high[1])))
    return found


@pytest.mark.slow
def test_a_survivor_that_is_settled_in_part_is_searched_in_part(chained):
    about, plan = chained(random.Random(8), 1)
    plan = parse_plan(plan.text.replace("c20.4k", "c17.4 d1 d1 d1"))
    task = task_of(about, plan, plan.steps.index(plan.chain))
    state = new_state(about, task)
    width = int(task.chain.below[0])
    begin_node(task, state, 0, width)
    whole = children(task, state, 0, (1 << width) - 1)
    half = (whole[0][1] - whole[0][0]) // 2
    assert half > 0
    assert len(whole) > 2
    low, high = whole[1][0] + half, whole[-2][0] + half
    expected = [(low, whole[1][1]), *whole[2:-2], (whole[-2][0], high)]
    assert children(task, state, low, high) == expected


def test_a_recount_is_of_all_survivors_of_all_nodes(chained, magics_in):
    """In ascending order, and no magic of the shard is outside them."""
    rng = random.Random(5)
    about, plan = chained(rng, 3)
    step = plan.steps.index(plan.chain)
    work = Work(CELL, plan, step - 1, record=False)
    number = rng.randrange(work.shards)
    _, low, high = work.root(number)
    line = sum(1 << bit for bit in squares_of(plan, about, step).line)
    p, found = plan.windows[step][0], []
    for base in range(low, high + 1, 1 << p):
        if not dead_on_its_line(about, line, base, p):
            found += Followed(about, plan, base).survivors()
    assert found == sorted(found)
    again = recount_shard(work, number, about)
    starts = np.array(found, dtype="<u8").tobytes()
    assert (again.survivors, again.sha256) == (len(found), hashlib.sha256(starts).hexdigest())
    length = 1 << Followed(about, plan, low).below[-1]
    assert {m // length * length for m in magics_in(about, low, high).tolist()} <= set(found)
    with pytest.raises(ValueError, match="no chain"):
        recount_shard(Work(CELL, without_chain(plan, about), 3), 0, about)
    with pytest.raises(ValueError, match="expected at most"):
        recount_shard(Work(CELL, plan, step + 1), 0, about)


def test_a_node_is_dead_on_its_line_if_a_pair_of_patterns_conflicts_throughout(chained):
    about, plan = chained(random.Random(3))
    line = sum(1 << bit for bit in squares_of(plan, about, plan.steps.index(plan.chain)).line)
    x, c = about.multiplicand.tolist(), about.constant.tolist()
    rows = [n for n, word in enumerate(x) if word & ~line == 0]
    told = set()
    nodes = [(base, base + length) for length in (4, 8) for base in range(0, 1 << 12, length)]
    for base, end in nodes:
        slots = {
            n: {(x[n] * m + c[n]) % 2**64 >> about.shift for m in range(base, end)} for n in rows
        }
        dead = any(
            len(slots[a]) == 1 and slots[a] == slots[b] and about.attack[a] != about.attack[b]
            for a, b in itertools.combinations(rows, 2)
        )
        assert dead_on_its_line(about, line, base, (end - base).bit_length() - 1) == dead
        told.add(dead)
    assert about.attack[rows].any() == (True in told)


@pytest.mark.parametrize(
    ("square", "magic"),
    [("c2", 0x2002CAC99FFFA), pytest.param("g2", 0, marks=pytest.mark.long),
     *(pytest.param(square, 0, marks=pytest.mark.slow) for square in ("h2", "a1", "d1"))],
)  # fmt: skip
def test_what_a_chain_rules_out_is_ruled_out_leaf_by_leaf_and_a_known_magic_is_not(square, magic):
    """Millions of leaves, each of which the checker proves by a conflict of its own."""
    bits, about, plan = BITS[square], rook(square, BITS[square]), longest(square)
    cell = square_cell(SCHEMES["white"], Piece.ROOK, parse_square(square), bits)
    m, level = magic or random.Random(square).getrandbits(about.width), plan.steps.index(plan.chain)
    work, number = Work(cell, plan, level), m >> plan.windows[level][0]
    counted = run_shard(replace(work, record=False), number)
    last = (1 << bits) - 1
    statement = Statement(about.multiplicand, 0, about.attack.astype(np.int64), bits, 0, last)
    check = StreamCheck(statement, work.root(number))
    written = run_shard(work, number, (check,))
    assert check.finish() == written.sha256
    assert check.problems == []
    assert check.leaves == written.leaves > 10**6
    assert written.counts == counted.counts
    assert not magic or any(low <= magic <= high for low, high in counted.magics)
    assert counted.magic_count == written.magic_count == sum(h - a + 1 for _, a, h in check.magics)


@pytest.mark.slow
def test_a_memory_for_pairs_changes_nothing_but_the_work():
    """In this shard of rook h2 one pair after another kills thousands of nodes."""
    cell = square_cell(SCHEMES["white"], Piece.ROOK, parse_square("h2"), 10)
    chain = chain_plan(terms_of(cell), list(range(9, 15)), [23, 31, 39, 47], 4)
    assert chain.chain == "c33.4k"
    level = chain.steps.index(chain.chain)
    without = replace(chain, steps=(*chain.steps[:level], "c33.4", *chain.steps[level + 1 :]))
    number = 0x7FEDE635037100 >> chain.windows[level][0]
    one, other = (
        run_shard(Work(cell, plan, level, record=False), number) for plan in (chain, without)
    )
    assert one.counts.values[:4] == other.counts.values[:4]
    assert one.magics == other.magics
    assert 10 * one.counts.examined < other.counts.examined


@pytest.mark.cases_of("a_chain_that_does_not_fit_is_refused.tsv")
def test_a_chain_that_does_not_fit_is_refused(scheme, square, text, message):
    bits = {"g2": 9, "a1": 11}[square]
    about = terms_of(square_cell(SCHEMES[scheme], Piece.ROOK, parse_square(square), bits))
    with pytest.raises(ValueError, match=message):
        check_plan(Plan.parse(text), about)
    assert bool(next(chain_plans(about), None)) == (scheme == "white")


def test_a_chain_may_begin_later():
    about = rook("d1", 10)
    first = longest("d1")
    plans = list(delayed_chain_plans(first, about))
    begins = down(first.chain)
    assert [plan.chain for plan in plans] == [f"c{begins - n}.3k" for n in range(1, 5)]
    for plan in plans:
        assert plan.windows[-1] == first.windows[-1]
        squares = [squares_of(p, about, p.steps.index(p.chain)).chain for p in (first, plan)]
        assert squares[0] == squares[1]
    assert list(delayed_chain_plans(without_chain(first, about), about)) == []


def test_long_chains_are_tried_first_and_none_for_long():
    """Short ones left so much that two of them took the planner's budget: rook d1's chain was
    never sampled, and its search went without.
    """
    about = rook("d1", 10)
    plans = list(chain_plans(about))
    last = [squares_of(p, about, p.steps.index(p.chain)) for p in plans]
    tops = [squares.exact or squares.chain[-1] for squares in last]
    assert tops == sorted(tops, reverse=True)
    assert tops[0] > tops[-1]
    whole, one_each = (sample(about, plans[0], 24, 1, for_stage=most) for most in (math.inf, 0.0))
    # One root stands for all: what is gone through is less, what is said of the whole is not.
    assert one_each.counts.words > 0
    assert one_each.chain_counts != whole.chain_counts


TOYS = [
    (5, 55, 3), (4, 56, 4),
    (6, 59, 4), (6, 59, 3), (6, 57, 4),
    (4, 56, 4), (5, 55, 3), (4, 55, 4),
]  # fmt: skip
"""Bits, the last square of the file, cells. From the third on the last square is exact; it moves
by two buckets from m to m + 1, and in the fifth by half a bucket. The last three are mirrored. In
the first one two patterns collide that reach from one bucket to the next.
"""
EXACT, MIRRORED = range(2, 5), range(5, 8)
seeds = pytest.mark.parametrize("seed", range(len(TOYS)))


class Filled(Followed):
    """A line of two squares and a chain of three, or four; most attack sets are equal. There are
    merged tables for the word of a `start`. The node's m are at most `base` + `last`, or for all
    real m of a mirrored one less than that.
    """

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        bits, last, cells = TOYS[seed]
        chain = list(range(last - 8 * (3 if seed in EXACT else 2), last + 1, 8))
        line = [chain[0] - 2, chain[0] - 1]
        subsets = list(itertools.product((0, 1), repeat=len(line + chain)))
        rows = [
            sum(1 << s for s, on in zip(line + chain, subset, strict=True) if on)
            for subset in subsets
        ]
        attacks = [rng.choice([0, 0, 0, 1, 2]) for _ in rows]
        self.both = seed in MIRRORED
        constant = 0 if self.both else rng.choice([0, WORD, rng.getrandbits(64)])
        self.about = terms(rows, attacks, bits, constant)
        plan = chain_plan(self.about, line, chain, cells)
        plan = mirrored(plan, self.about) if self.both else plan
        # Where m is all ones, patterns end where their buckets end.
        ones = (1 << self.about.width) - 1
        m = ones if seed == MIRRORED[-1] else rng.getrandbits(self.about.width)
        super().__init__(self.about, plan, m, WORD if self.both else 0)
        self.last = (1 << self.below[0]) - (not self.both)
        self.start = m >> self.below[2] + 6 << self.below[2] + 6
        self.merge(self.start)

    def sets(self) -> list[tuple[str, GridShape, NDArray[np.uint64], NDArray[np.uint64]]]:
        pads, chain = self.pads, self.chain
        names = ("usual", "wide", "exact")
        found = list(zip(names, chain.shapes, pads.tables, pads.narrowed, strict=True))
        return found[: 2 + (self.squares.exact is not None)]


filled = cache(Filled)


@seeds
def test_shapes_are_those_of_the_page(seed):
    at = filled(seed)
    cells, shift, exact = at.squares.cells, int(at.shift), at.squares.exact
    assert (exact is not None) == (seed in EXACT)
    bucket, unit = 1 << shift, 1 << (shift - GRID)
    slack = (unit >> SLACK) * (1 << (GRID - 2 - cells))
    usual, wide = bucket >> cells, bucket >> (cells - WIDER)
    expected = {
        "usual": (usual, usual // 4, GRID - cells),
        "wide": (wide, wide // 4, GRID - cells + WIDER),
        "exact": (0, usual, GRID - max(0, shift - (exact or 0))),
    }
    for name, shape, *_ in at.sets():
        length, drift, per_cell = expected[name]
        assert int(shape.span) == length + drift + slack
        assert int(shape.moved) == (unit << STEP) + drift + slack
        assert int(shape.per_cell) == per_cell
        assert int(at.chain.units_on) == 1 << (GRID - cells - 2)
        assert int(shape.words) == (1 << (at.about.bits + GRID - per_cell)) // 64


def relations(chain: Chain) -> Iterator[tuple[int, int, int, int, list[int] | None]]:
    """Depth, both sums, which table of its kind, and where tables are merged its four kinds."""
    kinds = len(chain.line.excluded) * 17
    for depth in range(len(chain.first) - 1):
        shape = chain.shapes[int(chain.shape_of[depth])]
        for n in range(int(chain.first[depth]), int(chain.first[depth + 1])):
            group = int(chain.table[n]) >> int(shape.per_cell)
            merged = chain.merged[group - kinds].tolist() if group >= kinds else None
            yield depth, int(chain.moving[n]), int(chain.fixed[n]), group, merged


def four_sides(moving: int, fixed: int, head: int) -> list[tuple[int, int]]:
    return [(moving + one, fixed + other) for other in (0, head) for one in (0, head)]


@pytest.mark.parametrize("square", ["g2", "a1"])
def test_relations_are_all_places_of_the_squares_before(square):
    """D4, each once: alone, or (where at most the first square is fixed) in a merged table."""
    about = rook(square, BITS[square])
    chosen = list(range(9, 14)) if square == "g2" else list(range(1, 7))
    before = [s for s in range(64) if int(about.multiplicand[-1]) >> s & 1]
    file = [s for s in before if s not in chosen and s not in (8, 15)]
    plan = chain_plan(about, chosen, file[:4], 4)
    step = plan.steps.index(plan.chain)
    chain, squares = chain_of(plan, about, step, step + 1), squares_of(plan, about, step)
    stages = [*squares.chain[:-1], squares.chain[-1], squares.chain[-1]]
    stages += [squares.exact] if squares.exact is not None else []
    found: list[list[tuple[int, int]]] = [[] for _ in stages]
    for depth, moving, fixed, _, merged in relations(chain):
        found[depth] += four_sides(moving, 0, squares.head) if merged else [(moving, fixed)]
    for one, new in zip(found, stages, strict=True):
        smaller = [1 << s for s in squares.chain if s < new]
        wanted = {
            (sum(a for a, place in zip(smaller, places, strict=True) if place & 1) + (1 << new),
             sum(a for a, place in zip(smaller, places, strict=True) if place & 2))
            for places in itertools.product(range(4), repeat=len(smaller))
        }  # fmt: skip
        assert len(one) == len(set(one))
        assert set(one) == wanted


def test_a_kind_says_where_attack_sets_are_equal():
    """D5, for each relation and both sums."""
    at = filled(1)
    attack = dict(zip(at.about.multiplicand.tolist(), at.about.attack.tolist(), strict=True))
    line = at.chain.line
    patterns = line.multiplicand.tolist()
    for _, moving, fixed, group, merged in relations(at.chain):
        told = [(group // 17, (moving, fixed))]
        if merged is None:
            assert group % 17 == (0 if fixed else 16)
        else:
            told = list(zip(merged, four_sides(moving, 0, at.squares.head), strict=True))
        for kind, (one, other) in told:
            for row, r in enumerate(patterns):
                equal = [attack[r + one] == attack[x + other] for x in patterns]
                assert line.member[line.excluded[kind, row]].tolist() == equal


def bits_of(shape: GridShape, table: NDArray[np.uint64], group: int) -> NDArray[np.bool_]:
    """The bit of each shift y in one table; that a row's last word repeats its first is checked."""
    units, words = 1 << int(shape.per_cell), int(shape.words)
    found = np.zeros(64 * words * units, dtype=np.bool_)
    for unit in range(units):
        first = (group * units + unit) * (words + 1)
        row = table[first : first + words]
        assert table[first + words] == row[0]
        found[unit::units] = np.unpackbits(row.view(np.uint8), bitorder="little")
    return found


def defined(at: Filled, shape: GridShape, kind: int, fraction: int) -> NDArray[np.bool_]:
    """D6: the bits of a kind's table for one fraction, the last of which is none. In a mirrored one
    the empty pattern, with nothing added, is not sure (L12).
    """
    line, shift = at.chain.line, int(at.shift)
    bucket, unit = 1 << shift, 1 << (shift - GRID)
    none = fraction == 16
    moved, added = (0, 0) if none else (int(shape.moved), fraction * unit << STEP)
    patterns = line.multiplicand.tolist()
    values = [(x * at.base + int(c)) & WORD for x, c in zip(patterns, line.constant, strict=True)]
    fixed = [(v + added) & WORD for v in values]
    sure = [
        v % bucket + x * at.last + moved < bucket and (x or not none or not at.both)
        for v, x in zip(fixed, patterns, strict=True)
    ]
    slots, per_cell = 1 << at.about.bits, int(shape.per_cell)
    cells_of_a_slot = 1 << (GRID - per_cell)
    y = np.arange(slots << GRID)
    dead = np.zeros(len(y), dtype=np.bool_)
    for row, (x, v) in enumerate(zip(patterns, values, strict=True)):
        equal = line.member[line.excluded[kind, row]]
        taken = np.zeros(slots, dtype=np.bool_)
        for other, slot in enumerate(fixed):
            if sure[other] and not equal[other]:
                taken[slot // bucket] = True
        last = (v % unit + x * at.last + int(shape.span) + unit - 1) // unit
        first_cell, last_cell = (v // unit + y) >> per_cell, (v // unit + y + last) >> per_cell
        ends = [cell // cells_of_a_slot % slots for cell in (first_cell, last_cell)]
        near = last_cell - first_cell <= cells_of_a_slot
        dead |= near & taken[ends[0]] & taken[ends[1]]
    return dead


@seeds
def test_a_table_has_the_bits_of_its_definition(seed):
    """And what is kept of it is set for all of some shifts."""
    at = filled(seed)
    on = 1 << (GRID - at.squares.cells - 2)
    seen = 0
    for name, shape, table, kept in at.sets():
        for kind, fraction in itertools.product(range(len(at.chain.line.excluded)), (0, 7, 15, 16)):
            found = bits_of(shape, table, kind * 17 + fraction)
            wanted = defined(at, shape, kind, fraction)
            assert (found == wanted).all(), (name, kind, fraction)
            seen += int(wanted.sum())
            if fraction in (7, 16):
                wanted = np.logical_and.reduce([np.roll(found, -by) for by in range(on + 1)])
                assert (bits_of(shape, kept, kind * 17 + fraction) == wanted).all()
    assert seen > 100


@seeds
def test_merged_tables_are_the_four_places_of_the_first_square(seed):
    at = filled(seed)
    unit, size = 1 << int(at.shift) - GRID, 1 << at.about.bits + GRID
    product = at.squares.head * at.start & WORD
    assert product % unit == 0
    added, buckets = product // unit, product // (unit << GRID) << GRID
    fraction, none = added % (1 << GRID) >> STEP, 16
    assert len(at.chain.merged)
    for _, shape, table, kept in at.sets():
        places = [
            (table, none, 0), (kept, none, added),
            (table, fraction, -buckets), (kept, fraction, added - buckets),
        ]  # fmt: skip
        for number, kinds in enumerate(at.chain.merged.tolist(), len(at.chain.line.excluded) * 17):
            turned = [
                np.roll(bits_of(shape, source, kind * 17 + row), -by % size)
                for kind, (source, row, by) in zip(kinds, places, strict=True)
            ]
            assert (bits_of(shape, table, number) == np.logical_or.reduce(turned)).all()


@pytest.mark.parametrize(
    ("square", "bits"), [("h2", 10), ("c2", 8), pytest.param("a1", 11, marks=pytest.mark.slow)]
)
def test_no_sum_drifts_further_than_its_table_allows(square, bits):
    """L3, L5, by plain arithmetic; and the first square is known to whole units."""
    about, seen = rook(square, bits), 0
    unit = 1 << (about.shift - GRID)
    for plan in chain_plans(about):
        step = plan.steps.index(plan.chain)
        chain = chain_of(plan, about, step, step + 1)
        word = 1 << (int(chain.below[2]) + 6)
        assert int(chain.below[1]) >= int(chain.below[2]) + 6
        assert int(chain.moving[0]) * word == int(chain.units_on) * unit
        for depth, (p, below) in enumerate(itertools.pairwise(chain.below.tolist())):
            shape = chain.shapes[int(chain.shape_of[depth])]
            length = 1 << min(p, below + 6)
            some = slice(int(chain.first[depth]), int(chain.first[depth + 1]))
            moving, fixed = max(chain.moving[some].tolist()), max(chain.fixed[some].tolist())
            alone = 1 << (moving.bit_length() - 1)
            # Of the square itself only what it moves in one cell; of the others, in the word.
            span = alone * ((1 << below) - 1) + (moving - alone) * (length - 1)
            assert span < shape.span, (plan.text, depth)
            assert (unit << STEP) - 1 + fixed * (length - 1) < shape.moved, (plan.text, depth)
            seen += 1
    assert seen > 20
