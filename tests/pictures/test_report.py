"""`magicert report`: one page, complete, true, and safe to open."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

from magicert.board import Piece
from magicert.data import find_table, record_tables, tables_folder
from magicert.show.buffers import bands, usage_of
from magicert.table import Table, read_table
from magicert.table.read import TableFile
from magicert.table.write import write_table
from magicert.verify.table.report import to_json
from magicert.verify.table.verifier import verify

Run = Callable[..., Result]
LAYERED = next(
    name for name, path in record_tables().items() if "result =" in path.read_text("utf-8")
)
"""A record in which several squares share an entry."""
SAMPLES = Path(__file__).parents[1] / "source" / "samples"


class Page(HTMLParser):
    """What a browser would make of a page: its tags, text, scripts, and what it would load."""

    LOADING = ("src", "href", "data", "action", "poster", "srcset", "xlink:href")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.handlers: list[str] = []
        self.words: list[str] = []
        self.scripts: dict[str, str] = {}
        self.inside: str | None = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.loads += [str(given[name]) for name in self.LOADING if name in given]
        self.handlers += [name for name in given if name.startswith("on")]
        self.inside = (
            str(given.get("id")) if tag == "script" else "style" if tag == "style" else None
        )

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self.inside = None

    def handle_data(self, data: str) -> None:
        if self.inside is None:
            self.words.append(data)
        else:
            self.scripts[self.inside] = self.scripts.get(self.inside, "") + data

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def reported(run: Run, folder: Path, name: str | Path, status: int) -> Page:
    output = folder / "page.html"
    result = run("report", name, "-o", output)
    assert result.exit_code == status, result.stderr
    data = output.read_bytes()
    assert len(data) < 1_000_000
    page = Page(data.decode())
    assert [link for link in page.loads if not link.startswith("#")] == []
    assert page.handlers == []
    assert "url(" not in data.decode()
    assert "@import" not in data.decode()
    return page


@pytest.mark.parametrize("name", ["shakmaty", "black_two_level", "gigantua_plain", LAYERED])
def test_a_valid_table(run: Run, tmp_path: Path, name: str) -> None:
    file = read_table(find_table(name))
    page = reported(run, tmp_path, name, 0)
    report = verify(file)
    assert json.loads(page.scripts["certificate"]) == json.loads(to_json(report))
    length = sum(buffer.length for buffer in report.buffers)
    assert f"valid: {report.lookups:,} lookups, {length:,} slots" in page.text
    for half in file.table.pieces.values():
        assert all(f"0x{magic:016x}" in page.text for magic in half.parameters["magic"])
    assert "wrong:" not in page.text
    assert f"magicert verify {name}" in page.text
    assert file.sha256 in page.text


def test_a_broken_table_shows_each_finding_on_two_boards(run: Run, tmp_path: Path) -> None:
    name = "olah_bad_4425a97"
    page = reported(run, tmp_path, name, 1)
    report = verify(read_table(find_table(name)))
    assert page.text.count("two positions share slot") == len(report.findings) == 21
    boards = sum(len(finding.lookups) for finding in report.findings)
    assert len(re.findall(r"blockers [a-h1-8 none]+: index", page.text)) == boards
    assert "invalid: 107,648 lookups" in page.text


def test_a_half_board(run: Run, tmp_path: Path, half_board: Table) -> None:
    path = tmp_path / "half.toml"
    write_table(half_board, path)
    assert "ranks 1-4" in reported(run, tmp_path, path, 0).text


def test_a_source_shows_its_reading(run: Run, tmp_path: Path) -> None:
    page = reported(run, tmp_path, SAMPLES / "bbc.c", 0)
    assert "rook.magic" in page.text


def test_a_broken_source_names_the_places_of_its_numbers(run: Run, tmp_path: Path) -> None:
    page = reported(run, tmp_path, SAMPLES / "broken.rs", 1)
    assert len(re.findall(r"entry \d+ of \S+, broken.rs, line \d+: 0x[0-9a-f]+", page.text)) >= 21
    assert re.search(r"invalid: rook \w\d \(\S+broken.rs:\d+:\d+\), and \d+ more", page.text)


def test_the_patch_stands_in_the_page(run: Run, tmp_path: Path) -> None:
    """Below the positions: a wrong digit, put right."""
    right = (SAMPLES / "bbc.c").read_text("utf-8")
    path = tmp_path / "bbc.c"
    path.write_text(right.replace("0x8a80104000800020", "0x8a80104100800020"), "utf-8")
    page = reported(run, tmp_path, path, 3)  # the bits were taken
    assert page.text.startswith("unknown: rook")
    head, _, rest = page.text.partition("The patch that makes it valid")
    assert head.count("blockers") == 4
    assert re.search(r"-\s+0x8a80104100800020.*\+\s+0x8a80104000800020", rest)


def test_names_are_text(run: Run, tmp_path: Path) -> None:
    table = read_table(find_table("carp")).table
    name = '</title></script><script>alert("x")</script><img src=x onerror=alert(1)>&amp;'
    path = tmp_path / "x.toml"
    provenance = replace(table.provenance, found_by=name, notes=name)
    write_table(replace(table, name=name, provenance=provenance), path)
    page = reported(run, tmp_path, path, 0)
    assert page.tags.count("script") == 2  # the certificate, and the copy buttons'
    assert "img" not in page.tags
    assert page.text.count(name) >= 4
    assert json.loads(page.scripts["certificate"])["table"] == name


def test_a_thousand_findings_make_no_endless_page(run: Run, tmp_path: Path) -> None:
    table = read_table(find_table("shakmaty")).table
    pieces = {piece: replace(half, offset=(0,)) for piece, half in table.pieces.items()}
    path = tmp_path / "x.toml"
    write_table(replace(table, pieces=pieces), path)
    page = reported(run, tmp_path, path, 1)
    found = re.search(r"The first 400 of ([\d,]+) findings stand", page.text)
    assert found is not None
    assert int(found[1].replace(",", "")) > 1000
    assert len(json.loads(page.scripts["certificate"])["findings"]) == 400


def test_a_folder_of_tables_is_not_one_table(run: Run, tables: Path, tmp_path: Path) -> None:
    result = run("report", tables / "records", "-o", tmp_path / "x.html")
    assert result.exit_code == 2
    assert "expected one for a report" in result.stderr


@pytest.mark.parametrize(
    "name",
    ["cfish_97264", "ankan_byte", "olah_bad_4425a97", LAYERED, "fairy_horse", "pikafish_bishop"],
)
def test_usage_agrees_with_the_verifier(name: str) -> None:
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


def test_slots_of_several_squares_are_counted() -> None:
    """Bishops in opposite corners may share an attack set: an offset that makes them."""
    file = read_table(find_table("shakmaty"))
    table = file.table
    bishop = table.pieces[Piece.BISHOP]
    assert bishop.offset is not None
    magics = list(bishop.parameters["magic"])
    offsets = list(bishop.offset)
    magics[1], offsets[1] = magics[0], offsets[0]
    broken = replace(
        bishop, parameters={**bishop.parameters, "magic": tuple(magics)}, offset=tuple(offsets)
    )
    pieces: dict[Piece, Any] = {**table.pieces, Piece.BISHOP: broken}
    (usage,) = usage_of(TableFile.unsaved(replace(table, pieces=pieces), "x"))
    assert usage.shared >= 1
    assert np.count_nonzero(usage.sharers) == usage.used


BOARDS = tables_folder() / "boards"


def wrong_board(name: str, path: Path) -> None:
    """A table of another board in which one magic is 1."""
    text = (BOARDS / f"{name}.toml").read_text("utf-8")
    magic = re.findall(r'"0x[0-9a-f]{32}"', text)[30]
    path.write_text(text.replace(magic, f'"0x{1:032x}"'), "utf-8")


def test_a_large_board(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = run("report", BOARDS / "haitaka_rook.toml", "-o", page)
    assert result.exit_code == 0
    text = page.read_text("utf-8")
    assert len(text) < 1 << 20
    assert "valid: 495,616 lookups, 520,192 slots (495,616 used, 24,576 holes" in text
    assert "rook on" not in text
    assert text.count('viewBox="0 0 10 10"') == 2
    assert "i9: 32,768 slots" in text or "i9: 16,384 slots" in text
    assert Page(text).loads == []


def test_a_large_board_with_a_wrong_magic(run: Run, tmp_path: Path) -> None:
    wrong_board("fairy_cannon_h", tmp_path / "wrong.toml")
    page = tmp_path / "page.html"
    result = run("report", tmp_path / "wrong.toml", "-o", page)
    assert result.exit_code == 1
    text = page.read_text("utf-8")
    assert len(text) < 1 << 20
    assert "cannon-h g3" in text
    assert text.count('viewBox="0 0 13 11"') == 4
    assert 'class="differs"' in text
    magics = re.findall("0x[0-9a-f]{32},", text)
    assert len(magics) >= 120


def test_a_long_buffer_is_drawn_coarsely() -> None:
    file = read_table(BOARDS / "pikafish_cannon.toml")
    (usage,) = usage_of(file)
    assert (usage.length, usage.used, usage.scale) == (1_081_344, 1_081_344, 3)
    dots = [dot for band in bands(usage) for dot in band.slots]
    assert sorted(dots) == list(range(-(-usage.length // 3)))
