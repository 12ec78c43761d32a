%% if wide
// Bitboard has square n as bit n of Lo, or from 64 on as bit n - 64 of Hi.
type Bitboard struct{ Lo, Hi uint64 }

func bit(n int) Bitboard {
	if n < 64 {
		return Bitboard{1 << n, 0}
	}
	return Bitboard{0, 1 << (n - 64)}
}

func or(a, b Bitboard) Bitboard { return Bitboard{a.Lo | b.Lo, a.Hi | b.Hi} }

func and(a, b Bitboard) Bitboard { return Bitboard{a.Lo & b.Lo, a.Hi & b.Hi} }

func plus(a, b Bitboard) Bitboard {
	lo, carry := bits.Add64(a.Lo, b.Lo, 0)
	return Bitboard{lo, a.Hi + b.Hi + carry}
}

func minus(a, b Bitboard) Bitboard {
	lo, borrow := bits.Sub64(a.Lo, b.Lo, 0)
	return Bitboard{lo, a.Hi - b.Hi - borrow}
}

func count(a Bitboard) int { return bits.OnesCount64(a.Lo) + bits.OnesCount64(a.Hi) }

// index is a * magic >> shift, in words of 128 bits; shift is 64 or more.
func index(a, magic Bitboard, shift uint8) uint32 {
	high, _ := bits.Mul64(a.Lo, magic.Lo)
	return uint32((high + a.Lo*magic.Hi + a.Hi*magic.Lo) >> (shift - 64))
}
%% else
// Bitboard has square n as bit n.
type Bitboard = uint64

func bit(n int) Bitboard { return 1 << n }

func or(a, b Bitboard) Bitboard { return a | b }

func and(a, b Bitboard) Bitboard { return a & b }

func plus(a, b Bitboard) Bitboard { return a + b }

func minus(a, b Bitboard) Bitboard { return a - b }

func count(a Bitboard) int { return bits.OnesCount64(a) }

func index(a, magic Bitboard, shift uint8) uint32 { return uint32(a * magic >> shift) }
%% end

func has(a Bitboard, n int) bool { return count(and(a, bit(n))) != 0 }
