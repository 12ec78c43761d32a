"""Functions of a compiled module against the board, square by square."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from magicert.functions.assumptions import Beginning, order_of_sources
from magicert.functions.builds import (
    PLAIN,
    Build,
    CompiledQuestion,
    check_names,
    checked_build,
    digest,
    linked_text,
    plain_build,
    symbol_of,
    symbols_of,
)
from magicert.functions.certificate import (
    PROVED_EARLIER,
    TRUSTED,
    TRUSTED_NARROW,
    FunctionCertificate,
    FunctionReport,
    TrustedInitialiser,
)
from magicert.functions.compare.cache import Cache, folder_of_the_user
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.function_proof import CLAUSES, DRUP, SOLVERS, FunctionProof
from magicert.functions.llvm import symbol_names
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import NARROW
from magicert.functions.native import is_native
from magicert.functions.other_orders import unless_in_another_order
from magicert.functions.processes import Processes
from magicert.functions.question import FunctionQuestion, as_call
from magicert.outcome import Observer


class Listener(Observer, Protocol):
    """Whoever hears how far the work is, and keeps what was found if it is stopped."""

    def so_far(self, result: FunctionCertificate) -> None:
        """The findings so far; all other squares are not decided."""


def certify(work: CompiledQuestion, observer: Listener) -> FunctionCertificate:
    """Every function on every square. Raises InputError for what cannot be asked of them."""
    began = time.process_time()
    question = work.question
    builds = [plain_build(work)]
    plain = Module(builds[0].text)
    symbols = symbols_of(question, plain, work.plain.refused)
    if work.checked is not None:
        second = Module(linked_text(work.checked))
        checked_symbols = {
            claim: _same_in(second, claim, symbol) for claim, symbol in symbols.items()
        }
        builds.append(checked_build(work, work.checked, second, checked_symbols, plain))
        check_names(checked_symbols, symbols, plain, Module(builds[1].full_text))
    processes = Processes(question, observer)
    # A proof that shall be written has to be made.
    cache = Cache(folder_of_the_user()) if question.cached and question.proof is None else None
    ran = as_call(question.init) if question.init else "its static initialisers"
    if question.run or question.init:
        observer.say(f"running code of {question.sources[0]}: {ran}")
        processes.begin(PLAIN, builds[0].text, symbols)
    ir = {build.name: digest(build.text.encode()) for build in builds}
    guards_by_build = [processes.made_guards(build) for build in builds]
    builds = [
        b.with_guards(guards) if guards else b
        for b, guards in zip(builds, guards_by_build, strict=True)
    ]
    tables: dict[str, str] = {}
    initial: dict[str, TrustedInitialiser] = {}
    left_out = processes.left_out
    taken = dict.fromkeys(f"{name}, a file that is missing, as empty" for name in left_out)
    reports: list[FunctionReport] = []
    sources = {str(path): digest(path.read_bytes()) for path in question.sources}

    def certificate_of(
        reports: Sequence[FunctionReport], assumed: Sequence[str] = ()
    ) -> FunctionCertificate:
        names = tuple(SOLVERS[name]().name for name in question.solvers)
        checked = _all_checked(reports)
        known = TRUSTED_NARROW if plain.layout.pointer == NARROW else TRUSTED
        trusted = [*known, CLAUSES if checked else " and ".join(names)]
        earlier = sum(square.earlier for report in reports for square in report.squares)
        if earlier:
            trusted.append(PROVED_EARLIER.format(earlier))
        if processes.ran:
            here = "" if is_native(plain) else ", compiled for this machine"
            trusted.append(f"the tables as they stood after {ran}{here}")
        return FunctionCertificate(
            sources=sources,
            functions=tuple(reports),
            compiler=work.plain.compiler,
            command=work.plain.command,
            triple=plain.triple,
            ir=ir,
            tables=dict(tables),
            taken=tuple(taken),
            initial=tuple(initial.values()),
            init=question.init,
            ran=processes.ran,
            solvers=names,
            evidence=DRUP if checked else f"a solver alone: {' and '.join(names)}",
            board=str(question.board),
            order=question.order,
            trusted=tuple(trusted),
            figures={"seconds": round(time.process_time() - began, 2)},
            assumed=tuple(assumed),
        )

    try:
        several = [
            FunctionProof(
                work, claim, symbols[claim], processes, observer, tables, taken, initial, cache
            )
            for claim in question.functions
        ]
        for number, proof in enumerate(several):
            rest = [other.waiting() for other in several[number + 1 :]]

            def so_far(report: FunctionReport, rest: Sequence[FunctionReport] = rest) -> None:
                observer.so_far(certificate_of([*reports, report, *rest]))

            reports.append(proof.report(builds, so_far))
        of_one_run = [f"{ran} runs once: {why}" for why in processes.why_once()]
    finally:
        processes.close()
    of_order = _of_order(work, plain) if processes.ran else []
    assumed = [
        f"no other file defines {claim.name}, which is a weak symbol"
        for claim, symbol in symbols.items() if symbol in plain.unsure
    ]  # fmt: skip
    assumed += of_one_run
    assumed += _of_beginning(question, builds[-1], ran, tables) if processes.ran else []
    reports = [
        _as_assumed(unless_in_another_order(report, question), of_order) for report in reports
    ]
    return certificate_of(reports, [*assumed, *of_order])


def _of_beginning(
    question: FunctionQuestion, build: Build, ran: str, tables: Mapping[str, str]
) -> list[str]:
    """What is assumed of what ran, by a build in which nothing is inlined, where there is one."""
    module = Module(build.full_text or build.text)
    init = symbol_of(module, question.init, "") if question.init else ""
    # Of a call, or several, what is called is an init itself.
    called = module.named_in(init) & module.bodies.keys() if "(" in question.init else set()
    inits = frozenset(filter(None, [init])) | called
    return [*Beginning(module, inits, ran).assumptions(tables.keys())]


def _of_order(work: CompiledQuestion, plain: Module) -> list[str]:
    """What is assumed of the order of the sources."""
    texts = (text for text in work.plain.modules if isinstance(text, str))
    counts = (len(Module(text).initialisers) for text in texts)
    return [*order_of_sources(plain, zip(work.plain.names, counts, strict=False))]


def _as_assumed(report: FunctionReport, assumed: Sequence[str]) -> FunctionReport:
    """What is refuted only as the user's files stand in a command is not decided."""
    if not assumed or report.verdict != "invalid":
        return report
    squares = (
        replace(one, outcome="not decided", message=f"{one.message}, if {assumed[0]}")
        if one.outcome == "refuted" else one
        for one in report.squares
    )  # fmt: skip
    return replace(report, squares=tuple(squares))


def _all_checked(reports: Sequence[FunctionReport]) -> bool:
    """Whether each square is proved with steps that the verified checker accepted."""
    squares = [square for report in reports for square in report.squares]
    return bool(squares) and all("steps" in square.proof for square in squares)


def _same_in(second: Module, claim: FunctionClaim, symbol: str) -> str:
    """The symbol of a function in the second build: Rust's symbols end in a hash, also of what the
    compiler does with a function.
    """
    if symbol in second.bodies or not symbol_names.is_hashed(symbol):
        return symbol
    return symbol_of(second, claim.name, f"--function {claim.key}={claim.name}")
