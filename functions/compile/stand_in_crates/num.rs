//! Stands in for `num`.
#![no_std]

extern crate num_traits;

pub use num_traits::{FromPrimitive, ToPrimitive};
pub extern crate num_traits as traits;
