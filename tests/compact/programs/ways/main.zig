const ways = .{
%% for ways
    @import("$file"),
%% end
};
extern "c" fn printf([*:0]const u8, ...) i32;

fn walk(square: usize, occ: u64, steps: [4][2]i32, mask: *u64) u64 {
    var reached: u64 = 0;
    for (steps) |step| {
        var file = @as(i32, @intCast(square & 7)) + step[0];
        var rank = @as(i32, @intCast(square >> 3)) + step[1];
        var going = true;
        while (file >= 0 and file < 8 and rank >= 0 and rank < 8) {
            const bit = @as(u64, 1) << @as(u6, @intCast(8 * rank + file));
            if (going) reached |= bit;
            if (occ & bit != 0) going = false;
            file += step[0];
            rank += step[1];
            if (file >= 0 and file < 8 and rank >= 0 and rank < 8) mask.* |= bit;
        }
    }
    return reached;
}

fn tried(comptime w: type, square: usize, occ: u64, bishop: bool) u64 {
    const rooks = [4][2]i32{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } };
    const bishops = [4][2]i32{ .{ 1, 1 }, .{ 1, -1 }, .{ -1, -1 }, .{ -1, 1 } };
    var mask: u64 = 0;
    const right = walk(square, occ, if (bishop) bishops else rooks, &mask);
    for ([_]u64{ occ, occ | ~mask }) |all| {
        const found = if (bishop) w.bishopAttacks(square, all) else w.rookAttacks(square, all);
        const other = if (bishop) w.rookAttacks(square, all) else w.bishopAttacks(square, all);
        if (found != right or w.queenAttacks(square, all) != found | other) @panic("wrong");
    }
    return mask;
}

pub fn main() void {
    var lookups: i32 = 0;
    inline for (ways) |w| for (0..128) |n| {
        var occ: u64 = 0;
        while (true) {
            const mask = tried(w, n & 63, occ, n > 63);
            lookups += 1;
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    };
    _ = printf("%d", lookups);
}
