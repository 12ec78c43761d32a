"""JavaScript without BigInt: every 64-bit word as two 32-bit numbers, high and low.

A reading of its own: `pairs` gives the high and low words of a tree as two expressions. BigInt
is convenient and slow; Math.imul and one 32-by-32-bit high product are what engines in
the browser use. Shifts by an amount of the square's own are refused.
"""

from collections.abc import Mapping

from magicert.compact.emit.helpers import WORD_HELPERS
from magicert.compact.emit.language import buffer_name, sets_name, steps_text
from magicert.compact.emit.languages.javascript import JavaScript
from magicert.compact.emit.pairs import hexadecimal, pair
from magicert.compact.emit.unit import PieceUnit, Unit
from magicert.formula.tree import Node


class JavaScriptWords(JavaScript):
    """JavaScript in 32-bit numbers: lookups take and give (high, low)."""

    name = "javascript-32"
    suffix = ".mjs"
    helpers = WORD_HELPERS

    def text(self, node: Node, names: Mapping[str, str]) -> str:
        """The low word of a tree; `names` give the low word of a name, X_LOW[...]."""
        pairs = {name: (low.replace("_LOW[", "_HIGH["), low) for name, low in names.items()}
        return pair(node, {**pairs, "occ": ("high", "low")})[1]

    def column(self, name: str, offset: bool, values: tuple[int, ...]) -> str:
        """Two arrays for the two words; offsets stay numbers."""
        if offset:
            return super().column(name, offset, values)
        text = ""
        for word, shift in (("HIGH", 32), ("LOW", 0)):
            shown = [hexadecimal(value >> shift & 0xFFFFFFFF) for value in values]
            body = "".join(f"  {', '.join(shown[p : p + 8])},\n" for p in range(0, len(shown), 8))
            text += f"\nconst {name}_{word} = Uint32Array.of(\n{body});\n"
        return text

    def slot(self, piece: PieceUnit) -> str:
        """The slot, a number."""
        name = piece.piece.upper()
        names = {c.name: f"{name}_{c.name.upper()}_LOW[square]" for c in piece.columns}
        return f"{name}_OFFSET[square] + {self.text(piece.index, names)}"

    def source(self, unit: Unit, literal: bool) -> str:
        """One ES module."""
        parts = [self.heading(unit)]
        for piece in unit.pieces:
            for column in piece.columns:
                name = f"{piece.piece.upper()}_{column.name.upper()}"
                parts.append(self.column(name, column.place, column.values))
        parts.append(self.helping(unit))
        sets = unit.levels.sets if unit.levels else {}
        for name, words in unit.buffers.items():
            if unit.levels:
                numbers, bits = words.tolist(), unit.levels.entry_bits
                parts.append(self.buffer(buffer_name(name), numbers, literal, bits))
            else:
                parts += self.halves(buffer_name(name), words.tolist(), literal)
        for piece_of, words in sets.items():
            parts += self.halves(sets_name(piece_of), words.tolist(), literal)
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            parts.append(_WALK)
            if unit.levels:
                parts.append(_SUBSETS)
                parts += [self.fill_levels(piece) for piece in unit.pieces]
                # Only when all is written: squares may share slots.
                parts += [self.check_levels(piece) for piece in unit.pieces]
            else:
                parts += [self.fill(unit, piece) for piece in unit.pieces]
        return "".join(parts)

    def halves(self, name: str, words: list[int], literal: bool) -> list[str]:
        """Two arrays for the two words, empty or finished."""
        text = []
        for word, shift in (("HIGH", 32), ("LOW", 0)):
            made = f"new Uint32Array({len(words)})"
            if literal:
                made = f"Uint32Array.from([\n{self._half(words, shift)}])"
            text.append(f"\nexport const {name.upper()}_{word} = {made};\n")
        return text

    def fill_levels(self, piece: PieceUnit) -> str:
        """The attack sets in increasing order, and their numbers."""
        name, array = piece.piece.upper(), buffer_name(piece.buffer).upper()
        return f"""
for (let square = 0; square < {piece.squares}; square++) {{
  const steps = [{steps_text(piece.piece, "[", "]")}], start = {name}_SET_OFFSET[square];
  const all = subsets({name}_MASK_HIGH[square], {name}_MASK_LOW[square]), own = new Map();
  for (const [high, low] of all) {{
    const attacks = walk(square, high, low, steps);
    own.set(String(attacks), attacks);
  }}
  const sorted = [...own.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  sorted.forEach(([high, low], number) => {{
    {name}_SETS_HIGH[start + number] = high;
    {name}_SETS_LOW[start + number] = low;
    own.set(String([high, low]), number);
  }});
  for (const [high, low] of all)
    {array}[{piece.piece}Slot(square, high, low)] = own.get(String(walk(square, high, low, steps)));
}}
"""

    def check_levels(self, piece: PieceUnit) -> str:
        """Every lookup once, against the walk."""
        name = piece.piece.upper()
        return f"""
for (let square = 0; square < {piece.squares}; square++) {{
  const steps = [{steps_text(piece.piece, "[", "]")}];
  for (const [high, low] of subsets({name}_MASK_HIGH[square], {name}_MASK_LOW[square]))
    if (String({piece.piece}Attacks(square, high, low)) !== String(walk(square, high, low, steps)))
      throw new Error("a write has changed an entry of the buffer");
}}
"""

    def _half(self, words: list[int], shift: int) -> str:
        shown = [hexadecimal(word >> shift & 0xFFFFFFFF) for word in words]
        return "".join(f"  {', '.join(shown[p : p + 8])},\n" for p in range(0, len(shown), 8))

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The slot as one expression, and the lookup of both words."""
        array, name = buffer_name(piece.buffer).upper(), piece.piece
        head, mirroring = f"export function {name}Attacks", ""
        if piece.half_board:
            head, mirroring = f"function {name}Lower", _MIRRORING.replace("NAME", name)
        slot = f"{name}Slot(square, high, low)"
        if unit.levels:
            slot = f"{self.start(piece)} + {array}[{slot}]"
            array = sets_name(name).upper()
        return (
            f"\nexport function {name}Slot(square, high, low) {{\n"
            f"  return {self.slot(piece)};\n}}\n"
            f"\n{head}(square, high, low) {{\n"
            f"  const slot = {slot};\n"
            f"  return [{array}_HIGH[slot], {array}_LOW[slot]];\n}}\n{mirroring}"
        )

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name, array = piece.piece.upper(), buffer_name(piece.buffer).upper()
        return f"""
for (let square = 0; square < {piece.squares}; square++) {{
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


_MIRRORING = """
export function NAMEAttacks(square, high, low) {
  if (square < 32) return NAMELower(square, high, low);
  const [top, bottom] = NAMELower(square ^ 56, swapBytes(low) >>> 0, swapBytes(high) >>> 0);
  return [swapBytes(bottom) >>> 0, swapBytes(top) >>> 0];
}
"""
"""Both words swap their bytes, and places."""

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

_SUBSETS = """
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
