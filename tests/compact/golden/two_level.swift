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
        0x807ffd287d3ffffc, 0x807ff35ffffbc000, 0x3e0005130a25ffff, 0xe1fffd9f9b89ffff,
        0xf1fff9a39fffb200, 0xedfffb5bd7ffc600, 0xbc0001904b180010, 0x21ffff8acb6bfffa,
        0xd3047fff1c400009, 0xe24cfff780ffbffd, 0xef15fffb33400200, 0x1f39fffc8c79ffff,
        0x44fdfffe71ffff68, 0x4f02000cc8002e00, 0x334000218900014, 0x3fa1fffc13260007,
        0x8dc0008002b5e042, 0xeb4000800c600004, 0xa810008006200002, 0xabdcadfffad9ffff,
        0x5b0399ffffc5ffe8, 0x41de29fffe51ae00, 0x58113fffd90002e, 0x4621760000240019,
        0xd1fffe807fffc000, 0x20f000404001a001, 0x8ea9e0007ffa7000, 0x8272003dfffd2001,
        0x44fa000e00058a75, 0xa389fff9ffeff59c, 0x8f9ffff600050200, 0xad14ff7a0008409c,
        0x9e3ffff8807fffc0, 0x27d000e000400308, 0xe7f9fffdde000bc0, 0x2cdffea6c9fffa00,
        0xfc8fff6f59fffe00, 0xb22fffba95fffa00, 0x728400282c0002b0, 0x4e46000f0dfffd7c,
        0x334000044b808000, 0x52a5c00004ecfff0, 0xa7b9fffde7fa000c, 0x152000169220004,
        0x908600007869fffa, 0x9ac9ffffb8b20008, 0xb79fffed6ba3fff0, 0xeff5fff8b02a0001,
        0xe8ffffc744a61e00, 0x5b80006c7c86fff4, 0x6fc1ffffbfc1ce00, 0xdc0dfffed5738a00,
        0x92860000205c3200, 0x9e8e000008ef9a00, 0x22fc000ff4f36400, 0x7d040003fc8cae00,
        0xaafffeff0418d282, 0x1a29ffff6eff72ca, 0x9e65ffffaf7fb156, 0xffee0000201e7b96,
        0x1945ffffd36b70e6, 0xbf99ffffe7e81f2e, 0xaa0bfffd2ffd47dc, 0x316a000384036d56,
    ]

    private static let rook_offset: [UInt64] = [
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
    ]

    private static let rook_set_offset: [UInt64] = [
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
        0x9032d83fbfefb411, 0x2ee603f7fe003ff1, 0x766ffd95fffee3bd, 0x170410fff07493d7,
        0x77ca014fff335b22, 0xe4f021fd000463ea, 0xd14021617d8007e1, 0xc78c80801f7fc2ce,
        0x93a0c0100500ff01, 0x67e953f801ffbe00, 0x33b970001532ffd9, 0x5805350082403d4f,
        0xd6d9d07f4010c6ee, 0xfe1eefde3d800899, 0xf4184020207b0002, 0xffb867efeefeffff,
        0xa9cd4afef5402151, 0x7c48030407ff7c00, 0xbe7f8000f27083ff, 0xdcc140007e07ff39,
        0xe29fe0203b0a0482, 0xcdf037ffe3fdfff0, 0x7b8052f1ad797ad4, 0x3d330011ffb5ff85,
        0x64be403629a1102c, 0xe35e80b9bf9f1f9d, 0xff8eff7ffefe0003, 0x9bdf7f8007fdffff,
        0x56d5840003801fda, 0xc1bfc01000820008, 0xfc57e008838fbfb8, 0x4a573c8059ff7fbe,
        0xa3d4016002400c92, 0x14f927f7f89fff4d, 0xebc7effc0981fff0, 0xa144ffe078080080,
        0xe38e10010e140040, 0xe880800f8200401f, 0x4757ff6cff74003d, 0x8e5e5c00fffb7fc2,
        0x4f7020027a8efcbb, 0x778201040201a000, 0xc64000127f3f8180, 0x9b64c80802077fc0,
        0xe79ffff8401bffc0, 0xac8009c2c02e0018, 0x12beffdfdee1b076, 0xfe003fbffe58080,
        0xb36fff407e4e7782, 0x307400101efa5106, 0xecd967ffbf81c3dc, 0xf264128fff8080c7,
        0x53f0bafb73a02dfb, 0xca6f8b6ffc75fff0, 0xc42000f001ff49bb, 0xa118f00400497fea,
        0xe63800101f3e8ad7, 0x135fe3ffa26bba52, 0xef356794005f7ebd, 0xf454a799dfff8082,
        0x6d580b2779fdbfcf, 0x4ffe7f4e0ffd2200, 0x56cafffeffbe600, 0x275e86bf0f27e7cf,
    ]

    private static let bishop_offset: [UInt64] = [
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
    ]

    private static let bishop_set_offset: [UInt64] = [
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
    ]

    private static let numbers = filled.numbers
    private static let rook_sets = filled.rook_sets
    private static let bishop_sets = filled.bishop_sets

    private static let filled: (numbers: [UInt8], rook_sets: [UInt64], bishop_sets: [UInt64]) = {
        var numbers = [UInt8](repeating: 0, count: 74745)
        var rook_sets = [UInt64](repeating: 0, count: 4900)
        var bishop_sets = [UInt64](repeating: 0, count: 1428)
        for square in 0..<64 {
            let steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
            let all = subsets(rook_mask[square])
            let own = Set(all.map { walk(square, $0, steps) }).sorted()
            let start = Int(rook_set_offset[square])
            rook_sets.replaceSubrange(start..<start + own.count, with: own)
            for occ in all {
                let number = own.firstIndex(of: walk(square, occ, steps))!
                numbers[Int(rook_offset[square] + (((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52))] = UInt8(number)
            }
        }
        for square in 0..<64 {
            let steps = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
            let all = subsets(bishop_mask[square])
            let own = Set(all.map { walk(square, $0, steps) }).sorted()
            let start = Int(bishop_set_offset[square])
            bishop_sets.replaceSubrange(start..<start + own.count, with: own)
            for occ in all {
                let number = own.firstIndex(of: walk(square, occ, steps))!
                numbers[Int(bishop_offset[square] + (((occ | ~bishop_mask[square]) &* bishop_magic[square]) &>> 55))] = UInt8(number)
            }
        }
        for square in 0..<64 {
            for occ in subsets(rook_mask[square]) {
                let reached = walk(square, occ, [(0, 1), (1, 0), (0, -1), (-1, 0)])
                precondition(rook_sets[Int(rook_set_offset[square]) + Int(numbers[Int(rook_offset[square] + (((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52))])] == reached)
            }
        }
        for square in 0..<64 {
            for occ in subsets(bishop_mask[square]) {
                let reached = walk(square, occ, [(1, 1), (1, -1), (-1, -1), (-1, 1)])
                precondition(bishop_sets[Int(bishop_set_offset[square]) + Int(numbers[Int(bishop_offset[square] + (((occ | ~bishop_mask[square]) &* bishop_magic[square]) &>> 55))])] == reached)
            }
        }
        return (numbers, rook_sets, bishop_sets)
    }()

    private static func subsets(_ mask: UInt64) -> [UInt64] {
        var all: [UInt64] = [0]
        var occ = mask
        while occ != 0 {
            all.append(occ)
            occ = (occ &- 1) & mask
        }
        return all
    }

    /// The squares that a rook on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
    public static func rookAttacks(_ square: Int, _ occ: UInt64) -> UInt64 {
        return rook_sets[Int(rook_set_offset[square]) + Int(numbers[Int(rook_offset[square] + (((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52))])]
    }

    /// The squares that a bishop on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
    public static func bishopAttacks(_ square: Int, _ occ: UInt64) -> UInt64 {
        return bishop_sets[Int(bishop_set_offset[square]) + Int(numbers[Int(bishop_offset[square] + (((occ | ~bishop_mask[square]) &* bishop_magic[square]) &>> 55))])]
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
