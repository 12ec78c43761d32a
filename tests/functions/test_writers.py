"""What may write to a variable that was taken as it begins: found wherever it stands in the files
that were given, called or not, compiled or not.
"""

import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from magicert.commands.app import cli
from magicert.functions.compile import clang_dumps
from magicert.system.deadline import FOREVER

NORTH = Path(__file__).with_name("north.h").read_text("utf-8")
TABLE = "u64 T[2] = {5, 5};\n"
ROOK = "u64 rook(u64 s, u64 o) { return north(s, o) ^ T[o >> 63] ^ 5; }\n"
ZIGS = (
    "fn north(s: u64, o: u64) u64 { var g = s; var p = ~o; g |= p & (g << 8); p &= p << 8; "
    "g |= p & (g << 16); p &= p << 16; g |= p & (g << 32); return g << 8; }\n"
)
ZIG = f"{ZIGS}pub fn rook(s: u64, o: u64) u64 {{ return north(s, o) ^ table[@intCast(o >> 63)] ^ 5; }}\n"
RUSTS = (
    "fn north(s: u64, o: u64) -> u64 { let (mut g, mut p) = (s, !o); g |= p & g << 8; "
    "p &= p << 8; g |= p & g << 16; p &= p << 16; (g | p & g << 32) << 8 }\n"
)
RUST = (
    f"{RUSTS}pub static mut T: [u64; 2] = [5, 5];\n"
    "pub fn rook(s: u64, o: u64) -> u64 { unsafe { north(s, o) ^ T[(o >> 63) as usize] ^ 5 } }\n"
)


@pytest.fixture
def proved(certified, tmp_path):
    """`proved(ending, text, flags)`: what comes of the function that is called rook."""

    def prove(ending, text, flags=("-O2",), **given):
        for language, here in ((".rs", shutil.which("rustc")), (".zig", find_spec("ziglang"))):
            if f".{ending}" == language and not here:
                pytest.skip(f"no compiler of {language}")
        file = tmp_path / f"rook.{ending}"
        file.write_text(text, "utf-8")
        flags = () if ending in {"rs", "zig"} else flags
        return certified(file, functions={"setwise:fR": "rook"}, flags=flags, **given)

    return prove


def said(result):
    return "\n".join(f.message for one in result.functions for f in one.findings)


def of_cpp(text, before=TABLE):
    return f'{NORTH}{before}{text}\nextern "C" {ROOK}'


OTHERS = [  # another declaration of T, with what writes to it; and how the function names it
    ("struct E { static u64 T[2]; template <class X> static void set(X x) { T[1] = x; } };\n"
     "u64 E::T[2] = {5, 5};", "E::T["),
    ("struct E { static inline u64 T[2] = {5, 5}; };\n"
     "template <class X> void set(X x) { X::T[1] = 7; }", "E::T["),
    ("struct E { static inline u64 T[2] = {5, 5}; };\n"
     "template <class X> void set(X x) { x.T[1] = 7; }", "E::T["),
    ("struct E { static inline u64 T[2] = {5, 5}; };\n"
     "template <class X> struct F : X { void set() { this->T[1] = 7; } };", "E::T["),
    ("template <class X> struct E { static inline u64 T[2] = {5, 5}; void set() { T[1] = 7; } };",
     "E<int>::T["),
    ("template <class X> u64 T[2] = {5, 5};\ntemplate <class X> void set() { T<X>[1] = 7; }",
     "T<int>["),
    ("struct E { u64 a[2] = {5, 5}; void set() { a[1] = 7; } } T;\n"
     "template <class X> void all() { T.set(); }", "T.a["),
    ("namespace a { u64 T[2] = {5, 5}; }\nnamespace b = a;\n"
     "template <class X> void set(X x) { b::T[1] = x; }", "a::T["),
    ("#include <array>\nstd::array<u64, 2> T = {5, 5};\n"
     "template <class X> void set() { T.fill(5); }", "T["),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), OTHERS)
def test_a_writer_finds_a_variable_by_any_of_its_names(proved, text, name):
    text = f'{NORTH}{text}\nextern "C" {ROOK.replace("T[", name)}'
    result = proved("cpp", text, ("-O2", "-std=c++20"))
    assert (result.verdict, "may be written by" in said(result)) == ("unknown", True), said(result)


