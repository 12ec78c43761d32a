// magicert layered, where these records begin: all rook and bishop attacks in 48,036 entries.
// Written by magicert VERSION from layered_48036.toml
// (SHA-256 49e67208de3dfb4bcf53c0e31c6af306beb10ed1c45354da6ec6eabe777fceb1).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Several squares share an entry; attack set: word & line.
// Squares: a1 = 0, b1 = 1, ..., h8 = 63.
// Certificate: layered_48036.certificate.json; check: magicert verify TABLE
// Found by: the prototype of this project's design
// This file: magicert emit layered_48036
//
// Usage: once, before the first lookup,
//     const magics = @import("magics.zig");
//     magics.init();
// Then, where the bits of occupied are the occupied squares:
//     const attacks: u64 = magics.rookAttacks(square, occupied);

const std = @import("std");

const RookMagic = struct { mask: u64, magic: u64, line: u64, offset: u64 };

const rook = [64]RookMagic{
    .{ .mask = 0x101010101017e, .magic = 0x7ffd697b3ffffd, .line = 0x1010101010101fe, .offset = 4160 },
    .{ .mask = 0x202020202027c, .magic = 0xc07ff3dfff3ffffc, .line = 0x2020202020202fd, .offset = 8303 },
    .{ .mask = 0x404040404047a, .magic = 0x7e0004c151ffff48, .line = 0x4040404040404fb, .offset = 29014 },
    .{ .mask = 0x8080808080876, .magic = 0xd5fffd9f9b91ffff, .line = 0x8080808080808f7, .offset = 37282 },
    .{ .mask = 0x1010101010106e, .magic = 0x9dfffe8591ffffdc, .line = 0x10101010101010ef, .offset = 29005 },
    .{ .mask = 0x2020202020205e, .magic = 0x41fffd5f4dffffc9, .line = 0x20202020202020df, .offset = 28979 },
    .{ .mask = 0x4040404040403e, .magic = 0x7bffffb1e3f7fff0, .line = 0x40404040404040bf, .offset = 12416 },
    .{ .mask = 0x8080808080807e, .magic = 0xd2000043882a000d, .line = 0x808080808080807f, .offset = 20736 },
    .{ .mask = 0x1010101017e00, .magic = 0x1a02000e00248041, .line = 0x10101010101fe01, .offset = 8303 },
    .{ .mask = 0x2020202027c00, .magic = 0x5f39fff77f39ffdf, .line = 0x20202020202fd02, .offset = 4160 },
    .{ .mask = 0x4040404047a00, .magic = 0x27c20005c5fffde4, .line = 0x40404040404fb04, .offset = 37282 },
    .{ .mask = 0x8080808087600, .magic = 0x25dfffd7ba1ffff, .line = 0x80808080808f708, .offset = 29014 },
    .{ .mask = 0x10101010106e00, .magic = 0x3df5fffa9200009b, .line = 0x101010101010ef10, .offset = 28979 },
    .{ .mask = 0x20202020205e00, .magic = 0xb1f600022e000049, .line = 0x202020202020df20, .offset = 29005 },
    .{ .mask = 0x40404040403e00, .magic = 0xc4cbfffa460fffe5, .line = 0x404040404040bf40, .offset = 20736 },
    .{ .mask = 0x80808080807e00, .magic = 0x57e5fffe22f3fff6, .line = 0x8080808080807f80, .offset = 12416 },
    .{ .mask = 0x10101017e0100, .magic = 0x5c800100118043e0, .line = 0x101010101fe0101, .offset = 8285 },
    .{ .mask = 0x20202027c0200, .magic = 0xeb30004001600128, .line = 0x202020202fd0202, .offset = 4183 },
    .{ .mask = 0x40404047a0400, .magic = 0xfb60008006300002, .line = 0x404040404fb0404, .offset = 20697 },
    .{ .mask = 0x8080808760800, .magic = 0x1d9100fffe3000a0, .line = 0x808080808f70808, .offset = 53 },
    .{ .mask = 0x101010106e1000, .magic = 0x8ccc460000ee001c, .line = 0x1010101010ef1010, .offset = 33121 },
    .{ .mask = 0x202020205e2000, .magic = 0x6a8afa0006dd7200, .line = 0x2020202020df2020, .offset = 24846 },
    .{ .mask = 0x404040403e4000, .magic = 0x841d6bfff26fffd8, .line = 0x4040404040bf4040, .offset = 16584 },
    .{ .mask = 0x808080807e8000, .magic = 0x86068a0000d3fffd, .line = 0x80808080807f8080, .offset = 12454 },
    .{ .mask = 0x101017e010100, .magic = 0x7cfff2807fffc000, .line = 0x1010101fe010101, .offset = 4183 },
    .{ .mask = 0x202027c020200, .magic = 0x7ca3d819fff8da01, .line = 0x2020202fd020202, .offset = 8285 },
    .{ .mask = 0x404047a040400, .magic = 0x1293a000fffd0040, .line = 0x4040404fb040404, .offset = 53 },
    .{ .mask = 0x8080876080800, .magic = 0xb055ff9a0002e001, .line = 0x8080808f7080808, .offset = 20697 },
    .{ .mask = 0x1010106e101000, .magic = 0xf8ca000dfffb1bb4, .line = 0x10101010ef101010, .offset = 24846 },
    .{ .mask = 0x2020205e202000, .magic = 0xe6ea7765fff1fff7, .line = 0x20202020df202020, .offset = 33121 },
    .{ .mask = 0x4040403e404000, .magic = 0x5df4efc3fff84ff6, .line = 0x40404040bf404040, .offset = 12454 },
    .{ .mask = 0x8080807e808000, .magic = 0x301335c9ffff1d44, .line = 0x808080807f808080, .offset = 16584 },
    .{ .mask = 0x1017e01010100, .magic = 0x8dbffffb807fffb0, .line = 0x10101fe01010101, .offset = 6 },
    .{ .mask = 0x2027c02020200, .magic = 0x1bd8fdffc9fff880, .line = 0x20202fd02020202, .offset = 12425 },
    .{ .mask = 0x4047a04040400, .magic = 0x404200024a000794, .line = 0x40404fb04040404, .offset = 33111 },
    .{ .mask = 0x8087608080800, .magic = 0xa55ffefcddfffa00, .line = 0x80808f708080808, .offset = 20734 },
    .{ .mask = 0x10106e10101000, .magic = 0x5a0fff3489fffa00, .line = 0x101010ef10101010, .offset = 33097 },
    .{ .mask = 0x20205e20202000, .magic = 0xf41ff83f7ff81f02, .line = 0x202020df20202020, .offset = 45525 },
    .{ .mask = 0x40403e40404000, .magic = 0x9184001d1c001002, .line = 0x404040bf40404040, .offset = 37277 },
    .{ .mask = 0x80807e80808000, .magic = 0x338bfff4edffff5c, .line = 0x8080807f80808080, .offset = 9 },
    .{ .mask = 0x17e0101010100, .magic = 0x6bc0000a15808000, .line = 0x101fe0101010101, .offset = 12425 },
    .{ .mask = 0x27c0202020200, .magic = 0x49388058fdfe0008, .line = 0x202fd0202020202, .offset = 6 },
    .{ .mask = 0x47a0404040400, .magic = 0xc521fffdf9be000c, .line = 0x404fb0404040404, .offset = 20734 },
    .{ .mask = 0x8760808080800, .magic = 0x6c69ffff2549fffc, .line = 0x808f70808080808, .offset = 33111 },
    .{ .mask = 0x106e1010101000, .magic = 0xe91e0000ff800ff0, .line = 0x1010ef1010101010, .offset = 45525 },
    .{ .mask = 0x205e2020202000, .magic = 0x260600002539fffd, .line = 0x2020df2020202020, .offset = 33097 },
    .{ .mask = 0x403e4040404000, .magic = 0x378bffdebddc0010, .line = 0x4040bf4040404040, .offset = 9 },
    .{ .mask = 0x807e8080808000, .magic = 0x2077fff82ea20001, .line = 0x80807f8080808080, .offset = 37277 },
    .{ .mask = 0x7e010101010100, .magic = 0xf1fffdf48439ae00, .line = 0x1fe010101010101, .offset = 41419 },
    .{ .mask = 0x7c020202020200, .magic = 0xa5fffe25ffcc7e00, .line = 0x2fd020202020202, .offset = 24860 },
    .{ .mask = 0x7a040404040400, .magic = 0x242e000075051e00, .line = 0x4fb040404040404, .offset = 37299 },
    .{ .mask = 0x76080808080800, .magic = 0x7afdffff1d357600, .line = 0x8f7080808080808, .offset = 41434 },
    .{ .mask = 0x6e101010101000, .magic = 0x4db6000084dba200, .line = 0x10ef101010101010, .offset = 41398 },
    .{ .mask = 0x5e202020202000, .magic = 0xc6ddffffe2d7ce00, .line = 0x20df202020202020, .offset = 33157 },
    .{ .mask = 0x3e404040404000, .magic = 0xf28bfff3affe6c00, .line = 0x40bf404040404040, .offset = 16579 },
    .{ .mask = 0x7e808080808000, .magic = 0x61d7fff64305aa00, .line = 0x807f808080808080, .offset = 24886 },
    .{ .mask = 0x7e01010101010100, .magic = 0x5d000100fc4b1d7a, .line = 0xfe01010101010101, .offset = 24860 },
    .{ .mask = 0x7c02020202020200, .magic = 0x57fffe1ed6fdff3e, .line = 0xfd02020202020202, .offset = 41419 },
    .{ .mask = 0x7a04040404040400, .magic = 0xd2fa00006a806c3a, .line = 0xfb04040404040404, .offset = 41434 },
    .{ .mask = 0x7608080808080800, .magic = 0xe5820000f0821e46, .line = 0xf708080808080808, .offset = 37299 },
    .{ .mask = 0x6e10101010101000, .magic = 0x71d5ffffcfd08b46, .line = 0xef10101010101010, .offset = 33157 },
    .{ .mask = 0x5e20202020202000, .magic = 0x6fb9ffffd011128e, .line = 0xdf20202020202020, .offset = 41398 },
    .{ .mask = 0x3e40404040404000, .magic = 0xbad7fff0060c8b4c, .line = 0xbf40404040404040, .offset = 24886 },
    .{ .mask = 0x7e80808080808000, .magic = 0x3497fffb2bfb1cae, .line = 0x7f80808080808080, .offset = 16579 },
};

