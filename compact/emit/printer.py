"""A table as source: what the template of a language is given.

Every language writes the same program: the columns, the buffers, either empty or finished
(`literal`), the lookups (one expression each) and, unless literal, a routine that fills the buffers
and stops at the first write that would change an entry. The program is the template's; here is what
stands in it: names, numbers, expressions.
"""

import os
import re
import shlex
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.chess import Piece
from magicert.compact.emit.dialect import Dialect, dialects
from magicert.compact.emit.emitted_table import (
    EmittedJoin,
    EmittedPiece,
    EmittedTable,
    NumberColumn,
)
from magicert.compact.emit.expression import Speller, no_wide_words, receiver
from magicert.compact.emit.spelling import (
    STEPS,
    buffer_name,
    camel,
    commented,
    identifier,
    leaps_name,
    lines,
    title,
)
from magicert.compact.emit.template import load, render
from magicert.formula.arrays import ints
from magicert.formula.tree import OCCUPANCY, WORD, Node, names
from magicert.problem import InputError, Problem

LONGEST_LITERAL = 7 << 20
"""Of other boards than chess's: more bytes are too much for a compiler. Xiangqi's rook and
cannon, with one lookup each in two levels, are below it.
"""
WORDS_PER_LINE, NUMBERS_PER_LINE = 4, 16

ANY_ORDER = (
    "With another square order, such as a8 = 0, use it as it is: that board is this one turned or",
    "mirrored, where rook and bishop attack the same bits.",
)
"""What a chess source says of square orders: all of them are symmetries of the board."""

Scope = dict[str, Any]


