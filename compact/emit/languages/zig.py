"""Zig: its wrapping operators carry a mark of their own (`*%`, `+%`, `-%`)."""

from magicert.compact.emit.language import (
    Language,
    buffer_name,
    lines,
    sets_name,
    steps_text,
    title,
)
from magicert.compact.emit.unit import Column, PieceUnit, Unit


class Zig(Language):
    """Zig: structs of consts, a buffer that is filled by init()."""

    name = "zig"
    suffix = ".zig"
    two_level = True

    def literal(self, value: int) -> str:
        """Types are inferred."""
        return str(value) if value < 256 else f"0x{value:x}"

    def word(self, value: int) -> str:
        """With its type: a literal alone is of no width."""
        return f"@as(u64, {self.literal(value)})"

    def narrow(self, function: str, word: str, width: int) -> str:
        """Truncating casts with their type."""
        if function == "hi32":
            return f"@as(u32, @truncate(@as(u64, {word}) >> 32))"
        return f"@as(u32, @truncate({word}))"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """std.math, which takes an unsigned amount modulo the width."""
        return f"std.math.rotl(u{width}, {word}, {amount})"

    def swap_bytes(self, word: str) -> str:
        """A builtin."""
        return f"@byteSwap({word})"

    def ones(self, word: str, width: int) -> str:
        """A builtin, as narrow as its values."""
        return f"@as(u64, @popCount({word}))"

    def trailing_zeros(self, word: str, width: int) -> str:
        """A builtin, as narrow as its values; the width for 0."""
        return f"@as(u64, @ctz({word}))"

    def unary(self, operator: str, operand: str, width: int) -> str:
        """`-%` wraps."""
        return f"~{operand}" if operator == "~" else f"-%{operand}"

    def binary(self, left: str, operator: str, right: str, width: int) -> str:
        """`*%`, `+%` and `-%` wrap."""
        return f"{left} {operator}{'%' if operator in '*+-' else ''} {right}"

    def shift(self, left: str, operator: str, amount: str, width: int, amount_width: int) -> str:
        """The amount's type is as narrow as the word allows."""
        kind = "u6" if width == 64 else "u5"
        amount = amount if amount.isdigit() else f"@as({kind}, @intCast({amount}))"
        return f"{left} {operator} {amount}"

    def widen(self, text: str) -> str:
        """Zero-extended."""
        return f"@as(u64, {text})"

    def cell(self, column: Column, value: int) -> str:
        """Fields are named."""
        return f".{column.name} = {self.number(column, value)}"

    def source(self, unit: Unit, literal: bool) -> str:
        """One file, which is a namespace."""
        parts = [self.heading(unit), '\nconst std = @import("std");\n']
        for piece in unit.pieces:
            name = title(piece.piece)
            fields = ", ".join(f"{column.name}: u64" for column in piece.columns)
            parts.append(f"\npub const {name}Magic = struct {{ {fields} }};\n")
            rows = self.rows(piece, ".{ ", " }")
            parts.append(f"\npub const {piece.piece} = [{piece.squares}]{name}Magic{{\n{rows}}};\n")
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
                "\n/// Call once before the first lookup.\n"
                f"pub fn init() void {{\n{fills}}}\n{_ZIG_WALK}"
            )
        return "".join(parts)

    def array(self, name: str) -> str:
        """In small letters."""
        return name

    def buffer(self, name: str, words: list[int], literal: bool, bits: int = 64) -> str:
        """An array, empty or finished."""
        kind = f"[{len(words)}]u{bits}"
        if not literal:
            return f"\nvar {name} = std.mem.zeroes({kind});\n"
        shown = self.words(words) if bits == 64 else lines([*map(str, words)], "    ", 16)
        return f"\npub const {name} = {kind}{{\n{shown}}};\n"

    def start(self, piece: PieceUnit) -> str:
        """A column."""
        return f"{piece.piece}[square].set_offset"

    def entry(self, unit: Unit, piece: PieceUnit, slot: str) -> str:
        """Indexes are usize."""
        entry = super().entry(unit, piece, f"@intCast({slot})")
        if unit.levels is None:
            return entry
        opening, rest = entry.split("[", 1)
        return f"{opening}[@intCast({rest[:-1]})]"

    def fill_levels(self, unit: Unit, piece: PieceUnit) -> str:
        """The attack sets in increasing order, and their numbers."""
        array = buffer_name(piece.buffer)
        steps = f".{{ {steps_text(piece.piece, '.{ ', ' }')} }}"
        return f"""    for (0..{piece.squares}) |square| {{
        const mask = {piece.piece}[square].mask;
        const sets = {piece.piece}_sets[@intCast({self.start(piece)})..];
        var count: usize = 0;
        var occ: u64 = 0;
        while (true) {{
            const reached = walk(square, occ, {steps});
            var place = count;
            while (place > 0 and sets[place - 1] > reached) place -= 1;
            if (place == 0 or sets[place - 1] != reached) {{
                var n = count;
                while (n > place) : (n -= 1) sets[n] = sets[n - 1];
                sets[place] = reached;
                count += 1;
            }}
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }}
        while (true) {{
            const reached = walk(square, occ, {steps});
            var number: usize = 0;
            while (sets[number] != reached) number += 1;
            const slot: usize = @intCast({self.slot(piece)});
            {array}[slot] = @intCast(number);
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }}
    }}
"""

    def check_levels(self, piece: PieceUnit) -> str:
        """Every lookup once, against the walk."""
        steps = f".{{ {steps_text(piece.piece, '.{ ', ' }')} }}"
        return f"""    for (0..{piece.squares}) |square| {{
        const mask = {piece.piece}[square].mask;
        var occ: u64 = 0;
        while (true) {{
            std.debug.assert({piece.piece}Attacks(square, occ) == walk(square, occ, {steps}));
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }}
    }}
"""

    def slot(self, piece: PieceUnit) -> str:
        """The slot, a u64."""
        return f"{piece.piece}[square].offset + ({self.index(piece, piece.piece + '[square].{}')})"

    def expression(self, unit: Unit, piece: PieceUnit) -> str:
        """A read of the buffer."""
        return self.entry(unit, piece, self.slot(piece))

    def function(self, unit: Unit, piece: PieceUnit, name: str, expression: str) -> str:
        """An inline function."""
        opening = "pub " * (name == "attacks") + "inline fn"
        return (
            f"\n{opening} {self.called(unit, piece, name)}(square: usize, occ: u64) u64 {{\n"
            f"    return {expression};\n}}\n"
        )

    def either(self, lower: str, upper: str) -> str:
        """Zig's conditional expression."""
        return f"if (square < 32) {lower} else {upper}"

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask."""
        array = buffer_name(piece.buffer)
        return f"""    for (0..{piece.squares}) |square| {{
        const mask = {piece.piece}[square].mask;
        var occ: u64 = 0;
        while (true) {{
            const reached = walk(square, occ, .{{ {steps_text(piece.piece, ".{ ", " }")} }});
            const slot: usize = @intCast({self.slot(piece)});
            std.debug.assert({array}[slot] == 0 or {array}[slot] == reached);
            {array}[slot] = reached;
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }}
    }}
"""


_ZIG_WALK = """
fn walk(square: usize, occ: u64, steps: [4][2]i32) u64 {
    var reached: u64 = 0;
    for (steps) |step| {
        var file = @as(i32, @intCast(square & 7)) + step[0];
        var rank = @as(i32, @intCast(square >> 3)) + step[1];
        while (file >= 0 and file < 8 and rank >= 0 and rank < 8) {
            const bit = @as(u64, 1) << @as(u6, @intCast(8 * rank + file));
            reached |= bit;
            if (occ & bit != 0) break;
            file += step[0];
            rank += step[1];
        }
    }
    return reached;
}
"""
