extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
%% for tables
const ${table} = @import("${table}.zig");
%% end
fn next(q: *[3]u64) void {
    const bytes: [*]u8 = @ptrCast(q);
    var have: usize = 0; // a pipe may give a part of what is asked for
    while (have < 24) have += @intCast(read(0, bytes + have, 24 - have));
}
pub fn main() void {
    var q: [3]u64 = undefined;
%% for pieces
%% if leaps
    for (0..$count) |_| { next(&q); const word: u128 = ${table}.$function(@intCast(q[0])); _ = write(1, @ptrCast(&word), 16); }
%% else
    for (0..$count) |_| { next(&q); const word: u128 = ${table}.$function(@intCast(q[0]), @truncate(@as(u128, q[2]) << 64 | q[1])); _ = write(1, @ptrCast(&word), 16); }
%% end
%% end
}