class Printer(Speller):
    """One language, and what names and files are called."""

    def __init__(
        self,
        dialect: Dialect,
        scope: str | None = None,
        stem: str | None = None,
        usage: str = "usage.txt",
    ) -> None:
        """Where the names live, if not where they do by default; the file's name, without ending
        if that is the language's; the template of how it is used.

        Raises InputError where the language cannot have such a scope.
        """
        option = dialect.scope_option
        if scope is not None and not (option and re.fullmatch(dialect.scope_form, scope)):
            message = f"{scope!r}: expected a {option} that {dialect.name} allows, such as magics"
            raise InputError([Problem(message, key=f"--{option}")])
        if scope and not dialect.prefixed:
            _refuse_words(scope, dialect)
        self.scope = dialect.scope if scope is None else scope
        name = PurePath(stem or dialect.stem)
        self.stem = name.stem
        # Sources are UTF-8, a file's name may be any bytes.
        shown = os.fsencode(name.name).decode("utf-8", "replace")
        self.filename = shown if name.suffix else f"{shown}{dialect.suffix}"
        self.usage = usage
        self.aligned = False
        """Whether all words of a list have as many digits."""
        super().__init__(dialect, self.scope if dialect.prefixed else "")

    def emit(self, emitted: EmittedTable, literal: bool) -> str:
        """The source file. Raises InputError for what the language or a fill routine cannot do."""
        names = [piece.piece for piece in emitted.pieces]
        refuse_same_name([*names, *(piece.piece for piece in emitted.joined)])
        literal = literal or not emitted.can_be_filled
        if any(piece.moves for piece in emitted.pieces):
            literal = literal or not self.dialect.boards
            self._refuse_board(emitted, literal)
        return render(load(self.dialect.table), self.program(emitted, literal))

    def entry(self, value: int, bits: int, *, place: str = "column") -> str:
        """A number of a "column", or of the "list" of a finished buffer."""
        if bits < 64 and self.dialect.signed:
            half = 1 << bits - 1
            return str((value + half) % (2 * half) - half)
        if self.aligned and bits <= 64:
            word = f"0x{value:0{bits // 4}x}"
            return self.dialect.fill(self.dialect.large, {"value": word}) if bits == 64 else word
        return self.literal(value, width=bits, place=place) if bits >= 64 else str(value)

    def needed(self, trees: Iterable[Node], word: int = 64) -> str:
        """The functions that these formulas call and the language lacks, and the type of the
        board's words, if it lacks that.
        """
        shown = (self.text(tree, {name: name for name in names(tree)}) for tree in trees)
        return self.helpers(" ".join(shown), word)

    def shown(self, template: str, scope: Mapping[str, Any]) -> str:
        """Another template of the language, with what is known of the file."""
        return render(load(self.dialect.path(template)), {**self._file(), **scope})

    def filled(self, text: str, scope: Mapping[str, Any] = MappingProxyType({})) -> str:
        """A text of the dialect with the names of the file, and others."""
        return self.dialect.fill(text, {**self._file(), **scope})

    def helpers(self, calls: Container[str], word: int = 64) -> str:
        """Those that `calls` has, as "swap(", and that the language lacks."""
        scope = {"calls": calls, **self.word(word)}
        return self.shown(self.dialect.helpers, scope) if self.dialect.helpers else ""

    def word(self, bits: int) -> Scope:
        """The type of a bitboard, and the parts that it has where the language makes it of words
        of 64 bits.
        """
        row, count = self.dialect, bits // 64
        wide = bits > 64
        return {
            "wide": wide,
            "by_parts": wide and row.in_parts(bits),
            "bitboard": self.kind(bits),
            "std": "" if wide else "std::",
            "bits": bits,
            **(_parts(count, row.kinds[64]) if wide and row.in_parts(bits) else {}),
        }

    def _refuse_board(self, emitted: EmittedTable, literal: bool) -> None:
        """Raise InputError for a board's table that this language cannot write."""
        if emitted.word > self.dialect.widest:
            no_wide_words(self.dialect, emitted.word)
        if literal and emitted.bytes > LONGEST_LITERAL:
            filled = emitted.can_be_filled and not self.dialect.boards
            who = " or ".join(row.name for row in dialects().values() if row.boards)
            message = (
                f"{emitted.bytes:,} bytes: finished buffers in source have at most "
                f"{LONGEST_LITERAL:,}; expected {who if filled else 'a fill routine'}, "
                "or --lang binary"
            )
            raise InputError([Problem(message, key="--literal")])
        beyond = [piece for piece in emitted.pieces if piece.beyond_mask]
        if beyond and not literal:
            message = "the index reads squares outside of the mask: add --literal"
            raise InputError([Problem(message, key=f"{beyond[0].piece}.index")])

    # What the template is given

    def _file(self) -> Scope:
        stem = identifier(self.stem)
        names = {
            "own": self.own,
            "scope": self.scope,
            "SCOPE": re.sub(r"\W+", "_", self.scope).strip("_").upper() or "MAGICS",
            "stem": stem,
            "Stem": title(stem),
            "filename": self.filename,
        }
        words = {name: self.dialect.fill(text, names) for name, text in self.dialect.words.items()}
        return {**names, **words}

    def program(self, emitted: EmittedTable, literal: bool) -> Scope:
        """The columns, buffers and lookups of a table, finished if `literal`."""
        every = [piece.moves for piece in emitted.pieces if piece.moves]
        scope: Scope = {
            **self._file(),
            "literal": literal,
            "boards": bool(every),
            **self.word(emitted.word),
            "across": emitted.frame.across,
            "holes": ", ".join(map(str, emitted.frame.holes)),
            "most_steps": max((len(moves.steps) for moves in every), default=0),
            "most_regions": max((len(moves.regions) for moves in every), default=0),
        }
        program = _Program(self, emitted, literal, scope)
        scope["buffers"] = [program.buffer(*buffer, literal) for buffer in emitted.arrays]
        scope["buffers"] += [
            program.buffer(leaps_name(piece.piece), piece.leaps, emitted.word, True)
            for piece in emitted.joined if piece.leaps is not None
        ]  # fmt: skip
        scope["pieces"] = [program.piece(piece) for piece in emitted.pieces if piece.own_columns]
        for buffer in scope["buffers"]:
            buffer["pieces"] = [p for p in scope["pieces"] if p["array"] == buffer["filling"]]
        scope["arrays"] = ", ".join(buffer["array"] for buffer in scope["buffers"])
        scope["results"] = ", ".join(
            "{array} [{length}]{kind}".format_map(buffer) for buffer in scope["buffers"]
        )
        scope["lookups"] = [lookup for piece in emitted.pieces for lookup in program.lookups(piece)]
        scope["lookups"] += map(program.join, emitted.joined)
        names = [piece.piece for piece in emitted.pieces]
        names += [piece.piece for piece in emitted.joined]
        scope["capitals"] = any(name != name.lower() for name in names)
        scope["calls"] = " ".join(lookup["expression"] for lookup in scope["lookups"])
        scope["heading"] = self._heading(emitted, scope)
        return scope

    def _heading(self, emitted: EmittedTable, scope: Scope) -> str:
        """The header lines and the usage as comments."""
        lookups = [lookup for lookup in scope["lookups"] if lookup["public"]]
        whole = [lookup for lookup in lookups if lookup["joined"] and lookup["occ_parameter"]]
        first = (whole or lookups)[0]
        usage = self.shown(self.usage, {**scope, "called": first["called"]})
        listed = self.dialect.listed
        lists = {p.piece: self.dialect.fill(listed, {**scope, **_named(p)}) for p in emitted.pieces}
        back = emitted.facts.lines(scope["filename"], lists) if emitted.facts and listed else []
        text = [*emitted.header, *back, *self._proof(emitted, scope), "", *usage.splitlines()]
        return commented(self.dialect.comment, text).removesuffix("\n")

    def _proof(self, emitted: EmittedTable, scope: Scope) -> Iterator[str]:
        """The commands that prove this file, and what is so of other square orders."""
        if not emitted.is_chess:
            return
        yield from ANY_ORDER
        order = [] if emitted.order == "a1" else ["--order", emitted.order]
        verify = ["magicert", "verify", self.filename]
        if emitted.can_be_read_back:
            yield f"To check its numbers: {shlex.join([*verify, *order])}"
        row = self.dialect
        options_text = row.proved_finished if scope["literal"] else row.proved_filled
        if (
            options_text is None
            or emitted.levels is not None
            or any(p.half_board for p in emitted.pieces)
        ):
            return
        before = f"{self.scope}::" if row.scope_option == "namespace" else ""
        functions = [
            word
            for piece, lookup in zip(emitted.pieces, scope["lookups"], strict=True)
            for word in ("--function", f"{piece.piece}={before}{lookup['called']}")
        ]
        options = self.filled(options_text).split()
        yield f"To prove its functions: {shlex.join([*verify, *functions, *order, *options])}"


