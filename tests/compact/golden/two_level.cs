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
// Usage; the table is made when the class is first used:
//     ulong attacks = Magics.RookAttacks(square, occupied);
// where the bits of occupied are the occupied squares.

using System;

public static class Magics {

    private static readonly ulong[] RookMask = {
        0x101010101017eUL, 0x202020202027cUL, 0x404040404047aUL, 0x8080808080876UL,
        0x1010101010106eUL, 0x2020202020205eUL, 0x4040404040403eUL, 0x8080808080807eUL,
        0x1010101017e00UL, 0x2020202027c00UL, 0x4040404047a00UL, 0x8080808087600UL,
        0x10101010106e00UL, 0x20202020205e00UL, 0x40404040403e00UL, 0x80808080807e00UL,
        0x10101017e0100UL, 0x20202027c0200UL, 0x40404047a0400UL, 0x8080808760800UL,
        0x101010106e1000UL, 0x202020205e2000UL, 0x404040403e4000UL, 0x808080807e8000UL,
        0x101017e010100UL, 0x202027c020200UL, 0x404047a040400UL, 0x8080876080800UL,
        0x1010106e101000UL, 0x2020205e202000UL, 0x4040403e404000UL, 0x8080807e808000UL,
        0x1017e01010100UL, 0x2027c02020200UL, 0x4047a04040400UL, 0x8087608080800UL,
        0x10106e10101000UL, 0x20205e20202000UL, 0x40403e40404000UL, 0x80807e80808000UL,
        0x17e0101010100UL, 0x27c0202020200UL, 0x47a0404040400UL, 0x8760808080800UL,
        0x106e1010101000UL, 0x205e2020202000UL, 0x403e4040404000UL, 0x807e8080808000UL,
        0x7e010101010100UL, 0x7c020202020200UL, 0x7a040404040400UL, 0x76080808080800UL,
        0x6e101010101000UL, 0x5e202020202000UL, 0x3e404040404000UL, 0x7e808080808000UL,
        0x7e01010101010100UL, 0x7c02020202020200UL, 0x7a04040404040400UL, 0x7608080808080800UL,
        0x6e10101010101000UL, 0x5e20202020202000UL, 0x3e40404040404000UL, 0x7e80808080808000UL,
    };

    private static readonly ulong[] RookMagic = {
        0x807ffd287d3ffffcUL, 0x807ff35ffffbc000UL, 0x3e0005130a25ffffUL, 0xe1fffd9f9b89ffffUL,
        0xf1fff9a39fffb200UL, 0xedfffb5bd7ffc600UL, 0xbc0001904b180010UL, 0x21ffff8acb6bfffaUL,
        0xd3047fff1c400009UL, 0xe24cfff780ffbffdUL, 0xef15fffb33400200UL, 0x1f39fffc8c79ffffUL,
        0x44fdfffe71ffff68UL, 0x4f02000cc8002e00UL, 0x334000218900014UL, 0x3fa1fffc13260007UL,
        0x8dc0008002b5e042UL, 0xeb4000800c600004UL, 0xa810008006200002UL, 0xabdcadfffad9ffffUL,
        0x5b0399ffffc5ffe8UL, 0x41de29fffe51ae00UL, 0x58113fffd90002eUL, 0x4621760000240019UL,
        0xd1fffe807fffc000UL, 0x20f000404001a001UL, 0x8ea9e0007ffa7000UL, 0x8272003dfffd2001UL,
        0x44fa000e00058a75UL, 0xa389fff9ffeff59cUL, 0x8f9ffff600050200UL, 0xad14ff7a0008409cUL,
        0x9e3ffff8807fffc0UL, 0x27d000e000400308UL, 0xe7f9fffdde000bc0UL, 0x2cdffea6c9fffa00UL,
        0xfc8fff6f59fffe00UL, 0xb22fffba95fffa00UL, 0x728400282c0002b0UL, 0x4e46000f0dfffd7cUL,
        0x334000044b808000UL, 0x52a5c00004ecfff0UL, 0xa7b9fffde7fa000cUL, 0x152000169220004UL,
        0x908600007869fffaUL, 0x9ac9ffffb8b20008UL, 0xb79fffed6ba3fff0UL, 0xeff5fff8b02a0001UL,
        0xe8ffffc744a61e00UL, 0x5b80006c7c86fff4UL, 0x6fc1ffffbfc1ce00UL, 0xdc0dfffed5738a00UL,
        0x92860000205c3200UL, 0x9e8e000008ef9a00UL, 0x22fc000ff4f36400UL, 0x7d040003fc8cae00UL,
        0xaafffeff0418d282UL, 0x1a29ffff6eff72caUL, 0x9e65ffffaf7fb156UL, 0xffee0000201e7b96UL,
        0x1945ffffd36b70e6UL, 0xbf99ffffe7e81f2eUL, 0xaa0bfffd2ffd47dcUL, 0x316a000384036d56UL,
    };

