"""`magicert verify`: is a table right, for every square and every occupancy?"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.cli import VERDICT_STATUS
from magicert.cli.options.functions import WithFlags, function_options
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.pins import pin_options
from magicert.cli.options.types import NearChoice, TableNameType
from magicert.cli.options.work import options
from magicert.problem import printable
from magicert.show.render import FORMATS
from magicert.verify.table.budget import MAX_LOOKUPS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from magicert.jobs.verify_tables import Verified
    from magicert.verify.source.pins import Pins


def _functions(*asked: Any) -> None:  # noqa: ANN401
    """What is asked about functions goes another way."""
    from magicert.cli.commands.sources.functions import verify_functions

    verify_functions(*asked)


@click.command("verify", cls=WithFlags)
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
        "--format",
        "form",
        type=NearChoice(FORMATS),
        default=FORMATS[0],
        show_default=True,
        help="json: all reports. github: annotations on the lines of wrong numbers. sarif: the "
        "same for code scanning.",
    ),
    click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
    click.option("--full", is_flag=True, help="Every finding with its boards, and all notes."),
    click.option("--strict", is_flag=True, help="Exit with 3 where there is a warning."),
    panel="What is shown",
)
@options(
    click.option(
        "--sarif", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
        help="Write SARIF in this file as well, whatever --format shows.",
    ),
    click.option(
        "--certificates", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
        help="Write each report as NAME.certificate.json (or NAME.findings.json) in this folder.",
    ),
    FORCE,
    panel="What is written",
)  # fmt: skip
@function_options(_functions)
@pin_options
def command(
    paths: tuple[str, ...],
    published: bool,
    form: str,
    as_json: bool,
    full: bool,
    strict: bool,
    sarif: Path | None,
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
    of its lists and numbers were taken for what. With --function the compiled function itself
    is proved to be right, by a solver; words behind -- are the compiler's.

        magicert verify my-engine.toml
        magicert verify src/bitboard.cpp
        magicert verify magics.h --map rook.magic=R_MAGIC --bits rook=12,bishop=9
        magicert verify tables/ --certificates certificates/
        git show HEAD~3:src/magics.rs | magicert verify - --lang rs
        magicert verify shakmaty --json | jq .reports[0].buffers
        magicert verify src --strict --sarif magicert.sarif
        magicert verify glue.cpp --function rook=rook_attacks -- -O2 -mavx2 -Isrc

    Of a folder, tables and sources are verified, and what is left out is said on standard error.

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
    from magicert.show import verdicts
    from magicert.show.render import for_code, show

    if as_json and form not in ("text", "json"):
        raise click.UsageError(f"--json and --format {form}: expected one of them")
    if not paths and not published:
        raise click.UsageError("expected a PATH, or --published")
    if lang is not None and "-" not in paths:
        raise click.UsageError('--lang is for a source on standard input: expected "-" as PATH')
    if sarif is not None:
        check_output(sarif, map(Path, paths), force=force)
    verified = verify_all(Wanted(paths, published, max_lookups, pins, lang), ProgressDisplay)
    documents = verdicts.documents_of(verified)
    if certificates is not None:
        reports = report_files(verified, certificates)
        certificates.mkdir(parents=True, exist_ok=True)
        for file in reports:
            for touched in (file, other_kind(file)):
                check_output(touched, verified.paths, force=force)
        write_reports(reports)
    if sarif is not None:
        from magicert.system.whole_file import write_whole

        write_whole(sarif, for_code(documents, "sarif").encode())
    form = "json" if as_json else form
    show(documents, form, lambda: verdicts.as_json(verified, documents), full=full)
    for why, names in _left_out(verified):
        click.echo(f"left out, {why}: {printable(names)}", err=True)
    status = VERDICT_STATUS[verified.verdict]
    if strict and not status and verified.warnings:
        click.echo("not decided: --strict takes no warning", err=True)
        status = VERDICT_STATUS["unknown"]
    sys.exit(status)


def _left_out(verified: "Verified") -> "Iterator[tuple[str, str]]":
    """The files that hold no table, by the reason."""
    from magicert.jobs.read_sources import DATA, FEW_NUMBERS
    from magicert.problem import listed, printable

    for why in dict.fromkeys(verified.left_out.values()):
        paths = [str(path) for path in verified.left_out if verified.left_out[path] == why]
        # Most files of an engine: their names say nothing.
        many = why in (DATA, FEW_NUMBERS) and len(paths) > 1
        yield why, f"{len(paths)} files" if many else printable(listed(paths))
