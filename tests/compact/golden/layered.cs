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
        0x7ffd697b3ffffdUL, 0xc07ff3dfff3ffffcUL, 0x7e0004c151ffff48UL, 0xd5fffd9f9b91ffffUL,
        0x9dfffe8591ffffdcUL, 0x41fffd5f4dffffc9UL, 0x7bffffb1e3f7fff0UL, 0xd2000043882a000dUL,
        0x1a02000e00248041UL, 0x5f39fff77f39ffdfUL, 0x27c20005c5fffde4UL, 0x25dfffd7ba1ffffUL,
        0x3df5fffa9200009bUL, 0xb1f600022e000049UL, 0xc4cbfffa460fffe5UL, 0x57e5fffe22f3fff6UL,
        0x5c800100118043e0UL, 0xeb30004001600128UL, 0xfb60008006300002UL, 0x1d9100fffe3000a0UL,
        0x8ccc460000ee001cUL, 0x6a8afa0006dd7200UL, 0x841d6bfff26fffd8UL, 0x86068a0000d3fffdUL,
        0x7cfff2807fffc000UL, 0x7ca3d819fff8da01UL, 0x1293a000fffd0040UL, 0xb055ff9a0002e001UL,
        0xf8ca000dfffb1bb4UL, 0xe6ea7765fff1fff7UL, 0x5df4efc3fff84ff6UL, 0x301335c9ffff1d44UL,
        0x8dbffffb807fffb0UL, 0x1bd8fdffc9fff880UL, 0x404200024a000794UL, 0xa55ffefcddfffa00UL,
        0x5a0fff3489fffa00UL, 0xf41ff83f7ff81f02UL, 0x9184001d1c001002UL, 0x338bfff4edffff5cUL,
        0x6bc0000a15808000UL, 0x49388058fdfe0008UL, 0xc521fffdf9be000cUL, 0x6c69ffff2549fffcUL,
        0xe91e0000ff800ff0UL, 0x260600002539fffdUL, 0x378bffdebddc0010UL, 0x2077fff82ea20001UL,
        0xf1fffdf48439ae00UL, 0xa5fffe25ffcc7e00UL, 0x242e000075051e00UL, 0x7afdffff1d357600UL,
        0x4db6000084dba200UL, 0xc6ddffffe2d7ce00UL, 0xf28bfff3affe6c00UL, 0x61d7fff64305aa00UL,
        0x5d000100fc4b1d7aUL, 0x57fffe1ed6fdff3eUL, 0xd2fa00006a806c3aUL, 0xe5820000f0821e46UL,
        0x71d5ffffcfd08b46UL, 0x6fb9ffffd011128eUL, 0xbad7fff0060c8b4cUL, 0x3497fffb2bfb1caeUL,
    };

    private static readonly ulong[] RookLine = {
        0x1010101010101feUL, 0x2020202020202fdUL, 0x4040404040404fbUL, 0x8080808080808f7UL,
        0x10101010101010efUL, 0x20202020202020dfUL, 0x40404040404040bfUL, 0x808080808080807fUL,
        0x10101010101fe01UL, 0x20202020202fd02UL, 0x40404040404fb04UL, 0x80808080808f708UL,
        0x101010101010ef10UL, 0x202020202020df20UL, 0x404040404040bf40UL, 0x8080808080807f80UL,
        0x101010101fe0101UL, 0x202020202fd0202UL, 0x404040404fb0404UL, 0x808080808f70808UL,
        0x1010101010ef1010UL, 0x2020202020df2020UL, 0x4040404040bf4040UL, 0x80808080807f8080UL,
        0x1010101fe010101UL, 0x2020202fd020202UL, 0x4040404fb040404UL, 0x8080808f7080808UL,
        0x10101010ef101010UL, 0x20202020df202020UL, 0x40404040bf404040UL, 0x808080807f808080UL,
        0x10101fe01010101UL, 0x20202fd02020202UL, 0x40404fb04040404UL, 0x80808f708080808UL,
        0x101010ef10101010UL, 0x202020df20202020UL, 0x404040bf40404040UL, 0x8080807f80808080UL,
        0x101fe0101010101UL, 0x202fd0202020202UL, 0x404fb0404040404UL, 0x808f70808080808UL,
        0x1010ef1010101010UL, 0x2020df2020202020UL, 0x4040bf4040404040UL, 0x80807f8080808080UL,
        0x1fe010101010101UL, 0x2fd020202020202UL, 0x4fb040404040404UL, 0x8f7080808080808UL,
        0x10ef101010101010UL, 0x20df202020202020UL, 0x40bf404040404040UL, 0x807f808080808080UL,
        0xfe01010101010101UL, 0xfd02020202020202UL, 0xfb04040404040404UL, 0xf708080808080808UL,
        0xef10101010101010UL, 0xdf20202020202020UL, 0xbf40404040404040UL, 0x7f80808080808080UL,
    };

    private static readonly int[] RookOffset = {
        4160, 8303, 29014, 37282,
        29005, 28979, 12416, 20736,
        8303, 4160, 37282, 29014,
        28979, 29005, 20736, 12416,
        8285, 4183, 20697, 53,
        33121, 24846, 16584, 12454,
        4183, 8285, 53, 20697,
        24846, 33121, 12454, 16584,
        6, 12425, 33111, 20734,
        33097, 45525, 37277, 9,
        12425, 6, 20734, 33111,
        45525, 33097, 9, 37277,
        41419, 24860, 37299, 41434,
        41398, 33157, 16579, 24886,
        24860, 41419, 41434, 37299,
        33157, 41398, 24886, 16579,
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
        0xd8606d8008c7820UL, 0x2ee603f7fe003ff1UL, 0x766ffd95fffee3bdUL, 0x892011015968b544UL,
        0x2004104401a6c0cUL, 0x800282c27088b905UL, 0xd0c61180620388cUL, 0xad30630989381142UL,
        0x93a0c0100500ff01UL, 0x67e953f801ffbe00UL, 0x1440a04062307000UL, 0x5805350082403d4fUL,
        0xa30a008390864410UL, 0xc11820b0051a0e51UL, 0xf4184020207b0002UL, 0xffb867efeefeffffUL,
        0xc008184308100408UL, 0x7c48030407ff7c00UL, 0xf63003fb8cfef7d4UL, 0x155f01501020237eUL,
        0xe29fe0203b0a0482UL, 0xcdf037ffe3fdfff0UL, 0x4e7b3e271d7b7df4UL, 0x3d330011ffb5ff85UL,
        0x1c43b768364c0ffbUL, 0xe35e80b9bf9f1f9dUL, 0xff8eff7ffefe0003UL, 0x9bdf7f8007fdffffUL,
        0x56d5840003801fdaUL, 0xc1bfc01000820008UL, 0xfc57e008838fbfb8UL, 0x4a573c8059ff7fbeUL,
        0xa3d4016002400c92UL, 0x14f927f7f89fff4dUL, 0x6dc82ffe0895ffd0UL, 0xf844ffe078080080UL,
        0xe38e10010e140040UL, 0xe880800f8200401fUL, 0x4757ff6cff74003dUL, 0x8e5e5c00fffb7fc2UL,
        0x4f7020027a8efcbbUL, 0x778201040201a000UL, 0xc64000127f3f8180UL, 0x9b64c80802077fc0UL,
        0xe79ffff8401bffc0UL, 0xac8009c2c02e0018UL, 0x20005442002102UL, 0xfe003fbffe58080UL,
        0xb36fff407e4e7782UL, 0x5202b4a5425b4010UL, 0x214ac401411000UL, 0xf264128fff8080c7UL,
        0x2b52074120060a0cUL, 0x608202179381000aUL, 0xc42000f001ff49bbUL, 0xa118f00400497feaUL,
        0xc00000b589e00b02UL, 0x135fe3ffa26bba52UL, 0x46444d442d610604UL, 0x580891001208402UL,
        0x472840c021858100UL, 0x500c24010040060UL, 0x56cafffeffbe600UL, 0x17a6aa0048022f00UL,
    };

    private static readonly ulong[] BishopLine = {
        0x8040201008040200UL, 0x80402010080500UL, 0x804020110a00UL, 0x8041221400UL,
        0x182442800UL, 0x10204885000UL, 0x102040810a000UL, 0x102040810204000UL,
        0x4020100804020002UL, 0x8040201008050005UL, 0x804020110a000aUL, 0x804122140014UL,
        0x18244280028UL, 0x1020488500050UL, 0x102040810a000a0UL, 0x204081020400040UL,
        0x2010080402000204UL, 0x4020100805000508UL, 0x804020110a000a11UL, 0x80412214001422UL,
        0x1824428002844UL, 0x102048850005088UL, 0x2040810a000a010UL, 0x408102040004020UL,
        0x1008040200020408UL, 0x2010080500050810UL, 0x4020110a000a1120UL, 0x8041221400142241UL,
        0x182442800284482UL, 0x204885000508804UL, 0x40810a000a01008UL, 0x810204000402010UL,
        0x804020002040810UL, 0x1008050005081020UL, 0x20110a000a112040UL, 0x4122140014224180UL,
        0x8244280028448201UL, 0x488500050880402UL, 0x810a000a0100804UL, 0x1020400040201008UL,
        0x402000204081020UL, 0x805000508102040UL, 0x110a000a11204080UL, 0x2214001422418000UL,
        0x4428002844820100UL, 0x8850005088040201UL, 0x10a000a010080402UL, 0x2040004020100804UL,
        0x200020408102040UL, 0x500050810204080UL, 0xa000a1120408000UL, 0x1400142241800000UL,
        0x2800284482010000UL, 0x5000508804020100UL, 0xa000a01008040201UL, 0x4000402010080402UL,
        0x2040810204080UL, 0x5081020408000UL, 0xa112040800000UL, 0x14224180000000UL,
        0x28448201000000UL, 0x50880402010000UL, 0xa0100804020100UL, 0x40201008040201UL,
    };

    private static readonly int[] BishopOffset = {
        16659, 4130, 29028, 28983,
        47233, 29948, 20772, 20749,
        4152, 16580, 47564, 37288,
        46794, 29165, 24789, 46999,
        4192, 6655, 47055, 47063,
        47512, 47567, 12442, 16583,
        8234, 46615, 46544, 46548,
        46546, 46548, 46572, 12483,
        34, 1, 47013, 47054,
        45525, 47568, 28, 23,
        47366, 12427, 47696, 46719,
        46665, 46036, 37270, 0,
        46941, 21185, 46971, 47413,
        8339, 41400, 4148, 16558,
        21288, 47356, 12451, 16994,
        6672, 17099, 16530, 6528,
    };

    private static readonly ulong[] Attacks = new ulong[48036];

    /// <summary>
    /// The squares that a rook on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong RookAttacks(int square, ulong occ) {
        return unchecked(Attacks[RookOffset[square] + (int) (((occ | ~RookMask[square]) * RookMagic[square]) >> 52)] & RookLine[square]);
    }

    /// <summary>
    /// The squares that a bishop on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong BishopAttacks(int square, ulong occ) {
        return unchecked(Attacks[BishopOffset[square] + (int) (((occ | ~BishopMask[square]) * BishopMagic[square]) >> 55)] & BishopLine[square]);
    }

    static Magics() {
        unchecked {
        for (int square = 0; square < 64; square++) {
            ulong mask = RookMask[square], occ = 0;
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}});
                int slot = RookOffset[square] + (int) (((occ | ~RookMask[square]) * RookMagic[square]) >> 52);
                Attacks[slot] |= reached;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = BishopMask[square], occ = 0;
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {1, 1}, new[] {1, -1}, new[] {-1, -1}, new[] {-1, 1}});
                int slot = BishopOffset[square] + (int) (((occ | ~BishopMask[square]) * BishopMagic[square]) >> 55);
                Attacks[slot] |= reached;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = RookMask[square], occ = 0;
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}});
                int slot = RookOffset[square] + (int) (((occ | ~RookMask[square]) * RookMagic[square]) >> 52);
                if ((Attacks[slot] & RookLine[square]) != reached) throw new InvalidOperationException("a write would change an entry");
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
        for (int square = 0; square < 64; square++) {
            ulong mask = BishopMask[square], occ = 0;
            do {
                ulong reached = walk(square, occ, new int[][] {new[] {1, 1}, new[] {1, -1}, new[] {-1, -1}, new[] {-1, 1}});
                int slot = BishopOffset[square] + (int) (((occ | ~BishopMask[square]) * BishopMagic[square]) >> 55);
                if ((Attacks[slot] & BishopLine[square]) != reached) throw new InvalidOperationException("a write would change an entry");
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
