"""Functions of a compiled module against the board, square by square."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
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
    symbol_of_init,
    symbols_of,
    text_modules,
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
from magicert.functions.function_proof import CLAUSES, DRUP, FunctionProof
from magicert.functions.llvm import mangled_names
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import NARROW
from magicert.functions.native import is_native
from magicert.functions.other_orders import unless_in_another_order
from magicert.functions.processes import Processes
from magicert.functions.question import FunctionQuestion, as_call
from magicert.functions.square_proof import SOLVERS
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
    return _Certification(work, observer, plain, symbols, began).certificate(builds)


class _Certification:
    """One question while it is answered: what was found, and what the findings rest on. The tables
    that were read (their digests), what was taken as something, and trusted initialisers grow as
    squares are proved.
    """

    def __init__(
        self, work: CompiledQuestion, observer: Listener, plain: Module,
        symbols: Mapping[FunctionClaim, str], began: float,
    ) -> None:  # fmt: skip
        self.work, self.question, self.observer = work, work.question, observer
        self.plain, self.symbols, self.began = plain, symbols, began
        self.sources = {str(path): digest(path.read_bytes()) for path in self.question.sources}
        self.processes = Processes(self.question, observer)
        init = self.question.init
        self.ran = as_call(init) if init else "its static initialisers"
        self.ir: dict[str, str] = {}
        self.tables: dict[str, str] = {}
        self.taken: dict[str, None] = {}
        self.initial: dict[str, TrustedInitialiser] = {}

    def certificate(self, builds: Sequence[Build]) -> FunctionCertificate:
        """All squares of all functions, and what is assumed of the sources."""
        question, processes = self.question, self.processes
        self.ir = {build.name: digest(build.text.encode()) for build in builds}
        try:
            if question.run or question.init:
                self.observer.say(f"running code of {question.sources[0]}: {self.ran}")
                processes.begin(PLAIN, builds[0].text, self.symbols)
            guards = [processes.made_guards(build) for build in builds]
            builds = [b.with_guards(g) if g else b for b, g in zip(builds, guards, strict=True)]
            missing = (f"{name}, a file that is missing, as empty" for name in processes.left_out)
            self.taken |= dict.fromkeys(missing)
            reports = self._reports(builds)
            # Where each function is refuted, nothing hangs on how often an init runs.
            refuted = all(report.verdict == "invalid" for report in reports)
            reasons = [] if refuted else processes.why_once()
        finally:
            processes.close()
        assumed = [
            f"no other file defines {claim.name}, which is a weak symbol"
            for claim, symbol in self.symbols.items() if symbol in self.plain.unsure
        ]  # fmt: skip
        if processes.ran:
            assumed += [f"{self.ran} runs once: {why}" for why in reasons]
            assumed += _of_beginning(question, builds[-1], self.ran, self.tables)
        return self._of(reports, [*assumed, *self.of_order])

    @cached_property
    def of_order(self) -> list[str]:
        """What is assumed of the order of the sources, once their code has run."""
        return _of_order(self.work, self.plain) if self.processes.ran else []

    def _judged(self, report: FunctionReport) -> FunctionReport:
        """A report in which nothing is refuted by an order that nobody stated."""
        return _as_assumed(unless_in_another_order(report, self.question), self.of_order)

    def _reports(self, builds: Sequence[Build]) -> list[FunctionReport]:
        """A report for each function. The observer hears what is found, square by square."""
        # A proof that shall be written has to be made.
        cached = self.question.cached and self.question.proof is None
        cache = Cache(folder_of_the_user()) if cached else None
        several = [
            FunctionProof(
                self.work, claim, self.symbols[claim], self.processes, self.observer, self.tables,
                self.taken, self.initial, cache,
            )
            for claim in self.question.functions
        ]  # fmt: skip
        reports: list[FunctionReport] = []
        for number, proof in enumerate(several):
            rest = [other.waiting() for other in several[number + 1 :]]

            def so_far(report: FunctionReport, rest: Sequence[FunctionReport] = rest) -> None:
                self.observer.so_far(self._of([*reports, self._judged(report), *rest]))

            reports.append(self._judged(proof.report(builds, so_far)))
        return reports

    def _of(
        self, reports: Sequence[FunctionReport], assumed: Sequence[str] = ()
    ) -> FunctionCertificate:
        """The certificate of these findings."""
        question = self.question
        solvers = tuple(SOLVERS[name]().name for name in question.solvers)
        checked = _all_checked(reports)
        return FunctionCertificate(
            sources=self.sources,
            functions=tuple(reports),
            compiler=self.work.plain.compiler,
            command=self.work.plain.command,
            triple=self.plain.triple,
            ir=self.ir,
            tables=dict(self.tables),
            taken=tuple(self.taken),
            initial=tuple(self.initial.values()),
            init=question.init,
            ran=self.processes.ran,
            solvers=solvers,
            evidence=DRUP if checked else f"a solver alone: {' and '.join(solvers)}",
            board=str(question.board),
            order=question.order,
            trusted=tuple(self._trusted(reports, CLAUSES if checked else " and ".join(solvers))),
            figures={"seconds": round(time.process_time() - self.began, 2)},
            assumed=tuple(assumed),
        )

    def _trusted(self, reports: Sequence[FunctionReport], prover: str) -> Iterator[str]:
        """What has to be believed, besides what is assumed of the sources."""
        yield from TRUSTED_NARROW if self.plain.layout.pointer == NARROW else TRUSTED
        yield prover
        if earlier := sum(square.earlier for report in reports for square in report.squares):
            yield PROVED_EARLIER.format(earlier)
        if self.processes.ran:
            here = "" if is_native(self.plain) else ", compiled for this machine"
            yield f"the tables as they stood after {self.ran}{here}"


def _of_beginning(
    question: FunctionQuestion, build: Build, ran: str, tables: Mapping[str, str]
) -> list[str]:
    """What is assumed of what ran, by a build in which nothing is inlined, where there is one."""
    module = Module(build.full_text or build.text)
    init = symbol_of_init(module, question.init, "") if question.init else ""
    # Of a call, or several, what is called is an init itself.
    called = module.named_in(init) & module.bodies.keys() if "(" in question.init else set()
    inits = frozenset(filter(None, [init])) | called
    return [*Beginning(module, inits, ran).assumptions(tables.keys())]


def _of_order(work: CompiledQuestion, plain: Module) -> list[str]:
    """What is assumed of the order of the sources."""
    counts = (len(module.initialisers) for module in text_modules(work.plain))
    return [*order_of_sources(plain, zip(work.plain.names, counts, strict=False))]


def _as_assumed(report: FunctionReport, assumed: Sequence[str]) -> FunctionReport:
    """What is refuted only as the user's files stand in a command is not decided."""
    if not assumed or report.verdict != "invalid":
        return report
    squares = (
        one.undecided_if_refuted(f"{one.message}, if {assumed[0]}") for one in report.squares
    )
    return replace(report, squares=tuple(squares))


def _all_checked(reports: Sequence[FunctionReport]) -> bool:
    """Whether each square is proved with steps that the verified checker accepted."""
    squares = [square for report in reports for square in report.squares]
    return bool(squares) and all("steps" in square.proof for square in squares)


def _same_in(second: Module, claim: FunctionClaim, symbol: str) -> str:
    """The symbol of a function in the second build: Rust's symbols end in a hash, also of what the
    compiler does with a function.
    """
    if symbol in second.bodies or not mangled_names.is_hashed(symbol):
        return symbol
    return symbol_of(second, claim.name, claim.option)
