"""SAT solvers of python-sat (CaDiCaL, Glucose, ...) on the clauses of `clauses`.

Glucose looks at a budget of conflicts only when it restarts, so it may use thousands more.
"""

from importlib import metadata
from typing import Any

from pysat.solvers import Solver

from magicert.outcome import GaveUp
from magicert.z3models.interpretations.circuit import FALSE, Clauses, validity
from magicert.z3models.question import Pair, Question
from magicert.z3models.solvers.backend import Answer, Model, Refuted


def version(name: str) -> str:
    """The solver's name and python-sat's version."""
    return f"{name} (python-sat {metadata.version('python-sat')})"


def backend(name: str, question: Question, live: int) -> "SatBackend":
    """An empty backend of the solver."""
    return SatBackend(question, live, name)


class SatBackend:
    """One SAT solver, incrementally."""

    def __init__(self, question: Question, live: int, solver: str) -> None:
        self.question = question
        self.clauses = Clauses(question, live)
        self.solver: Any = Solver(name=solver)

    def state_validity(self, encoding: str) -> None:
        """All occupancies, by "table" or "pairwise"."""
        for clause in validity(self.clauses, encoding):
            self.solver.add_clause(clause)

    def state_apart(self, pair: Pair) -> None:
        first, second = pair
        clauses = self.clauses.within(first) if first == second else self.clauses.apart(pair)
        for clause in clauses:
            self.solver.add_clause(clause)

    def exclude(self, magic: int) -> None:
        self.solver.add_clause(self.clauses.exclusion(magic))

    def solve(self, ones: int = 0, zeros: int = 0, conflicts: int | None = None) -> Answer:
        """Solve under the assumed bits."""
        assumed = [
            literal if ones >> place & 1 else -literal
            for place, literal in enumerate(self.clauses.magic)
            if (ones | zeros) >> place & 1 and literal != FALSE
        ]
        if conflicts is None:
            satisfied = self.solver.solve(assumptions=assumed)
        else:
            self.solver.conf_budget(conflicts)
            satisfied = self.solver.solve_limited(assumptions=assumed)
        if satisfied is None:
            return GaveUp(f"{conflicts:,} conflicts")
        return Model(self.clauses.value(self.solver.get_model())) if satisfied else Refuted()

    @property
    def conflicts(self) -> int:
        return int(self.solver.accum_stats()["conflicts"])
