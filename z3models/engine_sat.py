"""The engine "sat": CaDiCaL, Glucose and their kin, through python-sat.

It shares neither code nor solver with the engine "z3".
"""

from importlib.metadata import version

from magicert.engine import Observer, Option, Request
from magicert.outcome import Outcome
from magicert.z3models.methods import method
from magicert.z3models.question import Question
from magicert.z3models.readings.wiring import wired_bits
from magicert.z3models.solvers.backend import Backend
from magicert.z3models.solvers.child import Report, supervise
from magicert.z3models.solvers.sat import SOLVERS, SatBackend

OPTIONS: tuple[Option, ...] = (
    Option("encoding", "table", "how validity is stated", choices=("table", "pairwise")),
    Option("solver", "auto", "who solves it", choices=("auto", *SOLVERS)),
    *method.OPTIONS,
)


def solve(request: Request, observer: Observer) -> Outcome:
    """Answer a cell, in processes of their own."""
    request.cell.check()
    shares = 1 if method.method_of(request) == "direct" else request.workers
    return supervise(work, request, observer, shares)


def work(request: Request, report: Report) -> Outcome:
    """What one of those processes does."""
    name = str(request.options["solver"])
    if name == "auto":
        # Many short questions want a solver that makes little of each (docs/models.md).
        name = "minicard" if method.method_of(request) == "refine" else "glucose42"

    def backend(question: Question, live: int) -> Backend:
        return SatBackend(question, live, name)

    solver = f"{name} (python-sat {version('python-sat')})"
    return method.answer(request, report, solver, wired_bits, backend)
