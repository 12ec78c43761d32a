"""Layered tables: every bit of every entry, against a dictionary and ray walks."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import Board, Piece, attack_set, mask, square_name
from magicert.compact.emit import binary, make_unit, printer
from magicert.data import find_table
from magicert.formula import parse
from magicert.formula.tree import evaluate
from magicert.occupancy import carry_rippler
from magicert.problem import InputError
from magicert.table import PieceTable, Table, parse_table, read_table
from magicert.table.model import value_at
from magicert.table.write import table_toml
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify

ALL = (1 << 64) - 1
Wants = Callable[[int, int], tuple[int, int]]

RESULTS: dict[str, Wants] = {
    "word & line": lambda attacks, line: (attacks, line & ~attacks),
    "line & ~word": lambda attacks, line: (line & ~attacks, attacks),
    "word ^ line": lambda attacks, line: (line ^ attacks, ~(line ^ attacks) & ALL),
    "bswap64(word) & line": lambda a, line: (swapped(a), swapped(line & ~a)),
    "rol64(word, 3) & line": lambda a, line: (turned(a), turned(line & ~a)),
}
"""Formulas, and which ones and zeros they want of the word: said again, not computed."""


def swapped(board: int) -> int:
    return int.from_bytes(board.to_bytes(8, "big"), "little")


def turned(board: int) -> int:
    return (board >> 3 | board << 61) & ALL


def report_on(table: Table, folder: Path = Path()) -> Report:
    return verify(parse_table(table_toml(table).encode(), folder / "t.toml"))


@cache
def lookups(piece: Piece) -> list[tuple[int, int, int, int]]:
    """Square, occupancy, attack set and line."""
    return [
        (square, occupancy, attack_set(piece, square, occupancy), attack_set(piece, square, 0))
        for square in range(64)
        for occupancy in carry_rippler(mask(piece, square))
    ]


def slow(table: Table, wants: Wants) -> tuple[set[str], dict[int, set[str]], dict[int, int]]:
    """The squares with a clash, who uses each slot, and the ones in it, by one dictionary."""
    asked: dict[int, set[tuple[str, int, int]]] = {}
    users: dict[int, set[str]] = {}
    bad = set()
    for piece, half in table.pieces.items():
        values = [_values(half, square) for square in range(64)]
        for square, occupancy, attacks, line in lookups(piece):
            index = evaluate(half.index.tree, {**values[square], "occ": occupancy})
            slot = value_at(half.offset or (0,), square) + index
            name = f"{piece} {square_name(square)}"
            users.setdefault(slot, set()).add(name)
            if slot < 0 or slot >= (table.buffer_size or 1 << 40):
                bad.add(name)
                continue
            asked.setdefault(slot, set()).add((name, *wants(attacks, line)))
    for wishes in asked.values():
        bad |= {
            name
            for name, ones, zeros in wishes
            if any(ones & other[2] or zeros & other[1] for other in wishes)
        }
    ones_in = {slot: reduce(or_, (one[1] for one in wishes)) for slot, wishes in asked.items()}
    return bad, users, ones_in


def _values(half: PieceTable, square: int) -> dict[str, int]:
    values = {name: value_at(words, square) for name, words in half.parameters.items()}
    return {**values, "mask": mask(half.piece, square)}


@pytest.fixture(scope="module")
def layered() -> Table:
    return read_table(find_table("layered_48036")).table


@pytest.fixture(scope="module")
def bishops(layered: Table) -> Table:
    """The record's bishops alone, moved to the front of a buffer."""
    half = layered.pieces[Piece.BISHOP]
    assert half.offset is not None
    offset = tuple(value % 1500 for value in half.offset)
    assert report_on(layered).verdict == "valid"
    return replace(
        layered,
        pieces={Piece.BISHOP: replace(half, offset=offset)},
        buffer_size=None,
    )


def with_half(table: Table, piece: Piece, **fields: Any) -> Table:
    pieces = {**table.pieces, piece: replace(table.pieces[piece], **fields)}
    return replace(table, pieces=pieces)


def apart(table: Table) -> Table:
    """The bishops, each in entries of its own."""
    return with_half(table, Piece.BISHOP, offset=tuple(512 * n for n in range(64)))


