"""The engine "sat": CaDiCaL, Glucose and their kin, through python-sat.

It shares neither code nor solver with the engine "z3".
"""

from magicert.engine import EngineOption, EngineRequest
from magicert.outcome import Observer, Outcome
from magicert.z3models import methods
from magicert.z3models.interpretations.circuit import wired_bits
from magicert.z3models.solvers.backend import SAT
from magicert.z3models.solvers.child import ChildObserver

OPTIONS: tuple[EngineOption, ...] = (
    EngineOption("encoding", "table", "How validity is stated.", choices=("table", "pairwise")),
    EngineOption("solver", "auto", "Which solver works.", choices=("auto", *SAT)),
    *methods.OPTIONS,
)


def solve(request: EngineRequest, observer: Observer) -> Outcome:
    """Answer a cell, in processes of their own."""
    return methods.solve(work, request, observer)


def work(request: EngineRequest, report: ChildObserver) -> Outcome:
    """What one of those processes does."""
    name = str(request.options["solver"])
    if name == "auto":
        # Many short questions want a solver that makes little of each (z3models/README.md).
        name = "minicard" if methods.method_of(request) == "refine" else "glucose42"
    return methods.run_method(request, report, name, wired_bits)
