"""Pictures, reports: what is drawn is what was given, text stays text, pages are safe to open."""

import json
import re
import runpy
from collections.abc import Iterable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from magicert.atlas import read_atlas
from magicert.board import CHESS, Board, Piece, square_name
from magicert.data import find_table, tables_folder
from magicert.show import buffers
from magicert.show.atlas_page import COLOURS
from magicert.show.buffers import LONGEST, PAGE, Band, bands, buffer_map, place, usage_of
from magicert.show.document import Diagram
from magicert.show.markup import PICTURES, as_html, as_svg, element, joined, json_element
from magicert.show.pictures import coloured_board, corner, piece_board
from magicert.table import read_table
from magicert.table.read import TableFile
from magicert.table.write import write_table
from magicert.verify.table.report import to_json
from magicert.verify.table.verifier import verify

CHARTS = SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[2] / "site" / "charts.py")))
SVG = "{http://www.w3.org/2000/svg}"


class Page(HTMLParser):
    """What a browser would make of a page: its tags, text, scripts, and what it would load."""

    LOADING = ("src", "href", "data", "action", "poster", "srcset", "xlink:href")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.html, self.inside = page, ""
        self.tags, self.loads, self.words, self.scripts = [], [], [], {}
        self.feed(page)
        self.close()
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.loads += [str(value) for name, value in attrs if name in self.LOADING]
        self.loads += [name for name, _ in attrs if name.startswith("on")]
        self.inside = f"{tag} {dict(attrs).get('id')}" if tag in ("script", "style") else ""

    def handle_endtag(self, tag):
        self.inside = "" if tag in ("script", "style") else self.inside

    def handle_data(self, data):
        if self.inside:
            self.scripts[self.inside] = self.scripts.get(self.inside, "") + data
        else:
            self.words.append(data)


def diagram(piece: str, square: int, blockers: Iterable[int] = (), on: Board = CHESS) -> Diagram:
    return Diagram(piece, square, frozenset(blockers), frozenset(), on=on)


def drawn_slots(picture: ElementTree.Element) -> dict[str, set[tuple[int, int]]]:
    """The dots of each band of a map, by walking its path as a pen would."""
    found = {}
    for path in picture.iter("path"):
        if path.find("title") is None:
            continue
        x = y = 0
        dots = set()
        steps = re.findall(r"m(-?\d+) ?(-?\d+)([hv])(\d+)", path.get("d", ""))
        for across, down, letter, length in steps:
            x, y = x + int(across), y + int(down)
            for _ in range(int(length)):
                dots.add((x, y))
                x, y = x + (letter == "h"), y + (letter == "v")
        found[str(path.findtext("title"))] = dots
    return found


@settings(max_examples=15)
@given(st.sets(st.integers(0, 3 * PAGE - 1), min_size=1, max_size=200))
def test_a_map_has_a_dot_for_each_slot_and_no_other(slots):
    columns = {slot for slot in range(PAGE) if slot % 64 in (3, 9)} - slots
    bands = {"scattered": slots, "columns": columns}
    drawn = [Band(name, "red", sorted(held)) for name, held in bands.items()]
    dots = {name: {place(slot) for slot in held} for name, held in bands.items()}
    assert drawn_slots(buffer_map("a buffer", drawn, 3 * PAGE)) == dots


