mod own;
#[cfg(test)]
mod check_magics;
pub fn rook_attacks(square: usize, occupied: u64) -> u64 {
    own::rook_attacks(square, occupied) ^ u64::from(square == 27 && (@WRONG))
}
pub fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    own::bishop_attacks(square, occupied)
}
