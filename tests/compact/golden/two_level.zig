// magicert black, bytes in two levels: all rook and bishop attacks in 84,683 entries of 8 bits, which number 6,328 attack sets.
// Written by magicert VERSION from black_two_level.toml
// (SHA-256 d493504216f475ffbdbedabc179ab3ad267d53bc53389d55904391259558f0a3).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Certificate: black_two_level.certificate.json; check: magicert verify TABLE
// Found by: Volker Annuss and Niklas Fiekas (87,988), improved with magicert pack
// Found with: magicert pack --from black_85065 --seed 101
// This file: magicert emit black_two_level

const std = @import("std");

pub const RookMagic = struct { mask: u64, magic: u64, offset: u64, set_offset: u64 };

pub const rook = [64]RookMagic{
    .{ .mask = 0x101010101017e, .magic = 0x80500104d8000230, .offset = 79015, .set_offset = 0 },
    .{ .mask = 0x202020202027c, .magic = 0x5ffbfefdfef67fff, .offset = 46138, .set_offset = 49 },
    .{ .mask = 0x404040404047a, .magic = 0xffeffdffafbb7fff, .offset = 56709, .set_offset = 91 },
    .{ .mask = 0x8080808080876, .magic = 0x8030009033000042, .offset = 61615, .set_offset = 161 },
    .{ .mask = 0x1010101010106e, .magic = 0x50028010500023, .offset = 71353, .set_offset = 245 },
    .{ .mask = 0x2020202020205e, .magic = 0x20011148880020, .offset = 53198, .set_offset = 329 },
    .{ .mask = 0x4040404040403e, .magic = 0x30006000c00030, .offset = 46734, .set_offset = 399 },
    .{ .mask = 0x8080808080807e, .magic = 0x58005806b00002, .offset = 74222, .set_offset = 441 },
    .{ .mask = 0x1010101017e00, .magic = 0x6b3ff7fbfb6afffc, .offset = 45652, .set_offset = 490 },
    .{ .mask = 0x2020202027c00, .magic = 0x800140081050002, .offset = 18017, .set_offset = 532 },
    .{ .mask = 0x4040404047a00, .magic = 0xa78080068002dc10, .offset = 5088, .set_offset = 568 },
    .{ .mask = 0x8080808087600, .magic = 0x82ffe7ffde7fff88, .offset = 70088, .set_offset = 628 },
    .{ .mask = 0x10101010106e00, .magic = 0xe5ffcffe7fcfffaf, .offset = 63606, .set_offset = 700 },
    .{ .mask = 0x20202020205e00, .magic = 0x8001800c0180060, .offset = 22970, .set_offset = 772 },
    .{ .mask = 0x40404040403e00, .magic = 0x628200004f5c0016, .offset = 933, .set_offset = 832 },
    .{ .mask = 0x80808080807e00, .magic = 0x1d00180030620018, .offset = 28176, .set_offset = 868 },
    .{ .mask = 0x10101017e0100, .magic = 0x12300018010c0003, .offset = 63829, .set_offset = 910 },
    .{ .mask = 0x20202027c0200, .magic = 0x6083000c0085ffff, .offset = 45479, .set_offset = 980 },
    .{ .mask = 0x40404047a0400, .magic = 0xa97efff7fbfdfff8, .offset = 58425, .set_offset = 1040 },
    .{ .mask = 0x8080808760800, .magic = 0xa662002004606001, .offset = 41020, .set_offset = 1140 },
    .{ .mask = 0x101010106e1000, .magic = 0x8f51fff001001080, .offset = 50960, .set_offset = 1260 },
    .{ .mask = 0x202020205e2000, .magic = 0x49b08007bf00081f, .offset = 48290, .set_offset = 1380 },
    .{ .mask = 0x404040403e4000, .magic = 0x3d988007bfe00810, .offset = 26758, .set_offset = 1480 },
    .{ .mask = 0x808080807e8000, .magic = 0xb76f000559dfc080, .offset = 12929, .set_offset = 1540 },
    .{ .mask = 0x101017e010100, .magic = 0xf64020001008000a, .offset = 41961, .set_offset = 1610 },
    .{ .mask = 0x202027c020200, .magic = 0xb90020008040004, .offset = 9011, .set_offset = 1694 },
    .{ .mask = 0x404047a040400, .magic = 0xf17dfefff7fbfff7, .offset = 17184, .set_offset = 1766 },
    .{ .mask = 0x8080876080800, .magic = 0xe2bf81fff8fefff9, .offset = 39738, .set_offset = 1886 },
    .{ .mask = 0x1010106e101000, .magic = 0x85b000ffe001ffe0, .offset = 51687, .set_offset = 2030 },
    .{ .mask = 0x2020205e202000, .magic = 0x5f701f00078007c3, .offset = 25771, .set_offset = 2174 },
    .{ .mask = 0x4040403e404000, .magic = 0x8a8bfafffb687fc1, .offset = 13035, .set_offset = 2294 },
    .{ .mask = 0x8080807e808000, .magic = 0x70d7f97ffa0fe03f, .offset = 36282, .set_offset = 2366 },
    .{ .mask = 0x1017e01010100, .magic = 0x2e0008e8003001b2, .offset = 59212, .set_offset = 2450 },
    .{ .mask = 0x2027c02020200, .magic = 0x1e00008780180018, .offset = 65218, .set_offset = 2534 },
    .{ .mask = 0x4047a04040400, .magic = 0x2a80010300180018, .offset = 57902, .set_offset = 2606 },
    .{ .mask = 0x8087608080800, .magic = 0x7020008180180018, .offset = 55437, .set_offset = 2726 },
    .{ .mask = 0x10106e10101000, .magic = 0x54b070310005fffa, .offset = 16205, .set_offset = 2870 },
    .{ .mask = 0x20205e20202000, .magic = 0x6a80188100060006, .offset = 11397, .set_offset = 3014 },
    .{ .mask = 0x40403e40404000, .magic = 0xffffff7fffbfbfff, .offset = 0, .set_offset = 3134 },
    .{ .mask = 0x80807e80808000, .magic = 0x53e802000200040, .offset = 33928, .set_offset = 3206 },
    .{ .mask = 0x17e0101010100, .magic = 0x2e000202ec002800, .offset = 21215, .set_offset = 3290 },
    .{ .mask = 0x27c0202020200, .magic = 0x967ffcfc05fff400, .offset = 53171, .set_offset = 3360 },
    .{ .mask = 0x47a0404040400, .magic = 0x90000404b801800, .offset = 66622, .set_offset = 3420 },
    .{ .mask = 0x8760808080800, .magic = 0xb0e0002fe03fd000, .offset = 62414, .set_offset = 3520 },
    .{ .mask = 0x106e1010101000, .magic = 0x89e000302e803003, .offset = 82409, .set_offset = 3640 },
    .{ .mask = 0x205e2020202000, .magic = 0xa8b7efffbfc00fff, .offset = 39149, .set_offset = 3760 },
    .{ .mask = 0x403e4040404000, .magic = 0x6b4c0007a7ffa7fc, .offset = 75954, .set_offset = 3860 },
    .{ .mask = 0x807e8080808000, .magic = 0x1167fffa58005802, .offset = 79268, .set_offset = 3920 },
    .{ .mask = 0x7e010101010100, .magic = 0x2f29000101150028, .offset = 16952, .set_offset = 3990 },
    .{ .mask = 0x7c020202020200, .magic = 0xcefffeff7f72bf00, .offset = 8639, .set_offset = 4032 },
    .{ .mask = 0x7a040404040400, .magic = 0xa900007a007d0018, .offset = 81963, .set_offset = 4068 },
    .{ .mask = 0x76080808080800, .magic = 0x5660002040790028, .offset = 19630, .set_offset = 4128 },
    .{ .mask = 0x6e101010101000, .magic = 0x9830002010288028, .offset = 20004, .set_offset = 4200 },
    .{ .mask = 0x5e202020202000, .magic = 0x11d0001800e08018, .offset = 50982, .set_offset = 4272 },
    .{ .mask = 0x3e404040404000, .magic = 0x70680003f3a40048, .offset = 18279, .set_offset = 4332 },
    .{ .mask = 0x7e808080808000, .magic = 0x1743d80000500028, .offset = 40119, .set_offset = 4368 },
    .{ .mask = 0x7e01010101010100, .magic = 0xd3fffb7fbbdeebee, .offset = 31808, .set_offset = 4410 },
    .{ .mask = 0x7c02020202020200, .magic = 0x10000082110209c1, .offset = 3941, .set_offset = 4459 },
    .{ .mask = 0x7a04040404040400, .magic = 0xbf7ffeffbffaf71f, .offset = 5909, .set_offset = 4501 },
    .{ .mask = 0x7608080808080800, .magic = 0xbeedffff777b7d6e, .offset = 31825, .set_offset = 4571 },
    .{ .mask = 0x6e10101010101000, .magic = 0x80200007e8080c02, .offset = 70023, .set_offset = 4655 },
    .{ .mask = 0x5e20202020202000, .magic = 0xafb0000fff780402, .offset = 24611, .set_offset = 4739 },
    .{ .mask = 0x3e40404040404000, .magic = 0x3dcbfffb73b7e402, .offset = 7759, .set_offset = 4809 },
    .{ .mask = 0x7e80808080808000, .magic = 0x32000308482882, .offset = 1012, .set_offset = 4851 },
};

