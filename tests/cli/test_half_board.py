"""What the commands make of a half board."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.table import Table
from magicert.table.write import write_table

Run = Callable[..., Result]


@pytest.fixture
def half(half_board: Table, tmp_path: Path) -> Path:
    path = tmp_path / "half.toml"
    write_table(half_board, path)
    return path


def test_verify_says_that_it_is_a_half_board(run: Run, half: Path) -> None:
    plain = run("verify", half)
    assert plain.exit_code == 0
    assert "107,648 lookups" in plain.stdout
    assert "The table is a half board" in " ".join(plain.stdout.split())
    (report,) = json.loads(run("verify", half, "--json").stdout)["reports"]
    assert report["board"] == "ranks 1-4"
    (report,) = json.loads(run("verify", "surge", "--json").stdout)["reports"]
    assert report["board"] == "whole"


def test_verify_refuses_a_half_board_with_lists_of_64(run: Run, half: Path, tables: Path) -> None:
    whole = (tables / "published" / "cfish_black.toml").read_text()
    half.write_text(whole.replace('order = "a1"\n', 'order = "a1"\nboard = "ranks 1-4"\n'))
    refused = run("verify", half)
    assert refused.exit_code == 2
    assert "rook.magic: 64 values: expected 32" in refused.output


def test_show_mirrors_a_lookup_for_the_upper_half(run: Run, half: Path) -> None:
    upper = run("show", "rook", "c6", "--occupancy", "c8,e6", "--table", half).stdout
    lower = run("show", "rook", "c3", "--occupancy", "c1,e3", "--table", half).stdout
    assert "0x0000000000100004 with swapped bytes, looked up on c3" in upper
    assert "swapped" not in lower
    assert upper.splitlines()[-3:] == lower.splitlines()[-3:]


def test_bench_finds_both_halves_in_agreement_with_a_whole_table(run: Run, half: Path) -> None:
    if shutil.which("cc") is None and shutil.which("gcc") is None:
        pytest.skip("no C compiler here")
    assert run("bench", half, "cfish_black", "--turns", "1").exit_code == 0


def test_lemmas_are_proved_for_the_squares_that_the_table_holds(run: Run, half: Path) -> None:
    pytest.importorskip("z3")
    done = run("lemma", half)
    assert done.exit_code == 0, done.output
    assert "32 of 32 squares" in done.stdout


def test_a_source_of_half_a_board_is_not_read_back(run: Run, half: Path) -> None:
    source = half.with_suffix(".c")
    assert run("emit", half, "--lang", "c", "-o", source).exit_code == 0
    for command in (("verify", source), ("import", source, "-o", "-")):
        refused = run(*command)
        assert refused.exit_code == 2
        assert "has 32 items: expected 64" in refused.output
