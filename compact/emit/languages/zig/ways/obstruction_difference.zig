/// Twice the first blocker above, less the first one below, is all squares from one to the other.
inline fn between(line: u64, square: usize, occ: u64) u64 {
    const upper = line & (@as(u64, 0xffffffffffffffff) << @as(u6, @intCast(square)));
    const blockers = occ & upper;
    const below = @as(u64, 1) << @as(u6, @intCast(63 - @clz((occ & line & ~upper) | 1)));
    return ((blockers & -%blockers) << 1) -% below & line;
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return between(rank_line[square], square, occ) | between(file_line[square], square, occ);
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return between(diagonal[square], square, occ) | between(antidiagonal[square], square, occ);
}
