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
// Usage; the table is made when it is first used:
//     let attacks: UInt64 = Magics.rookAttacks(square, occupied)
// where the bits of occupied are the occupied squares.

public enum Magics {
    private static let rook_mask: [UInt64] = [
        0x101010101017e, 0x202020202027c, 0x404040404047a, 0x8080808080876,
        0x1010101010106e, 0x2020202020205e, 0x4040404040403e, 0x8080808080807e,
        0x1010101017e00, 0x2020202027c00, 0x4040404047a00, 0x8080808087600,
        0x10101010106e00, 0x20202020205e00, 0x40404040403e00, 0x80808080807e00,
        0x10101017e0100, 0x20202027c0200, 0x40404047a0400, 0x8080808760800,
        0x101010106e1000, 0x202020205e2000, 0x404040403e4000, 0x808080807e8000,
        0x101017e010100, 0x202027c020200, 0x404047a040400, 0x8080876080800,
        0x1010106e101000, 0x2020205e202000, 0x4040403e404000, 0x8080807e808000,
        0x1017e01010100, 0x2027c02020200, 0x4047a04040400, 0x8087608080800,
        0x10106e10101000, 0x20205e20202000, 0x40403e40404000, 0x80807e80808000,
        0x17e0101010100, 0x27c0202020200, 0x47a0404040400, 0x8760808080800,
        0x106e1010101000, 0x205e2020202000, 0x403e4040404000, 0x807e8080808000,
        0x7e010101010100, 0x7c020202020200, 0x7a040404040400, 0x76080808080800,
        0x6e101010101000, 0x5e202020202000, 0x3e404040404000, 0x7e808080808000,
        0x7e01010101010100, 0x7c02020202020200, 0x7a04040404040400, 0x7608080808080800,
        0x6e10101010101000, 0x5e20202020202000, 0x3e40404040404000, 0x7e80808080808000,
    ]

    private static let rook_magic: [UInt64] = [
        0x7ffd697b3ffffd, 0xc07ff3dfff3ffffc, 0x7e0004c151ffff48, 0xd5fffd9f9b91ffff,
        0x9dfffe8591ffffdc, 0x41fffd5f4dffffc9, 0x7bffffb1e3f7fff0, 0xd2000043882a000d,
        0x1a02000e00248041, 0x5f39fff77f39ffdf, 0x27c20005c5fffde4, 0x25dfffd7ba1ffff,
        0x3df5fffa9200009b, 0xb1f600022e000049, 0xc4cbfffa460fffe5, 0x57e5fffe22f3fff6,
        0x5c800100118043e0, 0xeb30004001600128, 0xfb60008006300002, 0x1d9100fffe3000a0,
        0x8ccc460000ee001c, 0x6a8afa0006dd7200, 0x841d6bfff26fffd8, 0x86068a0000d3fffd,
        0x7cfff2807fffc000, 0x7ca3d819fff8da01, 0x1293a000fffd0040, 0xb055ff9a0002e001,
        0xf8ca000dfffb1bb4, 0xe6ea7765fff1fff7, 0x5df4efc3fff84ff6, 0x301335c9ffff1d44,
        0x8dbffffb807fffb0, 0x1bd8fdffc9fff880, 0x404200024a000794, 0xa55ffefcddfffa00,
        0x5a0fff3489fffa00, 0xf41ff83f7ff81f02, 0x9184001d1c001002, 0x338bfff4edffff5c,
        0x6bc0000a15808000, 0x49388058fdfe0008, 0xc521fffdf9be000c, 0x6c69ffff2549fffc,
        0xe91e0000ff800ff0, 0x260600002539fffd, 0x378bffdebddc0010, 0x2077fff82ea20001,
        0xf1fffdf48439ae00, 0xa5fffe25ffcc7e00, 0x242e000075051e00, 0x7afdffff1d357600,
        0x4db6000084dba200, 0xc6ddffffe2d7ce00, 0xf28bfff3affe6c00, 0x61d7fff64305aa00,
        0x5d000100fc4b1d7a, 0x57fffe1ed6fdff3e, 0xd2fa00006a806c3a, 0xe5820000f0821e46,
        0x71d5ffffcfd08b46, 0x6fb9ffffd011128e, 0xbad7fff0060c8b4c, 0x3497fffb2bfb1cae,
    ]

