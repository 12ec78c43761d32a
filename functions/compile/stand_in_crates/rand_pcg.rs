//! Stands in for `rand_pcg`: it gives other numbers, as `rand` here does.

extern crate rand;

pub extern crate rand as rand_core;
pub use rand::rngs::StdRng as Pcg32;
pub use rand::rngs::StdRng as Pcg64;
pub use rand::rngs::StdRng as Pcg64Mcg;
