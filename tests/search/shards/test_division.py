"""A shard in stretches: they come to what the shard comes to that is done in one go."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import bitboard
from magicert.chess import Piece
from magicert.occupancy import carry_rippler
from magicert.scheme import SCHEMES
from magicert.search.ledger.division import Division
from magicert.search.planning import candidate_plans
from magicert.search.problem import AnyPlan, Terms, is_mirrored, low_plan, mirrored, terms
from magicert.search.shards import shard
from magicert.search.shards.rest import StrayRestError, whole
from magicert.search.shards.shard import Work, run_shard
from magicert.system.deadline import Deadline
from magicert.targets import square_cell

CELL = square_cell(SCHEMES["white"], Piece.ROOK, 0, 1)  # only a name: the terms are given
OVER = Deadline(0.0)


@pytest.fixture
def at_once(monkeypatch):
    """A search looks at the clock after so many nodes."""
    return lambda nodes: monkeypatch.setattr(shard, "NODES_AT_ONCE", nodes)


def in_stretches(
    about: Terms | None, work: Work, number: int, rng: random.Random, halve: float
) -> tuple[Division, int]:
    """The shard, stopped as often as it can be, its rests in any order; and how many stretches."""
    division, stretches = Division((whole(work, number),)), 0
    while division.rests:
        rest = rng.choice(division.rests)
        stretches += 1
        left = run_shard(work, number, terms=about, rest=rest, deadline=OVER)
        halves = () if left.rest is None else (left.rest,)
        if halves and rng.random() < halve:
            halves = halves[0].halves(work)
        before = division.share(work)
        division = division.enter(rest, left, halves)
        if not is_mirrored(work.plan):  # a corner of which is gone through twice
            assert before <= division.share(work) + 1e-9
    (joined,) = division.done
    assert division.share(work) == 1
    whole_shard = run_shard(work, number, terms=about)
    same = replace(joined, seconds=0.0, finished=True), replace(whole_shard, seconds=0.0)
    assert same[0] == same[1]
    return division, stretches


def toys(rng: random.Random, *, low: bool) -> tuple[Terms, AnyPlan]:
    squares = [first := rng.randint(52, 57), *rng.sample(range(first + 1, 62), rng.randint(2, 3))]
    rows = list(carry_rippler(bitboard(squares)))
    about = terms(rows, [rng.randrange(5) for _ in rows], rng.randint(2, 4))
    return about, low_plan(about) if low else rng.choice(list(candidate_plans(about)))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1 << 32), low=st.booleans(), halve=st.sampled_from([0.0, 0.3, 1.0]))
def test_stretches_come_to_the_shard(seed, low, halve):
    """Whatever the order in which they are done, and where they were cut."""
    rng = random.Random(seed)
    about, plan = toys(rng, low=low)
    work = Work(CELL, plan, rng.randint(0, 2), record=False)
    number = rng.randrange(work.shards)
    nodes = run_shard(work, number, terms=about).counts.nodes
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shard, "NODES_AT_ONCE", 1 + nodes // rng.choice([2, 5, 30]))
        in_stretches(about, work, number, rng, halve)


@pytest.mark.parametrize("memory", [False, True], ids=["c", "ck"])
@pytest.mark.parametrize("seed", range(2))
def test_a_chain_and_its_mirror_image_in_stretches(chained, at_once, seed, memory):
    """At a corner, where both sides are gone through, too. With a memory nothing is halved: what
    comes first says which pairs are tried then.
    """
    rng = random.Random(seed)
    about, plan = chained(rng, constant=0)
    if not memory:
        plan = replace(plan, steps=tuple(step.removesuffix("k") for step in plan.steps))
    level = plan.steps.index(plan.chain)
    for some, numbers in ((plan, (77, 200)), (mirrored(plan, about), (63, 100))):
        work = Work(CELL, some, level, record=False)
        for number in numbers:
            at_once(run_shard(work, number, terms=about).counts.nodes // 7 + 1)
            assert in_stretches(about, work, number, rng, 0.5)[1] >= 7


def test_a_rest_that_a_shard_does_not_have_is_refused(d1_work, at_once):
    """Each number of a path changed, and what is not of its kind: nothing is searched."""
    work = replace(d1_work, record=False)
    at_once(50)
    rest = run_shard(work, 5, deadline=OVER).rest
    assert rest is not None
    assert run_shard(work, 5, rest=rest).finished
    for level in range(len(rest.path)):
        path = list(rest.path)
        path[level] = (path[level][0] ^ 1 << 60, 0)
        with pytest.raises(StrayRestError):
            run_shard(work, 5, rest=replace(rest, path=tuple(path)))
    for wrong in (
        replace(rest, pairs=((1, 1 << 40),) * 8),
        replace(rest, path=(*rest.path, *rest.path)),
        replace(rest, path=tuple((base, 1) for base, _ in rest.path)),
    ):
        with pytest.raises(StrayRestError):
            run_shard(work, 5, rest=wrong)
    with pytest.raises(StrayRestError):
        run_shard(work, 6, rest=rest)
    with pytest.raises(ValueError, match="top"):
        replace(rest, top=len(rest.path))
