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
    small = large = typed = "${value}n"
    low32 = "BigInt.asUintN(32, $word)"
    high32 = "(($word) >> 32n)"
    rotated = "rotateLeft($word, $amount, ${width}n)"
    turns = ("${word}n", "$word")
    swapped = "swapBytes($word)"
    counted = "countOnes($word)"
    trailing = "trailingZeros($word, ${width}n)"
    # A BigInt has no width: what can leave the word is cut.
    inverted = "BigInt.asUintN($width, ~$word)"
    negated = "BigInt.asUintN($width, -$word)"
    arithmetic = "BigInt.asUintN($width, $word $operator $right)"
    left_shift = "BigInt.asUintN($width, $word << $amount)"
    shift_amounts = ("${word}n", "$word")
    column_kinds = ("number", "bigint")
    addend = "Number($index)"
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
    write_once = """\
if (!(slot < $array.length) || ($array[slot] !== 0n && $array[slot] !== attacks))
      throw new Error("a write would change an entry of the buffer");
    $array[slot] = attacks;"""
    add_layer = "$array[slot] |= attacks;"
    check_layer = """if (($found) !== attacks)
      throw new Error("a write has changed an entry of the buffer");"""
    fill = """
for (let square = 0; square < $squares; square++) {
  const mask = $mask;
  let occ = 0n;
  do {
    const attacks = walk(square, occ, [$steps]);
    const slot = $slot;
    $write
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

    def number(self, column: Column, value: int) -> str:
        """Places are numbers, everything else BigInts."""
        return str(value) if column.place else self.literal(value)