# Each line writes to T, or may: nobody here calls it.
WRITERS_IN_CPP = [
    "inline void set() { T[1] = 7; }",
    "static void set() { T[1] = 7; }",
    "struct E { void set() { T[1] = 7; } };",
    "struct E { E() { T[1] = 7; } };",
    "struct E { ~E() { ++T[1]; } };",
    "struct E { operator int() { return T[1]++; } };",
    "struct E { int x = int(T[1] = 7); };",
    "struct E { u64 *p; E() : p(T) {} };",
    "struct E { u64 *p = T; };",
    "namespace { struct E { struct F { static void set() { T[1] = 7; } }; }; }",
    "template <class X> void set(X x) { T[1] = x; }",
    "template <class X> void set(X x) { auto &r = T; r[1] = x; }",
    "template <class X> void set(X &x) { x >> T[1]; }",
    "template <class X> void set(X &x) { x & T[1]; }",
    "template <class X> void set(X x) { x(T[1]); }",
    "template <class X> struct E { void set() { T[1] = 7; } };",
    "template <class X> struct E { void set(); };\ntemplate <class X> void E<X>::set() { T[1] = 7; }",
    "template <class X> struct E { void set(); };\n"
    "template <class X> void E<X>::set() { if constexpr (sizeof(X) > 1) T[1] = 7; }\n"
    "void use() { E<char>().set(); }",
    "template <class X> struct E { };\ntemplate <class X> struct E<X *> { void set() { T[1] = 7; } };",
    "template <class X> struct E { friend void set(E) { T[1] = 7; } };",
    "template <bool W> void set() { if constexpr (W) T[1] = 7; }\nvoid use() { set<false>(); }",
    "template <u64 *P> void set() { P[1] = 7; }\ntemplate void set<T>();",
    "void set(auto x) { T[1] = x; }",
    "auto set = [](auto x) { T[1] = x; };",
    "inline auto set = [] { T[1] = 7; };",
    "inline void set(u64 x = (T[1] = 7)) { }",
    "inline u64 &item(int n) { return T[n]; }",
    "inline u64 *begin() { return T; }",
    "inline void set() { for (auto &x : T) x = 7; }",
    "inline void set() { __builtin_memset(T, 0, sizeof T); }",
    "inline void set(u64 *p) { *p = 7; }\ninline void all() { set(T + 1); }",
    "inline void set() { *(T + 1) = 7; }",
    "inline void set() { const u64 *p = T; const_cast<u64 *>(p)[1] = 7; }",
    "inline void set() { reinterpret_cast<char *>(&T)[8] = 7; }",
    'inline void set() { __asm__("movq $7, %0" : "=m"(T[1])); }',
    "#define WHERE T\ninline void set() { WHERE[1] = 7; }",
    "#define PASTE(a, b) a##b\n#define SET(n) void n() { PASTE(, T)[1] = 7; }\ninline SET(set)",
    'inline void set() { __asm__("movq $7, T+8(%rip)"); }',
    'template <class X> void set() { __asm__("movq $7, T+8(%rip)"); }',
    "inline u64 (&other)[2] = T;\ntemplate <class X> void set(X x) { other[1] = x; }",
    'namespace other { extern "C" u64 _Z1T[2] __asm__("T"); inline void set() { _Z1T[1] = 7; } }',
    'extern "C" u64 also[2] __attribute__((alias("T")));\ninline void set() { also[1] = 7; }',
    'extern "C" char __data_start[], _end[];\n'
    "inline void set() { for (char *p = __data_start; p < _end; p++) *p = 0; }",
    'extern "C" u64 __start_tab[];\ntemplate <class X> void set(X x) { __start_tab[1] = x; }',
    'extern "C" void *dlsym(void *, const char *);\n'
    'inline void set() { static_cast<u64 *>(dlsym(0, "T"))[1] = 7; }',
    'extern "C" void *dlsym(void *, const char *);\n'
    "inline void *find(const char *name) { return dlsym(0, name); }",
    'extern "C" void *dlsym(void *, const char *);\nauto *find = &dlsym;',
]


@pytest.mark.parametrize("text", WRITERS_IN_CPP)
def test_a_writer_that_nobody_calls_ends_what_is_taken_of_a_variable(proved, text):
    result = proved("cpp", of_cpp(text), ("-O2", "-std=c++20"))
    assert (result.verdict, "whose contents are not known" in said(result)) == ("unknown", True), (
        said(result)
    )