    private static let rook_line: [UInt64] = [
        0x1010101010101fe, 0x2020202020202fd, 0x4040404040404fb, 0x8080808080808f7,
        0x10101010101010ef, 0x20202020202020df, 0x40404040404040bf, 0x808080808080807f,
        0x10101010101fe01, 0x20202020202fd02, 0x40404040404fb04, 0x80808080808f708,
        0x101010101010ef10, 0x202020202020df20, 0x404040404040bf40, 0x8080808080807f80,
        0x101010101fe0101, 0x202020202fd0202, 0x404040404fb0404, 0x808080808f70808,
        0x1010101010ef1010, 0x2020202020df2020, 0x4040404040bf4040, 0x80808080807f8080,
        0x1010101fe010101, 0x2020202fd020202, 0x4040404fb040404, 0x8080808f7080808,
        0x10101010ef101010, 0x20202020df202020, 0x40404040bf404040, 0x808080807f808080,
        0x10101fe01010101, 0x20202fd02020202, 0x40404fb04040404, 0x80808f708080808,
        0x101010ef10101010, 0x202020df20202020, 0x404040bf40404040, 0x8080807f80808080,
        0x101fe0101010101, 0x202fd0202020202, 0x404fb0404040404, 0x808f70808080808,
        0x1010ef1010101010, 0x2020df2020202020, 0x4040bf4040404040, 0x80807f8080808080,
        0x1fe010101010101, 0x2fd020202020202, 0x4fb040404040404, 0x8f7080808080808,
        0x10ef101010101010, 0x20df202020202020, 0x40bf404040404040, 0x807f808080808080,
        0xfe01010101010101, 0xfd02020202020202, 0xfb04040404040404, 0xf708080808080808,
        0xef10101010101010, 0xdf20202020202020, 0xbf40404040404040, 0x7f80808080808080,
    ]

    private static let rook_offset: [UInt64] = [
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
    ]

    private static let bishop_mask: [UInt64] = [
        0x40201008040200, 0x402010080400, 0x4020100a00, 0x40221400,
        0x2442800, 0x204085000, 0x20408102000, 0x2040810204000,
        0x20100804020000, 0x40201008040000, 0x4020100a0000, 0x4022140000,
        0x244280000, 0x20408500000, 0x2040810200000, 0x4081020400000,
        0x10080402000200, 0x20100804000400, 0x4020100a000a00, 0x402214001400,
        0x24428002800, 0x2040850005000, 0x4081020002000, 0x8102040004000,
        0x8040200020400, 0x10080400040800, 0x20100a000a1000, 0x40221400142200,
        0x2442800284400, 0x4085000500800, 0x8102000201000, 0x10204000402000,
        0x4020002040800, 0x8040004081000, 0x100a000a102000, 0x22140014224000,
        0x44280028440200, 0x8500050080400, 0x10200020100800, 0x20400040201000,
        0x2000204081000, 0x4000408102000, 0xa000a10204000, 0x14001422400000,
        0x28002844020000, 0x50005008040200, 0x20002010080400, 0x40004020100800,
        0x20408102000, 0x40810204000, 0xa1020400000, 0x142240000000,
        0x284402000000, 0x500804020000, 0x201008040200, 0x402010080400,
        0x2040810204000, 0x4081020400000, 0xa102040000000, 0x14224000000000,
        0x28440200000000, 0x50080402000000, 0x20100804020000, 0x40201008040200,
    ]

    private static let bishop_magic: [UInt64] = [
        0xd8606d8008c7820, 0x2ee603f7fe003ff1, 0x766ffd95fffee3bd, 0x892011015968b544,
        0x2004104401a6c0c, 0x800282c27088b905, 0xd0c61180620388c, 0xad30630989381142,
        0x93a0c0100500ff01, 0x67e953f801ffbe00, 0x1440a04062307000, 0x5805350082403d4f,
        0xa30a008390864410, 0xc11820b0051a0e51, 0xf4184020207b0002, 0xffb867efeefeffff,
        0xc008184308100408, 0x7c48030407ff7c00, 0xf63003fb8cfef7d4, 0x155f01501020237e,
        0xe29fe0203b0a0482, 0xcdf037ffe3fdfff0, 0x4e7b3e271d7b7df4, 0x3d330011ffb5ff85,
        0x1c43b768364c0ffb, 0xe35e80b9bf9f1f9d, 0xff8eff7ffefe0003, 0x9bdf7f8007fdffff,
        0x56d5840003801fda, 0xc1bfc01000820008, 0xfc57e008838fbfb8, 0x4a573c8059ff7fbe,
        0xa3d4016002400c92, 0x14f927f7f89fff4d, 0x6dc82ffe0895ffd0, 0xf844ffe078080080,
        0xe38e10010e140040, 0xe880800f8200401f, 0x4757ff6cff74003d, 0x8e5e5c00fffb7fc2,
        0x4f7020027a8efcbb, 0x778201040201a000, 0xc64000127f3f8180, 0x9b64c80802077fc0,
        0xe79ffff8401bffc0, 0xac8009c2c02e0018, 0x20005442002102, 0xfe003fbffe58080,
        0xb36fff407e4e7782, 0x5202b4a5425b4010, 0x214ac401411000, 0xf264128fff8080c7,
        0x2b52074120060a0c, 0x608202179381000a, 0xc42000f001ff49bb, 0xa118f00400497fea,
        0xc00000b589e00b02, 0x135fe3ffa26bba52, 0x46444d442d610604, 0x580891001208402,
        0x472840c021858100, 0x500c24010040060, 0x56cafffeffbe600, 0x17a6aa0048022f00,
    ]

