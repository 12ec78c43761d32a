"""Boards, pieces, squares: the geometry, by a slow and obvious walk.

A bitboard is an int whose bit s stands for square s; bit = rank * files + file, a1 = 0.
Everything here is plain Python on purpose: it is the truth that the fast code is held
against, so it must be readable at a glance. Only `chess` knows of 8x8.
"""

from magicert.board.chess import (
    DIRECTIONS,
    FIXED_BITS,
    MOVEMENTS,
    Piece,
    attack_set,
    beyond,
    mask,
    parse_square,
    ray,
    square_name,
)
from magicert.board.geometry import CHESS, WORD, Board, bitboard, parse_board, squares_of
from magicert.board.movement import Atom, Movement

__all__ = [
    "CHESS",
    "DIRECTIONS",
    "FIXED_BITS",
    "MOVEMENTS",
    "WORD",
    "Atom",
    "Board",
    "Movement",
    "Piece",
    "attack_set",
    "beyond",
    "bitboard",
    "mask",
    "parse_board",
    "parse_square",
    "ray",
    "square_name",
    "squares_of",
]
