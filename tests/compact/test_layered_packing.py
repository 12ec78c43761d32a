"""The parts of layered packing, against plain dictionaries and trial."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import Piece, attack_set, mask, squares_of
from magicert.compact.kernels import WalkEffort
from magicert.compact.layered import dense as packing
from magicert.compact.layered import from_nothing
from magicert.compact.layered import pages as paging
from magicert.compact.layered.from_nothing import LayeredPlan, anneal_beside, seats_of
from magicert.compact.pages import columns as cols
from magicert.compact.progress import ALONE
from magicert.compact.seats import Choice, Seat, cell_data, subsets
from magicert.data import find_table
from magicert.occupancy import carry_rippler
from magicert.requests.packing.layered import (
    layered_layout,
)
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.table import read_table

U = np.uint64


WORD = (1 << 64) - 1


def some_sets(piece: Piece, square: int) -> list[int]:
    """Attack sets of an empty board, a full one, and some between."""
    subsets = list(carry_rippler(mask(piece, square)))
    chosen = [*subsets[:: max(1, len(subsets) // 40)], subsets[-1]]
    return [attack_set(piece, square, occupancy) for occupancy in chosen]


def test_who_always_agrees_agrees_on_every_board():
    assert paging.relation((Piece.ROOK, 58), (Piece.ROOK, 50)) == paging.MAYBE  # c8 c7
    assert paging.relation((Piece.ROOK, 0), (Piece.ROOK, 28)) == paging.NEVER
    keys = [(piece, square) for piece in Piece for square in range(64)]
    for one in keys[::21]:
        for other in keys:
            common = attack_set(*one, 0) & attack_set(*other, 0)
            asked = {a & common for key in (one, other) for a in some_sets(*key)}
            if one != other:
                assert (paging.relation(one, other) == paging.ALWAYS) == (len(asked) == 1)
            assert paging.relation(one, other) == paging.relation(other, one)


@pytest.mark.parametrize("scheme", ["black", "constant"])
def test_a_turn_moves_all_indexes_alike(scheme: str):
    random = np.random.default_rng(5)
    for square in range(64):
        step = cols.turn_step(scheme, square)
        cell = cell_data(scheme, Piece.ROOK, square, 12)
        magic = int(random.integers(1 << 63))
        if step == 64:
            continue
        if scheme == "constant":
            turned = cell.indexes(magic, step << 52)
        else:
            turned = cell.indexes((magic - (step << 52)) & WORD)
        assert (turned == (cell.indexes(magic) + step) % 4096).all()


def test_a_matching_pairs_every_square_once():
    costs = {pair: 10 + (sum(pair) * 7) % 13 for pair in paging.diagonal_pairs()}
    chosen = paging.best_matching(costs)
    assert sorted(square for pair in chosen for square in pair) == list(range(64))
    assert set(chosen) <= set(paging.diagonal_pairs())


def turned(columns: int, by: int) -> int:
    return (columns << by | columns >> (64 - by)) & WORD


def test_pairs_have_the_columns_they_say():
    random = np.random.default_rng(2)
    host, guest = (random.integers(1 << 62, size=n).astype(np.uint64) for n in (40, 50))
    found = np.zeros((20, 4), np.uint64)
    met, fewest = paging.find_pairs(host, guest, 8, 64, 20, 50, U(3), found)
    assert met == 20
    for union, one, other, turn in found.tolist():
        assert turn % 8 == 0
        assert union == int(host[one]) | turned(int(guest[other]), turn)
        every = [
            (int(host[one]) | turned(int(columns), by)).bit_count()
            for columns in guest
            for by in range(0, 64, 8)
        ]
        assert union.bit_count() == min(every) >= fewest
    used = turned(found.tolist()[4][0], 16) ^ WORD
    row, turn, columns = paging.best_pair(found, 16, U(used), 0, 20, 64)
    assert turned(found.tolist()[row][0], turn) & used == 0
    assert columns == found.tolist()[row][0].bit_count()


def one_magic(square: int, magics: list[int], scheme: str = "black") -> cols.Library:
    """A library of magics with the columns that they claim."""
    cell = cell_data(scheme, Piece.ROOK, square, 12)
    columns = []
    for magic in magics:
        used = cell.used_indexes(magic)
        assert used is not None
        columns.append(sum(1 << column for column in set((used % 64).tolist())))
    zero = np.zeros(len(magics), np.uint8)
    return cols.Library(square, np.array(columns, np.uint64), np.array(magics, np.uint64), zero)


def test_a_fit_agrees_with_the_page_and_needs_the_fewest_columns():
    layout = layered_layout(read_table(find_table("black")))
    magics = {seat.square: seat.choice.magic for seat in layout.seats if seat.piece is Piece.ROOK}
    shelf = {square: one_magic(square, [magics[square]]) for square in range(64)}
    placer = paging.Placer(shelf, {}, "black", np.random.default_rng(1))
    page = paging.Page()
    placer.add(page, 27, placer.place(27, 0, 0))
    whole = paging.LibraryEffort(1.0, 1000)
    for square in (28, 35, 36, 18, 43, 26):
        found = placer.fit(page, square, 64, whole)
        wanted = []
        for turn in range(0, 64, cols.turn_step("black", square)):
            place = placer.place(square, 0, turn)
            trial = page.copy()
            try:
                placer.add(trial, square, place)
            except AssertionError:
                continue
            wanted.append((place.columns & ~page.columns).bit_count())
        if paging.relation((Piece.ROOK, 27), (Piece.ROOK, square)) == paging.NEVER:
            wanted = [new for new in wanted if new == shelf[square].least]
        assert (found is None) == (not wanted)
        assert found is None or found[1] == min(wanted)


def one_magics(square: int, table: str = "black") -> Iterator[int]:
    """The magic of a rook in one of the shortest plain tables."""
    layout = layered_layout(read_table(find_table(table)))
    return (seat.choice.magic for seat in layout.seats if seat.key == (Piece.ROOK, square))


def test_blocks_are_shared_by_neighbours():
    cell = cell_data("black", Piece.ROOK, 27, 12)
    long = Seat.valid(cell, Choice(next(one_magics(27))))
    short = replace(long, used=long.used[: len(long.used) // 2])
    blocks = packing.Blocks({27: short, 36: long, 28: short})
    assert blocks.sizes([]) == {}
    assert blocks.sizes([27, 36]) == {(36, 27): long.end}
    assert blocks.entries([27, 28]) == 2 * short.end
    assert blocks.entries([0, 63]) == 0
    assert blocks.homeless([0, 27]) == {0}


@pytest.mark.parametrize("scheme", ["white", "black", "constant"])
def test_a_dense_rook_needs_few_entries_where_it_may_have_few_bits(scheme: str):
    seat = packing.densest(packing.DenseOrder(cell_data(scheme, Piece.ROOK, 44, 10), 1, Deadline()))
    assert seat is not None
    assert seat.slots[0] == 0
    assert seat.end <= 1024


def test_rooks_in_blocks_share_their_entries():
    rooks = [cell_data("constant", Piece.ROOK, square, 10) for square in (27, 36)]
    dense = [packing.densest(packing.DenseOrder(cell, 1, Deadline())) for cell in rooks]
    blocks = packing.Blocks({seat.square: seat for seat in dense if seat is not None})
    cells = {(cell.square.piece, cell.square.square): cell for cell in rooks}
    floor = packing.finish(cells, [], blocks, np.random.default_rng(1))
    assert set(floor.seats) == set(cells)
    assert floor.length == blocks.entries([27, 36]) <= 1024
    assert not (floor.ones & floor.zeros).any()


@pytest.mark.parametrize("scheme", ["white", "constant"])
def test_a_page_turns_its_rooks_as_the_buffer_does(scheme: str):
    cell = cell_data(scheme, Piece.ROOK, 9, 12)
    plan = LayeredPlan({(Piece.ROOK, 9): cell}, {}, scheme, 1, 0, 1, Deadline())
    library = one_magic(9, list(one_magics(9, "white")), scheme)
    placer = paging.Placer({9: library}, {}, scheme, np.random.default_rng(1))
    for turn in (0, 1, 63):
        page, place = paging.Page(), placer.place(9, 0, turn)
        placer.add(page, 9, place)
        (seat,) = seats_of(plan, [{}, {9: place}])
        at = seat.slots - paging.page_length(scheme)
        assert sorted(at.tolist()) == np.flatnonzero(page.ones).tolist()
        assert {1 << column for column in (at % 64).tolist()} == {
            1 << column for column in range(64) if place.columns >> column & 1
        }


def test_a_floor_forgets_who_was_taken_away():
    layout = layered_layout(read_table(find_table("layered_48036")))
    floor = packing.Floor(layout.seats, layout.length)
    again = packing.Floor(
        (seat for seat in layout.seats if seat.key != (Piece.ROOK, 27)), layout.length
    )
    taken = floor.take((Piece.ROOK, 27))
    assert (floor.ones == again.ones).all()
    assert (floor.zeros == again.zeros).all()
    assert floor.agrees(taken)
    assert not floor.agrees(taken.at(taken.offset + 1))


def test_a_bishop_finds_a_place_that_agrees():
    cells = [cell_data("black", Piece.BISHOP, square, 9) for square in (0, 1, 9)]
    layout = layered_layout(read_table(find_table("black")))
    rook = next(seat for seat in layout.seats if seat.key == (Piece.ROOK, 0))
    floor = packing.Floor([rook.at(0)], 1 << 14)
    random = np.random.default_rng(1)
    for cell in cells:
        seat = packing.seated(floor, cell, random)
        assert floor.agrees(seat)
        floor.put(seat)
    assert not (floor.ones & floor.zeros).any()


def test_squeezing_follows_from_the_seed_and_never_lengthens():
    layout = layered_layout(read_table(find_table("layered_48036")))
    cells = {seat.key: seat.cell for seat in layout.seats}
    bishops = (seat for seat in layout.seats if seat.piece is Piece.BISHOP)
    short = tuple(seat.at(seat.offset % 900) for seat in bishops if seat.square in (0, 3, 63))
    order = packing.SqueezeOrder(cells, short, (1, 2, 3), Deadline(), attempts=1)
    once, twice = packing.squeeze(order), packing.squeeze(order)
    choices = [sorted((seat.key, seat.choice) for seat in seats) for seats in (once, twice)]
    assert choices[0] == choices[1]
    assert packing.length_of(once) <= packing.length_of(short)
    floor = packing.Floor(once, packing.length_of(once))
    assert not (floor.ones & floor.zeros).any()


def test_rebuilding_places_rooks_and_follows_from_the_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(from_nothing, "STEPS", 3)
    layout = layered_layout(read_table(find_table("black")))
    magics = {seat.square: seat.choice.magic for seat in layout.seats if seat.piece is Piece.ROOK}
    shelf = {square: one_magic(square, [magics[square]]) for square in range(64)}
    path = tmp_path / "libraries"
    stock = from_nothing.Stock(shelf, {}, packing.Blocks({}))
    from_nothing.save_stock(stock, path)
    empty = from_nothing.PagedRooks(({}, {}))
    assert empty.left == frozenset(range(64))
    assert not empty.complete(packing.Blocks({}))
    order = from_nothing.RebuildOrder(path, "black", empty, (1, 2), Deadline())
    once, twice = from_nothing.rebuild(order), from_nothing.rebuild(order)
    assert once == twice
    assert once.cost(stock) < empty.cost(stock)
    placer = paging.Placer(shelf, {}, "black", np.random.default_rng(1))
    for places in once.pages:  # add asserts that all agree
        assert len(placer.page(places).places) == len(places) > 0
    with pytest.raises(BudgetOverError):
        from_nothing.rebuild(replace(order, deadline=Deadline.after(0)))


def test_an_empty_page_is_no_hindrance(tmp_path: Path):
    one = one_magic(9, list(one_magics(9)))
    stock = from_nothing.Stock(dict.fromkeys(range(64), one), {}, packing.Blocks({}))
    from_nothing.save_stock(stock, tmp_path / "libraries")
    place = paging.PagePlace(int(one.magics[0]), 0, int(one.columns[0]))
    board = from_nothing.PagedRooks(({}, {9: place}, {}))
    order = from_nothing.RebuildOrder(tmp_path / "libraries", "black", board, (1,), Deadline())
    work = from_nothing._Work(stock, order)
    for _ in range(40):
        assert work._chosen({9: 1})
        assert work._chosen({})


def test_a_page_is_given_up_if_what_stands_behind_fits_half_a_page():
    cell = cell_data("black", Piece.ROOK, 27, 12)
    seat = Seat.valid(cell, Choice(next(one_magics(27))))
    place = paging.PagePlace(0, 0, 1)
    for entries, spare in ((2048, True), (2049, False)):
        behind = replace(seat, used=np.array([entries - 1]))
        stock = from_nothing.Stock({}, {}, packing.Blocks({27: behind}))
        pages = ({square: place for square in range(64) if square != 27},) * 3
        board = from_nothing.PagedRooks(pages)
        assert board.entries(stock.blocks) == 3 * 4096 + entries
        assert from_nothing._page_to_spare(board, stock) == spare
        homeless = from_nothing.Stock({}, {}, packing.Blocks({}))
        assert not from_nothing._page_to_spare(board, homeless)


def test_a_complete_and_shorter_board_is_finished_when_its_time_has_come(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(from_nothing, "PAUSE", 0.0)
    lengths = iter([5000, 4000])
    finished = SimpleNamespace(seats={})
    monkeypatch.setattr(from_nothing, "seats_of", lambda *_: [])

    def finish_one(*_: object) -> SimpleNamespace:
        finished.length = next(lengths)
        return finished

    monkeypatch.setattr(from_nothing, "finish", finish_one)
    found: list[int] = []
    plan = LayeredPlan({}, {}, "black", 1, 0, 1, Deadline())
    stock = from_nothing.Stock({}, {}, packing.Blocks({}))
    shortest = from_nothing._Shortest(plan, stock, lambda _, rounds: found.append(rounds), ALONE)
    everybody = {square: paging.PagePlace(0, 0, 1) for square in range(64)}
    shortest.offer(from_nothing.PagedRooks(({},)), 1)
    assert not shortest.due
    shortest.offer(from_nothing.PagedRooks((everybody, {})), 2)
    assert not shortest.due  # a while has to pass first
    shortest.seat()
    shortest.offer(from_nothing.PagedRooks((everybody, {})), 3)  # no shorter
    assert not shortest.due
    shortest.offer(from_nothing.PagedRooks((everybody,)), 4)
    assert shortest.due
    shortest.seat()
    shortest.seat()
    assert found == [2, 4]


U = np.uint64
SQUARES = st.integers(0, 63)
WORDS = st.integers(0, WORD)
ANNEALING = WalkEffort(20_000, 200.0, 6.0)


def file_sets(square: int) -> list[set[int]]:
    """For each attack set of the file, all attack sets of the rook with it."""
    on_file = paging.A_FILE << (square & 7)
    board = mask(Piece.ROOK, square)
    found: dict[int, set[int]] = {}
    for occupancy in subsets(squares_of(board)):
        alone = attack_set(Piece.ROOK, square, occupancy & on_file)
        found.setdefault(alone, set()).add(attack_set(Piece.ROOK, square, occupancy))
    return [found[alone] for alone in sorted(found)]


@settings(max_examples=12, deadline=None)
@given(SQUARES, SQUARES)
def test_classes_agree_where_no_two_positions_contradict_each_other(one: int, other: int):
    common = attack_set(Piece.ROOK, one, 0) & attack_set(Piece.ROOK, other, 0)
    its = [{attacks & common for attacks in sets} for sets in file_sets(other)]
    for own, agree in zip(file_sets(one), paging.classes_agree(one, other), strict=True):
        asked = {attacks & common for attacks in own}
        assert agree.tolist() == [len(asked | sets) == 1 for sets in its]


def claimed_by_class(square: int, magic: int) -> list[int]:
    """The columns that each attack set of the file claims under black, position by position."""
    cell = cell_data("black", Piece.ROOK, square, 12)
    on_file = U(paging.A_FILE << (square & 7))
    alone = [attack_set(Piece.ROOK, square, int(o & on_file)) for o in cell.square.occupancies]
    numbers = {attacks: n for n, attacks in enumerate(sorted(set(alone)))}
    columns = [0] * len(numbers)
    for attacks, index in zip(alone, cell.indexes(magic).tolist(), strict=True):
        columns[numbers[attacks]] |= 1 << index % cols.COLUMNS
    return columns


@settings(max_examples=30, deadline=None)
@given(SQUARES, st.integers(4, 6), st.lists(WORDS, min_size=16, max_size=16), WORDS, WORDS)
def test_only_empty_columns_cost_and_blocked_ones_are_conflicts(
    square: int, step: int, blocked: list[int], empty: int, seed: int
):
    lines = cols.rook_lines(square, True)
    start = U(cols.row_start(lines, step, np.random.default_rng(seed)))
    plain = cols.ColumnTask(lines, step, 300)
    magic, _ = cols.column_anneal(plain, start, WalkEffort(3_000, 300.0, 6.0), U(seed))
    before, columns = cols.column_cost(plain, U(magic), 1 << 40, cols.new_column_scratch())
    if before != cols.COLUMNS * int(columns).bit_count():
        return  # no magic
    few = np.array(blocked, U) & np.roll(np.array(blocked, U), 1)
    task = plain._replace(blocked=few, empty=U(empty))
    cost, same = cols.column_cost(task, U(magic), 1 << 40, cols.new_column_scratch())
    assert same == columns
    by_class = claimed_by_class(square, int(magic))
    bad = any(own & int(few[n]) for n, own in enumerate(by_class))
    free = cols.COLUMNS * (int(columns) & empty).bit_count()
    assert cost == free if not bad else cost >= free + 300
    exact = task._replace(conflict=cols.FORBIDDEN)
    found = np.empty((2, 1), U)
    assert cols.column_walk(exact, U(magic), cols.COLUMNS, 1, U(1), found) == (not bad)


def libraries(squares: list[int], black: bool) -> dict[int, cols.Library]:
    """A library of one magic that a short annealing comes to, for each square."""
    shelf = {}
    for square in squares:
        random = np.random.default_rng(square)
        task = cols.ColumnTask(cols.rook_lines(square, black), 6, 300)
        found = None
        while found is None:
            found = cols.annealed(
                task,
                cols.row_start(task.lines, 6, random),
                ANNEALING,
                cols.COLUMNS,
                1,
            )
        magic, columns = np.array(found, U)[:, None]
        shelf[square] = cols.Library(square, columns, magic, np.zeros(1, np.uint8))
    return shelf


@pytest.mark.parametrize("scheme", ["white", "black", "constant"])
def test_an_annealed_magic_agrees_with_the_page_and_needs_what_it_says(scheme: str):
    # d3 always agrees with c4, d2 may, h8 never does.
    c4, d3, d2, h8 = 26, 19, 11, 63
    shelf = libraries([c4, d3, d2, h8], scheme == "black")
    placer, page = paging.Placer(shelf, {}, scheme, np.random.default_rng(1)), paging.Page()
    placer.add(page, c4, placer.place(c4, 0, 0))
    fewer = shelf[h8].least - 1
    assert anneal_beside(placer, page, h8, fewer, ANNEALING) is None  # nothing to share
    for square in (d3, d2):
        found = [anneal_beside(placer, page, square, cols.COLUMNS, ANNEALING) for _ in range(8)]
        assert any(found)
        for place, new in filter(None, found):
            trial = page.copy()
            placer.add(trial, square, place)  # asserts that all agree
            assert (place.columns & ~page.columns).bit_count() == new
            assert trial.columns == page.columns | place.columns
            assert square != d3 or new < place.columns.bit_count()