const BishopMagic = struct { mask: u64, magic: u64, line: u64, offset: u64 };

const bishop = [64]BishopMagic{
    .{ .mask = 0x40201008040200, .magic = 0xd8606d8008c7820, .line = 0x8040201008040200, .offset = 16659 },
    .{ .mask = 0x402010080400, .magic = 0x2ee603f7fe003ff1, .line = 0x80402010080500, .offset = 4130 },
    .{ .mask = 0x4020100a00, .magic = 0x766ffd95fffee3bd, .line = 0x804020110a00, .offset = 29028 },
    .{ .mask = 0x40221400, .magic = 0x892011015968b544, .line = 0x8041221400, .offset = 28983 },
    .{ .mask = 0x2442800, .magic = 0x2004104401a6c0c, .line = 0x182442800, .offset = 47233 },
    .{ .mask = 0x204085000, .magic = 0x800282c27088b905, .line = 0x10204885000, .offset = 29948 },
    .{ .mask = 0x20408102000, .magic = 0xd0c61180620388c, .line = 0x102040810a000, .offset = 20772 },
    .{ .mask = 0x2040810204000, .magic = 0xad30630989381142, .line = 0x102040810204000, .offset = 20749 },
    .{ .mask = 0x20100804020000, .magic = 0x93a0c0100500ff01, .line = 0x4020100804020002, .offset = 4152 },
    .{ .mask = 0x40201008040000, .magic = 0x67e953f801ffbe00, .line = 0x8040201008050005, .offset = 16580 },
    .{ .mask = 0x4020100a0000, .magic = 0x1440a04062307000, .line = 0x804020110a000a, .offset = 47564 },
    .{ .mask = 0x4022140000, .magic = 0x5805350082403d4f, .line = 0x804122140014, .offset = 37288 },
    .{ .mask = 0x244280000, .magic = 0xa30a008390864410, .line = 0x18244280028, .offset = 46794 },
    .{ .mask = 0x20408500000, .magic = 0xc11820b0051a0e51, .line = 0x1020488500050, .offset = 29165 },
    .{ .mask = 0x2040810200000, .magic = 0xf4184020207b0002, .line = 0x102040810a000a0, .offset = 24789 },
    .{ .mask = 0x4081020400000, .magic = 0xffb867efeefeffff, .line = 0x204081020400040, .offset = 46999 },
    .{ .mask = 0x10080402000200, .magic = 0xc008184308100408, .line = 0x2010080402000204, .offset = 4192 },
    .{ .mask = 0x20100804000400, .magic = 0x7c48030407ff7c00, .line = 0x4020100805000508, .offset = 6655 },
    .{ .mask = 0x4020100a000a00, .magic = 0xf63003fb8cfef7d4, .line = 0x804020110a000a11, .offset = 47055 },
    .{ .mask = 0x402214001400, .magic = 0x155f01501020237e, .line = 0x80412214001422, .offset = 47063 },
    .{ .mask = 0x24428002800, .magic = 0xe29fe0203b0a0482, .line = 0x1824428002844, .offset = 47512 },
    .{ .mask = 0x2040850005000, .magic = 0xcdf037ffe3fdfff0, .line = 0x102048850005088, .offset = 47567 },
    .{ .mask = 0x4081020002000, .magic = 0x4e7b3e271d7b7df4, .line = 0x2040810a000a010, .offset = 12442 },
    .{ .mask = 0x8102040004000, .magic = 0x3d330011ffb5ff85, .line = 0x408102040004020, .offset = 16583 },
    .{ .mask = 0x8040200020400, .magic = 0x1c43b768364c0ffb, .line = 0x1008040200020408, .offset = 8234 },
    .{ .mask = 0x10080400040800, .magic = 0xe35e80b9bf9f1f9d, .line = 0x2010080500050810, .offset = 46615 },
    .{ .mask = 0x20100a000a1000, .magic = 0xff8eff7ffefe0003, .line = 0x4020110a000a1120, .offset = 46544 },
    .{ .mask = 0x40221400142200, .magic = 0x9bdf7f8007fdffff, .line = 0x8041221400142241, .offset = 46548 },
    .{ .mask = 0x2442800284400, .magic = 0x56d5840003801fda, .line = 0x182442800284482, .offset = 46546 },
    .{ .mask = 0x4085000500800, .magic = 0xc1bfc01000820008, .line = 0x204885000508804, .offset = 46548 },
    .{ .mask = 0x8102000201000, .magic = 0xfc57e008838fbfb8, .line = 0x40810a000a01008, .offset = 46572 },
    .{ .mask = 0x10204000402000, .magic = 0x4a573c8059ff7fbe, .line = 0x810204000402010, .offset = 12483 },
    .{ .mask = 0x4020002040800, .magic = 0xa3d4016002400c92, .line = 0x804020002040810, .offset = 34 },
    .{ .mask = 0x8040004081000, .magic = 0x14f927f7f89fff4d, .line = 0x1008050005081020, .offset = 1 },
    .{ .mask = 0x100a000a102000, .magic = 0x6dc82ffe0895ffd0, .line = 0x20110a000a112040, .offset = 47013 },
    .{ .mask = 0x22140014224000, .magic = 0xf844ffe078080080, .line = 0x4122140014224180, .offset = 47054 },
    .{ .mask = 0x44280028440200, .magic = 0xe38e10010e140040, .line = 0x8244280028448201, .offset = 45525 },
    .{ .mask = 0x8500050080400, .magic = 0xe880800f8200401f, .line = 0x488500050880402, .offset = 47568 },
    .{ .mask = 0x10200020100800, .magic = 0x4757ff6cff74003d, .line = 0x810a000a0100804, .offset = 28 },
    .{ .mask = 0x20400040201000, .magic = 0x8e5e5c00fffb7fc2, .line = 0x1020400040201008, .offset = 23 },
    .{ .mask = 0x2000204081000, .magic = 0x4f7020027a8efcbb, .line = 0x402000204081020, .offset = 47366 },
    .{ .mask = 0x4000408102000, .magic = 0x778201040201a000, .line = 0x805000508102040, .offset = 12427 },
    .{ .mask = 0xa000a10204000, .magic = 0xc64000127f3f8180, .line = 0x110a000a11204080, .offset = 47696 },
    .{ .mask = 0x14001422400000, .magic = 0x9b64c80802077fc0, .line = 0x2214001422418000, .offset = 46719 },
    .{ .mask = 0x28002844020000, .magic = 0xe79ffff8401bffc0, .line = 0x4428002844820100, .offset = 46665 },
    .{ .mask = 0x50005008040200, .magic = 0xac8009c2c02e0018, .line = 0x8850005088040201, .offset = 46036 },
    .{ .mask = 0x20002010080400, .magic = 0x20005442002102, .line = 0x10a000a010080402, .offset = 37270 },
    .{ .mask = 0x40004020100800, .magic = 0xfe003fbffe58080, .line = 0x2040004020100804, .offset = 0 },
    .{ .mask = 0x20408102000, .magic = 0xb36fff407e4e7782, .line = 0x200020408102040, .offset = 46941 },
    .{ .mask = 0x40810204000, .magic = 0x5202b4a5425b4010, .line = 0x500050810204080, .offset = 21185 },
    .{ .mask = 0xa1020400000, .magic = 0x214ac401411000, .line = 0xa000a1120408000, .offset = 46971 },
    .{ .mask = 0x142240000000, .magic = 0xf264128fff8080c7, .line = 0x1400142241800000, .offset = 47413 },
    .{ .mask = 0x284402000000, .magic = 0x2b52074120060a0c, .line = 0x2800284482010000, .offset = 8339 },
    .{ .mask = 0x500804020000, .magic = 0x608202179381000a, .line = 0x5000508804020100, .offset = 41400 },
    .{ .mask = 0x201008040200, .magic = 0xc42000f001ff49bb, .line = 0xa000a01008040201, .offset = 4148 },
    .{ .mask = 0x402010080400, .magic = 0xa118f00400497fea, .line = 0x4000402010080402, .offset = 16558 },
    .{ .mask = 0x2040810204000, .magic = 0xc00000b589e00b02, .line = 0x2040810204080, .offset = 21288 },
    .{ .mask = 0x4081020400000, .magic = 0x135fe3ffa26bba52, .line = 0x5081020408000, .offset = 47356 },
    .{ .mask = 0xa102040000000, .magic = 0x46444d442d610604, .line = 0xa112040800000, .offset = 12451 },
    .{ .mask = 0x14224000000000, .magic = 0x580891001208402, .line = 0x14224180000000, .offset = 16994 },
    .{ .mask = 0x28440200000000, .magic = 0x472840c021858100, .line = 0x28448201000000, .offset = 6672 },
    .{ .mask = 0x50080402000000, .magic = 0x500c24010040060, .line = 0x50880402010000, .offset = 17099 },
    .{ .mask = 0x20100804020000, .magic = 0x56cafffeffbe600, .line = 0xa0100804020100, .offset = 16530 },
    .{ .mask = 0x40201008040200, .magic = 0x17a6aa0048022f00, .line = 0x40201008040201, .offset = 6528 },
};

