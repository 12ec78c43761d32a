"""Bishops in whole columns of a band: the kernel against plain integers, libraries, seats."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD, Piece, attack_set, mask
from magicert.compact.anneal import arrays_of, new_scratch
from magicert.compact.compiled import entry
from magicert.compact.kernels import REFUSED
from magicert.compact.pages import bishops as module
from magicert.compact.pages.bishops import (
    BAND,
    EFFORTS,
    BandTask,
    Page,
    PageSeat,
    band_columns,
    band_cost,
    bishop_shelf,
    in_free_columns,
    judged_with_bishops,
)
from magicert.compact.pages.columns import COLUMNS, PAGE, Library, Shelf, save_libraries
from magicert.compact.seats import Choice, Seat, cell_data
from magicert.occupancy import carry_rippler

U = np.uint64
SCHEMES = st.sampled_from(["white", "black"])
A1, D2, E4 = 0, 11, 28


def plain(scheme: str, square: int, magic: int) -> tuple[set[int], int]:
    """The columns of a magic and its conflicts, by Python integers, in the kernel's order."""
    board = mask(Piece.BISHOP, square)
    first: dict[int, int] = {}
    conflicts = 0
    for occupancy in carry_rippler(board):
        relevant = occupancy | (~board & WORD) if scheme == "black" else occupancy
        index = (relevant * magic & WORD) >> 55
        attacks = attack_set(Piece.BISHOP, square, occupancy)
        conflicts += first.setdefault(index, attacks) != attacks
    return {index % COLUMNS for index in first}, conflicts


def task(scheme: str, square: int, conflict: int = 24) -> BandTask:
    return BandTask(arrays_of(cell_data(scheme, Piece.BISHOP, square, 9)), conflict)


@entry
def cost_of(given: BandTask, magic: int, limit: int) -> int:
    return band_cost(given, magic, limit, new_scratch(given.cell))


@given(SCHEMES, st.sampled_from([A1, D2, E4]), st.integers(0, WORD))
@settings(max_examples=25, deadline=None)
def test_the_kernel_counts_columns_and_conflicts(scheme: str, square: int, magic: int):
    columns, conflicts = plain(scheme, square, magic)
    found = int(band_columns(task(scheme, square), U(magic)))
    assert {n for n in range(COLUMNS) if found >> n & 1} == columns
    cost = 8 * len(columns) + 24 * conflicts
    assert cost_of(task(scheme, square), U(magic), cost) == cost
    assert cost_of(task(scheme, square), U(magic), cost - 1) == REFUSED


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short annealings."""
    short = {size: one._replace(starts=6, candidates=3000) for size, one in EFFORTS.items()}
    for name, small in (("EFFORTS", short), ("WALKS", 2), ("WALKED", 300), ("WAYS", 4)):
        monkeypatch.setattr(module, name, small)


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
            claimed, conflicts = plain(scheme, square, magic)
            assert conflicts == 0
            assert {n for n in range(COLUMNS) if columns >> n & 1} == claimed
    again = bishop_shelf(cells, 1)
    assert all((again[n].magics == shelf[n].magics).all() for n in shelf)


def claimed(seat: Seat) -> Library:
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
