//! Stands in for `num_derive`: its derives are written beside each type (`derives.py`).
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

derives! { FromPrimitive ToPrimitive }