    private static readonly int[] RookOffset = {
        16384, 49152, 4096, 53248,
        36864, 40960, 36864, 8192,
        24576, 61440, 20480, 45056,
        32768, 0, 40960, 20480,
        12288, 49152, 4096, 65536,
        61440, 57344, 20479, 32768,
        0, 28672, 0, 20480,
        45056, 49152, 61440, 12288,
        24576, 24576, 40960, 65536,
        53248, 57344, 8192, 16384,
        40960, 61440, 4096, 53248,
        45056, 0, 20480, 4096,
        65536, 67238, 57344, 57344,
        36864, 49152, 45056, 28672,
        32768, 36864, 57344, 45056,
        53248, 65536, 8192, 28672,
    };

    private static readonly int[] RookSetOffset = {
        0, 49, 91, 161,
        245, 329, 399, 441,
        490, 532, 568, 628,
        700, 772, 832, 868,
        910, 980, 1040, 1140,
        1260, 1380, 1480, 1540,
        1610, 1694, 1766, 1886,
        2030, 2174, 2294, 2366,
        2450, 2534, 2606, 2726,
        2870, 3014, 3134, 3206,
        3290, 3360, 3420, 3520,
        3640, 3760, 3860, 3920,
        3990, 4032, 4068, 4128,
        4200, 4272, 4332, 4368,
        4410, 4459, 4501, 4571,
        4655, 4739, 4809, 4851,
    };

    private static readonly ulong[] BishopMask = {
        0x40201008040200UL, 0x402010080400UL, 0x4020100a00UL, 0x40221400UL,
        0x2442800UL, 0x204085000UL, 0x20408102000UL, 0x2040810204000UL,
        0x20100804020000UL, 0x40201008040000UL, 0x4020100a0000UL, 0x4022140000UL,
        0x244280000UL, 0x20408500000UL, 0x2040810200000UL, 0x4081020400000UL,
        0x10080402000200UL, 0x20100804000400UL, 0x4020100a000a00UL, 0x402214001400UL,
        0x24428002800UL, 0x2040850005000UL, 0x4081020002000UL, 0x8102040004000UL,
        0x8040200020400UL, 0x10080400040800UL, 0x20100a000a1000UL, 0x40221400142200UL,
        0x2442800284400UL, 0x4085000500800UL, 0x8102000201000UL, 0x10204000402000UL,
        0x4020002040800UL, 0x8040004081000UL, 0x100a000a102000UL, 0x22140014224000UL,
        0x44280028440200UL, 0x8500050080400UL, 0x10200020100800UL, 0x20400040201000UL,
        0x2000204081000UL, 0x4000408102000UL, 0xa000a10204000UL, 0x14001422400000UL,
        0x28002844020000UL, 0x50005008040200UL, 0x20002010080400UL, 0x40004020100800UL,
        0x20408102000UL, 0x40810204000UL, 0xa1020400000UL, 0x142240000000UL,
        0x284402000000UL, 0x500804020000UL, 0x201008040200UL, 0x402010080400UL,
        0x2040810204000UL, 0x4081020400000UL, 0xa102040000000UL, 0x14224000000000UL,
        0x28440200000000UL, 0x50080402000000UL, 0x20100804020000UL, 0x40201008040200UL,
    };

