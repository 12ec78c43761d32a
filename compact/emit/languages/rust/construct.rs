/// A magic for a mask: with ((occupied & mask) * magic) >> ($width - bits) different occupancies of
/// the mask have different indexes. None where it was not built; always so with fewer bits than
/// squares.
pub fn construct(mask: Bitboard, bits: u32) -> Option<Bitboard> {
    if !(1..32).contains(&bits) || mask.count_ones() > bits {
        return None;
    }
    let squares = (0..$width).rev().filter(|square| mask >> square & 1 == 1).collect();
    let mut search = Search { squares, low: $width - bits, bits, first: 0, left: 0 };
    let none = Ones { placed: 0, free: (1 << bits) - 1, below: 0, magic: 0 };
    (0..bits).rev().find_map(|first| {
        (search.first, search.left) = (first, 200);
        search.complete(none)
    })
}

/// A one in the magic, at bit t, moves the square b to bit b + t of the product, whose top bits
/// are the index. The place of a square is the lowest index bit that some one moves it to. Ones
/// are chosen for the squares from the highest down, so that all get different places, and so
/// that what falls below the index adds up to less than 1 of it: no carry comes up. Then the
/// index is a sum of numbers v_b, each an odd multiple of 2^place, and two occupancies differ in
/// it at the lowest place of the squares in which they differ.
struct Search {
    squares: Vec<u32>,
    low: u32,
    bits: u32,
    first: u32,
    left: i32,
}

#[derive(Clone, Copy)]
struct Ones {
    placed: usize,
    free: u64,
    below: Bitboard,
    magic: Bitboard,
}

impl Search {
    /// One more: None if two squares would share a place, or a carry could come up.
    fn add_one(&self, mut ones: Ones, one: u32) -> Option<Ones> {
        for square in &self.squares[ones.placed..] {
            let bit = square + one;
            if bit < self.low {
                ones.below += 1 << bit;
            } else {
                let place = 1 << (bit - self.low);
                if ones.free & place == 0 {
                    return None;
                }
                ones.free &= !place;
                ones.placed += 1;
            }
            if ones.below >> self.low != 0 {
                return None;
            }
        }
        ones.magic |= 1 << one;
        Some(ones)
    }

    /// The magic that goes on from these ones.
    fn complete(&mut self, ones: Ones) -> Option<Bitboard> {
        if ones.placed == self.squares.len() {
            return Some(ones.magic);
        }
        self.left -= 1;
        for n in 0..self.bits {
            if self.left < 0 {
                return None;
            }
            let to = self.low + (self.first + self.bits - n) % self.bits;
            let more = to.checked_sub(self.squares[ones.placed]);
            let more = more.and_then(|one| self.add_one(ones, one));
            let found = more.and_then(|ones| self.complete(ones));
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
