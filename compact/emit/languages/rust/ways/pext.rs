/// An instruction gathers the squares of the mask into the index.
#[inline]
fn looked_up([mask, start]: [u64; 2], occ: u64) -> u64 {
    SETS[(start + unsafe { _pext_u64(occ, mask) }) as usize]
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    looked_up(ROOK_PLACE[square], occ)
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    looked_up(BISHOP_PLACE[square], occ)
}
