"""`magicert fix`: the smallest edit that makes a source's table valid."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from magicert.cli.declared import declared, request_of
from magicert.cli.options.output import Json
from magicert.outcome import status_of
from magicert.problem import printable
from magicert.requests.reading import ChessSources
from magicert.requests.verify import Fix

if TYPE_CHECKING:
    from magicert.jobs.fixing.fix import Fixed


@click.command("fix")
@declared(Fix, Json, without=ChessSources)
@declared(ChessSources)
def command(**given: Any) -> None:  # noqa: ANN401
    """Find the smallest edit that makes the table of engine source files valid.

    All SRC are read together. A number is put back as a published table has it, or one wrong
    digit is put right; else the square gets another magic of the same bits and scheme. Where
    every square is right by itself, offsets are tried: the sum of the sizes before, or those of
    a published table. The notation of the number stays. The patched source is verified before
    the patch is shown, on standard output.

        magicert fix src/magics.h
        magicert fix src/magics.h | patch -p1
        magicert fix src/magics.rs --write
        magicert fix magics.h --map rook.magic=R_MAGIC --bits rook=12,bishop=9

    Exit status: 0 valid already or a patch found, 1 invalid and no patch found, 2 bad input,
    3 not decided.
    """
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.show.render import echo_json

    asked = request_of(Fix, given)
    fixed = asked.run(ProgressDisplay)
    if given["as_json"]:
        echo_json(_document(fixed))
    else:
        _show(fixed, printable(" and ".join(asked.sources)), asked.write)
    sys.exit(status_of(fixed.verdict))


def _document(fixed: "Fixed") -> dict[str, object]:
    return {
        "verdict_before": fixed.before.verdict,
        "verdict": fixed.verdict,
        "changes": [asdict(change) for change in fixed.changes],
        "patch": "".join(fixed.patches) if fixed.verdict == "valid" else "",
        "reasons": fixed.reasons,
    }


def _show(fixed: "Fixed", name: str, written: bool) -> None:
    """The patch on standard output; all else on standard error."""
    if fixed.before.verdict == "valid":
        click.echo(f"valid: {printable(name)} needs no fix", err=True)
        for warning in fixed.before.warnings:
            click.echo(f"warning: {printable(warning)}", err=True)
        return
    if fixed.verdict != "valid":
        click.echo(f"{fixed.verdict}: {printable(name)}: no patch was found:", err=True)
        for reason in fixed.reasons or ["its verification was not brought to its end"]:
            click.echo(f"  {printable(reason)}", err=True)
        return
    click.echo("".join(fixed.patches), nl=False)
    for change in fixed.changes:
        click.echo(printable(str(change)), err=True)
    done = "written" if written else "--write applies it"
    click.echo(f"verified: with this patch {printable(name)} is valid; {done}", err=True)
