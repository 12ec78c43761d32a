//! Stands in for `paste`: identifiers that are made of several.

extern crate proc_macro;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

#[proc_macro]
pub fn paste(given: TokenStream) -> TokenStream {
    given
        .into_iter()
        .map(|one| match one {
            TokenTree::Group(group) => pasted(&group).unwrap_or_else(|| {
                let mut whole = Group::new(group.delimiter(), paste(group.stream()));
                whole.set_span(group.span());
                TokenTree::Group(whole)
            }),
            other => other,
        })
        .collect()
}

#[proc_macro]
pub fn item(given: TokenStream) -> TokenStream {
    paste(given)
}

#[proc_macro]
pub fn expr(given: TokenStream) -> TokenStream {
    paste(given)
}

/// What `[<get_ $name:lower>]` is; nothing of other groups.
fn pasted(group: &Group) -> Option<TokenTree> {
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    let is_sign = |place: usize, sign: &str| inside.get(place).map(|one| one.to_string() == sign);
    let last = inside.len().checked_sub(1)?;
    if group.delimiter() != Delimiter::Bracket || !is_sign(0, "<")? || !is_sign(last, ">")? {
        return None;
    }
    let (mut name, mut span) = (String::new(), None);
    let mut parts = inside[1..last].iter();
    let mut newest = String::new();
    while let Some(part) = parts.next() {
        match part.to_string().as_str() {
            ":" => newest = changed(&newest, &parts.next()?.to_string())?,
            "'" => return None,
            text => {
                name += &newest;
                newest = text.trim_matches('"').trim_start_matches("r#").replace('-', "_");
                if let TokenTree::Ident(own) = part {
                    span = Some(own.span());
                } else if let TokenTree::Group(own) = part {
                    newest = own.stream().to_string();
                    span = own.stream().into_iter().next().map(|one| one.span());
                }
            }
        }
    }
    name += &newest;
    Some(TokenTree::Ident(Ident::new(&name, span.unwrap_or_else(Span::call_site))))
}

fn changed(word: &str, how: &str) -> Option<String> {
    match how {
        "lower" => Some(word.to_lowercase()),
        "upper" => Some(word.to_uppercase()),
        "snake" => Some(snake(word)),
        "camel" => Some(camel(word)),
        _ => None,
    }
}

fn snake(word: &str) -> String {
    let mut text = String::new();
    let mut before = '_';
    for one in word.chars() {
        if one.is_uppercase() && before != '_' && !before.is_uppercase() {
            text.push('_');
        }
        text.extend(one.to_lowercase());
        before = one;
    }
    text
}

fn camel(word: &str) -> String {
    let mut text = String::new();
    let mut before = '_';
    for one in word.chars() {
        if one != '_' {
            let starts = before == '_' || (one.is_uppercase() && before.is_lowercase());
            if starts {
                text.extend(one.to_uppercase());
            } else {
                text.extend(one.to_lowercase());
            }
        }
        before = one;
    }
    text
}
