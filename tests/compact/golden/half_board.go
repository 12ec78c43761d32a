// Cfish: all rook and bishop attacks in 87,988 entries.
// Written by magicert VERSION from half.toml
// (SHA-256 be708039f9579e8096da3f00013aa52da22db1ef275888d6a841368cd3ab2c81).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Squares: a1 = 0, b1 = 1, ..., h8 = 63.
// Half board: ranks 1-4; lookups for the others swap the ranks (bytes).
// Found by: Volker Annuss and Niklas Fiekas (black magics)
// This file: magicert emit half
// With another square order, such as a8 = 0, use it as it is: that board is this one turned or
// mirrored, where rook and bishop attack the same bits.
//
// Usage, as a package of its own or a file of another one; the table is made when the program starts:
//     attacks := magics.RookAttacks(square, occupied)
// where the bits of occupied are the occupied squares.

// Package magics looks up the squares that rooks and bishops attack.
package magics

import "math/bits"

type rookMagic struct {
	mask   uint64
	magic  uint64
	offset uint64
}

var rookMagics = [32]rookMagic{
	{0x101010101017e, 0x80280013ff84ffff, 10890},
	{0x202020202027c, 0x5ffbfefdfef67fff, 50579},
	{0x404040404047a, 0xffeffaffeffdffff, 62020},
	{0x8080808080876, 0x3000900300008a, 67322},
	{0x1010101010106e, 0x50028010500023, 80251},
	{0x2020202020205e, 0x20012120a00020, 58503},
	{0x4040404040403e, 0x30006000c00030, 51175},
	{0x8080808080807e, 0x58005806b00002, 83130},
	{0x1010101017e00, 0x7fbff7fbfbeafffc, 50430},
	{0x2020202027c00, 0x140081050002, 21613},
	{0x4040404047a00, 0x180043800048, 72625},
	{0x8080808087600, 0x7fffe800021fffb8, 80755},
	{0x10101010106e00, 0xffffcffe7fcfffaf, 69753},
	{0x20202020205e00, 0x1800c0180060, 26973},
	{0x40404040403e00, 0x4f8018005fd00018, 84972},
	{0x80808080807e00, 0x180030620018, 31958},
	{0x10101017e0100, 0x300018010c0003, 69272},
	{0x20202027c0200, 0x3000c0085ffff, 48372},
	{0x40404047a0400, 0xfffdfff7fbfefff7, 65477},
	{0x8080808760800, 0x7fc1ffdffc001fff, 43972},
	{0x101010106e1000, 0xfffeffdffdffdfff, 57154},
	{0x202020205e2000, 0x7c108007befff81f, 53521},
	{0x404040403e4000, 0x20408007bfe00810, 30534},
	{0x808080807e8000, 0x400800558604100, 16548},
	{0x101017e010100, 0x40200010080008, 46407},
	{0x202027c020200, 0x10020008040004, 11841},
	{0x404047a040400, 0xfffdfefff7fbfff7, 21112},
	{0x8080876080800, 0xfebf7dfff8fefff9, 44214},
	{0x1010106e101000, 0xc00000ffe001ffe0, 57925},
	{0x2020205e202000, 0x4af01f00078007c3, 29574},
	{0x4040403e404000, 0xbffbfafffb683f7f, 17309},
	{0x8080807e808000, 0x807f67ffa102040, 40143},
}

type bishopMagic struct {
	mask   uint64
	magic  uint64
	offset uint64
}

