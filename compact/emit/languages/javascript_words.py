"""JavaScript without BigInt: every 64-bit word as two 32-bit numbers, high and low.

A reading of its own: `pairs` gives the high and low words of a tree as two expressions. BigInt
is convenient and slow; Math.imul and one 32-by-32-bit high product are what engines in
the browser use. Shifts by an amount of the square's own are refused.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from magicert.compact.emit.languages.javascript import JavaScript
from magicert.compact.emit.pairs import hexadecimal, pair
from magicert.compact.emit.spelling import buffer_name, lines
from magicert.compact.emit.unit import Column, PieceUnit, Unit
from magicert.formula.tree import OCCUPANCY, WORD, Node

HALVES = (("HIGH", 32), ("LOW", 0))
"""The two words of 64 bits: name, and how far up it begins."""


class JavaScriptWords(JavaScript):
    """JavaScript in 32-bit numbers: lookups take and give (high, low)."""

    name = "javascript-32"
    suffix = ".mjs"
    usage = """
Usage; the table is made when the module is loaded:
    import { $called } from "./$filename";
    const [high, low] = $called(square, occupiedHigh, occupiedLow);
where the bits of occupiedHigh and occupiedLow, numbers of 32 bits, are the occupied squares.
"""
    helpers: ClassVar = {
        "rotateHigh": """
// The high word of (high, low) rotated left; with the two exchanged, the low one.
function rotateHigh(high, low, amount) {
  const r = amount & 31, [a, b] = amount & 32 ? [low, high] : [high, low];
  return r ? a << r | b >>> (32 - r) : a;
}
""",
        "rotate": """
function rotate(x, amount) {
  return x << (amount & 31) | x >>> (-amount & 31);
}
""",
        "swapBytes": """
function swapBytes(x) {
  return x << 24 | (x & 0xff00) << 8 | x >>> 8 & 0xff00 | x >>> 24;
}
""",
        "countOnes": """
function countOnes(x) {
  let ones = 0;
  for (; x; x &= x - 1) ones++;
  return ones;
}
""",
        "trailingZeros": """
function trailingZeros(x) {
  return x ? 31 - Math.clz32(x & -x) : 32;
}
""",
        "mulHigh": """
// The high 32 bits of the 64-bit product of two 32-bit words.
function mulHigh(a, b) {
  const aLow = a & 0xffff, aHigh = a >>> 16, bLow = b & 0xffff, bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  return aHigh * bHigh + Math.floor(middle / 65536) + (((middle & 0xffff) + aLow * bHigh) >>> 16);
}
""",
        "carry": """
// The carry of the sum of two 32-bit words.
function carry(a, b) {
  return (a >>> 0) + (b >>> 0) > 0xffffffff ? 1 : 0;
}
""",
        "borrow": """
// The borrow of the difference of two 32-bit words.
function borrow(a, b) {
  return (a >>> 0) < (b >>> 0) ? 1 : 0;
}
""",
    }
    addend = "$index"
    file = "$heading$columns$helpers$buffers$lookups$filling"
    words_column = """
const ${PIECE}_${COLUMN}_$half = Uint32Array.of(
$items);
"""
    words_empty = "\nconst ${array}_$half = new Uint32Array($length);\n"
    words_finished = "\nconst ${array}_$half = Uint32Array.from([\n$items]);\n"
    slot_function = """
function ${piece}Slot(square, high, low) {
  return $slot;
}
"""
    function = """
// The squares that a $piece on a square attacks, as [high, low].
${public}function $called(square, high, low) {
  const slot = $expression;
  return [$high, $low];
}
"""
    mirroring = """
export function ${piece}Attacks(square, high, low) {
  if (square < 32) return ${piece}Lower(square, high, low);
  const [top, bottom] = ${piece}Lower(square ^ 56, swapBytes(low) >>> 0, swapBytes(high) >>> 0);
  return [swapBytes(bottom) >>> 0, swapBytes(top) >>> 0];
}
"""
    """Both words swap their bytes, and places."""
    walk = """
function walk(square, high, low, steps) {
  const attacks = [0, 0], occupied = [high, low];
  for (const [byFile, byRank] of steps) {
    let file = (square & 7) + byFile, rank = (square >> 3) + byRank;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const word = rank > 3 ? 0 : 1, bit = (1 << ((8 * rank + file) & 31)) >>> 0;
      attacks[word] = (attacks[word] | bit) >>> 0;
      if (occupied[word] & bit) break;
      file += byFile;
      rank += byRank;
    }
  }
  return attacks;
}
"""
    subsets = """
// All subsets of a mask, as [high, low].
function subsets(maskHigh, maskLow) {
  const all = [];
  let high = 0, low = 0;
  do {
    all.push([high, low]);
    const less = low < maskLow ? 1 : 0;
    low = ((low - maskLow) & maskLow) >>> 0;
    high = ((high - maskHigh - less) & maskHigh) >>> 0;
  } while (high !== 0 || low !== 0);
  return all;
}
"""
    write_once = """const empty = ${array}_HIGH[slot] === 0 && ${array}_LOW[slot] === 0;
    const same = ${array}_HIGH[slot] === attacksHigh && ${array}_LOW[slot] === attacksLow;
    if (!(empty || same)) throw new Error("a write would change an entry of the buffer");
    ${array}_HIGH[slot] = attacksHigh;
    ${array}_LOW[slot] = attacksLow;"""
    add_layer = """${array}_HIGH[slot] |= attacksHigh;
    ${array}_LOW[slot] |= attacksLow;"""
    check_layer = """if ($high !== attacksHigh || $low !== attacksLow)
      throw new Error("a write has changed an entry of the buffer");"""
    fill = """
