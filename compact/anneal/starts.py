"""Magics to begin annealing from."""

from magicert.board import WORD, Piece
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.squares import SquareData

ROW_TOP = 58
"""A rook's row step: the lowest bit of its rank, times the magic, is 2^58, so that of 12 index
bits the upper six are the row."""
FRACTION_TOP = 46
"""Bits of that product from here to the row step are 0: a small fraction of a bucket is free."""


def random_word(random: Random) -> int:
    """A uniformly random word."""
    return int(random.integers(1 << 63)) << 1 | int(random.integers(2))


def random_start(square: SquareData, random: Random) -> int:
    """A random magic: a rook's has a row step, a bishop's an eighth of its bits."""
    word = random_word(random)
    if square.piece is Piece.BISHOP:
        return word & int(random.integers(1 << 63)) & int(random.integers(1 << 63))
    lowest = min(bit for bit in square.shifts.tolist() if bit >> 3 == square.square >> 3)
    above = WORD & ~((1 << (64 - lowest)) - 1)
    below = (1 << max(0, FRACTION_TOP - lowest)) - 1
    return 1 << (ROW_TOP - lowest) | word & (above | below)


def sparse_start(random: Random) -> int:
    """A random word with an eighth of its bits, the classic start of the trial-and-error finder."""
    first, second, third = (int(random.integers(1 << 63)) << 1 for _ in range(3))
    return (first & second & third) | int(random.integers(2))
