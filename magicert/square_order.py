"""Square orders: which square of the board a bit, or a row of a table, stands for.

An order is named by its first square, `a1`, `h1`, `a8` or `h8`, when the squares
run along the ranks, and with `-files` behind it when they run along the files
(`a1-files`: a1, a2, ..., h8). All eight are symmetries of the board, so an engine
whose bit 0 is a8 needs the same proof as one whose bit 0 is a1; only the names of
the squares differ.
"""

from functools import cache

ORDERS: tuple[str, ...] = ("a1", "h1", "a8", "h8", "a1-files", "h1-files", "a8-files", "h8-files")


@cache
def square_at(order: str, place: int) -> int:
    """The square (a1=0) that stands at `place` 0..63 of `order`.

    Raises ValueError for an unknown order.
    """
    if order not in ORDERS:
        raise ValueError(f"square order {order!r}: expected one of {', '.join(ORDERS)}")
    inner, outer = place & 7, place >> 3
    file, rank = (outer, inner) if order.endswith("-files") else (inner, outer)
    if order[0] == "h":
        file = 7 - file
    if order[1] == "8":
        rank = 7 - rank
    return rank * 8 + file


@cache
def place_of(order: str, square: int) -> int:
    """The place of `square` in `order`: the inverse of `square_at`."""
    return next(place for place in range(64) if square_at(order, place) == square)
