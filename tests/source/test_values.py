"""What an item of a list comes to in its language: a number, or not known, or refused."""

from pathlib import Path

import pytest

from magicert.verify.source.lists import read_sources

M = 0x1040200040100048
WORD = 0x8A08C0010C10040040400004140_0A40
NOT_KNOWN, REFUSED = None, "refused"

CASES = [
    # file, item, what stands before the list, what it comes to
    ("a.c", "0x1040200040100048ULL", "", M),
    ("a.c", "~0x5ULL", "", 2**64 - 6),
    ("a.c", "(0x10402000ULL << 32) | 0x40100048", "", M),
    ("a.c", "((U64)0x10402000 << 32) + 0x40100048", "typedef unsigned long long U64;", M),
    ("a.c", "(uint64_t)-1LL", "", 2**64 - 1),
    ("a.c", "0x10402000 << 32", "", NOT_KNOWN),  # a shift of an int by its width
    ("a.c", "C64(0x1040200040100048)", "#define C64(x) x##ULL", M),
    ("a.c", "N(5)", "#define N(x) (~(x) & 0xffULL)", 0xFA),
    ("a.c", "M0", "#define M0 0x1040200040100048ULL", M),
    ("a.c", "SIX + 1", "enum { FIVE = 5, SIX };", 7),
    ("a.c", "M0", "extern U64 M0;", NOT_KNOWN),
    ("a.c", "M0", "#define M0 1\n#define M0 2", NOT_KNOWN),
    ("a.cpp", "0x1040'2000'4010'0048", "", M),
    ("a.cpp", "U64{0x1040200040100048}", "", M),
    ("a.cpp", "static_cast<uint32_t>(0x1040200040100048)", "", 0x40100048),
    ("a.cpp", "0x12_bb", "", REFUSED),
    ("a.cpp", "0x11040200040100048", "", REFUSED),
    ("a.rs", "!0x5", "", 2**64 - 6),
    ("a.rs", "0x1040_2000_4010_0048_u64", "", M),
    ("a.rs", "u64::from(0x10402000u32) << 32", "", 0x1040200000000000),
    ("a.rs", "0x10402000u32 << 32", "", NOT_KNOWN),
    ("a.rs", "X", "const X: u64 = 64 - 12;", 52),
    ("a.go", "^0x5", "", -6),
    ("a.go", "uint64(0x1040200040100048)", "", M),
    ("a.java", "-1L", "", -1),
    ("a.java", "0x1040200040100048", "", REFUSED),  # no int is so large
    ("a.java", "1 << 33L", "", NOT_KNOWN),
    ("a.cs", "~5UL", "", 2**64 - 6),
    ("a.js", "0x1040200040100048n", "", M),
    ("a.js", "0x1040200040100049", "", REFUSED),  # a double makes another number of it
    ("a.js", "0x1040200040100000", "", 0x1040200040100000),
    ("a.ts", 'BigInt("0x1040200040100048")', "", M),
    ("a.py", "np.uint64(0x1040_2000_4010_0048)", "", M),
    ("a.zig", "@as(u64, 0x1040200040100048)", "", M),
    ("a.zig", "~@as(u64, 5)", "", 2**64 - 6),
    ("a.nim", "0x1040200040100048'u64", "", M),
    ("a.pas", "$1040200040100048", "", M),
    ("a.adb", "16#1040_2000_4010_0048#", "", M),
    ("a.lua", "1172063850463756360ULL", "", 1172063850463756360),
    ("a.lua", "11720638504637563600", "", REFUSED),
    ("a.ml", "0x1040200040100048L", "", M),
]

FRAMES = {
    ".c": "const unsigned long long a[16] = {{{}}};",
    ".cpp": "constexpr std::array<std::uint64_t, 16> a = {{{}}};",
    ".rs": "const A: [u64; 16] = [{}];",
    ".go": "var a = [16]uint64{{{}}}",
    ".java": "class X {{ static final long[] A = {{{}}}; }}",
    ".cs": "class X {{ static ulong[] A = {{{}}}; }}",
    ".js": "const a = [{}];",
    ".ts": "const a = [{}];",
    ".py": "a = [{}]",
    ".zig": "const a = [_]u64{{{}}};",
    ".nim": "const a: array[16, uint64] = [{}]",
    ".pas": "const A: array[0..15] of QWord = ({});",
    ".adb": "A : constant T := ({});",
    ".lua": "a = {{{}}}",
    ".ml": "let a = [|{}|]",
}


@pytest.mark.parametrize(("file", "item", "head", "expected"), CASES)
def test_what_an_item_comes_to(file, item, head, expected):
    frame, separator = FRAMES[Path(file).suffix], "; " if file == "a.ml" else ", "
    text = f"{head}\n{frame.format(separator.join([item] * 16))}\n"
    ((source,),) = read_sources([(Path(file), text.encode())])
    (found,) = source.lists
    numbers = list(found.row.flat())
    assert len(numbers) == 16
    if expected == REFUSED:
        assert all(number.problem for number in numbers)
    else:
        assert {number.value for number in numbers} == {expected}
        assert not any(number.problem for number in numbers if expected is not None)


WIDE = [
    ("a.h", "B({h}, {l})", "#define B(h, l) ((Bitboard(h) << 64) | Bitboard(l))", False),
    ("a.h", "B({l}, {h})", "#define B(l, h) ((u128)h##ULL << 64) + l##ULL", False),
    ("a.cpp", "{{ {h}, {l} }}", "", True),
    ("a.cpp", "((unsigned __int128){h} << 64) | {l}", "", False),
    ("a.c", "((BB){h} << 64) | {l}", "typedef unsigned __int128 BB;", False),
    ("a.c", "((BB){h} << 64) | {l}", "typedef unsigned long long BB;", None),
    ("a.rs", "u128::from({h}u64) << 64 | u128::from({l}u64)", "", False),
    ("a.rs", "({h}u64 as u128) << 64 | {l}", "", False),
    ("a.rs", "({h}u64) << 64 | {l}", "", None),
    ("a.cs", "new UInt128({h}, {l})", "", True),
]


@pytest.mark.parametrize(("file", "item", "head", "pair"), WIDE)
def test_numbers_of_128_bits(file, item, head, pair):
    """`pair`: two halves, which the numbers tell apart; None: the language makes no such number."""
    high, low = WORD >> 64, WORD & (1 << 64) - 1
    own = item.format(h=f"{high:#x}", l=f"{low:#x}")
    frame = {".h": "const Bitboard a[16] = {{{}}};", ".c": "const BB a[16] = {{{}}};",
             ".cpp": "const Bitboard a[16] = {{{}}};"}.get(Path(file).suffix)  # fmt: skip
    frame = frame or FRAMES[Path(file).suffix].replace("u64", "u128").replace("ulong", "UInt128")
    text = f"{head}\n{frame.format(', '.join([own] * 16))}\n"
    ((source,),) = read_sources([(Path(file), text.encode())], 128)
    values = source.lists[0].values()
    if pair:
        assert values == [high, low] * 16
    else:
        assert set(values) == {None if pair is None else WORD}
