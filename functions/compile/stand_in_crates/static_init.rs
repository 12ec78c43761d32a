//! Stands in for `static_init`: what is `dynamic` is made at its first use, once.

extern crate proc_macro;

use proc_macro::{TokenStream, TokenTree};

/// `static NAME: TYPE = VALUE;` as a `LazyLock` of that type.
#[proc_macro_attribute]
pub fn dynamic(_: TokenStream, item: TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = item.into_iter().collect();
    let is_sign = |one: &TokenTree, sign: char| {
        matches!(one, TokenTree::Punct(own) if own.as_char() == sign)
    };
    let place = |sign: char| all.iter().position(|one| is_sign(one, sign));
    let is_mut = all.iter().any(|one| one.to_string() == "mut");
    let (Some(colon), Some(equal), false) = (place(':'), place('='), is_mut) else {
        return "::core::compile_error!(\"no static with a value\");".parse().unwrap();
    };
    let text = |part: &[TokenTree]| part.iter().cloned().collect::<TokenStream>().to_string();
    let (kind, value) = (text(&all[colon + 1..equal]), text(&all[equal + 1..all.len() - 1]));
    let lock = "::std::sync::LazyLock";
    format!("{}: {lock}<{kind}> = {lock}::new(|| {value});", text(&all[..colon])).parse().unwrap()
}
