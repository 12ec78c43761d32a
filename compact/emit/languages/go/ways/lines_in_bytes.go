const aFile = 0x0101010101010101

// byFiles has a diagonal: a multiplication gathers its six inner squares, 512 bytes serve all
// lines, and another one spreads the byte over all ranks.
func byFiles(line uint64, square int, occ uint64) uint64 {
	inner := int((occ & line) * 0x0202020202020202 >> 58)
	return uint64(row[square&7<<6|inner]) * aFile & line
}

// RookAttacks returns the squares that a rook on square attacks. The bits of occ are the
// occupied squares.
func RookAttacks(square int, occ uint64) uint64 {
	file, first := uint(square&7), uint(square&56)
	along := uint64(row[square&7<<6|int(occ>>first>>1&63)])
	inner := int((occ >> file & aFile) * 0x0004081020408000 >> 58)
	set := uint64(row[square>>3<<6|inner])
	// Bit i to bit 8 * i, seven bits at a time: bit 7 would meet bit 0 on its way.
	up := (set&127)*0x0002040810204081&aFile | set>>7<<56
	return along<<first | up<<file
}

// BishopAttacks returns the squares that a bishop on square attacks.
func BishopAttacks(square int, occ uint64) uint64 {
	return byFiles(diagonal[square], square, occ) | byFiles(antidiagonal[square], square, occ)
}
