#![allow(unused_variables, unused_parens)]
use std::io::{Read, Write};
$helpers
%% for formulas
fn index$n(occ: $bitboard, mask: $bitboard, big: $bitboard, magic: u64) -> $bitboard { $shown }
%% end
fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let words: Vec<u64> =
        input.chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
    let mut output = Vec::new();
    let mut tell = |found: $bitboard| {
        for word in found.0 {
            output.extend(word.to_le_bytes());
        }
    };
    for q in words.chunks(16) {
        let word = |n: usize| $bitboard(q[4 * n..4 * n + 4].try_into().unwrap());
%% for formulas
        tell(index$n(word(0), word(1), word(2), q[12]));
%% end
    }
    std::io::stdout().write_all(&output).unwrap();
}