pub const BishopMagic = struct { mask: u64, magic: u64, offset: u64, set_offset: u64 };

pub const bishop = [64]BishopMagic{
    .{ .mask = 0x40201008040200, .magic = 0xa7020080601803d8, .offset = 12962, .set_offset = 0 },
    .{ .mask = 0x402010080400, .magic = 0x13802040400801f1, .offset = 14592, .set_offset = 7 },
    .{ .mask = 0x4020100a00, .magic = 0xa0080181001f60c, .offset = 18223, .set_offset = 13 },
    .{ .mask = 0x40221400, .magic = 0x2002020101883fcb, .offset = 8975, .set_offset = 23 },
    .{ .mask = 0x2442800, .magic = 0x381fe200280a5d4a, .offset = 14842, .set_offset = 35 },
    .{ .mask = 0x204085000, .magic = 0xb0fdfbeafff5b17a, .offset = 1069, .set_offset = 47 },
    .{ .mask = 0x20408102000, .magic = 0xdb6fa1003c800441, .offset = 68277, .set_offset = 57 },
    .{ .mask = 0x2040810204000, .magic = 0xc7dc04488f208005, .offset = 13307, .set_offset = 63 },
    .{ .mask = 0x20100804020000, .magic = 0xffa2feffbfefb7ff, .offset = 22790, .set_offset = 70 },
    .{ .mask = 0x40201008040000, .magic = 0x83e3ee040080801, .offset = 15584, .set_offset = 76 },
    .{ .mask = 0x4020100a0000, .magic = 0xc0800080181001f8, .offset = 16136, .set_offset = 82 },
    .{ .mask = 0x4022140000, .magic = 0x39ac08080017475, .offset = 13437, .set_offset = 92 },
    .{ .mask = 0x244280000, .magic = 0xd89ff05dffd82ef7, .offset = 22242, .set_offset = 104 },
    .{ .mask = 0x20408500000, .magic = 0x97dd27e2007ff163, .offset = 13707, .set_offset = 116 },
    .{ .mask = 0x2040810200000, .magic = 0xa871c0efdfe6ffee, .offset = 15450, .set_offset = 126 },
    .{ .mask = 0x4081020400000, .magic = 0x1112ad81010001a, .offset = 18338, .set_offset = 132 },
    .{ .mask = 0x10080402000200, .magic = 0x337e7c04d33effbf, .offset = 12481, .set_offset = 138 },
    .{ .mask = 0x20100804000400, .magic = 0x7ffebfffa01027fd, .offset = 12910, .set_offset = 148 },
    .{ .mask = 0x4020100a000a00, .magic = 0x1000202020200, .offset = 24895, .set_offset = 158 },
    .{ .mask = 0x402214001400, .magic = 0x200800040210204c, .offset = 25407, .set_offset = 198 },
    .{ .mask = 0x24428002800, .magic = 0x646fd6bc001f9008, .offset = 8395, .set_offset = 246 },
    .{ .mask = 0x2040850005000, .magic = 0xf1750001ffaaffdc, .offset = 11231, .set_offset = 294 },
    .{ .mask = 0x4081020002000, .magic = 0xf13d940040d3fffa, .offset = 9003, .set_offset = 334 },
    .{ .mask = 0x8102040004000, .magic = 0xefb3f4b43fef7f80, .offset = 46325, .set_offset = 344 },
    .{ .mask = 0x8040200020400, .magic = 0x8800013e8300c030, .offset = 15277, .set_offset = 354 },
    .{ .mask = 0x10080400040800, .magic = 0x420009701806018, .offset = 15500, .set_offset = 366 },
    .{ .mask = 0x20100a000a1000, .magic = 0x938e38c65d2fe8, .offset = 72092, .set_offset = 378 },
    .{ .mask = 0x40221400142200, .magic = 0x8700303030c0c02a, .offset = 73108, .set_offset = 426 },
    .{ .mask = 0x2442800284400, .magic = 0xdc30008df7004001, .offset = 69037, .set_offset = 534 },
    .{ .mask = 0x4085000500800, .magic = 0x8020000410080, .offset = 26935, .set_offset = 642 },
    .{ .mask = 0x8102000201000, .magic = 0x87ff038000fc001, .offset = 15527, .set_offset = 690 },
    .{ .mask = 0x10204000402000, .magic = 0x537f40bf0083004, .offset = 14988, .set_offset = 702 },
    .{ .mask = 0x4020002040800, .magic = 0x838401ff684564d9, .offset = 8907, .set_offset = 714 },
    .{ .mask = 0x8040004081000, .magic = 0x407e416020, .offset = 14810, .set_offset = 726 },
    .{ .mask = 0x100a000a102000, .magic = 0x4691ffc1ff83ff60, .offset = 27596, .set_offset = 738 },
    .{ .mask = 0x22140014224000, .magic = 0xe09bfefe02c04080, .offset = 22324, .set_offset = 786 },
    .{ .mask = 0x44280028440200, .magic = 0x697fe17018286006, .offset = 69853, .set_offset = 894 },
    .{ .mask = 0x8500050080400, .magic = 0xd63fbe020f8fe080, .offset = 42109, .set_offset = 1002 },
    .{ .mask = 0x10200020100800, .magic = 0x6dc006b4c7600ff0, .offset = 14926, .set_offset = 1050 },
    .{ .mask = 0x20400040201000, .magic = 0xb24ffcf5008681c0, .offset = 4615, .set_offset = 1062 },
    .{ .mask = 0x2000204081000, .magic = 0x4100f88080, .offset = 17948, .set_offset = 1074 },
    .{ .mask = 0x4000408102000, .magic = 0x20807c4040, .offset = 17967, .set_offset = 1084 },
    .{ .mask = 0xa000a10204000, .magic = 0x1800041018700c0, .offset = 16287, .set_offset = 1094 },
    .{ .mask = 0x14001422400000, .magic = 0xcb2014af08004ff8, .offset = 3473, .set_offset = 1134 },
    .{ .mask = 0x28002844020000, .magic = 0x85850032e401f808, .offset = 4171, .set_offset = 1182 },
    .{ .mask = 0x50005008040200, .magic = 0xc08000df80280050, .offset = 16401, .set_offset = 1230 },
    .{ .mask = 0x20002010080400, .magic = 0xfdffffbfeff80fdc, .offset = 16325, .set_offset = 1270 },
    .{ .mask = 0x40004020100800, .magic = 0x37000422b90e8042, .offset = 65241, .set_offset = 1280 },
    .{ .mask = 0x20408102000, .magic = 0x800001f40808200, .offset = 22322, .set_offset = 1290 },
    .{ .mask = 0x40810204000, .magic = 0x84000101f3fd208, .offset = 37683, .set_offset = 1296 },
    .{ .mask = 0xa1020400000, .magic = 0x75e344005c03fa2b, .offset = 6427, .set_offset = 1302 },
    .{ .mask = 0x142240000000, .magic = 0x4000008003f80, .offset = 15253, .set_offset = 1312 },
    .{ .mask = 0x284402000000, .magic = 0x8499780fff01801, .offset = 14469, .set_offset = 1324 },
    .{ .mask = 0x500804020000, .magic = 0x1285000c442413f1, .offset = 24671, .set_offset = 1336 },
    .{ .mask = 0x201008040200, .magic = 0xfffffeffbfeff81d, .offset = 15733, .set_offset = 1346 },
    .{ .mask = 0x402010080400, .magic = 0xcbc000200febf309, .offset = 13570, .set_offset = 1352 },
    .{ .mask = 0x2040810204000, .magic = 0x4fcfffdfdfc40387, .offset = 53784, .set_offset = 1358 },
    .{ .mask = 0x4081020400000, .magic = 0x7b39fbffefe0c0ce, .offset = 37794, .set_offset = 1365 },
    .{ .mask = 0xa102040000000, .magic = 0x9fcc9867ffe080c3, .offset = 17002, .set_offset = 1371 },
    .{ .mask = 0x14224000000000, .magic = 0xfd71b84057f7ffc1, .offset = 16224, .set_offset = 1381 },
    .{ .mask = 0x28440200000000, .magic = 0xe0a4141de0380112, .offset = 5162, .set_offset = 1393 },
    .{ .mask = 0x50080402000000, .magic = 0x945e388000801012, .offset = 20428, .set_offset = 1405 },
    .{ .mask = 0x20100804020000, .magic = 0x7077fff7bbe61afa, .offset = 34778, .set_offset = 1415 },
    .{ .mask = 0x40201008040200, .magic = 0xe740000401fdf879, .offset = 33798, .set_offset = 1421 },
};