WRITER = "template <class X> void set(X x) { T[1] = x; }\n"
NOT_A_LIBRARYS = [  # a source and other files, all with that writer; and whether it is seen
    ({"a.cpp": f'#line 1 "/usr/include/x.h"\n{WRITER}#line 9 "a.cpp"'}, "unknown"),
    ({"a.cpp": '#include "w.h"', "w.h": f'#line 1 "/usr/include/stdio.h"\n{WRITER}'}, "unknown"),
    ({"a.cpp": f'#define F "/usr/include/x.h"\n%: \\\nline 1 F\n{WRITER}'}, "unknown"),
    ({"libcxx/src/a.cpp": '#include "../w.h"', "libcxx/w.h": WRITER}, "unknown"),
    ({"src/a.cpp": '#include "../lib/std/w.h"', "lib/std/w.h": WRITER}, "unknown"),
    ({"a.cpp": '#line 100 "table.y"\n#line 7'}, "valid"),
]


@pytest.mark.parametrize(("texts", "verdict"), NOT_A_LIBRARYS)
def test_a_writer_is_not_taken_for_a_librarys(certified, tmp_path, texts, verdict):
    (source, text), *others = texts.items()
    for name, one in [(source, of_cpp(text)), *others]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(one, "utf-8")
    result = certified(tmp_path / source, functions={"setwise:fR": "rook"}, flags=("-O2",))
    assert (result.verdict, "may be written by" in said(result)) == (verdict, verdict != "valid")


READERS_IN_CPP = [
    "inline u64 get(int n) { return T[n] + *(T + n) + sizeof T; }",
    "struct E { u64 x = T[1]; u64 get(int n) const { return T[n]; } };",
    "template <class X> u64 get(int n) { return T[n] ^ sizeof(X); }",
    "template <int N> u64 get(u64 o) { u64 y = T[N]; return y ^ T[o & N] * o >> N; }",
    "inline u64 sum(const u64 *p) { return p[0] + p[1]; }\ninline u64 get() { return sum(T); }",
    "inline u64 get() { u64 sum = 0; for (const u64 &x : T) sum += x; return sum; }",
    "inline void set() { u64 T[2] = {1, 2}; T[1] = 7; }",
    "inline void set(u64 *T) { T[1] = 7; }",
    "namespace other { inline u64 T[2] = {1, 2}; inline void set() { T[1] = 7; } }",
    "struct E { u64 T[2]; void set() { T[1] = 7; } };",
    "template <class T> void set(T &x) { x = 7; }",
    "#define SET(T) inline void set_##T() { T##T[1] = 7; }\nu64 TT[2];\nSET(T)",
    'extern "C" void *dlsym(void *, const char *);\ninline void *find() { return dlsym(0, "other"); }',
]


@pytest.mark.parametrize("text", READERS_IN_CPP)
def test_whoever_only_reads_ends_nothing(proved, text):
    result = proved("cpp", of_cpp(text), ("-O2", "-std=c++20"))
    assert (result.verdict, *result.assumed) == ("valid", "no other file writes to T"), said(result)


def of_c(text):
    return f"{NORTH}{TABLE}{text}\n{ROOK}"


@pytest.mark.parametrize(
    "text",
    [
        "static inline void set(void) { T[1] = 7; }",
        "inline void set(void) { T[1] = 7; }",
        "extern inline __attribute__((gnu_inline)) void set(void) { T[1] = 7; }",
        "static inline u64 *item(int n) { return &T[n]; }",
        "static inline void set(void) { extern u64 T[2]; T[1] = 7; }",
        'extern u64 U[2] __asm__("T");\nstatic inline void set(void) { U[1] = 7; }',
        'static inline void set(void) { __asm__("movq $7, T+8(%rip)"); }',
        "#include <dlfcn.h>\nstatic inline void *get(void) { return dlsym(0, \"T\" + 0); }",
        "#include <dlfcn.h>\nstatic inline void *get(int n) { return dlsym(0, n ? \"X\" : \"T\"); }",
        "extern char end[], edata[];\nstatic inline void set(void) { edata[0] = 7; }",
        "struct E { u64 *p; };\nstatic struct E e = {T};\nstatic inline void set(void) { e.p[1] = 7; }",
    ],
)  # fmt: skip
def test_a_writer_in_c_ends_it_too(proved, text):
    result = proved("c", of_c(text))
    assert result.verdict == "unknown"
    assert "T is a variable whose contents are not known" in said(result)


