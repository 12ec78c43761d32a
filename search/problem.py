"""A cell as the window search sees it, and plans: products with their attack sets, steps to follow.

Every scheme that the search knows has the form

    slot(o) = (x(o) * m + c(o) mod 2^64) >> (64 - bits)

with small multiplicands x, so that x * m hardly moves while m moves a little. White is
x = o, c = 0. Black has huge multiplicands, o | ~mask, which are negated: with x = -y,
x*m + c = ~(y*m + ~c), so the index is 2^bits - 1 - slot for y and ~c. That slots run
backwards changes no conflict; a largest index becomes a least slot.
"""

import random
import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert import scheme as schemes
from magicert.board import WORD
from magicert.cell import Cell
from magicert.problem import InputError, Problem

Words = NDArray[np.uint64]
SCHEMES = tuple(name for name, scheme in schemes.SCHEMES.items() if scheme.product)
"""The schemes that the window search knows."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Row n belongs to occupancy number n in pdep order.

    `attack` numbers the attack sets from 0. Slots outside [least_slot, most_slot] are
    forbidden (a table range). `width` is the number of low bits of m that matter.
    """

    multiplicand: Words
    constant: Words
    attack: NDArray[np.int32]
    bits: int
    least_slot: int
    most_slot: int

    @property
    def shift(self) -> int:
        """64 - bits: a bucket of products is 2^shift wide."""
        return 64 - self.bits

    @property
    def width(self) -> int:
        """Magics that are congruent modulo 2^width have the same products."""
        return 64 - min(trailing_zeros(int(x)) for x in self.multiplicand)


def trailing_zeros(word: int) -> int:
    """The ctz of a 64-bit word; 64 for 0."""
    return (word & -word).bit_length() - 1 if word else 64


def mask_bits(terms: Terms) -> list[int]:
    """The bits of the mask, as far as the multiplicands show them."""
    return sorted({trailing_zeros(int(x)) for x in terms.multiplicand} - {64})


def terms_of(cell: Cell) -> Terms:
    """The products of a cell. Raises InputError for a scheme of another form."""
    product = cell.scheme.product
    if cell.scheme.name not in SCHEMES or product is None:
        message = f"the window search knows the schemes {', '.join(SCHEMES)}"
        raise InputError([Problem(message, key=f"scheme {cell.scheme.name}")])
    if not 1 <= cell.bits <= 16:
        raise InputError([Problem("the window search takes 1 to 16", key=f"bits {cell.bits}")])
    if product.constant and product.constant not in cell.fixed:
        raise InputError([Problem("expected a value", key=product.constant)])
    constant = cell.fixed[product.constant] & WORD if product.constant else 0
    multiplicands = list(product.multiplicands(cell.words, cell.mask))
    attacks = list(cell.values)
    if cell.scheme.name == "black":
        multiplicands = [-x & WORD for x in multiplicands]
        least = (1 << cell.bits) - 1 - cell.last_index
        return terms(multiplicands, attacks, cell.bits, ~constant & WORD, least)
    return terms(multiplicands, attacks, cell.bits, constant, 0, cell.last_index)


def terms(
    multiplicands: list[int],
    attacks: list[int],
    bits: int,
    constant: int = 0,
    least_slot: int = 0,
    most_slot: int | None = None,
) -> Terms:
    """Terms from plain numbers: any multiplicands and any grouping will do."""
    last = (1 << bits) - 1
    return Terms(
        multiplicand=np.array(multiplicands, dtype=np.uint64),
        constant=np.full(len(multiplicands), constant, dtype=np.uint64),
        attack=np.array(attacks, dtype=np.int32),
        bits=bits,
        least_slot=least_slot,
        most_slot=last if most_slot is None else most_slot,
    )