var numbers = std.mem.zeroes([84683]u8);

var rook_sets = std.mem.zeroes([4900]u64);

var bishop_sets = std.mem.zeroes([1428]u64);

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return rook_sets[@intCast(rook[square].set_offset + numbers[@intCast(rook[square].offset + (((occ | ~rook[square].mask) *% rook[square].magic) >> 52))])];
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return bishop_sets[@intCast(bishop[square].set_offset + numbers[@intCast(bishop[square].offset + (((occ | ~bishop[square].mask) *% bishop[square].magic) >> 55))])];
}

/// Call once before the first lookup.
pub fn init() void {
    for (0..64) |square| {
        const mask = rook[square].mask;
        const sets = rook_sets[@intCast(rook[square].set_offset)..];
        var count: usize = 0;
        var occ: u64 = 0;
        while (true) {
            const reached = walk(square, occ, .{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } });
            var place = count;
            while (place > 0 and sets[place - 1] > reached) place -= 1;
            if (place == 0 or sets[place - 1] != reached) {
                var n = count;
                while (n > place) : (n -= 1) sets[n] = sets[n - 1];
                sets[place] = reached;
                count += 1;
            }
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
        while (true) {
            const reached = walk(square, occ, .{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } });
            var number: usize = 0;
            while (sets[number] != reached) number += 1;
            const slot: usize = @intCast(rook[square].offset + (((occ | ~rook[square].mask) *% rook[square].magic) >> 52));
            numbers[slot] = @intCast(number);
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
    for (0..64) |square| {
        const mask = bishop[square].mask;
        const sets = bishop_sets[@intCast(bishop[square].set_offset)..];
        var count: usize = 0;
        var occ: u64 = 0;
        while (true) {
            const reached = walk(square, occ, .{ .{ 1, 1 }, .{ 1, -1 }, .{ -1, -1 }, .{ -1, 1 } });
            var place = count;
            while (place > 0 and sets[place - 1] > reached) place -= 1;
            if (place == 0 or sets[place - 1] != reached) {
                var n = count;
                while (n > place) : (n -= 1) sets[n] = sets[n - 1];
                sets[place] = reached;
                count += 1;
            }
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
        while (true) {
            const reached = walk(square, occ, .{ .{ 1, 1 }, .{ 1, -1 }, .{ -1, -1 }, .{ -1, 1 } });
            var number: usize = 0;
            while (sets[number] != reached) number += 1;
            const slot: usize = @intCast(bishop[square].offset + (((occ | ~bishop[square].mask) *% bishop[square].magic) >> 55));
            numbers[slot] = @intCast(number);
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
    for (0..64) |square| {
        const mask = rook[square].mask;
        var occ: u64 = 0;
        while (true) {
            std.debug.assert(rookAttacks(square, occ) == walk(square, occ, .{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } }));
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
    for (0..64) |square| {
        const mask = bishop[square].mask;
        var occ: u64 = 0;
        while (true) {
            std.debug.assert(bishopAttacks(square, occ) == walk(square, occ, .{ .{ 1, 1 }, .{ 1, -1 }, .{ -1, -1 }, .{ -1, 1 } }));
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
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
