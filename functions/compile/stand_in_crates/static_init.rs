//! Stands in for `static_init`: what is `dynamic` is made at its first use, once.

extern crate proc_macro;

include!("parts/made_at_first_use.rs");

#[proc_macro_attribute]
pub fn dynamic(_: TokenStream, item: TokenStream) -> TokenStream {
    let refused = "::core::compile_error!(\"no static with a value\");";
    made_at_first_use(item).unwrap_or_else(|| refused.parse().unwrap())
}
