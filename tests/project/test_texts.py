"""What texts say of the data follows from them: nobody types a figure or a "first" by hand."""

import re
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from magicert.atlas import US, Atlas, read_atlas
from magicert.board import Piece, parse_square
from magicert.data import atlas_path, tables_folder
from magicert.table.read import read_table

ROOT = Path(__file__).parents[2]
TEXTS = [
    ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "OPEN.md", ROOT / "site" / "index.md",
    *sorted((ROOT / "docs").glob("*.md")),
]  # fmt: skip


@cache
def white() -> Atlas:
    return read_atlas(atlas_path())


CLAIM = re.compile(r"open before|was open|open in the literature|open until", re.IGNORECASE)
CELL = re.compile(r"(rook|bishop) ([a-h][1-8]),? (?:with |of )?(\d+)(?: bits)?")


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "texts.py"))


def test_every_text_is_what_the_data_say(tool: dict[str, Any]) -> None:
    assert tool["stale"]() == [], "run python tools/texts.py"


def test_a_part_that_was_changed_by_hand_is_noticed(
    tool: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "claims.tsv").write_text(tool["claims_file"]())
    (tmp_path / "README.md").write_text("")
    page = tmp_path / "docs" / "finders.md"
    page.write_text((ROOT / "docs" / "finders.md").read_text().replace(" slots instead", " of"))
    (tmp_path / "OPEN.md").write_text(tool["open_cells"]())
    monkeypatch.setitem(tool["stale"].__globals__, "ROOT", tmp_path)
    assert tool["stale"]() == ["docs/finders.md"]


def claims(text: str) -> list[str]:
    """Lines that say that something was open before, of cells that others have an earlier date of.

    A line that names no cell is one: what it says cannot be compared.
    """
    wrong = []
    for line in filter(CLAIM.search, text.splitlines()):
        cells = [
            white().entries.get((Piece(piece), parse_square(square), -int(bits)))
            for piece, square, bits in CELL.findall(line)
        ]
        if not cells or any(cell is None or cell.finder != US for cell in cells):
            wrong.append(line)
    return wrong


def test_nothing_is_called_open_before_that_others_published() -> None:
    assert [line for path in TEXTS for line in claims(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("| rook b2, 9 bits | no magic; open before |", False),
        ("| rook c2, 9 bits | 32 magics; open before |", True),
        ("| rook b2, 9 bits, and rook d1, 10 bits: open in the literature |", True),
        ("IMPOSSIBLE: open in the literature", True),
    ],
)
def test_what_the_comparison_refuses(line: str, wrong: bool) -> None:
    assert bool(claims(line)) == wrong


def test_every_cell_says_who_was_first_and_each_claim_of_ours_as_of_when() -> None:
    day = re.compile(r"(by )?\d{4}(-\d\d-\d\d)?")
    for scheme in ("white", "black"):
        atlas = read_atlas(atlas_path(scheme))
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", atlas.as_of)
        assert atlas.looked_through
        for entry in atlas:
            if entry.state != "open" or entry.finder:
                assert entry.finder, str(entry)
                assert entry.source, str(entry)
                assert day.fullmatch(entry.published), str(entry)


@pytest.fixture(scope="module")
def census() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "census.py"))


def test_the_page_is_made_from_the_data(census: dict[str, Any]) -> None:
    assert census["PAGE"].read_text() == census["page"](census["rows"]())


def test_each_row_says_where_its_file_is(census: dict[str, Any]) -> None:
    rows = census["rows"]()
    assert len({(row["repository"], row["path"]) for row in rows}) == len(rows)
    for row in rows:
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"])
        assert (row["found"] == census["CERTIFIES"]) == bool(row["formula"])


def test_what_does_not_certify_is_among_the_tables(census: dict[str, Any]) -> None:
    """Each such file is a table in tables/broken, so that anybody can verify what is said of it."""
    broken = [read_table(path).table for path in (tables_folder() / "broken").glob("*.toml")]
    known = {(one.provenance.repository, one.provenance.commit) for one in broken}
    said = [row for row in census["rows"]() if row["found"] == census["NOT"]]
    assert said
    assert {(f"github:{row['repository']}", row["commit"]) for row in said} <= known
