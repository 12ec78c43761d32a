"""`magicert emit`: where the names live, which files it writes over, and what is read back."""

import errno
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.compact.emit import LANGUAGES, own_name
from magicert.data import find_table
from magicert.table import read_table
from magicert.verify.table.report import to_json
from magicert.verify.table.verifier import verify

Run = Callable[..., Result]


def emit(run: Run, *arguments: str | Path) -> Result:
    return run("emit", "cfish_black", "--lang", *arguments)


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["c"], ["#ifndef MAGICS_H", "void magics_init(void);"]),
        (["c", "--prefix", "sf_"], ["#ifndef SF_H", "void sf_init(void);"]),
        (["c", "--prefix", ""], ["#ifndef MAGICS_H", "void init(void);"]),
        (["c++"], ["#ifndef MAGICS_HPP", "namespace magics {"]),
        (["c++", "--namespace", "a::b"], ["#ifndef A_B_HPP", "namespace a::b {"]),
        (["go"], ["package magics"]),
        (["go", "--package", "engine"], ["package engine"]),
        (["java"], ["public final class Magics {"]),
        (["java", "--package", "org.engine"], ["package org.engine;"]),
        (["csharp", "--namespace", "Engine.Board"], ["namespace Engine.Board {"]),
    ],
)
def test_names_live_where_they_are_told_to(run: Run, arguments: list[str], lines: list[str]):
    done = emit(run, *arguments)
    assert done.exit_code == 0, done.output
    assert set(lines) <= set(done.stdout.splitlines())


def test_a_language_has_other_names(run: Run):
    """The comment at the top says the same command, whichever was said."""
    assert emit(run, "cpp").stdout == emit(run, "c++").stdout != ""
    others = ["cpp", "C++", "hpp", "js", "py", "rs", "Rust", "ts", "golang", "cs", "c#", "h"]
    assert [own_name(called) for called in others] == [
        *["c++"] * 3, "javascript", "python", "rust", "rust", "typescript", "go", "csharp",
        "csharp", "c",
    ]  # fmt: skip


def test_what_is_read_but_not_written_is_no_language_to_emit(run: Run):
    done = emit(run, "kotlin")
    assert done.exit_code == 2
    assert "'kotlin': expected one of" in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rust", "--prefix", "x_"], "--prefix: expected --lang c, not rust"),
        (["c", "--namespace", "x"], "--namespace: expected --lang c++ or csharp, not c"),
        (["binary", "--package", "x"], "--package: binary has no names"),
        (["c", "--prefix", "a b"], "--prefix: 'a b': expected what c can write as a prefix"),
        (["c++", "--namespace", "1x"], "--namespace: '1x'"),
        (["java", "--package", "a..b"], "--package: 'a..b'"),
    ],
)
def test_a_scope_that_the_language_cannot_have_is_refused(
    run: Run, arguments: list[str], message: str
):
    done = emit(run, *arguments)
    assert done.exit_code == 2
    assert message in " ".join(done.output.replace("│", " ").split())


def test_the_usage_names_the_file_and_the_class(run: Run, tmp_path: Path):
    assert emit(run, "c", "-o", tmp_path / "tables.h").exit_code == 0
    assert '#include "tables.h"' in (tmp_path / "tables.h").read_text()
    assert emit(run, "java", "-o", tmp_path / "Tables.java").exit_code == 0
    assert "public final class Tables {" in (tmp_path / "Tables.java").read_text()


@pytest.mark.parametrize(("name", "first"), [("bbc", "a8"), ("cfish_black", "a1")])
def test_the_source_says_which_square_is_0(run: Run, name: str, first: str):
    assert f"// Squares: {first} = 0, " in run("emit", name, "--lang", "c").stdout


def test_a_table_is_not_written_over(run: Run, tmp_path: Path):
    table = tmp_path / "k.toml"
    table.write_bytes(find_table("cfish_black").read_bytes())
    for force in ([], ["--force"]):
        done = run("emit", table, "--lang", "c", "-o", table, *force)
        assert done.exit_code == 2
        assert "k.toml: is the input" in done.output
    assert table.read_bytes() == find_table("cfish_black").read_bytes()


def test_a_file_of_somebody_else_needs_force(run: Run, tmp_path: Path):
    path = tmp_path / "magics.h"
    path.write_text("/* a year of work */\n")
    done = emit(run, "c", "-o", path)
    assert done.exit_code == 2
    assert "magics.h: exists and magicert did not write it" in done.output
    assert path.read_text() == "/* a year of work */\n"
    assert emit(run, "c", "-o", path, "--force").exit_code == 0
    assert emit(run, "c", "--literal", "-o", path).exit_code == 0, "magicert's own file"


def test_a_full_disk_leaves_the_old_file_and_no_part(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "magics.h"
    assert emit(run, "c", "-o", path).exit_code == 0
    before = path.read_bytes()

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:2048])
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", full)
    done = emit(run, "c", "--literal", "-o", path)
    assert done.exit_code == 2
    assert f"{path}: No space left on device" in done.output
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["magics.h"]


def squares(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What tells one table's squares from another's."""
    keys = ("piece", "square", "index_min", "index_max", "offset", "slots_used")
    return [{key: square[key] for key in keys} for square in report["squares"]]


@cache
def squares_of(name: str) -> list[dict[str, Any]]:
    """The same of a published table."""
    return squares(json.loads(to_json(verify(read_table(find_table(name))))))


READ_BACK = [
    # 79,000 numbers in half a megabyte: two languages here, the others by `make slow`
    pytest.param(language, name, marks=pytest.mark.slow if long else ())
    for language in LANGUAGES
    for name in ("cfish_black", "stockfish21_64", "black_two_level")
    for long in [name == "black_two_level" and language not in ("c", "python")]
]


@pytest.mark.parametrize(("language", "name"), READ_BACK)
def test_an_emitted_source_is_read_back_as_the_same_table(
    run: Run, language: str, name: str, tmp_path: Path
):
    source = tmp_path / f"attacks{LANGUAGES[language].suffix}"
    written = run("emit", name, "--lang", language, "-o", source)
    if language == "javascript-32" and name == "stockfish21_64":  # a shift for each square
        assert written.exit_code == 2
        return
    assert written.exit_code == 0, written.output
    read = run("verify", source, "--json")
    assert read.exit_code == 0, read.output
    (report,) = json.loads(read.stdout)["reports"]
    assert report["verdict"] == "valid"
    assert squares(report) == squares_of(name)
