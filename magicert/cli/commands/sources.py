"""`fix`, `import`, `report`: a source mended, kept as a table file, drawn as a page."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.cli.commands.verify import (
    FunctionOptions,
    WithFlags,
    asks_functions,
    report_functions,
)
from magicert.cli.declared import Force, Json, check_outputs, declared, request_of
from magicert.outcome import status_of
from magicert.problem import InputError, Problem, printable
from magicert.requests.sources import Fix, Import, PageRequest
from magicert.requests.verify import ChessSources, Sources

if TYPE_CHECKING:
    from magicert.jobs.fixing.fix import Fixed


@click.command("fix")
@declared(Fix, Json, without=ChessSources)
@declared(ChessSources)
def fix(**given: Any) -> None:  # noqa: ANN401
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
    from magicert.cli.progress import ProgressDisplay
    from magicert.show.document import echo_json

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


@click.command("import")
@declared(Import, Force, Json, without=Sources)
@declared(Sources)
def import_table(**given: Any) -> None:  # noqa: ANN401
    """Read the table of engine source files, verify it, and keep it as a table file.

    All SRC are read together. The table is written only if it certifies (or with
    --broken); `magicert verify TABLE` then says the same of it as of the source.

        magicert import bitboard.cpp -o engine.toml
        magicert import magics.h shifts.h -o engine.toml
        magicert import magics.rs -o e.toml --map rook.magic=OLD_R --bits rook=12

    Exit status: 0 written, 1 no reading certifies, 2 bad input, 3 not decided.
    """
    from magicert.cli.progress import ProgressDisplay
    from magicert.show.document import echo, echo_json
    from magicert.show.verdicts import of_source
    from magicert.table.write import table_toml, write_table

    asked, as_json = request_of(Import, given), given["as_json"]
    to_file = str(asked.output) != "-"
    if as_json and not to_file:
        raise click.UsageError("--json: expected a file, not standard output, for the table")
    check_outputs(asked, force=given["force"], inputs=map(Path, asked.sources))
    found = asked.run(ProgressDisplay)
    table, documents = found.table, list(of_source(found.checked))
    if table is not None and to_file:
        write_table(table, asked.output)
    if as_json:
        written = None if table is None else str(asked.output)
        told = [document.data() for document in documents]
        echo_json({"verdict": found.checked.verdict, "output": written, "reports": told})
    elif table is None or to_file:
        echo(documents)
    else:
        click.echo(table_toml(table), nl=False)
    if table is None and found.readings:
        message = f"{found.readings} readings: say which with --reading 1 to {found.readings}"
        raise InputError([Problem(message, file=found.checked.name)])
    if table is not None and to_file and not as_json:
        click.echo(f"\nwritten: {printable(asked.output)}")
    sys.exit(status_of(found.checked.verdict))


@click.command("report", cls=WithFlags)
@declared(PageRequest, Force, Json, FunctionOptions, without=Sources)
@declared(Sources)
def report(**given: Any) -> None:  # noqa: ANN401
    """Write a page about a table: verdict, boards, buffer map, findings, magics, certificate.

    It is one file, which asks nothing from anywhere: read it in a browser, mail it, print it.

        magicert report shakmaty
        magicert report src/bitboard.cpp -o engine.html
        magicert report glue.cpp --function rook=rook_attacks -- -O2

    Exit status: as of verify: 0 valid, 1 invalid, 2 bad input, 3 not decided.
    """
    if asks_functions(given):
        report_functions(given)
    from magicert.cli.progress import ProgressDisplay
    from magicert.show.document import echo_json
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
