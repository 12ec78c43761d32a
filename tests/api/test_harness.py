"""Tests of an engine's own lookups, against a right function, and two that are wrong. The gate runs
C, C++ and Rust, `make toolchains` the others.
"""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import magicert
from magicert.compact.emit.harness import harness, harnesses
from magicert.problem import InputError

SOURCES = Path(__file__).with_name("engines")
"""Engines in many languages, @WRONG where their rook on d4 answers wrongly."""
LOOKUPS = 6_391_680
"""102,400 and 5,248 occupancies, each with 4 random ones, all and each of the squares outside."""


ENGINES = tomllib.loads((SOURCES / "engines.toml").read_text("utf-8"))
KINDS = {
    "right": ("false", ""),
    "one magic is wrong": ("(occupied & 0x8080876080800L) == 0x800000000L", "0x0000000800000000"),
    "wrong outside of the mask": ("(occupied & 0x8000000) != 0", "0x0000000008000000"),
}
"""When an engine answers wrongly, and the fewest occupied squares for which it does: rook d4's mask
has d5, and not d4 itself.
"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ENGINES)
def test_a_harness_finds_what_is_wrong(language, kind, tmp_path):
    engine, (wrong, shown) = {"emits": language, "run": "./check", **ENGINES[language]}, KINDS[kind]
    stem = engine["own"].partition(".")[0]
    emitted = magicert.emit("shakmaty", engine["emits"], scope=engine.get("scope"), stem=stem)
    wrong = wrong if language == "java" else wrong.replace("L", "")
    wrong = "0 == 1" if engine["emits"] == "c" and not shown else wrong
    source = (SOURCES / engine["file"].replace(".cpp", ".c")).read_text()
    check = harness(language, "engine")
    if language == "zig":
        check = check.replace("fn start() void {}", 'const start = @import("magics.zig").own.init;')
    for name, text in {
        engine["own"]: emitted,
        engine["file"]: source.replace("@WRONG", wrong),
        engine["harness"]: check,
        "go.mod": "module engine\n\ngo 1.18\n",
    }.items():
        (tmp_path / name).write_text(text)
    environment = {**os.environ, "GOCACHE": str(tmp_path / "gocache"), "GOFLAGS": "-mod=mod"}
    for command in (engine["build"].split(), engine["run"].split()):
        if command[0] != "./check" and shutil.which(command[0]) is None:
            pytest.skip(f"no {command[0]} here")
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
        )
        said = done.stdout + done.stderr
        assert done.returncode == 0 or command == engine["run"].split(), said
    assert (done.returncode == 0) == (kind == "right"), said
    if shown:
        place = "d4" if engine["emits"] == "c" else "square 27"
        assert f"wrong: rook on {place}, occupied {shown}, of it in the mask 0x0" in said
        expected, found = re.findall(r"(?:expected|found) (0x\w{16})", said)
        assert int(expected, 16) ^ int(found, 16) == 1
    elif language in ("c", "c++", "java", "csharp"):
        assert said == f"right: {LOOKUPS} lookups, all occupancies of all masks\n"


def test_the_command_writes_it(run, tmp_path):
    path = tmp_path / "check_magics.c"
    for _ in range(2):  # over its own, too
        assert run("emit", "--check-harness", "--lang", "c", "-o", path).exit_code == 0
        assert path.read_text() == harness("c")
    named = run("emit", "--check-harness", "--lang", "go", "--package", "x").stdout
    assert named == harness("go", "x")
    assert {*harnesses()} == {*ENGINES}
    with pytest.raises(InputError, match="did you mean rust"):
        harness("rst")
    # A source without magics says what can be done.
    path.write_text("static U64 rook_magics[64];\nvoid init(void) { rook_magics[0] = find(0); }\n")
    for asked in (tmp_path, path):
        result = run("verify", asked)
        assert (result.exit_code, "magicert emit --check-harness" in result.stdout) == (2, True)
