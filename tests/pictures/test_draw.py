"""Pictures: what is drawn is what was given, and text stays text."""

import re
import runpy
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.board import CHESS, Board, Piece, attack_set, squares_of
from magicert.show.buffers import (
    COARSEST,
    LONGEST,
    PAGE,
    Band,
    buffer_map,
    place,
    place_colour,
    slots_a_dot,
)
from magicert.show.document import Diagram
from magicert.show.markup import PICTURES, as_html, as_svg, element, json_element
from magicert.show.pictures import coloured_board, corner, piece_board, side_by_side, words_board

CHARTS = SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[2] / "site" / "charts.py")))


def diagram(
    piece: str, square: int, blockers: Iterable[int] = (), attacked: Iterable[int] = (),
    differing: Iterable[int] = (), on: Board = CHESS,
) -> Diagram:  # fmt: skip
    return Diagram(
        piece, square, frozenset(blockers), frozenset(attacked), differing=frozenset(differing),
        on=on,
    )  # fmt: skip


NASTY = '<script>alert("1")</script> & \x00\x1b[2J \u202e "quoted" \'s'


class Reader(HTMLParser):
    """Tags and text, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def drawn_slots(picture: ElementTree.Element) -> dict[str, set[tuple[int, int]]]:
    """The dots of each band of a map, by walking its path as a pen would."""
    found = {}
    for path in picture.iter("path"):
        title = path.find("title")
        if title is None:
            continue
        x = y = 0
        dots = set()
        for across, down, letter, length in re.findall(
            r"m(-?\d+) ?(-?\d+)([hv])(\d+)", path.get("d", "")
        ):
            x, y = x + int(across), y + int(down)
            for _ in range(int(length)):
                dots.add((x, y))
                x, y = x + (letter == "h"), y + (letter == "v")
        found[str(title.text)] = dots
    return found


@given(st.sets(st.integers(0, 3 * PAGE - 1), min_size=1, max_size=200))
def test_a_map_has_a_dot_for_each_slot_and_no_other(slots: set[int]) -> None:
    columns = {slot for slot in range(PAGE) if slot % 64 in (3, 9)} - slots
    bands = [Band("scattered", "red", sorted(slots)), Band("columns", "blue", sorted(columns))]
    picture = buffer_map("a buffer", bands, 3 * PAGE)
    assert drawn_slots(picture) == {
        "scattered": {place(slot) for slot in slots},
        "columns": {place(slot) for slot in columns},
    }


def test_places_are_apart_and_inside_the_picture() -> None:
    length = 6 * PAGE + 100
    picture = buffer_map("a buffer", [], length)
    width, height = map(int, picture.get("viewBox", "").split()[2:])
    places = {place(slot) for slot in range(length)}
    assert len(places) == length
    assert all(0 <= x < width and 0 <= y < height for x, y in places)


def test_a_buffer_of_millions_is_refused() -> None:
    with pytest.raises(ValueError, match="expected at most"):
        buffer_map("", [], LONGEST + 1)


def test_text_stays_text_in_html_and_in_svg() -> None:
    page = as_html(element("p", NASTY, title=NASTY))
    assert "\x00" not in page
    assert "\x1b" not in page
    read = Reader()
    read.feed(page)
    ((tag, attributes),) = read.tags
    assert tag == "p"
    assert attributes["title"] == read.text
    assert read.text.startswith('<script>alert("1")</script> &')
    picture = piece_board(diagram("R", 0, [3], [1, 2, 3]))
    text = as_svg(picture, PICTURES, NASTY, "0")
    parsed = ElementTree.fromstring(text)
    (title,) = parsed.findall("{http://www.w3.org/2000/svg}title")
    assert title.text == read.text


def test_no_json_ends_its_element() -> None:
    page = as_html(json_element("x", b'{"name": "</script><script>alert(1)//<!--"}'))
    assert page.count("<script") == page.count("</script") == 1
    assert "<!--" not in page


def test_a_board_draws_its_blockers_and_attacks() -> None:
    attacks = attack_set(Piece.ROOK, 0, 1 << 24 | 1 << 6)
    picture = piece_board(diagram("R", 0, [24, 6], squares_of(attacks)))
    circles = [c for c in picture.iter("circle") if c.get("class") == "blocker"]
    assert {(c.get("cx"), c.get("cy")) for c in circles} == {("7.5", "7.5"), ("1.5", "4.5")}
    (area,) = (p for p in picture.iter("path") if p.get("class") == "attacked")
    assert area.get("d", "").count("M") == attacks.bit_count()


def test_a_board_of_any_size() -> None:
    on = Board(12, 10)
    picture = piece_board(diagram("C", on.parse("l10"), [0], [on.parse("a10")], [0], on))
    assert picture.get("viewBox") == "0 0 13 11"
    names = [text.text for text in picture.iter("text") if text.get("class") == "name"]
    assert sorted(names, key=str) == sorted([*"abcdefghijkl", *map(str, range(1, 11))])
    circles = {str(c.get("class")): (c.get("cx"), c.get("cy")) for c in picture.iter("circle")}
    assert circles == {"blocker": ("1.5", "9.5"), "slider": ("12.5", "0.5")}
    assert picture.findtext("title") == "C on l10; blockers: a1; attacks a10"
    dark = next(path for path in picture.iter("path") if path.get("class") == "dark")
    assert dark.get("d", "").count("M") == 60
    assert corner(on.parse("a1"), on) == (1, 9)


def test_boards_of_two_sizes_side_by_side() -> None:
    boards = [coloured_board("x", {0: "red"}, Board(3, 9)), piece_board(diagram("R", 0))]
    both = side_by_side(boards)
    assert both.get("viewBox") == "0 0 14 10"
    assert [part.get("transform") for part in both] == ["translate(0 0)", "translate(5 0)"]


def test_squares_of_all_pieces_have_colours_of_their_own() -> None:
    on = Board(12, 10)
    colours = {place_colour(n, 3, square, on) for n in range(3) for square in range(on.squares)}
    assert len(colours) >= 0.9 * 3 * on.squares


def test_how_many_slots_are_a_dot() -> None:
    assert [slots_a_dot(n) for n in (0, 1, LONGEST, LONGEST + 1)] == [1, 1, 1, 2]
    assert slots_a_dot(COARSEST * LONGEST) == COARSEST
    assert slots_a_dot(COARSEST * LONGEST + 1) == 0


def test_words_stand_on_their_squares() -> None:
    picture = words_board("words", {0: ["a1"], 63: ["h8", "x"]}, {0: "settled"}, {63: "#h8"})
    (link,) = picture.iter("a")
    assert [text.text for text in link.iter("text")] == ["h8", "x"]
    assert {text.get("x") for text in link.iter("text")} == {"8.5"}


def test_a_chart_falls() -> None:
    drawn = CHARTS.falling("", [(0, 100), (10, 90), (100, 50)]).iter("path")
    path = next(p for p in drawn if "H" in p.get("d", "") and p.get("class") == "line")
    heights = [float(v) for v in re.findall(r"V([\d.]+)", path.get("d", ""))]
    assert heights == sorted(heights)
    assert len(heights) == 2


POINTS = st.lists(
    st.builds(
        CHARTS.Point, st.text("abc ", min_size=1, max_size=30), st.integers(1, 1 << 22).map(float),
        st.floats(0.1, 100), st.booleans(),
    ),
    min_size=1, max_size=12, unique_by=lambda point: point.label,
)  # fmt: skip


@given(POINTS)
def test_a_plane_has_every_point_where_its_figures_say(points: list[Any]) -> None:
    picture = CHARTS.plane("title", points, "bytes", "ns")
    dots = {str(dot[0].text).partition(":")[0]: dot for dot in picture.iter("circle")}
    assert set(dots) == {point.label for point in points}
    places = {p: (float(dots[p.label].get("cx", "")), float(dots[p.label].get("cy", "")))
              for p in points}  # fmt: skip
    for one in points:
        assert (dots[one.label].get("class") == "on") == one.marked
        for other in points:
            if one.x < other.x:
                assert places[one][0] <= places[other][0]
            if one.y < other.y:  # less is further down
                assert places[one][1] >= places[other][1]
    assert all(0 < x < CHARTS.PLANE[0] and 0 < y < CHARTS.PLANE[1] for x, y in places.values())
    shown = [text.text for text in picture.iter("text")]
    assert all(shown.count(point.label) == 1 for point in points)


def test_the_labels_of_a_plane_cover_nothing() -> None:
    figures = [("one of two", 1000, 2.0), ("two of two", 1000, 2.05), ("far away", 9000, 9.0)]
    points = [CHARTS.Point(*each, each[0] == "far away") for each in figures]
    picture = CHARTS.plane("", points, "bytes", "ns")
    labels = {point.label for point in points}
    at = {str(t.text): (float(t.get("x", "")), float(t.get("y", "")))
          for t in picture.iter("text") if t.text in labels}  # fmt: skip
    assert abs(at["one of two"][1] - at["two of two"][1]) >= 13
    assert at["one of two"][1] > at["two of two"][1]  # beside their own points
