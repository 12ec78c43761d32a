"""A language to emit: its dialect for the formula, and the text around it.

Every language writes the same program: the columns, the lookups (one expression each) and
the buffers, either finished (`literal`) or with a fill routine. That routine knows
nothing of this project: it walks the rays for every subset of every mask, and stops at
the first write that would change an entry.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from magicert.board import Piece
from magicert.compact.emit.expression import Dialect
from magicert.compact.emit.unit import Column, PieceUnit, Unit
from magicert.formula.tree import OCCUPANCY, Node, names
from magicert.problem import InputError, Problem

STEPS = {
    Piece.ROOK: ((0, 1), (1, 0), (0, -1), (-1, 0)),
    Piece.BISHOP: ((1, 1), (1, -1), (-1, -1), (-1, 1)),
}
"""Steps in files and ranks, for the ray walks of the emitted programs."""


class Language(Dialect):
    """One language. `name` is what `--lang` takes, `suffix` the ending of a file."""

    name: str
    suffix: str
    comment = "//"
    helpers: ClassVar[Mapping[str, str]] = {}
    """Functions that this language lacks: name and text."""

    two_level = False
    """Whether this language can write two-level tables."""

    @abstractmethod
    def source(self, unit: Unit, literal: bool) -> str:
        """The whole source file."""

    def emit(self, unit: Unit, literal: bool) -> str:
        """The source file. Raises InputError for what the language or a fill routine cannot do."""
        if unit.levels and not self.two_level:
            raise InputError([Problem(f"{self.name} output cannot write two-level tables yet")])
        if unit.levels and not literal and not unit.levels.in_order:
            message = "the numbers are not in the order of a fill routine: expected --literal"
            raise InputError([Problem(message)])
        return self.source(unit, literal)

    def needed(self, trees: Iterable[Node], also: str = "") -> str:
        """The helpers that these indexes call, and other text, in the order of `helpers`."""
        shown = "".join(self.text(tree, {name: name for name in names(tree)}) for tree in trees)
        shown += f" {also}"
        called = set(re.findall(r"\w+(?=\()", shown))
        return "".join(text for name, text in self.helpers.items() if name in called)

    def helping(self, unit: Unit) -> str:
        """The helpers of a unit."""
        swaps = self.swap_bytes("occ") * any(piece.half_board for piece in unit.pieces)
        return self.needed((piece.index for piece in unit.pieces), swaps)

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The function that an engine calls: one expression. A half board has a second one,
        for ranks 1 to 4, and the first calls it as it is or with the ranks swapped.
        """
        expression = self.expression(unit, piece)
        if not piece.half_board:
            return self.function(unit, piece, "attacks", expression)
        return self.function(unit, piece, "lower", expression) + self.function(
            unit, piece, "attacks", self.mirroring(unit, piece)
        )

    @abstractmethod
    def expression(self, unit: Unit, piece: PieceUnit) -> str:
        """The lookup as an expression of `square` and `occ`."""

    @abstractmethod
    def function(self, unit: Unit, piece: PieceUnit, name: str, expression: str) -> str:
        """A function of `square` and `occ`; `name` is "attacks" or "lower"."""

    def mirroring(self, unit: Unit, piece: PieceUnit) -> str:
        """The lookup on the whole board by the one for ranks 1 to 4."""
        lower = self.called(unit, piece, "lower")
        swapped = f"{lower}(square ^ 56, {self.swap_bytes('occ')})"
        return self.either(f"{lower}(square, occ)", self.swap_bytes(swapped))

    def called(self, unit: Unit, piece: PieceUnit, name: str) -> str:
        """What a lookup function is called: "rookAttacks"."""
        return f"{piece.piece}{title(name)}"

    def either(self, lower: str, upper: str) -> str:
        """One expression for ranks 1 to 4, another for the others."""
        return f"square < 32 ? {lower} : {upper}"

    def entry(self, unit: Unit, piece: PieceUnit, slot: str) -> str:
        """The lookup: what stands at a slot, or the attack set whose number stands there."""
        found = f"{self.array(buffer_name(piece.buffer))}[{slot}]"
        if unit.levels is None:
            return found
        start = self.start(piece)
        return f"{self.array(sets_name(piece.piece))}[{start} + {self.number_read(unit, found)}]"

    def array(self, name: str) -> str:
        """What a buffer is called, given its name in small letters."""
        return name.upper()

    def start(self, piece: PieceUnit) -> str:
        """Where the attack sets of `square` begin."""
        return f"{piece.piece.upper()}_SET_OFFSET[square]"

    def number_read(self, unit: Unit, found: str) -> str:
        """A number from a buffer, as one that can be added to a start."""
        return found

    def heading(self, unit: Unit) -> str:
        """The header lines as comments."""
        return "".join(f"{self.comment} {line}\n" for line in unit.header)

    def index(self, piece: PieceUnit, column: str) -> str:
        """The index expression; `column` is how a column is read, with {} for its name."""
        read = {c.name: column.format(self.field(c.name)) for c in piece.columns}
        return self.text(piece.index, {OCCUPANCY: "occ", **read})

    def field(self, column: str) -> str:
        """What a column is called in this language."""
        return column

    def number(self, column: Column, value: int) -> str:
        """A number of a column."""
        return self.literal(value) if column.hexadecimal else str(value)

    def rows(self, piece: PieceUnit, opening: str, closing: str, joint: str = ", ") -> str:
        """A line for each square, of all columns."""
        lines = []
        for square in range(piece.squares):
            cells = [self.cell(column, column.values[square]) for column in piece.columns]
            lines.append(f"    {opening}{joint.join(cells)}{closing},\n")
        return "".join(lines)

    def cell(self, column: Column, value: int) -> str:
        """A number in a row of columns; languages with named fields name it."""
        return self.number(column, value)

    def words(self, values: Iterable[int], indent: str = "    ") -> str:
        """The words of a literal buffer, four to a line."""
        return lines([self.literal(int(value)) for value in values], indent, 4)


def steps_text(piece: Piece, opening: str, closing: str) -> str:
    """The four steps of a piece: "{0, 1}, {1, 0}, ..."."""
    return ", ".join(f"{opening}{file}, {rank}{closing}" for file, rank in STEPS[piece])


def title(text: str) -> str:
    """A name with a capital: "rook" is "Rook"."""
    return text[:1].upper() + text[1:]


def buffer_name(buffer: str) -> str:
    """What a buffer is called, in small letters: "attacks", "numbers", or "rook_buffer"."""
    return buffer if buffer in ("attacks", "numbers") else f"{buffer}_buffer"


def sets_name(piece: Piece) -> str:
    """What the attack sets of a two-level table are called: "rook_sets"."""
    return f"{piece}_sets"


def lines(shown: Sequence[str], indent: str, row: int) -> str:
    """A list's items, `row` to a line."""
    return "".join(
        f"{indent}{', '.join(shown[place : place + row])},\n" for place in range(0, len(shown), row)
    )
