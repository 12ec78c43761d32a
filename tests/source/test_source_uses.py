"""What an engine does to a number where it keeps it, builds it or uses it.

Each source holds bbc's magics as they are published, and computes others from them.
"""

from pathlib import Path

import pytest

from magicert.board import Piece
from magicert.problem import InputError
from magicert.verify.source.readings.judge import judge

LISTS = "const U64 rook_magics[64] = {{{r}}};\nconst U64 bishop_magics[64] = {{{b}}};\n"
# What is behind the bar spells one number.
REFUSED = {
    # used otherwise than as it stands
    "key.c": LISTS + "U64 m[64];\nvoid init() {{ for (int i = 0; i < 64; i++)\n"
    "  m[i] = rook_magics[i] ^ KEY; }}\nint main() {{ init(); }}\n|0x{:x}ULL",
    "key.cpp": LISTS + "static U64 magic(int s) {{ return rook_magics[s] ^ key; }}\n"
    "int main() {{ magic(0); }}\n|0x{:x}ULL",
    "plus.c": LISTS + "U64 f(int s, U64 o) {{ return (o & m[s]) * (rook_magics[s] + 1) >> 52; }}\n"
    "int main() {{ f(0, 0); }}\n|0x{:x}ULL",
    "inverted.rs": "const ROOK: [u64; 64] = [{r}];\nconst BISHOP: [u64; 64] = [{b}];\n"
    "fn i(s: usize, o: u64) -> u64 {{ (o & M[s]).wrapping_mul(!ROOK[s]) >> 52 }}\n|0x{:x}",
    "init.cpp": LISTS + "void Magics::init() {{ for (int i = 0; i < 64; i++)\n"
    "  rook[i].magic = ~rook_magics[i]; }}\n|0x{:x}ULL",
    "variable.go": "var rook = [64]uint64{{{r}}}\nvar bishop = [64]uint64{{{b}}}\n"
    "func f(s int) uint64 {{\n\tm := rook[s]\n\treturn m ^ key\n}}\n|0x{:x}",
    "slice.py": "_ROOK = [{r}]\nROOK = _ROOK[::-1]\nBISHOP = [{b}]\n|0x{:x}",
    "derived.py": "ROOK = np.array([{r}])\nBISHOP = np.array([{b}])\nKEYED = ROOK ^ KEY\n|0x{:x}",
    # changed by a reference, a pointer or a reader
    "reference.cpp": "U64 rook[64] = {{{r}}};\nU64 bishop[64] = {{{b}}};\n"
    "int main() {{ auto& m = rook[20]; m ^= 3; }}\n|0x{:x}ULL",
    "pointer.c": "U64 rook[64] = {{{r}}};\nU64 bishop[64] = {{{b}}};\n"
    "int main() {{ U64 *p = &rook[20]; *p = 3; }}\n|0x{:x}ULL",
    "read.c": "U64 rook[64] = {{{r}}};\nU64 bishop[64] = {{{b}}};\n"
    "int main() {{ fread(rook, 8, 64, f); }}\n|0x{:x}ULL",
    "passed.rs": "static mut ROOK: [u64; 64] = [{r}];\nstatic BISHOP: [u64; 64] = [{b}];\n"
    "fn init() {{ unsafe {{ scramble(&mut ROOK); }} }}\n|0x{:x}",
    "items.nim": "var rook: array[64, uint64] = [{r}]\nlet bishop: array[64, uint64] = [{b}]\n"
    "for m in rook.mitems: m = not m\n|0x{:x}'u64",
    # the whole list
    "reversed.py": "ROOK = [{r}][::-1]\nBISHOP = [{b}]\n|0x{:x}",
    "xor.py": "rook = np.array([{r}], dtype=np.uint64) ^ np.uint64(7)\n"
    "bishop = np.array([{b}], dtype=np.uint64)\n|0x{:x}",
    "astype.py": "rook = np.array([{r}]).astype(np.uint32)\nbishop = np.array([{b}])\n|0x{:x}",
    "xor.jl": "const ROOK = UInt64[{r}] .⊻ 0x5\nconst BISHOP = UInt64[{b}]\n|0x{:x}",
    "not.jl": "const ROOK = .~UInt64[{r}]\nconst BISHOP = UInt64[{b}]\n|0x{:x}",
    "map.swift": "let rook = [{r}].map {{ UInt64(UInt32(truncatingIfNeeded: $0)) }}\n"
    "let bishop: [UInt64] = [{b}]\n|0x{:x}",
    "map.pl": "my @rook = map {{ $_ ^ 5 }} ({r});\nmy @bishop = ({b});\n|0x{:x}",
    "map.fs": "let rook = [| {r} |] |> Array.map (fun x -> x ^^^ 5UL)\n"
    "let bishop = [| {b} |]\n|0x{:x}UL",
    "rev.fs": "let rook = [| {r} |] |> Array.rev\nlet bishop = [| {b} |]\n|0x{:x}UL",
    "convert.cs": "static uint[] Rook = Array.ConvertAll(new ulong[] {{{r}}}, x => (uint)x);\n"
    "static ulong[] Bishop = {{{b}}};\n|0x{:x}",
    # records and their constructors
    "one_field.c": "struct M {{ uint32_t magic; }};\nstruct M rook[64] = {{{r}}};\n"
    "struct M bishop[64] = {{{b}}};\n|{{0x{:x}ULL}}",
    "tuple.rs": "struct M(u32);\nstatic ROOK: [M; 64] = [{r}];\nstatic BISHOP: [M; 64] = [{b}];\n"
    "|M(0x{:x})",
    "record.kt": "data class Entry(val magic: Int, val shift: Int)\nval rook = arrayOf({r})\n"
    "val bishop = arrayOf({b})\n|Entry(0x{:x}, 52)",
    "bits.c": "struct M {{ U64 magic : 48; U64 n : 8; }};\nstruct M rook[64] = {{{r}}};\n"
    "struct M bishop[64] = {{{b}}};\n|{{0x{:x}ULL, 12}}",
    "class.java": "class Magic {{ final long v; Magic(long m) {{ this.v = m ^ 0x55L; }} }}\n"
    "class T {{ static Magic[] R = {{{r}}}; static Magic[] B = {{{b}}}; }}\n|new Magic(0x{:x}L)",
    "class.py": "class Magic:\n    def __init__(self, m):\n        self.m = ~m & ALL\n\n"
    "ROOK = [{r}]\nBISHOP = [{b}]\n|Magic(0x{:x})",
    "class.js": "class Magic {{\n  constructor(m) {{ this.m = m ^ 5n; }}\n}}\n"
    "const rook = [{r}];\nconst bishop = [{b}];\n|new Magic(0x{:x}n)",
    # literals and types
    "suffix.java": "class T {{ long[] ROOK = {{{r}}};\nlong[] BISHOP = {{{b}}}; }}\n|0x{:x}",
    "decimal.kt": "val ROOK = longArrayOf({r})\nval BISHOP = longArrayOf({b})\n|{}",
    "suffix.nim": "const rook = [{r}]\nconst bishop = [{b}]\n|0x{:x}'u32",
    "suffix.rs": "const ROOK: [u64; 64] = [{r}];\nconst BISHOP: [u64; 64] = [{b}];\n"
    "|0x{:x}_u32 as u64",
    "float.lua": "rook = {{{r}}}\nbishop = {{{b}}}\n|0x{:x}.0",
    "list32.dart": "final rook = Uint32List.fromList([{r}]);\nfinal bishop = [{b}];\n|0x{:x}",
    "word.asm": "rook: dd {r}\nbishop: dq {b}\n|0x{:x}",
    # the whole list, by a function or a loop, in another statement
    "transform.cpp": LISTS + "void f() {{ std::transform(std::begin(rook_magics), "
    "std::end(rook_magics), std::begin(rook_magics), g); }}\n|0x{:x}ULL",
    "walk.c": LISTS + "void f() {{ U64 *p = rook_magics, *e = p + 64; while (p < e) *p++ ^= 5; }}"
    "\nint main() {{ f(); }}\n|0x{:x}ULL",
    "argument.c": "void fix(U64 *m) {{ for (int i = 0; i < 64; i++) m[i] ^= 5; }}\n"
    + LISTS + "int main() {{ fix(rook_magics); }}\n|0x{:x}ULL",
    "sorted.c": LISTS + "int main() {{ qsort(rook_magics, 64, 8, cmp); }}\n|0x{:x}ULL",
    "star.c": LISTS + "int main() {{ *rook_magics = 1; }}\n|0x{:x}ULL",
    "more.c": LISTS + "int main() {{ ++rook_magics[4]; }}\n|0x{:x}ULL",
    "renamed.c": LISTS + "#define rook_magics other_magics\n|0x{:x}ULL",
    "get.cpp": LISTS + "int main() {{ std::get<3>(rook_magics) = 4; }}\n|0x{:x}ULL",
    "collect.rs": "const ROOK: [u64; 64] = [{r}];\nconst BISHOP: [u64; 64] = [{b}];\n"
    "fn m() -> Vec<u64> {{ ROOK.iter().map(|m| m ^ 5).collect() }}\n|0x{:x}",
    "enumerated.rs": "const ROOK: [u64; 64] = [{r}];\nconst BISHOP: [u64; 64] = [{b}];\n"
    "fn m() {{ for (s, m) in ROOK.iter().rev().enumerate() {{ t[s] = *m; }} }}\n|0x{:x}",
    "pointer.go": "var rook = [64]uint64{{{r}}}\nvar bishop = [64]uint64{{{b}}}\n"
    "func init() {{\n\tp := &rook[4]\n\t*p = 3\n}}\n|0x{:x}",
    "exchanged.cs": "static ulong[] Rook = {{{r}}};\nstatic ulong[] Bishop = {{{b}}};\n"
    "static T() {{ (Rook[3], Rook[4]) = (Rook[4], Rook[3]); }}\n|0x{:x}",
    "linq.cs": "static ulong[] Rook = {{{r}}};\nstatic ulong[] Bishop = {{{b}}};\n"
    "static ulong[] M = Rook.Select(m => m ^ 5).ToArray();\n|0x{:x}",
    "copied.java": "class T {{ static long[] ROOK = {{{r}}};\nstatic long[] BISHOP = {{{b}}};\n"
    "  static {{ System.arraycopy(other, 0, ROOK, 0, 64); }} }}\n|0x{:x}L",
    "derived.js": "const rook = [{r}];\nconst bishop = [{b}];\n"
    "const m = rook.map(m => BigInt.asUintN(32, m));\n|0x{:x}n",
    "rounded.js": "const rook = [{r}];\nconst bishop = [{b}];\n"
    "const f = (s, o) => o * Number(rook[s]) >> 52;\n|0x{:x}n",
    "comprehension.py": "ROOK = [{r}]\nBISHOP = [{b}]\nM = [m ^ 5 for m in ROOK]\n|0x{:x}",
    "again.py": "ROOK = [{r}]\nBISHOP = [{b}]\nROOK = load('x')\n|0x{:x}",
    "mapped.kt": "val rook = ulongArrayOf({r})\nval bishop = ulongArrayOf({b})\n"
    "val m = rook.map {{ it xor 5UL }}\n|0x{:x}UL",
    "mapped.scala": "val rook: Array[Long] = Array({r})\nval bishop: Array[Long] = Array({b})\n"
    "val m = rook.map(_ ^ 5L)\n|0x{:x}L",
    "mapped.hs": "rook = [{r}]\nbishop = [{b}]\nms = map (xor 5) rook\n|0x{:x}",
    "turned.hs": "rook = [{r}]\nbishop = [{b}]\nms = reverse rook\n|0x{:x}",
    "broadcast.jl": "const ROOK = UInt64[{r}]\nconst BISHOP = UInt64[{b}]\n"
    "const M = ROOK .⊻ 0x5\n|0x{:x}",
    "mapped.ml": "let rook = [| {r} |]\nlet bishop = [| {b} |]\n"
    "let m = Array.map Int64.lognot rook\n|0x{:x}L",
    "item.pl": "my @rook = ({r});\nmy @bishop = ({b});\n$rook[3] = 5;\n|0x{:x}",
    "mapped.rb": "ROOK = [{r}]\nBISHOP = [{b}]\nM = ROOK.map {{ |m| m ^ 5 }}\n|0x{:x}",
    "mapped.clj": "(def rook [{r}])\n(def bishop [{b}])\n(def m (map bit-not rook))\n|0x{:x}",
    "item.adb": "Rook : array (0 .. 63) of U64 := ({r});\nBishop : array (0 .. 63) of U64 := ({b});"
    "\nRook (3) := 5;\n|16#{:x}#",
    "memory.asm": "rook: dq {r}\nbishop: dq {b}\nxor qword [rook+rax*8], 5\n|0x{:x}",
    # shifts, masks and lookups
    "shift.c": LISTS + "int rook_shift[64] = {{" + ", ".join(["52"] * 64) + "}};\n"
    "int f(int s) {{ return occ * rook_magics[s] >> (rook_shift[s] + 1); }}\nint x = f(1);\n"
    "|0x{:x}ULL",
    "cut.c": LISTS + "int f(int s) {{ return (occ & m[s]) * rook_magics[s] >> 52 & 0x7ff; }}\n"
    "int x = f(1);\n|0x{:x}ULL",
    "or_not.c": LISTS + "int f(int s) {{ return (occ | ~m[s]) * rook_magics[s] >> 52; }}\n"
    "int x = f(1);\n|0x{:x}ULL",
    "other_mask.c": LISTS + "int f(int s) {{ return (occ & bishop_masks[s]) * rook_magics[s] >> 52;"
    " }}\nint x = f(1);\n|0x{:x}ULL",
    "cast.c": LISTS + "int f(int s) {{ return (int) ((occ & m[s]) * rook_magics[s]) >> 20; }}\n"
    "int x = f(1);\n|0x{:x}ULL",
    "complement.c": LISTS + "int f(int s) {{ return (occ & ~rmask[s]) * rook_magics[s] >> 52; }}\n"
    "int x = f(1);\n|0x{:x}ULL",
    "signed.java": "class T {{ long[] ROOK = {{{r}}};\nlong[] BISHOP = {{{b}}};\n"
    "  int f(int s) {{ return (int) ((occ & M[s]) * ROOK[s] >> 52); }} }}\n|0x{:x}L",
    # named in a string, or by C's other order
    "turned.c": LISTS + "int main() {{ 20[rook_magics] = 1; }}\n|0x{:x}ULL",
    "turned_use.c": LISTS + "U64 f(int s) {{ return o * (s[rook_magics] ^ KEY) >> 52; }}\n"
    "U64 x = f(1);\n|0x{:x}ULL",
    "globals.py": "ROOK = [{r}]\nBISHOP = [{b}]\nglobals()['ROOK'][3] = 5\n|0x{:x}",
    "vars.py": "ROOK = [{r}]\nBISHOP = [{b}]\nvars()['ROOK'].reverse()\n|0x{:x}",
    "getattr.py": "ROOK = [{r}]\nBISHOP = [{b}]\ngetattr(me, 'ROOK')[3] ^= 5\n|0x{:x}",
    "setattr.py": "ROOK = [{r}]\nBISHOP = [{b}]\nsetattr(me, 'ROOK', other)\n|0x{:x}",
    "exec.py": "ROOK = [{r}]\nBISHOP = [{b}]\nexec('ROOK[3] = 5')\n|0x{:x}",
    "dict.py": "T = {{'ROOK': [{r}], 'BISHOP': [{b}]}}\nT['ROOK'][3] = 5\n|0x{:x}",
    "global.js": "var rook = [{r}];\nvar bishop = [{b}];\nglobalThis['rook'][3] = 5n;\n|0x{:x}n",
    "global.php": "<?php $rook = [{r}];\n$bishop = [{b}];\n$GLOBALS['rook'][3] = 5;\n|{}",
    "rawset.lua": "rook = {{{r}}}\nbishop = {{{b}}}\nrawset(_G, 'rook', other)\n|0x{:x}",
    # lookup code
    "divided.c": LISTS + "int f(int s) {{ return (occ & m[s]) * rook_magics[s] / (1ULL << 53); }}\n"
    "int x = f(1);\n|0x{:x}ULL",
    "rotated.c": LISTS + "int f(int s) {{ return rotl(occ & m[s], rook_magics[s]) >> 52; }}\n"
    "int x = f(1);\n|0x{:x}ULL",
    "rotates.c": LISTS + "int f(int s) {{ return rol64(occ & m[s], 9) * rook_magics[s] >> 52; }}"
    "\nint x = f(1);\n|0x{:x}ULL",
    "unmasked.c": LISTS + "int f(int s) {{ return occ * rook_magics[s] >> 52; }}\nint x = f(1);\n"
    "|0x{:x}ULL",
    "stored.c": LISTS + "int f(int s) {{ unsigned p = (occ & m[s]) * rook_magics[s];\n"
    "  return p >> 20; }}\nint x = f(1);\n|0x{:x}ULL",
    "two_casts.c": "#define U(x) ((uint64_t)(uint32_t)x)\n" + LISTS + "|U(0x{:x}ULL)",
}  # fmt: skip

