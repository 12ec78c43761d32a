"""A language to emit: its dialect for the formula, and the text around it.

Every language writes the same program: the columns, the lookups (one expression each) and
the buffers, either finished (`literal`) or with a fill routine. That routine knows
nothing of this project: it walks the rays for every subset of every mask, and stops at
the first write that would change an entry.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar

from compact.emit.expression import Dialect
from compact.emit.unit import Column, PieceUnit, Unit
from magicert.board import Piece
from magicert.formula.tree import OCCUPANCY, Node, names

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

    @abstractmethod
    def source(self, unit: Unit, literal: bool) -> str:
        """The whole source file."""

    def emit(self, unit: Unit, literal: bool) -> str:
        """The source file. Raises InputError for a formula that the language cannot write."""
        return self.source(unit, literal)

    def needed(self, trees: Iterable[Node]) -> str:
        """The helpers that these indexes call, in the order of `helpers`."""
        shown = "".join(self.text(tree, {name: name for name in names(tree)}) for tree in trees)
        called = set(re.findall(r"\w+(?=\()", shown))
        return "".join(text for name, text in self.helpers.items() if name in called)

    def helping(self, unit: Unit) -> str:
        """The helpers of a unit."""
        return self.needed(piece.index for piece in unit.pieces)

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
        """64 lines, one a square, of all columns."""
        lines = []
        for square in range(64):
            cells = [self.cell(column, column.values[square]) for column in piece.columns]
            lines.append(f"    {opening}{joint.join(cells)}{closing},\n")
        return "".join(lines)

    def cell(self, column: Column, value: int) -> str:
        """A number in a row of columns; languages with named fields name it."""
        return self.number(column, value)

    def words(self, values: Iterable[int], indent: str = "    ") -> str:
        """The words of a literal buffer, four to a line."""
        shown = [self.literal(int(value)) for value in values]
        return "".join(
            f"{indent}{', '.join(shown[place : place + 4])},\n" for place in range(0, len(shown), 4)
        )


def steps_text(piece: Piece, opening: str, closing: str) -> str:
    """The four steps of a piece: "{0, 1}, {1, 0}, ..."."""
    return ", ".join(f"{opening}{file}, {rank}{closing}" for file, rank in STEPS[piece])


def title(text: str) -> str:
    """A name with a capital: "rook" is "Rook"."""
    return text[:1].upper() + text[1:]


def buffer_name(buffer: str) -> str:
    """What a buffer is called, in small letters: "attacks", or "rook_buffer"."""
    return buffer if buffer == "attacks" else f"{buffer}_buffer"
