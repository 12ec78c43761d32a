"""Chains: no magic is lost, and what a table rules out does conflict."""

import hashlib
import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.scheme import SCHEMES
from magicert.search.chain.chain import Chain, chain_of, check_plan, plain, squares_of
from magicert.search.chain.descent import (
    BATCH,
    FOUND,
    OVER,
    ChainPads,
    begin_chain,
    merge_first,
    new_chain_pads,
    next_survivor,
    rule_out_of,
)
from magicert.search.compiled import entry
from magicert.search.kernel.descent import follow
from magicert.search.kernel.node import CHILD, LAST_CHILD, State, Task, new_state, task_of
from magicert.search.kernel.node import begin as begin_node
from magicert.search.planning import chain_plan, chains, later_chains
from magicert.search.problem import Plan, Terms, down, parse_plan, terms, terms_of
from magicert.search.shards.shard import Work, dead_on_its_line, recount_shard, run_shard
from magicert.verify.cover.checker import StreamCheck
from magicert.verify.cover.statement import Statement

CELL = square_cell(SCHEMES["white"], Piece.ROOK, 0, 1)  # only a name: the terms are given
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@entry
def begin(chain, pads, shift, base):
    begin_chain(chain, pads, shift, base, np.uint64(0))


@entry
def merge_at(chain, pads, shift, start):
    merge_first(chain, pads, shift, start)


@entry
def dead_cells(chain, pads, shift, depth, starts, dead):
    """What rule_out makes of words of square `depth` that begin at `starts`."""
    pads.words[depth + 1] = len(starts)
    pads.start[depth + 1, : len(starts)] = starts
    pads.alive[depth + 1, : len(starts)] = ALL
    rule_out_of(chain, pads, shift, depth + 1)
    dead[:] = ~pads.alive[depth + 1, : len(starts)]


@cache
def rook(square: str, bits: int) -> Terms:
    return terms_of(square_cell(SCHEMES["white"], Piece.ROOK, parse_square(square), bits))


def toy(rng: random.Random, spread: int = 0) -> tuple[Terms, Plan]:
    """A line of two squares and a chain of three; most attack sets are equal: it has magics.

    With a spread there is a fourth square of the file, which m's last bits move by 2^spread
    buckets.
    """
    bits = 6 if spread else 4
    chain = [58 + spread - 8 * n for n in (3, 2, 1, 0)] if spread else [40, 48, 56]
    line = [chain[0] - 2, chain[0] - 1]
    squares = line + chain
    count = 1 << len(squares)
    rows = [sum(1 << s for n, s in enumerate(squares) if k >> n & 1) for k in range(count)]
    odd = rng.sample(range(1, count), rng.randint(2, 4))
    attacks = [1 + odd.index(n) % 4 if n in odd else 0 for n in range(count)]
    about = terms(rows, attacks, bits, rng.choice([0, (1 << 64) - 1, rng.getrandbits(64)]))
    return about, chain_plan(about, line, chain, 4)


def magics_in(about: Terms, low: int, high: int) -> NDArray[np.int64]:
    """Every magic from low to high, from all pairs of occupancies."""
    m = np.arange(low, high + 1, dtype=np.uint64)
    slots = [
        ((x * m + c) >> np.uint64(about.shift)).astype(np.uint8)
        for x, c in zip(about.multiplicand, about.constant, strict=True)
    ]
    valid: NDArray[np.bool_] = np.ones(len(m), dtype=np.bool_)
    for one in range(len(slots)):
        for other in range(one):
            if about.attack[one] != about.attack[other]:
                valid &= slots[one] != slots[other]
    return low + np.flatnonzero(valid)


