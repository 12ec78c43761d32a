$heading
//
// Usage, as a module of a crate; when the board is chosen, and whenever it changes:
//     #[rustfmt::skip]
//     mod $stem;
//     let pieces = $stem::Pieces::new(files, ranks)?;     None: too large a board
// Then, where bit files * rank + file of occupied stands for a square (a1 = 0):
//     let attacks: $bitboard = pieces.${first}_attacks(square, occupied);
// A piece that is known only at run time is a list of steps, made and looked up in the same way:
//     let step = |x, y| Step { rule: Rule::Rider, x, y, limit: 1 };
//     let camel = Piece::new(files, ranks, &[step(1, 3), step(3, 1)])?;
//     let attacks = camel.attacks(square, occupied);

#![allow(dead_code, non_snake_case)]

pub type Bitboard = $bitboard;

/// A rider goes on along its step up to the first blocker, which it attacks; a hopper does so
/// behind the first blocker. A lame piece makes its step unless a square on the way is occupied;
/// `LameBack`: on the way from its target.
#[derive(Clone, Copy, PartialEq)]
pub enum Rule {
    Rider,
    Hopper,
    Lame,
    LameBack,
}

/// `x` files to the right, `y` ranks up; a rider or hopper attacks `limit` squares at most, unless
/// that is 0 (a leaper is a rider with limit 1).
#[derive(Clone, Copy)]
pub struct Step {
    pub rule: Rule,
    pub x: i32,
    pub y: i32,
    pub limit: i32,
}

/// Whole pieces are looked up at once unless a mask has more squares than this.
pub const MOST_BITS: u32 = 12;
/// The same of a line: boards of up to 18 files and ranks.
pub const MOST_BITS_OF_LINES: u32 = 16;

%% include construct.rs

struct Lookup {
    mask: Bitboard,
    magic: Bitboard,
    offset: u32,
    shift: u32,
}

/// A piece on a board. It has one part, or one for each line, where the masks of the whole piece
/// have more than `MOST_BITS` squares, or no magic is built for one of them. Lookup n of square s
/// is `lookups[parts * s + n]`.
pub struct Piece {
    parts: usize,
    lookups: Vec<Lookup>,
    entries: Vec<Bitboard>,
}

impl Piece {
    /// None where the board has more than $width squares, or a step goes nowhere.
    pub fn new(files: usize, ranks: usize, steps: &[Step]) -> Option<Piece> {
        let fits = (1..=$width).contains(&files) && (1..=$width / files).contains(&ranks);
        if !fits || steps.is_empty() || steps.iter().any(|step| (step.x, step.y) == (0, 0)) {
            return None;
        }
        let board = Board { files: files as i32, ranks: ranks as i32 };
        let mut lines: Vec<Vec<Step>> = Vec::new();
        let leaps = |step: &Step| step.rule == Rule::Rider && step.limit == 1;
        for &step in steps.iter().filter(|step| !leaps(step)) {
            match lines.iter_mut().find(|line| on_a_line(line[0], step)) {
                Some(line) => line.push(step),
                None => lines.push(vec![step]),
            }
        }
        if let Some(line) = lines.first_mut() {
            line.extend(steps.iter().filter(|step| leaps(step))); // nothing bars them
        }
        Piece::of_parts(&board, &[steps.to_vec()], MOST_BITS)
            .or_else(|| Piece::of_parts(&board, &lines, MOST_BITS_OF_LINES))
    }

    pub fn attacks(&self, square: usize, occupied: Bitboard) -> Bitboard {
        let mut found = 0;
        for at in &self.lookups[self.parts * square..self.parts * (square + 1)] {
            let index = (occupied & at.mask).wrapping_mul(at.magic) >> at.shift;
            found |= self.entries[at.offset as usize + index as usize];
        }
        found
    }

    fn of_parts(board: &Board, parts: &[Vec<Step>], most_bits: u32) -> Option<Piece> {
        let mut piece = Piece { parts: parts.len(), lookups: vec![], entries: vec![] };
        for square in 0..board.files * board.ranks {
            for steps in parts {
                piece.add(board, steps, square, most_bits)?;
            }
        }
        Some(piece)
    }

