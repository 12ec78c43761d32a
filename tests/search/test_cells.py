"""Cells of the board: what is published, by windows and low bits first; what the commands say."""

import random
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from magicert.atlas import read_atlas
from magicert.board import bitboard
from magicert.cell import Cell
from magicert.chess import Piece, parse_square, square_name
from magicert.data import tables_folder
from magicert.engine import EngineRequest, load, option_values
from magicert.occupancy import carry_rippler
from magicert.outcome import Evidence, Exists, Impossible, Quiet, Unknown
from magicert.problem import InputError
from magicert.scheme import SCHEMES, resolve_scheme
from magicert.search import planning
from magicert.search.chain.chain import check_plan
from magicert.search.kernel import descent as kernel
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import settle
from magicert.search.low.descent import WRONG, begin_low, search_low
from magicert.search.low.node import low_task, new_low_state
from magicert.search.planning import Subtrees, candidate_plans, choose_plan, sample
from magicert.search.problem import LowPlan, Plan, Terms, low_plan, parse_plan, terms, terms_of
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import Work, level_for, run_shard
from magicert.search.window import outcome_of, plan_work
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.targets import square_cell
from magicert.verify.cover.checker import StreamCheck, check
from magicert.verify.cover.file import read_certificate
from magicert.verify.cover.statement import Statement

WINDOW = load("window")
PLANS = {
    # From the planner, kept here so that the tests need not sample.
    "e7": "26 u2 e3: " + "d1 " * 11 + "u " * 4 + "d1 d1 " + "u " * 9 + "d1 " * 13,
    "c8": "20 u2 e3: " + "d1 " * 11 + "u " * 14 + "d1 " * 9,
    "e8": "13 u2 e3: " + "d1 " * 6 + "u " * 18 + "d1 " * 7,
}


def cell(piece: Piece, square: str, bits: int, largest_index: int | None = None) -> Cell:
    return square_cell(
        SCHEMES["white"], piece, parse_square(square), bits, largest_index=largest_index
    )


def ask(about: Cell, everything: bool = False, seconds: float | None = None, **options: Any):
    values = option_values(WINDOW, {name: str(value) for name, value in options.items()})
    request = EngineRequest(about, everything, seconds, options=values)
    return WINDOW.solve(request, Quiet())


@pytest.mark.parametrize(
    ("square", "bits", "largest", "options", "kind"),
    [
        # c1 was open; d8 is published as disproved.
        *((square, 4, None, {"planning": 0.2}, Impossible) for square in ("c1", "d8")),
        # Windows that grow both ways.
        *((square, 4, None, {"plan": plan}, Impossible) for square, plan in PLANS.items()),
        # The published range: an index up to 29 is enough, and one less is not.
        ("e8", 5, 29, {"planning": 0.1}, Exists),
        ("e8", 5, 28, {"planning": 0.1}, Impossible),
    ],
)
def test_what_is_known_of_bishops(square, bits, largest, options, kind):
    outcome = ask(cell(Piece.BISHOP, square, bits, largest), **options)
    assert isinstance(outcome, kind)
    assert "plan" not in options or outcome.figures["tests"] < 2e6


def test_the_search_finds_what_others_have_found():
    """Every magic of the atlas with fewer bits than its mask has, rooks g7 and a7 among them:
    the search of the 2^12 magics around it comes upon it.
    """
    known = [e for e in read_atlas(tables_folder() / "atlas.toml").cells.values() if e.magic]
    tried = set()
    for entry in known:
        piece, square, _ = entry.key
        about = square_cell(SCHEMES["white"], piece, square, entry.bits)
        if entry.bits >= about.target.usual_bits:
            continue
        terms = terms_of(about)
        plan = Plan(terms.width, ("d1",) * terms.width, max(1, 6 - entry.bits), 1)
        magic = int(entry.magic, 16) % about.period
        result = run_shard(Work(about, plan, terms.width - 12, record=False), magic >> 12)
        assert any(low <= magic <= high for low, high in result.magics), about
        tried.add((piece, square_name(square)))
    assert {(Piece.ROOK, "g7"), (Piece.ROOK, "a7")} < tried


