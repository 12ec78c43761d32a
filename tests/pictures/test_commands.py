"""`show --svg`, `show --layouts`, `atlas --html` and the picture that `pack` leaves."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from click.testing import Result

from magicert.atlas import read_atlas
from magicert.board import Piece, square_name
from magicert.data import find_table, tables_folder
from magicert.show.buffers import write_map
from magicert.table import read_table
from magicert.table.write import write_table

Run = Callable[..., Result]
SVG = "{http://www.w3.org/2000/svg}"


def test_show_writes_a_board(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rook.svg"
    result = run("show", "rook", "e4", "--occupancy", "e6,c4", "--svg", path)
    assert result.exit_code == 0
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{SVG}svg"
    assert [text.text for text in root.iter(f"{SVG}text")][-1] == "R"
    assert sum(c.get("class") == "blocker" for c in root.iter(f"{SVG}circle")) == 2


def test_layouts_of_squares(run: Run) -> None:
    lines = run("show", "--layouts", "e4").stdout.splitlines()
    bits = {line.split()[0]: line.split()[1:] for line in lines[1:]}
    assert bits["a1"] == ["0x0000000010000000", "28"]
    assert bits["h1"] == ["0x0000000008000000", "27"]
    assert bits["a8"] == ["0x0000001000000000", "36"]
    assert bits["a1-files"] == [f"{1 << 35:#018x}", "35"]
    assert len(bits) == 8


def test_squares_may_stand_apart(run: Run) -> None:
    assert run("show", "--layouts", "e4", "d5").stdout == run("show", "--layouts", "e4,d5").stdout
    assert "28 35" in run("show", "--layouts", "e4", "d5").stdout
    both = run("show", "rook", "a1", "--layouts", "e4", "d5", "--occupancy", "a3")
    assert "rook a1, occupancy 0x0000000000010000" in both.stdout


def test_layouts_of_a_number(run: Run) -> None:
    text = run("show", "--layouts", "0x3").stdout
    assert "a1: bit 0 is a1" in text
    assert re.search(r"^1 \+ \+ \. .*   1 \. \. \. \. \. \. \+ \+", text, re.MULTILINE)


def test_the_atlas_page_has_every_square_and_magic(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "atlas.html"
    assert run("atlas", "--html", path).exit_code == 0
    text = path.read_text("utf-8")
    atlas = read_atlas(tables_folder() / "atlas.toml")
    identifiers = set(re.findall(r'<article id="(.+?)"', text))
    names = {f"{piece}-{square_name(square)}" for piece in Piece for square in range(64)}
    assert identifiers == names
    assert set(re.findall(r'href="#(.+?)"', text)) == names
    for entry in atlas:
        part = text[text.index(f'id="{entry.piece}-{entry.square}"') :]
        part = part[: part.index("</article>")]
        assert f"{entry.bits} bits: {entry.state}" in part
        assert entry.magic in part
        assert entry.certificate in part
    settled = sum(
        (best := atlas.best(piece, square)) is not None
        and (bound := atlas.bound(piece, square)) is not None
        and bound.bits == best.bits - 1
        for piece in Piece
        for square in range(64)
    )
    assert text.count('class="settled"') == settled


def test_an_atlas_that_is_settled_is_not_drawn_on_the_way(run: Run) -> None:
    assert run("atlas", "--settle", "--html", "x.html").exit_code == 2


def test_pack_leaves_a_picture(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "out.toml"
    result = run("pack", "--from", "cfish_black", "--rounds", "0", "-o", output)
    assert result.exit_code == 0
    root = ElementTree.parse(tmp_path / "out.svg").getroot()
    title = root.find(f"{SVG}title")
    assert title is not None
    bands = [band.find(f"{SVG}title") for band in root.iter(f"{SVG}path")]
    assert sum(band is not None for band in bands) == 128
    assert "out.svg: a map of the buffer" in result.stdout


def test_separate_buffers_are_drawn_one_below_the_other(tmp_path: Path) -> None:
    path = tmp_path / "bbc.toml"
    path.write_bytes(find_table("bbc").read_bytes())
    output = write_map(path)
    assert output == tmp_path / "bbc.svg"
    root = ElementTree.parse(output).getroot()
    parts = list(root.iter(f"{SVG}g"))
    assert [part.get("transform") for part in parts] == ["translate(0 0)", "translate(0 335)"]
    assert root.get("viewBox") == "0 0 332 399"


def test_a_buffer_too_long_to_draw_has_no_picture(tmp_path: Path) -> None:
    table = read_table(find_table("bbc")).table
    pieces = {piece: replace(half, square_size=(1 << 16,)) for piece, half in table.pieces.items()}
    path = tmp_path / "long.toml"
    write_table(replace(table, pieces=pieces), path)
    assert write_map(path) is None