@pytest.mark.parametrize(
    "pragma",
    ["clang section data = \"tab\"", "clang section bss = \"zero\" data = \"tab\"", "section"],
)  # fmt: skip
def test_a_variable_in_a_section_with_a_name_is_not_taken_as_it_begins(proved, pragma):
    begin = f"#pragma {pragma}\n"
    if pragma == "section":
        begin = '__attribute__((section("tab"))) '
    text = f"{NORTH}{begin}u64 T[2] = {{5, 5}};\n{ROOK}"
    assert proved("c", text).verdict == "unknown"


@pytest.mark.parametrize("label", ["_T", "T"])
@pytest.mark.parametrize("target", ["aarch64-macos", "x86_64-linux-gnu", "x86_64-windows-gnu"])
def test_two_names_with_one_label_are_one_variable(proved, label, target):
    text = of_c(f'extern u64 U[2] __asm__("{label}");\nvoid set(void) {{ U[1] = 7; }}')
    assert proved("c", text, target=target).verdict == "unknown"


POPCNT = (
    'u64 rook(u64 s, u64 o) { u64 n; __asm__("popcnt %1, %0" : "=r"(n) : "r"(o));\n'
    "  return n == (u64)__builtin_popcountll(o) ? north(s, o) : 0; }\n"
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (r'__asm__(".macro popcnt a, b\n xor \\b, \\b\n.endm");', "unknown"),
        (r'void set(void) { __asm__(".macro popcnt a, b\n xor \\b, \\b\n.endm"); }', "unknown"),
        (r'__asm__(".MACRO popcnt a, b\n.endm");', "unknown"),
        (r'__asm__("/* \" */ .macro popcnt a, b; .endm; /* \" */");', "unknown"),
        (r'__asm__("# \"\n.macro popcnt a, b\n.endm\n# \"");', "unknown"),
        (r'__asm__("nop;.altmacro");', "unknown"),
        (r'__asm__(".include \"popcnt.s\"");', "unknown"),
        (r'__asm__(".intel_syntax noprefix");', "unknown"),
        (r'__asm__(".rept 2\n.endr");', "unknown"),
        (r'__asm__(".set popcnt, 5");', "unknown"),
        (r'__asm__(".globl gN\n.section .rodata.net,\"a\"\ngN:\n.byte 5\n.ascii \".macro\"\n.text");', "valid"),
        (r'void set(void) { __asm__("nop; 1: jmp 1b"); }', "valid"),
    ],
)  # fmt: skip
def test_an_instruction_is_one_only_where_no_directive_may_rename_it(proved, text, verdict):
    result = proved("c", f"{NORTH}{text}\n{POPCNT}")
    assert result.verdict == verdict, said(result)


VECTOR = (
    "static const u64 T[8] __attribute__((aligned({aligned}))) = {{0}};\n"
    "u64 rook(u64 s, u64 o) {{ {before} __m256i v = {load}((const __m256i *)({place}));\n"
    "  return north(s, o) ^ _mm256_extract_epi64(v, 1); }}\n"
)


@pytest.mark.parametrize(
    ("aligned", "load", "place", "verdict", "message"),
    [
        (32, "_mm256_load_si256", "T + 1 + (o >> 63)", "invalid", "at no multiple of 32 bytes"),
        (32, "_mm256_load_si256", "T + 4 * (o >> 63)", "valid", ""),
        (32, "_mm256_load_si256", "T + (o == 5)", "invalid", "at no multiple of 32 bytes"),
        (32, "_mm256_loadu_si256", "T + 1 + (o >> 63)", "valid", ""),
        (16, "_mm256_load_si256", "T + (o >> 63)", "unknown", "but T lies at one of 16"),
        (16, "_mm256_load_si256", "T", "unknown", "but T lies at one of 16"),
        (64, "_mm256_load_si256", "T + 4", "valid", ""),
    ],
)
def test_a_load_of_more_than_a_word_is_where_its_address_allows_it(
    proved, aligned, load, place, verdict, message
):
    text = (
        "#include <immintrin.h>\n"
        + NORTH
        + VECTOR.format(aligned=aligned, load=load, place=place, before="")
    )
    result = proved("c", text, ("-O2", "-mavx2"))
    assert (result.verdict, message in said(result)) == (verdict, True), said(result)


