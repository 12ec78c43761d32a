const a_file: u64 = 0x0101010101010101;

/// A multiplication gathers the six inner squares of a line, 512 bytes serve all lines, and another
/// one spreads the byte over all ranks.
inline fn byFiles(line: u64, square: usize, occ: u64) u64 {
    const inner: usize = @intCast((occ & line) *% 0x0202020202020202 >> 58);
    return @as(u64, row[(square & 7) << 6 | inner]) *% a_file & line;
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    const file: u6 = @intCast(square & 7);
    const first: u6 = @intCast(square & 56);
    const along: u64 = row[@as(usize, file) << 6 | @as(usize, @intCast(occ >> first >> 1 & 63))];
    const inner: usize = @intCast((occ >> file & a_file) *% 0x0004081020408000 >> 58);
    const byte: u64 = row[(square >> 3) << 6 | inner];
    // Bit i to bit 8 * i, seven bits at a time: bit 7 would meet bit 0 on its way.
    const up = ((byte & 127) *% 0x0002040810204081 & a_file) | byte >> 7 << 56;
    return along << first | up << file;
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return byFiles(diagonal[square], square, occ) | byFiles(antidiagonal[square], square, occ);
}
