//! The shortest of several runs, in milliseconds: a magic for each mask of the file; all attack tables.
#[rustfmt::skip]
mod magics;
use std::io::Read;

extern "C" {
    /// Of C's library: microseconds of processor time, on Linux.
    fn clock() -> i64;
}

fn now() -> f64 {
    unsafe { clock() as f64 / 1e3 }
}

fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let masks: Vec<u128> =
        input.chunks(16).map(|bytes| u128::from_le_bytes(bytes.try_into().unwrap())).collect();
    let (mut best, mut sum) = ([f64::MAX; 2], 0u128);
    for _ in 0..std::env::args().nth(1).unwrap().parse().unwrap() {
        let start = now();
        for &mask in &masks {
            sum = sum.wrapping_add(magics::construct(mask, mask.count_ones()).unwrap_or(0));
        }
        let middle = now();
        assert!(magics::Pieces::new(12, 10).is_some());
        best[0] = best[0].min(middle - start);
        best[1] = best[1].min(now() - middle);
    }
    println!("{:.2} {:.2} {:x}", best[0], best[1], sum as u64);
}
