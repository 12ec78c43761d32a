"""Swift: `&*`, `&+` and `&-` wrap, and `&<<`, `&>>` shift without a check."""

from typing import ClassVar

from magicert.compact.emit.language import Language
from magicert.compact.emit.spelling import buffer_name
from magicert.compact.emit.unit import PieceUnit, Unit


class Swift(Language):
    """Swift: an enum as namespace, static buffers that are filled at their first use."""

    name = "swift"
    suffix = ".swift"
    stem = "Magics"
    usage = """
Usage; the table is made when it is first used:
    let attacks: UInt64 = $Stem.$called(square, occupied)
where the bits of occupied are the occupied squares.
"""
    helpers: ClassVar = {
        "rotateLeft": """    @inline(__always)
    private static func rotateLeft<Word: FixedWidthInteger>(_ x: Word, _ amount: Word) -> Word {
        return (x &<< amount) | (x &>> (0 &- amount))
    }

""",
    }
    """`&<<` and `&>>` take their amounts modulo the width."""
    typed = "UInt64($value)"
    low32 = "UInt32(truncatingIfNeeded: $word)"
    high32 = "UInt32(truncatingIfNeeded: UInt64($word) &>> 32)"
    rotated = "rotateLeft($word, $amount)"
    turns = ("$word", "UInt$width(truncatingIfNeeded: $word)")
    swapped = "$receiver.byteSwapped"
    counted = "UInt64($receiver.nonzeroBitCount)"
    trailing = "UInt64($receiver.trailingZeroBitCount)"
    negated = "(0 &- $word)"
    arithmetic = "$word &$operator $right"
    left_shift = "$word &<< $amount"
    right_shift = "$word &>> $amount"
    other_amount = "UInt$width(truncatingIfNeeded: $word)"
    widened = "UInt64($word)"
    array_name = "$name"
    addend_32 = "(UInt64($index))"
    read_number = "Int($found)"
    kinds: ClassVar = {8: "UInt8", 16: "UInt16", 64: "UInt64"}
    indent = " " * 8
    step = ("(", ")")
    public = "public "
    read = "${piece}_$column[square]"
    column = """    private static let ${piece}_$column: [UInt64] = [
$items    ]

"""
    finished = """    private static let $array: [$kind] = [
$items    ]

"""
    empty = "        var $array = [$kind](repeating: 0, count: $length)\n"
    function = """\
    /// The squares that a $piece on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
    ${public}static func $called(_ square: Int, _ occ: UInt64) -> UInt64 {
        return $expression
    }

"""
    file = "$heading\npublic enum $Stem {\n$columns$buffers$helpers$lookups$filling}\n"
    filling = "$walk"
    one_level = """    private static let $array: [$kind] = {
$empty$fills        return $array
    }()

"""
    """A buffer that fills itself."""
    both_levels = """$named
    private static let filled: ($types) = {
$empty$fills        return ($arrays)
    }()

$subsets"""
    """Numbers and attack sets that fill themselves, all at once."""
    walk = """    private typealias Steps = [(Int, Int)]

    private static func walk(_ square: Int, _ occ: UInt64, _ steps: Steps) -> UInt64 {
        var reached: UInt64 = 0
        for (byFile, byRank) in steps {
            var file = (square & 7) + byFile, rank = (square >> 3) + byRank
            while (0..<8).contains(file) && (0..<8).contains(rank) {
                let bit = UInt64(1) &<< UInt64(8 * rank + file)
                reached |= bit
                if occ & bit != 0 { break }
                file += byFile
                rank += byRank
            }
        }
        return reached
    }
"""
    subsets = """    private static func subsets(_ mask: UInt64) -> [UInt64] {
        var all: [UInt64] = [0]
        var occ = mask
        while occ != 0 {
            all.append(occ)
            occ = (occ &- 1) & mask
        }
        return all
    }

"""
    write_once = """precondition($array[slot] == 0 || $array[slot] == reached)
                $array[slot] = reached"""
    add_layer = "$array[slot] |= reached"
    check_layer = "precondition(($found) == reached)"
    fill = """        for square in 0..<$squares {
            let mask = $mask
            var occ: UInt64 = 0
            repeat {
                let reached = walk(square, occ, [$steps])
                let slot = $slot
                $write
                occ = (occ &- mask) & mask
            } while occ != 0
        }
"""
    fill_levels = """        for square in 0..<$squares {
            let steps = [$steps]
            let all = subsets($mask)
            let own = Set(all.map { walk(square, $$0, steps) }).sorted()
            let start = $start
            $sets.replaceSubrange(start..<start + own.count, with: own)
            for occ in all {
                let number = own.firstIndex(of: walk(square, occ, steps))!
                $array[$slot] = $kind(number)
            }
        }
"""
    check_levels = """        for square in 0..<$squares {
            for occ in subsets($mask) {
                let reached = walk(square, occ, [$steps])
                precondition($entry == reached)
            }
        }
"""

    def slot(self, piece: PieceUnit) -> str:
        """The slot, an Int."""
        return f"Int({super().slot(piece)})"

    def start(self, piece: PieceUnit) -> str:
        """An Int."""
        return f"Int({super().start(piece)})"

    def words(self, unit: Unit, piece: PieceUnit) -> dict[str, object]:
        """The lookup as an expression too: while a buffer is filled, no function may read it."""
        return {**super().words(unit, piece), "entry": self.entry(unit, piece, self.slot(piece))}

    def buffers(self, unit: Unit, literal: bool) -> str:
        """Finished, or filled where they are declared."""
        if literal:
            return super().buffers(unit, literal)
        if unit.levels:
            return self.filled_levels(unit)
        return "".join(
            self.write(
                self.one_level,
                array=self.array(buffer_name(name)),
                kind=self.kinds[64],
                empty=self.buffer(buffer_name(name), words.tolist(), literal, 64),
                fills=self.loops_of(unit, [piece for piece in unit.pieces if piece.buffer == name]),
            )
            for name, words in unit.buffers.items()
        )

    def filled_levels(self, unit: Unit) -> str:
        """All buffers of a two-level table, from one closure."""
        assert unit.levels is not None
        number = self.kinds[unit.levels.entry_bits]
        kinds = {buffer_name(name): number for name in unit.buffers}
        kinds |= dict.fromkeys(unit.levels.buffers, self.kinds[64])
        return self.write(
            self.both_levels,
            named="".join(f"    private static let {name} = filled.{name}\n" for name in kinds),
            types=", ".join(f"{name}: [{kind}]" for name, kind in kinds.items()),
            empty=super().buffers(unit, literal=False),
            fills=self.loops(unit),
            arrays=", ".join(kinds),
            subsets=self.subsets,
        )
