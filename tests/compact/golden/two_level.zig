// magicert black, bytes in two levels: all rook and bishop attacks in 72,700 entries of 8 bits, which number 6,328 attack sets.
// Written by magicert VERSION from black_two_level.toml
// (SHA-256 b133e55607d4558fee177068909ef6d6a8850e934b6260b2120849c37b8ada55).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Squares: a1 = 0, b1 = 1, ..., h8 = 63.
// Certificate: black_two_level.certificate.json; check: magicert verify TABLE
// Found by: magicert pack, from nothing in parts
// Found with: magicert pack --scheme black --refills 650 --seed 1 --workers 2 --budget 24h
// This file: magicert emit black_two_level
//
// Usage: once, before the first lookup,
//     const magics = @import("magics.zig");
//     magics.init();
// Then, where the bits of occupied are the occupied squares:
//     const attacks: u64 = magics.rookAttacks(square, occupied);

const std = @import("std");

const RookMagic = struct { mask: u64, magic: u64, offset: u64, set_offset: u64 };

const rook = [64]RookMagic{
    .{ .mask = 0x101010101017e, .magic = 0x9a8003d554c00004, .offset = 16383, .set_offset = 0 },
    .{ .mask = 0x202020202027c, .magic = 0x800cc000042000, .offset = 12288, .set_offset = 49 },
    .{ .mask = 0x404040404047a, .magic = 0x100051120010001, .offset = 12288, .set_offset = 91 },
    .{ .mask = 0x8080808080876, .magic = 0xa1fffd939fa9ffff, .offset = 8192, .set_offset = 161 },
    .{ .mask = 0x1010101010106e, .magic = 0x89fffeb99fff8a00, .offset = 24574, .set_offset = 245 },
    .{ .mask = 0x2020202020205e, .magic = 0xf9fff7d3cfffd600, .offset = 45054, .set_offset = 329 },
    .{ .mask = 0x4040404040403e, .magic = 0x43fffa9716dbfff0, .offset = 61438, .set_offset = 399 },
    .{ .mask = 0x8080808080807e, .magic = 0xf5ffffce9afbfffa, .offset = 20479, .set_offset = 441 },
    .{ .mask = 0x1010101017e00, .magic = 0xb100800225c00008, .offset = 16383, .set_offset = 490 },
    .{ .mask = 0x2020202027c00, .magic = 0xb8dafff3aa3ffffc, .offset = 8176, .set_offset = 532 },
    .{ .mask = 0x4040404047a00, .magic = 0x4ee5fffb2f400200, .offset = 61438, .set_offset = 568 },
    .{ .mask = 0x8080808087600, .magic = 0xa49dfffd9b95ffff, .offset = 8192, .set_offset = 628 },
    .{ .mask = 0x10101010106e00, .magic = 0x7a0a000b9fff6a00, .offset = 24574, .set_offset = 700 },
    .{ .mask = 0x20202020205e00, .magic = 0xafc5fffcb6000030, .offset = 40958, .set_offset = 772 },
    .{ .mask = 0x40404040403e00, .magic = 0x9cb3ffffa1cffffc, .offset = 28670, .set_offset = 832 },
    .{ .mask = 0x80808080807e00, .magic = 0x2ef9fffe79fbfff5, .offset = 12288, .set_offset = 868 },
    .{ .mask = 0x10101017e0100, .magic = 0xc8628e001200cfe1, .offset = 24574, .set_offset = 910 },
    .{ .mask = 0x20202027c0200, .magic = 0x40c000800c600004, .offset = 40958, .set_offset = 980 },
    .{ .mask = 0x40404047a0400, .magic = 0x1370008006a00002, .offset = 57342, .set_offset = 1040 },
    .{ .mask = 0x8080808760800, .magic = 0xe2a16000935ffff, .offset = 32766, .set_offset = 1140 },
    .{ .mask = 0x101010106e1000, .magic = 0xa1705e00087e0030, .offset = 36860, .set_offset = 1260 },
    .{ .mask = 0x202020205e2000, .magic = 0x4c8729fff2a20017, .offset = 49150, .set_offset = 1380 },
    .{ .mask = 0x404040403e4000, .magic = 0xf1cec3fffd6fffd5, .offset = 4096, .set_offset = 1480 },
    .{ .mask = 0x808080807e8000, .magic = 0xa8df4e00007bffe5, .offset = 20479, .set_offset = 1540 },
    .{ .mask = 0x101017e010100, .magic = 0x24fff9807fffc000, .offset = 4096, .set_offset = 1610 },
    .{ .mask = 0x202027c020200, .magic = 0x7fff403fffe000, .offset = 65534, .set_offset = 1694 },
    .{ .mask = 0x404047a040400, .magic = 0x5e920071fffc8040, .offset = 65533, .set_offset = 1766 },
    .{ .mask = 0x8080876080800, .magic = 0x2c4e003dfff8dfff, .offset = 61438, .set_offset = 1886 },
    .{ .mask = 0x1010106e101000, .magic = 0xd6c60022000fff07, .offset = 61438, .set_offset = 2030 },
    .{ .mask = 0x2020205e202000, .magic = 0xf96dfffdfffc53ac, .offset = 57342, .set_offset = 2174 },
    .{ .mask = 0x4040403e404000, .magic = 0x389200020018102d, .offset = 40958, .set_offset = 2294 },
    .{ .mask = 0x8080807e808000, .magic = 0x7e5eb71dfff4d9b7, .offset = 0, .set_offset = 2366 },
    .{ .mask = 0x1017e01010100, .magic = 0xbdbffff2807fffc0, .offset = 40958, .set_offset = 2450 },
    .{ .mask = 0x2027c02020200, .magic = 0xa09fffff403fffe0, .offset = 65536, .set_offset = 2534 },
    .{ .mask = 0x4047a04040400, .magic = 0xab6000211fff7c0, .offset = 28670, .set_offset = 2606 },
    .{ .mask = 0x8087608080800, .magic = 0x5b5ffef8a9fff600, .offset = 8192, .set_offset = 2726 },
    .{ .mask = 0x10106e10101000, .magic = 0x3b2fffae25fffe00, .offset = 53246, .set_offset = 2870 },
    .{ .mask = 0x20205e20202000, .magic = 0x4a4fffb421fffa00, .offset = 57342, .set_offset = 3014 },
    .{ .mask = 0x40403e40404000, .magic = 0x7900001f6400100b, .offset = 4096, .set_offset = 3134 },
    .{ .mask = 0x80807e80808000, .magic = 0xfa79fff131fffb84, .offset = 65533, .set_offset = 3206 },
    .{ .mask = 0x17e0101010100, .magic = 0x4d4000014e808000, .offset = 45054, .set_offset = 3290 },
    .{ .mask = 0x27c0202020200, .magic = 0x77d5815ec0010008, .offset = 4096, .set_offset = 3360 },
    .{ .mask = 0x47a0404040400, .magic = 0xd1a00013f61fff8, .offset = 0, .set_offset = 3420 },
    .{ .mask = 0x8760808080800, .magic = 0x9b69fffee12a0008, .offset = 8192, .set_offset = 3520 },
    .{ .mask = 0x106e1010101000, .magic = 0x4f1600009059fff8, .offset = 36862, .set_offset = 3640 },
    .{ .mask = 0x205e2020202000, .magic = 0x2ff9ffffdf320008, .offset = 28670, .set_offset = 3760 },
    .{ .mask = 0x403e4040404000, .magic = 0xa36bffea682c0010, .offset = 0, .set_offset = 3860 },
    .{ .mask = 0x807e8080808000, .magic = 0x220bfffabbee0001, .offset = 36862, .set_offset = 3920 },
    .{ .mask = 0x7e010101010100, .magic = 0xa9fffeff0589e200, .offset = 32766, .set_offset = 3990 },
    .{ .mask = 0x7c020202020200, .magic = 0xe72a00009eba4200, .offset = 45054, .set_offset = 4032 },
    .{ .mask = 0x7a040404040400, .magic = 0x45b1ffffa1484200, .offset = 57342, .set_offset = 4068 },
    .{ .mask = 0x76080808080800, .magic = 0x9a25ffff6a3b0e00, .offset = 57342, .set_offset = 4128 },
    .{ .mask = 0x6e101010101000, .magic = 0xe6c2000064eaee00, .offset = 32766, .set_offset = 4200 },
    .{ .mask = 0x5e202020202000, .magic = 0xe0e6000027892200, .offset = 32766, .set_offset = 4272 },
    .{ .mask = 0x3e404040404000, .magic = 0x2f2fffefe979ac00, .offset = 0, .set_offset = 4332 },
    .{ .mask = 0x7e808080808000, .magic = 0x1121fffe4c0ea200, .offset = 49150, .set_offset = 4368 },
    .{ .mask = 0x7e01010101010100, .magic = 0x48fffeff0256e286, .offset = 49150, .set_offset = 4410 },
    .{ .mask = 0x7c02020202020200, .magic = 0x5555ffff7f811ea6, .offset = 45054, .set_offset = 4459 },
    .{ .mask = 0x7a04040404040400, .magic = 0x12fe0000403f36ce, .offset = 53246, .set_offset = 4501 },
    .{ .mask = 0x7608080808080800, .magic = 0x1945ffff9fa102ea, .offset = 53246, .set_offset = 4571 },
    .{ .mask = 0x6e10101010101000, .magic = 0xfeb5ffffeff02e8a, .offset = 32766, .set_offset = 4655 },
    .{ .mask = 0x5e20202020202000, .magic = 0xae2a00001817bcd6, .offset = 53246, .set_offset = 4739 },
    .{ .mask = 0x3e40404040404000, .magic = 0x8aaa00000c0be662, .offset = 36862, .set_offset = 4809 },
    .{ .mask = 0x7e80808080808000, .magic = 0xcbc9fffdcbfdb96a, .offset = 28670, .set_offset = 4851 },
};

