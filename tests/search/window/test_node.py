"""One node of the search, and its fan, against slow ones that go from m to m (rounding-lemma)."""

import random
from typing import Any

import numpy as np
import pytest

from magicert.search.compiled import entry_point
from magicert.search.kernel.descent import fan
from magicert.search.kernel.node import (
    DEAD,
    DROPS,
    LEAVES,
    LOGGED,
    OPEN,
    State,
    Task,
    begin,
    new_state,
    place_occupancies,
    take,
    task_of,
    tighten,
    undo,
)
from magicert.search.problem import Plan, Terms, terms

WORD = (1 << 64) - 1
BITS_BELOW = 7
"""A node has 2^7 values of m."""


LOOK, UNDO, TAKE, FAN = range(4)


@entry_point
def at_node(task, state, what, first, second, third):
    """A part of the kernel, and what it says. All in one, and at level 0: whatever is given a task
    and a state takes a second to compile.
    """
    t = np.int64(0)
    outcome, found = OPEN, first
    if what == LOOK:  # what visit does, but for the search's own bookkeeping
        outcome, found = place_occupancies(task, state, t)
        if outcome == OPEN:
            outcome = tighten(task, state, t, found)
    elif what == UNDO:
        undo(task, state, t)
    elif what == TAKE:
        take(task, state, first, np.uint64(second), np.int32(third))
    else:
        found = fan(task, state, t, first, second, third)
    return outcome, found


def ask(task: Task, state: State, what: int, *words: int) -> tuple[int, int]:
    outcome, found = at_node(task, state, what, *map(np.uint64, (*words, 0, 0, 0)[:3]))
    return outcome, int(found)


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
def test_a_node_is_what_a_slow_one_says(record):
    rng = random.Random(int(record))
    outcomes, cuts = [], 0
    for _ in range(250):
        about = toy(rng)
        plan = Plan(about.width, ("d1",) * about.width, 4, min(1, about.bits - 1))
        level = about.width - BITS_BELOW
        task: Any = task_of(about, plan, level, record=record)
        state = new_state(about, task)
        before = [
            array.copy() for array in (state.pads.holds, state.pads.owner, state.pads.taken_units)
        ]
        base = rng.getrandbits(about.width) >> BITS_BELOW << BITS_BELOW
        begin(task, state, base, BITS_BELOW)
        low, high = base + rng.randint(0, 20), base + 127 - rng.randint(0, 20)
        state.pads.low[0], state.pads.high[0] = np.uint64(low), np.uint64(high)
        node = SlowNode(about, low, high)
        rows = task.plan.order[: task.plan.first[1]].tolist()
        straddling = len(rows) - sum(map(node.stays, rows))
        wanted, pending = expected(node, rows)
        outcome, straddled = ask(task, state, LOOK)
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
        ask(task, state, UNDO)
        after = (state.pads.holds, state.pads.owner, state.pads.taken_units)
        assert all((a == b).all() for a, b in zip(before, after, strict=True))
        assert not state.pads.of_set.any()
    assert outcomes.count(OPEN) > 20
    assert outcomes.count(DEAD) > 20
    assert cuts > 8


def fan_toy(rng: random.Random, width: int) -> tuple[Terms, Plan]:
    """Squares that move by about a unit from cell to cell of a first step of `width` bits."""
    bits, units = rng.choice([(4, 2), (3, 4), (4, 5), (2, 5)])
    square = 64 - bits - units - 4
    rows = [0, 1 << square, 2 << square, 3 << square]
    rows.append((1 << square) + rng.getrandbits(square - 7))
    rows += [(1 << square) + (1 << square - n) for n in (3, 6, 7, 8, 9, 12)]
    rows.append((1 << square) - (1 << square - 9))  # it moves by less than a unit
    attacks = [rng.randrange(4) for _ in rows]
    about = terms(rows, attacks, bits, rng.choice([0, WORD, rng.getrandbits(64)]))
    end = 4
    steps = [*["d1"] * (about.width - end - width), f"d{width}", *["d1"] * end]
    return about, Plan(about.width, tuple(steps), units, 0)


def asked_rows(task: Task) -> list[int]:
    """The occupancies that the fan of level 0 asks."""
    return task.plan.fan[task.plan.fan_first[0] : task.plan.fan_first[1]].tolist()


def prepared(
    rng: random.Random, width: int, *, both: bool = False
) -> tuple[Terms, Plan, Task, State, dict[int, int]]:
    """A node at the level of the step, with some slots taken: by which attack set. With `both`
    what dies must be dead for all real m.
    """
    about, plan = fan_toy(rng, width)
    level = plan.steps.index(f"d{width}")
    task = task_of(about, plan, level, record=True)
    state = new_state(about, task)
    p = plan.windows[level][0]
    begin(task, state, rng.getrandbits(about.width) >> p << p, p)
    state.pads.both[0] = np.uint64(WORD if both else 0)
    held = {}
    for slot in rng.sample(range(1 << about.bits), rng.randint(1, 1 << about.bits)):
        row = rng.randrange(len(about.attack))
        held[slot] = int(about.attack[row])
        ask(task, state, TAKE, slot, row, held[slot])
        state.register[LOGGED] = 0  # more slots than a node could take
    return about, plan, task, state, held


