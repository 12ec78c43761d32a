"""Exact bounds of small groups, against trying all offsets."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import Piece
from magicert.compact.layouts.bounds import Shortest, lower_bound, shortest
from magicert.problem import InputError

INDEXES = st.sets(st.integers(0, 7), min_size=1, max_size=5)


def by_trying(sets: list[set[int]]) -> int:
    """The shortest length, by all offsets up to the sum of the spans."""
    room = sum(max(indexes) + 1 for indexes in sets)
    best = room
    for offsets in product(range(room), repeat=len(sets)):
        slots = [slot + o for indexes, o in zip(sets, offsets, strict=True) for slot in indexes]
        if len(set(slots)) == len(slots):
            best = min(best, max(slots) + 1)
    return best


@given(st.lists(INDEXES, min_size=1, max_size=2))
@settings(max_examples=25, deadline=None)
def test_the_shortest_arrangement_is_the_one_found_by_trying(sets: list[set[int]]):
    found = shortest([np.array(sorted(indexes)) for indexes in sets], seconds=20)
    length = by_trying(sets)
    assert found == Shortest(length, bound=length)


def test_a_large_group_is_refused():
    with pytest.raises(InputError, match="13 squares"):
        shortest([np.array([0])] * 13, seconds=1)


def test_no_magics_can_go_below_the_number_of_attack_sets():
    assert lower_bound([Piece.ROOK]) == 4_900
    assert lower_bound(list(Piece)) == 6_328
