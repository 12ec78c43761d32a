"""A number is the one that the language computes: literals, casts, operators, conversions.

Each source spells bbc's rook magics in a way that changes them, or looks as if it did; the
bishops are plain. "valid" is said of the same numbers only.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from magicert.board import WORD, Piece
from magicert.problem import InputError
from magicert.verify.source.readings.judge import judge

FRAMES = {
    ".c": ("static const uint64_t {}[64] = {{{}}};", "0x{:x}ULL"),
    ".cpp": ("constexpr std::array<uint64_t, 64> {} = {{{}}};", "0x{:x}ULL"),
    ".rs": ("pub const {}: [u64; 64] = [{}];", "0x{:x}"),
    ".go": ("var {} = [64]uint64{{{}}}", "0x{:x}"),
    ".java": ("static final long[] {} = {{{}}};", "0x{:x}L"),
    ".cs": ("static readonly ulong[] {} = new ulong[] {{{}}};", "0x{:x}UL"),
    ".js": ("const {} = [{}];", "0x{:x}n"),
    ".ts": ("const {} = [{}];", "0x{:x}n"),
    ".php": ("const {} = [{}];", "{}"),
    ".py": ("{} = [{}]", "0x{:x}"),
    ".zig": ("pub const {} = [64]u64{{{}}};", "0x{:x}"),
    ".swift": ("let {}: [UInt64] = [{}]", "0x{:x}"),
    ".d": ("immutable ulong[64] {} = [{}];", "0x{:x}UL"),
    ".kt": ("val {} = ulongArrayOf({})", "0x{:x}UL"),
    ".scala": ("val {}: Array[Long] = Array({})", "0x{:x}L"),
    ".hs": ("{} = listArray (0, 63) [{}]", "0x{:x}"),
    ".jl": ("const {} = UInt64[{}]", "0x{:x}"),
    ".ml": ("let {} = [| {} |]", "0x{:x}L"),
    ".nim": ("const {}*: array[64, uint64] = [{}]", "0x{:x}'u64"),
    ".pas": ("const {}: array[0..63] of QWord = ({});", "${:x}"),
    ".lua": ("{} = {{{}}}", "0x{:x}ULL"),
    ".fs": ("let {} = [| {} |]", "0x{:x}UL"),
    ".rb": ("{} = [{}].freeze", "0x{:x}"),
    ".vb": ("Dim {} As ULong() = {{{}}}", "&H{:X}UL"),
    ".ex": ("@{} {{{}}}", "0x{:x}"),
}


def signed(word):
    return word - (1 << 64) if word >> 63 else word


def source(shipped, ending, rook, head=""):
    """The two lists; `rook` prints one rook magic."""
    frame, plain = FRAMES[ending]
    pieces = shipped("bbc").pieces
    sign = "; " if ending in (".ml", ".fs") else ", "

    def listed(piece: Piece, spell: Callable[[int], str]) -> str:
        return sign.join(map(spell, pieces[piece].parameters["magic"]))

    def spell(magic: int) -> str:
        return str(signed(magic)) if ending == ".php" else plain.format(magic)

    rooks = frame.format("rook_magics", listed(Piece.ROOK, rook))
    return f"{head}{rooks}\n{frame.format('bishop_magics', listed(Piece.BISHOP, spell))}\n"


def verdict(name, text):
    try:
        return judge([(Path(name), text.encode())]).verdict
    except InputError as error:
        return str(error)


def signed_text(word):
    return str(signed(word))


SAME = {
    "complement of the complement": (".c", lambda m: f"~0x{m ^ WORD:x}ULL"),
    "the same in Java": (".java", lambda m: f"~0x{m ^ WORD:x}L"),
    "Go's complement": (".go", lambda m: f"^uint64(0x{m ^ WORD:x})"),
    "Rust's complement": (".rs", lambda m: f"!0x{m ^ WORD:x}_u64"),
    "Kotlin's complement": (".kt", lambda m: f"0x{m ^ WORD:x}UL.inv()"),
    "Pascal's complement": (".pas", lambda m: f"not ${m ^ WORD:x}"),
    "Haskell's complement": (".hs", lambda m: f"complement 0x{m ^ WORD:x}"),
    "a big integer's": (".js", lambda m: f"~{~signed(m)}n"),
    "negation": (".cs", lambda m: f"unchecked((ulong)-0x{-signed(m) & WORD:x}L)"),
    "a cast to 64 bits": (".c", lambda m: f"(uint64_t)0x{m:x}ULL"),
    "two words": (".c", lambda m: f"(uint64_t)0x{m >> 32:x} << 32 | 0x{m & 0xFFFFFFFF:x}u"),
    "Rust's method": (".rs", lambda m: f"Bitboard::from(0x{m:x}_u64)"),
    "Zig's cast": (".zig", lambda m: f"@as(u64, 0x{m:x})"),
    "a text": (".js", lambda m: f'BigInt("0x{m:x}")'),
    "PHP's negative integers": (".php", signed_text),
    "Julia's conversion": (".jl", lambda m: f"UInt64(0x{m:x})"),
    "OCaml's": (".ml", lambda m: f'Int64.of_string "0x{m:x}"'),
    "Swift's": (".swift", lambda m: f"UInt64(bitPattern: {signed(m)})"),
    "F#'s": (".fs", lambda m: f"uint64 0x{m:x}UL"),
    "a suffix": (".cpp", lambda m: f"0x{m:x}_bb"),
    "Java's two words": (".java", lambda m: f"0x{m >> 32:x}L << 32 | 0x{m & 0xFFFFFFFF:x}L"),
    "Pascal's type": (".pas", lambda m: f"QWord(${m:x})"),
}


@pytest.mark.parametrize("name", SAME)
def test_the_same_number_otherwise_spelt(name, shipped):
    ending, rook = SAME[name]
    assert verdict(f"engine{ending}", source(shipped, ending, rook)) == "valid"


CHANGED = {
    "C: complement": (".c", lambda m: f"~0x{m:x}ULL"),
    "C: complement of 32 bits": (".c", lambda m: f"~(0x{m ^ WORD:x}u & 0xffffffffu)"),
    "Java: complement": (".java", lambda m: f"~0x{m:x}L"),
    "Go: complement": (".go", lambda m: f"^uint64(0x{m:x})"),
    "Rust: complement": (".rs", lambda m: f"!0x{m:x}_u64"),
    "Kotlin: inv": (".kt", lambda m: f"0x{m:x}UL.inv()"),
    "Haskell: complement": (".hs", lambda m: f"complement 0x{m:x}"),
    "Pascal: not": (".pas", lambda m: f"not ${m:x}"),
    "OCaml: lognot": (".ml", lambda m: f"Int64.lognot 0x{m:x}L"),
    "Nim: not": (".nim", lambda m: f"not 0x{m:x}'u64"),
    "Ruby: complement": (".rb", lambda m: f"~0x{m:x}"),
    "C: not": (".c", lambda m: f"!0x{m:x}ULL"),
    "C: cast to 32 bits": (".c", lambda m: f"(uint32_t)0x{m:x}ULL"),
    "C: cast to int": (".c", lambda m: f"(int) 0x{m:x}ULL"),
    "C++: static_cast": (".cpp", lambda m: f"static_cast<unsigned>(0x{m:x}ULL)"),
    "C++: function cast": (".cpp", lambda m: f"uint32_t(0x{m:x}ULL)"),
    "Rust: as u32": (".rs", lambda m: f"0x{m:x}_u64 as u32"),
    "Rust: as u32 as u64": (".rs", lambda m: f"0x{m:x}_u64 as u32 as u64"),
    "Rust: as f64": (".rs", lambda m: f"0x{m:x}_u64 as f64 as u64"),
    "Go: uint32": (".go", lambda m: f"uint64(uint32(0x{m:x}))"),
    "Java: (int)": (".java", lambda m: f"(int) 0x{m:x}L"),
    "Kotlin: toUInt": (".kt", lambda m: f"0x{m:x}UL.toUInt().toULong()"),
    "Scala: toInt": (".scala", lambda m: f"0x{m:x}L.toInt"),
    "Zig: truncate": (".zig", lambda m: f"@as(u32, 0x{m:x})"),
    "Swift: truncating": (".swift", lambda m: f"UInt64(UInt32(truncatingIfNeeded: 0x{m:x}))"),
    "Julia: UInt32": (".jl", lambda m: f"UInt32(0x{m:x})"),
    "D: cast(uint)": (".d", lambda m: f"cast(uint) 0x{m:x}UL"),
    "C#: (uint)": (".cs", lambda m: f"(uint) 0x{m:x}UL"),
    "Nim: uint32": (".nim", lambda m: f"uint64(uint32(0x{m:x}'u64))"),
    "Pascal: Cardinal": (".pas", lambda m: f"Cardinal(${m:x})"),
    "C: an unknown macro": (".c", lambda m: f"M(0x{m:x}ULL)"),
    "C: bswap": (".c", lambda m: f"__builtin_bswap64(0x{m:x}ULL)"),
    "C: bswap64": (".c", lambda m: f"bswap64(0x{m:x}ULL)"),
    "C: a modulus": (".c", lambda m: f"0x{m:x}ULL % 0x10000000000ULL"),
    "C: rotated": (".c", lambda m: f"rotl64(0x{m:x}ULL, 8)"),
    "Rust: swap_bytes": (".rs", lambda m: f"0x{m:x}_u64.swap_bytes()"),
    "Rust: to_be": (".rs", lambda m: f"0x{m:x}_u64.to_be()"),
    "Rust: rotate": (".rs", lambda m: f"0x{m:x}_u64.rotate_left(8)"),
    "Rust: wrapping": (".rs", lambda m: f"0x{m:x}_u64.wrapping_mul(3)"),
    "Go: bits.ReverseBytes64": (".go", lambda m: f"bits.ReverseBytes64(0x{m:x})"),
    "Java: Long.reverse": (".java", lambda m: f"Long.reverse(0x{m:x}L)"),
    "Java: Long.reverseBytes": (".java", lambda m: f"Long.reverseBytes(0x{m:x}L)"),
    "C#: ReverseEndianness": (
        ".cs",
        lambda m: f"BinaryPrimitives.ReverseEndianness(0x{m:x}UL)",
    ),
    "Swift: byteSwapped": (".swift", lambda m: f"UInt64(0x{m:x}).byteSwapped"),
    "Zig: byteSwap": (".zig", lambda m: f"@byteSwap(0x{m:x})"),
    "Julia: bswap": (".jl", lambda m: f"bswap(0x{m:x})"),
    "Julia: power": (".jl", lambda m: f"0x{m:x} ^ 1"),
    "Julia: xor": (".jl", lambda m: f"0x{m:x} ⊻ 0x5"),
    "F#: xor": (".fs", lambda m: f"0x{m:x}UL ^^^ 5UL"),
    "Haskell: xor": (".hs", lambda m: f"0x{m:x} `xor` 5"),
    "OCaml: logxor": (".ml", lambda m: f"Int64.logxor 0x{m:x}L 5L"),
    "Python: a function": (".py", lambda m: f"fix(0x{m:x})"),
    "Python: power": (".py", lambda m: f"0x{m:x} ** 2"),
    "Python: not": (".py", lambda m: f"not 0x{m:x}"),
    "JavaScript: plain": (".js", lambda m: f"0x{m:x}"),
    "JavaScript: BigInt of a number": (".js", lambda m: f"BigInt(0x{m:x})"),
    "JavaScript: int32": (".js", lambda m: f"0x{m >> 32:x} << 32 | 0x{m & 0xFFFFFFFF:x}"),
    "JavaScript: asUintN": (".js", lambda m: f"BigInt.asUintN(32, 0x{m:x}n)"),
    "TypeScript: plain": (".ts", str),
    "PHP: hexadecimal": (".php", lambda m: f"0x{m:x}"),
    "Lua: decimal": (".lua", str),
    "OCaml: int": (".ml", lambda m: f"0x{m:x}"),
    "C: a macro of a likely name": (".c", lambda m: f"MAGIC(0x{m:x}ULL)"),
    "C: a function of a likely name": (".c", lambda m: f"mask(0x{m:x}ULL)"),
    "C++: a comma": (".cpp", lambda m: f"(0x{m:x}ULL, 0x{m ^ 1:x}ULL)"),
    "C++: a suffix": (".cpp", lambda m: f"0x{m:x}_rev"),
    "C#: Convert": (".cs", lambda m: f"Convert.ToUInt32(0x{m:x})"),
    "Elixir: bxor": (".ex", lambda m: f"bxor(0x{m:x}, 5)"),
    "Java: a sign in the low word": (
        ".java",
        lambda m: f"(0x{m >> 32:x}L << 32) | 0x{m & 0xFFFFFFFF:x}",
    ),
    "JavaScript: a text with a plus": (".js", lambda m: f'+"0x{m:x}"'),
    "Lua: tonumber": (".lua", lambda m: f'tonumber("{m}")'),
    "Python: ctypes": (".py", lambda m: f"c_uint32(0x{m:x})"),
    "Python: a turned text": (".py", lambda m: f"int('{m:016x}'[::-1], 16)"),
    "Swift: bigEndian": (".swift", lambda m: f"UInt64(bigEndian: 0x{m:x})"),
    "Visual Basic: Xor": (".vb", lambda m: f"&H{m:X}UL Xor 5"),
    "C: shifted out of an int": (
        ".c",
        lambda m: f"0x{m >> 32:x} << 32 | 0x{m & 0xFFFFFFFF:x}",
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_another_number_is_not_certified(name, shipped):
    """The rook's numbers in the text are right, but the engine has others."""
    ending, rook = CHANGED[name]
    assert verdict(f"engine{ending}", source(shipped, ending, rook)) != "valid"