@pytest.mark.parametrize(
    ("seed", "spread"), [*((seed, 0) for seed in range(8)), (8, 1), (9, 1), (10, 2), (11, 3)]
)
def test_a_chain_loses_no_magic(seed: int, spread: int):
    rng = random.Random(seed)
    about, plan = toy(rng, spread)
    level = plan.steps.index(plan.chain)
    along = Work(CELL, plan, level, record=False)
    without = Work(CELL, plain(plan, about), level, record=False)
    magics = 0
    numbers = rng.sample(range(along.shards), 2 if spread else 12)
    for number in numbers:
        expected = magics_in(about, *along.root(number)[1:])
        for work in (along, without):
            result = run_shard(work, number, terms=about)
            assert result.finished
            assert result.magic_count == len(expected)
            listed = [m for first, last in result.magics for m in range(first, last + 1)]
            assert np.isin(listed, expected).all()
        magics += len(expected)
    assert 0 < magics < len(numbers) << along.plan.windows[level][0]


def trace(about: Terms, plan: Plan, m: int) -> list[tuple[int, int, int, bool]]:
    """For each relation: the square's depth, both sums, and whether it rules m's cell out."""
    level = plan.steps.index(plan.chain)
    chain = chain_of(plan, about, level, level + 1)
    pads: ChainPads = new_chain_pads(chain)
    shift = np.uint64(about.shift)
    below = [int(p) for p in chain.below]
    begin(chain, pads, shift, np.uint64(m >> below[0] << below[0]))
    told = []
    for depth in range(len(below) - 1):
        p = below[depth + 1]
        top = min(below[depth], p + 6)
        start = m >> top << top
        if depth == 1:
            merge_at(chain, pads, shift, np.uint64(start))
        for place in range(int(chain.first[depth]), int(chain.first[depth + 1])):
            first = np.full(depth + 2, place, dtype=np.int64)
            first[-1] += 1
            alone = chain._replace(first=first)
            starts, dead = np.array([start], dtype=np.uint64), np.zeros(1, dtype=np.uint64)
            dead_cells(alone, pads, shift, depth, starts, dead)
            cell = (m - start) >> p
            if depth == len(below) - 2:
                cell <<= int(chain.spread)
            rules_out = bool(int(dead[0]) >> cell & 1)
            told.append((depth, int(chain.moving[place]), int(chain.fixed[place]), rules_out))
    return told


def conflicts(about: Terms, m: int, moving: int, fixed: int, merged: list[int], line: int) -> bool:
    """Whether two patterns of the line conflict at m with these sums added, by the definition."""
    attack = dict(zip(about.multiplicand.tolist(), about.attack.tolist(), strict=True))
    patterns = [x for x in attack if x & ~line == 0]
    for one, other in itertools.product((0, *merged), repeat=2):
        holds: dict[int, set[int]] = {}
        for x in (x + fixed + other for x in patterns):
            holds.setdefault(x * m % 2**64 >> about.shift, set()).add(attack[x])
        for x in (x + moving + one for x in patterns):
            if holds.get(x * m % 2**64 >> about.shift, set()) - {attack[x]}:
                return True
    return False


@pytest.mark.parametrize(
    ("square", "bits"),
    [
        ("g2", 9),
        ("c2", 9),
        pytest.param("h2", 10, marks=pytest.mark.slow),
        pytest.param("a1", 11, marks=pytest.mark.slow),
        pytest.param("d1", 10, marks=pytest.mark.slow),
    ],
)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_what_is_ruled_out_conflicts(square: str, bits: int, data: st.DataObject):
    about = rook(square, bits)
    plan = longest(square)
    m = data.draw(st.integers(0, (1 << about.width) - 1))
    if data.draw(st.booleans()):  # rounding is hardest where many low bits are alike
        m = m >> 30 << 30 | data.draw(st.sampled_from([0, (1 << 30) - 1]))
    squares = squares_of(plan, about, plan.steps.index(plan.chain))
    line = sum(1 << bit for bit in squares.line)
    told = trace(about, plan, m)
    exact = squares.exact is not None
    assert len({depth for depth, *_ in told}) == len(squares.chain) + 1 + exact
    for depth, moving, fixed, rules_out in told:
        if rules_out:
            head = 1 << squares.chain[0]
            merged = [head] if depth and not (moving | fixed) & head else []
            assert conflicts(about, m, moving, fixed, merged, line), (depth, hex(m))


