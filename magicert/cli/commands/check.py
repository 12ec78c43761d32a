"""`magicert check`: does a certificate show what it claims?"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.cli import VERDICT_STATUS
from magicert.cli.options.types import CERTIFICATE
from magicert.cli.options.work import keys_option
from magicert.data import find_certificate
from magicert.problem import InputError, Problem, printable

if TYPE_CHECKING:
    from magicert.jobs.covers.recount import Recounted
    from magicert.jobs.covers.replay import Checked
    from magicert.jobs.covers.sample import Sampled

SHOWN_PROBLEMS = 20


class ShardsType(click.ParamType["int | range"]):
    """How many shards, or which: a number, all, or FIRST-LAST."""

    name = "shards"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> int | range:
        """The number, 0 for all; or the range."""
        first, dash, last = str(value).partition("-")
        if dash and first.isdecimal() and last.isdecimal() and int(first) <= int(last):
            return range(int(first), int(last) + 1)
        return ReplayType().convert(value, param, ctx)


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
@click.argument("names", nargs=-1, required=True, metavar="CERT...", type=CERTIFICATE)
@click.option(
    "--replay",
    type=ShardsType(),
    metavar="N|A-B|all",
    help="Rebuild N random shards, those from A to B, or all: check their leaves, compare hashes.",
)
@click.option(
    "--proved",
    is_flag=True,
    help="With --replay: have the leaves checked by magicert-proved, whose proof Coq has checked.",
)
@click.option(
    "--settled",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --proved: add a line for each shard, so that several machines share a cell.",
)
@click.option(
    "--recount",
    type=ReplayType(),
    metavar="N|all",
    help="Count the survivors of the chains of N random shards, or all, apart from the search.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Search N small random pieces of every shard anew: check their leaves, compare magics.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="Chooses shards and pieces; a number from the system if not given.",
)
@keys_option("Check that a cover is about the keys of this file, too.")
@click.option("--magics", "list_magics", is_flag=True, help="List the magics, as intervals.")
def command(
    names: tuple[str, ...],
    replay: int | range | None,
    proved: bool,
    settled: Path | None,
    recount: int | None,
    sample: int | None,
    seed: int | None,
    keys: Path | None,
    list_magics: bool,
) -> None:  # fmt: skip
    """Check certificates: does this square really have no magic but these?

    CERT is a file, or the name of a certificate that ships with magicert: bishop-d1-4 is
    bishop d1 with 4 bits, bishop-d1-4.drup the solver's proof of the same, rook-c2-8.tsv
    what an independent program counted of a chain. An atlas is held against its files.

    Of a cover every leaf is checked with two multiplications, and that the leaves cover all
    magics. The checker shares no code with the search; docs/cover-certificates.md has the
    format. Of large cells only counts and hashes are kept: --replay rebuilds what they stand
    for, and --sample has leaves written for small pieces of every shard. Every step of a
    solver's proof is checked by a verified checker.

        magicert check bishop-d1-4
        magicert check my-cell.cover.xz
        magicert check bishop-a5-4 --replay 5
        magicert check bishop-a6-3 --replay all --proved
        magicert check rook-c2-8.tsv --recount 1

    Exit status: 0 valid, 1 invalid, 2 bad input, 3 not decided (leaves are not in the file).
    """
    if (proved and replay is None) or (settled and not proved):
        raise click.UsageError("--proved is for --replay, and --settled for --proved")
    asked = _Asked(replay, recount, sample, seed, list_magics, keys, proved, settled)
    sys.exit(max((_check_one(name, asked) for name in names), key=(0, 3, 1, 2).index))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of a cover besides the check of its file: None where it is not."""

    replay: int | range | None
    recount: int | None
    sample: int | None
    seed: int | None
    list_magics: bool
    keys: Path | None = None
    proved: bool = False
    settled: Path | None = None

    @property
    def is_more(self) -> bool:
        return self.list_magics or any(
            asked is not None for asked in (self.replay, self.recount, self.sample, self.keys)
        )


