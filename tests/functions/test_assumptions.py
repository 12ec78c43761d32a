"""What a certificate assumes, for no look at the sources can tell it: looked for, and named."""

from pathlib import Path

import pytest

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.stores import Stores

NORTH = Path(__file__).with_name("north.h").read_text("utf-8")
ROOK = "u64 rook(u64 s, u64 o) { return north(s, o) ^ T[o >> 63] ^ 5; }\n"
INIT = "void init(void) { T[0] = T[1] = 5; }\n"


@pytest.fixture
def proved(certified, tmp_path):
    """`proved({name: text}, ...)`: what comes of the function that is called rook."""

    def prove(texts, **given):
        for name, text in texts.items():
            (tmp_path / name).write_text(text, "utf-8")
        files = (tmp_path / name for name in texts)
        return certified(*files, functions={"setwise:fR": "rook"}, flags=("-O2",), **given)

    return prove


LATER = [  # what else the program has, and who may write after the init; "" for nobody
    ("c", "u64 T[2];", INIT + "void set(int n) { T[n & 1] = 7; }", "set"),
    ("c", "u64 T[2];", INIT + "u64 sum(const u64 *t) { return *t + t[1]; }\n"
     "int main(void) { init(); return sum(T) + T[1]; }", ""),
    ("c", "u64 T[2];", INIT + "int main(void) { init(); T[1] = 7; }", "main"),
    ("c", "u64 T[2];", "static void fill(u64 *t) { *t = t[1] = 5; }\nvoid init(void) { fill(T); }\n"
     "void again(void) { fill(T); }", "again"),
    ("c", "u64 T[2];", "void put(int n, u64 x) { T[n] = x; }\nvoid init(void) { put(0, 5); put(1, 5); }\n"
     "int main(void) { init(); put(1, 7); }", "main, which calls put"),
    ("c", "u64 *T;", "void *malloc(unsigned long);\nvoid init(void) { T = malloc(16); T[0] = T[1] = 5; }\n"
     "void set(void) { T[1] = 7; }", "set"),
    ("c", "u64 T[2];", INIT + "void set(int n) { u64 *p = n ? T : T + 1; for (; n; n--) *p++ = 7; }", "set"),
    ("c", "u64 T[2];", INIT + "void set(void) { __builtin_memset(T, 0, 8); }", "set"),
    ("c", "u64 T[2], *P = T;", INIT + "void set(void) { P[1] = 7; }\nu64 sum(void) { return P[0] + P[1]; }", "set"),
    ("c", "u64 T[2];", INIT + "u64 *kept; void keep(void) { kept = T; }", "keep"),
    ("c", "u64 T[2];", INIT + "u64 read_it(const u64 *); u64 give(void) { return read_it(T); }", "give"),
    ("cpp", "u64 T[2];", 'extern "C" ' + INIT + "struct E { ~E() { T[1] = 7; } };\nvoid f() { E e; }", "E::~E"),
    ("cpp", "#include <array>\nstd::array<u64, 2> T;", 'extern "C" ' + INIT + "void set(int n) { T[n] = 7; }", "set"),
    ("cpp", "#include <array>\nstd::array<u64, 2> T;",
     'extern "C" ' + INIT + "u64 sum() { u64 n = T[1]; for (auto x : T) n += x; return n; }", ""),
]  # fmt: skip


READS = [  # what an init reads, who changes that, and who writes to the table then
    ("static int v;\nvoid init(void) { T[0] = T[1] = v ? 7 : 5; }\nvoid set(void) { v = 1; }", ["init", "set"]),
    ("static int v;\nstatic void fill(void) { T[0] = T[1] = v ? 7 : 5; }\nvoid init(void) { fill(); }\n"
     "void set(int n) { v = n; fill(); }", ["fill", "set"]),
    ("static int v;\nstatic int next(void) { return ++v; }\nvoid init(void) { T[0] = T[1] = next() ? 5 : 7; }\n"
     "int key(void) { return next(); }", []),
    ("static int v, w;\nvoid init(void) { w = 1; T[0] = T[1] = v ? 7 : 5; }\nint get(void) { return v; }", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "named"), READS)
