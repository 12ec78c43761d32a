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
        0x9a8003d554c00004, 0x800cc000042000, 0x100051120010001, 0xa1fffd939fa9ffff,
        0x89fffeb99fff8a00, 0xf9fff7d3cfffd600, 0x43fffa9716dbfff0, 0xf5ffffce9afbfffa,
        0xb100800225c00008, 0xb8dafff3aa3ffffc, 0x4ee5fffb2f400200, 0xa49dfffd9b95ffff,
        0x7a0a000b9fff6a00, 0xafc5fffcb6000030, 0x9cb3ffffa1cffffc, 0x2ef9fffe79fbfff5,
        0xc8628e001200cfe1, 0x40c000800c600004, 0x1370008006a00002, 0xe2a16000935ffff,
        0xa1705e00087e0030, 0x4c8729fff2a20017, 0xf1cec3fffd6fffd5, 0xa8df4e00007bffe5,
        0x24fff9807fffc000, 0x7fff403fffe000, 0x5e920071fffc8040, 0x2c4e003dfff8dfff,
        0xd6c60022000fff07, 0xf96dfffdfffc53ac, 0x389200020018102d, 0x7e5eb71dfff4d9b7,
        0xbdbffff2807fffc0, 0xa09fffff403fffe0, 0xab6000211fff7c0, 0x5b5ffef8a9fff600,
        0x3b2fffae25fffe00, 0x4a4fffb421fffa00, 0x7900001f6400100b, 0xfa79fff131fffb84,
        0x4d4000014e808000, 0x77d5815ec0010008, 0xd1a00013f61fff8, 0x9b69fffee12a0008,
        0x4f1600009059fff8, 0x2ff9ffffdf320008, 0xa36bffea682c0010, 0x220bfffabbee0001,
        0xa9fffeff0589e200, 0xe72a00009eba4200, 0x45b1ffffa1484200, 0x9a25ffff6a3b0e00,
        0xe6c2000064eaee00, 0xe0e6000027892200, 0x2f2fffefe979ac00, 0x1121fffe4c0ea200,
        0x48fffeff0256e286, 0x5555ffff7f811ea6, 0x12fe0000403f36ce, 0x1945ffff9fa102ea,
        0xfeb5ffffeff02e8a, 0xae2a00001817bcd6, 0x8aaa00000c0be662, 0xcbc9fffdcbfdb96a,
    ]

    private static let rook_offset: [UInt64] = [
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
        0xd44c1807fe0fff80, 0xca68b7fdfffdfff0, 0x4a6ffe2dfffefa69, 0xecb7ff3f004e536b,
        0xcb4bfe2008420afe, 0x7ce2000e5fd568f1, 0x5bdb7efe0c000509, 0x2c9e803c02e00012,
        0x10f8dff5f3fffc00, 0xd0ecb5effdffff00, 0xaa0390022a00012c, 0x5dee17ffc900005c,
        0x2c0e14001ff9c775, 0x3cccde000fecd327, 0xeeef3757fc01dfff, 0xd36740ffae005ffd,
        0x121ff7fbe0000600, 0x4bb801fb2807ffff, 0x4f7000157de5ffff, 0x7dc7ffcc1a0000d0,
        0xb5ac0000c7001de6, 0xa2560000ffddffde, 0xd0ac0026017bfff8, 0xbc300260089fff8,
        0xd647fb7e3feffe85, 0xe3e4021f9000f800, 0x41ff6ffdca3bfffd, 0x4f4a47fffb7dffff,
        0xd510008ee3004003, 0xa9affcffffa4000a, 0x56020200e5580310, 0x3693ff80af19fc04,
        0xf0efffebe75ff800, 0x9d240006526003fe, 0x3e51fffc7ab000d8, 0x2c709ffd1cc80080,
        0xd5ffd773ffa1ff9e, 0xfcfff535ff7f4800, 0x74340205fff3ff83, 0x99c401001e55d400,
        0xb36bfff62ffec009, 0x6a73fffc00aecffd, 0xe7db0000cec57000, 0x4b2a3de001bbb801,
        0xcfad7fed5dfff400, 0x44ffe9f769ff9500, 0x31040403ffc0fc01, 0x30a0037a00807200,
        0x99ed0077fd3fea56, 0x765e000467f7fa0f, 0xaef3cc1dfeaff94c, 0x4052c5dcfec800fc,
        0x99ba0d6009d40049, 0x6a0f80100859ffe5, 0xd0c0000401fdbe78, 0xa5ffffa2dff7fe3,
        0x145efffdffdffc34, 0x56fa99fefff8cff9, 0xb60c324100a17000, 0x1a43c947d6ff3800,
        0xab33b336dfee2401, 0x90bd3afff00ef200, 0xa1ac4008027f0200, 0x3fff9f7fe8efe00,
    ]

    private static let bishop_offset: [UInt64] = [
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
        var numbers = [UInt8](repeating: 0, count: 72700)
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
