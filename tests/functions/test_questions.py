"""Questions about functions: what is refused or not decided, how an answer is written; samples."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
import pytest
from click.testing import CliRunner

import magicert
from magicert import InputError
from magicert.board import CHESS, parse_board
from magicert.chess import parse_square
from magicert.commands.app import cli
from magicert.data import tables_folder
from magicert.functions import documents as functions
from magicert.functions import native
from magicert.functions.advice.answers import with_advice
from magicert.functions.certificate import FunctionCertificate, FunctionReport, SquareReport
from magicert.functions.compile import clang_dumps, compiler_runs
from magicert.functions.compile.forced import compile_with_forced
from magicert.functions.compile.forced_function import ForcedFunction
from magicert.functions.instances import piece_of
from magicert.functions.llvm import bindings, constants, specialise
from magicert.functions.llvm.metadata import without_any, without_types
from magicert.functions.llvm.named_checks import with_made_variables
from magicert.functions.llvm.symbol_names import whole_name
from magicert.functions.other_orders import unless_in_another_order
from magicert.functions.question import FunctionQuestion, claim_of, question_of, read_function_file
from magicert.functions.square_proof import _file_names
from magicert.functions.work import certify_functions
from magicert.outcome import Quiet
from magicert.problem import Problem
from magicert.system.deadline import Deadline
from magicert.table import read_table
from magicert.z3models.solvers.child import Budget, supervise

HERE = Path(__file__).parent
SAMPLES = HERE / "samples"
BAD, PROMISES = HERE / "bad" / "bad.c", HERE / "bad" / "promises.c"
NONE = "define i64 @none(i32 %square, i64 %occupied) {\n  ret i64 0\n}\n"


@pytest.mark.parametrize(("number", "most", "verdict"), [
    ("s.bits ^ 255", 64, "unknown"), ("s.bits", 64, "valid"), ("s.bits", 63, "invalid"),
])  # fmt: skip
def test_a_square_whose_bits_may_be_no_number_is_not_refuted(
    certified, tmp_path, number, most, verdict
):
    source = tmp_path / "north.cpp"
    text = "typedef unsigned long long u64;\nstruct Square { unsigned char bits; };\n"
    text += (
        f"u64 north(Square s, u64 o) {{ u64 t = 0; for (int n = ({number}) + 8; n < {most}; n += 8)"
    )
    source.write_text(
        f"{text} {{ t |= 1ull << n; if (o >> n & 1) break; }} return t; }}\n", "utf-8"
    )
    result = certified(source, functions={"fR": "north"}, squares=())
    assert result.verdict == verdict


@pytest.mark.parametrize(("key", "sets"), [
    ("rook", "the attack set of the rook"),
    ("fF", "the attack set of the white pawn"),
    ("RK", "what RK attacks"),
    ("setwise:knight", "the union of the attack sets of all knights"),
    ("setwise:bF", "the union of the attack sets of all black pawns"),
    ("setwise:lW", "the whole set moved by one square to the west"),
    ("setwise:brF", "the whole set moved by one square to the south-east"),
    ("setwise:flB", "what all sliders attack to the north-west"),
])  # fmt: skip
def test_a_verdict_says_in_words_which_sets_a_function_gives(key, sets):
    assert claim_of(key, "f", CHESS).sets == sets


def test_an_init_by_the_name_of_several_is_the_one_that_takes_nothing(certified, tmp_path):
    source = tmp_path / "step.cpp"
    text = "typedef unsigned long long u64;\nnamespace e { u64 up[64];\n"
    text += "void init(int s) { up[s] = s < 56 ? 256ull << s : 0; }\n"
    text += "void init() { for (int s = 0; s < 64; s++) init(s); }\n"
    text += "u64 step(int s, u64 o) { return up[s]; } }\n"
    source.write_text(text, "utf-8")
    assert certified(source, functions={"fW": "e::step"}, init="init").verdict == "valid"


@pytest.mark.parametrize(("ending", "flag"), [("cpp", "constant-interpreter"), ("c", "")])
def test_a_compiler_without_time_may_need_less_with_a_flag(tmp_path, ending, flag):
    source = tmp_path / f"rook.{ending}"
    source.write_text("int rook(int s) { return s; }", "utf-8")
    question = question_of((source,), {"functions": {"rook": "rook"}})
    answer = certify_functions(question, Quiet(), Deadline.after(0))
    assert answer.reason.startswith("the compiler took too long")
    assert answer.reason.endswith(flag or "long")
    flagged = replace(question, flags=(answer.reason.rpartition(" ")[2],))
    again = certify_functions(flagged, Quiet(), Deadline.after(0))
    assert again.reason == "the compiler took too long"


def test_what_is_not_understood_is_not_decided(certified):
    names = {"rook": "counts", "bishop": "recursive", "queen": "assembly", "R": "calls"}
    result = certified(BAD, functions=names, flags=("-O1",), traps=False)
    assert result.verdict == "unknown"
    messages = ("side effects", "recursion", "asm", "defined elsewhere")
    for report, name, message in zip(result.functions, names.values(), messages, strict=True):
        (square,) = (square for square in report.squares if square.square == "d4")
        assert (report.name, square.outcome) == (name, "not decided")
        assert message in square.message
        assert "bad.c:" in square.place


@pytest.mark.cases_of("refused.tsv")
def test_refused(functions, options, message):
    given = {"flags": ["-O1"], **json.loads(options)}
    with pytest.raises(InputError, match=message):
        magicert.certify_function(BAD, json.loads(functions), **given, traps=False)


@pytest.mark.cases_of("what_several_definitions_of_a_name_are.tsv")
def test_what_several_definitions_of_a_name_are(tmp_path, ending, texts, said):
    """One source or two; what is said, if they are refused."""
    files = [tmp_path / f"{n}.{ending}" for n in range(len(texts.split(" | ")))]
    for file, text in zip(files, texts.split(" | "), strict=True):
        file.write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    asked = partial(magicert.certify_function, files, {"setwise:fR": "rook"})
    if not said:
        assert asked().verdict == "valid"
        return
    with pytest.raises(InputError, match=said):
        asked()


MACROS = [  # what else the source of `up` has; what is asked; what comes of it, "" if refused
    ("#define up(s) (up(s) | 1)", "up", ""),
    ("static unsigned long other(unsigned long s) { return s; }\n#define up other", "up", ""),
    ("#define up up", "up", "valid"),
    ("#define up_to 7", "up", "valid"),
    ("#define up(s) (up(s) | 1)", "up(sliders)", "invalid"),
    ("#define up(s) (up(s) | 1)", "(up)(sliders)", "valid"),
]


@pytest.mark.parametrize(("text", "name", "verdict"), MACROS)
def test_a_name_that_is_a_macros_as_well_is_asked_for_as_a_call(
    certified, tmp_path, text, name, verdict
):
    file = tmp_path / "up.c"
    file.write_text(f"unsigned long up(unsigned long s) {{ return s << 8; }}\n{text}\n", "utf-8")
    asked = partial(certified, file, functions={"setwise:fW": name})
    if verdict:
        assert asked().verdict == verdict
        return
    with pytest.raises(InputError, match="up is a macro, too"):
        asked()


LABELLED = [  # another function's symbol is up
    ("c", 'unsigned long good(unsigned long s) __asm__("up");\n'
     "unsigned long good(unsigned long s) { return s << 8; }\n"
     "static unsigned long up(unsigned long s) __asm__(\"other\");\n"
     "static unsigned long up(unsigned long s) { return s; }", "invalid"),
    ("cpp", 'unsigned long good(unsigned long s) __asm__("up");\n'
     "unsigned long good(unsigned long s) { return s << 8; }\n"
     "namespace a { unsigned long up(unsigned long s) { return s; } }", ""),
    ("rs", '#[export_name = "up"] pub extern "C" fn good(s: u64) -> u64 { s << 8 }\n'
     "pub fn up(s: u64) -> u64 { s }", ""),
    ("zig", "fn good(s: u64) callconv(.c) u64 { return s << 8; }\n"
     'comptime { @export(&good, .{ .name = "up" }); }\npub fn up(s: u64) u64 { return s; }', "invalid"),
]  # fmt: skip


@pytest.mark.parametrize(("ending", "text", "verdict"), LABELLED)
def test_a_name_is_not_another_functions_by_its_label(certified, tmp_path, ending, text, verdict):
    missing = {"rs": not shutil.which("rustc"), "zig": not find_spec("ziglang")}
    if missing.get(ending):
        pytest.skip("no compiler of it")
    file = tmp_path / f"up.{ending}"
    file.write_text(text, "utf-8")
    asked = partial(certified, file, functions={"setwise:fW": "up"})
    if verdict:
        assert asked().verdict == verdict
        return
    with pytest.raises(InputError, match="2 functions have this name"):
        asked()


def test_a_function_with_another_square_order_gets_its_call_in_the_message(certified, tmp_path):
    file = tmp_path / "north.c"
    text = (HERE / "north.h").read_text("utf-8")
    file.write_text(f"{text}u64 up(int s, u64 o) {{ return north(1ull << (s ^ 56), o); }}", "utf-8")
    result = certified(file, functions={"fR": "up"}, squares=())
    question = question_of([file], {"functions": {"fR": "up"}})
    (document,) = functions.documents_of(result, question)
    assert document.verdict == "unknown"
    assert document.annotations[0].message.endswith("as in up(square ^ 56, occupied)")
    stated = certified(file, functions={"fR": "up"}, squares=(), order="a1")
    (document,) = functions.documents_of(stated, question)
    assert document.verdict == "invalid"
    assert document.help.endswith("as in up(square ^ 56, occupied)")
    # A call may have been copied from --functions: it states no order either.
    called = certified(file, functions={"fR": "up(square, occupied)"}, squares=())
    assert called.verdict == "unknown"
    stated = certified(file, functions={"fR": "up(square, occupied)"}, squares=(), order="a1")
    assert stated.verdict == "invalid"


def test_a_name_of_rust_ends_before_the_crate_that_it_is_compiled_for():
    assert whole_name("_RNvMCsgolbjaQktID_2m4NtB2_6Tables4rookB2_") == "m4::Tables::rook"


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        (
            "cpp",
            "struct Slider { u64 free; explicit Slider(u64 o) : free(~o) {} u64 up(int s) const; };\n"
            "u64 Slider::up(int s) const { return north(1ull << s, ~free); }",
        ),
        (
            "rs",
            "pub struct Slider { free: u64 }\nimpl Slider { fn new(o: u64) -> Self { Self { free: !o } }\n"
            "pub fn up(&self, s: u8) -> u64 { let (mut r, mut t) = (0, s as u32 + 8); while t < 64 "
            "{ r |= 1 << t; if self.free >> t & 1 == 0 { break; } t += 8; } r } }",
        ),
    ],
)
def test_a_method_is_not_refuted_by_what_its_object_may_not_be(certified, tmp_path, ending, text):
    if ending == "rs" and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    file = tmp_path / f"north.{ending}"
    north = (HERE / "north.h").read_text("utf-8") if ending == "cpp" else ""
    file.write_text(north + text, "utf-8")
    result = certified(file, functions={"fR": "Slider::up"})
    assert result.verdict == "unknown"
    assert "only a call says so, as in Slider(occupied).up(square)" in said(result)
    call = {"cpp": "Slider(occupied).up(square)", "rs": "Slider::new(occupied).up(square)"}[ending]
    assert certified(file, functions={"fR": call}).verdict == "valid"


def test_a_call_of_what_two_sources_of_c_have_from_a_header(certified, tmp_path):
    """It means the same in both, or it is refused."""
    north = (HERE / "north.h").read_text("utf-8")
    way = "\n#ifdef WRONG\nreturn o;\n#endif\n"
    header = (
        f"{north}\nstatic inline u64 rook(int s, u64 o) {{ {way} return north(1ull << s, o); }}"
    )
    (tmp_path / "rook.h").write_text(header, "utf-8")
    files = [tmp_path / name for name in ("one.c", "two.c")]
    for number, file in enumerate(files):
        used = f"u64 used{number}(u64 o) {{ return rook({number}, o); }}"
        file.write_text(f'#include "rook.h"\n{used}', "utf-8")
    asked = partial(certified, *files, functions={"fR": "rook(square, occupied)"})
    assert asked().verdict == "valid"
    files[1].write_text("#define WRONG\n" + files[1].read_text("utf-8"), "utf-8")
    with pytest.raises(InputError, match=r"another definition than in \S*one\.c"):
        asked()


@pytest.mark.gate_takes(each_of="verdict")
@pytest.mark.cases_of("what_the_compiler_leaves_out.tsv")
def test_what_the_compiler_leaves_out(
    certified, tmp_path, ending, name, flags, verdict, message, text
):
    if ending == "rs" and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    if ending == "zig":
        pytest.importorskip("ziglang")
    file = tmp_path / f"north.{ending}"
    north = (HERE / "north.h").read_text("utf-8") if ending in {"c", "h", "cpp"} else ""
    file.write_text(north + text, "utf-8")
    asked = partial(certified, file, functions={"fR": name}, flags=tuple(json.loads(flags)))
    if not verdict:
        with pytest.raises(InputError, match=message):
            asked()
        return
    result = asked()
    assert (result.verdict, message in said(result)) == (verdict, True), said(result)
    kept = "(" in name or ending != "rs"
    assert (f"north.{ending} (keeping {name})" in result.command) == kept


@pytest.mark.cases_of("what_a_name_could_have_meant.tsv")
def test_what_a_name_could_have_meant(certified, tmp_path, ending, name, message, text):
    if ending == "rs" and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    if ending == "zig":
        pytest.importorskip("ziglang")
    file = tmp_path / f"north.{ending}"
    north = (HERE / "north.h").read_text("utf-8") if ending.startswith("c") else ""
    file.write_text(north + text, "utf-8")
    with pytest.raises(InputError) as refused:
        certified(file, functions={"fR": name})
    (problem,) = refused.value.problems
    assert message in str(problem)


@pytest.mark.cases_of("what_a_name_without_its_namespaces_is.tsv")
def test_what_a_name_without_its_namespaces_is(
    certified, tmp_path, ending, name, whole, verdict, text
):
    file = tmp_path / f"north.{ending}"
    file.write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    result = certified(file, functions={"fR": name})
    assert [one.name for one in result.functions] == [whole]
    assert result.verdict == verdict


@pytest.mark.parametrize("name", ["rook", "rook(square, occupied)"])
def test_a_name_that_several_files_have_is_that_of_the_file_that_is_named(
    certified, tmp_path, name
):
    (tmp_path / "other.h").write_text("namespace A { inline u64 rook(int s, u64 o) { return o; } }")
    rook = "inline u64 rook(int s, u64 o) { return north(1ull << s, o); }"
    text = (HERE / "north.h").read_text("utf-8")
    file = tmp_path / "north.cpp"
    file.write_text(f'{text}\n#include "other.h"\nnamespace B {{ {rook} }}\n', "utf-8")
    result = certified(file, functions={"fR": name})
    assert (result.functions[0].name, result.verdict) == (f"B::{name}", "valid")


@pytest.mark.cases_of("what_the_instances_of_a_template_are.tsv")
def test_what_the_instances_of_a_template_are(certified, tmp_path, ending, key, name, rows, text):
    if ending == "rs" and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    file = tmp_path / f"north.{ending}"
    north = (HERE / "north.h").read_text("utf-8") if ending == "cpp" else ""
    file.write_text(north + text, "utf-8")
    result = certified(file, functions={key: name})
    found = (
        f"{one.name.removeprefix('north::')} {one.piece} {one.verdict}" for one in result.functions
    )
    assert sorted(found) == sorted(rows.split("; "))


@pytest.mark.parametrize(
    ("instance", "kind", "piece"),
    [
        ("N::attacks<N::ROOK>", "attacks", "rook"),
        ("attacks<(N::Piece)4>", "attacks", ""),
        ("attacks<PieceType::Bishop, true>", "attacks", "bishop"),
        ("attacks<BISHOP, ROOK>", "attacks", ""),
        ("attacks<BROOK>", "attacks", ""),
        ("rook<QueenSide>", "attacks", "queen"),
        ("shift<Direction::SOUTH_WEST>", "setwise", "blF"),
        ("shift<NorthEast>", "setwise", "frF"),
        ("shift<NORTH, SOUTH>", "setwise", ""),
        ("shift<NORTH>", "attacks", ""),
    ],
)
def test_whose_attacks_an_instance_speaks_of(instance, kind, piece):
    """QueenSide is no queen: a guess, and so nothing is refuted for it."""
    claim = claim_of(f"{kind}:fW", "shift", CHESS)
    assert piece_of(instance, claim, CHESS) == piece


def test_an_init_without_its_namespace_is_found(certified, tmp_path):
    """And all files are named that define what it uses, and what its own functions use."""
    head = (HERE / "north.h").read_text("utf-8") + "namespace a { extern const u64 one[64]; "
    texts = {
        "north.cpp": "int bit(int n); void other(); u64 bits[64];\n"
        "static u64 of(int n) { return one[bit(n)]; }\n"
        "void start() { for (int n = 0; n < 64; n++) bits[n] = of(n); }\n"
        "u64 (*called)(int) = of; void unused() { other(); }\n"
        "u64 set(u64 s); inline u64 rook(int s, u64 o) { return set(north(bits[s], o)); } }",
        "set.cpp": "u64 set(u64 s) { return s; } }",
        "one.cpp": "} const u64 a::one[64] = {1};",
        "bit.cpp": "int bit(int n) { return n; } }",
        "other.cpp": "void other() {} }",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(head + text, "utf-8")
    asked = partial(certified, functions={"fR": "rook"}, init="start")
    with pytest.raises(InputError, match=r"needs a::") as refused:
        asked(tmp_path / "north.cpp")
    (problem,) = refused.value.problems
    assert {*re.findall(r"\w+\.cpp", problem.message)} == {"one.cpp", "bit.cpp", "set.cpp"}


def test_a_symbol_of_cpp_that_ends_as_one_of_rust():
    assert whole_name("_ZN1a1b3bitENS0_2SqE") == "a::b::bit"  # (a::b::Sq)
    assert whole_name("_ZN1a1b3bit17h0123456789abcdefE") == "a::b::bit"


def test_an_init_that_is_a_static_initialiser_is_not_run_twice(certified, tmp_path):
    file = tmp_path / "north.c"
    text = (HERE / "north.h").read_text("utf-8") + (
        "static u64 bits[64];\n__attribute__((constructor)) static void start(void)\n"
        "{ for (int n = 0; n < 64; n++) { if (bits[n]) __builtin_trap(); bits[n] = 1ull << n; } }\n"
        "u64 rook(int s, u64 o) { return north(bits[s], o); }"
    )
    file.write_text(text, "utf-8")
    asked = partial(certified, file, functions={"fR": "rook"})
    with pytest.raises(InputError, match="static initialiser as well: --run alone runs it"):
        asked(init="start")
    assert asked(run=True).verdict == "valid"


@pytest.mark.parametrize("what", ["function", "variable", "init"])
def test_a_file_beside_the_source_that_defines_what_is_missing_is_named(certified, tmp_path, what):
    """Of those that only declare or use it none is, and none whose namespace is another."""
    head = "typedef unsigned long long u64;\n"
    defined = "namespace a { u64 *one; u64 north(u64 g, u64 o) { return g & o; } void init() {} }\n"
    texts = {
        "north.cpp": "namespace a { extern u64 *one; u64 north(u64, u64); void init(); }\n"
        f"u64 rook(u64 s, u64 o) {{ return {'*a::one' if what == 'variable' else 'a::north(s, o)'}; }}",
        "sets.cpp": defined,
        "other.cpp": "namespace b { u64 *one; u64 north(u64 g, u64 o) { return g; } void init() {} }",
        "user.cpp": "namespace a { extern u64 *one; u64 north(u64, u64); void init(); }\n"
        "u64 used() { a::init(); return *a::one + a::north(1, 2); }",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(head + text, "utf-8")
    asked = partial(certified, tmp_path / "north.cpp", functions={"setwise:fR": "rook"})
    if what == "init":
        with pytest.raises(InputError, match=r"sets\.cpp defines it"):
            asked(init="a::init")
        return
    result = asked()
    assert result.verdict == "unknown"
    assert f"{tmp_path / 'sets.cpp'} defines it" in said(result)


@pytest.mark.gate_takes(each_of="verdict")
@pytest.mark.cases_of("calls_of_large_boards.tsv")
def test_calls_of_large_boards(certified, tmp_path, ending, name, verdict, message, text):
    if ending == "rs" and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    if ending == "zig":
        pytest.importorskip("ziglang")
    file = tmp_path / f"up.{ending}"
    above = HERE / f"up.{ending.replace('cpp', 'c')}"
    file.write_text(above.read_text("utf-8") + text, "utf-8")
    board = parse_board("9x10")
    squares = (board.parse("d1"), board.parse("e7"))
    asked = partial(certified, file, functions={"fR": name}, board="9x10", squares=squares)
    if not verdict:
        with pytest.raises(InputError, match=message):
            asked()
        return
    result = asked()
    assert (result.verdict, message in said(result)) == (verdict, True), said(result)


def test_several_functions_may_take_what_lies_in_memory(certified, tmp_path):
    file = tmp_path / "north.cpp"
    text = (HERE / "north.h").read_text("utf-8")
    text += "u64 up(int s, const u64 &o) { return north(1ull << s, o); } "
    text += "void also(u64 *set, int s, const u64 &o) { *set = up(s, o) & ~o; } "
    text += "u64 most(int s, const u64 &o) { u64 set; also(&set, s, o); return set; }"
    file.write_text(text, "utf-8")
    result = certified(file, functions={"fR": "up", "rook": "most"})
    assert [report.verdict for report in result.functions] == ["valid", "invalid"]


@pytest.mark.gate_takes
@pytest.mark.parametrize("ending", ["c", "cpp"])
def test_what_leaps_may_take_a_square_alone(certified, tmp_path, ending):
    file = tmp_path / f"king.{ending}"
    text = (HERE / "north.h").read_text("utf-8") + "static u64 king(int s) { u64 b = 1ull << s; "
    text += "b |= b << 1 & 0xfefefefefefefefe | b >> 1 & 0x7f7f7f7f7f7f7f7f; "
    file.write_text(text + "return (b | b << 8 | b >> 8) ^ 1ull << s; }", "utf-8")
    assert certified(file, functions={"king": "king"}).verdict == "valid"
    assert certified(file, functions={"knight": "king"}, run=True).verdict == "invalid"
    for key in "rook", "index:king":
        with pytest.raises(
            InputError, match=r"found \(i32\) -> i64: expected \(square, bitboard\)"
        ):
            certified(file, functions={key: "king"})


def test_a_part_of_a_name_is_shown_whole(certified, tmp_path):
    text = "namespace a::b { u64 rook(int s, u64 o) { return north(1ull << s, o); } }"
    file = tmp_path / "north.cpp"
    file.write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    for name in "rook", "b::rook", "a::b::rook":
        result = certified(file, functions={"fR": name})
        assert (result.verdict, result.functions[0].name) == ("valid", "a::b::rook")


@pytest.mark.skipif(not shutil.which("rustc"), reason="no compiler of Rust")
@pytest.mark.parametrize(
    ("cargo", "compiles"),
    [
        ('[package]\nname = "north"', True),
        ("[package]\nedition.workspace = true\n[workspace.package]\nedition = '2015'", True),
        ('[package]\nedition = "2018"', False),
    ],
)
def test_a_crate_says_its_edition(certified, tmp_path, cargo, compiles):
    """Only in 2015 something may be called async."""
    file = tmp_path / "src" / "lib.rs"
    file.parent.mkdir()
    (tmp_path / "Cargo.toml").write_text(cargo, "utf-8")
    file.write_text(
        "pub fn rook(s: u8, _: u64) -> u64 { let async = 0; async & s as u64 }", "utf-8"
    )
    if compiles:
        assert certified(file, functions={"fR": "rook"}).verdict == "invalid"
    else:
        with pytest.raises(InputError, match="async"):
            certified(file, functions={"fR": "rook"})


@pytest.mark.skipif(not shutil.which("rustc"), reason="no compiler of Rust")
def test_another_crate_is_given_as_it_is_built(certified, tmp_path):
    text = "#[inline] pub fn rook(s: u8, o: u64) -> u64 { o ^ s as u64 }"
    (tmp_path / "sets.rs").write_text(text, "utf-8")
    file = tmp_path / "north.rs"
    file.write_text("pub fn rook(s: u8, o: u64) -> u64 { sets::rook(s, o) }", "utf-8")
    with pytest.raises(InputError, match="--extern sets"):
        certified(file, functions={"fR": "rook"})
    made = [
        "rustc",
        "--crate-type=lib",
        "-O",
        "--out-dir",
        str(tmp_path),
        str(tmp_path / "sets.rs"),
    ]
    subprocess.run(made, check=True)
    flags = ("--extern", f"sets={tmp_path / 'libsets.rlib'}")
    assert certified(file, functions={"fR": "rook"}, flags=flags).verdict == "invalid"


def test_what_two_sources_leave_out_is_one_function(certified, tmp_path):
    files, alike = [tmp_path / "first.cpp", tmp_path / "second.cpp"], "north(1ull << s, o)"
    for returned in alike, "o":
        for file, what in zip(files, (alike, returned), strict=True):
            text = f"inline u64 rook(int s, u64 o) {{ return {what}; }}"
            file.write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
        if returned == alike:
            assert certified(*files, functions={"fR": "rook"}).verdict == "valid"
            continue
        with pytest.raises(InputError, match=r"another definition than in .*first"):
            certified(*files, functions={"fR": "rook"})
        with pytest.raises(InputError, match="no such function"):
            certified(*files, functions={"fR": "rook"}, traps=False)


@pytest.mark.parametrize("target", ["aarch64-macos", "x86_64-windows-gnu"])
def test_what_another_system_s_compiler_leaves_out(certified, tmp_path, target):
    text = "template <int> u64 rook(int s, u64 o) { return north(1ull << s, o); }"
    file = tmp_path / "north.cpp"
    file.write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    assert certified(file, functions={"fR": "rook<5>"}, target=target).verdict == "valid"


def test_an_init_that_the_compiler_leaves_out(certified, tmp_path):
    text = "u64 one;\ninline void init() { one = 1; }\n"
    text += "inline u64 rook(int s, u64 o) { return north(one << s, o); }\n"
    file = tmp_path / "north.hpp"
    file.write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    assert certified(file, functions={"fR": "rook"}, init="init").verdict == "valid"


@pytest.mark.gate_takes(first=2)
@pytest.mark.parametrize("ending", ["c", "rs", "cpp"])
def test_several_inits_stand_in_one(certified, tmp_path, ending):
    text = (HERE / "north.h").read_text("utf-8") + "static u64 one, all;\n"
    text += "static void first() { one = 1; }\nstatic void last(int by) { all = one * by; }\n"
    text += "u64 rook(int s, u64 o) { return north(one << s, o) & -all; }\n"
    inits = "first(), last(1)"
    if ending == "rs":
        if not shutil.which("rustc"):
            pytest.skip("no compiler of Rust")
        inits = f"({inits})"
        text = (HERE / "up.rs").read_text("utf-8").replace("u128", "u64").replace("90", "64")
        text = text.replace("9;", "8;") + "static mut ONE: u64 = 0;\nstatic mut ALL: u64 = 0;\n"
        text += (
            "fn first() { unsafe { ONE = 1 } }\nfn last(by: u64) { unsafe { ALL = ONE * by } }\n"
        )
        text += (
            "pub fn rook(s: u8, o: u64) -> u64 { up(s as u32, o) & unsafe { ALL.wrapping_neg() } }"
        )
    file = tmp_path / f"north.{ending}"
    file.write_text(text, "utf-8")
    assert certified(file, functions={"fR": "rook"}, init=inits).verdict == "valid"


def test_the_order_of_two_words_is_said(certified, tmp_path):
    text = "u64 right(u64 o, u64 s) { return north(1ull << (s & 63), o); }\n"
    text += "u64 filled(u64 o, u64 s) { return north(s, o); }\n"
    text += "u64 half(u64 o, u64 s) { return s & 60 ? 0 : right(o, s); }\n"
    text += "u64 wrong(u64 o, u64 s) { return o; }\n"
    text += "u64 known; void other(u64 x) { known = x; }\n"
    text += "u64 open(u64 o, u64 s) { return right(o, s) ^ (s || !(o & 1) ? 0 : known); }\n"
    (tmp_path / "two.c").write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    result = certified(tmp_path / "two.c", functions={"fR": "right"})
    assert result.verdict == "valid"
    assert result.taken == ("right(occupied, square), in this order, as both are words",)
    # That it is wrong with the square before says nothing, where the other order is not decided.
    result = certified(tmp_path / "two.c", functions={"fR": "open"}, squares=(0, 27))
    assert (result.verdict, "as in open(occupied, square)" in said(result)) == ("unknown", True)
    result = certified(tmp_path / "two.c", functions={"fR": "half"}, squares=(0, 27))
    assert "a wrong set, called as (occupied, square)" in said(result)
    with pytest.raises(InputError, match=r"found \(occupied, sliders\)"):
        certified(tmp_path / "two.c", functions={"setwise:fR": "filled"})
    result = certified(tmp_path / "two.c", functions={"fR": "wrong"})
    assert "a wrong set, called as (square, occupied)" in said(result)


def test_a_word_that_may_be_a_set_of_one_square_is_not_refuted_as_a_number(certified, tmp_path):
    text = "u64 set(u64 s, u64 o) { return north(s, o); }\n"
    text += "u64 number(u64 s, u64 o) { return s & 4 ? 0 : north(1ull << (s & 63), o); }\n"
    (tmp_path / "set.c").write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    result = certified(tmp_path / "set.c", functions={"fR": "set"}, squares=(0, 27))
    assert (result.verdict, "set(1ull << square, occupied)" in said(result)) == ("unknown", True)
    call = "set(1ull << square, occupied)"
    assert certified(tmp_path / "set.c", functions={"fR": call}).verdict == "valid"
    for name, squares in (("set(square, occupied)", (0, 27)), ("number", (0, 28))):
        result = certified(tmp_path / "set.c", functions={"fR": name}, squares=squares)
        assert result.verdict == "invalid"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("broken.c", "unsigned long f( {\n", r"broken\.c:1:"),
        ("broken.ll", "define i64 @f(i32 %x) {\n  ret i64 %x\n}\n", "cannot read this"),
    ],
)
def test_a_source_that_is_none(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        magicert.certify_function(tmp_path / name, {"rook": "f"}, traps=False)


def test_all_that_is_wrong_is_named():
    names = {"rook": "thre", "bishop": "elsewhere"}
    with pytest.raises(InputError) as absent:
        magicert.certify_function(BAD, names, init="ini", flags=["-O1"], traps=False)
    messages = "did you mean three", "not defined in these", "--init ini: no such function"
    for problem, message in zip(absent.value.problems, messages, strict=True):
        assert message in str(problem)
    with pytest.raises(InputError) as wrong:
        magicert.certify_function(BAD, "counts", flags="-O2", seconds=-1, target=3)
    keys = [problem.key for problem in wrong.value.problems]
    assert keys == ["functions", "flags", "target", "seconds"]


@pytest.mark.cases_of("no_promise_of_the_source_is_believed.tsv")
def test_no_promise_of_the_source_is_believed(certified, name, flag, verdict, message):
    given = {"target": "x86_64"} if name == "bare" else {"init": "init"} if name == "here" else {}
    result = certified(PROMISES, functions={"rook": name}, flags=(flag,), **given)
    (report,) = result.functions
    assert result.verdict == verdict
    assert all(message in square.message for square in report.findings)


@pytest.mark.cases_of("a_small_function.tsv")
def test_a_small_function(certified, tmp_path, ending, given, verdict, message, text):
    if ending == "rs" and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    if ending == "zig":
        pytest.importorskip("ziglang")
    file = tmp_path / f"north.{ending}"
    north = Path(__file__).with_name("north.h").read_text() if ending.startswith("c") else ""
    file.write_text(north + text, "utf-8")
    result = certified(file, functions={"setwise:fR": "rook"}, **json.loads(given))
    assert (result.verdict, message in said(result)) == (verdict, True), said(result)


@pytest.mark.skipif(sys.platform != "linux", reason="the loader's own words")
def test_an_init_that_needs_a_function_of_cpp_gets_its_library(certified, tmp_path, monkeypatch):
    """Zig would build that library first, for minutes: here it is enough that it is asked for."""
    linked, asked = native._link, []

    def link(*given, cxx):
        asked.append(cxx)
        if cxx:
            raise InputError([Problem("as far as here")])
        linked(*given, cxx=cxx)

    monkeypatch.setattr(native, "_link", link)
    text = "#include <string>\nstd::string name;\n"
    text += 'extern "C" void init() { name = "longer than what a short string holds"; }\n'
    text += 'extern "C" u64 rook(u64 s, u64 o) { return name.empty() ? 0 : north(s, o); }\n'
    (tmp_path / "north.cpp").write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    with pytest.raises(InputError, match="as far as here"):
        certified(tmp_path / "north.cpp", functions={"setwise:fR": "rook"}, init="init")
    assert asked == [False, True]


def test_a_function_that_wants_its_own_square_occupied_gets_its_call_in_the_message(
    certified, tmp_path
):
    text = "u64 up(int s, u64 o) { u64 own = 1ull << s; return o & own ? north(own, o) : 0; }"
    file = tmp_path / "north.c"
    file.write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    result = certified(file, functions={"fR": "up"}, squares=())
    assert result.verdict == "unknown"
    call = "up(square, occupied | 1ull << square)"
    assert {one.message.endswith(f"as in {call}") for one in result.functions[0].findings} == {True}
    question = question_of([file], {"functions": {"fR": "up"}})
    assert with_advice(result, question, 0).advice.endswith(f"--function 'fR={call}'")
    assert certified(file, functions={"fR": call}).verdict == "valid"


STOPS_ON_ITSELF = """typedef unsigned long long u64;
u64 up(int s, u64 o) {
    u64 r = 0;
    int t = s;
    while (t < 56 && !(o >> t & 1)) r |= 1ull << (t += 8);
    return r;
}
"""


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("r = 0", "r = 0", "unknown"),
        ("t < 56", "t < 48", "invalid"),  # on the empty board, too
        ("return r", "return o == 2ull << 40 ? 0 : r", "invalid"),  # for another occupied square
        ("o >> t & 1", "o >> t & 1 && (t != s || s == 9)", "invalid"),  # on one square
    ],
)
def test_a_function_that_is_wrong_on_each_occupied_square_gets_its_call(
    certified, tmp_path, old, new, verdict
):
    file = tmp_path / "up.c"
    file.write_text(STOPS_ON_ITSELF.replace(old, new), "utf-8")
    result = certified(file, functions={"fR": "up"}, squares=())
    assert result.verdict == verdict
    if verdict == "unknown":
        call = "up(square, occupied & ~(1ull << square))"
        messages = {one.message for one in result.functions[0].findings}
        assert all(one.endswith(f"as in {call}") for one in messages)
        question = question_of([file], {"functions": {"fR": "up"}})
        assert with_advice(result, question, 0).advice.endswith(f"--function 'fR={call}'")
        assert certified(file, functions={"fR": call}).verdict == "valid"


def test_what_is_wrong_with_its_own_square_occupied_is_refuted():
    ups = [0x0101010101010100 << n & (1 << 64) - 1 for n in range(64)]
    squares = tuple(
        SquareReport(
            "refuted", square="abcdefgh"[n % 8] + str(n // 8 + 1), found="0x0", expected=hex(up),
            inputs={"occupied": hex((n == 9) << n)}, empty=0, alone=up,
        )
        for n, up in enumerate(ups)
    )  # fmt: skip
    question = question_of([Path("up.c")], {"functions": {"fR": "up"}})
    report = FunctionReport("up", "up", "attacks", "fR", "", squares)
    (left,) = (
        one for one in unless_in_another_order(report, question).squares if one.outcome == "refuted"
    )
    assert left.square == "b2"
    said = functions._what_helps(report, SimpleNamespace(board="8x8", order="a1", init=""))
    assert "up(square, occupied | 1ull << square)" in said


@pytest.mark.parametrize(("turned", "said"), [(63, "square ^ 63"), (7, "square ^ 7"), (9, "")])
def test_squares_that_are_numbered_otherwise_are_said(turned, said):
    """A right function would be called wrong on all of them."""
    cross = [0xFF << (n & 56) ^ 0x0101010101010101 << (n & 7) for n in range(64)]
    squares = tuple(
        SquareReport(
            "refuted", square="abcdefgh"[n % 8] + str(n // 8 + 1), inputs={"occupied": "0x0"},
            found=hex(cross[n ^ turned]), expected=hex(cross[n]), empty=cross[n ^ turned],
        )
        for n in range(64)
    )  # fmt: skip
    report = FunctionReport("rook", "rook", "attacks", "rook", "", squares)
    asked = SimpleNamespace(board="8x8", order="a1", init="")
    told = functions._what_helps(report, asked)
    assert said in told
    assert bool(said) == bool(told)
    empty = replace(report, squares=tuple(replace(one, empty=0) for one in squares))
    assert functions._what_helps(empty, asked) == ""
    asked.init = "init"
    assert "is init() all that fills tables?" in functions._what_helps(empty, asked)


MADE = """@_ZGVa = global i64 0, align 8
@a = global i64 5
declare i32 @__cxa_guard_acquire(ptr)
define ptr @f() {
  %1 = load atomic i8, ptr @_ZGVa acquire, align 8
  %2 = icmp eq i8 %1, 0
  br i1 %2, label %3, label %5

3:                                                ; preds = %0
  %4 = call i32 @__cxa_guard_acquire(ptr @_ZGVa)
  br label %5

5:                                                ; preds = %3, %0
  ret ptr @a
}
"""


def test_what_makes_a_variable_that_is_made_is_left_out():
    """A constructor that fills tables would be inlined for each square, and never be called."""
    left = with_made_variables(MADE, {"_ZGVa"})
    assert "call" not in left
    assert llvm.parse_assembly(left)
    assert with_made_variables(MADE, {"_ZGVb"}) == MADE
    value = "5:                                                ; preds = %3, %0\n"
    joined = MADE.replace(value, f"{value}  %6 = phi i32 [ %4, %3 ], [ 0, %0 ]\n")
    assert "guard_acquire(ptr @_ZGVa)" in with_made_variables(joined, {"_ZGVa"})


def test_what_python_allocates_moves_nothing_in_the_runs_of_an_init(
    certified, tmp_path, monkeypatch
):
    monkeypatch.setenv("PYTHONMALLOC", "malloc")
    text = "#include <stdlib.h>\nu64 *T[9];\n"
    text += "void init(void) { for (int k = 0; k < 9; k++) T[k] = calloc(8 << k, 8); }\n"
    text += "u64 rook(u64 s, u64 o) { return north(s, o) | T[o >> 61][o & 7]; }\n"
    (tmp_path / "north.c").write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    given = {"functions": {"setwise:fR": "rook"}, "init": "init"}
    assert certified(tmp_path / "north.c", **given).verdict == "valid"


@pytest.mark.cases_of("no_promise_of_unsafe_code_is_believed.tsv")
@pytest.mark.skipif(shutil.which("rustc") is None, reason="no compiler of Rust")
def test_no_promise_of_unsafe_code_is_believed(certified, name, message):
    (report,) = certified(PROMISES.with_suffix(".rs"), functions={"rook": name}).functions
    assert report.findings
    assert all(message in square.message for square in report.findings)


def test_a_pointer_to_many_is_looked_at(certified):
    pytest.importorskip("ziglang")
    (report,) = certified(PROMISES.with_suffix(".zig"), functions={"rook": "next"}).functions
    assert {square.message for square in report.findings} == {"a load beside a variable"}


def test_a_loop_without_a_bound_ends_in_time():
    flags = ["-O1", "-fno-finite-loops"]
    result = magicert.certify_function(BAD, {"rook": "spins"}, flags=flags, traps=False, seconds=1)
    assert isinstance(result, magicert.Unknown) or result.verdict == "unknown"


def test_nothing_is_run_unasked(certified, tmp_path):
    mark, file = tmp_path / "ran", HERE / "bad" / "constructor.c"
    given = {"functions": {"rook": "rook"}, "flags": [f'-DMARK="{mark}"'], "traps": False}
    result = certified(file, **given)
    assert not mark.exists()
    assert result.verdict == "unknown"
    assert any("--init" in square.message for square in result.functions[0].squares)
    asked = certified(file, **given, run=True)
    assert mark.exists()
    assert (asked.verdict, bool(asked.ran)) == ("invalid", True)


@pytest.mark.parametrize(
    ("init", "called"),
    [
        ("a, n::b", "a(), n::b()"),
        ("a,b(1, 2)", "a(), b(1, 2)"),
        ("f<1, 2>, g", "f<1, 2>(), g()"),
        ("f<1, 2>", "f<1, 2>"),
        ("a", "a"),
        ("a(1, 2)", "a(1, 2)"),
        ("p->a(), b", "p->a(), b"),
    ],
)
def test_each_of_several_inits_is_called(init, called):
    question = question_of((Path("a.cpp"),), {"functions": {"rook": "rook"}, "init": init})
    assert question.init == called


def test_a_function_that_nobody_defines_is_named(certified, tmp_path):
    given = {"functions": {"rook": "rook"}, "init": "init", "traps": False}
    needs = "it, or a static initialiser, needs {}, which none of the sources defines: give that source, too"
    with pytest.raises(InputError, match=r"needs first_rank, .*bad/rank\.c defines it"):
        certified(HERE / "bad" / "net.c", **given)
    alone = tmp_path / "alone" / "net.c"
    alone.parent.mkdir()
    alone.write_bytes((HERE / "bad" / "net.c").read_bytes())
    with pytest.raises(InputError, match=needs.format("first_rank") + r" \(an inline function"):
        certified(alone, **given)
    file = tmp_path / "table.c"
    text = "extern unsigned long BB[64];\nunsigned long seen;\nvoid init(void) { seen = BB[9]; }\n"
    file.write_text(text + "unsigned long rook(int s, unsigned long o) { return seen; }\n", "utf-8")
    with pytest.raises(InputError, match=needs.format("BB") + "$"):
        certified(file, **given)
    (tmp_path / "README.md").write_text("", "utf-8")  # which marks a project
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "board.c").write_text("unsigned long BB[64];\n", "utf-8")
    with pytest.raises(InputError, match=r"needs BB, .*board\.c defines it"):
        certified(file, **given)
    result = certified(HERE / "bad" / "net.c", HERE / "bad" / "rank.c", **given)
    assert result.verdict == "invalid"
    assert "net.bin, a file that is missing, as empty" in result.taken


def test_a_file_of_zig_imports_from_its_project(certified, tmp_path, monkeypatch):
    """What the compiler says and where a trap is, too, names the project's files."""
    pytest.importorskip("ziglang")
    monkeypatch.chdir(tmp_path)
    Path("build.zig").touch()
    file = Path("src", "moves", "north.zig")
    file.parent.mkdir(parents=True)
    file.write_text(
        'const board = @import("../board.zig");\n'
        "pub fn north(s: u64, _: u64) u64 { return board.up(s); }\n",
        "utf-8",
    )
    asked = partial(certified, file, functions={"setwise:fW": "north"})
    Path("src", "board.zig").write_text("pub fn up(s: u64) u64 {\n  return s *% 256;\n}\n", "utf-8")
    assert asked().verdict == "valid"
    Path("src", "board.zig").write_text("pub fn up(s: u64) u64 {\n  return s * 256;\n}\n", "utf-8")
    (report,) = asked().functions
    assert {square.place for square in report.squares} == {"src/board.zig:2"}
    Path("src", "board.zig").write_text("pub fn up(s: u64) u64 {\n  return t;\n}\n", "utf-8")
    with pytest.raises(InputError, match=r"src/board\.zig:2:10: error: use of undeclared"):
        asked()


