"""Rooks with row steps: the row kernel against plain integers, and bands of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compact import banded
from compact import bands as bands_module
from compact.banded import CastPlan, banded_rooks
from compact.bands import (
    QUICK,
    Casting,
    Recasting,
    cast,
    cast_one,
    line_up,
    recast,
    score,
    slots_needed,
)
from compact.kernel import REFUSED
from compact.lines import PAGE, rook_lines, row_start
from compact.plane import CONFLICT, ROOM, Heat, Plane, RowSeat
from compact.row_kernel import WORDS, row_anneal, row_cost
from compact.squares import Words
from magicert.board import WORD, Piece, attack_set, mask
from magicert.occupancy import carry_rippler

U = np.uint64
SIZES = {square: {6: 32 * 64} for square in (10, 11, 12, 18, 19, 20)}
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


def cost(
    square: int,
    magic: int,
    offset: int,
    step: int,
    layer: Words,
    prices: tuple[int, int],
    black: bool,
) -> int:
    lines = rook_lines(square).lines
    added = int(lines.around) * magic & WORD if black else 0
    return row_cost(
        U(magic), U(added), np.int64(offset), np.int64(step), lines, layer, np.int64(ROOM),
        np.int64(prices[0]), np.int64(prices[1]), np.int64(CONFLICT), np.int64(1 << 40),
        np.zeros(PAGE, np.int64), np.zeros(WORDS, np.uint64), np.zeros(64, np.uint64), np.int64(1),
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 63), st.integers(2, 6), st.booleans(), st.integers(0, 2**32), st.data())
def test_the_row_kernel_prices_what_plain_integers_find(
    square: int, step: int, black: bool, seed: int, data: st.DataObject
):
    random = np.random.default_rng(seed)
    plane = Plane("black" if black else "white")
    taken = np.flatnonzero(random.random(PAGE) < 0.3)
    layer = plane.layers[step]
    for slot in taken.tolist():
        place = (slot & ((1 << step) - 1)) * (ROOM >> step) + (slot >> step)
        layer[place >> 6] |= U(1 << (place & 63))
    magic, offset, _ = row_anneal(
        U(row_start(rook_lines(square), step, random)), np.int64(0), black, np.int64(step),
        rook_lines(square).lines, layer, np.int64(ROOM), np.int64(1), np.int64(1),
        np.int64(CONFLICT), np.int64(0), np.int64(63), 300.0, 8.0, np.int64(3_000), np.int64(0),
        U(data.draw(st.integers(1, 2**62))),
    )  # fmt: skip
    used, valid = plain(square, int(magic), black)
    found = cost(square, int(magic), int(offset), step, layer, (1, 0), black)
    if found < CONFLICT * 2 and valid:
        assert found % CONFLICT in {len(used), len(used) % CONFLICT}
    if found == len(used):
        assert valid
        overlap = cost(square, int(magic), int(offset), step, layer, (0, 1), black)
        assert overlap == len({index + int(offset) for index in used} & set(taken.tolist()))
    if not valid:
        # What is no magic never passes for one.
        assert cost(square, int(magic), int(offset), step, layer, (0, 0), black) >= CONFLICT


def test_another_row_step_is_refused():
    square, random = 19, np.random.default_rng(1)
    magic = row_start(rook_lines(square), 6, random)
    layer = Plane("white").layers[4]
    assert cost(square, magic, 0, 4, layer, (1, 0), False) == REFUSED


@pytest.mark.parametrize(("square", "step"), [(0, 4), (7, 6), (9, 2), (27, 6), (60, 6)])
@pytest.mark.parametrize("scheme", ["white", "black"])
def test_a_seat_has_the_slots_that_plain_integers_find(square: int, step: int, scheme: str):
    random = np.random.default_rng(square)
    plane = Plane(scheme)
    heat = Heat(60_000, 300.0, 8.0)
    seats = [
        plane.anneal(square, step, (row_start(rook_lines(square), step, random), 0), (1, 0),
                     heat, random)
        for _ in range(8)
    ]  # fmt: skip
    valid = [seat for seat in seats if seat is not None]
    assert valid
    for seat in valid:
        used, is_magic = plain(square, seat.magic, scheme == "black")
        assert is_magic
        assert {index + seat.offset for index in used} == set(seat.slots.tolist())


def test_a_plane_takes_squares_out_without_a_trace():
    random = np.random.default_rng(5)
    plane = Plane("black")
    before = plane.layers.copy()
    seats = [
        plane.anneal(s, 6, (row_start(rook_lines(s), 6, random), 0), (1, 0),
                     Heat(20_000, 300.0, 8.0), random)
        for s in (18, 19)
    ]  # fmt: skip
    for seat in seats:
        assert seat is not None
        plane.put(seat)
    one, other = (seat for seat in seats if seat)
    shared = set(one.slots.tolist()) & set(other.slots.tolist())
    assert plane.overlap_of(18) == plane.overlap_of(19) == len(shared)
    plane.restore({18: one})
    assert plane.overlap_of(18) == 0
    plane.take(18)
    assert (plane.layers == before).all()
    assert not plane.count.any()


def assert_disjoint(placed: list[tuple[RowSeat, int]]) -> None:
    slots = np.concatenate([seat.slots - seat.offset + offset for seat, offset in placed])
    assert len(np.unique(slots)) == len(slots)
    assert slots.min() >= 0


def test_bands_hold_all_squares_without_overlap_and_follow_from_the_seed():
    first = cast("black", SIZES, 3, map, lambda _done, _all: None)
    assert sorted(seat.square for band in first for seat in band) == sorted(SIZES)
    assert_disjoint(line_up(first))
    again = cast("black", SIZES, 3, map, lambda _done, _all: None)
    assert [[(s.square, s.magic, s.offset) for s in band] for band in first] == [
        [(s.square, s.magic, s.offset) for s in band] for band in again
    ]


def test_recasting_never_makes_it_worse():
    squares = tuple(SIZES)
    bands = tuple(cast_one(Casting("white", (s,), SIZES, QUICK, (s,))) for s in squares)
    for number in range(4):
        better = recast(Recasting("white", bands, SIZES, (number,)))
        assert score(better, SIZES) <= score(bands, SIZES)
        assert sorted(seat.square for band in better for seat in band) == sorted(squares)
        assert_disjoint(line_up(better))
        bands = better
    assert len(bands) < len(squares)


def test_a_row_step_that_no_magic_has_is_no_size():
    # On a8 the rank's lowest bit is too high for a row step of one bucket.
    assert slots_needed(("white", 56, 0, 1)) is None


def test_seats_for_a_whole_board(monkeypatch: pytest.MonkeyPatch):
    """The start from nothing, with sizes given and no repairs: seconds, and many bands."""
    # a1, b1 and h1 have no row step of 64 buckets.
    rough = {square: {{0: 4, 1: 4, 7: 5}.get(square, 6): PAGE // 2} for square in range(64)}
    monkeypatch.setattr(banded, "measure", lambda *_: rough)
    monkeypatch.setattr(bands_module, "FAILURES", 1)
    monkeypatch.setattr(bands_module, "QUICK", 1)
    found = []
    seats, rounds = banded_rooks(
        "black", CastPlan(seed=1, rounds=0), map, lambda *_: None, found.append
    )
    assert rounds == 0
    assert len(found) == 1
    slots = np.concatenate([seat.slots for seat in seats])
    assert len(seats) == 64
    assert len(np.unique(slots)) == len(slots)
