"""Pictures, reports: what is drawn is what was given, text stays text, pages are safe to open."""

import re
import runpy
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from magicert.atlas import read_atlas
from magicert.board import CHESS, Board
from magicert.chess import Piece, square_name
from magicert.data import find_table, tables_folder
from magicert.drawing.boards import Diagram
from magicert.drawing.markup import PICTURES, as_html, as_svg, element, joined, json_element
from magicert.drawing.pictures import coloured_board, corner, piece_board
from magicert.show import buffers
from magicert.show.atlas_page import COLOURS
from magicert.show.buffers import LONGEST, PAGE, Band, bands, buffer_map, place, usage_of
from magicert.table import read_table
from magicert.table.files import TableFile
from magicert.table.write import write_table
from magicert.verify.table.verifier import verify

CHARTS = SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[2] / "site" / "charts.py")))
SVG = "{http://www.w3.org/2000/svg}"


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


def test_text_stays_text_in_html_and_in_svg(read_page):
    nasty = '<script>alert("1")</script> & \x00\x1b[2J \u202e "quoted" \'s'
    page = as_html(element("p", nasty, title=nasty))
    assert not {"\x00", "\x1b"} & {*page}
    text = "".join(read_page(page).words)
    assert read_page(page).tags == [("p", {"title": text})]
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
