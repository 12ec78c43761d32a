"""The engine "z3": Z3, or Bitwuzla on the formulas that Z3 writes."""

from magicert.engine import Observer, Option, Request
from magicert.outcome import Outcome
from z3models import method
from z3models.backend import Backend
from z3models.child import Report, supervise
from z3models.encodings import ENCODINGS, LOGIC
from z3models.period import live_bits
from z3models.question import Question
from z3models.z3_backend import BitwuzlaBackend, Z3Backend, require_z3, version

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
