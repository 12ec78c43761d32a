// The modules of princhess that its attacks need (magicert).
pub mod chess;
