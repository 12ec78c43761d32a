"""Boards: names of squares, lines, what is refused."""

import pytest

from magicert.board import CHESS, Board, parse_board


@pytest.mark.parametrize(
    ("board", "last", "word"),
    [
        (Board(12, 10), "l10", 128),
        (Board(9, 10), "i10", 128),
        (CHESS, "h8", 64),
        (Board(1, 1), "a1", 64),
    ],
)
def test_squares_have_names(board: Board, last: str, word: int) -> None:
    names = [board.name(square) for square in range(board.squares)]
    assert (names[0], names[-1], board.word) == ("a1", last, word)
    assert [board.parse(name) for name in names] == list(range(board.squares))
    assert board.full == (1 << board.squares) - 1


def test_the_next_rank_begins_after_the_files() -> None:
    assert Board(12, 10).parse("c4") == 3 * 12 + 2


@pytest.mark.parametrize("name", ["", "a", "a0", "a01", "m1", "a11", "A1", "a1 ", "aa1", "a\u0661"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"expected a1\.\.l10"):
        Board(12, 10).parse(name)


@pytest.mark.parametrize("text", ["12x11", "27x1", "1x129", "16x16"])
def test_a_board_is_too_large(text: str) -> None:
    with pytest.raises(ValueError, match=f"board {text}"):
        parse_board(text)


@pytest.mark.parametrize("text", ["", "8", "0x8", "8x0", "8X8", "8x8 ", "-1x8", "08x8", "8x8x8"])
def test_what_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected files and ranks, such as 12x10"):
        parse_board(text)


def test_a_board_says_what_it_is_called() -> None:
    assert str(parse_board("9x10")) == "9x10"
    assert parse_board("16x8").squares == 128


def test_a_line_ends_at_the_edge() -> None:
    board = Board(5, 6)
    names = [board.name(s) for s in board.line(board.parse("b2"), (1, 2))]
    assert names == ["c4", "d6"]
    assert list(board.line(board.parse("a1"), (-1, 0))) == []
