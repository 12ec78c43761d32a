// magicert black, bytes in two levels: all rook and bishop attacks in 84,683 entries of 8 bits, which number 6,328 attack sets.
// Written by magicert VERSION from black_two_level.toml
// (SHA-256 d493504216f475ffbdbedabc179ab3ad267d53bc53389d55904391259558f0a3).
// Verified: 107,648 lookups, all squares, all occupancies; no conflict.
// Certificate: black_two_level.certificate.json; check: magicert verify TABLE
// Found by: Volker Annuss and Niklas Fiekas (87,988), improved with magicert pack
// Found with: magicert pack --from black_85065 --seed 101
// This file: magicert emit black_two_level

package attacks

type RookMagic struct {
	Mask uint64
	Magic uint64
	Offset uint64
	SetOffset uint64
}

var RookMagics = [64]RookMagic{
	{0x101010101017e, 0x80500104d8000230, 79015, 0},
	{0x202020202027c, 0x5ffbfefdfef67fff, 46138, 49},
	{0x404040404047a, 0xffeffdffafbb7fff, 56709, 91},
	{0x8080808080876, 0x8030009033000042, 61615, 161},
	{0x1010101010106e, 0x50028010500023, 71353, 245},
	{0x2020202020205e, 0x20011148880020, 53198, 329},
	{0x4040404040403e, 0x30006000c00030, 46734, 399},
	{0x8080808080807e, 0x58005806b00002, 74222, 441},
	{0x1010101017e00, 0x6b3ff7fbfb6afffc, 45652, 490},
	{0x2020202027c00, 0x800140081050002, 18017, 532},
	{0x4040404047a00, 0xa78080068002dc10, 5088, 568},
	{0x8080808087600, 0x82ffe7ffde7fff88, 70088, 628},
	{0x10101010106e00, 0xe5ffcffe7fcfffaf, 63606, 700},
	{0x20202020205e00, 0x8001800c0180060, 22970, 772},
	{0x40404040403e00, 0x628200004f5c0016, 933, 832},
	{0x80808080807e00, 0x1d00180030620018, 28176, 868},
	{0x10101017e0100, 0x12300018010c0003, 63829, 910},
	{0x20202027c0200, 0x6083000c0085ffff, 45479, 980},
	{0x40404047a0400, 0xa97efff7fbfdfff8, 58425, 1040},
	{0x8080808760800, 0xa662002004606001, 41020, 1140},
	{0x101010106e1000, 0x8f51fff001001080, 50960, 1260},
	{0x202020205e2000, 0x49b08007bf00081f, 48290, 1380},
	{0x404040403e4000, 0x3d988007bfe00810, 26758, 1480},
	{0x808080807e8000, 0xb76f000559dfc080, 12929, 1540},
	{0x101017e010100, 0xf64020001008000a, 41961, 1610},
	{0x202027c020200, 0xb90020008040004, 9011, 1694},
	{0x404047a040400, 0xf17dfefff7fbfff7, 17184, 1766},
	{0x8080876080800, 0xe2bf81fff8fefff9, 39738, 1886},
	{0x1010106e101000, 0x85b000ffe001ffe0, 51687, 2030},
	{0x2020205e202000, 0x5f701f00078007c3, 25771, 2174},
	{0x4040403e404000, 0x8a8bfafffb687fc1, 13035, 2294},
	{0x8080807e808000, 0x70d7f97ffa0fe03f, 36282, 2366},
	{0x1017e01010100, 0x2e0008e8003001b2, 59212, 2450},
	{0x2027c02020200, 0x1e00008780180018, 65218, 2534},
	{0x4047a04040400, 0x2a80010300180018, 57902, 2606},
	{0x8087608080800, 0x7020008180180018, 55437, 2726},
	{0x10106e10101000, 0x54b070310005fffa, 16205, 2870},
	{0x20205e20202000, 0x6a80188100060006, 11397, 3014},
	{0x40403e40404000, 0xffffff7fffbfbfff, 0, 3134},
	{0x80807e80808000, 0x53e802000200040, 33928, 3206},
	{0x17e0101010100, 0x2e000202ec002800, 21215, 3290},
	{0x27c0202020200, 0x967ffcfc05fff400, 53171, 3360},
	{0x47a0404040400, 0x90000404b801800, 66622, 3420},
	{0x8760808080800, 0xb0e0002fe03fd000, 62414, 3520},
	{0x106e1010101000, 0x89e000302e803003, 82409, 3640},
	{0x205e2020202000, 0xa8b7efffbfc00fff, 39149, 3760},
	{0x403e4040404000, 0x6b4c0007a7ffa7fc, 75954, 3860},
	{0x807e8080808000, 0x1167fffa58005802, 79268, 3920},
	{0x7e010101010100, 0x2f29000101150028, 16952, 3990},
	{0x7c020202020200, 0xcefffeff7f72bf00, 8639, 4032},
	{0x7a040404040400, 0xa900007a007d0018, 81963, 4068},
	{0x76080808080800, 0x5660002040790028, 19630, 4128},
	{0x6e101010101000, 0x9830002010288028, 20004, 4200},
	{0x5e202020202000, 0x11d0001800e08018, 50982, 4272},
	{0x3e404040404000, 0x70680003f3a40048, 18279, 4332},
	{0x7e808080808000, 0x1743d80000500028, 40119, 4368},
	{0x7e01010101010100, 0xd3fffb7fbbdeebee, 31808, 4410},
	{0x7c02020202020200, 0x10000082110209c1, 3941, 4459},
	{0x7a04040404040400, 0xbf7ffeffbffaf71f, 5909, 4501},
	{0x7608080808080800, 0xbeedffff777b7d6e, 31825, 4571},
	{0x6e10101010101000, 0x80200007e8080c02, 70023, 4655},
	{0x5e20202020202000, 0xafb0000fff780402, 24611, 4739},
	{0x3e40404040404000, 0x3dcbfffb73b7e402, 7759, 4809},
	{0x7e80808080808000, 0x32000308482882, 1012, 4851},
}

