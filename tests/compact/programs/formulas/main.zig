const std = @import("std");
$helpers
%% for formulas
fn index$n(occ: u64, mask: u64) u64 { _ = .{ occ, mask }; return $shown; }
%% end
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
pub fn main() void {
    var q: [2]u64 = undefined;
    while (read(0, @ptrCast(&q), 16) == 16) {
%% for formulas
        { const a = index$n(q[0], q[1]); _ = write(1, @ptrCast(&a), 8); }
%% end
    }
}
