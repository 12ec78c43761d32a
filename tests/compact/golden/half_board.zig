// Cfish: all rook and bishop attacks in 87,988 entries.
// Written by magicert VERSION from half.toml
// (SHA-256 be708039f9579e8096da3f00013aa52da22db1ef275888d6a841368cd3ab2c81).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Squares: a1 = 0, b1 = 1, ..., h8 = 63.
// Half board: ranks 1-4; lookups for the others swap the ranks (bytes).
// Found by: Volker Annuss and Niklas Fiekas (black magics)
// This file: magicert emit half
// With another square order, such as a8 = 0, use it as it is: that board is this one turned or
// mirrored, where rook and bishop attack the same bits.
//
// Usage: once, before the first lookup,
//     const magics = @import("magics.zig");
//     magics.init();
// Then, where the bits of occupied are the occupied squares:
//     const attacks: u64 = magics.rookAttacks(square, occupied);

const std = @import("std");

const RookMagic = struct { mask: u64, magic: u64, offset: u64 };

const rook = [32]RookMagic{
    .{ .mask = 0x101010101017e, .magic = 0x80280013ff84ffff, .offset = 10890 },
    .{ .mask = 0x202020202027c, .magic = 0x5ffbfefdfef67fff, .offset = 50579 },
    .{ .mask = 0x404040404047a, .magic = 0xffeffaffeffdffff, .offset = 62020 },
    .{ .mask = 0x8080808080876, .magic = 0x3000900300008a, .offset = 67322 },
    .{ .mask = 0x1010101010106e, .magic = 0x50028010500023, .offset = 80251 },
    .{ .mask = 0x2020202020205e, .magic = 0x20012120a00020, .offset = 58503 },
    .{ .mask = 0x4040404040403e, .magic = 0x30006000c00030, .offset = 51175 },
    .{ .mask = 0x8080808080807e, .magic = 0x58005806b00002, .offset = 83130 },
    .{ .mask = 0x1010101017e00, .magic = 0x7fbff7fbfbeafffc, .offset = 50430 },
    .{ .mask = 0x2020202027c00, .magic = 0x140081050002, .offset = 21613 },
    .{ .mask = 0x4040404047a00, .magic = 0x180043800048, .offset = 72625 },
    .{ .mask = 0x8080808087600, .magic = 0x7fffe800021fffb8, .offset = 80755 },
    .{ .mask = 0x10101010106e00, .magic = 0xffffcffe7fcfffaf, .offset = 69753 },
    .{ .mask = 0x20202020205e00, .magic = 0x1800c0180060, .offset = 26973 },
    .{ .mask = 0x40404040403e00, .magic = 0x4f8018005fd00018, .offset = 84972 },
    .{ .mask = 0x80808080807e00, .magic = 0x180030620018, .offset = 31958 },
    .{ .mask = 0x10101017e0100, .magic = 0x300018010c0003, .offset = 69272 },
    .{ .mask = 0x20202027c0200, .magic = 0x3000c0085ffff, .offset = 48372 },
    .{ .mask = 0x40404047a0400, .magic = 0xfffdfff7fbfefff7, .offset = 65477 },
    .{ .mask = 0x8080808760800, .magic = 0x7fc1ffdffc001fff, .offset = 43972 },
    .{ .mask = 0x101010106e1000, .magic = 0xfffeffdffdffdfff, .offset = 57154 },
    .{ .mask = 0x202020205e2000, .magic = 0x7c108007befff81f, .offset = 53521 },
    .{ .mask = 0x404040403e4000, .magic = 0x20408007bfe00810, .offset = 30534 },
    .{ .mask = 0x808080807e8000, .magic = 0x400800558604100, .offset = 16548 },
    .{ .mask = 0x101017e010100, .magic = 0x40200010080008, .offset = 46407 },
    .{ .mask = 0x202027c020200, .magic = 0x10020008040004, .offset = 11841 },
    .{ .mask = 0x404047a040400, .magic = 0xfffdfefff7fbfff7, .offset = 21112 },
    .{ .mask = 0x8080876080800, .magic = 0xfebf7dfff8fefff9, .offset = 44214 },
    .{ .mask = 0x1010106e101000, .magic = 0xc00000ffe001ffe0, .offset = 57925 },
    .{ .mask = 0x2020205e202000, .magic = 0x4af01f00078007c3, .offset = 29574 },
    .{ .mask = 0x4040403e404000, .magic = 0xbffbfafffb683f7f, .offset = 17309 },
    .{ .mask = 0x8080807e808000, .magic = 0x807f67ffa102040, .offset = 40143 },
};

const BishopMagic = struct { mask: u64, magic: u64, offset: u64 };

