// magicert black, bytes in two levels: all rook and bishop attacks in 74,745 entries of 8 bits, which number 6,328 attack sets.
// Written by magicert VERSION from black_two_level.toml
// (SHA-256 8873afabe6854661b8d5247ecf48e1385251d4f03e4444278dc22774ab357b7d).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Squares: a1 = 0, b1 = 1, ..., h8 = 63.
// Certificate: black_two_level.certificate.json; check: magicert verify TABLE
// Found by: magicert pack, from nothing
// Found with: magicert pack --scheme black --refills 196 --seed 3 --workers 2 --rounds 51 --budget 24h
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
    .{ .mask = 0x101010101017e, .magic = 0x807ffd287d3ffffc, .offset = 16384, .set_offset = 0 },
    .{ .mask = 0x202020202027c, .magic = 0x807ff35ffffbc000, .offset = 49152, .set_offset = 49 },
    .{ .mask = 0x404040404047a, .magic = 0x3e0005130a25ffff, .offset = 4096, .set_offset = 91 },
    .{ .mask = 0x8080808080876, .magic = 0xe1fffd9f9b89ffff, .offset = 53248, .set_offset = 161 },
    .{ .mask = 0x1010101010106e, .magic = 0xf1fff9a39fffb200, .offset = 36864, .set_offset = 245 },
    .{ .mask = 0x2020202020205e, .magic = 0xedfffb5bd7ffc600, .offset = 40960, .set_offset = 329 },
    .{ .mask = 0x4040404040403e, .magic = 0xbc0001904b180010, .offset = 36864, .set_offset = 399 },
    .{ .mask = 0x8080808080807e, .magic = 0x21ffff8acb6bfffa, .offset = 8192, .set_offset = 441 },
    .{ .mask = 0x1010101017e00, .magic = 0xd3047fff1c400009, .offset = 24576, .set_offset = 490 },
    .{ .mask = 0x2020202027c00, .magic = 0xe24cfff780ffbffd, .offset = 61440, .set_offset = 532 },
    .{ .mask = 0x4040404047a00, .magic = 0xef15fffb33400200, .offset = 20480, .set_offset = 568 },
    .{ .mask = 0x8080808087600, .magic = 0x1f39fffc8c79ffff, .offset = 45056, .set_offset = 628 },
    .{ .mask = 0x10101010106e00, .magic = 0x44fdfffe71ffff68, .offset = 32768, .set_offset = 700 },
    .{ .mask = 0x20202020205e00, .magic = 0x4f02000cc8002e00, .offset = 0, .set_offset = 772 },
    .{ .mask = 0x40404040403e00, .magic = 0x334000218900014, .offset = 40960, .set_offset = 832 },
    .{ .mask = 0x80808080807e00, .magic = 0x3fa1fffc13260007, .offset = 20480, .set_offset = 868 },
    .{ .mask = 0x10101017e0100, .magic = 0x8dc0008002b5e042, .offset = 12288, .set_offset = 910 },
    .{ .mask = 0x20202027c0200, .magic = 0xeb4000800c600004, .offset = 49152, .set_offset = 980 },
    .{ .mask = 0x40404047a0400, .magic = 0xa810008006200002, .offset = 4096, .set_offset = 1040 },
    .{ .mask = 0x8080808760800, .magic = 0xabdcadfffad9ffff, .offset = 65536, .set_offset = 1140 },
    .{ .mask = 0x101010106e1000, .magic = 0x5b0399ffffc5ffe8, .offset = 61440, .set_offset = 1260 },
    .{ .mask = 0x202020205e2000, .magic = 0x41de29fffe51ae00, .offset = 57344, .set_offset = 1380 },
    .{ .mask = 0x404040403e4000, .magic = 0x58113fffd90002e, .offset = 20479, .set_offset = 1480 },
    .{ .mask = 0x808080807e8000, .magic = 0x4621760000240019, .offset = 32768, .set_offset = 1540 },
    .{ .mask = 0x101017e010100, .magic = 0xd1fffe807fffc000, .offset = 0, .set_offset = 1610 },
    .{ .mask = 0x202027c020200, .magic = 0x20f000404001a001, .offset = 28672, .set_offset = 1694 },
    .{ .mask = 0x404047a040400, .magic = 0x8ea9e0007ffa7000, .offset = 0, .set_offset = 1766 },
    .{ .mask = 0x8080876080800, .magic = 0x8272003dfffd2001, .offset = 20480, .set_offset = 1886 },
    .{ .mask = 0x1010106e101000, .magic = 0x44fa000e00058a75, .offset = 45056, .set_offset = 2030 },
    .{ .mask = 0x2020205e202000, .magic = 0xa389fff9ffeff59c, .offset = 49152, .set_offset = 2174 },
    .{ .mask = 0x4040403e404000, .magic = 0x8f9ffff600050200, .offset = 61440, .set_offset = 2294 },
    .{ .mask = 0x8080807e808000, .magic = 0xad14ff7a0008409c, .offset = 12288, .set_offset = 2366 },
    .{ .mask = 0x1017e01010100, .magic = 0x9e3ffff8807fffc0, .offset = 24576, .set_offset = 2450 },
    .{ .mask = 0x2027c02020200, .magic = 0x27d000e000400308, .offset = 24576, .set_offset = 2534 },
    .{ .mask = 0x4047a04040400, .magic = 0xe7f9fffdde000bc0, .offset = 40960, .set_offset = 2606 },
    .{ .mask = 0x8087608080800, .magic = 0x2cdffea6c9fffa00, .offset = 65536, .set_offset = 2726 },
    .{ .mask = 0x10106e10101000, .magic = 0xfc8fff6f59fffe00, .offset = 53248, .set_offset = 2870 },
    .{ .mask = 0x20205e20202000, .magic = 0xb22fffba95fffa00, .offset = 57344, .set_offset = 3014 },
    .{ .mask = 0x40403e40404000, .magic = 0x728400282c0002b0, .offset = 8192, .set_offset = 3134 },
    .{ .mask = 0x80807e80808000, .magic = 0x4e46000f0dfffd7c, .offset = 16384, .set_offset = 3206 },
    .{ .mask = 0x17e0101010100, .magic = 0x334000044b808000, .offset = 40960, .set_offset = 3290 },
    .{ .mask = 0x27c0202020200, .magic = 0x52a5c00004ecfff0, .offset = 61440, .set_offset = 3360 },
    .{ .mask = 0x47a0404040400, .magic = 0xa7b9fffde7fa000c, .offset = 4096, .set_offset = 3420 },
    .{ .mask = 0x8760808080800, .magic = 0x152000169220004, .offset = 53248, .set_offset = 3520 },
    .{ .mask = 0x106e1010101000, .magic = 0x908600007869fffa, .offset = 45056, .set_offset = 3640 },
    .{ .mask = 0x205e2020202000, .magic = 0x9ac9ffffb8b20008, .offset = 0, .set_offset = 3760 },
    .{ .mask = 0x403e4040404000, .magic = 0xb79fffed6ba3fff0, .offset = 20480, .set_offset = 3860 },
    .{ .mask = 0x807e8080808000, .magic = 0xeff5fff8b02a0001, .offset = 4096, .set_offset = 3920 },
    .{ .mask = 0x7e010101010100, .magic = 0xe8ffffc744a61e00, .offset = 65536, .set_offset = 3990 },
    .{ .mask = 0x7c020202020200, .magic = 0x5b80006c7c86fff4, .offset = 67238, .set_offset = 4032 },
    .{ .mask = 0x7a040404040400, .magic = 0x6fc1ffffbfc1ce00, .offset = 57344, .set_offset = 4068 },
    .{ .mask = 0x76080808080800, .magic = 0xdc0dfffed5738a00, .offset = 57344, .set_offset = 4128 },
    .{ .mask = 0x6e101010101000, .magic = 0x92860000205c3200, .offset = 36864, .set_offset = 4200 },
    .{ .mask = 0x5e202020202000, .magic = 0x9e8e000008ef9a00, .offset = 49152, .set_offset = 4272 },
    .{ .mask = 0x3e404040404000, .magic = 0x22fc000ff4f36400, .offset = 45056, .set_offset = 4332 },
    .{ .mask = 0x7e808080808000, .magic = 0x7d040003fc8cae00, .offset = 28672, .set_offset = 4368 },
    .{ .mask = 0x7e01010101010100, .magic = 0xaafffeff0418d282, .offset = 32768, .set_offset = 4410 },
    .{ .mask = 0x7c02020202020200, .magic = 0x1a29ffff6eff72ca, .offset = 36864, .set_offset = 4459 },
    .{ .mask = 0x7a04040404040400, .magic = 0x9e65ffffaf7fb156, .offset = 57344, .set_offset = 4501 },
    .{ .mask = 0x7608080808080800, .magic = 0xffee0000201e7b96, .offset = 45056, .set_offset = 4571 },
    .{ .mask = 0x6e10101010101000, .magic = 0x1945ffffd36b70e6, .offset = 53248, .set_offset = 4655 },
    .{ .mask = 0x5e20202020202000, .magic = 0xbf99ffffe7e81f2e, .offset = 65536, .set_offset = 4739 },
    .{ .mask = 0x3e40404040404000, .magic = 0xaa0bfffd2ffd47dc, .offset = 8192, .set_offset = 4809 },
    .{ .mask = 0x7e80808080808000, .magic = 0x316a000384036d56, .offset = 28672, .set_offset = 4851 },
};

