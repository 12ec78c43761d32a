"""`magicert fix`: the smallest edit that makes a source's table valid."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from magicert.cli import VERDICT_STATUS
from magicert.cli.options.pins import chess_pin_options
from magicert.cli.options.work import JSON
from magicert.problem import printable

if TYPE_CHECKING:
    from magicert.jobs.fixing.fix import Fixed
    from magicert.verify.source.pins import Pins


@click.command("fix")
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--write", is_flag=True, help="Change the files themselves as well.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Another seed finds other magics, where new ones are needed.",
)
@JSON
@chess_pin_options
def command(
    sources: tuple[str, ...],
    write: bool,
    seed: int,
    as_json: bool,
    pins: "Pins | None",
) -> None:
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
    from magicert.cli.display.documents import echo_json
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.fixing.fix import fix

    fixed = fix([Path(name) for name in sources], pins, seed, ProgressDisplay)
    if write and fixed.verdict == "valid":
        _write(fixed)
    if as_json:
        echo_json(_document(fixed))
    else:
        _show(fixed, printable(" and ".join(sources)), write)
    sys.exit(VERDICT_STATUS[fixed.verdict])


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


def _write(fixed: "Fixed") -> None:
    from magicert.system.whole_file import write_whole

    for path, data in fixed.contents.items():
        write_whole(path, data)
