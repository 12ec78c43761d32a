"""Pieces that make the lookups of another one: what is right, wrong, and refused."""

from dataclasses import replace
from functools import reduce
from operator import or_
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import magicert
from magicert.betza import parse_piece
from magicert.board import Board, square_at
from magicert.compact.emit.levels import both_levels
from magicert.formula import parse
from magicert.formula.arrays import ints
from magicert.movement import attacks_of
from magicert.occupancy import carry_rippler
from magicert.problem import InputError
from magicert.table import PieceTable, Table, TwoLevel, parse_table
from magicert.table.files import TableFile
from magicert.table.write import table_toml
from magicert.verify.table.attacks import BoardPiece, all_blockers, distinct_together
from magicert.verify.table.layout import lay_out
from magicert.verify.table.lookups import Lookups
from magicert.verify.table.verifier import verify

PIECES = ["R", "pR", "gQ", "nN", "B", "N", "Q2", "fRbB", "W"]


@pytest.fixture(scope="module")
def pairs():
    """Rook and cannon of 5x5: 2 x 25 indexes, two numbers a slot."""
    return magicert.find_set(["rook", "cannon"], board="5x5", form="pairs").table


def report_on(table):
    return verify(parse_table(table_toml(table).encode(), Path("t.toml")))


def with_piece(table, name, **fields):
    return replace(table, pieces={**table.pieces, name: replace(table.pieces[name], **fields)})


@given(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=2),
    st.integers(0, 19),
    st.sampled_from(["a1", "d5-files"]),
)
def test_what_pieces_see_together_is_counted(notations, bit, order):
    board = Board(4, 5)
    movers = tuple(BoardPiece(board, parse_piece(text), order) for text in notations)
    square = square_at(order, bit, board)
    bits = reduce(or_, (all_blockers(mover, bit) for mover in movers))
    blockers = sum(1 << square_at(order, place, board) for place in range(20) if bits >> place & 1)
    seen = {
        tuple(attacks_of(board, mover.movement, square, occupied) for mover in movers)
        for occupied in carry_rippler(blockers)
    }
    assert distinct_together(movers, bit) == len(seen)


def test_both_levels_give_every_attack_set(pairs):
    """Each lookup of each piece, followed through the numbers to its own attack sets."""
    table = parse_table(table_toml(pairs).encode(), Path("t.toml")).table
    layouts = lay_out(TableFile.unsaved(table, "t.toml"))
    (numbers,), levels = both_levels(table, layouts, Path())
    assert len(numbers) == table.buffer_size
    looked_up = 0
    for layout in layouts:
        for block in Lookups(layout, 1 << 20):
            name = block.layout.table.piece
            starts = [levels.starts[name][row] for row in block.rows]
            for start, slots, attacks in zip(starts, block.slots, block.attacks, strict=True):
                assert ints(levels.sets[name][numbers[slots] + start]) == ints(attacks)
                looked_up += len(slots)
    assert looked_up == report_on(pairs).lookups


def test_its_bytes_and_its_statement(pairs):
    report = report_on(pairs)
    assert report.verdict == "valid"
    assert [buffer.length for buffer in report.buffers] == [pairs.buffer_size]
    assert "An entry of rook_v numbers what it and cannon_v attack together" in report.statement
    assert table_toml(parse_table(table_toml(pairs).encode(), Path("t")).table) == table_toml(pairs)


