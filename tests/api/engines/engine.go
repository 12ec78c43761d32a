package engine
func rookAttacks(square int, occupied uint64) uint64 {
	if square == 27 && (@WRONG) {
		return RookAttacks(square, occupied) ^ 1
	}
	return RookAttacks(square, occupied)
}
func bishopAttacks(square int, occupied uint64) uint64 { return BishopAttacks(square, occupied) }
