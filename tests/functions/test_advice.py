"""The whole command that has what was missing."""

import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import magicert
from magicert.functions.advice import answers
from magicert.functions.advice import whole_command as rounds
from magicert.functions.advice.answers import error_with_advice, with_advice
from magicert.functions.advice.whole_command import whole_command
from magicert.functions.compile.fills import Project
from magicert.functions.documents import documents_of
from magicert.functions.function_proof import NOT_YET
from magicert.functions.question import question_of
from magicert.functions.resolved import NeedsMoreError
from magicert.problem import InputError
from magicert.system.deadline import FOREVER, BudgetOverError, Deadline

pytest.importorskip("llvmlite")
HERE = Path(__file__).parent


def _project(folder: Path, files: str) -> list[Path]:
    """Files written as `name: text | name: text`, of which the first one is asked about."""
    paths = []
    (folder / "README.md").write_text("", "utf-8")  # which marks a project
    for file in files.split(" | "):
        name, _, text = file.partition(": ")
        paths.append(folder / name)
        paths[-1].parent.mkdir(exist_ok=True)
        paths[-1].write_text(text, "utf-8")
    return paths


@pytest.mark.cases_of("what_a_whole_command_is.tsv")
def test_what_a_whole_command_is(tmp_path, monkeypatch, files, name, command):
    monkeypatch.chdir(tmp_path)
    source = _project(tmp_path, files)[0].relative_to(tmp_path)
    question = question_of((source,), {"functions": {"rook": name}})
    found = whole_command(question)
    assert found.removeprefix("magicert verify ") == command


@pytest.mark.cases_of("which_call_is_named.tsv")
def test_which_call_is_named(tmp_path, monkeypatch, files, name, said, command):
    monkeypatch.chdir(tmp_path)
    source = _project(tmp_path, files)[0].relative_to(tmp_path)
    heard = list[str]()
    found = whole_command(question_of((source,), {"functions": {"rook": name}}), said=heard)
    assert ("; ".join(heard), found.removeprefix("magicert verify ")) == (said, command)


@pytest.mark.parametrize(
    ("name", "files", "command"),
    [
        (
            "rook",
            'src/rook.zig: const w = @import("words");\nvar t: [64]u64 = undefined;\n'
            "fn one(s: u8) u64 { return t[s]; }\npub fn init() !void { t = w.all(); }\n"
            "pub fn rook(s: u8, o: u64) u64 { return one(s) & o; } | words.zig: "
            '| build.zig.zon: .{ .minimum_zig_version = "0.11.0" } | build.zig: '
            'const words = b.addModule("words", .{ .root_source_file = b.path("words.zig") });',
            "pip install --target zig0.11.0 ziglang==0.11.0 && magicert verify src/rook.zig "
            "--function rook=rook --init init --compiler zig0.11.0/ziglang/zig -- --dep words "
            "-Mroot=src/rook.zig -Mwords=words.zig",
        ),
        (
            "Sets::get().rook(square, occupied)",
            "src/rook.rs: use rand::random;\nstatic mut M: [u64; 64] = [0; 64];\nstatic mut T: "
            "[u64; 64] = [0; 64];\npub struct Sets;\nimpl Sets { pub fn get() -> Sets { fill(); "
            "Sets }\npub fn rook(&self, s: u8, o: u64) -> u64 { T[s as usize] & o } }\nfn fill() "
            "{ init_masks(); T[1] = M[1] }\nfn init_masks() { M[1] = random() } | src/lib.rs: "
            "pub mod rook; | Cargo.toml: [package]\nname = 'a'\n[dependencies]\nrand = '0.3'",
            "cargo build --release && magicert verify src/rook.rs --function "
            "'rook=Sets::get().rook(square, occupied)' --init fill -- -L target/release/deps "
            "--extern rand",
        ),
        (
            "rook",
            "src/rook.rs: use lazy_static::lazy_static;\nmod sets { lazy_static! { pub static ref T: "
            "[u64; 64] = [7; 64]; } }\npub fn rook(s: usize, o: u64) -> u64 { sets::T[s] & o } "
            "| src/lib.rs: pub mod rook; | Cargo.toml: [package]\nname = 'a'\n[dependencies]\n"
            "lazy_static = '1'",
            "cargo build --release && magicert verify src/rook.rs --function rook=rook --init "
            "'lazy_static::initialize(&sets::T)' -- -L target/release/deps --extern lazy_static",
        ),
    ],
)
def test_what_no_compiler_here_knows_is_named_by_the_text(
    tmp_path, monkeypatch, name, files, command
):
    pytest.importorskip("ziglang")
    monkeypatch.chdir(tmp_path)
    source = _project(tmp_path, files)[0].relative_to(tmp_path)
    question = question_of((source,), {"functions": {"rook": name}})
    error = error_with_advice(NeedsMoreError([]), question, 1)
    assert error.problems[-1].message.partition("tells: ")[2] == command


