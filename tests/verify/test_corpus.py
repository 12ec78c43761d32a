"""Every table of the corpus gives exactly what an independent check says of it."""

from pathlib import Path
from typing import Any

import pytest

from magicert.board import square_name
from magicert.data import tables_folder
from magicert.table import read_table
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify

FILES = sorted(
    p for folder in ("published", "broken") for p in (tables_folder() / folder).glob("*")
)


def summary(report: Report) -> dict[str, Any]:
    return {
        ("all" if buffer.name == "shared" else buffer.name): {
            "slots_used": buffer.slots_used,
            "max_slot_plus1": buffer.length,
            "min_slot": buffer.min_slot,
            "holes": buffer.holes,
        }
        for buffer in report.buffers
    }


def test_the_corpus_is_complete(expected: dict[str, Any]) -> None:
    assert {path.stem for path in FILES} == set(expected)
    assert len(FILES) == 45


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_corpus(path: Path, expected: dict[str, Any]) -> None:
    report = verify(read_table(path))
    wanted = expected[path.stem]
    assert (report.verdict == "valid") == wanted["valid"]
    assert (path.parent.name == "published") == wanted["valid"]
    assert summary(report) == wanted["tables"]
    found = {square for finding in report.findings for square in finding.squares}
    assert found == {f"{piece} {square_name(square)}" for piece, square in wanted["bad_squares"]}
    assert report.lookups == 107_648
    assert sum(square.lookups for square in report.squares) == report.lookups
    for square in report.squares:
        assert square.constructive_collisions == square.lookups - square.slots_used
        assert 0 <= square.index_min <= square.index_max
        assert square.holes == square.index_max - square.index_min + 1 - square.slots_used


def test_what_is_worth_knowing_is_noted() -> None:
    notes = verify(read_table(tables_folder() / "published" / "arasan64.toml")).notes
    assert notes == [
        "buffer rook: 102,400 slots declared, 96,256 needed: the last 6,144 are never used",
        "rook: fewer bits than the mask has on a8 b8 c8 h8",
    ]
