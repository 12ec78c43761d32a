"""One buffer, written and read back: the smallest conflicts there are, in every order."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from magicert.verify.table.lookups import Block
from magicert.verify.table.occupied import DENSE_SLOTS, Occupied

FAR = DENSE_SLOTS + 5
"""A slot so high that the buffer is kept sparse."""

Lookup = tuple[int, int]
"""A slot (-1: outside) and an attack set."""


def block(*lookups: Lookup) -> Block:
    slots = np.array([[slot for slot, _ in lookups]], dtype=np.int64)
    attacks = np.array([[attacks for _, attacks in lookups]], dtype=np.uint64)
    layout: Any = None
    bounds = np.zeros(1, dtype=np.uint64)
    outside = slots < 0 if (slots < 0).any() else None
    return Block(layout, np.zeros(1, np.intp), attacks, attacks, slots, outside, bounds, bounds)


def filled(blocks: list[Block]) -> tuple[Occupied, list[int]]:
    """The buffer, and the slots with conflicts."""
    lookups: Any = blocks
    occupied = Occupied(lookups)
    for one in blocks:
        occupied.write(one)
    places = np.concatenate([occupied.conflicts(one) for one in blocks])
    return occupied, np.unique(occupied.slots(places)).tolist()


@pytest.mark.parametrize("first", [0, FAR])
@pytest.mark.parametrize("order", [*permutations([(0, 6), (0, 9), (1, 6)])])
def test_two_attack_sets_in_one_slot_conflict_whoever_comes_last(
    order: tuple[Lookup, ...], first: int
):
    moved = [(slot + first, attacks) for slot, attacks in order]
    assert filled([block(*moved)])[1] == [first]
    assert filled([block(lookup) for lookup in moved])[1] == [first]


@pytest.mark.parametrize("far", [3, FAR])
def test_one_attack_set_in_one_slot_is_welcome(far: int):
    occupied, conflicts = filled([block((2, 6), (far, 6)), block((far, 6), (2, 6), (-1, 9))])
    assert conflicts == []
    assert (occupied.min_slot, occupied.length, occupied.count()) == (2, far + 1, 2)


@pytest.mark.parametrize("far", [3, FAR])
def test_a_conflict_in_any_block_is_found(far: int):
    clean, broken = block((0, 1), (1, 2)), block((far, 4), (far, 5))
    for blocks in ([clean, broken], [broken, clean], [clean, broken, clean]):
        assert filled(blocks)[1] == [far]


def test_nothing_inside_at_all():
    occupied, conflicts = filled([block((-1, 1))])
    assert (occupied.length, occupied.min_slot, occupied.count(), conflicts) == (0, 0, 0, [])
