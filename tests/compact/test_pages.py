"""Rooks in whole columns: the kernels against plain integers and sets, libraries and pages."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD, Piece, attack_set, mask
from magicert.compact.kernels import REFUSED, WalkEffort
from magicert.compact.pages import bishops as bishops_module
from magicert.compact.pages import columns as columns_module
from magicert.compact.pages.bishops import (
    Limits,
    Page,
    PageSeat,
    Sets,
    disjoint,
    fill_all,
    refill,
    score,
    worth,
)
from magicert.compact.pages.columns import (
    COLUMNS,
    PAGE,
    ColumnTask,
    Library,
    LibraryOrder,
    collect,
    column_anneal,
    column_cost,
    new_column_scratch,
    rook_lines,
    row_start,
    save_libraries,
    turned,
)
from magicert.compact.progress import ALONE, FOREVER, Crew
from magicert.compact.seats import Seat, cell_data
from magicert.compact.start import (
    NoPlaceError,
    Paged,
    StartPlan,
    first_pages,
    refilled_pages,
    seats_of,
)
from magicert.occupancy import carry_rippler

U = np.uint64
CONFLICT = 5_000
SQUARES = (10, 11, 12, 18, 19, 20)
"""c2, d2, e2, c3, d3, e3: a page has room for some four of them."""


def plain(square: int, magic: int, black: bool) -> tuple[set[int], bool]:
    """All indexes of 12 bits by Python integers, and whether the magic is valid."""
    board = mask(Piece.ROOK, square)
    seen: dict[int, int] = {}
    valid = True
    for occupancy in carry_rippler(board):
        relevant = occupancy | (~board & WORD) if black else occupancy
        index = (relevant * magic & WORD) >> 52
        attacks = attack_set(Piece.ROOK, square, occupancy)
        valid &= seen.setdefault(index, attacks) == attacks
    return set(seen), valid


def as_bits(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def cost(square: int, magic: int, step: int, black: bool) -> tuple[int, int]:
    task = ColumnTask(rook_lines(square, black), step, CONFLICT)
    price, columns = column_cost(task, U(magic), 1 << 40, new_column_scratch())
    return int(price), int(columns)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 63), st.integers(2, 6), st.booleans(), st.integers(0, 2**32))
def test_the_column_kernel_finds_the_columns_that_plain_integers_find(
    square: int, step: int, black: bool, seed: int
):
    random = np.random.default_rng(seed)
    task = ColumnTask(rook_lines(square, black), step, 300)
    start = U(row_start(task.lines, step, random))
    magic, _ = column_anneal(task, start, WalkEffort(3_000, 300.0, 6.0), U(seed + 1))
    used, valid = plain(square, int(magic), black)
    price, columns = cost(square, int(magic), step, black)
    if price < CONFLICT:
        assert valid
        assert columns == as_bits({index % COLUMNS for index in used})
        assert price == COLUMNS * columns.bit_count()
    if not valid:
        # What is no magic never passes for one.
        assert price >= CONFLICT


def test_another_row_step_is_refused():
    random = np.random.default_rng(1)
    magic = row_start(rook_lines(19, False), 6, random)
    assert cost(19, magic, 4, False)[0] == REFUSED


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch):
    """Libraries and pages in seconds, and not so good."""
    monkeypatch.setattr(columns_module, "CANDIDATES", 30_000)
    monkeypatch.setattr(columns_module, "FEW", 0)
    monkeypatch.setattr(columns_module, "FIRST", 2)
    monkeypatch.setattr(columns_module, "MORE", 1)
    monkeypatch.setattr(columns_module, "WALKS", 2)
    monkeypatch.setattr(columns_module, "WALKED", 10_000)
    monkeypatch.setattr(bishops_module, "GROUPS", 2)
    monkeypatch.setattr(bishops_module, "LIMITS", Limits(6, 1_000_000))
    monkeypatch.setattr(bishops_module, "TRIES", 2)


@pytest.mark.parametrize(("square", "black"), [(0, False), (7, True), (27, False), (60, True)])
@pytest.mark.usefixtures("quick")
def test_a_library_has_what_plain_integers_find(square: int, black: bool):
    library = collect(LibraryOrder(square, black, 3))
    assert len(library.columns) == len(set(library.columns.tolist()))
    for columns, magic, turn in list(
        zip(library.columns.tolist(), library.magics.tolist(), library.turns.tolist(), strict=True)
    )[:5]:
        used, valid = plain(square, magic, black)
        assert valid
        assert columns == as_bits({(index + turn) % COLUMNS for index in used})
    assert library.least == min(column.bit_count() for column in library.columns.tolist())
    if black:
        assert not library.turns.any()


def test_columns_turn_to_the_left():
    columns = np.array([1, 1 << 63, 0b101], dtype=np.uint64)
    turns = np.array([0, 1, 62], dtype=np.uint8)
    assert turned(columns, turns).tolist() == [1, 1, 1 | 1 << 62]


def solve(
    sets: list[list[int]], seed: int, branches: int = 1 << 20, budget: int = 10**7
) -> list[int]:
    columns = np.array([one for group in sets for one in group], dtype=np.uint64)
    sizes = np.array([len(group) for group in sets], dtype=np.int64)
    begins = (np.cumsum(sizes) - sizes).astype(np.int64)
    least = np.array([min(map(int.bit_count, group)) for group in sets], dtype=np.int64)
    arrays = Sets(columns, begins, sizes, least)
    found, chosen = disjoint(arrays, Limits(branches, budget), U(seed))
    return [int(columns[n]) for n in chosen] if found else []


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.lists(st.integers(1, WORD), min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(st.integers(0, WORD), min_size=2, max_size=2),
    st.integers(0, 2**40),
)
def test_the_page_kernel_finds_disjoint_columns_if_and_only_if_there_are_any(
    sets: list[list[int]], thinning: list[int], seed: int
):
    thin = [[one & thinning[n % 2] or 1 for one in group] for n, group in enumerate(sets)]
    exists = any(
        sum(map(int.bit_count, choice)) == sum(choice).bit_count()
        and sum(choice) <= WORD
        and all(a & b == 0 for n, a in enumerate(choice) for b in choice[:n])
        for choice in product(*thin)
    )
    found = solve(thin, seed)
    assert bool(found) == exists
    for n, one in enumerate(found):
        assert one in thin[n]
        assert all(one & other == 0 for other in found[:n])


def test_the_page_kernel_gives_up_when_its_budget_is_spent():
    sets = [[1 << n for n in range(20)] for _ in range(3)]
    assert solve(sets, 1)
    assert not solve(sets, 1, budget=3)


def claimed(page: Page) -> int:
    return sum(seat.columns.bit_count() for seat in page)


def assert_disjoint(seats: list[Seat]) -> None:
    slots = np.concatenate([seat.slots for seat in seats])
    assert len(np.unique(slots)) == len(slots)
    assert slots.min() >= 0


@pytest.fixture
def libraries(quick: None, tmp_path: Path) -> Path:  # noqa: ARG001
    path = tmp_path / "libraries.npz"
    save_libraries([collect(LibraryOrder(s, True, 2)) for s in SQUARES], path)
    return path


def test_pages_hold_all_squares_without_overlap_and_follow_from_the_seed(libraries: Path):
    first = fill_all(libraries, 3, ALONE)
    assert sorted(seat.square for page in first for seat in page) == sorted(SQUARES)
    assert_disjoint(seats_of("black", first))
    with ThreadPoolExecutor(2) as pool:
        assert fill_all(libraries, 3, Crew(pool.map)) == first


def test_refilling_never_makes_it_worse(libraries: Path):
    apart = {seat.square: seat for page in fill_all(libraries, 1, ALONE) for seat in page}
    pages = tuple((seat,) for seat in apart.values())
    for number in range(4):
        better = refill(libraries, pages, FOREVER, (number,))
        assert score(better) <= score(pages)
        assert sorted(seat.square for page in better for seat in page) == sorted(SQUARES)
        assert_disjoint(seats_of("black", better))
        pages = better
    assert len(pages) < len(SQUARES)
    assert all(worth(page) <= claimed(page) <= COLUMNS for page in pages)


@pytest.mark.parametrize("scheme", ["white", "constant"])
@pytest.mark.usefixtures("quick")
def test_turned_columns_do_not_meet_in_the_buffer(scheme: str, tmp_path: Path):
    path = tmp_path / f"{scheme}.npz"
    save_libraries([collect(LibraryOrder(s, False, 5)) for s in SQUARES], path)
    pages = fill_all(path, 1, ALONE)
    assert any(seat.turn for page in pages for seat in page)
    seats = seats_of(scheme, pages)
    assert_disjoint(seats)
    if scheme == "constant":
        assert max(seat.end for seat in seats) <= len(pages) * PAGE
        assert all(seat.offset % PAGE == 0 for seat in seats)
    else:
        assert all(seat.choice.constant == 0 for seat in seats)


def rooks(*squares: int) -> StartPlan:
    return StartPlan({(Piece.ROOK, n): cell_data("black", Piece.ROOK, n, 12) for n in squares})


def unheard(_pages: Paged, _rounds: int) -> None:
    """Nobody wants to hear of better pages."""


def test_a_rook_without_any_library_is_named(monkeypatch: pytest.MonkeyPatch):
    words, turns = np.ones(1, np.uint64), np.zeros(1, np.uint8)

    def collected(order: LibraryOrder) -> Library:
        some = slice(0, 0 if order.square == 9 else 1)
        return Library(order.square, words[some], words[some], turns[some])

    monkeypatch.setattr(columns_module, "collect", collected)
    with pytest.raises(NoPlaceError, match="rooks b2: no magic of 12 bits") as refused:
        first_pages(rooks(8, 9, 10))
    assert not refused.value.impossible


@pytest.mark.usefixtures("quick")
def test_pages_stand_one_behind_the_other_fullest_first():
    library = collect(LibraryOrder(19, True, 1))
    one = PageSeat(19, int(library.magics[0]), int(library.columns[0]), 0, library.least)
    seats = seats_of("black", ((one,), (one,)))
    assert [seat.offset for seat in seats] == [0, PAGE]


@pytest.mark.usefixtures("quick")
def test_only_the_squares_asked_for_are_seated():
    shelf, first = first_pages(rooks(10, 11))
    pages, rounds = refilled_pages(rooks(10, 11), shelf, first, unheard, ALONE, {})
    for one in (first, pages):
        assert sorted(seat.square for seat in one.seats) == [10, 11]
    assert rounds == 0
