// Cfish: all rook and bishop attacks in 87,988 entries.
// Written by magicert VERSION from cfish_black.toml
// (SHA-256 ec63fb7ae2825a348247a39fdf3e90ad70a18b0e587d48bd0a6b95d0854076f4).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Squares: a1 = 0, b1 = 1, ..., h8 = 63.
// Found by: Volker Annuss and Niklas Fiekas (black magics)
// This file: magicert emit cfish_black
// With another square order, such as a8 = 0, use it as it is: that board is this one turned or
// mirrored, where rook and bishop attack the same bits.
// To check its numbers: magicert verify magics.go
//
// Usage, as a package of its own or a file of another one; the table is made when the program starts:
//     attacks := magics.RookAttacks(square, occupied)
// where the bits of occupied are the occupied squares.

// Package magics looks up the squares that rooks and bishops attack.
package magics

type rookMagic struct {
	mask   uint64
	magic  uint64
	offset uint64
}

var rookMagics = [64]rookMagic{
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
	{0x1017e01010100, 0x200008e800300030, 64659},
	{0x2027c02020200, 0x8780180018, 70469},
	{0x4047a04040400, 0x10300180018, 62917},
	{0x8087608080800, 0x4000008180180018, 60997},
	{0x10106e10101000, 0x8080310005fffa, 18554},
	{0x20205e20202000, 0x4000188100060006, 14385},
	{0x40403e40404000, 0xffffff7fffbfbfff, 0},
	{0x80807e80808000, 0x802000200040, 38091},
	{0x17e0101010100, 0x20000202ec002800, 25122},
	{0x27c0202020200, 0xfffff9ff7cfff3ff, 60083},
	{0x47a0404040400, 0x404b801800, 72209},
	{0x8760808080800, 0x2000002fe03fd000, 67875},
	{0x106e1010101000, 0xffffff6ffe7fcffd, 56290},
	{0x205e2020202000, 0xbff7efffbfc00fff, 43807},
	{0x403e4040404000, 0x100800a804, 73365},
	{0x807e8080808000, 0x6054000a58005805, 76398},
	{0x7e010101010100, 0x829000101150028, 20024},
	{0x7c020202020200, 0x85008a0014, 9513},
	{0x7a040404040400, 0x8000002b00408028, 24324},
	{0x76080808080800, 0x4000002040790028, 22996},
	{0x6e101010101000, 0x7800002010288028, 23213},
	{0x5e202020202000, 0x1800e08018, 56002},
	{0x3e404040404000, 0xa3a80003f3a40048, 22809},
	{0x7e808080808000, 0x2003d80000500028, 44545},
	{0x7e01010101010100, 0xfffff37eefefdfbe, 36072},
	{0x7c02020202020200, 0x40000280090013c1, 4750},
	{0x7a04040404040400, 0xbf7ffeffbffaf71f, 6014},
	{0x7608080808080800, 0xfffdffff777b7d6e, 36054},
	{0x6e10101010101000, 0x48300007e8080c02, 78538},
	{0x5e20202020202000, 0xafe0000fff780402, 28745},
	{0x3e40404040404000, 0xee73fffbffbb77fe, 8555},
	{0x7e80808080808000, 0x2000308482882, 1009},
}

type bishopMagic struct {
	mask   uint64
	magic  uint64
	offset uint64
}

var bishopMagics = [64]bishopMagic{
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
	{0x4020002040800, 0x80fc82c040, 16078},
	{0x8040004081000, 0x407e416020, 19168},
	{0x100a000a102000, 0x600203f8008020, 11056},
	{0x22140014224000, 0xd003fefe04404080, 62544},
	{0x44280028440200, 0xa00020c018003088, 80477},
	{0x8500050080400, 0x7fbffe700bffe800, 75049},
	{0x10200020100800, 0x107ff00fe4000f90, 32947},
	{0x20400040201000, 0x7f8fffcff1d007f8, 59172},
	{0x2000204081000, 0x4100f88080, 55845},
	{0x4000408102000, 0x20807c4040, 61806},
	{0xa000a10204000, 0x41018700c0, 73601},
	{0x14001422400000, 0x10000080fc4080, 15546},
	{0x28002844020000, 0x1000003c80180030, 45243},
	{0x50005008040200, 0xc10000df80280050, 20333},
	{0x20002010080400, 0xffffffbfeff80fdc, 33402},
	{0x40004020100800, 0x101003f812, 25917},
	{0x20408102000, 0x800001f40808200, 32875},
	{0x40810204000, 0x84000101f3fd208, 4639},
	{0xa1020400000, 0x80000000f808081, 17077},
	{0x142240000000, 0x4000008003f80, 62324},
	{0x284402000000, 0x8000001001fe040, 18159},
	{0x500804020000, 0x72dd000040900a00, 61436},
	{0x201008040200, 0xfffffeffbfeff81d, 57073},
	{0x402010080400, 0xcd8000200febf209, 61025},
	{0x2040810204000, 0x100000101ec10082, 81259},
	{0x4081020400000, 0x7fbaffffefe0c02f, 64083},
	{0xa102040000000, 0x7f83fffffff07f7f, 56114},
	{0x14224000000000, 0xfff1fffffff7ffc1, 57058},
	{0x28440200000000, 0x878040000ffe01f, 58912},
	{0x50080402000000, 0x945e388000801012, 22194},
	{0x20100804020000, 0x840800080200fda, 70880},
	{0x40201008040200, 0x100000c05f582008, 11140},
}

var attacks = filled()

// RookAttacks returns the squares that a rook on square attacks. The bits of occ are the
// occupied squares.
func RookAttacks(square int, occ uint64) uint64 {
	slot := rookMagics[square].offset + (((occ | ^rookMagics[square].mask) * rookMagics[square].magic) >> 52)
	return attacks[slot]
}

// BishopAttacks returns the squares that a bishop on square attacks. The bits of occ are the
// occupied squares.
func BishopAttacks(square int, occ uint64) uint64 {
	slot := bishopMagics[square].offset + (((occ | ^bishopMagics[square].mask) * bishopMagics[square].magic) >> 55)
	return attacks[slot]
}

func filled() (attacks [87988]uint64) {
	for square := 0; square < 64; square++ {
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
	for square := 0; square < 64; square++ {
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
