"""In Rust: what asks for a function that the compiler would leave out, and calls it.

    rook=attacks(square, Bb(occupied))
      ->  extern "C" fn magicert_...(square: u8, occupied: u64) -> u64 {
              magicert_word(unsafe { attacks(square, Bb(occupied)) })
          }
          #[used] #[export_name = "magicert.kept...."] static ...

It stands at the end of a copy of the source, in a folder that has all else of its project by links.
So it may use what is private there; fields of structs that a call writes out are made public.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from magicert.functions.compile.crates import Crate
from magicert.functions.compile.forced_function import (
    FORCED_PREFIX,
    MADE,
    SQUARES,
    ForcedFunction,
    as_word,
    wrapper,
)
from magicert.functions.compile.projects import LINK, mirrored, project_of
from magicert.functions.compile.rust_tree import name_of, visibility
from magicert.functions.compile.syntax import nodes_below, parser_of

SQUARE_TYPES = ("u8", "usize", "u32", "i32")
"""What a square's number is in a call of Rust: the first one with which it compiles."""
_RUST = """
extern crate core as magicert_core; // in the edition of 2015, too
#[repr(C)]
union MagicertWord<T> {
    given: magicert_core::mem::ManuallyDrop<T>,
    word: uWORD,
}
impl<T> MagicertWord<T> {
    const SIZE: () =
        assert!(magicert_core::mem::size_of::<T>() == WORD / 8, "expected a word of WORD bits");
}
fn magicert_word<T>(given: T) -> uWORD {
    let _ = MagicertWord::<T>::SIZE;
    unsafe { MagicertWord { given: magicert_core::mem::ManuallyDrop::new(given) }.word }
}
"""
_MADE_ONCE = """
static mut MAGICERT_KEPT_NAME: *mut () = magicert_core::ptr::null_mut();
#[inline(never)]
fn magicert_made_NAME<T>(make: fn() -> T, fill: &[fn(&mut T)]) -> &'static T {
    extern crate std as magicert_std;
    unsafe {
        if MAGICERT_KEPT_NAME.is_null() {
            let mut made = magicert_std::boxed::Box::new(make());
            for one in fill {
                one(&mut made);
            }
            MAGICERT_KEPT_NAME = magicert_std::boxed::Box::into_raw(made) as *mut ();
        }
        &*(MAGICERT_KEPT_NAME as *const T)
    }
}
"""
_WITH_A_BASE = re.compile(r"\b(\w+) \{ .*?\.\.")
"""A struct by its fields, and by another one for the rest."""


def mirrored_crate(
    crate: Crate, source: Path, folder: Path, forced: Sequence[ForcedFunction]
) -> tuple[str, Path, Path]:
    """A crate beside what the compiler makes of it, by links: the text of its source with what
    calls need, where that lies there, and the root.
    """
    texts = {**crate.texts, **_with_open_fields(crate, source, forced)}
    text = texts.get(source) or source.read_text("utf-8")
    text += helpers_in_rust(forced) if forced else ""
    project, link = project_of(crate.root), folder / LINK
    mirrored(project, link, {**texts, source: text})
    return text, link / source.relative_to(project), link / crate.root.relative_to(project)


def _with_open_fields(
    crate: Crate, source: Path, forced: Sequence[ForcedFunction]
) -> dict[Path, str]:
    """The files of a crate in which fields are public by which calls make a struct: what may be
    named where has no part in what code does.
    """
    structs = {name for one in forced for name in _WITH_A_BASE.findall(one.name)}
    texts = dict[Path, str]()
    for path in sorted({*crate.root.parent.rglob("*.rs"), source}) if structs else ():
        text = crate.texts.get(path) or path.read_text("utf-8", "surrogateescape")
        opened = text.encode("utf-8", "surrogateescape")
        if any(re.search(rf"\bstruct\s+{name}\b", text) for name in structs):
            nodes = [*nodes_below(parser_of("rust").parse(opened).root_node)]
            for node in reversed(nodes):
                body = node.child_by_field_name("body")
                if node.type == "struct_item" and name_of(node) in structs and body is not None:
                    for field in reversed(body.named_children):
                        if field.type == "field_declaration" and not visibility(field):
                            at = field.start_byte
                            opened = opened[:at] + b"pub " + opened[at:]
            texts[path] = opened.decode("utf-8", "surrogateescape")
    return texts


def helpers_in_rust(forced: Sequence[ForcedFunction]) -> str:
    """What their calls need: a result as a word, and what is made once."""
    made = dict.fromkeys("".join(parts) for one in forced for parts in MADE.findall(one.name))
    kept = (_MADE_ONCE.replace("NAME", as_word(names)) for names in made)
    return "".join([_RUST.replace("WORD", str(forced[0].bits)), *kept])


def forms_in_rust(forced: ForcedFunction) -> list[str]:
    """What calls it, and is exported by its name: in each way, the best first."""
    function, board = wrapper(forced), f"u{forced.bits}"
    name, ways = f'export_name = "{FORCED_PREFIX}{forced.name}"', []
    for takes, called in _calls(forced):
        kinds = ", ".join("u8" if word in SQUARES else board for word in takes)
        kind = f'extern "C" fn({kinds}) -> {board if takes else "()"}'
        ways += [  # before Rust 1.82, and since its edition of 2024
            f"{called}\n#[used]\n#[{attribute}]\nstatic {function.upper()}: {kind} = {function};"
            for attribute in (name, f"unsafe({name})")
        ]
    return ways


def calls_in_rust(forced: ForcedFunction) -> list[str]:
    """A function for each way to call it, the best first."""
    return [call for _, call in _calls(forced)]


def _called_once(made: re.Match[str]) -> str:
    maker, fillers = made.groups()
    return f"magicert_made_{as_word(maker + fillers)}({maker}, &[{fillers.removeprefix(', ')}])"


def _calls(forced: ForcedFunction) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each with what it takes: squares are of the first type with which it compiles."""
    board = f"u{forced.bits}"
    for takes in forced.takes or [()]:
        typed = ", ".join(f"{word}: {'u8' if word in SQUARES else board}" for word in takes)
        squares = [word for word in takes if word in SQUARES]
        head = f'extern "C" fn {wrapper(forced)}({typed}) -> {board if takes else "()"}'
        for kind in SQUARE_TYPES if squares else SQUARE_TYPES[:1]:
            casts = "".join(f"let {word} = {word} as {kind}; " for word in squares if kind != "u8")
            name = MADE.sub(_called_once, forced.name)
            call = f"unsafe {{ {name} }}"  # what it does is looked at, whatever it promises
            body = f"{casts}magicert_word({call})" if takes else f"let _ = {call};"
            yield takes, f"{head} {{ {body} }}"