    /// The lookup of a part on a square, and its attack sets.
    fn add(&mut self, board: &Board, steps: &[Step], square: i32, most_bits: u32) -> Option<()> {
        let (mut mask, mut seen, mut occupied): (Bitboard, Bitboard, Bitboard) = (0, 0, 0);
        board.walk(steps, square, 0, &mut mask);
        let bits = mask.count_ones().max(1);
        if bits > most_bits {
            return None;
        }
        let magic = construct(mask, bits)?;
        let (offset, shift) = (self.entries.len(), $width - bits);
        let end = offset + if mask == 0 { 1 } else { 1usize << bits };
        self.lookups.push(Lookup { mask, magic, offset: u32::try_from(offset).ok()?, shift });
        self.entries.resize(end, 0);
        loop {
            let index = occupied.wrapping_mul(magic) >> shift;
            self.entries[offset + index as usize] = board.walk(steps, square, occupied, &mut seen);
            occupied = occupied.wrapping_sub(mask) & mask;
            if occupied == 0 {
                return Some(());
            }
        }
    }
}

fn on_a_line(a: Step, b: Step) -> bool {
    (a.x, a.y) == (b.x, b.y) || (a.x, a.y) == (-b.x, -b.y)
}

struct Board {
    files: i32,
    ranks: i32,
}

impl Board {
    fn bit(&self, x: i32, y: i32) -> Bitboard {
        1 << (self.files * y + x)
    }

    /// The squares between two: the longer distance is shortened first, equal ones are gone
    /// diagonally.
    fn between(&self, from: (i32, i32), to: (i32, i32)) -> Bitboard {
        let ((mut x, mut y), mut found) = (from, 0);
        loop {
            let (across, up) = (to.0 - x, to.1 - y);
            if across.abs() >= up.abs() {
                x += across.signum();
            }
            if up.abs() >= across.abs() {
                y += up.signum();
            }
            if (x, y) == to {
                return found;
            }
            found |= self.bit(x, y);
        }
    }

    /// What some steps attack. On an empty board `mask` gets the squares that can change it.
    fn walk(
        &self,
        steps: &[Step],
        square: i32,
        occupied: Bitboard,
        mask: &mut Bitboard,
    ) -> Bitboard {
        let (from, mut found) = ((square % self.files, square / self.files), 0);
        for step in steps {
            let (mut x, mut y, mut gone, mut here) = (from.0 + step.x, from.1 + step.y, 0, 0);
            let mut hits = step.rule != Rule::Hopper;
            while (0..self.files).contains(&x) && (0..self.ranks).contains(&y) {
                *mask |= here;
                here = self.bit(x, y);
                if matches!(step.rule, Rule::Lame | Rule::LameBack) {
                    let back = step.rule == Rule::LameBack;
                    let to = (x, y);
                    let legs = if back { self.between(to, from) } else { self.between(from, to) };
                    *mask |= legs;
                    if occupied & legs == 0 {
                        found |= here;
                    }
                    break;
                }
                if hits {
                    found |= here;
                    gone += 1;
                    if occupied & here != 0 || gone == step.limit {
                        break;
                    }
                }
                hits |= occupied & here != 0;
                x += step.x;
                y += step.y;
            }
        }
        found
    }
}

/// The pieces of this file, on one board.
pub struct Pieces {
%% for pieces
    ${piece}_piece: Piece,
%% end
}

impl Pieces {
    /// None where the board has more than $width squares.
    pub fn new(files: usize, ranks: usize) -> Option<Pieces> {
        Some(Pieces {
%% for pieces
            ${piece}_piece: Piece::new(files, ranks, &${PIECE}_STEPS)?,
%% end
        })
    }
%% for pieces

    pub fn ${piece}_attacks(&self, square: usize, occupied: Bitboard) -> Bitboard {
        self.${piece}_piece.attacks(square, occupied)
    }
%% end
}
%% for pieces

const ${PIECE}_STEPS: [Step; $step_count] = [
%% for steps
    Step { rule: Rule::$Rule, x: $x, y: $y, limit: $limit },
%% end
];
%% end
