"""Low bits first: the same answers as by windows, planted magics, plans, certificates."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.outcome import Quiet
from magicert.scheme import SCHEMES
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import settle
from magicert.search.low.descent import WRONG, begin_low, search_low
from magicert.search.low.node import low_task, new_low_state
from magicert.search.planning import Pieces, choose_plan, default, orders, sample
from magicert.search.problem import (
    AnyPlan,
    LowPlan,
    Terms,
    low_plan,
    mask_bits,
    parse_plan,
    terms,
    terms_of,
)
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import MOST_LISTED, Work, level_for, run_shard
from magicert.verify.cover.checker import StreamCheck, check
from magicert.verify.cover.file import read_certificate
from magicert.verify.cover.statement import Statement

D8 = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 4)


def subsets(squares: list[int]) -> list[int]:
    return [
        sum(1 << s for n, s in enumerate(squares) if k >> n & 1) for k in range(1 << len(squares))
    ]


def magics_of(about: Terms, plan: AnyPlan) -> tuple[int, set[int]]:
    """How many magics there are, and which, if that are not too many."""
    result = run_shard(Work(D8, plan, 0, record=False), 0, terms=about)
    found = {m for low, high in result.magics for m in range(low, high + 1)}
    few = result.magic_count < MOST_LISTED
    assert not few or len(found) == result.magic_count
    return result.magic_count, found if few else set()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1 << 30))
def test_both_searches_find_the_same_magics(seed: int):
    """On masks that are too wide for brute force, with attack sets that leave few magics."""
    rng = random.Random(seed)
    squares = sorted(rng.sample(range(44, 64), rng.randint(4, 6)))
    rows, bits = subsets(squares), rng.randint(2, 4)
    hidden = rng.getrandbits(64 - squares[0])
    attacks = [(x * hidden % 2**64) >> (64 - bits) for x in rows]
    about = terms(rows, attacks, bits)
    order = rng.choice(list(orders(mask_bits(about))))
    count, magics = magics_of(about, low_plan(about))
    assert (count, magics) == magics_of(about, default(about, order))
    assert count
    assert hidden in magics or not magics


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1 << 30))
@example(92199)
def test_a_planted_magic_is_found_and_its_shard_passes_the_checker(seed: int):
    rng = random.Random(seed)
    squares = sorted(rng.sample(range(8, 62), 6))
    rows, bits = subsets(squares), rng.randint(3, 10)
    magic = rng.getrandbits(64 - squares[0])
    numbers = [(x * magic % 2**64) >> (64 - bits) for x in rows]
    about = terms(rows, [n * 7 % 5 + 5 * (n % 3) for n in numbers], bits)
    plan = low_plan(about)
    level = max(0, len(plan.steps) - rng.randint(1, 2))
    work, number = Work(D8, plan, level), shard_of(magic, plan, level)
    assert work.root(number)[1] == magic % (1 << plan.windows[level][1])
    statement = Statement(
        about.multiplicand, 0, about.attack.astype(np.int64), bits, 0, (1 << bits) - 1
    )
    stream = StreamCheck(statement, work.root(number))
    result = run_shard(work, number, (stream,), terms=about)
    assert (stream.finish(), stream.problems) == (result.sha256, [])
    # Of many magics only the first are listed; the checker has counted all.
    assert (magic, magic) in result.magics or result.magic_count > len(result.magics)


def shard_of(magic: int, plan: LowPlan, level: int) -> int:
    """The number of the shard that a number lies in: the lowest bit of m comes first."""
    bits = plan.windows[level][1]
    return int(f"{magic % (1 << bits):0{bits}b}"[::-1], 2) if bits else 0


def test_a_certificate_has_leaves_that_the_checker_accepts(tmp_path: Path):
    """Settled in a ledger without leaves; the certificate writes them, shard by shard."""
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 3)
    plan = low_plan(terms_of(cell))
    work = Work(cell, plan, level_for(plan, 16), record=False)
    assert work.shards == 16
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(work)
        summary = settle(ledger, work, Quiet())
        assert (summary.finished, summary.magic_count) == (True, 0)
        results = ledger.results(cell)
    with Ledger(tmp_path / "l.db") as ledger:
        assert ledger.find(cell) == work
    path = tmp_path / "d8.cover.xz"
    write_certificate(path, work, results, streams=True)
    report = check(read_certificate(path))
    assert (report.verdict, report.problems) == ("valid", [])
    assert report.leaves > 10_000


def test_random_pieces_pass_the_checker():
    about = terms_of(D8)
    plan = low_plan(about)
    pieces = Pieces(Work(D8, plan, 2), 1)
    statement = Statement(about.multiplicand, 0, about.attack.astype(np.int64), 4, 0, 15)
    for number in range(0, pieces.work.shards, 500):
        piece = pieces.search(number, lambda root: StreamCheck(statement, root))
        assert (piece.problems, piece.magics) == ([], [])
        assert 0 < piece.leaves <= 1 << 16


def test_a_value_that_is_killed_for_no_reason_is_noticed():
    about = terms_of(D8)
    task = low_task(about, low_plan(about), 0, record=True)
    state = new_low_state(about, task)
    begin_low(task, state, np.uint64(0))
    state.pads.taken[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
    assert search_low(task, state, 1 << 20, 1 << 10) == WRONG


def test_a_plan_is_its_text():
    plan = low_plan(terms_of(D8))
    assert plan.text == "low: 4 8 2 5 4 3"
    assert parse_plan(plan.text) == plan
    assert plan.windows[2] == (0, 12)
    assert sum(plan.widths) == 26


def test_black_cells_and_single_bits_are_refused():
    """Black's multiplicands are odd: no product is known before all of m is."""
    black = terms_of(square_cell(SCHEMES["black"], Piece.BISHOP, parse_square("d8"), 4))
    with pytest.raises(ValueError, match="all subsets of a mask"):
        low_plan(black).check(black)
    one = terms(subsets([60, 62]), [0, 1, 0, 1], 1)
    with pytest.raises(ValueError, match="2 index bits or more"):
        low_plan(one).check(one)


@pytest.mark.parametrize(("square", "low"), [("f8", True), ("d1", False)])
def test_the_planner_takes_the_better_kind(square: str, low: bool):
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square(square), 4)
    estimate = choose_plan(terms_of(cell), budget=0.2)
    assert isinstance(estimate.plan, LowPlan) == low


def test_a_sample_tells_the_size_within_a_factor_of_two():
    about = terms_of(D8)
    plan = low_plan(about)
    estimate = sample(about, plan, 500, 1)
    assert estimate is not None
    counts = run_shard(Work(D8, plan, 0, record=False), 0).counts
    assert 0.5 < estimate.counts.tests / counts.tests < 2
