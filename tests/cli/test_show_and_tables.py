import json
import random
import re
from pathlib import Path

import pytest

from magicert.data import board_tables, published_tables, record_tables, tables_by_name
from magicert.requests.tables import list_tables, measure, measured_before
from magicert.table import read_table

SHOWN = Path(__file__).with_name("show.txt").read_text("utf-8").split("\n$ ")[1:]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("shown", SHOWN)
def test_what_is_shown(run, shown):
    words, *lines = shown.splitlines()
    result = run(*words.split())
    assert result.exit_code == 0
    assert lines
    assert [line for line in lines if line[1:] not in result.stdout] == []
    for picture in Path().glob("*.svg"):
        assert 'viewBox="0 0 10 11"' in picture.read_text()


def test_what_is_said_in_two_ways(run):
    for words, same in {
        "bishop C1 --occupancy b2,h8": "bishop c1 --occupancy 0x8000000000000200",
        "--layouts e4 d5": "--layouts e4,d5",
        "rook h8 --board 8x8": "rook h8",
    }.items():
        one, other = (run("show", *how.split()).stdout.splitlines()[1:12] for how in (words, same))
        assert one
        assert one == other


def test_layouts_of_a_square(run):
    lines = run("show", "--layouts", "e4").stdout.splitlines()
    bits = {line.split()[0]: line.split()[1:] for line in lines[1:]}
    assert len(bits) == 8
    for order, bit in {"a1": 28, "h1": 27, "a8": 36, "a1-files": 35}.items():
        assert bits[order] == [f"{1 << bit:#018x}", str(bit)]


def test_tables_lists_what_is_published(run):
    result = run("tables")
    assert result.exit_code == 0
    lines = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert [line[0] for line in lines] == list(tables_by_name())
    entries = {line[0]: line[1:3] for line in lines}
    assert entries["black"][0] == str(read_table(record_tables()["black"]).table.buffer_size)
    assert entries["cfish_black"] == ["87988", "72118"]
    rows = {row["key"]: row for row in json.loads(run("tables", "--json").stdout)}
    named = {**published_tables(), **board_tables()}
    assert all(row["provenance"]["repository"] for key, row in rows.items() if key in named)
    assert rows["black"]["verdict"] == "valid"
    assert (rows["cfish_black"]["board"], rows["fairy_horse"]["board"]) == ("whole", "12x10")
    assert "repository   github:syzygy1/Cfish" in run("tables", "cfish_black").stdout


@pytest.mark.parametrize("how_many", [3, pytest.param(None, marks=pytest.mark.slow)])
def test_figures_that_ship_are_what_verifying_gives(how_many):
    """All of them take long: the gate draws other ones each time."""
    known, paths = measured_before(), tables_by_name()
    assert known.keys() == paths.keys()
    for key in random.sample(sorted(paths), how_many or len(paths)):
        assert measure(key, paths[key]) == known[key]


def test_a_table_that_changed_is_verified_anew(tmp_path, monkeypatch):
    changed = tmp_path / "shakmaty.toml"
    text = published_tables()["shakmaty"].read_text()
    changed.write_text(re.sub(r'"0x[0-9a-f]{16}"', '"0x0000000000000001"', text, count=1))
    (row,) = list_tables({"shakmaty": changed})
    assert row.verdict == "invalid"
    changed.write_text(text)
    monkeypatch.setattr("magicert.requests.tables.measure", None)
    (row,) = list_tables({"shakmaty": changed})
    assert row.verdict == "valid"


@pytest.mark.usefixtures("here")
def test_a_proof_is_found_by_name(run):
    pytest.importorskip("drup")
    result = run("check", "shape-5-bits-3.drup")
    assert (result.exit_code, result.stdout[:6]) == (0, "valid ")
