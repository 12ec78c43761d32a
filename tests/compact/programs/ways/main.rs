%% for ways
#[allow(dead_code)]
mod $way;
%% end
type Attacks = fn(usize, u64) -> u64;
const WAYS: &[(&str, [Attacks; 3])] = &[
%% for ways
    ("$way", [$way::rook_attacks, $way::bishop_attacks, $way::queen_attacks]),
%% end
];
const STEPS: [[(i32, i32); 4]; 2] =
    [[(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, -1), (-1, 1)]];

fn walk(square: usize, occ: u64, bishop: usize, mask: &mut u64) -> u64 {
    let mut reached = 0;
    let inside = |file, rank| (0..8).contains(&file) && (0..8).contains(&rank);
    for (x, y) in STEPS[bishop] {
        let (mut file, mut rank) = (square as i32 % 8 + x, square as i32 / 8 + y);
        let mut going = true;
        while inside(file, rank) {
            let bit = 1u64 << (8 * rank + file);
            reached |= if going { bit } else { 0 };
            going &= occ & bit == 0;
            (file, rank) = (file + x, rank + y);
            *mask |= if inside(file, rank) { bit } else { 0 };
        }
    }
    reached
}

fn main() {
    let mut lookups = 0;
    for n in 0..128 {
        let (mut occ, mut mask) = (0u64, 0);
        loop {
            let right = walk(n & 63, occ, n >> 6, &mut mask);
            for (name, way) in WAYS {
                for all in [occ, occ | !mask] {
                    let found = way.map(|one| one(n & 63, all));
                    assert!(found[n >> 6] == right && found[2] == found[0] | found[1], "{name}");
                }
                lookups += 1;
            }
            occ = occ.wrapping_sub(mask) & mask;
            if occ == 0 {
                break;
            }
        }
    }
    print!("{lookups}");
}
