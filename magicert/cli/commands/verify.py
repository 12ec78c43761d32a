"""`magicert verify`: is a table right, for every square and every occupancy?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from magicert.cli import VERDICT_STATUS
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.pins import pin_options
from magicert.cli.options.types import NearChoice, TableNameType
from magicert.cli.options.work import options
from magicert.problem import InputError
from magicert.verify.table.budget import MAX_LOOKUPS

if TYPE_CHECKING:
    from magicert.jobs.verify_tables import Verified
    from magicert.verify.source.readings.pins import Pins

FORMATS = ("text", "json", "github", "sarif")
"""How the verdicts are shown."""


@click.command("verify")
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=TableNameType(files=True))
@options(
    click.option("--published", is_flag=True, help="All published tables."),
    click.option(
        "--lang",
        metavar="LANGUAGE",
        help='The language of a source on standard input ("-"): an ending, such as cpp or rs.',
    ),
    click.option(
        "--max-lookups",
        type=click.IntRange(1 << 18, 1 << 40),
        default=MAX_LOOKUPS,
        show_default=True,
        metavar="N",
        help="Budget for one table; a usual one needs 107,648. Only odd masks need more.",
    ),
    panel="What to verify",
)
@options(
    click.option(
        "--format", "form", type=NearChoice(FORMATS), default=FORMATS[0], show_default=True,
        help="json: all reports. github: annotations on the lines of wrong numbers. sarif: the "
        "same for code scanning.",
    ),
    click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
    click.option("--full", is_flag=True, help="Every finding with its boards, and all notes."),
    click.option(
        "--certificates", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
        help="Write each report as NAME.certificate.json (or NAME.findings.json) in this folder.",
    ),
    FORCE,
    panel="What is shown and written",
)  # fmt: skip
@pin_options
def command(
    paths: tuple[str, ...],
    published: bool,
    form: str,
    as_json: bool,
    full: bool,
    certificates: Path | None,
    lang: str | None,
    max_lookups: int,
    force: bool,
    pins: "Pins | None",
) -> None:
    """Verify tables exhaustively: a certificate, or the positions that break them.

    PATH is a table file, an engine's source file in any language, a folder of either, "-"
    for standard input, or the name of a table that ships. All occupancies of
    all squares are looked up: nothing is sampled. For a source, the reading is shown: which
    of its lists and numbers were taken for what.

        magicert verify my-engine.toml
        magicert verify src/bitboard.cpp
        magicert verify magics.h --map rook.magic=R_MAGIC --bits rook=12,bishop=9
        magicert verify tables/ --certificates certificates/
        git show HEAD~3:src/magics.rs | magicert verify - --lang rs
        magicert verify shakmaty --json | jq .reports[0].buffers
        magicert verify src --format sarif > magicert.sarif

    Exit status: 0 all valid, 1 something invalid, 2 bad input, 3 not decided.
    """
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.verify_tables import (
        Wanted,
        other_kind,
        report_files,
        verify_all,
        write_reports,
    )

    if as_json and form not in ("text", "json"):
        raise click.UsageError(f"--json and --format {form}: expected one of them")
    if not paths and not published:
        raise click.UsageError("expected a PATH, or --published")
    if lang is not None and "-" not in paths:
        raise click.UsageError('--lang is for a source on standard input: expected "-" as PATH')
    verified = verify_all(Wanted(paths, published, max_lookups, pins, lang), ProgressDisplay)
    if certificates is not None:
        reports = report_files(verified, certificates)
        certificates.mkdir(parents=True, exist_ok=True)
        for file in reports:
            for touched in (file, other_kind(file)):
                check_output(touched, verified.paths, force=force)
        write_reports(reports)
    _show(verified, "json" if as_json else form, full)
    sys.exit(VERDICT_STATUS[verified.verdict])


def _show(verified: "Verified", form: str, full: bool) -> None:
    """The verdicts in one of FORMATS."""
    match form:
        case "json":
            _print_json(verified)
        case "github":
            _print_commands(verified)
        case "sarif":
            from magicert.cli.display.documents import echo_json
            from magicert.cli.display.formats import annotations, sarif

            echo_json(sarif.log(annotations.annotations(verified)))
        case _:
            from magicert.cli.display.report import show_all
            from magicert.cli.display.source_report import show_sources

            if verified.tables:
                show_all(verified.tables, full)
            show_sources(verified.sources, full)


def _print_commands(verified: "Verified") -> None:
    """Annotations for GitHub, then what the step's log shows: a verdict for each file."""
    from magicert.cli.display.formats import annotations, github
    from magicert.problem import printable

    click.echo(github.commands(annotations.annotations(verified)), nl=False)
    for item in verified.tables:
        click.echo(f"{item.verdict.ljust(9)} {printable(str(item.path))}")
    for source in verified.sources:
        click.echo(f"{source.verdict.ljust(9)} {source.name}")


def _print_json(verified: "Verified") -> None:
    """All reports in one document; names that are not text in any encoding are escaped."""
    from magicert.cli.display import source_report
    from magicert.cli.display.documents import bad_input, echo_json

    reports: list[object] = [
        bad_input(str(item.path), item.result)
        if isinstance(item.result, InputError)
        else item.result
        for item in verified.tables
    ]
    for source in verified.sources:
        reports += source_report.as_json(source)
    echo_json({"reports": reports})