def test_an_init_that_reads_what_others_change_may_write_something_new(proved, text, named):
    result = proved({"rook.c": f"{NORTH}u64 T[2];\n{text}\n{ROOK}"}, init="init")
    assert result.verdict == "valid"
    assert len(result.assumed) == bool(named)
    assert all(name in one for one in result.assumed for name in (*named, "to v, which it reads"))


@pytest.mark.parametrize(("ending", "table", "text", "writer"), LATER)
def test_who_may_write_after_the_init_is_named(proved, ending, table, text, writer):
    rook = f'extern "C" {ROOK}' if ending == "cpp" else ROOK
    result = proved({f"rook.{ending}": f"{NORTH}{table}\n{text}\n{rook}"}, init="init")
    assert result.verdict == "valid"
    # What is allocated anew lies elsewhere after a second run.
    others = [one for one in result.assumed if "runs once" not in one]
    written = [one for one in others if one.endswith("does not run after init()")]
    assert len(written) == len(others) == bool(writer)
    assert all(one.startswith(writer) for one in written)


def test_what_an_init_of_several_calls_names_may_be_called_by_others(proved):
    text = f"{NORTH}u64 T[2];\nvoid put(int n) {{ T[n] = 5; }}\nvoid all(void) {{ put(0); put(1); }}\n{ROOK}"
    result = proved({"rook.c": text}, init="put(0), put(1)")
    assert (result.verdict, result.assumed) == ("valid", ())


WORLD = [
    ("char *getenv(const char *);\nvoid init(void) { T[0] = T[1] = getenv(\"NO\") ? 7 : 5; }", "getenv"),
    ("long time(long *);\nvoid init(void) { T[0] = T[1] = time(0) == 7 ? 7 : 5; }", "time"),
    ("#include <cpuid.h>\nvoid init(void) { unsigned a, b, c, d; __get_cpuid(1, &a, &b, &c, &d);\n"
     "  T[0] = T[1] = a ? 5 : 7; }", "cpuid"),
    ("void *memset(void *, int, unsigned long);\nvoid init(void) { memset(T, 0, 16); T[0] = T[1] = 5; }", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "asked"), WORLD)
def test_what_an_init_asks_of_the_world_is_named(proved, text, asked):
    result = proved({"rook.c": f"{NORTH}u64 T[2];\n{text}\n{ROOK}"}, init="init")
    expected = [f"{asked}, which init() asks, says in the program what it said here"] * bool(asked)
    assert (result.verdict, [*result.assumed]) == ("valid", expected)


BASE = (
    'typedef unsigned long long u64; extern "C" int puts(const char *);\n'
    'struct E { volatile u64 x; E() { x = 5; puts(""); } };\nE e;\nu64 base() { return e.x; }\n'
)
ALONE = "struct F { volatile int x; F() { x = 5; } };\nF f;\n"


@pytest.mark.parametrize(
    ("first", "second", "verdict", "assumed"),
    [("base", "rook", "valid", 1), ("rook", "base", "unknown", 1), ("alone", "both", "valid", 0)],
)
def test_the_order_of_static_initialisers_is_assumed_where_it_matters(
    proved, first, second, verdict, assumed
):
    rook = f'{NORTH}u64 base();\nu64 T[2] = {{base(), base()}};\nextern "C" {ROOK}'
    both = f"{BASE}{rook.replace('typedef unsigned long long u64;', '')}"
    texts = {"base": BASE, "rook": rook, "alone": ALONE, "both": both}
    files = {f"{name}.cpp": texts[name] for name in (first, second)}
    result = proved(files, run=True)
    assert (result.verdict, len(result.assumed)) == (verdict, assumed)
    assert all("run before those of" in one for one in result.assumed)


@pytest.mark.parametrize(("before", "assumed"), [("__attribute__((weak)) ", 1), ("", 0)])
def test_another_file_may_replace_a_weak_function(proved, before, assumed):
    text = f"{NORTH}{before}u64 rook(u64 s, u64 o) {{ return north(s, o); }}\n"
    result = proved({"rook.c": text})
    expected = ["no other file defines rook, which is a weak symbol"] * assumed
    assert (result.verdict, [*result.assumed]) == ("valid", expected)


