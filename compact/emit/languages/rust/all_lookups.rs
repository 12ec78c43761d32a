type Lookup = fn(usize, u64) -> u64;
type Steps = [(i32, i32); 4];

const ROOK: Steps = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const BISHOP: Steps = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// Each ray up to its first blocker; where `less` is 1, without its last square.
fn reached(square: usize, steps: Steps, occupied: u64, less: i32) -> u64 {
    let mut squares = 0;
    for (x, y) in steps {
        let (mut file, mut rank) = ((square & 7) as i32 + x, (square >> 3) as i32 + y);
        while (0..8).contains(&(file + less * x)) && (0..8).contains(&(rank + less * y)) {
            let bit = 1u64 << (8 * rank + file);
            squares |= bit;
            if occupied & bit != 0 {
                break;
            }
            file += x;
            rank += y;
        }
    }
    squares
}

/// What is tried outside of the mask: nothing, all, each square, and some at random.
fn others(mask: u64, state: &mut u64) -> Vec<u64> {
    let mut tried = vec![0, !mask];
    tried.extend((0..64).map(|n| 1 << n & !mask).filter(|&bit| bit != 0));
    for _ in 0..4 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        tried.push(*state & !mask);
    }
    tried
}

/// Of the occupancies that are answered wrongly, the one with the fewest squares is shown.
fn check(name: &str, lookup: Lookup, steps: Steps) -> u64 {
    let (mut lookups, mut state) = (0, 88172645463325252u64);
    for square in 0..64 {
        let (mask, mut occ, mut wrong) = (reached(square, steps, 0, 1), 0u64, Vec::new());
        loop {
            let expected = reached(square, steps, occ, 0);
            for more in others(mask, &mut state) {
                lookups += 1;
                if lookup(square, occ | more) != expected {
                    wrong.push(occ | more);
                }
            }
            occ = occ.wrapping_sub(mask) & mask;
            if occ == 0 {
                break;
            }
        }
        if let Some(&occupied) = wrong.iter().min_by_key(|&&o| (o.count_ones(), o)) {
            panic!(
                "wrong: {name} on square {square}, occupied {occupied:#018x}, of it in the mask \
                 {:#018x}: expected {:#018x}, found {:#018x}",
                occupied & mask,
                reached(square, steps, occupied, 0),
                lookup(square, occupied)
            );
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
