"""A language to emit: its dialect for the formula, and the text around it.

Every language writes the same program: the columns, the buffers, either empty or finished
(`literal`), the lookups (one expression each) and, unless literal, a fill routine. That
routine knows nothing of this project: it walks the rays for every subset of every mask, and
stops at the first write that would change an entry.

The program stands here; what a language spells in its own way are the texts and the dialect
of its class. In the texts, `$word` stands for what `write` puts there.

A `Language` keeps each column in an array of its own; `records` is for those that keep the
columns of a piece in one array of records.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from string import Template
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece
from magicert.compact.emit.expression import Dialect
from magicert.compact.emit.moves import CHESS_FRAME, Moves
from magicert.compact.emit.spelling import (
    STEPS,
    buffer_name,
    camel,
    identifier,
    lines,
    sets_name,
    title,
)
from magicert.compact.emit.unit import Column, PieceUnit, Unit
from magicert.formula.tree import OCCUPANCY, WORD, Binary, Name, Node, names
from magicert.formula.wide import ints
from magicert.problem import InputError, Problem

WORDS_PER_LINE, NUMBERS_PER_LINE = 4, 16
LONGEST_LITERAL = 1 << 22
"""Of other boards than chess's: more bytes are too much for a compiler."""
OFFERED = "c, c++ or rust"
"""What writes other boards and pieces."""


