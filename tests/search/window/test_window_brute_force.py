"""Both searches against all m, one by one, on toy masks; their leaves against the checker."""

import random

import numpy as np
import pytest

from magicert.board import Piece
from magicert.cell import square_cell
from magicert.scheme import SCHEMES
from magicert.search.planning import build, candidates, orders
from magicert.search.problem import AnyPlan, LowPlan, Plan, Terms, low_plan, terms, trailing_zeros
from magicert.search.shards.shard import Work, run_shard
from magicert.verify.cover.checker import Intervals, StreamCheck, is_everything, reduced
from magicert.verify.cover.statement import Statement

WORD = (1 << 64) - 1
CELL = square_cell(SCHEMES["white"], Piece.ROOK, 0, 1)  # only a name: the terms are given


def brute_force(toy: Terms) -> list[int]:
    """Every magic below 2^width, by the definition."""
    magics = []
    for m in range(1 << toy.width):
        holds: dict[int, int] = {}
        for x, c, attack in zip(
            toy.multiplicand.tolist(), toy.constant.tolist(), toy.attack.tolist(), strict=True
        ):
            slot = ((x * m + c) & WORD) >> toy.shift
            if (
                not toy.least_slot <= slot <= toy.most_slot
                or holds.setdefault(slot, attack) != attack
            ):
                break
        else:
            magics.append(m)
    return magics


def toy(rng: random.Random, c: int, bits: int, lowest: int, groups: int) -> Terms:
    """Subsets of a random mask with random attack sets, or with black's odd multiplicands."""
    squares = [lowest, *rng.sample(range(lowest + 1, 64), c - 1)]
    rows = [sum(1 << s for n, s in enumerate(squares) if k >> n & 1) for k in range(1 << c)]
    attacks = [rng.randrange(groups) for _ in rows]
    constant = rng.choice([0, 0, WORD, rng.getrandbits(64)])
    last = (1 << bits) - 1
    least = rng.choice([0, 0, 1 if last > 1 else 0])
    most = last - rng.choice([0, 0, 1 if last > 2 else 0])
    return terms(rows, attacks, bits, constant, least, most)


def run_all(about: Terms, plan: AnyPlan, level: int) -> set[int]:
    """The magics that the search finds, after its leaves have passed the checker."""
    statement = Statement(
        about.multiplicand, int(about.constant[0]), about.attack.astype(np.int64),
        about.bits, about.least_slot, about.most_slot,
    )  # fmt: skip
    work, quiet = Work(CELL, plan, level), Work(CELL, plan, level, record=False)
    roots = [work.root(number) for number in range(work.shards)]
    assert is_everything(reduced(Intervals.of(roots)))
    magics: set[int] = set()
    for number, root in enumerate(roots):
        check = StreamCheck(statement, root)
        result = run_shard(work, number, (check,), terms=about)
        assert check.problems == []
        assert result.finished
        assert (check.finish(), check.problems) == (result.sha256, [])
        assert check.leaves == result.leaves
        assert run_shard(quiet, number, terms=about).counts == result.counts
        own = {m for low, high in result.magics for m in range(low, high + 1)}
        assert len(own) == result.magic_count
        assert own == {m for _, low, high in check.magics for m in range(low, high + 1)}
        magics |= own
    return magics


@pytest.mark.parametrize("seed", range(25))
def test_finds_exactly_the_magics_of_a_toy_mask(seed: int):
    rng = random.Random(seed)
    about = toy(rng, rng.randint(1, 4), rng.randint(1, 4), rng.randint(54, 60), rng.randint(1, 6))
    plans = list(candidates(about))
    plan = rng.choice(plans)
    level = rng.randint(0, min(3, len(plan.steps)))
    assert sorted(run_all(about, plan, level)) == brute_force(about)


@pytest.mark.parametrize("seed", range(20))
def test_fans_and_early_looks_do_not_change_the_magics(seed: int):
    """Masks whose bits stand far apart, so that the fan has work to do."""
    rng = random.Random(seed)
    low, c = 50, 3
    squares = [low, low + rng.randint(6, 7), low + 13]
    rows = [sum(1 << s for n, s in enumerate(squares) if k >> n & 1) for k in range(1 << c)]
    about = terms(rows, [rng.randrange(5) for _ in rows], rng.randint(2, 3), rng.choice([0, WORD]))
    least = 6 - about.bits
    plan = build(
        about, rng.choice(list(orders(squares))), rng.randint(least, 5),
        rng.choice([2, 6, 8]), rng.randint(0, about.bits - 1),
    )  # fmt: skip
    assert sorted(run_all(about, plan, rng.randint(0, 2))) == brute_force(about)


@pytest.mark.parametrize("seed", range(6))
def test_multiplicands_need_not_be_subsets(seed: int):
    """Black's multiplicands are odd: every bit of m counts, and only the top bits help."""
    rng = random.Random(seed)
    rows = [(rng.getrandbits(5) << 58 | 1 << 57) for _ in range(5)]
    about = terms(rows, list(range(5)), 3, rng.getrandbits(64))
    width = about.width
    assert width == 64 - min(map(trailing_zeros, rows))
    plan = Plan(width, ("d1",) * width, 3, rng.randint(0, 2))
    assert sorted(run_all(about, plan, 1)) == brute_force(about)


@pytest.mark.parametrize("seed", range(40))
def test_low_bits_first_finds_exactly_the_magics_of_a_toy_mask(seed: int):
    rng = random.Random(seed)
    about = toy(rng, rng.randint(1, 5), rng.randint(2, 10), rng.randint(54, 59), rng.randint(1, 6))
    plan = low_plan(about)
    if rng.random() < 0.5:
        plan = in_smaller_steps(plan, rng)
    plan.check(about)
    level = rng.randint(0, min(3, len(plan.steps)))
    assert sorted(run_all(about, plan, level)) == brute_force(about)


def in_smaller_steps(plan: LowPlan, rng: random.Random) -> LowPlan:
    """The same plan, with steps that take nothing before those that take a square."""
    widths: list[int] = []
    for width in plan.widths:
        first = rng.randint(0, width - 1)
        widths += [first, width - first] if first else [width]
    return LowPlan(tuple(widths))
