//! Stands in for `log` without a logger: nothing is said.

#[macro_export]
macro_rules! trace { ($($given:tt)*) => { if false { $crate::nothing!($($given)*) } } }
#[macro_export]
macro_rules! debug { ($($given:tt)*) => { if false { $crate::nothing!($($given)*) } } }
#[macro_export]
macro_rules! info { ($($given:tt)*) => { if false { $crate::nothing!($($given)*) } } }
#[macro_export]
macro_rules! warn { ($($given:tt)*) => { if false { $crate::nothing!($($given)*) } } }
#[macro_export]
macro_rules! error { ($($given:tt)*) => { if false { $crate::nothing!($($given)*) } } }
#[doc(hidden)]
#[macro_export]
macro_rules! nothing {
    (target: $target:expr, $($given:tt)*) => {{ let _ = ($target, format_args!($($given)*)); }};
    ($($given:tt)*) => {{ let _ = format_args!($($given)*); }};
}
