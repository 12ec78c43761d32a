"""What a column can be, by its numbers first and its name second."""

from collections.abc import Collection
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece, mask
from magicert.square_order import ORDERS, square_at
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.naming import split_words

MAGIC_WORDS = ("magic", "mult", "factor", "multiplier", "magi")
SHIFT_WORDS = ("shift", "bits", "rshift", "nbits", "bit", "rbits", "bbits", "bshift", "relevant")
OFFSET_WORDS = (
    "offset", "index", "base", "start", "position", "pos", "ptr", "idx", "entry", "attacks",
    "addr", "begin", "data", "table", "indices",
)  # fmt: skip
SIZE_WORDS = ("size", "len", "length", "count", "num")
_ROOK_WORDS = (
    "rook", "rk", "r", "torre", "turm", "tour", "orthogonal", "ortho", "straight", "line",
    "rmagic", "rmult", "rshift", "rbits", "cardinal", "rooks", "rank", "castle",
)  # fmt: skip
_BISHOP_WORDS = (
    "bishop", "bish", "b", "alfil", "laufer", "fou", "diagonal", "diag", "bmagic", "bmult",
    "bshift", "bbits", "bishops", "diagonals",
)  # fmt: skip

FEWEST_MEANT = 60
"""A nameless list of so many long numbers at least may be meant for 64 squares."""
ROOK_NAMES = frozenset({"rook", "rooks", "torre", "turm", "orthogonal", "orthogonals", "ortho"})
BISHOP_NAMES = frozenset({"bishop", "bishops", "alfil", "laufer", "diagonal", "diagonals", "diag"})
"""Words that mean a piece and nothing else, as `r`, `b`, `line` and `rank` do."""
NEARLY_ALL = 40
"""A list that agrees with what it should be on this many squares is that list, with errors."""

FEWEST_PLACES, MANY_PLACES = 8, 32
"""Different numbers in a list of offsets: at least so many, and so many if nothing else, such
as its name, speaks for it.
"""

Kind = Literal["bits", "shift", "shift32"]


def says(column: Column, words: tuple[str, ...]) -> bool:
    """Does the column's own name say so?"""
    return any(word in words or word.rstrip("s") in words for word in column.own)


def is_called_magic(column: Column) -> bool:
    """Does the name, or what stands around it, call these magics?"""
    return any(word.rstrip("s") in MAGIC_WORDS for word in column.own | column.context)


def piece_of(words: Collection[str]) -> Piece | None:
    """The piece that words of names speak of, if it is one."""
    rook = any(word in _ROOK_WORDS for word in words)
    bishop = any(word in _BISHOP_WORDS for word in words)
    return None if rook == bishop else Piece.ROOK if rook else Piece.BISHOP


def named_piece(text: str) -> Piece | None:
    """The piece that a line of code names in full: `rookIndex`, BISHOP_SHIFT."""
    words = split_words(text)
    rook, bishop = not words.isdisjoint(ROOK_NAMES), not words.isdisjoint(BISHOP_NAMES)
    return None if rook == bishop else Piece.ROOK if rook else Piece.BISHOP


@cache
def piece_said(column: Column) -> Piece | None:
    """The piece that the name, or else what stands around it, speaks of."""
    own = piece_of(column.own)
    return piece_of(column.context) if own is None else own


@cache
def true_masks(piece: Piece, transform: str) -> NDArray[np.uint64]:
    """The relevant occupancy of each row, if row j belongs to bit square_at(transform, j)."""
    return np.array([mask(piece, square_at(transform, row)) for row in range(64)], np.uint64)


@cache
def could_be_magic(column: Column) -> bool:
    """At least half of the numbers need more than 32 bits, and they are no masks."""
    wide = sum(word >> 32 != 0 for word in column.words64)
    return wide >= 32 and not column_mask(column) and len(set(column.values)) >= 8


@cache
def column_mask(column: Column) -> list[tuple[Piece, str, bool]]:
    """The pieces and transforms whose masks these are; True where complemented."""
    words = np.array(column.words64, np.uint64)
    found = []
    for complement in (False, True):
        own = ~words if complement else words
        for piece in Piece:
            found += [
                (piece, transform, complement)
                for transform in ORDERS
                if int((own == true_masks(piece, transform)).sum()) >= NEARLY_ALL
            ]
    return found


def is_complement(column: Column, piece: Piece) -> bool:
    """Are these the complements of the piece's masks?"""
    return any(complement for own, _, complement in column_mask(column) if own == piece)


@cache
def shift_kind(column: Column) -> Kind | None:
    """How the numbers of a column could count index bits; None where they cannot."""
    values = sorted(column.values)
    if values[0] < 0 or values[8] < 1 or values[-8] > 64:
        return None
    middle = values[32]
    return "bits" if middle <= 16 else "shift32" if middle < 32 else "shift"


def index_bits(column: Column, kind: Kind) -> list[int]:
    """The index bits of each row that the numbers stand for."""
    whole = {"bits": 0, "shift": 64, "shift32": 32}[kind]
    return [abs(whole - value) for value in column.values]


@cache
def fits(column: Column, kind: Kind, piece: Piece) -> bool:
    """Are these about the numbers of bits that the piece's squares need?"""
    needed = [mask(piece, square).bit_count() for square in range(64)]
    near = sum(abs(a - b) <= 2 for a, b in zip(index_bits(column, kind), needed, strict=True))
    if len(set(column.values)) <= 2:
        middle = sorted(index_bits(column, kind))[32]
        return 11 <= middle <= 14 if piece == Piece.ROOK else 8 <= middle <= 10
    return near >= NEARLY_ALL


@cache
def is_post_mask(column: Column) -> bool:
    """A low mask on every row, for an AND after the shift."""
    return all(0x1F <= v <= 0xFFFF and v & (v + 1) == 0 for v in column.words64)


def has_a_role(column: Column) -> bool:
    """Could this be any part of a table at all?"""
    return (
        could_be_magic(column)
        or bool(column_mask(column))
        or shift_kind(column) is not None
        or could_be_offset(column)
    )


def could_be_offset(column: Column) -> bool:
    """Places in a buffer: no number is negative or large, and they differ. Squares side by side
    in one page begin at the same place, so not all of them need to.
    """
    values = column.values
    return min(values) >= 0 and max(values) < 1 << 24 and len(set(values)) >= FEWEST_PLACES
