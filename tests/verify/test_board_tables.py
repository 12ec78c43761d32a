"""Tables of boards beyond chess: the shared ones with their figures, and spoilt ones refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from magicert.betza import parse_piece
from magicert.board import CHESS, Board, attacks_of, bitboard, squares_of, usual_mask
from magicert.data import board_tables, tables_folder
from magicert.formula import Formula, parse
from magicert.formula.arrays import ints, words
from magicert.formula.tree import evaluate
from magicert.occupancy import carry_rippler
from magicert.table import PieceTable, Table, parse_table, read_table
from magicert.table.model import TwoLevel, value_at
from magicert.table.write import table_toml
from magicert.verify.table import verifier
from magicert.verify.table.layout import lay_out
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Finding, Lookup, Report, to_json
from magicert.verify.table.verifier import verify

EXPECTED: dict[str, Any] = json.loads((tables_folder() / "boards/expected.json").read_text("utf-8"))


def report_on(table: Table) -> Report:
    return verify(parse_table(table_toml(table).encode(), Path("table.toml")))


def only(table: Table) -> PieceTable:
    (half,) = table.pieces.values()
    return half


def with_parameter(table: Table, name: str, values: tuple[int, ...]) -> Table:
    half = only(table)
    return with_half(table, parameters={**half.parameters, name: values})


def with_half(table: Table, **changes: Any) -> Table:
    half = replace(only(table), **changes)
    return replace(table, pieces={half.piece: half})


def test_all_shared_tables_are_here() -> None:
    assert list(board_tables()) == sorted(EXPECTED)
    assert len(EXPECTED) == 16


@pytest.mark.parametrize("name", EXPECTED)
def test_a_shared_table_is_certified_with_the_expected_figures(name: str) -> None:
    expected = EXPECTED[name]
    file = read_table(board_tables()[name])
    report = verify(file)
    (buffer,) = report.buffers
    assert (report.verdict, report.findings) == ("valid", [])
    assert report.lookups == expected["lookups"]
    assert buffer.length == expected.get("end", expected.get("slots"))
    assert buffer.slots_used == sum(square.slots_used for square in report.squares)
    assert buffer.slots_used == expected.get("slots_used", buffer.slots_used)
    piece = only(file.table).piece
    assert report.notes == [f"{piece}: {expected['attack_sets']:,} different attack sets"]
    assert f"2^{file.table.board.squares} occupancies" in report.statement
    assert report.board == str(file.table.board)


def mask_of(table: Table, row: int) -> int:
    """The mask of a row in the table's bits, square by square."""
    half = only(table)
    if "mask" in half.parameters:
        return half.parameters["mask"][row]
    squares = usual_mask(table.board, half.movement, table.row_square(row))
    return in_bits(table, squares)


def in_bits(table: Table, squares: int) -> int:
    bits = {table.bit_square(bit): bit for bit in range(table.board.squares)}
    return bitboard(bits[square] for square in squares_of(squares))


def slow_attacks(table: Table, square: int, occupancy: int) -> int:
    """The attack set in the table's bits, by the walk."""
    squares = bitboard(table.bit_square(bit) for bit in squares_of(occupancy))
    return in_bits(table, attacks_of(table.board, only(table).movement, square, squares))


def slow_index(table: Table, row: int, occupancy: int) -> int:
    half = only(table)
    values = {name: value_at(listed, row) for name, listed in half.parameters.items()}
    values |= {"mask": mask_of(table, row), "occ": occupancy}
    return evaluate(half.index.tree, values, half.index.text)


def breaks(table: Table, row: int) -> bool:
    """Whether a row's square conflicts with itself."""
    found: dict[int, int] = {}
    for occupancy in carry_rippler(mask_of(table, row)):
        attacks = slow_attacks(table, table.row_square(row), occupancy)
        if found.setdefault(slow_index(table, row, occupancy), attacks) != attacks:
            return True
    return False


