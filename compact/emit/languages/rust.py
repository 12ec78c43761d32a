"""Rust, without dependencies: a module whose tables are finished, or made at their first use."""

import re
from typing import Any, ClassVar

from magicert.compact.emit.expression import receiver
from magicert.compact.emit.records import Records
from magicert.compact.emit.unit import PieceUnit, Unit

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
    widest = 128
    typed = "${value}u64"
    typed_128 = "${value}u128"
    low32 = "($receiver as u32)"
    high32 = "(($receiver >> 32) as u32)"
    no_high32 = "0u32"
    low64 = "($receiver as u64)"
    high64 = "(($receiver >> 64) as u64)"
    rotated = "$receiver.rotate_left($amount)"
    turns = ("$word", "$receiver as u32")
    swapped = "$receiver.swap_bytes()"
    counted = "u64::from($receiver.count_ones())"
    trailing = "u64::from($receiver.trailing_zeros())"
    inverted = "!$word"
    negated = "$word.wrapping_neg()"
    widened = "($receiver as u64)"
    widened_128 = "($receiver as u128)"
    column_kinds = ("usize", "u64")
    addend = "($index) as usize"
    read_number = "$found as usize"
    call = "${piece}_$name"
    either = "if square < 32 { $lower } else { $upper }"
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
    write_once = """assert!($array[slot] == 0 || $array[slot] == reached);
            $array[slot] = reached;"""
    add_layer = "$array[slot] |= reached;"
    check_layer = "assert_eq!($found, reached);"
    fill = """    for (square, magic) in $PIECE.iter().enumerate() {
        for occ in subsets(magic.mask) {
            let reached = walk(square, occ, [$steps]);
            let slot = $slot;
            $write
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

    def narrow(self, function: str, word: str, width: int) -> str:
        """A word of 32 bits is its own low half."""
        if width == 32 and function != "hi32":
            return receiver(word)
        return super().narrow(function, word, width)

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """Arithmetic that wraps says so."""
        if operator not in _METHODS:
            return f"{left} {operator} {right}"
        # A method binds tighter than any operator: its receiver needs its own brackets. And it
        # needs a type, which a literal alone has not.
        receiver = f"({left})" if left.startswith("!") else left
        receiver += "u64" * bool(re.fullmatch(r"\d+|0x[0-9a-f]+", left))
        return f"{receiver}.{_METHODS[operator]}({_bare(right)})"

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
        found = str(words["found"]).replace(f"{words['array']}[slot]", f"{fields['array']}[slot]")
        return {**words, **fields, "found": found}

    def fill_routine(self, unit: Unit) -> str:
        """A function that makes the tables."""
        zeros = self.each(self.zeros, unit)
        return self.write(self.filling, zeros=zeros, walk=self.walk, fills=self.loops(unit))


def _bare(text: str) -> str:
    """A text without brackets around all of it."""
    return text[1:-1] if text.startswith("(") and receiver(text) == text else text
