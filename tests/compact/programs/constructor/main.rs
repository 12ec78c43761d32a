#[rustfmt::skip] mod magics;
use std::io::{Read, Write};

fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let words: Vec<u64> =
        input.chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
    let mut pieces = None;
    let mut output = Vec::new();
    for q in words.chunks(4) {
        let set = (u128::from(q[3]) << 64 | u128::from(q[2])) as magics::Bitboard;
        let found = match q[0] {
            0 => magics::construct(set, q[1] as u32).unwrap_or(0),
            1 => {
                pieces = magics::Pieces::new(q[1] as usize, q[2] as usize);
                magics::Bitboard::from(pieces.is_some())
            }
            n => {
                let pieces = pieces.as_ref().unwrap();
                let square = q[1] as usize;
                match n {
%% for pieces
                    $number => pieces.${piece}_attacks(square, set),
%% end
                    _ => panic!(),
                }
            }
        };
%% if wide
        output.extend(found.to_le_bytes());
%% else
        output.extend(u128::from(found).to_le_bytes());
%% end
    }
    std::io::stdout().write_all(&output).unwrap();
}
