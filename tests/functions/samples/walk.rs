//! From square to square, with iterators and options, as a trait of pieces does it.

#[derive(Clone, Copy)]
struct Square(i8, i8);

impl Square {
    fn of(index: u8) -> Square {
        Square((index % 8) as i8, (index / 8) as i8)
    }
    fn next(self, by: (i8, i8)) -> Option<Square> {
        let to = Square(self.0 + by.0, self.1 + by.1);
        ((0..8).contains(&to.0) && (0..8).contains(&to.1)).then_some(to)
    }
    fn bit(self) -> u64 {
        1 << (8 * self.1 + self.0)
    }
}

trait Slider {
    const STEPS: [(i8, i8); 4];

    fn attacks(from: u8, occupied: u64) -> u64 {
        let mut attacked = 0;
        for step in Self::STEPS {
            let mut at = Square::of(from);
            while let Some(to) = at.next(step) {
                attacked |= to.bit();
                if occupied & to.bit() != 0 {
                    break;
                }
                at = to;
            }
        }
        attacked
    }
}

struct Rook;
struct Bishop;

impl Slider for Rook {
    const STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
}

impl Slider for Bishop {
    const STEPS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
}

#[no_mangle]
pub extern "C" fn rook_attacks(square: u8, occupied: u64) -> u64 {
    Rook::attacks(square, occupied)
}

#[no_mangle]
pub extern "C" fn bishop_attacks(square: u8, occupied: u64) -> u64 {
    Bishop::attacks(square, occupied)
}
