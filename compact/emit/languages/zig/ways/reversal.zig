/// occupied - square runs to the first blocker above; with all bits reversed, to the first one
/// below. ARM has an instruction for it.
inline fn bothWays(line: u64, bit: u64, occ: u64) u64 {
    const above = (occ & line) -% bit;
    const below = @bitReverse(@bitReverse(occ & line) -% @bitReverse(bit));
    return (above ^ below) & line;
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    const bit = @as(u64, 1) << @intCast(square);
    return bothWays(rank_line[square], bit, occ) | bothWays(file_line[square], bit, occ);
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    const bit = @as(u64, 1) << @intCast(square);
    return bothWays(diagonal[square], bit, occ) | bothWays(antidiagonal[square], bit, occ);
}
