const every: u64 = 0xffffffffffffffff;
const not_a: u64 = 0xfefefefefefefefe;
const not_h: u64 = 0x7f7f7f7f7f7f7f7f;

/// The squares of a set spread over free ones, each step twice as far.
inline fn spreadUp(set: u64, free: u64, comptime by: u6, kept: u64) u64 {
    var from = set;
    var open = free & kept;
    from |= open & (from << by);
    open &= open << by;
    from |= open & (from << 2 * by);
    open &= open << 2 * by;
    from |= open & (from << 4 * by);
    return (from << by) & kept;
}

inline fn spreadDown(set: u64, free: u64, comptime by: u6, kept: u64) u64 {
    var from = set;
    var open = free & kept;
    from |= open & (from >> by);
    open &= open >> by;
    from |= open & (from >> 2 * by);
    open &= open >> 2 * by;
    from |= open & (from >> 4 * by);
    return (from >> by) & kept;
}

/// The squares that all rooks of a set attack.
pub inline fn allRookAttacks(rooks: u64, occ: u64) u64 {
    return spreadUp(rooks, ~occ, 8, every) | spreadUp(rooks, ~occ, 1, not_a) |
        spreadDown(rooks, ~occ, 8, every) | spreadDown(rooks, ~occ, 1, not_h);
}

/// The squares that all bishops of a set attack.
pub inline fn allBishopAttacks(bishops: u64, occ: u64) u64 {
    return spreadUp(bishops, ~occ, 9, not_a) | spreadUp(bishops, ~occ, 7, not_h) |
        spreadDown(bishops, ~occ, 9, not_h) | spreadDown(bishops, ~occ, 7, not_a);
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return allRookAttacks(@as(u64, 1) << @intCast(square), occ);
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return allBishopAttacks(@as(u64, 1) << @intCast(square), occ);
}
