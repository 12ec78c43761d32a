//! Stands in for `cfg_if`.
#![no_std]

#[macro_export]
macro_rules! cfg_if {
    (if #[cfg($first:meta)] { $($then:item)* } $(else if #[cfg($other:meta)] { $($otherwise:item)* })* $(else { $($last:item)* })?) => {
        $crate::cfg_if! { @of () ; (($first) ($($then)*)) $((($other) ($($otherwise)*)))* $((() ($($last)*)))? }
    };
    (@of ($($no:meta),*) ; ) => {};
    (@of ($($no:meta),*) ; (() ($($then:item)*))) => {
        $crate::cfg_if! { @items (not(any($($no),*))) $($then)* }
    };
    (@of ($($no:meta),*) ; (($yes:meta) ($($then:item)*)) $($rest:tt)*) => {
        $crate::cfg_if! { @items (all($yes, not(any($($no),*)))) $($then)* }
        $crate::cfg_if! { @of ($($no,)* $yes) ; $($rest)* }
    };
    (@items ($condition:meta) $($then:item)*) => {
        $(#[cfg($condition)] $then)*
    };
}