def _refuse_words(scope: str, dialect: Dialect) -> None:
    """Raise InputError for a name that is a word of the language, such as int."""
    from pygments.lexers import get_lexer_by_name
    from pygments.token import Keyword

    lexer = get_lexer_by_name(dialect.name)
    for name in re.findall(r"\w+", scope):
        kind, _ = next(iter(lexer.get_tokens(name)))
        if kind in Keyword:
            message = f"{name!r} is a reserved word of {dialect.name}: choose another name"
            raise InputError([Problem(message, key=f"--{dialect.scope_option}")])


def refuse_same_name(pieces: Iterable[str]) -> None:
    """Raise InputError for two pieces that some language calls by one name: in capitals, or without
    what joins words.
    """
    piece_of: dict[str, str] = {}
    for piece in pieces:
        name = identifier(piece).replace("_", "").casefold()
        if piece_of.setdefault(name, piece) != piece:
            both = f"[{piece_of[name]}] and [{piece}]"
            message = f"{both}: expected pieces that differ in more than case and joints"
            raise InputError([Problem(message)])


class _Program:
    """The parts of one table's program."""

    def __init__(
        self, printer: Printer, emitted: EmittedTable, literal: bool, scope: Scope
    ) -> None:
        self.spell, self.row, self.emitted, self.literal = (
            printer,
            printer.dialect,
            emitted,
            literal,
        )
        self.scope = scope

    def put(self, text: str, **words: object) -> str:
        return self.row.fill(text, {**self.scope, **words})

    # Buffers and columns

    def buffer(
        self, name: str, words: NDArray[np.unsignedinteger[Any]], bits: int, literal: bool
    ) -> Scope:
        """A buffer: what it is called, what it holds; `literal` says that this stands in the
        source, finished.
        """
        named = buffer_names(name)
        values: Scope = {**named, "kind": self.spell.kind(bits), "length": len(words)}
        values |= {"array": self.put(self.row.array, **named), "small": bits < 64}
        values |= {"filling": self.array(name, filling=True), "wide_words": bits > 64}
        values |= {"flat": bits > 64 and self.row.by_parts, "literal": literal}
        if not literal:
            return values
        shown, part = ints(words), self.row.part // max(1, bits // 64)
        if part:
            starts = range(0, len(shown), part)
            parts = [(start, shown[start : start + part]) for start in starts]
            values["parts"] = [
                {
                    "number": n,
                    "start": start,
                    "size": len(part_words),
                    "items": self.entries(part_words, bits),
                }
                for n, (start, part_words) in enumerate(parts)
            ]
        else:
            values["items"] = self.entries(shown, bits)
        return values

    def entries(self, words: Sequence[int], bits: int) -> str:
        """The items of a finished buffer: attack sets, or numbers of 8 or 16 bits."""
        indent = self.row.indent + "    " * bool(self.row.part)
        shown = [self.spell.entry(word, bits, place="list") for word in words]
        return lines(shown, indent, WORDS_PER_LINE if bits >= 64 else NUMBERS_PER_LINE)

    def array(self, name: str, *, filling: bool = False) -> str:
        """How code reaches a buffer, given its name in small letters."""
        text = self.row.array
        if not self.literal:
            text = (filling and self.row.array_filling) or self.row.array_filled or text
        return self.put(text, **buffer_names(name))

    def columns(self, piece: EmittedPiece) -> Iterator[Scope]:
        """The columns: an array each, or the fields of a record."""
        longest = max(len(_small(column.name)) for column in piece.own_columns)
        for column in piece.own_columns:
            named: Scope = {**_column(column.name)}
            padded = named["column_camel"].ljust(longest)
            values = {**named, "column_padded": padded, "kind": self.column_kind(column)}
            values["place"] = column.place
            shown = [self.number(column, value) for value in column.values]
            values["items"] = lines(shown, self.row.indent, WORDS_PER_LINE)
            yield values

    def column_kind(self, column: NumberColumn) -> str:
        """The type of a column's numbers."""
        if column.place or not column.hexadecimal:
            kind = self.row.place if column.place else self.row.amount
            return kind or self.spell.kind(64)
        return self.spell.kind(column.bits)

    def number(self, column: NumberColumn, value: int) -> str:
        word = column.hexadecimal or (self.row.amounts_are_words and not column.place)
        return self.spell.entry(value, column.bits) if word else str(value)

    def rows(self, piece: EmittedPiece) -> str:
        """The records of a piece, a line for each square."""
        return "\n".join(
            self.row.indent
            + self.put(
                self.row.row,
                **_named(piece),
                cells=", ".join(
                    self.put(self.row.cell, column=c.name, value=self.number(c, c.values[square]))
                    for c in piece.own_columns
                ),
            )
            for square in range(piece.squares)
        )

    # Pieces

    def piece(self, piece: EmittedPiece) -> Scope:
        """A piece: its numbers, how it moves, and how its part of the buffer is filled."""
        row, columns = self.row, [*self.columns(piece)]
        values: Scope = {**_named(piece), "columns": columns, "squares": piece.squares}
        if row.row:
            fields = (self.put(row.field, **column) for column in columns)
            values |= {"fields": row.between.join(fields), "rows": self.rows(piece)}
        values["mask"] = self.column(piece, "mask")
        values["slot"] = self.slot(piece)
        values["array"] = self.array(buffer_name(piece.buffer), filling=True)
        values["length"] = len(self.emitted.buffers[piece.buffer])
        if piece.moves is None:
            chess = STEPS[Piece(piece.piece)]
            values["steps"] = ", ".join(self.put(row.step, x=x, y=y) for x, y in chess)
        elif row.boards:
            moves = piece.moves
            steps = [
                self.put(row.move, rule=self.put(row.rules[s.rule]), x=s.x, y=s.y, limit=s.limit)
                for s in moves.steps
            ]
            regions = [
                self.put(row.region, left=left, low=low, right=right, high=high)
                for left, low, right, high in moves.regions
            ]
            values |= {"steps": ", ".join(steps), "step_count": len(steps)}
            values |= {"regions": ", ".join(regions), "region_count": len(regions)}
        return values

    # Lookups

    def lookups(self, piece: EmittedPiece) -> Iterator[Scope]:
        """The functions that an engine calls: one expression. A half board has a second one,
        for ranks 1 to 4, and the first calls it as it is or with the ranks swapped.
        """
        slot = self.slot(piece)
        values: Scope = {**_named(piece), "slot": slot, "expression": self.entry(piece, slot)}
        values |= {"by_slot": self.entry(piece, self.row.variable_called("slot")), "mirror": False}
        values |= {"joined": False, **self.occupancy(needed=True)}
        lower = self.called(piece, "lower")
        yield {**values, "called": lower if piece.half_board else self.called(piece, "attacks"),
               "public": not piece.half_board}  # fmt: skip
        if piece.half_board:
            put, swapped = self.spell.put, self.row.swapped
            square, occ = map(self.row.variable_called, ("square", "occ"))
            upper = put(swapped, f"{lower}({self.put(self.row.mirrored)}, {put(swapped, occ)})")
            ends = {"lower": f"{lower}({square}, {occ})", "upper": upper}
            yield {**_named(piece), **ends, "called": self.called(piece, "attacks"), "public": True,
                   "mirror": True, "lower_called": lower, "joined": False,
                   **self.occupancy(needed=True),
                   "expression": self.put(self.row.either, **ends)}  # fmt: skip

    def join(self, piece: EmittedJoin) -> Scope:
        """The function of a piece that is made of others: the OR of their lookups and its leaps."""
        row, bits = self.row, self.emitted.word
        square, occ = map(row.variable_called, ("square", "occ"))
        operands = [
            f"{self.called(part, 'attacks')}({square}, {occ})"
            for part in self.emitted.pieces if part.piece in piece.parts
        ]  # fmt: skip
        if piece.leaps is not None:
            array = self.put(row.array, **buffer_names(leaps_name(piece.piece)))
            operands.append(self.put(row.load, array=array, slot=square))
        text = operands[0]
        for operand in operands[1:]:
            text = self.spell.binary(text, "|", operand, bits)
        return {
            **_named(piece), "called": self.called(piece, "attacks"), "expression": text,
            "slot": "", "by_slot": text, "mirror": False, "public": True, "joined": True,
            **self.occupancy(needed=bool(piece.parts)),
        }  # fmt: skip

    def occupancy(self, *, needed: bool) -> Scope:
        """How a function takes the occupancy, if it needs it."""
        text = self.put(self.row.occupancy) if needed else ""
        return {"occ_parameter": text, "occ_argument": ", occ" if needed else ""}

    def called(self, piece: EmittedPiece | EmittedJoin, name: str) -> str:
        """What a lookup function is called: "rookAttacks"."""
        private = name == "lower" and self.row.call_private
        return self.put(private or self.row.call, **_named(piece), name=name, Name=title(name))

    def entry(self, piece: EmittedPiece, slot: str) -> str:
        """The lookup: what stands at a slot, or the attack set whose number stands there."""
        row, levels = self.row, self.emitted.levels
        word = self.put(row.load, array=self.array(buffer_name(piece.buffer)), slot=slot)
        if levels is not None:
            ones = f"{(1 << levels.entry_bits) - 1:x}"
            number = self.put(row.number, found=word, ones=ones)
            start = self.put(row.start_of, start=self.column(piece, "set_offset"))
            place = self.put(row.second, start=start, number=number)
            word = self.put(row.load, array=self.array(levels.name(piece.piece)), slot=place)
        if piece.result is None:
            return word
        operands, bits = {**self.operands(piece), WORD: word}, self.emitted.word
        text = self.spell.text(piece.result, operands, {**self.widths(piece), WORD: bits})
        if piece.result.width > bits:
            return self.spell.put(row.low64, text, piece.result.width)
        width = piece.result.width
        return self.spell.widen(text, bits, width) if width < bits else text

    def slot(self, piece: EmittedPiece) -> str:
        """The slot of `square` and `occ`."""
        index = self.spell.text(piece.index, self.operands(piece), self.widths(piece))
        text = self.row.by_width(self.row.addend, piece.index.width)
        addend = self.put(text, index=index, receiver=receiver(index))
        return self.put(self.row.place_of, start=self.column(piece, "offset"), addend=addend)

    def column(self, piece: EmittedPiece, column: str) -> str:
        """A column's number for `square`."""
        whose = _named_by(piece.elsewhere.get(column, piece.piece))
        return self.put(self.row.read, **whose, **_column(column))

    def operands(self, piece: EmittedPiece) -> dict[str, str]:
        """What stands for the names of the formulas."""
        operands = {column.name: self.column(piece, column.name) for column in piece.columns}
        return {OCCUPANCY: self.row.variable_called("occ"), **operands}

    def widths(self, piece: EmittedPiece) -> dict[str, int]:
        """The bits of what stands for the names of the formulas, where they are not 64."""
        columns = {column.name: column.bits for column in piece.columns if column.bits != 64}
        return {OCCUPANCY: self.emitted.word, **columns}


