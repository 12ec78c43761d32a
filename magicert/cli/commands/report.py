"""`magicert report`: a table, a source or its functions, verified, as a page to look at."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.cli import VERDICT_STATUS
from magicert.cli.options.functions import WithFlags, function_options
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.pins import pin_options
from magicert.cli.options.types import TableNameType
from magicert.cli.options.work import JSON, file_option
from magicert.problem import printable

if TYPE_CHECKING:
    from magicert.verify.source.pins import Pins


def _functions(*asked: Any) -> None:  # noqa: ANN401
    """What is asked about functions goes another way."""
    from magicert.cli.commands.sources.functions import report_functions

    report_functions(*asked)


@click.command("report", cls=WithFlags)
@click.argument("table", metavar="TABLE|SOURCE", type=TableNameType(files=True))
@file_option("-o", "--output", default=Path("report.html"), help="The page.")
@FORCE
@JSON
@function_options(_functions)
@pin_options
def command(
    table: str,
    output: Path,
    force: bool,
    as_json: bool,
    pins: "Pins | None",
) -> None:
    """Write a page about a table: verdict, boards, buffer map, findings, magics, certificate.

    It is one file, which asks nothing from anywhere: read it in a browser, mail it, print it.

        magicert report shakmaty
        magicert report src/bitboard.cpp -o engine.html
        magicert report glue.cpp --function rook=rook_attacks -- -O2

    Exit status: as of verify: 0 valid, 1 invalid, 2 bad input, 3 not decided.
    """
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.show.render import echo_json
    from magicert.show.report_page import subject_of, write_report

    check_output(output, [Path(table)], force=force)
    subject = subject_of(table, pins, ProgressDisplay)
    size = write_report(subject, output)
    document = subject.document
    if as_json:
        told = {"verdict": document.verdict, "headline": document.headline, "patch": subject.patch}
        echo_json({**told, "output": str(output), "bytes": size, "report": document.data()})
    else:
        if document.verdict != "valid":
            click.echo(document.headline)
        click.echo(document.line)
        click.echo(f"{printable(output)}: {size:,} bytes")
    sys.exit(VERDICT_STATUS[document.verdict])
