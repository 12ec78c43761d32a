"""How an engine goes about a cell, whichever solver it has: directly, by refinement, by cubes.

`direct` states everything and asks once. `refine` states little, asks for a candidate, checks it
on all occupancies, states the pairs that it violates, and asks again; each round assumes all but
some nine random bits of the magic to be 0. `cubes` fixes the magic's high bits in all ways, and
splits a cube in two where it takes too many conflicts.

When: `--engine z3` and `sat`. By default: direct for masks of 5 and 6 squares, refine where the
index has as many bits as the mask or more, cubes below.

Why: a solver knows nothing of `search`: it is a second opinion, and takes any formula. It says
IMPOSSIBLE on its own word; only the white and black cells of `verify/proof` have proofs to check.

Cost: directly: bishop d1 with 4 bits 0.18 s by Z3 or CaDiCaL, a5 with 4 bits 1.3 to 3 s. By cubes:
bishop d6 with 6 bits in 4,096 cubes and 9.6 million conflicts, hours (z3models/README.md). A
ledger keeps which cubes are settled, so that the same command resumes.
"""

import hashlib
import json
import random
import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from magicert import __version__, formula
from magicert.engine import EngineOption, EngineRequest
from magicert.outcome import (
    Evidence,
    Exists,
    Figures,
    GaveUp,
    Impossible,
    Observer,
    Outcome,
    Unknown,
)
from magicert.problem import InputError, Problem
from magicert.z3models.question import Question, question_of
from magicert.z3models.solvers.backend import Backend, Candidates, Model, Refuted, solver
from magicert.z3models.solvers.child import Budget, ChildObserver, supervise


def pigeonhole(question: Question) -> Impossible | None:
    """More attack sets than slots: no solver is needed (and none would see it soon)."""
    slots = question.largest_index + 1
    if question.attack_sets <= slots:
        return None
    argument = f"{question.attack_sets} distinct attack sets, {slots} slots"
    return Impossible(argument, evidence=Evidence.COUNTING)


def verified(question: Question, magic: int) -> int:
    """The magic, checked exhaustively by the plain interpretation; AssertionError if wrong."""
    conflict = question.first_conflict(magic)
    if conflict is not None:
        places = ", ".join(f"{question.occupancies[place]:#x}" for place in conflict)
        raise AssertionError(f"the model yields {magic:#x}, but occupancies {places} conflict")
    return magic


def solve_directly(
    question: Question,
    backend: Backend,
    encoding: str,
    report: ChildObserver,
    *,
    argument: str,
    all_magics: bool = False,
) -> Outcome:
    """Ask for one valid magic, or for all of them. `argument` is the evidence of a "no"."""
    backend.state_validity(encoding)
    magics: list[int] = []
    while True:
        report.progress(len(magics), None, f"magics, {backend.conflicts:,} conflicts")
        answer = backend.solve()
        figures = {"conflicts": backend.conflicts}
        match answer:
            case Refuted():
                if magics:
                    return Exists(tuple(magics), complete=True, figures=figures)
                return Impossible(argument, figures=figures)
            case GaveUp():
                return Unknown(f"the solver gave up: {answer.reason}", figures=figures)
        magics.append(verified(question, answer.magic))
        report.add_magic(answer.magic)
        if not all_magics:
            return Exists(tuple(magics), figures=figures)
        backend.exclude(answer.magic)


# Finding by counterexample-guided refinement, with random sparse cubes.
#
# State little, ask for a candidate, check it against all occupancies, state the pairs that
# conflict, ask again (CEGAR; Clarke, Grumberg, Jha, Lu, Veith 2000). On all 64 bits this
# wanders off: there are too many candidates. Magics that work tend to have few 1 bits, so
# every round assumes that all but a few random bits are zero. What was learned in a cube
# holds in all of them, and stays.


@dataclass(frozen=True)
class Sparsity:
    """How a cube is drawn: about `free` unknown bits, and so many conflicts a call before it
    is given up; `pairs` is how many conflicting pairs of a candidate are stated.
    """

    free: int = 9
    conflicts: int = 300
    pairs: int = 24