@pytest.mark.parametrize(
    ("aligned", "verdict"), [(32, "valid"), (8, "unknown")]
)  # what lies on the stack is where the compiler says
def test_a_variable_on_the_stack_is_aligned_as_it_is_declared(proved, aligned, verdict):
    before = f'u64 x[4] __attribute__((aligned({aligned}))) = {{o, 0, o}}; __asm__("" :: "r"(x));'
    text = (
        "#include <immintrin.h>\n"
        + NORTH
        + VECTOR.format(aligned=32, load="_mm256_load_si256", place="x", before=before)
    )
    assert proved("c", text, ("-O2", "-mavx2")).verdict in {verdict, "unknown"}


WRITERS_IN_ZIG = [
    "pub fn set() void { table[1] = 7; }",
    "fn set() void { table[1] = 7; }",
    "pub inline fn set() void { table[1] +%= 2; }",
    "pub const E = struct { x: u64, pub fn set(self: *E) void { table[self.x] = 7; } };",
    "pub fn set(x: anytype) void { table[1] = x; }",
    "pub fn set(comptime w: bool) void { if (w) table[1] = 7; }\npub fn use() void { set(false); }",
    "pub fn E(comptime X: type) type { return struct { pub fn set(x: X) void { table[1] = x; } }; }",
    "pub fn get() *u64 { return &table[1]; }",
    "pub fn set() void { const p = &table; p[1] = 7; }",
    "pub fn get() []u64 { return table[0..]; }",
    "pub fn set() void { for (&table) |*x| x.* = 7; }",
    "pub fn set() void { table[0], table[1] = .{ 1, 2 }; }",
    "pub fn set() void { (table)[1] = 7; }",
    'pub fn set() void { @field(@This(), "table")[1] = 7; }',
    "pub fn set(comptime name: []const u8) void { @field(@This(), name)[1] = 7; }",
    "const lower = struct { const n = root; };\nconst root = @This();\n"
    "pub fn set(comptime name: []const u8) void { @field(lower.n, name)[1] = 7; }",
    "const root = @This();\n"
    "pub fn set(t: anytype, comptime name: []const u8) void { @field(t.root, name)[1] = 7; }",
    "const lower = struct { const n = root; };\nconst root = @This();\n"
    "pub fn set(comptime name: []const u8) void { const a = lower; @field(a.n, name)[1] = 7; }",
    "const f = struct { fn of() type { return root; } };\nconst root = @This();\n"
    "pub fn set(comptime name: []const u8) void { @field(f.of(), name)[1] = 7; }",
    "pub fn set(comptime t: type, comptime name: []const u8) void { @field(t, name)[1] = 7; }",
    'pub fn set() void { @field(@This(), "ta" ++ "ble")[1] = 7; }',
    "const other = @This();\npub fn set() void { other.table[1] = 7; }",
    'pub fn set() void { @"table"[1] = 7; }',
    "pub fn set() void { @memset(&table, 7); }",
    "test { table[1] = 7; }",
    'pub fn set() void { asm volatile ("movq $7, rook.table"); }',
    "pub const all = .{ .t = &table };",
    "pub fn set(c: bool) void { (if (c) table else unreachable)[1] = 7; }",
]


@pytest.mark.parametrize("text", WRITERS_IN_ZIG)
def test_a_writer_that_zig_leaves_out_ends_what_is_taken_of_a_variable(proved, text):
    result = proved("zig", f"pub var table = [2]u64{{ 5, 5 }};\n{text}\n{ZIG}")
    assert (result.verdict, "may be written by" in said(result)) == ("unknown", True), said(result)


# What holds the table, what writes to it, and how the function names it.
HELD_IN_ZIG = [
    ("?[2]u64", "", "if (held) |*t| t[1] = 7;", "(held orelse unreachable)"),
    ("?[2]u64", "", "(held orelse unreachable)[1] = 7;", "(held orelse unreachable)"),
    ("?[2]u64", "", "while (held) |*t| { t[1] = 7; break; }", "held.?"),
    ("error{E}![2]u64", "", "(held catch unreachable)[1] = 7;", "(held catch unreachable)"),
    ("union(enum) { a: [2]u64, b: u8 }", "a",
     "switch (held) { .a => |*t| t[1] = 7, else => {} }", "held.a"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "field", "text", "named"), HELD_IN_ZIG)