def test_modules_of_zig_are_named_by_flags(certified, tmp_path, monkeypatch):
    pytest.importorskip("ziglang")
    monkeypatch.chdir(tmp_path)
    Path("options.zig").write_text("pub const step = 8;\n", "utf-8")
    north = 'export fn north(s: u64, _: u64) u64 { return s << @import("build_options").step; }\n'
    Path("glue.zig").write_text(north, "utf-8")
    flags = ["--dep", "build_options", "-Mroot=glue.zig", "-Mbuild_options=options.zig"]
    result = certified(Path("glue.zig"), functions={"setwise:fW": "north"}, flags=flags)
    assert result.verdict == "valid"


ONLY = "u64 rook(int s, u64 o) {{\n#if {}\nreturn north(1ull << s, o);\n#endif\nreturn 0; }}"
RUST = "pub fn rook(s: u8, o: u64) -> u64 {{ {} let (mut r, mut t) = (0, s as u32 + 8); while t < 64 {{ r |= 1 << t; if o >> t & 1 == 1 {{ break; }} t += 8; }} r }}"
ZIG = "{} pub fn rook(s: u6, o: u64) u64 {{ {} var r: u64 = 0; var t: u32 = s; while (t + 8 < 64) {{ t += 8; r |= @as(u64, 1) << @intCast(t); if (o >> @intCast(t) & 1 == 1) break; }} return r; }}"
HIDDEN = f"static {ONLY}"


