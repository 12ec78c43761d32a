"""A plan: in which order the window grows, as steps that the kernel follows.

The window [p, q) is the set of bits of m that a node knows. A step "u" raises q by one
bit; a step "d<n>" lowers p by n bits at once, so that a node has 2^n children, called
cells, and a whole word of 64 cells is tested against a moving occupancy in one go (the
*fan*, see fan.py); a step "c<n>.<c>" lowers it by many bits, along a *chain* of squares
(see chain.py), "c<n>.<c>k" the same with a memory for pairs. A step "m" says that the steps before
it were about m and ~m together (see mirror.py). A plan has a text, which
ledgers and certificates keep: the same text and the same cell give the same leaves.
"""

import random
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.problem.terms import Terms, trailing_zeros

Ints = NDArray[np.int64]
MOST_CELLS_LOG2 = 10
MIRROR = "m"
SIDES = -1
"""In place of a step's cells (log2): the children are m and ~m."""


def down(step: str) -> int:
    """How many bits a step lowers p by."""
    return 0 if step[0] in ("u", MIRROR) else int(step[1:].partition(".")[0])


def up(step: str) -> int:
    """How many bits a step raises q by: "u" by one, "u8" by eight (in plans of the other kind)."""
    return int(step[1:] or 1) if step[0] == "u" else 0


def bits_of(step: str) -> int:
    """How many bits of m a step takes: a node has 2^that children."""
    return up(step) + down(step)


def cells_of(step: str) -> int:
    """The cells of a chain: -log2 of their part of a bucket."""
    return int(step.partition(".")[2].removesuffix("k"))


def recalls(step: str) -> bool:
    """Whether pairs that conflicted before are tried first below a chain."""
    return step.endswith("k")


@dataclass(frozen=True)
class Plan:
    """`start`: the window's place before the first step, where p = q.

    `units_log2`: a bucket is cut in 2^units_log2 units, the grain of the fan; `early`:
    an occupancy is looked at as soon as it spans at most 2^early buckets.
    """

    start: int
    steps: tuple[str, ...]
    units_log2: int
    early: int

    @property
    def text(self) -> str:
        """Such as "54 u2 e0: d1 d1 d6 u"."""
        return f"{self.start} u{self.units_log2} e{self.early}: {' '.join(self.steps)}"

    @classmethod
    def parse(cls, text: str) -> "Plan":
        """The plan of a text. ValueError if it is none."""
        head, colon, steps = text.partition(":")
        try:
            start, units, early = head.split()
            known = all(map(_is_step, steps.split()))
            if not colon or not known or units[0] != "u" or early[0] != "e":
                raise ValueError
            return cls(int(start), tuple(steps.split()), int(units[1:]), int(early[1:]))
        except (ValueError, IndexError):
            raise ValueError(f"no plan: {text!r}") from None

    @property
    def chain(self) -> str:
        """Its chain step, or "" if it has none."""
        return next((step for step in self.steps if step[0] == "c"), "")

    @cached_property
    def windows(self) -> tuple[tuple[int, int], ...]:
        """The window (p, q) before each step, and after the last."""
        places = [(self.start, self.start)]
        for step in self.steps:
            p, q = places[-1]
            places.append((p, q + 1) if step == "u" else (p - down(step), q))
        return tuple(places)

    def check(self, terms: Terms) -> None:
        """ValueError unless the plan ends with every bit known and fits the kernel's words."""
        p, q = self.windows[-1]
        if p != 0 or q != terms.width or not 0 <= self.start <= terms.width:
            raise ValueError(f"the plan ends at window [{p}, {q}): expected [0, {terms.width})")
        if not max(0, 6 - terms.bits) <= self.units_log2 <= 5:
            raise ValueError(f"units u{self.units_log2}: expected {max(0, 6 - terms.bits)} to 5")
        if not self.early < terms.bits:
            raise ValueError(f"early e{self.early}: expected less than {terms.bits}")
        if any(step[0] == "d" and down(step) > MOST_CELLS_LOG2 for step in self.steps):
            raise ValueError(f"at most d{MOST_CELLS_LOG2} in one step")
        if MIRROR in self.steps:
            self._check_mirror(terms)

    def _check_mirror(self, terms: Terms) -> None:
        if self.steps.count(MIRROR) > 1:
            raise ValueError("one step m in a plan")
        if terms.bits < 2:
            raise ValueError("a step m is for 2 bits or more: with 1 sums may wrap")
        everything = (terms.least_slot, terms.most_slot) == (0, (1 << terms.bits) - 1)
        if terms.constant.any() or not everything:
            raise ValueError("a step m is for products with nothing added, and all slots allowed")
        if int(terms.multiplicand.max()) > 1 << 62:
            raise ValueError("a step m is for multiplicands up to 2^62")


