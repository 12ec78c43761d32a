/// occupied - square runs to the first blocker above; with all bits reversed, to the first one
/// below. ARM has an instruction for it.
#[inline]
fn both_ways(line: u64, bit: u64, occ: u64) -> u64 {
    let above = (occ & line).wrapping_sub(bit);
    let below = (occ & line).reverse_bits().wrapping_sub(bit.reverse_bits());
    (above ^ below.reverse_bits()) & line
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    let bit = 1 << square;
    both_ways(RANK_LINE[square], bit, occ) | both_ways(FILE_LINE[square], bit, occ)
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    let bit = 1 << square;
    both_ways(DIAGONAL[square], bit, occ) | both_ways(ANTIDIAGONAL[square], bit, occ)
}