ASSERTS = "#include <assert.h>\n{before}u64 rook(u64 s, u64 o) {{ {text} return north(s, o); }}\n"
NOT_ALL = "__builtin_popcountll(o) <= 32"


@pytest.mark.gate_takes(each_of="verdict")
@pytest.mark.parametrize(
    ("flags", "verdict", "message", "before", "text"),
    [
        ("-O2", "unknown", "does not hold for", "", f"assert({NOT_ALL});"),
        ("-O0", "unknown", "does not hold for", "", f'assert({NOT_ALL} && "few");'),
        ("-O2", "unknown", "-DNDEBUG leaves it out", "static const u64 T[64] = {1};\n",
         "assert(T[o & 63] == 0);"),
        ("-O2", "unknown", "-DNDEBUG", "", f"u64 t = s; assert({NOT_ALL}); assert(o != 5); s = t;"),
        ("-O2 -DNDEBUG", "valid", "", "", f"assert({NOT_ALL});"),
        ("-O2", "valid", "", "", "assert((o & 1) < 2);"),
        ("-O2", "invalid", "a wrong set", "", f"assert({NOT_ALL}); if (o == 5) return 0;"),
        ("-O2", "invalid", "a wrong set", "", "if (o == 5) return 0; assert(o != 5);"),
        ("-O2", "unknown", "does not hold for", "", "assert(o != 5); if (o == 5) return 0;"),
        ("-O2", "invalid", "stops in abort", "#include <stdlib.h>\n", f"if (!({NOT_ALL})) abort();"),
        ("-O2", "invalid", "", "", f"if (!({NOT_ALL})) __builtin_unreachable();"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["c", "cpp"])
def test_what_a_source_asserts_is_its_condition_and_no_fault(
    certified, tmp_path, ending, flags, verdict, message, before, text
):
    file = tmp_path / f"north.{ending}"
    text = ASSERTS.format(before=before, text=text)
    text = text.replace("u64 rook", 'extern "C" u64 rook') if ending == "cpp" else text
    file.write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    result = certified(file, functions={"setwise:fR": "rook"}, flags=tuple(flags.split()))
    assert (result.verdict, message in said(result)) == (verdict, True), said(result)
    places = {one.place.partition(":")[0] for f in result.functions for one in f.findings}
    assert all(place.endswith(file.name) for place in places if place)


@pytest.mark.gate_takes(each_of="verdict")
@pytest.mark.parametrize(
    ("ending", "flags", "verdict", "text"),
    [
        ("c", "-O2", "invalid", ONLY.format("defined NDEBUG")),
        ("c", "-O0", "invalid", ONLY.format("defined NDEBUG")),
        ("c", "-O2", "valid", ONLY.format("!defined NDEBUG && !defined _DEBUG")),
        ("c", "-O2 -DNDEBUG", "valid", ONLY.format("defined NDEBUG")),
        ("c", "-O2", "valid", ONLY.format("!__has_feature(undefined_behavior_sanitizer)")),
        ("c", "-O2", "valid", ONLY.format("!defined __SSP_STRONG__ && !defined _FORTIFY_SOURCE")),
        ("c", "-O0", "valid", ONLY.format("!defined __OPTIMIZE__ && defined __NO_INLINE__")),
        ("c", "-Os", "valid", ONLY.format("defined __OPTIMIZE_SIZE__")),
        ("c", "-O2", "invalid", HIDDEN.format("__INCLUDE_LEVEL__")),
        ("c", "-O2", "valid", HIDDEN.format("!__INCLUDE_LEVEL__")),
        ("cpp", "-O2", "valid", HIDDEN.format("__COUNTER__ == 0 && __COUNTER__ == 1")),
        ("c", "-O2", "valid", HIDDEN.format("1").replace("{\n", '{ if (__builtin_strcmp(__FILE__, __BASE_FILE__)) return 0;\n', 1)),
        ("c", "-O2 -DUP=8 -include stdint.h", "valid", ONLY.format("UP == 8 && defined UINT64_MAX")),
        ("rs", "", "valid", RUST.format("debug_assert!(o.count_ones() < 32);")),
        ("rs", "-C debug-assertions=on", "invalid", RUST.format("debug_assert!(o.count_ones() < 32);")),
        ("rs", "", "invalid", RUST.format("assert!(o.count_ones() < 32);")),
        ("rs", "", "valid", RUST.format("if cfg!(debug_assertions) { return 0; }".replace("{", "{{").replace("}", "}}")).replace("{{ return 0; }}", "{ return 0; }")),
        ("zig", "", "unknown", ZIG.format('const b = @import("builtin");', "if (b.mode == .ReleaseSafe) return 0;")),
        ("zig", "", "unknown", ZIG.format("", 'if (@import("std").debug.runtime_safety) return 0;')),
        ("zig", "", "valid", ZIG.format('const mode = 8; // builtin\n', "_ = mode;")),
    ],
)  # fmt: skip
def test_both_builds_are_of_one_program(certified, tmp_path, ending, flags, verdict, text):
    if ending == "rs" and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    pytest.importorskip("ziglang")
    file = tmp_path / f"north.{ending}"
    north = (HERE / "north.h").read_text("utf-8") if ending.startswith("c") else ""
    file.write_text(north + text, "utf-8")
    result = certified(file, functions={"fR": "rook"}, flags=tuple(flags.split()))
    found = "unknown" if isinstance(result, magicert.Unknown) else result.verdict
    assert found == verdict, result


def test_a_header_is_found_where_it_was_before(certified, tmp_path):
    """A copy of the source in another folder would find another one, or none."""
    for folder in "src", "other":
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "which.h").write_text('#include "near.h"\n', "utf-8")
    (tmp_path / "other" / "nested.h").write_text('#include "near.h"\n', "utf-8")
    (tmp_path / "src" / "near.h").write_text("#define SRC 1\n", "utf-8")
    (tmp_path / "other" / "near.h").write_text("#define OTHER 1\n", "utf-8")
    file = tmp_path / "src" / "north.c"
    text = (HERE / "north.h").read_text("utf-8") + '#include "which.h"\n#include "nested.h"\n'
    file.write_text(text + HIDDEN.format("SRC && OTHER"), "utf-8")
    flags = (f"-I{tmp_path / 'other'}",)
    assert certified(file, functions={"fR": "rook"}, flags=flags).verdict == "valid"


@pytest.mark.parametrize(
    "name", ["magicert.changed", "magicert.trap.0", "magicert.read.0", "magicert.kept.rook", "magicert.x"]
)  # fmt: skip
def test_a_name_of_ours_in_a_source_is_refused(certified, tmp_path, name):
    """Else it would be taken for what is put into the module here."""
    text = f'u64 same(u64 a) __asm__("{name}");\nu64 same(u64 a) {{ return a; }}\n'
    text += "u64 rook(int s, u64 o) { return north(same(1ull << s), o); }"
    (tmp_path / "north.c").write_text((HERE / "north.h").read_text("utf-8") + text, "utf-8")
    for source in "north.c", "north.ll":
        if source.endswith("ll"):
            text = f'define i64 @"{name}"(i64 %s, i64 %o) {{\n  ret i64 %s\n}}\n'
            (tmp_path / source).write_text(text + NONE.replace("none", "rook"), "utf-8")
        with pytest.raises(InputError, match="are magicert's own"):
            certified(tmp_path / source, functions={"fR": "rook"})


TABLES = """
u64 M[64], T[64], *P[64], *one, B[64][64], parts[64][2]; int ready, slow;
struct { int seed; u64 all[64]; } mixed = {5};
struct magic { u64 mask, factor; int shift; u64 *at; } magics[64];
void masks(void) { for (int s = 0; s < 64; s++) M[s] = 0x0101010101010100ull << s; }
void sets(void) { for (int s = 0; s < 64; s++) T[s] = north(1ull << s, 0); }
void all(void) { for (int s = 0; s < 64; s++) P[s] = T + s; }
void point(void) { one = T; }
void mix(void) { for (int s = 0; s < 64; s++) mixed.all[s] = ~0ull; }
void get_ready(void) { ready = 1; slow = 0; }
void half(void) {
    for (int s = 0; s < 64; s++) { magics[s].at = T + s; parts[s][1] = ~0ull; if (s) B[s][0] = s < 56; }
}
void shifts(void) { for (int s = 0; s < 64; s++) magics[s].shift = 63; }
"""


def test_why_the_second_build_has_no_tables_of_its_own_is_shown(certified, tmp_path, monkeypatch):
    """The first build has made a flag of `column`, so that the second one needs its own init. Clang
    takes off a file's name what it has in common with the folder where it is called.
    """
    file = tmp_path / "north.c"
    (tmp_path / "beside").mkdir()
    monkeypatch.chdir(tmp_path / "beside")
    file.write_text(
        "typedef unsigned long long u64;\nstatic u64 column;\nint most = 2147483647;\n"
        "void init(void) { most = most + 1; column = 0x0101010101010100ull; }\n"
        "u64 rook(int s, u64 o) {\n"
        "    u64 m = column << s, hit = o & m, first = hit & -hit;\n"
        "    return hit ? m & (first | (first - 1)) : m;\n}\n"
    )
    result = certified(file, functions={"fR": "rook"}, init="init")
    (square,) = result.functions[0].squares
    assert result.verdict == "unknown"
    assert "the init does not come to its end: signed integer addition overflow" in square.message
    assert f"({file}:4)" in square.message


@pytest.mark.parametrize(
    ("init", "body", "verdict"),
    [
        ("masks", "T[s] & M[s]", "unknown"),  # the init of the sets was not named
        ("masks(), sets()", "T[s] & M[s]", "valid"),
        ("masks", "*P[s]", "unknown"),  # null pointers
        ("sets(), all()", "*P[s]", "valid"),
        ("sets", "T[s] | 1", "invalid"),
        ("sets(), masks()", "T[s ^ 56] & M[s]", "invalid"),
        ("masks", "0 * s", "invalid"),  # it reads no table
        # Of several that it reads one may be filled, or a part, and a pointer to it be null.
        ("masks", "(T[s] | M[s]) ^ 2", "unknown"),
        ("masks", "one[s] & M[s]", "unknown"),
        ("masks, sets, point()", "one[s] & M[s]", "valid"),
        ("masks", "mixed.all[s] & M[s]", "unknown"),
        ("masks, mix()", "mixed.all[s] & M[s]", "valid"),
        ("masks, sets, half()", "magics[s].at[(o & M[s]) * magics[s].factor >> 63] & 1", "unknown"),
        ("masks, half()", "parts[s][0] & M[s]", "unknown"),
        ("masks, half()", "parts[s][1] & M[s] & 1", "invalid"),
        ("get_ready", "slow ? 0 : 1", "invalid"),  # a flag may well be 0
        ("masks, half()", "M[s] * (1 - B[s][0])", "invalid"),  # one entry of a row
    ],
)
def test_tables_that_nobody_filled_accuse_nobody(certified, tmp_path, init, body, verdict):
    text = f"{(HERE / 'north.h').read_text('utf-8')}{TABLES}u64 king(int s) {{ return {body}; }}"
    text = text.replace("u64 king(int s)", "u64 king(int s, u64 o)").replace(
        "return ", "return ", 1
    )
    (tmp_path / "north.c").write_text(text, "utf-8")
    piece = {"fR": "king"}
    if verdict == "valid":
        text = text.replace(f"return {body};", f"return north(1ull << s, o) & ({body});")
        (tmp_path / "north.c").write_text(text, "utf-8")
    result = certified(tmp_path / "north.c", functions=piece, init=init)
    assert result.verdict == verdict, said(result)
    found = re.search(r"zero (?:where it is read )?after masks\(\)", said(result))
    assert (found is not None) == (verdict == "unknown"), said(result)


UP = "fn up(s: u64, o: u64) -> u64 { let (mut r, mut t) = (0, s << 8); while t != 0 { r |= t; if o & t != 0 { break; } t <<= 8; } r }\n"


@pytest.mark.gate_takes(each_of="verdict")
@pytest.mark.cases_of("what_nobody_filled_is_not_decided.tsv")
def test_what_nobody_filled_is_not_decided(certified, tmp_path, ending, name, init, verdict, text):
    if ending == "rs" and not shutil.which("rustc"):
        pytest.skip("no compiler of Rust")
    file = tmp_path / f"north.{ending}"
    head = UP if ending == "rs" else (HERE / "north.h").read_text("utf-8")
    file.write_text(head + text, "utf-8")
    for given in {}, {"run": True}:
        result = certified(file, functions={"fR": name}, **given)
        assert (result.verdict, "init" in said(result)) == ("unknown", True), said(result)
    assert certified(file, functions={"fR": name}, init=init).verdict == verdict


@pytest.mark.cases_of("a_file_beside_the_source_that_is_wrong.tsv")
def test_a_file_beside_the_source_that_is_wrong(tmp_path, text, message):
    (tmp_path / "glue.function.toml").write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        read_function_file(tmp_path / "glue.function.toml")


def test_a_named_file_says_what_is_not_given(tmp_path):
    file = tmp_path / "glue.function.toml"
    file.write_text(
        'functions = { rook = "r", "setwise:fR" = "n" }\nflags = ["-O1"]\ninit = "start"\n', "utf-8"
    )
    given = {"flags": ("-O3",)}
    question = question_of((tmp_path / "glue.c",), given, read_function_file(file))
    assert [asked.key for asked in question.functions] == ["rook", "setwise:fR"]
    assert (question.flags, question.init) == (("-O3",), "start")
    with pytest.raises(InputError, match="expected functions"):
        question_of((tmp_path / "glue.c",), given)


def half_done(_, report):
    report.so_far("three squares")
    raise MemoryError


def test_what_was_found_is_kept_when_the_work_is_stopped(monkeypatch):
    # The child finds this module as this process does, and magicert where it is installed.
    monkeypatch.setattr(sys, "path", [*sys.path, str(HERE.parents[1])])
    budget = Budget(memory=2048)
    result = supervise(half_done, None, Quiet(), budget, unfinished="{}: {}".format)
    assert result == "three squares: the solver reached its memory limit of 2,048 MiB"


@pytest.mark.parametrize(
    ("function", "heard", "verdict"),
    [
        ("fF", {"unknown"}, "unknown"),  # right in the order a8, which may be meant
        ("bF", {"unknown", "invalid"}, "invalid"),  # in none: that is known by the second square
    ],
)
def test_work_that_is_stopped_refutes_nothing_by_an_order_that_nobody_stated(
    in_this_process, certified, tmp_path, function, heard, verdict
):
    text = """typedef unsigned long long u64;
    u64 fF(int s) { u64 b = 1ull << s;
        return (b >> 9 & ~0x8080808080808080ull) | (b >> 7 & ~0x0101010101010101ull); }
    u64 bF(int s) { return s == 20 ? 1 : fF(s); }
    """
    file = tmp_path / "pawns.c"
    file.write_text(text, "utf-8")
    result = certified(file, functions={"fF": function}, squares=())
    assert {one.verdict for one in in_this_process.heard} == heard
    assert result.verdict == verdict


class EndsItsReader:
    """What ends the process that unpickles it."""

    def __reduce__(self) -> tuple[Any, tuple[int]]:
        return os._exit, (3,)


def test_a_child_that_dies_before_it_has_read_its_request_is_noticed():
    request = (EndsItsReader(), bytes(1 << 22))  # more than a pipe holds
    result = supervise(print, request, Quiet(), Budget())
    assert result.reason == "the solver's process ended unexpectedly (status 3)"


def test_what_is_kept_of_a_square_all_builds_have_said(in_this_process, certified):
    """One build's "proved" is not enough: another one's traps may refute it."""
    squares = tuple(map(parse_square, ("a1", "d4")))
    certified(SAMPLES / "kogge_stone.c", functions={"rook": "rook_attacks"}, squares=squares)
    kept = [[s.outcome for s in result.functions[0].squares] for result in in_this_process.heard]
    assert kept == [["proved", "not decided"], ["proved", "proved"]]


def test_metadata_is_left_out():
    """Of types, what calls name; where LLVM ends over line numbers, of everything."""
    slim = without_types((HERE / "bad" / "described.ll").read_text("utf-8"), declared=False)
    assert "size: 8" not in slim
    llvm.parse_assembly(slim).verify()
    of_bytes = '@a = constant [3 x i8] c"!7\\00"\n!7 = !DIDerivedType(tag: DW_TAG_const_type, '
    assert "!7 =" not in without_types(f"{of_bytes}baseType: !8)\n!8 = !{{}}\n", declared=False)
    text = (
        "define i32 @f(i32 %x) !dbg !3 {\n  %a = alloca i32, align 4, !DIAssignID !4\n"
        "    #dbg_value(i32 %x, !5, !DIExpression(), !6)\n"
        "  call void @llvm.experimental.noalias.scope.decl(metadata !7)\n"
        "  ret i32 %x, !dbg !6, !tbaa !10\n}\n\n!llvm.dbg.cu = !{!0}\n!0 = !{}\n"
    )
    bare = "define i32 @f(i32 %x) {\n  %a = alloca i32, align 4\n  ret i32 %x\n}\n\n"
    assert without_any(text) == bare


# How an answer is written.


@pytest.fixture
def run(in_this_process):  # noqa: ARG001
    return lambda *words: CliRunner().invoke(cli, [*map(str, words)])


def test_findings_as_json_sarif_and_files(run, tmp_path):
    text = (SAMPLES / "hyperbola_byteswap.c").read_text("utf-8")
    file, folder, log = (tmp_path / name for name in ("attack.c", "certificates", "log.sarif"))
    file.write_text(text.replace("UINT64_C(1) << square", "1 << square"), "utf-8")
    folder.mkdir()
    (folder / "attack.c.function.certificate.json").write_text('{"format":"magicert-report"}')
    found = run(
        "verify", file, "--function", "bishop=bishop_attacks", "--json", "--sarif", log,
        "--certificates", folder, "--", "-O2",
    )  # fmt: skip
    assert found.exit_code == 1
    document = json.loads(found.stdout)
    (report,) = folder.iterdir()  # what contradicts it is gone
    assert report.name == "attack.c.function.findings.json"
    assert document == json.loads(report.read_text())
    squares = {square["square"]: square for square in document["functions"][0]["squares"]}
    assert squares["a1"]["outcome"] == "proved"
    assert squares["a5"]["place"].endswith("attack.c:18")
    results = json.loads(log.read_text())["runs"][0]["results"]
    places = [result["locations"][0]["physicalLocation"] for result in results]
    assert 18 in [place.get("region", {}).get("startLine") for place in places]
    for words in (("--init", "start"), ("--", "-O2")):
        assert "needs --function" in run("verify", file, *words).output


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Programs that leave a mark if they are run, by every name by which one could be looked for."""
    mark, program = tmp_path / "ran", f"#!/bin/sh\ntouch '{tmp_path / 'ran'}'\nexit 3\n"
    for name in "clang", "zig", "rustc", "compiler", "evil/bin/rustc":
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(program, "ascii")
        file.chmod(0o755)
    (tmp_path / "rust-toolchain.toml").write_text(f'[toolchain]\npath = "{tmp_path / "evil"}"\n')
    for name in "ziglang", "multiprocessing", "tempfile":
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\nraise SystemExit(3)\n")
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("ending", ["c", "rs", "zig"])
def test_nothing_that_lies_in_the_folder_is_run(certified, project, ending):
    if ending == "rs" and not shutil.which("rustc", path=os.environ["PATH"].lstrip(".:")):
        pytest.skip("no compiler of Rust")
    pytest.importorskip("ziglang")
    texts = {
        "c": "unsigned long long none(int s, unsigned long long o) { return o & 0; }",
        "rs": "#[no_mangle] pub fn none(s: u8, o: u64) -> u64 { o & s as u64 & 0 }",
        "zig": "export fn none(s: u8, o: u64) u64 { return o & s & 0; }",
    }
    (project / f"north.{ending}").write_text(texts[ending], "utf-8")
    assert certified(Path(f"north.{ending}"), functions={"fR": "none"}).verdict == "invalid"
    for name in f"-north.{ending}", f"@north.{ending}":
        (project / name).write_text(texts[ending], "utf-8")
        with pytest.raises(InputError, match="begins as an option does"):
            certified(Path(name), functions={"fR": "none"})
    command = [sys.executable, "-P", "-c", WORKER]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(HERE.parents[1])}, check=True)
    assert not (project / "ran").exists()


WORKER = """
from magicert.outcome import Quiet
from magicert.z3models.solvers.child import Budget, supervise
print(supervise(print, "", Quiet(), Budget(memory=2048)))
"""


@pytest.mark.parametrize("words", [("verify", "glue.c"), ("verify", "."), ("report", "glue.c")])
def test_a_file_beside_a_source_is_obeyed_only_where_it_is_named(run, project, words):
    Path("glue.c").write_text("int none(void);", "ascii")
    text = 'functions = { rook = "none" }\ncompiler = "./compiler"\ninit = "init"\nrun = true\n'
    Path("glue.function.toml").write_text(text, "ascii")
    done = run(*words)
    assert (done.exit_code, (project / "ran").exists()) == (2, False)
    assert "--function-file glue.function.toml uses it" in done.stderr
    done = run(*words[:1], "glue.c", "--function", "rook=none", "--traps")
    assert not (project / "ran").exists()
    assert "glue.function.toml: not used" in done.stderr
    done = run(*words, "--function-file", "glue.function.toml")
    assert (done.exit_code, (project / "ran").exists()) == (2, True)
    shown, acts = done.stderr.index("runs the program ./compiler"), done.stderr.index("does not")
    assert shown < acts
    for line in 'init = "init": runs init()', "run = true: loads and calls", "functions = {":
        assert f"glue.function.toml: {'taken from it: ' * ('{' in line)}{line}" in done.stderr


@pytest.mark.parametrize("how", ["option", "file"])
def test_a_right_function_hides_no_wrong_numbers(run, tmp_path, how):
    table = tables_folder() / "published" / "bbc.toml"
    magics = {p: list(t.parameters["magic"]) for p, t in read_table(table).table.pieces.items()}
    (tmp_path / "glue.function.toml").write_text('functions = { "setwise:fR" = "rook" }', "ascii")
    words = {
        "option": ("--function", "setwise:fR=rook"),
        "file": ("--function-file", tmp_path / "glue.function.toml"),
    }[how]
    text = (HERE / "north.h").read_text("utf-8")
    text += "u64 rook(u64 s, u64 o) { return north(s, o); }\n"
    for wrong, status in ((), 0), ((28,), 1):
        for square in wrong:
            magics["rook"][square] = 0x123456789ABCDEF1  # no magic of anything
        lists = "".join(
            f"const u64 {piece}_magics[64] = {{{', '.join(f'{n:#x}ULL' for n in own)}}};\n"
            for piece, own in magics.items()
        )
        (tmp_path / "glue.c").write_text(text + lists, "utf-8")
        done = run(
            "verify", tmp_path / "glue.c", *words, "--bits", "popcount", "--json", "--", "-O2"
        )
        document = json.loads(done.stdout)
        assert (done.exit_code, document["verdict"]) == (status, ("valid", "invalid")[status])
        assert [one["squares"][0]["outcome"] for one in document["functions"]] == ["proved"]
        assert document["numbers"]["reports"]


def test_bitcode_is_certified_as_it_is(run, tmp_path):
    text = (SAMPLES / "west.ll").read_text("utf-8")
    bitcode = tmp_path / "west.bc"
    bitcode.write_bytes(llvm.parse_assembly(text).as_bitcode())
    found = run("verify", bitcode, "--function", "setwise:lR=west")
    assert found.exit_code == 0, found.output
    assert "2^128 inputs" in found.stdout


def test_a_page_shows_the_boards_the_numbers_and_how_to_repeat_it(run, tmp_path):
    file, page = tmp_path / "none.ll", tmp_path / "page.html"
    file.write_text(NONE, "utf-8")
    done = run("report", file, "--function", "rook=none", "--order", "a8", "-o", page)
    assert done.exit_code == 1, done.output
    text = page.read_text("utf-8")
    assert "<h1>invalid: none, " in text
    assert f"magicert verify {file} --function rook=none --order a8" in text
    assert text.count(">wrong<") == 64
    assert "<figcaption>returned</figcaption>" in text
    (data,) = re.findall(r'<script type="application/json" id="certificate">(.*?)</script>', text)
    squares = json.loads(data)["functions"][0]["squares"]
    assert {square["outcome"] for square in squares} == {"refuted"}


def test_a_script_without_a_guard_asks_once(tmp_path):
    (tmp_path / "none.ll").write_text(NONE.replace("i32", "i64"), "utf-8")
    asked = f"magicert.certify_function({str(tmp_path / 'none.ll')!r}, {{'setwise:R': 'none'}})"
    (tmp_path / "ask.py").write_text(f"import magicert\nprint({asked}.verdict)\n", "utf-8")
    command = [sys.executable, "-P", tmp_path / "ask.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "invalid\n"


TWINS = """
#include <stdint.h>
extern uint64_t (*chosen)(int, uint64_t);
static uint64_t attacks(int square, uint64_t occupied) {{ return {}; }}
"""


SANITIZERS_OFF = (
    "no-sanitize=all", "no-sanitize=shift", "no-sanitize=undefined", "no-sanitize-trap=all",
)  # fmt: skip
"""What a user's flags may turn off, and our second build has on all the same."""


@pytest.mark.parametrize(
    ("swapped", "also", "flags", "verdict"),
    [
        (0, "", (), "valid"), (1, "", (), "invalid"), (0, "rim <<= rim + 32;", (), "unknown"),
        *((0, "rim <<= rim + 32;", (f"-f{off}",), "unknown") for off in SANITIZERS_OFF),
    ],
)  # fmt: skip
def test_a_pointer_to_one_of_two_functions_with_a_name(
    certified, tmp_path, swapped, also, flags, verdict
):
    """In the optimised module the other one is no more: the name is free. So the second build has a
    process of its own; where its init ends at a trap, neither is taken.
    """
    right = (SAMPLES / "walk.c").read_text("utf-8") + TWINS.format("rook_attacks(square, occupied)")
    texts = [TWINS.format("occupied >> square"), right][:: -1 if swapped else 1]
    own = "uint64_t rook(int s, uint64_t o) { return chosen(s, o) | attacks(s, o) % 1; }"
    init = "uint64_t (*chosen)(int, uint64_t);\nint rim;\nvoid init(void) { chosen = attacks; %s }"
    files = tmp_path / "one.c", tmp_path / "other.c"
    for file, text, more in zip(files, texts, (own, init % also), strict=True):
        file.write_text(text + more, "utf-8")
    given = {"functions": {"rook": "rook"}, "init": "init", "squares": (parse_square("d4"),)}
    result = certified(*files, flags=flags, **given)
    assert result.verdict == verdict
    if verdict == "unknown":
        assert "traps not decided: a number is turned into an address" in said(result)


# Samples of each way to compute attacks: each proved, each mutant refuted. samples/index.toml.

INDEX = tomllib.loads((SAMPLES / "index.toml").read_text("utf-8"))["sample"]
ASKED = ("functions", "flags", "init", "order", "board", "compiler", "target", "traps")

SLOW = [pytest.mark.slow]


@pytest.fixture
def asked(certified):
    """`asked(file, sample, ...)`: the certificate of a sample's functions."""

    def ask(file, sample, **more):
        for ending, here in ((".rs", shutil.which("rustc")), (".zig", find_spec("ziglang"))):
            if file.suffix == ending and not here:
                pytest.skip(f"no compiler of {ending}")
        given = {key: sample[key] for key in ASKED if key in sample}
        result = certified(file, **{**given, **more})
        assert isinstance(result, FunctionCertificate), result
        return result

    return ask


def said(result):
    """All findings as text, for the part that a mutant expects."""
    return "\n".join(
        f"{f.square} {f.build} {f.outcome}: {f.message} at {f.place} {f.confirmed} {f.reads}"
        for function in result.functions
        for f in function.findings
    )


def proofs():
    """Each sample on d4, or where more happens; slow: on all squares, for each target."""
    for one in INDEX:
        squares = tuple(map(parse_square, one.get("squares", ["d4"])))
        first, *_ = targets = one.get("targets", ["x86_64"])
        marks = SLOW[: "slow" in one]
        yield pytest.param(one, first, squares, id=one["source"], marks=marks)
        for target in targets:
            yield pytest.param(one, target, (), id=f"{one['source']}-{target}", marks=SLOW)


@pytest.mark.parametrize(("sample", "target", "squares"), list(proofs()))
def test_a_sample_is_proved(asked, sample, target, squares):
    given = {"solvers": ("z3", "bitwuzla")} if squares else {}
    result = asked(SAMPLES / sample["source"], sample, target=target, squares=squares, **given)
    assert result.verdict == sample.get("expect", "valid"), said(result)


def test_a_proof_is_written_and_checked(asked, tmp_path):
    pytest.importorskip("drup")
    sample = next(sample for sample in INDEX if sample["source"] == "hyperbola_byteswap.c")
    result = asked(SAMPLES / sample["source"], sample, proof=tmp_path)
    assert result.evidence.startswith("DRUP proofs")
    clauses = tmp_path / "bishop-d4.cnf"
    (square,) = (s for s in result.functions[1].squares if s.square == "d4")
    steps = (tmp_path / "bishop-d4-traps.drup").read_text("ascii").splitlines()
    assert square.proof.endswith(
        f"steps for the clauses {hashlib.sha256(clauses.read_bytes()).hexdigest()}"
    )
    assert steps[-1] == "0"
    assert "\np cnf " in "\n" + clauses.read_text("ascii")


@pytest.mark.parametrize("group", ["nonlazybind", "", "noinline mustprogress"])
def test_a_group_of_attributes_that_all_is_taken_from_is_read(group):
    text = f"define i32 @f() #0 {{\n  ret i32 0\n}}\nattributes #0 = {{ {group} }}\n"
    native._prepared(text, ["f"], "", "a.ll")
    bindings.parsed(constants.optimisable(text), "a.ll")


def test_no_proof_is_written_over_another():
    given = [("rook", "f<true>"), ("rook", "f<(true)>"), ("rook", "g<1>"), ("bishop", "f<true>")]
    claims = tuple(claim_of(key, name, CHESS) for key, name in given)
    assert len({*_file_names(claims).values()}) == len(claims)
    assert _file_names(claims[3:]) == {claims[3]: "bishop"}
    question = FunctionQuestion((Path("a.c"),), claims, target="x86_64,wasm32", proof=Path("proof"))
    assert len({one.proof for one in question.for_each_target}) == 2


@pytest.mark.parametrize(
    ("sample", "mutant"),
    [
        pytest.param(one, mutant, id=f"{one['source']}-{number}", marks=SLOW["gate" in mutant :])
        for one in INDEX
        for number, mutant in enumerate(one.get("mutant", ()))
    ],
)
def test_a_mutant_is_found(asked, sample, mutant, tmp_path):
    text = (SAMPLES / sample["source"]).read_text("utf-8")
    before, after = mutant["replace"]
    assert text.count(before) == 1, before
    file = tmp_path / sample["source"]
    file.write_text(text.replace(before, after), "utf-8")
    names = sample["functions"]
    functions = {key: names[key] for key in mutant.get("functions", names)}
    board = parse_board(sample.get("board", "8x8"))
    squares = tuple(map(board.parse, mutant.get("squares", ())))
    # Calling what writes outside its tables could end anyhow; the others are called to confirm.
    elsewhere = {"target": mutant["target"]} if "target" in mutant else {}
    run = "init" not in sample and "target" not in sample
    result = asked(file, sample, functions=functions, squares=squares, run=run, **elsewhere)
    assert result.verdict == mutant["expect"], said(result)
    assert mutant.get("finding", "") in said(result)
    for function in result.functions:
        for finding in function.findings:
            if finding.found and function.kind != "index" and "target" not in sample | mutant:
                assert finding.confirmed == f"the compiled function returns {finding.found}"


DEDUCES = (
    "typedef unsigned long long u64;\nenum Sq : unsigned char {{ A1 }};\n"
    "template <class S> u64 rook(S s, u64 o) {{ if (sizeof(S) == 1) return 0; u64 r = 0;\n"
    "  for (int t = int(s) + 8; t < 64; t += 8) {{ r |= 1ull << t; if (o >> t & 1) break; }}\n"
    "  return r; }}\n{}"
    "template <int K> u64 att(Sq s, u64 o) {{ return K ? rook<int>(s, o) : 0; }}\n"
)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("rook", "of each that is called"),
        ("rook(square, occupied)", ""),
        ("rook<int>", "valid"),
        ("rook<Sq>", "invalid"),
        ("rook<unsigned char>", "invalid"),
        ("att<1>", "valid"),
        ("att<1>(square, occupied)", "valid"),
    ],
)
@pytest.mark.parametrize("engine", ["", "u64 engine(Sq s, u64 o) { return rook(s, o); }\n"])
def test_an_instance_that_no_engine_calls_is_not_what_a_templates_name_means(
    certified, tmp_path, name, verdict, engine
):
    file = tmp_path / "rook.hpp"
    file.write_text(DEDUCES.format(engine), "utf-8")
    if not verdict:
        with pytest.raises(InputError, match="name the instance"):
            certified(file, functions={"fR": name}, flags=("-O2",))
        return
    certificate = certified(file, functions={"fR": name}, flags=("-O2",))
    if verdict == "of each that is called":
        reports = {report.name: report.verdict for report in certificate.functions}
        wrong = {"rook<Sq>": "unknown"} if engine else {}
        assert reports == {"rook<int>": "valid", **wrong}
        assert certificate.verdict == ("unknown" if engine else "valid")
        return
    assert certificate.verdict == verdict


