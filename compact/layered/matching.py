"""Pairs of rooks: every rook with one of its diagonal neighbours, for the least cost in all.

A diagonal step changes the rank's parity, so the neighbours are a bipartite graph, and the best
pairs are an assignment.
"""

from collections.abc import Mapping

import numpy as np

from magicert.compact.anneal.assignment import assigned
from magicert.compact.pages.pairs import Pair

NO_PAIR = 10**6
"""The cost of squares that are no neighbours."""


def diagonal_pairs() -> list[Pair]:
    """All pairs of squares that touch at a corner, the lower one first."""
    return [
        (square, square + 8 + by)
        for square in range(56)
        for by in (-1, 1)
        if 0 <= (square & 7) + by < 8
    ]


def best_matching(cost: Mapping[Pair, int]) -> list[Pair]:
    """32 of the pairs of `cost` that have every square once, for the least sum."""
    even = [square for square in range(64) if not square >> 3 & 1]
    odd = [square for square in range(64) if square >> 3 & 1]
    table = [[cost.get((min(a, b), max(a, b)), NO_PAIR) for b in odd] for a in even]
    _, chosen = assigned(np.array(table, np.int64))
    pairs = zip(even, chosen.tolist(), strict=True)
    return sorted((min(a, odd[n]), max(a, odd[n])) for a, n in pairs)
