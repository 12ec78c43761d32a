"""Rooks in whole columns: the kernels against plain integers and sets, libraries and pages, and
what compact/README.md and the notebook say of entries, slim magics and white's column 0.
"""

import re
import runpy
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD
from magicert.chess import Piece, attack_set, mask, parse_square
from magicert.compact import start as starting
from magicert.compact.anneal import arrays_of, new_scratch
from magicert.compact.kernels import REFUSED, WalkEffort, entry_point
from magicert.compact.pages import bishops, interleave
from magicert.compact.pages import columns as cols
from magicert.compact.pages.columns import COLUMNS, PAGE, ColumnTask, Library
from magicert.compact.placements import Choice, Placement, Words, cell_data
from magicert.compact.progress import ALONE, Workers
from magicert.occupancy import carry_rippler
from magicert.system.deadline import FOREVER

U = np.uint64
CONFLICT = 5_000
SQUARES = (10, 11, 12, 18, 19, 20)
"""c2, d2, e2, c3, d3, e3: a page has room for some four of them."""


def plain(square: int, magic: int, black: bool, piece: Piece = Piece.ROOK) -> tuple[set[int], int]:
    """All indexes of 12 bits (9 for bishops) by Python integers, and how many conflicts."""
    board, shift = mask(piece, square), 52 if piece is Piece.ROOK else 55
    seen: dict[int, int] = {}
    conflicts = 0
    for occupancy in carry_rippler(board):
        relevant = occupancy | (~board & WORD) if black else occupancy
        attacks = attack_set(piece, square, occupancy)
        conflicts += seen.setdefault((relevant * magic & WORD) >> shift, attacks) != attacks
    return set(seen), conflicts


def columns_of(slots: set[int], turn: int = 0) -> int:
    return sum(1 << column for column in {(slot + turn) % COLUMNS for slot in slots})


def cost(square: int, magic: int, step: int, black: bool) -> tuple[int, int]:
    task = ColumnTask(cols.rook_lines(square, black), step, CONFLICT)
    price, columns = cols.column_cost(task, U(magic), 1 << 40, cols.new_column_scratch())
    return int(price), int(columns)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 63), st.integers(2, 6), st.booleans(), st.integers(0, 2**32))
def test_the_column_kernel_finds_the_columns_that_plain_integers_find(square, step, black, seed):
    random = np.random.default_rng(seed)
    task = ColumnTask(cols.rook_lines(square, black), step, 300)
    start = U(cols.row_start(task.lines, step, random))
    magic, _ = cols.column_anneal(task, start, WalkEffort(3_000, 300.0, 6.0), U(seed + 1))
    used, conflicts = plain(square, int(magic), black)
    price, columns = cost(square, int(magic), step, black)
    assert (price >= CONFLICT) or not conflicts  # what is no magic never passes for one
    if price < CONFLICT:
        assert columns == columns_of(used)
        assert price == COLUMNS * columns.bit_count()


def test_another_row_step_is_refused():
    magic = cols.row_start(cols.rook_lines(19, False), 6, np.random.default_rng(1))
    assert cost(19, magic, 4, False)[0] == REFUSED


def set_all(monkeypatch: pytest.MonkeyPatch, module: object, **values: object) -> None:
    for name, value in values.items():
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch):
    """Libraries and pages in seconds, and not so good."""
    small = {
        "CANDIDATES": 30_000,
        "FEW": 0,
        "FIRST": 2,
        "FURTHER": 1,
        "WALKS": 2,
        "WALK_CANDIDATES": 10_000,
    }
    set_all(monkeypatch, cols, **small)
    set_all(monkeypatch, bishops, GROUPS=2, LIMITS=bishops.Limits(6, 1_000_000), TRIES=2)


def check(library: Library, black: bool, piece: Piece = Piece.ROOK) -> None:
    """Its magics are valid, and claim the columns that plain integers find, after their turns."""
    columns = library.columns.tolist()
    assert len(columns) == len(set(columns))
    rows = zip(columns, library.magics.tolist(), library.turns.tolist(), strict=True)
    for own, magic, turn in list(rows)[:10]:
        used, conflicts = plain(library.square, magic, black, piece)
        assert (conflicts, columns_of(used, turn)) == (0, own)
    assert library.least == min(map(int.bit_count, columns))