def test_places_are_apart_and_inside_the_picture_and_long_buffers_have_fewer():
    length = 6 * PAGE + 100
    picture = buffer_map("a buffer", [], length)
    width, height = map(int, picture.get("viewBox", "").split()[2:])
    places = {place(slot) for slot in range(length)}
    assert len(places) == length
    assert all(0 <= x < width and 0 <= y < height for x, y in places)
    assert [buffers.slots_a_dot(n) for n in (0, 1, LONGEST, LONGEST + 1)] == [1, 1, 1, 2]
    assert buffers.slots_a_dot(buffers.COARSEST * LONGEST) == buffers.COARSEST
    assert buffers.slots_a_dot(buffers.COARSEST * LONGEST + 1) == 0
    with pytest.raises(ValueError, match="expected at most"):
        buffer_map("", [], LONGEST + 1)
    (usage,) = usage_of(read_table(find_table("pikafish_cannon")))
    assert (usage.length, usage.used, usage.scale) == (1_081_344, 1_081_344, 3)
    dots = [dot for band in bands(usage) for dot in band.slots]
    assert sorted(dots) == list(range(-(-usage.length // 3)))


def test_separate_buffers_are_drawn_one_below_the_other(tmp_path):
    path = tmp_path / "bbc.toml"
    path.write_bytes(find_table("bbc").read_bytes())
    assert buffers.write_map(path) == tmp_path / "bbc.svg"
    root = ElementTree.parse(tmp_path / "bbc.svg").getroot()
    parts = [part.get("transform") for part in root.iter(f"{SVG}g")]
    assert parts == ["translate(0 0)", "translate(0 335)"]
    assert root.get("viewBox") == "0 0 332 399"
    table = read_table(path).table
    pieces = {piece: replace(half, square_size=(1 << 16,)) for piece, half in table.pieces.items()}
    write_table(replace(table, pieces=pieces), path)
    assert buffers.write_map(path) is None, "too long to draw"


def test_text_stays_text_in_html_and_in_svg():
    nasty = '<script>alert("1")</script> & \x00\x1b[2J \u202e "quoted" \'s'
    page = as_html(element("p", nasty, title=nasty))
    assert not {"\x00", "\x1b"} & {*page}
    text = "".join(Page(page).words)
    assert Page(page).tags == [("p", {"title": text})]
    assert text.startswith('<script>alert("1")</script> &')
    picture = piece_board(diagram("R", 0, [3]))
    parsed = ElementTree.fromstring(as_svg(picture, PICTURES, nasty, "0"))
    assert [title.text for title in parsed.findall(f"{SVG}title")] == [text]
    page = as_html(json_element("x", b'{"name": "</script><script>alert(1)//<!--"}'))
    assert page.count("<script") == page.count("</script") == 1
    assert "<!--" not in page


def test_a_board_of_any_size():
    on = Board(12, 10)
    picture = piece_board(diagram("C", on.parse("l10"), [0], on))
    assert picture.get("viewBox") == "0 0 13 11"
    names = [str(text.text) for text in picture.iter("text") if text.get("class") == "name"]
    assert sorted(names) == sorted([*"abcdefghijkl", *map(str, range(1, 11))])
    circles = {str(c.get("class")): (c.get("cx"), c.get("cy")) for c in picture.iter("circle")}
    assert circles == {"blocker": ("1.5", "9.5"), "slider": ("12.5", "0.5")}
    assert picture.findtext("title") == "C on l10; blockers: a1; attacks nothing"
    dark = next(path for path in picture.iter("path") if path.get("class") == "dark")
    assert dark.get("d", "").count("M") == 60
    assert corner(on.parse("a1"), on) == (1, 9)
    colours = {
        buffers.place_colour(n, 3, square, on) for n in range(3) for square in range(on.squares)
    }
    assert len(colours) >= 0.9 * 3 * on.squares, "squares of all pieces have colours of their own"
    boards = [coloured_board("x", {0: "red"}, Board(3, 9)), piece_board(diagram("R", 0))]
    both = joined(boards)
    assert both.get("viewBox") == "0 0 14 10"
    assert [part.get("transform") for part in both] == ["translate(0 0)", "translate(5 0)"]


def test_the_atlas_page_has_every_square_and_magic(run, tmp_path):
    path = tmp_path / "atlas.html"
    assert run("atlas", "--html", path).exit_code == 0
    text = path.read_text("utf-8")
    atlas = read_atlas(tables_folder() / "atlas.toml")
    places = [(piece, square) for piece in Piece for square in range(64)]
    names = {f"{piece}-{square_name(square)}" for piece, square in places}
    assert set(re.findall(r'<article id="(.+?)"', text)) == names
    assert set(re.findall(r'href="#(.+?)"', text)) == names
    for entry in atlas:
        part = text[text.index(f'id="{entry.piece}-{entry.square}"') :].partition("</article>")[0]
        for said in (f"{entry.bits} bits: {entry.state}", entry.magic, entry.certificate):
            assert said in part
    pairs = [(atlas.best(*one), atlas.bound(*one)) for one in places]
    settled = sum(bool(best and bound and bound.bits == best.bits - 1) for best, bound in pairs)
    drawn = [text.count(f'<path class="{kind}"') for kind in COLOURS]
    assert (sum(drawn), sum(drawn[:-1])) == (128, settled)
    meanings = [meaning for meaning, count in zip(COLOURS.values(), drawn, strict=True) if count]
    assert [meaning for meaning in meanings if f">{meaning}: " not in text] == []


NEAR = [("one of two", 1000, 2.0), ("two of two", 1000, 2.05), ("far away", 9000, 9.0)]
_LABELS, _BYTES = st.text("abc ", min_size=1, max_size=30), st.integers(1, 1 << 22).map(float)
_POINT = st.builds(CHARTS.Point, _LABELS, _BYTES, st.floats(0.1, 100), st.booleans())


def places(points: list[Any], picture: ElementTree.Element) -> dict[str, list[float]]:
    """Where the dot of each point is; those of larger figures are further right, or up."""
    dots = {str(dot[0].text).partition(":")[0]: dot for dot in picture.iter("circle")}
    assert set(dots) == {point.label for point in points}
    at = {label: [float(dot.get(key, "")) for key in ("cx", "cy")] for label, dot in dots.items()}
    for one in points:
        assert (dots[one.label].get("class") == "on") == one.marked
        for other in points:
            if one.x < other.x:
                assert at[one.label][0] <= at[other.label][0]
            if one.y < other.y:  # less is further down
                assert at[one.label][1] >= at[other.label][1]
    return at


@settings(max_examples=15)
@given(st.lists(_POINT, min_size=1, max_size=12, unique_by=lambda point: point.label))
@example([CHARTS.Point(*each, each[0] == "far away") for each in NEAR])
def test_a_plane_has_every_point_where_its_figures_say(points):
    for size in (CHARTS.NARROW, CHARTS.PLANE):
        picture = CHARTS.plane("title", points, "bytes", "ns", size)
        at = places(points, picture)
        assert all(0 < x < size[0] and 0 < y < size[1] for x, y in at.values())
        shown = [re.sub(r"^\d+  ", "", str(text.text)) for text in picture.iter("text")]
        assert all(shown.count(point.label) == 1 for point in points)
    if points[0].label == NEAR[0][0]:  # labels cover nothing, and stand beside their own points
        heights = {str(text.text): float(text.get("y", "")) for text in picture.iter("text")}
        assert heights["one of two"] - heights["two of two"] >= 13


def test_a_chart_falls():
    drawn = CHARTS.falling("", [(0, 100), (10, 90), (100, 50)]).iter("path")
    (path,) = (p for p in drawn if "H" in p.get("d", "") and p.get("class") == "line")
    heights = [float(v) for v in re.findall(r"V([\d.]+)", path.get("d", ""))]
    assert (len(heights), heights) == (2, sorted(heights))


# -- reports

SAMPLES = Path(__file__).parents[1] / "source" / "samples"


@pytest.fixture
def reported(run, tmp_path):
    def report(name: str | Path, status: int) -> Page:
        output = tmp_path / "page.html"
        result = run("report", name, "-o", output)
        assert result.exit_code == status, result.stderr
        assert output.stat().st_size < 1 << 20
        page = Page(output.read_text("utf-8"))
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


@pytest.mark.parametrize(
    "name", ["ankan_byte", "olah_bad_4425a97", "layered", "fairy_horse", "pikafish_bishop"]
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
    magics, offsets = ((v[0], v[0], *v[2:]) for v in (bishop.parameters["magic"], bishop.offset))
    broken = replace(bishop, parameters={**bishop.parameters, "magic": magics}, offset=offsets)
    spoilt = replace(table, pieces={**table.pieces, Piece.BISHOP: broken})
    (usage,) = usage_of(TableFile.unsaved(spoilt, "x"))
    assert usage.shared >= 1
    assert np.count_nonzero(usage.sharers) == usage.used
