"""Go, without dependencies."""

from compact.emit.language import Language, buffer_name, steps_text, title
from compact.emit.unit import PieceUnit, Unit

_WALK = """
func walk(square int, occ uint64, steps [4][2]int) uint64 {
	var attacks uint64
	for _, step := range steps {
		file, rank := square&7+step[0], square>>3+step[1]
		for file >= 0 && file < 8 && rank >= 0 && rank < 8 {
			bit := uint64(1) << (8*rank + file)
			attacks |= bit
			if occ&bit != 0 {
				break
			}
			file += step[0]
			rank += step[1]
		}
	}
	return attacks
}
"""


class Go(Language):
    """Go: its unsigned arithmetic wraps as the formula's does."""

    name = "go"
    suffix = ".go"

    def literal(self, value: int) -> str:
        """Untyped constants take the type they meet."""
        return str(value) if value < 256 else f"0x{value:x}"

    def word(self, value: int) -> str:
        """A conversion."""
        return f"uint64({self.literal(value)})"

    def unary(self, operator: str, operand: str, width: int) -> str:
        """`^` is Go's bitwise not."""
        return f"^{operand}" if operator == "~" else f"-{operand}"

    def narrow(self, function: str, word: str, width: int) -> str:
        """Conversions."""
        if function == "hi32":
            return f"uint32(uint64({word}) >> 32)"
        return f"uint32({word})"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """math/bits takes an int, modulo the width."""
        shown = amount if amount.isdigit() else f"int({amount})"
        return f"bits.RotateLeft{width}({word}, {shown})"

    def swap_bytes(self, word: str) -> str:
        """math/bits."""
        return f"bits.ReverseBytes64({word})"

    def ones(self, word: str, width: int) -> str:
        """math/bits gives an int."""
        return f"uint64(bits.OnesCount{width}({word}))"

    def trailing_zeros(self, word: str, width: int) -> str:
        """math/bits gives the width for 0."""
        return f"uint64(bits.TrailingZeros{width}({word}))"

    def widen(self, text: str) -> str:
        """Go never mixes widths."""
        return f"uint64({text})"

    def field(self, column: str) -> str:
        """Exported names begin with a capital."""
        return title(column)

    def source(self, unit: Unit, literal: bool) -> str:
        """A package of its own."""
        parts = [self.heading(unit), "\npackage attacks\n"]
        if any("bits." in self.slot(piece) for piece in unit.pieces):
            parts.append('\nimport "math/bits"\n')
        for piece in unit.pieces:
            name = title(piece.piece)
            fields = "".join(f"\t{title(column.name)} uint64\n" for column in piece.columns)
            parts.append(f"\ntype {name}Magic struct {{\n{fields}}}\n")
            rows = self.rows(piece, "{", "}").replace("    ", "\t")
            parts.append(f"\nvar {name}Magics = [64]{name}Magic{{\n{rows}}}\n")
        for name, words in unit.buffers.items():
            array = title(buffer_name(name)).replace("_b", "B")
            if literal:
                body = self.words(words.tolist(), "\t")
                parts.append(f"\nvar {array} = [{len(words)}]uint64{{\n{body}}}\n")
            else:
                parts.append(f"\nvar {array} [{len(words)}]uint64\n")
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            fills = "".join(self.fill(unit, piece) for piece in unit.pieces)
            parts.append(
                "\n// The buffer is filled when the package is loaded.\n"
                f"func init() {{\n{fills}}}\n{_WALK}"
            )
        return "".join(parts)

    def slot(self, piece: PieceUnit) -> str:
        """The slot, a uint64."""
        name = title(piece.piece)
        index = self.index(piece, f"{name}Magics[square].{{}}")
        index = f"({index})" if piece.index.width == 64 else f"uint64({index})"
        return f"{name}Magics[square].Offset+{index}"

    def lookup(self, unit: Unit, piece: PieceUnit) -> str:
        """The function that an engine calls: one expression."""
        name = title(piece.piece)
        array = title(buffer_name(piece.buffer)).replace("_b", "B")
        return (
            f"\nfunc {name}Attacks(square int, occ uint64) uint64 {{\n"
            f"\treturn {array}[{self.slot(piece)}]\n}}\n"
        )

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name = title(piece.piece)
        array = title(buffer_name(piece.buffer)).replace("_b", "B")
        slot = self.slot(piece).replace(".Offset+", ".Offset + ", 1)
        steps = steps_text(piece.piece, "{", "}")
        return f"""	for square := 0; square < 64; square++ {{
		mask, occ := {name}Magics[square].Mask, uint64(0)
		for {{
			attacks := walk(square, occ, [4][2]int{{{steps}}})
			slot := {slot}
			if {array}[slot] != 0 && {array}[slot] != attacks {{
				panic("a write would change an entry of the buffer")
			}}
			{array}[slot] = attacks
			if occ = (occ - mask) & mask; occ == 0 {{
				break
			}}
		}}
	}}
"""
