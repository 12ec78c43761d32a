"""`magicert import`: what is written where; how sources are read is tested in tests/source."""

import json
from pathlib import Path

import pytest

from magicert.table import parse_table, read_table

SAMPLES = Path(__file__).parents[1] / "source" / "samples"


@pytest.fixture
def sources(here):
    for name in ("bbc.c", "broken.rs"):
        (here / name).write_bytes((SAMPLES / name).read_bytes())
    return here


def test_the_table_is_the_same_in_a_file_and_on_standard_output(run, sources):
    written = run("import", "bbc.c", "-o", "bbc.toml")
    assert (written.exit_code, "written: bbc.toml" in written.stdout) == (0, True)
    streamed = run("import", "bbc.c", "-o", "-").stdout
    head, _, text = (sources / "bbc.toml").read_text("utf-8").partition("\n")
    assert head.startswith("# Written by magicert")
    assert streamed == text
    assert run("verify", "bbc.toml").exit_code == 0
    assert parse_table(streamed.encode(), Path("-")).table.pieces.keys() == {"rook", "bishop"}
    data = json.loads(run("import", "bbc.c", "-o", "bbc.toml", "--json").stdout)
    assert (data["verdict"], data["output"], len(data["reports"])) == ("valid", "bbc.toml", 1)


def test_what_is_wrong_is_written_where_it_is_wanted(run, sources):
    refused = run("import", "broken.rs", "-o", "broken.toml", "--json")
    assert (refused.exit_code, (sources / "broken.toml").exists()) == (1, False)
    assert json.loads(refused.stdout)["output"] is None
    assert run("import", "broken.rs", "-o", "broken.toml", "--broken").exit_code == 1
    assert read_table(sources / "broken.toml").table.pieces
    assert run("verify", "broken.toml").exit_code == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("bbc.c -o - --json", "--json prints on standard output"),
        ("bbc.c -o bbc.c", "is an input"),
        ("bbc.c -o none/bbc.toml", "no such folder"),
        ("bbc.c -o bbc.toml --reading 2", "--reading 1 to 1"),
        ("bbc.c", "Missing option --output. Example: magicert import"),
    ],
)
def test_nothing_is_written_where_the_words_are_wrong(run, sources, words, message):
    before = {path: path.read_bytes() for path in sources.iterdir()}
    result = run("import", *words.split())
    assert (result.exit_code, message in result.output) == (2, True), result.output
    assert {path: path.read_bytes() for path in sources.iterdir()} == before
