"""Rust, without dependencies: consts, and a buffer that is static or filled once."""

from compact.emit.expression import receiver
from compact.emit.language import Language, buffer_name, steps_text, title
from compact.emit.unit import PieceUnit, Unit

_METHODS = {"*": "wrapping_mul", "+": "wrapping_add", "-": "wrapping_sub"}


class Rust(Language):
    """Rust: wrapping methods, so that debug builds agree with release builds."""

    name = "rust"
    suffix = ".rs"

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
            parts += [self.finished(unit, name) for name in unit.buffers]
            parts += [self.lookup(unit, piece, "") for piece in unit.pieces]
            return "".join(parts)
        fields = "".join(f"    {buffer_name(name)}: Box<[u64]>,\n" for name in unit.buffers)
        parts.append(f"\npub struct Attacks {{\n{fields}}}\n\nimpl Attacks {{\n")
        parts.append(self.fill(unit))
        parts += [self.lookup(unit, piece, "&self, ") for piece in unit.pieces]
        parts += ["}\n", _WALK]
        return "".join(parts)

    def columns(self, piece: PieceUnit) -> str:
        """A struct type and the array of it."""
        name = title(piece.piece)
        fields = "".join(
            f"    pub {column.name}: {'usize' if column.name == 'offset' else 'u64'},\n"
            for column in piece.columns
        )
        opening = f"{name}Magic {{ "
        return (
            f"\n#[derive(Clone, Copy)]\npub struct {name}Magic {{\n{fields}}}\n\n"
            f"pub const {piece.piece.upper()}: [{name}Magic; 64] = [\n"
            f"{self._rows(piece, opening)}];\n"
        )

    def _rows(self, piece: PieceUnit, opening: str) -> str:
        lines = []
        for square in range(64):
            cells = ", ".join(
                f"{column.name}: {self.number(column, column.values[square])}"
                for column in piece.columns
            )
            lines.append(f"    {opening}{cells} }},\n")
        return "".join(lines)

    def finished(self, unit: Unit, name: str) -> str:
        """A static buffer."""
        words = unit.buffers[name].tolist()
        array = buffer_name(name).upper()
        return f"\npub static {array}: [u64; {len(words)}] = [\n{self.words(words)}];\n"

    def lookup(self, unit: Unit, piece: PieceUnit, receiver: str) -> str:
        """The function that an engine calls: one expression."""
        name = piece.piece.upper()
        index = self.index(piece, name + "[square].{}")
        array = buffer_name(piece.buffer)
        array = f"self.{array}" if receiver else array.upper()
        text = (
            f"\n#[inline]\npub fn {piece.piece}_attacks"
            f"({receiver}square: usize, occ: u64) -> u64 {{\n"
            f"    {array}[{name}[square].offset + ({index}) as usize]\n}}\n"
        )
        return text.replace("\n", "\n    ").rstrip(" ") if receiver else text

    def fill(self, unit: Unit) -> str:
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
            index = self.index(piece, name + "[square].{}")
            lines.append(f"""        for square in 0..64 {{
            let mask = {name}[square].mask;
            let mut occ = 0u64;
            loop {{
                let reached = walk(square, occ, [{steps_text(piece.piece, "(", ")")}]);
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
