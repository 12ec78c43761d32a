"""Where magics come from: which known set of magics a table has, if any.

Most engines have one of a few sets. In the white scheme two numbers have the same indexes if they
agree modulo the LCM period, so they count as the same there: for a mask whose lowest square is bit
1 only the low 63 bits of a magic matter, for one that begins at bit 8 the low 56 bits.

The sets are in tables/sets.json, which tools/sets.py writes from the shipped tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from magicert.board import CHESS
from magicert.chess import MOVEMENTS, Piece
from magicert.data import tables_folder
from magicert.formula import Formula
from magicert.movement import usual_mask
from magicert.scheme import SCHEMES
from magicert.table import Table

SETS = "sets.json"
"""The file of all sets, in the folder of the shipped tables."""

Magics = tuple[int, ...]
"""64 magics, by the bit that an engine gives the square; 0 where there is none."""


class NumberSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A known set of magics of one piece: the shipped tables that have it, of which the first gives
    the set its name; who found the magics and when, if that is known.
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
    """The known set nearest to a piece's magics, and the squares, by the engine's bits, on which
    they differ from it.
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
        return f"the same numbers as {self.numbers}, except on {squares}"


MOST_DIFFERING = 16
"""On so many squares magics may differ from a set and still be said to come from it."""


def known_sets(table: Table) -> dict[str, Origin]:
    """The known set that each piece's magics come from, for pieces that have one."""
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
    """The known set that these magics, by the engine's bits, come from; None if there is none."""
    return nearest(Piece(piece), tuple(magics), white=_has_period(formula))


def magics_of(table: Table, piece: Piece) -> Magics | None:
    """A piece's magics by the engine's bits; None if it has none, or on another board."""
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
    """The known set that differs on the fewest squares; None if those are too many."""
    compared = reduced(piece, magics) if white else magics
    best: Origin | None = None
    for numbers, raw, period in _sets()[piece]:
        known = period if white else raw
        pairs = enumerate(zip(compared, known, strict=True))
        differing = tuple(bit for bit, (a, b) in pairs if a != b)
        if len(differing) <= (len(best.differing) - 1 if best else MOST_DIFFERING):
            best = Origin(numbers, differing)
    return best


def reduced(piece: Piece, magics: Magics) -> Magics:
    """Magics modulo the LCM period of their squares, which holds in the white scheme."""
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
