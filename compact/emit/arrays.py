"""The numbers of an emitted program: columns, and buffers that are empty or finished."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.compact.emit.spelling import buffer_name, camel, lines
from magicert.compact.emit.texts import Texts
from magicert.compact.emit.unit import Column, PieceUnit, Unit
from magicert.formula.wide import ints

WORDS_PER_LINE, NUMBERS_PER_LINE = 4, 16


class Arrays(Texts):
    """Each column is an array of its own; `records` is for languages that keep records."""

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

    def column_of(self, piece: PieceUnit, column: str) -> str:
        """A column's number for `square`."""
        return self.write(self.read, **self.names(piece, column))

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