@pytest.mark.long
def test_a_walk_from_a_square_that_is_any_number_does_not_say_its_order(certified, tmp_path):
    """Nothing is decided then, before undefined behaviour is looked for."""
    walk = """typedef unsigned long long u64;
static u64 ray(u64 s, u64 o, int d, u64 edge) {
    u64 set = 0, bit = 1ull << s;
    while (!(bit & edge)) {
        bit = d > 0 ? bit << d : bit >> -d;
        set |= bit;
        if (bit & o) break;
    }
    return set;
}
u64 rook(u64 o, u64 s) {
    return ray(s, o, 8, 0xffull << 56) | ray(s, o, -8, 0xff)
         | ray(s, o, 1, 0x8080808080808080ull) | ray(s, o, -1, 0x0101010101010101ull);
}
"""
    (tmp_path / "walk.c").write_text(walk, "utf-8")
    result = certified(tmp_path / "walk.c", functions={"rook": "rook"}, flags=("-O2",))
    assert result.verdict == "valid"


@pytest.mark.parametrize(
    ("ending", "head", "name"),
    [
        ("cpp", "template <int D> static inline u64 ray(u64 s, u64 o)", "ray<{}>"),
        ("c", "static inline u64 ray(int D, u64 s, u64 o)", "ray({}, sliders, occupied)"),
    ],
)
def test_names_that_differ_in_signs_alone_are_asked_for_at_once(
    certified, tmp_path, ending, head, name
):
    source = tmp_path / f"ray.{ending}"
    north = (HERE / "north.h").read_text("utf-8")
    source.write_text(
        f"{north}{head} {{ return D > 0 ? north(s, o) : "
        "__builtin_bswap64(north(__builtin_bswap64(s), __builtin_bswap64(o))); }\n",
        "utf-8",
    )
    functions = {"setwise:fR": name.format("+1"), "setwise:bR": name.format("-1")}
    result = certified(source, functions=functions)
    assert {one.name: one.verdict for one in result.functions} == {
        name.format("+1"): "valid", name.format("-1"): "valid"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("use of undeclared identifier 'rook'", 1),
        ("use of undeclared identifier 'rook'; did you mean 'rok'?", 1),
        ("use of undeclared identifier 'Sq'", 2),  # another form may ask otherwise
        ("no matching function for call to 'rook'", 2),
        # What is ours has no place for it, and says why.
        (
            "no matching function for call to 'magicert_rook_of'\nkept.cpp:2:1: note: candidate "
            "template ignored: substitution failure [with T = int]: use of undeclared identifier "
            "'rook'",
            1,
        ),
    ],
)
def test_a_name_that_the_compiler_does_not_know_is_asked_for_once(tmp_path, said, asked):
    """Each further form would be compiled for the same words."""
    texts = []

    def compile_file(_path):
        texts.append((tmp_path / "kept.cpp").read_text("utf-8"))
        raise InputError([*map(Problem, f"kept.cpp:3:1: error: {said}".split("\n"))])

    source, refused = tmp_path / "a.cpp", {}
    source.write_text("", "utf-8")
    forced = [ForcedFunction("rook", (("square", "occupied"),))]
    compile_with_forced(source, "c++", forced, tmp_path, compile_file, refused, or_alone=False)
    assert len(texts) == asked
    assert refused == {"rook": said.rpartition("]: ")[2]}