def refine(
    question: Question,
    backend: Backend,
    live: int,
    sparsity: Sparsity,
    seed: int,
    report: ChildObserver,
) -> Exists:
    """Find a magic whose bits lie in `live`. It never ends where there is none: the caller
    holds the clock.
    """
    draw = random.Random(seed)
    places = [place for place in range(live.bit_length()) if live >> place & 1]
    candidates = Candidates(question)
    cubes = pairs_stated = candidate_count = 0
    while True:
        cubes += 1
        free = min(len(places), max(1, sparsity.free + draw.randint(-2, 2)))
        cube = sum(1 << place for place in draw.sample(places, free))
        while isinstance(
            answer := backend.solve(zeros=live & ~cube, conflicts=sparsity.conflicts), Model
        ):
            candidate_count += 1
            pairs = candidates.conflicts(answer.magic)
            if not pairs:
                figures: Figures = {
                    "cubes": cubes, "candidates": candidate_count, "pairs": pairs_stated,
                    "conflicts": backend.conflicts,
                }  # fmt: skip
                return Exists((verified(question, answer.magic),), figures=figures)
            sample = draw.sample(pairs, min(4 * sparsity.pairs, len(pairs)))
            smaller = {candidates.disjoint(pair, answer.magic) for pair in sample}
            for pair in sorted(smaller, key=candidates.squares)[: sparsity.pairs]:
                backend.state_apart(pair)
                pairs_stated += 1
        report.progress(
            cubes, None, f"cubes, {candidate_count:,} candidates, {pairs_stated:,} pairs stated"
        )


# The ledger of a disproof by cubes: an SQLite file that knows which cubes are settled.
#
# A cube fixes the first `depth` of the bits to be branched on to the binary digits of
# `prefix`. It is "refuted" (no valid magic in it) or "split" (both of its halves are to be
# settled). Every line is committed at once, so an interrupted run loses one cube's work.
#
# A file belongs to one question, one solver, and one program that states the question to it. Each
# line has a seal, a hash of these and of all that the line says: what was damaged, edited or copied
# from another file is done again. It is no signature: whoever wants to deceive can seal what he
# likes.

Cube = tuple[int, int]
"""(depth, prefix)."""

# Files of the time before seals have a table "cubes": none of their lines is believed.
_SCHEMA = """
create table if not exists about (name text primary key, value text not null);
create table if not exists sealed (
    depth integer not null, prefix integer not null, verdict text not null,
    conflicts integer not null, seconds real not null, seal text not null,
    primary key (depth, prefix));
"""


@cache
def program() -> str:
    """What states questions to solvers here: the version, and a hash of the sources."""
    folders = Path(__file__).parent, Path(formula.__file__).parent
    files = sorted(path for folder in folders for path in folder.rglob("*.py"))
    sha = hashlib.sha256(b"".join(path.read_bytes() for path in files))
    return f"magicert {__version__} cubes {sha.hexdigest()[:16]}"


