"""Solvers by name, each a backend that keeps what is stated, and the quick check of a candidate.

A backend is told constraints, all of them at once or pair by pair. Then it is asked for a
value of the free parameter, some of whose bits may be assumed.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from magicert.outcome import GaveUp
from magicert.valid import AllIndexes
from magicert.z3models.question import Pair, Question


@dataclass(frozen=True, slots=True)
class Model:
    """A value of the free parameter that satisfies everything stated."""

    magic: int


@dataclass(frozen=True, slots=True)
class Refuted:
    """No value satisfies what is stated and assumed."""


Answer = Model | Refuted | GaveUp


class Backend(Protocol):
    """A solver with a question's constraints in it."""

    def state_validity(self, encoding: str) -> None:
        """State validity as a whole, in one of the encodings that the backend knows."""

    def state_apart(self, pair: Pair) -> None:
        """State that two occupancies differ in their index; for a pair (i, i), that the
        index of occupancy i is at most the largest.
        """

    def exclude(self, magic: int) -> None:
        """State that the value is not this one."""

    def solve(self, ones: int = 0, zeros: int = 0, conflicts: int | None = None) -> Answer:
        """A value, assuming that its bits `ones` are 1 and its bits `zeros` are 0.

        Gives up after about so many conflicts, if told how many.
        """

    @property
    def conflicts(self) -> int:
        """Conflicts that the solver has met since it began."""


class Solver(Protocol):
    """A solver's module."""

    def version(self, name: str) -> str:
        """The solver's name and version, for the evidence."""

    def backend(self, name: str, question: Question, live: int, **stating: Any) -> Backend:  # noqa: ANN401
        """An empty backend. `live` is the set of the magic's bits that matter; `stating` is how
        the engine wants constraints to be stated.
        """


# The quick check of a candidate: which pairs of occupancies conflict under this magic?
#
# An interpretation by numpy over all occupancies of a question at once. It decides nothing: what
# it lets pass is checked once more by the plain interpretation before anybody sees it.


class Candidates:
    """Checks magics against all occupancies of one question."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.place = {occupancy: i for i, occupancy in enumerate(question.occupancies)}
        self.indexes = AllIndexes(
            question.formula,
            question.free,
            question.values,
            question.occupancies,
            question.attacks,
            question.largest_index,
        )

    def conflicts(self, magic: int) -> list[Pair]:
        """Pairs of places that conflict, as in `AllIndexes.conflicts`."""
        return self.indexes.conflicts(magic)

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


# Solvers by name. A new solver is a module like these and a line here.

SMT = {"z3": "z3_solver", "bitwuzla": "bitwuzla_solver"}
"""Solvers of bit-vector formulas, by the module that speaks to them."""

SAT = dict.fromkeys(
    ("glucose42", "cadical195", "cadical153", "glucose4", "minicard", "minisat22"), "sat_solver"
)
"""Solvers of clauses. These are python-sat's that count conflicts."""


def solver(name: str) -> Solver:
    """The solver's module. Raises ImportError where its library is not installed."""
    module: Any = import_module(f"magicert.z3models.solvers.{(SMT | SAT)[name]}")
    return module