DECLARED = {
    "uint32_t": ("engine.c", "static const uint32_t {}[64] = {{{}}};"),
    "unsigned": ("engine.c", "unsigned {}[64] = {{{}}};"),
    "int": ("engine.c", "int {}[64] = {{{}}};"),
    "float": ("engine.c", "static float {}[64] = {{{}}};"),
    "double": ("engine.cpp", "const double {}[] = {{{}}};"),
    "std::array": ("engine.cpp", "constexpr std::array<std::uint32_t, 64> {} = {{{}}};"),
    "std::vector": ("engine.cpp", "std::vector<unsigned int> {}{{{}}};"),
    "typedef": ("engine.c", "typedef unsigned int Bits;\nBits {}[64] = {{{}}};"),
    "using": ("engine.cpp", "using Bits = std::uint32_t;\nconst Bits {}[64] = {{{}}};"),
    "Rust": ("engine.rs", "const {}: [u32; 64] = [{}];"),
    "Go": ("engine.go", "var {} = [64]uint32{{{}}}"),
    "Java": ("engine.java", "static final int[] {} = {{{}}};"),
    "C#": ("engine.cs", "static readonly uint[] {} = {{{}}};"),
    "Kotlin": ("engine.kt", "val {} = uintArrayOf({})"),
    "Swift": ("engine.swift", "let {}: [UInt32] = [{}]"),
    "Zig": ("engine.zig", "const {} = [64]u32{{{}}};"),
    "Julia": ("engine.jl", "const {} = UInt32[{}]"),
    "Pascal": ("engine.pas", "const {}: array[0..63] of Cardinal = ({});"),
    "Nim": ("engine.nim", "const {}: array[64, uint32] = [{}]"),
    "long double": ("engine.c", "long double {}[64] = {{{}}};"),
    "a chain of names": ("engine.cpp", "using A = unsigned; using B = A; B {}[64] = {{{}}};"),
    "a type by its place": ("engine.py", "{} = np.array([{}], np.int32)"),
    "a type code": ("engine.py", "{} = array('I', [{}])"),
    "48 bits": ("engine.zig", "const {} = [64]u48{{{}}};"),
    "Ada": ("engine.adb", "{} : constant array (0 .. 63) of Unsigned_32 := ({});"),
    "numpy": ("engine.py", "{} = np.array([{}], dtype=np.uint32)"),
    "typed array": ("engine.js", "const {} = new Float64Array([{}]);"),
}