def test_the_first_record_by_the_slow_reference(layered: Table):
    file = parse_table(table_toml(layered).encode(), Path("t.toml"))
    report = verify(file)
    bad, users, ones = slow(layered, RESULTS["word & line"])
    assert (report.verdict, bad) == ("valid", set())
    assert report.formulas["rook.result"] == "word & line"
    assert "no bit of a slot's word must be both one and zero" in report.statement
    (buffer,) = report.buffers
    assert (buffer.length, buffer.slots_used, len(users)) == (48_036, 45_232, 45_232)
    counts = [sum(len(names) == n for names in users.values()) for n in range(1, 6)]
    assert counts == [16_800, 26_993, 1_296, 140, 3]
    shown = ", ".join(f"{n}: {count:,}" for n, count in enumerate(counts, start=1))
    assert any(shown in note for note in report.notes)
    finished = np.frombuffer(binary(make_unit(file, "test")), dtype="<u8").tolist()
    assert finished == [ones.get(slot, 0) for slot in range(48_036)]
    owners = [name for names in users.values() for name in names]
    for square in report.squares:
        assert square.slots_used == owners.count(f"{square.piece} {square.square}")


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_verdicts_agree_with_the_slow_reference(bishops: Table, data: st.DataObject):
    result = data.draw(st.sampled_from([*RESULTS]))
    table = with_half(apart(bishops), Piece.BISHOP, result=parse(result))
    half = table.pieces[Piece.BISHOP]
    assert half.offset is not None
    offset, magic = list(half.offset), list(half.parameters["magic"])
    # Bishops of different colours agree always, and some others do.
    for _ in range(data.draw(st.integers(0, 3))):
        one, other = data.draw(st.tuples(st.integers(0, 63), st.integers(0, 63)))
        offset[one] = offset[other] + data.draw(st.sampled_from([0, 0, 1, 64, 500]))
    if data.draw(st.integers(0, 3)) == 0:
        magic[data.draw(st.integers(0, 63))] ^= 1 << data.draw(st.integers(0, 63))
    parameters = {**half.parameters, "magic": tuple(magic)}
    table = with_half(table, Piece.BISHOP, offset=tuple(offset), parameters=parameters)
    report = report_on(table)
    bad, users, _ = slow(table, RESULTS[result])
    assert (report.verdict == "valid") == (not bad)
    assert {name for finding in report.findings for name in finding.squares} == bad
    assert report.buffers[0].slots_used == len(users)


def test_a_clash_shows_both_squares_and_the_bits(bishops: Table):
    # c1 and e3 stand on one diagonal: both attack d2, and behind that they differ.
    half = apart(bishops).pieces[Piece.BISHOP]
    assert half.offset is not None
    offset = (*half.offset[:20], half.offset[2], *half.offset[21:])
    report = report_on(with_half(apart(bishops), Piece.BISHOP, offset=offset))
    (finding,) = report.findings
    assert finding.kind == "conflict"
    assert finding.squares == ["bishop c1", "bishop e3"]
    first, second = finding.lookups
    assert first.slot == second.slot
    assert "ask for different bits" in finding.message
    named = finding.message.split("of it: ")[1].split(" (")[0].split()
    assert named
    for square in named:
        assert (square in first.attacked) != (square in second.attacked)


def test_the_line_of_a_hopper_leaves_out_the_square_beside_it():
    """A cannon on a1 never attacks b1, and may share an entry with a piece that does."""
    names = {"cannon": (parse_piece("pR"), "occ & 31"), "stepper": (parse_piece("rW"), "occ & 0")}
    pieces = {
        name: PieceTable(
            name, movement, parse(index), {}, offset=tuple(range(0, 160, 32)),
            result=parse("word & line"),
        )
        for name, (movement, index) in names.items()
    }  # fmt: skip
    table = Table("five", pieces, shared=True, board=Board(5, 1))
    assert report_on(table).verdict == "valid"


def test_one_square_that_clashes_with_itself(bishops: Table):
    half = apart(bishops).pieces[Piece.BISHOP]
    magics = half.parameters["magic"]
    parameters = {**half.parameters, "magic": (0, *magics[1:])}
    report = report_on(with_half(apart(bishops), Piece.BISHOP, parameters=parameters))
    (finding,) = report.findings
    assert (finding.kind, finding.squares) == ("conflict", ["bishop a1"])


