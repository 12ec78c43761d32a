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
// Usage, as a package of its own or a file of another one; the table is made when the program starts:
//     attacks := magics.RookAttacks(square, occupied)
// where the bits of occupied are the occupied squares.

// Package magics looks up the squares that rooks and bishops attack.
package magics

type rookMagic struct {
	mask      uint64
	magic     uint64
	offset    uint64
	setOffset uint64
}

var rookMagics = [64]rookMagic{
	{0x101010101017e, 0x9a8003d554c00004, 16383, 0},
	{0x202020202027c, 0x800cc000042000, 12288, 49},
	{0x404040404047a, 0x100051120010001, 12288, 91},
	{0x8080808080876, 0xa1fffd939fa9ffff, 8192, 161},
	{0x1010101010106e, 0x89fffeb99fff8a00, 24574, 245},
	{0x2020202020205e, 0xf9fff7d3cfffd600, 45054, 329},
	{0x4040404040403e, 0x43fffa9716dbfff0, 61438, 399},
	{0x8080808080807e, 0xf5ffffce9afbfffa, 20479, 441},
	{0x1010101017e00, 0xb100800225c00008, 16383, 490},
	{0x2020202027c00, 0xb8dafff3aa3ffffc, 8176, 532},
	{0x4040404047a00, 0x4ee5fffb2f400200, 61438, 568},
	{0x8080808087600, 0xa49dfffd9b95ffff, 8192, 628},
	{0x10101010106e00, 0x7a0a000b9fff6a00, 24574, 700},
	{0x20202020205e00, 0xafc5fffcb6000030, 40958, 772},
	{0x40404040403e00, 0x9cb3ffffa1cffffc, 28670, 832},
	{0x80808080807e00, 0x2ef9fffe79fbfff5, 12288, 868},
	{0x10101017e0100, 0xc8628e001200cfe1, 24574, 910},
	{0x20202027c0200, 0x40c000800c600004, 40958, 980},
	{0x40404047a0400, 0x1370008006a00002, 57342, 1040},
	{0x8080808760800, 0xe2a16000935ffff, 32766, 1140},
	{0x101010106e1000, 0xa1705e00087e0030, 36860, 1260},
	{0x202020205e2000, 0x4c8729fff2a20017, 49150, 1380},
	{0x404040403e4000, 0xf1cec3fffd6fffd5, 4096, 1480},
	{0x808080807e8000, 0xa8df4e00007bffe5, 20479, 1540},
	{0x101017e010100, 0x24fff9807fffc000, 4096, 1610},
	{0x202027c020200, 0x7fff403fffe000, 65534, 1694},
	{0x404047a040400, 0x5e920071fffc8040, 65533, 1766},
	{0x8080876080800, 0x2c4e003dfff8dfff, 61438, 1886},
	{0x1010106e101000, 0xd6c60022000fff07, 61438, 2030},
	{0x2020205e202000, 0xf96dfffdfffc53ac, 57342, 2174},
	{0x4040403e404000, 0x389200020018102d, 40958, 2294},
	{0x8080807e808000, 0x7e5eb71dfff4d9b7, 0, 2366},
	{0x1017e01010100, 0xbdbffff2807fffc0, 40958, 2450},
	{0x2027c02020200, 0xa09fffff403fffe0, 65536, 2534},
	{0x4047a04040400, 0xab6000211fff7c0, 28670, 2606},
	{0x8087608080800, 0x5b5ffef8a9fff600, 8192, 2726},
	{0x10106e10101000, 0x3b2fffae25fffe00, 53246, 2870},
	{0x20205e20202000, 0x4a4fffb421fffa00, 57342, 3014},
	{0x40403e40404000, 0x7900001f6400100b, 4096, 3134},
	{0x80807e80808000, 0xfa79fff131fffb84, 65533, 3206},
	{0x17e0101010100, 0x4d4000014e808000, 45054, 3290},
	{0x27c0202020200, 0x77d5815ec0010008, 4096, 3360},
	{0x47a0404040400, 0xd1a00013f61fff8, 0, 3420},
	{0x8760808080800, 0x9b69fffee12a0008, 8192, 3520},
	{0x106e1010101000, 0x4f1600009059fff8, 36862, 3640},
	{0x205e2020202000, 0x2ff9ffffdf320008, 28670, 3760},
	{0x403e4040404000, 0xa36bffea682c0010, 0, 3860},
	{0x807e8080808000, 0x220bfffabbee0001, 36862, 3920},
	{0x7e010101010100, 0xa9fffeff0589e200, 32766, 3990},
	{0x7c020202020200, 0xe72a00009eba4200, 45054, 4032},
	{0x7a040404040400, 0x45b1ffffa1484200, 57342, 4068},
	{0x76080808080800, 0x9a25ffff6a3b0e00, 57342, 4128},
	{0x6e101010101000, 0xe6c2000064eaee00, 32766, 4200},
	{0x5e202020202000, 0xe0e6000027892200, 32766, 4272},
	{0x3e404040404000, 0x2f2fffefe979ac00, 0, 4332},
	{0x7e808080808000, 0x1121fffe4c0ea200, 49150, 4368},
	{0x7e01010101010100, 0x48fffeff0256e286, 49150, 4410},
	{0x7c02020202020200, 0x5555ffff7f811ea6, 45054, 4459},
	{0x7a04040404040400, 0x12fe0000403f36ce, 53246, 4501},
	{0x7608080808080800, 0x1945ffff9fa102ea, 53246, 4571},
	{0x6e10101010101000, 0xfeb5ffffeff02e8a, 32766, 4655},
	{0x5e20202020202000, 0xae2a00001817bcd6, 53246, 4739},
	{0x3e40404040404000, 0x8aaa00000c0be662, 36862, 4809},
	{0x7e80808080808000, 0xcbc9fffdcbfdb96a, 28670, 4851},
}