BITS = {"g2": 9, "h2": 10, "a1": 11, "c2": 9, "d1": 10}


@cache
def longest(square: str) -> Plan:
    """The plan with the longest chain; on rank 2 its last square is exact."""
    plans = chains(rook(square, BITS[square]))
    return max(plans, key=lambda plan: down(plan.chain))


@pytest.mark.parametrize("words", [1, 5, 8, 100, BATCH])
def test_words_of_a_batch_do_not_mix(words: int):
    """Whatever is looked up together, each word has the cells that it has alone; and they are
    those of a look-up that is written in plain numbers.
    """
    about, plan = rook("h2", 10), longest("h2")
    rng = random.Random(words)
    m = rng.getrandbits(about.width)
    level = plan.steps.index(plan.chain)
    chain = chain_of(plan, about, level, level + 1)
    pads: ChainPads = new_chain_pads(chain)
    shift = np.uint64(about.shift)
    p = int(chain.below[0])
    begin(chain, pads, shift, np.uint64(m >> p << p))
    merge_at(chain, pads, shift, np.uint64(m))
    starts = np.array([rng.getrandbits(64) for _ in range(words)], dtype=np.uint64)
    for depth in range(2, len(chain.below) - 1):
        counts = pads.counts[0]
        together = np.zeros(words, dtype=np.uint64)
        dead_cells(chain, pads, shift, depth, starts, together)
        expected = [looked_up(chain, pads, about.shift, depth, int(start)) for start in starts]
        assert together.tolist() == [dead for dead, _ in expected]
        assert pads.counts[0] - counts == sum(lookups for _, lookups in expected)


def looked_up(
    chain: Chain, pads: ChainPads, shift: int, depth: int, start: int, dead: int = 0
) -> tuple[int, int]:
    """The cells of a word that are dead, and after how many relations it is known."""
    which = int(chain.shapes[depth])
    shape = (chain.usual, chain.wide, chain.exact)[which]
    table = (pads.usual, pads.wide, pads.exact)[which]
    per_cell, words = int(shape.per_cell), int(shape.words)
    lookups = 0
    for relation in range(int(chain.first[depth]), int(chain.first[depth + 1])):
        fixed = int(chain.fixed[relation]) * start % 2**64
        moving = int(chain.moving[relation]) * start % 2**64
        y = ((moving - (fixed >> shift << shift)) % 2**64) >> (shift - int(shape.grid))
        fraction = fixed >> (shift - int(shape.grid) + int(shape.step))
        row = int(chain.table[relation]) + y % (1 << per_cell)
        row += (fraction & int(chain.fractions[relation])) << per_cell
        cell = (y >> per_cell) % (64 * words)
        first = row * (words + 1)
        bits = int.from_bytes(table[first : first + words].tobytes(), "little")
        around = bits | bits << 64 * words
        dead |= around >> cell & (2**64 - 1)
        lookups += 1
        if dead == 2**64 - 1:
            break
    return dead, lookups


@entry
def survivor(chain, pads, shift):
    return next_survivor(chain, pads, shift)


@pytest.mark.parametrize(
    ("seed", "spread"),
    [
        (0, 0),
        pytest.param(5, 3, marks=pytest.mark.slow),
        pytest.param(3, 1, marks=pytest.mark.slow),
    ],
)
def test_following_a_chain_is_a_plain_recursion(seed: int, spread: int):
    """The same cells in the same order, and the same counts, as word by word."""
    rng = random.Random(seed)
    about, plan = toy(rng, spread)
    level = plan.steps.index(plan.chain)
    chain = chain_of(plan, about, level, level + 1)
    shift, below = np.uint64(about.shift), [int(p) for p in chain.below]
    node = np.uint64(rng.getrandbits(about.width) >> below[0] << below[0])
    pads, other = new_chain_pads(chain), new_chain_pads(chain)
    begin(chain, pads, shift, node)
    begin(chain, other, shift, node)
    found = []
    while (outcome := survivor(chain, pads, shift)) != OVER:
        if outcome == FOUND:
            found.append(int(pads.found[0]))
    counts = [0, 0]

    def go(depth: int, base: int) -> Iterator[int]:
        if depth == len(below) - 1:
            yield base
            return
        p, width = below[depth + 1], below[depth] - below[depth + 1]
        apart = spread if depth == len(below) - 2 else 0
        for word in range(1 << max(0, width - 6)):
            start = base + (word << (p + 6))
            if depth == 1:
                merge_at(chain, other, shift, np.uint64(start))
            cells = [n << apart for n in range(1 << min(6, width))]
            none = 2**64 - 1 - sum(1 << cell for cell in cells)
            dead, lookups = looked_up(chain, other, about.shift, depth, start, none)
            counts[0] += lookups
            counts[1] += sum(dead >> cell & 1 for cell in cells)
            for cell in cells:
                if not dead >> cell & 1:
                    yield from go(depth + 1, start + (cell >> apart << p))

    assert list(go(0, int(node))) == found
    assert pads.counts.tolist() == counts
    assert found


