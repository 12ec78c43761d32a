"""The engine "window": whether a cell has a magic, by ruling out or finding every number m.

`solve` takes a cell's work from the ledger, or plans it: windows, low bits first, or counting
slots, whichever is estimated to be cheapest. It has the shards searched, adds them up, and draws
the outcome. Each magic is tried on all occupancies before it is reported.

When: `--engine window`; without an engine where magics are rare or a proof is wanted.

Why: it ends, also where there is no magic, and with `-O certificate=FILE` it writes leaves that
`verify/cover` checks without any of this code. Solvers (`z3models`) need far longer on all but
small cells, and write no such certificate.

Cost: from 0.02 s (bishop d1, 4 bits) over 760 s (rook b2, 9 bits) to 7.6 hours (rook h1, 11 bits).
Estimates are within a factor of 2 of the truth, as a rule; far too low where a few prefixes of m
hold most of the tree. A sample settles nothing. The page is docs/window-search.md.
"""

import random
import tempfile
from concurrent.futures import Executor
from contextlib import ExitStack
from pathlib import Path
from threading import TIMEOUT_MAX

import numpy as np

from magicert.engine import EngineOption, EngineRequest
from magicert.known_magics import ContradictedError
from magicert.outcome import Evidence, Exists, Impossible, Observer, Outcome, Unknown, say_verbose
from magicert.problem import InputError, Problem
from magicert.search.chain.chain import check_plan
from magicert.search.kernel import descent as kernel
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import (
    MagicFound,
    cluster_executor,
    find_work,
    refuse_wrong_magics,
    replay,
    settle,
    verified,
)
from magicert.search.ledger.summary import Summary
from magicert.search.low.descent import begin_low, probe_low
from magicert.search.low.node import low_task, new_low_state
from magicert.search.planning import choose_plan, sample
from magicert.search.problem import (
    AnyPlan,
    Plan,
    SlotPlan,
    Terms,
    is_mirrored,
    low_plan,
    mirrored,
    parse_plan,
    slot_plan,
    terms,
    terms_of,
)
from magicert.search.shards.certificate import open_leaf_file, write_certificate, write_leaves
from magicert.search.shards.shard import Work, level_for, run_shard
from magicert.search.slots.count import can_count
from magicert.system.compiled import is_compiled
from magicert.system.deadline import FOREVER, BudgetOverError, Deadline
from magicert.system.processes import process_pool

OPTIONS = (
    EngineOption("ledger", "", "file that keeps what is done; a rerun resumes, inside a shard too"),
    EngineOption("certificate", "", "write the cover certificate here (.cover, or .cover.xz)"),
    EngineOption(
        "leaves", "", "write all leaves here for magicert-proved, shard by shard; - is a pipe"
    ),
    EngineOption("record", False, "hash the leaf stream of every shard; needed for certificates"),
    EngineOption(
        "digests",
        False,
        "count the survivors of each shard's chain again, as always for a "
        "certificate; twice the time",
    ),
    EngineOption("replay", 0, "do N random shards that the ledger has again, and compare", least=0),
    EngineOption("plan", "", "the plan to follow; chosen by sampling if not given"),
    EngineOption("planning", 10.0, "seconds for choosing a plan", least=0.0, most=3600.0),
    EngineOption("shards", 0, "least number of shards; 0: by the estimate", least=0, most=4096),
    EngineOption("cluster", "", "address of a Dask scheduler, tcp://..."),
)
MOST_MAGICS = 10_000
SHARD_SECONDS = 2.0
"""Aim of a shard's length."""
LONG_SECONDS = 60.0
"""From this estimate on a search without a ledger is warned of."""
TRIAL_SHARDS, TRIAL_SHARE, TRIAL_SECONDS = 2, 0.005, 90.0
"""Of the plan that counts slots, and the part of the time for windows that this may take, or the
seconds.
"""
OUT_OF_TIME, INTERRUPTED = "out of time", "interrupted"


def solve(request: EngineRequest, observer: Observer) -> Outcome:
    """Run the cell's shards. Every magic reported is verified exhaustively first.

    `request.seconds` holds for all of it: compiling, choosing a plan, and the shards. Raises
    InputError for a ledger that cannot be used, or whose rows a known magic contradicts.
    """
    try:
        return _solve(request, observer)
    except ContradictedError as error:
        if request.options["ledger"]:
            raise
        return Unknown(
            f"the search is wrong, which is a bug of magicert: {error.problems[0].message}"
        )


