// Tables of two squares that Zig makes when it compiles.

const Square = enum(u6) { _ };
const Bitboard = packed struct { word: u64 };

fn after(square: i32, d: usize) ?i32 {
    const dx = [8]i32{ 1, -1, 0, 0, 1, -1, 1, -1 };
    const dy = [8]i32{ 0, 0, 1, -1, 1, -1, -1, 1 };
    const x = @mod(square, 8) + dx[d];
    const y = @divFloor(square, 8) + dy[d];
    if (x < 0 or x > 7 or y < 0 or y > 7) return null;
    return 8 * y + x;
}

fn bit(square: i32) u64 {
    return @as(u64, 1) << @intCast(square);
}

fn make() [64][64]u64 {
    @setEvalBranchQuota(1_000_000);
    var table: [64][64]u64 = undefined;
    for (0..64) |a| {
        for (0..64) |b| table[a][b] = 0;
        for (0..8) |d| {
            var inside: u64 = 0;
            var next = after(@intCast(a), d);
            while (next) |b| {
                table[a][@intCast(b)] = inside;
                inside |= bit(b);
                next = after(b, d);
            }
        }
    }
    return table;
}

pub const BETWEEN = make();

pub fn between(a: Square, b: Square) Bitboard {
    return .{ .word = BETWEEN[@intFromEnum(a)][@intFromEnum(b)] };
}
