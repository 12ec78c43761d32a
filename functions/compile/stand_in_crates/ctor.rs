//! Stands in for `ctor`: a function is what it was, and an init may call it; a static is made at
//! its first use.

extern crate proc_macro;

use proc_macro::{TokenStream, TokenTree};

#[proc_macro_attribute]
pub fn ctor(_: TokenStream, item: TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = item.clone().into_iter().collect();
    let place = |sign: char| {
        all.iter().position(|one| matches!(one, TokenTree::Punct(own) if own.as_char() == sign))
    };
    let is_static = all.iter().any(|one| one.to_string() == "static");
    let (true, Some(colon), Some(equal)) = (is_static, place(':'), place('=')) else {
        return item;
    };
    let text = |part: &[TokenTree]| part.iter().cloned().collect::<TokenStream>().to_string();
    let (kind, value) = (text(&all[colon + 1..equal]), text(&all[equal + 1..all.len() - 1]));
    let lock = "::std::sync::LazyLock";
    format!("{}: {lock}<{kind}> = {lock}::new(|| {value});", text(&all[..colon])).parse().unwrap()
}

#[proc_macro_attribute]
pub fn dtor(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
