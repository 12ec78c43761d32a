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
	{0x101010101017e, 0x807ffd287d3ffffc, 16384, 0},
	{0x202020202027c, 0x807ff35ffffbc000, 49152, 49},
	{0x404040404047a, 0x3e0005130a25ffff, 4096, 91},
	{0x8080808080876, 0xe1fffd9f9b89ffff, 53248, 161},
	{0x1010101010106e, 0xf1fff9a39fffb200, 36864, 245},
	{0x2020202020205e, 0xedfffb5bd7ffc600, 40960, 329},
	{0x4040404040403e, 0xbc0001904b180010, 36864, 399},
	{0x8080808080807e, 0x21ffff8acb6bfffa, 8192, 441},
	{0x1010101017e00, 0xd3047fff1c400009, 24576, 490},
	{0x2020202027c00, 0xe24cfff780ffbffd, 61440, 532},
	{0x4040404047a00, 0xef15fffb33400200, 20480, 568},
	{0x8080808087600, 0x1f39fffc8c79ffff, 45056, 628},
	{0x10101010106e00, 0x44fdfffe71ffff68, 32768, 700},
	{0x20202020205e00, 0x4f02000cc8002e00, 0, 772},
	{0x40404040403e00, 0x334000218900014, 40960, 832},
	{0x80808080807e00, 0x3fa1fffc13260007, 20480, 868},
	{0x10101017e0100, 0x8dc0008002b5e042, 12288, 910},
	{0x20202027c0200, 0xeb4000800c600004, 49152, 980},
	{0x40404047a0400, 0xa810008006200002, 4096, 1040},
	{0x8080808760800, 0xabdcadfffad9ffff, 65536, 1140},
	{0x101010106e1000, 0x5b0399ffffc5ffe8, 61440, 1260},
	{0x202020205e2000, 0x41de29fffe51ae00, 57344, 1380},
	{0x404040403e4000, 0x58113fffd90002e, 20479, 1480},
	{0x808080807e8000, 0x4621760000240019, 32768, 1540},
	{0x101017e010100, 0xd1fffe807fffc000, 0, 1610},
	{0x202027c020200, 0x20f000404001a001, 28672, 1694},
	{0x404047a040400, 0x8ea9e0007ffa7000, 0, 1766},
	{0x8080876080800, 0x8272003dfffd2001, 20480, 1886},
	{0x1010106e101000, 0x44fa000e00058a75, 45056, 2030},
	{0x2020205e202000, 0xa389fff9ffeff59c, 49152, 2174},
	{0x4040403e404000, 0x8f9ffff600050200, 61440, 2294},
	{0x8080807e808000, 0xad14ff7a0008409c, 12288, 2366},
	{0x1017e01010100, 0x9e3ffff8807fffc0, 24576, 2450},
	{0x2027c02020200, 0x27d000e000400308, 24576, 2534},
	{0x4047a04040400, 0xe7f9fffdde000bc0, 40960, 2606},
	{0x8087608080800, 0x2cdffea6c9fffa00, 65536, 2726},
	{0x10106e10101000, 0xfc8fff6f59fffe00, 53248, 2870},
	{0x20205e20202000, 0xb22fffba95fffa00, 57344, 3014},
	{0x40403e40404000, 0x728400282c0002b0, 8192, 3134},
	{0x80807e80808000, 0x4e46000f0dfffd7c, 16384, 3206},
	{0x17e0101010100, 0x334000044b808000, 40960, 3290},
	{0x27c0202020200, 0x52a5c00004ecfff0, 61440, 3360},
	{0x47a0404040400, 0xa7b9fffde7fa000c, 4096, 3420},
	{0x8760808080800, 0x152000169220004, 53248, 3520},
	{0x106e1010101000, 0x908600007869fffa, 45056, 3640},
	{0x205e2020202000, 0x9ac9ffffb8b20008, 0, 3760},
	{0x403e4040404000, 0xb79fffed6ba3fff0, 20480, 3860},
	{0x807e8080808000, 0xeff5fff8b02a0001, 4096, 3920},
	{0x7e010101010100, 0xe8ffffc744a61e00, 65536, 3990},
	{0x7c020202020200, 0x5b80006c7c86fff4, 67238, 4032},
	{0x7a040404040400, 0x6fc1ffffbfc1ce00, 57344, 4068},
	{0x76080808080800, 0xdc0dfffed5738a00, 57344, 4128},
	{0x6e101010101000, 0x92860000205c3200, 36864, 4200},
	{0x5e202020202000, 0x9e8e000008ef9a00, 49152, 4272},
	{0x3e404040404000, 0x22fc000ff4f36400, 45056, 4332},
	{0x7e808080808000, 0x7d040003fc8cae00, 28672, 4368},
	{0x7e01010101010100, 0xaafffeff0418d282, 32768, 4410},
	{0x7c02020202020200, 0x1a29ffff6eff72ca, 36864, 4459},
	{0x7a04040404040400, 0x9e65ffffaf7fb156, 57344, 4501},
	{0x7608080808080800, 0xffee0000201e7b96, 45056, 4571},
	{0x6e10101010101000, 0x1945ffffd36b70e6, 53248, 4655},
	{0x5e20202020202000, 0xbf99ffffe7e81f2e, 65536, 4739},
	{0x3e40404040404000, 0xaa0bfffd2ffd47dc, 8192, 4809},
	{0x7e80808080808000, 0x316a000384036d56, 28672, 4851},
}

