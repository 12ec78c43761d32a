//! Stands in for `instant`, which outside of a browser is Rust's own clock.

pub use std::time::{Duration, Instant, SystemTime};
