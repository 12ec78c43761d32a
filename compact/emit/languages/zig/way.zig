$heading

%% if several
const builtin = @import("builtin");
const std = @import("std");

%% for choices
%% if first
const way = if ($condition) struct {
%% else
%% if condition
} else if ($condition) struct {
%% else
} else struct {
%% end
%% end
$part
%% end
};

pub const rookAttacks = way.rookAttacks;
pub const bishopAttacks = way.bishopAttacks;
pub const queenAttacks = way.queenAttacks;
%% else
%% for choices
$part
%% end
%% end

// Compiled by itself, the file is a library for C.
comptime {
    if (@import("root") == @This()) {
        _ = struct {
            export fn rook_attacks(square: usize, occ: u64) u64 {
                return rookAttacks(square, occ);
            }
            export fn bishop_attacks(square: usize, occ: u64) u64 {
                return bishopAttacks(square, occ);
            }
            export fn queen_attacks(square: usize, occ: u64) u64 {
                return queenAttacks(square, occ);
            }
%% if setwise
            export fn all_rook_attacks(rooks: u64, occ: u64) u64 {
                return allRookAttacks(rooks, occ);
            }
            export fn all_bishop_attacks(bishops: u64, occ: u64) u64 {
                return allBishopAttacks(bishops, occ);
            }
%% end
        };
    }
}
