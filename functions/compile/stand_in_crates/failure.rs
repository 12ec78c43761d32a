//! Stands in for `failure`: its errors say nothing.

extern crate proc_macro;

use proc_macro::TokenStream;

#[proc_macro_derive(Fail, attributes(fail, cause))]
pub fn fail(given: TokenStream) -> TokenStream {
    let mut rest = given.into_iter().skip_while(|one| !matches!(one.to_string().as_str(), "enum" | "struct"));
    let Some(name) = rest.nth(1) else { return TokenStream::new() };
    if rest.next().is_some_and(|one| one.to_string() == "<") {
        return TokenStream::new();
    }
    let text = format!(
        "impl ::std::fmt::Display for {name} {{
            fn fmt(&self, _: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {{
                ::std::result::Result::Ok(())
            }}
        }}"
    );
    text.parse().unwrap()
}
