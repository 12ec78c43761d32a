"""The engine "z3": Z3, or Bitwuzla on the formulas that Z3 writes."""

from magicert.engine import Observer, Option, Request
from magicert.outcome import Outcome
from magicert.z3models.lemmas.period import live_bits
from magicert.z3models.methods import method
from magicert.z3models.question import Question
from magicert.z3models.solvers.backend import Backend
from magicert.z3models.solvers.child import Report, supervise
from magicert.z3models.solvers.encodings import ENCODINGS, LOGIC
from magicert.z3models.solvers.z3_solver import BitwuzlaBackend, Z3Backend, require_z3, version

OPTIONS: tuple[Option, ...] = (
    Option("encoding", "table", "how validity is stated", choices=tuple(ENCODINGS)),
    Option("products", "shift-add", "how products are written", choices=("shift-add", "multiply")),
    Option("solver", "z3", "who solves it", choices=("z3", "bitwuzla")),
    *method.OPTIONS,
)


def solve(request: Request, observer: Observer) -> Outcome:
    """Answer a cell, in processes of their own."""
    require_z3()
    request.cell.check()
    shares = 1 if method.method_of(request) == "direct" else request.workers
    return supervise(work, request, observer, shares)


def work(request: Request, report: Report) -> Outcome:
    """What one of those processes does."""
    options = request.options
    name = str(options["solver"])

    def backend(question: Question, live: int) -> Backend:
        kind = Z3Backend if name == "z3" else BitwuzlaBackend
        shift_add = options["products"] == "shift-add"
        return kind(question, live, logic=LOGIC[options["encoding"]], shift_add=shift_add)

    return method.answer(request, report, version(name), live_bits, backend)