def _check_one(name: str, asked: _Asked) -> int:
    """Check one; the exit status. What is wrong with it does not stop the others."""
    from magicert.jobs.check_proof import is_proof_file
    from magicert.jobs.covers.counted import is_recount

    try:
        path = find_certificate(name)
        if path.suffix == ".toml":
            return _check_atlas(path, asked)
        if is_recount(path):
            return _check_recount(path, asked)
        if not is_proof_file(path):
            return _check_cover(path, asked)
        if asked.is_more:
            message = "a proof: --replay, --recount, --sample, --magics and --keys are for covers"
            raise InputError([Problem(message, file=str(path))])
        return _check_proof(path)
    except InputError as error:
        for problem in error.problems:
            click.echo(problem, err=True)
        return error.exit_status


def _check_cover(path: Path, asked: _Asked) -> int:
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.covers.replay import Proved, check_certificate, refuted

    recounted: list[Recounted] = []
    sampled: Sampled | None = None
    proved = Proved(asked.settled) if asked.proved else None
    checked = check_certificate(path, asked.replay, asked.seed, ProgressDisplay, proved)
    if asked.recount is not None:
        from magicert.jobs.covers.recount import recount

        recounted = recount(checked.certificate, asked.recount, asked.seed, ProgressDisplay)
        checked = refuted(checked, [problem for one in recounted for problem in one.problems])
    if asked.sample is not None:
        from magicert.jobs.covers.sample import sample

        sampled = sample(checked.certificate, asked.sample, asked.seed, ProgressDisplay)
        checked = refuted(checked, sampled.problems)
    if asked.keys is not None:
        from magicert.cell.key_file import read_keys
        from magicert.jobs.covers.same_keys import other_keys

        checked = refuted(checked, other_keys(checked.certificate, read_keys(asked.keys)))
    _show(checked, asked.list_magics)
    _show_recount(recounted)
    if sampled is not None:
        pieces = sampled.each * len(checked.certificate.header.shards)
        wrong = f", {len(sampled.problems):,} of them wrong" if sampled.problems else ""
        click.echo(
            f"  {pieces:,} random pieces searched anew, {sampled.leaves:,} leaves checked{wrong}: "
            f"{float(sampled.share):.2g} of all m, and nothing of the rest; "
            f"--seed {sampled.seed} chooses the same pieces"
        )
    return VERDICT_STATUS[checked.report.verdict]


def _check_atlas(path: Path, asked: _Asked) -> int:
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.check_atlas import check_atlas

    if asked.is_more:
        raise InputError([Problem("an atlas: expected no other option", file=str(path))])
    found = check_atlas(path, ProgressDisplay)
    if found.problems:
        click.echo(f"invalid  {printable(path)}: it says more than its files")
    else:
        click.echo(f"valid    {printable(path)}: it says what its files say")
    click.echo(
        f"  magics tried: {found.magics:,}; certificates read, but not checked: "
        f"{found.certificates:,} (magicert check CERT)"
    )
    for problem in found.problems[:SHOWN_PROBLEMS]:
        click.echo(f"  {problem}", err=True)
    return 1 if found.problems else 0


