"""Boards: names and orders of squares, lines, occupancies of chess; Betza's notation."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert import board as boards
from magicert.betza import NAMES, parse_piece
from magicert.board import CHESS, Board, Piece, mask, place_of, square_at, squares_of
from magicert.occupancy import carry_rippler, pdep_order


@pytest.mark.parametrize(
    ("board", "last", "word"),
    [
        (Board(12, 10), "l10", 128),
        (Board(9, 10), "i10", 128),
        (CHESS, "h8", 64),
        (Board(1, 1), "a1", 64),
    ],
    ids=str,
)
def test_squares_have_names_and_places(board, last, word):
    names = [board.name(square) for square in range(board.squares)]
    assert (names[0], names[-1], board.word) == ("a1", last, word)
    assert [board.parse(name) for name in names] == list(range(board.squares))
    assert board.full == (1 << board.squares) - 1
    for order in boards.orders(board):
        squares = [square_at(order, place, board) for place in range(board.squares)]
        assert sorted(squares) == list(range(board.squares))
        assert [place_of(order, square, board) for square in squares] == sorted(squares)


@pytest.mark.parametrize("name", ["", "a", "a0", "a01", "m1", "a11", "A1", "a1 ", "aa1", "a\u0661"])
def test_other_names_are_refused(name):
    with pytest.raises(ValueError, match=r"expected a1\.\.l10"):
        Board(12, 10).parse(name)


def test_which_boards_there_are():
    assert str(boards.parse_board("9x10")) == "9x10"
    assert boards.parse_board("16x8").squares == 128
    for text in ("12x11", "27x1", "1x129", "16x16"):
        with pytest.raises(ValueError, match=f"board {text}"):
            boards.parse_board(text)
    for text in ("", "8", "0x8", "8x0", "8X8", "8x8 ", "-1x8", "08x8", "8x8x8"):
        with pytest.raises(ValueError, match="expected files and ranks, such as 12x10"):
            boards.parse_board(text)


def test_a_line_ends_at_the_edge():
    board = Board(5, 6)
    names = [board.name(s) for s in board.line(board.parse("b2"), (1, 2))]
    assert names == ["c4", "d6"]
    assert list(board.line(board.parse("a1"), (-1, 0))) == []


@pytest.mark.parametrize(
    ("board", "order", "listed"),
    [
        (CHESS, "a1", "a1 b1 h8"),
        (CHESS, "h1", "h1 g1 a8"),
        (CHESS, "a8", "a8 b8 h1"),
        (CHESS, "h8", "h8 g8 a1"),
        (CHESS, "a1-files", "a1 a2 h8"),
        (CHESS, "h8-files", "h8 h7 a1"),
        (Board(9, 10), "i1", "i1 h1 a10"),
        (Board(9, 10), "a10", "a10 b10 i1"),
        (Board(9, 10), "i10-files", "i10 i9 a1"),
    ],
)
def test_an_order_is_named_by_its_first_square(board, order, listed):
    places = (0, 1, board.squares - 1)
    assert " ".join(board.name(square_at(order, place, board)) for place in places) == listed
    assert boards.orders(CHESS) == boards.ORDERS
    assert boards.orders(Board(1, 3)) == ("a1", "a3", "a1-files", "a3-files"), "each corner once"
    with pytest.raises(ValueError, match="expected one of a1, h1"):
        square_at("b2", 0)


# -- chess


def test_masks_are_those_of_the_board():
    squares = [(piece, square) for piece in Piece for square in range(64)]
    masks = [mask(*one) for one in squares]
    assert masks == [
        boards.usual_mask(CHESS, boards.MOVEMENTS[piece], square) for piece, square in squares
    ]
    assert sum(1 << one.bit_count() for one in masks) == 107_648
    assert [boards.parse_square(boards.square_name(square)) for square in range(64)] == list(
        range(64)
    )


@given(st.integers(0, (1 << 64) - 1).filter(lambda board: board.bit_count() <= 10))
def test_all_subsets_are_listed_by_their_numbers(board):
    listed = list(carry_rippler(board))
    assert listed == list(pdep_order(board))
    assert len(listed) == 1 << board.bit_count()
    for number, occupancy in enumerate(listed):
        squares = [1 << i for i, s in enumerate(squares_of(board)) if occupancy >> s & 1]
        assert (sum(squares), occupancy & ~board) == (number, 0)


# -- Betza's notation

BETZA = Path(__file__).with_name("betza.tsv").read_text("utf-8").splitlines()[1:]


def atoms(text: str) -> set[tuple[str, int, frozenset[tuple[int, ...]]]]:
    return {(a.kind, a.limit, frozenset(a.steps)) for a in parse_piece(text).atoms}


@pytest.mark.parametrize("row", BETZA)
def test_one_atom(row):
    text, kind, said, *steps = row.split("\t")
    if kind == "refused":
        with pytest.raises(ValueError, match=said):
            parse_piece(text)
    else:
        pairs = [tuple(map(int, step.split(","))) for step in steps[0].split()]
        assert atoms(text) == {(kind, int(said), frozenset(pairs))}


def test_atoms_join_and_every_name_is_a_piece():
    assert atoms("Q") == atoms("R") | atoms("B") == atoms("RB")
    assert atoms("BN") == atoms("B") | atoms("N")
    assert len(atoms("N").pop()[2]) == 8
    assert [parse_piece(name).name for name in NAMES] == list(NAMES)
    assert parse_piece("horse-to").atoms[0].from_target
