/// An entry has a bit for each square of the lines, 14 at most, and PDEP puts them in their places.
#[inline]
fn looked_up([mask, lines, start]: [u64; 3], occ: u64) -> u64 {
    unsafe {
        let packed = PACKED_SETS[(start + _pext_u64(occ, mask)) as usize];
        _pdep_u64(u64::from(packed), lines)
    }
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    looked_up(ROOK_SQUARES[square], occ)
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    looked_up(BISHOP_SQUARES[square], occ)
}
