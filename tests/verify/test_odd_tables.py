"""Odd masks, squares outside every mask, budgets, formulas that nobody writes, half boards."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from magicert.betza import parse_piece
from magicert.board import Board, Piece, mask, parse_square
from magicert.data import board_tables, find_table, published_tables
from magicert.formula import parse
from magicert.problem import InputError
from magicert.table import PieceTable, Table, parse_table, read_table
from magicert.table.write import table_toml
from magicert.verify.table import verifier
from magicert.verify.table.report import to_json
from magicert.verify.table.verifier import verify

WHITE = "((occ & mask) * magic) >> (64 - bits)"


def report_on(table, **options):
    return verify(parse_table(table_toml(table).encode(), Path("t.toml")), **options)


def with_half(table, piece=Piece.BISHOP, **fields):
    half = table.pieces[piece]
    parameters = {**half.parameters, **fields.pop("parameters", {})}
    return replace(
        table, pieces={**table.pieces, piece: replace(half, parameters=parameters, **fields)}
    )


def with_index(table, index, piece=Piece.BISHOP, **fields):
    return with_half(table, piece, index=parse(index, word=table.board.word), **fields)


def blockers(report):
    return [[set(one.blockers) for one in finding.lookups] for finding in report.findings]


@pytest.fixture(scope="module")
def bishops():
    """5,248 lookups."""
    table = read_table(published_tables()["surge"]).table
    return replace(table, pieces={Piece.BISHOP: table.pieces[Piece.BISHOP]})


@pytest.fixture(scope="module")
def horses():
    """896 lookups on 9x10."""
    return read_table(board_tables()["pikafish_knight"]).table


def test_a_mask_that_lacks_a_square_breaks_the_table(bishops):
    """And one with h8 besides does not, where the magic is even: the product forgets bit 63."""
    c1, b2, h8 = parse_square("c1"), parse_square("b2"), 1 << 63
    magics = bishops.pieces[Piece.BISHOP].parameters["magic"]
    given = [mask(Piece.BISHOP, square) | h8 * (magics[square] % 2 == 0) for square in range(64)]
    report = report_on(with_half(bishops, parameters={"mask": tuple(given)}))
    assert report.verdict == "valid"
    assert any("has besides h8" in note for note in report.notes)
    given[c1] &= ~(1 << b2)
    report = report_on(with_half(bishops, parameters={"mask": tuple(given)}))
    assert (report.verdict, [f.squares for f in report.findings]) == ("invalid", [["bishop c1"]])
    ((one, two),) = blockers(report)
    assert one ^ two == {"b2"}
    assert any(note.startswith("bishop c1: the given mask lacks b2") for note in report.notes)


@pytest.mark.parametrize(
    ("index", "square"),
    [
        # No mask has a corner: by the masks alone, the table would be valid.
        (f"({WHITE}) ^ (occ & 1)", "a1"),
        (f"({WHITE}) ^ (bswap64(occ) >> 56 & 1)", "a1"),
        (f"({WHITE}) ^ (occ << 63 & 1)", None),
        (f"((occ & mask & ~{1 << parse_square('d4'):#x}) * magic) >> (64 - bits)", "d4"),
    ],
)
def test_nothing_but_the_whole_board_decides(bishops, index, square):
    report = report_on(with_index(bishops, index))
    assert report.verdict == ("valid" if square is None else "invalid")
    assert all(finding.kind == "conflict" for finding in report.findings)
    assert all(square in one ^ two for one, two in blockers(report) if square == "d4")
    assert square is None or any(square in one ^ two for one, two in blockers(report))


@pytest.mark.parametrize(("bit", "verdict"), [(89, "invalid"), (90, "valid")])
def test_bits_that_are_no_squares_are_never_occupied(horses, bit, verdict):
    """A word has 128 bits, the board 90 squares. i10 is bit 89, and no horse is barred there."""
    (half,) = horses.pieces.values()
    report = report_on(with_index(horses, f"({half.index.text}) ^ (occ >> {bit} & 1)", half.piece))
    assert report.verdict == verdict
    assert any("i10" in one ^ two for one, two in blockers(report)) == (verdict == "invalid")


def test_a_square_beyond_the_first_chunk_of_bits_hides_what_is_behind_it(bishops):
    """Of a1's 15 relevant bits g7 is the last one, and the index does not see it."""
    extra, lost = (0x3FF, *[0] * 63), (1 << parse_square("g7"), *[0] * 63)
    index = "(((occ & mask & ~lost) * magic) >> (64 - bits)) ^ ((occ & extra) ^ (occ & extra))"
    report = report_on(with_index(bishops, index, parameters={"extra": extra, "lost": lost}))
    assert report.squares[0].lookups == 1 << 15
    assert report.verdict == "invalid"
    assert [finding.squares for finding in report.findings] == [["bishop a1"]]


