%% for lookups
/// The squares that a $piece on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
#[rustfmt::skip]
%% if public
pub fn $called(square: usize, occ: u64) -> u64 {
%% else
fn $called(square: usize, occ: u64) -> u64 {
%% end
    $expression
}

%% end
