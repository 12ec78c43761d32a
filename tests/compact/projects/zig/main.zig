const movegen = @import("movegen.zig");
%% for tables
$head
%% end
pub const PieceType = enum { pawn, bishop, rook };
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
%% for tables
fn rooks${n}(square: usize, occupied: u64) u64 { $rook return attacks; }
%% end
pub fn main() void {
%% for tables
    $once
%% end
    var query: [2]u64 = undefined;
    var n: usize = 0;
    while (read(0, @ptrCast(&query), 16) == 16) : (n += 1) {
        const square: usize = @intCast(query[0]);
        const occ = query[1];
        const rook = n < 102400;
%% for tables
        { const found = if (rook) rooks${n}(square, occ) else movegen.bishops${n}(square, occ); _ = write(1, @ptrCast(&found), 8); }
%% end
    }
}