var bishopMagics = [32]bishopMagic{
	{0x40201008040200, 0xa7020080601803d8, 60984},
	{0x402010080400, 0x13802040400801f1, 66046},
	{0x4020100a00, 0xa0080181001f60c, 32910},
	{0x40221400, 0x1840802004238008, 16369},
	{0x2442800, 0xc03fe00100000000, 42115},
	{0x204085000, 0x24c00bffff400000, 835},
	{0x20408102000, 0x808101f40007f04, 18910},
	{0x2040810204000, 0x100808201ec00080, 25911},
	{0x20100804020000, 0xffa2feffbfefb7ff, 63301},
	{0x40201008040000, 0x83e3ee040080801, 16063},
	{0x4020100a0000, 0xc0800080181001f8, 17481},
	{0x4022140000, 0x440007fe0031000, 59361},
	{0x244280000, 0x2010007ffc000000, 18735},
	{0x20408500000, 0x1079ffe000ff8000, 61249},
	{0x2040810200000, 0x3c0708101f400080, 68938},
	{0x4081020400000, 0x80614080fa00040, 61791},
	{0x10080402000200, 0x7ffe7fff817fcff9, 21893},
	{0x20100804000400, 0x7ffebfffa01027fd, 62068},
	{0x4020100a000a00, 0x53018080c00f4001, 19829},
	{0x402214001400, 0x407e0001000ffb8a, 26091},
	{0x24428002800, 0x201fe000fff80010, 15815},
	{0x2040850005000, 0xffdfefffde39ffef, 16419},
	{0x4081020002000, 0xcc8808000fbf8002, 59777},
	{0x8102040004000, 0x7ff7fbfff8203fff, 16288},
	{0x8040200020400, 0x8800013e8300c030, 33235},
	{0x10080400040800, 0x420009701806018, 15459},
	{0x20100a000a1000, 0x7ffeff7f7f01f7fd, 15863},
	{0x40221400142200, 0x8700303010c0c006, 75555},
	{0x2442800284400, 0xc800181810606000, 79445},
	{0x4085000500800, 0x20002038001c8010, 15917},
	{0x8102000201000, 0x87ff038000fc001, 8512},
	{0x10204000402000, 0x80c0c00083007, 73069},
}

var attacks = filled()

// rookLower returns the squares that a rook on square attacks. The bits of occ are the
// occupied squares.
func rookLower(square int, occ uint64) uint64 {
	slot := rookMagics[square].offset + (((occ | ^rookMagics[square].mask) * rookMagics[square].magic) >> 52)
	return attacks[slot]
}

// RookAttacks returns the squares that a rook on square attacks. The bits of occ are the
// occupied squares.
func RookAttacks(square int, occ uint64) uint64 {
	if square < 32 {
		return rookLower(square, occ)
	}
	return bits.ReverseBytes64(rookLower(square^56, bits.ReverseBytes64(occ)))
}

// bishopLower returns the squares that a bishop on square attacks. The bits of occ are the
// occupied squares.
func bishopLower(square int, occ uint64) uint64 {
	slot := bishopMagics[square].offset + (((occ | ^bishopMagics[square].mask) * bishopMagics[square].magic) >> 55)
	return attacks[slot]
}

// BishopAttacks returns the squares that a bishop on square attacks. The bits of occ are the
// occupied squares.
func BishopAttacks(square int, occ uint64) uint64 {
	if square < 32 {
		return bishopLower(square, occ)
	}
	return bits.ReverseBytes64(bishopLower(square^56, bits.ReverseBytes64(occ)))
}

func filled() (attacks [87988]uint64) {
	for square := 0; square < 32; square++ {
		mask, occ := rookMagics[square].mask, uint64(0)
		for {
			reached := walk(square, occ, [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}})
			slot := rookMagics[square].offset + (((occ | ^rookMagics[square].mask) * rookMagics[square].magic) >> 52)
			if attacks[slot] != 0 && attacks[slot] != reached {
				panic("a write would change an entry of the buffer")
			}
			attacks[slot] = reached
			if occ = (occ - mask) & mask; occ == 0 {
				break
			}
		}
	}
	for square := 0; square < 32; square++ {
		mask, occ := bishopMagics[square].mask, uint64(0)
		for {
			reached := walk(square, occ, [4][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}})
			slot := bishopMagics[square].offset + (((occ | ^bishopMagics[square].mask) * bishopMagics[square].magic) >> 55)
			if attacks[slot] != 0 && attacks[slot] != reached {
				panic("a write would change an entry of the buffer")
			}
			attacks[slot] = reached
			if occ = (occ - mask) & mask; occ == 0 {
				break
			}
		}
	}
	return
}

func walk(square int, occ uint64, steps [4][2]int) uint64 {
	var reached uint64
	for _, step := range steps {
		file, rank := square&7+step[0], square>>3+step[1]
		for file >= 0 && file < 8 && rank >= 0 && rank < 8 {
			bit := uint64(1) << (8*rank + file)
			reached |= bit
			if occ&bit != 0 {
				break
			}
			file += step[0]
			rank += step[1]
		}
	}
	return reached
}
