"""C#: the class that Java has, in words that have no sign."""

from collections.abc import Mapping
from typing import ClassVar

from magicert.compact.emit.language import lines, steps_text, title
from magicert.compact.emit.languages.java import Java
from magicert.compact.emit.unit import PieceUnit, Unit

_NAMESPACES = {
    "BitOperations": "System.Numerics",
    "BinaryPrimitives": "System.Buffers.Binary",
}


class CSharp(Java):
    """C#: ulong wraps in the default, unchecked context."""

    name = "csharp"
    suffix = ".cs"
    numbers: ClassVar[Mapping[int, str]] = {8: "byte", 16: "ushort"}
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

    def called(self, unit: Unit, piece: PieceUnit, name: str) -> str:
        """Methods begin with a capital."""
        return f"{title(piece.piece)}{title(name)}"

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

    def buffer(self, array: str, words: list[int], literal: bool, bits: int = 64) -> str:
        """The buffer, empty or finished."""
        kind = self.numbers.get(bits, "ulong")
        if not literal:
            return f"\n    {self.final} {kind}[] {array} = new {kind}[{len(words)}];\n"
        shown = self.words(words, " " * 8) if bits == 64 else lines([*map(str, words)], " " * 8, 16)
        return f"\n    {self.final} {kind}[] {array} = {{\n{shown}    }};\n"

    def number_read(self, unit: Unit, found: str) -> str:
        """Bytes and ushorts have no sign."""
        return found

    def greater(self, one: str, other: str) -> str:
        """Words have no sign."""
        return f"{one} > {other}"
