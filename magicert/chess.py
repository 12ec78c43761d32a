"""Chess by name: rook and bishop of the 8x8 board. A square is 0..63: a1=0, b1=1, h8=63."""

from enum import StrEnum
from functools import cache

from magicert.board import CHESS
from magicert.movement import Atom, Movement, attacks_of, least_mask


class Piece(StrEnum):
    """A sliding piece with a magic table of its own (the queen is the sum of both)."""

    ROOK = "rook"
    BISHOP = "bishop"


# A direction is a step in files and a step in ranks.
DIRECTIONS: dict[Piece, tuple[tuple[int, int], ...]] = {
    Piece.ROOK: ((0, 1), (1, 0), (0, -1), (-1, 0)),
    Piece.BISHOP: ((1, 1), (1, -1), (-1, -1), (-1, 1)),
}

MOVEMENTS: dict[Piece, Movement] = {
    piece: Movement((Atom("rider", steps),), name=piece.value)
    for piece, steps in DIRECTIONS.items()
}
"""Both pieces as data."""


def square_name(square: int) -> str:
    """The name of a square: 0 is "a1", 63 is "h8"."""
    return CHESS.name(square)


def parse_square(name: str) -> int:
    """The square called `name`; ValueError unless it is a1..h8."""
    return CHESS.parse(name)


def ray(square: int, direction: tuple[int, int]) -> list[int]:
    """The squares from `square` to the board's edge in one direction, nearest first."""
    return list(CHESS.line(square, direction))


FIXED_BITS = {Piece.ROOK: 12, Piece.BISHOP: 9}
"""The squares of the widest mask: with one shift for all squares of a piece it decides."""


@cache
def mask(piece: Piece, square: int) -> int:
    """The relevant occupancy: the rays of `piece` without the last square of each ray."""
    return least_mask(CHESS, MOVEMENTS[piece], square)


def attack_set(piece: Piece, square: int, occupied: int) -> int:
    """A(o): the squares that `piece` on `square` attacks, each ray up to its first blocker."""
    return attacks_of(CHESS, MOVEMENTS[piece], square, occupied)
