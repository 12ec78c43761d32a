// bothWays has what occupied - square runs to: the first blocker above; on the board with its
// ranks swapped, the first one below. Ranks, which a byte swap does not turn round, are looked up
// in 512 bytes.
func bothWays(line, bit, occ uint64) uint64 {
	above := occ&line - bit
	below := bits.ReverseBytes64(bits.ReverseBytes64(occ&line) - bits.ReverseBytes64(bit))
	return (above ^ below) & line
}

// RookAttacks returns the squares that a rook on square attacks. The bits of occ are the
// occupied squares.
func RookAttacks(square int, occ uint64) uint64 {
	first := uint(square & 56)
	rank := uint64(row[square&7<<6|int(occ>>first>>1&63)])
	return bothWays(fileLine[square], 1<<uint(square), occ) | rank<<first
}

// BishopAttacks returns the squares that a bishop on square attacks.
func BishopAttacks(square int, occ uint64) uint64 {
	bit := uint64(1) << uint(square)
	return bothWays(diagonal[square], bit, occ) | bothWays(antidiagonal[square], bit, occ)
}
