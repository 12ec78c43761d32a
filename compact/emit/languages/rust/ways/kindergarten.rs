/// A multiplication gathers the six inner squares of a line, one for each file (of a file, one for
/// each rank), into an index. The word found has the pattern on every rank.
#[inline]
fn by_files(line: u64, square: usize, occ: u64) -> u64 {
    let inner = (occ & line).wrapping_mul(0x0202020202020202) >> 58;
    EVERY_RANK[(square & 7) << 6 | inner as usize] & line
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    let file = square & 7;
    let inner = (occ >> file & 0x0101010101010101).wrapping_mul(0x0080402010080400) >> 58;
    by_files(RANK_LINE[square], square, occ) | A_FILE[(square >> 3) << 6 | inner as usize] << file
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    by_files(DIAGONAL[square], square, occ) | by_files(ANTIDIAGONAL[square], square, occ)
}
