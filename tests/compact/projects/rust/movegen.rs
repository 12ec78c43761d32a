use crate::v@N;
pub fn bishops@N(square: usize, occupied: u64) -> u64 { @BISHOP attacks }