var attacks = std.mem.zeroes([48036]u64);

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return attacks[@intCast(rook[square].offset + (((occ | ~rook[square].mask) *% rook[square].magic) >> 52))] & rook[square].line;
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return attacks[@intCast(bishop[square].offset + (((occ | ~bishop[square].mask) *% bishop[square].magic) >> 55))] & bishop[square].line;
}

/// Call once before the first lookup. Panics at a write that would change an entry.
pub fn init() void {
    for (0..64) |square| {
        const mask = rook[square].mask;
        var occ: u64 = 0;
        while (true) {
            const reached = walk(square, occ, .{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } });
            const slot: usize = @intCast(rook[square].offset + (((occ | ~rook[square].mask) *% rook[square].magic) >> 52));
            attacks[slot] |= reached;
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
            attacks[slot] |= reached;
            occ = (occ -% mask) & mask;
            if (occ == 0) break;
        }
    }
    for (0..64) |square| {
        const mask = rook[square].mask;
        var occ: u64 = 0;
        while (true) {
            const reached = walk(square, occ, .{ .{ 0, 1 }, .{ 1, 0 }, .{ 0, -1 }, .{ -1, 0 } });
            const slot: usize = @intCast(rook[square].offset + (((occ | ~rook[square].mask) *% rook[square].magic) >> 52));
            check((attacks[slot] & rook[square].line) == reached);
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
            check((attacks[slot] & bishop[square].line) == reached);
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
