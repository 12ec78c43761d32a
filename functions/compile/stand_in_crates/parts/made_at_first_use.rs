// `static NAME: TYPE = VALUE;` as a `LazyLock` of that type; nothing of what is no such static.

use proc_macro::{TokenStream, TokenTree};

fn made_at_first_use(item: TokenStream) -> Option<TokenStream> {
    let all: Vec<TokenTree> = item.into_iter().collect();
    let place = |sign: char| {
        all.iter().position(|one| matches!(one, TokenTree::Punct(own) if own.as_char() == sign))
    };
    let has = |word: &str| all.iter().any(|one| one.to_string() == word);
    if !has("static") || has("mut") {
        return None;
    }
    let (colon, equal) = (place(':')?, place('=')?);
    let text = |part: &[TokenTree]| part.iter().cloned().collect::<TokenStream>().to_string();
    let (kind, value) = (text(&all[colon + 1..equal]), text(&all[equal + 1..all.len() - 1]));
    let lock = "::std::sync::LazyLock";
    format!("{}: {lock}<{kind}> = {lock}::new(|| {value});", text(&all[..colon])).parse().ok()
}
