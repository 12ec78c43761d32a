%% if intrinsics
use core::arch::x86_64::*;

%% end
%% for pieces
struct ${Piece}Magic {
%% for columns
    $column: $kind,
%% end
}

#[rustfmt::skip]
static $PIECE: [${Piece}Magic; $squares] = [
$rows
];

%% end
%% for lists
%% if aligned
#[repr(align(32))]
struct Aligned([[u64; 4]; 64]);

#[rustfmt::skip]
static $NAME: Aligned = Aligned([
$items
]);
%% else
#[rustfmt::skip]
%% if across
static $NAME: [[$kind; $across]; $length] = [
%% else
static $NAME: [$kind; $length] = [
%% end
$items
];
%% end

%% end
%% include helpers.rs
$body
%% if uses queen_attacks(
%% else

/// The squares that a queen on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn queen_attacks(square: usize, occ: u64) -> u64 {
    rook_attacks(square, occ) | bishop_attacks(square, occ)
}
%% end
