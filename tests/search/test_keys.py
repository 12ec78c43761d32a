"""Keys that are not chess: every engine against all magics, one by one, and the checker."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.cell import Cell, first_conflict
from magicert.engine import EngineRequest, load, option_values
from magicert.outcome import Evidence, Exists, Impossible, Outcome, Quiet
from magicert.scheme import SCHEMES
from magicert.search.planning import bit_orders, build_plan, candidate_plans
from magicert.search.problem import LowPlan, Plan, low_plan, terms_of
from magicert.search.shards.shard import MOST_LISTED, Work, run_shard
from magicert.targets import Keys
from magicert.valid import invalid
from magicert.verify.cover.checker import Intervals, StreamCheck, check, is_everything, reduced
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
    scheme = draw(st.sampled_from(["white", "constant"]))
    fixed = {"constant": draw(st.integers(0, WORD))} if scheme == "constant" else {}
    keys = Keys.of([key << (64 - width) for key in small], values and values[: len(small)])
    return Cell(SCHEMES[scheme], keys, bits, fixed, largest)


def mask_cell(rng: random.Random, squares: list[int], bits: int, groups: int) -> Cell:
    """All subsets of a mask, in any order."""
    words = [
        sum(1 << s for n, s in enumerate(squares) if k >> n & 1) for k in range(1 << len(squares))
    ]
    rng.shuffle(words)
    keys = Keys.of(words, [rng.randrange(groups) for _ in words])
    largest = rng.choice([None, None, (1 << bits) - 2])
    fixed = {"constant": rng.choice([0, 0, WORD, rng.getrandbits(64)])}
    return Cell(SCHEMES["constant"], keys, bits, fixed, largest)


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
    work, quiet = Work(cell, plan, level), Work(cell, plan, level, record=False)
    assert is_everything(reduced(Intervals.of([work.root(n) for n in range(work.shards)])))
    magics: list[tuple[int, int]] = []
    for number in range(work.shards):
        stream = StreamCheck(about, work.root(number))
        result = run_shard(work, number, (stream,))
        assert (stream.finish(), stream.problems) == (result.sha256, [])
        assert stream.leaves == result.leaves
        counted = run_shard(quiet, number)
        assert (counted.counts, counted.magics) == (result.counts, result.magics)
        own = sum(high - low + 1 for low, high in result.magics)
        assert own == result.magic_count or len(result.magics) == MOST_LISTED
        magics += result.magics
    return magics


@settings(max_examples=80)
@given(toys(), st.integers(0, 39), st.integers(0, 2))
def test_the_window_search_finds_exactly_the_magics_of_any_keys(magics_in, cell, number, level):
    about = terms_of(cell)
    plan = next(
        itertools.islice(candidate_plans(about), number, None), next(candidate_plans(about))
    )
    assert searched(cell, plan, min(level, len(plan.steps))) == list(magics_in(about))


@pytest.mark.parametrize("seed", range(20))
def test_fans_and_early_looks_do_not_change_the_magics(seed, magics_in):
    """Masks whose bits stand far apart, so that the fan has work to do."""
    rng = random.Random(seed)
    squares, bits = [50, 50 + rng.randint(6, 7), 63], rng.randint(2, 3)
    cell = mask_cell(rng, squares, bits, 5)
    plan = build_plan(
        terms_of(cell), rng.choice(list(bit_orders(squares))), rng.randint(6 - bits, 5),
        rng.choice([2, 6, 8]), rng.randint(0, bits - 1),
    )  # fmt: skip
    assert searched(cell, plan, rng.randint(0, 2)) == list(magics_in(terms_of(cell)))


@pytest.mark.parametrize("seed", range(4, 40))
def test_low_bits_first_finds_exactly_the_magics_of_a_mask(seed, magics_in):
    rng = random.Random(seed)
    lowest, bits = rng.randint(54, 59), rng.randint(2, 10)
    squares = [lowest, *rng.sample(range(lowest + 1, 64), rng.randint(0, 4))]
    cell = mask_cell(rng, squares, bits, rng.randint(1, 6))
    about = terms_of(cell)
    plan = low_plan(about)
    if rng.random() < 0.5:  # steps that take nothing before those that take a square
        first = [rng.randint(0, width - 1) for width in plan.widths]
        steps = [(one, width - one) for one, width in zip(first, plan.widths, strict=True)]
        plan = LowPlan(tuple(width for step in steps for width in step if width))
    plan.check(about)
    level = rng.randint(0, min(2, len(plan.steps)))
    assert searched(cell, plan, level) == list(magics_in(about))


@pytest.mark.cases_of("low_bits_first_refuses_other_keys.tsv")
def test_low_bits_first_refuses_other_keys(scheme, words, bits, message):
    """Black's multiplicands are odd: no product is known before all of m is."""
    keys = Keys.of(eval(words), [n % 2 for n in range(len(eval(words)))])
    terms = terms_of(Cell(SCHEMES[scheme], keys, int(bits)))
    with pytest.raises(ValueError, match=message):
        low_plan(terms).check(terms)