type BishopMagic struct {
	Mask uint64
	Magic uint64
	Offset uint64
	SetOffset uint64
}

var BishopMagics = [64]BishopMagic{
	{0x40201008040200, 0xa7020080601803d8, 12962, 0},
	{0x402010080400, 0x13802040400801f1, 14592, 7},
	{0x4020100a00, 0xa0080181001f60c, 18223, 13},
	{0x40221400, 0x2002020101883fcb, 8975, 23},
	{0x2442800, 0x381fe200280a5d4a, 14842, 35},
	{0x204085000, 0xb0fdfbeafff5b17a, 1069, 47},
	{0x20408102000, 0xdb6fa1003c800441, 68277, 57},
	{0x2040810204000, 0xc7dc04488f208005, 13307, 63},
	{0x20100804020000, 0xffa2feffbfefb7ff, 22790, 70},
	{0x40201008040000, 0x83e3ee040080801, 15584, 76},
	{0x4020100a0000, 0xc0800080181001f8, 16136, 82},
	{0x4022140000, 0x39ac08080017475, 13437, 92},
	{0x244280000, 0xd89ff05dffd82ef7, 22242, 104},
	{0x20408500000, 0x97dd27e2007ff163, 13707, 116},
	{0x2040810200000, 0xa871c0efdfe6ffee, 15450, 126},
	{0x4081020400000, 0x1112ad81010001a, 18338, 132},
	{0x10080402000200, 0x337e7c04d33effbf, 12481, 138},
	{0x20100804000400, 0x7ffebfffa01027fd, 12910, 148},
	{0x4020100a000a00, 0x1000202020200, 24895, 158},
	{0x402214001400, 0x200800040210204c, 25407, 198},
	{0x24428002800, 0x646fd6bc001f9008, 8395, 246},
	{0x2040850005000, 0xf1750001ffaaffdc, 11231, 294},
	{0x4081020002000, 0xf13d940040d3fffa, 9003, 334},
	{0x8102040004000, 0xefb3f4b43fef7f80, 46325, 344},
	{0x8040200020400, 0x8800013e8300c030, 15277, 354},
	{0x10080400040800, 0x420009701806018, 15500, 366},
	{0x20100a000a1000, 0x938e38c65d2fe8, 72092, 378},
	{0x40221400142200, 0x8700303030c0c02a, 73108, 426},
	{0x2442800284400, 0xdc30008df7004001, 69037, 534},
	{0x4085000500800, 0x8020000410080, 26935, 642},
	{0x8102000201000, 0x87ff038000fc001, 15527, 690},
	{0x10204000402000, 0x537f40bf0083004, 14988, 702},
	{0x4020002040800, 0x838401ff684564d9, 8907, 714},
	{0x8040004081000, 0x407e416020, 14810, 726},
	{0x100a000a102000, 0x4691ffc1ff83ff60, 27596, 738},
	{0x22140014224000, 0xe09bfefe02c04080, 22324, 786},
	{0x44280028440200, 0x697fe17018286006, 69853, 894},
	{0x8500050080400, 0xd63fbe020f8fe080, 42109, 1002},
	{0x10200020100800, 0x6dc006b4c7600ff0, 14926, 1050},
	{0x20400040201000, 0xb24ffcf5008681c0, 4615, 1062},
	{0x2000204081000, 0x4100f88080, 17948, 1074},
	{0x4000408102000, 0x20807c4040, 17967, 1084},
	{0xa000a10204000, 0x1800041018700c0, 16287, 1094},
	{0x14001422400000, 0xcb2014af08004ff8, 3473, 1134},
	{0x28002844020000, 0x85850032e401f808, 4171, 1182},
	{0x50005008040200, 0xc08000df80280050, 16401, 1230},
	{0x20002010080400, 0xfdffffbfeff80fdc, 16325, 1270},
	{0x40004020100800, 0x37000422b90e8042, 65241, 1280},
	{0x20408102000, 0x800001f40808200, 22322, 1290},
	{0x40810204000, 0x84000101f3fd208, 37683, 1296},
	{0xa1020400000, 0x75e344005c03fa2b, 6427, 1302},
	{0x142240000000, 0x4000008003f80, 15253, 1312},
	{0x284402000000, 0x8499780fff01801, 14469, 1324},
	{0x500804020000, 0x1285000c442413f1, 24671, 1336},
	{0x201008040200, 0xfffffeffbfeff81d, 15733, 1346},
	{0x402010080400, 0xcbc000200febf309, 13570, 1352},
	{0x2040810204000, 0x4fcfffdfdfc40387, 53784, 1358},
	{0x4081020400000, 0x7b39fbffefe0c0ce, 37794, 1365},
	{0xa102040000000, 0x9fcc9867ffe080c3, 17002, 1371},
	{0x14224000000000, 0xfd71b84057f7ffc1, 16224, 1381},
	{0x28440200000000, 0xe0a4141de0380112, 5162, 1393},
	{0x50080402000000, 0x945e388000801012, 20428, 1405},
	{0x20100804020000, 0x7077fff7bbe61afa, 34778, 1415},
	{0x40201008040200, 0xe740000401fdf879, 33798, 1421},
}

