"""Keys that are not chess: every engine against all magics, one by one, and the checker."""

import itertools
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.cell import Cell, Keys, first_conflict
from magicert.engine import EngineRequest, load, option_values
from magicert.outcome import Evidence, Exists, Impossible, Outcome, Quiet
from magicert.scheme import SCHEMES
from magicert.search.planning import candidates
from magicert.search.problem import LowPlan, Plan, Terms, low_plan, terms_of
from magicert.search.shards.shard import Work, run_shard
from magicert.valid import invalid
from magicert.verify.cover.checker import StreamCheck, check
from magicert.verify.cover.file import read_certificate
from magicert.verify.cover.statement import statement_of
from magicert.z3models.question import question_of

WORD = (1 << 64) - 1


def ask(cell: Cell, engine: str, everything: bool = False, **options: str) -> Outcome:
    module = load(engine)
    values = option_values(module, options)
    return module.solve(EngineRequest(cell, everything=everything, options=values), Quiet())


@st.composite
def toys(draw: st.DrawFn) -> Cell:
    """Keys in words of a few bits: as the topmost bits of 64, they are multiplied as such."""
    width = draw(st.integers(3, 8))
    small = draw(st.lists(st.integers(0, (1 << width) - 1), min_size=1, max_size=7, unique=True))
    values = draw(st.one_of(st.none(), st.lists(st.integers(0, 3), min_size=7, max_size=7)))
    bits = draw(st.integers(1, 3))
    last = (1 << bits) - 1
    largest = draw(st.sampled_from([None, None, last - 1]))
    scheme, fixed = draw(st.sampled_from([("white", {}), ("constant", {"constant": WORD})]))
    if fixed:
        fixed = {"constant": draw(st.integers(0, WORD))}
    keys = Keys.of([key << (64 - width) for key in small], values and values[: len(small)])
    return Cell(SCHEMES[scheme], keys, bits, fixed, largest)


def brute_force(cell: Cell) -> list[int]:
    return [m for m in range(cell.period) if first_conflict(cell, m) is None]


def searched(cell: Cell, plan: Plan | LowPlan, level: int = 0) -> list[int]:
    """The magics of a window search."""
    intervals = searched_as_intervals(cell, plan, level)
    return sorted(m for low, high in intervals for m in range(low, high + 1))


def searched_as_intervals(
    cell: Cell, plan: Plan | LowPlan, level: int = 0
) -> list[tuple[int, int]]:
    """Its magics, as intervals. The independent checker has seen all leaves."""
    fixed = cell.fixed.get("constant", 0)
    about = statement_of(
        cell.scheme.name, cell.words, cell.values, cell.bits, cell.largest_index, fixed
    )
    work = Work(cell, plan, level)
    magics: list[tuple[int, int]] = []
    for number in range(work.shards):
        stream = StreamCheck(about, work.root(number))
        result = run_shard(work, number, (stream,))
        assert (stream.finish(), stream.problems) == (result.sha256, [])
        counted = run_shard(Work(cell, plan, level, record=False), number)
        assert (counted.counts, counted.magics) == (result.counts, result.magics)
        magics += result.magics
    return magics


def a_plan(terms: Terms, number: int) -> Plan:
    return next(itertools.islice(candidates(terms), number % 40, None), next(candidates(terms)))


@settings(max_examples=60)
@given(toys(), st.integers(0, 39), st.integers(0, 2))
def test_the_window_search_finds_exactly_the_magics_of_any_keys(
    cell: Cell, number: int, level: int
) -> None:
    terms = terms_of(cell)
    plan = a_plan(terms, number)
    assert searched(cell, plan, min(level, len(plan.steps))) == brute_force(cell)


@settings(max_examples=25)
@given(st.permutations(range(8)), st.lists(st.integers(0, 3), min_size=8, max_size=8), st.data())
def test_low_bits_first_takes_keys_that_are_subsets_in_any_order(
    order: list[int], values: list[int], data: st.DataObject
) -> None:
    bits = data.draw(st.lists(st.integers(57, 63), min_size=3, max_size=3, unique=True))
    words = [sum(1 << bit for place, bit in enumerate(bits) if n >> place & 1) for n in order]
    cell = Cell(SCHEMES["white"], Keys.of(words, values), 2)
    plan = low_plan(terms_of(cell))
    assert searched(cell, plan) == brute_force(cell)