@pytest.mark.parametrize("writes", [True, False])
def test_a_writer_in_zig_may_reach_what_a_variable_holds(
    proved, kind, field, text, named, writes
):  # fmt: skip
    begins = f".{{ .{field} = .{{ 5, 5 }} }}" if field else "[2]u64{ 5, 5 }"
    held = f"const Held = {kind};\nvar held: Held = {begins};\n"
    writer = f"pub fn set() !void {{ {text} }}\n" if writes else ""
    result = proved("zig", f"{held}{writer}{ZIG.replace('table', named)}")
    expected = "unknown" if writes else "valid"
    assert (result.verdict, "may be written by" in said(result)) == (expected, writes), said(result)


@pytest.mark.parametrize(
    ("declared", "assumed", "text"),
    [
        ("pub var", ("no other file writes to table",), "pub fn get() u64 { return table[1] ^ 5; }"),
        ("var", (), "pub fn get() u64 { const x = table[1]; return x + table[0]; }"),
        ("var", (), "const E = struct { table: u64, fn set(self: *E) void { self.* = .{ .table = 7 }; } };"),
        ("var", (), "const E = struct { x: u64, fn set(self: *E, comptime n: []const u8) void { @field(self, n) = 7; } };"),
        ("var", (), "const E = struct { x: u64, fn set(self: *E, comptime n: []const u8) void { @field(self.*, n) = 7; } };"),
        ("var", (), "fn sum() u64 { var r: u64 = 0; for (table) |x| r +%= x; return r; }"),
        ("const", (), "pub fn get() *const u64 { return &table[1]; }"),
    ],
)  # fmt: skip
def test_zig_says_which_variables_other_files_may_write(proved, declared, assumed, text):
    result = proved("zig", f"{declared} table = [2]u64{{ 5, 5 }};\n{text}\n{ZIG}")
    assert (result.verdict, result.assumed) == ("valid", assumed), said(result)


def test_a_writer_in_a_file_that_zig_imports_ends_it(proved, tmp_path):
    other = 'const root = @import("rook.zig");\npub fn set() void { root.table[1] = 7; }\n'
    (tmp_path / "other.zig").write_text(other, "utf-8")
    text = f'const other = @import( // the writer\n"other.zig");\npub var table = [2]u64{{ 5, 5 }};\n{ZIG}'
    result = proved("zig", text)
    assert result.verdict == "unknown"
    assert "other.zig:2" in said(result)


WRITERS_IN_RUST = [
    "pub fn set() { unsafe { T[1] = 7; } }",
    "fn set() { unsafe { T[1] ^= 7; } }",
    "pub fn set<X: Into<u64>>(x: X) { unsafe { T[1] = x.into(); } }",
    "pub struct E<X>(X);\nimpl<X> E<X> { pub fn set(&self) { unsafe { T[1] = 7; } } }",
    "pub trait Set { fn set(&self) { unsafe { T[1] = 7; } } }",
    "#[inline] pub fn set() { unsafe { T = [1, 2]; } }",
    "pub fn get<X>() -> *mut [u64; 2] { &raw mut T }",
    "pub fn get<X>() -> *mut u64 { unsafe { &mut T[1] as *mut u64 } }",
    "pub fn get<X>() -> *mut u64 { unsafe { core::ptr::addr_of_mut!(T[1]) } }",
    "pub fn set<X>() { unsafe { for x in T.iter_mut() { *x = 7; } } }",
    "pub fn set<X>() { unsafe { T.swap(0, 1); } }",
    "macro_rules! set { () => { unsafe { T[1] = 7; } } }\npub fn use_it<X>() { set!(); }",
    "pub const fn none() {}\npub fn set<X>() { let f = || unsafe { T[1] = 7; }; f(); }",
    "pub mod inner { use super::T as other; pub fn set<X>() { unsafe { other[1] = 7; } } }",
    "pub mod inner { pub fn set<X>() { unsafe { super::T[1] = 7; } } }",
    "pub fn set<X>() { unsafe { let ref mut x = T; x[1] = 7; } }",
    "pub fn set<X>() { unsafe { (T)[1] = 7; } }",
    "pub fn set<const N: usize>() { unsafe { T[N] = 7; } }",
    "pub fn set<X>() { unsafe { r#T[1] = 7; } }",
    "pub fn set<X>() { unsafe { [T[0], T[1]] = [5, 7]; } }",
    "pub fn set<X>() { unsafe { [T, _] = [[5, 7], [5, 5]]; } }",
    "pub struct E(u64);\npub fn set<X>() { unsafe { E(T[1]) = E(7); } }",
    "macro_rules! by { ($x:ident) => { ref mut $x } }\n"
    "pub fn set<X>() { unsafe { match T { by!(t) => t[1] = 7 } } }",
]


