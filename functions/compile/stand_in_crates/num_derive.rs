//! Stands in for `num_derive`: its derives are written beside each type (`derives.py`).
#![no_std]

include!("parts/derives.rs");
derives! { FromPrimitive ToPrimitive }
