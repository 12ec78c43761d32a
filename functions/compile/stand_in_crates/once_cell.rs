//! Stands in for `once_cell`: what is made at its first use, once, as Rust's own library has it.

pub mod sync {
    pub use std::sync::LazyLock as Lazy;
    pub use std::sync::OnceLock as OnceCell;
}

pub mod unsync {
    pub use std::cell::LazyCell as Lazy;
    pub use std::cell::OnceCell;
}
