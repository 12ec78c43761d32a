"""The parts of layered packing, against plain dictionaries and trial."""

from dataclasses import replace
from functools import cache, partial
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD, squares_of
from magicert.chess import Piece, attack_set, mask
from magicert.compact.kernels import WalkEffort
from magicert.compact.layouts import Layout
from magicert.compact.pages import columns as cols
from magicert.compact.placements import Placement, cell_data, subsets
from magicert.compact.progress import ALONE
from magicert.data import find_table
from magicert.occupancy import carry_rippler
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.table import read_table
from research.packing.layered import dense as packing
from research.packing.layered import from_nothing
from research.packing.layered import pages as paging
from research.packing.layered.from_nothing import LayeredPlan, anneal_beside, placements_of
from research.packing.layered_job import layered_layout

U = np.uint64


@cache
def layout(name: str) -> Layout:
    return layered_layout(read_table(find_table(name)))


@cache
def rook(square: int, table: str = "black") -> Placement:
    """A rook of one of the shortest plain tables, at the buffer's start."""
    (placement,) = (
        placement for placement in layout(table).placements if placement.key == (Piece.ROOK, square)
    )
    return placement.at(0)


def some_sets(piece: Piece, square: int) -> list[int]:
    """Attack sets of an empty board, a full one, and some between."""
    every = list(carry_rippler(mask(piece, square)))
    chosen = [*every[:: max(1, len(every) // 20)], every[-1]]
    return [attack_set(piece, square, occupancy) for occupancy in chosen]


def test_who_always_agrees_agrees_on_every_board():
    assert paging.relation((Piece.ROOK, 58), (Piece.ROOK, 50)) == paging.MAYBE  # c8 c7
    assert paging.relation((Piece.ROOK, 0), (Piece.ROOK, 28)) == paging.NEVER
    sets = {(piece, square): some_sets(piece, square) for piece in Piece for square in range(64)}
    for one in list(sets)[::21]:
        for other in sets.keys() - {one}:
            common = attack_set(*one, 0) & attack_set(*other, 0)
            asked = {attacks & common for attacks in sets[one] + sets[other]}
            relation = paging.relation(one, other)
            assert (relation == paging.ALWAYS) == (len(asked) == 1)
            assert relation == paging.relation(other, one)


def test_a_turn_moves_all_indexes_alike():
    random = np.random.default_rng(5)
    for scheme, square in product(("black", "constant"), range(64)):
        step, magic = cols.turn_step(scheme, square), int(random.integers(1 << 63))
        if step < 64:
            cell = cell_data(scheme, Piece.ROOK, square, 12)
            by = (magic, step << 52) if scheme == "constant" else ((magic - (step << 52)) & WORD,)
            assert (cell.indexes(*by) == (cell.indexes(magic) + step) % 4096).all()


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


def one_magic(square: int, magic: int, scheme: str = "black") -> cols.Library:
    """A library of a magic with the columns that it claims."""
    used = cell_data(scheme, Piece.ROOK, square, 12).used_indexes(magic)
    assert used is not None
    columns = sum(1 << column for column in set((used % 64).tolist()))
    return library(square, columns, magic)


def library(square: int, columns: int, magic: int) -> cols.Library:
    zero = np.zeros(1, np.uint8)
    return cols.Library(square, np.array([columns], U), np.array([magic], U), zero)


@cache
def black_shelf() -> dict[int, cols.Library]:
    return {square: one_magic(square, rook(square).choice.magic) for square in range(64)}


def placer_of(shelf: dict[int, cols.Library], scheme: str = "black") -> paging.Placer:
    return paging.Placer(shelf, {}, scheme, np.random.default_rng(1))


def test_a_fit_agrees_with_the_page_and_needs_the_fewest_columns():
    placer, page = placer_of(black_shelf()), paging.Page()
    placer.add(page, 27, placer.place(27, 0, 0))
    for square in (28, 35, 36, 18, 43, 26):
        found = placer.fit(page, square, 64, paging.LibraryEffort(1.0, 1000))
        wanted = []
        for turn in range(0, 64, cols.turn_step("black", square)):
            place, trial = placer.place(square, 0, turn), page.copy()
            try:
                placer.add(trial, square, place)
            except AssertionError:
                continue
            wanted.append((place.columns & ~page.columns).bit_count())
        if paging.relation((Piece.ROOK, 27), (Piece.ROOK, square)) == paging.NEVER:
            wanted = [new for new in wanted if new == black_shelf()[square].least]
        assert (found is None) == (not wanted)
        assert found is None or found[1] == min(wanted)


def test_blocks_are_shared_by_neighbours():
    long = rook(27)
    short = replace(long, used=long.used[: len(long.used) // 2])
    blocks = packing.Blocks({27: short, 36: long, 28: short})
    assert blocks.sizes([]) == {}
    assert blocks.sizes([27, 36]) == {(36, 27): long.end}
    assert blocks.entries([27, 28]) == 2 * short.end
    assert blocks.entries([0, 63]) == 0
    assert blocks.homeless([0, 27]) == {0}


@pytest.mark.parametrize("scheme", ["white", "black", "constant"])
def test_rooks_of_few_bits_are_dense_and_share_their_entries_in_blocks(scheme):
    squares = (27, 36) if scheme == "constant" else (44,)
    cells = {(Piece.ROOK, n): cell_data(scheme, Piece.ROOK, n, 10) for n in squares}
    dense = {}
    for (_, square), cell in cells.items():
        placement = packing.densest(1, Deadline(), cell)
        assert placement is not None
        assert placement.slots[0] == 0
        assert placement.end <= 1024
        dense[square] = placement
    blocks = packing.Blocks(dense)
    shared = packing.finish(cells, [], blocks, np.random.default_rng(1))
    assert set(shared.placements) == set(cells)
    assert shared.length == blocks.entries(squares) <= 1024
    assert not (shared.ones & shared.zeros).any()


@pytest.mark.parametrize("scheme", ["white", "constant"])
def test_a_page_turns_its_rooks_as_the_buffer_does(scheme):
    cells = {(Piece.ROOK, 9): cell_data(scheme, Piece.ROOK, 9, 12)}
    plan = LayeredPlan(cells, {}, scheme, 1, 0, 1, Deadline())
    placer = placer_of({9: one_magic(9, rook(9, "white").choice.magic, scheme)}, scheme)
    for turn in (0, 1, 63):
        page, place = paging.Page(), placer.place(9, 0, turn)
        placer.add(page, 9, place)
        (placement,) = placements_of(plan, [{}, {9: place}])
        at = placement.slots - paging.page_length(scheme)
        assert sorted(at.tolist()) == np.flatnonzero(page.ones).tolist()
        assert sum(1 << column for column in set((at % 64).tolist())) == place.columns


def test_a_buffer_forgets_who_was_taken_away():
    placements, length = layout("layered_48036").placements, layout("layered_48036").length
    shared = packing.SharedBuffer(placements, length)
    without = packing.SharedBuffer(
        (placement for placement in placements if placement.key != (Piece.ROOK, 27)), length
    )
    taken = shared.take((Piece.ROOK, 27))
    assert (shared.ones == without.ones).all()
    assert (shared.zeros == without.zeros).all()
    assert shared.agrees(taken)
    assert not shared.agrees(taken.at(taken.offset + 1))


def test_a_bishop_finds_a_place_that_agrees():
    shared, random = packing.SharedBuffer([rook(0)], 1 << 14), np.random.default_rng(1)
    for square in (0, 1, 9):
        placement = packing.placed(shared, cell_data("black", Piece.BISHOP, square, 9), random)
        assert shared.agrees(placement)
        shared.put(placement)
    assert not (shared.ones & shared.zeros).any()


def test_squeezing_follows_from_the_seed_and_never_lengthens():
    corners = [(Piece.BISHOP, square) for square in (0, 3, 63)]
    placements = {placement.key: placement for placement in layout("layered_48036").placements}
    short = tuple(placements[key].at(placements[key].offset % 900) for key in corners)
    once, twice = (packing.squeeze(short, Deadline(), (1, 2, 3), attempts=1) for _ in range(2))
    choices = [
        sorted((placement.key, placement.choice) for placement in found) for found in (once, twice)
    ]
    assert choices[0] == choices[1]
    assert packing.length_of(once) <= packing.length_of(short)
    shared = packing.SharedBuffer(once, packing.length_of(once))
    assert not (shared.ones & shared.zeros).any()


def test_rebuilding_places_rooks_and_follows_from_the_seed(tmp_path, monkeypatch):
    monkeypatch.setattr(from_nothing, "STEPS", 3)
    parts = from_nothing.BoardParts(black_shelf(), {}, packing.Blocks({}))
    from_nothing.save_parts(parts, tmp_path / "libraries")
    empty = from_nothing.PagedRooks(({}, {}))
    assert empty.left == frozenset(range(64))
    assert not empty.complete(packing.Blocks({}))
    path = tmp_path / "libraries"
    rebuild = partial(from_nothing.rebuild, path, "black", empty, seed=(1, 2))
    once, twice = rebuild(Deadline()), rebuild(Deadline())
    assert once == twice
    assert once.cost(parts) < empty.cost(parts)
    for places in once.pages:  # page asserts that all agree
        assert len(placer_of(black_shelf()).page(places).places) == len(places) > 0
    with pytest.raises(BudgetOverError):
        rebuild(Deadline.after(0))


def test_an_empty_page_is_no_hindrance():
    one = black_shelf()[9]
    parts = from_nothing.BoardParts(dict.fromkeys(range(64), one), {}, packing.Blocks({}))
    place = paging.PagePlace(int(one.magics[0]), 0, int(one.columns[0]))
    board = from_nothing.PagedRooks(({}, {9: place}, {}))
    work = from_nothing._Work(parts, "black", board, (1,))
    for _ in range(40):
        assert work._chosen({9: 1})
        assert work._chosen({})


def test_a_page_is_given_up_if_what_stands_behind_fits_half_a_page():
    places = {square: paging.PagePlace(0, 0, 1) for square in range(64) if square != 27}
    board = from_nothing.PagedRooks((places,) * 3)
    for entries, spare in ((2048, True), (2049, False)):
        behind = packing.Blocks({27: replace(rook(27), used=np.array([entries - 1]))})
        assert board.entries(behind) == 3 * 4096 + entries
        for blocks, expected in ((behind, spare), (packing.Blocks({}), False)):
            parts = from_nothing.BoardParts({}, {}, blocks)
            assert from_nothing._page_to_spare(board, parts) == expected


def test_a_complete_and_shorter_board_is_finished_when_its_time_has_come(monkeypatch):
    monkeypatch.setattr(from_nothing, "PAUSE", 0.0)
    lengths = iter([5000, 4000])
    finished = SimpleNamespace(placements={})
    monkeypatch.setattr(from_nothing, "placements_of", lambda *_: [])

    def finish_one(*_: object) -> SimpleNamespace:
        finished.length = next(lengths)
        return finished

    monkeypatch.setattr(from_nothing, "finish", finish_one)
    found: list[int] = []
    plan = LayeredPlan({}, {}, "black", 1, 0, 1, Deadline())
    parts = from_nothing.BoardParts({}, {}, packing.Blocks({}))
    shortest = from_nothing._Shortest(plan, parts, lambda _, rounds: found.append(rounds), ALONE)
    everybody = {square: paging.PagePlace(0, 0, 1) for square in range(64)}
    shortest.offer(from_nothing.PagedRooks(({},)), 1)
    assert not shortest.due
    shortest.offer(from_nothing.PagedRooks((everybody, {})), 2)
    assert not shortest.due  # a while has to pass first
    shortest.placement()
    shortest.offer(from_nothing.PagedRooks((everybody, {})), 3)  # no shorter
    assert not shortest.due
    shortest.offer(from_nothing.PagedRooks((everybody,)), 4)
    assert shortest.due
    shortest.placement()
    shortest.placement()
    assert found == [2, 4]


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
def test_classes_agree_where_no_two_positions_contradict_each_other(one, other):
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
    columns = dict.fromkeys(sorted(set(alone)), 0)
    for attacks, index in zip(alone, cell.indexes(magic).tolist(), strict=True):
        columns[attacks] |= 1 << index % cols.COLUMNS
    return list(columns.values())


@settings(max_examples=30, deadline=None)
@given(SQUARES, st.integers(4, 6), st.lists(WORDS, min_size=16, max_size=16), WORDS, WORDS)
def test_only_empty_columns_cost_and_blocked_ones_are_conflicts(square, step, blocked, empty, seed):
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


def annealed(square: int, black: bool) -> cols.Library:
    """A library of one magic that a short annealing comes to."""
    random = np.random.default_rng(square)
    task = cols.ColumnTask(cols.rook_lines(square, black), 6, 300)
    while True:
        start = cols.row_start(task.lines, 6, random)
        if found := cols.anneal_columns(task, start, ANNEALING, cols.COLUMNS, np.uint64(1)):
            return library(square, int(found[1]), int(found[0]))


@pytest.mark.parametrize("scheme", ["white", "black", "constant"])
def test_an_annealed_magic_agrees_with_the_page_and_needs_what_it_says(scheme):
    # d3 always agrees with c4, d2 may, h8 never does.
    c4, d3, d2, h8 = 26, 19, 11, 63
    shelf = {square: annealed(square, scheme == "black") for square in (c4, d3, d2, h8)}
    placer, page = placer_of(shelf, scheme), paging.Page()
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