type bishopMagic struct {
	mask      uint64
	magic     uint64
	offset    uint64
	setOffset uint64
}

var bishopMagics = [64]bishopMagic{
	{0x40201008040200, 0xd44c1807fe0fff80, 65024, 0},
	{0x402010080400, 0xca68b7fdfffdfff0, 59902, 7},
	{0x4020100a00, 0x4a6ffe2dfffefa69, 58366, 13},
	{0x40221400, 0xecb7ff3f004e536b, 61950, 23},
	{0x2442800, 0xcb4bfe2008420afe, 63998, 35},
	{0x204085000, 0x7ce2000e5fd568f1, 53246, 47},
	{0x20408102000, 0x5bdb7efe0c000509, 70137, 57},
	{0x2040810204000, 0x2c9e803c02e00012, 62462, 63},
	{0x20100804020000, 0x10f8dff5f3fffc00, 50686, 70},
	{0x40201008040000, 0xd0ecb5effdffff00, 51198, 76},
	{0x4020100a0000, 0xaa0390022a00012c, 59390, 82},
	{0x4022140000, 0x5dee17ffc900005c, 55807, 92},
	{0x244280000, 0x2c0e14001ff9c775, 61438, 104},
	{0x20408500000, 0x3cccde000fecd327, 53758, 116},
	{0x2040810200000, 0xeeef3757fc01dfff, 59902, 126},
	{0x4081020400000, 0xd36740ffae005ffd, 71677, 132},
	{0x10080402000200, 0x121ff7fbe0000600, 49153, 138},
	{0x20100804000400, 0x4bb801fb2807ffff, 56834, 148},
	{0x4020100a000a00, 0x4f7000157de5ffff, 72196, 158},
	{0x402214001400, 0x7dc7ffcc1a0000d0, 72189, 198},
	{0x24428002800, 0xb5ac0000c7001de6, 71677, 246},
	{0x2040850005000, 0xa2560000ffddffde, 70653, 294},
	{0x4081020002000, 0xd0ac0026017bfff8, 52734, 334},
	{0x8102040004000, 0xbc300260089fff8, 56830, 344},
	{0x8040200020400, 0xd647fb7e3feffe85, 57342, 354},
	{0x10080400040800, 0xe3e4021f9000f800, 61950, 366},
	{0x20100a000a1000, 0x41ff6ffdca3bfffd, 71165, 378},
	{0x40221400142200, 0x4f4a47fffb7dffff, 71165, 426},
	{0x2442800284400, 0xd510008ee3004003, 70653, 534},
	{0x4085000500800, 0xa9affcffffa4000a, 71677, 642},
	{0x8102000201000, 0x56020200e5580310, 59390, 690},
	{0x10204000402000, 0x3693ff80af19fc04, 55294, 702},
	{0x4020002040800, 0xf0efffebe75ff800, 50174, 714},
	{0x8040004081000, 0x9d240006526003fe, 54782, 726},
	{0x100a000a102000, 0x3e51fffc7ab000d8, 71677, 738},
	{0x22140014224000, 0x2c709ffd1cc80080, 69629, 786},
	{0x44280028440200, 0xd5ffd773ffa1ff9e, 70141, 894},
	{0x8500050080400, 0xfcfff535ff7f4800, 72189, 1002},
	{0x10200020100800, 0x74340205fff3ff83, 63998, 1050},
	{0x20400040201000, 0x99c401001e55d400, 58366, 1062},
	{0x2000204081000, 0xb36bfff62ffec009, 64510, 1074},
	{0x4000408102000, 0x6a73fffc00aecffd, 60926, 1084},
	{0xa000a10204000, 0xe7db0000cec57000, 72189, 1094},
	{0x14001422400000, 0x4b2a3de001bbb801, 71677, 1134},
	{0x28002844020000, 0xcfad7fed5dfff400, 70141, 1182},
	{0x50005008040200, 0x44ffe9f769ff9500, 69629, 1230},
	{0x20002010080400, 0x31040403ffc0fc01, 69629, 1270},
	{0x40004020100800, 0x30a0037a00807200, 52222, 1280},
	{0x20408102000, 0x99ed0077fd3fea56, 60414, 1290},
	{0x40810204000, 0x765e000467f7fa0f, 56318, 1296},
	{0xa1020400000, 0xaef3cc1dfeaff94c, 60926, 1302},
	{0x142240000000, 0x4052c5dcfec800fc, 71677, 1312},
	{0x284402000000, 0x99ba0d6009d40049, 57854, 1324},
	{0x500804020000, 0x6a0f80100859ffe5, 57854, 1336},
	{0x201008040200, 0xd0c0000401fdbe78, 51710, 1346},
	{0x402010080400, 0xa5ffffa2dff7fe3, 60414, 1352},
	{0x2040810204000, 0x145efffdffdffc34, 62974, 1358},
	{0x4081020400000, 0x56fa99fefff8cff9, 54270, 1365},
	{0xa102040000000, 0xb60c324100a17000, 58878, 1371},
	{0x14224000000000, 0x1a43c947d6ff3800, 71677, 1381},
	{0x28440200000000, 0xab33b336dfee2401, 64510, 1393},
	{0x50080402000000, 0x90bd3afff00ef200, 49662, 1405},
	{0x20100804020000, 0xa1ac4008027f0200, 14061, 1415},
	{0x40201008040200, 0x3fff9f7fe8efe00, 63486, 1421},
}

