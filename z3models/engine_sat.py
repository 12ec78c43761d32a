"""The engine "sat": CaDiCaL, Glucose and their kin, through python-sat.

It shares neither code nor solver with the engine "z3".
"""

from magicert.engine import EngineOption, EngineRequest, Observer
from magicert.outcome import Outcome
from magicert.z3models.methods import method
from magicert.z3models.readings.wiring import wired_bits
from magicert.z3models.solvers.child import ChildObserver
from magicert.z3models.solvers.registry import SAT

OPTIONS: tuple[EngineOption, ...] = (
    EngineOption("encoding", "table", "How validity is stated.", choices=("table", "pairwise")),
    EngineOption("solver", "auto", "Which solver works.", choices=("auto", *SAT)),
    *method.OPTIONS,
)


def solve(request: EngineRequest, observer: Observer) -> Outcome:
    """Answer a cell, in processes of their own."""
    return method.solve(work, request, observer)


def work(request: EngineRequest, report: ChildObserver) -> Outcome:
    """What one of those processes does."""
    name = str(request.options["solver"])
    if name == "auto":
        # Many short questions want a solver that makes little of each (docs/models.md).
        name = "minicard" if method.method_of(request) == "refine" else "glucose42"
    return method.answer(request, report, name, wired_bits)
