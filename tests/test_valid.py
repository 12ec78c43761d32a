"""All occupancies of many magics at once, held against one magic and one occupancy at a time."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.atlas import read_atlas
from magicert.board import Piece, parse_square
from magicert.cell import first_conflict, square_cell
from magicert.data import tables_folder
from magicert.formula import parse
from magicert.scheme import SCHEMES, resolve_scheme
from magicert.valid import AllIndexes, invalid, largest_indexes

CELLS = [
    square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 5),
    square_cell(SCHEMES["black"], Piece.BISHOP, parse_square("h4"), 5),
    square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("b1"), 5, largest_index=27),
    square_cell(resolve_scheme("two-halves"), Piece.BISHOP, parse_square("b1"), 6),
    square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("b1"), 30),
]


@pytest.mark.parametrize("cell", CELLS, ids=str)
@given(seed=st.integers(0, 2**32))
def test_it_says_what_the_plain_reading_says(cell, seed):
    rng = random.Random(seed)
    sparse = [rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64) for _ in range(40)]
    expected = [magic for magic in sparse if first_conflict(cell, magic)]
    assert invalid(cell, sparse) == expected


@pytest.mark.parametrize("last", [0, 1])
def test_the_largest_index_that_is_allowed(last):
    """Two words of one value, on 0 and 1: nothing conflicts, but 1 may be too large."""
    indexes = AllIndexes(parse("occ * magic"), "magic", {}, [0, 1], [0, 0], last)
    assert indexes.valid([1]).tolist() == [last == 1]
    assert indexes.conflicts(1) == [(1, 1)] * (last == 0)


def test_the_largest_index_is_the_largest():
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("e8"), 5)
    assert largest_indexes(cell, [0x4F68BCB9, 0x10020200]) == [29, 31]


def test_known_magics_are_valid_and_their_neighbors_are_not():
    for entry in read_atlas(tables_folder() / "atlas.toml").entries.values():
        piece, square, _ = entry.key
        if entry.state == "exists" and entry.bits <= 6:
            magic = int(entry.magic, 16)
            cell = square_cell(SCHEMES["white"], piece, square, entry.bits)
            odd = [magic ^ 1 << bit for bit in random.sample(range(64), 16)]
            broken = [other for other in odd if first_conflict(cell, other)]
            assert invalid(cell, [magic, *odd]) == broken
            assert invalid(cell, []) == []