def spoilt(table: Table) -> tuple[Table, int]:
    """The table with one magic changed so that its row breaks, and the row."""
    magics = only(table).parameters["magic"]
    # A square with few lookups, for the slow walk's sake, but not of the fewest.
    rows = sorted(range(len(magics)), key=lambda row: mask_of(table, row).bit_count())
    for row in rows[len(rows) // 4 :]:
        for wrong in (magics[row] >> 3, magics[row] >> 7, magics[row] >> 40):
            changed = (*magics[:row], wrong, *magics[row + 1 :])
            broken = with_parameter(table, "magic", changed)
            if breaks(broken, row):
                return broken, row
    raise AssertionError("nothing breaks it")


@pytest.mark.parametrize("name", EXPECTED)
def test_one_wrong_magic_is_refused_with_its_two_positions(name: str) -> None:
    table, row = spoilt(read_table(board_tables()[name]).table)
    report = report_on(table)
    square = f"{only(table).piece} {table.board.name(table.row_square(row))}"
    assert report.verdict == "invalid"
    own = [finding for finding in report.findings if finding.squares == [square]]
    assert own
    for finding in own:
        confirm(table, row, finding)


def confirm(table: Table, row: int, finding: Finding) -> None:
    """A conflict is two positions in one slot that attack different squares, as the walk has it."""
    first, second = finding.lookups
    assert first.slot == second.slot
    assert first.attacked != second.attacked
    for lookup in (first, second):
        confirm_lookup(table, row, lookup)


def confirm_lookup(table: Table, row: int, lookup: Lookup) -> None:
    occupancy = int(lookup.occupancy, 16)
    assert len(lookup.occupancy) == 2 + table.board.word // 4
    assert lookup.square == table.board.name(table.row_square(row))
    blockers = {table.board.parse(name) for name in lookup.blockers}
    assert {table.bit_square(bit) for bit in squares_of(occupancy)} == blockers
    assert lookup.index == slow_index(table, row, occupancy)
    attacks = slow_attacks(table, table.row_square(row), occupancy)
    assert int(lookup.attacks, 16) == attacks
    assert sorted(lookup.attacked) == sorted(
        table.board.name(table.bit_square(bit)) for bit in squares_of(attacks)
    )


@pytest.fixture
def horses() -> Table:
    """896 lookups on 9x10."""
    return read_table(board_tables()["pikafish_knight"]).table


def test_a_square_outside_every_mask_that_moves_an_index_breaks_the_table(horses: Table) -> None:
    """i10 is bit 89; no horse is barred from there."""
    half = only(horses)
    odd = formula(f"({half.index.text}) ^ (occ >> 89 & 1)")
    report = report_on(with_half(horses, index=odd))
    assert report.verdict == "invalid"
    blockers = [{"i10"} & set(lookup.blockers) for lookup in report.findings[0].lookups]
    assert {"i10"} in blockers


def formula(text: str) -> Formula:
    return parse(text, word=128)


def test_bits_that_are_no_squares_are_never_occupied(horses: Table) -> None:
    """A word has 128 bits, the board 90 squares: the others are 0."""
    half = only(horses)
    odd = formula(f"({half.index.text}) ^ (occ >> 90 & 1)")
    assert report_on(with_half(horses, index=odd)).verdict == "valid"
    assert report_on(with_half(horses, index=odd)).lookups == 896


def test_more_blockers_than_can_be_tried_leave_a_valid_table_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verifier, "PROBE_LOOKUPS", 1 << 12)
    report = verify(read_table(board_tables()["pikafish_rook"]), max_lookups=1 << 14)
    assert (report.verdict, report.exit_status, report.findings) == ("unknown", 3, [])
    assert 1 << 12 < report.lookups <= 1 << 14


def test_a_table_that_is_larger_than_a_probe_is_tried_once(
    monkeypatch: pytest.MonkeyPatch, horses: Table
) -> None:
    """896 lookups are few for its masks, whatever a probe of chess is."""
    monkeypatch.setattr(verifier, "PROBE_LOOKUPS", 1 << 8)
    done: list[int] = []
    file = parse_table(table_toml(with_parameter(horses, "magic", (0,))).encode(), Path("t.toml"))
    report = verify(file, progress=lambda now, _: done.append(now))
    assert (report.verdict, report.lookups, max(done)) == ("invalid", 896, 896)


def test_a_mask_that_lacks_what_matters(horses: Table) -> None:
    masks = tuple(mask_of(horses, row) for row in range(90))
    e5 = 40
    lost = (*masks[:e5], masks[e5] & (masks[e5] - 1), *masks[e5 + 1 :])
    report = report_on(with_parameter(horses, "mask", lost))
    assert report.verdict == "invalid"
    (square,) = (square for square in report.squares if square.missing)
    assert (square.square, square.missing, square.extra) == ("e5", ["e4"], [])
    assert [finding.squares for finding in report.findings] == [["horse e5"]]


