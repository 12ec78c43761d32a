"""`magicert bench`: ns per lookup of several tables, or of many ways, in one run."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.types import DurationType, NearChoice, TableNameType
from magicert.cli.options.work import JSON, file_option, options
from magicert.data import find_tables

if TYPE_CHECKING:
    from magicert.compact.timing.frontier.figures import Survey

TURNS = 7
OF_THE_FRONTIER = options(
    click.option(
        "--frontier", is_flag=True,
        help="Measure many ways to get attacks, with and without tables: bytes against time.",
    ),
    click.option(
        "--budget", "seconds", type=DurationType(), default="1m", show_default=True,
        help="How long to measure, after compiling; one turn at least.",
    ),
    click.option(
        "--piece", type=NearChoice(["rook", "bishop", "queen"]), default="queen", show_default=True,
        help="Whose figures to show.",
    ),
    click.option(
        "--positions", type=NearChoice(["random", "games"]), default="games", show_default=True,
        help="Which positions' figures to show.",
    ),
    file_option("-o", "--output", help="Also write all figures, as JSON."),
    FORCE, panel="Bytes against time (with --frontier)",
)  # fmt: skip


@click.command("bench")
@click.argument("tables", type=TableNameType(files=True), nargs=-1)
@click.option(
    "--turns", type=click.IntRange(1, 1000), metavar="N",
    help=f"How often each is run.  [default: {TURNS}; with --frontier, as --budget allows]",
)  # fmt: skip
@OF_THE_FRONTIER
@JSON
def command(
    tables: tuple[str, ...],
    turns: int | None,
    frontier: bool,
    seconds: float,
    piece: str,
    positions: str,
    output: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Measure lookups: nanoseconds with random occupancies and with those of played games.

    For example:

        magicert bench stockfish21_64 cfish_plain cfish_black black
        magicert bench --frontier --budget 2m -o frontier.json
        magicert bench --frontier mine.toml --piece rook --positions random

    Each table is verified, emitted as C, compiled (-O2) and run in turns with the others;
    the best of all turns is shown. Needs cc, gcc or clang.

    With --frontier, many ways to get attacks are measured beside the tables given: magics,
    PEXT, and what needs no table. All lookups of each are checked first. Medians are shown.

    Exit status: 0 done, 1 a way answered wrongly, 2 bad input or no compiler, 3 interrupted.
    """
    if frontier:
        if output is not None:
            check_output(output, map(Path, tables), force=force)
        survey = _surveyed(tables, seconds, turns, output)
        _show(survey, piece, positions, as_json=as_json)
        if survey.interrupted:
            click.echo("interrupted: these are the medians so far", err=True)
            sys.exit(3)
        sys.exit(int(any(way.wrong for way in survey.left_out)))
    if output is not None:
        raise click.UsageError("--output is for the figures of --frontier: expected --frontier")
    if not tables:
        raise click.UsageError("no table: expected the tables to measure, or --frontier")
    _tables(tables, turns or TURNS, as_json=as_json)


def _surveyed(
    tables: tuple[str, ...], seconds: float, turns: int | None, output: Path | None
) -> "Survey":
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.compact.timing.frontier.figures import survey_json
    from magicert.jobs.measure import measure_frontier
    from magicert.system.whole_file import write_precious

    words = ["magicert", "bench", "--frontier", *tables, "--budget", f"{seconds:g}s"]
    words += [] if turns is None else ["--turns", str(turns)]
    survey = measure_frontier(
        find_tables(tables), seconds, turns, shlex.join(words), ProgressDisplay
    )
    if output is not None:
        write_precious(output, survey_json(survey))
    return survey


def _show(survey: "Survey", piece: str, positions: str, *, as_json: bool) -> None:
    if as_json:
        from magicert.cli.display.documents import echo_json

        echo_json(survey)
        return
    from magicert.cli.display.frontier import survey_lines

    for line in survey_lines(survey, piece, positions):
        click.echo(line)


def _tables(tables: tuple[str, ...], turns: int, *, as_json: bool) -> None:
    """Tables alone: the best of all turns."""
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.jobs.measure import measure

    paths = find_tables(tables)
    with ProgressDisplay(f"measuring {len(tables)} tables"):
        speeds = measure(paths, turns)
    if as_json:
        from magicert.cli.display.documents import echo_json

        echo_json(
            [
                {"table": s.name, "entries": s.entries, "bytes": s.bytes, "ns": s.nanoseconds}
                for s in speeds
            ]
        )
        return
    wide = max(len(speed.name) for speed in speeds)
    click.echo(f"{'table':<{wide}}  {'entries':>9}  {'KiB':>7}  ns random  ns games")
    for speed in speeds:
        random, games = speed.nanoseconds["random"], speed.nanoseconds["games"]
        size = f"{speed.entries:>9,}  {speed.bytes / 1024:>7,.1f}"
        click.echo(f"{speed.name:<{wide}}  {size}  {random:>9.2f}  {games:>8.2f}")
