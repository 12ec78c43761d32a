"""Finished attack tables in a source: every entry against the board's attack set.

    rook_attacks[102400] = { 0x0101..., ... }     64 bits an entry: the attack set
    rook_attacks[102400] = { 0x7f01, ... }        16 bits: what PDEP spreads over the lines

An entry of 16 bits holds the attack set's bits on the square's lines (what it attacks on the
empty board), moved together: `pdep(entry, line)` is the attack set.

Which lookup loads which entry is the table's to say: its index formula and its offsets. A table
without magics is `pext_table`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from magicert.board import CHESS
from magicert.chess import MOVEMENTS, Piece
from magicert.formula import parse
from magicert.formula.arrays import evaluate
from magicert.languages.items import ItemRow
from magicert.table import PieceTable, Table
from magicert.table.files import TableFile
from magicert.verify.source.contents import Contents
from magicert.verify.source.source_text import NumberList, Source
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.attacks import BoardPiece
from magicert.verify.table.layout import lay_out, line_of
from magicert.verify.table.lookups import Block, Lookups

MOST_SHOWN = 16
"""Wrong entries of a list that are named one by one."""

_MOVED_TOGETHER = parse("pext(word, line)").tree


@dataclass(frozen=True, slots=True)
class WrongEntry:
    """An entry that a lookup loads and that is not its attack set.

    `holds` is None beyond the end of the list, and `entry` -1 where the index is beyond what the
    table allows. `holds` and `wanted` have the entry's bits.
    """

    list: str
    entry: int
    piece: str
    square: str
    occupancy: int
    holds: int | None
    wanted: int

    def __str__(self) -> str:
        content = "is beyond its end" if self.holds is None else f"holds 0x{self.holds:x}"
        where = f"{self.piece} {self.square}, occupancy 0x{self.occupancy:016x}"
        which = f"entry {self.entry}" if self.entry >= 0 else "no entry"
        return f"{which} of {self.list}: {where}: {content}, expected 0x{self.wanted:x}"


@dataclass(frozen=True, slots=True)
class Compared:
    """One list: how many entries lookups load, how many of these are wrong, and the first ones.
    `end` is behind the last that they load.
    """

    list: str
    loaded: int
    wrong: int
    first: tuple[WrongEntry, ...]
    end: int = 0


def compare(table: Table, name: str, entries: NDArray[np.uint64], bits: int = 64) -> Compared:
    """Every lookup of a table of one piece against a finished list of entries of so many bits.

    An entry that no lookup loads may hold anything. Two lookups that load one entry and want
    different attack sets make it wrong, whatever it holds. Raises InputError where the table
    contradicts itself.
    """
    (buffer,) = lay_out(TableFile.unsaved(table, table.name))
    length = len(entries)
    loaded = np.zeros(length + 1, dtype=np.bool_)  # the last one: beyond the end
    wrong: dict[int, WrongEntry] = {}
    bad = np.zeros(length + 1, dtype=np.bool_)
    for block in Lookups(buffer, MAX_LOOKUPS):
        outside = (block.slots < 0) | (block.slots >= length)
        places = np.where(outside, length, block.slots)
        loaded[places] = True
        expected = _wanted(block, bits)
        contents = np.append(entries, np.uint64(0))[places]
        differ = (contents != expected) | outside
        bad[places[differ]] = True
        for row in np.flatnonzero(differ.any(axis=1)).tolist():
            for which in _lowest(block, row, differ[row]):
                wrong_entry = WrongEntry(
                    name, int(block.slots[row, which]), str(block.layout.table.piece),
                    table.board.name(block.layout.mover.square(block.layout.bits[block.rows[row]])),
                    int(block.occupancies[row, which]),
                    None if outside[row, which] else int(contents[row, which]),
                    int(expected[row, which]),
                )  # fmt: skip
                wrong.setdefault(wrong_entry.entry, wrong_entry)
    first = tuple(wrong[entry] for entry in sorted(wrong)[:MOST_SHOWN])
    places = np.flatnonzero(loaded[:length])
    end = int(places[-1]) + 1 if len(places) else 0
    return Compared(name, len(places), int(bad.sum()), first, end)


def _lowest(block: Block, row: int, differ: NDArray[np.bool_]) -> list[int]:
    """A lookup of each of a row's first wrong entries: that with the fewest blockers."""
    places = np.flatnonzero(differ)
    few = np.bitwise_count(block.occupancies[row, places])
    places = places[np.lexsort((few, block.slots[row, places]))]
    _, first = np.unique(block.slots[row, places], return_index=True)
    lookups: list[int] = places[first[:MOST_SHOWN]].tolist()
    return lookups


def _wanted(block: Block, bits: int) -> NDArray[np.uint64]:
    """What the entries of lookups must hold."""
    attacks: NDArray[np.uint64] = block.attacks
    if bits == 64:
        return attacks
    layout = block.layout
    lines = np.array(
        [[line_of(layout.mover, layout.bits[row])] for row in block.rows.tolist()], dtype=np.uint64
    )
    together: NDArray[np.uint64] = evaluate(_MOVED_TOGETHER, {"word": attacks, "line": lines})
    return together


def pext_table(name: str) -> Table:
    """Rook and bishop by PEXT, a list each: squares one after another, as many entries as they
    have occupancies.
    """
    index = parse("pext(occ, mask)")
    return Table(name, {str(p): PieceTable(str(p), MOVEMENTS[p], index, {}) for p in Piece})