    private static let bishop_line: [UInt64] = [
        0x8040201008040200, 0x80402010080500, 0x804020110a00, 0x8041221400,
        0x182442800, 0x10204885000, 0x102040810a000, 0x102040810204000,
        0x4020100804020002, 0x8040201008050005, 0x804020110a000a, 0x804122140014,
        0x18244280028, 0x1020488500050, 0x102040810a000a0, 0x204081020400040,
        0x2010080402000204, 0x4020100805000508, 0x804020110a000a11, 0x80412214001422,
        0x1824428002844, 0x102048850005088, 0x2040810a000a010, 0x408102040004020,
        0x1008040200020408, 0x2010080500050810, 0x4020110a000a1120, 0x8041221400142241,
        0x182442800284482, 0x204885000508804, 0x40810a000a01008, 0x810204000402010,
        0x804020002040810, 0x1008050005081020, 0x20110a000a112040, 0x4122140014224180,
        0x8244280028448201, 0x488500050880402, 0x810a000a0100804, 0x1020400040201008,
        0x402000204081020, 0x805000508102040, 0x110a000a11204080, 0x2214001422418000,
        0x4428002844820100, 0x8850005088040201, 0x10a000a010080402, 0x2040004020100804,
        0x200020408102040, 0x500050810204080, 0xa000a1120408000, 0x1400142241800000,
        0x2800284482010000, 0x5000508804020100, 0xa000a01008040201, 0x4000402010080402,
        0x2040810204080, 0x5081020408000, 0xa112040800000, 0x14224180000000,
        0x28448201000000, 0x50880402010000, 0xa0100804020100, 0x40201008040201,
    ]

    private static let bishop_offset: [UInt64] = [
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
    ]

    private static let attacks: [UInt64] = {
        var attacks = [UInt64](repeating: 0, count: 48036)
        for square in 0..<64 {
            let mask = rook_mask[square]
            var occ: UInt64 = 0
            repeat {
                let reached = walk(square, occ, [(0, 1), (1, 0), (0, -1), (-1, 0)])
                let slot = Int(rook_offset[square] + (((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52))
                attacks[slot] |= reached
                occ = (occ &- mask) & mask
            } while occ != 0
        }
        for square in 0..<64 {
            let mask = bishop_mask[square]
            var occ: UInt64 = 0
            repeat {
                let reached = walk(square, occ, [(1, 1), (1, -1), (-1, -1), (-1, 1)])
                let slot = Int(bishop_offset[square] + (((occ | ~bishop_mask[square]) &* bishop_magic[square]) &>> 55))
                attacks[slot] |= reached
                occ = (occ &- mask) & mask
            } while occ != 0
        }
        for square in 0..<64 {
            let mask = rook_mask[square]
            var occ: UInt64 = 0
            repeat {
                let reached = walk(square, occ, [(0, 1), (1, 0), (0, -1), (-1, 0)])
                let slot = Int(rook_offset[square] + (((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52))
                precondition((attacks[slot] & rook_line[square]) == reached)
                occ = (occ &- mask) & mask
            } while occ != 0
        }
        for square in 0..<64 {
            let mask = bishop_mask[square]
            var occ: UInt64 = 0
            repeat {
                let reached = walk(square, occ, [(1, 1), (1, -1), (-1, -1), (-1, 1)])
                let slot = Int(bishop_offset[square] + (((occ | ~bishop_mask[square]) &* bishop_magic[square]) &>> 55))
                precondition((attacks[slot] & bishop_line[square]) == reached)
                occ = (occ &- mask) & mask
            } while occ != 0
        }
        return attacks
    }()

    /// The squares that a rook on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
    public static func rookAttacks(_ square: Int, _ occ: UInt64) -> UInt64 {
        return attacks[Int(rook_offset[square] + (((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52))] & rook_line[square]
    }

    /// The squares that a bishop on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
    public static func bishopAttacks(_ square: Int, _ occ: UInt64) -> UInt64 {
        return attacks[Int(bishop_offset[square] + (((occ | ~bishop_mask[square]) &* bishop_magic[square]) &>> 55))] & bishop_line[square]
    }

    private typealias Steps = [(Int, Int)]

    private static func walk(_ square: Int, _ occ: UInt64, _ steps: Steps) -> UInt64 {
        var reached: UInt64 = 0
        for (byFile, byRank) in steps {
            var file = (square & 7) + byFile, rank = (square >> 3) + byRank
            while (0..<8).contains(file) && (0..<8).contains(rank) {
                let bit = UInt64(1) &<< UInt64(8 * rank + file)
                reached |= bit
                if occ & bit != 0 { break }
                file += byFile
                rank += byRank
            }
        }
        return reached
    }
}
