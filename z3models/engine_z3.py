"""The engine "z3": Z3, or Bitwuzla on the formulas that Z3 writes."""

from magicert.engine import EngineOption, EngineRequest
from magicert.outcome import Observer, Outcome
from magicert.z3models import methods
from magicert.z3models.lemmas import live_bits
from magicert.z3models.solvers.backend import SMT
from magicert.z3models.solvers.child import ChildObserver
from magicert.z3models.solvers.z3_solver import ENCODINGS, LOGIC, require_z3

OPTIONS: tuple[EngineOption, ...] = (
    EngineOption("encoding", "table", "How validity is stated.", choices=tuple(ENCODINGS)),
    EngineOption(
        "products", "shift-add", "How products are written.", choices=("shift-add", "multiply")
    ),
    EngineOption("solver", "z3", "Which solver works.", choices=tuple(SMT)),
    *methods.OPTIONS,
)


def solve(request: EngineRequest, observer: Observer) -> Outcome:
    """Answer a cell, in processes of their own."""
    require_z3()
    return methods.solve(work, request, observer)


def work(request: EngineRequest, report: ChildObserver) -> Outcome:
    """What one of those processes does."""
    options = request.options
    logic, shift_add = LOGIC[options["encoding"]], options["products"] == "shift-add"
    name = str(options["solver"])
    return methods.run_method(request, report, name, live_bits, logic=logic, shift_add=shift_add)