@entry
def enter(task, state):
    begin_chain(task.chain, state.chain, task.shift, state.pads.base[0], np.uint64(0))


@entry
def next_child(task, state):
    return follow(task, state, 0)


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
def test_a_survivor_that_is_settled_in_part_is_searched_in_part():
    about, plan = toy(random.Random(8), 1)
    plan = parse_plan(plan.text.replace("c20.4k", "c17.4 d1 d1 d1"))
    task = task_of(about, plan, plan.steps.index(plan.chain))
    state = new_state(about, task)
    width = int(task.chain.below[0])
    begin_node(state, 0, width)
    whole = children(task, state, 0, (1 << width) - 1)
    half = (whole[0][1] - whole[0][0]) // 2
    assert half > 0
    assert len(whole) > 2
    low, high = whole[1][0] + half, whole[-2][0] + half
    expected = [(low, whole[1][1]), *whole[2:-2], (whole[-2][0], high)]
    assert children(task, state, low, high) == expected


@pytest.mark.parametrize(("seed", "spread"), [(0, 0), (5, 3)])
def test_a_recount_is_of_all_survivors_of_all_nodes(seed: int, spread: int):
    """In ascending order, and no magic of the shard is outside them."""
    rng = random.Random(seed)
    about, plan = toy(rng, spread)
    step = plan.steps.index(plan.chain)
    work = Work(CELL, plan, step - 1, record=False)
    number = rng.randrange(work.shards)
    chain, shift = chain_of(plan, about, step, step + 1), np.uint64(about.shift)
    _, low, high = work.root(number)
    line = sum(1 << bit for bit in squares_of(plan, about, step).line)
    p, length = plan.windows[step][0], 1 << int(chain.below[-1])
    found = []
    for base in range(low, high + 1, 1 << p):
        if dead_on_its_line(about, line, base, p):
            continue
        pads = new_chain_pads(chain)
        begin(chain, pads, shift, np.uint64(base))
        while (outcome := survivor(chain, pads, shift)) != OVER:
            found += [int(pads.found[0])] * (outcome == FOUND)
    assert found == sorted(found)
    again = recount_shard(work, number, about)
    starts = np.array(found, dtype="<u8").tobytes()
    assert (again.survivors, again.sha256) == (len(found), hashlib.sha256(starts).hexdigest())
    magics = magics_in(about, low, high).tolist()
    assert {m // length * length for m in magics} <= set(found)


def test_a_node_is_dead_on_its_line_if_a_pair_of_patterns_conflicts_throughout():
    about, plan = toy(random.Random(3))
    step = plan.steps.index(plan.chain)
    line = sum(1 << bit for bit in squares_of(plan, about, step).line)
    rows = [n for n, x in enumerate(about.multiplicand.tolist()) if x & ~line == 0]
    told = set()
    for p in (2, 3):
        for base in range(0, 1 << 12, 1 << p):
            slots = [
                [(int(about.multiplicand[n]) * m + int(about.constant[n])) % 2**64 >> about.shift
                 for m in range(base, base + (1 << p))]
                for n in rows
            ]  # fmt: skip
            dead = any(
                len({*one}) == 1 and one == other and about.attack[a] != about.attack[b]
                for a, one in zip(rows, slots, strict=True)
                for b, other in zip(rows, slots, strict=True)
            )
            assert dead_on_its_line(about, line, base, p) == dead
            told.add(dead)
    assert about.attack[rows].any() == (True in told)


def test_what_cannot_be_counted_again_is_refused():
    about, plan = toy(random.Random(1))
    step = plan.steps.index(plan.chain)
    with pytest.raises(ValueError, match="no chain"):
        recount_shard(Work(CELL, plain(plan, about), 3), 0, about)
    with pytest.raises(ValueError, match="expected at most"):
        recount_shard(Work(CELL, plan, step + 1), 0, about)


def test_tables_rule_most_cells_out():
    """A table that rules nothing out would pass every other test."""
    about, plan = rook("g2", 9), longest("g2")
    rng = random.Random(1)
    traces = [trace(about, plan, rng.getrandbits(about.width)) for _ in range(12)]
    assert sum(any(out for *_, out in told) for told in traces) >= 10
    deepest = max(depth for depth, *_ in traces[0])
    dead = [any(out for depth, _, _, out in told if depth == deepest) for told in traces]
    assert sum(dead) >= 7


def test_a_known_magic_is_found_along_a_chain_and_its_leaves_are_true():
    cell = square_cell(SCHEMES["white"], Piece.ROOK, parse_square("c2"), 9)
    magic = 0x2002CAC99FFFA
    about = terms_of(cell)
    plan = longest("c2")
    level = plan.steps.index(plan.chain)
    p = plan.windows[level][0]
    counted = run_shard(Work(cell, plan, level, record=False), magic >> p)
    statement = Statement(about.multiplicand, 0, about.attack.astype(np.int64), 9, 0, 511)
    work = Work(cell, plan, level)
    check = StreamCheck(statement, work.root(magic >> p))
    written = run_shard(work, magic >> p, (check,))
    assert check.finish() == written.sha256
    assert check.problems == []
    assert written.counts == counted.counts
    assert any(low <= magic <= high for low, high in counted.magics)
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


@pytest.mark.parametrize(
    ("scheme", "square", "text", "message"),
    [
        ("white", "g2", "55 u1 e0:" + " d1" * 17 + " c32.4" + " d1" * 6, "end at p = 13, not 6"),
        ("white", "g2", "55 u1 e0:" + " d1" * 17 + " c31.2" + " d1" * 7, "cells of"),
        ("white", "g2", "40 u1 e0: d1 d1 c33.4" + " d1" * 5 + " u" * 15, "no chain"),
        ("white", "g2", "55 u1 e0:" + " d1" * 42 + " c8.4" + " d1" * 5, "no chain"),
        ("white", "a1", "63 u1 e0:" + " d1" * 20 + " c18.4 c24.4 d1", "one chain"),
        ("black", "g2", "64 u1 e0:" + " d1" * 26 + " c33.4" + " d1" * 5, "no chain"),
    ],
)
def test_a_chain_that_does_not_fit_is_refused(scheme: str, square: str, text: str, message: str):
    bits = {"g2": 9, "a1": 11}[square]
    about = terms_of(square_cell(SCHEMES[scheme], Piece.ROOK, parse_square(square), bits))
    with pytest.raises(ValueError, match=message):
        check_plan(Plan.parse(text), about)
    assert bool(next(chains(about), None)) == (scheme == "white")


def test_a_chain_may_begin_later():
    about = rook("d1", 10)
    first = longest("d1")
    plans = list(later_chains(first, about))
    begins = down(first.chain)
    assert [plan.chain for plan in plans] == [f"c{begins - n}.3k" for n in range(1, 5)]
    for plan in plans:
        assert plan.windows[-1] == first.windows[-1]
        squares = [squares_of(p, about, p.steps.index(p.chain)).chain for p in (first, plan)]
        assert squares[0] == squares[1]
    assert list(later_chains(plain(first, about), about)) == []