const BishopMagic = struct { mask: u64, magic: u64, offset: u64, set_offset: u64 };

const bishop = [64]BishopMagic{
    .{ .mask = 0x40201008040200, .magic = 0x9032d83fbfefb411, .offset = 72936, .set_offset = 0 },
    .{ .mask = 0x402010080400, .magic = 0x2ee603f7fe003ff1, .offset = 18536, .set_offset = 7 },
    .{ .mask = 0x4020100a00, .magic = 0x766ffd95fffee3bd, .offset = 65539, .set_offset = 13 },
    .{ .mask = 0x40221400, .magic = 0x170410fff07493d7, .offset = 72215, .set_offset = 23 },
    .{ .mask = 0x2442800, .magic = 0x77ca014fff335b22, .offset = 71731, .set_offset = 35 },
    .{ .mask = 0x204085000, .magic = 0xe4f021fd000463ea, .offset = 74449, .set_offset = 47 },
    .{ .mask = 0x20408102000, .magic = 0xd14021617d8007e1, .offset = 74550, .set_offset = 57 },
    .{ .mask = 0x2040810204000, .magic = 0xc78c80801f7fc2ce, .offset = 72488, .set_offset = 63 },
    .{ .mask = 0x20100804020000, .magic = 0x93a0c0100500ff01, .offset = 16934, .set_offset = 70 },
    .{ .mask = 0x40201008040000, .magic = 0x67e953f801ffbe00, .offset = 19322, .set_offset = 76 },
    .{ .mask = 0x4020100a0000, .magic = 0x33b970001532ffd9, .offset = 68427, .set_offset = 82 },
    .{ .mask = 0x4022140000, .magic = 0x5805350082403d4f, .offset = 71233, .set_offset = 92 },
    .{ .mask = 0x244280000, .magic = 0xd6d9d07f4010c6ee, .offset = 71271, .set_offset = 104 },
    .{ .mask = 0x20408500000, .magic = 0xfe1eefde3d800899, .offset = 74473, .set_offset = 116 },
    .{ .mask = 0x2040810200000, .magic = 0xf4184020207b0002, .offset = 74549, .set_offset = 126 },
    .{ .mask = 0x4081020400000, .magic = 0xffb867efeefeffff, .offset = 74646, .set_offset = 132 },
    .{ .mask = 0x10080402000200, .magic = 0xa9cd4afef5402151, .offset = 72769, .set_offset = 138 },
    .{ .mask = 0x20100804000400, .magic = 0x7c48030407ff7c00, .offset = 19943, .set_offset = 148 },
    .{ .mask = 0x4020100a000a00, .magic = 0xbe7f8000f27083ff, .offset = 73560, .set_offset = 158 },
    .{ .mask = 0x402214001400, .magic = 0xdcc140007e07ff39, .offset = 72872, .set_offset = 198 },
    .{ .mask = 0x24428002800, .magic = 0xe29fe0203b0a0482, .offset = 73075, .set_offset = 246 },
    .{ .mask = 0x2040850005000, .magic = 0xcdf037ffe3fdfff0, .offset = 73940, .set_offset = 294 },
    .{ .mask = 0x4081020002000, .magic = 0x7b8052f1ad797ad4, .offset = 73880, .set_offset = 334 },
    .{ .mask = 0x8102040004000, .magic = 0x3d330011ffb5ff85, .offset = 54169, .set_offset = 344 },
    .{ .mask = 0x8040200020400, .magic = 0x64be403629a1102c, .offset = 73988, .set_offset = 354 },
    .{ .mask = 0x10080400040800, .magic = 0xe35e80b9bf9f1f9d, .offset = 70157, .set_offset = 366 },
    .{ .mask = 0x20100a000a1000, .magic = 0xff8eff7ffefe0003, .offset = 72744, .set_offset = 378 },
    .{ .mask = 0x40221400142200, .magic = 0x9bdf7f8007fdffff, .offset = 72233, .set_offset = 426 },
    .{ .mask = 0x2442800284400, .magic = 0x56d5840003801fda, .offset = 70699, .set_offset = 534 },
    .{ .mask = 0x4085000500800, .magic = 0xc1bfc01000820008, .offset = 73431, .set_offset = 642 },
    .{ .mask = 0x8102000201000, .magic = 0xfc57e008838fbfb8, .offset = 73442, .set_offset = 690 },
    .{ .mask = 0x10204000402000, .magic = 0x4a573c8059ff7fbe, .offset = 71766, .set_offset = 702 },
    .{ .mask = 0x4020002040800, .magic = 0xa3d4016002400c92, .offset = 67548, .set_offset = 714 },
    .{ .mask = 0x8040004081000, .magic = 0x14f927f7f89fff4d, .offset = 65907, .set_offset = 726 },
    .{ .mask = 0x100a000a102000, .magic = 0xebc7effc0981fff0, .offset = 73688, .set_offset = 738 },
    .{ .mask = 0x22140014224000, .magic = 0xa144ffe078080080, .offset = 71210, .set_offset = 786 },
    .{ .mask = 0x44280028440200, .magic = 0xe38e10010e140040, .offset = 71722, .set_offset = 894 },
    .{ .mask = 0x8500050080400, .magic = 0xe880800f8200401f, .offset = 73815, .set_offset = 1002 },
    .{ .mask = 0x10200020100800, .magic = 0x4757ff6cff74003d, .offset = 54965, .set_offset = 1050 },
    .{ .mask = 0x20400040201000, .magic = 0x8e5e5c00fffb7fc2, .offset = 66685, .set_offset = 1062 },
    .{ .mask = 0x2000204081000, .magic = 0x4f7020027a8efcbb, .offset = 74274, .set_offset = 1074 },
    .{ .mask = 0x4000408102000, .magic = 0x778201040201a000, .offset = 17978, .set_offset = 1084 },
    .{ .mask = 0xa000a10204000, .magic = 0xc64000127f3f8180, .offset = 74069, .set_offset = 1094 },
    .{ .mask = 0x14001422400000, .magic = 0x9b64c80802077fc0, .offset = 69995, .set_offset = 1134 },
    .{ .mask = 0x28002844020000, .magic = 0xe79ffff8401bffc0, .offset = 73300, .set_offset = 1182 },
    .{ .mask = 0x50005008040200, .magic = 0xac8009c2c02e0018, .offset = 74197, .set_offset = 1230 },
    .{ .mask = 0x20002010080400, .magic = 0x12beffdfdee1b076, .offset = 73181, .set_offset = 1270 },
    .{ .mask = 0x40004020100800, .magic = 0xfe003fbffe58080, .offset = 66486, .set_offset = 1280 },
    .{ .mask = 0x20408102000, .magic = 0xb36fff407e4e7782, .offset = 74354, .set_offset = 1290 },
    .{ .mask = 0x40810204000, .magic = 0x307400101efa5106, .offset = 74268, .set_offset = 1296 },
    .{ .mask = 0xa1020400000, .magic = 0xecd967ffbf81c3dc, .offset = 74646, .set_offset = 1302 },
    .{ .mask = 0x142240000000, .magic = 0xf264128fff8080c7, .offset = 74396, .set_offset = 1312 },
    .{ .mask = 0x284402000000, .magic = 0x53f0bafb73a02dfb, .offset = 70155, .set_offset = 1324 },
    .{ .mask = 0x500804020000, .magic = 0xca6f8b6ffc75fff0, .offset = 56699, .set_offset = 1336 },
    .{ .mask = 0x201008040200, .magic = 0xc42000f001ff49bb, .offset = 56193, .set_offset = 1346 },
    .{ .mask = 0x402010080400, .magic = 0xa118f00400497fea, .offset = 53243, .set_offset = 1352 },
    .{ .mask = 0x2040810204000, .magic = 0xe63800101f3e8ad7, .offset = 74353, .set_offset = 1358 },
    .{ .mask = 0x4081020400000, .magic = 0x135fe3ffa26bba52, .offset = 74121, .set_offset = 1365 },
    .{ .mask = 0xa102040000000, .magic = 0xef356794005f7ebd, .offset = 74505, .set_offset = 1371 },
    .{ .mask = 0x14224000000000, .magic = 0xf454a799dfff8082, .offset = 74408, .set_offset = 1381 },
    .{ .mask = 0x28440200000000, .magic = 0x6d580b2779fdbfcf, .offset = 69687, .set_offset = 1393 },
    .{ .mask = 0x50080402000000, .magic = 0x4ffe7f4e0ffd2200, .offset = 55505, .set_offset = 1405 },
    .{ .mask = 0x20100804020000, .magic = 0x56cafffeffbe600, .offset = 67883, .set_offset = 1415 },
    .{ .mask = 0x40201008040200, .magic = 0x275e86bf0f27e7cf, .offset = 69845, .set_offset = 1421 },
};

var numbers = std.mem.zeroes([74745]u8);

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
