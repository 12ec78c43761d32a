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
        0x9a8003d554c00004UL, 0x800cc000042000UL, 0x100051120010001UL, 0xa1fffd939fa9ffffUL,
        0x89fffeb99fff8a00UL, 0xf9fff7d3cfffd600UL, 0x43fffa9716dbfff0UL, 0xf5ffffce9afbfffaUL,
        0xb100800225c00008UL, 0xb8dafff3aa3ffffcUL, 0x4ee5fffb2f400200UL, 0xa49dfffd9b95ffffUL,
        0x7a0a000b9fff6a00UL, 0xafc5fffcb6000030UL, 0x9cb3ffffa1cffffcUL, 0x2ef9fffe79fbfff5UL,
        0xc8628e001200cfe1UL, 0x40c000800c600004UL, 0x1370008006a00002UL, 0xe2a16000935ffffUL,
        0xa1705e00087e0030UL, 0x4c8729fff2a20017UL, 0xf1cec3fffd6fffd5UL, 0xa8df4e00007bffe5UL,
        0x24fff9807fffc000UL, 0x7fff403fffe000UL, 0x5e920071fffc8040UL, 0x2c4e003dfff8dfffUL,
        0xd6c60022000fff07UL, 0xf96dfffdfffc53acUL, 0x389200020018102dUL, 0x7e5eb71dfff4d9b7UL,
        0xbdbffff2807fffc0UL, 0xa09fffff403fffe0UL, 0xab6000211fff7c0UL, 0x5b5ffef8a9fff600UL,
        0x3b2fffae25fffe00UL, 0x4a4fffb421fffa00UL, 0x7900001f6400100bUL, 0xfa79fff131fffb84UL,
        0x4d4000014e808000UL, 0x77d5815ec0010008UL, 0xd1a00013f61fff8UL, 0x9b69fffee12a0008UL,
        0x4f1600009059fff8UL, 0x2ff9ffffdf320008UL, 0xa36bffea682c0010UL, 0x220bfffabbee0001UL,
        0xa9fffeff0589e200UL, 0xe72a00009eba4200UL, 0x45b1ffffa1484200UL, 0x9a25ffff6a3b0e00UL,
        0xe6c2000064eaee00UL, 0xe0e6000027892200UL, 0x2f2fffefe979ac00UL, 0x1121fffe4c0ea200UL,
        0x48fffeff0256e286UL, 0x5555ffff7f811ea6UL, 0x12fe0000403f36ceUL, 0x1945ffff9fa102eaUL,
        0xfeb5ffffeff02e8aUL, 0xae2a00001817bcd6UL, 0x8aaa00000c0be662UL, 0xcbc9fffdcbfdb96aUL,
    };

    private static readonly int[] RookOffset = {
        16383, 12288, 12288, 8192,
        24574, 45054, 61438, 20479,
        16383, 8176, 61438, 8192,
        24574, 40958, 28670, 12288,
        24574, 40958, 57342, 32766,
        36860, 49150, 4096, 20479,
        4096, 65534, 65533, 61438,
        61438, 57342, 40958, 0,
        40958, 65536, 28670, 8192,
        53246, 57342, 4096, 65533,
        45054, 4096, 0, 8192,
        36862, 28670, 0, 36862,
        32766, 45054, 57342, 57342,
        32766, 32766, 0, 49150,
        49150, 45054, 53246, 53246,
        32766, 53246, 36862, 28670,
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
        0xd44c1807fe0fff80UL, 0xca68b7fdfffdfff0UL, 0x4a6ffe2dfffefa69UL, 0xecb7ff3f004e536bUL,
        0xcb4bfe2008420afeUL, 0x7ce2000e5fd568f1UL, 0x5bdb7efe0c000509UL, 0x2c9e803c02e00012UL,
        0x10f8dff5f3fffc00UL, 0xd0ecb5effdffff00UL, 0xaa0390022a00012cUL, 0x5dee17ffc900005cUL,
        0x2c0e14001ff9c775UL, 0x3cccde000fecd327UL, 0xeeef3757fc01dfffUL, 0xd36740ffae005ffdUL,
        0x121ff7fbe0000600UL, 0x4bb801fb2807ffffUL, 0x4f7000157de5ffffUL, 0x7dc7ffcc1a0000d0UL,
        0xb5ac0000c7001de6UL, 0xa2560000ffddffdeUL, 0xd0ac0026017bfff8UL, 0xbc300260089fff8UL,
        0xd647fb7e3feffe85UL, 0xe3e4021f9000f800UL, 0x41ff6ffdca3bfffdUL, 0x4f4a47fffb7dffffUL,
        0xd510008ee3004003UL, 0xa9affcffffa4000aUL, 0x56020200e5580310UL, 0x3693ff80af19fc04UL,
        0xf0efffebe75ff800UL, 0x9d240006526003feUL, 0x3e51fffc7ab000d8UL, 0x2c709ffd1cc80080UL,
        0xd5ffd773ffa1ff9eUL, 0xfcfff535ff7f4800UL, 0x74340205fff3ff83UL, 0x99c401001e55d400UL,
        0xb36bfff62ffec009UL, 0x6a73fffc00aecffdUL, 0xe7db0000cec57000UL, 0x4b2a3de001bbb801UL,
        0xcfad7fed5dfff400UL, 0x44ffe9f769ff9500UL, 0x31040403ffc0fc01UL, 0x30a0037a00807200UL,
        0x99ed0077fd3fea56UL, 0x765e000467f7fa0fUL, 0xaef3cc1dfeaff94cUL, 0x4052c5dcfec800fcUL,
        0x99ba0d6009d40049UL, 0x6a0f80100859ffe5UL, 0xd0c0000401fdbe78UL, 0xa5ffffa2dff7fe3UL,
        0x145efffdffdffc34UL, 0x56fa99fefff8cff9UL, 0xb60c324100a17000UL, 0x1a43c947d6ff3800UL,
        0xab33b336dfee2401UL, 0x90bd3afff00ef200UL, 0xa1ac4008027f0200UL, 0x3fff9f7fe8efe00UL,
    };

    private static readonly int[] BishopOffset = {
        65024, 59902, 58366, 61950,
        63998, 53246, 70137, 62462,
        50686, 51198, 59390, 55807,
        61438, 53758, 59902, 71677,
        49153, 56834, 72196, 72189,
        71677, 70653, 52734, 56830,
        57342, 61950, 71165, 71165,
        70653, 71677, 59390, 55294,
        50174, 54782, 71677, 69629,
        70141, 72189, 63998, 58366,
        64510, 60926, 72189, 71677,
        70141, 69629, 69629, 52222,
        60414, 56318, 60926, 71677,
        57854, 57854, 51710, 60414,
        62974, 54270, 58878, 71677,
        64510, 49662, 14061, 63486,
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

    private static readonly byte[] Numbers = new byte[72700];

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
