"""Zig: its wrapping operators carry a mark of their own (`*%`, `+%`, `-%`)."""

from typing import ClassVar

from magicert.compact.emit.records import Records
from magicert.compact.emit.unit import PieceUnit, Unit


class Zig(Records):
    """Zig: structs of consts, a buffer that is filled by init()."""

    name = "zig"
    suffix = ".zig"
    usage = """
Usage: once, before the first lookup,
    const $stem = @import("$filename");
    $stem.init();
Then, where the bits of occupied are the occupied squares:
    const attacks: u64 = $stem.$called(square, occupied);
"""
    # A literal alone is of no width. The type of a shift's amount is as narrow as the word allows.
    typed = "@as(u64, $value)"
    low32 = "@as(u32, @truncate($word))"
    high32 = "@as(u32, @truncate(@as(u64, $word) >> 32))"
    rotated = "std.math.rotl(u$width, $word, $amount)"
    swapped = "@byteSwap($word)"
    counted = "@as(u64, @popCount($word))"
    trailing = "@as(u64, @ctz($word))"
    negated = "-%$word"
    arithmetic = "$word $operator% $right"
    shift_amounts = ("$word", "@as(u$log, @intCast($word))")
    widened = "@as(u64, $word)"
    array_name = "$name"
    either = "if (square < 32) $lower else $upper"
    kinds: ClassVar = {8: "u8", 16: "u16", 64: "u64"}
    public = "pub "
    step = (".{ ", " }")
    row = (".{ ", " }")
    cell = ".$column = $value"
    read = "$piece[square].$column"
    declared = "$column: u64"
    between = ", "
    record = """
const ${Piece}Magic = struct { $fields };

const $piece = [$squares]${Piece}Magic{
$rows};
"""
    empty = "\nvar $array = std.mem.zeroes([$length]$kind);\n"
    finished = "\nconst $array = [$length]$kind{\n$items};\n"
    function = """
${public}inline fn $called(square: usize, occ: u64) u64 {
    return $expression;
}
"""
    file = '$heading\nconst std = @import("std");\n$columns$buffers$lookups$filling'
    filling = """
/// Call once before the first lookup. Panics at a write that would change an entry.
pub fn init() void {
$fills}

fn check(right: bool) void {
    if (!right) @panic("a write would change an entry of the buffer");
}
$walk"""
    nothing_to_fill = """
/// Nothing is left to do: the table is finished.
pub fn init() void {}
"""
    walk = """
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
    write_once = """check($array[slot] == 0 or $array[slot] == reached);
            $array[slot] = reached;"""
    add_layer = "$array[slot] |= reached;"
    check_layer = "check(($found) == reached);"
    fill = """    for (0..$squares) |square| {
        const mask = $mask;
        var occ: u64 = 0;
        while (true) {
            const reached = walk(square, occ, .{ $steps });
            const slot: usize = @intCast($slot);
            $write
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
"""
    fill_levels = """    for (0..$squares) |square| {
        const mask = $mask;
        const sets = $sets[@intCast($start)..];
        var count: usize = 0;
        var occ: u64 = 0;
        while (true) {
            const reached = walk(square, occ, .{ $steps });
            var place = count;
            while (place > 0 and sets[place - 1] > reached) place -= 1;
            if (place == 0 or sets[place - 1] != reached) {
                var n = count;
                while (n > place) : (n -= 1) sets[n] = sets[n - 1];
                sets[place] = reached;
                count += 1;
            }
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
        while (true) {
            const reached = walk(square, occ, .{ $steps });
            var number: usize = 0;
            while (sets[number] != reached) number += 1;
            const slot: usize = @intCast($slot);
            $array[slot] = @intCast(number);
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
"""
    check_levels = """    for (0..$squares) |square| {
        const mask = $mask;
        var occ: u64 = 0;
        while (true) {
            check($attacks(square, occ) == walk(square, occ, .{ $steps }));
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
"""

    def parts(self, unit: Unit, literal: bool) -> dict[str, str]:
        """An engine calls the same whether its table is finished or not."""
        parts = super().parts(unit, literal)
        return {**parts, "filling": parts["filling"] or self.nothing_to_fill}

    def loaded(self, unit: Unit, piece: PieceUnit, slot: str) -> str:
        """Indexes are usize."""
        word = super().loaded(unit, piece, f"@intCast({slot})")
        if unit.levels is None:
            return word
        opening, rest = word.split("[", 1)
        return f"{opening}[@intCast({rest[:-1]})]"
