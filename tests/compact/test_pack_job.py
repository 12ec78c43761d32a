"""The job behind `magicert pack`: its budget in every phase, its phases, what it advises."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from magicert.board import Piece
from magicert.compact import start
from magicert.compact.anneal import PoolOrder, fill_pool
from magicert.compact.layouts import Layout, from_table, publish, to_table
from magicert.compact.pack import PackPlan
from magicert.compact.pack import pack as squeeze
from magicert.compact.pages.bishops import PageSeat, bishop_shelf, fill_one, refill
from magicert.compact.pages.columns import Library, LibraryOrder, collect, save_libraries
from magicert.compact.pages.interleave import half_library
from magicert.compact.progress import Crew
from magicert.compact.seats import CellData, Choice, Key, Seat, cell_data
from magicert.compact.start import (
    Paged,
    StartPlan,
    in_a_row,
    place,
    ready_pools,
    refilled_pages,
)
from magicert.data import find_table, record_tables
from magicert.outcome import Observer, Quiet, Unknown
from magicert.requests.pack import Pack
from magicert.requests.packing.pack import PackFound, pack
from magicert.system import deadline as deadline_module
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.table import Provenance, read_table

OVER = Deadline(0.0)
CELL = cell_data("black", Piece.BISHOP, 0, 9)
A_PAGE = (PageSeat(18, 0, 1, 0, 1),)


def bishops(scheme: str, squares: int) -> dict[Key, CellData]:
    keys = [(Piece.BISHOP, square) for square in range(squares)]
    return {key: cell_data(scheme, *key, 10) for key in keys}


@contextmanager
def unwatched(_doing: str, _unit: str) -> Iterator[Observer]:
    yield Quiet()


@pytest.fixture
def libraries(tmp_path: Path) -> Path:
    path = tmp_path / "libraries.npz"
    words, turns = np.ones(1, np.uint64), np.zeros(1, np.uint8)
    save_libraries([Library(18, words, words, turns)], path)
    return path


def test_every_kind_of_work_ends_at_its_deadline(libraries: Path):
    seat = Seat(CELL, Choice(1), np.arange(3))
    works: list[Callable[[], object]] = [
        lambda: place({seat.key: CELL}, {seat.key: [seat]}, 1, (), Crew(deadline=OVER)),
        lambda: fill_pool(PoolOrder(CELL, 1, 100, 1, 1, OVER)),
        lambda: collect(LibraryOrder(18, True, 1, OVER)),
        lambda: fill_one(libraries, (18,), OVER, (1,)),
        lambda: refill(libraries, (A_PAGE,), OVER, (1,)),
        lambda: bishop_shelf([cell_data("black", Piece.BISHOP, 27, 9)], 1, Crew(deadline=OVER)),
        lambda: half_library(OVER, (25, 16, 1)),
    ]
    for work in works:
        with pytest.raises(BudgetOverError):
            work()


def test_a_budget_that_ends_before_the_first_layout_is_unknown(tmp_path: Path):
    outcome = pack(Pack(tmp_path / "no.toml", seconds=1e-9), unwatched)
    assert isinstance(outcome, Unknown)
    assert "no layout in 0 s" in outcome.reason
    assert outcome.exit_status == 3
    assert not list(tmp_path.iterdir())


def test_a_budget_that_is_over_leaves_the_table_given(tmp_path: Path):
    output = tmp_path / "same.toml"
    asked = Pack(output, seconds=1e-9, source=find_table("cfish_black"))
    outcome = pack(asked, unwatched)
    assert isinstance(outcome, PackFound)
    assert (outcome.stopped, outcome.rounds, outcome.exit_status) == ("budget", 0, 0)
    given = from_table(read_table(find_table("cfish_black")))
    assert from_table(read_table(output)).length == outcome.layout.length == given.length


def test_a_round_that_the_budget_interrupts_counts_for_nothing(monkeypatch: pytest.MonkeyPatch):
    # A clock that goes on by a second at every look: the third attempt of four is too late.
    looks = iter(range(1, 100))
    monkeypatch.setattr(deadline_module.time, "time", lambda: float(next(looks)))
    layout = from_table(read_table(find_table("cfish_black")))
    result = squeeze(layout, PackPlan(attempts=4, deadline=Deadline(3.0)))
    assert (result.stopped, result.rounds) == ("budget", 0)
    assert result.layout is layout
    assert next(looks) == 4


def test_no_page_is_refilled_after_its_time():
    page = (PageSeat(18, 1, (1 << 64) - 1, 0, 64),)
    words, turns = np.ones(1, np.uint64), np.zeros(1, np.uint8)
    shelf = {18: Library(18, words, words, turns)}
    plan, first = StartPlan({(Piece.ROOK, 18): CELL}, refills=5), Paged("constant", (page,))
    late = Crew(deadline=OVER)
    assert refilled_pages(plan, shelf, first, lambda *_: None, late, {}) == (first, 0)


@pytest.mark.usefixtures("hasty")
def test_phases_say_what_they_count(tmp_path: Path):
    phases: list[tuple[str, str]] = []
    amounts: list[tuple[float, float | None]] = []

    class Noting(Quiet):
        def progress(self, done: float, total: float | None, note: str = "") -> None:
            amounts.append((done, total))

    @contextmanager
    def watch(doing: str, unit: str) -> Iterator[Observer]:
        phases.append((doing, unit))
        yield Noting()

    bishops = Pack(
        tmp_path / "out.toml", seconds=1e6, pieces="bishop", bishop_bits=10, half=True,
        rounds=0,
    )  # fmt: skip
    assert isinstance(pack(bishops, watch), PackFound)
    placing = ("placing squares in the buffer", "squares")
    assert phases == [("magics for every square", "squares"), placing, ("squeezing", "rounds")]
    assert all(total is not None and 0 <= done <= total for done, total in amounts)


def test_a_table_is_told_what_shorter_one_ships(tmp_path: Path):
    record = min(
        (table.buffer_size or 0, name)
        for name, path in record_tables().items()
        if not (table := read_table(path).table).two_level
        and not table.half_board
        # A layered table is of another category: its lookup ends with an AND.
        and all(half.result is None for half in table.pieces.values())
    )
    for name, shorter in (("cfish_black", record[::-1]), (record[1], None)):
        asked = Pack(tmp_path / "out.toml", 1e6, source=find_table(name), rounds=0)
        outcome = pack(asked, unwatched)
        assert isinstance(outcome, PackFound)
        assert outcome.shorter == shorter


@pytest.fixture
def apart(hasty: None, tmp_path: Path) -> Path:  # noqa: ARG001
    """Bishops that share nothing, counted from a8."""
    pools = ready_pools(bishops("white", 64), 1)
    layout = Layout("white", tuple(in_a_row(pools.values())), order="a8")
    publish(to_table(layout, "apart", Provenance()), tmp_path / "apart.toml")
    return tmp_path / "apart.toml"


def test_a_table_without_sharing_is_packed_from_nothing(apart: Path, tmp_path: Path):
    length = from_table(read_table(apart)).length
    asked = Pack(tmp_path / "out.toml", 1e6, source=apart, limit=length * 4 // 5)
    outcome = pack(asked, unwatched)
    assert isinstance(outcome, PackFound)
    assert (outcome.stopped, outcome.anew, outcome.first) == ("goal", True, length)
    for layout in (outcome.layout, from_table(read_table(asked.path))):
        assert (layout.scheme, layout.order, layout.shares) == ("white", "a8", True)
        assert {seat.cell.bits for seat in layout.seats} == {10}
    again = pack(replace(asked, resume=True), unwatched)
    assert isinstance(again, PackFound)
    assert again.anew is None


@pytest.mark.parametrize("reason", ["budget", "no magic"])
def test_where_nothing_comes_of_that_the_table_given_is_kept(
    reason: str, apart: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    if reason == "no magic":
        monkeypatch.setattr(start, "fill_pool", lambda _order: [])
    seconds = 1e-9 if reason == "budget" else 1e6
    asked = Pack(tmp_path / "out.toml", seconds, source=apart, rounds=1)
    outcome = pack(asked, unwatched)
    assert isinstance(outcome, PackFound)
    assert outcome.anew is False
    assert outcome.layout.length <= from_table(read_table(apart)).length


@pytest.mark.usefixtures("hasty")
def test_pools_of_another_scheme_are_used_where_they_are_valid(tmp_path: Path):
    path = tmp_path / "pools.npz"
    ready_pools(bishops("constant", 8), 1, saved=path)
    pools = ready_pools(bishops("white", 8), 1, saved=path)
    seats = [seat for pool in pools.values() for seat in pool]
    assert {seat.cell.scheme for seat in seats} == {"white"}
    assert {seat.choice.constant for seat in seats} == {0}