# A plan: in which order the window grows, as steps that the kernel follows.
#
# The window [p, q) is the set of bits of m that a node knows. A step "u" raises q by one
# bit; a step "d<n>" lowers p by n bits at once, so that a node has 2^n children, called
# cells, and a whole word of 64 cells is tested against a moving occupancy in one go (the
# *fan*, see kernel/descent.py); a step "c<n>.<c>" lowers it by many bits, along a *chain* of
# squares (see chain.py), "c<n>.<c>k" the same with a memory for pairs. A step "m" says that the
# steps before it were about m and ~m together (see below). A plan has a text, which ledgers and
# certificates keep: the same text and the same cell give the same leaves.

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
            well_formed = all(map(_is_step, steps.split()))
            if not colon or not well_formed or units[0] != "u" or early[0] != "e":
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
        all_slots = (terms.least_slot, terms.most_slot) == (0, (1 << terms.bits) - 1)
        if terms.constant.any() or not all_slots:
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
    shuffled = list(range(len(active)))
    random.Random(1).shuffle(shuffled)
    below = {n + 1 for n, step in enumerate(plan.steps) if step[0] == "c"}
    order = sorted(
        range(len(active)), key=lambda n: (active[n], shuffled[n] if active[n] in below else n)
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
    cell, cells_per_word = p - width, 1 << min(6, width)
    unit = 1 << (terms.shift - plan.units_log2)
    active_attacks = {int(terms.attack[n]) for n, a in enumerate(active) if a <= level}
    testable = []
    for n, a in enumerate(active):
        x = int(terms.multiplicand[n])
        drift = (x << cell) - unit
        if a > level and _visible(x, q) and drift >= 0 and drift * cells_per_word < unit:
            attack = int(terms.attack[n])
            testable.append((attack in active_attacks, attack, n))
    return [n for _, _, n in sorted(testable)]


# A plan of the second kind: m's low bits first, some bits at a time.
#
# A node knows m modulo 2^q, and q only rises. A product with a multiplicand whose lowest bit is at
# least 64 - q is then exact. So each mask bit, from the highest down, is *taken* at one q, and the
# occupancies with that bit as their lowest one get their slots. A step that takes a bit has at most
# 2^MOST_TESTED_BITS values, which are tested together; a step that takes none only enumerates.

HEAD = "low:"
MOST_TESTED_BITS = 8
"""log2 of the values that are tested together: of the length of a bit string."""
MOST_ENUMERATED_BITS = 12
LEAST_BITS = 2
"""A slot is at most a word of a bit string long."""


@dataclass(frozen=True)
class LowPlan:
    """How many bits of m each step adds."""

    widths: tuple[int, ...]

    @property
    def text(self) -> str:
        """Such as "low: 2 2 1 1 4 8 8"."""
        return f"{HEAD} {' '.join(map(str, self.widths))}"

    @classmethod
    def parse(cls, text: str) -> "LowPlan":
        """The plan of a text. ValueError if it is none."""
        try:
            head, *widths = text.split()
            plan = cls(tuple(map(int, widths)))
            if head != HEAD or not widths or min(plan.widths) < 1:
                raise ValueError
        except ValueError:
            raise ValueError(f"no plan: {text!r}") from None
        return plan

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The steps as those of other plans are written: "u8" raises q by eight bits."""
        return tuple(f"u{width}" for width in self.widths)

    @cached_property
    def windows(self) -> tuple[tuple[int, int], ...]:
        """The window (0, q) before each step, and after the last."""
        return tuple((0, sum(self.widths[:n])) for n in range(len(self.widths) + 1))

    @property
    def chain(self) -> str:
        """No plan of this kind has one."""
        return ""

    def check(self, terms: Terms) -> None:
        """ValueError unless the plan ends with every bit known, each mask bit is taken by a step of
        its own, and the multiplicands are the subsets of the mask.
        """
        ends = [q for _, q in self.windows[1:]]
        if not ends or ends[-1] != terms.width:
            raise ValueError(f"the plan ends at bit {sum(self.widths)}: expected {terms.width}")
        needed = {64 - bit for bit in mask_bits(terms)}
        if not needed <= set(ends):
            missing = ", ".join(map(str, sorted(needed - set(ends))))
            raise ValueError(
                f"steps end at bits {ends}: expected a step to end at {missing} as well"
            )
        for width, end in zip(self.widths, ends, strict=True):
            most = MOST_TESTED_BITS if end in needed else MOST_ENUMERATED_BITS
            if width > most:
                raise ValueError(f"a step of {width} bits ends at {end}: expected at most {most}")
        if terms.bits < LEAST_BITS:
            raise ValueError(f"low bits first takes {LEAST_BITS} index bits or more")
        if not is_mask(terms):
            raise ValueError("low bits first takes all subsets of a mask, and one constant")


def is_mask(terms: Terms) -> bool:
    """Whether the multiplicands are all subsets of one mask, each once, with one constant."""
    bits = mask_bits(terms)
    subsets = {0}
    for bit in bits if len(terms.attack) == 1 << len(bits) else ():
        subsets |= {x | 1 << bit for x in subsets}
    return subsets == set(terms.multiplicand.tolist()) and len(set(terms.constant.tolist())) == 1


def low_plan(terms: Terms) -> LowPlan:
    """The plan that takes each mask bit with as many bits of m as can be tested together."""
    widths: list[int] = []
    for bit in reversed(mask_bits(terms)):
        gap = 64 - bit - sum(widths)
        while gap > MOST_TESTED_BITS:
            widths.append(min(MOST_TESTED_BITS, gap - MOST_TESTED_BITS))
            gap -= widths[-1]
        widths.append(gap)
    return LowPlan(tuple(widths))


# A plan of the third kind: slots are counted, by a program in C (slots/count.c).
#
# It is for rooks of rank 1. A shard is a half of a whole step of the line, with its mirror image:
# the products of m and -m lie as those of m and ~m do, but for m whose lowest square moves by whole
# halves of slots exactly.

COUNTED_SLOTS = re.compile(r"slots: d(\d+) m d(\d+), (\d+) (\d+) (\d+) (\d+)", re.ASCII)
LEAST_SLOT_BITS, MOST_SLOT_BITS = 8, 11


@dataclass(frozen=True)
class SlotPlan:
    """`top_bits` of m number the parts, `low_bits` follow. A line is known to `known_bits` beyond
    the whole steps, and `cuts` more where it may lie on itself `least_overlaps` to `most_overlaps`
    times.
    """

    top_bits: int
    low_bits: int
    known_bits: int = 8
    least_overlaps: int = 12
    most_overlaps: int = 39
    cuts: int = 2

    @property
    def text(self) -> str:
        """Such as "slots: d12 m d51, 8 12 39 2"."""
        numbers = " ".join(map(str, self.numbers))
        return f"slots: d{self.top_bits} {MIRROR} d{self.low_bits}, {numbers}"

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        """What the program is told of it."""
        return self.known_bits, self.least_overlaps, self.most_overlaps, self.cuts

    @classmethod
    def parse(cls, text: str) -> "SlotPlan":
        """The plan of a text. ValueError if it is none."""
        if (match := COUNTED_SLOTS.fullmatch(text)) is None:
            raise ValueError(f"no plan: {text!r}")
        return cls(*map(int, match.groups()))

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps as those of other plans are written."""
        return f"d{self.top_bits}", MIRROR, f"d{self.low_bits}"

    @property
    def windows(self) -> tuple[tuple[int, int], ...]:
        """The window (p, q) before each step, and after the last."""
        width = self.top_bits + self.low_bits
        return (width, width), (self.low_bits, width), (self.low_bits, width), (0, width)

    @property
    def chain(self) -> str:
        """No plan of this kind has one."""
        return ""

    def check(self, terms: Terms) -> None:
        """ValueError unless the terms are a rook's of rank 1, and the program takes the numbers."""
        file_of(terms)
        if not LEAST_SLOT_BITS <= terms.bits <= MOST_SLOT_BITS:
            raise ValueError(f"slots are counted for {LEAST_SLOT_BITS} to {MOST_SLOT_BITS} bits")
        if (self.top_bits, self.low_bits) != (terms.bits + 1, terms.width - terms.bits - 1):
            expected = f"d{terms.bits + 1} {MIRROR} d{terms.width - terms.bits - 1}"
            raise ValueError(f"steps {' '.join(self.steps)}: expected {expected}")
        if not (
            6 <= self.known_bits <= 12
            and self.cuts <= 8
            and max(self.least_overlaps, self.most_overlaps) <= 999
        ):
            raise ValueError(f"{self.numbers}: expected 6 to 12, 0 to 999, 0 to 999, 0 to 8")


def slot_plan(terms: Terms) -> SlotPlan:
    """The usual plan that counts slots."""
    return SlotPlan(terms.bits + 1, terms.width - terms.bits - 1)


def file_of(terms: Terms) -> int:
    """The file (1 to 7 for b to h) of the white rook of rank 1 whose occupancies and attack sets
    the terms have. ValueError if there is none.
    """
    bits = mask_bits(terms)
    file = bits[-1] - 48 if bits else 0
    line = [square for square in range(1, 7) if square != file]
    nothing_added = not terms.constant.any() and terms.least_slot == 0
    if (
        not 1 <= file <= 7
        or bits != line + [file + 8 * rank for rank in range(1, 7)]
        or not (nothing_added and is_mask(terms) and terms.most_slot == (1 << terms.bits) - 1)
    ):
        raise ValueError("slots are counted for white rooks of b1 to h1, and all slots")
    attack_of: dict[tuple[int, int, int], int] = {}
    for word, attack in zip(terms.multiplicand.tolist(), terms.attack.tolist(), strict=True):
        left_blockers, file_blockers = word & ((1 << file) - 1), word >> 8
        right_blockers = word & 0xFF & ~((2 << file) - 1)
        nearest_blockers = (
            left_blockers.bit_length(),
            trailing_zeros(right_blockers),
            trailing_zeros(file_blockers),
        )
        if attack_of.setdefault(nearest_blockers, attack) != attack:
            raise ValueError("slots are counted for a rook's attack sets")
    if len(set(attack_of.values())) != len(attack_of):
        raise ValueError("slots are counted for a rook's attack sets")
    return file


# The kinds of plan, by their texts.

AnyPlan = Plan | LowPlan | SlotPlan


def parse_plan(text: str) -> AnyPlan:
    """The plan of a text, of any kind. ValueError if it is none."""
    if text.startswith("slots:"):
        return SlotPlan.parse(text)
    return LowPlan.parse(text) if text.startswith(HEAD) else Plan.parse(text)


# Mirrored plans: what is dead for m is dead for ~m, and half of all m are enough.
#
# A product x * m runs through the buckets forwards, x * ~m = -x * (m + 1) backwards. If x * t
# stays in bucket s for every *real* t from low up to high + 1, then x * m is in slot s for
# m = low..high, and in slot ~s for all the ~m: -x * (m + 1) lies in [-(s + 1) B, -s B). So a
# conflict that holds for real t holds on both sides (proofs/rounding-lemma.md, L12). The steps of a
# plan before "m" go by it and are taken once, for the m with the first bit clear; below "m" a node
# is gone into twice, for its m and for their ~m. At corners (kernel/descent.py) they are taken
# apart before a chain. On the side of ~m all is counted by ~(x * ~m) = x * m + x - 1, so the
# slots taken above stay what they are.
#
# The empty occupancy's product is 0 for every m: it has no mirror image, and is looked at below "m"
# only.

LAST_BITS = 3
"""With so few bits of m left the sides are taken apart: products between m and m + 1 then count."""


def is_mirrored(plan: AnyPlan) -> bool:
    """Whether its shards are about m and ~m together."""
    return MIRROR in plan.steps


def mirrored(plan: Plan, terms: Terms) -> Plan:
    """The plan with a step "m" where LAST_BITS bits of m are left, or sooner. ValueError if it
    cannot have one.
    """
    place = next(
        level
        for level, step in enumerate((*plan.steps, ""))
        if not step or plan.windows[level + 1][0] < LAST_BITS
    )
    if place < len(plan.steps) and plan.steps[place][0] == "c":
        place += 1
    steps = (*plan.steps[:place], MIRROR, *plan.steps[place:])
    mirrored_plan = replace(plan, steps=steps)
    mirrored_plan.check(terms)
    return mirrored_plan
