"""Java and C#: classes with static arrays."""

from compact.emit.language import Language, buffer_name, steps_text, title
from compact.emit.unit import PieceUnit, Unit

PART = 4096
"""Longs in one nested class: a static initialiser may have 64 KiB of code."""


class Java(Language):
    """Java: long is signed, but wraps, and `>>>` shifts in zeros."""

    name = "java"
    suffix = ".java"
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
            parts.append(self.buffer(buffer_name(name).upper(), words.tolist(), literal))
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            fills = "".join(self.fill(unit, piece) for piece in unit.pieces)
            parts.append(f"\n    static {{\n{fills}    }}\n")
            parts.append(self.walk())
        parts.append("}\n")
        return "".join(parts)

    def columns(self, piece: PieceUnit) -> str:
        """An array for each column."""
        text = ""
        for column in piece.columns:
            kind = "int" if column.name == "offset" else self.kind
            shown = [self.number(column, value) for value in column.values]
            body = "".join(f"        {', '.join(shown[p : p + 4])},\n" for p in range(0, 64, 4))
            name = f"{piece.piece.upper()}_{column.name.upper()}"
            text += f"\n    {self.final} {kind}[] {name} = {{\n{body}    }};\n"
        return text

    def buffer(self, array: str, words: list[int], literal: bool) -> str:
        """The buffer; a finished one is joined from parts that the class file format can hold."""
        if not literal:
            return f"\n    {self.final} long[] {array} = new long[{len(words)}];\n"
        starts = range(0, len(words), PART)
        parts = "".join(
            f"\n    private static final class {array}{number} {{\n"
            f"        static final long[] PART = {{\n"
            f"{self.words(words[start : start + PART], ' ' * 12)}        }};\n    }}\n"
            for number, start in enumerate(starts)
        )
        copies = "".join(
            f"        System.arraycopy({array}{number}.PART, 0, {array}, {start}, "
            f"{len(words[start : start + PART])});\n"
            for number, start in enumerate(starts)
        )
        empty = self.buffer(array, words, literal=False)
        return f"{empty}{parts}\n    static {{\n{copies}    }}\n"

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The function that an engine calls: one expression."""
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        return (
            f"\n    {self.lookup_opening} {self.kind} {self.method(piece)}"
            f"(int square, {self.kind} occ) {{\n"
            f"        return {array}[{self._slot(piece, name)}];\n    }}\n"
        )

    def method(self, piece: PieceUnit) -> str:
        """The name of a lookup."""
        return f"{piece.piece}Attacks"

    def _slot(self, piece: PieceUnit, name: str) -> str:
        names = {c.name: f"{name}_{c.name.upper()}[square]" for c in piece.columns}
        index = self.text(piece.index, {"occ": "occ", **names})
        return self.slot(name, index, piece.index.width == 64)

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        check = self.check % f"{array}[slot] != 0 && {array}[slot] != attacks"
        return f"""        for (int square = 0; square < 64; square++) {{
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


_NAMESPACES = {
    "BitOperations": "System.Numerics",
    "BinaryPrimitives": "System.Buffers.Binary",
}


class CSharp(Java):
    """C#: ulong wraps in the default, unchecked context."""

    name = "csharp"
    suffix = ".cs"
    kind = "ulong"
    final = "static readonly"
    check = 'if (%s) throw new InvalidOperationException("a write would change an entry");'

    def literal(self, value: int) -> str:
        """With a suffix, because a plain literal would be signed."""
        return str(value) if value < 256 else f"0x{value:x}UL"

    def narrow(self, function: str, word: str, width: int) -> str:
        """Unchecked casts."""
        if function == "hi32":
            return f"unchecked((uint)(((ulong)({word})) >> 32))"
        return f"unchecked((uint)({word}))"

    def word(self, value: int) -> str:
        """With a suffix, because a plain literal would be an int."""
        return f"{value if value < 256 else hex(value)}UL"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """The amount is an int, modulo the width."""
        shown = amount if amount.isdigit() else f"unchecked((int)({amount}))"
        return f"BitOperations.RotateLeft({word}, {shown})"

    def swap_bytes(self, word: str) -> str:
        """A method of BinaryPrimitives."""
        return f"BinaryPrimitives.ReverseEndianness({word})"

    def ones(self, word: str, width: int) -> str:
        """The count is an int."""
        return f"(ulong)BitOperations.PopCount({word})"

    def trailing_zeros(self, word: str, width: int) -> str:
        """The width for 0."""
        return f"(ulong)BitOperations.TrailingZeroCount({word})"

    def slot(self, name: str, index: str, wide: bool) -> str:
        """The slot, an int: C# would add an int and a uint to a long."""
        return super().slot(name, index, wide=True)

    def unary(self, operator: str, operand: str, width: int) -> str:
        """C# has no minus for ulong."""
        return f"~{operand}" if operator == "~" else f"(0UL - {operand})"

    def widen(self, text: str) -> str:
        """Zero-extended."""
        return f"(ulong){text}"

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """Shift amounts are ints."""
        amount = amount if amount.isdigit() else f"(int){amount}"
        return f"{left} {operator} {amount}"

    def method(self, piece: PieceUnit) -> str:
        """Methods begin with a capital."""
        return f"{title(piece.piece)}Attacks"

    def steps(self, piece: PieceUnit) -> str:
        """An array of arrays."""
        rows = steps_text(piece.piece, "new[] {", "}")
        return f"new int[][] {{{rows}}}"

    def source(self, unit: Unit, literal: bool) -> str:
        """One static class."""
        text = super().source(unit, literal)
        text = text.replace(
            "public final class Attacks {\n    private Attacks() {}\n",
            "using System;\n\npublic static class Attacks {\n",
        )
        for part, namespace in _NAMESPACES.items():
            if f"{part}." in text:
                text = text.replace("using System;\n", f"using System;\nusing {namespace};\n")
        # C# calls what Java writes as a bare static block a static constructor.
        return text.replace("\n    static {\n", "\n    static Attacks() {\n")

    def buffer(self, array: str, words: list[int], literal: bool) -> str:
        """The buffer, empty or finished."""
        if not literal:
            return f"\n    {self.final} ulong[] {array} = new ulong[{len(words)}];\n"
        return f"\n    {self.final} ulong[] {array} = {{\n{self.words(words, ' ' * 8)}    }};\n"
