"""`magicert emit`: where the names live, and which files it writes over."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.data import find_table

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