_PARTS = {2: ("low", "high")}
"""What the words of 64 bits are called that a wider one has."""


def _parts(count: int, kind: str) -> Scope:
    """The words of 64 bits of a wider one, the lowest first, and what multiplies and shifts it;
    `kind` is their type.
    """
    names = _PARTS.get(count) or tuple(f"word{n}" for n in range(count))
    products = [_product(names, i, j) for i in range(count) for j in range(count - i)]
    words = [
        {
            "part": name,
            "Part": title(name),
            "start": 64 * n,
            "number": n,
            "lowest": n == 0,
            "highest": n == count - 1,
            "above": _distances(names[n + 1 :]),
            "below": _distances(names[:n][::-1]),
            "products": [_product(names, i, n - i) for i in range(n + 1)],
            "carried": [
                {**_product(names, i, n - 1 - i), "part": name, "Part": title(name)}
                for i in range(n)
            ],
        }
        for n, name in enumerate(names)
    ]
    return {
        "words": words,
        "products": products,
        "word_count": count,
        "several_products": count > 2,
        "parameters": ", ".join(f"{kind} {name}" for name in names),
        "zeros": ", 0" * (count - 1),
        "fields": ", ".join(names),
        "Fields": ", ".join(map(title, names)),
        "sums": ", ".join(f"sum{title(name)}" for name in names),
    }