def test_a_scheme_of_another_form_is_refused():
    with pytest.raises(InputError, match="white, black, constant"):
        ask(square_cell(resolve_scheme("two-halves"), Piece.BISHOP, 0, 6))


class Clock:
    """A clock on which every look takes a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def time(self) -> float:
        self.now += 1
        return self.now

    def thread_time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    for module in ("system.deadline", "search.planning"):
        monkeypatch.setattr(f"magicert.{module}.time", clock)
    return clock


def test_planning_counts_against_the_time(clock, tmp_path):
    """No root is sampled after half of the time; the best plan until then is taken."""
    about = cell(Piece.ROOK, "g2", 9)
    values = option_values(WINDOW, {"planning": "3600"})
    request = EngineRequest(about, seconds=60, options=values)
    work, _ = plan_work(request, Quiet(), deadline=Deadline.after(60))
    assert clock.now < 40
    check_plan(work.plan, terms_of(about))
    outcome = ask(about, seconds=3, planning=3600, ledger=tmp_path / "g2.db")
    assert isinstance(outcome, Unknown)
    assert (outcome.reason, outcome.progress) == ("out of time", "no shard was begun")
    with Ledger(tmp_path / "g2.db") as ledger:
        assert ledger.cells() == []


def test_a_sample_ends_at_the_deadline(clock, monkeypatch):
    """In the middle of a chain, too: each of its roots has tables to build."""
    sampled: list[float] = []

    def probe(*arguments: Any) -> int:
        sampled.append(clock.now)
        return int(kernel.probe(*arguments))

    monkeypatch.setattr(planning, "probe", probe)
    plan = Plan.parse("55 u1 e2: " + "d1 " * 19 + "c36.4k")
    with pytest.raises(BudgetOverError):
        sample(terms_of(cell(Piece.ROOK, "g2", 9)), plan, 48, 1, deadline=Deadline(9.0))
    assert max(sampled) <= 9


def test_compiling_counts_against_the_time(monkeypatch):
    """It happens in a process of its own, which ends with the time."""
    ended = []

    @contextmanager
    def pool(workers: int) -> Iterator[SimpleNamespace]:
        try:
            yield SimpleNamespace(submit=lambda _: Future())
        finally:
            ended.append(workers)

    monkeypatch.setattr("magicert.search.window.is_compiled", lambda _: False)
    monkeypatch.setattr("magicert.search.window.process_pool", pool)
    outcome = ask(cell(Piece.BISHOP, "e8", 4), seconds=1e-6, plan=PLANS["e8"])
    assert isinstance(outcome, Unknown)
    assert ended == [1]
    monkeypatch.setattr("magicert.search.window.is_compiled", lambda _: True)
    assert isinstance(ask(cell(Piece.BISHOP, "e8", 4), plan=PLANS["e8"]), Impossible)
    assert ended == [1]


@pytest.mark.parametrize(("record", "kind"), [("no", Evidence.COUNTS), ("yes", Evidence.HASHES)])
def test_what_is_impossible_says_what_it_rests_on(record, kind, tmp_path):
    about, path = cell(Piece.BISHOP, "e8", 4), tmp_path / "e8.cover.xz"
    outcome = ask(about, plan=PLANS["e8"], record=record)
    assert (type(outcome), outcome.evidence) == (Impossible, kind)
    outcome = ask(about, plan=PLANS["e8"], certificate=path)
    assert (outcome.evidence, outcome.certificate) == (Evidence.LEAVES, str(path))


@pytest.mark.parametrize(("square", "plan"), [("c8", PLANS["c8"]), ("d8", "low: 4 8 2 5 4 3")])
def test_a_sample_tells_the_size_within_a_factor_of_two(square, plan):
    about = cell(Piece.BISHOP, square, 4)
    terms, read = terms_of(about), parse_plan(plan)
    estimate = sample(terms, read, 500, 1)
    assert estimate is not None
    counts = run_shard(Work(about, read, 0, record=False), 0).counts
    assert 0.5 < estimate.counts.tests / counts.tests < 2
    assert sample(terms, read, 500, 1) == estimate
    assert sample(terms, read, 500, 1, limit=1e-6) is None


@pytest.mark.cases_of("what_is_no_plan.tsv")
def test_what_is_no_plan(text):
    with pytest.raises(ValueError, match="no plan"):
        parse_plan(text)


@pytest.mark.cases_of("plans_that_do_not_fit_are_refused.tsv")
def test_plans_that_do_not_fit_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_plan(text).check(terms_of(cell(Piece.BISHOP, "d8", 4)))


def test_what_the_commands_say_of_a_window_search(run, tmp_path, monkeypatch):
    monkeypatch.setattr("magicert.search.ledger.settle.CONNECT_SECONDS", 1)
    cell, by_window = ["bishop", "e1", "--bits", 4], ["--engine", "window", "-O", "planning=0.3"]
    about, path = ["find", *cell, *by_window], tmp_path / "e1.cover.xz"
    ledger = ["--ledger", tmp_path / "e1.db"]
    plan = ["-O", "plan=53 u2 e0: " + " ".join(["d1"] * 53)]
    for words, status, said in (
        ([*about, "-O", "plan=none"], 2, "no plan"),
        (["disprove", "bishop", "b8", "--bits", 4, *by_window], 1, "EXISTS"),
        (["disprove", *cell, *by_window, "-O", f"certificate={path}"], 0, str(path)),
        (["check", path], 0, "valid"),
        ([*about, *ledger, *plan, "--budget", 1e-6], 3, "UNKNOWN"),
        ([*about, *ledger], 1, "resuming 0 of"),
        ([*about, *ledger], 1, "resuming 1 of 1 shards"),
        ([*about, "--cluster", "tcp://127.0.0.1:9"], 2, "no scheduler"),
        (["find", "bishop", "e1", "--engine", "trial", *ledger], 2, "--engine window or sat"),
        (["find-set", *ledger], 2, "magicert find has it, for one square"),
    ):
        result = run(*words)
        assert (result.exit_code, said in result.output) == (status, True), result.output


def test_what_is_not_all_says_so(run, tmp_path, monkeypatch):
    path = tmp_path / "d8.db"
    about = ["find", "bishop", "d8", "--bits", 5, "--engine", "window", "--all"]
    about += ["-O", "planning=0.3", "-O", "shards=64", "--ledger", path]
    plan = ["-O", "plan=26 u1 e0: " + " ".join(["d1"] * 26)]

    def said(*more: object, status: int = 0) -> str:
        result = run(*about, *more, status=status)
        return result.output

    assert "of 64 shards done" in said(*plan, "--budget", 1e-6, status=3)
    assert "these are all" in said()
    with sqlite3.connect(path) as db:
        db.execute("update shard set state = 'open' where rank = 63")
    assert "not all of them: 63 of 64 shards done" in said("--budget", 1e-6)
    with sqlite3.connect(path) as db:
        db.execute("delete from shard where number > 0")
    again = said()
    assert "shard 63 again: it is missing" in again
    assert "these are all" in again
    monkeypatch.setattr("magicert.search.window.MOST_MAGICS", 100)
    listed = said()
    assert listed.count("  magic 0x") == 100
    assert "were counted, and these are the first" in listed


def test_why_a_search_ended_early(tmp_path):
    """Without a budget only shards that another process has claimed are left."""
    about = cell(Piece.BISHOP, "e1", 4)
    with Ledger(tmp_path / "e1.db") as ledger:
        ledger.add(Work(about, next(iter(candidate_plans(terms_of(about)))), 6))
        summary = ledger.summary(about)
    for seconds, reason in ((None, "other processes work on the rest"), (5.0, "out of time")):
        outcome = outcome_of(EngineRequest(about, seconds=seconds), summary)
        assert isinstance(outcome, Unknown)
        assert (outcome.reason, outcome.progress) == (reason, "0 of 64 shards done")


D8 = cell(Piece.BISHOP, "d8", 4)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 1 << 30))
@example(92199)
def test_a_planted_magic_is_found_and_its_shard_passes_the_checker(seed):
    rng = random.Random(seed)
    squares = sorted(rng.sample(range(8, 62), 6))
    rows, bits = list(carry_rippler(bitboard(squares))), rng.randint(3, 10)
    magic = rng.getrandbits(64 - squares[0])
    numbers = [(x * magic % 2**64) >> (64 - bits) for x in rows]
    about = terms(rows, [n * 7 % 5 + 5 * (n % 3) for n in numbers], bits)
    plan = low_plan(about)
    level = max(0, len(plan.steps) - rng.randint(1, 2))
    work, number = Work(D8, plan, level), shard_of(magic, plan, level)
    assert work.root(number)[1] == magic % (1 << plan.windows[level][1])
    stream = StreamCheck(statement(about, bits), work.root(number))
    result = run_shard(work, number, (stream,), terms=about)
    assert (stream.finish(), stream.problems) == (result.sha256, [])
    # Of many magics only the first are listed; the checker has counted all.
    assert (magic, magic) in result.magics or result.magic_count > len(result.magics)


def statement(about: Terms, bits: int) -> Statement:
    return Statement(about.multiplicand, 0, about.attack.astype(np.int64), bits, 0, (1 << bits) - 1)


def shard_of(magic: int, plan: LowPlan, level: int) -> int:
    """The number of the shard that a number lies in: the lowest bit of m comes first."""
    bits = plan.windows[level][1]
    return int(f"{magic % (1 << bits):0{bits}b}"[::-1], 2) if bits else 0


def test_a_certificate_has_leaves_that_the_checker_accepts(tmp_path):
    """Settled in a ledger without leaves; the certificate writes them, shard by shard."""
    about = cell(Piece.BISHOP, "d8", 3)
    plan = low_plan(terms_of(about))
    work = Work(about, plan, level_for(plan, 16), record=False)
    assert work.shards == 16
    with Ledger(tmp_path / "l.db") as ledger:
        ledger.add(work)
        summary = settle(ledger, work, Quiet())
        assert (summary.finished, summary.magic_count) == (True, 0)
        results = ledger.results(about)
    with Ledger(tmp_path / "l.db") as ledger:
        assert ledger.find(about) == work
    path = tmp_path / "d8.cover.xz"
    write_certificate(path, work, results, streams=True)
    report = check(read_certificate(path))
    assert (report.verdict, report.problems) == ("valid", [])
    assert report.leaves > 10_000


def test_random_subtrees_pass_the_checker():
    about = terms_of(D8)
    plan = low_plan(about)
    subtrees = Subtrees(Work(D8, plan, 2), 1)
    for number in range(0, subtrees.work.shards, 500):
        subtree = subtrees.search(number, lambda root: StreamCheck(statement(about, 4), root))
        assert (subtree.problems, subtree.magics) == ([], [])
        assert 0 < subtree.leaves <= 1 << 16


def test_a_value_that_is_killed_for_no_reason_is_noticed():
    about = terms_of(D8)
    task = low_task(about, low_plan(about), 0, record=True)
    state = new_low_state(about, task)
    begin_low(task, state, np.uint64(0))
    state.pads.taken_positions[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
    assert search_low(task, state, 1 << 20, 1 << 10) == WRONG


def test_a_plan_is_its_text():
    plan = low_plan(terms_of(D8))
    assert plan.text == "low: 4 8 2 5 4 3"
    assert parse_plan(plan.text) == plan
    assert plan.windows[2] == (0, 12)
    assert sum(plan.widths) == 26
    chosen = choose_plan(terms_of(cell(Piece.BISHOP, "e1", 4)), budget=0.2).plan
    assert parse_plan(chosen.text) == chosen


def test_the_planner_takes_the_better_kind():
    for square, low in (("f8", True), ("d1", False)):
        estimate = choose_plan(terms_of(cell(Piece.BISHOP, square, 4)), budget=0.2)
        assert isinstance(estimate.plan, LowPlan) == low
