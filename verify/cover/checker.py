"""Checking a cover certificate: see docs/cover-certificates.md for what makes one valid."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from magicert.problem import InputError
from magicert.verify.cover.file import MOST_LISTED, Certificate, Shard
from magicert.verify.cover.joining import Intervals, StreamCheck, is_everything, reduced
from magicert.verify.cover.leaves import wrong_magics
from magicert.verify.cover.statement import Statement
from magicert.verify.cover.stream import HEAD, block_length

Verdict = Literal["valid", "invalid", "unknown"]
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class CheckReport:
    """What came of a check. `leaves` were checked; `magics` are intervals [low, high]."""

    verdict: Verdict = "unknown"
    problems: list[str] = field(default_factory=list)
    leaves: int = 0
    magics: list[tuple[int, int]] = field(default_factory=list)
    magic_count: int = 0


def check(certificate: Certificate, progress: Progress | None = None) -> CheckReport:
    """Check everything that the file alone can prove.

    "valid": the leaves are true and complete, the listed magics are all there are (or, above
    MOST_LISTED a shard, their number is). "unknown": no leaves in the file, nothing wrong.
    """
    header = certificate.header
    report = CheckReport()
    about = header.statement()
    roots = [shard.interval for shard in header.shards]
    if not is_everything(reduced(Intervals.of(roots))):
        report.problems.append("shards: their roots, in order, do not make up everything")
    for number, shard in enumerate(header.shards):
        problems = _wrong_claims(about, shard)
        report.problems += [f"shards[{number}].magics: {problem}" for problem in problems]
        report.magics += shard.intervals
        report.magic_count += int(shard.magic_count, 16)
    if header.streams:
        _check_streams(certificate, about, report, progress)
        report.verdict = "valid"
    elif len(certificate.body):
        report.problems.append(f"{len(certificate.body)} bytes behind a header without streams")
    if report.problems:
        report.verdict = "invalid"
    return report


def _wrong_claims(about: Statement, shard: Shard) -> list[str]:
    """What is wrong with a shard's list of magics, whether or not leaves follow."""
    w, root_low, root_high = shard.interval
    problems, total = [], 0
    for low, high in shard.intervals:
        start = low % (1 << w)
        if not low <= high < 1 << about.period:
            problems.append(f"{low:#x}..{high:#x}: expected an interval below the period")
        elif wrong_magics(about, about.period, low, high):
            problems.append(f"{low:#x}..{high:#x} are not")
        elif not root_low <= start <= start + high - low <= root_high:
            problems.append(f"{low:#x}..{high:#x} lie outside the shard")
        total += high - low + 1
    for (_, high), (low, _) in pairwise(sorted(shard.intervals)):
        if low <= high:
            problems.append(f"{low:#x} is listed twice")
    declared = int(shard.magic_count, 16)
    if declared != total if len(shard.magics) < MOST_LISTED else declared < total:
        problems.append(f"{total:,} are listed, {declared:,} declared")
    return problems


def _check_streams(
    certificate: Certificate, about: Statement, report: CheckReport, progress: Progress | None
) -> None:
    body, place = certificate.body, 0
    for number, shard in enumerate(certificate.header.shards):
        stream = StreamCheck(about, shard.interval)
        while stream.leaves < shard.leaves and not stream.problems:
            try:
                length = block_length(bytes(body[place : place + HEAD]))
            except InputError as error:
                stream.problems += [problem.message for problem in error.problems]
                break
            stream.add(bytes(body[place : place + length]))
            place += length
            if progress:
                progress(place, len(body))
        problems = finish_shard(stream, shard)
        report.leaves += stream.leaves
        report.problems += [f"shard {number}: {problem}" for problem in problems]
        if problems:
            return
    if place != len(body):
        report.problems.append(f"{len(body) - place} bytes behind the last shard's stream")


def finish_shard(stream: StreamCheck, shard: Shard) -> list[str]:
    """What is wrong with a shard whose stream has been seen, its header's claims included."""
    sha = stream.finish()
    problems = list(stream.problems)
    if not problems and stream.leaves != shard.leaves:
        problems.append(f"leaves: {stream.leaves} are there, {shard.leaves} are declared")
    if not problems and sha != shard.sha256:
        problems.append(f"sha256: {sha} is the stream's, {shard.sha256!r} is declared")
    intervals = [(low, high) for _, low, high in stream.magics[:MOST_LISTED]]
    count = sum(high - low + 1 for _, low, high in stream.magics)
    whole = len(stream.magics) <= MOST_LISTED
    alike = intervals == shard.intervals or (whole and joined(intervals) == joined(shard.intervals))
    if not problems and (not alike or count != int(shard.magic_count, 16)):
        problems.append(f"magics: the stream has {count:,}, not those declared")
    return problems


def joined(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Intervals in ascending order, with those that touch made one.

    A search cuts a run of magics where its own nodes end, and another one elsewhere.
    """
    result: list[tuple[int, int]] = []
    for low, high in intervals:
        if result and result[-1][1] + 1 == low:
            result[-1] = (result[-1][0], high)
        else:
            result.append((low, high))
    return result
