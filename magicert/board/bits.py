"""Bitboards as integers: bit s stands for square s."""

from collections.abc import Iterable, Iterator


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