@pytest.mark.parametrize(
    ("king", "asked"),
    [
        ("kept.cpp:{}:9: error: use of undeclared identifier 'king'", 1),
        # In what is ours, for king, which is asked for alone in its other form.
        ("kept.cpp:1:5: error: no matching conversion\nkept.cpp:{}:9: note: requested here", 2),
        ("", 2),
    ],
)
def test_several_names_that_the_compiler_does_not_know_are_asked_for_together(
    tmp_path, king, asked
):
    """Together they have each its own words: alone each would have the same."""
    words = {"rook(": "kept.cpp:{}:9: error: use of undeclared identifier 'rook'", "king(": king}
    texts = []

    def compile_file(_path):
        text = (tmp_path / "kept.cpp").read_text("utf-8")
        texts.append(text)
        rows = [*enumerate(text.rpartition('#line 1 "kept.cpp"\n')[2].split("\n"), 1)]
        errors = []
        for call, said in words.items():
            row = next((row for row, line in rows if call in line or f"&{call[:-1]};" in line), 0)
            errors += said.format(row).split("\n") if said and row else []
        if errors:
            raise InputError([*map(Problem, errors)])
        return ["clang"]

    source, refused = tmp_path / "a.cpp", {}
    source.write_text("", "utf-8")
    forced = [
        ForcedFunction("rook", (("square", "occupied"),)),
        ForcedFunction("king", (("square",),)),
    ]
    known, _ = compile_with_forced(
        source, "c++", forced, tmp_path, compile_file, refused, or_alone=False
    )
    assert len(texts) == asked
    assert refused.keys() == {call[:-1] for call, said in words.items() if said}
    assert refused["rook"] == "use of undeclared identifier 'rook'"
    assert known == ({} if king else {"king": 0})


