from hypothesis import given
from hypothesis import strategies as st

from magicert.board import (
    CHESS,
    MOVEMENTS,
    Piece,
    attack_set,
    beyond,
    mask,
    parse_square,
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
