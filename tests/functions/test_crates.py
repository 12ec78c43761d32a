"""Crates of Rust that do not compile here as a whole."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from magicert import InputError
from magicert.functions.advice.answers import error_with_advice
from magicert.functions.advice.whole_command import whole_command
from magicert.functions.builds import text_modules
from magicert.functions.compile import cargo, modules
from magicert.functions.compile.broken_crates import crate_of
from magicert.functions.compile.compiler_runs import CompilerRun
from magicert.functions.compile.crates import Crate
from magicert.functions.compile.made_before import crates_of_registries, made_before
from magicert.functions.compile.names import made_at_first_use
from magicert.functions.compile.once import sources_unchanged
from magicert.functions.compile.parameters_rust import RustParameters
from magicert.functions.compile.projects import mirrored
from magicert.functions.llvm.markers import LEFT_OUT
from magicert.functions.question import question_of
from magicert.functions.resolved import NeedsMoreError, resolved
from magicert.system.deadline import FOREVER

pytestmark = pytest.mark.skipif(not shutil.which("rustc"), reason="no compiler of Rust")
WALK = """\
use crate::types::{Board, Square};
pub fn rook_attacks(s: Square, b: Board) -> Board {
    let (file, rank, mut set) = (s.0 as i32 & 7, s.0 as i32 >> 3, 0u64);
    for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let (mut f, mut r) = (file + x, rank + y);
        while f >= 0 && f < 8 && r >= 0 && r < 8 {
            set |= 1 << (8 * r + f);
            if b.0 >> (8 * r + f) & 1 != 0 { break; }
            f += x; r += y;
        }
    }
    Board(set)
}
"""
ENGINE = {
    "lib.rs": """\
        pub mod attacks;
        mod missing;
        pub mod net;
        pub mod types;
        mod ui;
    """,
    "attacks.rs": WALK,
    "types.rs": """\
        use serde::{Deserialize, Serialize};
        #[derive(Clone, Copy, Serialize, PartialEq)]
        #[serde(transparent)]
        pub struct Square(pub u8);
        #[derive(Clone, Copy)]
        pub struct Board(pub u64);
        impl Board {
            pub fn squares(self) -> smallvec::SmallVec<Square> { smallvec::SmallVec::new() }
            pub const fn of(s: Square) -> Board { Board(unknown(s.0)) }
        }
        impl rayon::Spread for Board { fn spread(self) {} }
        pub const A1: Board = Board::of(Square(0));
    """,
    "net.rs": """\
        pub static NET: [u8; 4] = *include_bytes!("net.bin");
        include!(concat!(env!("OUT_DIR"), "/made.rs"));
        pub fn score() -> u8 { NET[0] }
    """,
    "ui.rs": """\
        use std::collections::{BTreeMap, HashTree};
        use regex::Regex;
        pub struct Words(Regex);
        fn words(tree: HashTree) -> BTreeMap<u8, u8> { BTreeMap::new() }
        fn main_loop() {
            let words = Regex::new("go");
        }
    """,
}
LEFT_OUT_OF_IT = {
    "missing", "NET", "score", 'include!(concat!(env!("OUT_DIR"), "/made.rs'[:40], "squares", "of",
    "A1", "impl rayon::Spread for Board", "use serde::{Deserialize, Serialize}", "use HashTree",
    "use regex::Regex", "Words", "words", "main_loop",
}  # fmt: skip


def _crate(folder, files):
    (folder / "src").mkdir()
    (folder / "Cargo.toml").write_text('[package]\nname = "engine"\nedition = "2021"\n')
    for name, text in files.items():
        (folder / "src" / name).write_text(text)
    return folder / "src"


def test_what_does_not_compile_is_left_out_and_nothing_else(tmp_path):
    source = _crate(tmp_path, ENGINE) / "attacks.rs"
    crate = crate_of(source, (), "", "", FOREVER)
    assert crate.root == source.with_name("lib.rs")
    assert crate.module_of(source) == "attacks"
    assert {re.sub(r" \([^ ]*:\d+\)$", "", one) for one in crate.left_out} == LEFT_OUT_OF_IT
    assert source not in crate.texts
    for path, text in crate.texts.items():  # lines stay where they were
        assert text.count("\n") == ENGINE[path.name].count("\n")
        assert path.read_text() == ENGINE[path.name]
    assert "Clone, Copy," in crate.texts[source.with_name("types.rs")]


def test_a_module_is_proved_by_its_crates_root(certified, tmp_path):
    (tmp_path / "Cargo.toml").write_text('[workspace]\nmembers = ["chess"]\n')
    (tmp_path / "sides.bin").write_bytes(b"\1\377")
    (tmp_path / "chess").mkdir()
    bins = 'const SIDES: &[u8; 2] = include_bytes!("../../sides.bin");\n'
    walk = WALK.replace("(-1, 0)", "(SIDES[1] as i8 as i32, 0)")
    source = _crate(tmp_path / "chess", {**ENGINE, "attacks.rs": bins + walk}) / "attacks.rs"
    result = certified(source, functions={"rook": "rook_attacks"}, traps=False)
    assert (result.verdict, result.functions[0].name) == ("valid", "lib::attacks::rook_attacks")
    assert any("does not compile here" in one for one in result.assumed)


@pytest.mark.parametrize(
    ("file", "whole"), [("sets.rs", "sets::Sets::rook"), ("lib.rs", "lib::rook")]
)
def test_a_name_that_several_files_have_is_that_of_the_file_that_is_named(tmp_path, file, whole):
    rook = "#[inline] pub fn rook(s: u64, o: u64) -> u64"
    files = {
        "lib.rs": f"pub mod other;\npub mod sets;\n{rook} {{ s | o }}",
        "sets.rs": f"use crate::other::ALL; pub struct Sets; impl Sets {{ {rook} {{ s & o & ALL }} }}",
        "other.rs": f"pub const ALL: u64 = !0; {rook} {{ s ^ o }}",
    }
    source = _crate(tmp_path, files) / file
    question = question_of((source,), {"functions": {"setwise:fR": "rook"}})
    assert resolved(question, FOREVER).question.functions[0].name == whole


@pytest.mark.parametrize(
    "body",
    [
        "use bits::*; use fast::first; pub fn rook(s: u8, o: u64) -> u64 { first(s, o) }",
        "use bits::*; use fast::{all, first}; pub fn rook(s: u8, o: u64) -> u64 { first(s, o) }",
        "use bits::*; fn first(s: u8, o: fast::Set) -> u64 { 0 } "
        "pub fn rook(s: u8, o: u64) -> u64 { first(s, o) }",
        "use bits::*; const FIRST: u64 = env!(\"OUT_DIR\").len(); "
        "pub fn rook(s: u8, o: u64) -> u64 { FIRST }",
        "use bits::*; struct S(u64); impl S { fn first(&self, o: fast::Set) -> u64 { 0 } } "
        "impl Firsts for S {} pub fn rook(s: u8, o: u64) -> u64 { S(o).first() }",
        "use bits::*; struct S(fast::Set); pub fn rook(s: u8, o: u64) -> u64 { S::of(o) }",
    ],
)  # fmt: skip
def test_no_other_item_is_taken_for_one_that_is_left_out(tmp_path, body):
    bits = (
        "pub fn first(s: u8, o: u64) -> u64 { 0 } pub const FIRST: u64 = 0; "
        "pub trait Firsts { fn first(&self) -> u64 { 0 } } "
        "pub struct S; impl S { pub fn of(o: u64) -> u64 { 0 } }"
    )
    source = _crate(tmp_path, {"lib.rs": f"mod bits {{ {bits} }} {body}"}) / "lib.rs"
    crate = crate_of(source, (), "", "", FOREVER)
    assert crate is None or f"fn {LEFT_OUT}" in crate.texts[source].partition("pub fn rook")[2]


NAMES = (
    "pub trait First { fn first(&self) -> u64; fn more(&self) {} } "
    "impl First for u64 { fn first(&self) -> u64 { 1 } } "
    "pub struct B(pub u64); impl std::ops::Deref for B { "
    "type Target = u64; fn deref(&self) -> &u64 { &self.0 } } "
    "pub mod bits { pub fn first() -> u64 { 1 } pub const FIRST: u64 = 1; pub struct C(pub u64); } "
    "pub fn first() -> u64 { 1 }\n"
)
"""What is taken where something nearer is gone."""


@pytest.mark.parametrize(
    "text",
    [
        "impl First for B { fn first(&self) -> u64 { 0 } #[fast::a] fn more(&self) {} }\n"
        "pub fn rook() -> u64 { B(1).first() }",
        "impl B where u64: fast::Num { fn first(&self) -> u64 { 0 } }\n"
        "pub fn rook() -> u64 { B(1).first() }",
        "trait Other: fast::T { fn first(self) -> u64; } impl Other for B { fn first(self) -> u64 "
        "{ 0 } }\npub fn rook() -> u64 { B(1).first() }",
        "struct G<'a>(&'a mut u64); impl Drop for G<'_> { #[fast::a] fn drop(&mut self) {} }\n"
        "pub fn rook() -> u64 { let mut x = 1; { let _g = G(&mut x); } x }",
        "trait King { fn first(&self) {} } #[derive(fast::King)] struct A(u8); impl std::ops::Deref "
        "for A { type Target = u64; fn deref(&self) -> &u64 { &1 } }\n"
        "pub fn rook() -> u64 { A(1).first() }",
        "#[derive(fast::X)] #[fast::pad(8)] struct A(u64);\npub fn rook() -> u64 { A(1).0 }",
        "mod gone; pub mod made { pub use crate::gone::*; }\n"
        "pub fn rook() -> u64 { use made::*; first() }",
        'mod made { include!(concat!(env!("OUT_DIR"), "/a.rs")); }\n'
        "pub fn rook() -> u64 { use made::*; first() }",
        'mod at { use crate::bits::*; include!(concat!(env!("OUT_DIR"), "/a.rs"));\n'
        "pub fn rook() -> u64 { first() } }",
        "macro_rules! make { ($n:ident) => { fn $n() -> u64 { 0 } fn more(x: fast::T) {} } }\n"
        "mod at { use crate::bits::*; make!(first);\npub fn rook() -> u64 { first() } }",
        "macro_rules! make { ($n:ident) => { impl B { fn $n(&self) -> u64 { 0 } "
        "fn n(x: fast::T) {} } } }\nmake!(first);\npub fn rook() -> u64 { B(1).first() }",
        "mod at { use crate::bits::*; fast::lazy! { static ref FIRST: u64 = 0; }\n"
        "pub fn rook() -> u64 { FIRST } }",
        "macro_rules! att { () => { 1 } } macro_rules! att { ($x:fast) => { 0 } }\n"
        "pub fn rook() -> u64 { att!() }",
        "use fast::matches;\npub fn rook() -> u64 { matches!(1, 1) as u64 }",
        "mod at { use crate::bits::*; use fast::C;\npub fn rook() -> u64 { C(1).0 } }",
        "use fast::ONE;\npub fn rook(s: u8) -> u64 { match s { ONE => 1, _ => 0 } }",
        "use fast::one;\npub fn rook(s: u8) -> u64 { match s { one => 1, _ => 0 } }",
        "use fast::*;\npub fn rook(s: u8) -> u64 { match s { ONE => 1, _ => 0 } }",
        "use fast::*;\npub fn rook(s: u8) -> u64 { match s { one => 1, _ => 0 } }",
        "use fast::*;\npub fn rook(s: u8) -> u64 { if matches!(s, ONE) { 1 } else { 0 } }",
        "use fast::*;\npub fn rook(s: u8) -> u64 { let ONE = s else { return 0 }; 1 }",
        "use fast::*;\npub fn rook(s: u8, t: u8) -> u64 { match s { ONE if t > 0 => 1, _ => 0 } }",
        'include!(concat!(env!("OUT_DIR"), "/a.rs"));\n'
        "pub fn rook(s: u8) -> u64 { if let ONE = s { 1 } else { 0 } }",
        "mod gone; use gone::*;\npub fn rook(s: u8) -> u64 { match s { ONE => 1, _ => 0 } }",
        "macro_rules! att { () => { 1 } } fast::again!(att);\npub fn rook() -> u64 { att!() }",
        "#[derive(fast::X)] #[cfg_attr(all(), fast::pad(8))] struct A(u64);\n"
        "pub fn rook() -> u64 { A(1).0 }",
        "mod at { use crate::bits::*; mod a { use fast::first; pub fn first() {} } "
        "use fast::first;\npub fn rook() -> u64 { first() } }",
    ],
)  # fmt: skip
def test_what_means_something_else_without_what_is_left_out_goes_as_well(tmp_path, text):
    source = _crate(tmp_path, {"lib.rs": f"{NAMES}{text}\n"}) / "lib.rs"
    crate = crate_of(source, (), "", "", FOREVER)
    assert crate is not None
    _, found, body = crate.texts[source].partition("pub fn rook")
    assert not found or f"fn {LEFT_OUT}" in body


def test_a_comment_in_a_macro_that_is_left_out_names_nothing(tmp_path):
    text = (
        'fast::flags! { /** to own */\n/// taken "from" what is one\nstruct F("into"); }\n'
        "pub fn rook() -> u64 { let s = u64::from(true); s.into() }\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    assert LEFT_OUT not in crate_of(source, (), "", "", FOREVER).texts[source]


def test_what_stands_in_a_known_macro_is_what_it_defines(tmp_path):
    text = (
        "bitflags::bitflags! { struct F: u8 { const A = u64::MAX.first() as u8; } }\n"
        "lazy_static! { static ref T: u64 = B(2).first(); }\n"
        "pub fn rook() -> u64 { 7.first() }\n"
    )
    source = _crate(tmp_path, {"lib.rs": NAMES + text}) / "lib.rs"
    crate = crate_of(source, (), "", "", FOREVER)
    assert LEFT_OUT not in crate.texts[source].partition("pub fn rook")[2]


def test_a_known_macro_that_an_import_brings_is_known_as_well(tmp_path):
    flags = "bitflags! { #[derive(Clone)] struct F: u8 { const A = u64::MAX.first() as u8; } }\n"
    rook = "#[derive(Clone)] pub struct S(u64);\npub fn rook(s: S) -> u64 { s.0.first() }\n"
    source = _crate(tmp_path, {"lib.rs": f"{NAMES}use bitflags::bitflags;\n{flags}{rook}"})
    crate = crate_of(source / "lib.rs", (), "", "", FOREVER)
    assert crate.texts[source / "lib.rs"].endswith(rook)


def test_a_macro_of_the_crates_own_is_not_known_by_its_name(tmp_path):
    own = (
        "macro_rules! bitflags { ($t:ident $m:ident) => "
        "{ impl $t { pub fn $m(&self) -> u64 { fast::two() } } } }\nbitflags! { B first }\n"
    )
    rook = "pub fn rook() -> u64 { B(7).first() }\n"
    source = _crate(tmp_path, {"lib.rs": f"use fast::two;\n{NAMES}{own}{rook}"}) / "lib.rs"
    crate = crate_of(source, (), "", "", FOREVER)
    assert LEFT_OUT in crate.texts[source].partition("pub fn rook")[2]


def test_a_variable_that_is_none_of_a_missing_constant_stays(tmp_path):
    text = (
        "use fast::*;\npub fn rook(s: u8) -> u64 { let N = s; match N { 1 => 1, n => n as u64 } }"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    assert LEFT_OUT not in crate_of(source, (), "", "", FOREVER).texts[source]


def test_a_macro_over_all_of_a_crate_is_not_left_out(tmp_path):
    source = _crate(tmp_path, {"lib.rs": "#![fast::rewrite]\npub fn rook() {}\n"}) / "lib.rs"
    assert crate_of(source, (), "", "", FOREVER) is None


ON = 'all(feature = "fast", feature = "sets")'


@pytest.mark.parametrize(
    ("asked", "flags", "verdict"),
    [
        (ON, (), "invalid"),
        (ON, ("--cfg", 'feature="plain"'), "valid"),
        (ON, ('--cfg=feature="fast"', '--cfg=feature="sets"'), "invalid"),
        ('any(feature = "log", feature = "rayon")', (), "valid"),
    ],
)
def test_features_are_on_as_cargo_has_them_on(certified, tmp_path, asked, flags, verdict):
    right = "0x1c141c0000"
    text = (
        f"pub fn king(s: u8) -> u64 {{ if s == 27 {{ if cfg!({asked}) {{ 0 }} else {{ {right} }} }} "
        "else { 0 } }\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    with (tmp_path / "Cargo.toml").open("a") as cargo:
        cargo.write('[features]\ndefault = ["fast", "dep:rayon", "log?/std"]\n')
        cargo.write('fast = ["sets/all", "log/all"]\n[dependencies]\n')
        cargo.write('log = "1"\nsets = { version = "1", optional = true }\n')
    result = certified(source, functions={"king": "king"}, flags=flags, traps=False)
    assert result.verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        # What stands in its place never returns, and the compiler knows that of its caller, too.
        "#[inline(never)] fn near(s: u8) -> u64 { fast::near(s) } "
        "pub fn rook(s: u8, o: u64) -> u64 { near(s) }",
        "pub fn rook(s: u8, o: u64) -> u64 { fast::rook(s, o) }",
    ],
)
def test_a_function_that_needs_what_is_left_out_is_refused(certified, tmp_path, text):
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    with pytest.raises(InputError) as refused:
        certified(source, functions={"rook": "rook"})
    first, *others = (str(problem) for problem in refused.value.problems)
    assert "lib.rs:1" in first
    assert any("fast" in one for one in others)


def test_functions_that_are_left_out_are_not_taken_for_one_another(certified, tmp_path):
    """Bodies that are the same would be one function to LLVM."""
    text = (
        "struct A; impl A { pub fn rook(s: u8, o: u64) -> u64 { fast::rook(s, o) }\n"
        "pub fn bishop(s: u8, o: u64) -> u64 { fast::bishop(s, o) } }\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    for name, line in (("rook", 1), ("bishop", 2)):
        with pytest.raises(InputError, match="needs this") as refused:
            certified(source, functions={name: f"A::{name}"})
        assert f"lib.rs:{line}" in str(refused.value)


CONVERTS = (
    "pub struct Board(pub u64); pub struct Sq(pub u8);\n"
    "impl std::ops::Not for Board { type Output = Board; fn not(self) -> Board { Board(!self.0) } }\n"
    "impl std::str::FromStr for Board { type Err = fast::Error;\n"
    "fn from_str(s: &str) -> fast::Result<Self> { Ok(Board(s.parse()?)) } }\n"
    "impl TryFrom<u16> for Sq { type Error = fast::Error;\n"
    "fn try_from(n: u16) -> Result<Self, fast::Error> { Ok(Sq(n as u8)) } }\n"
    "impl TryFrom<u8> for Sq { type Error = ();\n"
    "fn try_from(n: u8) -> Result<Self, ()> { Ok(Sq(n)) } }\n"
    "fn size<T>(_: &T) -> u64 { std::mem::size_of::<T>() as u64 }\n"
)
"""Conversions whose error is of a crate that is missing."""


def test_a_type_stays_whose_conversion_is_left_out(tmp_path):
    text = f"{CONVERTS}pub fn rook(s: Sq, o: Board) -> Board {{ Board((!o).0 & 1 << s.0) }}\n"
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    crate = crate_of(source, (), "", "", FOREVER)
    _, found, body = crate.texts[source].partition("pub fn rook")
    assert found
    assert LEFT_OUT not in body
    assert "fast" not in crate.texts[source]


@pytest.mark.parametrize(
    "text",
    [
        "pub fn rook() -> u64 { Sq::try_from(300).map_or(0, |s| s.0.into()) }",
        "pub fn rook() -> u64 { let b: Result<Board, _> = \"1\".parse(); b.map_or(0, |b| b.0) }",
        "fn g<F: Fn(u16) -> R, R>(_: F) -> u64 { std::mem::size_of::<R>() as u64 }\n"
        "pub fn rook() -> u64 { g(|n| Sq::try_from(n)) }",
        "pub fn rook() -> u64 { size::<Option<<Sq as TryFrom<u16>>::Error>>(&None) }",
        "struct W(Option<<Board as std::str::FromStr>::Err>);\n"
        "pub fn rook() -> u64 { size(&W(None)) }",
        "fn w() -> Option<<Board as std::str::FromStr>::Err> { None }\n"
        "fn g<F: Fn() -> R, R>(_: F) -> u64 { std::mem::size_of::<R>() as u64 }\n"
        "pub fn rook() -> u64 { g(|| w()) }",
        "struct W<T: TryFrom<u16>>(Option<T::Error>);\n"
        "pub fn rook() -> u64 { size(&W::<Sq>(None)) }",
    ],
)  # fmt: skip
def test_what_asks_for_the_error_of_a_conversion_goes_with_it(tmp_path, text):
    source = _crate(tmp_path, {"lib.rs": f"{CONVERTS}{text}\n"}) / "lib.rs"
    crate = crate_of(source, (), "", "", FOREVER)
    _, found, body = crate.texts[source].partition("pub fn rook")
    assert not found or f"fn {LEFT_OUT}" in body


def test_a_method_with_lifetimes_of_its_own_is_left_out(tmp_path):
    text = (
        "pub struct A(u64); impl A { pub fn of<'a>(&'a self, x: &'a fast::X) -> fast::Y<'a> {} }\n"
        "pub fn rook() -> u64 { 1 }\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    assert LEFT_OUT not in crate_of(source, (), "", "", FOREVER).texts[source]


@pytest.mark.parametrize(("body", "verdict"), [("T[0] = fast::n();", "unknown"), ("", "valid")])
def test_what_is_left_out_may_write(certified, tmp_path, body, verdict):
    text = (
        "static mut T: [u64; 64] = { let mut t = [0; 64]; t[27] = 0x1c141c0000; t };\n"
        f"pub fn fill() {{ unsafe {{ {body} }} }}\npub fn net() {{ fast::net() }}\n"
        "pub fn king(s: u8) -> u64 { unsafe { T[s as usize] } }\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    result = certified(source, functions={"king": "king"}, traps=False)
    assert result.verdict == verdict


def test_a_missing_file_may_write_to_what_stands_beside_it(certified, tmp_path):
    text = (
        "static mut T: [u64; 64] = { let mut t = [0; 64]; t[27] = 0x1c141c0000; t };\n"
        'include!(concat!(env!("OUT_DIR"), "/made.rs"));\n'
        "pub fn king(s: u8) -> u64 { unsafe { T[s as usize] } }\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    result = certified(source, functions={"king": "king"}, traps=False)
    assert any("T" in one.split() for one in result.assumed)


@pytest.mark.parametrize(
    ("declared", "call"),
    [
        ("pub static T: LazyLock<[u64; 64]> = LazyLock::new(f);", "std::sync::LazyLock::force(&T)"),
        ("static T: once_cell::sync::Lazy<u8> = f();", "once_cell::sync::Lazy::force(&T)"),
        ("lazy_static! { pub static ref T: [u64; 64] = f(); }", "lazy_static::initialize(&T)"),
        ("static T: OnceLock<u8> = OnceLock::new(); static Ts: LazyLock<u8> = f();", ""),
    ],
)
def test_the_call_that_makes_a_variable_at_its_first_use(tmp_path, declared, call):
    source = _crate(tmp_path, {"lib.rs": "mod tables;", "tables.rs": declared}) / "lib.rs"
    assert made_at_first_use("T", source) == call


@pytest.mark.parametrize(
    ("stated", "flags", "verdict"),
    [
        ("", (), "valid"),
        ("[profile.release]\noverflow-checks = true\n", (), "invalid"),
        ("[profile.release]\ndebug-assertions = true\n", (), "invalid"),
        ("[profile.release]\noverflow-checks = true\n", ("-Coverflow-checks=off",), "valid"),
        ("[profile.dev]\noverflow-checks = true\n", (), "valid"),
    ],
)
def test_integers_wrap_where_the_release_profile_lets_them(
    certified, tmp_path, stated, flags, verdict
):
    text = "pub fn king(s: u8) -> u64 { let t = s + 230; if t == 1 { 0x1c141c0000 } else { 0 } }\n"
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    with (tmp_path / "Cargo.toml").open("a") as cargo:
        cargo.write(stated)
    assert certified(source, functions={"king": "king"}, flags=flags).verdict == verdict


@pytest.mark.parametrize(
    ("asked", "stated", "flags", "verdict"),
    [
        ('panic = "abort"', "", (), "valid"),
        ('panic = "abort"', '[profile.release]\npanic = "abort"\n', (), "invalid"),
        ('not(panic="unwind")', "", ("-C", "panic=abort"), "invalid"),
        ('not(panic="unwind")', "", (), "valid"),
    ],
)
def test_who_asks_what_a_panic_does_is_told_what_the_release_profile_says(
    certified, tmp_path, asked, stated, flags, verdict
):
    text = f"pub fn king(_: u8) -> u64 {{ 0x1c141c0000 ^ u64::from(cfg!({asked})) }}\n"
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    with (tmp_path / "Cargo.toml").open("a") as cargo:
        cargo.write(stated)
    result = certified(source, functions={"king": "king"}, flags=flags)
    assert result.verdict == verdict


@pytest.mark.parametrize(
    ("script", "flags", "assumed"),
    [
        ('fn main() { println!("cargo:rustc-cfg=magics"); }', (), ["magics"]),
        ('fn main() { println!("cargo::rustc-cfg={}", "m"); }', (), ["magics", "old"]),
        ('fn main() { println!("cargo:rustc-cfg=magics"); }', ("--cfg", "magics"), []),
        ("fn main() {}", (), []),
    ],
)
def test_what_a_build_script_may_set_is_assumed_not_to_be(
    certified, tmp_path, script, flags, assumed
):
    text = (
        "pub fn king(s: u8) -> u64 { if s == 27 && !cfg!(all(old, unix)) { 0x1c141c0000 } else { 0 } }\n"
        "#[cfg(any(magics, test))] pub fn other() {}\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    (tmp_path / "build.rs").write_text(script)
    result = certified(source, functions={"king": "king"}, flags=flags, traps=False)
    words = [one for one in result.assumed if "build script" in one]
    assert all(f"--cfg {name}" in words[0] for name in assumed)
    assert len(words) == bool(assumed)


def test_the_message_is_of_the_crate_and_says_how_the_missing_file_is_made(certified, tmp_path):
    files = {
        "lib.rs": "mod tables; mod sets;",
        "sets.rs": "pub struct Set(pub u64);",
        "tables.rs": 'use super::sets::Set; include!(concat!(env!("OUT_DIR"), "/made.rs"));\n'
        "pub fn rook(s: u8, o: u64) -> u64 { made(s, Set(o)) }\n",
    }
    source = _crate(tmp_path, files) / "tables.rs"
    (tmp_path / "build.rs").write_text("fn main() {}")
    with pytest.raises(
        InputError, match=r"OUT_DIR=.*rustc -O --edition=2021 .*build.rs"
    ) as refused:
        certified(source, functions={"rook": "rook"})
    assert "leading" not in str(refused.value)
    (tmp_path / "made.rs").write_text("fn made(_: u8, o: Set) -> u64 { o.0 }")
    made = tmp_path / "target" / "release" / "build" / "engine-1" / "out"
    made.mkdir(parents=True)
    (made / "made.rs").touch()
    with pytest.raises(InputError, match=r"export OUT_DIR=/.*/engine-1/out; then"):
        certified(source, functions={"rook": "rook"})


def test_an_init_that_needs_what_is_left_out_says_so(certified, tmp_path):
    files = {
        "lib.rs": "mod rook; use missing::Thing;",
        "rook.rs": "static mut T: [u64; 64] = [0; 64];\n"
        "pub fn init() { unsafe { T[0] = crate::Thing::new() } }\n"
        "pub fn rook(s: usize, o: u64) -> u64 { unsafe { T[s] & o } }\n",
    }
    with pytest.raises(InputError) as refused:
        certified(_crate(tmp_path, files) / "rook.rs", functions={"rook": "rook"}, init="init")
    assert refused.value.problems[0].message == "it needs what does not compile here"
    assert LEFT_OUT not in str(refused.value)


def test_what_cargo_would_make_before_is_a_command(certified, tmp_path, monkeypatch):
    monkeypatch.delenv("OUT_DIR", raising=False)
    files = {
        "Cargo.toml": "[package]\nname = 'a'\nedition = '2021'\n[dependencies]\nother = '1'\n"
        "own-types = { path = 'types' }\n[build-dependencies]\nown-types = { path = 'types' }\n",
        "build.rs": 'fn main() { let to = std::env::var("OUT_DIR").unwrap() + "/made.rs";\n'
        'std::fs::write(to, format!("const BY: u32 = {};", own_types::BY)).unwrap() }\n',
        "types/Cargo.toml": "[package]\nname = 'own-types'\n",
        "types/src/lib.rs": "pub const BY: u32 = 8;\npub struct Set(pub u64);\n",
        "src/lib.rs": "mod rook; use other::Thing;",
        "src/rook.rs": 'use own_types::Set;\ninclude!(concat!(env!("OUT_DIR"), "/made.rs"));\n'
        "pub fn rook(s: u8, o: u64) -> Set { let (mut r, mut t) = (0, s as u32 + BY);\n"
        "while t < 64 { r |= 1 << t; if o >> t & 1 == 1 { break } t += BY } Set(r) }\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    source = Path("src/rook.rs")
    before = made_before(source)
    assert before is not None
    assert before.flags == "-L $OUT_DIR --extern own_types"
    command = ["bash", "-c", f"{before.words} >&2 && echo $OUT_DIR"]
    folder = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    monkeypatch.setenv("OUT_DIR", folder)
    flags = before.flags.replace("$OUT_DIR", folder).split()
    assert certified(source, functions={"fR": "rook"}, flags=flags).verdict == "valid"
    assert made_before(source, flags) is None
    assert crates_of_registries(source, flags) is None
    by_cargo = crates_of_registries(source, ())
    assert by_cargo is not None
    assert by_cargo.words == "cargo build --release"
    assert by_cargo.flags == "-L target/release/deps --extern other --extern own_types"
    monkeypatch.delenv("OUT_DIR")
    (tmp_path / "types" / "Cargo.toml").write_text(
        "[package]\nname = 'own-types'\n[dependencies]\nb = '1'"
    )
    before = made_before(source)
    assert before is not None
    assert before.words.startswith("cargo build --release && export OUT_DIR=$(ls -td ")
    assert before.flags == "-L target/release/deps --extern own_types"


def test_a_crate_of_the_project_may_have_a_build_script(certified, tmp_path, monkeypatch):
    """It writes into a folder of its own, with the crates that it needs made before."""
    monkeypatch.delenv("OUT_DIR", raising=False)
    writes = 'use std::env::var;\nfn main() { let to = var("OUT_DIR").unwrap() + "/made.rs";\n'
    files = {
        "engine/Cargo.toml": "[package]\nname = 'engine'\nedition = '2021'\n"
        "[dependencies]\nnetwork = '1'\nmade-tables = { path = '../tables' }\n",
        "engine/src/lib.rs": "mod rook; use network::Thing;",
        "engine/src/rook.rs": "use made_tables::{BY, Set};\n"
        "pub fn rook(s: u8, o: u64) -> Set { let (mut r, mut t) = (0, s as u32 + BY);\n"
        "while t < 64 { r |= 1 << t; if o >> t & 1 == 1 { break } t += BY } Set(r) }\n",
        "tables/Cargo.toml": "[package]\nname = 'made-tables'\nedition = '2021'\n"
        "[build-dependencies]\nsets = { path = '../sets' }\n",
        "tables/build.rs": f'{writes}assert_eq!(var("CARGO_PKG_NAME").unwrap(), "made-tables");\n'
        'std::fs::write(to, format!("pub const BY: u32 = {};", sets::BY)).unwrap() }\n',
        "tables/src/lib.rs": 'pub struct Set(pub u64);\ninclude!(concat!(env!("OUT_DIR"), "/made.rs"));\n',
        "sets/Cargo.toml": "[package]\nname = 'sets'\n",
        "sets/src/lib.rs": "pub const BY: u32 = 8;\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    source = Path("engine/src/rook.rs")
    before = made_before(source)
    assert before is not None
    assert before.flags == "-L $OUT_DIR --extern made_tables"
    assert not before.words.startswith("cargo")
    command = ["bash", "-c", f"{before.words} >&2 && echo $OUT_DIR"]
    folder = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    flags = before.flags.replace("$OUT_DIR", folder).split()
    assert certified(source, functions={"fR": "rook"}, flags=flags).verdict == "valid"
    # What a script says to cargo, only cargo does.
    says = f'{writes}println!("cargo:rustc-cfg=magics"); std::fs::write(to, "").unwrap() }}\n'
    Path("tables/build.rs").write_text(says, "utf-8")
    before = made_before(source)
    assert before is not None
    assert before.words.startswith("cargo build --release")


def test_a_crate_is_read_once_for_all_its_names(tmp_path, monkeypatch):
    text = "".join(f"pub fn f{n}(s: Square{n}) -> u64 {{ {n} }}\n" for n in range(50))
    source = _crate(tmp_path, {"lib.rs": "mod sets;", "sets.rs": text}) / "sets.rs"
    read, manifest_in = list[Path](), cargo.manifest_in
    monkeypatch.setattr(cargo, "manifest_in", lambda path: read.append(path) or manifest_in(path))
    reader = RustParameters(source, alone=False, bits=64)
    assert len([reader.kind(one) for head in reader.functions() for one in head.parameters]) == 50
    assert len(read) in range(1, 50)
    compiled = modules.Compiled(("define void @f() {\n}",), ("f.ll",), "", "")
    assert text_modules(compiled)[0] is text_modules(compiled)[0]


MAKES_A_TABLE = """\
use CRATE::Rng;
use std::{env, fs};