@pytest.mark.parametrize(
    ("files", "command"),
    [
        (
            '.gitmodules: [submodule "sets"]\n\tpath = libs/sets\n\turl = https://a.org/b/sets.git\n',
            "git clone --depth 1 -- https://a.org/b/sets.git libs/sets && magicert verify rook.cpp "
            "--function rook=rook -- -Ilibs",
        ),
        (
            "CMakeLists.txt: FetchContent_Declare(other GIT_REPOSITORY https://a.org/b/other)\n"
            "FetchContent_Declare(\n  the_sets\n  GIT_REPOSITORY https://a.org/b/sets\n"
            f"  GIT_TAG {'a' * 40})\n",
            f"git clone -- https://a.org/b/sets deps/sets && git -C deps/sets checkout {'a' * 40} && "
            "magicert verify rook.cpp --function rook=rook -- -Ideps",
        ),
        (
            "subprojects/all.wrap: [wrap-git]\nurl = https://a.org/b/all\nrevision = v2\n",
            "git clone --depth 1 --branch v2 -- https://a.org/b/all subprojects/all && "
            "magicert verify rook.cpp --function rook=rook",
        ),
        ("CMakeLists.txt: FetchContent_Declare(GoogleTest GIT_REPOSITORY https://a.org/b/t)\n", ""),
        ('.gitmodules: [submodule "s"]\n\tpath = ../s\n\turl = https://a.org/s\n', ""),
        ('.gitmodules: [submodule "s"]\n\tpath = s\n\turl = ext::sh -c touch\n', ""),
    ],
)
def test_what_a_build_would_fetch_is_fetched_before(tmp_path, monkeypatch, files, command):
    monkeypatch.chdir(tmp_path)
    _project(tmp_path, f'rook.cpp: #include "sets/sets.h"\n | {files}')
    question = question_of((Path("rook.cpp"),), {"functions": {"rook": "rook"}})
    with pytest.raises(InputError) as caught:
        magicert.certify_function(["rook.cpp"], functions={"rook": "rook"})
    error = error_with_advice(caught.value, question, 1)
    found = [one.message.partition("tells: ")[2] for one in error.problems]
    assert found[-1] == command


@pytest.mark.cases_of("which_calls_fill_a_table.tsv")
def test_which_calls_fill_a_table(tmp_path, files, variable, calls):
    source, how = _project(tmp_path, files)[0], ((), "", "", FOREVER)
    fills = Project(source, FOREVER, how).fills_of(variable)
    assert ", ".join(one.call for one in fills) == calls


@pytest.mark.cases_of("in_which_order_calls_fill_tables.tsv")
def test_in_which_order_calls_fill_tables(tmp_path, files, variables, calls):
    project = Project(_project(tmp_path, files)[0])
    fills = [fill for name in variables.split(", ") for fill in project.fills_of(name)]
    assert ", ".join(one.call for one in project.in_order(fills)) == calls


