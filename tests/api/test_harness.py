"""Tests of an engine's own lookups: against a right function, and two that are wrong.

The gate runs C, C++ and Rust, `make toolchains` the others.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

import magicert
from magicert.compact.emit import LANGUAGES
from magicert.compact.emit.harness import harness, harnesses
from magicert.problem import InputError

SOURCES = Path(__file__).with_name("engines")
"""Engines in many languages, @WRONG where their rook on d4 answers wrongly."""
LOOKUPS = 6_391_680
"""102,400 and 5,248 occupancies, each with 4 random ones, all and each of the squares outside."""


@dataclass(frozen=True)
class Engine:
    """An engine in a language; how it is compiled with the harness, and how the harness is run."""

    file: str
    harness: str
    build: str
    run: str = "./check"
    scope: str | None = None


FLAGS = "-O2 -Wall -Wextra -Wpedantic -Werror -DCHECK_INIT=init_magics"
ENGINES = {
    "c": Engine("engine.c", "check.c", f"gcc -std=c99 {FLAGS} check.c engine.c -o check",
        scope="own_"),
    "c++": Engine("engine.cpp", "check.cpp",
        f"g++ -std=c++17 {FLAGS} check.cpp engine.cpp -o check", scope="own_"),
    "rust": Engine("lib.rs", "check_magics.rs",
        "rustc --edition=2021 --test -Dwarnings -O lib.rs -o check"),
    "go": Engine("engine.go", "check_magics_test.go", "go vet ./...", "go test -v -run Lookups",
        scope="engine"),
    "java": Engine("Magics.java", "CheckMagics.java",
        "javac -Xlint:all -Werror CheckMagics.java", "java CheckMagics"),
    "csharp": Engine("Magics.cs", "CheckMagics.cs",
        "mcs -optimize -checked+ -warnaserror -main:CheckMagics -out:check.exe -recurse:*.cs",
        "mono check.exe"),
    "zig": Engine("magics.zig", "check_magics.zig", "zig version",
        "zig test check_magics.zig"),
}  # fmt: skip
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
    engine, (wrong, shown) = ENGINES[language], KINDS[kind]
    for command in (engine.build, engine.run):
        program = command.split(maxsplit=1)[0]
        if not program.startswith("./") and shutil.which(program) is None:
            pytest.skip(f"no {program} here")
    emits, stem = ("c", "own") if language == "c++" else (language, "own")
    if language in ("java", "csharp"):
        stem = "Own"
    own = magicert.emit("shakmaty", emits, scope=engine.scope, stem=stem)
    suffix = LANGUAGES[emits].suffix
    (tmp_path / f"{stem}{suffix}").write_text(own)
    wrong = wrong if language == "java" else wrong.replace("L", "")
    wrong = "0 == 1" if language in ("c", "c++") and not shown else wrong
    text = (SOURCES / engine.file.replace(".cpp", ".c")).read_text()
    (tmp_path / engine.file).write_text(text.replace("@WRONG", wrong))
    text = harness(language, "engine")
    if language == "zig":
        text = text.replace("fn start() void {}", 'const start = @import("magics.zig").own.init;')
    (tmp_path / engine.harness).write_text(text)
    (tmp_path / "go.mod").write_text("module engine\n\ngo 1.18\n")
    built = ran(engine.build, tmp_path)
    assert built.returncode == 0, built.stdout + built.stderr
    done = ran(engine.run, tmp_path)
    said = done.stdout + done.stderr
    assert (done.returncode == 0) == (kind == "right"), said
    if shown:
        place = "d4" if language in ("c", "c++") else "square 27"
        assert f"wrong: rook on {place}, occupied {shown}, of it in the mask 0x0" in said
        expected, found = re.findall(r"(?:expected|found) (0x\w{16})", said)
        assert int(expected, 16) ^ int(found, 16) == 1
    elif language in ("c", "c++", "java", "csharp"):
        assert said == f"right: {LOOKUPS} lookups, all occupancies of all masks\n"


def ran(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "GOCACHE": str(folder / "gocache"), "GOFLAGS": "-mod=mod"}
    return subprocess.run(
        command.split(), cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


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