var Numbers [84683]uint8

var RookSets [4900]uint64

var BishopSets [1428]uint64

func RookAttacks(square int, occ uint64) uint64 {
	return RookSets[RookMagics[square].SetOffset + uint64(Numbers[RookMagics[square].Offset+(((occ | ^RookMagics[square].Mask) * RookMagics[square].Magic) >> 52)])]
}

func BishopAttacks(square int, occ uint64) uint64 {
	return BishopSets[BishopMagics[square].SetOffset + uint64(Numbers[BishopMagics[square].Offset+(((occ | ^BishopMagics[square].Mask) * BishopMagics[square].Magic) >> 55)])]
}

// The buffer is filled when the package is loaded.
func init() {
	for square := 0; square < 64; square++ {
		mask, sets := RookMagics[square].Mask, RookSets[RookMagics[square].SetOffset:]
		steps, count := [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}, 0
		for occ, more := uint64(0), true; more; more = occ != 0 {
			attacks, place := walk(square, occ, steps), count
			for place > 0 && sets[place-1] > attacks {
				place--
			}
			if place == 0 || sets[place-1] != attacks {
				copy(sets[place+1:count+1], sets[place:count])
				sets[place] = attacks
				count++
			}
			occ = (occ - mask) & mask
		}
		for occ, more := uint64(0), true; more; more = occ != 0 {
			attacks, number := walk(square, occ, steps), 0
			for sets[number] != attacks {
				number++
			}
			slot := RookMagics[square].Offset + (((occ | ^RookMagics[square].Mask) * RookMagics[square].Magic) >> 52)
			Numbers[slot] = uint8(number)
			occ = (occ - mask) & mask
		}
	}
	for square := 0; square < 64; square++ {
		mask, sets := BishopMagics[square].Mask, BishopSets[BishopMagics[square].SetOffset:]
		steps, count := [4][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}, 0
		for occ, more := uint64(0), true; more; more = occ != 0 {
			attacks, place := walk(square, occ, steps), count
			for place > 0 && sets[place-1] > attacks {
				place--
			}
			if place == 0 || sets[place-1] != attacks {
				copy(sets[place+1:count+1], sets[place:count])
				sets[place] = attacks
				count++
			}
			occ = (occ - mask) & mask
		}
		for occ, more := uint64(0), true; more; more = occ != 0 {
			attacks, number := walk(square, occ, steps), 0
			for sets[number] != attacks {
				number++
			}
			slot := BishopMagics[square].Offset + (((occ | ^BishopMagics[square].Mask) * BishopMagics[square].Magic) >> 55)
			Numbers[slot] = uint8(number)
			occ = (occ - mask) & mask
		}
	}
	for square := 0; square < 64; square++ {
		mask := RookMagics[square].Mask
		for occ, more := uint64(0), true; more; more = occ != 0 {
			if RookAttacks(square, occ) != walk(square, occ, [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}) {
				panic("a write has changed an entry of the buffer")
			}
			occ = (occ - mask) & mask
		}
	}
	for square := 0; square < 64; square++ {
		mask := BishopMagics[square].Mask
		for occ, more := uint64(0), true; more; more = occ != 0 {
			if BishopAttacks(square, occ) != walk(square, occ, [4][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}) {
				panic("a write has changed an entry of the buffer")
			}
			occ = (occ - mask) & mask
		}
	}
}

func walk(square int, occ uint64, steps [4][2]int) uint64 {
	var attacks uint64
	for _, step := range steps {
		file, rank := square&7+step[0], square>>3+step[1]
		for file >= 0 && file < 8 && rank >= 0 && rank < 8 {
			bit := uint64(1) << (8*rank + file)
			attacks |= bit
			if occ&bit != 0 {
				break
			}
			file += step[0]
			rank += step[1]
		}
	}
	return attacks
}