def test_each_two_of_three_squares_in_one_slot_are_named(bishops):
    report = report_on(with_index(bishops, f"({WHITE}) & 0", offset=(0,) * 64))
    named = {tuple(finding.squares) for finding in report.findings}
    assert {("bishop a1", "bishop b1"), ("bishop a1", "bishop c1")} <= named


def test_squares_of_one_slot_share_it():
    """A wazir is never blocked: one slot a square, of both pieces."""
    wazir = PieceTable("a", parse_piece("W"), parse("occ & 0"), {}, offset=tuple(range(16)))
    pieces = {"a": wazir, "b": replace(wazir, piece="b")}
    report = report_on(Table("t", pieces, shared=True, board=Board(4, 4)))
    assert (report.verdict, report.buffers[0].slots_used) == ("valid", 16)
    assert {square.slots_used for square in report.squares} == {1}


# Budgets: what was not tried is not certified.

ONLY_A_FULL_BOARD = "popcount(occ) >> 6"


def test_an_unmasked_formula_is_refuted_within_the_budget(bishops, monkeypatch):
    """It is over as soon as a part shows the conflicts."""
    monkeypatch.setattr(verifier, "PROBE_LOOKUPS", 1 << 16)
    report = report_on(with_index(bishops, "(occ * magic) >> (64 - bits)"))
    assert (report.verdict, report.lookups <= 1 << 16) == ("invalid", True)
    assert len(report.findings) >= 10


@pytest.mark.parametrize("odd", [["rook"], ["bishop"], ["rook", "bishop"]])
def test_what_cannot_be_tried_whole_leaves_the_table_unknown(odd):
    table = read_table(published_tables()["bbc"]).table
    assert not table.shared
    for piece in odd:
        index = f"({table.pieces[piece].index.text}) ^ ({ONLY_A_FULL_BOARD})"
        table = with_index(table, index, piece)
    report = report_on(table, max_lookups=1 << 20)
    assert (report.verdict, report.exit_status) == ("unknown", 3)
    assert report.lookups <= 1 << 20
    assert report.notes[-1].startswith("not exhaustive")


def test_a_probe_that_cannot_decide_is_followed_by_the_whole(bishops, monkeypatch):
    monkeypatch.setattr(verifier, "PROBE_LOOKUPS", 1 << 12)
    report = report_on(with_index(bishops, f"({WHITE}) ^ ((occ & 1) ^ (occ & 1))"))
    assert (report.verdict, report.lookups) == ("valid", 2 * 5248)
    # A table of another board that is larger than a probe of chess is tried once.
    monkeypatch.setattr(verifier, "PROBE_LOOKUPS", 1 << 8)
    done = []
    file = read_table(board_tables()["pikafish_knight"])
    report = verify(file, progress=lambda now, _: done.append(now))
    assert (report.verdict, report.lookups, max(done)) == ("valid", 896, 896)
    report = verify(read_table(board_tables()["pikafish_rook"]), max_lookups=1 << 14)
    assert (report.verdict, report.findings) == ("unknown", [])
    assert 1 << 8 < report.lookups <= 1 << 14


# Places and shifts.


def test_slots_outside_say_which(bishops):
    report = report_on(with_half(bishops, square_size=(16,)))
    assert report.verdict == "invalid"
    assert any("is outside the square's 16 slots" in f.message for f in report.findings)
    table = read_table(published_tables()["shakmaty"]).table
    report = report_on(replace(table, buffer_size=table.buffer_size - 1))
    (finding,) = report.findings
    assert (finding.kind, finding.lookups[0].slot) == ("outside", table.buffer_size - 1)
    assert "outside the buffer of 88,771 slots" in finding.message
    (half,) = (read_table(published_tables()["cfish_black"]).table.pieces[Piece.BISHOP],)
    table = replace(bishops, pieces={Piece.BISHOP: half}, shared=True)
    first = (-1 - report_on(table).squares[0].index_min, *half.offset[1:])
    before = report_on(with_half(table, offset=first))
    assert "slot -1 is outside" in before.findings[0].message


def test_an_index_beyond_64_bits_is_outside_and_written_as_text(horses):
    (name,) = horses.pieces
    report = report_on(with_index(horses, "(occ & mask) * magic", name, offset=(0,) * 90))
    assert report.verdict == "invalid"
    outside = [finding for finding in report.findings if finding.kind == "outside"]
    assert outside
    assert all(isinstance(lookup.index, str) for one in outside for lookup in one.lookups)
    assert json.loads(to_json(report))["findings"]


@pytest.mark.parametrize(
    ("index", "size", "problem"),
    [
        (
            "(occ & mask) * magic >> (bits - bits)",
            None,
            r"bishop\.square_size: missing: the index can reach",
        ),
        (f"{WHITE} >> popcount(occ & mask) * 9", 64, r"bishop\.index on d4, .*: shift by 81"),
        # Its value is thrown away, but engines would still execute it.
        (f"({WHITE}) | ((1 << (occ & ~mask & 127)) & 0)", 512, "less than the word's width"),
        (f"{WHITE} >> (64 - bits + 55)", 512, r"bishop\.index on .*: shift by"),
    ],
)
def test_indexes_that_are_refused(bishops, index, size, problem):
    with pytest.raises(InputError, match=problem):
        report_on(with_index(bishops, index, square_size=size and (size,)))