    private static readonly ulong[] BishopMagic = {
        0x9032d83fbfefb411UL, 0x2ee603f7fe003ff1UL, 0x766ffd95fffee3bdUL, 0x170410fff07493d7UL,
        0x77ca014fff335b22UL, 0xe4f021fd000463eaUL, 0xd14021617d8007e1UL, 0xc78c80801f7fc2ceUL,
        0x93a0c0100500ff01UL, 0x67e953f801ffbe00UL, 0x33b970001532ffd9UL, 0x5805350082403d4fUL,
        0xd6d9d07f4010c6eeUL, 0xfe1eefde3d800899UL, 0xf4184020207b0002UL, 0xffb867efeefeffffUL,
        0xa9cd4afef5402151UL, 0x7c48030407ff7c00UL, 0xbe7f8000f27083ffUL, 0xdcc140007e07ff39UL,
        0xe29fe0203b0a0482UL, 0xcdf037ffe3fdfff0UL, 0x7b8052f1ad797ad4UL, 0x3d330011ffb5ff85UL,
        0x64be403629a1102cUL, 0xe35e80b9bf9f1f9dUL, 0xff8eff7ffefe0003UL, 0x9bdf7f8007fdffffUL,
        0x56d5840003801fdaUL, 0xc1bfc01000820008UL, 0xfc57e008838fbfb8UL, 0x4a573c8059ff7fbeUL,
        0xa3d4016002400c92UL, 0x14f927f7f89fff4dUL, 0xebc7effc0981fff0UL, 0xa144ffe078080080UL,
        0xe38e10010e140040UL, 0xe880800f8200401fUL, 0x4757ff6cff74003dUL, 0x8e5e5c00fffb7fc2UL,
        0x4f7020027a8efcbbUL, 0x778201040201a000UL, 0xc64000127f3f8180UL, 0x9b64c80802077fc0UL,
        0xe79ffff8401bffc0UL, 0xac8009c2c02e0018UL, 0x12beffdfdee1b076UL, 0xfe003fbffe58080UL,
        0xb36fff407e4e7782UL, 0x307400101efa5106UL, 0xecd967ffbf81c3dcUL, 0xf264128fff8080c7UL,
        0x53f0bafb73a02dfbUL, 0xca6f8b6ffc75fff0UL, 0xc42000f001ff49bbUL, 0xa118f00400497feaUL,
        0xe63800101f3e8ad7UL, 0x135fe3ffa26bba52UL, 0xef356794005f7ebdUL, 0xf454a799dfff8082UL,
        0x6d580b2779fdbfcfUL, 0x4ffe7f4e0ffd2200UL, 0x56cafffeffbe600UL, 0x275e86bf0f27e7cfUL,
    };

    private static readonly int[] BishopOffset = {
        72936, 18536, 65539, 72215,
        71731, 74449, 74550, 72488,
        16934, 19322, 68427, 71233,
        71271, 74473, 74549, 74646,
        72769, 19943, 73560, 72872,
        73075, 73940, 73880, 54169,
        73988, 70157, 72744, 72233,
        70699, 73431, 73442, 71766,
        67548, 65907, 73688, 71210,
        71722, 73815, 54965, 66685,
        74274, 17978, 74069, 69995,
        73300, 74197, 73181, 66486,
        74354, 74268, 74646, 74396,
        70155, 56699, 56193, 53243,
        74353, 74121, 74505, 74408,
        69687, 55505, 67883, 69845,
    };

