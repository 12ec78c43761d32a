#![allow(unused_variables)]
use std::io::{Read, Write};
$helpers
%% for formulas
fn index$n(occ: u128, mask: u128, big: u128, magic: u64) -> u128 { u128::from($shown) }
%% end
fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let word = |n: usize| u128::from_le_bytes(input[16 * n..16 * n + 16].try_into().unwrap());
    let mut output = Vec::new();
    for n in 0..input.len() / 64 {
        let (a, b, c, d) = (word(4 * n), word(4 * n + 1), word(4 * n + 2), word(4 * n + 3) as u64);
%% for formulas
        output.extend(index$n(a, b, c, d).to_le_bytes());
%% end
    }
    std::io::stdout().write_all(&output).unwrap();
}
