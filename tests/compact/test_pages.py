"""Rooks in whole columns: the kernels against plain integers and sets, libraries and pages."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD, Piece, attack_set, mask
from magicert.compact.anneal import arrays_of, new_scratch
from magicert.compact.kernels import REFUSED, WalkEffort, entry
from magicert.compact.pages import bishops as bishops_module
from magicert.compact.pages import columns as columns_module
from magicert.compact.pages import interleave as interleave_module
from magicert.compact.pages.bishops import (
    BAND,
    EFFORTS,
    BandTask,
    Limits,
    Page,
    PageSeat,
    Sets,
    band_columns,
    band_cost,
    bishop_shelf,
    disjoint,
    fill_all,
    in_free_columns,
    judged_with_bishops,
    refill,
    score,
    worth,
)
from magicert.compact.pages.columns import (
    COLUMNS,
    FORBIDDEN,
    PAGE,
    ColumnTask,
    Library,
    LibraryOrder,
    Shelf,
    as_library,
    collect,
    column_anneal,
    column_cost,
    new_column_scratch,
    rook_lines,
    row_start,
    save_libraries,
    slot_step,
    turned,
    turned_seat,
)
from magicert.compact.pages.interleave import (
    ANY,
    STEP,
    best_turn,
    half_cost,
    half_library,
    half_walk,
    interleaved,
)
from magicert.compact.progress import ALONE, FOREVER, Crew
from magicert.compact.seats import Choice, Seat, Words, cell_data
from magicert.compact.start import (
    PAIR,
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
    used, conflicts = plain(square, int(magic), black)
    price, columns = cost(square, int(magic), step, black)
    if price < CONFLICT:
        assert not conflicts
        assert columns == as_bits({index % COLUMNS for index in used})
        assert price == COLUMNS * columns.bit_count()
    if conflicts:
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
        used, conflicts = plain(square, magic, black)
        assert not conflicts
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


U = np.uint64
B4, B5, B6, D4, G2 = 25, 33, 41, 27, 14
B4_MAGIC, B5_MAGIC = 0x007FFA403FFFE000, 0x91FFFF8403FFFE8
"""Found by this search: 24 columns of b4's are half in use, and of b5's."""


@entry
def half_cost_of(task: ColumnTask, magic: int, limit: int) -> int:
    return half_cost(task, magic, limit, new_column_scratch())


@given(st.sampled_from([B4, B5, B6, G2]), st.integers(0, 1 << 32))
@settings(max_examples=40, deadline=None)
def test_a_conflict_is_never_missed(square: int, seed: int):
    lines = rook_lines(square, True)
    magic = row_start(lines, STEP, np.random.default_rng(seed))
    if plain(square, magic, True)[1]:
        found = half_cost_of(ColumnTask(lines, STEP, FORBIDDEN), U(magic), ANY)
        assert found == REFUSED or found >= FORBIDDEN


@pytest.mark.parametrize(("square", "magic"), [(B4, B4_MAGIC), (B5, B5_MAGIC)])
def test_a_walk_meets_magics_only_that_cost_no_more(square: int, magic: int):
    """A cost is that of the slots modulo 1,024, and of columns."""
    task = ColumnTask(rook_lines(square, True), STEP, FORBIDDEN)
    most = half_cost_of(task, U(magic), ANY)
    assert most < 64 * 16  # its whole columns
    found = np.empty(50, U)
    met = half_walk(task, U(magic), most, 5_000, U(1), found)
    assert met > 1
    for one in found[:met].tolist():
        slots, conflicts = plain(square, one, True)
        assert not conflicts
        cost = 4 * len({n % 1024 for n in slots}) + 2 * len({n % COLUMNS for n in slots})
        assert half_cost_of(task, U(one), cost) == cost <= most
        assert half_cost_of(task, U(one), cost - 1) == REFUSED


slots = st.sets(st.integers(0, PAGE - 1), min_size=1, max_size=40)


@given(slots, slots)
@settings(max_examples=40, deadline=None)
def test_the_best_turn_is_the_best_of_all_turns(host: set[int], guest: set[int]):
    taken = np.zeros(PAGE, np.bool_)
    taken[list(host)] = True
    own = {slot % COLUMNS for slot in host}
    turn, count, union = best_turn(
        taken, U(sum(1 << n for n in own)), np.array(sorted(guest), np.int64)
    )
    turned = [{(slot + by) % PAGE for slot in guest} for by in range(PAGE)]
    free = [len(own | {n % COLUMNS for n in one}) for one in turned if not one & host]
    assert count == min(free, default=COLUMNS + 1)
    if free:
        assert not turned[turn] & host
        assert own | {n % COLUMNS for n in turned[turn]} == {
            n for n in range(COLUMNS) if int(union) >> n & 1
        }


def test_where_everything_is_taken_no_turn_is_found():
    taken = np.ones(PAGE, np.bool_)
    turn, count, union = best_turn(taken, U(WORD), np.array([5], np.int64))
    assert (turn, count, union) == (0, COLUMNS + 1, 0)


def test_what_needs_more_than_whole_columns_has_no_half_library():
    assert half_library(FOREVER, (D4, 12, 1)) is None  # its rank has a gap


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half libraries from magics that are known."""

    def walked(square: int, magic: int) -> Words:
        task, found = ColumnTask(rook_lines(square, True), STEP, FORBIDDEN), np.empty(2000, U)
        most = half_cost_of(task, U(magic), ANY)
        return np.unique(found[: half_walk(task, U(magic), most, 4_000, U(2), found)])

    def library(_deadline: object, order: tuple[int, int, int]) -> object:
        magics = {B4: B4_MAGIC, B5: B5_MAGIC}.get(order[0])
        if magics is None:
            return None
        cell = cell_data("black", Piece.ROOK, order[0], 12)
        return interleave_module.by_classes(cell, walked(order[0], magics))

    monkeypatch.setattr(interleave_module, "half_library", library)
    monkeypatch.setattr(interleave_module, "TRIES", 400)