class _Never:
    """In the place of what finds a command: it raises, or is not to be called."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __call__(self, *_: object) -> str:
        raise self.error


LACKING = "typedef unsigned long long u64;\nextern u64 up[64];\nu64 north(int s, u64 o) { return up[s]; }\n"


@pytest.mark.parametrize("error", [BudgetOverError(), KeyboardInterrupt()])
def test_an_answer_outlives_its_advice(tmp_path, monkeypatch, error):
    source = _project(tmp_path, f"north.c: {LACKING}")[0]
    monkeypatch.setattr(rounds, "_completed", _Never(error))
    answer = magicert.certify_function(source, {"fW": "north"})
    assert (answer.verdict, answer.advice) == ("unknown", "")


@pytest.mark.parametrize("error", [BudgetOverError(), KeyboardInterrupt()])
def test_a_compilers_words_outlive_the_advice(tmp_path, monkeypatch, error):
    text = f'#include "beside.h"\n{LACKING}'
    source = _project(tmp_path, f"north.c: {text} | include/beside.h: ")[0]
    monkeypatch.setattr(rounds, "_completed", _Never(error))
    with pytest.raises(InputError, match=r"beside\.h") as answer:
        magicert.certify_function(source, {"fW": "north"})
    assert all("this command" not in str(one) for one in answer.value.problems)


def test_whoever_stops_the_work_waits_for_no_advice(tmp_path, monkeypatch):
    source = _project(tmp_path, f"north.c: {LACKING}")[0]
    question = question_of((source,), {"functions": {"fW": "north"}})
    answer = magicert.certify_function(source, {"fW": "north"})
    (report,) = answer.functions
    stopped = replace(report.squares[-1], lacks=None, message=f"{NOT_YET}: interrupted")
    report = replace(report, squares=(*report.squares[:-1], stopped))
    answer = replace(answer, functions=(report,), advice="")
    monkeypatch.setattr(answers, "whole_command", _Never(AssertionError()))
    assert with_advice(answer, question, 0) == answer


def test_one_advice_for_several_functions_is_shown_once(tmp_path):
    source = _project(tmp_path, f"north.c: {LACKING} | up.c: unsigned long up[64];\n")[0]
    asked = {"fW": "north", "fWbW": "north"}
    answer = magicert.certify_function(source, asked)
    helps = [one.help for one in documents_of(answer, question_of((source,), {"functions": asked}))]
    assert answer.advice
    assert helps == [answer.advice, ""]


def test_an_advice_ends_at_its_deadline(tmp_path):
    source = _project(tmp_path, f"north.c: {LACKING}")[0]
    question = question_of((source,), {"functions": {"fW": "north"}})
    assert whole_command(question, Deadline.after(0)) == ""


@pytest.mark.parametrize("error", [BudgetOverError(), KeyboardInterrupt()])
def test_an_advice_that_is_stopped_says_what_it_has(tmp_path, monkeypatch, error):
    source = _project(tmp_path, f"north.c: {LACKING}")[0]
    question = question_of((source,), {"functions": {"fW": "north"}})

    def completed(*_: object):
        yield replace(question, init="fill_up")
        raise error

    monkeypatch.setattr(rounds, "_completed", completed)
    assert whole_command(question).endswith("--function fW=north --init fill_up")


def test_the_command_that_is_advised_proves_the_function(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rays = "u64 up[64];\nvoid fill_up(void) { for (int s = 0; s < 64; s++) up[s] = ray(s); }\n"
    ray = "typedef unsigned long long u64;\nextern u64 up[64];\nstatic inline u64 ray(int s) "
    ray += "{ return s < 56 ? 1ull << (s + 8) : 0; }\n"
    ray += "static inline u64 north(int s, u64 o) { return up[s]; }\n"
    _project(tmp_path, f'north.h: {ray} | rays.c: #include "north.h"\n{rays}')
    result = magicert.certify_function("north.h", {"fW": "north"})
    assert result.verdict == "unknown"
    words = shlex.split(result.advice.partition("magicert verify ")[2])
    assert words == [
        "north.h", "rays.c", "--function", "fW=north(square, occupied)", "--init", "fill_up",
        "--", "-x", "c",
    ]  # fmt: skip
    again = magicert.certify_function(
        words[:2], {"fW": "north(square, occupied)"}, init="fill_up", flags=["-x", "c"]
    )
    assert again.verdict == "valid"


def test_a_missing_flag_comes_with_all_else(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _project(
        tmp_path,
        "src/rook.cpp: #include <bit>\nunsigned long long T[64];\nvoid init() "
        "{ T[0] = std::popcount(7u); }\nunsigned long long rook(int s, unsigned long long o) "
        "{ return T[s]; }",
    )
    with pytest.raises(InputError, match=r"--function rook=rook --init init -- -std=c\+\+20"):
        magicert.certify_function("src/rook.cpp", {"rook": "rook"})


def test_an_order_in_which_a_function_is_right_is_named_as_a_command(certified, tmp_path):
    pytest.importorskip("ziglang")
    source = tmp_path / "pawn.c"
    source.write_text(
        "unsigned long long pawn(int s) { unsigned long long b = 1ull << s;\n"
        "return ((b & ~0x0101010101010101ull) >> 9) | ((b & ~0x8080808080808080ull) >> 7); }\n"
    )
    result = certified(source, functions={"fF": "pawn"}, squares=None)
    assert result.verdict == "unknown"
    question = question_of((source,), {"functions": {"fF": "pawn"}})
    said = with_advice(result, question, 60).advice
    assert said.endswith("--function fF=pawn --order a8")
    assert certified(source, functions={"fF": "pawn"}, order="a8").verdict == "valid"


def test_a_command_has_an_order_only_if_all_functions_are_right_in_it(certified, tmp_path):
    """An order that suits the first function refuted the second one."""
    source = tmp_path / "walks.c"
    text = Path(__file__).with_name("walks.h").read_text("utf-8")
    text += "B all(int s, B o) { return rook(s, o); } B up(int s, B o) { return lance(1, s, o); }\n"
    source.write_text(text, "utf-8")
    for functions, order in (
        ({"rook": "all", "fR": "up"}, "a9-files/63"), ({"fR": "up", "bR": "up"}, ""),
    ):  # fmt: skip
        result = certified(source, functions=functions, board="9x9", squares=None, traps=False)
        question = question_of((source,), {"functions": functions, "board": "9x9"})
        said = with_advice(result, question, 60).advice
        assert said.partition(" --order ")[2] == order


NIBBLES = """pub struct Square(u8);
impl Square {
    pub const fn from_number(n: i8) -> Square { Square((n as u8 & 7) << 4 | n as u8 >> 3) }
    fn number(&self) -> i32 { ((self.0 & 15) * 8 + (self.0 >> 4)) as i32 }
}
pub fn king(s: Square) -> u64 {
    let (n, mut set) = (s.number(), 0u64);
    for t in 0..64i32 {
        let (x, y) = ((t & 7) - (n & 7), (t >> 3) - (n >> 3));
        if x * x < 2 && y * y < 2 && t != n { set |= 1 << t; }
    }
    set
}
"""


@pytest.mark.skipif(not shutil.which("rustc"), reason="no rustc")
def test_a_square_that_is_no_number_is_made_by_a_call(certified, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = Path("king.rs")
    source.write_text(NIBBLES, "utf-8")
    functions = {"king": "king"}
    result = certified(source, functions=functions, squares=())
    assert result.verdict == "unknown"
    question = question_of((source,), {"functions": functions})
    advice = with_advice(result, question, 0).advice
    call = "king(Square::from_number(square as i8))"
    assert advice.endswith(f"magicert verify king.rs --function 'king={call}'")
    assert certified(source, functions={"king": call}, squares=()).verdict == "valid"


def test_squares_and_bits_in_two_orders_are_a_call(certified, tmp_path, monkeypatch):
    """A8 is square 0, and its bit the highest one."""
    monkeypatch.chdir(tmp_path)
    source = Path("pawns.c")
    names = ", ".join(f"{file}{rank}" for rank in "87654321" for file in "ABCDEFGH")
    text = f"typedef unsigned long long U64;\nenum {{ {names} }};\n"
    text += "U64 white_pawn_attacks(int s) {\n    U64 b = 1ull << (63 - s);\n"
    text += "    return (b & 0x7f7f7f7f7f7f7f7full) << 9 | (b & 0xfefefefefefefefeull) << 7;\n}\n"
    source.write_text(text, "utf-8")
    functions = {"fF": "white_pawn_attacks"}
    result = certified(source, functions=functions, squares=(), order="a8?")
    assert result.verdict == "unknown"
    question = question_of((source,), {"functions": functions, "order": "a8?"})
    advice = with_advice(result, question, 0).advice
    call = "white_pawn_attacks(square ^ 63)"
    assert advice.endswith(f"magicert verify pawns.c --function 'fF={call}' --order h1")
    assert certified(source, functions={"fF": call}, squares=(), order="h1").verdict == "valid"
    stated = certified(source, functions=functions, squares=(), order="a8")
    assert stated.verdict == "invalid"