def test_an_index_beyond_64_bits_is_outside_and_written_as_text(horses: Table) -> None:
    wide = with_half(horses, index=formula("(occ & mask) * magic"), offset=(0,) * 90)
    report = report_on(wide)
    assert report.verdict == "invalid"
    outside = [finding for finding in report.findings if finding.kind == "outside"]
    assert outside
    assert all(isinstance(lookup.index, str) for one in outside for lookup in one.lookups)
    assert json.loads(to_json(report))["findings"]


@pytest.mark.parametrize("bit", [3, 88])
def test_a_finished_buffer_of_128_bit_words(horses: Table, bit: int, tmp_path: Path) -> None:
    (buffer,) = lay_out(read_table(board_tables()["pikafish_knight"]))
    entries = words([0] * 896, 128)
    last = 0
    for block in Lookups(buffer, 1 << 20):
        entries[block.slots] = block.attacks
        last = int(block.slots[-1, -1])
    literal = with_half(horses, literal="attacks.bin", buffer_size=896)
    (tmp_path / "table.toml").write_text(table_toml(literal))
    (tmp_path / "attacks.bin").write_bytes(entries.tobytes())
    report = verify(read_table(tmp_path / "table.toml"))
    assert report.verdict == "valid"
    assert "the finished buffer yields the true attack set" in report.statement
    entries[last] = words(ints(entries[last]) ^ 1 << bit, 128)
    (tmp_path / "attacks.bin").write_bytes(entries.tobytes())
    report = verify(read_table(tmp_path / "table.toml"))
    assert [finding.kind for finding in report.findings] == ["literal"]
    (lookup,) = report.findings[0].lookups
    assert f"{int(lookup.attacks, 16) ^ 1 << bit:#034x}" in report.findings[0].message


@pytest.mark.parametrize(("declared", "verdict"), [(896, "valid"), (895, "invalid")])
def test_two_levels_of_a_board(horses: Table, declared: int, verdict: str) -> None:
    table = replace(with_half(horses, attack_sets=declared), two_level=TwoLevel(8))
    assert report_on(table).verdict == verdict


def test_slots_that_two_squares_share_are_used_by_both(horses: Table) -> None:
    """The same piece twice, in the same slots: half of them by the one that came first."""
    half = replace(only(horses), offset=tuple(start_of(horses)))
    pieces = {name: replace(half, piece=name) for name in ("horse", "other-horse")}
    report = report_on(replace(horses, pieces=pieces, shared=True))
    assert (report.verdict, report.buffers[0].slots_used) == ("valid", 896)
    alone = [square.slots_used for square in report_on(horses).squares]
    assert [square.slots_used for square in report.squares] == alone * 2


def test_squares_of_one_slot_share_it() -> None:
    """A wazir is never blocked: one slot a square, of both pieces."""
    wazir = PieceTable("a", parse_piece("W"), parse("occ & 0"), {}, offset=tuple(range(16)))
    pieces = {"a": wazir, "b": replace(wazir, piece="b")}
    report = report_on(Table("t", pieces, shared=True, board=Board(4, 4)))
    assert (report.verdict, report.buffers[0].slots_used) == ("valid", 16)
    assert {square.slots_used for square in report.squares} == {1}


def start_of(table: Table) -> list[int]:
    """Where each square begins, if they stand one after another."""
    sizes = [1 << mask_of(table, row).bit_count() for row in range(table.rows)]
    return [sum(sizes[:row]) for row in range(table.rows)]


def test_layers_of_a_board(horses: Table) -> None:
    """A buffer shared by two pieces that never want the same bits: word & line."""
    half = only(horses)
    apart = start_of(horses)
    pieces = {
        name: replace(half, piece=name, result=formula("word & line"), offset=tuple(apart))
        for name in ("horse", "other-horse")
    }
    assert report_on(replace(horses, pieces=pieces, shared=True)).verdict == "valid"
    apart[40] = apart[42]  # e5 in the place of g5, which attacks f3 and f7, too
    pieces["other-horse"] = replace(pieces["other-horse"], offset=tuple(apart))
    report = report_on(replace(horses, pieces=pieces, shared=True))
    assert report.verdict == "invalid"
    assert {square for one in report.findings for square in one.squares} == {
        "horse g5", "other-horse e5", "other-horse g5",
    }  # fmt: skip
    assert "ask for different bits of it" in report.findings[0].message


def test_chess_says_nothing_of_its_attack_sets() -> None:
    table = read_table(tables_folder() / "published/bbc.toml").table
    assert table.board == CHESS
    assert not any("attack sets" in note for note in report_on(table).notes)
