"""What a column can be, by its numbers first and its name second."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from magicert.table.model import MaskRule
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.game import Arrangement, Game

MAGIC_WORDS = ("magic", "mult", "factor", "multiplier", "magi")
SHIFT_WORDS = ("shift", "bits", "rshift", "nbits", "bit", "rbits", "bbits", "bshift", "relevant")
OFFSET_WORDS = (
    "offset", "index", "base", "start", "position", "pos", "ptr", "idx", "entry", "attacks",
    "addr", "begin", "data", "table", "indices",
)  # fmt: skip
SIZE_WORDS = ("size", "len", "length", "count", "num")
FEW_BITS = 9
"""A piece with larger masks may have more bits to spare."""
NEARLY_ALL = 40 / 64
"""A list that agrees with what it should be on this part of the squares is that list, with errors.
"""

FEWEST_PLACES, MANY_PLACES = 8, 32
"""Different numbers in a list of offsets: at least so many, and so many if nothing else, such
as its name, speaks for it.
"""

Kind = Literal["bits", "shift32", "shift", "shift128"]
"""How a number counts index bits: as such, or as a shift of a word of 32, 64 or 128 bits."""
WHOLE: dict[Kind, int] = {"bits": 0, "shift32": 32, "shift": 64, "shift128": 128}
"""What a count of each kind and the bits of its index differ by."""


def says(column: Column, words: tuple[str, ...]) -> bool:
    """Does the column's own name say so?"""
    return any(word in words or word.rstrip("s") in words for word in column.own)


def is_called_magic(column: Column) -> bool:
    """Does the name, or what stands around it, call these magics?"""
    return any(word.rstrip("s") in MAGIC_WORDS for word in column.own | column.context)


@cache
def piece_said(column: Column) -> str | None:
    """The piece that the name, or else what stands around it, speaks of."""
    own = column.game.said(column.own)
    return column.game.said(column.context) if own is None else own


@cache
def could_be_magic(column: Column) -> bool:
    """At least half of the numbers need more than 32 bits, and they are no masks."""
    wide = sum(word >> 32 != 0 for word in column.words)
    different = len(set(column.values)) >= 8
    return wide * 2 >= column.game.squares and not column_mask(column) and different


@dataclass(frozen=True, slots=True)
class Masks:
    """What a column of masks is: whose, in which arrangement, by which rule."""

    piece: str
    arrangement: Arrangement
    rule: MaskRule
    complement: bool


@cache
def column_mask(column: Column) -> list[Masks]:
    """The pieces and arrangements whose masks these are."""
    game = column.game
    enough = NEARLY_ALL * game.squares
    found = []
    for complement in (False, True):
        values = (~word for word in column.words) if complement else column.words
        own = game.array(values)
        if complement and game.word > game.squares:
            continue  # of bits that are no squares nobody knows
        found += [
            Masks(piece, arrangement, rule, complement)
            for piece in game.pieces
            for rule in game.mask_rules(piece)
            for arrangement in game.arrangements
            if int(np.sum(own == game.mask_words(piece, arrangement, rule))) >= enough
        ]
    return found


def is_complement(column: Column, piece: str) -> bool:
    """Are these the complements of the piece's masks?"""
    return any(masks.complement for masks in column_mask(column) if masks.piece == piece)


@cache
def shift_kind(column: Column) -> Kind | None:
    """How the numbers of a column could count index bits; None where they cannot."""
    values = sorted(column.values)
    few = len(values) // 8
    if values[0] < 0 or values[few] < 1 or values[-few] > column.game.word:
        return None
    middle = values[len(values) // 2]
    if middle <= 16:
        return "bits"
    return "shift32" if middle < 32 else "shift" if middle <= 64 else "shift128"


def index_bits(column: Column, kind: Kind) -> list[int]:
    """The index bits of each row that the numbers stand for."""
    return [abs(WHOLE[kind] - value) for value in column.values]


@cache
def fits(column: Column, kind: Kind, piece: str) -> bool:
    """Are these about the numbers of bits that the piece's squares need?"""
    game = column.game
    own = index_bits(column, kind)
    if len(set(column.values)) <= 2:
        return sorted(own)[len(own) // 2] in fixed_bits(game, piece)
    needed = [mask.bit_count() for mask in game.masks(piece, game.arrangements[0], "usual")]
    near = sum(abs(a - b) <= 2 for a, b in zip(own, needed, strict=True))
    return near >= NEARLY_ALL * game.squares


def fixed_bits(game: Game, piece: str) -> range:
    """The numbers of bits that one shift for all squares may leave."""
    most = game.most_bits(piece)
    return range(most - 1, most + (3 if most > FEW_BITS else 2))


@cache
def is_post_mask(column: Column) -> bool:
    """A low mask on every row, for an AND after the shift."""
    return all(0x1F <= v <= 0xFFFF and v & (v + 1) == 0 for v in column.words)


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
