/// A line is a row of eight squares at most, so 512 bytes serve all of them. The row of a shorter
/// line goes on beyond its end, where PDEP drops it.
#[inline]
fn along([inner, line]: [u64; 2], place: u8, occ: u64) -> u64 {
    unsafe {
        let row = ROW[(place as usize) << 6 | _pext_u64(occ, inner) as usize];
        _pdep_u64(u64::from(row), line)
    }
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    let (file, rank) = (square as u8 & 7, square as u8 >> 3);
    along(RANK_SQUARES[square], file, occ) | along(FILE_SQUARES[square], rank, occ)
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    let (line, other) = (DIAGONAL_SQUARES[square], ANTIDIAGONAL_SQUARES[square]);
    along(line, DIAGONAL_PLACE[square], occ) | along(other, ANTIDIAGONAL_PLACE[square], occ)
}
