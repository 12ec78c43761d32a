const std = @import("std");
HELPERS
const W = u128;
fn fN(occ: W, mask: W, big: W, magic: u64) W { _ = .{ occ, mask, big, magic }; return EXPRESSION; }
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
pub fn main() void {
    var q: [4]u128 = undefined;
    while (read(0, @ptrCast(&q), 64) == 64) {
        { const a = fN(q[0], q[1], q[2], @truncate(q[3])); _ = write(1, @ptrCast(&a), 16); }
    }
}
