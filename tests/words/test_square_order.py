import pytest

from magicert.board import CHESS, ORDERS, Board, orders, place_of, square_at


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
