"""A solver's proof, from `disprove --proof` to `check`."""

import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def solvers() -> None:
    pytest.importorskip("pysat")
    pytest.importorskip("drup")


def test_a_proof_is_written_and_checked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "d8.drup.xz"
    result = run("disprove", "bishop", "d8", "--bits", 2, "--proof", path)
    assert result.exit_code == 0
    assert "evidence: a solver with a checked proof" in result.stdout
    result = run("check", path)
    assert (result.exit_code, "no magic exists" in result.stdout) == (0, True)
    lines = lzma.decompress(path.read_bytes()).splitlines(keepends=True)
    for text in (b"".join(lines[:-1]), b"".join([*lines[:6], *lines[-1:]])):
        path.write_bytes(lzma.compress(text))
        result = run("check", path)
        assert result.exit_code in (1, 2)
        assert "no magic exists" not in result.stdout


def test_what_does_not_go_with_a_proof(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "d8.drup"
    about = ["disprove", "bishop", "d8", "--bits", 2, "--proof", path]
    for more in (["--engine", "window"], ["--ledger", tmp_path / "l.db"], ["-O", "cubes=3"]):
        result = run(*about, *more)
        assert (result.exit_code, "--proof goes with --engine sat" in result.stderr) == (2, True)
    path.write_text("p drup magicert 1\n")
    assert run("check", path).exit_code == 2
