/// Twice the first blocker above, less the first one below, is all squares from one to the other.
#[inline]
fn between(line: u64, square: usize, occ: u64) -> u64 {
    let upper = line & (u64::MAX << square);
    let blockers = occ & upper;
    let below = 1u64 << (63 - ((occ & line & !upper) | 1).leading_zeros());
    let first = blockers & blockers.wrapping_neg();
    (first << 1).wrapping_sub(below) & line
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    between(RANK_LINE[square], square, occ) | between(FILE_LINE[square], square, occ)
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    between(DIAGONAL[square], square, occ) | between(ANTIDIAGONAL[square], square, occ)
}
