// magicert black, bytes in two levels: all rook and bishop attacks in 84,683 entries of 8 bits, which number 6,328 attack sets.
// Written by magicert VERSION from black_two_level.toml
// (SHA-256 d493504216f475ffbdbedabc179ab3ad267d53bc53389d55904391259558f0a3).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Certificate: black_two_level.certificate.json; check: magicert verify TABLE
// Found by: Volker Annuss and Niklas Fiekas (87,988), improved with magicert pack
// Found with: magicert pack --from black_85065 --seed 101
// This file: magicert emit black_two_level

public enum Attacks {
    static let rook_mask: [UInt64] = [
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

    static let rook_magic: [UInt64] = [
        0x80500104d8000230, 0x5ffbfefdfef67fff, 0xffeffdffafbb7fff, 0x8030009033000042,
        0x50028010500023, 0x20011148880020, 0x30006000c00030, 0x58005806b00002,
        0x6b3ff7fbfb6afffc, 0x800140081050002, 0xa78080068002dc10, 0x82ffe7ffde7fff88,
        0xe5ffcffe7fcfffaf, 0x8001800c0180060, 0x628200004f5c0016, 0x1d00180030620018,
        0x12300018010c0003, 0x6083000c0085ffff, 0xa97efff7fbfdfff8, 0xa662002004606001,
        0x8f51fff001001080, 0x49b08007bf00081f, 0x3d988007bfe00810, 0xb76f000559dfc080,
        0xf64020001008000a, 0xb90020008040004, 0xf17dfefff7fbfff7, 0xe2bf81fff8fefff9,
        0x85b000ffe001ffe0, 0x5f701f00078007c3, 0x8a8bfafffb687fc1, 0x70d7f97ffa0fe03f,
        0x2e0008e8003001b2, 0x1e00008780180018, 0x2a80010300180018, 0x7020008180180018,
        0x54b070310005fffa, 0x6a80188100060006, 0xffffff7fffbfbfff, 0x53e802000200040,
        0x2e000202ec002800, 0x967ffcfc05fff400, 0x90000404b801800, 0xb0e0002fe03fd000,
        0x89e000302e803003, 0xa8b7efffbfc00fff, 0x6b4c0007a7ffa7fc, 0x1167fffa58005802,
        0x2f29000101150028, 0xcefffeff7f72bf00, 0xa900007a007d0018, 0x5660002040790028,
        0x9830002010288028, 0x11d0001800e08018, 0x70680003f3a40048, 0x1743d80000500028,
        0xd3fffb7fbbdeebee, 0x10000082110209c1, 0xbf7ffeffbffaf71f, 0xbeedffff777b7d6e,
        0x80200007e8080c02, 0xafb0000fff780402, 0x3dcbfffb73b7e402, 0x32000308482882,
    ]

    static let rook_offset: [UInt64] = [
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
    ]

    static let rook_set_offset: [UInt64] = [
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

    static let bishop_mask: [UInt64] = [
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

    static let bishop_magic: [UInt64] = [
        0xa7020080601803d8, 0x13802040400801f1, 0xa0080181001f60c, 0x2002020101883fcb,
        0x381fe200280a5d4a, 0xb0fdfbeafff5b17a, 0xdb6fa1003c800441, 0xc7dc04488f208005,
        0xffa2feffbfefb7ff, 0x83e3ee040080801, 0xc0800080181001f8, 0x39ac08080017475,
        0xd89ff05dffd82ef7, 0x97dd27e2007ff163, 0xa871c0efdfe6ffee, 0x1112ad81010001a,
        0x337e7c04d33effbf, 0x7ffebfffa01027fd, 0x1000202020200, 0x200800040210204c,
        0x646fd6bc001f9008, 0xf1750001ffaaffdc, 0xf13d940040d3fffa, 0xefb3f4b43fef7f80,
        0x8800013e8300c030, 0x420009701806018, 0x938e38c65d2fe8, 0x8700303030c0c02a,
        0xdc30008df7004001, 0x8020000410080, 0x87ff038000fc001, 0x537f40bf0083004,
        0x838401ff684564d9, 0x407e416020, 0x4691ffc1ff83ff60, 0xe09bfefe02c04080,
        0x697fe17018286006, 0xd63fbe020f8fe080, 0x6dc006b4c7600ff0, 0xb24ffcf5008681c0,
        0x4100f88080, 0x20807c4040, 0x1800041018700c0, 0xcb2014af08004ff8,
        0x85850032e401f808, 0xc08000df80280050, 0xfdffffbfeff80fdc, 0x37000422b90e8042,
        0x800001f40808200, 0x84000101f3fd208, 0x75e344005c03fa2b, 0x4000008003f80,
        0x8499780fff01801, 0x1285000c442413f1, 0xfffffeffbfeff81d, 0xcbc000200febf309,
        0x4fcfffdfdfc40387, 0x7b39fbffefe0c0ce, 0x9fcc9867ffe080c3, 0xfd71b84057f7ffc1,
        0xe0a4141de0380112, 0x945e388000801012, 0x7077fff7bbe61afa, 0xe740000401fdf879,
    ]

    static let bishop_offset: [UInt64] = [
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
    ]

    static let bishop_set_offset: [UInt64] = [
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

    static let numbers = filled.numbers
    static let rook_sets = filled.rook_sets
    static let bishop_sets = filled.bishop_sets

    private static let filled: (numbers: [UInt8], rook_sets: [UInt64], bishop_sets: [UInt64]) = {
        var numbers = [UInt8](repeating: 0, count: 84683)
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

    static func subsets(_ mask: UInt64) -> [UInt64] {
        var all: [UInt64] = [0]
        var occ = mask
        while occ != 0 {
            all.append(occ)
            occ = (occ &- 1) & mask
        }
        return all
    }

    @inline(__always)
    public static func rookAttacks(_ square: Int, _ occ: UInt64) -> UInt64 {
        return rook_sets[Int(rook_set_offset[square]) + Int(numbers[Int(rook_offset[square] + (((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52))])]
    }

    @inline(__always)
    public static func bishopAttacks(_ square: Int, _ occ: UInt64) -> UInt64 {
        return bishop_sets[Int(bishop_set_offset[square]) + Int(numbers[Int(bishop_offset[square] + (((occ | ~bishop_mask[square]) &* bishop_magic[square]) &>> 55))])]
    }

    typealias Steps = [(Int, Int)]

    static func walk(_ square: Int, _ occ: UInt64, _ steps: Steps) -> UInt64 {
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
