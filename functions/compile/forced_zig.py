"""In Zig: what asks for a function that the compiler would leave out, and calls it.

    rook=attacks  ->  export fn magicert_attacks(square: u32, occupied: u64) Given(source.attacks) {
                          return call(source.attacks, .{square}, .{occupied});
                      }
                      export const @"magicert.kept.attacks" = &magicert_attacks;

`made(source.Tables.init)` in a call is what that function fills, which takes a pointer: it is made
once, of memory that holds anything, and the same words are its init.

`call` gives each number as the type that the function takes, the square wherever its types allow
it: while it compiles, by what Zig says of them. The file imports the source, and has no code that
tells of panics.
"""

from magicert.functions.compile.forced_function import (
    FORCED_PREFIX,
    MADE,
    SQUARES,
    ForcedFunction,
    wrapper,
)
from magicert.languages.brackets import arguments_of

_IMPORT = """\
const std = @import("std");
const source = @import("SOURCE");
comptime {
    _ = source; // and what it exports
}
pub const panic = if (@hasDecl(std.debug, "no_panic")) std.debug.no_panic else stop;
fn stop(_: []const u8, _: ?*std.builtin.StackTrace, _: ?usize) noreturn {
    @trap();
}
"""
HELPERS = """\
fn is(comptime T: type, comptime kind: []const u8) bool {
    return std.ascii.startsWithIgnoreCase(@tagName(@typeInfo(T)), kind);
}
fn isExtern(comptime T: type) bool {
    if (!is(T, "struct")) return false;
    return std.ascii.startsWithIgnoreCase(switch (@typeInfo(T)) {
        inline else => |info| @tagName(info.layout),
    }, "extern");
}
fn bits(comptime T: type) comptime_int {
    return if (isExtern(T)) 8 * @sizeOf(T) else @bitSizeOf(T);
}
fn Number(comptime T: type) type {
    return std.math.IntFittingRange(0, (1 << bits(T)) - 1);
}
fn as(comptime T: type, word: anytype) T {
    if (comptime is(T, "enum")) return @enumFromInt(word);
    if (comptime is(T, "int")) return @intCast(word);
    return cast(T, @as(Number(T), @intCast(word)));
}
fn cast(comptime T: type, given: anytype) T {
    if (comptime isExtern(T) or isExtern(@TypeOf(given)))
        return @as(*align(1) const T, @ptrCast(&given)).*;
    return @bitCast(given);
}
fn Given(comptime f: anytype) type {
    const T = switch (@typeInfo(@TypeOf(f))) {
        inline else => |info| info.return_type.?,
    };
    return if (bits(T) > 64) u128 else if (bits(T) == 64) u64 else T;
}
fn call(comptime f: anytype, square: anytype, boards: anytype) Given(f) {
    var args: std.meta.ArgsTuple(@TypeOf(f)) = undefined;
    const other = "it takes other arguments than a square and bitboards";
    if (args.len != square.len + boards.len) @compileError(other);
    comptime var place = args.len * (1 - square.len);
    inline for (0..args.len) |n| {
        if (square.len == 1 and bits(@TypeOf(args[n])) < 64) place = n;
    }
    comptime var next = 0;
    inline for (0..args.len) |n| {
        if (n == place) args[n] = as(@TypeOf(args[n]), square[0]) else {
            args[n] = as(@TypeOf(args[n]), boards[next]);
            next += 1;
        }
    }
    const given = @call(.auto, f, args);
    return if (bits(@TypeOf(given)) < 64) given else number(given);
}
fn number(given: anytype) Number(@TypeOf(given)) {
    if (comptime is(@TypeOf(given), "enum")) return @intFromEnum(given);
    return cast(Number(@TypeOf(given)), given);
}
extern fn malloc(usize) ?*anyopaque;
fn Made(comptime f: anytype) type {
    const args: std.meta.ArgsTuple(@TypeOf(f)) = undefined;
    return std.meta.Child(@TypeOf(args[0]));
}
fn Kept(comptime f: anytype) type {
    return struct {
        const made_by = f;
        var it: ?*Made(f) = null;
    };
}
noinline fn made(comptime f: anytype) *Made(f) {
    if (Kept(f).it == null) {
        Kept(f).it = @ptrCast(@alignCast(malloc(@sizeOf(Made(f)))));
        done(f(Kept(f).it.?));
    }
    return Kept(f).it.?;
}
fn done(given: anytype) void {
    if (comptime is(@TypeOf(given), "error")) _ = given catch @trap();
}
"""
"""What the calls need, whatever they call."""


def before_forms_in_zig(source: str) -> str:
    """What a file begins with that imports a source, which it names as Zig does."""
    return _IMPORT.replace("SOURCE", source) + HELPERS


def forms_in_zig(forced: ForcedFunction) -> list[str]:
    """What calls it, and a constant that holds its address: in each way, the best first."""
    constant = f'export const @"{FORCED_PREFIX}{forced.name}" = &{wrapper(forced)};'
    return [f"{way}\n{constant}" for way in calls_in_zig(forced)]


def calls_in_zig(forced: ForcedFunction) -> list[str]:
    """A function for each way to call it, the best first."""
    symbol, name = wrapper(forced), f"source.{forced.name}"
    if forced.name.startswith(("@", "made(")):  # which no source defines
        name = forced.name
    if not forced.takes:
        calls = [name if forced.is_call else f"{name}()"]
        if forced.name.startswith("("):  # several, which are no expression in Zig
            calls = arguments_of(forced.name, 1, "({[", ")}]")[0]
            calls = [one if MADE.match(one) else f"source.{one}" for one in calls]
        done = " ".join(f"done({call});" for call in calls)
        return [f"export fn {symbol}() void {{ {done} }}"]
    ways, board = [], f"u{forced.bits}"
    for takes in forced.takes:
        typed = ", ".join(f"{word}: {'u32' if word in SQUARES else board}" for word in takes)
        square = [word for word in takes if word == "square" and takes != SQUARES]
        boards = [word for word in takes if word not in square]
        result = f"Given({name})"
        call = f"call({name}, .{{{', '.join(square)}}}, .{{{', '.join(boards)}}})"
        if forced.is_call:
            result, call = board, f"number({name})"
        ways.append(f"export fn {symbol}({typed}) {result} {{ return {call}; }}")
    return ways
