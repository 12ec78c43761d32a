"""The quick check of a candidate: which pairs of occupancies conflict under this magic?

A reading by numpy over all occupancies of a question at once. It decides nothing: what
it lets pass is checked once more by the plain reading before anybody sees it.
"""

import numpy as np
from numpy.typing import NDArray

from magicert.formula.numpy_reading import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.z3models.question import Pair, Question

Words = NDArray[np.uint64]


class Candidates:
    """Checks magics against all occupancies of one question."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.attacks = np.array(question.attacks)
        self.place = {occupancy: i for i, occupancy in enumerate(question.occupancies)}
        self.values = {
            OCCUPANCY: np.array([question.occupancies], dtype=np.uint64),
            **{name: np.array([[v]], dtype=np.uint64) for name, v in question.values.items()},
        }

    def indexes(self, magic: int) -> Words:
        """The index of every occupancy, uint64 (occupancies,)."""
        values = {**self.values, self.question.free: np.array([[magic]], dtype=np.uint64)}
        read = evaluate(self.question.formula.tree, values, self.question.formula.text)
        return np.broadcast_to(read.ravel().astype(np.uint64), self.attacks.shape)

    def conflicts(self, magic: int) -> list[Pair]:
        """Pairs of places that conflict, at most one for each two neighbours in the order
        of (index, attack set); (place, place) where an index is too large. Empty exactly
        for a valid magic.
        """
        indexes = self.indexes(magic)
        too_large = np.flatnonzero(indexes > np.uint64(self.question.largest_index))
        order = np.lexsort((self.attacks, indexes))
        same_bucket = np.diff(indexes[order].view(np.int64)) == 0
        other_set = np.diff(self.attacks[order]) != 0
        at = np.flatnonzero(same_bucket & other_set)
        pairs = [(int(order[i]), int(order[i + 1])) for i in at]
        return [(int(place), int(place)) for place in too_large] + pairs

    def disjoint(self, pair: Pair, magic: int) -> Pair:
        """The pair without what its occupancies share, if that conflicts as well.

        Smaller occupancies mean shorter sums, and rule out more magics.
        """
        a, b = (self.question.occupancies[place] for place in pair)
        x, y = self.place.get(a & ~b), self.place.get(b & ~a)
        if x is None or y is None or self.attacks[x] == self.attacks[y]:
            return pair
        same = self.question.index(magic, a & ~b) == self.question.index(magic, b & ~a)
        return (min(x, y), max(x, y)) if same else pair

    def squares(self, pair: Pair) -> int:
        """How many squares the two occupancies have between them."""
        a, b = (self.question.occupancies[place] for place in pair)
        return (a | b).bit_count()
