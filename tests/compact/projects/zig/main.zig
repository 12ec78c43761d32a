const movegen = @import("movegen.zig");
@HEAD
pub const PieceType = enum { pawn, bishop, rook };
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
fn rooks@N(square: usize, occupied: u64) u64 { @ROOK return attacks; }
pub fn main() void {
    @ONCE
    var query: [2]u64 = undefined;
    var n: usize = 0;
    while (read(0, @ptrCast(&query), 16) == 16) : (n += 1) {
        const square: usize = @intCast(query[0]);
        const occ = query[1];
        const rook = n < 102400;
        { const found = if (rook) rooks@N(square, occ) else movegen.bishops@N(square, occ); _ = write(1, @ptrCast(&found), 8); }
    }
}
