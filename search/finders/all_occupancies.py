"""All occupancies of a square with their attack sets, in an order that fails soon.

A blocker hides what is beyond it and nothing else, so adding the squares of the mask one
by one doubles the list of occupancies and of attack sets alike. This is the search's own
listing: the verifier has another one, and the tests hold both against the ray walk.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD, Piece, attack_set, beyond, mask, squares_of

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
    relevant = mask(piece, square)
    occupancies = np.zeros(1, dtype=np.uint64)
    attacks = np.array([attack_set(piece, square, 0)], dtype=np.uint64)
    for blocker in squares_of(relevant):
        visible = np.uint64(~beyond(piece, square, blocker) & WORD)
        occupancies = np.concatenate([occupancies, occupancies | np.uint64(1 << blocker)])
        attacks = np.concatenate([attacks, attacks & visible])
    order = np.argsort(np.bitwise_count(occupancies), kind="stable")
    sets, numbers = np.unique(attacks[order], return_inverse=True)
    return AllOccupancies(occupancies[order], numbers.astype(np.uint64), len(sets))
