%% for lists
var $name_camel = [$length]$kind{
$items
}

%% end
$body

// QueenAttacks returns the squares that a queen on square attacks.
func QueenAttacks(square int, occ uint64) uint64 {
	return RookAttacks(square, occ) | BishopAttacks(square, occ)
}