def _solve(request: EngineRequest, observer: Observer) -> Outcome:
    options, cell = request.options, request.cell
    deadline = Deadline.after(request.seconds)
    with ExitStack() as stack:
        path = options["ledger"]
        if not path:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="magicert-"))
            path = f"{folder}/ledger.db"
        ledger = stack.enter_context(Ledger(path))
        executor: Executor | None = None
        workers = request.workers
        if options["cluster"]:
            executor, workers = stack.enter_context(cluster_executor(options["cluster"]))
        try:
            if not options["cluster"]:
                compile_search(observer, deadline)
            work = _work(ledger, request, observer, deadline)
            replayed = replay(ledger, work, options["replay"], observer, deadline)
            if options["replay"]:
                observer.say(f"{replayed:,} shards of the ledger were done again, and are the same")
        except BudgetOverError:
            return Unknown(OUT_OF_TIME, "no shard was begun")
        except KeyboardInterrupt:
            return Unknown(INTERRUPTED, "no shard was begun")
        reason = ""
        if isinstance(work.plan, SlotPlan):
            can_count()  # compiled here, once for all workers
        try:
            summary = settle(
                ledger, work, observer, workers=workers, executor=executor,
                deadline=deadline, digests=options["digests"] or bool(options["certificate"]),
                first_only=not (request.everything or options["certificate"] or options["leaves"]),
            )  # fmt: skip
        except MagicFound as early:
            summary = ledger.summary(cell)
            progress = _progress(summary) if request.everything else ""
            magics = verified(cell, [early.magic])
            return Exists(magics, figures=_figures(summary), progress=progress)
        except KeyboardInterrupt:
            summary, reason = ledger.summary(cell), INTERRUPTED
        certificate = ""
        evidence = Evidence.HASHES if work.record else Evidence.COUNTS
        if summary.finished and options["certificate"]:
            certificate = options["certificate"]
            if write_certificate(Path(certificate), work, ledger.results(cell)):
                evidence = Evidence.LEAVES
        refuse_wrong_magics(ledger, cell, first_magics(summary))
        if summary.finished and options["leaves"]:
            with open_leaf_file(options["leaves"]) as out:
                write_leaves(out, work, ledger.results(cell), observer.progress)
        return outcome_of(request, summary, certificate, evidence, reason)


def needs_compiling() -> bool:
    """Whether the kernels have yet to be compiled."""
    return not all(map(is_compiled, (kernel.search, kernel.probe, begin_low, probe_low)))


def compile_search(observer: Observer, deadline: Deadline) -> None:
    """Have the kernels compiled; BudgetOverError if that takes too long. A compiler cannot be
    stopped, and loses a Ctrl-C: it gets a process of its own; the cache has what it compiles.
    """
    if not needs_compiling():
        return
    observer.say("compiling the search: about a minute, usually only once")
    with process_pool(1) as pool:
        try:
            pool.submit(compile_by_sampling).result(min(deadline.left, TIMEOUT_MAX))
        except TimeoutError:
            raise BudgetOverError from None


def compile_by_sampling() -> None:
    """Sample a cell of four occupancies, which compiles everything that a search needs."""
    toy = terms([0, 1 << 60, 1 << 62, 5 << 60], [0, 1, 2, 3], 2)
    sample(toy, Plan(4, ("d2", "d2"), 4, 1), 4, 1)
    low = low_task(toy, low_plan(toy), 0)
    begin_low(low, new_low_state(toy, low), np.uint64(0))
    sample(toy, low_plan(toy), 4, 1)


def _work(ledger: Ledger, request: EngineRequest, observer: Observer, deadline: Deadline) -> Work:
    """The work that the ledger has for the cell, or after planning what it then has."""
    work = find_work(ledger, request.cell, observer)
    if work is not None:
        observer.say(f"resuming {ledger.summary(request.cell).done} of {work.shards} shards")
        if is_mirrored(work.plan) and request.options["digests"]:
            say_verbose(observer)("no digests: the ledger's plan takes m and ~m together")
        return work
    # Another process may enter the cell meanwhile: the ledger's work counts.
    ledger.add(*plan_work(request, observer, deadline))
    work = ledger.find(request.cell)
    assert work is not None
    return work


