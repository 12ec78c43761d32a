"""The engine "window": the window search behind `magicert find` and `magicert disprove`."""

import tempfile
import time
from concurrent.futures import Executor
from contextlib import ExitStack
from pathlib import Path

from magicert.cell import Cell
from magicert.engine import Observer, Option, Request
from magicert.outcome import Exists, Impossible, Outcome, Unknown
from magicert.problem import InputError, Problem
from magicert.search.chain.chain import check_plan
from magicert.search.kernel import descent as kernel
from magicert.search.ledger.cluster import cluster_executor
from magicert.search.ledger.ledger import Ledger, Summary
from magicert.search.ledger.settle import FoundOne, settle
from magicert.search.problem.plan import Plan
from magicert.search.problem.terms import terms_of
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.planner import Estimate, choose_plan
from magicert.search.shards.shard import Work, level_for
from magicert.system.compiled import is_compiled
from magicert.valid import invalid

OPTIONS = (
    Option("ledger", "", "file that keeps every finished shard; a rerun resumes"),
    Option("certificate", "", "write the cover certificate here (.cover, or .cover.xz)"),
    Option("record", False, "hash the leaf stream of every shard; needed for certificates"),
    Option("plan", "", "the plan to follow; chosen by sampling if not given"),
    Option("planning", 10.0, "seconds for choosing a plan", least=0.0, most=3600.0),
    Option("shards", 0, "least number of shards; 0: by the estimate", least=0, most=4096),
    Option("cluster", "", "address of a Dask scheduler, tcp://..."),
)
MOST_MAGICS = 10_000
SHARD_SECONDS = 2.0
LONG = 60.0


def solve(request: Request, observer: Observer) -> Outcome:
    """Run the cell's shards. Every magic reported is verified exhaustively first."""
    options, cell = request.options, request.cell
    deadline = None if request.seconds is None else time.monotonic() + request.seconds
    if not options["cluster"] and not is_compiled(kernel.search):
        observer.say("compiling the search: about half a minute, usually only once")
    with ExitStack() as stack:
        path = options["ledger"]
        if not path:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="magicert-"))
            path = f"{folder}/ledger.db"
        ledger = stack.enter_context(Ledger(path))
        work = ledger.find(cell)
        if work is None:
            # Another process may have entered it meanwhile: the ledger's work counts.
            ledger.add(*plan_work(request, observer))
            work = ledger.find(cell)
            assert work is not None
        else:
            observer.say(f"resuming {ledger.summary(cell).done} of {work.shards} shards")
        executor: Executor | None = None
        workers = request.workers
        if options["cluster"]:
            executor, workers = stack.enter_context(cluster_executor(options["cluster"]))
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            summary = settle(
                ledger, work, observer, workers=workers, executor=executor, seconds=left,
                first_only=not request.everything and not options["certificate"],
            )  # fmt: skip
        except FoundOne as found:
            summary = ledger.summary(cell)
            progress = _progress(summary) if request.everything else ""
            magics = _verified(cell, [found.magic])
            return Exists(magics, figures=_figures(summary), progress=progress)
        certificate = ""
        if summary.finished and options["certificate"]:
            certificate = options["certificate"]
            write_certificate(Path(certificate), work, ledger.results(cell))
        return outcome_of(request, summary, certificate)


def plan_work(request: Request, observer: Observer) -> tuple[Work, float]:
    """The work for a new cell, and its estimate in seconds."""
    options, terms = request.options, terms_of(request.cell)
    if options["plan"]:
        try:
            plan = Plan.parse(options["plan"])
            check_plan(plan, terms)
        except ValueError as error:
            raise InputError([Problem(str(error), key="plan")]) from None
        estimate: Estimate | None = None
        seconds = 0.0
    else:
        estimate = choose_plan(terms, request.seed, options["planning"], observer.say)
        observer.say(f"estimate: {estimate}")
        if estimate.seconds > LONG and not options["ledger"]:
            observer.say("nothing is kept of an interrupted run: --ledger FILE keeps its shards")
        plan, seconds = estimate.plan, estimate.seconds
    shards = options["shards"] or max(request.workers * 4.0, seconds / SHARD_SECONDS)
    if seconds < SHARD_SECONDS and request.workers == 1:
        shards = options["shards"] or 1
    record = bool(options["record"] or options["certificate"])
    return Work(request.cell, plan, level_for(plan, shards), record), seconds


def outcome_of(request: Request, summary: Summary, certificate: str = "") -> Outcome:
    """What a summary of shards says about the cell that was asked about."""
    figures = _figures(summary)
    if summary.magic_count:
        magics: list[int] = []
        for low, high in summary.magics:
            magics += range(low, min(high, low + MOST_MAGICS - len(magics)) + 1)
            if len(magics) >= MOST_MAGICS:
                break
        del magics[MOST_MAGICS:]
        complete = summary.finished and len(magics) == summary.magic_count
        progress = _progress(summary) if request.everything and not complete else ""
        return Exists(_verified(request.cell, magics), complete, figures, progress)
    if summary.finished:
        argument = f"the search covered all {summary.shards:,} shards of the LCM period"
        return Impossible(argument, certificate, figures)
    reason = "others are at work on the rest" if request.seconds is None else "out of time"
    return Unknown(reason, _progress(summary), figures)


def _progress(summary: Summary) -> str:
    """How far a search for everything came."""
    if summary.finished:
        return f"{summary.magic_count:,} were counted, and these are the first"
    return f"{summary.done:,} of {summary.shards:,} shards done"


def _verified(cell: Cell, magics: list[int]) -> tuple[int, ...]:
    """The magics, after an exhaustive check of all of them."""
    wrong = invalid(cell, magics)
    if wrong:
        raise AssertionError(f"{cell}: {wrong[0]:#x} was found, but is no magic")
    return tuple(magics)


def _figures(summary: Summary) -> dict[str, float | int | str]:
    figures: dict[str, float | int | str] = {
        "tests": summary.counts.tests,
        "nodes": summary.counts.nodes,
        "cpu": summary.seconds,
    }
    if summary.leaves:
        figures["leaves"] = summary.leaves
    if summary.magic_count:
        figures["magics"] = summary.magic_count
    return figures
