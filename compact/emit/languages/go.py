"""Go, without dependencies."""

from magicert.compact.emit.language import (
    Language,
    buffer_name,
    lines,
    sets_name,
    steps_text,
    title,
)
from magicert.compact.emit.unit import PieceUnit, Unit

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
    two_level = True

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
        return self.array(column)

    def source(self, unit: Unit, literal: bool) -> str:
        """A package of its own."""
        parts = [self.heading(unit), "\npackage attacks\n"]
        if any(piece.half_board or "bits." in self.slot(piece) for piece in unit.pieces):
            parts.append('\nimport "math/bits"\n')
        for piece in unit.pieces:
            name = title(piece.piece)
            fields = "".join(f"\t{self.field(column.name)} uint64\n" for column in piece.columns)
            parts.append(f"\ntype {name}Magic struct {{\n{fields}}}\n")
            rows = self.rows(piece, "{", "}").replace("    ", "\t")
            parts.append(f"\nvar {name}Magics = [{piece.squares}]{name}Magic{{\n{rows}}}\n")
        for name, words in unit.buffers.items():
            bits = unit.levels.entry_bits if unit.levels else 64
            parts.append(self.buffer(buffer_name(name), words.tolist(), literal, bits))
        if unit.levels:
            for piece_of, words in unit.levels.sets.items():
                parts.append(self.buffer(sets_name(piece_of), words.tolist(), literal))
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            fill = self.fill_levels if unit.levels else self.fill
            fills = "".join(fill(unit, piece) for piece in unit.pieces)
            if unit.levels:
                # Only when all is written: squares may share slots.
                fills += "".join(self.check_levels(piece) for piece in unit.pieces)
            parts.append(
                "\n// The buffer is filled when the package is loaded.\n"
                f"func init() {{\n{fills}}}\n{_WALK}"
            )
        return "".join(parts)

    def array(self, name: str) -> str:
        """In camel case: "RookBuffer"."""
        return "".join(map(title, name.split("_")))

    def buffer(self, name: str, words: list[int], literal: bool, bits: int = 64) -> str:
        """An array, empty or finished."""
        kind = f"[{len(words)}]uint{bits}"
        if not literal:
            return f"\nvar {self.array(name)} {kind}\n"
        shown = self.words(words, "\t") if bits == 64 else lines([*map(str, words)], "\t", 16)
        return f"\nvar {self.array(name)} = {kind}{{\n{shown}}}\n"

    def start(self, piece: PieceUnit) -> str:
        """A column."""
        return f"{title(piece.piece)}Magics[square].{self.field('set_offset')}"

    def number_read(self, unit: Unit, found: str) -> str:
        """A conversion."""
        return f"uint64({found})"

    def fill_levels(self, unit: Unit, piece: PieceUnit) -> str:
        """The attack sets in increasing order, and their numbers."""
        assert unit.levels is not None
        name, array = title(piece.piece), self.array(buffer_name(piece.buffer))
        slot = self.slot(piece).replace(".Offset+", ".Offset + ", 1)
        return f"""	for square := 0; square < {piece.squares}; square++ {{
		mask, sets := {name}Magics[square].Mask, {name}Sets[{self.start(piece)}:]
		steps, count := [4][2]int{{{steps_text(piece.piece, "{", "}")}}}, 0
		for occ, more := uint64(0), true; more; more = occ != 0 {{
			attacks, place := walk(square, occ, steps), count
			for place > 0 && sets[place-1] > attacks {{
				place--
			}}
			if place == 0 || sets[place-1] != attacks {{
				copy(sets[place+1:count+1], sets[place:count])
				sets[place] = attacks
				count++
			}}
			occ = (occ - mask) & mask
		}}
		for occ, more := uint64(0), true; more; more = occ != 0 {{
			attacks, number := walk(square, occ, steps), 0
			for sets[number] != attacks {{
				number++
			}}
			slot := {slot}
			{array}[slot] = uint{unit.levels.entry_bits}(number)
			occ = (occ - mask) & mask
		}}
	}}
"""

    def check_levels(self, piece: PieceUnit) -> str:
        """Every lookup once, against the walk."""
        name = title(piece.piece)
        steps = f"[4][2]int{{{steps_text(piece.piece, '{', '}')}}}"
        return f"""	for square := 0; square < {piece.squares}; square++ {{
		mask := {name}Magics[square].Mask
		for occ, more := uint64(0), true; more; more = occ != 0 {{
			if {name}Attacks(square, occ) != walk(square, occ, {steps}) {{
				panic("a write has changed an entry of the buffer")
			}}
			occ = (occ - mask) & mask
		}}
	}}
"""

    def slot(self, piece: PieceUnit) -> str:
        """The slot, a uint64."""
        name = title(piece.piece)
        index = self.index(piece, f"{name}Magics[square].{{}}")
        index = f"({index})" if piece.index.width == 64 else f"uint64({index})"
        return f"{name}Magics[square].Offset+{index}"

    def expression(self, unit: Unit, piece: PieceUnit) -> str:
        """A read of the buffer."""
        return self.entry(unit, piece, self.slot(piece))

    def called(self, unit: Unit, piece: PieceUnit, name: str) -> str:
        """Exported, but for what only the exported function calls."""
        return f"{title(piece.piece) if name == 'attacks' else piece.piece}{title(name)}"

    def function(self, unit: Unit, piece: PieceUnit, name: str, expression: str) -> str:
        """A function of one statement: there is no conditional expression, so one that chooses
        is a statement already.
        """
        called = self.called(unit, piece, name)
        statement = expression if expression.startswith("if ") else f"return {expression}"
        return f"\nfunc {called}(square int, occ uint64) uint64 {{\n\t{statement}\n}}\n"

    def either(self, lower: str, upper: str) -> str:
        """A statement, spaced as gofmt has it."""
        upper = upper.replace("square ^ 56", "square^56")
        return f"if square < 32 {{\n\t\treturn {lower}\n\t}}\n\treturn {upper}"

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        name = title(piece.piece)
        array = self.array(buffer_name(piece.buffer))
        slot = self.slot(piece).replace(".Offset+", ".Offset + ", 1)
        steps = steps_text(piece.piece, "{", "}")
        return f"""	for square := 0; square < {piece.squares}; square++ {{
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
