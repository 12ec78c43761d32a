$heading

const std = @import("std");
%% for pieces

const ${Piece}Magic = struct { $fields };

const $piece = [$squares]${Piece}Magic{
$rows
};
%% end
%% for buffers
%% if literal

const $array = [$length]$kind{
$items
};
%% else

var $array = std.mem.zeroes([$length]$kind);
%% end
%% end
%% include helpers.zig
%% for lookups

%% if public
pub inline fn $called(square: usize$occ_parameter) $bitboard {
%% else
inline fn $called(square: usize$occ_parameter) $bitboard {
%% end
    return $expression;
}
%% end
%% if literal

/// Nothing is left to do: the table is finished.
pub fn init() void {}
%% else

/// Call once before the first lookup. Panics at a write that would change an entry.
pub fn init() void {
%% for pieces
    for (0..$squares) |square| {
        const mask = $mask;
        var occ: u64 = 0;
        while (true) {
            const reached = walk(square, occ, .{ $steps });
            const slot: usize = @intCast($slot);
            check($array[slot] == 0 or $array[slot] == reached);
            $array[slot] = reached;
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
%% end
}

fn check(right: bool) void {
    if (!right) @panic("a write would change an entry of the buffer");
}

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
%% end
