"""What words and pairs of rooks cost: the kernels of overlaid levels against slow obvious ones."""

from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.compact.compiled import entry
from magicert.compact.kernels import assigned
from magicert.compact.overlay.joint import Ints, joint_classes, new_scratch
from magicert.compact.overlay.parties import (
    Demand,
    Draft,
    WordDemands,
    add_least,
    add_party,
    lay,
    no_words,
    window_costs,
    word_costs,
)
from magicert.compact.pages.columns import PAGE

U = np.uint64
WORD = (1 << 64) - 1
BITS = st.integers(0, WORD)


def one_party(ones: list[list[int]], zeros: list[list[int]]) -> Demand:
    first = np.array([0, len(ones)], np.int64)
    return Demand(first, np.array([len(ones[0])]), np.array(ones, U), np.array(zeros, U))


@given(BITS, BITS, BITS, BITS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_class_may_have_a_word_if_no_bit_is_asked_both_ways(
    line: int, attacks: int, other: int, word: int, used: bool
):
    ones, zeros = attacks & line, line & ~attacks
    has, has_not = word & other, other & ~word
    ground = WordDemands(
        np.array([has], U), np.array([has_not], U), np.array([int(used)], np.int64)
    )
    cost = word_costs(one_party([[ones]], [[zeros]]), 0, ground, 99, 200)
    clash = any((ones >> bit & has_not >> bit | zeros >> bit & has >> bit) & 1 for bit in range(64))
    if not ones:
        assert cost[0, 0, 0] == 0  # nobody asks
    elif clash:
        assert cost[0, 0, 0] == 200
    else:
        assert cost[0, 0, 0] == ((line & ~other).bit_count() if used else 99)


COSTS = st.lists(st.integers(0, 50), min_size=9, max_size=9)


@given(COSTS, st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_the_least_of_each_window(row: list[int], span: int):
    total = np.full(10 - span, 7, np.int64)
    add_least(np.array(row, np.int32), span, total, np.empty(9, np.int64))
    assert total.tolist() == [7 + min(row[n : n + span]) for n in range(10 - span)]


@given(COSTS, COSTS, st.integers(0, 4), st.integers(0, 4))
@settings(max_examples=30, deadline=None)
def test_a_number_costs_what_the_words_of_all_members_cost(
    row: list[int], other: list[int], first: int, second: int
):
    cost = np.array([[row], [other]], np.int32)
    table = window_costs(cost, np.array([first, second], np.int64), 5, 60)
    assert table[0].tolist() == [min(60, row[first + n] + other[second + n]) for n in range(5)]


def test_words_filled_anew_are_those_that_were_added_to():
    demand = one_party([[0b01, 0b11], [0b10, 0]], [[0b10, 0b100], [0b01, 0]])
    draft = Draft(np.array([[2, 0]], np.int64), np.array([1, 0], np.int64))
    ground = no_words(4)
    add_party(demand, draft, 0, ground)
    assert ground.ones.tolist() == [0, 0b11, 0b10, 0b01]
    assert ground.zeros.tolist() == [0, 0b100, 0b01, 0b10]
    assert ground.used.tolist() == [0, 1, 1, 1]
    again = no_words(4)
    lay(demand, draft, again)
    lay(demand, draft, again)
    assert all((one == other).all() for one, other in zip(ground, again, strict=True))
    draft.numbers[1] = -1
    lay(demand, draft, again)
    assert again.used.tolist() == [0, 1, 0, 1]


@given(
    st.lists(
        st.lists(st.sampled_from([0, 1, 2, 5, 9, 1000]), min_size=4, max_size=4),
        min_size=1, max_size=4,
    )
)  # fmt: skip
@settings(max_examples=80, deadline=None)
def test_the_assignment_is_the_cheapest_of_all(table: list[list[int]]):
    cost = np.array(table, np.int64)
    least = min(
        sum(row[at] for row, at in zip(table, way, strict=False))
        for way in permutations(range(4), len(table))
    )
    total, chosen = assigned(cost)
    assert total == least == sum(row[at] for row, at in zip(table, chosen, strict=True))
    assert len(set(chosen.tolist())) == len(table)


@entry
def classes(host: Ints, guest: Ints, turn: int, most: int) -> int:
    return joint_classes(host, guest, turn, most, new_scratch())


@given(st.integers(0, 1 << 32), st.integers(0, PAGE - 1), st.integers(1, 30))
@settings(max_examples=30, deadline=None)
def test_joint_classes_are_the_pairs_that_meet_and_who_is_met_nowhere(
    seed: int, turn: int, sets: int
):
    random = np.random.default_rng(seed)
    host, guest = (
        np.where(random.random(PAGE) < 0.01, random.integers(sets, size=PAGE), -1) for _ in "ab"
    )
    met = [(host[slot], guest[(slot - turn) % PAGE]) for slot in range(PAGE)]
    pairs = {(one, other) for one, other in met if one >= 0 and other >= 0}
    alone = set(host[host >= 0]) - {one for one, _ in pairs}
    also = set(guest[guest >= 0]) - {other for _, other in pairs}
    wanted = len(pairs) + len(alone) + len(also)
    assert classes(host, guest, turn, wanted) == wanted
    if pairs:
        assert classes(host, guest, turn, len(pairs) - 1) > len(pairs) - 1