var numbers [72700]uint8

var rookSets [4900]uint64

var bishopSets [1428]uint64

// RookAttacks returns the squares that a rook on square attacks. The bits of occ are the
// occupied squares.
func RookAttacks(square int, occ uint64) uint64 {
	slot := rookMagics[square].offset + (((occ | ^rookMagics[square].mask) * rookMagics[square].magic) >> 52)
	return rookSets[rookMagics[square].setOffset+uint64(numbers[slot])]
}

// BishopAttacks returns the squares that a bishop on square attacks. The bits of occ are the
// occupied squares.
func BishopAttacks(square int, occ uint64) uint64 {
	slot := bishopMagics[square].offset + (((occ | ^bishopMagics[square].mask) * bishopMagics[square].magic) >> 55)
	return bishopSets[bishopMagics[square].setOffset+uint64(numbers[slot])]
}

func init() {
	for square := 0; square < 64; square++ {
		mask, sets := rookMagics[square].mask, rookSets[rookMagics[square].setOffset:]
		steps, count := [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}, 0
		for occ, more := uint64(0), true; more; more = occ != 0 {
			reached, place := walk(square, occ, steps), count
			for place > 0 && sets[place-1] > reached {
				place--
			}
			if place == 0 || sets[place-1] != reached {
				copy(sets[place+1:count+1], sets[place:count])
				sets[place] = reached
				count++
			}
			occ = (occ - mask) & mask
		}
		for occ, more := uint64(0), true; more; more = occ != 0 {
			reached, number := walk(square, occ, steps), 0
			for sets[number] != reached {
				number++
			}
			slot := rookMagics[square].offset + (((occ | ^rookMagics[square].mask) * rookMagics[square].magic) >> 52)
			numbers[slot] = uint8(number)
			occ = (occ - mask) & mask
		}
	}
	for square := 0; square < 64; square++ {
		mask, sets := bishopMagics[square].mask, bishopSets[bishopMagics[square].setOffset:]
		steps, count := [4][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}, 0
		for occ, more := uint64(0), true; more; more = occ != 0 {
			reached, place := walk(square, occ, steps), count
			for place > 0 && sets[place-1] > reached {
				place--
			}
			if place == 0 || sets[place-1] != reached {
				copy(sets[place+1:count+1], sets[place:count])
				sets[place] = reached
				count++
			}
			occ = (occ - mask) & mask
		}
		for occ, more := uint64(0), true; more; more = occ != 0 {
			reached, number := walk(square, occ, steps), 0
			for sets[number] != reached {
				number++
			}
			slot := bishopMagics[square].offset + (((occ | ^bishopMagics[square].mask) * bishopMagics[square].magic) >> 55)
			numbers[slot] = uint8(number)
			occ = (occ - mask) & mask
		}
	}
	for square := 0; square < 64; square++ {
		mask := rookMagics[square].mask
		for occ, more := uint64(0), true; more; more = occ != 0 {
			if RookAttacks(square, occ) != walk(square, occ, [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}) {
				panic("a write has changed an entry of the buffer")
			}
			occ = (occ - mask) & mask
		}
	}
	for square := 0; square < 64; square++ {
		mask := bishopMagics[square].mask
		for occ, more := uint64(0), true; more; more = occ != 0 {
			if BishopAttacks(square, occ) != walk(square, occ, [4][2]int{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}) {
				panic("a write has changed an entry of the buffer")
			}
			occ = (occ - mask) & mask
		}
	}
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