@settings(max_examples=12)
@given(st.lists(st.integers(0, 15), min_size=2, max_size=4, unique=True))
def test_black_keys_have_leaves_that_hold(small):
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
def test_the_checker_and_the_search_speak_of_the_same_products(words, scheme, magic, largest):
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


@settings(max_examples=8)
@given(toys())
def test_trial_and_whoever_checks_say_what_is_true(magics_in, cell):
    magics, everything = list(magics_in(terms_of(cell))), range(cell.period)
    assert magics == [m for m in everything if first_conflict(cell, m) is None]
    found = ask(cell, "trial", candidates="200000" if magics else "1000")
    assert isinstance(found, Exists) == bool(magics)
    if isinstance(found, Exists):
        assert found.magic % cell.period in magics
    assert sorted({*everything} - {*invalid(cell, everything)}) == magics
    question = question_of(cell)
    assert [m for m in everything if question.first_conflict(m) is None] == magics


@pytest.mark.parametrize("engine", ["trial", "window", "z3", "sat"])
def test_too_many_values_are_counted(engine):
    cell = Cell(SCHEMES["white"], Keys.of(range(1, 4)), 1)
    outcome = ask(cell, engine)
    assert isinstance(outcome, Impossible)
    if engine != "window":
        assert outcome.evidence is Evidence.COUNTING


def test_the_engine_finds_all_and_its_certificate_holds(tmp_path, magics_in):
    words = [n << 56 for n in (1, 4, 9, 16, 25, 36, 49)]
    cell = Cell(SCHEMES["white"], Keys.of(words), 3)
    path = tmp_path / "keys.cover"
    outcome = ask(cell, "window", everything=True, certificate=str(path), planning="0")
    magics = list(magics_in(terms_of(cell)))
    report = check(read_certificate(path))
    assert (report.verdict, report.problems) == ("valid", [])
    assert [m for low, high in report.magics for m in range(low, high + 1)] == magics
    assert isinstance(outcome, Exists) == bool(magics)


def test_the_first_bit_of_a_window_of_all_64_is_counted_once():
    """The first step halves all 2^64 numbers, whose end is 0 again."""
    cell = Cell(SCHEMES["white"], Keys.of([1, 2, 3, 5]), 2)
    assert terms_of(cell).width == 64
    magics = searched_as_intervals(cell, Plan(64, ("d1",) * 64, 4, 0))
    assert magics
    assert all(first_conflict(cell, m) is None for pair in magics for m in pair)
    around = {m for low, high in magics for m in (low - 1, high + 1)}
    outside = [m for m in around if all(not low <= m <= high for low, high in magics)]
    assert all(first_conflict(cell, m) is not None for m in outside)
