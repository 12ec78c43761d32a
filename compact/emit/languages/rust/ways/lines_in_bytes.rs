/// A multiplication gathers the six inner squares of a line, 512 bytes serve all lines, and another
/// one spreads the byte over all ranks.
#[inline]
fn by_files(line: u64, square: usize, occ: u64) -> u64 {
    let inner = (occ & line).wrapping_mul(0x0202020202020202) >> 58;
    (ROW[(square & 7) << 6 | inner as usize] as u64).wrapping_mul(0x0101010101010101) & line
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    let a_file = 0x0101010101010101u64;
    let (file, rank) = (square & 7, square >> 3);
    let along = ROW[file << 6 | (occ >> (8 * rank) >> 1 & 63) as usize] as u64;
    let inner = (occ >> file & a_file).wrapping_mul(0x0004081020408000) >> 58;
    let byte = ROW[rank << 6 | inner as usize] as u64;
    // Bit i to bit 8 * i, seven bits at a time: bit 7 would meet bit 0 on its way.
    let up = (byte & 127).wrapping_mul(0x0002040810204081) & a_file | byte >> 7 << 56;
    along << (8 * rank) | up << file
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    by_files(DIAGONAL[square], square, occ) | by_files(ANTIDIAGONAL[square], square, occ)
}