@pytest.mark.parametrize("name", DECLARED)
def test_a_list_of_a_narrow_type(name, shipped):
    file, frame = DECLARED[name]
    plain = {"Pascal": "${:x}", "Java": "0x{:x}L"}.get(name, "0x{:x}")
    text = "".join(
        frame.format(f"{piece}_magics", ", ".join(map(plain.format, table.parameters["magic"])))
        + "\n"
        for piece, table in shipped("bbc").pieces.items()
    )
    assert verdict(file, text) not in ("valid", "unknown")
    assert "declared" in verdict(file, text) or name == "typed array"


MACROS = {
    "#define M(x) x": True,
    "#define M(x) (x)": True,
    "#define M(x) x##ULL": True,
    "#define M(x) ((uint64_t)(x))": True,
    "#define M(x) UINT64_C(x)": True,
    "static inline U64 M(U64 x) { return x; }": True,
    "#define M(x) (~(x))": False,
    "#define M(x) ((x) ^ KEY)": False,
    "#define M(x) __builtin_bswap64(x)": False,
    "#define M(x) (uint32_t)(x)": False,
    "static inline U64 M(U64 x) { return x ^ 0x55; }": False,
    "static inline U64 M(U64 x) { return bswap64(x); }": False,
}


@pytest.mark.parametrize("definition", MACROS)
def test_a_macro_that_the_source_defines(definition, shipped):
    text = source(shipped, ".c", lambda m: f"M(0x{m:x})", head=f"{definition}\n")
    found = verdict("engine.c", text)
    assert found == "valid" if MACROS[definition] else "may change the number" in found


