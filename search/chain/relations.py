"""The relations of a chain's squares, and which pairs of patterns conflict in each.

A new square can conflict with the line itself and with the line plus squares of the chain
before it. A relation says of each of these whether it is added to the moving side (the
new square's), to the fixed side, to both or to neither. All that matters is the sum that is added
to either side: it decides which patterns of the line have different attack sets. Relations in
which these are the same pairs are of one *kind*, and share a table.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from magicert.search.chain.squares import Squares
from magicert.search.chain.tables import LinePatterns
from magicert.search.problem.terms import Terms

Sides = tuple[int, int]
"""What is added to the moving side and to the fixed side."""
MOVING, FIXED = 1, 2
"""Flags of a square: to which sides it is added."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What is added to either side, and which tables tell: those of a kind, or, if it is
    `merged`, the merged ones of that number.
    """

    moving: int
    fixed: int
    kind: int
    merged: bool = False


class Kinds:
    """Numbers for the kinds of relations between the patterns of a line, as they come up.

    A kind is a matrix: which pairs of patterns have equal attack sets. `merged` has the four
    kinds of relations that differ in the chain's first square only.
    """

    def __init__(self, terms: Terms, squares: Squares) -> None:
        self.terms = terms
        self.rows = {int(x): n for n, x in enumerate(terms.multiplicand)}
        within = sum(1 << bit for bit in squares.line)
        self.patterns = [n for x, n in self.rows.items() if x & ~within == 0]
        self.kinds: dict[bytes, int] = {}
        self.merged: dict[tuple[int, ...], int] = {}

    def kind(self, sides: Sides) -> int:
        """The number of the kind with these sums added. ValueError if they are no occupancies."""
        try:
            moving, fixed = (
                [self.terms.attack[self.rows[int(self.terms.multiplicand[n]) + added]]
                 for n in self.patterns]
                for added in sides
            )  # fmt: skip
        except KeyError:
            raise ValueError("multiplicands are no sums of squares: no chain") from None
        matrix = (np.array(moving)[:, None] == np.array(fixed)[None]).tobytes()
        return self.kinds.setdefault(matrix, len(self.kinds))

    def merge(self, moving: int, head: int) -> int:
        """The number of the merged tables of a relation that fixes nothing, with the first square
        added to neither side, to the moving one, to the fixed one, and to both.
        """
        sides = [(0, 0), (head, 0), (0, head), (head, head)]
        four = tuple(self.kind((moving + one, other)) for one, other in sides)
        return self.merged.setdefault(four, len(self.merged))

    def line(self) -> LinePatterns:
        """The patterns as the kernel reads them, with all the kinds that have come up."""
        count = len(self.patterns)
        sets: dict[bytes, int] = {}
        excluded = np.zeros((len(self.kinds), count), dtype=np.int32)
        for key, kind in self.kinds.items():
            matrix = np.frombuffer(key, dtype=np.bool_).reshape(count, count)
            for row in range(count):
                excluded[kind, row] = sets.setdefault(matrix[row].tobytes(), len(sets))
        return LinePatterns(
            multiplicand=self.terms.multiplicand[self.patterns],
            constant=self.terms.constant[self.patterns],
            excluded=excluded,
            member=np.array([np.frombuffer(key, dtype=np.bool_) for key in sets]),
        )


def relations_of(kinds: Kinds, squares: Squares, square: int, first: bool) -> list[Relation]:
    """The relations of a square. But for the chain's first one, those that fix nothing or only
    that one are taken together.
    """
    head = squares.head
    sides = _sides([bit for bit in squares.chain if bit < square], square)
    if first:
        return [Relation(moving, fixed, kinds.kind((moving, fixed))) for moving, fixed in sides]
    together = [moving for moving, fixed in sides if not (fixed or moving & head)]
    merged = [Relation(moving, 0, kinds.merge(moving, head), merged=True) for moving in together]
    alone = [
        Relation(moving, fixed, kinds.kind((moving, fixed)))
        for moving, fixed in sides
        if fixed & ~head
    ]
    return merged + alone


def _sides(before: list[int], new: int) -> list[Sides]:
    """All sums of the squares before, with the new one on the moving side; those with the fewest
    squares on both sides first, then those with the fewest on the fixed side.
    """
    found = []
    for states in itertools.product(range(4), repeat=len(before)):
        moving, fixed = (
            sum(1 << bit for bit, s in zip(before, states, strict=True) if s & side)
            for side in (MOVING, FIXED)
        )
        order = (states.count(MOVING | FIXED), sum(s >= FIXED for s in states), states)
        found.append((order, (moving + (1 << new), fixed)))
    return [sides for _, sides in sorted(found)]
