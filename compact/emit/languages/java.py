"""Java: a class with static arrays."""

from collections.abc import Sequence
from typing import ClassVar

from magicert.compact.emit.language import NUMBERS_PER_LINE, WORDS_PER_LINE, Language
from magicert.compact.emit.spelling import lines
from magicert.compact.emit.unit import Column

PART = 4096
"""Longs in one nested class: a static initialiser may have 64 KiB of code."""


class Java(Language):
    """Java: long is signed, but wraps, and `>>>` shifts in zeros."""

    name = "java"
    suffix = ".java"
    scope_option = "package"
    scope_form = r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*"
    stem = "Magics"
    usage = """
Usage; the table is made when the class is loaded:
    long attacks = $stem.$called(square, occupied);
where the bits of occupied are the occupied squares.
"""
    kinds: ClassVar = {8: "byte", 16: "short", 64: "long"}
    indent = " " * 8
    read = "${PIECE}_$COLUMN[square]"
    column = """
    private static final $kind[] ${PIECE}_$COLUMN = {
$items    };
"""
    empty = "\n    private static final $kind[] $array = new $kind[$length];\n"
    part = """
    private static final class $array$number {
        static final $kind[] PART = {
$items        };
    }
"""
    """A part of a finished buffer that the class file format can hold."""
    copy = "        System.arraycopy($array$number.PART, 0, $array, $start, $length);\n"
    finished = "$parts\n    static {\n$copies    }\n"
    function = """
    /** The squares that a $piece on a square attacks; the bits of occ are the occupied squares. */
    public static long $called(int square, long occ) {
        return $expression;
    }
"""
    file = """${heading}
${package}public final class $stem {
    private $stem() {}
$columns$buffers$lookups$filling}
"""
    filling = """
    static {
$fills    }
$walk"""
    walk = """
    private static long walk(int square, long occ, int[][] steps) {
        long reached = 0;
        for (int[] step : steps) {
            int file = (square & 7) + step[0], rank = (square >> 3) + step[1];
            while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
                long bit = 1L << (8 * rank + file);
                reached |= bit;
                if ((occ & bit) != 0) break;
                file += step[0];
                rank += step[1];
            }
        }
        return reached;
    }
"""
    fill = """        for (int square = 0; square < $squares; square++) {
            long mask = $mask, occ = 0;
            do {
                long reached = walk(square, occ, new int[][] {$steps});
                int slot = $slot;
                if ($array[slot] != 0 && $array[slot] != reached) $failure;
                $array[slot] = reached;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
"""
    fill_levels = """        for (int square = 0; square < $squares; square++) {
            long mask = $mask, occ = 0;
            int start = $start, end = start;
            do {
                long reached = walk(square, occ, new int[][] {$steps});
                int place = end;
                while (place > start && $greater) place--;
                if (place == start || $sets[place - 1] != reached) {
                    for (int n = end++; n > place; n--) $sets[n] = $sets[n - 1];
                    $sets[place] = reached;
                }
                occ = (occ - mask) & mask;
            } while (occ != 0);
            do {
                long reached = walk(square, occ, new int[][] {$steps});
                int number = 0;
                while ($sets[start + number] != reached) number++;
                $array[$slot] = ($kind) number;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
"""
    check_levels = """        for (int square = 0; square < $squares; square++) {
            long mask = $mask, occ = 0;
            do {
                if ($attacks(square, occ) != walk(square, occ, new int[][] {$steps})) $failure;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
"""
    greater = "Long.compareUnsigned($sets[place - 1], reached) > 0"
    """Longs have a sign, attack sets have none."""
    failure = 'throw new AssertionError("a write would change an entry")'

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

    def write(self, text: str, **words: object) -> str:
        """What C# writes in other words."""
        text = text.replace("$greater", self.greater).replace("$failure", self.failure)
        package = f"package {self.scope};\n\n" if self.scope else ""
        return super().write(text, **{"package": package, **words})

    def column_kind(self, column: Column) -> str:
        """Places are ints."""
        return "int" if column.place else self.kinds[64]

    def addend(self, index: str, width: int) -> str:
        """Indexes of arrays are ints."""
        return f"(int) ({index})" if width == 64 else f"({index})"

    def number_read(self, found: str, bits: int) -> str:
        """Without the sign."""
        return f"({found} & 0x{(1 << bits) - 1:x})"

    def buffer(self, array: str, words: list[int], literal: bool, bits: int) -> str:
        """A finished buffer is joined from parts."""
        empty = super().buffer(array, words, literal=False, bits=bits)
        if not literal:
            return empty
        starts = range(0, len(words), PART)
        parts, copies = "", ""
        for number, start in enumerate(starts):
            own = words[start : start + PART]
            names = {"array": array, "number": number, "kind": self.kinds[bits]}
            parts += self.write(self.part, **names, items=self.entries(own, bits))
            copies += self.write(self.copy, **names, start=start, length=len(own))
        return empty + self.write(self.finished, parts=parts, copies=copies)

    def entries(self, words: Sequence[int], bits: int) -> str:
        """Bytes and shorts have a sign."""
        indent = " " * 12
        if bits == 64:
            return lines([self.literal(word) for word in words], indent, WORDS_PER_LINE)
        half = 1 << bits - 1
        signed = [str((word + half) % (2 * half) - half) for word in words]
        return lines(signed, indent, NUMBERS_PER_LINE)