def whole(square: int, least: int) -> Library:
    columns = np.array([(1 << least) - 1], U)
    return Library(square, columns, columns, np.zeros(1, np.uint8))


@pytest.mark.usefixtures("known")
def test_two_rooks_that_interleave_share_columns_and_no_slot():
    shelf = {square: whole(square, 16) for square in (B4, B5, B6)}
    pair = interleaved(shelf, 1, ALONE)
    assert pair is not None
    assert pair.pairs.key == (B4, B5)
    assert pair.pairs.least == 24
    library = as_library(pair.pairs, PAIR, 1)
    for at in range(0, len(library.columns), max(1, len(library.columns) // 8)):
        columns = int(library.columns[at])
        seat = PageSeat(PAIR, int(library.magics[at]), columns, int(library.turns[at]), 24)
        seats = Paged("black", ((seat,),), pair).seats
        assert {one.square for one in seats} == {B4, B5}
        used = [slot for one in seats for slot in one.slots.tolist()]
        assert len(used) == len(set(used))
        assert {slot % COLUMNS for slot in used} <= {n for n in range(64) if columns >> n & 1}
        assert max(used) < PAGE + 2 * slot_step("black", B5)
    again = interleaved(shelf, 1, ALONE)
    assert again is not None
    assert (again.pairs.rows == pair.pairs.rows).all()


@pytest.mark.usefixtures("known")
def test_rooks_that_save_nothing_do_not_interleave():
    assert interleaved({square: whole(square, 12) for square in (B4, B5)}, 1, ALONE) is None
    assert interleaved({B4: whole(B4, 16)}, 1, ALONE) is None


@given(st.integers(0, PAGE - 1))
@settings(max_examples=20, deadline=None)
def test_a_turned_rook_has_every_slot_further_on(turn: int):
    cell = cell_data("black", Piece.ROOK, B4, 12)
    before, _ = plain(B4, B4_MAGIC, True)
    seat = turned_seat(cell, B4_MAGIC, turn, 3)
    slots = set((seat.slots - 3 * PAGE).tolist())
    assert {slot % PAGE for slot in slots} == {(slot + turn) % PAGE for slot in before}
    assert all(0 <= slot < PAGE + slot_step("black", B4) for slot in slots)


U = np.uint64
SCHEMES = st.sampled_from(["white", "black"])
A1, D2, E4 = 0, 11, 28


def plain_bishop(scheme: str, square: int, magic: int) -> tuple[set[int], int]:
    """The columns of a magic and its conflicts."""
    used, conflicts = plain(square, magic, scheme == "black", Piece.BISHOP)
    return {index % COLUMNS for index in used}, conflicts


def task(scheme: str, square: int, conflict: int = 24) -> BandTask:
    return BandTask(arrays_of(cell_data(scheme, Piece.BISHOP, square, 9)), conflict)


@entry
def band_cost_of(given: BandTask, magic: int, limit: int) -> int:
    return band_cost(given, magic, limit, new_scratch(given.cell))


@given(SCHEMES, st.sampled_from([A1, D2, E4]), st.integers(0, WORD))
@settings(max_examples=25, deadline=None)
def test_the_kernel_counts_columns_and_conflicts(scheme: str, square: int, magic: int):
    columns, conflicts = plain_bishop(scheme, square, magic)
    found = int(band_columns(task(scheme, square), U(magic)))
    assert {n for n in range(COLUMNS) if found >> n & 1} == columns
    cost = 8 * len(columns) + 24 * conflicts
    assert band_cost_of(task(scheme, square), U(magic), cost) == cost
    assert band_cost_of(task(scheme, square), U(magic), cost - 1) == REFUSED


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short annealings."""
    short = {size: one._replace(starts=6, candidates=3000) for size, one in EFFORTS.items()}
    for name, small in (("EFFORTS", short), ("WALKS", 2), ("WALKED", 300), ("WAYS", 4)):
        monkeypatch.setattr(bishops_module, name, small)


@pytest.mark.parametrize("scheme", ["white", "black"])
@pytest.mark.usefixtures("few")
def test_every_magic_of_a_library_is_valid_and_claims_its_columns(scheme: str):
    cells = [cell_data(scheme, Piece.BISHOP, square, 9) for square in (A1, D2, E4)]
    cells.append(cell_data(scheme, Piece.BISHOP, 1, 5))  # not of 9 bits
    shelf = bishop_shelf(cells, 1)
    assert {A1, D2, E4} >= shelf.keys()  # the other is not of 9 bits
    assert shelf
    for square, library in shelf.items():
        assert len(set(library.columns.tolist())) == len(library.columns)
        rows = zip(library.columns.tolist(), library.magics.tolist(), strict=True)
        for columns, magic in list(rows)[:20]:
            claimed, conflicts = plain_bishop(scheme, square, magic)
            assert conflicts == 0
            assert {n for n in range(COLUMNS) if columns >> n & 1} == claimed
    again = bishop_shelf(cells, 1)
    assert all((again[n].magics == shelf[n].magics).all() for n in shelf)


def library_of(seat: Seat) -> Library:
    columns = sum(1 << column for column in {slot % COLUMNS for slot in seat.used.tolist()})
    turns = np.zeros(1, np.uint8)
    return Library(seat.square, np.array([columns], U), np.array([seat.choice.magic], U), turns)


@pytest.mark.usefixtures("few")
def test_bishops_stand_in_free_columns_only_and_above_one_another():
    cells = [cell_data("black", Piece.BISHOP, square, 9) for square in (A1, 7, 56, 63, D2)]
    shelf = bishop_shelf(cells, 1)
    rook = Seat.valid(cell_data("black", Piece.ROOK, 55, 12), Choice(ROOK_H7, 0, 0))
    rows = {slot % COLUMNS for slot in rook.used.tolist()}
    assert len(rows) < COLUMNS - 6
    seats = in_free_columns("black", shelf, [rook], 1)
    assert seats
    used = rook.used.tolist()
    for seat in seats:
        assert seat.offset % BAND == 0
        assert seat.end <= PAGE
        assert not {slot % COLUMNS for slot in seat.used.tolist()} & rows
        used += (seat.used + seat.offset).tolist()
    assert len(used) == len(set(used))
    assert [s.choice for s in in_free_columns("black", shelf, [rook], 1)] == [
        s.choice for s in seats
    ]


ROOK_H7 = 0x7D040003FC8CAE00
"""Of `black`: whole columns of a page."""


@pytest.mark.usefixtures("few")
def test_where_no_column_is_free_no_bishop_stands():
    cell = cell_data("black", Piece.BISHOP, A1, 9)
    shelf: Shelf = bishop_shelf([cell], 1)
    everything = Seat.valid(cell, Choice(int(shelf[A1].magics[0]), 0, 0))
    assert in_free_columns("black", shelf, [], 1) == []
    wall = np.arange(PAGE)
    object.__setattr__(everything, "used", wall)
    assert in_free_columns("black", shelf, [everything], 1) == []
    wall = wall[wall % COLUMNS != 5]  # one column is not enough
    object.__setattr__(everything, "used", wall)
    assert in_free_columns("black", shelf, [everything], 1) == []


@pytest.mark.usefixtures("few")
def test_behind_the_pages_there_is_room_for_all():
    cells = [cell_data("black", Piece.BISHOP, square, 9) for square in (A1, 7, 56, 63, D2)]
    shelf = bishop_shelf(cells, 1)
    # A rook that reaches over the end of its page by a few slots, as one that an offset turns.
    rook = Seat.valid(cell_data("black", Piece.ROOK, 55, 12), Choice(ROOK_H7, 0, 0))
    over = rook.at(PAGE - rook.end + 5)
    seats = in_free_columns("black", shelf, [over], 1, behind=True)
    assert {seat.square for seat in seats} == set(shelf)
    used = over.slots.tolist() + [slot for seat in seats for slot in seat.slots.tolist()]
    assert len(used) == len(set(used))
    assert max(seat.end for seat in seats) <= PAGE + 2 * BAND
    # Without any rook they begin with the first band.
    first = in_free_columns("black", shelf, [], 1, behind=True)
    assert {seat.offset for seat in first} == {0}


@pytest.mark.usefixtures("few")
def test_pages_are_judged_by_the_bishops_that_find_no_room(tmp_path: Path):
    shelf = bishop_shelf([cell_data("black", Piece.BISHOP, n, 9) for n in (A1, 7, 56)], 1)
    path = tmp_path / "bishops"
    save_libraries([*shelf.values()], path)

    def page(columns: int, least: int) -> Page:
        return (PageSeat(0, 0, columns, 0, least),)

    everything = (1 << COLUMNS) - 1
    wanted = sum(library.least for library in shelf.values())
    full, free = page(everything, COLUMNS), page(0, 1)
    assert judged_with_bishops(path, (full,))[:2] == (1, wanted)
    assert judged_with_bishops(path, (full, free))[:2] == (2, 0)
    # Where there may be fewer pages, bishops do not count.
    assert judged_with_bishops(path, (page(everything, 5), page(everything, 5)))[:2] == (2, 0)
    assert judged_with_bishops(path, (full, free)) < judged_with_bishops(path, (full, full))
