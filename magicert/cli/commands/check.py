"""`magicert check`: is a cover certificate valid and complete?"""

import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.problem import InputError, Problem

if TYPE_CHECKING:
    from magicert.search.shards.shard import Work
    from magicert.verify.cover.checker import Certificate, CheckReport

STATUS = {"valid": 0, "invalid": 1, "unknown": 3}


class ReplayType(click.ParamType[int]):
    """How many shards: a number, or all."""

    name = "shards"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:  # noqa: ANN401
        """The number; 0 for all."""
        if isinstance(value, int):
            return value
        if value == "all":
            return 0
        if str(value).isdecimal() and int(value) > 0:
            return int(value)
        return self.fail(f"{value!r}: expected a number of shards, or all", param, ctx)


@click.command("check")
@click.argument(
    "paths", nargs=-1, required=True, metavar="CERT...", type=click.Path(path_type=Path)
)
@click.option(
    "--replay",
    type=ReplayType(),
    metavar="N|all",
    help="Rebuild N random shards, or all: check their leaves, compare counts and hashes.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="For the choice of shards.")
@click.option("--magics", "list_magics", is_flag=True, help="List the magics, as intervals.")
def command(paths: tuple[Path, ...], replay: int | None, seed: int, list_magics: bool) -> None:
    """Check certificates: does this square really have no magic but these?

    Every leaf is checked with two multiplications, and that they cover all magics. The
    checker shares no code with the search; docs/cover-certificates.md has the format. Of large
    cells only counts and hashes are kept: --replay rebuilds what they stand for.

    \b
    magicert check tables/certificates/bishop-d1-4.cover.xz
    magicert check tables/certificates/bishop-a5-4.cover.xz --replay 5

    Exit status: 0 valid, 1 invalid, 2 bad input, 3 not decided (leaves are not in the file).
    """
    worst = 0
    for path in paths:
        status = _check_one(path, replay, seed, list_magics)
        worst = max(worst, status, key=(0, 3, 1, 2).index)
    sys.exit(worst)


def _check_one(path: Path, replay: int | None, seed: int, list_magics: bool) -> int:
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.verify.cover.checker import check, read_certificate

    try:
        certificate = read_certificate(path)
    except InputError as error:
        for problem in error.problems:
            click.echo(problem, err=True)
        return error.exit_status
    with ProgressDisplay(f"checking {path.name}", "bytes") as show:
        report = check(certificate, show)
    replayed = 0
    if replay is not None and not report.problems:
        replayed = _replay(certificate, report, replay, seed)
    _show(certificate, report, replayed, list_magics)
    return STATUS[report.verdict]


def _show(
    certificate: "Certificate", report: "CheckReport", replayed: int, list_magics: bool
) -> None:
    header = certificate.header
    shards = f"{len(header.shards):,} shard{'s' if len(header.shards) > 1 else ''}"
    if report.magic_count:
        claim = f"{report.magic_count:,} magics and no others"
    else:
        claim = "no magic exists"
    click.echo(f"{report.verdict:<8} {certificate.path}: {header}: {claim}")
    how = f"{report.leaves:,} leaves checked, {shards}"
    if replayed:
        how += f", {replayed:,} of them replayed"
    elif report.verdict == "unknown":
        how += "; the leaves are not in the file: --replay N rebuilds them"
    click.echo(f"  {how}")
    for problem in report.problems[:20]:
        click.echo(f"  {problem}", err=True)
    if list_magics:
        for low, high in report.magics:
            click.echo(f"  {low:#x}" + (f" .. {high:#x}" if high > low else ""))


def _replay(certificate: "Certificate", report: "CheckReport", count: int, seed: int) -> int:
    """Rebuild shards and check them; how many. All of them together decide the verdict."""
    from magicert.cli.display.progress import ProgressDisplay

    work = work_of(certificate)
    shards = range(len(certificate.header.shards))
    chosen = list(shards)
    if 0 < count < len(chosen):
        chosen = sorted(random.Random(seed).sample(shards, count))
    with ProgressDisplay(f"replaying {certificate.path.name}", "shards") as show:
        for done, number in enumerate(chosen):
            show(done, len(chosen))
            problems = _replay_one(certificate, report, work, number)
            report.problems += [f"shard {number}: {problem}" for problem in problems]
    if report.problems:
        report.verdict = "invalid"
    elif len(chosen) == len(shards):
        report.verdict = "valid"
    return len(chosen)


def _replay_one(
    certificate: "Certificate", report: "CheckReport", work: "Work", number: int
) -> list[str]:
    from magicert.search.shards.shard import run_shard
    from magicert.verify.cover.checker import finish_shard
    from magicert.verify.cover.joining import StreamCheck

    shard = certificate.header.shards[number]
    stream = StreamCheck(certificate.header.statement(), shard.interval)
    result = run_shard(work, number, (stream,))
    if not certificate.header.streams:
        report.leaves += stream.leaves
    problems = []
    if result.counts.values != shard.counts:
        problems.append(f"counts: {result.counts.values} here, {shard.counts} declared")
    if not shard.sha256 and not shard.leaves:
        # A run that only counted: what it counted has been compared.
        shard = type(shard)(
            shard.root, stream.leaves, result.sha256, shard.counts, shard.magics, shard.magic_count
        )
    return problems + finish_shard(stream, shard)


def work_of(certificate: "Certificate") -> "Work":
    """What the search has to do for a certificate's shards.

    Raises InputError where the plan is none, or cuts the cell in other shards.
    """
    from magicert.board import Piece, parse_square
    from magicert.cell import Cell
    from magicert.scheme import resolve_scheme
    from magicert.search.chain.chain import check_plan
    from magicert.search.problem.plan import Plan
    from magicert.search.problem.terms import terms_of
    from magicert.search.shards.shard import Work

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