    private static readonly int[] BishopSetOffset = {
        0, 7, 13, 23,
        35, 47, 57, 63,
        70, 76, 82, 92,
        104, 116, 126, 132,
        138, 148, 158, 198,
        246, 294, 334, 344,
        354, 366, 378, 426,
        534, 642, 690, 702,
        714, 726, 738, 786,
        894, 1002, 1050, 1062,
        1074, 1084, 1094, 1134,
        1182, 1230, 1270, 1280,
        1290, 1296, 1302, 1312,
        1324, 1336, 1346, 1352,
        1358, 1365, 1371, 1381,
        1393, 1405, 1415, 1421,
    };

    private static readonly byte[] Numbers = new byte[74745];

    private static readonly ulong[] RookSets = new ulong[4900];

    private static readonly ulong[] BishopSets = new ulong[1428];

    /// <summary>
    /// The squares that a rook on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong RookAttacks(int square, ulong occ) {
        return unchecked(RookSets[RookSetOffset[square] + Numbers[RookOffset[square] + (int) (((occ | ~RookMask[square]) * RookMagic[square]) >> 52)]]);
    }

    /// <summary>
    /// The squares that a bishop on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong BishopAttacks(int square, ulong occ) {
        return unchecked(BishopSets[BishopSetOffset[square] + Numbers[BishopOffset[square] + (int) (((occ | ~BishopMask[square]) * BishopMagic[square]) >> 55)]]);
    }

    static Magics() {
        unchecked {
        for (int square = 0; square < 64; square++) {
            ulong mask = RookMask[square], occ = 0;
            int start = RookSetOffset[square], end = start;
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}});
                int place = end;
                while (place > start && RookSets[place - 1] > reached) place--;
                if (place == start || RookSets[place - 1] != reached) {
                    for (int n = end++; n > place; n--) RookSets[n] = RookSets[n - 1];
                    RookSets[place] = reached;
                }
                occ = (occ - mask) & mask;
            } while (occ != 0);
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}});
                int number = 0;
                while (RookSets[start + number] != reached) number++;
                Numbers[RookOffset[square] + (int) (((occ | ~RookMask[square]) * RookMagic[square]) >> 52)] = (byte) number;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = BishopMask[square], occ = 0;
            int start = BishopSetOffset[square], end = start;
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {1, 1}, new[] {1, -1}, new[] {-1, -1}, new[] {-1, 1}});
                int place = end;
                while (place > start && BishopSets[place - 1] > reached) place--;
                if (place == start || BishopSets[place - 1] != reached) {
                    for (int n = end++; n > place; n--) BishopSets[n] = BishopSets[n - 1];
                    BishopSets[place] = reached;
                }
                occ = (occ - mask) & mask;
            } while (occ != 0);
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {1, 1}, new[] {1, -1}, new[] {-1, -1}, new[] {-1, 1}});
                int number = 0;
                while (BishopSets[start + number] != reached) number++;
                Numbers[BishopOffset[square] + (int) (((occ | ~BishopMask[square]) * BishopMagic[square]) >> 55)] = (byte) number;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = RookMask[square], occ = 0;
            do {
                if (RookAttacks(square, occ) != walk(square, occ, new int[][] {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}})) throw new InvalidOperationException("a write would change an entry");
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = BishopMask[square], occ = 0;
            do {
                if (BishopAttacks(square, occ) != walk(square, occ, new int[][] {new[] {1, 1}, new[] {1, -1}, new[] {-1, -1}, new[] {-1, 1}})) throw new InvalidOperationException("a write would change an entry");
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        }
    }

    private static ulong walk(int square, ulong occ, int[][] steps) {
        ulong reached = 0;
        foreach (int[] step in steps) {
            int file = (square & 7) + step[0], rank = (square >> 3) + step[1];
            while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
                ulong bit = 1UL << (8 * rank + file);
                reached |= bit;
                if ((occ & bit) != 0) break;
                file += step[0];
                rank += step[1];
            }
        }
        return reached;
    }
}