def killers(
    about: Terms, plan: Plan, held: dict[int, int], rows: list[int], start: int, cells: int
) -> list[int | None]:
    """For each cell of 2^4 values of m the first row whose units, two or three, all lie in slots
    that other attack sets hold.
    """
    unit = 1 << (about.shift - plan.units_log2)
    found: list[int | None] = []
    for j in range(cells):
        found.append(None)
        for row in rows:
            x, c = int(about.multiplicand[row]), int(about.constant[row])
            drift = (x << 4) - unit
            product = (x * start + c) & WORD
            # As words: the third unit is also asked for where this is below zero.
            units = 3 if (product % unit + cells * drift - x) & WORD >= unit else 2
            slots = [
                (product // unit + j + n >> plan.units_log2) % (1 << about.bits)
                for n in range(units)
            ]
            if all(held.get(slot, about.attack[row]) != about.attack[row] for slot in slots):
                found[-1] = row
                break
    return found


@pytest.mark.parametrize("width", [2, 6, 8])
def test_a_cell_dies_where_all_units_that_it_touches_are_taken(width):
    rng = random.Random(width)
    died = 0
    for _ in range(60):
        about, plan, task, state, held = prepared(rng, width)
        cells = 1 << min(6, width)
        rows = asked_rows(task)
        word = rng.randrange(1 << max(0, width - 6))
        start = int(state.pads.base[0]) + (word << 10)
        alive = (1 << cells) - 1 & (rng.getrandbits(64) | rng.getrandbits(64))
        left = ask(task, state, FAN, start, 4, alive)[1]
        by = killers(about, plan, held, rows, start, cells)
        dead = sum(1 << j for j, row in enumerate(by) if row is not None)
        assert left == alive & ~dead
        told = {j: int(state.pads.killer[0, j]) for j in range(cells) if alive & ~left & 1 << j}
        assert told == {j: by[j] for j in told}
        # And what died is dead: at each m of it an occupancy shares a slot with another set.
        for j in list(told)[:4]:
            x, c = (int(words[told[j]]) for words in (about.multiplicand, about.constant))
            for m in range(start + (j << 4), start + (j + 1 << 4)):
                assert held[(x * m + c & WORD) >> about.shift] != about.attack[told[j]]
        died += len(told)
    assert died > (20 if width > 2 else 0)


def test_what_dies_on_both_sides_is_dead_for_all_real_m():
    """Products between m and m + 1 count: x m, x m + 1, ... up to x (m + 1) - 1."""
    rng = random.Random(7)
    died = spared = 0
    for _ in range(120):
        about, _, task, state, held = prepared(rng, 6, both=True)
        rows = [
            (int(about.multiplicand[n]), int(about.constant[n]), int(about.attack[n]))
            for n in asked_rows(task)
        ]
        start = int(state.pads.base[0])
        left = ask(task, state, FAN, start, 4, WORD)[1]
        state.pads.both[0] = 0
        spared += left != ask(task, state, FAN, start, 4, WORD)[1]
        for j in (j for j in range(64) if not left >> j & 1):
            cell = range(start + (j << 4), start + (j + 1 << 4))
            died += 1
            assert any(
                all(
                    held.get((value & WORD) >> about.shift, attack) != attack
                    for m in cell
                    for value in (x * m + c, x * (m + 1) - 1 + c)
                )
                for x, c, attack in rows
            )
    assert died > 300
    assert spared


def test_another_node_has_other_slots():
    """`clash` is kept for as long as the node is the same."""
    rng = random.Random(1)
    changed = 0
    for _ in range(25):
        about, plan, task, state, held = prepared(rng, 6)
        rows = asked_rows(task)
        base = int(state.pads.base[0])
        asked = (task, state, FAN, base, 4, WORD)
        before = ask(*asked)[1]
        for slot in set(range(1 << about.bits)) - set(held):
            held[slot] = int(about.attack[0])
            ask(task, state, TAKE, slot, 0, held[slot])
            state.register[LOGGED] = 0
        assert ask(*asked)[1] == before
        state.pads.serial[0] += 1
        left = ask(*asked)[1]
        by = killers(about, plan, held, rows, base, 64)
        assert left == sum(1 << j for j, row in enumerate(by) if row is None)
        changed += left != before
    assert changed > 4


def test_only_steady_occupancies_are_asked():
    """Those that move by a unit from cell to cell, and by less than another over a word."""
    for seed in range(20):
        about, plan = fan_toy(random.Random(seed), 6)
        task = task_of(about, plan, plan.steps.index("d6"))
        unit, asked = 1 << (about.shift - plan.units_log2), asked_rows(task)
        active = set(task.plan.order[: task.plan.first[1]].tolist())
        for row, x in enumerate(about.multiplicand.tolist()):
            drift = (x << 4) - unit
            assert (row in asked) == (drift >= 0 and 64 * drift < unit and row not in active)
