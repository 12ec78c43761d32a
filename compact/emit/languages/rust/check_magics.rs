$heading
//
// Put it beside the module that has the lookups, and name it there:
//     #[cfg(test)]
//     mod check_magics;
// Then: cargo test --release check_magics

// The engine's two lookups. If yours have other names or types, write these two as wrappers:
//     fn rook_attacks(square: usize, occupied: u64) -> u64
//     fn bishop_attacks(square: usize, occupied: u64) -> u64
use super::{bishop_attacks, rook_attacks};

%% include all_lookups.rs
