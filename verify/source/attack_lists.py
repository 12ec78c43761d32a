"""Finished attack tables in a source: every entry against the board's attack set."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from magicert.board import MOVEMENTS, Board, Piece
from magicert.dataclass import dataclass
from magicert.formula import parse
from magicert.formula.arrays import evaluate
from magicert.languages.values import ItemRow
from magicert.table import PieceTable, Table
from magicert.table.model import Values
from magicert.table.read import TableFile
from magicert.verify.source.columns import Material
from magicert.verify.source.lists import NumberList, Source
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.attacks import BoardPiece
from magicert.verify.table.layout import lay_out, line_of
from magicert.verify.table.lookups import Block, Lookups

# Finished attack tables: every entry that a lookup loads, against the attack set of the board.
#
#     rook_attacks[102400] = { 0x0101..., ... }     64 bits an entry: the attack set
#     rook_attacks[102400] = { 0x7f01, ... }        16 or 8 bits: what PDEP spreads over the lines
#
# An entry of 8 or 16 bits holds the attack set's bits on the square's lines (what it attacks on the
# empty board), moved together: `pdep(entry, line)` is the attack set.
#
# Which lookup loads which entry is the table's to say: its index formula and its offsets. A table
# without magics is `pext_table`.


MOST_SHOWN = 16
"""Wrong entries of a list that are named one by one."""

_MOVED_TOGETHER = parse("pext(word, line)").tree


@dataclass(frozen=True, slots=True)
class Finished:
    """A list of attack sets as it stands in a source: its name, its entries of so many bits."""

    name: str
    entries: NDArray[np.uint64]
    bits: int = 64


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
        held = "is beyond its end" if self.holds is None else f"holds 0x{self.holds:x}"
        where = f"{self.piece} {self.square}, occupancy 0x{self.occupancy:016x}"
        which = f"entry {self.entry}" if self.entry >= 0 else "no entry"
        return f"{which} of {self.list}: {where}: {held}, expected 0x{self.wanted:x}"


@dataclass(frozen=True, slots=True)
class Compared:
    """One list: how many entries lookups load, how many of these are wrong, and the first ones."""

    list: str
    loaded: int
    wrong: int
    first: tuple[WrongEntry, ...]


def compare(table: Table, lists: Mapping[str, Finished]) -> list[Compared]:
    """Every lookup of a table against finished lists; `lists` by buffer: a piece, or "shared".

    An entry that no lookup loads may hold anything. Two lookups that load one entry and want
    different attack sets make it wrong, whatever it holds. Raises ValueError for a board of more
    than 64 squares, for entries too narrow for the lines, and InputError where the table
    contradicts itself.
    """
    if table.board.word > 64:
        raise ValueError("finished lists are read on boards of up to 64 squares")
    compared = []
    for buffer in lay_out(TableFile.unsaved(table, table.name)):
        finished = lists.get(buffer.name)
        if finished is None:
            continue
        lookups = Lookups(buffer, MAX_LOOKUPS)
        compared.append(_compared(table.board, finished, lookups))
    return compared


def _compared(board: Board, finished: Finished, lookups: Lookups) -> Compared:
    length = len(finished.entries)
    loaded = np.zeros(length + 1, dtype=np.bool_)  # the last one: beyond the end
    wrong: dict[int, WrongEntry] = {}
    bad = np.zeros(length + 1, dtype=np.bool_)
    for block in lookups:
        outside = (block.slots < 0) | (block.slots >= length)
        places = np.where(outside, length, block.slots)
        loaded[places] = True
        wanted = _wanted(block, finished.bits)
        held = np.append(finished.entries, np.uint64(0))[places]
        differ = (held != wanted) | outside
        bad[places[differ]] = True
        for row in np.flatnonzero(differ.any(axis=1)).tolist():
            for which in _lowest(block, row, differ[row]):
                one = WrongEntry(
                    finished.name, int(block.slots[row, which]), str(block.layout.table.piece),
                    board.name(block.layout.mover.square(block.layout.bits[block.rows[row]])),
                    int(block.occupancies[row, which]),
                    None if outside[row, which] else int(held[row, which]),
                    int(wanted[row, which]),
                )  # fmt: skip
                wrong.setdefault(one.entry, one)
    first = tuple(wrong[entry] for entry in sorted(wrong)[:MOST_SHOWN])
    return Compared(finished.name, int(loaded[:length].sum()), int(bad.sum()), first)


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
    if int(np.bitwise_count(lines).max()) > bits:
        message = f"entries of {bits} bits: a {layout.table.piece} has more squares on its lines"
        raise ValueError(message)
    together: NDArray[np.uint64] = evaluate(_MOVED_TOGETHER, {"word": attacks, "line": lines})
    return together


def pext_table(name: str, stride: Mapping[str, int] | None = None, order: str = "a1") -> Table:
    """Rook and bishop by PEXT, a list each: squares one after another, as many entries as they
    have occupancies, or by `stride` so many for every square of a piece.
    """
    stride = stride or {}
    pieces = {}
    for piece in Piece:
        size: Values | None = (stride[piece],) if piece in stride else None
        index = parse("pext(occ, mask)")
        pieces[str(piece)] = PieceTable(str(piece), MOVEMENTS[piece], index, {}, square_size=size)
    return Table(name, pieces, order=order, listing=order)


# Finished attack tables in a source: lists of thousands of attack sets, compared entry by entry.
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
