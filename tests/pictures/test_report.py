"""`magicert report`: one page, complete, true, and safe to open."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from magicert.board import Piece
from magicert.data import find_table, record_tables, tables_folder
from magicert.show.buffers import bands, usage_of
from magicert.table import read_table
from magicert.table.read import TableFile
from magicert.table.write import write_table
from magicert.verify.table.report import to_json
from magicert.verify.table.verifier import verify

LAYERED = next(
    name for name, path in record_tables().items() if "result =" in path.read_text("utf-8")
)
"""A record in which several squares share an entry."""
SAMPLES = Path(__file__).parents[1] / "source" / "samples"
BOARDS = tables_folder() / "boards"


class Page(HTMLParser):
    """What a browser would make of a page: its tags, text, scripts, and what it would load."""

    LOADING = ("src", "href", "data", "action", "poster", "srcset", "xlink:href")

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.html = data.decode()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.words: list[str] = []
        self.scripts: dict[str, str] = {}
        self.inside = ""
        self.feed(self.html)
        self.close()
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [str(value) for name, value in attrs if name in self.LOADING]
        self.loads += [name for name, _ in attrs if name.startswith("on")]
        self.inside = f"{tag} {dict(attrs).get('id')}" if tag in ("script", "style") else ""

    def handle_endtag(self, tag: str) -> None:
        self.inside = "" if tag in ("script", "style") else self.inside

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[self.inside] = self.scripts.get(self.inside, "") + data
        else:
            self.words.append(data)


Reported = Callable[[str | Path, int], Page]


@pytest.fixture
def reported(run, tmp_path):
    def report(name: str | Path, status: int) -> Page:
        output = tmp_path / "page.html"
        result = run("report", name, "-o", output)
        assert result.exit_code == status, result.stderr
        assert output.stat().st_size < 1 << 20
        page = Page(output.read_bytes())
        assert [link for link in page.loads if not link.startswith("#")] == []
        assert "url(" not in page.html
        assert "@import" not in page.html
        return page

    return report


@pytest.mark.parametrize("name", ["black_two_level", "gigantua_plain", LAYERED])
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


def test_a_half_board(reported, tmp_path, half_board):
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


def test_names_are_text(reported, tmp_path):
    table = read_table(find_table("carp")).table
    name = '</title></script><script>alert("x")</script><img src=x onerror=alert(1)>&amp;'
    provenance = replace(table.provenance, found_by=name, notes=name)
    write_table(replace(table, name=name, provenance=provenance), tmp_path / "x.toml")
    page = reported(tmp_path / "x.toml", 0)
    assert page.tags.count("script") == 2  # the certificate, and the copy buttons'
    assert "img" not in page.tags
    assert page.text.count(name) >= 4
    assert json.loads(page.scripts["script certificate"])["table"] == name


def test_many_findings_make_no_endless_page(reported, tmp_path):
    table = read_table(find_table("shakmaty")).table
    rook = replace(table.pieces[Piece.ROOK], offset=(0,))
    write_table(replace(table, pieces={Piece.ROOK: rook}), tmp_path / "x.toml")
    page = reported(tmp_path / "x.toml", 1)
    assert "The first 400 of 744 findings stand" in page.text
    assert len(json.loads(page.scripts["script certificate"])["findings"]) == 400


def test_a_folder_of_tables_is_not_one_table(run, tables, tmp_path):
    result = run("report", tables / "records", "-o", tmp_path / "x.html")
    assert result.exit_code == 2
    assert "expected one for a report" in result.stderr


def test_a_large_board(reported, tmp_path):
    page = reported(BOARDS / "haitaka_rook.toml", 0)
    assert "valid: 495,616 lookups, 520,192 slots (495,616 used, 24,576 holes" in page.text
    assert "rook on" not in page.html
    assert page.html.count('viewBox="0 0 10 10"') == 2
    assert re.search("i9: (32,768|16,384) slots", page.html)
    # One in which a magic is 1.
    text = (BOARDS / "fairy_cannon_h.toml").read_text("utf-8")
    magic = re.findall(r'"0x[0-9a-f]{32}"', text)[30]
    (tmp_path / "wrong.toml").write_text(text.replace(magic, f'"0x{1:032x}"'), "utf-8")
    page = reported(tmp_path / "wrong.toml", 1)
    assert "cannon-h g3" in page.html
    assert page.html.count('viewBox="0 0 13 11"') == 4
    assert 'class="differs"' in page.html
    assert len(re.findall("0x[0-9a-f]{32},", page.html)) >= 120


@pytest.mark.parametrize(
    "name", ["ankan_byte", "olah_bad_4425a97", LAYERED, "fairy_horse", "pikafish_bishop"]
)
def test_usage_agrees_with_the_verifier(name):
    file = read_table(find_table(name))
    report = verify(file)
    used = usage_of(file)
    for buffer, usage in zip(report.buffers, used, strict=True):
        assert (usage.length, usage.used) == (buffer.length, buffer.slots_used)
    figures = {(s.piece, s.square): s.slots_used for s in report.squares}
    named = {(p, u.on.name(s)): len(n) for u in used for (p, s), n in u.slots.items()}
    assert named == figures
    wrong = sum(len(usage.conflicts) for usage in used)
    assert bool(wrong) == (report.verdict == "invalid")


def test_slots_of_several_squares_are_counted():
    """Bishops on a1 and b1 with the same magic and offset."""
    table = read_table(find_table("shakmaty")).table
    bishop = table.pieces[Piece.BISHOP]
    assert bishop.offset is not None
    magics, offsets = list(bishop.parameters["magic"]), list(bishop.offset)
    magics[1], offsets[1] = magics[0], offsets[0]
    parameters = {**bishop.parameters, "magic": tuple(magics)}
    broken = replace(bishop, parameters=parameters, offset=tuple(offsets))
    spoilt = replace(table, pieces={**table.pieces, Piece.BISHOP: broken})
    (usage,) = usage_of(TableFile.unsaved(spoilt, "x"))
    assert usage.shared >= 1
    assert np.count_nonzero(usage.sharers) == usage.used


def test_a_long_buffer_is_drawn_coarsely():
    (usage,) = usage_of(read_table(BOARDS / "pikafish_cannon.toml"))
    assert (usage.length, usage.used, usage.scale) == (1_081_344, 1_081_344, 3)
    dots = [dot for band in bands(usage) for dot in band.slots]
    assert sorted(dots) == list(range(-(-usage.length // 3)))
