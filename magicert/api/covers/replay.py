"""Rebuild what a cover keeps only hashes of; have its leaves checked by the proved checker, too."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from magicert.api.covers.about import left_out
from magicert.outcome import Watch
from magicert.problem import InputError, Problem, read_at_most
from magicert.system.deadline import FOREVER
from magicert.verify.cover.checker import CheckReport, StreamCheck, check, finish_shard
from magicert.verify.cover.file import LARGEST, Certificate, Header, Shard, read_certificate

if TYPE_CHECKING:
    from magicert.search.shards.certificate import Pipe
    from magicert.search.shards.shard import Work


FOLDER = "settled"
"""The folder of these files, beside that of the certificates."""


class SettledShard(msgspec.Struct, forbid_unknown_fields=True):
    """A shard that is settled."""

    scheme: Literal["white", "black", "constant"]
    piece: Literal["rook", "bishop"]
    square: str
    bits: int
    largest_index: int
    constant: str
    shard: int
    root: tuple[int, str, str]
    leaves: int
    magics: list[tuple[str, str]]


def settled_share(certificate: Path, header: Header) -> float:
    """The share of all m that lies in the shards of a certificate that are settled: 0 where there
    is no file of them.

    Raises InputError where a line is about another cell, or says something else of a shard.
    """
    name = certificate.name.partition(".")[0]
    return settled_in(certificate.parent.parent / FOLDER / f"{name}.settled", header)


def settled_in(path: Path, header: Header) -> float:
    """The same of any file."""
    if not path.exists():
        return 0.0
    shares: dict[int, Fraction] = {}
    for number, text in enumerate(read_at_most(path, LARGEST).splitlines(), 1):
        try:
            line = msgspec.json.decode(text, type=SettledShard)
        except msgspec.MsgspecError as error:
            raise InputError([Problem(str(error), str(path), line=number)]) from None
        if message := _difference(line, header):
            raise InputError([Problem(message, str(path), line=number)])
        w, low, high = line.root[0], int(line.root[1], 16), int(line.root[2], 16)
        shares[line.shard] = Fraction(high - low + 1, 1 << w)
    return float(sum(shares.values()))


def _difference(line: SettledShard, header: Header) -> str:
    """What a line says otherwise than the certificate."""
    for key in ("scheme", "piece", "square", "bits", "largest_index", "constant"):
        here, there = getattr(line, key), getattr(header, key)
        if here != there:
            return f"{key}: {here!r}, and the certificate has {there!r}"
    if not 0 <= line.shard < len(header.shards):
        return f"shard {line.shard}: the certificate has {len(header.shards)}"
    shard = header.shards[line.shard]
    if line.root != shard.root or line.leaves != (shard.leaves or line.leaves):
        return f"shard {line.shard}: the certificate has another root, or other leaves"
    if line.magics != shard.magics:
        return f"shard {line.shard}: the certificate lists other magics"
    return ""


NAME = "magicert-proved"
BUILT = Path(__file__).parents[3] / "build" / "proved" / NAME
"""Where `make proved` puts it in a checkout."""


@dataclass(slots=True)
class CheckerReply:
    """What the proved checker says in the end: its exit status, and its line."""

    status: int = 2
    line: str = ""


def program() -> Path:
    """Where the proved checker is. Raises InputError where it is not."""
    if installed := shutil.which(NAME):
        return Path(installed)
    if BUILT.exists():
        return BUILT
    message = "not found: make proved compiles it (proofs/README.md); put it on the PATH"
    raise InputError([Problem(message, file=NAME)])


@contextmanager
def piped(certificate: Certificate, settled: Path | None) -> Iterator[tuple["Pipe", CheckerReply]]:
    """A pipe into the checker for a certificate's shards, and what it says when that is closed.
    With `settled` it adds a line to that file for each shard.

    A checker that refuses a leaf hears no more: what is written then raises BrokenPipeError,
    which ends the block.
    """
    from magicert.search.shards.certificate import Pipe

    header = certificate.header
    if not (header.piece and header.square):
        message = "--proved is only for pieces on squares, not for lists of keys"
        raise InputError([Problem(message, file=str(certificate.path))])
    reply = CheckerReply()
    keep = [] if settled is None else ["--settled", str(settled)]
    command = [str(program()), *keep, "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            pipe = Pipe(process.stdin, msgspec.to_builtins(header))
            yield pipe, reply
            pipe.end()
        with suppress(BrokenPipeError):
            process.stdin.close()
        reply.line = process.stdout.readline().decode().strip()
        reply.status = process.wait()


@dataclass(frozen=True, slots=True)
class ProvedChecker:
    """The proved checker is to check leaves, and to add a line a shard to the file `settled`."""

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
class _Rebuilt:
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
    or all (0). With `proved` the proved checker checks their leaves, not the one in Python.

    Without a `seed` the system gives one, so that nobody can foresee which shards. What is
    rebuilt must be what the file says; all shards together prove the claim. Raises InputError
    for a file that is no certificate, and for a plan that cuts its cell in other shards.
    """
    certificate = read_certificate(path)
    with watch(f"checking {path.name}", "bytes of leaves") as observer:
        report = check(certificate, observer.progress)
    if not report.problems and (wrong := list(left_out(certificate.header))):
        report = replace(report, verdict="invalid", problems=wrong)
    if shards is None or report.problems:
        return CheckedCover(certificate, report)
    from magicert.api.covers.shards import choose, work_of
    from magicert.search.problem import is_mirrored
    from magicert.search.window import compile_search

    work = work_of(certificate)
    numbers, seed = choose(work.shards, shards, seed)
    if not numbers:
        message = f"no such shard: it has {work.shards}, from 0"
        raise InputError([Problem(message, file=str(path))])
    sides = work.parts // work.shards  # two where m and ~m were taken together
    with ExitStack() as stack:
        reply = CheckerReply()
        rebuilt = _Rebuilt()
        if proved:
            rebuilt.pipe, reply = stack.enter_context(piped(certificate, proved.settled))
        observer = stack.enter_context(watch(f"replaying {path.name}", "nodes"))
        compile_search(observer, FOREVER)
        declared = [certificate.header.shards[number].counts[0] for number in numbers]
        # Leaves by another walk than the one that was counted have nodes of their own.
        total = None if is_mirrored(work.plan) or work.plan.chain else sum(declared)
        for done, number in enumerate(numbers):

            def shown(nodes: int, left: float, done: int = done) -> None:
                inside = f", {1 - left:.1%} of its m" if left < 1 else ""
                note = f"shard {sides * done + 1} of {sides * len(numbers)}{inside}"
                observer.progress(sum(declared[:done]) + nodes, total or None, note)

            shown(0, 1.0)
            _replay(certificate, work, number, rebuilt, shown)
    if proved and reply.status not in (0, 3):
        rebuilt.problems.append(f"the proved checker: {reply.line or 'it gave up'}")
    if rebuilt.problems:
        report = replace(report, verdict="invalid", problems=rebuilt.problems)
    elif len(numbers) == work.shards:
        report = replace(report, verdict="valid")
    if not certificate.header.streams:
        report = replace(report, leaves=rebuilt.leaves)
    return CheckedCover(certificate, report, len(numbers) * sides, seed, reply.line)