@pytest.mark.parametrize(("square", "black"), [(0, False), (7, True), (27, False)])
@pytest.mark.usefixtures("quick")
def test_a_library_has_what_plain_integers_find(square, black):
    library = cols.collect(cols.LibraryOrder(square, black, 3))
    check(library, black)
    assert any(library.turns) != black


def test_columns_turn_to_the_left():
    columns, turns = np.array([1, 1 << 63, 0b101], U), np.array([0, 1, 62], np.uint8)
    assert cols.turned(columns, turns).tolist() == [1, 1, 1 | 1 << 62]


def solve(sets: list[list[int]], seed: int, budget: int = 10**7) -> list[int]:
    columns = np.array([one for group in sets for one in group], U)
    sizes = np.array([len(group) for group in sets], np.int64)
    least = np.array([min(map(int.bit_count, group)) for group in sets], np.int64)
    arrays = bishops.Sets(columns, np.cumsum(sizes) - sizes, sizes, least)
    found, chosen = bishops.disjoint(arrays, bishops.Limits(1 << 20, budget), U(seed))
    return [int(columns[n]) for n in chosen] if found else []


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(st.integers(1, WORD), min_size=1, max_size=4), min_size=1, max_size=4),
    st.lists(st.integers(0, WORD), min_size=2, max_size=2),
    st.integers(0, 2**40),
)
def test_the_page_kernel_finds_disjoint_columns_if_and_only_if_there_are_any(sets, thinning, seed):
    thin = [[one & thinning[n % 2] or 1 for one in group] for n, group in enumerate(sets)]
    exists = any(
        all(a & b == 0 for n, a in enumerate(choice) for b in choice[:n])
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


def assert_disjoint(placements: list[Placement]) -> None:
    slots = np.concatenate([placement.slots for placement in placements])
    assert len(np.unique(slots)) == len(slots)
    assert slots.min() >= 0


def library_file(folder: Path, black: bool, seed: int) -> Path:
    orders = (cols.LibraryOrder(square, black, seed) for square in SQUARES)
    cols.save_libraries(list(map(cols.collect, orders)), folder / "libraries.npz")
    return folder / "libraries.npz"


@pytest.mark.usefixtures("quick")
def test_pages_hold_all_squares_without_overlap_and_refilling_never_makes_it_worse(tmp_path):
    libraries = library_file(tmp_path, True, 2)
    pages = bishops.fill_pages(libraries, 3, ALONE)
    with ThreadPoolExecutor(2) as pool:  # they follow from the seed
        assert bishops.fill_pages(libraries, 3, Workers(pool.map)) == pages
    apart = tuple((placement,) for page in pages for placement in page)
    for number in range(5):
        assert sorted(placement.square for page in pages for placement in page) == sorted(SQUARES)
        assert_disjoint(starting.Paged("black", pages).placements)
        before = apart if number == 0 else pages
        pages = bishops.refill(libraries, before, FOREVER, (number,))
        assert bishops.score(pages) <= bishops.score(before)
    assert len(pages) < len(SQUARES)
    claimed = [sum(placement.columns.bit_count() for placement in page) for page in pages]
    assert all(bishops.worth(p) <= n <= COLUMNS for p, n in zip(pages, claimed, strict=True))


@pytest.mark.usefixtures("quick")
def test_turned_columns_do_not_meet_in_the_buffer(tmp_path):
    pages = bishops.fill_pages(library_file(tmp_path, False, 5), 1, ALONE)
    assert any(placement.turn for page in pages for placement in page)
    for scheme in ("white", "constant"):
        placements = starting.Paged(scheme, pages).placements
        assert_disjoint(placements)
        if scheme == "constant":
            assert max(placement.end for placement in placements) <= len(pages) * PAGE
            assert {placement.offset for placement in placements} == {
                PAGE * n for n in range(len(pages))
            }
            fullest = max(pages, key=bishops.worth)
            first = [placement.square for placement in placements if placement.offset == 0]
            assert sorted(first) == sorted(placement.square for placement in fullest)
        else:
            assert all(placement.choice.constant == 0 for placement in placements)


def rooks(*squares: int) -> starting.StartPlan:
    cells = {(Piece.ROOK, n): cell_data("black", Piece.ROOK, n, 12) for n in squares}
    return starting.StartPlan(cells)


def test_a_rook_without_any_library_is_named(monkeypatch):
    words, turns = np.ones(1, U), np.zeros(1, np.uint8)

    def collected(order: cols.LibraryOrder) -> Library:
        some = slice(0, 0 if order.square == 9 else 1)
        return Library(order.square, words[some], words[some], turns[some])

    monkeypatch.setattr(cols, "collect", collected)
    with pytest.raises(starting.NoPlaceError, match="rooks b2: no magic of 12 bits") as refused:
        starting.first_pages(rooks(8, 9, 10))
    assert not refused.value.impossible


@pytest.mark.usefixtures("quick")
def test_only_the_squares_asked_for_are_placed():
    shelf, first = starting.first_pages(rooks(10, 11))
    pages, rounds = starting.refilled_pages(rooks(10, 11), shelf, first, lambda *_: None, ALONE, {})
    for one in (first, pages):
        assert sorted(placement.square for placement in one.placements) == [10, 11]
    assert rounds == 0


# Half columns: two rooks that interleave.

B4, B5, B6, D4, G2 = 25, 33, 41, 27, 14
MAGICS = {B4: 0x007FFA403FFFE000, B5: 0x91FFFF8403FFFE8}
"""Found by this search: 24 columns of b4's are half in use, and of b5's."""


def half_task(square: int) -> ColumnTask:
    return ColumnTask(cols.rook_lines(square, True), interleave.STEP, cols.FORBIDDEN)


@entry_point
def half_cost_of(task: ColumnTask, magic: int, limit: int) -> int:
    return interleave.half_cost(task, magic, limit, cols.new_column_scratch())


@given(st.sampled_from([B4, B5, B6, G2]), st.integers(0, 1 << 32))
@settings(max_examples=25, deadline=None)
def test_a_conflict_is_never_missed(square, seed):
    task = half_task(square)
    magic = cols.row_start(task.lines, interleave.STEP, np.random.default_rng(seed))
    if plain(square, magic, True)[1]:
        found = half_cost_of(task, U(magic), interleave.ANY_COST)
        assert found == REFUSED or found >= cols.FORBIDDEN


@pytest.mark.parametrize(("square", "magic"), MAGICS.items())
def test_a_walk_meets_magics_only_that_cost_no_more(square, magic):
    """A cost is that of the slots modulo 1,024, and of columns."""
    task = half_task(square)
    most = half_cost_of(task, U(magic), interleave.ANY_COST)
    assert most < 64 * 16  # its whole columns
    found = np.empty(50, U)
    met = interleave.half_walk(task, U(magic), most, 5_000, U(1), found)
    assert met > 1
    for one in found[:met].tolist():
        slots, conflicts = plain(square, one, True)
        assert not conflicts
        own = 4 * len({n % 1024 for n in slots}) + 2 * len({n % COLUMNS for n in slots})
        assert half_cost_of(task, U(one), own) == own <= most
        assert half_cost_of(task, U(one), own - 1) == REFUSED


slots = st.sets(st.integers(0, PAGE - 1), min_size=1, max_size=20)


@given(slots | st.just(set(range(PAGE))), slots)
@settings(max_examples=15, deadline=None)
def test_the_best_turn_is_the_best_of_all_turns(host, guest):
    taken = np.zeros(PAGE, np.bool_)
    taken[list(host)] = True
    own = columns_of(host)
    turn, count, union = interleave.best_turn(taken, U(own), np.array(sorted(guest), np.int64))
    turned = [{(slot + by) % PAGE for slot in guest} for by in range(PAGE)]
    free = [(own | columns_of(one)).bit_count() for one in turned if not one & host]
    assert count == min(free, default=COLUMNS + 1)
    if free:
        assert not turned[turn] & host
        assert own | columns_of(turned[turn]) == int(union)
    else:
        assert (turn, union) == (0, 0)


def test_what_needs_more_than_whole_columns_has_no_half_library():
    assert interleave.half_library(FOREVER, (D4, 12, 1)) is None  # its rank has a gap


def whole(square: int, least: int) -> Library:
    columns = np.array([(1 << least) - 1], U)
    return Library(square, columns, columns, np.zeros(1, np.uint8))


def test_two_rooks_that_interleave_are_one_square_of_the_first_pages(monkeypatch):
    rows = np.array([[(1 << 24) - 1, 0, 0, 0]], U)
    pair = interleave.Interleaved(cols.PairLibrary(B4, B5, rows, 1), rows[0], rows[0])
    libraries = [whole(square, 16) for square in (B4, B5, B6)]
    set_all(monkeypatch, starting, rook_libraries=lambda *_: libraries, interleaved=lambda *_: pair)
    libraries, first = starting.first_pages(rooks(B4, B5, B6))
    assert [one.square for one in libraries] == [B6, starting.PAIR]
    assert first.pair is pair
    assert sorted(one.square for page in first.pages for one in page) == [B6, starting.PAIR]


def test_two_rooks_that_interleave_share_columns_and_no_slot(monkeypatch):
    def library(_deadline: object, order: tuple[int, int, int]) -> object:
        if order[0] not in MAGICS:
            return None
        task, magic, found = half_task(order[0]), U(MAGICS[order[0]]), np.empty(2000, U)
        most = half_cost_of(task, magic, interleave.ANY_COST)
        walked: Words = found[: interleave.half_walk(task, magic, most, 4_000, U(2), found)]
        return interleave.by_classes(
            cell_data("black", Piece.ROOK, order[0], 12), np.unique(walked)
        )

    set_all(monkeypatch, interleave, half_library=library, TRIES=400)
    shelf = {square: whole(square, 16) for square in (B4, B5, B6)}
    pair, again = (interleave.interleaved(shelf, 1, ALONE) for _ in range(2))
    assert pair is not None
    assert again is not None
    assert (again.pairs.rows == pair.pairs.rows).all()
    assert (pair.pairs.key, pair.pairs.least) == ((B4, B5), 24)
    found = cols.as_library(pair.pairs, starting.PAIR, 1)
    rows = zip(found.columns.tolist(), found.magics.tolist(), found.turns.tolist(), strict=True)
    for columns, magic, turn in list(rows)[:: max(1, len(found.columns) // 8)]:
        placement = bishops.PagePlacement(starting.PAIR, magic, columns, turn, 24)
        placements = starting.Paged("black", ((placement,),), pair).placements
        assert {one.square for one in placements} == {B4, B5}
        used = [slot for one in placements for slot in one.slots.tolist()]
        assert len(used) == len(set(used))
        assert not columns_of(set(used)) & ~columns
        assert max(used) < PAGE + 2 * cols.slot_step("black", B5)
    # Those that save nothing do not.
    for few in ({B4: whole(B4, 12), B5: whole(B5, 12)}, {B4: whole(B4, 16)}):
        assert interleave.interleaved(few, 1, ALONE) is None


@given(st.integers(0, PAGE - 1))
@settings(max_examples=10, deadline=None)
def test_a_turned_rook_has_every_slot_further_on(turn):
    before, _ = plain(B4, MAGICS[B4], True)
    placement = cols.turned_placement(
        cell_data("black", Piece.ROOK, B4, 12), MAGICS[B4], turn, 3 * PAGE
    )
    slots = set((placement.slots - 3 * PAGE).tolist())
    assert {slot % PAGE for slot in slots} == {(slot + turn) % PAGE for slot in before}
    assert all(0 <= slot < PAGE + cols.slot_step("black", B4) for slot in slots)


# Bishops in free columns.

A1, D2, E4 = 0, 11, 28
BAND_COST = 24


def band_task(scheme: str, square: int) -> bishops.BandTask:
    return bishops.BandTask(arrays_of(cell_data(scheme, Piece.BISHOP, square, 9)), BAND_COST)


@entry_point
def band_cost_of(given: bishops.BandTask, magic: int, limit: int) -> int:
    return bishops.band_cost(given, magic, limit, new_scratch(given.cell))


@given(st.sampled_from(["white", "black"]), st.sampled_from([A1, D2, E4]), st.integers(0, WORD))
@settings(max_examples=20, deadline=None)
def test_the_kernel_counts_columns_and_conflicts(scheme, square, magic):
    used, conflicts = plain(square, magic, scheme == "black", Piece.BISHOP)
    columns, task = columns_of(used), band_task(scheme, square)
    assert int(bishops.band_columns(task, U(magic))) == columns
    cost = 8 * columns.bit_count() + BAND_COST * conflicts
    assert band_cost_of(task, U(magic), cost) == cost
    assert band_cost_of(task, U(magic), cost - 1) == REFUSED


@cache
def corner_shelf(scheme: str = "black") -> cols.Shelf:
    """Libraries of bishops by short annealings: three corners, b1's (not of 9 bits), d2."""
    cells = [cell_data(scheme, Piece.BISHOP, square, 9) for square in (A1, 7, 56, 63, D2)]
    efforts = bishops.EFFORTS.items()
    short = {size: one._replace(starts=6, candidates=3000) for size, one in efforts}
    with pytest.MonkeyPatch.context() as patch:
        set_all(patch, bishops, EFFORTS=short, WALKS=2, WALK_CANDIDATES=300, FILLINGS=4)
        return bishops.bishop_shelf([*cells, cell_data(scheme, Piece.BISHOP, 1, 5)], 1)


@pytest.mark.parametrize("scheme", ["white", "black"])
def test_every_magic_of_a_library_is_valid_and_claims_its_columns(scheme):
    shelf = corner_shelf(scheme)
    assert {A1, 7, 56, 63, D2} >= shelf.keys()
    assert shelf
    for library in shelf.values():
        check(library, scheme == "black", Piece.BISHOP)
    if scheme == "black":  # it follows from the seed
        again = corner_shelf.__wrapped__(scheme)
        assert all((again[n].magics == shelf[n].magics).all() for n in shelf)


def rook_h7() -> Placement:
    """Of `black`: whole columns of a page."""
    cell = cell_data("black", Piece.ROOK, 55, 12)
    return Placement.valid(cell, Choice(0x7D040003FC8CAE00, 0, 0))


def test_bishops_stand_in_free_columns_only_and_above_one_another():
    rook = rook_h7()
    rows = {slot % COLUMNS for slot in rook.used.tolist()}
    assert len(rows) < COLUMNS - 6
    placements, again = (
        bishops.in_free_columns("black", corner_shelf(), [rook], 1) for _ in range(2)
    )
    assert placements
    assert [s.choice for s in again] == [s.choice for s in placements]
    assert_disjoint([rook, *placements])
    for placement in placements:
        assert placement.offset % bishops.BAND == 0
        assert placement.end <= PAGE
        assert not {slot % COLUMNS for slot in placement.used.tolist()} & rows


def test_where_no_column_is_free_no_bishop_stands():
    shelf, wall = {A1: corner_shelf()[A1]}, np.arange(PAGE)
    assert bishops.in_free_columns("black", shelf, [], 1) == []
    for used in (wall, wall[wall % COLUMNS != 5]):  # one column is not enough
        assert bishops.in_free_columns("black", shelf, [replace(rook_h7(), used=used)], 1) == []


def test_behind_the_pages_there_is_room_for_all():
    # A rook that reaches over the end of its page by a few slots, as one that an offset turns.
    rook = rook_h7()
    over = rook.at(PAGE - rook.end + 5)
    placements = bishops.in_free_columns("black", corner_shelf(), [over], 1, behind=True)
    assert {placement.square for placement in placements} == set(corner_shelf())
    assert_disjoint([over, *placements])
    assert max(placement.end for placement in placements) <= PAGE + 2 * bishops.BAND
    # Without any rook they begin with the first band.
    first = bishops.in_free_columns("black", corner_shelf(), [], 1, behind=True)
    assert {placement.offset for placement in first} == {0}


def test_pages_are_judged_by_the_bishops_that_find_no_room(tmp_path):
    libraries = [library for n, library in corner_shelf().items() if n in (A1, 7, 56)]
    path = tmp_path / "bishops"
    cols.save_libraries(libraries, path)

    def judged(*pages: tuple[int, int]) -> tuple[int, ...]:
        placements = tuple(
            (bishops.PagePlacement(0, 0, columns, 0, least),) for columns, least in pages
        )
        return bishops.judged_with_bishops(path, placements)

    full, free, few = (WORD, COLUMNS), (0, 1), (WORD, 5)
    assert judged(full)[:2] == (1, sum(library.least for library in libraries))
    assert judged(full, free)[:2] == (2, 0)
    # Where there may be fewer pages, bishops do not count.
    assert judged(few, few)[:2] == (2, 0)
    assert judged(full, free) < judged(full, full)


# What the pages of the documentation say.

ROOT = Path(__file__).parents[2]
NOTEBOOK = (ROOT / "research" / "notebook" / "README.md").read_text()
SLIM = [
    (name, int(magic, 16), *(int(text.replace(",", "")) for text in counts))
    for name, magic, *counts in re.findall(
        r"^\| (b\d) \| `(0x[0-9a-f]{16})` \| ([\d,]+) \| \d+ \(([\d,]+)\) \|$", NOTEBOOK, re.M
    )
]


def test_the_page_says_where_the_entries_of_the_records_go(capsys, monkeypatch):
    script = ROOT / "benchmarks" / "bench_budget.py"
    monkeypatch.setattr(sys, "argv", [str(script)])
    runpy.run_path(str(script), run_name="__main__")
    printed = capsys.readouterr().out
    counted = re.findall(r"^  (?!with).*?  +([\d,]+) +[\d.]+%$", printed, re.M)
    page = (ROOT / "compact" / "README.md").read_text()
    section = page.split("## Where the entries go")[1].split("\n## ")[0]
    black, white = counted[:5], counted[5:]
    said = re.findall(r"\d[\d,]*\d", section)
    sums = [sum(int(n.replace(",", "")) for n in column) for column in (black, white)]
    assert [f"{total:,}" for total in sums] == [said[0], "88,745"]
    assert said[1:8] == [*black, "88,745", white[3]]


def test_the_slim_magics_of_the_b_file_are_valid_and_use_so_many_slots():
    assert len(SLIM) == 5
    for name, magic, slots, columns in SLIM:
        used, conflicts = plain(parse_square(name), magic, True)
        assert (len(used), conflicts) == (slots, 0)
        assert slots < columns
    slots, columns = (sum(row[n] for row in SLIM) for n in (2, 3))
    assert f"{slots:,} slots for five rooks instead of {columns:,}" in " ".join(NOTEBOOK.split())


@pytest.mark.parametrize("square", [48, 51, 46], ids=["a7", "d7", "g6"])
def test_no_magic_turns_a_white_rook(square):
    """Index 0 belongs to the empty board: column 0 is among the columns of every white set."""
    step = cols.WIDEST_STEP
    task = ColumnTask(cols.rook_lines(square, black=False), step, 300)
    start = U(cols.row_start(task.lines, step, np.random.default_rng(square)))
    magic, _ = cols.column_anneal(task, start, WalkEffort(40_000, 300.0, 6.0), U(1))
    found = np.empty((2, 1_000), U)
    met = cols.column_walk(task._replace(conflict=cols.FORBIDDEN), U(magic), 40, 4_000, U(1), found)
    assert met
    assert (found[1, :met] & U(1)).all()