def _is_step(text: str) -> bool:
    """Of a form that is known. ValueError if a number is none."""
    if text[0] == "c":
        return "." in text and down(text) >= 1 and cells_of(text) >= 1
    return text in ("u", MIRROR) or (text[0] == "d" and "." not in text and down(text) >= 1)


class PlanArrays(NamedTuple):
    """A plan against a cell's terms, from one level on, as the kernel reads it.

    Level t has the window [p[t], q[t]); width[t] cells (log2) are below it, 0 for "u", SIDES for
    "m".
    order[first[t]:first[t+1]] become active at level t; fan[fan_first[t]:fan_first[t+1]]
    move by one unit (and a little) from cell to cell of level t.
    """

    p: Ints
    q: Ints
    width: Ints
    order: NDArray[np.int32]
    first: Ints
    fan: NDArray[np.int32]
    fan_first: Ints


def arrays_of(plan: Plan, terms: Terms, level: int = 0, end: int | None = None) -> PlanArrays:
    """The kernel's arrays for subtrees whose root is at `level`.

    With `end` the search stops at that level: what is open there counts as found.
    """
    plan.check(terms)
    multiplicands = [int(x) for x in terms.multiplicand]
    active = [max(level, _active(plan, terms, x)) for x in multiplicands]
    # Below a chain one conflict is looked for: in no order, which finds it soonest.
    mixed = list(range(len(active)))
    random.Random(1).shuffle(mixed)
    below = {n + 1 for n, step in enumerate(plan.steps) if step[0] == "c"}
    order = sorted(
        range(len(active)), key=lambda n: (active[n], mixed[n] if active[n] in below else n)
    )
    levels = range(level, len(plan.windows))
    first = [sum(a < t for a in active) for t in levels] + [len(active)]
    fan: list[int] = []
    fan_first = [0]
    for t in levels:
        fan += _fan(plan, terms, active, t)
        fan_first.append(len(fan))
    steps = plan.steps[level:]
    stop = len(plan.windows) if end is None else end + 1
    return PlanArrays(
        p=np.array([p for p, _ in plan.windows[level:stop]], dtype=np.int64),
        q=np.array([q for _, q in plan.windows[level:stop]], dtype=np.int64),
        width=np.array(
            [SIDES if step == MIRROR else down(step) for step in (*steps, "u")], dtype=np.int64
        ),
        order=np.array(order, dtype=np.int32),
        first=np.array(first, dtype=np.int64),
        fan=np.array(fan or [0], dtype=np.int32),
        fan_first=np.array(fan_first, dtype=np.int64),
    )


def _visible(x: int, q: int) -> bool:
    return trailing_zeros(x) >= 64 - q


def _active(plan: Plan, terms: Terms, x: int) -> int:
    """The first level where x*m is visible and spans at most 2^early buckets. That of a product
    that is always 0 has no mirror image: it waits until the sides are apart.
    """
    limit = terms.shift + plan.early
    if x == 0 and MIRROR in plan.steps:
        return plan.steps.index(MIRROR) + 1
    for level, (p, q) in enumerate(plan.windows):
        if _visible(x, q) and x * ((1 << p) - 1) <= 1 << limit:
            return level
    raise ValueError("the plan leaves an occupancy invisible")


def _fan(plan: Plan, terms: Terms, active: list[int], level: int) -> list[int]:
    """The occupancies that the fan of a level tests: not yet active, and moving from one
    cell to the next by a unit plus a drift that stays below a unit over a word of cells.

    Those with an attack set that no active occupancy has come first: every slot that is
    taken is a conflict for them.
    """
    if level == len(plan.steps) or plan.steps[level][0] != "d" or plan.steps[level] == "d1":
        return []
    p, q = plan.windows[level]
    width = down(plan.steps[level])
    cell, cells = p - width, 1 << min(6, width)
    unit = 1 << (terms.shift - plan.units_log2)
    seen = {int(terms.attack[n]) for n, a in enumerate(active) if a <= level}
    chosen = []
    for n, a in enumerate(active):
        x = int(terms.multiplicand[n])
        drift = (x << cell) - unit
        if a > level and _visible(x, q) and drift >= 0 and drift * cells < unit:
            attack = int(terms.attack[n])
            chosen.append((attack in seen, attack, n))
    return [n for _, _, n in sorted(chosen)]
