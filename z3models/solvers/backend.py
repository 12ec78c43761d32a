"""Backends: a solver with what is stated about the unknown magic so far.

A backend is told constraints, all of them at once or pair by pair. Then it is asked for a
value of the free parameter, some of whose bits may be assumed.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from magicert.outcome import GaveUp
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

    def state_everything(self, encoding: str) -> None:
        """State validity as a whole, in one of the encodings that the backend knows."""

    def state_apart(self, pair: Pair) -> None:
        """State that two occupancies differ in their index; for a pair (i, i), that the
        index of occupancy i is at most the largest.
        """

    def exclude(self, magic: int) -> None:
        """State that the value is not this one."""

    def ask(self, ones: int = 0, zeros: int = 0, conflicts: int | None = None) -> Answer:
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
