"""Tests of an engine's own lookups: against a right function, and two that are wrong."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import magicert
from magicert.compact.emit.harness import harness, harnesses
from magicert.problem import InputError

Run = Callable[..., Any]
LOOKUPS = 6_391_680
"""102,400 and 5,248 occupancies, each with 4 random ones, all and each of the squares outside."""
KINDS = {
    "right": "found",
    "one magic is wrong": "found ^ (square == 27 && (occupied & MASK) == 1ULL << 35)",
    "wrong outside of the mask": "found ^ (square == 27 && occupied >> 27 & 1)",
}
"""What an engine answers, in C. Rook d4's mask has d5, and not d4 itself."""


def magics(folder: Path, language: str, name: str) -> None:
    scope = {"c": "own_", "go": "engine"}.get(language)
    text = magicert.emit("shakmaty", language, scope=scope, stem="own")
    (folder / name).write_text(text)


def compiled(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = command.split(maxsplit=1)[0]
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    environment = {**os.environ, "GOCACHE": str(folder / "gocache"), "GOFLAGS": "-mod=mod"}
    return subprocess.run(
        command.split(), cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


C_ENGINE = """#include "own.h"
#define MASK 0x8080876080800ULL
void init_magics(void);
uint64_t rook_attacks(unsigned square, uint64_t occupied);
uint64_t bishop_attacks(unsigned square, uint64_t occupied);
void init_magics(void) { own_init(); }
uint64_t rook_attacks(unsigned square, uint64_t occupied) {
    uint64_t found = own_rook_attacks(square, occupied);
    return ANSWER;
}
uint64_t bishop_attacks(unsigned square, uint64_t occupied) {
    return own_bishop_attacks(square, occupied);
}
"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["c", "c++"])
def test_c_programs_find_what_is_wrong(language: str, kind: str, tmp_path: Path) -> None:
    magics(tmp_path, "c", "own.h")
    suffix, compiler = {"c": ("c", "gcc -std=c99"), "c++": ("cpp", "g++ -std=c++17")}[language]
    text = C_ENGINE.replace("ANSWER", KINDS[kind])
    (tmp_path / f"engine.{suffix}").write_text(f"#define OWN_IMPLEMENTATION\n{text}")
    (tmp_path / f"check.{suffix}").write_text(harness(language))
    flags = "-O2 -Wall -Wextra -Wpedantic -Werror -DCHECK_INIT=init_magics"
    built = compiled(f"{compiler} {flags} check.{suffix} engine.{suffix} -o check", tmp_path)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([tmp_path / "check"], capture_output=True, text=True, check=False)
    if kind == "right":
        assert done.returncode == 0
        assert done.stdout == f"right: {LOOKUPS} lookups, all occupancies of all masks\n"
    else:
        assert done.returncode == 1
        assert done.stdout.startswith("wrong: rook on d4, occupied 0x")


RUST_ENGINE = """mod own;
#[cfg(test)]
mod check_magics;
#[allow(dead_code)]
const MASK: u64 = 0x8080876080800;
pub fn rook_attacks(square: usize, occupied: u64) -> u64 {
    let found = own::rook_attacks(square, occupied);
    ANSWER
}
pub fn bishop_attacks(square: usize, occupied: u64) -> u64 {
    own::bishop_attacks(square, occupied)
}
"""
RUST_KINDS = {
    "right": "found",
    "one magic is wrong": "found ^ (square == 27 && occupied & MASK == 1 << 35) as u64",
    "wrong outside of the mask": "found ^ (square == 27 && occupied >> 27 & 1 == 1) as u64",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_rust_module_finds_what_is_wrong(kind: str, tmp_path: Path) -> None:
    magics(tmp_path, "rust", "own.rs")
    (tmp_path / "lib.rs").write_text(RUST_ENGINE.replace("ANSWER", RUST_KINDS[kind]))
    (tmp_path / "check_magics.rs").write_text(harness("rust"))
    built = compiled("rustc --edition=2021 --test -Dwarnings -O lib.rs -o check", tmp_path)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([tmp_path / "check"], capture_output=True, text=True, check=False)
    assert done.returncode == (0 if kind == "right" else 101)
    if kind != "right":
        assert "wrong: rook on square 27, occupied 0x" in done.stdout


GO_ENGINE = """package engine
func rookAttacks(square int, occupied uint64) uint64 {
	found := RookAttacks(square, occupied)
	if square == 27 && WRONG {
		found ^= 1
	}
	return found
}
func bishopAttacks(square int, occupied uint64) uint64 { return BishopAttacks(square, occupied) }
"""
GO_KINDS = {
    "right": "false",
    "one magic is wrong": "occupied&0x8080876080800 == 1<<35",
    "wrong outside of the mask": "occupied>>27&1 == 1",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_go_test_finds_what_is_wrong(kind: str, tmp_path: Path) -> None:
    magics(tmp_path, "go", "own.go")
    (tmp_path / "go.mod").write_text("module engine\n\ngo 1.18\n")
    (tmp_path / "engine.go").write_text(GO_ENGINE.replace("WRONG", GO_KINDS[kind]))
    (tmp_path / "check_magics_test.go").write_text(harness("go", "engine"))
    done = compiled("go test -run Lookups ./...", tmp_path)
    assert done.returncode == (0 if kind == "right" else 1), done.stdout + done.stderr
    if kind != "right":
        assert "wrong: rook on square 27, occupied 0x" in done.stdout


def test_the_command_writes_it(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "check_magics.c"
    assert run("emit", "--check-harness", "--lang", "c", "-o", path).exit_code == 0
    assert path.read_text() == harness("c")
    assert run("emit", "--check-harness", "--lang", "go", "--package", "x").stdout == harness(
        "go", "x"
    )
    mine = tmp_path / "mine.c"
    mine.write_text("int main(void) {}\n")
    refused = run("emit", "--check-harness", "--lang", "c", "-o", mine)
    assert refused.exit_code == 2
    assert "magicert did not write it" in refused.stderr
    assert run("emit", "--check-harness", "--lang", "c", "-o", path).exit_code == 0, "it is ours"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--lang", "java"], "no check harness"),
        (["--lang", "c", "--package", "x"], "expected --lang go"),
        (["--lang", "go", "--package", "a b"], "expected a package's name"),
        (["--lang", "c", "--literal"], "expected no TABLE"),
        (["--lang", "c", "shakmaty"], "expected no TABLE"),
        (["--lang", "c", "--prefix", "x"], "--prefix: expected a source"),
        (["--lang", "rust", "--crate", "x"], "expected no TABLE"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, words: list[str], message: str) -> None:
    result = run("emit", "--check-harness", *words)
    assert result.exit_code == 2
    assert message in result.stderr


def test_every_harness_has_a_test() -> None:
    assert set(harnesses()) == {"c", "c++", "rust", "go"}
    with pytest.raises(InputError, match="did you mean rust"):
        harness("rst")


MAKES_THEM = """
static U64 rook_magics[64];
void init_magics(void) {
    for (int square = 0; square < 64; square++) rook_magics[square] = find_magic(square);
}
"""


def test_a_source_without_magics_says_what_can_be_done(run: Run, tmp_path: Path) -> None:
    (tmp_path / "magics.c").write_text(MAKES_THEM)
    for asked in (tmp_path, tmp_path / "magics.c"):
        result = run("verify", asked)
        assert result.exit_code == 2
        assert "magicert emit --check-harness" in result.stdout
