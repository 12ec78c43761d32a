"""Crates of a registry that are not here, and what stands in for them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from magicert import InputError
from magicert.functions.advice.answers import with_advice
from magicert.functions.compile import stand_ins
from magicert.functions.compile.broken_crates import crate_of
from magicert.functions.compile.compilers import compiler_for
from magicert.functions.compile.stand_ins import FOLDER, StandIn, stand_in_flags, stand_ins_for
from magicert.functions.listing import listing
from magicert.functions.question import question_of
from magicert.system.deadline import FOREVER

pytestmark = pytest.mark.skipif(not shutil.which("rustc"), reason="no compiler of Rust")
USES = """\
use anyhow::{anyhow, bail, ensure, Context, Result};
use arrayvec::ArrayVec;
use bitintr::*;
use colored::Colorize;
use rand::{rngs::SmallRng, seq::SliceRandom, Rng, SeedableRng};
use smallvec::{smallvec, SmallVec};
lazy_static::lazy_static! {
    /// Made once.
    pub static ref T: [u64; 4] = { let mut r = SmallRng::seed_from_u64(3); [0; 4].map(|_: u8| r.gen()) };
    static ref U: Vec<u8> = vec![1];
}
static V: once_cell::sync::Lazy<Vec<u8>> = once_cell::sync::Lazy::new(|| vec![2]);
bitflags::bitflags! {
    #[derive(Debug)]
    pub struct C: u8 { const A = 1; const B = 2; const AB = Self::A.bits() | Self::B.bits(); }
}
cfg_if::cfg_if! {
    if #[cfg(target_os = "none")] { fn which() -> u8 { 1 } }
    else if #[cfg(not(target_os = "none"))] { fn which() -> u8 { 2 } }
    else { fn which() -> u8 { 3 } }
}
#[static_init::dynamic]
pub(crate) static W: Vec<u8> = vec![3; 2];
#[ctor::ctor]
static X: Vec<u8> = vec![4];
#[ctor::ctor]
unsafe fn fills() { unsafe { Y = 5 } }
static mut Y: u8 = 0;
paste::paste! {
    fn [<get_ File:lower _ 2>]() -> [u8; 2] { [1, [<W>][0]] }
    mod inside { pub const [<RookMask:snake:upper>]: u8 = 4; }
    #[allow(non_camel_case_types)] struct [<rook_set:camel>];
}
static_assertions::const_assert!(1 < 2);
static_assertions::const_assert_eq!(1, 1);
fn number(text: &str) -> Result<u8> {
    ensure!(text.len() > 1, "{} is short", text);
    if text == "no" { bail!("no {text}") }
    let n: u8 = text.parse().context("a number")?;
    text.parse::<u8>().map_err(|e| anyhow!(e))?;
    Ok(n)
}
fn main() {
    lazy_static::initialize(&T);
    assert!(T[0] != T[1] && U[0] == 1 && V[0] == 2 && which() == 2);
    assert_eq!(number("12").unwrap(), 12);
    assert!(["no", "x", "zz"].iter().all(|one| number(one).is_err()));
    let mut v: ArrayVec<u8, 8> = (0..5).collect();
    v.remove(1);
    v.insert(0, 9);
    v.swap_remove(1);
    assert_eq!(v[..], [9, 4, 2, 3]);
    v.retain(|n| *n != 4);
    let mut rest = v.clone().into_iter();
    assert_eq!((rest.next_back(), rest.next(), rest.next(), rest.next()), (Some(3), Some(9), Some(2), None));
    while v.try_push(7).is_ok() {}
    assert_eq!(v.len(), 8);
    let w: SmallVec<[u8; 2]> = smallvec![1, 2, 3];
    assert_eq!(w.iter().sum::<u8>(), 6);
    assert!(C::AB.contains(C::A) && (C::A | C::B) == C::all() && !C::A == C::B && C::from_bits(4).is_none());
    assert_eq!(itertools::iproduct!(0..2, 0..3).last(), Some((1, 2)));
    assert_eq!((0b1010u64.pext(0b1110), 0b101u64.pdep(0b1110), u64::MAX.pext(u64::MAX)), (5, 10, u64::MAX));
    let mut all = vec![1, 2, 3];
    all.shuffle(&mut rand::thread_rng());
    all.sort();
    assert_eq!(all, [1, 2, 3]);
    assert!((3..=7).contains(&rand::thread_rng().gen_range(3..=7)));
    assert_eq!("a".red().to_string(), "a");
    assert_eq!(array_init::array_init::<usize, 2, _>(|n| n + 1), [1, 2]);
    log::info!("{}", 3);
    let mut by = fastrand::Rng::with_seed(7);
    assert!(by.u64(..) != by.u64(..) && (3..5).contains(&by.usize(3..5)) && fastrand::u8(9..=9) == 9);
    let most = nonmax::NonMaxU8::new(254).unwrap();
    assert!(most.get() == 254 && nonmax::NonMaxU8::new(255).is_none() && most > nonmax::NonMaxU8::ZERO);
    assert_eq!(std::mem::size_of::<Option<nonmax::NonMaxU8>>(), 1);
    let RookSet = RookSet;
    unsafe { fills() };
    assert!(X[0] == 4 && unsafe { Y } == 5);
    assert_eq!((get_file_2(), inside::ROOK_MASK, W.len()), ([1, 3], 4, 2));
    assert_eq!(bytemuck::cast_slice::<u64, [u8; 4]>(&[1, 2])[2], [2, 0, 0, 0]);
    assert!(bytemuck::try_cast_slice::<u8, u64>(&[0; 7]).is_err() && bytemuck::bytes_of(&7u16) == [7, 0]);
    assert!(bytemuck::cast::<u64, [u32; 2]>(1 << 32) == [0, 1] && bytemuck::zeroed::<u8>() == 0);
    const N: [u8; 8] = bytemuck::must_cast(3u64);
    assert_eq!(N[0], bytemuck::pod_read_unaligned::<u8>(&[3]));
    use itertools::Itertools;
    assert_eq!((0..2).cartesian_product(0..2).map(|(a, b)| a * 2 + b).join(","), "0,1,2,3");
    assert_eq!(vec![2, 1].into_iter().sorted().collect_vec(), [1, 2]);
}
"""
LAZY = """\
use lazy_static::lazy_static;
mod data {
    use lazy_static::lazy_static;
    lazy_static! {
        pub static ref NORTH: [u64; 64] = { let mut t = [0u64; 64];
        for s in 0..64 { let mut n = s + 8; while n < 64 { t[s] |= 1 << n; n += 8; } } t };
    }
}
lazy_static! { static ref UNUSED: u64 = 7; }
pub fn north(s: u8, o: u64) -> u64 {
    let (ray, b) = (data::NORTH[s as usize], data::NORTH[s as usize] & o);
    if b == 0 { ray } else { ray & !(!0u64 << b.trailing_zeros() << 1) }
}
"""


def _crate(folder: Path, text: str, *needs: str) -> Path:
    (folder / "src").mkdir()
    lines = "".join(f"{one}\n" for one in needs)
    manifest = f"[package]\nname = 'a'\nedition = '2021'\n[dependencies]\n{lines}"
    (folder / "Cargo.toml").write_text(manifest, "utf-8")
    (folder / "src" / "lib.rs").write_text(text, "utf-8")
    return folder / "src" / "lib.rs"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.rs")), ids=lambda file: file.stem)
def test_each_compiles(file):
    assert len(stand_in_flags([StandIn(file.stem, file.stem, "1")], compiler_for("rust"))) == 4


@pytest.mark.skipif(not shutil.which("cc"), reason="no linker")
def test_they_do_what_their_crates_do(tmp_path):
    names = {*stand_ins.re.findall(r"\b([a-z]\w+)(?:::|!)", USES)}
    each = [StandIn(one, one, "1") for one in names if (FOLDER / f"{one}.rs").is_file()]
    assert len(each) > 13
    source, program = tmp_path / "uses.rs", tmp_path / "uses"
    source.write_text(USES, "utf-8")
    rustc = compiler_for("rust")
    command = [*rustc.command, "--edition=2021", str(source), "-o", str(program)]
    subprocess.run([*command, *stand_in_flags(each, rustc)], check=True)
    subprocess.run([str(program)], check=True)


def test_those_are_taken_that_a_crate_names_and_uses(tmp_path):
    source = _crate(
        tmp_path, "use flags::bitflags; use rand::Rng; use lazy_static as l;", "log = '1'",
        "flags = { package = 'bitflags', version = '1.3' }", "rand = { path = 'rand' }",
        "lazy_static = '1'", "unknown = '1'",
    )  # fmt: skip
    flags = "--extern", "lazy_static=x.rlib"
    assert stand_ins_for(source, flags) == [StandIn("flags", "bitflags", "1")]


def test_a_table_that_is_made_at_its_first_use(certified, tmp_path):
    source = _crate(tmp_path, LAZY, "lazy_static = '1.4'")
    open_result = certified(source, functions={"fR": "north"})
    assert open_result.verdict == "unknown"
    question = question_of((source,), {"functions": {"fR": "north"}})
    command = with_advice(open_result, question, 60).advice
    init = "lazy_static::initialize(&data::NORTH)"
    assert f"--init '{init}'" in command
    result = certified(source, functions={"fR": "north"}, init=init)
    assert result.verdict == "valid"
    assert "the crates lazy_static do what magicert's stand-ins do" in " ".join(result.assumed)
    assert "stand-ins for lazy_static" in result.command
    assert "magicert-" not in result.command


def test_a_static_that_an_attribute_makes_lazily(certified, tmp_path):
    text = (
        "use static_init::dynamic;\n#[dynamic]\nstatic NORTH: Box<[u64; 64]> = { let mut t = [0u64; 64];\n"
        "for s in 0..64 { let mut n = s + 8; while n < 64 { t[s] |= 1 << n; n += 8; } } Box::new(t) };\n"
        "pub fn north(s: u8, o: u64) -> u64 { let (ray, b) = (NORTH[s as usize], NORTH[s as usize] & o);\n"
        "if b == 0 { ray } else { ray & !(!0u64 << b.trailing_zeros() << 1) } }\n"
    )
    source = _crate(tmp_path, text, "static_init = '1'")
    question = question_of((source,), {"functions": {"fR": "north"}})
    command = with_advice(certified(source, functions={"fR": "north"}), question, 60).advice
    init = "std::ops::Deref::deref(&NORTH)"
    assert f"--init '{init}'" in command
    assert certified(source, functions={"fR": "north"}, init=init).verdict == "valid"


def test_no_stand_in_accuses_anybody(certified, tmp_path):
    source = _crate(tmp_path, LAZY.replace("n += 8", "n += 9"), "lazy_static = '1.4'")
    init = "lazy_static::initialize(&data::NORTH)"
    result = certified(source, functions={"fR": "north"}, init=init)
    assert result.verdict == "unknown"
    assert "stand-ins for lazy_static" in result.functions[0].squares[0].message


def test_what_a_stand_in_has_not_is_left_out(certified, tmp_path):
    text = (
        "use rand::Rng; use anyhow::Chain;\n"
        "pub fn other(c: Chain) -> usize { c.len() }\n"
        "pub fn king(s: u8) -> u64 { rand::nothing_of_it(s) }\n"
    )
    source = _crate(tmp_path, text, "anyhow = '1'", "rand = '0.8'")
    with pytest.raises(InputError, match="needs this"):
        certified(source, functions={"king": "king"})


DERIVES = """\
use bytemuck::{Pod, Zeroable};
use derive_more::{BitAnd, BitOrAssign, Deref, From, Into, Not, Shl};
use num_derive::{FromPrimitive, ToPrimitive};
use num_enum::{IntoPrimitive, TryFromPrimitive};
use num_traits::{FromPrimitive as _, ToPrimitive as _};
use strum::{EnumCount as _, IntoEnumIterator};
use strum_macros::{EnumCount, EnumIter};
#[derive(Clone, Copy, PartialEq, EnumIter, EnumCount, FromPrimitive, ToPrimitive)]
#[strum(serialize_all = "snake_case")]
pub enum File { A, B = 4, C }
#[derive(Clone, Copy, PartialEq, TryFromPrimitive, IntoPrimitive)]
#[repr(u8)]
pub enum Rank { One, Two }
#[derive(Clone, Copy, PartialEq, BitAnd, BitOrAssign, Deref, From, Into, Not, Shl)]
pub struct Set(pub u64);
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Two([u32; 2]);
#[derive(Clone, Copy, bytemuck::AnyBitPattern)]
pub struct Some2(u8, u8);
mod inside {
    #[derive(derive_more::BitXor)]
    pub(super) struct Named { pub(super) bits: u64 }
}
pub fn king(_: u8) -> u64 {
    let mut set = Set::from(1);
    set |= !Set(2) & Set(12) << 1u32;
    let named = (inside::Named { bits: 1 } ^ inside::Named { bits: 3 }).bits;
    let files: u64 = File::iter().rev().map(|one| one.to_u64().unwrap()).sum();
    let right = bytemuck::cast::<u64, Two>(1 << 33).0 == [0, 2] && bytemuck::zeroed::<Some2>().1 == 0
        && u64::from(set) == 25 && *set == 25 && named == 2 && files == 9 && File::COUNT == 3
        && File::from_u8(5) == Some(File::C) && File::from_i32(1).is_none()
        && Rank::try_from(1) == Ok(Rank::Two) && Rank::try_from(2).is_err() && u8::from(Rank::Two) == 1;
    right as u64
}
"""


def test_derives_are_written_beside_their_types(tmp_path):
    needs = (
        "bytemuck",
        "derive_more",
        "num_derive",
        "num_enum",
        "num_traits",
        "strum",
        "strum_macros",
    )
    text = DERIVES.replace("TryFromPrimitive, Into", "TryFromPrimitive, Debug, Into")
    source = _crate(tmp_path, text, *(f"{one} = '1'" for one in needs))
    crate = crate_of(source, (), "", "", FOREVER)
    assert crate.left_out == ()
    program, main = tmp_path / "main", tmp_path / "main.rs"
    main.write_text(f"{crate.texts[source]}\nfn main() {{ assert_eq!(king(0), 1) }}", "utf-8")
    rustc = compiler_for("rust")
    command = [*rustc.command, "--edition=2021", str(main), "-o", str(program)]
    subprocess.run([*command, *stand_in_flags(crate.stand_ins, rustc)], check=True)
    subprocess.run([str(program)], check=True)


def test_a_derive_that_nothing_here_knows_is_left_out(tmp_path):
    text = (
        "use derive_more::{Add, Display};\n#[derive(Add)] pub struct Two(u8, u8);\n"
        "#[derive(Display)] pub struct One(u8);\n"
        "pub fn sum(a: Two, b: Two) -> Two { a + b }\npub fn king() -> u64 { 1 }\n"
    )
    source = _crate(tmp_path, text, "derive_more = '1'")
    crate = crate_of(source, (), "", "", FOREVER)
    assert [one.partition(" ")[0] for one in crate.left_out] == ["sum"]


def test_a_derive_among_what_a_macro_is_given_goes_without_the_macro(tmp_path):
    text = (
        "use strum_macros::{Display, EnumIter};\n"
        "macro_rules! squares { ($(#[$m:meta])* enum $n:ident { $($(#[$v:meta])* $c:ident),* }) => "
        "{ $(#[$m])* pub enum $n { $($(#[$v])* $c),* } } }\n"
        'squares! { #[derive(Clone, Display, Copy, EnumIter)] #[strum(serialize_all = "lowercase")] '
        'enum Square { #[strum(serialize = "A")] A1, B1 } }\n'
        "pub fn all() -> usize { Square::iter().count() }\n"
        "pub fn king(s: Square) -> u64 { let t = s; (t as u64) << (s as u64) }\n"
    )
    source = _crate(tmp_path, text, "strum_macros = '0.26'")
    crate = crate_of(source, (), "", "", FOREVER)
    assert [one.partition(" ")[0] for one in crate.left_out] == ["all"]


def test_a_crate_that_asks_for_a_nightly_compiler(certified, tmp_path):
    text = (
        "#![feature(generic_const_exprs)]\n#![allow(incomplete_features)]\n"
        "pub struct Map<const N: usize>([u64; N + 1]) where [(); N + 1]:;\n"
        "pub fn north(s: u8, o: u64) -> u64 { let (mut r, mut t) = (0, s as u32 + 8);\n"
        "let steps = Map::<7>([8; 8]);\n"
        "while t < 64 { r |= 1 << t; if o >> t & 1 == 1 { break } t += steps.0[7] as u32 } r }\n"
    )
    source = _crate(tmp_path, text)
    result = certified(source, functions={"fR": "north"})
    assert result.verdict == "valid"
    assert result.command.startswith("RUSTC_BOOTSTRAP=1 rustc ")


def test_what_stand_ins_have_a_part_in_is_not_refuted(certified, tmp_path):
    text = "use bitintr::Pdep;\npub fn rook(_s: u8, o: u64) -> u64 { o.pdep(1) }\n"
    source = _crate(tmp_path, text, "bitintr = '0.3'")
    result = certified(source, functions={"rook": "rook"})
    assert result.verdict == "unknown"
    (hint,) = {square.message.partition(", with")[2] for square in result.functions[0].findings}
    assert "--extern bitintr" in hint


def test_what_they_have_no_part_in_is_refuted_without_them(certified, tmp_path):
    text = "use bitintr::Pdep;\npub fn f(o: u64) -> u64 { o.pdep(1) }\n"
    text += "pub fn rook(_s: u8, o: u64) -> u64 { o & 1 }\n"
    source = _crate(tmp_path, text, "bitintr = '0.3'")
    result = certified(source, functions={"rook": "rook"})
    assert result.verdict == "invalid"
    assert not any("stand-ins" in one for one in result.assumed)


def test_tables_of_random_numbers_are_not_known(certified, tmp_path):
    text = "use std::sync::OnceLock;\nuse rand::{rngs::StdRng, Rng, SeedableRng};\n"
    text += "static T: OnceLock<[u64; 64]> = OnceLock::new();\n"
    text += "pub fn fill() { T.get_or_init(|| { let n = GIVEN | 1; let mut t = [0; 64]; "
    text += "for s in 0..56usize { t[s] = (n & 1) << (s + 8); } t[63] = n; t }); }\n"
    text += "pub fn step(s: u8) -> u64 { let t = T.get().unwrap(); t[s as usize] ^ (t[63] & 2) }\n"
    given = {"rand::thread_rng().gen::<u64>()": "unknown"}
    given["(StdRng::seed_from_u64(1).gen::<u64>() & !2)"] = "valid"
    given["fastrand::Rng::new().u64(..)"] = "unknown"
    for number, (numbers, verdict) in enumerate(given.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        source = _crate(folder, text.replace("GIVEN", numbers), "rand = '0.8'", "fastrand = '2'")
        result = certified(source, functions={"fW": "step"}, init="fill")
        assert result.verdict == verdict
        assert "random numbers are others" in " ".join(result.assumed)


def test_what_one_function_lacks_hides_no_proof_of_another(certified, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = _crate(
        tmp_path,
        "pub fn king_attacks(s: u8) -> u64 { let k = 1u64 << s;\n"
        "    let b = (k << 1 & !0x0101010101010101) | (k >> 1 & !0x8080808080808080);\n"
        "    ((k | b) << 8) | ((k | b) >> 8) | b }\n"
        "pub fn knight_attacks(s: u8) -> u64 { nothing_of_it(s) }\n",
    )
    asked = listing(question_of((source,), {"functions": {"rook": "any"}}))
    assert sorted(one.key for one in asked.found) == ["king", "knight"]
    assert [one.key for one in asked.asking.functions] == ["king"]
    result = certified(source, functions={"king": "king_attacks", "knight": "knight_attacks"})
    assert [one.verdict for one in result.functions] == ["valid", "unknown"]
    with pytest.raises(InputError, match="needs this"):
        certified(source, functions={"knight": "knight_attacks"})
