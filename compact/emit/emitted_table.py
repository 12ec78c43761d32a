"""What is emitted, before it is in any language: columns, folded formulas, the filled buffer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.compact.emit.boards import (
    CHESS_FRAME,
    BoardFacts,
    Frame,
    Moves,
    board_facts,
    frame,
    moves,
    pieces_named,
    with_amounts,
)
from magicert.compact.emit.levels import Levels, both_levels
from magicert.compact.emit.spelling import buffer_name
from magicert.compact.formula_shape import shape_of
from magicert.formula.arrays import Words, dtype_of, ints, lanes, words
from magicert.formula.tree import (
    LINE,
    MASK,
    OCCUPANCY,
    Literal,
    Name,
    Node,
    children,
    evaluate,
    names,
    used_width,
    with_children,
)
from magicert.problem import InputError, Problem
from magicert.table import Table
from magicert.table.files import TableFile
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.layered import is_readable, required
from magicert.verify.table.layout import BufferLayout, PieceLayout, lay_out
from magicert.verify.table.literal import read_sidecar
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify

MOST_ENTRIES = 1 << 26
"""Longest buffer that is emitted: 512 MiB of words of 64 bits."""


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """One number for every square, by the engine's bit numbering; of so many bits."""

    name: str
    values: tuple[int, ...]
    bits: int = 64

    @property
    def place(self) -> bool:
        """Whether the numbers are places in a buffer."""
        return self.name in ("offset", "set_offset")

    @property
    def hexadecimal(self) -> bool:
        """Whether the numbers are bit patterns rather than amounts."""
        return self.name in ("mask", "magic", "constant", LINE) or max(self.values) >> 32 > 0


@dataclass(frozen=True, slots=True)
class EmittedPiece:
    """One piece: its index as a tree over `occ` and the columns, and the buffer it uses.

    `result` makes the attack set from the loaded `word`; None where that is the attack set.
    `moves` is how it moves; None of chess's rook and bishop, whose rays every language walks.
    `beyond_mask` says that a lookup reads squares outside of the mask: a fill routine does not.
    `elsewhere` says of columns that another piece has whose they are: the lookup reads those.
    """

    piece: str
    index: Node
    columns: tuple[NumberColumn, ...]
    buffer: str
    result: Node | None = None
    moves: Moves | None = None
    beyond_mask: bool = False
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @property
    def own_columns(self) -> tuple[NumberColumn, ...]:
        """Those that no other piece has."""
        return tuple(column for column in self.columns if column.name not in self.elsewhere)

    @property
    def squares(self) -> int:
        """How many squares the columns are of: the board's, or of a half board 32."""
        return len(self.columns[0].values)

    @property
    def layered(self) -> bool:
        """Whether several squares may share an entry: then it is filled by OR."""
        return self.result is not None

    @property
    def half_board(self) -> bool:
        """Whether lookups for ranks 5 to 8 swap the bytes of occupancy and attack set."""
        return self.moves is None and self.squares == 32


@dataclass(frozen=True, slots=True)
class EmittedJoin:
    """A piece whose attack set is the OR of those of other pieces, its parts, and of its leaps: a
    word for each square, by the engine's bit numbering; None where it has none.
    """

    piece: str
    parts: tuple[str, ...]
    leaps: Words | None


@dataclass(frozen=True, slots=True)
class EmittedTable:
    """A whole table, ready to be written in any language.

    `buffers` maps the name of a buffer ("attacks", or "rook" and "bishop") to its attack
    sets; a hole holds 0. In a two-level table they hold numbers ("numbers" if shared), and
    `levels` the attack sets. `header` says what it is, how it is proved, how to get it again;
    `facts` is what a reader of the source must be told, if it can be read back; `order` the square
    order's name.
    """

    name: str
    pieces: tuple[EmittedPiece, ...]
    buffers: Mapping[str, NDArray[np.unsignedinteger[Any]]]
    header: tuple[str, ...]
    levels: Levels | None = None
    frame: Frame = CHESS_FRAME
    facts: BoardFacts | None = None
    order: str = "a1"
    can_be_read_back: bool = False
    """Whether `magicert verify` reads the source of a chess table without a word more."""
    joined: tuple[EmittedJoin, ...] = ()

    @property
    def is_chess(self) -> bool:
        """Whether the pieces are chess's rook and bishop, on its board."""
        return all(piece.moves is None for piece in self.pieces)

    @property
    def word(self) -> int:
        """The bits of the words that hold a bitboard: 64, 128 or 256."""
        return self.frame.word

    @property
    def arrays(self) -> list[tuple[str, NDArray[np.unsignedinteger[Any]], int]]:
        """Of all buffers the name in small letters, the words, and their bits."""
        bits = self.levels.entry_bits if self.levels else self.word
        sets = self.levels.buffers if self.levels else {}
        buffers = [(buffer_name(name), words, bits) for name, words in self.buffers.items()]
        return [*buffers, *((name, words, self.word) for name, words in sets.items())]

    @property
    def can_be_filled(self) -> bool:
        """Whether a program can fill the buffers: one level, whose entries are attack sets."""
        return self.levels is None and all(piece.result is None for piece in self.pieces)

    @property
    def entries(self) -> int:
        return sum(map(len, self.buffers.values()))

    @property
    def bytes(self) -> int:
        """The size of all buffers, attack sets included."""
        sets = self.levels.buffers if self.levels else {}
        leaps = (piece.leaps for piece in self.joined if piece.leaps is not None)
        return sum(each.nbytes for each in (*self.buffers.values(), *sets.values(), *leaps))