# Lists of a source with thousands of attack sets, compared entry by entry.
#
# Beside magics each entry must be what the index of a reading that certifies asks for. Without them
# the entries may stand in the order of PEXT. How the squares follow one another no list says:
# some ways are tried, and one fits where nearly all entries are right.

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
        return [
            (*place, entry) for place, entry in zip(self.places, self.compared.first, strict=True)
        ]

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
    before: int = 0
    """Entries of the list before these: another piece's."""

    @property
    def bits(self) -> int:
        """Of the narrowest entries that hold all of them."""
        return 64 if int(self.entries.max()) >> 16 else 16


def attack_lists(contents: Contents, table: Table) -> tuple[AttackList, ...]:
    """The finished lists of a source that belong to a table's pieces."""
    if not table.is_chess() or table.two_level is not None:
        return ()
    recognised: list[AttackList] = []
    for long_list in _long_lists(contents):
        pieces = [piece for piece in table.pieces if _may_hold(long_list, piece, table.order)]
        fitting = [best for piece in pieces if (best := _best(long_list, table, piece))]
        recognised += fitting
        if pieces and not fitting and long_list.bits == 64:
            recognised.append(
                _compared(long_list, pieces[0], Compared(long_list.list.name, 0, 0, ()))
            )
    return tuple(recognised)


def pext_lists(contents: Contents) -> tuple[Table, tuple[AttackList, ...], tuple[str, ...]] | None:
    """A table without magics, and its finished lists, where their entries follow PEXT; and what of
    these lists was not looked at. A list may hold one piece's entries behind the other's.
    """
    pieces: dict[str, PieceTable] = {}
    recognised: list[AttackList] = []
    not_looked_at: list[str] = []
    whole = pext_table(", ".join(source.file for source in contents.sources))
    for long_list in _long_lists(contents):
        rest, before = long_list, len(recognised)
        while len(rest.entries) >= FEWEST:
            fitting = (
                (piece, best)
                for piece in whole.pieces
                if piece not in pieces
                and _may_hold(rest, piece, whole.order)
                and (best := _best(rest, whole, piece))
            )
            piece, best = next(fitting, ("", None))
            if best is None:
                break
            pieces[piece] = whole.pieces[piece]
            recognised.append(best)
            end = best.compared.end
            rest = replace(rest, entries=rest.entries[end:], starts=None, before=rest.before + end)
        if len(recognised) > before and len(rest.entries) >= FEWEST:
            not_looked_at.append(
                f"not looked at: {len(rest.entries):,} more entries of {recognised[-1].name}"
            )
    if not recognised:
        return None
    table = replace(whole, pieces={piece: pieces[piece] for piece in sorted(pieces)})
    return table, tuple(recognised), tuple(not_looked_at)


def _long_lists(contents: Contents) -> Iterator[_Long]:
    for source in contents.sources:
        for number_list in source.lists:
            values = number_list.values()
            if len(values) < FEWEST or None in values:
                continue
            numbers = [value & WORD for value in values if value is not None]
            if any(value is not None and not -(1 << 63) <= value <= WORD for value in values):
                continue
            rows = [item for item in number_list.row.items if isinstance(item, ItemRow)]
            starts = None
            if len(rows) == len(number_list.row.items) == 64:
                sizes = [sum(1 for _ in row.flat()) for row in rows]
                starts = (0, *accumulate(sizes[:-1]))
            yield _Long(source, number_list, np.array(numbers, dtype=np.uint64), starts)


def _may_hold(long_list: _Long, piece: str, order: str) -> bool:
    """Does a list have what a piece attacks on the empty board, of nearly all squares?"""
    mover = BoardPiece(CHESS, MOVEMENTS[Piece(piece)], order)
    lines = [line_of(mover, bit) for bit in range(64)]
    if long_list.bits < 64:
        lines = [(1 << line.bit_count()) - 1 for line in lines]
    return float(np.isin(np.array(lines, dtype=np.uint64), long_list.entries).mean()) >= FITS


def _ways(long_list: _Long, half: PieceTable) -> Iterator[PieceTable]:
    """A piece's tables that place a list's entries."""
    alone = replace(half, offset=None, square_size=None, buffer_size=None)
    if long_list.starts is not None:
        yield replace(alone, offset=long_list.starts)
        return
    if half.offset is not None:
        yield half
    yield alone
    if len(long_list.entries) % 64 == 0:
        stride = len(long_list.entries) // 64
        yield replace(alone, offset=tuple(range(0, 64 * stride, stride)))


def _best(long_list: _Long, table: Table, piece: str) -> AttackList | None:
    """The first way that fits, or none: an entry of nobody is no error."""
    for half in _ways(long_list, table.pieces[piece]):
        only = replace(table, pieces={half.piece: half}, shared=False, buffer_size=None)
        compared = compare(only, long_list.list.name, long_list.entries, long_list.bits)
        if compared.loaded and compared.wrong <= (1 - FITS) * compared.loaded:
            first = (
                replace(wrong, entry=wrong.entry + long_list.before) if wrong.entry >= 0 else wrong
                for wrong in compared.first
            )
            return _compared(long_list, piece, replace(compared, first=tuple(first)))
    return None


def _compared(long_list: _Long, piece: str, compared: Compared) -> AttackList:
    numbers = [*long_list.list.row.flat()] if compared.first else []
    places = []
    for entry in (wrong.entry for wrong in compared.first):
        line, before = (0, -1)
        if 0 <= entry < len(numbers):
            line, before = long_list.source.spot(numbers[entry].place)
        places.append((line, before + 1))
    number_list = long_list.list
    return AttackList(
        number_list.name or number_list.file,
        number_list.file,
        number_list.line,
        piece,
        compared,
        tuple(places),
    )
