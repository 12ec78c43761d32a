"""Numbers of 128 bits in source: what macros, functions, casts and literals come to."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.verify.source.languages.language import language_of
from magicert.verify.source.text.lexing import lex
from magicert.verify.source.text.tokens import tokenize
from magicert.verify.source.text.tree import nest
from magicert.verify.source.values.definitions import Definitions
from magicert.verify.source.values.leaf import Leaf
from magicert.verify.source.values.reader import Reader

H, L = 0x4040_0004_1400_0A40, 0x8A08_C001_0C10_0400
WORD = H << 64 | L
WHOLE = (1 << 128) - 1


def value(file, item, head=""):
    """What an item comes to in a source that begins with `head`."""
    language = language_of(Path(file))
    text = f"{head}\n{item}"
    known = Definitions(language, {}, text, 128, lambda: lex(text, language, whole=True).text)
    tokens = tokenize(lex(item, language, whole=True), language)
    return Reader(known).value(nest(tokens).elements)


RIGHT = {
    "c macro": ("a.h", f"B({H:#x}, {L:#x})", "#define B(h, l) (Bitboard(h) << 64) ^ Bitboard(l)"),
    "swapped": ("a.h", f"B({L:#x}, {H:#x})", "#define B(l, h) (Bitboard(h) << 64) | Bitboard(l)"),
    "pasted": ("a.h", f"B({H:#x}, {L:#x})", "#define B(h, l) (((u128)h##ULL << 64) | l##ULL)"),
    "macro of a macro": ("a.h", f"B({H:#x}, {L:#x})",
                         "#define U(x) ((__uint128_t)(x))\n#define B(h, l) (U(h) << 64 | U(l))"),
    "sum": ("a.h", f"B({H:#x}ULL, {L:#x}ULL)", "#define B(h, l) ((__int128)(h) << 64) + (l)"),
    "function": ("a.cpp", f"bb({H:#x}, {L:#x})",
                 "Bitboard bb(uint64_t h, uint64_t l) { return (Bitboard(h) << 64) | l; }"),
    "constructor": ("a.cpp", f"Board({L:#x}, {H:#x})",
                    "class Board { public: Board(uint64_t lowHalf, uint64_t highHalf); };"),
    "cast": ("a.c", f"((unsigned __int128){H:#x} << 64) | {L:#x}", ""),
    "typedef": ("a.c", f"((BB){H:#x} << 64) | {L:#x}", "typedef unsigned __int128 BB;"),
    "static_cast": ("a.cpp", f"static_cast<__uint128_t>({H:#x}) << 64 | {L:#x}", ""),
    "rust literal": ("a.rs", f"{WORD:#x}", ""),
    "rust suffix": ("a.rs", f"{WORD:#x}_u128", ""),
    "rust from": ("a.rs", f"u128::from({H:#x}u64) << 64 | u128::from({L:#x}u64)", ""),
    "rust as": ("a.rs", f"({H:#x}u64 as u128) << 64 | {L:#x}", ""),
    "c# constructor": ("a.cs", f"new UInt128({H:#x}, {L:#x})", ""),
    "c# function": ("a.cs", f"B({H:#x}, {L:#x})",
                    "static UInt128 B(ulong h, ulong l) => new UInt128(h, l);"),
    "zig": ("a.zig", f"b({H:#x}, {L:#x})",
            "fn b(h: u64, l: u64) u128 { return (@as(u128, h) << 64) | l; }"),
    "javascript": ("a.js", f"{WORD:#x}n", ""),
    "javascript function": ("a.js", f"b({H:#x}n, {L:#x}n)", "const b = (h, l) => (h << 64n) | l;"),
    "java": ("a.java", f'new BigInteger("{WORD:x}", 16)', ""),
    "python": ("a.py", f"b({H:#x}, {L:#x})", "def b(h, l):\n    return h << 64 | l"),
    "nim": ("a.nim", f"b({H:#x}, {L:#x})",
            "template b(h, l: uint64): UInt128 = (h.u128 shl 64) or l.u128"),
    "abseil": ("a.cpp", f"absl::MakeUint128({H:#x}, {L:#x})", ""),
}  # fmt: skip

WRONG = {
    "no cast": ("a.c", f"({H:#x}ULL << 64) | {L:#x}", ""),
    "no cast in a macro": ("a.c", f"B({H:#x}ULL, {L:#x})", "#define B(h, l) ((h << 64) | l)"),
    "cast behind the shift": ("a.c", f"(__int128)({H:#x}ULL << 64) | {L:#x}", ""),
    "an alias of 64 bits": ("a.c", f"((BB){H:#x} << 64) | {L:#x}", "typedef uint64_t BB;"),
    "rust's suffix": ("a.rs", f"({H:#x}u64 << 64) | {L:#x}", ""),
    "a literal that C has not": ("a.c", f"{WORD:#x}", ""),
    "an unknown function": ("a.h", f"B({H:#x}, {L:#x})", "#define B(h, l) mix(h, l)"),
    "work inside": ("a.h", f"B({H:#x}, {L:#x})",
                    "Bitboard B(u64 h, u64 l) { h ^= 5; return (Bitboard(h) << 64) | l; }"),
    "no brackets around": ("a.h", f"~B({H:#x}, {L:#x})",
                           "#define B(h, l) (Bitboard(h) << 64) ^ Bitboard(l)"),
    "two definitions": ("a.h", f"B({H:#x}, {L:#x})",
                        "#define B(h, l) (Bitboard(h) << 64) ^ Bitboard(l)\n#undef B\n"
                        "#define B(h, l) (Bitboard(l) << 64) ^ Bitboard(h)"),
    "exchanged members": ("a.cpp", f"Board({H:#x}, {L:#x})",
                          "struct Board { u64 hi, lo; Board(u64 h, u64 l) : hi(l), lo(h) {} };"),
    "a changed half": ("a.cpp", f"Board({H:#x}, {L:#x})",
                       "struct Board { u64 b[2]; Board(u64 hi, u64 lo) : b{hi ^ KEY, lo} {} };"),
    "a changed half in a body": ("a.cpp", f"Board({H:#x}, {L:#x})",
                                 "class Board { Board(u64 hi, u64 lo) { b[0] = hi + 1; } };"),
    "narrow arguments": ("a.h", f"B({H:#x}, {L:#x})",
                         "Bitboard B(uint32_t h, uint32_t l) { return (Bitboard(h) << 64) | l; }"),
    "a narrow result": ("a.h", f"B({H:#x}, {L:#x})",
                        "uint64_t B(uint64_t h, uint64_t l) { return (Bitboard(h) << 64) | l; }"),
    "a macro of itself": ("a.h", f"B({H:#x}, {L:#x})", "#define B(h, l) B(l, h)"),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_what_a_number_comes_to(name):
    found = value(*RIGHT[name])
    assert isinstance(found, Leaf)
    assert (found.value, found.objection) == (WORD, None)


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_plain_is_not_taken_for_the_number(name):
    found = value(*WRONG[name])
    assert not isinstance(found, Leaf) or found.objection or found.value != WORD


def test_a_type_that_the_source_does_not_define_is_a_guess():
    macro = "#define B(h, l) (Bitboard(h) << 64) ^ Bitboard(l)"
    assert value("a.h", f"B({H:#x}, {L:#x})", macro).guess == "Bitboard = 128 bits"
    known = f"typedef unsigned __int128 Bitboard;\n{macro}"
    assert value("a.h", f"B({H:#x}, {L:#x})", known).guess == ""


NAMES = st.from_regex(r"[A-Z][A-Za-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: not re.search(r"(?i)u?int|long|128|64|32|char|float", name)
)
TERMS = st.sampled_from(
    ["(__uint128_t)({})", "((unsigned __int128){})", "static_cast<__uint128_t>({})", "W({})"]
)


@given(
    name=NAMES,
    parameters=st.permutations(["h", "l", "x1"]),
    high=TERMS,
    low=st.one_of(TERMS, st.just("{}"), st.just("({})")),
    sign=st.sampled_from(["|", "^", "+", "-", "&", "*"]),
    shift=st.integers(0, 127),
    first=st.booleans(),
    outer=st.booleans(),
    halves=st.tuples(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1)),
)
def test_a_macro_is_what_its_body_says(
    name, parameters, high, low, sign, shift, first, outer, halves
):
    """Any body of a shift and an operator: the number that the compiler computes, or none."""
    left = f"({high.format('h')} << {shift})"
    terms = (left, low.format("l")) if first else (low.format("l"), left)
    body = f" {sign} ".join(terms)
    body = f"({body})" if outer else body
    head = f"typedef unsigned __int128 W;\n#define {name}({', '.join(parameters)}) {body}"
    given_ = {"h": halves[0], "l": halves[1], "x1": 7}
    arguments = ", ".join(f"{given_[p]:#x}ULL" for p in parameters)
    found = value("a.cpp", f"{name}({arguments})", head)
    shifted = (halves[0] << shift) & WHOLE
    a, b = (shifted, halves[1]) if first else (halves[1], shifted)
    expected = {"|": a | b, "^": a ^ b, "+": a + b, "-": a - b, "&": a & b, "*": a * b}[sign]
    assert isinstance(found, Leaf)
    assert found.objection is not None or found.value & WHOLE == expected & WHOLE
    if sign in "|^" and name != "W":
        assert found.objection is None
