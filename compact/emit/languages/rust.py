"""Rust, without dependencies: a module whose tables are finished, or made at their first use."""

import re
from typing import Any, ClassVar

from magicert.compact.emit.expression import receiver
from magicert.compact.emit.moves import LAME_FROM_TARGET
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
    let attacks: $bitboard = $stem::$called(square, occupied);
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
    kinds: ClassVar = {8: "u8", 16: "u16", 64: "u64", 128: "u128"}
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
${public}fn $called(square: usize, occ: $bitboard) -> $bitboard {
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
    walk_moves = """
/// Lame pieces make their step unless a leg, a square on the way, is occupied; `LameBack`: on
/// the way from the target.
#[allow(dead_code)]
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Rider,
    Hopper,
    Lame,
    LameBack,
}

/// A rider goes on along its step up to the first blocker, which it attacks; a hopper does so
/// behind the first blocker; `limit` squares at most, unless that is 0.
struct Step {
    rule: Rule,
    x: i32,
    y: i32,
    limit: i32,
}

struct Region {
    left: i32,
    low: i32,
    right: i32,
    high: i32,
}

impl Region {
    fn has(&self, x: i32, y: i32) -> bool {
        (self.left..=self.right).contains(&x) && (self.low..=self.high).contains(&y)
    }
}

/// How a piece moves. It goes nowhere where no region has both squares.
struct Moves {
    steps: &'static [Step],
    regions: &'static [Region],
}
$pieces
fn bit(x: i32, y: i32) -> $bitboard {
    1 << ($across * y + x)
}

/// The legs: the longer distance is shortened first; equal ones are gone diagonally.
fn barred(from: (i32, i32), to: (i32, i32), occ: $bitboard) -> bool {
    let (mut x, mut y) = from;
    loop {
        let (across, up) = (to.0 - x, to.1 - y);
        if across.abs() >= up.abs() {
            x += across.signum();
        }
        if up.abs() >= across.abs() {
            y += up.signum();
        }
        if (x, y) == to {
            return false;
        }
        if occ & bit(x, y) != 0 {
            return true;
        }
    }
}

/// Square n stands at x = n % $across, y = n / $across.
fn walk(square: usize, occ: $bitboard, moves: &Moves) -> $bitboard {
    let mut reached = 0;
    let from = ((square % $across) as i32, (square / $across) as i32);
    let near: Vec<&Region> = moves.regions.iter().filter(|r| r.has(from.0, from.1)).collect();
    for step in moves.steps {
        let (mut x, mut y) = (from.0 + step.x, from.1 + step.y);
        let (mut gone, mut attacks) = (0, step.rule == Rule::Rider);
        while near.iter().any(|region| region.has(x, y)) {
            let bit = bit(x, y);
            if matches!(step.rule, Rule::Lame | Rule::LameBack) {
                let ends = [from, (x, y)];
                let back = usize::from(step.rule == Rule::LameBack);
                if !barred(ends[back], ends[1 - back], occ) {
                    reached |= bit;
                }
                break;
            }
            if attacks {
                reached |= bit;
                gone += 1;
                if occ & bit != 0 || gone == step.limit {
                    break;
                }
            } else {
                attacks = occ & bit != 0;
            }
            x += step.x;
            y += step.y;
        }
    }
    reached
}

fn subsets(mask: $bitboard) -> impl Iterator<Item = $bitboard> {
    let following = move |o: &$bitboard| Some(o.wrapping_sub(mask) & mask).filter(|&o| o != 0);
    std::iter::successors(Some(0), following)
}
"""
    piece_moves = """
const ${PIECE}_MOVES: Moves = Moves {
    steps: &[$steps],
    regions: &[$regions],
};
"""
    move = "Step { rule: $rule, x: $x, y: $y, limit: $limit }"
    region = "Region { left: $left, low: $low, right: $right, high: $high }"
    rules: ClassVar = {
        "rider": "Rule::Rider",
        "hopper": "Rule::Hopper",
        "lame leaper": "Rule::Lame",
        LAME_FROM_TARGET: "Rule::LameBack",
    }
    listed = "$PIECE"
    walked = "[$steps]"
    walked_moves = "&${PIECE}_MOVES"
    write_any = "$array[slot] = reached;"
    write_once = """assert!($array[slot] == 0 || $array[slot] == reached);
            $array[slot] = reached;"""
    add_layer = "$array[slot] |= reached;"
    check_layer = "assert_eq!($found, reached);"
    fill = """    for (square, magic) in $PIECE.iter().enumerate() {
        for occ in subsets(magic.mask) {
            let reached = walk(square, occ, $walked);
            let slot = $slot;
            $write
        }
    }
"""
    fill_levels = """    for (square, magic) in $PIECE.iter().enumerate() {
        let (mask, start, steps) = (magic.mask, magic.set_offset, $walked);
        let mut own: Vec<$bitboard> = subsets(mask).map(|occ| walk(square, occ, steps)).collect();
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
            let reached = walk(square, occ, $walked);
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
        return self.write(
            self.filling, zeros=zeros, walk=self.walk_of(unit), fills=self.loops(unit)
        )


def _bare(text: str) -> str:
    """A text without brackets around all of it."""
    return text[1:-1] if text.startswith("(") and receiver(text) == text else text