def test_low_bits_first_refuses_other_keys() -> None:
    terms = terms_of(Cell(SCHEMES["white"], Keys.of([0, 1 << 60, 1 << 62]), 2))
    with pytest.raises(ValueError, match="all subsets of a mask"):
        low_plan(terms).check(terms)


@settings(max_examples=12)
@given(st.lists(st.integers(0, 15), min_size=2, max_size=4, unique=True))
def test_black_keys_have_leaves_that_hold(small: list[int]) -> None:
    """Black multiplies odd words, so that nobody can try all magics; the checker sees leaves that
    cover all of them.
    """
    cell = Cell(SCHEMES["black"], Keys.of(small), 1)
    magics = searched_as_intervals(cell, Plan(64, ("d1",) * 64, 5, 0))
    assert all(first_conflict(cell, m) is None for pair in magics[:20] for m in pair)
    assert len(small) == 2 or magics == []


@given(
    st.lists(st.integers(0, WORD), min_size=1, max_size=9, unique=True),
    st.sampled_from(["white", "black", "constant"]),
    st.integers(0, WORD),
    st.integers(0, 7),
)
def test_the_checker_and_the_search_speak_of_the_same_products(
    words: list[int], scheme: Literal["white", "black", "constant"], magic: int, largest: int
) -> None:
    """Of keys with the topmost bit, too: and both mean what the formula says."""
    fixed = {"constant": magic ^ 5} if scheme == "constant" else {}
    cell = Cell(SCHEMES[scheme], Keys.of(words), 3, fixed, largest)
    about, terms = (
        statement_of(scheme, cell.words, cell.values, 3, largest, fixed.get("constant", 0)),
        terms_of(cell),
    )
    assert about.x.tolist() == terms.multiplicand.tolist()
    assert {about.constant} == set(terms.constant.tolist())
    assert (about.least, about.most) == (terms.least_slot, terms.most_slot)
    assert about.attack.tolist() == terms.attack.tolist()
    for word, x in zip(words, about.x.tolist(), strict=True):
        slot = ((x * magic + about.constant) & WORD) >> 61
        assert cell.index(magic, word) == (7 - slot if scheme == "black" else slot)


@settings(max_examples=20)
@given(toys())
def test_trial_and_whoever_checks_say_what_is_true(cell: Cell) -> None:
    magics = brute_force(cell)
    found = ask(cell, "trial", candidates="200000" if magics else "1000")
    assert isinstance(found, Exists) == bool(magics)
    if isinstance(found, Exists):
        assert found.magic % cell.period in magics
    everything = range(cell.period)
    assert sorted({*everything} - {*invalid(cell, everything)}) == magics
    question = question_of(cell)
    assert [m for m in everything if question.first_conflict(m) is None] == magics


@pytest.mark.parametrize("engine", ["trial", "window", "z3", "sat"])
def test_too_many_values_are_counted(engine: str) -> None:
    cell = Cell(SCHEMES["white"], Keys.of(range(1, 4)), 1)
    outcome = ask(cell, engine)
    assert isinstance(outcome, Impossible)
    if engine != "window":
        assert outcome.evidence is Evidence.COUNTING


def test_the_engine_finds_all_and_its_certificate_holds(tmp_path: Path) -> None:
    words = [n << 56 for n in (1, 4, 9, 16, 25, 36, 49)]
    cell = Cell(SCHEMES["white"], Keys.of(words), 3)
    path = tmp_path / "keys.cover"
    outcome = ask(cell, "window", everything=True, certificate=str(path), planning="0")
    magics = brute_force(cell)
    report = check(read_certificate(path))
    assert (report.verdict, report.problems) == ("valid", [])
    assert [m for low, high in report.magics for m in range(low, high + 1)] == magics
    assert isinstance(outcome, Exists) == bool(magics)


def test_the_first_bit_of_a_window_of_all_64_is_counted_once() -> None:
    """The first step halves all 2^64 numbers, whose end is 0 again."""
    cell = Cell(SCHEMES["white"], Keys.of([1, 2, 3, 5]), 2)
    terms = terms_of(cell)
    assert terms.width == 64
    plan = Plan(64, ("d1",) * 64, 4, 0)
    magics = searched_as_intervals(cell, plan)
    assert magics
    assert all(first_conflict(cell, m) is None for pair in magics for m in pair)
    assert all(
        first_conflict(cell, m) is not None
        for low, high in magics
        for m in (low - 1, high + 1)
        if all(not a <= m <= b for a, b in magics)
    )