SUFFIXES = {"return x;": True, "return ~x;": False, "return U64(uint32_t(x));": False}


@pytest.mark.parametrize("body", SUFFIXES)
def test_a_suffix_that_the_source_defines(body, shipped):
    head = f'constexpr U64 operator""_m(unsigned long long x) {{ {body} }}\n'
    text = source(shipped, ".cpp", lambda m: f"0x{m:x}_m", head=head)
    assert (verdict("engine.cpp", text) == "valid") == SUFFIXES[body]


AROUND = {
    "engine.py": "{0} = [m ^ 1 for m in [{1}]]",
    "calls.py": "{0} = list(map(fix, [{1}]))",
    "reversed.py": "{0} = list(reversed([{1}]))",
    "map.rs": "let {0} = [{1}].map(|m: u64| m.rotate_left(3));",
    "map.js": "const {0} = [{1}].map(m => m ^ 5n);",
    "map.kt": "val {0} = listOf({1}).map {{ it.inv() }}",
    "map.hs": "{0} = map complement [{1}]",
    "reversed.swift": "let {0}: [UInt64] = [{1}].reversed()",
    "sorted.rb": "{0} = [{1}].sort",
}


@pytest.mark.parametrize("name", AROUND)
def test_what_is_done_to_a_list_as_a_whole(name, shipped):
    suffix = "n" if name.endswith(".js") else ""
    lists = []
    for piece, table in shipped("bbc").pieces.items():
        listed = ", ".join(f"0x{m:x}{suffix}" for m in table.parameters["magic"])
        frame = AROUND[name] if piece == Piece.ROOK else "{0} = [{1}]"
        lists.append(frame.format(f"{piece}_magics", listed))
    assert verdict(name, "\n".join(lists)) not in ("valid", "unknown")