HELD = {
    "looped.rs": "const ROOK: [u64; 64] = [{r}];\nconst BISHOP: [u64; 64] = [{b}];\n"
    "fn m() -> Vec<E> {{ ROOK.iter().enumerate().map(|(s, m)| E::at(63 - s, *m)).collect() }}\n"
    "|0x{:x}",
    "cast.c": LISTS + "int f(int s) {{ return (int) (((occ & m[s]) * rook_magics[s]) >> 52); }}\n"
    "|0x{:x}ULL",
    "sizes.c": LISTS + "int n = sizeof(rook_magics) / sizeof(rook_magics[0]);\n"
    "const U64 *magics_of(int p) {{ return p ? rook_magics : bishop_magics; }}\n|0x{:x}ULL",
    "exported.js": "const rook = [{r}];\nconst bishop = [{b}];\nexport {{ rook, bishop }};\n"
    "for (const [s, m] of rook.entries()) table[s] = make(s, m);\n|0x{:x}n",
    "argument.cpp": "void init(const U64 *m, U64 *t) {{ for (int s = 0; s < 64; s++)\n"
    "  t[s] = slow(s, m[s]); }}\n" + LISTS + "int main() {{ init(rook_magics, t); }}\n"
    "|0x{:x}ULL",
    "shift.c": LISTS + "int rook_bits[64] = {{" + ", ".join(["12"] * 64) + "}};\n"
    "int f(int s) {{ return (occ & m[s]) * rook_magics[s] >> (64 - rook_bits[s]); }}\n"
    "int g(int s) {{ return 1 << rook_bits[s]; }}\n|0x{:x}ULL",
    "assigned.cpp": LISTS + "void init() {{ for (int i = 0; i < 64; i++)\n"
    "  rook[i].magic = rook_magics[i]; }}\n|0x{:x}ULL",
    "multiplied.c": LISTS + "U64 f(int s, U64 o) {{\n  U64 m = rook_magics[s];\n"
    "  return (o & k[s]) * m >> (64 - n[s]) ^ 0;\n}}\n|0x{:x}ULL",
    "halves.c": LISTS + "unsigned f(int s, U64 o) {{ o &= k[s]; return (unsigned) o * "
    "(unsigned) rook_magics[s] ^ hi * (unsigned) (rook_magics[s] >> 32); }}\n|0x{:x}ULL",
    "printed.cpp": LISTS + "void show() {{ for (int i = 0; i < 64; i++)\n"
    '  std::cout << rook_magics[i] << ", " << std::endl; }}\n|0x{:x}ULL',
    "tested.c": LISTS + "int ok(int s) {{ return !rook_magics[s] || rook_magics[s] != 0; }}\n"
    "|0x{:x}ULL",
    "const_reference.cpp": LISTS + "U64 f() {{ const U64& m = rook_magics[20]; return m; }}\n"
    "|0x{:x}ULL",
    "constructor.cpp": "struct Entry {{ Entry(U64 m, int s) : magic(m), shift(64 - s) {{}} "
    "U64 magic; int shift; }};\nEntry rook[64] = {{{r}}};\n"
    "Entry bishop[64] = {{{b}}};\n|Entry(0x{:x}ULL, 16)",
    "texts.py": "ROOK = [int(x, 16) for x in [{r}]]\nBISHOP = [int(x, 16) for x in [{b}]]\n|'{:x}'",
    "parsed.java": "class T {{ String[] ROOK = {{{r}}}; String[] BISHOP = {{{b}}};\n"
    "  static {{ for (int i = 0; i < 64; i++) m[i] = Long.parseUnsignedLong(ROOK[i], 16); }} }}\n"
    '|"{:x}"',
    "piped.ex": "@rook [{r}] |> List.to_tuple()\n@bishop [{b}] |> List.to_tuple()\n|0x{:x}",
    "map.rb": "MAGICS = {{ 'rook' => [{r}], 'bishop' => [{b}] }}.freeze\n|0x{:x}",
}


