//! Stands in for `ctor`: a function is what it was, and an init may call it; a static is made at
//! its first use.

extern crate proc_macro;

include!("parts/made_at_first_use.rs");

#[proc_macro_attribute]
pub fn ctor(_: TokenStream, item: TokenStream) -> TokenStream {
    made_at_first_use(item.clone()).unwrap_or(item)
}

#[proc_macro_attribute]
pub fn dtor(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
