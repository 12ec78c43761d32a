"""Plans to choose from: orders of the mask bits, and how each bit is taken.

Taking a bit means growing the window until the product of that bit is known to a fraction of a
bucket: down (p falls) for bits above those taken, up (q rises) for bits below.
"""

from collections.abc import Iterator
from dataclasses import replace

from magicert.search.chain.chain import check_plan
from magicert.search.chain.squares import SPACING, squares_of
from magicert.search.problem.low_plan import LowPlan, low_plan
from magicert.search.problem.plan import Plan
from magicert.search.problem.terms import Terms, mask_bits

EASY_BITS = 6
"""Of so many mask bits every order is a candidate; with more only a few."""
FAR = 6
"""A mask bit that lies so many bits above all those taken before is taken by a fan."""
LATEST = 4
"""Bits by which a chain is begun later than it might be, at most."""


def default(terms: Terms, order: list[int]) -> Plan:
    """The setting that suits most cells."""
    return build(terms, order, max(1, 6 - terms.bits), 6, 0)


def settings(terms: Terms, order: list[int]) -> Iterator[Plan]:
    """Plans for one order of the mask bits."""
    least = max(0, 6 - terms.bits)
    for units in sorted({max(least, 1), max(least, 2)}):
        for fan in (6, 8, 1):
            for early in sorted({0, min(3, terms.bits - 1)}):
                yield build(terms, order, units, fan, early)


def low_plans(terms: Terms) -> Iterator[LowPlan]:
    """The plan with low bits first, where the multiplicands are those of a mask."""
    plan = low_plan(terms)
    try:
        plan.check(terms)
    except ValueError:
        return
    yield plan


def chains(terms: Terms) -> Iterator[Plan]:
    """Plans that take the squares of a file in one chain, after those of the line below."""
    bits = mask_bits(terms)
    run = 1
    while run < len(bits) and bits[-run] - bits[-run - 1] == SPACING:
        run += 1
    for cells in (4, 3):
        for first in range(len(bits) - run, len(bits) - 1):
            for last in range(first + 2, len(bits)):
                plan = chain_plan(terms, bits[:first], bits[first : last + 1], cells)
                try:
                    check_plan(plan, terms)
                except ValueError:
                    continue
                yield plan


def chain_plan(terms: Terms, line: list[int], chain: list[int], cells: int) -> Plan:
    """The plan that takes a line as soon as it is known to a cell, then a chain of squares."""
    start = terms.shift - cells - max(line, default=0)
    end = max(0, terms.shift - cells - chain[-1])
    steps = ["d1"] * (terms.width - start) + [f"c{start - end}.{cells}k"] + ["d1"] * end
    return Plan(terms.width, tuple(steps), max(1, 6 - terms.bits), min(2, terms.bits - 1))


def later_chains(plan: Plan, terms: Terms) -> Iterator[Plan]:
    """The plan with its chain begun up to LATEST bits later, with the same squares: more nodes have
    tables to make, and they are better.
    """
    if not plan.chain:
        return
    place = plan.steps.index(plan.chain)
    before, behind = plan.steps[:place], plan.steps[place + 1 :]
    squares = squares_of(plan, terms, place).chain
    down, _, cells = plan.chain[1:].partition(".")
    for bits in range(1, min(LATEST + 1, int(down))):
        chain = f"c{int(down) - bits}.{cells}"
        later = replace(plan, steps=(*before, *["d1"] * bits, chain, *behind))
        try:
            check_plan(later, terms)
        except ValueError:
            return
        if squares_of(later, terms, place + bits).chain != squares:
            return
        yield later


def candidates(terms: Terms) -> Iterator[Plan]:
    """All plans that may be sampled."""
    for order in orders(mask_bits(terms)):
        yield from settings(terms, order)


def orders(bits: list[int]) -> Iterator[list[int]]:
    """Orders in which the bits taken are always neighbours in `bits`; with many bits only
    those that go down, then all the way up, then down.
    """
    count = len(bits)
    if not bits:  # the only word is 0
        yield []
        return
    if count <= EASY_BITS:
        for pattern in range(1 << (count - 1)):
            yield from _order(bits, [pattern >> n & 1 for n in range(count - 1)])
        return
    for start in range(count):
        for deep in range(count - start):
            yield from _order(bits, [0] * deep + [1] * start + [0] * (count - 1 - start - deep))


def _order(bits: list[int], ups: list[int]) -> Iterator[list[int]]:
    """The order that takes the next lower bit at each 1, the next higher one at each 0."""
    below, above = sum(ups) - 1, sum(ups) + 1
    order = [bits[sum(ups)]]
    for up in ups:
        if up:
            order.append(bits[below])
            below -= 1
        else:
            order.append(bits[above])
            above += 1
    yield order


def build(terms: Terms, order: list[int], units_log2: int, fan: int, early: int) -> Plan:
    """The plan that takes mask bits in this order, with fans of up to 2^fan cells where a
    bit stands far enough above those taken before.
    """
    p = q = 64 - order[0] if order else 0
    start = q
    steps: list[str] = []
    for place, bit in enumerate(order):
        if 64 - bit > q:
            steps += ["u"] * (64 - bit - q)
            q = 64 - bit
            continue
        target = max(0, terms.shift - units_log2 - bit)
        lonely = place > 0 and bit - max(order[:place]) >= FAR
        width = min(fan if lonely else 1, p - target)
        steps += ["d1"] * (p - target - width)
        if width > 0:
            steps.append(f"d{width}")
        p = min(p, target)
    steps += ["u"] * (terms.width - q) + ["d1"] * p
    return Plan(start, tuple(steps), units_log2, early)
