"""Check a cover certificate, and rebuild the shards whose leaves it does not hold.

Checking needs no module of the search, and none of its libraries: those are imported for a
replay.
"""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from magicert.jobs.covers.proved import Said, piped
from magicert.jobs.watch import Watch
from magicert.problem import InputError, Problem
from magicert.verify.cover.checker import CheckReport, check, finish_shard
from magicert.verify.cover.file import Certificate, Shard, read_certificate
from magicert.verify.cover.joining import StreamCheck

if TYPE_CHECKING:
    from magicert.search.shards.pipe import Pipe
    from magicert.search.shards.work import Work

ALL = 0
"""As a number of shards to replay: every one."""


@dataclass(frozen=True, slots=True)
class ProvedChecker:
    """The proved checker is asked. `settled` is the file that it adds a line to for each shard."""

    settled: Path | None = None


@dataclass(frozen=True, slots=True)
class CheckedCover:
    """A certificate that was checked. `replayed` shards were rebuilt; `seed` chose them, None
    where there was nothing to choose. `proved` is what the proved checker says of them.
    """

    certificate: Certificate
    report: CheckReport
    replayed: int = 0
    seed: int | None = None
    proved: str = ""


@dataclass(slots=True)
class _Found:
    """What shards came to when they were rebuilt. `pipe` leads to the proved checker, if that is
    to check them.
    """

    pipe: "Pipe | None" = None
    leaves: int = 0
    problems: list[str] = field(default_factory=list)


def check_certificate(
    path: Path,
    shards: int | range | None,
    seed: int | None,
    watch: Watch,
    proved: ProvedChecker | None = None,
) -> CheckedCover:
    """Check what the file alone can prove, then rebuild so many random shards, those of a range,
    or ALL. With `proved` the proved checker checks their leaves, not the one in Python.

    Without a `seed` the system gives one, so that nobody can foresee which shards. What is
    rebuilt must be what the file says; all shards together prove the claim. Raises InputError
    for a file that is no certificate, and for a plan that cuts its cell in other shards.
    """
    certificate = read_certificate(path)
    with watch(f"checking {path.name}", "bytes of leaves") as observer:
        report = check(certificate, observer.progress)
    if shards is None or report.problems:
        return CheckedCover(certificate, report)
    from magicert.jobs.covers.work import choose, work_of
    from magicert.search.window import compile_search

    work = work_of(certificate)
    numbers, seed = choose(work.shards, shards, seed)
    if not numbers:
        message = f"no such shard: it has {work.shards}, from 0"
        raise InputError([Problem(message, file=str(path))])
    sides = work.parts // work.shards  # two where m and ~m were taken together
    with ExitStack() as stack:
        said = Said()
        found = _Found()
        if proved:
            found.pipe, said = stack.enter_context(piped(certificate, proved.settled))
        observer = stack.enter_context(watch(f"replaying {path.name}", "nodes"))
        compile_search(observer, None)
        declared = [certificate.header.shards[number].counts[0] for number in numbers]
        for done, number in enumerate(numbers):

            def shown(nodes: int, done: int = done) -> None:
                note = f"shard {sides * done + 1} of {sides * len(numbers)}"
                observer.progress(sum(declared[:done]) + nodes, sum(declared) or None, note)

            shown(0)
            _replay(certificate, work, number, found, shown)
    if proved and said.status not in (0, 3):
        found.problems.append(f"the proved checker: {said.line or 'it gave up'}")
    if found.problems:
        report = replace(report, verdict="invalid", problems=found.problems)
    elif len(numbers) == work.shards:
        report = replace(report, verdict="valid")
    if not certificate.header.streams:
        report = replace(report, leaves=found.leaves)
    return CheckedCover(certificate, report, len(numbers) * sides, seed, said.line)


def refuted(checked: CheckedCover, problems: list[str]) -> CheckedCover:
    """The check, invalid where something that was done again came out differently."""
    if not problems:
        return checked
    together = [*checked.report.problems, *problems]
    return replace(checked, report=replace(checked.report, verdict="invalid", problems=together))


def _replay(
    certificate: Certificate, work: "Work", number: int, found: _Found, shown: Callable[[int], None]
) -> None:
    """Run one shard again, with the checker looking on, and compare. Where the plan is mirrored,
    the leaves are written without that, of both its parts.
    """
    from magicert.search.shards.shard import run_shard, written_work

    header = certificate.header
    recorded = written_work(work)
    counted = None if recorded is work else run_shard(work, number, progress=shown)
    for part in work.parts_of(number):
        shard = header.shards[part]
        if pipe := found.pipe:
            pipe.begin(part, shard.interval)
            stream = None
            result = run_shard(recorded, part, (pipe,), progress=shown)
        else:
            stream = StreamCheck(header.statement(), shard.interval)
            result = run_shard(recorded, part, (stream,), progress=shown)
        counts = (counted or result).counts.values
        problems = []
        if counts != shard.counts:
            problems.append(f"counts: {counts} here, {shard.counts} declared")
        if _is_counted_only(shard):
            # It declares no leaves; what it counted has been compared.
            shard = msgspec.structs.replace(shard, leaves=result.leaves, sha256=result.sha256)
        if stream:
            problems += finish_shard(stream, shard)
        elif pipe:
            if result.sha256 != shard.sha256:
                problems.append(f"sha256: {result.sha256} here, {shard.sha256!r} declared")
            pipe.declare(shard.leaves, shard.magics, shard.magic_count)
        found.leaves += result.leaves
        found.problems += [f"shard {part}: {problem}" for problem in problems]


def _is_counted_only(shard: Shard) -> bool:
    return not shard.sha256 and not shard.leaves
