"""Mirrored plans against all m, one by one: half of the shards find the magics of both halves."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import bitboard
from magicert.chess import Piece
from magicert.occupancy import carry_rippler
from magicert.scheme import SCHEMES
from magicert.search.chain.chain import chain_of, check_plan, without_chain
from magicert.search.planning import candidate_plans, chain_plan
from magicert.search.problem import MIRROR, Plan, Terms, mirrored, terms
from magicert.search.shards.shard import Work, recount_shard, run_shard
from magicert.targets import square_cell

CELL = square_cell(SCHEMES["white"], Piece.ROOK, 0, 1)  # only a name: the terms are given


def subsets(squares: list[int], attacks: random.Random, groups: int, bits: int) -> Terms:
    rows = list(carry_rippler(bitboard(squares)))
    return terms(rows, [attacks.randrange(groups) for _ in rows], bits)


def found(about: Terms, plan: Plan, level: int) -> list[int]:
    """The magics of all shards."""
    work = Work(CELL, plan, level, record=False)
    assert work.covers_all()
    assert 2 * work.shards == work.parts
    magics: list[int] = []
    for number in range(work.shards):
        result = run_shard(work, number, terms=about)
        assert result.finished
        own = [m for low, high in result.magics for m in range(low, high + 1)]
        assert len(own) == result.magic_count
        roots = [work.root(part) for part in work.parts_of(number)]
        assert all(any(low <= m % (1 << w) <= high for w, low, high in roots) for m in own)
        magics += own
    return sorted(magics)


def halved(plan: Plan, place: int) -> Plan:
    """With the step m before the step at that place."""
    return replace(plan, steps=(*plan.steps[:place], MIRROR, *plan.steps[place:]))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 1 << 32), data=st.data())
def test_half_of_the_shards_find_all_magics_of_a_toy_mask(seed, data, magics_in):
    rng = random.Random(seed)
    squares = [lowest := rng.randint(52, 57), *rng.sample(range(lowest + 1, 62), rng.randint(1, 3))]
    about = subsets(squares, rng, rng.randint(1, 6), rng.randint(2, 4))
    plan = rng.choice(list(candidate_plans(about)))
    place = data.draw(st.integers(1, len(plan.steps)))
    level = data.draw(st.integers(1, min(3, place)))
    assert found(about, halved(plan, place), level) == list(magics_in(about))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 1 << 32))
def test_where_keys_are_no_subsets_and_none_is_empty(seed, magics_in):
    rng = random.Random(seed)
    rows = [rng.getrandbits(10) << 51 or 1 << 51 for _ in range(rng.randint(2, 6))]
    about = terms(rows, [rng.randrange(3) for _ in rows], rng.randint(2, 4))
    plan = rng.choice(list(candidate_plans(about)))
    assert found(about, halved(plan, rng.randint(1, len(plan.steps))), 1) == list(magics_in(about))


@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_mirrored_chain_loses_no_magic(chained, seed, corners):
    """At a corner, a node whose last bits are all ones, the chain is followed on either side."""
    rng = random.Random(seed)
    about, plan = chained(rng, constant=0)
    both_sides = mirrored(plan, about)
    assert both_sides.chain
    check_plan(both_sides, about)
    level = plan.steps.index(plan.chain)
    along = Work(CELL, both_sides, level, record=False)
    without = Work(CELL, without_chain(plan, about), level, record=False)
    magics = 0
    assert along.shards == 256
    for number in range(63, 256, 64) if corners else rng.sample(range(256), 12):
        both = run_shard(along, number, terms=about)
        apart = [run_shard(without, part, terms=about) for part in along.parts_of(number)]
        assert both.magic_count == sum(result.magic_count for result in apart)
        listed = [
            {m for low, high in some for m in range(low, high + 1)}
            for some in (both.magics, apart[0].magics + apart[1].magics)
        ]
        assert listed[0] == listed[1] or both.magic_count > 10_000
        magics += both.magic_count
    assert magics


def toy() -> tuple[Terms, Plan]:
    about = subsets([55, 57, 60], random.Random(1), 4, 3)
    return about, next(iter(candidate_plans(about)))


def test_a_shard_stands_for_two_parts_and_other_work_is_refused():
    about, plan = toy()
    plan = mirrored(plan, about)
    work = Work(CELL, plan, 2, record=False)
    w, low, high = work.root(1)
    assert work.parts_of(1) == (1, work.parts - 2)
    assert work.root(work.parts - 2) == (w, (1 << w) - 1 - high, (1 << w) - 1 - low)
    with pytest.raises(ValueError, match="leaves are of m alone"):
        Work(CELL, plan, 1)
    for level in (0, plan.steps.index(MIRROR) + 1):  # below the step m
        with pytest.raises(ValueError, match=f"level {level}: expected 1 or more"):
            Work(CELL, plan, level, record=False)


@pytest.mark.cases_of("terms_without_a_mirror_image_are_refused.tsv")
def test_terms_without_a_mirror_image_are_refused(change, message):
    about = {"multiplicands": [0, 1 << 61], "attacks": [0, 1], "bits": 3} | eval(change)
    with pytest.raises(ValueError, match=message):
        mirrored(Plan(3, ("d1", "d1", "d1"), 5, 0), terms(**about))


def test_a_plan_has_one_step_m_behind_its_chain_which_has_no_exact_square(chained):
    about, plan = toy()
    with pytest.raises(ValueError, match="one step m"):
        halved(halved(plan, len(plan.steps)), len(plan.steps)).check(about)
    about, plan = chained(random.Random(0), constant=0)
    with pytest.raises(ValueError, match="before the chain"):
        check_plan(halved(plan, 1), about)
    with pytest.raises(ValueError, match="mirrored chain is not counted again"):
        recount_shard(Work(CELL, mirrored(plan, about), 1, record=False), 0, about)
    about = subsets([32, 33, 34, 42, 50, 58], random.Random(0), 2, 6)
    plan = chain_plan(about, [32, 33], [34, 42, 50, 58], 4)
    assert chain_of(plan, about, 0, len(plan.steps)).shape_of[-1] == 2
    with pytest.raises(ValueError, match="exact square"):
        check_plan(mirrored(plan, about), about)