class CubeLedger:
    """Cubes of one question and solver; `path` may be ":memory:". Several processes may share a
    file. `damaged` counts the lines without a good seal that were met.
    """

    def __init__(
        self, path: str, question: Question, branching: tuple[int, ...], solver: str
    ) -> None:
        self.path, self.solver, self.damaged = path, solver, 0
        self.digest = _digest(question, branching)
        with self._file_errors():
            self.file = sqlite3.connect(path, timeout=60, isolation_level=None)
            self.file.execute("pragma journal_mode = wal")
            # A killed process loses nothing; only a machine that loses power may.
            self.file.execute("pragma synchronous = off")
            self.file.executescript(_SCHEMA)
            self._check_entry("question", self.digest)
            self._check_entry("solver", solver)
            if self.file.execute("select 1 from sealed").fetchone():
                self.file.execute(
                    "insert or ignore into about values ('program', 'one that was not recorded')"
                )
            self._check_entry("program", program())

    @contextmanager
    def _file_errors(self) -> Iterator[None]:
        """What SQLite cannot read or write is an error of the file's, as on a full disk."""
        try:
            yield
        except sqlite3.IntegrityError:
            raise  # ours: the file is sound, what we asked of it is not
        except (sqlite3.DatabaseError, OSError) as error:
            message = f"cannot be used as a ledger: {error}"
            raise InputError([Problem(message, file=self.path)]) from None

    def _check_entry(self, name: str, expected: str) -> None:
        self.file.execute("insert or ignore into about values (?, ?)", (name, expected))
        (stored,) = self.file.execute("select value from about where name = ?", (name,)).fetchone()
        if stored != expected:
            message = f"holds cubes of another {name} ({stored}): expected {expected}"
            raise InputError([Problem(message, file=self.path)])

    def verdict(self, cube: Cube) -> str | None:
        """What is known of a cube: "refuted", "split", or None where nobody has settled it."""
        with self._file_errors():
            row = self.file.execute(
                "select verdict, conflicts, seconds, seal from sealed"
                " where depth = ? and prefix = ?",
                cube,
            ).fetchone()
        if row is None:
            return None
        verdict, conflicts, seconds, seal = row
        if seal != self._seal(cube, verdict, conflicts, seconds):
            self.damaged += 1
            return None
        return str(verdict)

    def settle(self, cube: Cube, verdict: str, conflicts: int, seconds: float) -> None:
        seal = self._seal(cube, verdict, conflicts, seconds)
        with self._file_errors():
            self.file.execute(
                "insert or replace into sealed values (?, ?, ?, ?, ?, ?)",
                (*cube, verdict, conflicts, seconds, seal),
            )

    def _seal(self, cube: Cube, verdict: str, conflicts: int, seconds: float) -> str:
        content = [self.digest, self.solver, program(), cube, verdict, conflicts, seconds]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _digest(question: Question, branching: tuple[int, ...]) -> str:
    content = [
        question.formula.text, question.free, dict(sorted(question.values.items())),
        question.occupancies, question.attacks, question.largest_index, branching,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


# Disproving by cubes over the bits of the magic (cube and conquer; Heule, Kullmann,
# Wieringa, Biere 2011), adaptively: a cube that takes too many conflicts is split in two.
#
# The high bits come first: they decide where the low squares of the mask fall, and with
# those known a solver refutes most cubes within a few thousand conflicts.


@dataclass(frozen=True)
class Cutting:
    """How the magics are cut: first into 2^depth cubes, further where one takes more than
    `conflicts`. `order` is "high" or "low": which bits are fixed first. `ledger` is a file.
    """

    depth: int = 12
    conflicts: int = 20_000
    order: str = "high"
    ledger: str = ""

    def branching(self, live: int) -> tuple[int, ...]:
        """The live bits in the order in which cubes fix them."""
        places = [place for place in range(live.bit_length()) if live >> place & 1]
        return tuple(reversed(places)) if self.order == "high" else tuple(places)


def conquer(
    question: Question,
    backend: Backend,
    encoding: str,
    live: int,
    cutting: Cutting,
    solver: str,
    report: ChildObserver,
) -> Outcome:
    """Settle this process's share of the cubes: those whose number is `report.share` modulo
    `report.shares`. `solver` names who refutes, for the ledger.
    """
    branching = cutting.branching(live)
    ledger = CubeLedger(cutting.ledger or ":memory:", question, branching, solver)
    depth = min(cutting.depth, len(branching))
    backend.state_validity(encoding)
    prefixes = range(report.share, 1 << depth, report.shares)
    started, from_ledger = time.process_time(), 0
    refuted: list[Cube] = []
    for done, prefix in enumerate(prefixes):
        report.progress(done, len(prefixes), f"cubes, {backend.conflicts:,} conflicts")
        waiting: list[Cube] = [(depth, prefix)]
        while waiting:
            cube = waiting.pop()
            stored = ledger.verdict(cube)
            verdict = stored or _settle_cube(cube, backend, branching, cutting, ledger)
            if isinstance(verdict, Model):
                return Exists((verified(question, verdict.magic),))
            if isinstance(verdict, GaveUp):
                return Unknown(f"the solver gave up on a cube: {verdict.reason}")
            if verdict == "split":
                waiting += [(cube[0] + 1, 2 * cube[1] + half) for half in (1, 0)]
            else:
                refuted.append(cube)
                from_ledger += stored is not None
    if ledger.damaged:
        report.say(f"{cutting.ledger}: {ledger.damaged:,} cubes without a good seal, done again")
    if not make_up(refuted, {(depth, prefix) for prefix in prefixes}):
        raise AssertionError("the refuted cubes do not make up all magics")
    figures = {
        "cubes": len(refuted), "read from the ledger": from_ledger,
        "conflicts": backend.conflicts, "cpu": time.process_time() - started,
    }  # fmt: skip
    argument = f"all cubes over the magic's bits refuted by {solver}, stated by {program()}"
    return Impossible(argument, figures=figures)


def make_up(cubes: Collection[Cube], whole: Collection[Cube]) -> bool:
    """Whether cubes make up the wanted ones and nothing else, none of their magics twice."""
    finest = max(depth for depth, _ in (*cubes, *whole))
    return _merge_intervals(cubes, finest) == _merge_intervals(whole, finest)


def _merge_intervals(cubes: Iterable[Cube], finest: int) -> list[list[int]]:
    """Cubes as intervals of prefixes of the finest depth; those that touch are one."""
    intervals: list[list[int]] = []
    for first, last in sorted(
        (prefix << finest - depth, (prefix + 1 << finest - depth)) for depth, prefix in cubes
    ):
        if intervals and intervals[-1][1] == first:
            intervals[-1][1] = last
        else:
            intervals.append([first, last])
    return intervals


def _settle_cube(
    cube: Cube,
    backend: Backend,
    branching: tuple[int, ...],
    cutting: Cutting,
    ledger: CubeLedger,
) -> str | Model | GaveUp:
    depth, prefix = cube
    fixed = branching[:depth]
    # The first bit is the prefix's highest digit, so that neighbours share what was learned.
    ones = sum(1 << bit for i, bit in enumerate(reversed(fixed)) if prefix >> i & 1)
    zeros = sum(1 << bit for bit in fixed) & ~ones
    # The last bit is never in the way: a cube of one magic is not split further.
    budget = cutting.conflicts if depth < len(branching) else None
    before, started = backend.conflicts, time.monotonic()
    answer = backend.solve(ones=ones, zeros=zeros, conflicts=budget)
    if isinstance(answer, Model) or (isinstance(answer, GaveUp) and budget is None):
        return answer
    verdict = "split" if isinstance(answer, GaveUp) else "refuted"
    spent = backend.conflicts - before
    ledger.settle(cube, verdict, spent, time.monotonic() - started)
    return verdict


# Methods: how an engine goes about a cell, whichever solver it has.
#
# direct   state everything, ask once: settles c = 5 and 6
# refine   counterexample-guided refinement with sparse cubes: finds, for large masks
# cubes    cubes over the bits of the magic, with a ledger: disproves beyond c = 6

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
    method = str(request.options["method"])
    cell = request.cell
    if request.everything and method in ("refine", "cubes"):
        message = "yields one magic: --all needs method=direct"
        raise InputError([Problem(message, key=f"method {method}")])
    if method != "auto":
        return method
    if request.everything or (len(cell.words) << cell.bits) <= DIRECT:
        return "direct"
    return "refine" if cell.bits >= cell.target.usual_bits else "cubes"


def solve(
    work: Callable[[EngineRequest, ChildObserver], Outcome],
    request: EngineRequest,
    observer: Observer,
) -> Outcome:
    """Answer a request by `work`, in one process, or in several that share cubes or luck."""
    request.cell.check()
    shares = 1 if method_of(request) == "direct" else request.workers
    budget = Budget(request.seconds, request.memory)
    return supervise(work, request, observer, budget, shares)


def run_method(
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
            return solve_directly(
                question, backend, encoding, report,
                argument=argument, all_magics=request.everything,
            )  # fmt: skip
        case "refine":
            sparsity = Sparsity(options["free"], options["patience"], options["pairs"])
            return refine(question, backend, live, sparsity, request.seed + report.share, report)
    cutting = Cutting(options["depth"], options["conflicts"], options["order"], options["ledger"])
    return conquer(question, backend, encoding, live, cutting, version, report)
