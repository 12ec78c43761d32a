"""Notations one by one: each source is built here from the numbers of one table."""

import random
from pathlib import Path

import pytest

from magicert.board import WORD, Piece, mask
from magicert.verify.source.readings.judge import judge
from magicert.verify.source.readings.pins import Pins


@pytest.fixture
def bbc(shipped):
    table = shipped("bbc")
    return {piece: table.pieces[piece].parameters["magic"] for piece in Piece}


def read(name, text, pins=None):
    return judge([(Path(name), text.encode())], pins)


def joined(items, sign=", "):
    return sign.join(items)


def check(judgement, expected):
    assert judgement.verdict == "valid"
    assert len(judgement.valid) == 1
    found = judgement.valid[0].table.pieces
    for piece, magics in expected.items():
        assert found[piece].parameters["magic"] == magics


SPELLINGS = {
    "casts.c": lambda m: f"(uint64_t) 0x{m:x}",
    "macro.c": lambda m: f"UINT64_C(0x{m:X})",
    "octal.c": lambda m: f"0{m:o}ULL",
    "binary.cpp": lambda m: f"0b{m:b}ULL",
    "user.cpp": lambda m: f"0x{m:x}_bb",
    "two_words.c": lambda m: f"0x{m >> 32:x}ULL << 32 | 0x{m & 0xFFFFFFFF:x}",
    "constructor.c": lambda m: f"MAKE64(0x{m >> 32:x}, 0x{m & 0xFFFFFFFF:x})",
    "static_cast.hpp": lambda m: f"static_cast<U64>(0x{m:x})",
    "new.rs": lambda m: f"Bitboard::new(0x{m:x}_u64)",
    "as.rs": lambda m: f"0x{m:x} as u64",
    "parse.java": lambda m: f'Long.parseUnsignedLong("{m:016x}", 16)',
    "parse10.java": lambda m: f'Long.parseUnsignedLong("{m}")',
    "text.ts": lambda m: f'"0x{m:x}"',
    "bare_hex.json": lambda m: f'"{m:016x}"',
    "as_uint.js": lambda m: f"BigInt.asUintN(64, {m - (m >> 63 << 64)}n)",
    "long.js": lambda m: f"Long.fromBits({m & 0xFFFFFFFF}, {m >> 32})",
    "signed_words.js": lambda m: f"[{signed32(m)}, {signed32(m >> 32)}]",
    "objects.js": lambda m: f"{{hi: 0x{m >> 32:x}, lo: 0x{m & 0xFFFFFFFF:x}}}",
    "method.kt": lambda m: f"0x{m:x}.toULong()",
    "as.zig": lambda m: f"@as(u64, 0x{m:x})",
    "kind.f90": lambda m: f"int(Z'{m:X}', 8)",
    "basic.vb": lambda m: f"&H{m:X}UL",
    "underscores.d": lambda m: f"0x{m:_X}UL",
    "based.adb": lambda m: f"16#{m:X}#",
    "negative_hex.kt": lambda m: f"{'-' if m >> 63 else ''}0x{abs(m - (m >> 63 << 64)):x}L",
    "unary.scala": lambda m: f"{m - (m >> 63 << 64)}L",
    "conversion.go": lambda m: f"uint64(0x{m:x})",
    "initialiser.swift": lambda m: f"Bitboard(rawValue: 0x{m:x})",
    "parsed.dart": lambda m: f'BigInt.parse("0x{m:x}")',
    "quoted.scala": lambda m: f'BigInt("{m}")',
    "annotated.hs": lambda m: f"(0x{m:x} :: Word64)",
    "call.jl": lambda m: f"UInt64(0x{m:x})",
    "tonumber.lua": lambda m: f'tonumber("0x{m:x}")',
    "tuple_struct.rs": lambda m: f"Bitboard(0x{m:x})",
    "braces.cpp": lambda m: f"{{0x{m:x}ULL}}",
    "complement.c": lambda m: f"~0x{m ^ (1 << 64) - 1:x}ULL",
    "sum.c": lambda m: f"(0x{m >> 20:x}ULL << 20) + 0x{m & 0xFFFFF:x}",
    "long_suffix.pas": lambda m: f"UInt64(${m:x})",
    "erlang.erl": lambda m: f"16#{m:x}",
    "chars.rb": lambda m: f"0x{m:_x}",
    "numpy.py": lambda m: f"numpy.uint64({m})",
    "hex_text.py": lambda m: f'int("{m:x}", 16)',
    "array_element.odin": lambda m: f"u64(0x{m:x})",
    "hi_lo_call.cs": lambda m: f"Make(0x{m >> 32:x}u, 0x{m & 0xFFFFFFFF:x}u)",
}