STORES = [  # what a function does with the address of @T, and whether it may write there
    ("store i64 7, ptr @T", True),
    ("%x = load i64, ptr @T\n  store i64 %x, ptr @U", False),
    ("%p = getelementptr [2 x i64], ptr @T, i64 0, i64 %n\n  store i64 7, ptr %p", True),
    ("%p = getelementptr i8, ptr @U, i64 %n\n  store i64 7, ptr %p", False),
    ("%p = alloca ptr\n  store ptr @T, ptr %p\n  %q = load ptr, ptr %p\n  store i64 7, ptr %q", True),
    ("%p = alloca ptr\n  store ptr @T, ptr %p\n  %q = load ptr, ptr %p\n  %x = load i64, ptr %q", False),
    ("store ptr @T, ptr @U", True),
    ("%p = select i1 true, ptr @T, ptr @U\n  store i64 7, ptr %p", True),
    ("%a = ptrtoint ptr @T to i64\n  %b = add i64 %a, 8\n  %p = inttoptr i64 %b to ptr\n  store i8 0, ptr %p", True),
    ("store i64 7, ptr getelementptr (i8, ptr @T, i64 8)", True),
    ("%x = atomicrmw add ptr @T, i64 1 seq_cst", True),
    ("%x = call i64 @reads(ptr @T)", False),
    ("call void @writes(i64 1, ptr @T)", True),
    ("%x = call i64 @elsewhere(ptr @T)", True),
    ("%x = call i64 @promises(ptr @T)", False),
    ("%p = call ptr @place(ptr @T)\n  store i64 7, ptr %p", True),
    ("call void @llvm.memcpy.p0.p0.i64(ptr @U, ptr @T, i64 8, i1 false)", False),
    ("call void @llvm.memcpy.p0.p0.i64(ptr @T, ptr @U, i64 8, i1 false)", True),
    ('call void asm sideeffect "movq $$7, $0", "=*m"(ptr elementtype(i64) @T)', True),
    ("%f = load ptr, ptr @T\n  %x = call i64 %f(i64 1)", False),
    ("%f = load ptr, ptr @U\n  %x = call i64 %f(ptr @T)", True),
    ("%p = load ptr, ptr @P\n  store i64 7, ptr %p", True),
    ("%q = getelementptr ptr, ptr @P, i64 %n\n  %p = load ptr, ptr %q\n  %x = load i64, ptr %p", False),
    ("%p = load ptr, ptr @Q\n  %q = load ptr, ptr %p\n  store i64 7, ptr %q", True),
    ("store ptr @U, ptr @P", False),
    ("store i64 7, ptr @A", True),
    ("%p = call ptr @table()\n  store i64 7, ptr %p", True),
    ("%p = call ptr @table()\n  %x = load i64, ptr %p", False),
    ("call void @later(ptr @T)", True),
    ("%p = alloca ptr\n  %q = alloca ptr\n  store ptr @T, ptr %p\n"
     "  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)\n"
     "  %r = load ptr, ptr %q\n  store i64 7, ptr %r", True),
    ("call void @llvm.masked.store.v2i64.p0(<2 x i64> %v, ptr @T, i32 8, <2 x i1> %m)", True),
    ("%x = call <2 x i64> @llvm.masked.load.v2i64.p0(ptr @T, i32 8, <2 x i1> %m, <2 x i64> %v)", False),
    ("call void @llvm.prefetch.p0(ptr @T, i32 0, i32 3, i32 1)", False),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "writes"), STORES)