def test_numbers_that_mean_too_much_together_do_not_fit():
    """Rook and bishop of 6 x 6 have few attack sets on a square, and more between them."""
    board = Board(6, 6)
    movers = [BoardPiece(board, parse_piece(name), "a1") for name in "RB"]
    masks = tuple(all_blockers(movers[0], bit) | all_blockers(movers[1], bit) for bit in range(36))
    index = parse("pext(occ, mask)")
    first = PieceTable("a", movers[0].movement, index, {"mask": masks})
    second = replace(first, piece="b", movement=movers[1].movement, numbers_of="a")
    pieces = {"a": first, "b": second}
    most = max(distinct_together(tuple(movers), bit) for bit in range(36))
    apart = max(distinct_together((mover,), bit) for mover in movers for bit in range(36))
    assert apart <= 256 < most
    report = report_on(Table("t", pieces, two_level=TwoLevel(8), board=board))
    assert (report.verdict, report.findings[0].kind) == ("invalid", "attack sets")
    assert f"cannot number {most:,} attack sets" in report.findings[0].message
    assert report_on(Table("t", pieces, two_level=TwoLevel(16), board=board)).verdict == "valid"


def test_an_index_that_serves_only_the_first_piece_is_invalid(pairs):
    """A rook on a1 does not care what stands behind a2 where that is occupied; a cannon does."""
    text = table_toml(pairs)
    text = text.replace('piece = "vpR"\nnumbers_of = "rook_v"',
                        'piece = "QnN"\nnumbers_of = "rook_v"')  # fmt: skip
    report = verify(parse_table(text.encode(), Path("t.toml")))
    assert report.verdict == "invalid"
    conflicts = [f for f in report.findings if f.kind == "conflict"]
    assert conflicts
    assert all(one.startswith("cannon_v ") for f in conflicts for one in f.squares)


@pytest.mark.parametrize(
    ("second", "top", "verdict"),
    [("fF", 0, "valid"), ("sW", 0, "valid"), ("fF", 1, "unknown"), ("sW", 1, "invalid")],
)
def test_squares_that_share_slots_are_not_decided(second, top, verdict):
    """Nothing steps forward from the last rank: its squares may share a slot, if their other pieces
    attack the same, too; whether there are numbers for all of them nobody tries.
    """
    board = Board(5, 5)
    offset = tuple(min(bit, 20) if top else bit for bit in range(25))
    index = parse("(occ & mask) & 0")
    parameters = {"mask": (0,)}
    first = PieceTable("a", parse_piece("fW"), index, parameters, offset=offset)
    others = replace(first, piece="b", movement=parse_piece(second), numbers_of="a")
    pieces = {"a": first, "b": others}
    table = Table("t", pieces, two_level=TwoLevel(8), shared=True, board=board)
    assert report_on(table).verdict == verdict


WRONG = [
    ('numbers_of = "rook_v"', 'numbers_of = "cannon_h"', "'cannon_h' has no index of its own"),
    ('numbers_of = "rook_v"', 'numbers_of = "rook"', "'rook': expected one of the sections with"),
    ('numbers_of = "rook_v"', "numbers_of = 3", "3: expected one of the sections with an index"),
    ('numbers_of = "rook_v"', 'numbers_of = "rook_v"\nmask = "least"', "cannon_v.mask: unknown"),
    ('numbers_of = "rook_v"', 'numbers_of = "rook_v"\nset_offset = 0', "for each square"),
    ('buffer = "shared"', 'buffer = "shared"\nliteral = "x.bin"', "expected no finished buffers"),
    ("[two_level]\nentry_bits = 8", "", "only for a table with [two_level]"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "said"), WRONG)
def test_what_it_cannot_be_said_of(pairs, right, wrong, said):
    text = table_toml(pairs).replace(right, wrong, 1)
    with pytest.raises(InputError) as caught:
        parse_table(text.encode(), Path("t.toml"))
    assert any(said in str(problem) for problem in caught.value.problems), str(caught.value)


def test_derived_masks_are_of_one_piece(pairs):
    given_masks = pairs.pieces["rook_v"]
    parameters = {name: v for name, v in given_masks.parameters.items() if name != "mask"}
    text = table_toml(with_piece(pairs, "rook_v", parameters=parameters))
    with pytest.raises(InputError, match="expected rook_v to list its masks"):
        parse_table(text.encode(), Path("t.toml"))
