"""A language to emit: its dialect for the formula, and the text around it.

Every language writes the same program: the columns, the buffers, either empty or finished
(`literal`), the lookups (one expression each) and, unless literal, a fill routine. The program
stands in this folder; what a language spells in its own way are the texts and the dialect of its
class.
"""

import re

from magicert.compact.emit.filling import Filling, unfillable
from magicert.compact.emit.unit import Unit
from magicert.problem import InputError, Problem

LONGEST_LITERAL = 1 << 22
"""Of other boards than chess's: more bytes are too much for a compiler."""
OFFERED = "c, c++ or rust"
"""What writes other boards and pieces."""


class Language(Filling):
    """One language. A subclass with a name, in a module of languages/, is found by itself."""

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
        if not literal and (piece := unfillable(unit)):
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

    def heading(self, unit: Unit) -> str:
        """The header lines and the usage as comments."""
        piece = unit.pieces[0]
        called = self.called(piece, "attacks")
        usage = self.write(self.usage, **self.names(piece, ""), called=called)
        lists = {p.piece: self.write(self.listed, **self.names(p, "")) for p in unit.pieces}
        back = unit.asked.lines(self.write("$filename"), lists) if unit.asked else []
        lines = [*unit.header, *back, "", *usage.strip("\n").splitlines()]
        return "".join(f"{self.comment} {line}".rstrip() + "\n" for line in lines)