const BishopMagic = struct { mask: u64, magic: u64, offset: u64, set_offset: u64 };

const bishop = [64]BishopMagic{
    .{ .mask = 0x40201008040200, .magic = 0xd44c1807fe0fff80, .offset = 65024, .set_offset = 0 },
    .{ .mask = 0x402010080400, .magic = 0xca68b7fdfffdfff0, .offset = 59902, .set_offset = 7 },
    .{ .mask = 0x4020100a00, .magic = 0x4a6ffe2dfffefa69, .offset = 58366, .set_offset = 13 },
    .{ .mask = 0x40221400, .magic = 0xecb7ff3f004e536b, .offset = 61950, .set_offset = 23 },
    .{ .mask = 0x2442800, .magic = 0xcb4bfe2008420afe, .offset = 63998, .set_offset = 35 },
    .{ .mask = 0x204085000, .magic = 0x7ce2000e5fd568f1, .offset = 53246, .set_offset = 47 },
    .{ .mask = 0x20408102000, .magic = 0x5bdb7efe0c000509, .offset = 70137, .set_offset = 57 },
    .{ .mask = 0x2040810204000, .magic = 0x2c9e803c02e00012, .offset = 62462, .set_offset = 63 },
    .{ .mask = 0x20100804020000, .magic = 0x10f8dff5f3fffc00, .offset = 50686, .set_offset = 70 },
    .{ .mask = 0x40201008040000, .magic = 0xd0ecb5effdffff00, .offset = 51198, .set_offset = 76 },
    .{ .mask = 0x4020100a0000, .magic = 0xaa0390022a00012c, .offset = 59390, .set_offset = 82 },
    .{ .mask = 0x4022140000, .magic = 0x5dee17ffc900005c, .offset = 55807, .set_offset = 92 },
    .{ .mask = 0x244280000, .magic = 0x2c0e14001ff9c775, .offset = 61438, .set_offset = 104 },
    .{ .mask = 0x20408500000, .magic = 0x3cccde000fecd327, .offset = 53758, .set_offset = 116 },
    .{ .mask = 0x2040810200000, .magic = 0xeeef3757fc01dfff, .offset = 59902, .set_offset = 126 },
    .{ .mask = 0x4081020400000, .magic = 0xd36740ffae005ffd, .offset = 71677, .set_offset = 132 },
    .{ .mask = 0x10080402000200, .magic = 0x121ff7fbe0000600, .offset = 49153, .set_offset = 138 },
    .{ .mask = 0x20100804000400, .magic = 0x4bb801fb2807ffff, .offset = 56834, .set_offset = 148 },
    .{ .mask = 0x4020100a000a00, .magic = 0x4f7000157de5ffff, .offset = 72196, .set_offset = 158 },
    .{ .mask = 0x402214001400, .magic = 0x7dc7ffcc1a0000d0, .offset = 72189, .set_offset = 198 },
    .{ .mask = 0x24428002800, .magic = 0xb5ac0000c7001de6, .offset = 71677, .set_offset = 246 },
    .{ .mask = 0x2040850005000, .magic = 0xa2560000ffddffde, .offset = 70653, .set_offset = 294 },
    .{ .mask = 0x4081020002000, .magic = 0xd0ac0026017bfff8, .offset = 52734, .set_offset = 334 },
    .{ .mask = 0x8102040004000, .magic = 0xbc300260089fff8, .offset = 56830, .set_offset = 344 },
    .{ .mask = 0x8040200020400, .magic = 0xd647fb7e3feffe85, .offset = 57342, .set_offset = 354 },
    .{ .mask = 0x10080400040800, .magic = 0xe3e4021f9000f800, .offset = 61950, .set_offset = 366 },
    .{ .mask = 0x20100a000a1000, .magic = 0x41ff6ffdca3bfffd, .offset = 71165, .set_offset = 378 },
    .{ .mask = 0x40221400142200, .magic = 0x4f4a47fffb7dffff, .offset = 71165, .set_offset = 426 },
    .{ .mask = 0x2442800284400, .magic = 0xd510008ee3004003, .offset = 70653, .set_offset = 534 },
    .{ .mask = 0x4085000500800, .magic = 0xa9affcffffa4000a, .offset = 71677, .set_offset = 642 },
    .{ .mask = 0x8102000201000, .magic = 0x56020200e5580310, .offset = 59390, .set_offset = 690 },
    .{ .mask = 0x10204000402000, .magic = 0x3693ff80af19fc04, .offset = 55294, .set_offset = 702 },
    .{ .mask = 0x4020002040800, .magic = 0xf0efffebe75ff800, .offset = 50174, .set_offset = 714 },
    .{ .mask = 0x8040004081000, .magic = 0x9d240006526003fe, .offset = 54782, .set_offset = 726 },
    .{ .mask = 0x100a000a102000, .magic = 0x3e51fffc7ab000d8, .offset = 71677, .set_offset = 738 },
    .{ .mask = 0x22140014224000, .magic = 0x2c709ffd1cc80080, .offset = 69629, .set_offset = 786 },
    .{ .mask = 0x44280028440200, .magic = 0xd5ffd773ffa1ff9e, .offset = 70141, .set_offset = 894 },
    .{ .mask = 0x8500050080400, .magic = 0xfcfff535ff7f4800, .offset = 72189, .set_offset = 1002 },
    .{ .mask = 0x10200020100800, .magic = 0x74340205fff3ff83, .offset = 63998, .set_offset = 1050 },
    .{ .mask = 0x20400040201000, .magic = 0x99c401001e55d400, .offset = 58366, .set_offset = 1062 },
    .{ .mask = 0x2000204081000, .magic = 0xb36bfff62ffec009, .offset = 64510, .set_offset = 1074 },
    .{ .mask = 0x4000408102000, .magic = 0x6a73fffc00aecffd, .offset = 60926, .set_offset = 1084 },
    .{ .mask = 0xa000a10204000, .magic = 0xe7db0000cec57000, .offset = 72189, .set_offset = 1094 },
    .{ .mask = 0x14001422400000, .magic = 0x4b2a3de001bbb801, .offset = 71677, .set_offset = 1134 },
    .{ .mask = 0x28002844020000, .magic = 0xcfad7fed5dfff400, .offset = 70141, .set_offset = 1182 },
    .{ .mask = 0x50005008040200, .magic = 0x44ffe9f769ff9500, .offset = 69629, .set_offset = 1230 },
    .{ .mask = 0x20002010080400, .magic = 0x31040403ffc0fc01, .offset = 69629, .set_offset = 1270 },
    .{ .mask = 0x40004020100800, .magic = 0x30a0037a00807200, .offset = 52222, .set_offset = 1280 },
    .{ .mask = 0x20408102000, .magic = 0x99ed0077fd3fea56, .offset = 60414, .set_offset = 1290 },
    .{ .mask = 0x40810204000, .magic = 0x765e000467f7fa0f, .offset = 56318, .set_offset = 1296 },
    .{ .mask = 0xa1020400000, .magic = 0xaef3cc1dfeaff94c, .offset = 60926, .set_offset = 1302 },
    .{ .mask = 0x142240000000, .magic = 0x4052c5dcfec800fc, .offset = 71677, .set_offset = 1312 },
    .{ .mask = 0x284402000000, .magic = 0x99ba0d6009d40049, .offset = 57854, .set_offset = 1324 },
    .{ .mask = 0x500804020000, .magic = 0x6a0f80100859ffe5, .offset = 57854, .set_offset = 1336 },
    .{ .mask = 0x201008040200, .magic = 0xd0c0000401fdbe78, .offset = 51710, .set_offset = 1346 },
    .{ .mask = 0x402010080400, .magic = 0xa5ffffa2dff7fe3, .offset = 60414, .set_offset = 1352 },
    .{ .mask = 0x2040810204000, .magic = 0x145efffdffdffc34, .offset = 62974, .set_offset = 1358 },
    .{ .mask = 0x4081020400000, .magic = 0x56fa99fefff8cff9, .offset = 54270, .set_offset = 1365 },
    .{ .mask = 0xa102040000000, .magic = 0xb60c324100a17000, .offset = 58878, .set_offset = 1371 },
    .{ .mask = 0x14224000000000, .magic = 0x1a43c947d6ff3800, .offset = 71677, .set_offset = 1381 },
    .{ .mask = 0x28440200000000, .magic = 0xab33b336dfee2401, .offset = 64510, .set_offset = 1393 },
    .{ .mask = 0x50080402000000, .magic = 0x90bd3afff00ef200, .offset = 49662, .set_offset = 1405 },
    .{ .mask = 0x20100804020000, .magic = 0xa1ac4008027f0200, .offset = 14061, .set_offset = 1415 },
    .{ .mask = 0x40201008040200, .magic = 0x3fff9f7fe8efe00, .offset = 63486, .set_offset = 1421 },
};

var numbers = std.mem.zeroes([72700]u8);

var rook_sets = std.mem.zeroes([4900]u64);

var bishop_sets = std.mem.zeroes([1428]u64);

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return rook_sets[@intCast(rook[square].set_offset + numbers[@intCast(rook[square].offset + (((occ | ~rook[square].mask) *% rook[square].magic) >> 52))])];
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return bishop_sets[@intCast(bishop[square].set_offset + numbers[@intCast(bishop[square].offset + (((occ | ~bishop[square].mask) *% bishop[square].magic) >> 55))])];
}

/// Call once before the first lookup. Panics at a write that would change an entry.
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
            check(rookAttacks(square, occ) == walk(square, occ, .{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } }));
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
    for (0..64) |square| {
        const mask = bishop[square].mask;
        var occ: u64 = 0;
        while (true) {
            check(bishopAttacks(square, occ) == walk(square, occ, .{ .{ 1, 1 }, .{ 1, -1 }, .{ -1, -1 }, .{ -1, 1 } }));
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
