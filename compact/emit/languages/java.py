"""Java: a class with static arrays."""

from collections.abc import Sequence
from typing import ClassVar

from magicert.compact.emit.arrays import NUMBERS_PER_LINE, WORDS_PER_LINE
from magicert.compact.emit.language import Language
from magicert.compact.emit.spelling import lines

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
    large = "${value}L"
    typed = "${value}L"
    low32 = "(int) ($word)"
    high32 = "(int) (($word) >>> 32)"
    no_high32 = "0"
    rotated = "$boxed.rotateLeft($word, $amount)"
    turns = ("$word", "(int) ($word)")
    swapped = "Long.reverseBytes($word)"
    counted = "(long) $boxed.bitCount($word)"
    trailing = "(long) $boxed.numberOfTrailingZeros($word)"
    right_shift = "$word >>> $amount"
    widened = "Integer.toUnsignedLong($word)"
    column_kinds = ("int", "long")
    addend = "(int) ($index)"
    addend_32 = "($index)"
    read_number = "($found & 0x$ones)"
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
    write_once = """if ($array[slot] != 0 && $array[slot] != reached) $failure;
                $array[slot] = reached;"""
    add_layer = "$array[slot] |= reached;"
    check_layer = "if (($found) != reached) $failure;"
    fill = """        for (int square = 0; square < $squares; square++) {
            long mask = $mask, occ = 0;
            do {
                long reached = walk(square, occ, new int[][] {$steps});
                int slot = $slot;
                $write
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

    def put(self, text: str, word: str, width: int = 64, **more: object) -> str:
        """Functions of words are methods of their boxed types."""
        boxed = "Long" if width == 64 else "Integer"
        return super().put(text, word, width, **{"boxed": boxed, **more})

    def write(self, text: str, **words: object) -> str:
        """What C# writes in other words."""
        text = text.replace("$greater", self.greater).replace("$failure", self.failure)
        package = f"package {self.scope};\n\n" if self.scope else ""
        return super().write(text, **{"package": package, **words})

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
