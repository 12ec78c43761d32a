// Nanoseconds a lookup: random squares and occupancies, the best of five turns.

use std::hint::black_box;
use std::time::Instant;

use $identifier::{bishop_attacks, rook_attacks};

fn main() {
    let mut state = 88172645463325252u64;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let pairs: Vec<(usize, u64)> = (0..1 << 16)
        .map(|_| ((word() & 63) as usize, word() & word()))
        .collect();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let started = Instant::now();
        let mut sum = 0u64;
        for _ in 0..16 {
            for &(square, occ) in &pairs {
                sum = sum.wrapping_add(rook_attacks(square, occ) ^ bishop_attacks(square, occ));
            }
        }
        black_box(sum);
        best = best.min(started.elapsed().as_secs_f64());
    }
    println!("{:.2} ns a lookup", best * 1e9 / (32.0 * pairs.len() as f64));
}
