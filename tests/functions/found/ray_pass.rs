//! The squares behind a second one: whether that is among them is what a caller has to know.

const STEPS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

const fn next(square: i32, d: usize) -> i32 {
    let (x, y) = (square % 8 + STEPS[d].0, square / 8 + STEPS[d].1);
    if x < 0 || x > 7 || y < 0 || y > 7 { -1 } else { 8 * y + x }
}

const fn made() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut n = 0;
    while n < 64 * 8 {
        let (a, d) = (n / 8, n % 8);
        let mut b = next(a as i32, d);
        while b >= 0 {
            let mut behind = next(b, d);
            while behind >= 0 {
                table[a][b as usize] |= 1 << behind;
                behind = next(behind, d);
            }
            b = next(b, d);
        }
        n += 1;
    }
    table
}

pub static RAY_PASS: [[u64; 64]; 64] = made();
