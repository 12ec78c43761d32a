//! Stands in for `rand_chacha`: it gives other numbers, as `rand` here does.

extern crate rand;

pub extern crate rand as rand_core;
pub use rand::rngs::StdRng as ChaCha8Rng;
pub use rand::rngs::StdRng as ChaCha12Rng;
pub use rand::rngs::StdRng as ChaCha20Rng;
pub use rand::rngs::StdRng as ChaChaRng;