def test_a_shift_by_the_width_is_bad_input_with_its_square():
    table = read_table(published_tables()["bbc"]).table
    bits = table.pieces[Piece.BISHOP].parameters["bits"]
    with pytest.raises(InputError, match=r"bishop\.index on a7: shift by 64: expected less"):
        report_on(with_half(table, parameters={"bits": (*bits[:8], 0, *bits[9:])}))


def test_a_shared_buffer_without_offsets_is_filled_in_the_order_of_the_file():
    table = replace(read_table(published_tables()["bbc"]).table, shared=True)
    turned = replace(table, pieces=dict(reversed(table.pieces.items())))
    for one, first in ((table, "rook"), (turned, "bishop")):
        report = report_on(one)
        assert (report.verdict, report.buffers[0].length) == ("valid", 107_648)
        assert (report.squares[0].piece, report.squares[0].offset) == (first, 0)


def test_one_piece_with_offsets_and_one_without_cannot_share():
    table = read_table(published_tables()["shakmaty"]).table
    with pytest.raises(InputError, match=r"rook\.offset: missing"):
        report_on(with_half(table, Piece.ROOK, offset=None))


# Layers: squares that share entries.


@pytest.fixture(scope="module")
def layers():
    """The bishops of a layered record, each in entries of its own."""
    table = read_table(find_table("layered_48036")).table
    half = table.pieces[Piece.BISHOP]
    own = {Piece.BISHOP: replace(half, offset=tuple(512 * n for n in range(64)))}
    return replace(table, pieces=own, buffer_size=None)


def test_a_clash_shows_both_squares_and_the_bits(layers):
    """c1 and e3 stand on one diagonal: both attack d2, and behind that they differ."""
    offset = layers.pieces[Piece.BISHOP].offset
    report = report_on(with_half(layers, offset=(*offset[:20], offset[2], *offset[21:])))
    (finding,) = report.findings
    assert (finding.kind, finding.squares) == ("conflict", ["bishop c1", "bishop e3"])
    first, second = finding.lookups
    assert first.slot == second.slot
    assert "ask for different bits" in finding.message
    named = finding.message.split("of it: ")[1].split(" (")[0].split()
    assert named
    assert all((square in first.attacked) != (square in second.attacked) for square in named)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("word & line & mask", {"result"}),  # bishops attack the ends of the rays
        ("(word & line) ^ (occ & 1)", {"conflict", "result"}),
        ("(word & line) | (occ & 1 & ~line)", {"result"}),
        ("(word & line) ^ (occ & 1 & line)", {"conflict"}),
    ],
)
def test_results_that_lose_bits_or_that_an_occupancy_changes(layers, text, kinds):
    report = report_on(with_half(layers, result=parse(text)))
    assert report.verdict == "invalid"
    assert {finding.kind for finding in report.findings} == kinds
    if "mask" in text:
        assert "no word at slot" in report.findings[0].message
    else:
        assert all(any("a1" in one for one in found) for found in blockers(report))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("word & line", "occ & line", "does not use word"),
        ("(occ | ~mask)", "(occ | ~mask | word)", "word"),
    ],
)
def test_formulas_that_are_refused(layers, old, new, message):
    with pytest.raises(InputError, match=message):
        parse_table(table_toml(layers).replace(old, new).encode(), Path("t.toml"))


# Half boards: the mirrored lookups are made, not assumed.


def test_the_certificate_says_that_it_is_a_half_board(half_board):
    report = report_on(half_board)
    assert (report.verdict, report.lookups, len(report.squares)) == ("valid", 107_648, 128)
    certificate = json.loads(to_json(report))
    assert certificate["board"] == "ranks 1-4"
    assert "half board" in certificate["statement"]


@pytest.mark.parametrize("result", [False, True])
def test_a_square_outside_the_mask_counts_mirrored_for_the_mirror(half_board, result):
    """Where h1 changes the index or the result on e2, h8 does so on e7, and both are tried."""
    edge = tuple((1 << 7) * (square == parse_square("e2")) for square in range(32))
    index = half_board.pieces[Piece.BISHOP].index.text + " + ((occ & edge) >> 7)" * (not result)
    report = report_on(
        with_half(
            half_board,
            index=parse(index),
            result=parse("(word & line) ^ (occ & edge)") if result else None,
            parameters={"edge": edge},
        )
    )
    assert report.lookups == 107_648 + 32 + 32
    for name, corner in (("e2", "h1"), ("e7", "h8")):
        found = [f for f in report.findings if f"bishop {name}" in f.squares]
        assert any(corner in lookup.blockers for one in found for lookup in one.lookups)
