// `derives! { A B }` makes macros `A` and `B` of nothing, so that a `use` of these derives compiles: what
// they implement is written beside each type (`derives.py`), and its `#[derive(A)]` is taken out.

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
