"""Rust, without dependencies: consts, and a buffer that is static or filled once."""

from typing import ClassVar

from magicert.compact.emit.expression import receiver
from magicert.compact.emit.language import (
    Language,
    buffer_name,
    sets_name,
    title,
)
from magicert.compact.emit.unit import PieceUnit, Unit

_METHODS = {"*": "wrapping_mul", "+": "wrapping_add", "-": "wrapping_sub"}


class Rust(Language):
    """Rust: wrapping methods, so that debug builds agree with release builds."""

    name = "rust"
    suffix = ".rs"
    step = ("(", ")")
    kinds: ClassVar = {8: "u8", 16: "u16", 64: "u64"}
    read = "$PIECE[square].$column"

    def literal(self, value: int) -> str:
        """Types are inferred."""
        return str(value) if value < 256 else f"0x{value:x}"

    def word(self, value: int) -> str:
        """With its type, which a receiver of methods needs."""
        return f"{self.literal(value)}u64"

    def narrow(self, function: str, word: str, width: int) -> str:
        """Casts with `as`."""
        if function == "hi32":
            return f"((({word}) as u64 >> 32) as u32)"
        return f"(({word}) as u32)"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """A method, which takes its amount modulo the width."""
        shown = amount if amount.isdigit() else f"({amount}) as u32"
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
        # A method binds tighter than any operator: its receiver needs its own brackets.
        receiver = f"({left})" if left.startswith("!") else left
        return f"{receiver}.{_METHODS[operator]}({right})"

    def widen(self, text: str) -> str:
        """An explicit cast."""
        return f"({text} as u64)"

    def source(self, unit: Unit, literal: bool) -> str:
        """The whole module."""
        parts = [self.heading(unit)]
        parts += [self.columns(piece) for piece in unit.pieces]
        if literal:
            parts += [self.static_buffer(unit, name) for name in unit.buffers]
            if unit.levels:
                sets = unit.levels.sets.items()
                parts += [
                    self.static(sets_name(p), "u64", self.entries(w.tolist(), 64), len(w))
                    for p, w in sets
                ]
            parts += [self.lookup(unit, part) for part in unit.pieces]
            return "".join(parts)
        lengths = [(buffer_name(n), self.kind(unit), len(w)) for n, w in unit.buffers.items()]
        if unit.levels:
            lengths += [(sets_name(p), "u64", len(w)) for p, w in unit.levels.sets.items()]
        fields = "".join(f"    {name}: Box<[{kind}]>,\n" for name, kind, _ in lengths)
        parts.append(f"\npub struct Attacks {{\n{fields}}}\n\nimpl Attacks {{\n")
        parts.append(self.new_levels(unit, lengths) if unit.levels else self.new(unit))
        parts += [self.methods(unit, piece) for piece in unit.pieces]
        parts += ["}\n", _WALK, _SUBSETS if unit.levels else ""]
        return "".join(parts)

    def kind(self, unit: Unit) -> str:
        """The type of the buffers' entries."""
        return f"u{unit.levels.entry_bits}" if unit.levels else "u64"

    def columns(self, piece: PieceUnit) -> str:
        """A struct type and the array of it."""
        name = title(piece.piece)
        fields = "".join(
            f"    pub {column.name}: {'usize' if column.place else 'u64'},\n"
            for column in piece.columns
        )
        opening = f"{name}Magic {{ "
        return (
            f"\n#[derive(Clone, Copy)]\npub struct {name}Magic {{\n{fields}}}\n\n"
            f"pub const {piece.piece.upper()}: [{name}Magic; {piece.squares}] = [\n"
            f"{self._rows(piece, opening)}];\n"
        )

    def _rows(self, piece: PieceUnit, opening: str) -> str:
        lines = []
        for square in range(piece.squares):
            cells = ", ".join(
                f"{column.name}: {self.number(column, column.values[square])}"
                for column in piece.columns
            )
            lines.append(f"    {opening}{cells} }},\n")
        return "".join(lines)

    def static_buffer(self, unit: Unit, name: str) -> str:
        """A static buffer."""
        words = unit.buffers[name].tolist()
        shown = self.entries(words, unit.levels.entry_bits if unit.levels else 64)
        return self.static(buffer_name(name), self.kind(unit), shown, len(words))

    def static(self, name: str, kind: str, shown: str, length: int) -> str:
        """A finished array."""
        return f"\npub static {name.upper()}: [{kind}; {length}] = [\n{shown}];\n"

    def addend(self, index: str, width: int) -> str:
        """Indexes are usize."""
        return f"({index}) as usize"

    def called(self, piece: PieceUnit, name: str) -> str:
        """In small letters: "rook_attacks"."""
        return f"{piece.piece}_{name}"

    def looking(self, piece: PieceUnit, name: str, expression: str) -> str:
        """A function that can be inlined."""
        opening = "pub " * (name == "attacks") + "fn"
        return (
            f"\n#[inline]\n{opening} {self.called(piece, name)}"
            f"(square: usize, occ: u64) -> u64 {{\n"
            f"    {expression}\n}}\n"
        )

    def either(self, lower: str, upper: str) -> str:
        """Rust's conditional expression."""
        return f"if square < 32 {{ {lower} }} else {{ {upper} }}"

    def methods(self, unit: Unit, piece: PieceUnit) -> str:
        """The lookup as methods of whoever holds the filled buffers."""
        text = self.lookup(unit, piece).replace("(square: usize", "(&self, square: usize")
        for array in (buffer_name(piece.buffer), sets_name(piece.piece)):
            text = text.replace(f"{array.upper()}[", f"self.{array}[")
        lower = f"{self.called(piece, 'lower')}(square"
        text = text.replace(lower, f"self.{lower}")
        return text.replace("\n", "\n    ").replace("    \n", "\n").rstrip(" ")

    def number_read(self, found: str, bits: int) -> str:
        """An explicit cast."""
        return f"{found} as usize"

    def new_levels(self, unit: Unit, lengths: list[tuple[str, str, int]]) -> str:
        """The constructor: attack sets in increasing order, their numbers, and every lookup."""
        text = "    /// Fill the buffers; panics if any lookup would be wrong.\n"
        text += "    pub fn new() -> Self {\n        let mut table = Attacks {\n"
        for name, kind, length in lengths:
            text += f"            {name}: vec![0{kind}; {length}].into_boxed_slice(),\n"
        text += "        };\n"
        for piece in unit.pieces:
            name, array, sets = (
                piece.piece.upper(),
                buffer_name(piece.buffer),
                sets_name(piece.piece),
            )
            index = self.index(piece)[0]
            text += f"""        let steps = [{self.words(unit, piece)["steps"]}];
        for square in 0..{piece.squares} {{
            let (mask, start) = ({name}[square].mask, {name}[square].set_offset);
            let mut own: Vec<u64> = subsets(mask).map(|occ| walk(square, occ, steps)).collect();
            own.sort_unstable();
            own.dedup();
            table.{sets}[start..start + own.len()].copy_from_slice(&own);
            for occ in subsets(mask) {{
                let number = own.binary_search(&walk(square, occ, steps)).unwrap();
                let slot = {name}[square].offset + ({index}) as usize;
                table.{array}[slot] = number as {self.kind(unit)};
            }}
        }}
"""
        for piece in unit.pieces:
            text += f"""        let steps = [{self.words(unit, piece)["steps"]}];
        for square in 0..{piece.squares} {{
            for occ in subsets({piece.piece.upper()}[square].mask) {{
                assert_eq!(table.{piece.piece}_attacks(square, occ), walk(square, occ, steps));
            }}
        }}
"""
        return f"{text}        table\n    }}\n"

    def new(self, unit: Unit) -> str:
        """The constructor: every subset of every mask."""
        lines = ["    /// Fill the buffer; panics at a write that would change an entry.\n"]
        lines.append("    pub fn new() -> Self {\n")
        for name, words in unit.buffers.items():
            array = buffer_name(name)
            lines.append(
                f"        let mut {array} = vec![0u64; {len(words)}].into_boxed_slice();\n"
            )
        for piece in unit.pieces:
            name, array = piece.piece.upper(), buffer_name(piece.buffer)
            index = self.index(piece)[0]
            lines.append(f"""        for square in 0..{piece.squares} {{
            let mask = {name}[square].mask;
            let mut occ = 0u64;
            loop {{
                let reached = walk(square, occ, [{self.words(unit, piece)["steps"]}]);
                let slot = {name}[square].offset + ({index}) as usize;
                assert!({array}[slot] == 0 || {array}[slot] == reached);
                {array}[slot] = reached;
                occ = occ.wrapping_sub(mask) & mask;
                if occ == 0 {{
                    break;
                }}
            }}
        }}
""")
        fields = ", ".join(buffer_name(name) for name in unit.buffers)
        lines.append(f"        Attacks {{ {fields} }}\n    }}\n")
        return "".join(lines)


_WALK = """
fn walk(square: usize, occ: u64, steps: [(i32, i32); 4]) -> u64 {
    let mut attacks = 0;
    for (by_file, by_rank) in steps {
        let (mut file, mut rank) = ((square & 7) as i32 + by_file, (square >> 3) as i32 + by_rank);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let bit = 1u64 << (8 * rank + file);
            attacks |= bit;
            if occ & bit != 0 {
                break;
            }
            file += by_file;
            rank += by_rank;
        }
    }
    attacks
}
"""

_SUBSETS = """
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let following = move |occ: &u64| Some(occ.wrapping_sub(mask) & mask).filter(|&occ| occ != 0);
    std::iter::successors(Some(0), following)
}
"""
