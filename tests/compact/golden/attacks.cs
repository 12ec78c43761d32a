// Cfish: all rook and bishop attacks in 87,988 entries.
// Written by magicert VERSION from cfish_black.toml
// (SHA-256 ec63fb7ae2825a348247a39fdf3e90ad70a18b0e587d48bd0a6b95d0854076f4).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Squares: a1 = 0, b1 = 1, ..., h8 = 63.
// Found by: Volker Annuss and Niklas Fiekas (black magics)
// This file: magicert emit cfish_black
// With another square order, such as a8 = 0, use it as it is: that board is this one turned or
// mirrored, where rook and bishop attack the same bits.
// To check its numbers: magicert verify Magics.cs
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
        0x80280013ff84ffffUL, 0x5ffbfefdfef67fffUL, 0xffeffaffeffdffffUL, 0x3000900300008aUL,
        0x50028010500023UL, 0x20012120a00020UL, 0x30006000c00030UL, 0x58005806b00002UL,
        0x7fbff7fbfbeafffcUL, 0x140081050002UL, 0x180043800048UL, 0x7fffe800021fffb8UL,
        0xffffcffe7fcfffafUL, 0x1800c0180060UL, 0x4f8018005fd00018UL, 0x180030620018UL,
        0x300018010c0003UL, 0x3000c0085ffffUL, 0xfffdfff7fbfefff7UL, 0x7fc1ffdffc001fffUL,
        0xfffeffdffdffdfffUL, 0x7c108007befff81fUL, 0x20408007bfe00810UL, 0x400800558604100UL,
        0x40200010080008UL, 0x10020008040004UL, 0xfffdfefff7fbfff7UL, 0xfebf7dfff8fefff9UL,
        0xc00000ffe001ffe0UL, 0x4af01f00078007c3UL, 0xbffbfafffb683f7fUL, 0x807f67ffa102040UL,
        0x200008e800300030UL, 0x8780180018UL, 0x10300180018UL, 0x4000008180180018UL,
        0x8080310005fffaUL, 0x4000188100060006UL, 0xffffff7fffbfbfffUL, 0x802000200040UL,
        0x20000202ec002800UL, 0xfffff9ff7cfff3ffUL, 0x404b801800UL, 0x2000002fe03fd000UL,
        0xffffff6ffe7fcffdUL, 0xbff7efffbfc00fffUL, 0x100800a804UL, 0x6054000a58005805UL,
        0x829000101150028UL, 0x85008a0014UL, 0x8000002b00408028UL, 0x4000002040790028UL,
        0x7800002010288028UL, 0x1800e08018UL, 0xa3a80003f3a40048UL, 0x2003d80000500028UL,
        0xfffff37eefefdfbeUL, 0x40000280090013c1UL, 0xbf7ffeffbffaf71fUL, 0xfffdffff777b7d6eUL,
        0x48300007e8080c02UL, 0xafe0000fff780402UL, 0xee73fffbffbb77feUL, 0x2000308482882UL,
    };

    private static readonly int[] RookOffset = {
        10890, 50579, 62020, 67322,
        80251, 58503, 51175, 83130,
        50430, 21613, 72625, 80755,
        69753, 26973, 84972, 31958,
        69272, 48372, 65477, 43972,
        57154, 53521, 30534, 16548,
        46407, 11841, 21112, 44214,
        57925, 29574, 17309, 40143,
        64659, 70469, 62917, 60997,
        18554, 14385, 0, 38091,
        25122, 60083, 72209, 67875,
        56290, 43807, 73365, 76398,
        20024, 9513, 24324, 22996,
        23213, 56002, 22809, 44545,
        36072, 4750, 6014, 36054,
        78538, 28745, 8555, 1009,
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
        0xa7020080601803d8UL, 0x13802040400801f1UL, 0xa0080181001f60cUL, 0x1840802004238008UL,
        0xc03fe00100000000UL, 0x24c00bffff400000UL, 0x808101f40007f04UL, 0x100808201ec00080UL,
        0xffa2feffbfefb7ffUL, 0x83e3ee040080801UL, 0xc0800080181001f8UL, 0x440007fe0031000UL,
        0x2010007ffc000000UL, 0x1079ffe000ff8000UL, 0x3c0708101f400080UL, 0x80614080fa00040UL,
        0x7ffe7fff817fcff9UL, 0x7ffebfffa01027fdUL, 0x53018080c00f4001UL, 0x407e0001000ffb8aUL,
        0x201fe000fff80010UL, 0xffdfefffde39ffefUL, 0xcc8808000fbf8002UL, 0x7ff7fbfff8203fffUL,
        0x8800013e8300c030UL, 0x420009701806018UL, 0x7ffeff7f7f01f7fdUL, 0x8700303010c0c006UL,
        0xc800181810606000UL, 0x20002038001c8010UL, 0x87ff038000fc001UL, 0x80c0c00083007UL,
        0x80fc82c040UL, 0x407e416020UL, 0x600203f8008020UL, 0xd003fefe04404080UL,
        0xa00020c018003088UL, 0x7fbffe700bffe800UL, 0x107ff00fe4000f90UL, 0x7f8fffcff1d007f8UL,
        0x4100f88080UL, 0x20807c4040UL, 0x41018700c0UL, 0x10000080fc4080UL,
        0x1000003c80180030UL, 0xc10000df80280050UL, 0xffffffbfeff80fdcUL, 0x101003f812UL,
        0x800001f40808200UL, 0x84000101f3fd208UL, 0x80000000f808081UL, 0x4000008003f80UL,
        0x8000001001fe040UL, 0x72dd000040900a00UL, 0xfffffeffbfeff81dUL, 0xcd8000200febf209UL,
        0x100000101ec10082UL, 0x7fbaffffefe0c02fUL, 0x7f83fffffff07f7fUL, 0xfff1fffffff7ffc1UL,
        0x878040000ffe01fUL, 0x945e388000801012UL, 0x840800080200fdaUL, 0x100000c05f582008UL,
    };

    private static readonly int[] BishopOffset = {
        60984, 66046, 32910, 16369,
        42115, 835, 18910, 25911,
        63301, 16063, 17481, 59361,
        18735, 61249, 68938, 61791,
        21893, 62068, 19829, 26091,
        15815, 16419, 59777, 16288,
        33235, 15459, 15863, 75555,
        79445, 15917, 8512, 73069,
        16078, 19168, 11056, 62544,
        80477, 75049, 32947, 59172,
        55845, 61806, 73601, 15546,
        45243, 20333, 33402, 25917,
        32875, 4639, 17077, 62324,
        18159, 61436, 57073, 61025,
        81259, 64083, 56114, 57058,
        58912, 22194, 70880, 11140,
    };

    private static readonly ulong[] Attacks = new ulong[87988];

    /// <summary>
    /// The squares that a rook on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong RookAttacks(int square, ulong occ) {
        return unchecked(Attacks[RookOffset[square] + (int) (((occ | ~RookMask[square]) * RookMagic[square]) >> 52)]);
    }

    /// <summary>
    /// The squares that a bishop on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong BishopAttacks(int square, ulong occ) {
        return unchecked(Attacks[BishopOffset[square] + (int) (((occ | ~BishopMask[square]) * BishopMagic[square]) >> 55)]);
    }

    static Magics() {
        unchecked {
        for (int square = 0; square < 64; square++) {
            ulong mask = RookMask[square], occ = 0;
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}});
                int slot = RookOffset[square] + (int) (((occ | ~RookMask[square]) * RookMagic[square]) >> 52);
                if (Attacks[slot] != 0 && Attacks[slot] != reached) throw new InvalidOperationException("a write would change an entry");
                Attacks[slot] = reached;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = BishopMask[square], occ = 0;
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {1, 1}, new[] {1, -1}, new[] {-1, -1}, new[] {-1, 1}});
                int slot = BishopOffset[square] + (int) (((occ | ~BishopMask[square]) * BishopMagic[square]) >> 55);
                if (Attacks[slot] != 0 && Attacks[slot] != reached) throw new InvalidOperationException("a write would change an entry");
                Attacks[slot] = reached;
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
