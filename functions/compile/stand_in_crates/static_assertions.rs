//! Stands in for `static_assertions`.

#[macro_export]
macro_rules! const_assert {
    ($condition:expr $(,)?) => { const _: () = assert!($condition); };
}
#[macro_export]
macro_rules! const_assert_eq {
    ($one:expr, $other:expr $(,)?) => { const _: () = assert!($one == $other); };
}
#[macro_export]
macro_rules! const_assert_ne {
    ($one:expr, $other:expr $(,)?) => { const _: () = assert!($one != $other); };
}
#[macro_export]
macro_rules! assert_eq_size {
    ($one:ty, $($other:ty),+ $(,)?) => {
        $(const _: () = assert!(::core::mem::size_of::<$one>() == ::core::mem::size_of::<$other>());)+
    };
}
#[macro_export]
macro_rules! assert_eq_align {
    ($one:ty, $($other:ty),+ $(,)?) => {
        $(const _: () = assert!(::core::mem::align_of::<$one>() == ::core::mem::align_of::<$other>());)+
    };
}
#[macro_export]
macro_rules! assert_impl_all {
    ($($given:tt)*) => {};
}