def test_llvm_goes_over_what_is_reached_and_what_is_asked_for(certified, tmp_path, monkeypatch):
    """Of a large module its passes take longer than the proof."""
    modules, functions = [], []

    def parsed(*given):
        modules.append(bindings.parsed(*given))
        return modules[-1]

    def pass_builder(*given, **how):
        functions.append({function.name for function in modules[-1].functions})
        return bindings.pass_builder(*given, **how)

    monkeypatch.setattr(specialise, "parsed", parsed)
    monkeypatch.setattr(specialise, "pass_builder", pass_builder)
    monkeypatch.setattr(constants, "never_written", None)  # it reads no variable
    source = tmp_path / "shifts.c"
    source.write_text(
        "int count = 1;\n"
        "void other(void) { count++; }\n"
        "static unsigned long long up(unsigned long long set) { return set << 8; }\n"
        "unsigned long long north(unsigned long long set) { return up(set); }\n",
        "utf-8",
    )
    assert certified(source, functions={"setwise:fW": "north"}, cached=False).verdict == "valid"
    assert "north" in functions[0]
    assert not any("other" in names for names in functions)


CIRCLE = """
import gc
from magicert.functions.llvm.bindings import parsed
module = parsed("define void @f() { ret void }", "module")
circle = [module]
circle.append(circle)
del module, circle
gc.collect()
"""