def signed32(word):
    word &= 0xFFFFFFFF
    return word - (1 << 32) if word >> 31 else word


@pytest.mark.parametrize("name", SPELLINGS)
def test_spelling_of_a_number(name, bbc):
    lists = [
        f"{piece}_magics = [{joined(map(SPELLINGS[name], magics))}];"
        for piece, magics in bbc.items()
    ]
    check(read(name, "\n".join(lists)), bbc)


LAYOUTS = {
    "flat.c": "U64 magics[128] = {{{rook}, {bishop}}};",
    "anonymous.py": "foo = [{rook}]\nbar = [{bishop}]\n",
    "scopes.cpp": "struct Rook {{ static constexpr U64 MAGICS[64] = {{{rook}}}; }};\n"
    "struct Bishop {{ static constexpr U64 MAGICS[64] = {{{bishop}}}; }};",
    "modules.rs": "mod rook {{ pub const M: [u64; 64] = [{rook}]; }}\n"
    "mod bishop {{ pub const M: [u64; 64] = [{bishop}]; }}",
    "functions.go": "func rookMagics() [64]uint64 {{ return [64]uint64{{{rook}}} }}\n"
    "func bishopMagics() [64]uint64 {{ return [64]uint64{{{bishop}}} }}",
    "two.hs": "rookMagics = V.fromList [{rook}]\n"
    "bishopMagics = V.fromList $ map fromIntegral [{bishop}]",
    "json.json": '{{"rook": [{rook}], "bishop": [{bishop}]}}',
    "members.py": "class M:\n    def __init__(self):\n        self.rook = [{rook}]\n"
    "        self.bishop = [{bishop}]\n",
    "vectors.cpp": "std::vector<uint64_t> rook_magics {{{rook}}};\n"
    "std::vector<uint64_t> bishop_magics{{{bishop}}};",
    "template.cpp": "template<> const std::array<U64, 64> Magic<ROOK>::magics = {{{{{rook}}}}};\n"
    "template<> const std::array<U64, 64> Magic<BISHOP>::magics = {{{{{bishop}}}}};",
    "when.kt": "fun magics(p: Piece) = when (p) {{\n  ROOK -> ulongArrayOf({rook})\n"
    "  BISHOP -> ulongArrayOf({bishop})\n}}",
    "switch.java": "long[] m(int p) {{ switch (p) {{ case ROOK: return new long[] {{{rook}}};\n"
    "default: return new long[] {{{bishop}}}; }} }}",
    "strings.py": 'ROOK = """{rook}""".split()\nBISHOP = """{bishop}""".split()\n',
    "define.c": "#define ROOKS \\\n {rook}\n#define BISHOPS {bishop}\nU64 r[64] = {{ROOKS}};\n",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layout_of_lists(name, bbc):
    suffix = "L" if name.endswith(".java") else ""
    spelt = {p.value: joined(f"0x{m:x}{suffix}" for m in magics) for p, magics in bbc.items()}
    check(read(name, LAYOUTS[name].format(**spelt)), bbc)


def test_interleaved_pieces(bbc):
    both = zip(bbc[Piece.ROOK], bbc[Piece.BISHOP], strict=True)
    text = joined(f"0x{r:x}, 0x{b:x}" for r, b in both)
    check(read("both.c", f"U64 magics[128] = {{{text}}};"), bbc)


def test_record_of_both_pieces(bbc):
    both = zip(bbc[Piece.ROOK], bbc[Piece.BISHOP], strict=True)
    text = "\n".join(f"{{R: 0x{r:x}, B: 0x{b:x}}}," for r, b in both)
    check(read("both.go", f"var m = [64]struct{{R, B uint64}}{{\n{text}\n}}\n"), bbc)


def test_flat_pairs_of_words(bbc):
    text = "\n".join(
        f"const {piece}Magics = new Uint32Array(["
        + joined(f"{m & 0xFFFFFFFF}, {m >> 32}" for m in magics)
        + "]);"
        for piece, magics in bbc.items()
    )
    check(read("flat.js", text), bbc)


def test_low_and_high_words_in_lists_of_their_own(bbc):
    text = ""
    for piece, magics in bbc.items():
        text += f"const {piece}Lo = [{joined(str(signed32(m)) for m in magics)}];\n"
        text += f"const {piece}Hi = [{joined(str(m >> 32) for m in magics)}];\n"
    check(read("words.js", text), bbc)


def test_appended_one_by_one(bbc):
    text = ""
    for piece, magics in bbc.items():
        text += f"let mut {piece} = Vec::new();\n"
        text += "".join(f"{piece}.push(0x{m:x});\n" for m in magics)
    check(read("push.rs", text), bbc)


def test_squares_as_keys(bbc):
    squares = [f"{file}{rank}" for rank in "12345678" for file in "ABCDEFGH"]
    text = ""
    for piece, magics in bbc.items():
        pairs = list(zip(squares, magics, strict=True))
        random.Random(1).shuffle(pairs)
        text += f"{piece} = {{" + joined(f"chess.{s}: 0x{m:x}" for s, m in pairs) + "}\n"
    check(read("keys.py", text), bbc)


def test_shifts_from_named_constants(bbc):
    counts = {Piece.ROOK: {10, 11, 12}, Piece.BISHOP: {5, 6, 7, 9}}
    text = "enum { " + joined(f"N{k} = {k}" for k in sorted(counts[Piece.ROOK])) + ", "
    text += joined(f"N{k} = {k}" for k in sorted(counts[Piece.BISHOP])) + " };\n"
    for piece, magics in bbc.items():
        rows = [f"{{0x{m:x}, 64 - N{mask(piece, s).bit_count()}}}" for s, m in enumerate(magics)]
        text += f"struct E {piece}s[64] = {{{joined(rows)}}};\n"
    judgement = read("constants.c", text)
    check(judgement, bbc)
    assert judgement.valid[0].sources["rook.shift"].startswith("rooks[1]")


def test_window_below_the_top_bits(shipped):
    """The product is shifted less, and an AND cuts off what is above the index."""
    magics = shipped("surge").pieces[Piece.BISHOP].parameters["magic"]
    spare = min((m & -m).bit_length() - 1 for m in magics)
    assert spare > 0
    text = f"""U64 bishop_magic[64] = {{{joined(f"0x{m >> spare:x}" for m in magics)}}};
int index(int s, U64 occ) {{ return ((occ & mask[s]) * bishop_magic[s] >> {55 - spare}) & 0x1ff; }}
"""
    judgement = read("window.c", text, Pins(pieces=(Piece.BISHOP,)))
    assert judgement.verdict == "valid"
    table = judgement.valid[0].table.pieces[Piece.BISHOP]
    assert table.parameters["shift"] == (55 - spare,)
    assert table.parameters["post_mask"] == (0x1FF,)


def test_complemented_masks(shipped):
    """Black magics are sometimes listed with the complement of the mask."""
    table = shipped("cozy_chess")
    text = ""
    for piece in Piece:
        half = table.pieces[piece]
        rows = zip(half.parameters["magic"], half.offset, strict=True)
        listed = joined(
            f"M(0x{m:x}, 0x{WORD ^ mask(piece, s):x}, {o})" for s, (m, o) in enumerate(rows)
        )
        text += f"{piece}s = [{listed}]\n"
    judgement = read("black.py", text)
    assert judgement.verdict == "valid"
    assert "complemented" in judgement.valid[0].sources["rook.mask"]


def test_numbers_that_plain_typescript_rounds(sample_text):
    """AssemblyScript, which declares integers of 64 bits, holds them as they are."""
    text = sample_text("assembly_script.ts")
    assert read("engine.ts", text).verdict == "valid"
    judgement = read("engine.ts", text.replace("StaticArray<u64>", "number[]"))
    assert judgement.verdict == "invalid"
    assert any("TypeScript makes" in note for note in judgement.nearest[0].notes)
