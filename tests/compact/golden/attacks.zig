// Cfish: all rook and bishop attacks in 87,988 entries.
// Written by magicert VERSION from cfish_black.toml
// (SHA-256 ec63fb7ae2825a348247a39fdf3e90ad70a18b0e587d48bd0a6b95d0854076f4).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Squares: a1 = 0, b1 = 1, ..., h8 = 63.
// Found by: Volker Annuss and Niklas Fiekas (black magics)
// This file: magicert emit cfish_black
// With another square order, such as a8 = 0, use it as it is: that board is this one turned or
// mirrored, where rook and bishop attack the same bits.
// To check its numbers: magicert verify magics.zig
// To prove its functions: magicert verify magics.zig --function rook=rookAttacks --function bishop=bishopAttacks --init init
//
// Usage: once, before the first lookup,
//     const magics = @import("magics.zig");
//     magics.init();
// Then, where the bits of occupied are the occupied squares:
//     const attacks: u64 = magics.rookAttacks(square, occupied);

const std = @import("std");

const RookMagic = struct { mask: u64, magic: u64, offset: u64 };

const rook = [64]RookMagic{
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
    .{ .mask = 0x1017e01010100, .magic = 0x200008e800300030, .offset = 64659 },
    .{ .mask = 0x2027c02020200, .magic = 0x8780180018, .offset = 70469 },
    .{ .mask = 0x4047a04040400, .magic = 0x10300180018, .offset = 62917 },
    .{ .mask = 0x8087608080800, .magic = 0x4000008180180018, .offset = 60997 },
    .{ .mask = 0x10106e10101000, .magic = 0x8080310005fffa, .offset = 18554 },
    .{ .mask = 0x20205e20202000, .magic = 0x4000188100060006, .offset = 14385 },
    .{ .mask = 0x40403e40404000, .magic = 0xffffff7fffbfbfff, .offset = 0 },
    .{ .mask = 0x80807e80808000, .magic = 0x802000200040, .offset = 38091 },
    .{ .mask = 0x17e0101010100, .magic = 0x20000202ec002800, .offset = 25122 },
    .{ .mask = 0x27c0202020200, .magic = 0xfffff9ff7cfff3ff, .offset = 60083 },
    .{ .mask = 0x47a0404040400, .magic = 0x404b801800, .offset = 72209 },
    .{ .mask = 0x8760808080800, .magic = 0x2000002fe03fd000, .offset = 67875 },
    .{ .mask = 0x106e1010101000, .magic = 0xffffff6ffe7fcffd, .offset = 56290 },
    .{ .mask = 0x205e2020202000, .magic = 0xbff7efffbfc00fff, .offset = 43807 },
    .{ .mask = 0x403e4040404000, .magic = 0x100800a804, .offset = 73365 },
    .{ .mask = 0x807e8080808000, .magic = 0x6054000a58005805, .offset = 76398 },
    .{ .mask = 0x7e010101010100, .magic = 0x829000101150028, .offset = 20024 },
    .{ .mask = 0x7c020202020200, .magic = 0x85008a0014, .offset = 9513 },
    .{ .mask = 0x7a040404040400, .magic = 0x8000002b00408028, .offset = 24324 },
    .{ .mask = 0x76080808080800, .magic = 0x4000002040790028, .offset = 22996 },
    .{ .mask = 0x6e101010101000, .magic = 0x7800002010288028, .offset = 23213 },
    .{ .mask = 0x5e202020202000, .magic = 0x1800e08018, .offset = 56002 },
    .{ .mask = 0x3e404040404000, .magic = 0xa3a80003f3a40048, .offset = 22809 },
    .{ .mask = 0x7e808080808000, .magic = 0x2003d80000500028, .offset = 44545 },
    .{ .mask = 0x7e01010101010100, .magic = 0xfffff37eefefdfbe, .offset = 36072 },
    .{ .mask = 0x7c02020202020200, .magic = 0x40000280090013c1, .offset = 4750 },
    .{ .mask = 0x7a04040404040400, .magic = 0xbf7ffeffbffaf71f, .offset = 6014 },
    .{ .mask = 0x7608080808080800, .magic = 0xfffdffff777b7d6e, .offset = 36054 },
    .{ .mask = 0x6e10101010101000, .magic = 0x48300007e8080c02, .offset = 78538 },
    .{ .mask = 0x5e20202020202000, .magic = 0xafe0000fff780402, .offset = 28745 },
    .{ .mask = 0x3e40404040404000, .magic = 0xee73fffbffbb77fe, .offset = 8555 },
    .{ .mask = 0x7e80808080808000, .magic = 0x2000308482882, .offset = 1009 },
};

