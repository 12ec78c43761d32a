"""--playback: what was refuted, as a test that fails on the mutant and passes on the sample."""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from magicert import InputError
from magicert.board import parse_board
from magicert.commands.app import cli
from magicert.functions.playback import NO_LEAKS, SANITIZED, check_playback, playback
from magicert.functions.question import question_of
from magicert.functions.work import certify_functions
from magicert.outcome import Quiet

HERE = Path(__file__).parent
SAMPLES = HERE / "samples"
INDEX = tomllib.loads((SAMPLES / "index.toml").read_text("utf-8"))["sample"]
TWO = HERE / "two_squares"
GATE = {"hyperbola_byteswap.c", "walk.c", "leaps.cpp", "walk.rs", "hyperbola_bitreverse.rs"}
"""Samples of which the gate takes the mutants that it takes anyhow, or the first."""
OPTIONS = ("functions", "flags", "init", "order", "board")


UNSEEN = {("scans.c", "if (below)")}
"""A register of which nothing is known may hold the right number, and no sanitizer knows of it."""


def mutants():
    """The mutants that this machine's processor may run."""
    for sample in INDEX:
        wrong = [one for one in sample.get("mutant", ()) if one["expect"] == "invalid"]
        wrong = [one for one in wrong if "target" not in one | sample]
        wrong = [one for one in wrong if (sample["source"], one["replace"][1]) not in UNSEEN]
        if sample["source"].endswith(".ll"):
            continue
        first = next((one for one in wrong if "gate" in one), wrong[0]) if wrong else None
        for number, mutant in enumerate(wrong):
            slow = mutant is not first or sample["source"] not in GATE
            marks = [pytest.mark.slow] * slow
            yield pytest.param(sample, mutant, id=f"{sample['source']}-{number}", marks=marks)


def run_test(file, language, flags, folder):
    """The exit status of a test: the compiler must take it."""
    program = folder / "played"
    match language:
        case "rs":
            command = ["rustc", "--test", "--edition=2021", *flags, str(file), "-o", str(program)]
        case "zig":
            command = [sys.executable, "-P", "-m", "ziglang", "test", "--test-no-exec", *flags]
            command += [str(file), f"-femit-bin={program}"]
        case _:
            name = {"c": ("clang", "gcc"), "cpp": ("clang++", "g++")}[language]
            compiler = next(filter(shutil.which, name), None)
            if compiler is None:
                pytest.skip(f"no compiler of {language}")
            more = ["-O2"]  # without, what is never written may be right by chance
            more += ["-std=gnu++17"] if language == "cpp" else []
            more += ["-fconstexpr-steps=1000000000"] if compiler == "clang++" else []
            command = [compiler, *more, *flags, *SANITIZED, str(file), "-o", str(program)]
    subprocess.run(command, check=True, cwd=folder)
    environment = {**os.environ, **NO_LEAKS}
    done = subprocess.run([program], check=False, capture_output=True, cwd=folder, env=environment)
    return done.returncode


def is_missing(ending):
    """Whether there is no compiler."""
    there = {"rs": shutil.which("rustc"), "zig": find_spec("ziglang")}
    return not there.get(ending, True)


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(("sample", "mutant"), list(mutants()))
def test_it_fails_on_the_mutant_and_passes_on_the_sample(sample, mutant, tmp_path):
    file = tmp_path / sample["source"]
    ending = file.suffix[1:]
    if is_missing(ending):
        pytest.skip(f"no compiler of {ending}")
    text = (SAMPLES / sample["source"]).read_text("utf-8")
    before, after = mutant["replace"]
    file.write_text(text.replace(before, after), "utf-8")
    given = {key: sample[key] for key in OPTIONS if key in sample}
    names = sample["functions"]
    given["functions"] = {key: names[key] for key in mutant.get("functions", names)}
    board = parse_board(sample.get("board", "8x8"))
    given["squares"] = tuple(map(board.parse, mutant.get("squares", ())))
    question = question_of((file,), given)
    result = certify_functions(question, Quiet())
    test = tmp_path / f"played.{ending}"
    check_playback(test, question)
    if not sample.get("playback", True):
        with pytest.raises(InputError, match="a call may do"):
            playback(result, question, test)
        return
    test.write_text(playback(result, question, test), "utf-8")
    flags = given.get("flags", [])
    assert run_test(test, ending, flags, tmp_path) != 0
    file.write_text(text, "utf-8")
    assert run_test(test, ending, flags, tmp_path) == 0