def test_a_store_is_found_by_whatever_is_made_of_an_address(lines, writes):
    text = f"""@T = global [2 x i64] zeroinitializer
@U = global [2 x i64] zeroinitializer
@P = global ptr getelementptr (i8, ptr @T, i64 8)
@Q = constant [1 x ptr] [ptr @P]
@A = alias [2 x i64], ptr @T
define void @f(i64 %n, <2 x i64> %v, <2 x i1> %m) {{
  {lines}
  ret void
}}
define i64 @reads(ptr %p) {{
  %x = load i64, ptr %p
  ret i64 %x
}}
define void @writes(i64 %n, ptr %p) {{
  %more = icmp eq i64 %n, 0
  br i1 %more, label %again, label %end
again:
  call void @writes(i64 0, ptr %p)
  br label %end
end:
  store i64 7, ptr %p
  ret void
}}
define ptr @place(ptr %p) {{
  ret ptr %p
}}
define ptr @table() {{
  ret ptr @T
}}
define void @once(ptr %p) {{
  call void @later(ptr %p)
  store i64 7, ptr %p
  ret void
}}
define void @later(ptr %p) {{
  call void @once(ptr %p)
  ret void
}}
declare i64 @elsewhere(ptr)
declare i64 @promises(ptr readonly)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.masked.store.v2i64.p0(<2 x i64>, ptr, i32, <2 x i1>) memory(argmem: write)
declare <2 x i64> @llvm.masked.load.v2i64.p0(ptr, i32, <2 x i1>, <2 x i64>) memory(argmem: read)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32) memory(argmem: readwrite)
"""
    stores = Stores(Module(text))
    assert stores.writes_to_parameter("once", 0)  # and the others that are on the way to it
    named = [symbol for symbol, _ in stores.to_variable("T")]
    assert named == ["f"] * writes


AGAIN = [  # what a second run of an init does to what is read; "" for nothing
    ("static int n;\nvoid init(void) { T[0] = T[1] = n ? 7 : 5; n = 1; }", "changes T"),
    ("void init(void) { T[0] = T[1] = 5; }", ""),
    ("static int n;\nvoid init(void) { if (n++) return; T[0] = T[1] = 5; }", ""),
    ("static int n;\nvoid init(void) { T[0] = T[1] = 5; if (n++) __builtin_trap(); }", "end"),
    ("static int n;\nvoid init(void) { T[0] = T[1] = 5; for (volatile int x = n++; x;) ; }", "end"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), AGAIN)
def test_an_init_that_leaves_other_tables_when_it_runs_again_must_run_once(proved, text, said):
    result = proved({"rook.c": f"{NORTH}u64 T[2];\n{text}\n{ROOK}"}, init="init")
    assert (result.verdict, len(result.assumed)) == ("valid", bool(said))
    assert all("init() runs once: a second run" in one and said in one for one in result.assumed)


def test_an_init_does_not_run_again_where_the_function_is_refuted(proved):
    text = "static int n;\nvoid init(void) { T[0] = T[1] = 7; if (n++) __builtin_trap(); }"
    result = proved({"rook.c": f"{NORTH}u64 T[2];\n{text}\n{ROOK}"}, init="init")
    assert (result.verdict, [*result.assumed]) == ("invalid", [])


def test_memory_that_a_second_run_fills_anew_is_looked_at(proved):
    text = """u64 *T;
void *malloc(unsigned long);
static u64 n = 5;
void init(void) { if (!T) T = malloc(16); T[0] = T[1] = n; n = 7; }
"""
    result = proved({"rook.c": f"{NORTH}{text}{ROOK}"}, init="init")
    assert result.verdict == "valid"
    assert [*result.assumed] == ["init() runs once: a second run changes memory that it allocates"]


def test_a_block_is_known_however_often_others_were_allocated_and_freed(proved):
    """As by a search for magics, which makes a table for each trial."""
    text = """u64 *T, *trials[3];
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
void init(void) {
    for (int n = 0; n < 100000; n++) {
        for (int k = 0; k < 3; k++) trials[k] = malloc(8 * (n % 5 + k + 1));
        T = realloc(T, 16 + 8 * (n % 7));
        for (int k = 0; k < 3; k++) { trials[k][0] = k; free(trials[k]); }
    }
    T[0] = T[1] = 5;
}
"""
    result = proved({"rook.c": f"{NORTH}{text}{ROOK}"}, init="init")
    assert result.verdict == "valid"
