type Lookup = fn(usize, u64) -> u64;
type Steps = [(i32, i32); 4];

const ROOK: Steps = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: Steps = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The squares of a ray, nearest first.
fn ray(square: usize, (by_file, by_rank): (i32, i32)) -> Vec<u64> {
    let (mut file, mut rank) = ((square & 7) as i32 + by_file, (square >> 3) as i32 + by_rank);
    let mut squares = Vec::new();
    while (0..8).contains(&file) && (0..8).contains(&rank) {
        squares.push(1u64 << (8 * rank + file));
        file += by_file;
        rank += by_rank;
    }
    squares
}

/// The attacked squares: each ray up to its first blocker.
fn walk(rays: &[Vec<u64>], occupied: u64) -> u64 {
    let mut reached = 0;
    for ray in rays {
        for bit in ray {
            reached |= bit;
            if occupied & bit != 0 {
                break;
            }
        }
    }
    reached
}

/// The occupancies with which one occupancy of the mask is looked up.
fn around(occ: u64, mask: u64, state: &mut u64) -> Vec<u64> {
    let outside = !mask;
    let mut tried = vec![occ, occ | outside];
    let singles = (0..64).map(|n| 1u64 << n).filter(|bit| outside & bit != 0);
    tried.extend(singles.map(|bit| occ | bit));
    for _ in 0..4 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        tried.push(occ | *state & outside);
    }
    tried
}

fn check(name: &str, lookup: Lookup, steps: Steps) -> u64 {
    let (mut lookups, mut state) = (0, 88172645463325252u64);
    for square in 0..64 {
        let rays: Vec<Vec<u64>> = steps.iter().map(|&step| ray(square, step)).collect();
        let inner = rays.iter().flat_map(|ray| &ray[..ray.len().saturating_sub(1)]);
        let mask = inner.fold(0u64, |mask, bit| mask | bit);
        let mut occ = 0u64;
        loop {
            let expected = walk(&rays, occ);
            for occupied in around(occ, mask, &mut state) {
                let found = lookup(square, occupied);
                lookups += 1;
                assert!(
                    found == expected,
                    "wrong: {name} on square {square}, occupied {occupied:#018x}, of it in the \
                     mask {:#018x}: expected {expected:#018x}, found {found:#018x}",
                    occupied & mask
                );
            }
            occ = occ.wrapping_sub(mask) & mask;
            if occ == 0 {
                break;
            }
        }
    }
    lookups
}

#[test]
fn all_rook_lookups_are_right() {
    println!("{} lookups", check("rook", rook_attacks, ROOK));
}

#[test]
fn all_bishop_lookups_are_right() {
    println!("{} lookups", check("bishop", bishop_attacks, BISHOP));
}
