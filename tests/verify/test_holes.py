"""Boards with holes: what stands at a hole is never read, in table files, verdicts, emitted columns
and lemmas. Attack sets, and random tables with holes, are in test_attacks and test_reference.
"""

import json
from pathlib import Path

import pytest

from magicert.betza import parse_piece
from magicert.board import hexagon
from magicert.compact.emit import prepare_table
from magicert.movement import usual_mask
from magicert.table import parse_table
from magicert.table.files import TableFile
from magicert.table.write import table_toml
from magicert.verify.table.verifier import verify
from magicert.z3models.lemmas import rows_of

BOARD = hexagon(5)
JUNK = (1 << 64) - 1


def table_file(cuts: dict[int, int], at_holes: int) -> TableFile:
    """A rook of hexagonal chess. A cut above 0 loses a bit of the index, and one of 64 is an error
    wherever it is read.
    """
    rook, squares = parse_piece("hex-rook"), range(BOARD.squares)
    masks = [usual_mask(BOARD, rook, square) for square in squares]
    given = [mask if BOARD.has(s) else at_holes & 0x1FFFFFF for s, mask in enumerate(masks)]
    cut = [cuts.get(square, 0) if BOARD.has(square) else at_holes for square in squares]
    text = 'magicert = 1\nname = "t"\nboard = "hexagon5"\n[hex-rook]\n'
    text += f'index = "pext(occ, mask) >> cut"\ncut = {json.dumps(list(map(hex, cut)))}\n'
    text += f"mask = {json.dumps(list(map(hex, given)))}\n"
    return parse_table(text.encode(), Path("t.toml"))


@pytest.mark.parametrize("at_holes", [0, JUNK])
def test_what_stands_at_a_hole_is_never_read(at_holes):
    file = table_file({}, at_holes)
    report = verify(file)
    assert (report.verdict, len(report.squares), report.notes[1:]) == ("valid", 19, [])
    assert "all 2^19 occupancies" in report.statement
    assert report.buffers[0].length == report.lookups == sum(s.lookups for s in report.squares)
    assert len(list(rows_of(file.table, file.table.pieces["hex-rook"]))) == 19
    emitted = prepare_table(file, "test")
    # A lookup from a hole stays in the buffer: it is that of the first square.
    holes = [square for square in range(BOARD.squares) if not BOARD.has(square)]
    for column in emitted.pieces[0].columns:
        assert {column.values[hole] for hole in holes} == {column.values[0]}
    assert emitted.frame.holes == tuple(holes)
    assert parse_table(table_toml(file.table).encode(), Path("t.toml")).table == file.table


def test_a_conflict_is_found_beside_the_holes():
    c3 = BOARD.parse("c3")
    report = verify(table_file({c3: 1}, JUNK))
    assert report.verdict == "invalid"
    assert {name for finding in report.findings for name in finding.squares} == {"hex-rook c3"}


def test_a_mask_may_have_bits_of_holes():
    """Nothing stands there, and the verdict says that they are in the mask."""
    file = table_file({}, 0)
    half = file.table.pieces["hex-rook"]
    text = table_toml(file.table)
    first = f"{half.parameters['mask'][0]:#018x}"
    holed = f"{half.parameters['mask'][0] | BOARD.holes & -BOARD.holes:#018x}"
    changed = text[: text.index("mask = [")] + text[text.index("mask = [") :].replace(
        first, holed, 1
    )
    report = verify(parse_table(changed.encode(), Path("t.toml")))
    assert report.squares[0].extra == [BOARD.name((BOARD.holes & -BOARD.holes).bit_length() - 1)]
