"""Half boards: the mirrored lookups are made, not assumed."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from magicert.board import Piece, attack_set, mask, parse_square, square_name
from magicert.compact.emit import binary, make_unit
from magicert.formula import parse
from magicert.formula.tree import evaluate
from magicert.occupancy import carry_rippler
from magicert.table import PieceTable, Table, parse_table, read_table
from magicert.table.write import table_toml, write_table
from magicert.verify.table.report import Report, to_json
from magicert.verify.table.verifier import verify


def report_on(table: Table, folder: Path = Path()) -> Report:
    return verify(parse_table(table_toml(table).encode(), folder / "t.toml"))


def with_piece(table: Table, piece: Piece, **fields: Any) -> Table:
    half = table.pieces[piece]
    parameters = {**half.parameters, **fields.pop("parameters", {})}
    changed = replace(half, parameters=parameters, **fields)
    return replace(table, pieces={**table.pieces, piece: changed})


def swapped(board: int) -> int:
    return int.from_bytes(board.to_bytes(8, "big"), "little")


def slow_slots(half: PieceTable, squares: Iterable[int] = range(64)) -> dict[int, int]:
    """What each slot must hold, by integers and ray walks; AssertionError at a conflict."""
    slots: dict[int, int] = {}
    assert half.offset is not None
    for square in squares:
        row = square if square < 32 else square ^ 56
        values = {name: v[0] if len(v) == 1 else v[row] for name, v in half.parameters.items()}
        values.setdefault("mask", mask(half.piece, row))
        for occupancy in carry_rippler(mask(half.piece, square)):
            seen, attacks = occupancy, attack_set(half.piece, square, occupancy)
            if square >= 32:
                seen, attacks = swapped(seen), swapped(attacks)
            index = evaluate(half.index.tree, {**values, "occ": seen}, half.index.text)
            assert slots.setdefault(half.offset[row] + index, attacks) == attacks
    return slots


def test_all_lookups_of_both_halves_are_made(half_board: Table) -> None:
    report = report_on(half_board)
    assert report.verdict == "valid"
    assert report.lookups == 107_648
    assert len(report.squares) == 128
    slots: dict[int, int] = {}
    for half in half_board.pieces.values():
        slots |= slow_slots(half)
    (buffer,) = report.buffers
    assert buffer.slots_used == len(slots)
    assert buffer.length == max(slots) + 1
    by_name = {(one.piece, one.square): one for one in report.squares}
    for (piece, name), one in by_name.items():
        square = parse_square(name)
        mirror = by_name[piece, square_name(square ^ 56)]
        assert (one.offset, one.slots_used) == (mirror.offset, mirror.slots_used)
        assert one.lookups == 1 << mask(Piece(piece), square).bit_count()
    assert sum(one.slots_used for one in report.squares) == 2 * len(slots)


def test_the_certificate_says_that_it_is_a_half_board(half_board: Table) -> None:
    certificate = json.loads(to_json(report_on(half_board)))
    assert certificate["board"] == "ranks 1-4"
    assert "half board" in certificate["statement"]


def test_squares_in_a_row_take_half_the_room(half_board: Table) -> None:
    report = report_on(
        replace(
            half_board,
            shared=False,
            buffer_size=None,
            pieces={piece: replace(half, offset=None) for piece, half in half_board.pieces.items()},
        )
    )
    assert report.verdict == "valid"
    assert report.buffers[0].length <= 32 << 12
    assert report.buffers[1].length <= 32 << 9


@pytest.mark.parametrize("name", ["b2", "d4"])
def test_a_corrupted_magic_breaks_the_square_and_its_mirror(half_board: Table, name: str) -> None:
    square = parse_square(name)
    magics = list(half_board.pieces[Piece.ROOK].parameters["magic"])
    magics[square] ^= 1 << 30
    report = report_on(with_piece(half_board, Piece.ROOK, parameters={"magic": tuple(magics)}))
    assert report.verdict == "invalid"
    found = {one for finding in report.findings for one in finding.squares}
    assert {f"rook {name}", f"rook {square_name(square ^ 56)}"} <= found
    for finding in report.findings:
        for lookup in finding.lookups:
            true = attack_set(
                Piece(lookup.piece), parse_square(lookup.square), int(lookup.occupancy, 16)
            )
            assert int(lookup.attacks, 16) == true


def test_a_square_outside_the_mask_counts_mirrored_for_the_mirror(half_board: Table) -> None:
    """Where h1 changes the index on e2, h8 changes it on e7, and both are tried."""
    h1 = 1 << 7
    table = with_piece(
        half_board,
        Piece.BISHOP,
        index=parse("(((occ | ~mask) * magic) >> (64 - bits)) + ((occ & edge) >> 7)"),
        parameters={"edge": tuple(h1 if square == 12 else 0 for square in range(32))},
    )
    report = report_on(table)
    assert report.lookups == 107_648 + 32 + 32
    found = {one: finding for finding in report.findings for one in finding.squares}
    blockers = {
        name: {one for lookup in found[name].lookups for one in lookup.blockers}
        for name in ("bishop e2", "bishop e7")
    }
    assert "h1" in blockers["bishop e2"]
    assert "h8" in blockers["bishop e7"]


@pytest.fixture
def finished(half_board: Table, tmp_path: Path) -> Path:
    path = tmp_path / "half.toml"
    write_table(half_board, path)
    (tmp_path / "half.bin").write_bytes(binary(make_unit(read_table(path), "")))
    write_table(replace(half_board, literal="half.bin"), path)
    return path


def test_a_finished_buffer_is_read_by_both_halves(finished: Path) -> None:
    report = verify(read_table(finished))
    assert report.verdict == "valid"
    assert "finished buffer" in report.statement
    assert "half board" in report.statement


def test_a_corrupted_entry_is_wrong_for_the_square_and_its_mirror(finished: Path) -> None:
    sidecar = finished.with_name("half.bin")
    words = np.fromfile(sidecar, dtype="<u8")
    table = read_table(finished).table
    half = table.pieces[Piece.ROOK]
    slot = min(slow_slots(half, [27, 27 ^ 56]))
    words[slot] ^= 1 << 60
    words.tofile(sidecar)
    report = verify(read_table(finished))
    assert report.verdict == "invalid"
    assert {finding.kind for finding in report.findings} == {"literal"}
    assert len(report.findings) == 2
    below, above = (parse_square(finding.squares[0][-2:]) for finding in report.findings)
    assert below == above ^ 56
    for finding in report.findings:
        # What the buffer yields is shown as the lookup has it: true but for one square.
        yielded = int(finding.message.split("yields ")[1].split()[0], 16)
        assert (yielded ^ int(finding.lookups[0].attacks, 16)).bit_count() == 1