type bishopMagic struct {
	mask      uint64
	magic     uint64
	offset    uint64
	setOffset uint64
}

var bishopMagics = [64]bishopMagic{
	{0x40201008040200, 0x9032d83fbfefb411, 72936, 0},
	{0x402010080400, 0x2ee603f7fe003ff1, 18536, 7},
	{0x4020100a00, 0x766ffd95fffee3bd, 65539, 13},
	{0x40221400, 0x170410fff07493d7, 72215, 23},
	{0x2442800, 0x77ca014fff335b22, 71731, 35},
	{0x204085000, 0xe4f021fd000463ea, 74449, 47},
	{0x20408102000, 0xd14021617d8007e1, 74550, 57},
	{0x2040810204000, 0xc78c80801f7fc2ce, 72488, 63},
	{0x20100804020000, 0x93a0c0100500ff01, 16934, 70},
	{0x40201008040000, 0x67e953f801ffbe00, 19322, 76},
	{0x4020100a0000, 0x33b970001532ffd9, 68427, 82},
	{0x4022140000, 0x5805350082403d4f, 71233, 92},
	{0x244280000, 0xd6d9d07f4010c6ee, 71271, 104},
	{0x20408500000, 0xfe1eefde3d800899, 74473, 116},
	{0x2040810200000, 0xf4184020207b0002, 74549, 126},
	{0x4081020400000, 0xffb867efeefeffff, 74646, 132},
	{0x10080402000200, 0xa9cd4afef5402151, 72769, 138},
	{0x20100804000400, 0x7c48030407ff7c00, 19943, 148},
	{0x4020100a000a00, 0xbe7f8000f27083ff, 73560, 158},
	{0x402214001400, 0xdcc140007e07ff39, 72872, 198},
	{0x24428002800, 0xe29fe0203b0a0482, 73075, 246},
	{0x2040850005000, 0xcdf037ffe3fdfff0, 73940, 294},
	{0x4081020002000, 0x7b8052f1ad797ad4, 73880, 334},
	{0x8102040004000, 0x3d330011ffb5ff85, 54169, 344},
	{0x8040200020400, 0x64be403629a1102c, 73988, 354},
	{0x10080400040800, 0xe35e80b9bf9f1f9d, 70157, 366},
	{0x20100a000a1000, 0xff8eff7ffefe0003, 72744, 378},
	{0x40221400142200, 0x9bdf7f8007fdffff, 72233, 426},
	{0x2442800284400, 0x56d5840003801fda, 70699, 534},
	{0x4085000500800, 0xc1bfc01000820008, 73431, 642},
	{0x8102000201000, 0xfc57e008838fbfb8, 73442, 690},
	{0x10204000402000, 0x4a573c8059ff7fbe, 71766, 702},
	{0x4020002040800, 0xa3d4016002400c92, 67548, 714},
	{0x8040004081000, 0x14f927f7f89fff4d, 65907, 726},
	{0x100a000a102000, 0xebc7effc0981fff0, 73688, 738},
	{0x22140014224000, 0xa144ffe078080080, 71210, 786},
	{0x44280028440200, 0xe38e10010e140040, 71722, 894},
	{0x8500050080400, 0xe880800f8200401f, 73815, 1002},
	{0x10200020100800, 0x4757ff6cff74003d, 54965, 1050},
	{0x20400040201000, 0x8e5e5c00fffb7fc2, 66685, 1062},
	{0x2000204081000, 0x4f7020027a8efcbb, 74274, 1074},
	{0x4000408102000, 0x778201040201a000, 17978, 1084},
	{0xa000a10204000, 0xc64000127f3f8180, 74069, 1094},
	{0x14001422400000, 0x9b64c80802077fc0, 69995, 1134},
	{0x28002844020000, 0xe79ffff8401bffc0, 73300, 1182},
	{0x50005008040200, 0xac8009c2c02e0018, 74197, 1230},
	{0x20002010080400, 0x12beffdfdee1b076, 73181, 1270},
	{0x40004020100800, 0xfe003fbffe58080, 66486, 1280},
	{0x20408102000, 0xb36fff407e4e7782, 74354, 1290},
	{0x40810204000, 0x307400101efa5106, 74268, 1296},
	{0xa1020400000, 0xecd967ffbf81c3dc, 74646, 1302},
	{0x142240000000, 0xf264128fff8080c7, 74396, 1312},
	{0x284402000000, 0x53f0bafb73a02dfb, 70155, 1324},
	{0x500804020000, 0xca6f8b6ffc75fff0, 56699, 1336},
	{0x201008040200, 0xc42000f001ff49bb, 56193, 1346},
	{0x402010080400, 0xa118f00400497fea, 53243, 1352},
	{0x2040810204000, 0xe63800101f3e8ad7, 74353, 1358},
	{0x4081020400000, 0x135fe3ffa26bba52, 74121, 1365},
	{0xa102040000000, 0xef356794005f7ebd, 74505, 1371},
	{0x14224000000000, 0xf454a799dfff8082, 74408, 1381},
	{0x28440200000000, 0x6d580b2779fdbfcf, 69687, 1393},
	{0x50080402000000, 0x4ffe7f4e0ffd2200, 55505, 1405},
	{0x20100804020000, 0x56cafffeffbe600, 67883, 1415},
	{0x40201008040200, 0x275e86bf0f27e7cf, 69845, 1421},
}

var numbers [74745]uint8

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
