"""All occupancies of a square with their attack sets, in an order that fails soon."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from magicert import occupancy
from magicert.board import Piece

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class AllOccupancies:
    """The 2^c occupancies of one mask, fewest blockers first.

    `occupancies` (2^c,) are subsets of the mask; `attacks` (2^c,) are numbers below
    `distinct`, equal if and only if the attack sets are. Candidates fail soonest in this
    order: two lone blockers always have different attack sets, while large occupancies
    mostly agree with a smaller one.
    """

    occupancies: Words
    attacks: Words
    distinct: int


@lru_cache(maxsize=256)
def all_occupancies(piece: Piece, square: int) -> AllOccupancies:
    """The occupancies of a square's true mask."""
    listed = occupancy.all_occupancies(piece, square)
    occupancies = np.array(listed.occupancies, dtype=np.uint64)
    order = np.argsort(np.bitwise_count(occupancies), kind="stable")
    sets = np.array(listed.attack_sets, dtype=np.uint64)[order]
    numbers = np.unique(sets, return_inverse=True)[1].astype(np.uint64)
    return AllOccupancies(occupancies[order], numbers, listed.distinct)