def prepare_table(file: TableFile, command: str) -> EmittedTable:
    """What is emitted of a table, which is verified first.

    Raises InputError where the table is invalid, has negative offsets, or has two levels whose
    numbers mean nothing without the finished buffers.
    """
    table, where = file.table, str(file.path)
    report = verify(file)
    if report.verdict != "valid":
        only = "only a valid table is emitted (magicert verify shows why)"
        message = f"the table is {report.verdict}: {only}"
        raise InputError([Problem(message, file=where)])
    for buffer in report.buffers:
        if buffer.length > MOST_ENTRIES:
            message = f"a buffer of {buffer.length:,} slots: expected at most {MOST_ENTRIES:,}"
            raise InputError([Problem(f"{message} (repack it: magicert pack)", file=where)])
    pieces: list[EmittedPiece] = []
    layouts = lay_out(TableFile.unsaved(table, where))
    shared, levels = "attacks", None
    filled: Sequence[NDArray[np.unsignedinteger[Any]]]
    if table.two_level is None:
        filled = [_filled(layout, file.path.parent, table.board.word) for layout in layouts]
    else:
        shared = "numbers"
        filled, levels = both_levels(table, layouts, file.path.parent)
    own = [layout for layout in layouts if layout.numbers_of is None]
    names = [shared if table.shared else layout.name for layout in own]
    named = {
        part.table.piece: name for name, layout in zip(names, own, strict=True)
        for part in layout.pieces
    }  # fmt: skip
    for layout in layouts:
        for part in layout.pieces:
            name = named[layout.numbers_of or part.table.piece]
            pieces.append(_piece(part, name, file, levels))
    if len(own) < len(layouts):
        pieces = [*_without_repeats(pieces)]
    buffers = dict(zip(names, filled, strict=True))
    header = _header(file, report, command, levels)
    numbering = frame(table.board, table.order)
    board, order = board_facts(table), table.order
    halves = table.pieces.values()
    read = table.is_chess() and not table.half_board
    read = read and all(half.result is None and shape_of(half.index) for half in halves)
    return EmittedTable(
        table.name, tuple(pieces), buffers, header, levels, numbering, board, order,
        can_be_read_back=read, joined=tuple(_joins(table)),
    )  # fmt: skip


def _without_repeats(pieces: list[EmittedPiece]) -> Iterator[EmittedPiece]:
    """Pieces that read a column of another one where theirs would be the same: so a compiler sees
    that lookups of several pieces begin alike.
    """
    whose: dict[NumberColumn, str] = {}
    for piece in pieces:
        there = {c.name: whose[c] for c in piece.columns if c in whose}
        yield replace(piece, elsewhere=there)
        whose = {**dict.fromkeys(piece.columns, piece.piece), **whose}


def _joins(table: Table) -> Iterator[EmittedJoin]:
    for name, piece in table.joined.items():
        leaps = table.leaps_of(name)
        found = None if leaps is None else words(leaps, table.board.word)
        yield EmittedJoin(name, piece.parts, found)


def binary(emitted: EmittedTable) -> bytes:
    """The finished buffers one after another, little-endian 64-bit words, holes 0.

    Of a two-level table: the numbers, of its 8 or 16 bits each, then the attack sets by piece.
    """
    sets = emitted.levels.buffers.values() if emitted.levels else ()
    return b"".join(
        words.astype(words.dtype.newbyteorder("<")).tobytes()
        for words in (*emitted.buffers.values(), *sets)
    )


