"""`magicert verify`: is a table right, for every square and every occupancy?"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.cli.commands.functions import (
    FunctionOptions,
    WithFlags,
    asks_functions,
    verify_functions,
)
from magicert.cli.declared import declared, request_of
from magicert.cli.output import check_output, force
from magicert.outcome import status_of
from magicert.problem import printable
from magicert.requests.kinds import File, OneOf
from magicert.requests.reading import Sources
from magicert.requests.request import option
from magicert.requests.verify import Verify
from magicert.show.render import FORMATS

if TYPE_CHECKING:
    from magicert.jobs.verify_tables import Verified

_shown = partial(option, panel="What is shown")
_written = partial(option, None, panel="What is written")


@dataclass(frozen=True, slots=True)
class Shown:
    """How verdicts are shown, and where they are written as well."""

    form: str = _shown(
        FORMATS[0], "json: all reports. github: annotations on the lines of wrong numbers. sarif: "
        "the same for code scanning.", OneOf(FORMATS), flags=("--format",), shows_default=True,
    )  # fmt: skip
    as_json: bool = _shown(False, "The same as --format json.", flags=("--json",))
    full: bool = _shown(False, "Every finding with its boards, and all notes.")
    strict: bool = _shown(False, "Exit with 3 where there is a warning.")
    sarif: Path | None = _written("Write SARIF in this file as well, whatever --format shows.")
    certificates: Path | None = _written(
        "Write each report as NAME.certificate.json (or NAME.findings.json) in this folder.",
        File(folder=True), "FOLDER",
    )  # fmt: skip
    force: bool = force(panel="What is written")


@click.command("verify", cls=WithFlags)
@declared(Verify, Shown, FunctionOptions, without=Sources)
@declared(Sources)
def command(**given: Any) -> None:  # noqa: ANN401
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
    if given["as_json"] and given["form"] not in ("text", "json"):
        form = given["form"]
        raise click.UsageError(f"--json and --format {form}: expected one of them")
    given["form"] = "json" if given["as_json"] else given["form"]
    if asks_functions(given):
        verify_functions(given)
    from magicert.cli.progress import ProgressDisplay
    from magicert.jobs.verify_tables import other_kind, report_files, write_reports
    from magicert.show import verdicts
    from magicert.show.render import for_code, show

    sarif, certificates = given["sarif"], given["certificates"]
    asked = request_of(Verify, given)
    if not asked.paths and not asked.published:
        raise click.UsageError("expected a PATH, or --published")
    if asked.lang is not None and "-" not in asked.paths:
        raise click.UsageError('--lang is for a source on standard input: expected "-" as PATH')
    if sarif is not None:
        check_output(sarif, map(Path, asked.paths), force=given["force"])
    verified = asked.run(ProgressDisplay)
    documents = verdicts.documents_of(verified)
    if certificates is not None:
        reports = report_files(verified, certificates)
        certificates.mkdir(parents=True, exist_ok=True)
        for file in reports:
            for touched in (file, other_kind(file)):
                check_output(touched, verified.paths, force=given["force"])
        write_reports(reports)
    if sarif is not None:
        from magicert.system.whole_file import write_whole

        write_whole(sarif, for_code(documents, "sarif").encode())
    show(
        documents, given["form"], lambda: verdicts.as_json(verified, documents), full=given["full"]
    )
    for why, names in _left_out(verified):
        click.echo(f"left out, {why}: {printable(names)}", err=True)
    status = status_of(verified.verdict)
    if given["strict"] and not status and verified.warnings:
        click.echo("not decided: --strict takes no warning", err=True)
        status = status_of("unknown")
    sys.exit(status)


def _left_out(verified: "Verified") -> Iterator[tuple[str, str]]:
    """The files that hold no table, by the reason."""
    from magicert.jobs.read_sources import DATA, FEW_NUMBERS
    from magicert.problem import listed, printable

    for why in dict.fromkeys(verified.left_out.values()):
        paths = [str(path) for path in verified.left_out if verified.left_out[path] == why]
        # Most files of an engine: their names say nothing.
        many = why in (DATA, FEW_NUMBERS) and len(paths) > 1
        yield why, f"{len(paths)} files" if many else printable(listed(paths))
