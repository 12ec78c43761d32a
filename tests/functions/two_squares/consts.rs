// Tables of two squares that Rust makes when it compiles, and functions of its own types.

#[derive(Clone, Copy)]
pub struct Square(pub u8);

#[derive(Clone, Copy)]
pub struct Bitboard(pub u64);

const STEPS: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

const fn after(square: i32, d: usize) -> i32 {
    let (x, y) = (square % 8 + STEPS[d].0, square / 8 + STEPS[d].1);
    if x < 0 || x > 7 || y < 0 || y > 7 { -1 } else { 8 * y + x }
}

const fn walk(square: i32, d: usize) -> u64 {
    let (mut set, mut at) = (0, after(square, d));
    while at >= 0 {
        set |= 1u64 << at;
        at = after(at, d);
    }
    set
}

const fn make(kind: u8) -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut d = 0;
        while d < 8 {
            let (mut inside, mut b) = (0, after(a, d));
            while b >= 0 {
                table[a as usize][b as usize] = match kind {
                    0 => inside,
                    1 => walk(a, d) | walk(a, d ^ 1) | 1 << a,
                    _ => walk(b, d),
                };
                inside |= 1 << b;
                b = after(b, d);
            }
            d += 1;
        }
        a += 1;
    }
    table
}

static BETWEEN: [[u64; 64]; 64] = make(0);
static LINE: [[u64; 64]; 64] = make(1);
const RAY_PASS: [[u64; 64]; 64] = make(2);

#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard(BETWEEN[a.0 as usize][b.0 as usize])
}

#[no_mangle]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard(LINE[a.0 as usize][b.0 as usize])
}

pub fn ray(a: Square, b: Square) -> u64 {
    RAY_PASS[a.0 as usize][b.0 as usize]
}