def found(name, text, shipped):
    body, _, item = text.rpartition("|")
    pieces = shipped("bbc").pieces
    sign = {".fs": "; ", ".ml": "; ", ".clj": " "}.get(Path(name).suffix, ", ")
    r, b = (sign.join(map(item.format, pieces[p].parameters["magic"])) for p in Piece)
    try:
        return judge([(Path(name), body.format(r=r, b=b).encode())])
    except InputError as error:
        return error


@pytest.mark.parametrize("name", REFUSED)
def test_other_numbers_than_those_written_are_refused(name, shipped):
    judgement = found(name, REFUSED[name], shipped)
    if not isinstance(judgement, InputError) and judgement.verdict == "valid":
        # A function that nothing here calls, or a subscript: the verdict's line says so.
        assert judgement.valid[0].warnings


@pytest.mark.parametrize("name", HELD)
def test_what_leaves_the_numbers_as_they_are(name, shipped):
    judgement = found(name, HELD[name], shipped)
    assert not isinstance(judgement, InputError), judgement
    assert judgement.verdict == "valid"
    assert judgement.valid[0].warnings == ()


@pytest.mark.parametrize("subscript", ["63 - s", "s ^ 56", "56 ^ s", "flip(s)"])
def test_another_subscript_is_said_in_the_verdict(command, engine, subscript):
    use = f"U64 f(int s) {{ return occ * rook_magics[{subscript}] >> 52; }}\nint x = f(0);\n"
    result = command("verify", engine(more=use))
    assert "taken by another subscript" in result.output.partition("\n")[0]