def test_a_slot_outside_the_buffer(layered: Table):
    report = report_on(replace(layered, buffer_size=48_035))
    assert {finding.kind for finding in report.findings} == {"outside"}


def test_without_the_formula_shared_entries_are_conflicts(layered: Table):
    pieces = {piece: replace(half, result=None) for piece, half in layered.pieces.items()}
    report = report_on(replace(layered, pieces=pieces))
    assert {finding.kind for finding in report.findings} == {"conflict"}


def test_a_formula_that_loses_bits_serves_nobody(bishops: Table):
    # The ends of the rays are not in the mask, and bishops attack them.
    result = parse("word & line & mask")
    report = report_on(with_half(apart(bishops), Piece.BISHOP, result=result))
    assert {finding.kind for finding in report.findings} == {"result"}
    assert "no word at slot" in report.findings[0].message


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("(word & line) ^ (occ & 1)", {"conflict", "result"}),
        ("(word & line) | (occ & 1 & ~line)", {"result"}),
        ("(word & line) ^ (occ & 1 & line)", {"conflict"}),
    ],
)
def test_an_occupancy_outside_the_mask_that_changes_the_result_is_found(
    bishops: Table, text: str, kinds: set[str]
):
    report = report_on(with_half(apart(bishops), Piece.BISHOP, result=parse(text)))
    assert report.verdict == "invalid"
    assert {finding.kind for finding in report.findings} == kinds
    for finding in report.findings:
        assert any("a1" in lookup.blockers for lookup in finding.lookups)


def test_what_nobody_can_read_off_wants_a_finished_buffer(bishops: Table, tmp_path: Path):
    table = apart(bishops)
    unit = make_unit(parse_table(table_toml(table).encode(), tmp_path / "t.toml"), "test")
    odd = with_half(table, Piece.BISHOP, result=parse("(word + 1 - 1) & line"))
    with pytest.raises(InputError, match="one bit of word"):
        report_on(odd)
    (tmp_path / "b.bin").write_bytes(binary(unit))
    with_buffer = replace(odd, buffer_size=unit.entries, literal="b.bin")
    assert report_on(with_buffer, tmp_path).verdict == "valid"


@pytest.mark.parametrize(("asked_for", "verdict"), [(True, "invalid"), (False, "valid")])
def test_a_finished_buffer_may_differ_only_where_nobody_asks(
    bishops: Table, tmp_path: Path, asked_for: bool, verdict: str
):
    table = apart(bishops)
    unit = make_unit(parse_table(table_toml(table).encode(), tmp_path / "t.toml"), "test")
    words = np.frombuffer(binary(unit), dtype="<u8").copy()
    slot = int(np.flatnonzero(words)[0])  # one of the bishop on a1
    words[slot] ^= np.uint64(1 << 9 if asked_for else 1 << 8)
    (tmp_path / "b.bin").write_bytes(words.tobytes())
    literal = replace(table, buffer_size=unit.entries, literal="b.bin")
    report = report_on(literal, tmp_path)
    assert report.verdict == verdict
    assert [finding.kind for finding in report.findings] == ["literal"] * asked_for


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("word & line", "word & lin", "unknown name 'lin'"),
        ("word & line", "occ & line", "does not use word"),
        ("word & line", "word &", "the end of the formula"),
        ("(occ | ~mask)", "(occ | ~mask | word)", "word"),
    ],
)
def test_formulas_that_are_refused(bishops: Table, old: str, new: str, message: str):
    toml = table_toml(bishops).replace(old, new)
    with pytest.raises(InputError, match=message):
        parse_table(toml.encode(), Path("t.toml"))


def test_half_boards_have_layers_too(half_board: Table):
    plain = report_on(half_board)
    pieces = {
        p: replace(half, result=parse("word & line")) for p, half in half_board.pieces.items()
    }
    file = parse_table(table_toml(replace(half_board, pieces=pieces)).encode(), Path("h.toml"))
    report = verify(file)
    assert report.verdict == "valid"
    for language in ("c", "python", "javascript-32"):
        assert "& " in printer(language).emit(make_unit(file, "test"), literal=False)
    assert report.buffers[0].slots_used == plain.buffers[0].slots_used
    broken = {p: replace(half, result=parse("word & line & mask")) for p, half in pieces.items()}
    assert report_on(replace(half_board, pieces=broken)).verdict == "invalid"
