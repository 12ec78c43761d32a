%% if boards
/// Lame pieces make their step unless a leg, a square on the way, is occupied; `LameBack`: on
/// the way from the target.
#[allow(dead_code)]
#[derive(Clone, Copy, PartialEq)]
enum Rule {
    Rider,
    Hopper,
    Lame,
    LameBack,
}

/// A rider goes on along its step up to the first blocker, which it attacks; a hopper does so
/// behind the first blocker; `limit` squares at most, unless that is 0.
struct Step {
    rule: Rule,
    x: i32,
    y: i32,
    limit: i32,
}

struct Region {
    left: i32,
    low: i32,
    right: i32,
    high: i32,
}

impl Region {
    fn has(&self, x: i32, y: i32) -> bool {
        (self.left..=self.right).contains(&x) && (self.low..=self.high).contains(&y)
    }
}

/// How a piece moves. It goes nowhere where no region has both squares.
struct Moves {
    steps: &'static [Step],
    regions: &'static [Region],
}
%% for pieces

const ${PIECE}_MOVES: Moves = Moves {
    steps: &[$steps],
    regions: &[$regions],
};
%% end

%% if holes

/// The squares that are no part of the board.
const HOLES: &[usize] = &[$holes];
%% end

fn bit(x: i32, y: i32) -> $bitboard {
%% if by_parts
    $bitboard([1, 0, 0, 0]) << ($across * y + x) as u64
%% else
    1 << ($across * y + x)
%% end
}

fn taken(occ: $bitboard, x: i32, y: i32) -> bool {
    occ & bit(x, y) != $bitboard::default()
}

/// The legs: the longer distance is shortened first; equal ones are gone diagonally.
fn barred(from: (i32, i32), to: (i32, i32), occ: $bitboard) -> bool {
    let (mut x, mut y) = from;
    loop {
        let (across, up) = (to.0 - x, to.1 - y);
        if across.abs() >= up.abs() {
            x += across.signum();
        }
        if up.abs() >= across.abs() {
            y += up.signum();
        }
        if (x, y) == to {
            return false;
        }
%% if holes
        if HOLES.contains(&(($across * y + x) as usize)) {
            return true;
        }
%% end
        if taken(occ, x, y) {
            return true;
        }
    }
}

/// Square n stands at x = n % $across, y = n / $across.
fn walk(square: usize, occ: $bitboard, moves: &Moves) -> $bitboard {
    let mut reached = $bitboard::default();
    let from = ((square % $across) as i32, (square / $across) as i32);
    let near: Vec<&Region> = moves.regions.iter().filter(|r| r.has(from.0, from.1)).collect();
    for step in moves.steps {
        let (mut x, mut y) = (from.0 + step.x, from.1 + step.y);
        let (mut gone, mut attacks) = (0, step.rule == Rule::Rider);
        while near.iter().any(|region| region.has(x, y)) {
%% if holes
            if HOLES.contains(&(($across * y + x) as usize)) {
                break;
            }
%% end
            let with = reached | bit(x, y);
            if matches!(step.rule, Rule::Lame | Rule::LameBack) {
                let ends = [from, (x, y)];
                let back = usize::from(step.rule == Rule::LameBack);
                if !barred(ends[back], ends[1 - back], occ) {
                    reached = with;
                }
                break;
            }
            if attacks {
                reached = with;
                gone += 1;
                if taken(occ, x, y) || gone == step.limit {
                    break;
                }
            } else {
                attacks = taken(occ, x, y);
            }
            x += step.x;
            y += step.y;
        }
    }
    reached
}

fn subsets(mask: $bitboard) -> impl Iterator<Item = $bitboard> {
    let none = $bitboard::default();
    let following = move |o: &$bitboard| Some(o.wrapping_sub(mask) & mask).filter(|&o| o != none);
    std::iter::successors(Some(none), following)
}
%% else
fn walk(square: usize, occ: u64, steps: [(i32, i32); 4]) -> u64 {
    let mut reached = 0;
    for (by_file, by_rank) in steps {
        let (mut file, mut rank) = ((square & 7) as i32 + by_file, (square >> 3) as i32 + by_rank);
        while (0..8).contains(&file) && (0..8).contains(&rank) {
            let bit = 1u64 << (8 * rank + file);
            reached |= bit;
            if occ & bit != 0 {
                break;
            }
            file += by_file;
            rank += by_rank;
        }
    }
    reached
}

fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let following = move |occ: &u64| Some(occ.wrapping_sub(mask) & mask).filter(|&occ| occ != 0);
    std::iter::successors(Some(0), following)
}
%% end
