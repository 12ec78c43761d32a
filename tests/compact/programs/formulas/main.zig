const std = @import("std");
HELPERS
fn fN(occ: u64, mask: u64) u64 { _ = .{ occ, mask }; return EXPRESSION; }
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
pub fn main() void {
    var q: [2]u64 = undefined;
    while (read(0, @ptrCast(&q), 16) == 16) {
        { const a = fN(q[0], q[1]); _ = write(1, @ptrCast(&a), 8); }
    }
}
