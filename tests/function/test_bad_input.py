"""Whatever cannot be certified: a clear line, and never a verdict."""

import sys
from pathlib import Path

import pytest

import magicert
from magicert import InputError
from magicert.outcome import Quiet
from magicert.verify.function.certify import CompiledQuestion
from magicert.verify.function.metadata import without_any, without_types
from magicert.verify.function.question import question_of
from magicert.z3models.solvers.child import supervise

SOURCE = """
#include <stdint.h>
uint64_t counter;
uint64_t counts(int square, uint64_t occupied) { counter = occupied; return square; }
uint64_t recursive(int s, uint64_t o) { return o & 1 ? recursive(s, o >> 1) * recursive(s, o >> 3) : o; }
double floating(int square, uint64_t occupied) { return square * 1.5 + occupied; }
uint64_t three(uint64_t a, uint64_t b, uint64_t c) { return a ^ b ^ c; }
uint64_t assembly(int s, uint64_t o) { uint64_t r; __asm__("nop" : "=r"(r) : "r"(o)); return r + s; }
uint64_t elsewhere(int square, uint64_t occupied);
uint64_t calls(int square, uint64_t occupied) { return elsewhere(square, occupied); }
uint64_t spins(int s, uint64_t o) { while (o != 1) { o = o & 1 ? 3 * o + 1 : o >> 1; } return o + s; }
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    file = tmp_path_factory.mktemp("bad") / "bad.c"
    file.write_text(SOURCE, "utf-8")
    return file


def test_what_is_not_understood_is_not_decided(certified, source):
    names = {"rook": "counts", "bishop": "recursive", "queen": "assembly", "R": "calls"}
    result = certified(source, functions=names, flags=("-O1",), traps=False)
    assert result.verdict == "unknown"
    messages = ("side effects", "recursion", "asm", "defined elsewhere")
    for report, name, message in zip(result.functions, names.values(), messages, strict=True):
        (square,) = (square for square in report.squares if square.square == "d4")
        assert (report.name, square.outcome) == (name, "not decided")
        assert message in square.message
        assert "bad.c:" in square.place


@pytest.mark.parametrize(
    ("functions", "options", "message"),
    [
        ({"rook": "three"}, {}, "expected .square, bitboard. -> bitboard"),
        ({"rook": "floating"}, {}, "double"),
        ({"rok": "counts"}, {}, "did you mean rook"),
        ({"sets:rook": "counts"}, {}, "unknown kind 'sets': did you mean setwise"),
        ({}, {}, "expected functions"),
        ({"rook": "counts"}, {"order": "b2"}, "expected one of a1"),
        ({"rook": "counts"}, {"board": "9"}, "expected files and ranks"),
        ({"rook": "counts"}, {"compiler": "rustc"}, "does not compile c"),
        ({"rook": "counts"}, {"compiler": "zing"}, "did you mean zig"),
        ({"rook": "counts"}, {"flags": ["-includenothing.h"]}, "nothing.h"),
    ],
)
def test_a_question_that_cannot_be_asked(source, functions, options, message):
    options = {"flags": ["-O1"], **options}
    with pytest.raises(InputError, match=message):
        magicert.certify_function(source, functions, **options, traps=False)


def test_all_functions_that_are_none_are_named(source):
    names = {"rook": "thre", "bishop": "elsewhere"}
    with pytest.raises(InputError) as absent:
        magicert.certify_function(source, names, init="ini", flags=["-O1"], traps=False)
    said = zip(
        absent.value.problems,
        ("did you mean three", "not defined in these sources", "--init ini: no such function"),
        strict=True,
    )
    assert all(message in str(problem) for problem, message in said)


def test_a_source_that_does_not_compile(tmp_path):
    file = tmp_path / "broken.c"
    file.write_text("unsigned long f( {\n", "utf-8")
    with pytest.raises(InputError, match=r"broken\.c:1:"):
        magicert.certify_function(file, {"rook": "f"}, traps=False)


def test_ir_that_is_none(tmp_path):
    file = tmp_path / "broken.ll"
    file.write_text("define i64 @f(i32 %x) {\n  ret i64 %x\n}\n", "utf-8")
    with pytest.raises(InputError, match="cannot read this"):
        magicert.certify_function(file, {"rook": "f"})


def test_a_loop_without_a_bound_ends_in_time(source):
    result = magicert.certify_function(
        source, {"rook": "spins"}, flags=["-O1", "-fno-finite-loops"], traps=False, seconds=2
    )
    assert isinstance(result, magicert.Unknown) or result.verdict == "unknown"


def test_nothing_is_run_unasked(certified, tmp_path):
    file = tmp_path / "glue.c"
    mark = tmp_path / "ran"
    file.write_text(
        f"""
