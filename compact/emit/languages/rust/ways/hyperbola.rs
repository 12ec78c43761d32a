/// occupied - square runs to the first blocker above; on the board with its ranks swapped, to the
/// first one below. Ranks, which a byte swap does not turn round, are looked up in 512 bytes.
#[inline]
fn both_ways(line: u64, bit: u64, occ: u64) -> u64 {
    let above = (occ & line).wrapping_sub(bit);
    let below = (occ & line).swap_bytes().wrapping_sub(bit.swap_bytes());
    (above ^ below.swap_bytes()) & line
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    let first = square & 56;
    let rank = ROW[(square & 7) << 6 | (occ >> first >> 1 & 63) as usize] as u64;
    both_ways(FILE_LINE[square], 1 << square, occ) | rank << first
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    let bit = 1 << square;
    both_ways(DIAGONAL[square], bit, occ) | both_ways(ANTIDIAGONAL[square], bit, occ)
}
