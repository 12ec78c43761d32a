"""One tree of guesses over the bits of a magic."""

import numpy as np

from magicert.search.finders.all_occupancies import Words
from magicert.search.guessing.kernel import (
    CUT,
    KNOWN,
    LEVEL,
    NODES,
    PENDING,
    STATUS,
    TESTS,
    VALUE,
    descend,
)
from magicert.search.guessing.pattern import NONE, Pattern

ORDERS = ("low", "high", "constrained")
"""Guess the lowest unknown bit next, the highest, or the one that decides most."""

U = np.uint64


class GuessTree:
    """One tree of guesses: its state, its stack, and the tables that cut it."""

    def __init__(
        self,
        pattern: Pattern,
        order: str,
        pairs: Words = NONE,
        triples: Words = NONE,
    ) -> None:
        self.pattern = pattern
        self.state = np.zeros(8, dtype=U)
        self.stack = np.zeros(3 * 65, dtype=U)
        self.table = pattern.table()
        self.order = U(ORDERS.index(order))
        self.pairs, self.triples = pairs, triples

    def run(self, tests: int) -> int:
        """Guess on, for about so many tests; the status."""
        descend(
            *self.pattern.arguments(),
            self.order,
            self.pairs,
            self.triples,
            self.state,
            self.stack,
            self.state[TESTS] + U(tests),
            self.table,
        )
        return int(self.state[STATUS])

    def retreat(self) -> bool:
        """Leave a magic that was found; False if nothing is left behind it."""
        pending = int(self.state[PENDING])
        if not pending:
            return False
        self.state[PENDING] = U(pending - 1)
        at = 3 * (pending - 1)
        self.state[KNOWN], self.state[VALUE], self.state[LEVEL] = self.stack[at : at + 3]
        return True

    @property
    def tests(self) -> int:
        """Children tested so far."""
        return int(self.state[TESTS])

    def share(self) -> float:
        """The share of the tree that is done, a guess counting as a half."""
        levels = self.stack[2 : 3 * int(self.state[PENDING]) : 3].tolist()
        return 1.0 - sum(2.0**-level for level in [*levels, int(self.state[LEVEL])])

    def figures(self) -> dict[str, float | int | str]:
        """Children tested, guesses, and children cut by a table."""
        state = self.state
        figures = {"tests": int(state[TESTS]), "guesses": int(state[NODES])}
        return {**figures, **({"cut": int(state[CUT])} if len(self.pairs) else {})}
