const std = @import("std");
$helpers
const W = u128;
%% for formulas
fn index$n(occ: W, mask: W, big: W, magic: u64) W { _ = .{ occ, mask, big, magic }; return $shown; }
%% end
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
pub fn main() void {
    var q: [4]u128 = undefined;
    while (read(0, @ptrCast(&q), 64) == 64) {
%% for formulas
        { const a = index$n(q[0], q[1], q[2], @truncate(q[3])); _ = write(1, @ptrCast(&a), 16); }
%% end
    }
}
