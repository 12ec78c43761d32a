"""Rooks annealed for a page with others, against plain trial."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import Piece, attack_set, mask, squares_of
from magicert.compact.kernels import WalkEffort
from magicert.compact.layered.from_nothing import anneal_beside
from magicert.compact.layered.pages import A_FILE, Page, Placer, classes_agree
from magicert.compact.pages.columns import (
    COLUMNS,
    FORBIDDEN,
    ColumnTask,
    Library,
    annealed,
    column_anneal,
    column_cost,
    column_walk,
    new_column_scratch,
    rook_lines,
    row_start,
)
from magicert.compact.seats import cell_data, subsets

U = np.uint64
SQUARES = st.integers(0, 63)
WORDS = st.integers(0, 2**64 - 1)
ANNEALING = WalkEffort(20_000, 200.0, 6.0)


def file_sets(square: int) -> list[set[int]]:
    """For each attack set of the file, all attack sets of the rook with it."""
    on_file = A_FILE << (square & 7)
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
    for own, agree in zip(file_sets(one), classes_agree(one, other), strict=True):
        asked = {attacks & common for attacks in own}
        assert agree.tolist() == [len(asked | sets) == 1 for sets in its]


def claimed_by_class(square: int, magic: int) -> list[int]:
    """The columns that each attack set of the file claims under black, position by position."""
    cell = cell_data("black", Piece.ROOK, square, 12)
    on_file = U(A_FILE << (square & 7))
    alone = [attack_set(Piece.ROOK, square, int(o & on_file)) for o in cell.square.occupancies]
    numbers = {attacks: n for n, attacks in enumerate(sorted(set(alone)))}
    columns = [0] * len(numbers)
    for attacks, index in zip(alone, cell.indexes(magic).tolist(), strict=True):
        columns[numbers[attacks]] |= 1 << index % COLUMNS
    return columns


@settings(max_examples=30, deadline=None)
@given(SQUARES, st.integers(4, 6), st.lists(WORDS, min_size=16, max_size=16), WORDS, WORDS)
def test_only_empty_columns_cost_and_blocked_ones_are_conflicts(
    square: int, step: int, blocked: list[int], empty: int, seed: int
):
    lines = rook_lines(square, True)
    start = U(row_start(lines, step, np.random.default_rng(seed)))
    plain = ColumnTask(lines, step, 300)
    magic, _ = column_anneal(plain, start, WalkEffort(3_000, 300.0, 6.0), U(seed))
    before, columns = column_cost(plain, U(magic), 1 << 40, new_column_scratch())
    if before != COLUMNS * int(columns).bit_count():
        return  # no magic
    few = np.array(blocked, U) & np.roll(np.array(blocked, U), 1)
    task = plain._replace(blocked=few, empty=U(empty))
    cost, same = column_cost(task, U(magic), 1 << 40, new_column_scratch())
    assert same == columns
    by_class = claimed_by_class(square, int(magic))
    bad = any(own & int(few[n]) for n, own in enumerate(by_class))
    free = COLUMNS * (int(columns) & empty).bit_count()
    assert cost == free if not bad else cost >= free + 300
    exact = task._replace(conflict=FORBIDDEN)
    found = np.empty((2, 1), U)
    assert column_walk(exact, U(magic), COLUMNS, 1, U(1), found) == (not bad)


def libraries(squares: list[int], black: bool) -> dict[int, Library]:
    """A library of one magic that a short annealing comes to, for each square."""
    shelf = {}
    for square in squares:
        random = np.random.default_rng(square)
        task = ColumnTask(rook_lines(square, black), 6, 300)
        found = None
        while found is None:
            found = annealed(task, row_start(task.lines, 6, random), ANNEALING, COLUMNS, 1)
        magic, columns = np.array(found, U)[:, None]
        shelf[square] = Library(square, columns, magic, np.zeros(1, np.uint8))
    return shelf


@pytest.mark.parametrize("scheme", ["white", "black", "constant"])
def test_an_annealed_magic_agrees_with_the_page_and_needs_what_it_says(scheme: str):
    # d3 always agrees with c4, d2 may, h8 never does.
    c4, d3, d2, h8 = 26, 19, 11, 63
    shelf = libraries([c4, d3, d2, h8], scheme == "black")
    placer, page = Placer(shelf, {}, scheme, np.random.default_rng(1)), Page()
    placer.add(page, c4, placer.place(c4, 0, 0))
    fewer = shelf[h8].least - 1
    assert anneal_beside(placer, page, h8, fewer, ANNEALING) is None  # nothing to share
    for square in (d3, d2):
        found = [anneal_beside(placer, page, square, COLUMNS, ANNEALING) for _ in range(8)]
        assert any(found)
        for place, new in filter(None, found):
            trial = page.copy()
            placer.add(trial, square, place)  # asserts that all agree
            assert (place.columns & ~page.columns).bit_count() == new
            assert trial.columns == page.columns | place.columns
            assert square != d3 or new < place.columns.bit_count()
