"""Square orders: which square of the board a bit, or a row of a table, stands for.

An order is named by its first square, a corner of the board, when the squares run along the
ranks, and with `-files` behind it when they run along the files. Of 8x8 these are `a1`, `h1`,
`a8`, `h8`, `a1-files` (a1, a2, ..., h8) and so on; of 9x10 `a1`, `i1`, `a10`, `i10`, `a1-files`
(a1, a2, ..., a10, b1, ...) and so on.
"""

from functools import cache

from magicert.board import CHESS, Board

FILES = "-files"


@cache
def orders(board: Board) -> tuple[str, ...]:
    """The names of a board's square orders; `a1` is the first."""
    last = board.files - 1
    top = (board.ranks - 1) * board.files
    corners = dict.fromkeys(board.name(square) for square in (0, last, top, top + last))
    return (*corners, *(corner + FILES for corner in corners))


ORDERS = orders(CHESS)
"""Those of chess. All of them are symmetries of its board."""


@cache
def squares_in(order: str, board: Board) -> tuple[int, ...]:
    """All squares, in their order.

    Raises ValueError for an order that the board has not.
    """
    if order not in orders(board):
        message = f"square order {order!r}: expected one of {', '.join(orders(board))}"
        raise ValueError(message)
    corner = board.parse(order.removesuffix(FILES))
    file, rank = board.place(corner)
    across = range(board.files) if file == 0 else range(board.files - 1, -1, -1)
    up = range(board.ranks) if rank == 0 else range(board.ranks - 1, -1, -1)
    if order.endswith(FILES):
        return tuple(rank * board.files + file for file in across for rank in up)
    return tuple(rank * board.files + file for rank in up for file in across)


@cache
def _places(order: str, board: Board) -> tuple[int, ...]:
    places = [0] * board.squares
    for place, square in enumerate(squares_in(order, board)):
        places[square] = place
    return tuple(places)


@cache
def row_bits(order: str, listing: str, board: Board) -> tuple[int, ...]:
    """Of lists that stand in `listing`, the place of each row's square in `order`."""
    places = _places(order, board)
    return tuple(places[square] for square in squares_in(listing, board))


@cache
def names_in(order: str, board: Board) -> tuple[str, ...]:
    """The names of all squares, in their order."""
    return tuple(map(board.name, squares_in(order, board)))


def square_at(order: str, place: int, board: Board = CHESS) -> int:
    """The square (a1=0) that stands at `place` of `order`.

    Raises ValueError for an unknown order.
    """
    return squares_in(order, board)[place]


def place_of(order: str, square: int, board: Board = CHESS) -> int:
    """The place of `square` in `order`: the inverse of `square_at`."""
    return _places(order, board)[square]
