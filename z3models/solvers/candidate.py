"""The quick check of a candidate: which pairs of occupancies conflict under this magic?

A reading by numpy over all occupancies of a question at once. It decides nothing: what
it lets pass is checked once more by the plain reading before anybody sees it.
"""

from magicert.valid import AllIndexes
from magicert.z3models.question import Pair, Question


class Candidates:
    """Checks magics against all occupancies of one question."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.place = {occupancy: i for i, occupancy in enumerate(question.occupancies)}
        self.all = AllIndexes(
            question.formula,
            question.free,
            question.values,
            question.occupancies,
            question.attacks,
            question.largest_index,
        )

    def conflicts(self, magic: int) -> list[Pair]:
        """Pairs of places that conflict, as in `AllIndexes.conflicts`."""
        return self.all.conflicts(magic)

    def disjoint(self, pair: Pair, magic: int) -> Pair:
        """The pair without what its occupancies share, if that conflicts as well.

        Smaller occupancies mean shorter sums, and rule out more magics.
        """
        a, b = (self.question.occupancies[place] for place in pair)
        x, y = self.place.get(a & ~b), self.place.get(b & ~a)
        if x is None or y is None or self.question.attacks[x] == self.question.attacks[y]:
            return pair
        same = self.question.index(magic, a & ~b) == self.question.index(magic, b & ~a)
        return (min(x, y), max(x, y)) if same else pair

    def squares(self, pair: Pair) -> int:
        """How many squares the two occupancies have between them."""
        a, b = (self.question.occupancies[place] for place in pair)
        return (a | b).bit_count()
