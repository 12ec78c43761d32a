"""Squares, rays, masks and attack sets, by a slow and obvious ray walk.

A square is 0..63 with a1=0, b1=1, h8=63; a bitboard is an int whose bit s stands
for square s. Everything here is plain Python on purpose: it is the truth that the
fast code is held against, so it must be readable at a glance.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache

WORD = (1 << 64) - 1
"""All 64 bits."""


class Piece(StrEnum):
    """A sliding piece with a magic table of its own (the queen is the sum of both)."""

    ROOK = "rook"
    BISHOP = "bishop"


# A direction is a step in files and a step in ranks.
DIRECTIONS: dict[Piece, tuple[tuple[int, int], ...]] = {
    Piece.ROOK: ((0, 1), (1, 0), (0, -1), (-1, 0)),
    Piece.BISHOP: ((1, 1), (1, -1), (-1, -1), (-1, 1)),
}


def square_name(square: int) -> str:
    """The name of a square: 0 is "a1", 63 is "h8"."""
    if not 0 <= square < 64:
        raise ValueError(f"square {square}: expected 0..63")
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def parse_square(name: str) -> int:
    """The square called `name`; ValueError unless it is a1..h8."""
    if len(name) == 2 and name[0] in "abcdefgh" and name[1] in "12345678":
        return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])
    raise ValueError(f"square {name!r}: expected a1..h8")


def bitboard(squares: Iterable[int]) -> int:
    """The bitboard with exactly these squares."""
    board = 0
    for square in squares:
        board |= 1 << square
    return board


def squares_of(board: int) -> Iterator[int]:
    """The squares of a bitboard, lowest first."""
    while board:
        yield (board & -board).bit_length() - 1
        board &= board - 1


def ray(square: int, direction: tuple[int, int]) -> list[int]:
    """The squares from `square` to the board's edge in one direction, nearest first."""
    file, rank = square & 7, square >> 3
    squares: list[int] = []
    while True:
        file, rank = file + direction[0], rank + direction[1]
        if not (0 <= file < 8 and 0 <= rank < 8):
            return squares
        squares.append(rank * 8 + file)


@cache
def mask(piece: Piece, square: int) -> int:
    """The relevant occupancy: the rays of `piece` without the last square of each ray."""
    return bitboard(s for d in DIRECTIONS[piece] for s in ray(square, d)[:-1])


def attack_set(piece: Piece, square: int, occupied: int) -> int:
    """A(o): the squares that `piece` on `square` attacks, each ray up to its first blocker."""
    attacks = 0
    for direction in DIRECTIONS[piece]:
        for target in ray(square, direction):
            attacks |= 1 << target
            if occupied >> target & 1:
                break
    return attacks


def beyond(piece: Piece, square: int, blocker: int) -> int:
    """The squares that a blocker hides from `piece` on `square`: its ray past the blocker."""
    for direction in DIRECTIONS[piece]:
        squares = ray(square, direction)
        if blocker in squares:
            return bitboard(squares[squares.index(blocker) + 1 :])
    return 0