def test_words_that_certify_the_other_way_round(shipped):
    text = ""
    for piece, table in shipped("bbc").pieces.items():
        words = {"hi": 0, "lo": 32} if piece == Piece.ROOK else {"hi": 32, "lo": 0}
        for word, shift in words.items():
            listed = ", ".join(hex(m >> shift & 0xFFFFFFFF) for m in table.parameters["magic"])
            text += f"const uint32_t {piece}_magic_{word}[64] = {{{listed}}};\n"
    with pytest.raises(InputError, match="certifies as the low words"):
        judge([(Path("words.c"), text.encode())])


def test_two_buffers_are_a_guess(command, engine):
    """Offsets that clash in one buffer, and do not in two: the verdict says what was taken."""
    sizes = {"rook": 4096, "bishop": 512}
    more = "".join(
        f"int {name}_offsets[64] = {{{', '.join(str(size * s) for s in range(64))}}};\n"
        for name, size in sizes.items()
    )
    result = command("verify", engine(more=more))
    assert result.exit_code == 0
    assert "a buffer for each piece" in result.output.partition("\n")[0]


def test_one_wrong_magic_of_the_usual_shift(sample_text):
    """With popcount bits most squares fail: the nearest reading is the one with one error."""
    text = sample_text("positional.go")
    first = judge([(Path("a.go"), text.encode())]).valid[0]
    magic = f"{first.halves[0].magic.words[27]:X}"
    assert text.count(magic) == 1
    judgement = judge([(Path("a.go"), text.replace(magic, "117A71D1E373CD7B").encode())])
    assert judgement.verdict == "invalid"
    assert judgement.nearest[0].bad_squares == 1
