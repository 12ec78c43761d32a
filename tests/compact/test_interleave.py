"""Rooks whose slots interleave: the kernels against plain integers and sets, pairs, their seats."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD, Piece, attack_set, mask
from magicert.compact.compiled import entry
from magicert.compact.kernels import REFUSED
from magicert.compact.pages import interleave as module
from magicert.compact.pages.bishops import PageSeat
from magicert.compact.pages.columns import (
    COLUMNS,
    FORBIDDEN,
    PAGE,
    ColumnTask,
    Library,
    as_library,
    new_column_scratch,
    rook_lines,
    row_start,
    slot_step,
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
from magicert.compact.progress import ALONE, FOREVER
from magicert.compact.seats import Words, cell_data
from magicert.compact.start import PAIR, Paged
from magicert.occupancy import carry_rippler

U = np.uint64
B4, B5, B6, D4, G2 = 25, 33, 41, 27, 14
B4_MAGIC, B5_MAGIC = 0x007FFA403FFFE000, 0x91FFFF8403FFFE8
"""Found by this search: 24 columns of b4's are half in use, and of b5's."""


def plain(square: int, magic: int) -> tuple[set[int], bool]:
    """All indexes of 12 bits under black by Python integers, and whether the magic is valid."""
    board = mask(Piece.ROOK, square)
    seen: dict[int, int] = {}
    valid = True
    for occupancy in carry_rippler(board):
        index = ((occupancy | ~board & WORD) * magic & WORD) >> 52
        attacks = attack_set(Piece.ROOK, square, occupancy)
        valid &= seen.setdefault(index, attacks) == attacks
    return set(seen), valid


@entry
def cost_of(task: ColumnTask, magic: int, limit: int) -> int:
    return half_cost(task, magic, limit, new_column_scratch())


@given(st.sampled_from([B4, B5, B6, G2]), st.integers(0, 1 << 32))
@settings(max_examples=40, deadline=None)
def test_a_conflict_is_never_missed(square: int, seed: int):
    lines = rook_lines(square, True)
    magic = row_start(lines, STEP, np.random.default_rng(seed))
    if not plain(square, magic)[1]:
        found = cost_of(ColumnTask(lines, STEP, FORBIDDEN), U(magic), ANY)
        assert found == REFUSED or found >= FORBIDDEN


@pytest.mark.parametrize(("square", "magic"), [(B4, B4_MAGIC), (B5, B5_MAGIC)])
def test_a_walk_meets_magics_only_that_cost_no_more(square: int, magic: int):
    """A cost is that of the slots modulo 1,024, and of columns."""
    task = ColumnTask(rook_lines(square, True), STEP, FORBIDDEN)
    most = cost_of(task, U(magic), ANY)
    assert most < 64 * 16  # its whole columns
    found = np.empty(50, U)
    met = half_walk(task, U(magic), most, 5_000, U(1), found)
    assert met > 1
    for one in found[:met].tolist():
        slots, valid = plain(square, one)
        assert valid
        cost = 4 * len({n % 1024 for n in slots}) + 2 * len({n % COLUMNS for n in slots})
        assert cost_of(task, U(one), cost) == cost <= most
        assert cost_of(task, U(one), cost - 1) == REFUSED


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
        most = cost_of(task, U(magic), ANY)
        return np.unique(found[: half_walk(task, U(magic), most, 4_000, U(2), found)])

    def library(_deadline: object, order: tuple[int, int, int]) -> object:
        magics = {B4: B4_MAGIC, B5: B5_MAGIC}.get(order[0])
        if magics is None:
            return None
        cell = cell_data("black", Piece.ROOK, order[0], 12)
        return module.by_classes(cell, walked(order[0], magics))

    monkeypatch.setattr(module, "half_library", library)
    monkeypatch.setattr(module, "TRIES", 400)


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
    before, _ = plain(B4, B4_MAGIC)
    seat = turned_seat(cell, B4_MAGIC, turn, 3)
    slots = set((seat.slots - 3 * PAGE).tolist())
    assert {slot % PAGE for slot in slots} == {(slot + turn) % PAGE for slot in before}
    assert all(0 <= slot < PAGE + slot_step("black", B4) for slot in slots)