def _check_recount(path: Path, asked: _Asked) -> int:
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.covers.again import count_again

    if replace(asked, recount=None).is_more:
        message = "a recount: --replay, --sample, --magics and --keys are for covers"
        raise InputError([Problem(message, file=str(path))])
    found = count_again(path, asked.recount, asked.seed, ProgressDisplay)
    counted, done = found.counted, len(found.numbers)
    magics = len(counted.magics)
    claim = f"{magics:,} magics and no others" if magics else "no magic"
    if not counted.is_whole:
        claim = f"{magics:,} magics in {len(counted.rows):,} of {1 << counted.level:,} shards"
    meaning = {
        "valid": f"{claim}, counted again in every shard",
        "invalid": "the file does not show what it claims",
        "unknown": f"it claims {claim}, but the file alone does not show it",
    }
    click.echo(f"{found.verdict:<8} {printable(path)}: {counted.cell}: {meaning[found.verdict]}")
    if not done:
        click.echo("  --recount N has recount.c count N random shards again")
    else:
        seed = "" if found.seed is None else f"; --seed {found.seed} chooses the same shards"
        only = "" if found.by == "recount.c" else ": survivors only, for want of a C compiler (cc)"
        click.echo(
            f"  {done:,} shard{'s' if done > 1 else ''} counted again by {found.by}{only}{seed}"
        )
    for problem in found.problems[:SHOWN_PROBLEMS]:
        click.echo(f"  {problem}", err=True)
    return VERDICT_STATUS[found.verdict]


def _check_proof(path: Path) -> int:
    from magicert.cell.shape import Shape
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.check_proof import check_proof
    from magicert.verify.proof.checker import Checked as Accepted

    with ProgressDisplay(f"checking {path.name}") as display:
        report = check_proof(path, display)
    accepted = isinstance(report.verdict, Accepted)
    claim = "no magic exists" if accepted else "the file does not show what it claims"
    click.echo(
        f"{'valid' if accepted else 'invalid':<8} {printable(path)}: {report.about}: {claim}"
    )
    if isinstance(report.verdict, Accepted):
        steps = f"{report.verdict.steps:,} steps of {report.solver}"
        click.echo(f"  {steps} checked by the verified checker drup")
        if isinstance(report.about, Shape):
            click.echo(f"  no magic for {', '.join(report.about.named)}, white scheme")
    else:
        click.echo(f"  {report.verdict.reason}", err=True)
    return report.verdict.exit_status


def _show(checked: "Checked", list_magics: bool) -> None:
    header, report = checked.certificate.header, checked.report
    click.echo(
        f"{report.verdict:<8} {printable(checked.certificate.path)}: {header}: {_verdict(checked)}"
    )
    shards = f"{len(header.shards):,} shard{'s' if len(header.shards) > 1 else ''}"
    how = [f"{report.leaves:,} leaves checked, {shards}, evidence in the file: {header.evidence}"]
    if checked.replayed:
        how.append(f"{checked.replayed:,} of them replayed")
        if checked.seed is not None:
            how.append(f"--seed {checked.seed} chooses the same shards")
    elif report.verdict == "unknown":
        how.append("--replay N rebuilds the leaves of N shards")
    click.echo(f"  {'; '.join(how)}")
    if checked.proved:
        click.echo(f"  the proved checker: {checked.proved}")
    for problem in report.problems[:SHOWN_PROBLEMS]:
        click.echo(f"  {problem}", err=True)
    if list_magics:
        for low, high in report.magics:
            click.echo(f"  {low:#x}" + (f" .. {high:#x}" if high > low else ""))


def _show_recount(recounted: "list[Recounted]") -> None:
    for shard in recounted:
        told = {"declared": shard.declared, "counted by recount.c": shard.stored}
        known = {who: agrees for who, agrees in told.items() if agrees is not None}
        words = [f"{'as' if agrees else 'NOT as'} {who}" for who, agrees in known.items()]
        count = f"{shard.survivors:,} survivors, sha256 {shard.sha256}"
        click.echo(f"  shard {shard.number}: {count}: {', '.join(words) or 'none declared'}")


def _verdict(checked: "Checked") -> str:
    """What the verdict means. Only "valid" states that there is no magic."""
    report = checked.report
    if report.verdict == "invalid":
        return "the file does not show what it claims"
    claim = f"{report.magic_count:,} magics and no others" if report.magic_count else "no magic"
    if report.verdict == "unknown":
        return f"it claims {claim}, but the file alone does not show it"
    return claim if report.magic_count else "no magic exists"
