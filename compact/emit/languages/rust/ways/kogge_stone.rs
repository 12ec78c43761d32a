const NOT_A: u64 = 0xfefefefefefefefe;
const NOT_H: u64 = 0x7f7f7f7f7f7f7f7f;

/// The squares of a set spread over free ones, each step twice as far.
#[inline]
fn spread_up(mut from: u64, mut open: u64, by: u32, kept: u64) -> u64 {
    open &= kept;
    from |= open & from << by;
    open &= open << by;
    from |= open & from << (2 * by);
    open &= open << (2 * by);
    from |= open & from << (4 * by);
    from << by & kept
}

#[inline]
fn spread_down(mut from: u64, mut open: u64, by: u32, kept: u64) -> u64 {
    open &= kept;
    from |= open & from >> by;
    open &= open >> by;
    from |= open & from >> (2 * by);
    open &= open >> (2 * by);
    from |= open & from >> (4 * by);
    from >> by & kept
}

/// The squares that all rooks of a set attack.
#[inline]
pub fn all_rook_attacks(rooks: u64, occ: u64) -> u64 {
    spread_up(rooks, !occ, 8, u64::MAX)
        | spread_up(rooks, !occ, 1, NOT_A)
        | spread_down(rooks, !occ, 8, u64::MAX)
        | spread_down(rooks, !occ, 1, NOT_H)
}

/// The squares that all bishops of a set attack.
#[inline]
pub fn all_bishop_attacks(bishops: u64, occ: u64) -> u64 {
    spread_up(bishops, !occ, 9, NOT_A)
        | spread_up(bishops, !occ, 7, NOT_H)
        | spread_down(bishops, !occ, 9, NOT_H)
        | spread_down(bishops, !occ, 7, NOT_A)
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    all_rook_attacks(1 << square, occ)
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    all_bishop_attacks(1 << square, occ)
}
