"""Java: a class with static arrays."""

from collections.abc import Mapping
from typing import ClassVar

from magicert.compact.emit.language import Language, buffer_name, lines, sets_name, steps_text
from magicert.compact.emit.unit import PieceUnit, Unit

PART = 4096
"""Longs in one nested class: a static initialiser may have 64 KiB of code."""


class Java(Language):
    """Java: long is signed, but wraps, and `>>>` shifts in zeros."""

    name = "java"
    suffix = ".java"
    two_level = True
    numbers: ClassVar[Mapping[int, str]] = {8: "byte", 16: "short"}
    kind = "long"
    final = "static final"
    lookup_opening = "public static"
    check = 'if (%s) throw new AssertionError("a write would change an entry");'

    def literal(self, value: int) -> str:
        """Small numbers are plain, so that shift amounts stay readable."""
        return str(value) if value < 256 else f"0x{value:x}L"

    def word(self, value: int) -> str:
        """With a suffix, because a plain literal would be an int."""
        return f"{value if value < 256 else hex(value)}L"

    def narrow(self, function: str, word: str, width: int) -> str:
        """32-bit words are ints, which cannot be shifted by 32."""
        if function == "hi32":
            return f"(int) (({word}) >>> 32)" if width == 64 else "0"
        return f"(int) ({word})"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """The amount is an int, modulo the width."""
        shown = amount if amount.isdigit() else f"(int) ({amount})"
        return f"{'Long' if width == 64 else 'Integer'}.rotateLeft({word}, {shown})"

    def swap_bytes(self, word: str) -> str:
        """A method of Long."""
        return f"Long.reverseBytes({word})"

    def ones(self, word: str, width: int) -> str:
        """The count is an int, which would overflow in products."""
        return f"(long) {'Long' if width == 64 else 'Integer'}.bitCount({word})"

    def trailing_zeros(self, word: str, width: int) -> str:
        """The width for 0."""
        return f"(long) {'Long' if width == 64 else 'Integer'}.numberOfTrailingZeros({word})"

    def widen(self, text: str) -> str:
        """Zero-extended."""
        return f"Integer.toUnsignedLong({text})"

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """Shifts to the right bring in zeros."""
        return f"{left} {'>>>' if operator == '>>' else operator} {amount}"

    def slot(self, name: str, index: str, wide: bool) -> str:
        """The slot, an int."""
        cast = f"(int) ({index})" if wide else f"({index})"
        return f"{name}_OFFSET[square] + {cast}"

    def source(self, unit: Unit, literal: bool) -> str:
        """One final class."""
        parts = [self.heading(unit), "public final class Attacks {\n    private Attacks() {}\n"]
        parts += [self.columns(piece) for piece in unit.pieces]
        for name, words in unit.buffers.items():
            bits = unit.levels.entry_bits if unit.levels else 64
            parts.append(self.buffer(buffer_name(name).upper(), words.tolist(), literal, bits))
        if unit.levels:
            for piece, words in unit.levels.sets.items():
                parts.append(self.buffer(sets_name(piece).upper(), words.tolist(), literal))
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            fill = self.fill_levels if unit.levels else self.fill
            fills = "".join(fill(unit, piece) for piece in unit.pieces)
            if unit.levels:
                # Only when all is written: squares may share slots.
                fills += "".join(self.check_levels(unit, piece) for piece in unit.pieces)
            parts.append(f"\n    static {{\n{fills}    }}\n")
            parts.append(self.walk())
        parts.append("}\n")
        return "".join(parts)

    def columns(self, piece: PieceUnit) -> str:
        """An array for each column."""
        text = ""
        for column in piece.columns:
            kind = "int" if column.place else self.kind
            shown = [self.number(column, value) for value in column.values]
            body = "".join(
                f"        {', '.join(shown[p : p + 4])},\n" for p in range(0, len(shown), 4)
            )
            name = f"{piece.piece.upper()}_{column.name.upper()}"
            text += f"\n    {self.final} {kind}[] {name} = {{\n{body}    }};\n"
        return text

    def buffer(self, array: str, words: list[int], literal: bool, bits: int = 64) -> str:
        """The buffer; a finished one is joined from parts that the class file format can hold."""
        kind = self.numbers.get(bits, "long")
        if not literal:
            return f"\n    {self.final} {kind}[] {array} = new {kind}[{len(words)}];\n"
        starts = range(0, len(words), PART)
        parts = "".join(
            f"\n    private static final class {array}{number} {{\n"
            f"        static final {kind}[] PART = {{\n"
            f"{self.items(words[start : start + PART], bits)}        }};\n    }}\n"
            for number, start in enumerate(starts)
        )
        copies = "".join(
            f"        System.arraycopy({array}{number}.PART, 0, {array}, {start}, "
            f"{len(words[start : start + PART])});\n"
            for number, start in enumerate(starts)
        )
        empty = self.buffer(array, words, literal=False, bits=bits)
        return f"{empty}{parts}\n    static {{\n{copies}    }}\n"

    def items(self, words: list[int], bits: int) -> str:
        """The items of a finished buffer; bytes and shorts have a sign."""
        if bits == 64:
            return self.words(words, " " * 12)
        half = 1 << bits - 1
        return lines([str((word + half) % (2 * half) - half) for word in words], " " * 12, 16)

    def expression(self, unit: Unit, piece: PieceUnit) -> str:
        """A read of the buffer."""
        return self.entry(unit, piece, self._slot(piece, piece.piece.upper()))

    def function(self, unit: Unit, piece: PieceUnit, name: str, expression: str) -> str:
        """A static method."""
        return (
            f"\n    {self.lookup_opening} {self.kind} {self.called(unit, piece, name)}"
            f"(int square, {self.kind} occ) {{\n"
            f"        return {expression};\n    }}\n"
        )

    def number_read(self, unit: Unit, found: str) -> str:
        """Without the sign."""
        return f"({found} & {'0xff' if unit.levels and unit.levels.entry_bits == 8 else '0xffff'})"

    def _slot(self, piece: PieceUnit, name: str) -> str:
        names = {c.name: f"{name}_{c.name.upper()}[square]" for c in piece.columns}
        index = self.text(piece.index, {"occ": "occ", **names})
        return self.slot(name, index, piece.index.width == 64)

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        check = self.check % f"{array}[slot] != 0 && {array}[slot] != attacks"
        return f"""        for (int square = 0; square < {piece.squares}; square++) {{
            {self.kind} mask = {name}_MASK[square], occ = 0;
            do {{
                {self.kind} attacks = walk(square, occ, {self.steps(piece)});
                int slot = {self._slot(piece, name)};
                {check}
                {array}[slot] = attacks;
                occ = (occ - mask) & mask;
            }} while (occ != 0);
        }}
"""

    def greater(self, one: str, other: str) -> str:
        """Longs have a sign, attack sets have none."""
        return f"Long.compareUnsigned({one}, {other}) > 0"

    def fill_levels(self, unit: Unit, piece: PieceUnit) -> str:
        """The attack sets in increasing order, and their numbers."""
        assert unit.levels is not None
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        kind = self.numbers[unit.levels.entry_bits]
        greater = self.greater(f"{name}_SETS[place - 1]", "attacks")
        return f"""        for (int square = 0; square < {piece.squares}; square++) {{
            {self.kind} mask = {name}_MASK[square], occ = 0;
            int start = {name}_SET_OFFSET[square], end = start;
            do {{
                {self.kind} attacks = walk(square, occ, {self.steps(piece)});
                int place = end;
                while (place > start && {greater}) place--;
                if (place == start || {name}_SETS[place - 1] != attacks) {{
                    for (int n = end++; n > place; n--) {name}_SETS[n] = {name}_SETS[n - 1];
                    {name}_SETS[place] = attacks;
                }}
                occ = (occ - mask) & mask;
            }} while (occ != 0);
            do {{
                {self.kind} attacks = walk(square, occ, {self.steps(piece)});
                int number = 0;
                while ({name}_SETS[start + number] != attacks) number++;
                {array}[{self._slot(piece, name)}] = ({kind}) number;
                occ = (occ - mask) & mask;
            }} while (occ != 0);
        }}
"""

    def check_levels(self, unit: Unit, piece: PieceUnit) -> str:
        """Every lookup once, against the walk."""
        name = piece.piece.upper()
        called = self.called(unit, piece, "attacks")
        wrong = f"{called}(square, occ) != walk(square, occ, {self.steps(piece)})"
        return f"""        for (int square = 0; square < {piece.squares}; square++) {{
            {self.kind} mask = {name}_MASK[square], occ = 0;
            do {{
                {self.check % wrong}
                occ = (occ - mask) & mask;
            }} while (occ != 0);
        }}
"""

    def steps(self, piece: PieceUnit) -> str:
        """The steps as an array of arrays."""
        return f"new int[][] {{{steps_text(piece.piece, '{', '}')}}}"

    def walk(self) -> str:
        """The ray walk."""
        one = "1L" if self.kind == "long" else "1UL"
        steps = "int[][] steps"
        loop = (
            "for (int[] step : steps)" if self.kind == "long" else "foreach (int[] step in steps)"
        )
        return f"""
    private static {self.kind} walk(int square, {self.kind} occ, {steps}) {{
        {self.kind} attacks = 0;
        {loop} {{
            int file = (square & 7) + step[0], rank = (square >> 3) + step[1];
            while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {{
                {self.kind} bit = {one} << (8 * rank + file);
                attacks |= bit;
                if ((occ & bit) != 0) break;
                file += step[0];
                rank += step[1];
            }}
        }}
        return attacks;
    }}
"""