const bishop = [32]BishopMagic{
    .{ .mask = 0x40201008040200, .magic = 0xa7020080601803d8, .offset = 60984 },
    .{ .mask = 0x402010080400, .magic = 0x13802040400801f1, .offset = 66046 },
    .{ .mask = 0x4020100a00, .magic = 0xa0080181001f60c, .offset = 32910 },
    .{ .mask = 0x40221400, .magic = 0x1840802004238008, .offset = 16369 },
    .{ .mask = 0x2442800, .magic = 0xc03fe00100000000, .offset = 42115 },
    .{ .mask = 0x204085000, .magic = 0x24c00bffff400000, .offset = 835 },
    .{ .mask = 0x20408102000, .magic = 0x808101f40007f04, .offset = 18910 },
    .{ .mask = 0x2040810204000, .magic = 0x100808201ec00080, .offset = 25911 },
    .{ .mask = 0x20100804020000, .magic = 0xffa2feffbfefb7ff, .offset = 63301 },
    .{ .mask = 0x40201008040000, .magic = 0x83e3ee040080801, .offset = 16063 },
    .{ .mask = 0x4020100a0000, .magic = 0xc0800080181001f8, .offset = 17481 },
    .{ .mask = 0x4022140000, .magic = 0x440007fe0031000, .offset = 59361 },
    .{ .mask = 0x244280000, .magic = 0x2010007ffc000000, .offset = 18735 },
    .{ .mask = 0x20408500000, .magic = 0x1079ffe000ff8000, .offset = 61249 },
    .{ .mask = 0x2040810200000, .magic = 0x3c0708101f400080, .offset = 68938 },
    .{ .mask = 0x4081020400000, .magic = 0x80614080fa00040, .offset = 61791 },
    .{ .mask = 0x10080402000200, .magic = 0x7ffe7fff817fcff9, .offset = 21893 },
    .{ .mask = 0x20100804000400, .magic = 0x7ffebfffa01027fd, .offset = 62068 },
    .{ .mask = 0x4020100a000a00, .magic = 0x53018080c00f4001, .offset = 19829 },
    .{ .mask = 0x402214001400, .magic = 0x407e0001000ffb8a, .offset = 26091 },
    .{ .mask = 0x24428002800, .magic = 0x201fe000fff80010, .offset = 15815 },
    .{ .mask = 0x2040850005000, .magic = 0xffdfefffde39ffef, .offset = 16419 },
    .{ .mask = 0x4081020002000, .magic = 0xcc8808000fbf8002, .offset = 59777 },
    .{ .mask = 0x8102040004000, .magic = 0x7ff7fbfff8203fff, .offset = 16288 },
    .{ .mask = 0x8040200020400, .magic = 0x8800013e8300c030, .offset = 33235 },
    .{ .mask = 0x10080400040800, .magic = 0x420009701806018, .offset = 15459 },
    .{ .mask = 0x20100a000a1000, .magic = 0x7ffeff7f7f01f7fd, .offset = 15863 },
    .{ .mask = 0x40221400142200, .magic = 0x8700303010c0c006, .offset = 75555 },
    .{ .mask = 0x2442800284400, .magic = 0xc800181810606000, .offset = 79445 },
    .{ .mask = 0x4085000500800, .magic = 0x20002038001c8010, .offset = 15917 },
    .{ .mask = 0x8102000201000, .magic = 0x87ff038000fc001, .offset = 8512 },
    .{ .mask = 0x10204000402000, .magic = 0x80c0c00083007, .offset = 73069 },
};

var attacks = std.mem.zeroes([87988]u64);

inline fn rookLower(square: usize, occ: u64) u64 {
    return attacks[@intCast(rook[square].offset + (((occ | ~rook[square].mask) *% rook[square].magic) >> 52))];
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return if (square < 32) rookLower(square, occ) else @byteSwap(rookLower(square ^ 56, @byteSwap(occ)));
}

inline fn bishopLower(square: usize, occ: u64) u64 {
    return attacks[@intCast(bishop[square].offset + (((occ | ~bishop[square].mask) *% bishop[square].magic) >> 55))];
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return if (square < 32) bishopLower(square, occ) else @byteSwap(bishopLower(square ^ 56, @byteSwap(occ)));
}

/// Call once before the first lookup. Panics at a write that would change an entry.
pub fn init() void {
    for (0..32) |square| {
        const mask = rook[square].mask;
        var occ: u64 = 0;
        while (true) {
            const reached = walk(square, occ, .{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } });
            const slot: usize = @intCast(rook[square].offset + (((occ | ~rook[square].mask) *% rook[square].magic) >> 52));
            check(attacks[slot] == 0 or attacks[slot] == reached);
            attacks[slot] = reached;
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
    for (0..32) |square| {
        const mask = bishop[square].mask;
        var occ: u64 = 0;
        while (true) {
            const reached = walk(square, occ, .{ .{ 1, 1 }, .{ 1, -1 }, .{ -1, -1 }, .{ -1, 1 } });
            const slot: usize = @intCast(bishop[square].offset + (((occ | ~bishop[square].mask) *% bishop[square].magic) >> 55));
            check(attacks[slot] == 0 or attacks[slot] == reached);
            attacks[slot] = reached;
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
}

fn check(right: bool) void {
    if (!right) @panic("a write would change an entry of the buffer");
}

fn walk(square: usize, occ: u64, steps: [4][2]i32) u64 {
    var reached: u64 = 0;
    for (steps) |step| {
        var file = @as(i32, @intCast(square & 7)) + step[0];
        var rank = @as(i32, @intCast(square >> 3)) + step[1];
        while (file >= 0 and file < 8 and rank >= 0 and rank < 8) {
            const bit = @as(u64, 1) << @as(u6, @intCast(8 * rank + file));
            reached |= bit;
            if (occ & bit != 0) break;
            file += step[0];
            rank += step[1];
        }
    }
    return reached;
}