def test_a_module_that_is_garbage_outlives_no_context():
    """LLVM would read what is freed, where Python disposes of the context first."""
    subprocess.run([sys.executable, "-P", "-c", CIRCLE], check=True)


SHIFTS = """\
using u64 = unsigned long long;
namespace sets {
inline u64 north(u64 set) { return set << 8; }
inline u64 south(u64 set) { return set >> 8; }
}  // namespace sets
"""


@pytest.mark.parametrize(
    ("scope", "calls"),
    [
        # Alone, with both, with both in another form, macros, expanded, checked.
        ("sets::", ["ir", "ir", "ir", "text", "text", "ir"]),
        # Alone, with both, as templates, all names, macros, with both twice, macros of whole names,
        # expanded, checked.
        ("", ["ir", "ir", "tree", "tree", "tree", "text", "ir", "ir", "text", "text", "ir"]),
    ],
)
def test_a_source_is_compiled_no_more_than_it_takes(certified, tmp_path, monkeypatch, scope, calls):
    """Each call of the compiler reads all headers, and makes all tables that are made then."""
    commands, until_done = [], compiler_runs.until_done

    def counted(command, *how, **where):
        commands.append(
            "text" if "-E" in command else "tree" if any("-ast" in w for w in command) else "ir"
        )
        return until_done(command, *how, **where)

    for module in (compiler_runs, clang_dumps):
        monkeypatch.setattr(module, "until_done", counted)
    source = tmp_path / "shifts.hpp"
    source.write_text(SHIFTS, "utf-8")
    names = {"setwise:fW": f"{scope}north", "setwise:bW": f"{scope}south"}
    assert certified(source, functions=names, cached=False).verdict == "valid"
    assert commands == calls