ONE = "typedef unsigned long long u64;\n"
CASES = {
    "a struct": ("c", "typedef struct { u64 set; } B;\nB king(int s, u64 o) { B b = {o ? %s : %s}; return b; }"),
    "the square behind": ("c", "u64 king(u64 o, int s) { return o ? %s : %s; }"),
    "by a call": ("c", "#define KING(s) (s ? %s : %s)\nstatic u64 nothing(void) { return 0; }"),
    "types of its own": (
        "cpp",
        "enum Square : unsigned char { A1 }; struct B { u64 set; };\n"
        "namespace a { inline B king(B o, Square s) { return B{o.set ? %sull : %sull}; } }",
    ),
    "crate types": (
        "rs",
        "#![allow(dead_code)]\npub mod a { #[derive(Clone, Copy)] pub struct S(u8); pub struct B(u64);\n"
        "pub fn king(s: S, o: B) -> B { B(if o.0 != 0 { %s } else { %s }) } }",
    ),
}  # fmt: skip
MORE = {"by a call": "KING(occupied)", "types of its own": "a::king", "crate types": "a::king"}


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("what", CASES)
def test_it_is_called_as_the_source_would(what, tmp_path):
    """A king on a1 that is wrong on the empty board alone; and its source with a main."""
    ending, body = CASES[what]
    if is_missing(ending):
        pytest.skip(f"no compiler of {ending}")
    file, test = tmp_path / f"king.{ending}", tmp_path / f"played.{ending}"
    head = "" if ending == "rs" else ONE
    main = "\nfn main() {}\n" if ending == "rs" else "\nint main(void) { return 7; }\n"
    file.write_text(head + body % ("0x302", "0x303") + main, "utf-8")
    given = {"functions": {"king": MORE.get(what, "king")}, "squares": (0,)}
    question = question_of((file,), given)
    test.write_text(playback(certify_functions(question, Quiet()), question, test), "utf-8")
    assert run_test(test, ending, (), tmp_path) != 0
    file.write_text(head + body % ("0x302", "0x302") + main, "utf-8")
    assert run_test(test, ending, (), tmp_path) == 0


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("source", "key", "name", "old", "new", "squares"),
    [
        ("computed.c", "between", "between", "s != b", "s < b", (27, 28)),
        pytest.param("made.cpp", "between", "Between", "// here an entry may be changed", "t.between[0][1] = u64(1) << 5;", (0, 1),
                     marks=pytest.mark.long),
        pytest.param("consts.rs", "between", "BETWEEN", "0 => inside,", "0 => if a == 5 && b == 7 { 0 } else { inside },", (5, 7),
                     marks=pytest.mark.slow),
        pytest.param("comptime.zig", "between", "between", "inside |= bit(b);", "inside |= if (a == 20 and b == 29) 0 else bit(b);", (20, 29),
                     marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_of_two_squares_it_looks_at_the_pair(source, key, name, old, new, squares, tmp_path):
    file = tmp_path / source
    ending = file.suffix[1:]
    if is_missing(ending):
        pytest.skip(f"no compiler of {ending}")
    text = (TWO / source).read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    flags = ["-std=c++20"] if ending == "cpp" else []
    question = question_of((file,), {"functions": {key: name}, "flags": flags, "squares": squares})
    test = tmp_path / f"played.{ending}"
    test.write_text(playback(certify_functions(question, Quiet()), question, test), "utf-8")
    assert run_test(test, ending, flags, tmp_path) != 0
    file.write_text(text, "utf-8")
    assert run_test(test, ending, flags, tmp_path) == 0


@pytest.mark.parametrize(
    ("source", "test", "message"),
    [
        ("walk.c", "played.rs", r"the source is c: expected a name that ends in \.c"),
        ("walk.rs", "played.c", r"the source is rust: expected a name that ends in \.rs"),
        ("rays.zig", "below/played.zig", "imports no file from above"),
        ("west.ll", "played.c", "expected a source"),
    ],
)
def test_a_test_that_cannot_be_one_of_the_source(source, test, message, tmp_path):
    shutil.copy(SAMPLES / source, tmp_path)
    question = question_of((tmp_path / source,), {"functions": {"rook": "rook"}})
    with pytest.raises(InputError, match=message):
        check_playback(tmp_path / test, question)


@pytest.mark.usefixtures("in_this_process")
def test_only_what_magicert_wrote_is_written_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = f"{ONE}u64 pawn(int s, u64 o) {{ return s < 56 ? 256ull << s : 0; }}\n"
    wrong = text.replace("56 ?", "55 ?")
    test, words = Path("attack_test.c"), ["verify", "attack.c", "--playback", "attack_test.c"]
    words += ["--function", "fW=pawn"]
    Path("attack.c").write_text(text, "utf-8")
    assert "not written" in CliRunner().invoke(cli, words).stderr
    assert not test.exists()
    Path("attack.c").write_text(wrong, "utf-8")
    test.write_text("int main(void) { return 0; }\n", "utf-8")
    done = CliRunner().invoke(cli, words)
    assert (done.exit_code, "magicert did not write it" in done.stderr) == (2, True)
    for _ in range(2):
        assert CliRunner().invoke(cli, [*words, "--force"]).exit_code == 1
        assert '#include "attack.c"' in test.read_text("utf-8")
        words = [word for word in words if word != "--force"]
    done = CliRunner().invoke(cli, ["verify", "attack.c", "--playback", "other.c"])
    assert "--playback: expected --function" in done.stderr
