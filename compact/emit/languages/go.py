"""Go, without dependencies."""

from typing import ClassVar

from magicert.compact.emit.records import Records
from magicert.compact.emit.spelling import camel, title
from magicert.compact.emit.unit import PieceUnit, Unit


class Go(Records):
    """Go: its unsigned arithmetic wraps as the formula's does."""

    name = "go"
    suffix = ".go"
    scope_option = "package"
    scope = "magics"
    scope_form = r"[A-Za-z_]\w*"
    usage = """
Usage, as a package of its own or a file of another one; the table is made when the program starts:
    attacks := $scope.$called(square, occupied)
where the bits of occupied are the occupied squares.
"""
    typed = "uint64($value)"
    low32 = "uint32($word)"
    high32 = "uint32(uint64($word) >> 32)"
    rotated = "bits.RotateLeft$width($word, $amount)"
    turns = ("$word", "int($word)")
    swapped = "bits.ReverseBytes64($word)"
    counted = "uint64(bits.OnesCount$width($word))"
    trailing = "uint64(bits.TrailingZeros$width($word))"
    inverted = "^$word"
    widened = "uint64($word)"
    addend_32 = "uint64($index)"
    read_number = "uint64($found)"
    mirrored = "square^56"
    either = "if square < 32 {\n\t\treturn $lower\n\t}\n\treturn $upper"
    kinds: ClassVar = {8: "uint8", 16: "uint16", 64: "uint64"}
    indent = "\t"
    read = "${piece}Magics[square].$field"
    declared = "\t$padded uint64\n"
    record = """
type ${piece}Magic struct {
$fields}

var ${piece}Magics = [$squares]${piece}Magic{
$rows}
"""
    empty = "\nvar $array [$length]$kind\n"
    finished = "\nvar $array = [$length]$kind{\n$items}\n"
    function = """
// $called returns the squares that a $piece on square attacks. The bits of occ are the
// occupied squares.
func $called(square int, occ uint64) uint64 {
	$expression
}
"""
    file = """$heading
// Package $scope looks up the squares that rooks and bishops attack.
package $scope
$imports$columns$buffers$lookups$filling"""
    filling = """
func init() {
$fills}
$walk"""
    walk = """
func walk(square int, occ uint64, steps [4][2]int) uint64 {
	var reached uint64
	for _, step := range steps {
		file, rank := square&7+step[0], square>>3+step[1]
		for file >= 0 && file < 8 && rank >= 0 && rank < 8 {
			bit := uint64(1) << (8*rank + file)
			reached |= bit
			if occ&bit != 0 {
				break
			}
			file += step[0]
			rank += step[1]
		}
	}
	return reached
}
"""
    write_once = """if $array[slot] != 0 && $array[slot] != reached {
				panic("a write would change an entry of the buffer")
			}
			$array[slot] = reached"""
    add_layer = "$array[slot] |= reached"
    check_layer = """if ($found) != reached {
				panic("a write has changed an entry of the buffer")
			}"""
    fill = """	for square := 0; square < $squares; square++ {
		mask, occ := $mask, uint64(0)
		for {
			reached := walk(square, occ, [4][2]int{$steps})
			slot := $slot
			$write
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
			reached, place := walk(square, occ, steps), count
			for place > 0 && sets[place-1] > reached {
				place--
			}
			if place == 0 || sets[place-1] != reached {
				copy(sets[place+1:count+1], sets[place:count])
				sets[place] = reached
				count++
			}
			occ = (occ - mask) & mask
		}
		for occ, more := uint64(0), true; more; more = occ != 0 {
			reached, number := walk(square, occ, steps), 0
			for sets[number] != reached {
				number++
			}
			slot := $slot
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

    def array(self, name: str) -> str:
        """Not exported: "rookBuffer"."""
        return _small(camel(name))

    def names(self, piece: PieceUnit, column: str) -> dict[str, str]:
        """Fields are not exported, and gofmt aligns their types."""
        longest = max(len(camel(column.name)) for column in piece.columns)
        field = _small(camel(column))
        return {**super().names(piece, column), "field": field, "padded": field.ljust(longest)}

    def imports(self, lookups: str) -> str:
        """Go refuses an import that is not used."""
        return '\nimport "math/bits"\n' * ("bits." in lookups)

    def entry(self, unit: Unit, piece: PieceUnit, slot: str) -> str:
        """Statements, spaced as gofmt has them."""
        found = super().entry(unit, piece, "slot").replace(" + ", "+")
        return f"slot := {slot}\n\treturn {found}"

    def called(self, piece: PieceUnit, name: str) -> str:
        """Exported, but for what only the exported function calls."""
        return f"{title(piece.piece) if name == 'attacks' else piece.piece}{title(name)}"


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