def refuted(checked: CheckedCover, problems: list[str]) -> CheckedCover:
    """The check, invalid where something that was done again came out differently."""
    if not problems:
        return checked
    together = [*checked.report.problems, *problems]
    return replace(checked, report=replace(checked.report, verdict="invalid", problems=together))


def _replay(
    certificate: Certificate,
    work: "Work",
    number: int,
    rebuilt: _Rebuilt,
    shown: Callable[[int, float], None],
) -> None:
    """Run one shard again, with the checker looking on, and compare. Where the plan is mirrored,
    the leaves are written without that, of both its parts.
    """
    from magicert.search.shards.shard import leaf_work, run_shard

    header = certificate.header
    recorded = leaf_work(work)
    counted = None if recorded is work else run_shard(work, number, progress=shown)
    for part in work.parts_of(number):
        shard = header.shards[part]
        if pipe := rebuilt.pipe:
            pipe.begin(part, shard.interval)
            stream = None
            result = run_shard(recorded, part, (pipe,), progress=shown)
        else:
            stream = StreamCheck(header.statement(), shard.interval)
            result = run_shard(recorded, part, (stream,), progress=shown)
        counts = (counted or result).counts.values
        problems = []
        if counts != shard.counts:
            theirs = "" if header.engine == result.engine else f" by {header.engine}"
            problems.append(f"counts: {counts} here, {shard.counts} declared{theirs}")
        if _is_counted_only(shard):
            # It declares no leaves; what it counted has been compared.
            shard = msgspec.structs.replace(shard, leaves=result.leaves, sha256=result.sha256)
        if stream:
            problems += finish_shard(stream, shard)
        elif pipe:
            if result.sha256 != shard.sha256:
                problems.append(f"sha256: {result.sha256} here, {shard.sha256!r} declared")
            pipe.declare(shard.leaves, shard.magics, shard.magic_count)
        rebuilt.leaves += result.leaves
        rebuilt.problems += [f"shard {part}: {problem}" for problem in problems]


def _is_counted_only(shard: Shard) -> bool:
    return not shard.sha256 and not shard.leaves
