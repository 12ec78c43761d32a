
// Construct is a magic for a mask: with ((occupied & mask) * magic) >> ($width - size) different
// occupancies of the mask have different indexes. False where it was not built; always so with
// fewer bits in the index, size, than squares.
//
// A one in the magic, at bit t, moves the square b to bit b + t of the product, whose top bits
// are the index. The place of a square is the lowest index bit that some one moves it to. Ones
// are chosen for the squares from the highest down, so that all get different places, and so
// that what falls below the index adds up to less than 1 of it: no carry comes up. Then the
// index is a sum of numbers v_b, each an odd multiple of 2^place, and two occupancies differ in
// it at the lowest place of the squares in which they differ.
func Construct(mask Bitboard, size int) (magic Bitboard, built bool) {
	if size < 1 || size > 31 || count(mask) > size {
		return magic, false
	}
	s := search{low: $width - size, size: size}
	for square := $width - 1; square >= 0; square-- {
		if has(mask, square) {
			s.squares = append(s.squares, square)
		}
	}
	for s.first = size - 1; s.first >= 0 && !built; s.first-- {
		s.left = 200
		magic, built = s.complete(ones{free: 1<<size - 1})
	}
	return magic, built
}

type search struct {
	squares                []int
	low, size, first, left int
}

type ones struct {
	placed       int
	free         uint64
	below, magic Bitboard
}

// addOne puts in one more: false if two squares would share a place, or a carry could come up.
func (s *search) addOne(more ones, one int) (ones, bool) {
	for _, square := range s.squares[more.placed:] {
		if to := square + one; to < s.low {
			more.below = plus(more.below, bit(to))
		} else if place := uint64(1) << (to - s.low); more.free&place != 0 {
			more.free &^= place
			more.placed++
		} else {
			return more, false
		}
		if has(more.below, s.low) {
			return more, false
		}
	}
	more.magic = or(more.magic, bit(one))
	return more, true
}

// complete has the magic that goes on from these ones.
func (s *search) complete(so ones) (magic Bitboard, built bool) {
	if so.placed == len(s.squares) {
		return so.magic, true
	}
	s.left--
	for n := 0; n < s.size && s.left >= 0 && !built; n++ {
		one := s.low + (s.first+s.size-n)%s.size - s.squares[so.placed]
		if one < 0 {
			continue
		}
		if more, fits := s.addOne(so, one); fits {
			magic, built = s.complete(more)
		}
	}
	return magic, built
}
