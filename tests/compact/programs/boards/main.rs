%% for tables
#[rustfmt::skip] mod ${table};
%% end
use std::io::{Read, Write};

fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let bytes = |n: usize| input[8 * n..8 * n + 8].try_into().unwrap();
    let word = |n: usize| u64::from_le_bytes(bytes(n));
    let next = |at: &mut usize| {
        *at += 3;
        let occ = u128::from(word(*at - 1)) << 64 | u128::from(word(*at - 2));
        (word(*at - 3) as usize, occ)
    };
    let mut at = 0;
    let mut output = Vec::new();
    let mut tell = |found: u128| output.extend(found.to_le_bytes());
%% for pieces
%% if wide
    for _ in 0..$count { let (square, occ) = next(&mut at); _ = occ; tell(u128::from(${table}::$function(square$cut, occ as u128$uncut))); }
%% else
    for _ in 0..$count { let (square, occ) = next(&mut at); _ = occ; tell(u128::from(${table}::$function(square$cut, occ as u64$uncut))); }
%% end
%% end
    std::io::stdout().write_all(&output).unwrap();
}
