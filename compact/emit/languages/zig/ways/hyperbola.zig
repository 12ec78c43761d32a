/// occupied - square runs to the first blocker above; on the board with its ranks swapped, to the
/// first one below. Ranks, which a byte swap does not turn round, are looked up in 512 bytes.
inline fn bothWays(line: u64, bit: u64, occ: u64) u64 {
    const above = (occ & line) -% bit;
    const below = @byteSwap(@byteSwap(occ & line) -% @byteSwap(bit));
    return (above ^ below) & line;
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    const first: u6 = @intCast(square & 56);
    const rank: u64 = row[(square & 7) << 6 | @as(usize, @intCast(occ >> first >> 1 & 63))];
    return bothWays(file_line[square], @as(u64, 1) << @intCast(square), occ) | rank << first;
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    const bit = @as(u64, 1) << @intCast(square);
    return bothWays(diagonal[square], bit, occ) | bothWays(antidiagonal[square], bit, occ);
}
