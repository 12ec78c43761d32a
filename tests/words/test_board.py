"""Squares, masks and occupancies of chess, and the orders that squares are numbered in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.board import (
    CHESS,
    MOVEMENTS,
    ORDERS,
    Board,
    Piece,
    attack_set,
    beyond,
    mask,
    orders,
    parse_square,
    place_of,
    square_at,
    square_name,
    squares_of,
    usual_mask,
)
from magicert.occupancy import carry_rippler, pdep, pdep_order

SQUARES = st.integers(0, 63)
BOARDS = st.integers(0, (1 << 64) - 1)
PIECES = st.sampled_from(list(Piece))


def test_masks_are_those_of_the_board() -> None:
    squares = [(piece, square) for piece in Piece for square in range(64)]
    masks = [mask(*one) for one in squares]
    assert masks == [usual_mask(CHESS, MOVEMENTS[piece], square) for piece, square in squares]
    assert sum(1 << one.bit_count() for one in masks) == 107_648
    assert [parse_square(square_name(square)) for square in range(64)] == list(range(64))


@given(PIECES, SQUARES, BOARDS)
def test_attacks_are_what_no_blocker_hides(piece: Piece, square: int, board: int) -> None:
    hidden = 0
    for blocker in squares_of(board & ~(1 << square)):
        hidden |= beyond(piece, square, blocker)
    assert attack_set(piece, square, board) == attack_set(piece, square, 0) & ~hidden


@given(st.integers(0, (1 << 64) - 1).filter(lambda m: m.bit_count() <= 10))
def test_both_orders_list_all_subsets_alike(board: int) -> None:
    listed = list(carry_rippler(board))
    assert listed == list(pdep_order(board))
    assert len(set(listed)) == 1 << board.bit_count()
    assert all(occupancy & ~board == 0 for occupancy in listed)


@given(PIECES, SQUARES, st.data())
def test_the_numbered_occupancy_is_the_listed_one(
    piece: Piece, square: int, data: st.DataObject
) -> None:
    board = mask(piece, square)
    number = data.draw(st.integers(0, (1 << board.bit_count()) - 1))
    rank = sum(1 << i for i, s in enumerate(squares_of(board)) if pdep(number, board) >> s & 1)
    assert rank == number


@pytest.mark.parametrize(
    ("board", "order", "listed"),
    [
        (CHESS, "a1", ["a1", "b1", "h8"]),
        (CHESS, "h1", ["h1", "g1", "a8"]),
        (CHESS, "a8", ["a8", "b8", "h1"]),
        (CHESS, "h8", ["h8", "g8", "a1"]),
        (CHESS, "a1-files", ["a1", "a2", "h8"]),
        (CHESS, "h8-files", ["h8", "h7", "a1"]),
        (Board(9, 10), "i1", ["i1", "h1", "a10"]),
        (Board(9, 10), "a10", ["a10", "b10", "i1"]),
        (Board(9, 10), "i10-files", ["i10", "i9", "a1"]),
    ],
)
def test_an_order_is_named_by_its_first_square(board: Board, order: str, listed: list[str]) -> None:
    places = (0, 1, board.squares - 1)
    assert [board.name(square_at(order, place, board)) for place in places] == listed


@pytest.mark.parametrize("board", [CHESS, Board(9, 10)], ids=str)
def test_places_and_squares_are_inverse(board: Board) -> None:
    assert orders(CHESS) == ORDERS
    for order in orders(board):
        squares = [square_at(order, place, board) for place in range(board.squares)]
        assert sorted(squares) == list(range(board.squares))
        assert [place_of(order, square, board) for square in squares] == sorted(squares)


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of a1, h1"):
        square_at("b2", 0)


def test_files_run_along_the_ranks_of_the_board() -> None:
    """Bit = 10 * file + rank on nine files and ten ranks."""
    board = Board(9, 10)
    for square in range(90):
        file, rank = board.place(square)
        assert place_of("a1-files", square, board) == 10 * file + rank


def test_a_board_of_one_file_has_each_corner_once() -> None:
    assert orders(Board(1, 3)) == ("a1", "a3", "a1-files", "a3-files")
