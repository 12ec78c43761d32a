// magicert black, bytes in two levels: all rook and bishop attacks in 84,683 entries of 8 bits, which number 6,328 attack sets.
// Written by magicert VERSION from black_two_level.toml
// (SHA-256 d493504216f475ffbdbedabc179ab3ad267d53bc53389d55904391259558f0a3).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Certificate: black_two_level.certificate.json; check: magicert verify TABLE
// Found by: Volker Annuss and Niklas Fiekas (87,988), improved with magicert pack
// Found with: magicert pack --from black_85065 --seed 101
// This file: magicert emit black_two_level
using System;

public static class Attacks {

    static readonly ulong[] ROOK_MASK = {
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

    static readonly ulong[] ROOK_MAGIC = {
        0x80500104d8000230UL, 0x5ffbfefdfef67fffUL, 0xffeffdffafbb7fffUL, 0x8030009033000042UL,
        0x50028010500023UL, 0x20011148880020UL, 0x30006000c00030UL, 0x58005806b00002UL,
        0x6b3ff7fbfb6afffcUL, 0x800140081050002UL, 0xa78080068002dc10UL, 0x82ffe7ffde7fff88UL,
        0xe5ffcffe7fcfffafUL, 0x8001800c0180060UL, 0x628200004f5c0016UL, 0x1d00180030620018UL,
        0x12300018010c0003UL, 0x6083000c0085ffffUL, 0xa97efff7fbfdfff8UL, 0xa662002004606001UL,
        0x8f51fff001001080UL, 0x49b08007bf00081fUL, 0x3d988007bfe00810UL, 0xb76f000559dfc080UL,
        0xf64020001008000aUL, 0xb90020008040004UL, 0xf17dfefff7fbfff7UL, 0xe2bf81fff8fefff9UL,
        0x85b000ffe001ffe0UL, 0x5f701f00078007c3UL, 0x8a8bfafffb687fc1UL, 0x70d7f97ffa0fe03fUL,
        0x2e0008e8003001b2UL, 0x1e00008780180018UL, 0x2a80010300180018UL, 0x7020008180180018UL,
        0x54b070310005fffaUL, 0x6a80188100060006UL, 0xffffff7fffbfbfffUL, 0x53e802000200040UL,
        0x2e000202ec002800UL, 0x967ffcfc05fff400UL, 0x90000404b801800UL, 0xb0e0002fe03fd000UL,
        0x89e000302e803003UL, 0xa8b7efffbfc00fffUL, 0x6b4c0007a7ffa7fcUL, 0x1167fffa58005802UL,
        0x2f29000101150028UL, 0xcefffeff7f72bf00UL, 0xa900007a007d0018UL, 0x5660002040790028UL,
        0x9830002010288028UL, 0x11d0001800e08018UL, 0x70680003f3a40048UL, 0x1743d80000500028UL,
        0xd3fffb7fbbdeebeeUL, 0x10000082110209c1UL, 0xbf7ffeffbffaf71fUL, 0xbeedffff777b7d6eUL,
        0x80200007e8080c02UL, 0xafb0000fff780402UL, 0x3dcbfffb73b7e402UL, 0x32000308482882UL,
    };

    static readonly int[] ROOK_OFFSET = {
        79015, 46138, 56709, 61615,
        71353, 53198, 46734, 74222,
        45652, 18017, 5088, 70088,
        63606, 22970, 933, 28176,
        63829, 45479, 58425, 41020,
        50960, 48290, 26758, 12929,
        41961, 9011, 17184, 39738,
        51687, 25771, 13035, 36282,
        59212, 65218, 57902, 55437,
        16205, 11397, 0, 33928,
        21215, 53171, 66622, 62414,
        82409, 39149, 75954, 79268,
        16952, 8639, 81963, 19630,
        20004, 50982, 18279, 40119,
        31808, 3941, 5909, 31825,
        70023, 24611, 7759, 1012,
    };

    static readonly int[] ROOK_SET_OFFSET = {
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

    static readonly ulong[] BISHOP_MASK = {
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

    static readonly ulong[] BISHOP_MAGIC = {
        0xa7020080601803d8UL, 0x13802040400801f1UL, 0xa0080181001f60cUL, 0x2002020101883fcbUL,
        0x381fe200280a5d4aUL, 0xb0fdfbeafff5b17aUL, 0xdb6fa1003c800441UL, 0xc7dc04488f208005UL,
        0xffa2feffbfefb7ffUL, 0x83e3ee040080801UL, 0xc0800080181001f8UL, 0x39ac08080017475UL,
        0xd89ff05dffd82ef7UL, 0x97dd27e2007ff163UL, 0xa871c0efdfe6ffeeUL, 0x1112ad81010001aUL,
        0x337e7c04d33effbfUL, 0x7ffebfffa01027fdUL, 0x1000202020200UL, 0x200800040210204cUL,
        0x646fd6bc001f9008UL, 0xf1750001ffaaffdcUL, 0xf13d940040d3fffaUL, 0xefb3f4b43fef7f80UL,
        0x8800013e8300c030UL, 0x420009701806018UL, 0x938e38c65d2fe8UL, 0x8700303030c0c02aUL,
        0xdc30008df7004001UL, 0x8020000410080UL, 0x87ff038000fc001UL, 0x537f40bf0083004UL,
        0x838401ff684564d9UL, 0x407e416020UL, 0x4691ffc1ff83ff60UL, 0xe09bfefe02c04080UL,
        0x697fe17018286006UL, 0xd63fbe020f8fe080UL, 0x6dc006b4c7600ff0UL, 0xb24ffcf5008681c0UL,
        0x4100f88080UL, 0x20807c4040UL, 0x1800041018700c0UL, 0xcb2014af08004ff8UL,
        0x85850032e401f808UL, 0xc08000df80280050UL, 0xfdffffbfeff80fdcUL, 0x37000422b90e8042UL,
        0x800001f40808200UL, 0x84000101f3fd208UL, 0x75e344005c03fa2bUL, 0x4000008003f80UL,
        0x8499780fff01801UL, 0x1285000c442413f1UL, 0xfffffeffbfeff81dUL, 0xcbc000200febf309UL,
        0x4fcfffdfdfc40387UL, 0x7b39fbffefe0c0ceUL, 0x9fcc9867ffe080c3UL, 0xfd71b84057f7ffc1UL,
        0xe0a4141de0380112UL, 0x945e388000801012UL, 0x7077fff7bbe61afaUL, 0xe740000401fdf879UL,
    };

    static readonly int[] BISHOP_OFFSET = {
        12962, 14592, 18223, 8975,
        14842, 1069, 68277, 13307,
        22790, 15584, 16136, 13437,
        22242, 13707, 15450, 18338,
        12481, 12910, 24895, 25407,
        8395, 11231, 9003, 46325,
        15277, 15500, 72092, 73108,
        69037, 26935, 15527, 14988,
        8907, 14810, 27596, 22324,
        69853, 42109, 14926, 4615,
        17948, 17967, 16287, 3473,
        4171, 16401, 16325, 65241,
        22322, 37683, 6427, 15253,
        14469, 24671, 15733, 13570,
        53784, 37794, 17002, 16224,
        5162, 20428, 34778, 33798,
    };

    static readonly int[] BISHOP_SET_OFFSET = {
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

    static readonly byte[] NUMBERS = new byte[84683];

    static readonly ulong[] ROOK_SETS = new ulong[4900];

    static readonly ulong[] BISHOP_SETS = new ulong[1428];

    public static ulong RookAttacks(int square, ulong occ) {
        return ROOK_SETS[ROOK_SET_OFFSET[square] + NUMBERS[ROOK_OFFSET[square] + (int) (((occ | ~ROOK_MASK[square]) * ROOK_MAGIC[square]) >> 52)]];
    }

    public static ulong BishopAttacks(int square, ulong occ) {
        return BISHOP_SETS[BISHOP_SET_OFFSET[square] + NUMBERS[BISHOP_OFFSET[square] + (int) (((occ | ~BISHOP_MASK[square]) * BISHOP_MAGIC[square]) >> 55)]];
    }

    static Attacks() {
        for (int square = 0; square < 64; square++) {
            ulong mask = ROOK_MASK[square], occ = 0;
            int start = ROOK_SET_OFFSET[square], end = start;
            do {
                ulong attacks = walk(square, occ, new int[][] {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}});
                int place = end;
                while (place > start && ROOK_SETS[place - 1] > attacks) place--;
                if (place == start || ROOK_SETS[place - 1] != attacks) {
                    for (int n = end++; n > place; n--) ROOK_SETS[n] = ROOK_SETS[n - 1];
                    ROOK_SETS[place] = attacks;
                }
                occ = (occ - mask) & mask;
            } while (occ != 0);
            do {
                ulong attacks = walk(square, occ, new int[][] {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}});
                int number = 0;
                while (ROOK_SETS[start + number] != attacks) number++;
                NUMBERS[ROOK_OFFSET[square] + (int) (((occ | ~ROOK_MASK[square]) * ROOK_MAGIC[square]) >> 52)] = (byte) number;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = BISHOP_MASK[square], occ = 0;
            int start = BISHOP_SET_OFFSET[square], end = start;
            do {
                ulong attacks = walk(square, occ, new int[][] {new[] {1, 1}, new[] {1, -1}, new[] {-1, -1}, new[] {-1, 1}});
                int place = end;
                while (place > start && BISHOP_SETS[place - 1] > attacks) place--;
                if (place == start || BISHOP_SETS[place - 1] != attacks) {
                    for (int n = end++; n > place; n--) BISHOP_SETS[n] = BISHOP_SETS[n - 1];
                    BISHOP_SETS[place] = attacks;
                }
                occ = (occ - mask) & mask;
            } while (occ != 0);
            do {
                ulong attacks = walk(square, occ, new int[][] {new[] {1, 1}, new[] {1, -1}, new[] {-1, -1}, new[] {-1, 1}});
                int number = 0;
                while (BISHOP_SETS[start + number] != attacks) number++;
                NUMBERS[BISHOP_OFFSET[square] + (int) (((occ | ~BISHOP_MASK[square]) * BISHOP_MAGIC[square]) >> 55)] = (byte) number;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = ROOK_MASK[square], occ = 0;
            do {
                if (RookAttacks(square, occ) != walk(square, occ, new int[][] {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}})) throw new InvalidOperationException("a write would change an entry");
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = BISHOP_MASK[square], occ = 0;
            do {
                if (BishopAttacks(square, occ) != walk(square, occ, new int[][] {new[] {1, 1}, new[] {1, -1}, new[] {-1, -1}, new[] {-1, 1}})) throw new InvalidOperationException("a write would change an entry");
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
    }

    private static ulong walk(int square, ulong occ, int[][] steps) {
        ulong attacks = 0;
        foreach (int[] step in steps) {
            int file = (square & 7) + step[0], rank = (square >> 3) + step[1];
            while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
                ulong bit = 1UL << (8 * rank + file);
                attacks |= bit;
                if ((occ & bit) != 0) break;
                file += step[0];
                rank += step[1];
            }
        }
        return attacks;
    }
}
