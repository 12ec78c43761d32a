"""Check a cover certificate, and rebuild the shards whose leaves it does not hold.

Checking needs no module of the search, and none of its libraries: those are imported for a
replay.
"""

import random
import secrets
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from magicert.board import Piece, parse_square
from magicert.cell import Cell
from magicert.jobs.watch import Watch
from magicert.problem import InputError, Problem
from magicert.scheme import resolve_scheme
from magicert.verify.cover.checker import CheckReport, check, finish_shard
from magicert.verify.cover.file import Certificate, Shard, read_certificate
from magicert.verify.cover.joining import StreamCheck

if TYPE_CHECKING:
    from magicert.search.shards.work import Work

ALL = 0
"""As a number of shards to replay: every one."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A certificate that was checked. `replayed` shards were rebuilt; `seed` chose them, None
    where there was nothing to choose.
    """

    certificate: Certificate
    report: CheckReport
    replayed: int = 0
    seed: int | None = None


@dataclass(slots=True)
class _Found:
    """What shards came to when they were rebuilt."""

    leaves: int = 0
    problems: list[str] = field(default_factory=list)


def check_certificate(path: Path, shards: int | None, seed: int | None, watch: Watch) -> Checked:
    """Check what the file alone can prove, then rebuild so many random shards, or ALL.

    Without a `seed` the system gives one, so that nobody can foresee which shards. What is
    rebuilt must be what the file says; all shards together prove the claim. Raises InputError
    for a file that is no certificate, and for a plan that cuts its cell in other shards.
    """
    certificate = read_certificate(path)
    with watch(f"checking {path.name}", "bytes of leaves") as observer:
        report = check(certificate, observer.progress)
    if shards is None or report.problems:
        return Checked(certificate, report)
    work = work_of(certificate)
    chosen, seed = _chosen(work.shards, shards, seed)
    found = _Found()
    with watch(f"replaying {path.name}", "shards") as observer:
        for done, number in enumerate(chosen):
            observer.progress(done, len(chosen))
            _replay(certificate, work, number, found)
    if found.problems:
        report = replace(report, verdict="invalid", problems=found.problems)
    elif len(chosen) == work.shards:
        report = replace(report, verdict="valid")
    if not certificate.header.streams:
        report = replace(report, leaves=found.leaves)
    return Checked(certificate, report, len(chosen), seed)


def _chosen(count: int, wanted: int, seed: int | None) -> tuple[list[int], int | None]:
    """So many of `count` shards, or ALL, and the seed that chose them, if anything did."""
    numbers = list(range(count))
    if not 0 < wanted < count:
        return numbers, None
    seed = secrets.randbits(32) if seed is None else seed
    return sorted(random.Random(seed).sample(numbers, wanted)), seed


def _replay(certificate: Certificate, work: "Work", number: int, found: _Found) -> None:
    """Run one shard again, with the checker looking on, and compare."""
    from magicert.search.shards.shard import run_shard

    header = certificate.header
    shard = header.shards[number]
    stream = StreamCheck(header.statement(), shard.interval)
    result = run_shard(work, number, (stream,))
    problems = []
    if result.counts.values != shard.counts:
        problems.append(f"counts: {result.counts.values} here, {shard.counts} declared")
    if _is_counted_only(shard):
        # It declares no leaves; what it counted has been compared.
        shard = msgspec.structs.replace(shard, leaves=stream.leaves, sha256=result.sha256)
    problems += finish_shard(stream, shard)
    found.leaves += stream.leaves
    found.problems += [f"shard {number}: {problem}" for problem in problems]


@dataclass(frozen=True, slots=True)
class Recounted:
    """A shard whose survivors were counted by our kernels, apart from the search. `agrees` is
    None where the certificate declares no survivors.
    """

    number: int
    survivors: int
    sha256: str
    agrees: bool | None


def recount(
    certificate: Certificate, shards: int, seed: int | None, watch: Watch
) -> list[Recounted]:
    """Count the survivors of so many random shards, or of ALL: see docs/rounding-lemma.md.

    Raises InputError where the plan has no chain, or cuts the cell in other shards.
    """
    from magicert.search.shards.recount import recount_shard

    work, results = work_of(certificate), []
    chosen, _ = _chosen(work.shards, shards, seed)
    with watch(f"recounting {certificate.path.name}", "shards") as observer:
        for done, number in enumerate(chosen):
            observer.progress(done, len(chosen))
            try:
                found = recount_shard(work, number)
            except ValueError as error:
                raise InputError([Problem(str(error), str(certificate.path), "plan", 2)]) from None
            declared = certificate.header.shards[number].survivors
            agrees = None
            if declared is not None:
                agrees = (declared.count, declared.sha256) == (found.survivors, found.sha256)
            results.append(Recounted(number, found.survivors, found.sha256, agrees))
    return results


def after_recount(checked: Checked, recounted: list[Recounted]) -> Checked:
    """The check, invalid where a shard has other survivors than the certificate declares."""
    problems = [
        f"shard {shard.number}: other survivors than declared"
        for shard in recounted
        if shard.agrees is False
    ]
    if not problems:
        return checked
    together = [*checked.report.problems, *problems]
    return replace(checked, report=replace(checked.report, verdict="invalid", problems=together))


def _is_counted_only(shard: Shard) -> bool:
    return not shard.sha256 and not shard.leaves


def work_of(certificate: Certificate) -> "Work":
    """What the search has to do for a certificate's shards.

    Raises InputError where the plan is none, or cuts the cell in other shards.
    """
    from magicert.search.chain.chain import check_plan
    from magicert.search.problem.plan import Plan
    from magicert.search.problem.terms import terms_of
    from magicert.search.shards.work import Work

    header, file = certificate.header, str(certificate.path)
    fixed = {"constant": int(header.constant, 16)} if header.scheme == "constant" else {}
    largest = None if header.largest_index == (1 << header.bits) - 1 else header.largest_index
    cell = Cell(
        resolve_scheme(header.scheme), Piece(header.piece), parse_square(header.square),
        header.bits, fixed, largest,
    )  # fmt: skip
    try:
        plan = Plan.parse(header.plan)
        check_plan(plan, terms_of(cell))
        if not 0 <= header.level <= len(plan.steps):
            raise ValueError(f"level {header.level}: expected 0 to {len(plan.steps)}")
    except ValueError as error:
        raise InputError([Problem(str(error), file, "plan", 2)]) from None
    work = Work(cell, plan, header.level)
    roots = [shard.interval for shard in header.shards]
    if len(roots) != work.shards or any(work.root(n) != root for n, root in enumerate(roots)):
        raise InputError([Problem("the plan cuts the cell in other shards", file, "plan", 2)])
    return work
