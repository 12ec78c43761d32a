//! Stands in for `rand_xoshiro`: it gives other numbers, as `rand` here does.

extern crate rand;

pub extern crate rand as rand_core;
pub use rand::rngs::StdRng as Xoshiro256PlusPlus;
pub use rand::rngs::StdRng as Xoshiro256StarStar;
pub use rand::rngs::StdRng as Xoshiro256Plus;
pub use rand::rngs::StdRng as Xoroshiro128Plus;
pub use rand::rngs::StdRng as Xoroshiro128PlusPlus;
pub use rand::rngs::StdRng as SplitMix64;
