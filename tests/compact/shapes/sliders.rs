//! An engine with a trait for its sliders.
trait Slider {
    const STEPS: [(i32, i32); 4];

    fn attacks(square: usize, occupied: u64) -> u64 {
        let mut reached = 0;
        for (x, y) in Self::STEPS {
            let (mut file, mut rank) = (square as i32 % 8 + x, square as i32 / 8 + y);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                reached |= 1u64 << (8 * rank + file);
                if occupied >> (8 * rank + file) & 1 != 0 {
                    break;
                }
                (file, rank) = (file + x, rank + y);
            }
        }
        reached
    }
}

struct Rook;
struct Bishop;

impl Slider for Rook {
    const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
}

impl Slider for Bishop {
    const STEPS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
}

#[no_mangle]
pub extern "C" fn engine_init() {}

#[no_mangle]
pub extern "C" fn engine_rook(square: i32, occupied: u64) -> u64 {
    Rook::attacks(square as usize, occupied)
}

#[no_mangle]
pub extern "C" fn engine_bishop(square: i32, occupied: u64) -> u64 {
    Bishop::attacks(square as usize, occupied)
}
