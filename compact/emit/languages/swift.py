"""Swift: `&*`, `&+` and `&-` wrap, and `&<<`, `&>>` shift without a check."""

from magicert.compact.emit.expression import receiver
from magicert.compact.emit.helpers import SWIFT_HELPERS
from magicert.compact.emit.language import Language, buffer_name, lines, sets_name, steps_text
from magicert.compact.emit.unit import PieceUnit, Unit


class Swift(Language):
    """Swift: an enum as namespace, a static buffer that is filled at its first use."""

    name = "swift"
    suffix = ".swift"
    two_level = True
    helpers = SWIFT_HELPERS

    def literal(self, value: int) -> str:
        """Types are inferred."""
        return str(value) if value < 256 else f"0x{value:x}"

    def word(self, value: int) -> str:
        """With its type, which a receiver of methods needs."""
        return f"UInt64({self.literal(value)})"

    def narrow(self, function: str, word: str, width: int) -> str:
        """Truncating conversions."""
        if function == "hi32":
            return f"UInt32(truncatingIfNeeded: UInt64({word}) &>> 32)"
        return f"UInt32(truncatingIfNeeded: {word})"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """Swift has no rotation; the amount has the type of the word."""
        shown = amount if amount.isdigit() else f"UInt{width}(truncatingIfNeeded: {amount})"
        return f"rotateLeft({word}, {shown})"

    def swap_bytes(self, word: str) -> str:
        """A property."""
        return f"{receiver(word)}.byteSwapped"

    def ones(self, word: str, width: int) -> str:
        """A property, an Int."""
        return f"UInt64({receiver(word)}.nonzeroBitCount)"

    def trailing_zeros(self, word: str, width: int) -> str:
        """A property, an Int; the width for 0."""
        return f"UInt64({receiver(word)}.trailingZeroBitCount)"

    def unary(self, operator: str, operand: str, width: int) -> str:
        """Swift has no minus for unsigned words."""
        return f"~{operand}" if operator == "~" else f"(0 &- {operand})"

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """Arithmetic that wraps says so."""
        return f"{left} {'&' if operator in '*+-' else ''}{operator} {right}"

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """The amount has the type of the word."""
        if amount_width != width and not amount.isdigit():
            amount = f"UInt{width}(truncatingIfNeeded: {amount})"
        return f"{left} &{operator} {amount}"

    def widen(self, text: str) -> str:
        """Swift never mixes widths."""
        return f"UInt64({text})"

    def source(self, unit: Unit, literal: bool) -> str:
        """One caseless enum."""
        parts = [self.heading(unit), "\npublic enum Attacks {\n"]
        for piece in unit.pieces:
            for column in piece.columns:
                shown = [self.number(column, value) for value in column.values]
                lines = (", ".join(shown[place : place + 4]) for place in range(0, len(shown), 4))
                body = "".join(f"        {line},\n" for line in lines)
                name = f"{piece.piece}_{column.name}"
                parts.append(f"    static let {name}: [UInt64] = [\n{body}    ]\n\n")
        for name, words in unit.buffers.items():
            array = buffer_name(name)
            if literal:
                bits = unit.levels.entry_bits if unit.levels else 64
                parts.append(self.finished(array, words.tolist(), bits))
            elif unit.levels is None:
                parts.append(self.filled(unit, name, array))
        if unit.levels and literal:
            for piece_of, words in unit.levels.sets.items():
                parts.append(self.finished(sets_name(piece_of), words.tolist()))
        elif unit.levels:
            parts.append(self.fill_levels(unit))
        parts.append(self.helping(unit))
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        parts.append("}\n" if literal else f"{_SWIFT_WALK}}}\n")
        return "".join(parts)

    def array(self, name: str) -> str:
        """In small letters."""
        return name

    def finished(self, name: str, words: list[int], bits: int = 64) -> str:
        """A finished array."""
        indent = " " * 8
        shown = self.words(words, indent) if bits == 64 else lines([*map(str, words)], indent, 16)
        return f"    static let {name}: [UInt{bits}] = [\n{shown}    ]\n\n"

    def start(self, piece: PieceUnit) -> str:
        """A column."""
        return f"Int({piece.piece}_set_offset[square])"

    def number_read(self, unit: Unit, found: str) -> str:
        """Swift never mixes widths."""
        return f"Int({found})"

    def fill_levels(self, unit: Unit) -> str:
        """All buffers at once: attack sets in increasing order, and their numbers."""
        assert unit.levels is not None
        lengths = {buffer_name(name): len(words) for name, words in unit.buffers.items()}
        kinds = dict.fromkeys(lengths, f"UInt{unit.levels.entry_bits}")
        for piece_of, words in unit.levels.sets.items():
            lengths[sets_name(piece_of)] = len(words)
            kinds[sets_name(piece_of)] = "UInt64"
        text = "".join(f"    static let {name} = filled.{name}\n" for name in lengths)
        types = ", ".join(f"{name}: [{kind}]" for name, kind in kinds.items())
        text += f"\n    private static let filled: ({types}) = {{\n"
        for name, length in lengths.items():
            text += f"        var {name} = [{kinds[name]}](repeating: 0, count: {length})\n"
        for piece in unit.pieces:
            sets, array = sets_name(piece.piece), buffer_name(piece.buffer)
            text += f"""        for square in 0..<{piece.squares} {{
            let steps = [{steps_text(piece.piece, "(", ")")}]
            let all = subsets({piece.piece}_mask[square])
            let own = Set(all.map {{ walk(square, $0, steps) }}).sorted()
            let start = {self.start(piece)}
            {sets}.replaceSubrange(start..<start + own.count, with: own)
            for occ in all {{
                let number = own.firstIndex(of: walk(square, occ, steps))!
                {array}[{self.slot(piece)}] = {kinds[array]}(number)
            }}
        }}
"""
        for piece in unit.pieces:
            entry = self.entry(unit, piece, self.slot(piece))
            text += f"""        for square in 0..<{piece.squares} {{
            for occ in subsets({piece.piece}_mask[square]) {{
                let reached = walk(square, occ, [{steps_text(piece.piece, "(", ")")}])
                precondition({entry} == reached)
            }}
        }}
"""
        return f"{text}        return ({', '.join(lengths)})\n    }}()\n\n{_SWIFT_SUBSETS}"

    def slot(self, piece: PieceUnit) -> str:
        """The slot, an Int."""
        index = self.index(piece, f"{piece.piece}_{{}}[square]")
        index = index if piece.index.width == 64 else f"UInt64({index})"
        return f"Int({piece.piece}_offset[square] + ({index}))"

    def expression(self, unit: Unit, piece: PieceUnit) -> str:
        """A read of the buffer."""
        return self.entry(unit, piece, self.slot(piece))

    def function(self, unit: Unit, piece: PieceUnit, name: str, expression: str) -> str:
        """A static function."""
        return (
            f"    @inline(__always)\n"
            f"    {'public ' * (name == 'attacks')}static func {self.called(unit, piece, name)}"
            f"(_ square: Int, _ occ: UInt64) -> UInt64 {{\n"
            f"        return {expression}\n    }}\n\n"
        )

    def filled(self, unit: Unit, name: str, array: str) -> str:
        """A buffer that fills itself: every subset of every mask."""
        text = (
            f"    static let {array}: [UInt64] = {{\n"
            f"        var {array} = [UInt64](repeating: 0, count: {len(unit.buffers[name])})\n"
        )
        for piece in unit.pieces:
            if piece.buffer == name:
                text += f"""        for square in 0..<{piece.squares} {{
            let mask = {piece.piece}_mask[square]
            var occ: UInt64 = 0
            repeat {{
                let reached = walk(square, occ, [{steps_text(piece.piece, "(", ")")}])
                let slot = {self.slot(piece)}
                precondition({array}[slot] == 0 || {array}[slot] == reached)
                {array}[slot] = reached
                occ = (occ &- mask) & mask
            }} while occ != 0
        }}
"""
        return f"{text}        return {array}\n    }}()\n\n"


_SWIFT_SUBSETS = """    static func subsets(_ mask: UInt64) -> [UInt64] {
        var all: [UInt64] = [0]
        var occ = mask
        while occ != 0 {
            all.append(occ)
            occ = (occ &- 1) & mask
        }
        return all
    }

"""

_SWIFT_WALK = """    typealias Steps = [(Int, Int)]

    static func walk(_ square: Int, _ occ: UInt64, _ steps: Steps) -> UInt64 {
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
