//! Stands in for `thiserror`: its errors say nothing.

extern crate proc_macro;

use proc_macro::{Delimiter, TokenStream, TokenTree};

#[proc_macro_derive(Error, attributes(error, from, source, backtrace))]
pub fn error(given: TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = given.into_iter().collect();
    let is_kind = |one: &TokenTree| matches!(one.to_string().as_str(), "enum" | "struct");
    let Some(place) = all.iter().position(is_kind) else { return TokenStream::new() };
    let name = all[place + 1].to_string();
    if matches!(&all[place + 2], TokenTree::Punct(sign) if sign.as_char() == '<') {
        return TokenStream::new();
    }
    let mut text = format!(
        "impl ::std::fmt::Display for {name} {{
            fn fmt(&self, _: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {{
                ::std::result::Result::Ok(())
            }}
        }}
        impl ::std::error::Error for {name} {{}}"
    );
    if let Some(TokenTree::Group(body)) = all.get(place + 2) {
        text += &conversions(&name, body.stream());
    }
    text.parse().unwrap()
}

/// From what stands behind `#[from]`, alone in a variant.
fn conversions(name: &str, body: TokenStream) -> String {
    let all: Vec<TokenTree> = body.into_iter().collect();
    let mut text = String::new();
    for pair in all.windows(2) {
        let (TokenTree::Ident(variant), TokenTree::Group(fields)) = (&pair[0], &pair[1]) else { continue };
        let inside: Vec<TokenTree> = fields.stream().into_iter().collect();
        if fields.delimiter() == Delimiter::Parenthesis
            && inside.len() > 2
            && inside[0].to_string() == "#"
            && inside[1].to_string().replace(' ', "") == "[from]"
        {
            let kind: TokenStream = inside[2..].iter().cloned().collect();
            text += &format!(
                " impl ::std::convert::From<{kind}> for {name} {{
                    fn from(given: {kind}) -> Self {{ {name}::{variant}(given) }}
                }}"
            );
        }
    }
    text
}
