"""Any table, printed by a random printer and read back, is the same table."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from magicert.board import Piece
from magicert.problem import InputError
from magicert.square_order import ORDERS, place_of, square_at
from magicert.table.locate import Places
from magicert.table.read import TableFile
from magicert.verify.source.readings.judge import judge
from magicert.verify.source.readings.pins import Pins
from magicert.verify.table.layout import spread
from magicert.verify.table.verifier import verify

TABLES = ["bbc", "surge", "cuckoo", "texel_rtb", "cozy_chess", "shakmaty", "syzygy_tb", "chess_jl",
          "glaurung32", "gigantua_var", "dragontoothmg", "donna"]  # fmt: skip
PROPERTY = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def counts_of(half):
    """The shift of every row, as 64 - bits or 32 - bits."""
    word = 32 if "32" in half.index.text else 64
    if "shift" in half.parameters:
        return spread(half.parameters["shift"])
    return tuple(word - bits for bits in spread(half.parameters["bits"]))


def lists_of(table, lists_type, masks):
    return {
        piece: lists_type(
            magic=half.parameters["magic"],
            counts=counts_of(half),
            mask=half.parameters.get("mask", ()) if masks else (),
            offset=half.offset or (),
        )
        for piece, half in table.pieces.items()
    }


def reread(printer, text, order=""):
    path = Path("engine" + printer.ending)
    return judge([(path, text.encode())], Pins(order=order))


@PROPERTY
@given(name=st.sampled_from(TABLES), seed=st.integers(0, 1 << 32))
def test_lists_read_back(name, seed, shipped, printer, lists_type):
    check_same(name, seed, shipped, printer, lists_type, "source")


@PROPERTY
@given(name=st.sampled_from(TABLES), seed=st.integers(0, 1 << 32))
def test_records_read_back(name, seed, shipped, printer, lists_type):
    check_same(name, seed, shipped, printer, lists_type, "records")


@settings(PROPERTY, max_examples=12)
@given(name=st.sampled_from(TABLES), seed=st.integers(0, 1 << 32))
def test_word_pairs_read_back(name, seed, shipped, printer, lists_type):
    check_same(name, seed, shipped, printer, lists_type, "word_pairs")


def check_same(name, seed, shipped, printer, lists_type, how):
    table = shipped(name)
    own = printer(random.Random(seed))
    lists = lists_of(table, lists_type, masks=how == "records")
    judgement = reread(own, getattr(own, how)(lists))
    assert judgement.verdict == "valid"
    assert len(judgement.valid) == 1
    found = judgement.valid[0].table
    for piece, half in table.pieces.items():
        read = found.pieces[piece]
        assert read.parameters["magic"] == half.parameters["magic"]
        assert counts_of(read) == counts_of(half)
        assert read.offset == half.offset
        if lists[piece].mask:
            assert read.parameters["mask"] == lists[piece].mask


@settings(PROPERTY, max_examples=25)
@given(
    name=st.sampled_from(["bbc", "surge", "cuckoo", "cozy_chess", "shakmaty", "glaurung32"]),
    seed=st.integers(0, 1 << 32),
    square=st.integers(0, 63),
    bit=st.integers(0, 63),
    piece=st.sampled_from(list(Piece)),
)
def test_a_broken_magic_stays_broken(name, seed, square, bit, piece, shipped, printer, lists_type):
    """One bit of one magic is flipped: the verdict is that of the exhaustive verifier."""
    table = shipped(name)
    lists = lists_of(table, lists_type, masks=False)
    magics = list(lists[piece].magic)
    magics[square] ^= 1 << bit
    lists[piece] = lists_type(tuple(magics), lists[piece].counts, (), lists[piece].offset)
    half = table.pieces[piece]
    changed = half.parameters | {"magic": tuple(magics)}
    pieces = table.pieces | {piece: replace(half, parameters=changed)}
    expected = verify(TableFile(replace(table, pieces=pieces), Path("x.toml"), "", Places()))
    own = printer(random.Random(seed))
    judgement = reread(own, own.source(lists), table.order)
    assert judgement.verdict == expected.verdict
    if expected.verdict == "invalid":
        assert judgement.valid == []
        if judgement.nearest[0].table.shared != table.shared:
            # Fewer squares fail if the two pieces are given buffers of their own.
            return
        nearest = judgement.nearest[0].report
        assert [f.lookups for f in nearest.findings] == [f.lookups for f in expected.findings]


@pytest.mark.parametrize("listing", ORDERS)
def test_rows_in_another_order_than_bits(listing, shipped, printer, lists_type):
    """The list begins with another square than bit 0: the numbers tell which."""
    table = shipped("cuckoo")
    lists = {}
    for piece, own in lists_of(table, lists_type, masks=False).items():
        rows = [place_of("a1", square_at(listing, row)) for row in range(64)]
        lists[piece] = lists_type(
            *(tuple(values[row] for row in rows) if values else () for values in vars(own).values())
        )
    own = printer(random.Random(7), ".cpp")
    judgement = reread(own, own.source(lists))
    assert judgement.verdict == "valid"
    assert judgement.valid[0].table.listing == listing


def test_pieces_with_swapped_names(shipped, printer, lists_type):
    """Numbers that certify for the other piece are not what the engine uses."""
    lists = lists_of(shipped("bbc"), lists_type, masks=False)
    lists = {Piece.ROOK: lists[Piece.BISHOP], Piece.BISHOP: lists[Piece.ROOK]}
    own = printer(random.Random(3), ".java")
    text = own.source(lists)
    with pytest.raises(InputError, match="is named for a bishop"):
        reread(own, text)
    named = {(Piece.ROOK, "magic"): "bishop_magics", (Piece.BISHOP, "magic"): "rook_magics"}
    judgement = judge([(Path("engine.java"), text.encode())], Pins(lists=named))
    assert judgement.verdict == "valid"
    assert any("is named for a bishop" in text for text in judgement.valid[0].warnings)
    assert judgement.valid[0].table.pieces[Piece.ROOK].parameters["magic"] == (
        lists[Piece.BISHOP].magic
    )


def test_broken_shifts_are_not_replaced_by_what_would_fit(shipped, printer, lists_type):
    """The magics are right with popcount bits, but the source says something else."""
    lists = lists_of(shipped("bbc"), lists_type, masks=False)
    rook = lists[Piece.ROOK]
    counts = tuple(shift + (row == 27) for row, shift in enumerate(rook.counts))
    lists[Piece.ROOK] = lists_type(rook.magic, counts)
    own = printer(random.Random(5), ".c")
    judgement = reread(own, own.source(lists))
    assert judgement.verdict == "invalid"
    assert judgement.nearest[0].bad_squares == 1
    assert any("the source says otherwise" in note for note in judgement.nearest[0].notes)


def test_a_shift_of_the_whole_word_is_bad_input(shipped, printer, lists_type):
    lists = lists_of(shipped("bbc"), lists_type, masks=False)
    rook = lists[Piece.ROOK]
    lists[Piece.ROOK] = lists_type(rook.magic, (64, *rook.counts[1:]))
    own = printer(random.Random(5), ".c")
    with pytest.raises(InputError, match="64"):
        reread(own, own.source(lists))
