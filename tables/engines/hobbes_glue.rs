// The modules of Hobbes that its attacks need (magicert).
pub mod board {
    pub mod attacks;
    pub mod bitboard;
    pub mod file;
    pub mod magics;
    pub mod piece;
    pub mod rank;
    pub mod side;
    pub mod square;
}
pub mod tools {
    pub mod utils;
}
