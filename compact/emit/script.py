"""JavaScript and TypeScript (BigInt) and Python (integers, or numpy arrays of them)."""

from typing import ClassVar

from compact.emit.expression import receiver
from compact.emit.helpers import PYTHON_HELPERS, TYPESCRIPT_HELPERS
from compact.emit.language import Language, buffer_name, steps_text
from compact.emit.unit import PieceUnit, Unit


class JavaScript(Language):
    """JavaScript with BigInt: what wraps is cut to 64 bits by BigInt.asUintN."""

    name = "javascript"
    suffix = ".mjs"
    types = False
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
                parts.append(self.column(name, column.name == "offset", column.values))
        for name, words in unit.buffers.items():
            array = self.typed(buffer_name(name).upper(), "BigUint64Array")
            if literal:
                made = f"BigUint64Array.from([\n{self.words(words.tolist(), '  ')}])"
            else:
                made = f"new BigUint64Array({len(words)})"
            parts.append(f"\nexport const {array} = {made};\n")
        parts.append(self.helping(unit))
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            parts.append(self.walk())
            parts += [self.fill(unit, piece) for piece in unit.pieces]
        return "".join(parts)

    def column(self, name: str, offset: bool, values: tuple[int, ...]) -> str:
        """Offsets are numbers, everything else BigInts."""
        shown = [str(value) if offset else self.literal(value) for value in values]
        kind = "readonly number[]" if offset else "readonly bigint[]"
        body = "".join(f"  {', '.join(shown[p : p + 4])},\n" for p in range(0, 64, 4))
        return f"\nconst {self.typed(name, kind)} = [\n{body}];\n"

    def slot(self, piece: PieceUnit) -> str:
        """The slot, a number."""
        name = piece.piece.upper()
        names = {c.name: f"{name}_{c.name.upper()}[square]" for c in piece.columns}
        index = self.text(piece.index, {"occ": "occ", **names})
        return f"{name}_OFFSET[square] + Number({index})"

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The function that an engine calls: one expression."""
        array = buffer_name(piece.buffer).upper()
        arguments = f"{self.typed('square', 'number')}, {self.typed('occ', 'bigint')}"
        head = self.typed(f"export function {piece.piece}Attacks({arguments})", "bigint")
        return f"\n{head} {{\n  return {array}[{self.slot(piece)}];\n}}\n"

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

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        return f"""
for (let square = 0; square < 64; square++) {{
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


class Python(Language):
    """Python: integers cut to their width; numpy holds the buffer and looks up many at once."""

    name = "python"
    suffix = ".py"
    comment = "#"
    helpers = PYTHON_HELPERS

    def literal(self, value: int) -> str:
        """Hexadecimal where it is a bit pattern."""
        return str(value) if value < 256 else f"0x{value:x}"

    def narrow(self, function: str, word: str, width: int) -> str:
        """Cut to 32 bits."""
        if function == "hi32":
            return f"(({word}) >> 32)"
        return f"(({word}) & 0xffffffff)"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """An integer has no width to rotate in."""
        return f"_rotate_left({word}, {amount}, {width})"

    def swap_bytes(self, word: str) -> str:
        """By way of bytes."""
        return f'int.from_bytes({receiver(word)}.to_bytes(8, "little"), "big")'

    def ones(self, word: str, width: int) -> str:
        """A method since Python 3.10."""
        return f"{receiver(word)}.bit_count()"

    def trailing_zeros(self, word: str, width: int) -> str:
        """A function of its own."""
        return f"_trailing_zeros({word}, {width})"

    def unary(self, operator: str, operand: str, width: int) -> str:
        """A complement is negative until it is cut."""
        return f"({operator}{operand} & {_ones(width)})"

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """Only arithmetic can leave the word."""
        text = f"{left} {operator} {right}"
        return f"({text} & {_ones(width)})" if operator in "*+-" else text

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """Only shifts to the left can leave the word."""
        text = f"{left} {operator} {amount}"
        return f"({text} & {_ones(width)})" if operator == "<<" else text

    def source(self, unit: Unit, literal: bool) -> str:
        """One module; numpy is the only import."""
        parts = [self.heading(unit), "\nimport numpy as np\n"]
        for piece in unit.pieces:
            for column in piece.columns:
                shown = [self.number(column, value) for value in column.values]
                body = "".join(f"    {', '.join(shown[p : p + 4])},\n" for p in range(0, 64, 4))
                parts.append(f"\n{piece.piece.upper()}_{column.name.upper()} = (\n{body})\n")
        for name, words in unit.buffers.items():
            array = buffer_name(name).upper()
            made = f"np.zeros({len(words)}, dtype=np.uint64)"
            if literal:
                made = f"np.array([\n{self.words(words.tolist())}], dtype=np.uint64)"
            parts.append(f"\n{array} = {made}\n")
        parts.append(self.helping(unit))
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            parts.append(_PYTHON_WALK)
            parts += [self.fill(unit, piece) for piece in unit.pieces]
        return "".join(parts)

    def slot(self, piece: PieceUnit) -> str:
        """The slot, an integer."""
        name = piece.piece.upper()
        names = {c.name: f"{name}_{c.name.upper()}[square]" for c in piece.columns}
        index = self.text(piece.index, {"occ": "occ", **names})
        return f"{name}_OFFSET[square] + ({index})"

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The function that an engine calls: one expression."""
        array = buffer_name(piece.buffer).upper()
        return (
            f"\n\ndef {piece.piece}_attacks(square: int, occ: int) -> int:\n"
            f"    return int({array}[{self.slot(piece)}])\n"
        )

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        return f"""
for square in range(64):
    occ, mask = 0, {name}_MASK[square]
    while True:
        attacks = _walk(square, occ, ({steps_text(piece.piece, "(", ")")}))
        slot = {self.slot(piece)}
        if {array}[slot] not in (0, attacks):
            raise AssertionError("a write would change an entry of the buffer")
        {array}[slot] = attacks
        occ = (occ - mask) & mask
        if not occ:
            break
"""


def _ones(width: int) -> str:
    return "0xffffffff" if width == 32 else "0xffffffffffffffff"


_PYTHON_WALK = """

def _walk(square, occ, steps):
    attacks = 0
    for by_file, by_rank in steps:
        file, rank = (square & 7) + by_file, (square >> 3) + by_rank
        while 0 <= file < 8 and 0 <= rank < 8:
            bit = 1 << (8 * rank + file)
            attacks |= bit
            if occ & bit:
                break
            file += by_file
            rank += by_rank
    return attacks

"""
