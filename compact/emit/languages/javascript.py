"""JavaScript and TypeScript, with BigInt."""

from typing import ClassVar

from magicert.compact.emit.helpers import TYPESCRIPT_HELPERS
from magicert.compact.emit.language import Language, buffer_name, lines, sets_name, steps_text
from magicert.compact.emit.unit import PieceUnit, Unit


class JavaScript(Language):
    """JavaScript with BigInt: what wraps is cut to 64 bits by BigInt.asUintN."""

    name = "javascript"
    suffix = ".mjs"
    types = False
    two_level = True
    helpers: ClassVar = {
        name: text.replace(": bigint", "") for name, text in TYPESCRIPT_HELPERS.items()
    }

    def literal(self, value: int) -> str:
        """BigInt literals."""
        return f"{value}n" if value < 256 else f"0x{value:x}n"

    def narrow(self, function: str, word: str, width: int) -> str:
        """Cut to 32 bits."""
        if function == "hi32":
            return f"(({word}) >> 32n)"
        return f"BigInt.asUintN(32, {word})"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """A BigInt has no width to rotate in."""
        amount = f"{amount}n" if amount.isdigit() else amount
        return f"rotateLeft({word}, {amount}, {width}n)"

    def swap_bytes(self, word: str) -> str:
        """A function of its own."""
        return f"swapBytes({word})"

    def ones(self, word: str, width: int) -> str:
        """A function of its own."""
        return f"countOnes({word})"

    def trailing_zeros(self, word: str, width: int) -> str:
        """A function of its own."""
        return f"trailingZeros({word}, {width}n)"

    def unary(self, operator: str, operand: str, width: int) -> str:
        """A BigInt has no width: its complement is negative until it is cut."""
        return f"BigInt.asUintN({width}, {operator}{operand})"

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """Only arithmetic can leave the word."""
        text = f"{left} {operator} {right}"
        return f"BigInt.asUintN({width}, {text})" if operator in "*+-" else text

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """Amounts are BigInts too."""
        amount = f"{amount}n" if amount.isdigit() else amount
        text = f"{left} {operator} {amount}"
        return f"BigInt.asUintN({width}, {text})" if operator == "<<" else text

    def typed(self, text: str, kind: str) -> str:
        """A declaration, with its type in TypeScript."""
        return f"{text}: {kind}" if self.types else text

    def source(self, unit: Unit, literal: bool) -> str:
        """One ES module."""
        parts = [self.heading(unit)]
        for piece in unit.pieces:
            for column in piece.columns:
                name = f"{piece.piece.upper()}_{column.name.upper()}"
                parts.append(self.column(name, column.place, column.values))
        for name, words in unit.buffers.items():
            bits = unit.levels.entry_bits if unit.levels else 64
            parts.append(self.buffer(buffer_name(name), words.tolist(), literal, bits))
        if unit.levels:
            for piece_of, words in unit.levels.sets.items():
                parts.append(self.buffer(sets_name(piece_of), words.tolist(), literal))
        parts.append(self.helping(unit))
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            parts.append(self.walk())
            if unit.levels:
                parts.append(self.subsets())
                parts += [self.fill_levels(piece) for piece in unit.pieces]
                # Only when all is written: squares may share slots.
                parts += [self.check_levels(piece) for piece in unit.pieces]
            else:
                parts += [self.fill(unit, piece) for piece in unit.pieces]
        return "".join(parts)

    def buffer(self, name: str, words: list[int], literal: bool, bits: int = 64) -> str:
        """A typed array, empty or finished."""
        kind = "BigUint64Array" if bits == 64 else f"Uint{bits}Array"
        made = f"new {kind}({len(words)})"
        if literal:
            numbers = bits < 64
            shown = lines([*map(str, words)], "  ", 16) if numbers else self.words(words, "  ")
            made = f"{kind}.from([\n{shown}])"
        return f"\nexport const {self.typed(name.upper(), kind)} = {made};\n"

    def column(self, name: str, offset: bool, values: tuple[int, ...]) -> str:
        """Offsets are numbers, everything else BigInts."""
        shown = [str(value) if offset else self.literal(value) for value in values]
        kind = "readonly number[]" if offset else "readonly bigint[]"
        body = "".join(f"  {', '.join(shown[p : p + 4])},\n" for p in range(0, len(shown), 4))
        return f"\nconst {self.typed(name, kind)} = [\n{body}];\n"

    def slot(self, piece: PieceUnit) -> str:
        """The slot, a number."""
        name = piece.piece.upper()
        names = {c.name: f"{name}_{c.name.upper()}[square]" for c in piece.columns}
        index = self.text(piece.index, {"occ": "occ", **names})
        return f"{name}_OFFSET[square] + Number({index})"

    def expression(self, unit: Unit, piece: PieceUnit) -> str:
        """A read of the buffer."""
        return self.entry(unit, piece, self.slot(piece))

    def function(self, unit: Unit, piece: PieceUnit, name: str, expression: str) -> str:
        """A function that the module exports, but for what only an exported one calls."""
        arguments = f"{self.typed('square', 'number')}, {self.typed('occ', 'bigint')}"
        called = self.called(unit, piece, name)
        head = self.typed(f"function {called}({arguments})", "bigint")
        return f"\n{'export ' * (name == 'attacks')}{head} {{\n  return {expression};\n}}\n"

    def walk(self) -> str:
        """The ray walk."""
        arguments = ", ".join(
            self.typed(name, kind)
            for name, kind in (("square", "number"), ("occ", "bigint"), ("steps", "number[][]"))
        )
        return f"""
{self.typed(f"function walk({arguments})", "bigint")} {{
  let attacks = 0n;
  for (const [byFile, byRank] of steps) {{
    let file = (square & 7) + byFile, rank = (square >> 3) + byRank;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {{
      const bit = 1n << BigInt(8 * rank + file);
      attacks |= bit;
      if (occ & bit) break;
      file += byFile;
      rank += byRank;
    }}
  }}
  return attacks;
}}
"""

    def subsets(self) -> str:
        """All subsets of a mask."""
        head = self.typed(f"function subsets({self.typed('mask', 'bigint')})", "bigint[]")
        return f"""
{head} {{
  const all = [0n];
  for (let occ = mask; occ !== 0n; occ = (occ - 1n) & mask) all.push(occ);
  return all;
}}
"""

    def fill_levels(self, piece: PieceUnit) -> str:
        """The attack sets in increasing order, and their numbers."""
        name, array = piece.piece.upper(), buffer_name(piece.buffer).upper()
        return f"""
for (let square = 0; square < {piece.squares}; square++) {{
  const steps = [{steps_text(piece.piece, "[", "]")}];
  const all = subsets({name}_MASK[square]);
  const own = BigUint64Array.from(new Set(all.map((occ) => walk(square, occ, steps)))).sort();
  {name}_SETS.set(own, {name}_SET_OFFSET[square]);
  for (const occ of all)
    {array}[{self.slot(piece)}] = own.indexOf(walk(square, occ, steps));
}}
"""

    def check_levels(self, piece: PieceUnit) -> str:
        """Every lookup once, against the walk."""
        return f"""
for (let square = 0; square < {piece.squares}; square++) {{
  for (const occ of subsets({piece.piece.upper()}_MASK[square])) {{
    const attacks = walk(square, occ, [{steps_text(piece.piece, "[", "]")}]);
    if ({piece.piece}Attacks(square, occ) !== attacks)
      throw new Error("a write has changed an entry of the buffer");
  }}
}}
"""

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        return f"""
for (let square = 0; square < {piece.squares}; square++) {{
  const mask = {name}_MASK[square];
  let occ = 0n;
  do {{
    const attacks = walk(square, occ, [{steps_text(piece.piece, "[", "]")}]);
    const slot = {self.slot(piece)};
    if (!(slot < {array}.length) || ({array}[slot] !== 0n && {array}[slot] !== attacks))
      throw new Error("a write would change an entry of the buffer");
    {array}[slot] = attacks;
    occ = BigInt.asUintN(64, occ - mask) & mask;
  }} while (occ !== 0n);
}}
"""


class TypeScript(JavaScript):
    """TypeScript: the same module with types that can simply be stripped."""

    name = "typescript"
    suffix = ".ts"
    types = True
    helpers = TYPESCRIPT_HELPERS