def _piece(part: PieceLayout, buffer: str, file: TableFile, levels: Levels | None) -> EmittedPiece:
    table = file.table
    if min(part.offset) < 0:
        message = f"{min(part.offset)}: expected no negative offset (repack it: magicert pack)"
        raise InputError([Problem(message, file=str(file.path), key=f"{part.table.piece}.offset")])
    tree = part.table.index.tree
    result = None if part.table.result is None else part.table.result.tree
    given = {
        name: [int(word) for word in ints(np.broadcast_to(words, (len(part.bits), 1)).ravel())]
        for name, words in part.parameters.items()
    }
    if not table.is_chess():
        tree, given = with_amounts(tree, given)
    scalars: dict[str, int] = {}
    columns: list[NumberColumn] = []
    used = names(tree) | {MASK} | (names(result) if result else frozenset())
    for name in sorted(given, key=lambda name: (name != "mask", name != "magic", name)):
        if name not in used:
            continue
        words = given[name]
        if len(set(words)) == 1 and name not in (MASK, LINE):
            scalars[name] = words[0]
        else:
            whole = name in (MASK, LINE)
            bits = table.board.word if whole else used_width(tree, name)
            columns.append(NumberColumn(name, _by_bit(words, part), bits))
    columns.append(NumberColumn("offset", _by_bit(list(part.offset), part)))
    if levels is not None:
        starts = levels.starts[part.table.piece]
        columns.append(NumberColumn("set_offset", _by_bit(list(starts), part)))
    folded = None if result is None else fold(result, scalars)
    moving = None if table.is_chess() else moves(table.board, table.order, part.table.movement)
    index = fold(tree, scalars)
    beyond = any(read & ~mask for read, mask in zip(part.relevant, part.table_masks, strict=True))
    beyond &= moving is not None
    return EmittedPiece(part.table.piece, index, tuple(columns), buffer, folded, moving, beyond)


def _by_bit(rows: list[int], part: PieceLayout) -> tuple[int, ...]:
    # A half board begins with a1, and has no columns for what is mirrored.
    values = [0] * part.mirrored.count(False)
    for row, bit in enumerate(part.bits[: len(values)]):
        values[bit] = int(rows[row])
    return tuple(values)


def _filled(layout: BufferLayout, folder: Path, word: int) -> Words:
    if layout.layered and not is_readable(layout):
        assert layout.literal is not None  # the verifier sees to it
        return read_sidecar(folder, layout.literal, word, layout.declared).numbers
    lookups = Lookups(layout, MAX_LOOKUPS)
    length = 1 + max(int(block.slots.max()) for block in lookups)
    buffer = np.zeros(length, dtype=dtype_of(word))
    for block in lookups:
        if layout.layered:  # what nobody asks for is 0
            ones = required(block).ones
            for lane, added in zip(lanes(buffer), lanes(ones), strict=True):
                np.bitwise_or.at(lane, block.slots, added)
        else:
            buffer[block.slots] = block.attacks
    return buffer


def _header(
    file: TableFile, report: Report, command: str, levels: Levels | None
) -> tuple[str, ...]:
    table, provenance = file.table, file.table.provenance
    sizes = ", ".join(f"{buffer.length:,} entries" for buffer in report.buffers)
    if levels:
        count = sum(map(len, levels.buffers.values()))
        what = "words" if levels.shared else "attack sets"
        sizes += f" of {levels.entry_bits} bits, which number {count:,} {what}"
    lines = [
        f"{table.name}: all {pieces_named(table)} attacks in {sizes}.",
        f"Written by {report.tool} from {file.path.name}",
        f"(SHA-256 {file.sha256}).",
        f"Verified: {report.lookups:,} lookups, all squares, all occupancies; no conflict.",
    ]
    results = {half.result.text for half in file.table.pieces.values() if half.result}
    lines += [f"Several squares share an entry; attack set: {text}." for text in sorted(results)]
    last = table.board.squares - 1
    first, second, end = (table.board.name(table.bit_square(place)) for place in (0, 1, last))
    lines.append(f"Squares: {first} = 0, {second} = 1, ..., {end} = {last}.")
    if file.table.half_board:
        lines.append("Half board: ranks 1-4; lookups for the others swap the ranks (bytes).")
    if provenance.certificate:
        lines.append(f"Certificate: {provenance.certificate}; check: magicert verify TABLE")
    if provenance.found_by:
        lines.append(f"Found by: {provenance.found_by}")
    if provenance.command:
        lines.append(f"Found with: {provenance.command}")
    lines.append(f"This file: {command}")
    return tuple(" ".join(line.split()) for line in lines)


def fold(node: Node, scalars: Mapping[str, int]) -> Node:
    """The tree with its scalar parameters as literals and constant parts computed."""
    if isinstance(node, Name) and node.name in scalars and node.name != OCCUPANCY:
        return Literal(scalars[node.name] & ((1 << node.width) - 1), node.span, node.width)
    new = with_children(node, tuple(fold(child, scalars) for child in children(node)))
    # A 32-bit constant stays as it is written: a literal would be a 64-bit word.
    if not names(new) and new.width > 32:
        return Literal(evaluate(new, {}), new.span, new.width)
    return new
