/// A multiplication gathers the six inner squares of a line, one for each file (of a file, one for
/// each rank), into an index. The word found has the pattern on every rank.
inline fn byFiles(line: u64, square: usize, occ: u64) u64 {
    const inner: usize = @intCast((occ & line) *% 0x0202020202020202 >> 58);
    return every_rank[(square & 7) << 6 | inner] & line;
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    const file: u6 = @intCast(square & 7);
    const inner: usize = @intCast((occ >> file & 0x0101010101010101) *% 0x0080402010080400 >> 58);
    return byFiles(rank_line[square], square, occ) | a_file[(square >> 3) << 6 | inner] << file;
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return byFiles(diagonal[square], square, occ) | byFiles(antidiagonal[square], square, occ);
}
