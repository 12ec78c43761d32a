"""Two levels: squares that share slots need numbers that mean the same sets for each of them."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.board import Atom, Board, Movement
from magicert.compact.emit.levels import both_levels
from magicert.compact.layouts import fill_buffer
from magicert.formula import parse
from magicert.problem import InputError
from magicert.table import PieceTable, Table
from magicert.table.model import TwoLevel
from magicert.table.read import TableFile, parse_table
from magicert.table.write import table_toml
from magicert.verify.table import attack_sets
from magicert.verify.table.attack_sets import CommonSet, can_be_numbered
from magicert.verify.table.layout import lay_out
from magicert.verify.table.verifier import verify

A, B, C = ("p", 0), ("p", 1), ("p", 2)


def shared(attack: int, most: int, *homes: tuple[str, int]) -> CommonSet:
    return CommonSet(attack, frozenset(homes), frozenset(homes), most)


HOMES = st.frozensets(st.sampled_from([A, B, C]), min_size=1)


@given(
    st.lists(st.builds(CommonSet, st.integers(1, 3), HOMES, HOMES, st.integers(1, 3)), max_size=5)
)
def test_numbers_are_found_where_there_are_any(sets: list[CommonSet]):
    """Against all numberings, one after another."""
    fits = any(
        all(
            a != b or one.attack == other.attack or not one.homes & other.homes
            for (one, a), (other, b) in product(zip(sets, numbers, strict=True), repeat=2)
        )
        for numbers in product(*(range(one.most) for one in sets))
    )
    assert can_be_numbered(sets) == fits


def test_each_number_is_tried_before_there_are_none():
    """The first numbers leave none for the last set; the next ones do."""
    d = ("p", 3)
    sets = [shared(0, 1, C), shared(1, 2, A, B), shared(2, 2, A, d), shared(3, 2, C, d)]
    assert can_be_numbered(sets) is True


def test_what_takes_too_long_is_not_decided(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(attack_sets, "MOST_CHANGES", 1)
    assert can_be_numbered([shared(n, 3, A) for n in range(4)]) is None
    assert can_be_numbered([shared(n, 3, A) for n in range(3)]) is True


BOARD = Board(5, 1)
LEAPER = Movement((Atom("lame leaper", ((2, 0),)),))
STEPPER = Movement((Atom("rider", ((-1, 0),), 1),))
INDEX, BLOCKERS = parse("(occ >> s) & 1"), {"s": (1, 2, 3, 4, 4)}


def on_five_squares(stepper: tuple[int, ...]) -> TableFile:
    """A leaper that goes two squares to the right unless one stands between, in slots of two; and
    a piece that goes one to the left, with a slot a square.
    """
    pieces = {
        "leaper": PieceTable(
            "leaper", LEAPER, INDEX, {"s": (1, 2, 3, 4, 4)}, offset=(0, 2, 4, 6, 8)
        ),
        "stepper": PieceTable("stepper", STEPPER, parse("occ & 0"), {}, offset=stepper),
    }
    table = Table("five", pieces, shared=True, board=BOARD, two_level=TwoLevel(8))
    return parse_table(table_toml(table).encode(), Path("table.toml"))


@pytest.mark.parametrize(
    ("stepper", "verdict"),
    [
        ((10, 11, 12, 13, 14), "valid"),
        # Nothing, as the leaper on a1 with b1 occupied: the only set of the stepper is number 0.
        ((1, 11, 12, 13, 14), "valid"),
        # c1, as the leaper on a1 without b1: the same.
        ((10, 11, 12, 0, 14), "valid"),
        # Both: the leaper has two sets, and both are to be number 0.
        ((1, 11, 12, 0, 14), "invalid"),
    ],
)
def test_a_slot_of_two_squares_has_one_number(stepper: tuple[int, ...], verdict: str):
    report = verify(on_five_squares(stepper))
    assert report.verdict == verdict
    for finding in report.findings:
        assert finding.kind == "attack sets"
        assert finding.squares == ["leaper a1", "stepper a1", "stepper d1"]


def test_one_numbering_for_a_piece_has_room_for_the_sets_of_all_squares():
    file = on_five_squares((1, 11, 12, 0, 14))
    whole = {
        name: PieceTable(
            name, half.movement, half.index, half.parameters, offset=half.offset, set_offset=(0,)
        )
        for name, half in file.table.pieces.items()
    }
    table = Table("five", whole, shared=True, board=BOARD, two_level=TwoLevel(8))
    assert verify(parse_table(table_toml(table).encode(), Path("table.toml"))).verdict == "valid"


def test_what_cannot_be_numbered_in_order_is_not_emitted_without_its_buffers():
    """The leaper's sets are nothing and c1, in this order; the stepper's only set is c1."""
    file = on_five_squares((10, 11, 12, 0, 14))
    with pytest.raises(InputError, match="increasing order: expected the finished buffers"):
        both_levels(file.table, lay_out(file), Path())


def test_a_square_whose_own_lookups_disagree_has_no_numbers():
    file = on_five_squares((10, 11, 12, 13, 14))
    half = replace(file.table.pieces["leaper"], index=parse("occ & 0"))
    broken = TableFile.unsaved(replace(file.table, pieces={"leaper": half}), "table.toml")
    (layout,) = lay_out(broken)
    with pytest.raises(ValueError, match="own writes disagree"):
        fill_buffer(layout, 8, {"leaper": np.zeros(9, np.uint64)}, {"leaper": (0, 2, 4, 6, 7)})


def test_what_is_not_decided_is_unknown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(attack_sets, "MOST_CHANGES", 0)
    report = verify(on_five_squares((1, 11, 12, 0, 14)))
    assert report.verdict == "unknown"
    assert "is not decided" in report.statement
