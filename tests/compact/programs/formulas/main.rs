use std::io::{Read, Write};
$helpers
%% for formulas
fn index$n(occ: u64, mask: u64) -> u64 { let _ = (occ, mask); u64::from($shown) }
%% end
fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let word = |n: usize| u64::from_le_bytes(input[8 * n..8 * n + 8].try_into().unwrap());
    let mut output = Vec::new();
    for n in 0..input.len() / 16 {
%% for formulas
        output.extend(index$n(word(2 * n), word(2 * n + 1)).to_le_bytes());
%% end
    }
    std::io::stdout().write_all(&output).unwrap();
}
