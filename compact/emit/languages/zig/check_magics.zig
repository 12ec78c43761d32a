$heading
//
// Put it beside the engine's own files. Then: zig test check_magics.zig

const std = @import("std");

// The engine's two lookups. If yours have other names or types, change these lines; start makes the tables.
const rookAttacks = @import("magics.zig").rookAttacks;
const bishopAttacks = @import("magics.zig").bishopAttacks;
fn start() void {}

const Steps = [4][2]i32;
const rook_steps = Steps{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } };
const bishop_steps = Steps{ .{ 1, 1 }, .{ 1, -1 }, .{ -1, -1 }, .{ -1, 1 } };

/// Each ray up to its first blocker; where `less` is 1, without its last square.
fn reached(square: usize, steps: Steps, occupied: u64, less: i32) u64 {
    var squares: u64 = 0;
    for (steps) |step| {
        var file = @as(i32, @intCast(square & 7)) + step[0];
        var rank = @as(i32, @intCast(square >> 3)) + step[1];
        while (((file + less * step[0]) | (rank + less * step[1])) & ~@as(i32, 7) == 0) {
            const bit = @as(u64, 1) << @as(u6, @intCast(8 * rank + file));
            squares |= bit;
            if (occupied & bit != 0) break;
            file += step[0];
            rank += step[1];
        }
    }
    return squares;
}

/// What is tried outside of the mask: each square, none, all, and some at random.
fn others(n: usize, state: *u64) u64 {
    if (n < 64) return @as(u64, 1) << @as(u6, @intCast(n));
    if (n < 66) return if (n == 64) 0 else ~@as(u64, 0);
    state.* ^= state.* << 13;
    state.* ^= state.* >> 7;
    state.* ^= state.* << 17;
    return state.*;
}

/// Of the occupancies that are answered wrongly, the one with the fewest squares is shown.
fn check(name: []const u8, comptime lookup: anytype, steps: Steps) !void {
    var state: u64 = 88172645463325252;
    for (0..64) |square| {
        const mask = reached(square, steps, 0, 1);
        var wrong: ?u64 = null;
        var occ: u64 = 0;
        while (true) {
            const expected = reached(square, steps, occ, 0);
            for (0..70) |n| {
                const more = others(n, &state);
                if (n < 64 and more & mask != 0) continue;
                const occupied = occ | (more & ~mask);
                if (lookup(square, occupied) == expected) continue;
                if (wrong) |shown| if (@popCount(shown) <= @popCount(occupied)) continue;
                wrong = occupied;
            }
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
        if (wrong) |shown| {
            std.debug.print("wrong: {s} on square {d}, occupied 0x{x:0>16}, of it in the mask " ++
                "0x{x:0>16}: expected 0x{x:0>16}, found 0x{x:0>16}\n", .{
                name, square, shown, shown & mask, reached(square, steps, shown, 0), lookup(square, shown),
            });
            return error.WrongLookup;
        }
    }
}

test "all rook lookups are right" {
    start();
    try check("rook", rookAttacks, rook_steps);
}

test "all bishop lookups are right" {
    start();
    try check("bishop", bishopAttacks, bishop_steps);
}
