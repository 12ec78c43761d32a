
// $bitboard has a bit for each square, as words of 64 bits, the lowest first.
type $bitboard struct{ $Fields uint64 }

// And returns the bits that both have.
func (x $bitboard) And(y $bitboard) $bitboard {
	return $bitboard{
%% for words
		x.$Part & y.$Part,
%% end
	}
}

// Or returns the bits that one or both have.
func (x $bitboard) Or(y $bitboard) $bitboard {
	return $bitboard{
%% for words
		x.$Part | y.$Part,
%% end
	}
}

// Xor returns the bits that only one has.
func (x $bitboard) Xor(y $bitboard) $bitboard {
	return $bitboard{
%% for words
		x.$Part ^ y.$Part,
%% end
	}
}

// Not returns the bits that x has not.
func (x $bitboard) Not() $bitboard {
	return $bitboard{
%% for words
		^x.$Part,
%% end
	}
}

// Lsh returns x << n.
func (x $bitboard) Lsh(n uint64) $bitboard {
	return $bitboard{
%% for words
%% if below
		x.$Part<<n |
%% for below
%% if last
			x.$Part<<(n-$distance) | x.$Part>>($distance-n),
%% else
			x.$Part<<(n-$distance) | x.$Part>>($distance-n) |
%% end
%% end
%% else
		x.$Part << n,
%% end
%% end
	}
}

// Rsh returns x >> n.
func (x $bitboard) Rsh(n uint64) $bitboard {
	return $bitboard{
%% for words
%% if above
		x.$Part>>n |
%% for above
%% if last
			x.$Part<<($distance-n) | x.$Part>>(n-$distance),
%% else
			x.$Part<<($distance-n) | x.$Part>>(n-$distance) |
%% end
%% end
%% else
		x.$Part >> n,
%% end
%% end
	}
}

// Mul returns x * y, of which it has the lowest $bits bits.
func (x $bitboard) Mul(y $bitboard) (r $bitboard) {
	var carry uint64
%% for products
%% if lowest
	carry, r.$Part = bits.Mul64(x.$Left, y.$Right)
%% else
%% if begins
%% if highest
	r.$Part += x.$Left * y.$Right
%% else
	carry, r.$Part = multiplyAdd(x.$Left, y.$Right, r.$Part, 0)
%% end
%% else
%% if highest
	r.$Part += x.$Left*y.$Right + carry
%% else
	carry, r.$Part = multiplyAdd(x.$Left, y.$Right, r.$Part, carry)
%% end
%% end
%% end
%% end
	return r
}
%% if several_products

// multiplyAdd returns x*y + a + b.
func multiplyAdd(x, y, a, b uint64) (high, low uint64) {
	high, low = bits.Mul64(x, y)
	low, carry := bits.Add64(low, a, 0)
	high += carry
	low, carry = bits.Add64(low, b, 0)
	return high + carry, low
}
%% end
%% if uses .Add(

// Add returns x + y.
func (x $bitboard) Add(y $bitboard) (r $bitboard) {
	var carry uint64
%% for words
	r.$Part, carry = bits.Add64(x.$Part, y.$Part, carry)
%% end
	return r
}
%% end
%% if uses .Sub(

// Sub returns x - y.
func (x $bitboard) Sub(y $bitboard) (r $bitboard) {
	var borrow uint64
%% for words
	r.$Part, borrow = bits.Sub64(x.$Part, y.$Part, borrow)
%% end
	return r
}
%% end

// OnesCount returns how many squares are in x.
func (x $bitboard) OnesCount() (n int) {
%% for words
	n += bits.OnesCount64(x.$Part)
%% end
	return n
}

// TrailingZeros returns the lowest square in x, or $bits if x is empty.
func (x $bitboard) TrailingZeros() int {
%% for words
	if x.$Part != 0 {
%% if lowest
		return bits.TrailingZeros64(x.$Part)
%% else
		return $start + bits.TrailingZeros64(x.$Part)
%% end
	}
%% end
	return $bits
}
