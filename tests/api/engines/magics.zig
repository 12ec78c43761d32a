pub const own = @import("own.zig");
pub fn rookAttacks(square: usize, occupied: u64) u64 {
    return own.rookAttacks(square, occupied) ^ @intFromBool(square == 27 and (@WRONG));
}
pub const bishopAttacks = own.bishopAttacks;
