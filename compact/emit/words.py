"""JavaScript without BigInt: every 64-bit word as two 32-bit numbers, high and low.

A reading of its own: `pair` gives a tree's high and low words as two expressions. BigInt
is convenient and slow; Math.imul and one 32-by-32-bit high product are what engines in
the browser use. Only what index formulas need can be written; the rest is refused.
"""

from collections.abc import Mapping

from compact.emit.language import buffer_name, steps_text
from compact.emit.script import JavaScript
from compact.emit.unit import PieceUnit, Unit
from magicert.formula.tree import Binary, Literal, Name, Node, Unary
from magicert.problem import InputError, Problem

Pair = tuple[str, str]

_HELPERS = """
// The high 32 bits of the 64-bit product of two 32-bit words.
function mulHigh(a, b) {
  const aLow = a & 0xffff, aHigh = a >>> 16, bLow = b & 0xffff, bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  return aHigh * bHigh + Math.floor(middle / 65536) + (((middle & 0xffff) + aLow * bHigh) >>> 16);
}
"""


class JavaScriptWords(JavaScript):
    """JavaScript in 32-bit numbers: lookups take and give (high, low)."""

    name = "javascript-32"
    suffix = ".mjs"
    functions = frozenset()

    def pair(self, node: Node, names: Mapping[str, Pair]) -> Pair:
        """The high and low word of a tree. Raises InputError for what it cannot write."""
        match node:
            case Literal():
                return _hex(node.value >> 32), _hex(node.value & 0xFFFFFFFF)
            case Name():
                return names[node.name]
            case Unary(operator="~"):
                high, low = self.pair(node.operand, names)
                return f"~{high}", f"~{low}"
            case Binary(operator="&" | "|" | "^"):
                one, other = self.pair(node.left, names), self.pair(node.right, names)
                high, low = (f"({a} {node.operator} {b})" for a, b in zip(one, other, strict=True))
                return high, low
            case Binary(operator="*"):
                (ah, al), (bh, bl) = self.pair(node.left, names), self.pair(node.right, names)
                high = f"mulHigh({al}, {bl}) + Math.imul({al}, {bh}) + Math.imul({ah}, {bl})"
                return f"({high})", f"Math.imul({al}, {bl})"
            case Binary(operator=">>", right=Literal(value=amount)) if 32 <= amount < 64:
                high, _ = self.pair(node.left, names)
                return "0", f"({high} >>> {amount - 32})"
        message = "javascript-32 output can write ~ & | ^ * and one shift by 32 or more only"
        raise InputError([Problem(message, text=str(node))])

    def column(self, name: str, offset: bool, values: tuple[int, ...]) -> str:
        """Two arrays for the two words; offsets stay numbers."""
        if offset:
            return super().column(name, offset, values)
        text = ""
        for word, shift in (("HIGH", 32), ("LOW", 0)):
            shown = [_hex(value >> shift & 0xFFFFFFFF) for value in values]
            body = "".join(f"  {', '.join(shown[p : p + 8])},\n" for p in range(0, 64, 8))
            text += f"\nconst {name}_{word} = Uint32Array.of(\n{body});\n"
        return text

    def slot(self, piece: PieceUnit) -> str:
        """The slot, a number."""
        name = piece.piece.upper()
        names = {
            c.name: (
                f"{name}_{c.name.upper()}_HIGH[square]",
                f"{name}_{c.name.upper()}_LOW[square]",
            )
            for c in piece.columns
        }
        _, index = self.pair(piece.index, {"occ": ("high", "low"), **names})
        return f"{name}_OFFSET[square] + {index}"

    def source(self, unit: Unit, literal: bool) -> str:
        """One ES module."""
        parts = [self.heading(unit)]
        for piece in unit.pieces:
            for column in piece.columns:
                name = f"{piece.piece.upper()}_{column.name.upper()}"
                parts.append(self.column(name, column.name == "offset", column.values))
        parts.append(_HELPERS)
        for name, words in unit.buffers.items():
            array = buffer_name(name).upper()
            for word, shift in (("HIGH", 32), ("LOW", 0)):
                made = f"new Uint32Array({len(words)})"
                if literal:
                    made = f"Uint32Array.from([\n{self._half(words.tolist(), shift)}])"
                parts.append(f"\nexport const {array}_{word} = {made};\n")
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            parts.append(_WALK)
            parts += [self.fill(unit, piece) for piece in unit.pieces]
        return "".join(parts)

    def _half(self, words: list[int], shift: int) -> str:
        shown = [_hex(word >> shift & 0xFFFFFFFF) for word in words]
        return "".join(f"  {', '.join(shown[p : p + 8])},\n" for p in range(0, len(shown), 8))

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The slot as one expression, and the lookup of both words."""
        array, name = buffer_name(piece.buffer).upper(), piece.piece
        return (
            f"\nexport function {name}Slot(square, high, low) {{\n"
            f"  return {self.slot(piece)};\n}}\n"
            f"\nexport function {name}Attacks(square, high, low) {{\n"
            f"  const slot = {name}Slot(square, high, low);\n"
            f"  return [{array}_HIGH[slot], {array}_LOW[slot]];\n}}\n"
        )

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name, array = piece.piece.upper(), buffer_name(piece.buffer).upper()
        return f"""
for (let square = 0; square < 64; square++) {{
  const maskHigh = {name}_MASK_HIGH[square], maskLow = {name}_MASK_LOW[square];
  let high = 0, low = 0;
  do {{
    const steps = [{steps_text(piece.piece, "[", "]")}];
    const [attacksHigh, attacksLow] = walk(square, high, low, steps);
    const slot = {piece.piece}Slot(square, high, low);
    const empty = {array}_HIGH[slot] === 0 && {array}_LOW[slot] === 0;
    const same = {array}_HIGH[slot] === attacksHigh && {array}_LOW[slot] === attacksLow;
    if (!(empty || same)) throw new Error("a write would change an entry of the buffer");
    {array}_HIGH[slot] = attacksHigh;
    {array}_LOW[slot] = attacksLow;
    const borrow = low < maskLow ? 1 : 0;
    low = ((low - maskLow) & maskLow) >>> 0;
    high = ((high - maskHigh - borrow) & maskHigh) >>> 0;
  }} while (high !== 0 || low !== 0);
}}
"""


_WALK = """
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


def _hex(word: int) -> str:
    return str(word) if word < 256 else f"0x{word:x}"
