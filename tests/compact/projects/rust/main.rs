%% for tables
$head
%% end
mod movegen;
use std::io::{Read, Write};
#[derive(Clone, Copy)]
pub enum PieceType { Bishop, Rook }
pub static ROOK: PieceType = PieceType::Rook;
pub static BISHOP: PieceType = PieceType::Bishop;
%% for tables
fn rooks${n}(square: usize, occupied: u64) -> u64 { $rook attacks }
%% end
fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let word = |n: usize| u64::from_le_bytes(input[8 * n..8 * n + 8].try_into().unwrap());
    let mut output = Vec::new();
    for n in 0..input.len() / 16 {
        let (square, occ) = (word(2 * n) as usize, word(2 * n + 1));
        let piece = if n < 102400 { ROOK } else { BISHOP };
        let rook = matches!(piece, PieceType::Rook);
%% for tables
        let f = if rook { rooks${n} } else { movegen::bishops${n} }; output.extend(f(square, occ).to_le_bytes());
%% end
    }
    std::io::stdout().write_all(&output).unwrap();
}
