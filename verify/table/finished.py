"""Finished attack tables: every entry that a lookup loads, against the attack set of the board.

    rook_attacks[102400] = { 0x0101..., ... }     64 bits an entry: the attack set
    rook_attacks[102400] = { 0x7f01, ... }        16 or 8 bits: what PDEP spreads over the lines

An entry of 8 or 16 bits holds the attack set's bits on the square's lines (what it attacks on the
empty board), moved together: `pdep(entry, line)` is the attack set.

Which lookup loads which entry is the table's to say: its index formula and its offsets. A table
without magics is `pext_table`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from magicert.board import MOVEMENTS, Board, Piece
from magicert.formula import parse
from magicert.formula.numpy_reading import evaluate
from magicert.table import PieceTable, Table
from magicert.table.model import Values
from magicert.table.read import TableFile
from magicert.verify.table.budget import MAX_LOOKUPS
from magicert.verify.table.layout import lay_out, line_of
from magicert.verify.table.lookups import Block, Lookups

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