for (let square = 0; square < $squares; square++) {
  const maskHigh = ${PIECE}_MASK_HIGH[square], maskLow = ${PIECE}_MASK_LOW[square];
  let high = 0, low = 0;
  do {
    const steps = [$steps];
    const [attacksHigh, attacksLow] = walk(square, high, low, steps);
    const slot = ${piece}Slot(square, high, low);
    $write
    const borrow = low < maskLow ? 1 : 0;
    low = ((low - maskLow) & maskLow) >>> 0;
    high = ((high - maskHigh - borrow) & maskHigh) >>> 0;
  } while (high !== 0 || low !== 0);
}
"""
    fill_levels = """
for (let square = 0; square < $squares; square++) {
  const steps = [$steps], start = $start;
  const all = subsets(${PIECE}_MASK_HIGH[square], ${PIECE}_MASK_LOW[square]), own = new Map();
  for (const [high, low] of all) {
    const attacks = walk(square, high, low, steps);
    own.set(String(attacks), attacks);
  }
  const sorted = [...own.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  sorted.forEach(([high, low], number) => {
    ${sets}_HIGH[start + number] = high;
    ${sets}_LOW[start + number] = low;
    own.set(String([high, low]), number);
  });
  for (const [high, low] of all)
    $array[${piece}Slot(square, high, low)] = own.get(String(walk(square, high, low, steps)));
}
"""
    check_levels = """
for (let square = 0; square < $squares; square++) {
  const steps = [$steps];
  for (const [high, low] of subsets(${PIECE}_MASK_HIGH[square], ${PIECE}_MASK_LOW[square]))
    if (String(${piece}Attacks(square, high, low)) !== String(walk(square, high, low, steps)))
      throw new Error("a write has changed an entry of the buffer");
}
"""

    def text(
        self, node: Node, names: Mapping[str, str], widths: Mapping[str, int] | None = None
    ) -> str:
        """The low word of a tree; `names` give the low word of a name, X_LOW[...]."""
        pairs = {name: (_high(low), low) for name, low in names.items()}
        return pair(node, {**pairs, OCCUPANCY: ("high", "low")})[1]

    def columns(self, piece: PieceUnit) -> str:
        """Two arrays for the two words; places stay numbers."""
        text = ""
        for column in piece.columns:
            names = self.names(piece, column.name)
            if column.place:
                shown = self.items(column, column.values)
                text += self.write(self.column, **names, kind="number", items=shown)
                continue
            text += "".join(
                self.write(self.words_column, **names, half=half, items=_half(column.values, low))
                for half, low in HALVES
            )
        return text

    def column_of(self, piece: PieceUnit, column: str) -> str:
        """The low word; places stay numbers."""
        read = super().column_of(piece, column)
        return read if Column(column, (0,)).place else read.replace("[", "_LOW[")

    def buffer(self, array: str, words: list[int], literal: bool, bits: int) -> str:
        """Two arrays for the two words of attack sets."""
        if bits < 64:
            return super().buffer(array, words, literal, bits)
        text = self.words_finished if literal else self.words_empty
        return "".join(
            self.write(text, array=array, half=half, length=len(words), items=_half(words, low))
            for half, low in HALVES
        )

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The slot as one expression, and the lookup of both words."""
        array, slot = self.array(buffer_name(piece.buffer)), f"{piece.piece}Slot(square, high, low)"
        if unit.levels:
            slot = f"{self.start(piece)} + {array}[{slot}]"
            array = self.array(unit.levels.name(piece.piece))
        names = self.names(piece, "")
        called = self.called(piece, "lower" if piece.half_board else "attacks")
        public = "" if piece.half_board else self.public
        text = self.write(self.slot_function, **names, slot=self.slot(piece))
        text += self.write(
            self.function, **names, called=called, public=public, expression=slot,
            **self.halves(piece, array),
        )  # fmt: skip
        return text + self.write(self.mirroring, **names) * piece.half_board

    def halves(self, piece: PieceUnit, array: str) -> dict[str, str]:
        """The two words of an attack set, given the buffer that is read at `slot`."""
        high, low = f"{array}_HIGH[slot]", f"{array}_LOW[slot]"
        if piece.result is not None:
            names = {name: (_high(read), read) for name, read in self.read_names(piece).items()}
            words = {**names, OCCUPANCY: ("high", "low"), WORD: (high, low)}
            high, low = (f"({word}) >>> 0" for word in pair(piece.result, words))
        return {"high": high, "low": low}

    def words(self, unit: Unit, piece: PieceUnit) -> dict[str, Any]:
        """What the loops say of a piece."""
        halves = self.halves(piece, self.array(buffer_name(piece.buffer)))
        if piece.layered:
            halves = {key: f"({word})" for key, word in halves.items()}
        return {**super().words(unit, piece), **halves}


def _high(read: str) -> str:
    """Of an expression for a low word the one for the high word."""
    return read.replace("_LOW[", "_HIGH[")


def _half(words: Sequence[int], low: int) -> str:
    """The high or the low words, eight to a line."""
    return lines([hexadecimal(word >> low & 0xFFFFFFFF) for word in words], "  ", 8)
