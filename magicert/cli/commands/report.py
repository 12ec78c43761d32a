"""`magicert report`: a table, a source or its functions, verified, as a page to look at."""

import sys
from pathlib import Path
from typing import Any

import click

from magicert.cli.commands.functions import (
    FunctionOptions,
    WithFlags,
    asks_functions,
    report_functions,
)
from magicert.cli.declared import check_outputs, declared, request_of
from magicert.cli.options.output import Force, Json
from magicert.outcome import status_of
from magicert.problem import printable
from magicert.requests.reading import Sources
from magicert.requests.verify import PageRequest


@click.command("report", cls=WithFlags)
@declared(PageRequest, Force, Json, FunctionOptions, without=Sources)
@declared(Sources)
def command(**given: Any) -> None:  # noqa: ANN401
    """Write a page about a table: verdict, boards, buffer map, findings, magics, certificate.

    It is one file, which asks nothing from anywhere: read it in a browser, mail it, print it.

        magicert report shakmaty
        magicert report src/bitboard.cpp -o engine.html
        magicert report glue.cpp --function rook=rook_attacks -- -O2

    Exit status: as of verify: 0 valid, 1 invalid, 2 bad input, 3 not decided.
    """
    if asks_functions(given):
        report_functions(given)
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.show.render import echo_json
    from magicert.show.report_page import subject_of, write_report

    asked = request_of(PageRequest, given)
    check_outputs(asked, force=given["force"], inputs=[Path(asked.table)])
    subject = subject_of(asked, ProgressDisplay)
    size = write_report(subject, asked.output)
    document = subject.document
    if given["as_json"]:
        told = {"verdict": document.verdict, "headline": document.headline, "patch": subject.patch}
        echo_json({**told, "output": str(asked.output), "bytes": size, "report": document.data()})
    else:
        if document.verdict != "valid":
            click.echo(document.headline)
        click.echo(document.line)
        click.echo(f"{printable(asked.output)}: {size:,} bytes")
    sys.exit(status_of(document.verdict))
