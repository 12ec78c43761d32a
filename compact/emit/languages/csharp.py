"""C#: the class that Java has, in words that have no sign."""

import re
from typing import ClassVar

from magicert.compact.emit.language import Language
from magicert.compact.emit.languages.java import Java
from magicert.compact.emit.spelling import camel, title
from magicert.compact.emit.unit import PieceUnit

_NAMESPACES = {
    "BinaryPrimitives": "System.Buffers.Binary",
    "BitOperations": "System.Numerics",
}
_JAVA = {
    "long": "ulong",
    "1L": "1UL",
    "static final": "static readonly",
    "for (int[] step :": "foreach (int[] step in",
}
"""The words of Java's texts that C# has others for."""


class CSharp(Java):
    """C#: ulong wraps in the default, unchecked context."""

    name = "csharp"
    suffix = ".cs"
    scope_option = "namespace"
    usage = """
Usage; the table is made when the class is first used:
    ulong attacks = $qualified.$called(square, occupied);
where the bits of occupied are the occupied squares.
"""
    read = "$Piece$Column[square]"
    column = Java.column.replace("${PIECE}_$COLUMN", "$Piece$Column")
    function = """
    /// <summary>
    /// The squares that a $piece on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong $called(int square, ulong occ) {
        return unchecked($expression);
    }
"""
    kinds: ClassVar = {8: "byte", 16: "ushort", 64: "ulong"}
    step = ("new[] {", "}")
    finished = """
    private static readonly $kind[] $array = {
$items    };
"""
    file = """$heading
using System;
$imports
${opening}public static class $stem {
$columns$buffers$lookups$filling}
$closing"""
    filling = """
    static $stem() {
        unchecked {
$fills        }
    }
$walk"""
    greater = "$sets[place - 1] > reached"
    failure = 'throw new InvalidOperationException("a write would change an entry")'

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

    def write(self, text: str, **words: object) -> str:
        """Java's texts in C#'s words."""
        for java, csharp in _JAVA.items():
            text = re.sub(rf"\b{re.escape(java)}(?!\w)", csharp, text)
        qualified = f"{self.scope}.$stem".lstrip(".")
        text = text.replace("$qualified", qualified)
        opening, closing = (f"namespace {self.scope} {{\n\n", "\n}\n") if self.scope else ("", "")
        return super().write(text, **{"opening": opening, "closing": closing, **words})

    def imports(self, lookups: str) -> str:
        """The namespaces of what the lookups call."""
        return "".join(f"using {n};\n" for part, n in _NAMESPACES.items() if f"{part}." in lookups)

    def addend(self, index: str, width: int) -> str:
        """The slot is an int: C# would add an int and a uint to a long."""
        return super().addend(index, width=64)

    def number_read(self, found: str, bits: int) -> str:
        """Bytes and ushorts have no sign."""
        return found

    def called(self, piece: PieceUnit, name: str) -> str:
        """Methods begin with a capital."""
        return f"{title(piece.piece)}{title(name)}"

    def array(self, name: str) -> str:
        """In camel case: "RookBuffer"."""
        return camel(name)

    buffer = Language.buffer
    entries = Language.entries
