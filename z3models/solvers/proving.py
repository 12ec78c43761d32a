"""Refuting clauses with a proof: a SAT solver of python-sat, in a process of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import takewhile
from typing import Any

from magicert.outcome import Observer, Outcome
from magicert.z3models.solvers.child import Budget, ChildObserver, supervise

PROVERS = ("maplecm", "glucose4", "glucose3")
"""Solvers of python-sat that write proofs; the first one mostly writes the shortest."""

Clause = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RefutationTask:
    """What is to be refuted, and by whom."""

    clauses: Sequence[Clause]
    solver: str = PROVERS[0]

    @property
    def solver_name(self) -> str:
        return f"{self.solver} (python-sat {version('python-sat')})"


@dataclass(frozen=True, slots=True)
class Refutation:
    """The clauses that the solver learned, in order, up to the empty one."""

    steps: Sequence[Clause]


@dataclass(frozen=True, slots=True)
class Satisfied:
    """The clauses do not contradict each other: the literals that are true."""

    literals: frozenset[int]


def refute(
    task: RefutationTask, observer: Observer, budget: Budget
) -> Refutation | Satisfied | Outcome:
    """Refute the clauses, or satisfy them; UNKNOWN where the budget ends first."""
    return supervise(work, task, observer, budget)


def work(task: RefutationTask, report: ChildObserver) -> Refutation | Satisfied:
    """What that process does."""
    from pysat.solvers import Solver

    report.progress(0, None, f"of a proof: {task.solver} is solving")
    solver: Any = Solver(name=task.solver, bootstrap_with=task.clauses, with_proof=True)
    if solver.solve():
        return Satisfied(frozenset(literal for literal in solver.get_model() if literal > 0))
    # Lines that begin with d forget a clause; a checker need not.
    lines = (line for line in solver.get_proof() if not line.startswith("d"))
    learned = (tuple(map(int, line.split()[:-1])) for line in lines)
    # A contradiction that was there before the search is not written down.
    return Refutation([*takewhile(len, learned), ()])
