@SHARED
pub fn bishops@N(square: usize, occupied: u64) u64 { @BISHOP return attacks; }
