//! Stands in for `rand_core`, as `rand` here has it.

extern crate rand;

pub use rand::{RngCore, SeedableRng};
