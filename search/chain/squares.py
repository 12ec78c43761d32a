"""Which squares a chain step takes: those of the line, those of the chain, the exact one."""

import itertools
from dataclasses import dataclass

from magicert.search.problem.plan import Plan, cells_of
from magicert.search.problem.terms import Terms, mask_bits

SPACING = 8
"""The squares of a chain lie so many bits apart: on one file."""
LEAST_SQUARES, MOST_SQUARES = 3, 6
NO_CHAIN = f"no chain of {LEAST_SQUARES} to {MOST_SQUARES} squares at window [{{p}}, {{q}})"
GRID = 6
"""log2 of the units of a bucket: positions are rounded to units."""
WIDER = 2
"""The last square's cells are tried in groups of 2^WIDER first: few groups live."""
WORD_LOG2 = 6


@dataclass(frozen=True, slots=True)
class Squares:
    """The bits of a line and of its chain; a cell is 2^-cells of a bucket.

    `exact` is the square behind the chain that m's last bits make exact, if it is taken, too.
    """

    line: list[int]
    chain: list[int]
    cells: int
    exact: int | None = None

    @property
    def head(self) -> int:
        """The first square of the chain, as a bitboard."""
        return 1 << self.chain[0]


def squares_of(plan: Plan, terms: Terms, level: int) -> Squares:
    """What the chain step at a level takes. ValueError if it cannot be a chain's."""
    p, q = plan.windows[level]
    end = plan.windows[level + 1][0]
    bits = mask_bits(terms)
    cells = cells_of(plan.steps[level])
    cell = terms.shift - cells
    line = [bit for bit in bits if cell - bit >= p]
    chain = [bit for bit in bits if end <= cell - bit < p]
    apart = all(b - a == SPACING for a, b in itertools.pairwise(chain))
    enough = LEAST_SQUARES <= len(chain) <= MOST_SQUARES
    if q != terms.width or not line or not enough or not apart:
        raise ValueError(NO_CHAIN.format(p=p, q=q))
    exact = None
    after = [bit for bit in bits if bit > chain[-1]]
    last = after == [chain[-1] + SPACING] and cell < after[0]
    left = cell - chain[-1]
    if end == 0 < left and last and _is_a_word(terms, left, after[0]):
        exact = after[0]
    elif left != end:
        raise ValueError(f"the chain's last cells end at p = {left}, not {end}")
    if not WIDER < cells <= GRID - 2 or terms.bits + cells - WIDER < WORD_LOG2:
        raise ValueError(f"cells of 2^-{cells} of a bucket: expected 2^-3 or 2^-4")
    return Squares(line, chain, cells, exact)


def _is_a_word(terms: Terms, left: int, exact: int) -> bool:
    """Whether m's last bits are cells of one word of an exact square, and its tables have one."""
    spread = spread_of(terms, exact)
    if spread == 0:
        return terms.bits + terms.shift - exact >= WORD_LOG2
    return left + spread <= WORD_LOG2 <= terms.bits


def spread_of(terms: Terms, exact: int | None) -> int:
    """How far apart the cells of an exact square are, as log2: they are of one bucket at most,
    and m's last bits may move it by more.
    """
    return max(0, (exact or 0) - terms.shift)
