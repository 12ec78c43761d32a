"""What a lemma is about, and what is known of it in the end: one square of a table, a verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import z3

from magicert.formula import Formula

PATIENCE = 20_000
"""Milliseconds for one proof."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One square of a table: its mask in the engine's bit order and all its parameters.

    `squares` are the names of the squares by bit.
    """

    formula: Formula
    square: str
    mask: int
    parameters: Mapping[str, int]
    result: Formula | None = None
    line: int = 0
    squares: tuple[str, ...] = ()

    def hex(self, word: int) -> str:
        """A word of the board, with all its digits."""
        return f"{word:#0{self.formula.word // 4 + 2}x}"

    def named(self, bit: int) -> str:
        """A bit and its square."""
        return f"{bit} ({self.squares[bit]})" if bit < len(self.squares) else str(bit)


@dataclass(frozen=True, slots=True)
class Proved:
    """No counterexample exists."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Two readings that should agree, or one index that is too large, in words."""

    text: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """Z3 did not know in time."""

    reason: str


Verdict = Proved | Counterexample | Undecided


def model_of(claim: z3.BoolRef) -> Any:  # noqa: ANN401 (z3 has no types: a model, or a verdict)
    """A model of the negated lemma, or the verdict that there is none or that Z3 gave up."""
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", PATIENCE)
    solver.add(claim)
    result = solver.check()
    if result == z3.unsat:
        return Proved()
    return solver.model() if result == z3.sat else Undecided(solver.reason_unknown())


def value_of(model: z3.ModelRef, word: z3.BitVecRef) -> int:
    """What a word is in a model."""
    return int(model.eval(word, model_completion=True).as_long())