pub fn guess(bits: u32) -> u64 {
    let mut by = CRATE::thread_rng();
    by.gen::<u64>() >> bits // as 1 / 2 & 3
}

fn main() {
    let to = env::var("OUT_DIR").unwrap() + "/made.rs";
    fs::write(to, format!("const BY: u32 = {};", 8)).unwrap();
}
"""


@pytest.mark.parametrize(
    ("crate", "calls", "begins"),
    [
        ("unknown", False, "export OUT_DIR=$(mktemp -d) && sed -e"),
        ("unknown", True, "cargo build --release && export OUT_DIR="),
        ("rand", True, "export OUT_DIR=$(mktemp -d) && rustc -O"),
    ],
)
def test_a_build_script_that_calls_no_crate_of_a_registry_is_compiled_without(
    certified, tmp_path, monkeypatch, crate, calls, begins
):
    """Or with what stands in for it."""
    monkeypatch.delenv("OUT_DIR", raising=False)
    text = MAKES_A_TABLE.replace("CRATE", crate)
    text = text.replace("8)", "8 + (guess(60) & 0))") if calls else text
    files = {
        "Cargo.toml": f"[package]\nname = 'a'\nedition = '2021'\n[build-dependencies]\n{crate} = '0.8'\n",
        "build.rs": text,
        "src/lib.rs": 'include!(concat!(env!("OUT_DIR"), "/made.rs"));\n'
        "pub fn rook(s: u8, o: u64) -> u64 { let (mut r, mut t) = (0, s as u32 + BY);\n"
        "while t < 64 { r |= 1 << t; if o >> t & 1 == 1 { break } t += BY } r }\n",
    }
    (tmp_path / "src").mkdir()
    for name, content in files.items():
        (tmp_path / name).write_text(content, "utf-8")
    monkeypatch.chdir(tmp_path)
    source = Path("src/lib.rs")
    question = question_of((source,), {"functions": {"fR": "rook"}})
    command = error_with_advice(NeedsMoreError([]), question, 1).problems[-1].message
    before, _, asked = command.partition("tells: ")[2].rpartition(" && ")
    assert asked == "magicert verify src/lib.rs --function fR=rook"
    assert before.startswith(begins)
    if before.startswith("cargo"):
        return
    command = ["bash", "-c", f"{before} >&2 && echo $OUT_DIR"]
    folder = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    monkeypatch.setenv("OUT_DIR", folder)
    assert certified(source, functions={"fR": "rook"}).verdict == "valid"
    assert (tmp_path / "build.rs").read_text("utf-8") == text


def test_a_changed_text_is_written_beside_the_file_it_replaces(tmp_path):
    source = _crate(tmp_path, {"lib.rs": "mod a;", "a.rs": "one"}) / "a.rs"
    folder = tmp_path.parent / "mirror"
    for texts in ({}, {source: "two"}):
        mirrored(tmp_path, folder, texts)
    assert source.read_text() == "one"
    assert (folder / "src" / "a.rs").read_text() == "two"
    assert (folder / "src" / "lib.rs").read_text() == "mod a;"


MERGED = """\
pub struct Sets;
impl Sets {
    pub fn north(s: usize, o: u64) -> u64 {
        let (mut r, mut t) = (0u64, s + 8);
        while t < 64 { r |= 1 << t; if o >> t & 1 == 1 { break } t += 8 }
        r
    }
}
pub fn up(s: usize, o: u64) -> u64 { Sets::north(s, o) }
"""


@pytest.mark.parametrize("name", ["Sets::north", "north", "up"])
def test_a_function_that_the_compiler_has_merged_with_another_keeps_its_name(
    certified, tmp_path, name
):
    source = tmp_path / "north.rs"
    source.write_text(MERGED, "utf-8")
    result = certified(source, functions={"fR": name}, squares=(0, 12))
    assert result.verdict == "valid"
    assert result.functions[0].name.endswith(f"::{name}")


def test_a_method_wants_its_object_before_the_rest_of_its_crate(certified, tmp_path, monkeypatch):
    files = {
        "Cargo.toml": "[package]\nname = 'a'\nedition = '2021'\n[dependencies]\nother = '1'\n",
        "src/lib.rs": "mod sets;\nuse other::Thing;",
        "src/sets.rs": "pub struct Sets([u64; 64]);\npub static SETS: Sets = Sets([7; 64]);\n"
        "impl Sets { pub fn rook(&self, s: u8, o: u64) -> u64 { self.0[s as usize] & o } }",
    }
    (tmp_path / "src").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    source, functions = Path("src/sets.rs"), {"rook": "Sets::rook"}
    with pytest.raises(InputError) as refused:
        certified(source, functions=functions)
    error = error_with_advice(refused.value, question_of((source,), {"functions": functions}), 1)
    command = error.problems[-1].message.partition("tells: ")[2]
    assert command == "magicert verify src/sets.rs --function 'rook=SETS.rook(square, occupied)'"


def test_what_is_left_of_a_crate_is_compiled_once(tmp_path, monkeypatch):
    source, made = _crate(tmp_path, {"lib.rs": "mod a;", "a.rs": "pub fn one() {}"}) / "a.rs", []
    make = modules.compile_source
    monkeypatch.setattr(modules, "compile_source", lambda *a, **k: made.append(a) or make(*a, **k))
    crates = [Crate(source.parent / "lib.rs", {source: text}) for text in ("pub fn two() {}", "")]
    with sources_unchanged():
        for crate in (*crates, *crates):
            modules.compiled((source,), (), "", "", traps=False, crate=crate)
    assert len(made) == len(crates)


@pytest.mark.parametrize("edition", ["2021", "2024"])
def test_calls_with_squares_of_several_types_are_compiled_together(tmp_path, monkeypatch, edition):
    text = (
        "pub static KING: [u64; 64] = [7; 64];\npub static KNIGHT: [u64; 64] = [9; 64];\n"
        "pub struct Sq(pub u8);\n"
        "pub fn rook(x: bool, s: Sq, o: u64) -> u64 { if x { o << s.0 } else { 0 } }\n"
        "pub fn bishop(x: bool, s: u32, o: u64) -> u64 { if x { o << s } else { 0 } }\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    (tmp_path / "Cargo.toml").write_text(f"[package]\nname = 'a'\nedition = '{edition}'\n")
    compiled, run = list[str](), CompilerRun.run

    def counted(given):
        command = run(given)
        compiled.append("once")
        return command

    monkeypatch.setattr(CompilerRun, "run", counted)
    calls = {
        "king": "KING[square]", "knight": "KNIGHT[square]",
        "rook": "rook(true, Sq(square), occupied)", "bishop": "bishop(true, square, occupied)",
    }  # fmt: skip
    names = resolved(question_of((source,), {"functions": calls}), FOREVER)
    assert names.plain.forced.keys() == {*calls.values()}
    assert len(compiled) == 2


GEN = """\
pub struct Gen { north: [u64; 64], more: Vec<u8> }
impl Gen {
    pub fn new() -> Self {
        let mut t = [0u64; 64];
        for s in 0..64usize { let mut n = s + 8; while n < 64 { t[s] |= 1 << n; n += 8; } }
        Gen { north: t, more: vec![1] }
    }
    pub fn north(&self, s: usize, o: u64) -> u64 {
        let (ray, b) = (self.north[s], self.north[s] & o);
        if b == 0 { ray } else { ray & !(!0u64 << b.trailing_zeros() << 1) }
    }
}
"""


def test_an_object_that_is_filled_after_it_is_made(certified, tmp_path):
    """By methods that neither its maker nor another one of them calls."""
    text = (
        "pub struct Gen { north: Vec<u64>, east: Vec<u64>, count: usize }\n"
        "impl Gen {\n"
        "    pub fn new() -> Self { Gen { north: vec![0; 64], east: vec![0; 64], count: 0 } }\n"
        "    fn init_north(&mut self) { for s in 0..64 { let mut n = s + 8;\n"
        "        while n < 64 { self.north[s] |= 1 << n; n += 8; } } }\n"
        "    pub fn init_all(&mut self) { self.init_north(); }\n"
        "    pub fn fill_east(&mut self) { for s in 0..64 { self.east[s] = s as u64; } }\n"
        "    pub fn reset(&mut self) { self.north = vec![7; 64]; }\n"
        "    pub fn build(&mut self, n: usize) { self.count = n; }\n"
        "    pub fn north(&self, s: usize, o: u64) -> u64 {\n"
        "        let (ray, b) = (self.north[s], self.north[s] & o);\n"
        "        if b == 0 { ray } else { ray & !(!0u64 << b.trailing_zeros() << 1) }\n"
        "    }\n}\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    made = "made(Gen::new, Gen::init_all, Gen::fill_east)"
    call = f"{made}.north(square, occupied)"
    question = question_of((source,), {"functions": {"fR": "Gen::north"}})
    command = whole_command(question).partition(" --function ")[2]
    assert command == f"'fR={call}' --init '{made}'"
    assert certified(source, functions={"fR": call}, init=made).verdict == "valid"


@pytest.mark.parametrize(
    ("init", "verdict"), [("init", "unknown"), ("init, fill", "valid"), ("init, spoil", "invalid")]
)
def test_what_is_empty_after_an_init_refutes_nothing(certified, tmp_path, init, verdict):
    """The length of what nobody filled, which its bounds are checked against."""
    text = (
        "static mut T: Vec<u64> = Vec::new();\nstatic mut M: [u64; 64] = [0; 64];\n"
        "pub fn init() { for s in 0..64 { unsafe { M[s] = 1 << s } } }\n"
        "pub fn fill() { for s in 0..64 { unsafe { T.push(1 << s) } } }\n"
        "pub fn spoil() { for s in 1..64 { unsafe { T.push(1 << s) } } }\n"
        "pub fn north(s: u8, o: u64) -> u64 { let (mut r, s) = (0, s as usize);\n"
        "    let mut t = unsafe { T[s] & M[s] };\n"
        "    for _ in 0..7 { t <<= 8; r |= t; t &= !o } r }\n"
    )
    source = _crate(tmp_path, {"lib.rs": text}) / "lib.rs"
    result = certified(source, functions={"fR": "north"}, init=init)
    assert result.verdict == verdict


@pytest.mark.parametrize(("step", "verdict"), [("8", "valid"), ("9", "invalid")])
def test_an_object_that_is_made_once(certified, tmp_path, step, verdict):
    source = _crate(tmp_path, {"lib.rs": GEN.replace("n += 8", f"n += {step}")}) / "lib.rs"
    call, init = "made(Gen::new).north(square, occupied)", "made(Gen::new)"
    result = certified(source, functions={"fR": call}, init=init)
    assert result.verdict == verdict
    question = question_of((source,), {"functions": {"fR": "Gen::north"}})
    command = whole_command(question).partition(" --function ")[2]
    assert command == f"'fR={call}' --init '{init}'"
