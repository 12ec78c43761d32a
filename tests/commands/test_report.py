"""`magicert report`: a page about a table or a source, safe to open, with its certificate."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from magicert.chess import Piece
from magicert.data import find_table
from magicert.table import read_table
from magicert.table.write import write_table
from magicert.verify.table.report import to_json
from magicert.verify.table.verifier import verify

SAMPLES = Path(__file__).parents[1] / "source" / "samples"


@pytest.fixture
def reported(run, tmp_path, read_page):
    def report(name, status):
        output = tmp_path / "page.html"
        result = run("report", name, "-o", output)
        assert result.exit_code == status, result.stderr
        assert output.stat().st_size < 1 << 20
        page = read_page(output.read_text("utf-8"))
        assert [link for link in page.loads if not link.startswith("#")] == []
        assert "url(" not in page.html
        assert "@import" not in page.html
        return page

    return report


@pytest.mark.parametrize("name", ["black_two_level", "gigantua_plain", "layered"])
def test_a_valid_table(reported, name):
    file = read_table(find_table(name))
    page = reported(name, 0)
    report = verify(file)
    assert json.loads(page.scripts["script certificate"]) == json.loads(to_json(report))
    length = sum(buffer.length for buffer in report.buffers)
    assert f"valid: {report.lookups:,} lookups, {length:,} slots" in page.text
    for half in file.table.pieces.values():
        assert all(f"0x{magic:016x}" in page.text for magic in half.parameters["magic"])
    assert "wrong:" not in page.text
    assert f"magicert verify {name}" in page.text
    assert file.sha256 in page.text


def test_a_broken_table_shows_each_finding_on_two_boards(reported):
    page = reported("olah_bad_4425a97", 1)
    assert page.text.count("two positions share slot") == 21
    assert len(re.findall(r"blockers [a-h1-8 none]+: index", page.text)) == 42
    assert "invalid: 107,648 lookups" in page.text


def test_half_a_board(reported, tmp_path, half_board):
    write_table(half_board, tmp_path / "half.toml")
    assert "ranks 1-4" in reported(tmp_path / "half.toml", 0).text


def test_a_source_shows_its_reading_its_places_and_its_patch(reported, tmp_path):
    page = reported(SAMPLES / "broken.rs", 1)
    assert len(re.findall(r"entry \d+ of \S+, broken.rs, line \d+: 0x[0-9a-f]+", page.text)) >= 21
    assert re.search(r"invalid: rook \w\d \(\S+broken.rs:\d+:\d+\), and \d+ more", page.text)
    # A wrong digit, put right below the positions.
    right = (SAMPLES / "bbc.c").read_text("utf-8")
    path = tmp_path / "bbc.c"
    path.write_text(right.replace("0x8a80104000800020", "0x8a80104100800020"), "utf-8")
    page = reported(path, 3)  # the bits were taken
    assert page.text.startswith("unknown: rook")
    assert "rook.magic" in page.text
    head, _, rest = page.text.partition("The patch that makes it valid")
    assert head.count("blockers") == 4
    assert re.search(r"-\s+0x8a80104100800020.*\+\s+0x8a80104000800020", rest)


def test_names_are_text_and_many_findings_make_no_endless_page(reported, tmp_path):
    table = read_table(find_table("carp")).table
    name = '</title></script><script>alert("x")</script><img src=x onerror=alert(1)>&amp;'
    provenance = replace(table.provenance, found_by=name, notes=name)
    write_table(replace(table, name=name, provenance=provenance), tmp_path / "x.toml")
    page = reported(tmp_path / "x.toml", 0)
    tags = [tag for tag, _ in page.tags]
    # The scripts are the certificate, and the copy buttons'.
    assert (tags.count("script"), tags.count("img")) == (2, 0)
    assert page.text.count(name) >= 4
    assert json.loads(page.scripts["script certificate"])["table"] == name
    table = read_table(find_table("shakmaty")).table
    rook = replace(table.pieces[Piece.ROOK], offset=(0,))
    write_table(replace(table, pieces={Piece.ROOK: rook}), tmp_path / "x.toml")
    page = reported(tmp_path / "x.toml", 1)
    assert "The first 400 of 744 findings stand" in page.text
    assert len(json.loads(page.scripts["script certificate"])["findings"]) == 400


def test_a_large_board(reported, tmp_path):
    page = reported("haitaka_rook", 0)
    assert "valid: 495,616 lookups, 520,192 slots (495,616 used, 24,576 holes" in page.text
    assert "rook on" not in page.html
    assert page.html.count('viewBox="0 0 10 10"') == 2
    assert re.search("i9: (32,768|16,384) slots", page.html)
    # One in which a magic is 1.
    text = find_table("fairy_cannon_h").read_text("utf-8")
    magic = re.findall(r'"0x[0-9a-f]{32}"', text)[30]
    (tmp_path / "wrong.toml").write_text(text.replace(magic, f'"0x{1:032x}"'), "utf-8")
    page = reported(tmp_path / "wrong.toml", 1)
    assert "cannon-h g3" in page.html
    assert page.html.count('viewBox="0 0 13 11"') == 4
    assert 'class="differs"' in page.html
    assert len(re.findall("0x[0-9a-f]{32},", page.html)) >= 120


def test_one_table_is_shown_and_no_input_is_written_over(run, here):
    (here / "two").mkdir()
    for name in ("bbc.c", "two/bbc.c", "two/other.c"):
        (here / name).write_bytes((SAMPLES / "bbc.c").read_bytes())
    for words, message in (
        (("-",), "standard input: expected a file"),
        (("two",), "2 tables or sources: expected one"),
        (("bbc.c", "-o", "bbc.c"), "is an input"),
        (("nothing.c", "--json"), "no such file"),
    ):
        result = run("report", *words)
        assert (result.exit_code, "report.html" in {path.name for path in here.iterdir()}) == (2, 0)
        assert message in result.output
