"""One buffer, written and read back: the smallest conflicts there are, in every order."""

from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from magicert.verify.table.lookups import DENSE_SLOTS, Block, Occupied, Owners

FAR = DENSE_SLOTS + 5
"""A slot so high that the buffer is kept sparse."""

LAYOUT = object()
"""One square of one piece."""

Lookup = tuple[int, int]
"""A slot (-1: outside) and an attack set."""


def block(*lookups: Lookup) -> Block:
    slots = np.array([[slot for slot, _ in lookups]], dtype=np.int64)
    attacks = np.array([[attacks for _, attacks in lookups]], dtype=np.uint64)
    layout: Any = LAYOUT
    bounds = np.zeros(1, dtype=np.uint64)
    outside = slots < 0 if (slots < 0).any() else None
    return Block(layout, np.zeros(1, np.intp), attacks, attacks, slots, outside, bounds, bounds)


class Blocks(list[Block]):
    """All lookups of a buffer."""

    buffer: Any = SimpleNamespace(rows=1, pieces=[LAYOUT])


def count(occupied: Occupied, blocks: list[Block]) -> int:
    """How many slots are used."""
    lookups: Any = Blocks(blocks)
    owners = Owners(lookups, occupied)
    for one in blocks:
        owners.write(one)
    return owners.count()


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
    blocks = [block((2, 6), (far, 6)), block((far, 6), (2, 6), (-1, 9))]
    occupied, conflicts = filled(blocks)
    assert conflicts == []
    assert (occupied.min_slot, occupied.length, count(occupied, blocks)) == (2, far + 1, 2)


@pytest.mark.parametrize("far", [3, FAR])
def test_an_empty_attack_set_takes_a_slot_as_any_other(far: int):
    blocks = [block((far, 0))]
    occupied, conflicts = filled(blocks)
    assert (conflicts, count(occupied, blocks)) == ([], 1)
    assert filled([block((far, 0)), block((far, 6))])[1] == [far]


@pytest.mark.parametrize("far", [3, FAR])
def test_a_conflict_in_any_block_is_found(far: int):
    clean, broken = block((0, 1), (1, 2)), block((far, 4), (far, 5))
    for blocks in ([clean, broken], [broken, clean], [clean, broken, clean]):
        assert filled(blocks)[1] == [far]


def test_nothing_inside_at_all():
    blocks = [block((-1, 1))]
    occupied, conflicts = filled(blocks)
    assert (occupied.length, occupied.min_slot, conflicts) == (0, 0, [])
    assert count(occupied, blocks) == 0
