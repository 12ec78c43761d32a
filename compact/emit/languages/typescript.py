"""TypeScript, with BigInt."""

from typing import ClassVar

from magicert.compact.emit.language import Language
from magicert.compact.emit.unit import Column


class TypeScript(Language):
    """TypeScript with BigInt: what wraps is cut to 64 bits by BigInt.asUintN.

    Its types can simply be stripped.
    """

    name = "typescript"
    suffix = ".ts"
    usage = """
Usage; the table is made when the module is loaded:
    import { $called } from "./$stem.js";
    const attacks: bigint = $called(square, occupied);
where the bits of occupied, a bigint, are the occupied squares.
"""
    helpers: ClassVar = {
        "rotateLeft": """
function rotateLeft(x: bigint, amount: bigint, width: bigint): bigint {
  const r = amount % width;
  return BigInt.asUintN(Number(width), x << r | x >> (width - r));
}
""",
        "swapBytes": """
function swapBytes(x: bigint): bigint {
  let swapped = 0n;
  for (let n = 0; n < 8; n++, x >>= 8n) swapped = swapped << 8n | x & 0xffn;
  return swapped;
}
""",
        "countOnes": """
function countOnes(x: bigint): bigint {
  let ones = 0n;
  for (; x; x &= x - 1n) ones++;
  return ones;
}
""",
        "trailingZeros": """
function trailingZeros(x: bigint, width: bigint): bigint {
  let zeros = 0n;
  while (zeros < width && !(x >> zeros & 1n)) zeros++;
  return zeros;
}
""",
    }
    kinds: ClassVar = {8: "Uint8Array", 16: "Uint16Array", 64: "BigUint64Array"}
    indent = "  "
    step = ("[", "]")
    public = "export "
    read = "${PIECE}_$COLUMN[square]"
    column = """
const ${PIECE}_$COLUMN: readonly $kind[] = [
$items];
"""
    empty = "\nconst $array: $kind = new $kind($length);\n"
    finished = "\nconst $array: $kind = $kind.from([\n$items]);\n"
    function = """
/** The squares that a $piece on a square attacks; the bits of occ are the occupied squares. */
${public}function $called(square: number, occ: bigint): bigint {
  return $expression;
}
"""
    file = "$heading$columns$buffers$helpers$lookups$filling"
    filling = "$walk$subsets$fills"
    walk = """
function walk(square: number, occ: bigint, steps: readonly (readonly [number, number])[]): bigint {
  let attacks = 0n;
  for (const [byFile, byRank] of steps) {
    let file = (square & 7) + byFile, rank = (square >> 3) + byRank;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const bit = 1n << BigInt(8 * rank + file);
      attacks |= bit;
      if (occ & bit) break;
      file += byFile;
      rank += byRank;
    }
  }
  return attacks;
}
"""
    subsets = """
function subsets(mask: bigint): bigint[] {
  const all = [0n];
  for (let occ = mask; occ !== 0n; occ = (occ - 1n) & mask) all.push(occ);
  return all;
}
"""
    fill = """
for (let square = 0; square < $squares; square++) {
  const mask = $mask;
  let occ = 0n;
  do {
    const attacks = walk(square, occ, [$steps]);
    const slot = $slot;
    if (!(slot < $array.length) || ($array[slot] !== 0n && $array[slot] !== attacks))
      throw new Error("a write would change an entry of the buffer");
    $array[slot] = attacks;
    occ = BigInt.asUintN(64, occ - mask) & mask;
  } while (occ !== 0n);
}
"""
    fill_levels = """
for (let square = 0; square < $squares; square++) {
  const steps: readonly (readonly [number, number])[] = [$steps];
  const all = subsets($mask);
  const own = BigUint64Array.from(new Set(all.map((occ) => walk(square, occ, steps)))).sort();
  $sets.set(own, $start);
  for (const occ of all)
    $array[$slot] = own.indexOf(walk(square, occ, steps));
}
"""
    check_levels = """
for (let square = 0; square < $squares; square++) {
  for (const occ of subsets($mask)) {
    const attacks = walk(square, occ, [$steps]);
    if ($attacks(square, occ) !== attacks)
      throw new Error("a write has changed an entry of the buffer");
  }
}
"""

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

    def column_kind(self, column: Column) -> str:
        """Places are numbers, everything else BigInts."""
        return "number" if column.place else "bigint"

    def number(self, column: Column, value: int) -> str:
        """Places are numbers, everything else BigInts."""
        return str(value) if column.place else self.literal(value)

    def addend(self, index: str, width: int) -> str:
        """Indexes of arrays are numbers."""
        return f"Number({index})"