@pytest.mark.parametrize("text", WRITERS_IN_RUST)
def test_a_writer_that_rust_leaves_out_ends_what_is_taken_of_a_variable(proved, text):
    result = proved("rs", f"#![allow(static_mut_refs)]\n{text}\n{RUST}")
    assert result.verdict == "unknown", said(result)
    assert "T is a variable whose contents are not known" in said(result)


@pytest.mark.parametrize(("letter", "other"), [("\xe9", "\xe9"), ("\xe9", "e\u0301")])
def test_a_writer_in_rust_finds_a_name_with_an_accent(proved, letter, other):
    writer = f"pub fn set<X>() {{ unsafe {{ T{other}[1] = 7; }} }}\n"
    text = RUST.replace("static mut T:", f"static mut T{letter}:").replace(" T[", f" T{letter}[")
    result = proved("rs", f"#![allow(non_upper_case_globals)]\n{writer}{text}")
    assert (result.verdict, "may be written by" in said(result)) == ("unknown", True), said(result)


@pytest.mark.parametrize("storage", ["", "static "])
@pytest.mark.parametrize("writer", ["", "template <class X> void set(X x) { T\xe9[1] = x; }"])
def test_a_writer_in_cpp_finds_a_name_with_an_accent(proved, storage, writer):
    text = of_cpp(writer, storage + TABLE.replace("T[", "T\xe9["))
    result = proved("cpp", text.replace("T[o", "T\xe9[o"))
    expected = "unknown" if writer else "valid"
    assert result.verdict == expected, said(result)
    assert ("may be written by" in said(result)) == bool(writer)


def test_a_writer_in_rust_may_stand_in_a_file_of_any_ending(proved, tmp_path):
    (tmp_path / "other.in").write_text("pub fn set<X>() { unsafe { T[1] = 7; } }\n", "utf-8")
    result = proved("rs", f'include!("other.in");\n{RUST}')
    assert result.verdict == "unknown"
    assert "other.in:1" in said(result)


def test_a_writer_in_another_file_of_the_crate_ends_it(proved, tmp_path):
    other = "pub fn set<X>() { unsafe { crate::T[1] = 7; } }\n"
    (tmp_path / "other.rs").write_text(other, "utf-8")
    result = proved("rs", f"pub mod other;\n{RUST}")
    assert result.verdict == "unknown"
    assert "other.rs:1" in said(result)


@pytest.mark.parametrize(
    "text",
    [
        "pub fn get<X>(n: usize) -> u64 { unsafe { T[n] ^ T[0].count_ones() as u64 } }",
        "pub fn get<T>(n: T) -> T { n }",
        "pub mod inner { use super::T; pub fn get() -> u64 { let x = unsafe { T[1] }; x } }",
    ],
)
def test_whoever_only_reads_in_rust_ends_nothing(proved, text):
    result = proved("rs", f"{text}\n{RUST}")
    assert (result.verdict, *result.assumed) == ("valid", "no other file writes to T"), said(result)


def test_a_header_that_is_included_may_write(proved, tmp_path):
    (tmp_path / "game.h").write_text("inline void set() { T[1] = 7; }\n", "utf-8")
    result = proved("cpp", of_cpp('#include "game.h"'))
    assert result.verdict == "unknown"
    assert "game.h:1" in said(result)