#include <stdio.h>
static unsigned long table[64];
__attribute__((constructor)) void start(void) {{ fclose(fopen("{mark}", "w")); table[0] = 1; }}
unsigned long rook(int square, unsigned long occupied) {{ return table[square] | occupied; }}
""",
        "utf-8",
    )
    result = certified(file, functions={"rook": "rook"}, traps=False)
    assert not mark.exists()
    assert result.verdict == "unknown"
    assert any("--init" in square.message for square in result.functions[0].squares)
    asked = certified(file, functions={"rook": "rook"}, traps=False, run=True)
    assert mark.exists()
    assert asked.verdict == "invalid"
    assert asked.ran


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('function = { rook = "r" }', "function: unknown: did you mean functions"),
        ('functions = "rook"', "functions: 'rook': expected a table of names"),
        ('functions = { rook = "r" }\nflags = "-O2"', "flags: '-O2': expected a list of strings"),
        ('functions = { rook = "r" }\nrun = "yes"', "run: 'yes': expected true or false"),
        ("functions = {", "cannot be read"),
    ],
)
def test_a_file_beside_the_source_that_is_wrong(tmp_path, text, message):
    (tmp_path / "glue.function.toml").write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        question_of((tmp_path / "glue.c",), {})


def test_arguments_that_are_none_are_all_named(source):
    with pytest.raises(InputError) as error:
        magicert.certify_function(source, "counts", flags="-O2", seconds=-1, target=3)
    keys = [problem.key for problem in error.value.problems]
    assert keys == ["functions", "flags", "target", "seconds"]


def test_the_file_beside_the_source_says_it_all(tmp_path):
    (tmp_path / "glue.function.toml").write_text(
        'functions = { rook = "r", "setwise:fR" = "n" }\nflags = ["-O1"]\ninit = "start"\n', "utf-8"
    )
    question = question_of((tmp_path / "glue.c",), {"flags": ("-O3",)})
    assert [asked.key for asked in question.functions] == ["rook", "setwise:fR"]
    assert question.flags == ("-O3",)
    assert question.init == "start"


def test_a_function_that_nobody_defines_is_named(certified, tmp_path):
    file = tmp_path / "glue.c"
    file.write_text(
        """
#include <stdlib.h>
__asm__(".pushsection .rodata\\nnet: .incbin \\"net.bin\\"\\n.popsection");
unsigned long first_rank(void);
static unsigned long *table;
__attribute__((used)) static void init(void) { table = malloc(8); *table = first_rank(); }
unsigned long rook(int square, unsigned long occupied) { return *table; }
""",
        "utf-8",
    )
    with pytest.raises(InputError, match="it needs first_rank, which none of the sources defines"):
        certified(file, functions={"rook": "rook"}, init="init", traps=False)
    own = tmp_path / "rank.c"
    own.write_text("unsigned long first_rank(void) { return 255; }\n", "utf-8")
    result = certified(file, own, functions={"rook": "rook"}, init="init", traps=False)
    assert result.verdict == "invalid"
    assert "net.bin, which is not there, as empty" in result.taken


def test_a_module_without_its_metadata():
    """What is tried where LLVM ends over line numbers."""
    text = (
        "define i32 @f(i32 %x) !dbg !3 {\n  %a = alloca i32, align 4, !DIAssignID !4\n"
        "    #dbg_value(i32 %x, !5, !DIExpression(), !6)\n"
        "  call void @llvm.experimental.noalias.scope.decl(metadata !7)\n"
        "  ret i32 %x, !dbg !6, !tbaa !10\n}\n\n!llvm.dbg.cu = !{!0}\n!0 = !{}\n"
    )
    bare = without_any(text)
    assert bare == "define i32 @f(i32 %x) {\n  %a = alloca i32, align 4\n  ret i32 %x\n}\n\n"


def test_types_that_calls_name_are_left_out_of_metadata():
    llvm = pytest.importorskip("llvmlite.binding")
    text = """
declare ptr @new()
define ptr @f() !dbg !3 {
  %p = call ptr @new(), !dbg !6, !heapallocsite !7
  ret ptr %p
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2)
!2 = !DIFile(filename: "a.c", directory: ".")
!3 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{!7}
!6 = !DILocation(line: 2, scope: !3)
!7 = !DIDerivedType(tag: DW_TAG_typedef, name: "T", file: !2, line: 1, baseType: !8)
!8 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
"""
    slim = without_types(text, declared=False)
    assert "size: 8" not in slim
    llvm.parse_assembly(slim).verify()


def half_done(_, report):
    report.so_far("three squares")
    raise MemoryError


def test_what_was_found_is_kept_when_the_work_is_stopped(monkeypatch):
    # The child finds this module as this process does, and magicert where it is installed.
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(__file__).parents[2])])
    result = supervise(
        half_done,
        CompiledQuestion(None, None, None, None, 2048),
        Quiet(),
        unfinished="{}: {}".format,
    )
    assert result == "three squares: the solver reached its memory limit of 2,048 MiB"


def test_a_method_with_references_may_call_itself(certified, tmp_path):
    file = tmp_path / "queen.cpp"
    file.write_text(
        """
struct Bitboard { unsigned long bits; };
struct Lines { enum Way { EAST, WEST, BOTH }; static Bitboard both(const int &, const Bitboard &); };
static unsigned long line(int square, unsigned long occupied, Lines::Way way) {
  if (way == Lines::BOTH)
    return line(square, occupied, Lines::EAST) | line(square, occupied, Lines::WEST);
  unsigned long found = 0;
  for (int s = square; way == Lines::EAST ? s % 8 < 7 : s % 8 > 0;) {
    s += way == Lines::EAST ? 1 : -1;
    found |= 1ul << s;
    if (occupied >> s & 1) break;
  }
  return found;
}
Bitboard Lines::both(const int &square, const Bitboard &occupied) {
  return {line(square, occupied.bits, BOTH)};
}
""",
        "utf-8",
    )
    result = certified(file, functions={"lrR": "Lines::both"}, traps=False, squares=())
    assert result.verdict == "valid"
