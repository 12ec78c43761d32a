import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import get_completion_class
from click.testing import Result

from magicert.cli.app import cli
from magicert.data import (
    board_tables,
    certificates_by_name,
    published_tables,
    record_tables,
    tables_by_name,
)
from magicert.requests.tables import list_tables, measure, measured_before
from magicert.table import read_table

Run = Callable[..., Result]


def test_show_draws_mask_and_attacks(run: Run) -> None:
    result = run("show", "rook", "e4", "--occupancy", "e6,c4")
    assert result.exit_code == 0
    assert "mask 0x001010106e101000    attacks 0x00001010ec101010" in result.stdout
    assert "4 . + + + R + + .          4 . . * + R + + +" in result.stdout


def test_show_looks_up_in_a_table_of_another_square_order(run: Run) -> None:
    result = run("show", "rook", "e4", "--occupancy", "e6,c4", "--table", "bbc")
    assert "occ        0x0000000400100000 in the table's square order, a8" in result.stdout
    assert "slot       56345" in result.stdout


def test_an_occupancy_may_be_a_bitboard(run: Run) -> None:
    named = run("show", "bishop", "C1", "--occupancy", "b2, h8").stdout
    assert named == run("show", "bishop", "c1", "--occupancy", "0x8000000000000200").stdout


def test_tables_lists_what_is_published(run: Run) -> None:
    result = run("tables")
    assert result.exit_code == 0
    rows = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert [row[0] for row in rows] == list(tables_by_name())
    assert rows[[r[0] for r in rows].index("black")][1] == str(
        read_table(record_tables()["black"]).table.buffer_size
    )
    assert rows[[r[0] for r in rows].index("cfish_black")][1:3] == ["87988", "72118"]


def test_tables_as_json_and_one_in_detail(run: Run) -> None:
    rows = json.loads(run("tables", "--json").stdout)
    others = {**published_tables(), **board_tables()}
    assert all(row["provenance"]["repository"] for row in rows if row["key"] in others)
    boards = {row["key"]: row["board"] for row in rows}
    assert (boards["cfish_black"], boards["fairy_horse"]) == ("whole", "12x10")
    assert "repository   github:syzygy1/Cfish" in run("tables", "cfish_black").stdout
    assert run("tables", "nope").exit_code == 2


@pytest.mark.parametrize("how_many", [6, pytest.param(None, marks=pytest.mark.slow)])
def test_figures_that_ship_are_what_verifying_gives(how_many: int | None) -> None:
    """All of them take long: the gate draws other ones each time."""
    known, paths = measured_before(), tables_by_name()
    assert known.keys() == paths.keys()
    for key in random.sample(sorted(paths), how_many or len(paths)):
        assert measure(key, paths[key]) == known[key]


def test_a_table_that_changed_is_verified_anew(tmp_path: Path, monkeypatch: Any) -> None:
    source = published_tables()["shakmaty"]
    changed = tmp_path / source.name
    text = source.read_text()
    first = re.search(r'"(0x[0-9a-f]{16})"', text)
    changed.write_text(text.replace(first[1], "0x0000000000000001", 1))
    (row,) = list_tables({"shakmaty": changed})
    assert row.verdict == "invalid"
    changed.write_text(text)
    monkeypatch.setattr("magicert.requests.tables.measure", None)
    (row,) = list_tables({"shakmaty": changed})
    assert row.verdict == "valid"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_MAGICERT_COMPLETE" in result.stdout


COMPLETED = {
    ("verify",): tables_by_name,
    ("tables",): tables_by_name,
    ("bench",): tables_by_name,
    ("lemma",): tables_by_name,
    ("emit",): tables_by_name,
    ("pack", "--from"): tables_by_name,
    ("show", "rook", "e4", "--table"): tables_by_name,
    ("check",): certificates_by_name,
}


@pytest.mark.parametrize("words", COMPLETED)
def test_names_are_completed_wherever_they_are_taken(words: tuple[str, ...]) -> None:
    shell = get_completion_class("bash")
    assert shell is not None
    completion = shell(cli, {}, "magicert", "_MAGICERT_COMPLETE")
    for beginning in ("b", ""):
        names = [name for name in COMPLETED[words]() if name.startswith(beginning)]
        offered = [item.value for item in completion.get_completions(list(words), beginning)]
        assert names
        assert offered[: len(names)] == names


@pytest.mark.parametrize("name", ["bishop-e1-4", "shape-5-bits-3.drup"])
def test_a_certificate_is_found_by_name(name: str, run: Run, tmp_path: Path) -> None:
    if name.endswith(".drup"):
        pytest.importorskip("drup")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        result = run("check", name)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("valid ")


def test_show_tells_the_formula_of_a_layered_table(run: Run) -> None:
    shown = run("show", "rook", "e4", "--table", "layered_48036").output
    assert "word & line, where word stands in the slot" in shown
    assert "line       0x10101010ef101010" in shown


def test_show_a_piece_of_a_table_of_another_board(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "cannon.svg"
    words = ("cannon", "e4", "--table", "pikafish_cannon", "--occupancy", "e6,e9")
    result = run("show", *words, "--svg", picture)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "cannon e4, occupancy 0x00000000000010000002000000000000"
    assert lines[3].split() == ["10", *"." * 9, "10", *"." * 9]
    assert " 9 . . . . * . . . ." in lines[4]
    assert "slot       406272" in result.stdout
    assert 'viewBox="0 0 10 11"' in picture.read_text()


def test_show_any_piece_on_any_board(run: Run) -> None:
    result = run("show", "NN", "f5", "--board", "12x10", "--occupancy", "g7")
    assert result.exit_code == 0
    assert "NN f5" in result.stdout
    assert "N NN" in result.stdout
    assert (
        run("show", "rook", "h8", "--board", "8x8").stdout.splitlines()[1:12]
        == (run("show", "rook", "h8").stdout.splitlines()[1:12])
    )
