"""Finished attack tables in a source: lists of thousands of attack sets, compared entry by entry.

Beside magics each entry must be what the index of a reading that certifies asks for. Without them
the entries may stand in the order of PEXT. How the squares follow one another no list says:
some ways are tried, and one fits where nearly all entries are right.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from magicert.board import MOVEMENTS
from magicert.languages.values import ItemRow
from magicert.table import PieceTable, Table
from magicert.verify.source.lists import NumberList, Source
from magicert.verify.source.material import Material
from magicert.verify.table.attacks import BoardPiece
from magicert.verify.table.finished import Compared, Finished, WrongEntry, compare, pext_table
from magicert.verify.table.layout import line_of

FEWEST = 1 << 10
"""Shorter lists are no attack tables."""
FITS = 0.9
"""A way to place a list's entries fits where so many of those that lookups load are right."""
WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class AttackList:
    """A list of attack sets, compared: where it is, and where its first wrong entries are."""

    name: str
    file: str
    line: int
    piece: str
    compared: Compared
    places: tuple[tuple[int, int], ...] = ()
    """Line and column of each of `compared.first`, from 1; (0, 0) beyond the end of the list."""

    @property
    def fits(self) -> bool:
        """Was there a way to place its entries? Otherwise nothing is said of them."""
        return self.compared.loaded > 0

    @property
    def right(self) -> bool:
        """Is every entry that a lookup loads its attack set?"""
        return not self.compared.wrong

    @property
    def wrong(self) -> list[tuple[int, int, WrongEntry]]:
        """The first wrong entries: line, column, and what is wrong."""
        return [(*place, one) for place, one in zip(self.places, self.compared.first, strict=True)]

    def __str__(self) -> str:
        right = self.compared.loaded - self.compared.wrong
        return f"{right:,} of {self.compared.loaded:,} entries of {self.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class _Long:
    """A long list: its numbers, and where the rows of 64 squares begin, if it has such rows."""

    source: Source
    list: NumberList
    entries: NDArray[np.uint64]
    starts: tuple[int, ...] | None

    @property
    def finished(self) -> Finished:
        """With the narrowest entries that hold all of them."""
        bits = 64 if int(self.entries.max()) >> 16 else 16
        return Finished(self.list.name, self.entries, bits)


def attack_lists(material: Material, table: Table) -> tuple[AttackList, ...]:
    """The finished lists of a source that belong to a table's pieces."""
    if not table.is_chess() or table.two_level is not None:
        return ()
    found: list[AttackList] = []
    for one in _long_lists(material):
        pieces = [piece for piece in table.pieces if _may_hold(one, piece, table.order)]
        own = [_best(one, piece, _ways(one, table, piece)) for piece in pieces]
        found += [best for best in own if best is not None]
        if pieces and not any(own) and one.finished.bits == 64:
            nothing = Compared(one.list.name, 0, 0, ())
            found.append(
                AttackList(one.list.name, one.list.file, one.list.line, pieces[0], nothing)
            )
    return tuple(found)


def pext_lists(material: Material) -> tuple[Table, tuple[AttackList, ...]] | None:
    """A table without magics, and its finished lists, where their entries follow PEXT."""
    pieces: dict[str, PieceTable] = {}
    found: list[AttackList] = []
    whole = pext_table(", ".join(source.file for source in material.sources))
    for one in _long_lists(material):
        for piece in whole.pieces.keys() - pieces.keys():
            if not _may_hold(one, piece, whole.order):
                continue
            ways = _ways(one, whole, piece)
            best = _best(one, piece, ways)
            if best is not None:
                pieces[piece] = whole.pieces[piece]
                found.append(best)
                break
    if not found:
        return None
    return replace(whole, pieces={piece: pieces[piece] for piece in sorted(pieces)}), tuple(found)


def _long_lists(material: Material) -> Iterator[_Long]:
    for source in material.sources:
        for one in source.lists:
            values = one.values()
            if len(values) < FEWEST or None in values:
                continue
            numbers = [value & WORD for value in values if value is not None]
            if any(value is not None and not -(1 << 63) <= value <= WORD for value in values):
                continue
            rows = [item for item in one.row.items if isinstance(item, ItemRow)]
            starts = None
            if len(rows) == len(one.row.items) == 64:
                sizes = [sum(1 for _ in row.flat()) for row in rows]
                starts = (0, *accumulate(sizes[:-1]))
            yield _Long(source, one, np.array(numbers, dtype=np.uint64), starts)


def _may_hold(one: _Long, piece: str, order: str) -> bool:
    """Does a list have what a piece attacks on the empty board, of nearly all squares?"""
    mover = BoardPiece(pext_table("").board, MOVEMENTS[pext_table("").pieces[piece].slider], order)
    lines = [line_of(mover, bit) for bit in range(64)]
    if one.finished.bits < 64:
        lines = [(1 << line.bit_count()) - 1 for line in lines]
    return float(np.isin(np.array(lines, dtype=np.uint64), one.entries).mean()) >= FITS


def _ways(one: _Long, table: Table, piece: str) -> Iterator[tuple[Table, str]]:
    """Tables that place a list's entries, with the buffer that the list is of."""
    half = table.pieces[piece]
    alone = replace(half, offset=None, square_size=None, buffer_size=None)
    if one.starts is not None:
        yield _only(table, replace(alone, offset=one.starts)), piece
        return
    if half.offset is not None:
        yield _only(table, half), piece
    yield _only(table, alone), piece
    if len(one.entries) % 64 == 0:
        stride = len(one.entries) // 64
        yield _only(table, replace(alone, offset=tuple(range(0, 64 * stride, stride)))), piece


def _only(table: Table, half: PieceTable) -> Table:
    return replace(table, pieces={half.piece: half}, shared=False, buffer_size=None)


def _best(one: _Long, piece: str, ways: Iterator[tuple[Table, str]]) -> AttackList | None:
    """The first way that fits, or none: an entry of nobody is no error."""
    for table, buffer in ways:
        (compared,) = compare(table, {buffer: one.finished})
        if compared.loaded and compared.wrong <= (1 - FITS) * compared.loaded:
            return AttackList(
                one.list.name, one.list.file, one.list.line, piece, compared,
                _places(one, compared.first),
            )  # fmt: skip
    return None


def _places(one: _Long, wrong: Sequence[WrongEntry]) -> tuple[tuple[int, int], ...]:
    if not wrong:
        return ()
    numbers = [*one.list.row.flat()]
    found = []
    for entry in wrong:
        if not 0 <= entry.entry < len(numbers):
            found.append((0, 0))
            continue
        line, before = one.source.spot(numbers[entry.entry].place)
        found.append((line, before + 1))
    return tuple(found)
