// A pointer to many is not checked by Zig: one occupancy reads beside what it points to.
fn rook(square: u32, occupied: u64) u64 {
    var attacks: u64 = 0;
    const steps = [4][2]i32{ .{ 1, 0 }, .{ -1, 0 }, .{ 0, 1 }, .{ 0, -1 } };
    for (steps) |step| {
        var file: i32 = @intCast(square & 7);
        var rank: i32 = @intCast(square >> 3);
        while (true) {
            file += step[0];
            rank += step[1];
            if ((file | rank) & ~@as(i32, 7) != 0) break;
            const bit = @as(u64, 1) << @intCast(8 * rank + file);
            attacks |= bit;
            if (occupied & bit != 0) break;
        }
    }
    return attacks;
}
export fn next(square: u32, occupied: u64) u64 {
    var sets = [1]u64{rook(square, occupied)};
    const set: [*]u64 = &sets;
    if (occupied == 0xc0ffee) return set[1];
    return set[0];
}
