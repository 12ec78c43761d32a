"""Masks: the least one by trying every square, the usual one by its figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import Atom, Board, Movement, attacks_of, bundles, least_mask, usual_mask

Strategy = st.SearchStrategy


@given(st.data())
def test_what_is_outside_the_least_mask_never_matters(
    small_boards: Strategy[Board], movements: Strategy[Movement], data: st.DataObject
) -> None:
    board, movement = data.draw(small_boards), data.draw(movements)
    square = data.draw(st.integers(0, board.squares - 1))
    mask = least_mask(board, movement, square)
    occupied = data.draw(st.integers(0, board.full))
    seen = attacks_of(board, movement, square, occupied)
    assert attacks_of(board, movement, square, occupied & mask) == seen
    assert mask & ~usual_mask(board, movement, square) == 0


@given(st.data())
def test_every_square_of_the_least_mask_matters(
    movements: Strategy[Movement], data: st.DataObject
) -> None:
    board, movement = (
        data.draw(st.builds(Board, st.integers(1, 4), st.integers(1, 3))),
        data.draw(movements),
    )
    square = data.draw(st.integers(0, board.squares - 1))
    sets = [attacks_of(board, movement, square, o) for o in range(1 << board.squares)]
    matter = sum(
        1 << s
        for s in range(board.squares)
        if any(sets[o] != sets[o ^ 1 << s] for o in range(1 << board.squares))
    )
    assert least_mask(board, movement, square) == matter


@given(st.data())
def test_bundles_join_to_the_attack_set(
    small_boards: Strategy[Board], movements: Strategy[Movement], data: st.DataObject
) -> None:
    board, movement = data.draw(small_boards), data.draw(movements)
    square = data.draw(st.integers(0, board.squares - 1))
    occupied = data.draw(st.integers(0, board.full))
    joined = 0
    for bundle in bundles(board, movement, square):
        seen = occupied & sum(1 << b for b in bundle.blockers)
        part = bundle.attacks(board, movement, square, seen)
        assert part & joined == 0
        joined |= part
    assert joined == attacks_of(board, movement, square, occupied)


def test_a_nightriders_usual_mask_holds_squares_that_cannot_matter() -> None:
    board, rider = Board(12, 10), parse_piece("NN")
    usual = sum(1 << usual_mask(board, rider, s).bit_count() for s in range(board.squares))
    least = sum(1 << least_mask(board, rider, s).bit_count() for s in range(board.squares))
    assert usual > 8 * least


def test_a_square_that_another_step_hides_is_left_out() -> None:
    # One step forward, blocked or not, and a dabbabarider's first square: c1 is always attacked.
    board = Board(4, 1)
    movement = Movement((Atom("rider", ((1, 0),), 1), Atom("rider", ((1, 0),))))
    assert least_mask(board, movement, 0) == least_mask(board, parse_piece("rR"), 0)


@pytest.mark.parametrize(
    ("board", "piece", "slots"),
    [
        ("9x10", "R", 1081344),
        ("9x10", "pR", 1081344),
        ("12x10", "B", 211968),
        ("12x10", "sR", 71680),
        ("12x10", "nN", 1280),
        ("9x9", "R", 495616),
    ],
)
def test_the_slots_of_known_engines(board: str, piece: str, slots: int) -> None:
    files, ranks = map(int, board.split("x"))
    found = Board(files, ranks)
    movement = parse_piece(piece)
    assert slots == sum(
        1 << usual_mask(found, movement, s).bit_count() for s in range(found.squares)
    )
