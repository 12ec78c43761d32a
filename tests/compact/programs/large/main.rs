%% for tables
#[rustfmt::skip] mod ${table};
%% end
use std::io::{Read, Write};

fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let words: Vec<u64> =
        input.chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap())).collect();
    let mut queries = words.chunks(5);
    let mut output = Vec::new();
%% for pieces
    for q in queries.by_ref().take($count) {
        let occ = ${table}::Bitboard256([q[1], q[2], q[3], q[4]]);
        for word in ${table}::$function(q[0] as usize, occ).0 {
            output.extend(word.to_le_bytes());
        }
    }
%% end
    std::io::stdout().write_all(&output).unwrap();
}
