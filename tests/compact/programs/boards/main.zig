extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
%% for tables
const ${table} = @import("${table}.zig");
%% end
pub fn main() void {
    var q: [3]u64 = undefined;
%% for pieces
    for (0..$count) |_| { _ = read(0, @ptrCast(&q), 24); const word: u128 = ${table}.$function(@intCast(q[0]), @truncate(@as(u128, q[2]) << 64 | q[1])); _ = write(1, @ptrCast(&word), 16); }
%% end
}
