"""`magicert check`: does a certificate show what it claims?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.cli import VERDICT_STATUS
from magicert.problem import InputError, Problem

if TYPE_CHECKING:
    from magicert.jobs.replay import Checked, Recounted

SHOWN_PROBLEMS = 20


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
@click.option(
    "--recount",
    type=ReplayType(),
    metavar="N|all",
    help="Count the survivors of the chains of N random shards, or all, apart from the search.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="Chooses the shards; a number from the system if not given.",
)
@click.option("--magics", "list_magics", is_flag=True, help="List the magics, as intervals.")
def command(
    paths: tuple[Path, ...],
    replay: int | None,
    recount: int | None,
    seed: int | None,
    list_magics: bool,
) -> None:  # fmt: skip
    """Check certificates: does this square really have no magic but these?

    Of a cover every leaf is checked with two multiplications, and that the leaves cover all
    magics. The checker shares no code with the search; docs/cover-certificates.md has the
    format. Of large cells only counts and hashes are kept: --replay rebuilds what they stand
    for. Every step of a solver's proof is checked by a verified checker.

        magicert check tables/certificates/bishop-d1-4.cover.xz
        magicert check tables/certificates/bishop-a5-4.cover.xz --replay 5

    Exit status: 0 valid, 1 invalid, 2 bad input, 3 not decided (leaves are not in the file).
    """
    worst = 0
    for path in paths:
        status = _check_one(path, replay, recount, seed, list_magics)
        worst = max(worst, status, key=(0, 3, 1, 2).index)
    sys.exit(worst)


def _check_one(
    path: Path, replay: int | None, recounts: int | None, seed: int | None, list_magics: bool
) -> int:
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.check_proof import is_proof_file
    from magicert.jobs.replay import after_recount, check_certificate, recount

    try:
        if is_proof_file(path):
            if replay is not None or recounts is not None or list_magics:
                message = "a proof: --replay, --recount and --magics are for covers"
                raise InputError([Problem(message, file=str(path))])
            return _check_proof(path)
        checked = check_certificate(path, replay, seed, ProgressDisplay)
        recounted = []
        if recounts is not None:
            recounted = recount(checked.certificate, recounts, seed, ProgressDisplay)
            checked = after_recount(checked, recounted)
    except InputError as error:
        for problem in error.problems:
            click.echo(problem, err=True)
        return error.exit_status
    _show(checked, list_magics)
    _show_recount(recounted)
    return VERDICT_STATUS[checked.report.verdict]


def _check_proof(path: Path) -> int:
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.check_proof import check_proof
    from magicert.verify.proof.checker import Checked as Accepted

    with ProgressDisplay(f"checking {path.name}") as display:
        report = check_proof(path, display)
    accepted = isinstance(report.verdict, Accepted)
    claim = "no magic exists" if accepted else "the file does not show what it claims"
    click.echo(f"{'valid' if accepted else 'invalid':<8} {path}: {report.cell}: {claim}")
    if isinstance(report.verdict, Accepted):
        steps = f"{report.verdict.steps:,} steps of {report.solver}"
        click.echo(f"  {steps} checked by the verified checker drup")
    else:
        click.echo(f"  {report.verdict.reason}", err=True)
    return report.verdict.exit_status


def _show(checked: "Checked", list_magics: bool) -> None:
    header, report = checked.certificate.header, checked.report
    click.echo(f"{report.verdict:<8} {checked.certificate.path}: {header}: {_verdict(checked)}")
    shards = f"{len(header.shards):,} shard{'s' if len(header.shards) > 1 else ''}"
    how = [f"{report.leaves:,} leaves checked, {shards}, evidence in the file: {header.evidence}"]
    if checked.replayed:
        how.append(f"{checked.replayed:,} of them replayed")
        if checked.seed is not None:
            how.append(f"--seed {checked.seed} chooses the same shards")
    elif report.verdict == "unknown":
        how.append("--replay N rebuilds the leaves of N shards")
    click.echo(f"  {'; '.join(how)}")
    for problem in report.problems[:SHOWN_PROBLEMS]:
        click.echo(f"  {problem}", err=True)
    if list_magics:
        for low, high in report.magics:
            click.echo(f"  {low:#x}" + (f" .. {high:#x}" if high > low else ""))


def _show_recount(recounted: "list[Recounted]") -> None:
    words = {True: "as declared", False: "NOT as declared", None: "none declared"}
    for shard in recounted:
        count = f"{shard.survivors:,} survivors, sha256 {shard.sha256}"
        click.echo(f"  shard {shard.number}: {count}: {words[shard.agrees]}")


def _verdict(checked: "Checked") -> str:
    """What the verdict means. Only "valid" states that there is no magic."""
    report = checked.report
    if report.verdict == "invalid":
        return "the file does not show what it claims"
    claim = f"{report.magic_count:,} magics and no others" if report.magic_count else "no magic"
    if report.verdict == "unknown":
        return f"it claims {claim}, but the file alone does not show it"
    return claim if report.magic_count else "no magic exists"
