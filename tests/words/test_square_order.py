import pytest

from magicert.board import square_name
from magicert.square_order import ORDERS, place_of, square_at


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
