// Cfish: all rook and bishop attacks in 87,988 entries.
// Written by magicert VERSION from half.toml
// (SHA-256 be708039f9579e8096da3f00013aa52da22db1ef275888d6a841368cd3ab2c81).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Squares: a1 = 0, b1 = 1, ..., h8 = 63.
// Half board: ranks 1-4; lookups for the others swap the ranks (bytes).
// Found by: Volker Annuss and Niklas Fiekas (black magics)
// This file: magicert emit half
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
    ]

    private static let rook_magic: [UInt64] = [
        0x80280013ff84ffff, 0x5ffbfefdfef67fff, 0xffeffaffeffdffff, 0x3000900300008a,
        0x50028010500023, 0x20012120a00020, 0x30006000c00030, 0x58005806b00002,
        0x7fbff7fbfbeafffc, 0x140081050002, 0x180043800048, 0x7fffe800021fffb8,
        0xffffcffe7fcfffaf, 0x1800c0180060, 0x4f8018005fd00018, 0x180030620018,
        0x300018010c0003, 0x3000c0085ffff, 0xfffdfff7fbfefff7, 0x7fc1ffdffc001fff,
        0xfffeffdffdffdfff, 0x7c108007befff81f, 0x20408007bfe00810, 0x400800558604100,
        0x40200010080008, 0x10020008040004, 0xfffdfefff7fbfff7, 0xfebf7dfff8fefff9,
        0xc00000ffe001ffe0, 0x4af01f00078007c3, 0xbffbfafffb683f7f, 0x807f67ffa102040,
    ]

    private static let rook_offset: [UInt64] = [
        10890, 50579, 62020, 67322,
        80251, 58503, 51175, 83130,
        50430, 21613, 72625, 80755,
        69753, 26973, 84972, 31958,
        69272, 48372, 65477, 43972,
        57154, 53521, 30534, 16548,
        46407, 11841, 21112, 44214,
        57925, 29574, 17309, 40143,
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
    ]

    private static let bishop_magic: [UInt64] = [
        0xa7020080601803d8, 0x13802040400801f1, 0xa0080181001f60c, 0x1840802004238008,
        0xc03fe00100000000, 0x24c00bffff400000, 0x808101f40007f04, 0x100808201ec00080,
        0xffa2feffbfefb7ff, 0x83e3ee040080801, 0xc0800080181001f8, 0x440007fe0031000,
        0x2010007ffc000000, 0x1079ffe000ff8000, 0x3c0708101f400080, 0x80614080fa00040,
        0x7ffe7fff817fcff9, 0x7ffebfffa01027fd, 0x53018080c00f4001, 0x407e0001000ffb8a,
        0x201fe000fff80010, 0xffdfefffde39ffef, 0xcc8808000fbf8002, 0x7ff7fbfff8203fff,
        0x8800013e8300c030, 0x420009701806018, 0x7ffeff7f7f01f7fd, 0x8700303010c0c006,
        0xc800181810606000, 0x20002038001c8010, 0x87ff038000fc001, 0x80c0c00083007,
    ]

    private static let bishop_offset: [UInt64] = [
        60984, 66046, 32910, 16369,
        42115, 835, 18910, 25911,
        63301, 16063, 17481, 59361,
        18735, 61249, 68938, 61791,
        21893, 62068, 19829, 26091,
        15815, 16419, 59777, 16288,
        33235, 15459, 15863, 75555,
        79445, 15917, 8512, 73069,
    ]

    private static let attacks: [UInt64] = {
        var attacks = [UInt64](repeating: 0, count: 87988)
        for square in 0..<32 {
            let mask = rook_mask[square]
            var occ: UInt64 = 0
            repeat {
                let reached = walk(square, occ, [(0, 1), (1, 0), (0, -1), (-1, 0)])
                let slot = Int(rook_offset[square] + (((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52))
                precondition(attacks[slot] == 0 || attacks[slot] == reached)
                attacks[slot] = reached
                occ = (occ &- mask) & mask
            } while occ != 0
        }
        for square in 0..<32 {
            let mask = bishop_mask[square]
            var occ: UInt64 = 0
            repeat {
                let reached = walk(square, occ, [(1, 1), (1, -1), (-1, -1), (-1, 1)])
                let slot = Int(bishop_offset[square] + (((occ | ~bishop_mask[square]) &* bishop_magic[square]) &>> 55))
                precondition(attacks[slot] == 0 || attacks[slot] == reached)
                attacks[slot] = reached
                occ = (occ &- mask) & mask
            } while occ != 0
        }
        return attacks
    }()

    /// The squares that a rook on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
    static func rookLower(_ square: Int, _ occ: UInt64) -> UInt64 {
        return attacks[Int(rook_offset[square] + (((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52))]
    }

    /// The squares that a rook on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
    public static func rookAttacks(_ square: Int, _ occ: UInt64) -> UInt64 {
        return square < 32 ? rookLower(square, occ) : (rookLower(square ^ 56, occ.byteSwapped)).byteSwapped
    }

    /// The squares that a bishop on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
    static func bishopLower(_ square: Int, _ occ: UInt64) -> UInt64 {
        return attacks[Int(bishop_offset[square] + (((occ | ~bishop_mask[square]) &* bishop_magic[square]) &>> 55))]
    }

    /// The squares that a bishop on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
    public static func bishopAttacks(_ square: Int, _ occ: UInt64) -> UInt64 {
        return square < 32 ? bishopLower(square, occ) : (bishopLower(square ^ 56, occ.byteSwapped)).byteSwapped
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
