"""C#: the class that Java has, in words that have no sign."""

import re
from typing import ClassVar

from magicert.compact.emit.language import Language
from magicert.compact.emit.languages.java import Java

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
    large = "${value}UL"
    typed = "${value}UL"
    low32 = "unchecked((uint)($word))"
    high32 = "unchecked((uint)(((ulong)($word)) >> 32))"
    no_high32 = ""
    rotated = "BitOperations.RotateLeft($word, $amount)"
    turns = ("$word", "unchecked((int)($word))")
    swapped = "BinaryPrimitives.ReverseEndianness($word)"
    counted = "(ulong)BitOperations.PopCount($word)"
    trailing = "(ulong)BitOperations.TrailingZeroCount($word)"
    negated = "(0UL - $word)"
    right_shift = Language.right_shift
    shift_amounts = ("$word", "(int)$word")
    widened = "(ulong)$word"
    column_kinds = ("int", "ulong")
    addend_32 = ""
    read_number = "$found"
    array_name = "$Name"
    call = "$Piece$Name"
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

    buffer = Language.buffer
    entries = Language.entries
