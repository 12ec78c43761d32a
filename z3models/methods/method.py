"""Methods: how an engine goes about a cell, whichever solver it has.

direct   state everything, ask once: settles c = 5 and 6
refine   counterexample-guided refinement with sparse cubes: finds, for large masks
cubes    cubes over the bits of the magic, with a ledger: disproves beyond c = 6
"""

from collections.abc import Callable
from typing import Any

from magicert.engine import EngineOption, EngineRequest, Observer
from magicert.outcome import Outcome
from magicert.problem import InputError, Problem
from magicert.z3models.methods.cubes import Cutting, conquer
from magicert.z3models.methods.refine import Sparsity, refine
from magicert.z3models.methods.settle import pigeonhole, settle
from magicert.z3models.question import Question, question_of
from magicert.z3models.solvers.child import ChildObserver, supervise
from magicert.z3models.solvers.registry import solver

DIRECT = 1 << 12
"""Occupancies times slots up to which `auto` states everything at once."""

OPTIONS: tuple[EngineOption, ...] = (
    EngineOption(
        "method", "auto", "All at once (direct), step by step (refine), or cube by cube.",
        choices=("auto", "direct", "refine", "cubes"),
    ),
    EngineOption("period", True, "Set to 0 the bits of the magic that change no index."),
    EngineOption("free", Sparsity.free, "refine: unknown bits of a candidate.", 1, 64),
    EngineOption("pairs", Sparsity.pairs, "refine: pairs stated for each candidate.", 1, 1 << 16),
    EngineOption(
        "patience", Sparsity.conflicts, "refine: conflicts until a call gives up.", 1, 1 << 30),
    EngineOption("depth", Cutting.depth, "cubes: bits that are fixed at first.", 0, 24),
    EngineOption(
        "conflicts", Cutting.conflicts, "cubes: conflicts until one is split.", 1, 1 << 30),
    EngineOption(
        "order", Cutting.order, "cubes: bits that are fixed first.", choices=("high", "low")),
    EngineOption("ledger", "", "cubes: the file that keeps what is settled."),
)  # fmt: skip


def method_of(request: EngineRequest) -> str:
    """The method that the request names, or the one that suits its cell."""
    wanted = str(request.options["method"])
    cell = request.cell
    if request.everything and wanted in ("refine", "cubes"):
        message = "yields one magic: --all needs method=direct"
        raise InputError([Problem(message, key=f"method {wanted}")])
    if wanted != "auto":
        return wanted
    if request.everything or (len(cell.words) << cell.bits) <= DIRECT:
        return "direct"
    return "refine" if cell.bits >= cell.about.usual_bits else "cubes"


def solve(
    work: Callable[[EngineRequest, ChildObserver], Outcome],
    request: EngineRequest,
    observer: Observer,
) -> Outcome:
    """Answer a request by `work`, in one process, or in several that share cubes or luck."""
    request.cell.check()
    shares = 1 if method_of(request) == "direct" else request.workers
    return supervise(work, request, observer, shares)


def answer(
    request: EngineRequest,
    report: ChildObserver,
    name: str,
    live_bits: Callable[[Question], int],
    **stating: Any,  # noqa: ANN401
) -> Outcome:
    """Answer a request by its method and the solver of that name, in this process.

    `stating` is how the solver is to state constraints.
    """
    options: dict[str, Any] = dict(request.options)
    question = question_of(request.cell)
    impossible = pigeonhole(question)
    if impossible is not None:
        return impossible
    report.progress(0, None, "of anything settled: stating the constraints")
    live = live_bits(question) if options["period"] else question.free_bits
    backend = solver(name).backend(name, question, live, **stating)
    version = solver(name).version(name)
    encoding = str(options["encoding"])
    match method_of(request):
        case "direct":
            argument = f"refuted by {version} (encoding {encoding})"
            return settle(
                question, backend, encoding, report,
                argument=argument, everything=request.everything,
            )  # fmt: skip
        case "refine":
            sparsity = Sparsity(options["free"], options["patience"], options["pairs"])
            return refine(question, backend, live, sparsity, request.seed + report.share, report)
    cutting = Cutting(options["depth"], options["conflicts"], options["order"], options["ledger"])
    return conquer(question, backend, encoding, live, cutting, version, report)
