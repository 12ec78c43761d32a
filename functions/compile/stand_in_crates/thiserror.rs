//! Stands in for `thiserror`, whose derive is left out.
#![no_std]

macro_rules! derives {
    ($($name:ident)*) => {
        $(
            #[macro_export]
            macro_rules! $name {
                () => {};
            }
        )*
    };
}

derives! { Error }
