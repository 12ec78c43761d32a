"""The eight square orders: what squares are in each of them, and what a number is."""

from collections.abc import Iterator

from magicert.board import bitboard, square_name, squares_of
from magicert.show import text as draw
from magicert.square_order import ORDERS, place_of, square_at


def squares_in_orders(squares: int) -> Iterator[str]:
    """A line for each order: the bits of some squares (a1=0), and the number that they make."""
    yield f"{'order':<9} {'number':<18} bits"
    for order in ORDERS:
        bits = sorted(place_of(order, square) for square in squares_of(squares))
        yield f"{order:<9} {bitboard(bits):#018x} {' '.join(map(str, bits))}"


def number_in_orders(number: int, width: int) -> Iterator[str]:
    """A board for each order: the squares that a number stands for."""
    blocks = []
    for order in ORDERS:
        squares = {square_at(order, bit) for bit in squares_of(number)}
        names = " ".join(map(square_name, sorted(squares)))
        shown = names if len(squares) <= 6 else f"{len(squares)} squares"
        blocks.append([f"{order}: bit 0 is {square_name(square_at(order, 0))}", shown])
        blocks[-1] += draw.squares(squares)
    yield from draw.beside(blocks, width)
