"""Where magics come from: the shipped set that a table has, where it has one.

Most engines have one of a few sets. In the white scheme numbers that agree modulo the LCM period
give the same products, so that they count as the same: 0x8a80104000800020 and 0x80104000800020
on a square whose mask begins at bit 8 do not, at bit 1 they may.

The sets are in tables/sets.json, which tools/sets.py writes from the shipped tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from magicert.board import CHESS, MOVEMENTS, Piece, usual_mask
from magicert.data import tables_folder
from magicert.formula import Formula
from magicert.scheme import SCHEMES
from magicert.table import Table

SETS = "sets.json"
"""The file of all sets, in the folder of the shipped tables."""

Magics = tuple[int, ...]
"""64 magics, by the bit that an engine gives the square; 0 where there is none."""


class NumberSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The magics of one piece: the tables that have them, the first one the set's name; who found
    them and when, where that is known.
    """

    piece: str
    tables: tuple[str, ...]
    found_by: str
    found_on: str
    magics: tuple[str, ...]

    def __str__(self) -> str:
        when = f" ({self.found_on[:4]})" if self.found_on else ""
        by = f", found by {self.found_by}" if self.found_by else ""
        return f"{self.tables[0]}{when}{by}"


@dataclass(frozen=True, slots=True)
class Origin:
    """A set that a piece's magics are from, and the squares on which they differ from it, by the
    engine's bits.
    """

    numbers: NumberSet
    differing: tuple[int, ...]

    def magic(self, bit: int) -> int:
        """The set's number for a square."""
        return int(self.numbers.magics[bit], 16)

    def __str__(self) -> str:
        count = len(self.differing)
        if not count:
            return f"the same numbers as {self.numbers}"
        squares = "one square" if count == 1 else f"{count} squares"
        return f"the same numbers as {self.numbers} except on {squares}"


MOST_DIFFERING = 16
"""Squares on which numbers may differ and still be called a set's."""


def known_sets(table: Table) -> dict[str, Origin]:
    """The shipped set that each piece's magics are from, where there is one."""
    origins = {}
    for piece in Piece:
        magics = magics_of(table, piece)
        near = magics and nearest(piece, magics, white=is_white(table, piece))
        if near:
            origins[str(piece)] = near
    return origins


def is_white(table: Table, piece: Piece) -> bool:
    """Is the index that of the white scheme, where the LCM period holds?"""
    piece_table = table.pieces.get(piece)
    return piece_table is not None and _has_period(piece_table.index)


def _has_period(formula: Formula) -> bool:
    product = SCHEMES["white"].product
    assert product is not None
    return str(product.multiplicand) in formula.text


def nearest_set(piece: str, magics: Sequence[int], formula: Formula) -> Origin | None:
    """The shipped set that some magics are from, by the engine's bits, with this formula."""
    return nearest(Piece(piece), tuple(magics), white=_has_period(formula))


def magics_of(table: Table, piece: Piece) -> Magics | None:
    """A piece's magics by the engine's bits; None of another board, and where there are none."""
    piece_table = table.pieces.get(piece)
    if piece_table is None or not table.is_chess() or table.half_board:
        return None
    values = piece_table.parameters.get("magic", ())
    if len(values) != CHESS.squares:
        return None
    by_bit = [0] * CHESS.squares
    for row, magic in enumerate(values):
        by_bit[table.row_bit(row)] = magic
    return tuple(by_bit)


def nearest(piece: Piece, magics: Magics, *, white: bool) -> Origin | None:
    """The set with the fewest other numbers, if they are few."""
    compared = reduced(piece, magics) if white else magics
    best: Origin | None = None
    for numbers, raw, period in _sets()[piece]:
        theirs = period if white else raw
        pairs = enumerate(zip(compared, theirs, strict=True))
        differing = tuple(bit for bit, (a, b) in pairs if a != b)
        if len(differing) <= (len(best.differing) - 1 if best else MOST_DIFFERING):
            best = Origin(numbers, differing)
    return best


def reduced(piece: Piece, magics: Magics) -> Magics:
    """Magics modulo the LCM period of their squares, as the white scheme has it."""
    return tuple(magic % period for magic, period in zip(magics, _periods(piece), strict=True))


@cache
def _periods(piece: Piece) -> tuple[int, ...]:
    masks = (usual_mask(CHESS, MOVEMENTS[piece], square) for square in range(CHESS.squares))
    return tuple((1 << 64) // (mask & -mask) for mask in masks)


@cache
def _sets() -> Mapping[str, list[tuple[NumberSet, Magics, Magics]]]:
    """The sets of each piece, with their magics as they are and modulo the period."""
    read = msgspec.json.decode((tables_folder() / SETS).read_bytes(), type=list[NumberSet])
    sets: dict[str, list[tuple[NumberSet, Magics, Magics]]] = {str(piece): [] for piece in Piece}
    for numbers in read:
        magics = tuple(int(magic, 16) for magic in numbers.magics)
        sets[numbers.piece].append((numbers, magics, reduced(Piece(numbers.piece), magics)))
    return sets