const BishopMagic = struct { mask: u64, magic: u64, offset: u64 };

const bishop = [64]BishopMagic{
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
    .{ .mask = 0x4020002040800, .magic = 0x80fc82c040, .offset = 16078 },
    .{ .mask = 0x8040004081000, .magic = 0x407e416020, .offset = 19168 },
    .{ .mask = 0x100a000a102000, .magic = 0x600203f8008020, .offset = 11056 },
    .{ .mask = 0x22140014224000, .magic = 0xd003fefe04404080, .offset = 62544 },
    .{ .mask = 0x44280028440200, .magic = 0xa00020c018003088, .offset = 80477 },
    .{ .mask = 0x8500050080400, .magic = 0x7fbffe700bffe800, .offset = 75049 },
    .{ .mask = 0x10200020100800, .magic = 0x107ff00fe4000f90, .offset = 32947 },
    .{ .mask = 0x20400040201000, .magic = 0x7f8fffcff1d007f8, .offset = 59172 },
    .{ .mask = 0x2000204081000, .magic = 0x4100f88080, .offset = 55845 },
    .{ .mask = 0x4000408102000, .magic = 0x20807c4040, .offset = 61806 },
    .{ .mask = 0xa000a10204000, .magic = 0x41018700c0, .offset = 73601 },
    .{ .mask = 0x14001422400000, .magic = 0x10000080fc4080, .offset = 15546 },
    .{ .mask = 0x28002844020000, .magic = 0x1000003c80180030, .offset = 45243 },
    .{ .mask = 0x50005008040200, .magic = 0xc10000df80280050, .offset = 20333 },
    .{ .mask = 0x20002010080400, .magic = 0xffffffbfeff80fdc, .offset = 33402 },
    .{ .mask = 0x40004020100800, .magic = 0x101003f812, .offset = 25917 },
    .{ .mask = 0x20408102000, .magic = 0x800001f40808200, .offset = 32875 },
    .{ .mask = 0x40810204000, .magic = 0x84000101f3fd208, .offset = 4639 },
    .{ .mask = 0xa1020400000, .magic = 0x80000000f808081, .offset = 17077 },
    .{ .mask = 0x142240000000, .magic = 0x4000008003f80, .offset = 62324 },
    .{ .mask = 0x284402000000, .magic = 0x8000001001fe040, .offset = 18159 },
    .{ .mask = 0x500804020000, .magic = 0x72dd000040900a00, .offset = 61436 },
    .{ .mask = 0x201008040200, .magic = 0xfffffeffbfeff81d, .offset = 57073 },
    .{ .mask = 0x402010080400, .magic = 0xcd8000200febf209, .offset = 61025 },
    .{ .mask = 0x2040810204000, .magic = 0x100000101ec10082, .offset = 81259 },
    .{ .mask = 0x4081020400000, .magic = 0x7fbaffffefe0c02f, .offset = 64083 },
    .{ .mask = 0xa102040000000, .magic = 0x7f83fffffff07f7f, .offset = 56114 },
    .{ .mask = 0x14224000000000, .magic = 0xfff1fffffff7ffc1, .offset = 57058 },
    .{ .mask = 0x28440200000000, .magic = 0x878040000ffe01f, .offset = 58912 },
    .{ .mask = 0x50080402000000, .magic = 0x945e388000801012, .offset = 22194 },
    .{ .mask = 0x20100804020000, .magic = 0x840800080200fda, .offset = 70880 },
    .{ .mask = 0x40201008040200, .magic = 0x100000c05f582008, .offset = 11140 },
};

var attacks = std.mem.zeroes([87988]u64);

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return attacks[@intCast(rook[square].offset + (((occ | ~rook[square].mask) *% rook[square].magic) >> 52))];
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return attacks[@intCast(bishop[square].offset + (((occ | ~bishop[square].mask) *% bishop[square].magic) >> 55))];
}

/// Call once before the first lookup. Panics at a write that would change an entry.
pub fn init() void {
    for (0..64) |square| {
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
    for (0..64) |square| {
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
