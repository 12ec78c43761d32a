"""Nothing but the whole board decides: squares outside every mask that still change an index."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from magicert.board import Piece, parse_square
from magicert.data import published_tables
from magicert.formula import parse
from magicert.table import Table, parse_table, read_table
from magicert.table.write import table_toml
from magicert.verify.table import verifier
from magicert.verify.table.layout import lay_out
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify


def bishops_with(index: str) -> Table:
    table = read_table(published_tables()["surge"]).table
    half = replace(table.pieces[Piece.BISHOP], index=parse(index))
    return replace(table, pieces={Piece.BISHOP: half})


def report_on(table: Table) -> Report:
    return verify(parse_table(table_toml(table).encode(), Path("table.toml")))


@pytest.mark.parametrize(
    "corner",
    [
        "occ & 1",
        "((occ & 1) + 1) >> 1",
        "((occ & 1) - 1) >> 63",
        "-(occ & 1) >> 63",
        "((occ & 1) * 3) >> 1",
        "rol64(occ, 3) >> 3 & 1",
        "bswap64(occ) >> 56 & 1",
        "popcount(occ & 1)",
        "ctz(occ & 1) >> 6",
        "(2 >> (occ & 1)) & 1",
        "hi32(occ << 32) & 1",
        "lo32(occ & 1)",
    ],
)
def test_a_piece_on_a1_that_moves_every_index_breaks_the_table(corner: str) -> None:
    """No mask has a corner: by the masks alone, the table would be valid."""
    report = report_on(bishops_with(f"(((occ & mask) * magic) >> (64 - bits)) ^ ({corner})"))
    assert report.verdict == "invalid"
    assert any(
        ("a1" in first.blockers) != ("a1" in second.blockers)
        for first, second in (finding.lookups for finding in report.findings)
    )


def test_a_piece_on_a1_that_no_index_sees_is_harmless() -> None:
    report = report_on(bishops_with("(((occ & mask) * magic) >> (64 - bits)) ^ (occ << 63 & 1)"))
    assert report.verdict == "valid"
    assert report.lookups == 5248


def test_a_square_of_the_mask_that_no_index_sees_breaks_the_table() -> None:
    without = f"occ & mask & ~{1 << parse_square('d4'):#x}"
    report = report_on(bishops_with(f"(({without}) * magic) >> (64 - bits)"))
    assert report.verdict == "invalid"
    assert all(finding.kind == "conflict" for finding in report.findings)
    blockers = [[set(x.blockers) for x in finding.lookups] for finding in report.findings]
    assert all(one ^ two == {"d4"} for one, two in blockers)


def test_a_probe_that_cannot_decide_is_followed_by_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verifier, "PROBE_LOOKUPS", 1 << 12)
    forgotten = "(occ & 1) ^ (occ & 1)"
    report = report_on(bishops_with(f"(((occ & mask) * magic) >> (64 - bits)) ^ ({forgotten})"))
    assert (report.verdict, report.lookups) == ("valid", 2 * 5248)


def separate() -> Table:
    """Both pieces, a buffer each."""
    table = read_table(published_tables()["bbc"]).table
    assert not table.shared
    return table


@pytest.mark.parametrize("piece", Piece)
def test_one_buffer_that_was_not_tried_whole_leaves_the_table_unknown(piece: Piece) -> None:
    table = separate()
    half = table.pieces[piece]
    # Only a board full of pieces moves an index, and no budget comes to that.
    odd = replace(half, index=parse(f"({half.index.text}) ^ (popcount(occ) >> 6)"))
    text = table_toml(replace(table, pieces={**table.pieces, piece: odd}))
    file = parse_table(text.encode(), Path("table.toml"))
    assert verifier.verify(file, max_lookups=1 << 18).verdict == "unknown"


def test_a_square_beyond_the_first_chunk_of_bits_hides_what_is_behind_it() -> None:
    """Of a1's 15 relevant bits g7 is the last one, and the index does not see it."""
    extra, lost = (0x3FF, *[0] * 63), (1 << parse_square("g7"), *[0] * 63)
    table = bishops_with(
        "(((occ & mask & ~lost) * magic) >> (64 - bits)) ^ ((occ & extra) ^ (occ & extra))"
    )
    half = table.pieces[Piece.BISHOP]
    half = replace(half, parameters={**half.parameters, "extra": extra, "lost": lost})
    report = report_on(replace(table, pieces={Piece.BISHOP: half}))
    assert report.squares[0].lookups == 1 << 15
    assert report.verdict == "invalid"
    assert [finding.squares for finding in report.findings] == [["bishop a1"]]


def test_a_two_level_table_without_its_numbers_has_its_conflicts() -> None:
    table = read_table(published_tables()["ankan_byte"]).table
    assert table.two_level is not None
    assert report_on(table).verdict == "valid"
    half = table.pieces[Piece.ROOK]
    odd = replace(half, index=parse(f"({half.index.text}) & ~1"))
    report = report_on(replace(table, pieces={**table.pieces, Piece.ROOK: odd}))
    assert report.verdict == "invalid"
    assert {finding.kind for finding in report.findings} == {"conflict"}


@pytest.mark.parametrize("piece", Piece)
def test_a_wrong_entry_of_either_piece_in_a_shared_buffer(piece: Piece, tmp_path: Path) -> None:
    table = read_table(published_tables()["shakmaty"]).table
    assert table.shared
    (buffer,) = lay_out(parse_table(table_toml(table).encode(), tmp_path / "t.toml"))
    entries = np.zeros(table.buffer_size or 0, dtype="<u8")
    last = 0
    for block in Lookups(buffer, 1 << 20):
        entries[block.slots] = block.attacks
        if block.layout.table.piece == piece:
            last = int(block.slots[-1, -1])
    literal = replace(table, literal="attacks.bin")
    (tmp_path / "table.toml").write_text(table_toml(literal))
    for change, verdict in ((0, "valid"), (1 << 27, "invalid")):
        entries[last] ^= np.uint64(change)
        (tmp_path / "attacks.bin").write_bytes(entries.tobytes())
        assert verify(read_table(tmp_path / "table.toml")).verdict == verdict


def test_the_budget_is_one_for_both_pieces() -> None:
    table = separate()
    odd = {
        piece: replace(half, index=parse(f"({half.index.text}) ^ (popcount(occ) >> 6)"))
        for piece, half in table.pieces.items()
    }
    file = parse_table(table_toml(replace(table, pieces=odd)).encode(), Path("table.toml"))
    report = verifier.verify(file, max_lookups=1 << 20)
    assert (report.verdict, report.lookups <= 1 << 20) == ("unknown", True)


def test_each_two_of_three_squares_in_one_slot_are_named() -> None:
    half = bishops_with("(((occ & mask) * magic) >> (64 - bits)) & 0").pieces[Piece.BISHOP]
    half = replace(half, offset=(0,) * 64)
    table = replace(bishops_with("occ"), pieces={Piece.BISHOP: half})
    named = {tuple(finding.squares) for finding in report_on(table).findings}
    assert {("bishop a1", "bishop b1"), ("bishop a1", "bishop c1")} <= named
