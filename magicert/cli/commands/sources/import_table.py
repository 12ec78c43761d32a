"""`magicert import`: a table file from an engine's source."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from magicert.cli import VERDICT_STATUS
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.pins import pin_options
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
@pin_options
def command(
    sources: tuple[str, ...],
    output: Path,
    reading: int | None,
    broken: bool,
    force: bool,
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
    from magicert.show.text import echo
    from magicert.show.verdicts import of_source
    from magicert.verify.table.budget import MAX_LOOKUPS

    paths = [Path(name) for name in sources]
    if str(output) != "-":
        check_output(output, paths, force=force)
    checked = judge_sources(paths, pins, MAX_LOOKUPS, ProgressDisplay, together=True)[0]
    if isinstance(checked.result, InputError):
        raise checked.result
    judgement = checked.result
    readings = judgement.valid or (judgement.nearest if broken else [])
    if len(readings) > 1 and reading is None:
        echo(list(of_source(checked)))
        message = f"{len(readings)} readings: say which with --reading 1 to {len(readings)}"
        raise InputError([Problem(message, file=checked.name)])
    if not readings:
        echo(list(of_source(checked)))
        sys.exit(VERDICT_STATUS[judgement.verdict])
    number = (reading or 1) - 1
    if number >= len(readings):
        message = f"--reading {number + 1}: expected 1 to {len(readings)}"
        raise InputError([Problem(message, file=checked.name)])
    _write(readings[number].table, output)
    if str(output) != "-":
        echo(list(of_source(checked)))
        click.echo(f"\nwritten: {printable(output)}")
    sys.exit(VERDICT_STATUS[judgement.verdict])


def _write(table: "Table", output: Path) -> None:
    from magicert.table import table_toml, write_table

    if str(output) == "-":
        click.echo(table_toml(table), nl=False)
    else:
        write_table(table, output)