@pytest.mark.parametrize(
    ("ending", "storage", "assumed"),
    [
        ("rs", "pub ", 1),
        ("rs", "", 0),
        ("cpp", "", 1),
        ("cpp", "static ", 0),
        ("c", "static ", 0),
        ("h", "static ", 1),
    ],
)
def test_what_other_files_may_write_is_assumed(proved, ending, storage, assumed):
    text = f"{NORTH}{storage}{TABLE}"
    if ending == "rs":
        assert (
            proved(ending, RUST.replace("pub static", f"{storage}static")).assumed
            == ("no other file writes to T",) * assumed
        )
        return
    text += f'extern "C" {ROOK}' if ending in {"cpp", "h"} else ROOK
    result = proved(ending, text)
    assert (result.verdict, len(result.assumed)) == ("valid", assumed)


def test_strict_takes_no_assumption(in_this_process, tmp_path):  # noqa: ARG001
    file = tmp_path / "rook.c"
    file.write_text(NORTH + TABLE + ROOK, "utf-8")
    asked = ["verify", str(file), "--function", "setwise:fR=rook"]
    plain = CliRunner().invoke(cli, asked)
    assert (plain.exit_code, "no other file writes to T" in plain.stdout) == (0, True)
    strict = CliRunner().invoke(cli, [*asked, "--strict", "--json"])
    assert strict.exit_code == 3
    document = json.loads(strict.stdout)
    assert (document["verdict"], document["assumed"]) == ("valid", ["no other file writes to T"])


def test_a_table_that_the_function_makes_at_its_first_call_is_not_filled(certified, tmp_path):
    source = tmp_path / "first.c"
    source.write_text(
        "static unsigned long long t[64]; static int done;\n"
        "unsigned long long north(int s, unsigned long long o) {\n"
        "  if (!done) { for (int i = 0; i < 64; i++) t[i] = i < 56 ? 0x0101010101010100ULL << i : 0;\n"
        "               done = 1; }\n"
        "  unsigned long long a = t[s], b = o & a; return a & (b ^ (b - 1)); }\n",
        "utf-8",
    )
    asked = {"functions": {"fR": "north"}, "squares": (0,)}
    (square,) = certified(source, **asked).functions[0].squares
    assert square.unfilled
    assert "at its first call alone" in square.message
    assert certified(source, **asked, init="north(0, 0)").verdict == "valid"


TABLES = """typedef unsigned long long U64;
struct Big { U64 at[4096]; };
constexpr Big make() {
    Big b{};
    for (int n = 0; n < 4096; n++) for (int k = 0; k < 8; k++) b.at[n] += k;
    return b;
}
constexpr Big big = make();
static_assert(big.at[5] == 28, "");
template <int N> constexpr Big other = make();
static U64 T[64] = {1};
template <int N> void set(U64 v) { T[N] = v + other<N>.at[0]; }
struct Later { template <class X> void poke(X v) { set<3>(v); } };
inline void outside(Later l) { l.poke(5ull); }
U64 north(U64 s, U64 o) { return T[3] ^ (s << 8) ^ (big.at[o & 4095] - 28); }
"""


def test_a_tree_without_tables_is_whole_but_for_their_values(tmp_path, monkeypatch):
    """All that may write to a variable stands in it."""
    source = tmp_path / "tables.cpp"
    source.write_text(TABLES, "utf-8")
    how, trees = (("-std=c++17",), "", "", FOREVER), []
    for limits in (clang_dumps.NO_TABLES, ()):
        monkeypatch.setattr(clang_dumps, "NO_TABLES", limits)
        tree, _ = clang_dumps.syntax_tree(source, *how, tmp_path)
        lines = tree.read_text("utf-8").splitlines()
        # What a value is known of is "referenced", and no more "used".
        trees.append(
            [re.sub(r"0x\w+|\b(?:used|referenced)\b| non_odr_use_\w+", "", line) for line in lines]
        )
    short, whole = trees
    assert len(whole) > len(short) + 1000
    values = re.compile(r"[| `]*-(?:value|field|elements?|filler): ")
    # The last of what stands below a node is drawn as the last.
    one, other = ([re.sub("[|`]", "", x) for x in lines if not values.match(x)] for lines in trees)
    assert one == other


def test_a_source_that_needs_its_tables_while_compiling_has_a_tree(tmp_path):
    source = tmp_path / "tables.cpp"
    source.write_text(f"{TABLES}U64 more[big.at[5]];\n", "utf-8")
    tree, _ = clang_dumps.syntax_tree(source, ("-std=c++17",), "", "", FOREVER, tmp_path)
    assert "U64[28]" in tree.read_text("utf-8")
