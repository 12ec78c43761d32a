"""Keys that are not chess: every engine against all magics, one by one, and the checker."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.cell import Cell, Keys, first_conflict
from magicert.engine import Quiet, Request, load, option_values
from magicert.outcome import Outcome
from magicert.scheme import SCHEMES
from magicert.search.planning.candidates import candidates
from magicert.search.problem.plan import Plan
from magicert.search.problem.terms import Terms, terms_of
from magicert.search.shards.shard import run_shard
from magicert.search.shards.work import Work
from magicert.verify.cover.joining import StreamCheck
from magicert.verify.cover.statement import statement_of

WORD = (1 << 64) - 1


def ask(cell: Cell, engine: str, everything: bool = False, **options: str) -> Outcome:
    module = load(engine)
    values = option_values(module, options)
    return module.solve(Request(cell, everything=everything, options=values), Quiet())


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


def searched(cell: Cell, plan: Plan, level: int = 0) -> list[int]:
    """The magics of a window search."""
    intervals = searched_as_intervals(cell, plan, level)
    return sorted(m for low, high in intervals for m in range(low, high + 1))


def searched_as_intervals(cell: Cell, plan: Plan, level: int = 0) -> list[tuple[int, int]]:
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


@settings(max_examples=150)
@given(toys(), st.integers(0, 39), st.integers(0, 2))
def test_the_window_search_finds_exactly_the_magics_of_any_keys(
    cell: Cell, number: int, level: int
) -> None:
    terms = terms_of(cell)
    plan = a_plan(terms, number)
    assert searched(cell, plan, min(level, len(plan.steps))) == brute_force(cell)


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
