"""Rust, without dependencies: a module whose tables are finished, or made at their first use."""

import re
from typing import Any, ClassVar

from magicert.compact.emit.expression import receiver
from magicert.compact.emit.records import Records
from magicert.compact.emit.unit import Column, PieceUnit, Unit

_METHODS = {"*": "wrapping_mul", "+": "wrapping_add", "-": "wrapping_sub"}


class Rust(Records):
    """Rust: wrapping methods, so that debug builds agree with release builds.

    The lookups are functions of the module, whether the buffers are filled or finished. A constant
    function could fill them too, but takes the compiler four to twenty seconds each time.
    """

    name = "rust"
    suffix = ".rs"
    usage = """
Usage, as a module of a crate (Rust 1.80 or later):
    #[rustfmt::skip]
    mod $stem;
Then, where the bits of occupied are the occupied squares:
    let attacks: u64 = $stem::$called(square, occupied);
"""
    step = ("(", ")")
    kinds: ClassVar = {8: "u8", 16: "u16", 64: "u64"}
    public = "pub "
    read = "$PIECE[square].$column"
    row = ("${Piece}Magic { ", " }")
    cell = "$column: $value"
    declared = "    $column: $kind,\n"
    record = """
struct ${Piece}Magic {
$fields}

static $PIECE: [${Piece}Magic; $squares] = [
$rows];
"""
    empty = "    $array: Box<[$kind; $length]>,\n"
    finished = "\nstatic $ARRAY: [$kind; $length] = [\n$items];\n"
    function = """
/// The squares that a $piece on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
${public}fn $called(square: usize, occ: u64) -> u64 {
    $expression
}
"""
    file = "$heading$imports$columns$buffers$lookups$filling"
    filled = """
struct Tables {
$buffers}

static TABLES: LazyLock<Tables> = LazyLock::new(fill);
"""
    filling = """
/// Panics at a write that would change an entry.
fn fill() -> Tables {
    let mut tables = Tables {
$zeros    };
$fills    tables
}
$walk"""
    zeros = "        $array: vec![0; $length].try_into().unwrap(),\n"
    walk = """
fn walk(square: usize, occ: u64, steps: [(i32, i32); 4]) -> u64 {
    let mut reached = 0;
    for (by_file, by_rank) in steps {
        let (mut file, mut rank) = ((square & 7) as i32 + by_file, (square >> 3) as i32 + by_rank);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let bit = 1u64 << (8 * rank + file);
            reached |= bit;
            if occ & bit != 0 {
                break;
            }
            file += by_file;
            rank += by_rank;
        }
    }
    reached
}

fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let following = move |occ: &u64| Some(occ.wrapping_sub(mask) & mask).filter(|&occ| occ != 0);
    std::iter::successors(Some(0), following)
}
"""
    fill = """    for (square, magic) in $PIECE.iter().enumerate() {
        for occ in subsets(magic.mask) {
            let reached = walk(square, occ, [$steps]);
            let slot = $slot;
            assert!($array[slot] == 0 || $array[slot] == reached);
            $array[slot] = reached;
        }
    }
"""
    fill_levels = """    for (square, magic) in $PIECE.iter().enumerate() {
        let (mask, start, steps) = (magic.mask, magic.set_offset, [$steps]);
        let mut own: Vec<u64> = subsets(mask).map(|occ| walk(square, occ, steps)).collect();
        own.sort_unstable();
        own.dedup();
        $sets[start..start + own.len()].copy_from_slice(&own);
        for occ in subsets(mask) {
            let number = own.binary_search(&walk(square, occ, steps)).unwrap();
            let slot = $slot;
            $array[slot] = number as $kind;
        }
    }
"""
    check_levels = """    for (square, magic) in $PIECE.iter().enumerate() {
        for occ in subsets(magic.mask) {
            let reached = walk(square, occ, [$steps]);
            assert_eq!($sets[magic.set_offset + $array[$slot] as usize], reached);
        }
    }
"""

    def literal(self, value: int) -> str:
        """Types are inferred."""
        return str(value) if value < 256 else f"0x{value:x}"

    def word(self, value: int) -> str:
        """With its type, which a receiver of methods needs."""
        return f"{self.literal(value)}u64"

    def narrow(self, function: str, word: str, width: int) -> str:
        """Casts with `as`."""
        if function == "hi32":
            return f"(({receiver(word)} >> 32) as u32)" if width == 64 else "0u32"
        return f"({receiver(word)} as u32)" if width == 64 else receiver(word)

    def rotate(self, word: str, amount: str, width: int) -> str:
        """A method, which takes its amount modulo the width."""
        shown = amount if amount.isdigit() else f"{receiver(amount)} as u32"
        return f"{receiver(word)}.rotate_left({shown})"

    def swap_bytes(self, word: str) -> str:
        """A method."""
        return f"{receiver(word)}.swap_bytes()"

    def ones(self, word: str, width: int) -> str:
        """A method that yields u32."""
        return f"u64::from({receiver(word)}.count_ones())"

    def trailing_zeros(self, word: str, width: int) -> str:
        """A method that yields the width for 0."""
        return f"u64::from({receiver(word)}.trailing_zeros())"

    def unary(self, operator: str, operand: str, width: int) -> str:
        """`!` is Rust's bitwise not."""
        return f"!{operand}" if operator == "~" else f"{operand}.wrapping_neg()"

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """Arithmetic that wraps says so."""
        if operator not in _METHODS:
            return f"{left} {operator} {right}"
        # A method binds tighter than any operator: its receiver needs its own brackets. And it
        # needs a type, which a literal alone has not.
        receiver = f"({left})" if left.startswith("!") else left
        receiver += "u64" * bool(re.fullmatch(r"\d+|0x[0-9a-f]+", left))
        return f"{receiver}.{_METHODS[operator]}({_bare(right)})"

    def widen(self, text: str) -> str:
        """An explicit cast."""
        return f"({receiver(text)} as u64)"

    def column_kind(self, column: Column) -> str:
        """Places are usize."""
        return "usize" if column.place else "u64"

    def write(self, text: str, **words: object) -> str:
        """A buffer's name in small letters and in capitals."""
        array = str(words.get("array", "")).lower()
        return super().write(text, **{**words, "array": array, "ARRAY": array.upper()})

    def parts(self, unit: Unit, literal: bool) -> dict[str, str]:
        """Buffers that are filled are fields of one static, which is made at its first use."""
        parts = super().parts(unit, literal)
        if literal:
            return parts
        arrays = {self.array(name) for name, _, _ in self.arrays(unit)}
        lookups = re.sub(
            r"\b[A-Z_]+(?=\[)",
            lambda found: f"TABLES.{found[0].lower()}" if found[0] in arrays else found[0],
            parts["lookups"],
        )
        return {
            **parts,
            "imports": "\nuse std::sync::LazyLock;\n",
            "buffers": self.write(self.filled, buffers=parts["buffers"]),
            "lookups": lookups,
        }

    def words(self, unit: Unit, piece: PieceUnit) -> dict[str, Any]:
        """While they are filled, the buffers are fields of a variable."""
        words = super().words(unit, piece)
        fields = {key: f"tables.{str(words[key]).lower()}" for key in ("array", "sets")}
        return {**words, **fields}

    def fill_routine(self, unit: Unit) -> str:
        """A function that makes the tables."""
        zeros = self.each(self.zeros, unit)
        return self.write(self.filling, zeros=zeros, walk=self.walk, fills=self.loops(unit))

    def addend(self, index: str, width: int) -> str:
        """Indexes are usize."""
        return f"({index}) as usize"

    def number_read(self, found: str, bits: int) -> str:
        """An explicit cast."""
        return f"{found} as usize"

    def called(self, piece: PieceUnit, name: str) -> str:
        """In small letters: "rook_attacks"."""
        return f"{piece.piece}_{name}"

    def either(self, lower: str, upper: str) -> str:
        """Rust's conditional expression."""
        return f"if square < 32 {{ {lower} }} else {{ {upper} }}"


def _bare(text: str) -> str:
    """A text without brackets around all of it."""
    return text[1:-1] if text.startswith("(") and receiver(text) == text else text
