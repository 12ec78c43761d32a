"""`magicert import`: a table file from an engine's source."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from magicert.cli import VERDICT_STATUS
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.pins import pin_options
from magicert.cli.options.work import JSON
from magicert.problem import InputError, Problem, printable

if TYPE_CHECKING:
    from magicert.table import Table
    from magicert.verify.source.pins import Pins


@click.command("import")
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The table file to write; - for standard output.",
)
@click.option("--reading", type=click.IntRange(1), help="Which one, where several certify.")
@click.option("--broken", is_flag=True, help="Write the nearest reading if none certifies.")
@FORCE
@JSON
@pin_options
def command(
    sources: tuple[str, ...],
    output: Path,
    reading: int | None,
    broken: bool,
    force: bool,
    as_json: bool,
    pins: "Pins | None",
) -> None:
    """Read the table of engine source files, verify it, and keep it as a table file.

    All SRC are read together. The table is written only if it certifies (or with
    --broken); `magicert verify TABLE` then says the same of it as of the source.

        magicert import bitboard.cpp -o engine.toml
        magicert import magics.h shifts.h -o engine.toml
        magicert import magics.rs -o e.toml --map rook.magic=OLD_R --bits rook=12

    Exit status: 0 written, 1 no reading certifies, 2 bad input, 3 not decided.
    """
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.read_sources import judge_sources
    from magicert.show.render import echo_json
    from magicert.show.text import echo
    from magicert.show.verdicts import of_source
    from magicert.verify.table.budget import MAX_LOOKUPS

    paths = [Path(name) for name in sources]
    if as_json and str(output) == "-":
        raise click.UsageError("--json: expected a file, not standard output, for the table")
    if str(output) != "-":
        check_output(output, paths, force=force)
    checked = judge_sources(paths, pins, MAX_LOOKUPS, ProgressDisplay, together=True)[0]
    if isinstance(checked.result, InputError):
        raise checked.result
    judgement, documents = checked.result, list(of_source(checked))
    readings = judgement.valid or (judgement.nearest if broken else [])
    number = (reading or 1) - 1
    chosen = readings[number] if number < len(readings) else None
    if chosen is not None and (reading is not None or len(readings) == 1):
        _write(chosen.table, output)
    else:
        chosen = None
    if as_json:
        written = None if chosen is None else str(output)
        told = [document.data() for document in documents]
        echo_json({"verdict": judgement.verdict, "output": written, "reports": told})
    elif chosen is None or str(output) != "-":
        echo(documents)
    if chosen is None and readings:
        message = f"{len(readings)} readings: say which with --reading 1 to {len(readings)}"
        raise InputError([Problem(message, file=checked.name)])
    if chosen is not None and str(output) != "-" and not as_json:
        click.echo(f"\nwritten: {printable(output)}")
    sys.exit(VERDICT_STATUS[judgement.verdict])


def _write(table: "Table", output: Path) -> None:
    from magicert.table.write import table_toml, write_table

    if str(output) == "-":
        click.echo(table_toml(table), nl=False)
    else:
        write_table(table, output)