def plan_work(
    request: EngineRequest, observer: Observer, deadline: Deadline = FOREVER
) -> tuple[Work, float]:
    """The work for a new cell, and its estimate in seconds. Half of the time left is for
    planning; BudgetOverError where that is not enough for one estimate.
    """
    options, cell_terms = request.options, terms_of(request.cell)
    if options["plan"]:
        try:
            plan = parse_plan(options["plan"])
            check_plan(plan, cell_terms)
        except ValueError as error:
            raise InputError([Problem(str(error), key="plan")]) from None
        seconds = 0.0
    else:
        planning_deadline = Deadline.after(deadline.left / 2)
        estimate = choose_plan(
            cell_terms, request.seed, options["planning"], say_verbose(observer), planning_deadline
        )
        say_verbose(observer)(f"by a sample: {estimate}")
        if estimate.seconds > LONG_SECONDS and not options["ledger"]:
            observer.say("an interrupted run is lost; --ledger FILE keeps what is done")
        plan, seconds = estimate.plan, estimate.seconds
    single_shard = seconds < SHARD_SECONDS and request.workers == 1
    usual_shards = 1.0 if single_shard else max(request.workers * 4.0, seconds / SHARD_SECONDS)
    shards = options["shards"] or usual_shards
    record = bool(options["record"] or options["certificate"])
    if seconds > LONG_SECONDS and not (record or options["digests"]):
        counting = _cheaper_slot_plan(request, cell_terms, seconds, observer, deadline)
        plan, seconds = counting or (_mirrored_if_possible(plan, cell_terms, observer), seconds)
    try:
        return Work(request.cell, plan, level_for(plan, shards), record), seconds
    except ValueError as error:
        raise InputError([Problem(str(error), key="plan")]) from None


def _cheaper_slot_plan(
    request: EngineRequest,
    cell_terms: Terms,
    seconds: float,
    observer: Observer,
    deadline: Deadline,
) -> tuple[AnyPlan, float] | None:
    """The plan that counts slots, and its estimate, where that takes less than so many seconds for
    windows. A few shards are tried.
    """
    plan = slot_plan(cell_terms)
    try:
        plan.check(cell_terms)
    except ValueError:
        return None
    if not can_count():
        return None
    work = Work(request.cell, plan, 1, record=False)
    numbers = random.Random(request.seed).sample(range(work.shards), TRIAL_SHARDS)
    trial_deadline = Deadline.after(min(deadline.left / 2, seconds * TRIAL_SHARE, TRIAL_SECONDS))
    estimate = 0.0
    for number in numbers:
        result = run_shard(work, number, terms=cell_terms, deadline=trial_deadline)
        estimate += result.seconds * work.shards / TRIAL_SHARDS
        if not result.finished or estimate > seconds / 2:
            return None
    verbose = say_verbose(observer)
    verbose(f"slots are counted, which takes less: about {estimate:.2g} s on one core")
    return plan, estimate


def _mirrored_if_possible(plan: AnyPlan, cell_terms: Terms, observer: Observer) -> AnyPlan:
    """The plan for half of all m, where the others are their mirror images."""
    if not isinstance(plan, Plan):
        return plan
    try:
        mirrored_plan = mirrored(plan, cell_terms)
        check_plan(mirrored_plan, cell_terms)
    except ValueError:
        return plan
    say_verbose(observer)("m and ~m are searched together, which takes less")
    return mirrored_plan


def outcome_of(
    request: EngineRequest,
    summary: Summary,
    certificate: str = "",
    evidence: Evidence = Evidence.COUNTS,
    stopped: str = "",
) -> Outcome:
    """What a summary of shards says about the cell that was asked about; why it was `stopped`."""
    figures = _figures(summary)
    if summary.magic_count:
        magics = first_magics(summary)
        complete = summary.finished and len(magics) == summary.magic_count
        progress = _progress(summary) if request.everything and not complete else ""
        return Exists(verified(request.cell, magics), complete, figures, progress)
    if summary.finished:
        shards = f"all {summary.shards:,} shards" if summary.shards > 1 else "the one shard"
        programs = ", ".join(sorted(summary.engines))
        argument = f"the search covered {shards} of the LCM period, counted by {programs}"
        return Impossible(argument, certificate, figures, evidence)
    reason = "other processes work on the rest" if request.seconds is None else OUT_OF_TIME
    resume_hint = "; the same command continues" if stopped and request.options["ledger"] else ""
    return Unknown(stopped or reason, _progress(summary) + resume_hint, figures)


def first_magics(summary: Summary) -> list[int]:
    """At most MOST_MAGICS of them."""
    magics: list[int] = []
    for low, high in summary.magics:
        magics += range(low, min(high, low + MOST_MAGICS - len(magics)) + 1)
        if len(magics) >= MOST_MAGICS:
            break
    return magics[:MOST_MAGICS]


def _progress(summary: Summary) -> str:
    """How far a search for everything came."""
    if summary.finished:
        return f"{summary.magic_count:,} were counted, and these are the first"
    begun = ""
    if summary.begun:
        share = 100 * (summary.done + summary.begun_share) / summary.shards
        begun = f", {summary.begun:,} more begun: {share:.2g}% of all m"
    return f"{summary.done:,} of {summary.shards:,} shards done{begun}"


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
