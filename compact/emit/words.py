"""JavaScript without BigInt: every 64-bit word as two 32-bit numbers, high and low.

A reading of its own: `pair` gives a tree's high and low words as two expressions. BigInt
is convenient and slow; Math.imul and one 32-by-32-bit high product are what engines in
the browser use. Shifts by an amount of the square's own are refused.
"""

from collections.abc import Callable, Mapping

from compact.emit.helpers import WORD_HELPERS
from compact.emit.javascript import JavaScript
from compact.emit.language import buffer_name, sets_name, steps_text
from compact.emit.unit import PieceUnit, Unit
from magicert.formula.tree import Binary, Call, Literal, Name, Node, Unary
from magicert.problem import InputError, Problem

Pair = tuple[str, str]

LONGEST = 20_000
"""Characters of a word's expression: nested products and sums double their operands."""


class JavaScriptWords(JavaScript):
    """JavaScript in 32-bit numbers: lookups take and give (high, low)."""

    name = "javascript-32"
    suffix = ".mjs"
    helpers = WORD_HELPERS

    def text(self, node: Node, names: Mapping[str, str]) -> str:
        """The low word of a tree; `names` give the low word of a name, X_LOW[...]."""
        pairs = {name: (low.replace("_LOW[", "_HIGH["), low) for name, low in names.items()}
        return self.pair(node, {**pairs, "occ": ("high", "low")})[1]

    def pair(self, node: Node, names: Mapping[str, Pair]) -> Pair:
        """The high and low word of a tree, as operands; the high word of 32 bits is 0.

        Raises InputError for a shift that is not by a literal, and where the text explodes.
        """
        high, low = self._pair(node, names)
        if len(high) + len(low) > LONGEST:
            message = "javascript-32 output would write an expression of several pages"
            raise InputError([Problem(message, text=str(node))])
        return ("0" if node.width == 32 else high), low

    def _pair(self, node: Node, names: Mapping[str, Pair]) -> Pair:
        match node:
            case Literal():
                return _hex(node.value >> 32), _hex(node.value & 0xFFFFFFFF)
            case Name():
                return names[node.name]
            case Unary(operator=operator):
                high, low = self.pair(node.operand, names)
                if operator == "~":
                    return f"~{high}", f"~{low}"
                return _difference(("0", "0"), (high, low))
            case Binary(operator="<<" | ">>"):
                return self._shifted(node, names)
            case Binary(operator=operator):
                left, right = self.pair(node.left, names), self.pair(node.right, names)
                return _JOINED[operator](left, right)
            case Call():
                return self._called(node, names)

    def _shifted(self, node: Binary, names: Mapping[str, Pair]) -> Pair:
        match node.right:
            case Literal(value=amount) if amount < node.width:
                pass
            case _:
                message = "javascript-32 output can write shifts by one amount for all squares only"
                raise InputError([Problem(message, text=str(node))])
        high, low = self.pair(node.left, names)
        if amount == 0:
            return high, low
        if node.operator == ">>":
            if amount >= 32:
                return "0", f"({high} >>> {amount - 32})"
            joined = f"({high} << {32 - amount} | {low} >>> {amount})"
            shifted = f"({low} >>> {amount})"
            return f"({high} >>> {amount})", shifted if node.width == 32 else joined
        if amount >= 32:
            return f"({low} << {amount - 32})", "0"
        return f"({high} << {amount} | {low} >>> {32 - amount})", f"({low} << {amount})"

    def _called(self, node: Call, names: Mapping[str, Pair]) -> Pair:
        first, *rest = node.arguments
        high, low = self.pair(first, names)
        amount = ""
        if rest and isinstance(rest[0], Literal):
            amount = str(rest[0].value % node.width)
        elif rest:
            amount = self.pair(rest[0], names)[1]
        match node.function:
            case "u32" | "lo32":
                return "0", low
            case "hi32":
                return "0", high
            case "rol32":
                return "0", f"rotate({low}, {amount})"
            case "rol64":
                turned = (
                    f"rotateHigh({one}, {amount})" for one in (f"{high}, {low}", f"{low}, {high}")
                )
                return next(turned), next(turned)
            case "bswap64":
                return f"swapBytes({low})", f"swapBytes({high})"
            case "popcount":
                if first.width == 32:
                    return "0", f"countOnes({low})"
                return "0", f"(countOnes({high}) + countOnes({low}))"
            case "ctz":
                if first.width == 32:
                    return "0", f"trailingZeros({low})"
                return "0", f"({low} ? trailingZeros({low}) : 32 + trailingZeros({high}))"
        raise AssertionError(node.function)

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
for (let square = 0; square < 64; square++) {{
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
for (let square = 0; square < 64; square++) {{
  const steps = [{steps_text(piece.piece, "[", "]")}];
  for (const [high, low] of subsets({name}_MASK_HIGH[square], {name}_MASK_LOW[square]))
    if (String({piece.piece}Attacks(square, high, low)) !== String(walk(square, high, low, steps)))
      throw new Error("a write has changed an entry of the buffer");
}}
"""

    def _half(self, words: list[int], shift: int) -> str:
        shown = [_hex(word >> shift & 0xFFFFFFFF) for word in words]
        return "".join(f"  {', '.join(shown[p : p + 8])},\n" for p in range(0, len(shown), 8))

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The slot as one expression, and the lookup of both words."""
        array, name = buffer_name(piece.buffer).upper(), piece.piece
        slot = f"{name}Slot(square, high, low)"
        if unit.levels:
            slot = f"{self.start(piece)} + {array}[{slot}]"
            array = sets_name(name).upper()
        return (
            f"\nexport function {name}Slot(square, high, low) {{\n"
            f"  return {self.slot(piece)};\n}}\n"
            f"\nexport function {name}Attacks(square, high, low) {{\n"
            f"  const slot = {slot};\n"
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


def _sum(left: Pair, right: Pair) -> Pair:
    (ah, al), (bh, bl) = left, right
    return f"(({ah}) + ({bh}) + carry({al}, {bl}) | 0)", f"(({al}) + ({bl}) | 0)"


def _difference(left: Pair, right: Pair) -> Pair:
    (ah, al), (bh, bl) = left, right
    return f"(({ah}) - ({bh}) - borrow({al}, {bl}) | 0)", f"(({al}) - ({bl}) | 0)"


def _product(left: Pair, right: Pair) -> Pair:
    (ah, al), (bh, bl) = left, right
    crossed = [f"Math.imul({a}, {b})" for a, b in ((al, bh), (ah, bl)) if "0" not in (a, b)]
    return f"({' + '.join([f'mulHigh({al}, {bl})', *crossed])})", f"Math.imul({al}, {bl})"


def _bitwise(operator: str) -> Callable[[Pair, Pair], Pair]:
    def joined(left: Pair, right: Pair) -> Pair:
        high, low = (f"({a} {operator} {b})" for a, b in zip(left, right, strict=True))
        return high, low

    return joined


_JOINED = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    **{operator: _bitwise(operator) for operator in "&|^"},
}


def _hex(word: int) -> str:
    return str(word) if word < 256 else f"0x{word:x}"
