//! Classical rays with bit scans: each ray is cut off behind its first blocker.

const Step = struct { file: i8, rank: i8 };
const steps = [8]Step{
    .{ .file = 0, .rank = 1 },  .{ .file = 1, .rank = 0 },  .{ .file = 1, .rank = 1 },   .{ .file = -1, .rank = 1 },
    .{ .file = 0, .rank = -1 }, .{ .file = -1, .rank = 0 }, .{ .file = -1, .rank = -1 }, .{ .file = 1, .rank = -1 },
};

const rays: [8][64]u64 = made: {
    @setEvalBranchQuota(100_000);
    var all: [8][64]u64 = undefined;
    for (steps, 0..) |step, direction| {
        for (0..64) |square| {
            var squares: u64 = 0;
            var file: i8 = @as(i8, @intCast(square % 8)) + step.file;
            var rank: i8 = @as(i8, @intCast(square / 8)) + step.rank;
            while (file >= 0 and file < 8 and rank >= 0 and rank < 8) {
                squares |= @as(u64, 1) << @intCast(8 * rank + file);
                file += step.file;
                rank += step.rank;
            }
            all[direction][square] = squares;
        }
    }
    break :made all;
};

fn ray(direction: usize, square: u6, occupied: u64) u64 {
    const whole = rays[direction][square];
    const blockers = whole & occupied;
    if (blockers == 0) return whole;
    const first: usize = if (direction < 4) @ctz(blockers) else 63 - @as(usize, @clz(blockers));
    return whole ^ rays[direction][first];
}

export fn rook_attacks(square: u8, occupied: u64) u64 {
    const at: u6 = @intCast(square & 63);
    return ray(0, at, occupied) | ray(1, at, occupied) | ray(4, at, occupied) | ray(5, at, occupied);
}

export fn bishop_attacks(square: u8, occupied: u64) u64 {
    const at: u6 = @intCast(square & 63);
    return ray(2, at, occupied) | ray(3, at, occupied) | ray(6, at, occupied) | ray(7, at, occupied);
}
