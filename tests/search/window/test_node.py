"""One node of the search against a slow one that goes from m to m (rounding-lemma, L1, L9)."""

import random
from typing import Any

import numpy as np
import pytest

from magicert.search.compiled import entry
from magicert.search.kernel.node import (
    DEAD,
    DROPS,
    LEAVES,
    OPEN,
    begin,
    new_state,
    settle,
    task_of,
    tighten,
    undo,
)
from magicert.search.problem import Plan, Terms, terms

WORD = (1 << 64) - 1
BITS_BELOW = 7
"""A node has 2^7 values of m."""


@entry
def look(task, state):
    """What visit does at level 0, but for the search's own bookkeeping."""
    outcome, straddling = settle(task, state, 0)
    if outcome == DEAD:
        return DEAD, straddling
    return tighten(task, state, 0, straddling), straddling


@entry
def take_back(task, state):
    undo(task, state, 0)


def toy(rng: random.Random) -> Terms:
    bits = rng.randint(2, 5)
    top = 64 - bits
    rows = [8] + [1 << top - rng.randint(6, 11) for _ in range(2)]  # these divide a bucket
    rows += [rng.getrandbits(top - rng.randint(4, 9)) >> 3 << 3 for _ in range(rng.randint(1, 7))]
    attacks = [rng.randrange(3) for _ in rows]
    last = (1 << bits) - 1
    least = rng.choice([0, 0, 1])
    constant = rng.choice([0, WORD, rng.getrandbits(64)])
    return terms(rows, attacks, bits, constant, least, last - least)


class SlowNode:
    """A node's interval, its slots, and what happens in it; every step is one of m."""

    def __init__(self, about: Terms, low: int, high: int) -> None:
        self.about, self.low, self.high = about, low, high
        allowed = range(about.least_slot, about.most_slot + 1)
        self.holds = {slot: -1 for slot in range(1 << about.bits) if slot not in allowed}
        self.drops = 0
        self.settled = False

    def slot(self, row: int, m: int) -> int:
        value = int(self.about.multiplicand[row]) * m + int(self.about.constant[row])
        return (value & WORD) >> self.about.shift

    def stays(self, row: int) -> bool:
        """Whether a product stays in one slot: it is monotone, but it may wrap."""
        x, c = int(self.about.multiplicand[row]), int(self.about.constant[row])
        first = (x * self.low + c) & WORD
        return (first + x * (self.high - self.low)) >> self.about.shift == first >> self.about.shift

    def conflicts(self, row: int, m: int) -> bool:
        attack = int(self.about.attack[row])
        return self.holds.get(self.slot(row, m), attack) != attack

    def take(self, row: int) -> bool:
        """Take the slot of a product that stays in it; False if it conflicts there."""
        if self.conflicts(row, self.low):
            return False
        self.holds[self.slot(row, self.low)] = int(self.about.attack[row])
        return True

    def cut(self, row: int) -> None:
        while not self.stays(row) and self.conflicts(row, self.low):
            slot = self.slot(row, self.low)
            while self.slot(row, self.low) == slot:
                self.low += 1
            self.drops += 1
        while not self.stays(row) and self.conflicts(row, self.high):
            slot = self.slot(row, self.high)
            while self.slot(row, self.high) == slot:
                self.high -= 1
            self.drops += 1


def expected(node: SlowNode, rows: list[int]) -> tuple[int, list[int]]:
    """What becomes of the node, and which occupancies still straddle."""
    certain = [row for row in rows if node.stays(row)]
    straddling = [row for row in rows if not node.stays(row)]
    node.settled = all(node.take(row) for row in certain)
    if not node.settled:
        return DEAD, []
    pending = []
    for row in straddling:
        node.cut(row)
        if not node.stays(row):
            pending.append(row)
        elif not node.take(row):
            node.drops += 1
            return DEAD, []
    return OPEN, pending


@pytest.mark.parametrize("record", [False, True])
def test_a_node_is_what_a_slow_one_says(record: bool):
    rng = random.Random(int(record))
    outcomes, cuts = [], 0
    for _ in range(250):
        about = toy(rng)
        plan = Plan(about.width, ("d1",) * about.width, 4, min(1, about.bits - 1))
        level = about.width - BITS_BELOW
        task: Any = task_of(about, plan, level, record=record)
        state = new_state(about, task)
        before = [array.copy() for array in (state.pads.holds, state.pads.owner, state.pads.taken)]
        base = rng.getrandbits(about.width) >> BITS_BELOW << BITS_BELOW
        begin(task, state, base, BITS_BELOW)
        low, high = base + rng.randint(0, 20), base + 127 - rng.randint(0, 20)
        state.pads.low[0], state.pads.high[0] = np.uint64(low), np.uint64(high)
        node = SlowNode(about, low, high)
        rows = task.plan.order[: task.plan.first[1]].tolist()
        straddling = len(rows) - sum(map(node.stays, rows))
        wanted, pending = expected(node, rows)
        outcome, straddled = look(task, state)
        assert outcome == wanted
        if node.settled:
            assert straddled == straddling
        assert state.register[DROPS] == node.drops
        assert state.register[LEAVES] == node.drops + (outcome == DEAD and not len(pending) and
                                                       node.drops == 0)  # fmt: skip
        if outcome == OPEN:
            assert (state.pads.low[0], state.pads.high[0]) == (node.low, node.high)
            assert state.pads.pending[0, : state.pads.pendings[0]].tolist() == pending
            taken = {slot: n for slot, n in enumerate(state.pads.holds.tolist()) if n >= 0}
            nobody = int(about.attack.max()) + 1
            assert taken == {s: nobody if n < 0 else n for s, n in node.holds.items()}
            cuts += node.drops
        outcomes.append(outcome)
        take_back(task, state)
        after = (state.pads.holds, state.pads.owner, state.pads.taken)
        assert all((a == b).all() for a, b in zip(before, after, strict=True))
        assert not state.pads.of_set.any()
    assert outcomes.count(OPEN) > 20
    assert outcomes.count(DEAD) > 20
    assert cuts > 8
