//! Stands in for `lazy_static`: each static is made at its first use, once.
#![no_std]

#[doc(hidden)]
pub extern crate std as its_std;

pub trait LazyStatic {
    fn initialize(lazy: &Self);
}

#[inline]
pub fn initialize<T: LazyStatic>(lazy: &T) {
    LazyStatic::initialize(lazy);
}

#[macro_export]
macro_rules! lazy_static {
    () => {};
    ($(#[$attribute:meta])* $seen:vis static ref $name:ident : $kind:ty = $value:expr; $($rest:tt)*) => {
        #[allow(missing_copy_implementations, non_camel_case_types, dead_code)]
        $(#[$attribute])*
        $seen struct $name {
            its_cell: $crate::its_std::sync::OnceLock<$kind>,
        }
        $(#[$attribute])*
        $seen static $name: $name = $name { its_cell: $crate::its_std::sync::OnceLock::new() };
        impl $crate::its_std::ops::Deref for $name {
            type Target = $kind;
            #[inline]
            fn deref(&self) -> &$kind {
                fn its_value() -> $kind {
                    $value
                }
                self.its_cell.get_or_init(its_value)
            }
        }
        impl $crate::LazyStatic for $name {
            fn initialize(lazy: &Self) {
                let _ = &**lazy;
            }
        }
        $crate::lazy_static!($($rest)*);
    };
}