class Language(Dialect):
    """One language. A subclass with a name, in a module of languages/, is found by itself."""

    suffix: str
    """The ending of a file."""
    scope_option = ""
    """The option that says where the names live: "prefix", "namespace", "package" or none."""
    scope = ""
    """Where they live without that option."""
    scope_form = r"[A-Za-z_]\w*"
    """What the option may say."""
    stem = "magics"
    """What the file is called, if nobody says."""
    usage: str
    """How an engine uses the file: prose, and behind four spaces lines that compile."""
    comment = "//"
    helpers: ClassVar[Mapping[str, str]] = {}
    """Functions that this language lacks: name and text, printed only where they are used.
    No text calls another. Amounts of rotation are taken modulo the width in them.
    """
    kinds: ClassVar[Mapping[int, str]]
    """The types of entries by their bits: 8, 16 and 64, and 128 where the language has them."""

    file: str
    """The whole file: $heading, $imports, $columns, $buffers, $helpers, $lookups, $filling."""
    filling: str
    """What a file has that is not literal: $walk, $subsets, $fills (and checks)."""
    column: str
    """A column: $PIECE, $column ..., its $kind and $items."""
    read: str
    """How a column is read: $PIECE, $column ..."""
    empty: str
    """An empty buffer: $array, $kind, $length."""
    finished: str
    """A finished buffer: the same and $items."""
    function: str
    """A lookup: $called, $public, $expression, and the words of a piece."""
    walk: str
    walk_moves = ""
    """The walk of any piece on any board: $across, $up, $most_steps, $most_regions, $pieces. A
    language without it serves chess only.
    """
    piece_moves = move = region = ""
    """A piece in it: $steps and $regions, and how many; one step: $rule, $x, $y, $limit; one
    region: $left, $low, $right, $high.
    """
    rules: ClassVar[Mapping[str, str]] = {}
    """The rules of steps by their names in `moves`."""
    stepping = walked = walked_moves = ""
    """The steps at the top of a chess piece's loop; how a loop calls either walk."""
    write_any = ""
    """Write an attack set. As an empty one looks like a free entry, all is checked behind."""
    search_sets = fill_many_levels = ""
    """A binary search among sorted attack sets, and `fill_levels` with it: for pieces that have
    thousands of them on a square.
    """
    listed = ""
    """What the array of a piece's records is called."""
    before_wide = after_wide = ""
    """What stands around code with words of 128 bits."""
    subsets = ""
    """The subsets of a mask, for the fill routine of two levels."""
    fill: str
    """The loop over the lookups of one piece, by the words of a piece; $write is what is done
    there, with $array and `slot` and what was reached.
    """
    write_once: str
    """Write an attack set, but change none."""
    add_layer: str
    """Write the ones of an attack set into an entry that others use, too."""
    check_layer: str
    """Compare what a layered table yields with the walk. It stands behind all that is written."""
    fill_levels: str
    """The loop that fills a buffer and the attack sets of one piece."""
    check_levels: str
    """The loop that compares every lookup of one piece with the walk. It stands behind all
    loops that fill, because squares may share slots.
    """

    indent = "    "
    """What stands before the items of an array."""
    step = ("{", "}")
    """The brackets around a step of the walk."""
    public = ""
    """What makes a function callable from another file."""
    column_kinds = ("", "")
    """The types of a column of places in a buffer, and of any other column."""
    array_name = "$NAME"
    """What a buffer is called: $name, $Name, $NAME."""
    call = "$piece$Name"
    """What a lookup function is called: $piece, $name ..."""
    either = "square < 32 ? $lower : $upper"
    """One expression for ranks 1 to 4, another for the others."""
    mirrored = "square ^ 56"
    """The square on the other half of the board."""
    addend, addend_32, addend_128 = "($index)", "", ""
    """An index as what can be added to an offset; one of 32 or 128 bits, where that makes a
    difference.
    """
    read_number = "$found"
    """A number from a buffer, as one that can be added to a start."""

    bits, frame = 64, CHESS_FRAME
    """The bits of a bitboard, and how squares are numbered: of the unit that is written."""

    def __init__(self, scope: str | None = None, stem: str | None = None) -> None:
        """Where the names live, if not where they do by default; the file's name without ending.

        Raises InputError where the language cannot have such a scope.
        """
        if scope is not None:
            if not self.scope_option or not re.fullmatch(self.scope_form, scope):
                message = f"{scope!r}: expected what {self.name} can write as a {self.scope_option}"
                raise InputError([Problem(message, key=f"--{self.scope_option}")])
            self.scope = scope
        self.stem = stem or self.stem

    def emit(self, unit: Unit, literal: bool) -> str:
        """The source file. Raises InputError for what the language or a fill routine cannot do."""
        if unit.levels and not literal and not unit.levels.in_order:
            message = "the numbers are not in the order of a fill routine: expected --literal"
            raise InputError([Problem(message)])
        self.bits, self.frame = unit.word, unit.frame
        if any(piece.moves for piece in unit.pieces):
            self.refuse_board(unit, literal)
        if not literal and (piece := _unfillable(unit)):
            message = f"{piece.result}: a fill routine knows word & ... only: expected --literal"
            raise InputError([Problem(message, key=f"{piece.piece}.result")])
        return self.source(unit, literal)

    def refuse_board(self, unit: Unit, literal: bool) -> None:
        """Raise InputError for a board's table that this language cannot write."""
        if not self.walk_moves:
            what = "other boards and pieces than chess's"
            message = f"{self.name} output has no {what}: expected {OFFERED}, or binary"
            raise InputError([Problem(message, key=f"--lang {self.name}")])
        if literal and unit.bytes > LONGEST_LITERAL:
            message = (
                f"{unit.bytes:,} bytes: finished buffers in source have at most "
                f"{LONGEST_LITERAL:,}; expected a fill routine, or --lang binary"
            )
            raise InputError([Problem(message, key="--literal")])
        beyond = [piece for piece in unit.pieces if piece.beyond_mask]
        if beyond and not literal:
            message = "the index reads squares outside of the mask: expected --literal"
            raise InputError([Problem(message, key=f"{beyond[0].piece}.index")])

    def source(self, unit: Unit, literal: bool) -> str:
        """The whole source file."""
        return self.write(self.file, **self.parts(unit, literal))

    def parts(self, unit: Unit, literal: bool) -> dict[str, str]:
        """The parts of a file."""
        lookups = "".join(self.lookup(unit, piece) for piece in unit.pieces)
        return {
            "heading": self.heading(unit),
            "imports": self.imports(lookups),
            "columns": "".join(self.columns(piece) for piece in unit.pieces),
            "buffers": self.buffers(unit, literal),
            "helpers": self.helping(unit),
            "lookups": lookups,
            "filling": "" if literal else self.fill_routine(unit),
        }

    def imports(self, lookups: str) -> str:
        """What the lookups need of the language's library."""
        return ""

    def write(self, text: str, **words: object) -> str:
        """A text with its words put in, and those that say what the file is called."""
        identifier = re.sub(r"\W", "_", self.stem)
        filename, wide = f"{self.stem}{self.suffix}", self.bits > 64
        own = {
            "own": self.own,
            "scope": self.scope,
            "SCOPE": re.sub(r"\W+", "_", self.scope).strip("_").upper() or "MAGICS",
            "stem": identifier,
            "Stem": title(identifier),
            "filename": filename,
            "bitboard": self.kinds[self.bits],
            "std": "std::" * (not wide),
            "across": self.frame.across,
            "up": self.frame.up,
            "before_wide": Template(self.before_wide).substitute(filename=filename) * wide,
            "after_wide": self.after_wide * wide,
        }
        return Template(text).substitute({**own, **words})

    def heading(self, unit: Unit) -> str:
        """The header lines and the usage as comments."""
        piece = unit.pieces[0]
        called = self.called(piece, "attacks")
        usage = self.write(self.usage, **self.names(piece, ""), called=called)
        lists = {p.piece: self.write(self.listed, **self.names(p, "")) for p in unit.pieces}
        back = unit.asked.lines(self.write("$filename"), lists) if unit.asked else []
        lines = [*unit.header, *back, "", *usage.strip("\n").splitlines()]
        return "".join(f"{self.comment} {line}".rstrip() + "\n" for line in lines)

    def needed(self, trees: Iterable[Node], also: str = "") -> str:
        """The helpers that these indexes call, and other text, in the order of `helpers`."""
        shown = "".join(self.text(tree, {name: name for name in names(tree)}) for tree in trees)
        shown += f" {also}"
        called = {name.removeprefix(self.own) for name in re.findall(r"\w+(?=\()", shown)}
        return "".join(self.write(text) for name, text in self.helpers.items() if name in called)

    def helping(self, unit: Unit) -> str:
        """The helpers of a unit."""
        swaps = self.put(self.swapped, "occ") * any(piece.half_board for piece in unit.pieces)
        results = (piece.result for piece in unit.pieces if piece.result is not None)
        return self.needed((*(piece.index for piece in unit.pieces), *results), swaps)

    # Columns.

    def columns(self, piece: PieceUnit) -> str:
        """An array for each column."""
        return "".join(
            self.write(
                self.column,
                **self.names(piece, column.name),
                kind=self.column_kind(column),
                items=self.items(column, column.values),
            )
            for column in piece.columns
        )

    def column_kind(self, column: Column) -> str:
        """The type of a column's numbers."""
        place, other = self.column_kinds
        if column.bits > 64:
            return self.kinds[column.bits]
        return place if column.place else other

    def items(self, column: Column, values: Sequence[int]) -> str:
        """The numbers of a column, four to a line."""
        shown = [self.number(column, value) for value in values]
        return lines(shown, self.indent, WORDS_PER_LINE)

    def number(self, column: Column, value: int) -> str:
        """A number of a column."""
        return self.literal(value, width=column.bits) if column.hexadecimal else str(value)

    def names(self, piece: PieceUnit, column: str) -> dict[str, str]:
        """A piece and a column in small letters, capitals, and with a capital."""
        name = identifier(piece.piece)
        return {
            "piece": name, "Piece": camel(name), "PIECE": name.upper(),
            "column": column, "Column": camel(column), "COLUMN": column.upper(),
        }  # fmt: skip

    def column_of(self, piece: PieceUnit, column: str) -> str:
        """A column's number for `square`."""
        return self.write(self.read, **self.names(piece, column))

    # Buffers.

    def buffers(self, unit: Unit, literal: bool) -> str:
        """All buffers; in a two-level table then the attack sets of each piece."""
        return "".join(
            # Of a buffer that is filled only the length is written.
            self.buffer(
                self.array(name), ints(words) if literal else [0] * len(words), literal, bits
            )
            for name, words, bits in self.arrays(unit)
        )

    def arrays(self, unit: Unit) -> list[tuple[str, NDArray[np.unsignedinteger[Any]], int]]:
        """Of all buffers the name in small letters, the words, and their bits."""
        word = unit.word
        bits, sets = (unit.levels.entry_bits, unit.levels.buffers) if unit.levels else (word, {})
        buffers = [(buffer_name(name), words, bits) for name, words in unit.buffers.items()]
        return [*buffers, *((name, words, word) for name, words in sets.items())]

    def each(self, text: str, unit: Unit) -> str:
        """A text for each buffer: $array, $kind, $length."""
        return "".join(
            self.write(text, array=self.array(name), kind=self.kinds[bits], length=len(words))
            for name, words, bits in self.arrays(unit)
        )

    def buffer(self, array: str, words: list[int], literal: bool, bits: int) -> str:
        """One buffer, empty or finished."""
        text, items = self.empty, ""
        if literal:
            text, items = self.finished, self.entries(words, bits)
        kind = self.kinds[bits]
        return self.write(text, array=array, kind=kind, length=len(words), items=items)

    def entries(self, words: Sequence[int], bits: int) -> str:
        """The items of a finished buffer: attack sets, or numbers of 8 or 16 bits."""
        if bits >= 64:
            shown = [self.literal(word, width=bits) for word in words]
            return lines(shown, self.indent, WORDS_PER_LINE)
        return lines([*map(str, words)], self.indent, NUMBERS_PER_LINE)

    def array(self, name: str) -> str:
        """What a buffer is called, given its name in small letters."""
        return self.write(self.array_name, name=name, Name=camel(name), NAME=name.upper())

    # Lookups.

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The function that an engine calls: one expression. A half board has a second one,
        for ranks 1 to 4, and the first calls it as it is or with the ranks swapped.
        """
        expression = self.entry(unit, piece, self.slot(piece))
        if not piece.half_board:
            return self.looking(piece, "attacks", expression)
        lower = self.called(piece, "lower")
        occ = self.put(self.swapped, "occ")
        upper = self.put(self.swapped, f"{lower}({self.mirrored}, {occ})")
        mirroring = self.write(self.either, lower=f"{lower}(square, occ)", upper=upper)
        return self.looking(piece, "lower", expression) + self.looking(piece, "attacks", mirroring)

    def looking(self, piece: PieceUnit, name: str, expression: str) -> str:
        """A function of `square` and `occ`; `name` is "attacks" or "lower"."""
        public = self.public * (name == "attacks")
        called = self.called(piece, name)
        return self.write(
            self.function,
            **self.names(piece, name),
            called=called,
            public=public,
            expression=expression,
        )

    def called(self, piece: PieceUnit, name: str) -> str:
        """What a lookup function is called: "rookAttacks"."""
        return self.write(self.call, **self.names(piece, ""), name=name, Name=title(name))

    def entry(self, unit: Unit, piece: PieceUnit, slot: str) -> str:
        """The lookup: what stands at a slot, or the attack set whose number stands there."""
        return self.result(piece, self.loaded(unit, piece, slot))

    def loaded(self, unit: Unit, piece: PieceUnit, slot: str) -> str:
        """The word that a lookup loads, through one level or two."""
        found = f"{self.array(buffer_name(piece.buffer))}[{slot}]"
        if unit.levels is None:
            return found
        ones = f"{(1 << unit.levels.entry_bits) - 1:x}"
        number = self.write(self.read_number, found=found, ones=ones)
        return f"{self.array(unit.levels.name(piece.piece))}[{self.start(piece)} + {number}]"

    def result(self, piece: PieceUnit, word: str) -> str:
        """The attack set, given the expression of the loaded word."""
        if piece.result is None:
            return word
        read = {**self.read_names(piece), WORD: word}
        text = self.text(piece.result, read, {**self.widths(piece), WORD: self.bits})
        if piece.result.width > self.bits:
            return self.put(self.low64, text, piece.result.width)
        return self.widen(text, self.bits) if piece.result.width < self.bits else text

    def start(self, piece: PieceUnit) -> str:
        """Where the attack sets of `square` begin."""
        return self.column_of(piece, "set_offset")

    def slot(self, piece: PieceUnit) -> str:
        """The slot of `square` and `occ`."""
        index, width = self.index(piece)
        own = {32: self.addend_32, 128: self.addend_128}.get(width)
        addend = self.write(own or self.addend, index=index)
        return f"{self.column_of(piece, 'offset')} + {addend}"

    def index(self, piece: PieceUnit) -> tuple[str, int]:
        """The index expression, and its width."""
        text = self.text(piece.index, self.read_names(piece), self.widths(piece))
        return text, piece.index.width

    def widths(self, piece: PieceUnit) -> dict[str, int]:
        """The bits of what stands for the names of the formulas, where they are not 64."""
        columns = {column.name: column.bits for column in piece.columns if column.bits != 64}
        return {OCCUPANCY: self.bits, **columns}

    def read_names(self, piece: PieceUnit) -> dict[str, str]:
        """What stands for the names of the formulas."""
        read = {column.name: self.column_of(piece, column.name) for column in piece.columns}
        return {OCCUPANCY: "occ", **read}

    # The fill routine.

    def fill_routine(self, unit: Unit) -> str:
        """The walk, and for each piece the loops that fill and check."""
        subsets = self.write(self.subsets) if unit.levels else ""
        walk = self.walk_of(unit)
        return self.write(self.filling, walk=walk, subsets=subsets, fills=self.loops(unit))

    def walk_of(self, unit: Unit) -> str:
        """The walk of rays, or that of any piece with how each of them moves."""
        all_moves = [piece.moves for piece in unit.pieces if piece.moves]
        if not all_moves:
            return self.write(self.walk)
        most_steps = max(len(moves.steps) for moves in all_moves)
        most_regions = max(len(moves.regions) for moves in all_moves)
        sizes = {"most_steps": most_steps, "most_regions": most_regions}
        search = self.write(self.search_sets) if unit.levels else ""
        return search + self.write(
            self.walk_moves,
            pieces="".join(self.moving(piece, piece.moves) for piece in unit.pieces if piece.moves),
            **sizes,
        )

    def moving(self, piece: PieceUnit, moves: Moves) -> str:
        """How a piece moves, as data of the language."""
        steps = [
            self.write(self.move, rule=self.write(self.rules[s.rule]), x=s.x, y=s.y, limit=s.limit)
            for s in moves.steps
        ]
        regions = [
            self.write(self.region, left=left, low=low, right=right, high=high)
            for left, low, right, high in moves.regions
        ]
        return self.write(
            self.piece_moves, **self.names(piece, ""), steps=", ".join(steps),
            regions=", ".join(regions), step_count=len(steps), region_count=len(regions),
        )  # fmt: skip

    def steps(self, piece: PieceUnit) -> str:
        """The steps of chess's pieces."""
        if piece.moves:
            return ""
        opening, closing = self.step
        chess = STEPS[Piece(piece.piece)]
        return ", ".join(f"{opening}{file}, {rank}{closing}" for file, rank in chess)

    def loops(self, unit: Unit) -> str:
        """What fills the buffers and, where squares may share slots, then checks all lookups."""
        return self.loops_of(unit, unit.pieces)

    def loops_of(self, unit: Unit, pieces: Sequence[PieceUnit]) -> str:
        """The loops of some pieces."""
        layered = any(piece.layered for piece in pieces)
        texts = (self.add_layer, self.check_layer) if layered else (self.write_once,)
        if any(piece.moves for piece in pieces):
            texts = (self.add_layer if layered else self.write_any, self.check_layer)
        loops = [self.fill.replace("$write", text) for text in texts]
        if unit.levels:
            loops = [self.fill_levels, self.check_levels]
            if self.search_sets and any(piece.moves for piece in pieces):
                loops[0] = self.fill_many_levels
        return "".join(
            self.write(loop, **self.words(unit, piece)) for loop in loops for piece in pieces
        )

    def words(self, unit: Unit, piece: PieceUnit) -> dict[str, Any]:
        """What the loops say of a piece."""
        loop = {**self.names(piece, "mask"), "steps": self.steps(piece)}
        return {
            **loop,
            "squares": piece.squares,
            "length": len(unit.buffers[piece.buffer]),
            "stepping": "" if piece.moves else self.write(self.stepping, **loop),
            "walked": self.write(self.walked_moves if piece.moves else self.walked, **loop),
            "mask": self.column_of(piece, "mask"),
            "start": self.start(piece),
            "slot": self.slot(piece),
            "array": self.array(buffer_name(piece.buffer)),
            "sets": self.array(sets_name(piece.piece)),
            "found": self.result(piece, f"{self.array(buffer_name(piece.buffer))}[slot]"),
            "attacks": self.called(piece, "attacks"),
            "kind": self.kinds[unit.levels.entry_bits if unit.levels else 64],
        }


def can_be_filled(unit: Unit) -> bool:
    """Whether a fill routine makes the buffers; otherwise only finished ones can be written."""
    return (unit.levels is None or unit.levels.in_order) and _unfillable(unit) is None


def _unfillable(unit: Unit) -> PieceUnit | None:
    """A piece that a fill routine does not serve: it adds the ones of the attack sets, which is
    right for a word that is ANDed, and for no other formula.
    """
    if unit.levels:
        return None
    pieces = (p for p in unit.pieces if p.result is not None and not _is_masked(p.result))
    return next(pieces, None)


def _is_masked(node: Node) -> bool:
    """Whether a formula is the loaded word, ANDed with something that does not use it."""
    if isinstance(node, Binary) and node.operator == "&":
        sides = (node.left, node.right)
        return any(
            _is_masked(one) and WORD not in names(other) for one, other in (sides, sides[::-1])
        )
    return isinstance(node, Name) and node.name == WORD
