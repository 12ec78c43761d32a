"""Tables of other boards on the command line: the same verdicts, drawn on the right board."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result

import magicert
from magicert.data import board_tables
from magicert.table import read_table
from magicert.table.write import write_table

Run = Callable[..., Result]


@pytest.fixture
def spoilt(tmp_path: Path) -> Path:
    """The xiangqi engine's horses, with the magic of e5 shifted by seven bits."""
    table = read_table(board_tables()["pikafish_knight"]).table
    half = table.pieces["horse"]
    magics = list(half.parameters["magic"])
    magics[40] >>= 7
    pieces = {"horse": replace(half, parameters={"magic": tuple(magics)})}
    write_table(replace(table, pieces=pieces), tmp_path / "horses.toml")
    return tmp_path / "horses.toml"


def test_a_table_of_another_board_is_certified(run: Run) -> None:
    result = run("verify", "pikafish_bishop")
    assert result.exit_code == 0
    assert "552 lookups, 552 slots (468 used, 84 holes)\n" in result.stdout
    assert "for every square and all 2^90 occupancies" in result.stdout.lower()


def test_a_counterexample_is_drawn_on_its_board(run: Run, spoilt: Path) -> None:
    result = run("verify", spoilt)
    assert result.exit_code == 1
    assert "horse e5: two positions share slot 384" in result.stdout
    assert "10 . . . . . . . . ." in result.stdout
    assert "5 . . . . H . . . ." in result.stdout
    assert "5 . . . # H . . . ." in result.stdout
    assert "a b c d e f g h i" in result.stdout
    assert "H horse   # blocker" in result.stdout


def test_a_report_of_another_board(run: Run, spoilt: Path) -> None:
    (report,) = json.loads(run("verify", "--json", spoilt).stdout)["reports"]
    assert (report["board"], report["verdict"]) == ("9x10", "invalid")
    first, second = report["findings"][0]["lookups"]
    assert (first["square"], second["blockers"]) == ("e5", ["d5"])
    assert all(len(lookup["occupancy"]) == 34 for lookup in (first, second))


def test_a_program_sees_the_same(spoilt: Path) -> None:
    found = magicert.certify_table(spoilt)
    assert not found.valid
    assert "5 . . . # H . . . ." in found.boards[0]
    assert magicert.certify_table(board_tables()["pikafish_knight"]).valid
