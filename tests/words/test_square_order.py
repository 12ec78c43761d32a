import pytest

from magicert.board import ORDERS, Board, orders, place_of, square_at, square_name


@pytest.mark.parametrize(
    ("order", "first", "second", "last"),
    [
        ("a1", "a1", "b1", "h8"),
        ("h1", "h1", "g1", "a8"),
        ("a8", "a8", "b8", "h1"),
        ("h8", "h8", "g8", "a1"),
        ("a1-files", "a1", "a2", "h8"),
        ("h8-files", "h8", "h7", "a1"),
    ],
)
def test_an_order_is_named_by_its_first_square(
    order: str, first: str, second: str, last: str
) -> None:
    assert [square_name(square_at(order, p)) for p in (0, 1, 63)] == [first, second, last]


@pytest.mark.parametrize("order", ORDERS)
def test_places_and_squares_are_inverse(order: str) -> None:
    assert sorted(square_at(order, place) for place in range(64)) == list(range(64))
    assert all(place_of(order, square_at(order, place)) == place for place in range(64))


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of a1, h1"):
        square_at("b2", 0)


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("a1", ["a1", "b1"]),
        ("i1", ["i1", "h1"]),
        ("a10", ["a10", "b10"]),
        ("i10-files", ["i10", "i9"]),
        ("a1-files", ["a1", "a2"]),
    ],
)
def test_orders_of_a_board_that_is_no_square(order: str, first: list[str]) -> None:
    board = Board(9, 10)
    assert [board.name(square_at(order, place, board)) for place in (0, 1)] == first
    assert sorted(square_at(order, place, board) for place in range(90)) == list(range(90))
    assert all(place_of(order, square_at(order, n, board), board) == n for n in range(90))


def test_files_run_along_the_ranks_of_the_board() -> None:
    """Bit = 10 * file + rank on nine files and ten ranks."""
    board = Board(9, 10)
    for square in range(90):
        file, rank = board.place(square)
        assert place_of("a1-files", square, board) == 10 * file + rank


def test_a_board_of_one_file_has_each_corner_once() -> None:
    assert orders(Board(1, 3)) == ("a1", "a3", "a1-files", "a3-files")