def _product(names: Sequence[str], i: int, j: int) -> Scope:
    """That of a word of the first factor and one of the second."""
    return {
        "left": names[i],
        "Left": title(names[i]),
        "right": names[j],
        "Right": title(names[j]),
        "part": names[i + j],
        "Part": title(names[i + j]),
        "begins": j == 0 and i > 0,
        "lowest": i == j == 0,
        "highest": i + j == len(names) - 1,
        "last": j == 0,
        "fresh": i == 0,
    }


def _distances(others: Sequence[str]) -> list[Scope]:
    """The words above or below one, the nearest first, with their distances in bits."""
    return [
        {"other": name, "Other": title(name), "distance": 64 * n, "last": n == len(others)}
        for n, name in enumerate(others, 1)
    ]


def _small(name: str) -> str:
    """In camel case, but for the first letter: "rookBuffer"."""
    text = camel(name)
    return text[:1].lower() + text[1:]


def _named(piece: EmittedPiece | EmittedJoin) -> dict[str, str]:
    """A piece in small letters, capitals, and with a capital."""
    return _named_by(piece.piece)


def _named_by(piece: str) -> dict[str, str]:
    name = identifier(piece)
    article = "an" if name[0].lower() in "aeiou" else "a"
    shown = {"piece": name, "Piece": camel(name), "PIECE": name.upper()}
    return {**shown, "a_piece": f"{article} {name}"}


def buffer_names(name: str) -> dict[str, str]:
    """What a buffer or list is called, in every spelling that a template may ask for."""
    return {"name": name, "Name": camel(name), "NAME": name.upper(), "name_camel": _small(name)}


def _column(name: str) -> dict[str, str]:
    return {
        "column": name, "Column": camel(name), "COLUMN": name.upper(), "column_camel": _small(name)
    }  # fmt: skip
