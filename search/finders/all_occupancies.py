"""All words of a cell with their values, in an order that fails soon."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from magicert.cell import Subject

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class AllOccupancies:
    """The words of a cell, those with the fewest ones first: of a square its occupancies.

    `attacks` are numbers, equal if and only if the values are. Candidates fail soonest in this
    order: two lone blockers always have different attack sets, while large occupancies
    mostly agree with a smaller one. Keys are as good in any order.
    """

    occupancies: Words
    attacks: Words


@lru_cache(maxsize=256)
def all_occupancies(about: Subject) -> AllOccupancies:
    """The words of what a cell is about."""
    words = np.array(about.words, dtype=np.uint64)
    order = np.argsort(np.bitwise_count(words), kind="stable")
    return AllOccupancies(words[order], np.array(about.values, dtype=np.uint64)[order])