def test_a_source_that_does_not_know_a_name_is_asked_for_it_once(certified, tmp_path, monkeypatch):
    """In the second build it would be as in the first."""
    commands, until_done = [], compiler_runs.until_done

    def counted(command, *how, **where):
        commands.append(Path(command[-1]).name)
        return until_done(command, *how, **where)

    for module in (compiler_runs, clang_dumps):
        monkeypatch.setattr(module, "until_done", counted)
    source, other = tmp_path / "shifts.cpp", tmp_path / "other.cpp"
    source.write_text(SHIFTS, "utf-8")
    other.write_text("int other() { return 1; }\n", "utf-8")
    certificate = certified(source, other, functions={"setwise:fW": "sets::north"}, cached=False)
    assert certificate.verdict == "valid"
    # Alone, asked for the name, its macros, expanded; what is checked is that text.
    assert commands.count("other.cpp") == 4


@pytest.mark.parametrize(
    ("order", "body", "verdict"),
    [
        ("", "(s ^ 56) < 8 ? 0 : of(s, 0)", "unknown"),  # a8's, and nothing behind the pawns
        ("a8?", "s < 8 ? 0 : of(s, 1)", "unknown"),  # a1's, and so is this
        ("a8", "s < 8 ? 0 : of(s, 1)", "invalid"),
        ("", "(s ^ 56) < 8 ? 0 : s == 12 ? 0 : of(s, 0)", "invalid"),
    ],
)
def test_nothing_behind_the_pawns_hides_no_order(certified, tmp_path, order, body, verdict):
    source = tmp_path / "pawns.c"
    source.write_text(f"{PAWNS}u64 pawn(int s) {{ return {body}; }}\n", "utf-8")
    given = {"order": order} if order else {}
    assert certified(source, functions={"fF": "pawn"}, squares=(), **given).verdict == verdict


PAWNS = """typedef unsigned long long u64;
static u64 of(int s, int up) {
    u64 b = 1ull << s, left = b & 0xfefefefefefefefeull, right = b & 0x7f7f7f7f7f7f7f7full;
    return up ? left << 7 | right << 9 : left >> 9 | right >> 7;
}
"""


@pytest.mark.parametrize(
    ("key", "body", "verdict"),
    [
        ("fF", "s < 8 ? 0 : of(s, 1)", "unknown"),
        ("bF", "s > 55 ? 0 : of(s, 0)", "unknown"),
        ("fF", "s < 8 || s > 55 ? 0 : of(s, 1)", "unknown"),
        ("fF", "s < 8 ? 1 : of(s, 1)", "invalid"),
        ("fF", "s < 8 ? 0 : s == 20 ? 0 : of(s, 1)", "invalid"),
        ("bF", "s < 8 ? 0 : s == 40 ? 0 : of(s, 0)", "invalid"),
        ("fF", "s == 3 ? of(4, 1) : of(s, 1)", "invalid"),
    ],
)
def test_where_no_pawn_stands_nothing_is_refuted_by_nothing(
    certified, tmp_path, key, body, verdict
):
    source = tmp_path / "pawns.c"
    source.write_text(f"{PAWNS}u64 pawn(int s) {{ return {body}; }}\n", "utf-8")
    result = certified(source, functions={key: "pawn"}, order="a1", squares=())
    assert result.verdict == verdict


@pytest.mark.parametrize(("byte", "verdict"), [(0, "valid"), (1, "invalid")])
def test_a_large_object_of_its_own_may_be_filled(certified, tmp_path, byte, verdict):
    source = tmp_path / "large.c"
    text = (HERE / "north.h").read_text("utf-8")
    text += "struct Large { u64 at[2000]; };\n"
    text += f"__attribute__((noinline)) void set(struct Large *l) {{ __builtin_memset(l, {byte}, 15992); }}\n"
    text += "u64 up(u64 s, u64 o) { struct Large l; set(&l); l.at[1999] = 0; return north(s, o) ^ "
    text += "l.at[o >> 54] ^ l.at[1999]; }\n"
    source.write_text(text, "utf-8")
    functions = {"setwise:fR": "up"}
    assert certified(source, functions=functions).verdict == verdict


def test_a_leaper_of_a_set_of_one_square_is_not_refuted_by_its_name(certified, tmp_path):
    """Whether a number as long as a bitboard is a square's, only a call says."""
    file = tmp_path / "kings.c"
    file.write_text(
        "typedef unsigned long long u64;\nu64 kings(u64 king) {\n"
        "    u64 row = king | (king << 1 & ~0x0101010101010101) | (king >> 1 & ~0x8080808080808080);\n"
        "    return (row << 8 | row >> 8 | row) & ~king;\n}\n"
    )
    result = certified(file, functions={"king": "kings"})
    assert result.verdict == "unknown"
    assert "called with the square's number, which is guessed" in said(result)
    assert certified(file, functions={"king": "kings(1ull << square)"}).verdict == "valid"
    assert certified(file, functions={"king": "kings(square)"}).verdict == "invalid"
