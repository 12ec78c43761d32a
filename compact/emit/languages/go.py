"""Go, without dependencies."""

from typing import ClassVar

from magicert.compact.emit.language import Records, camel, title
from magicert.compact.emit.unit import PieceUnit, Unit


class Go(Records):
    """Go: its unsigned arithmetic wraps as the formula's does."""

    name = "go"
    suffix = ".go"
    kinds: ClassVar = {8: "uint8", 16: "uint16", 64: "uint64"}
    indent = "\t"
    read = "${Piece}Magics[square].$Column"
    declared = "\t$Column uint64\n"
    record = """
type ${Piece}Magic struct {
$fields}

var ${Piece}Magics = [$squares]${Piece}Magic{
$rows}
"""
    empty = "\nvar $array [$length]$kind\n"
    finished = "\nvar $array = [$length]$kind{\n$items}\n"
    function = """
func $called(square int, occ uint64) uint64 {
	$expression
}
"""
    file = "$heading\npackage attacks\n$imports$columns$buffers$lookups$filling"
    filling = """
// The buffer is filled when the package is loaded.
func init() {
$fills}
$walk"""
    walk = """
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
    fill = """	for square := 0; square < $squares; square++ {
		mask, occ := $mask, uint64(0)
		for {
			attacks := walk(square, occ, [4][2]int{$steps})
			slot := $spaced
			if $array[slot] != 0 && $array[slot] != attacks {
				panic("a write would change an entry of the buffer")
			}
			$array[slot] = attacks
			if occ = (occ - mask) & mask; occ == 0 {
				break
			}
		}
	}
"""
    fill_levels = """	for square := 0; square < $squares; square++ {
		mask, sets := $mask, $sets[$start:]
		steps, count := [4][2]int{$steps}, 0
		for occ, more := uint64(0), true; more; more = occ != 0 {
			attacks, place := walk(square, occ, steps), count
			for place > 0 && sets[place-1] > attacks {
				place--
			}
			if place == 0 || sets[place-1] != attacks {
				copy(sets[place+1:count+1], sets[place:count])
				sets[place] = attacks
				count++
			}
			occ = (occ - mask) & mask
		}
		for occ, more := uint64(0), true; more; more = occ != 0 {
			attacks, number := walk(square, occ, steps), 0
			for sets[number] != attacks {
				number++
			}
			slot := $spaced
			$array[slot] = $kind(number)
			occ = (occ - mask) & mask
		}
	}
"""
    check_levels = """	for square := 0; square < $squares; square++ {
		mask := $mask
		for occ, more := uint64(0), true; more; more = occ != 0 {
			if $attacks(square, occ) != walk(square, occ, [4][2]int{$steps}) {
				panic("a write has changed an entry of the buffer")
			}
			occ = (occ - mask) & mask
		}
	}
"""

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

    def array(self, name: str) -> str:
        """In camel case: "RookBuffer"."""
        return camel(name)

    def imports(self, lookups: str) -> str:
        """Go refuses an import that is not used."""
        return '\nimport "math/bits"\n' * ("bits." in lookups)

    def slot(self, piece: PieceUnit) -> str:
        """The slot, a uint64, spaced as gofmt has it in brackets."""
        return super().slot(piece).replace(" + ", "+", 1)

    def words(self, unit: Unit, piece: PieceUnit) -> dict[str, object]:
        """The slot also spaced as gofmt has it outside of brackets."""
        return {**super().words(unit, piece), "spaced": super().slot(piece)}

    def addend(self, index: str, width: int) -> str:
        """Go never mixes widths."""
        return f"({index})" if width == 64 else f"uint64({index})"

    def number_read(self, found: str, bits: int) -> str:
        """A conversion."""
        return f"uint64({found})"

    def called(self, piece: PieceUnit, name: str) -> str:
        """Exported, but for what only the exported function calls."""
        return f"{title(piece.piece) if name == 'attacks' else piece.piece}{title(name)}"

    def looking(self, piece: PieceUnit, name: str, expression: str) -> str:
        """There is no conditional expression, so one that chooses is a statement already."""
        statement = expression if expression.startswith("if ") else f"return {expression}"
        return super().looking(piece, name, statement)

    def either(self, lower: str, upper: str) -> str:
        """A statement, spaced as gofmt has it."""
        upper = upper.replace("square ^ 56", "square^56")
        return f"if square < 32 {{\n\t\treturn {lower}\n\t}}\n\treturn {upper}"
