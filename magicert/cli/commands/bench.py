"""`magicert bench`: ns per lookup of several tables, or of many ways, in one run."""

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.cli.declared import Json, check_output, declared, force, request_of
from magicert.data import find_tables, tables_by_name
from magicert.dataclass import dataclass
from magicert.requests.request import Duration, OneOf, ShippedName, WholeNumber, option

if TYPE_CHECKING:
    from magicert.compact.timing.frontier.figures import Survey
    from magicert.show.document import PlainDocument

TURNS = 7
UNSTEADY = 0.1
"""From which part on a median turn that took longer than the best is worth a warning."""
_of_frontier = partial(option, panel="Bytes against time (with --frontier)")


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """What is measured, and how long."""

    tables: tuple[str, ...] = option(
        (), kind=ShippedName(None, tables_by_name, str), argument=True, several=True
    )
    turns: int | None = option(
        None, f"How often each is run.  [default: {TURNS}; with --frontier, as --budget allows]",
        WholeNumber(1, 1000), "N", seldom=True,
    )  # fmt: skip
    frontier: bool = _of_frontier(
        False,
        "Measure many ways to get attacks, with and without tables: bytes against time.",
    )
    seconds: float = _of_frontier(
        60.0, "How long to measure, after compiling; one turn at least.", Duration(),
        flags=("--budget",), shows_default=True,
    )  # fmt: skip
    piece: str = _of_frontier(
        "queen", "Whose figures to show.", OneOf(["rook", "bishop", "queen"]), shows_default=True
    )
    positions: str = _of_frontier(
        "games", "Which positions' figures to show.", OneOf(["random", "games"]),
        shows_default=True,
    )  # fmt: skip
    output: Path | None = _of_frontier(
        None, "Also write all figures, as JSON.", flags=("-o", "--output")
    )
    force: bool = force(panel="Bytes against time (with --frontier)")


@click.command("bench")
@declared(BenchOptions, Json)
def command(**given: Any) -> None:  # noqa: ANN401
    """Measure lookups: nanoseconds with random occupancies and with those of played games.

    For example:

        magicert bench stockfish21_64 cfish_plain cfish_black black
        magicert bench --frontier --budget 2m -o frontier.json
        magicert bench --frontier mine.toml --piece rook --positions random

    Each table is verified, emitted as C, compiled (-O2) and run in turns with the others;
    the best of all turns is shown, and the median; a warning where they lie far apart.
    Needs cc, gcc or clang.

    With --frontier, many ways to get attacks are measured beside the tables given: magics,
    PEXT, and what needs no table. All lookups of each are checked first. Medians are shown,
    with ~ where the middle half of the runs is wider than a quarter of that.

    Exit status: 0 done, 1 a way answered wrongly, 2 bad input or no compiler, 3 interrupted.
    """
    from magicert.show.document import tell

    asked, as_json = request_of(BenchOptions, given), given["as_json"]
    if asked.frontier:
        from magicert.show.document import PlainDocument
        from magicert.show.frontier import survey_lines

        if asked.output is not None:
            check_output(asked.output, map(Path, asked.tables), force=asked.force)
        survey = _surveyed(asked)
        lines = survey_lines(survey, asked.piece, asked.positions)
        tell(PlainDocument(lines, lambda: survey), as_json=as_json)
        if survey.interrupted:
            click.echo("interrupted: these are the medians so far", err=True)
            sys.exit(3)
        sys.exit(int(any(way.wrong for way in survey.left_out)))
    if asked.output is not None:
        raise click.UsageError("--output is for the figures of --frontier: expected --frontier")
    if not asked.tables:
        raise click.UsageError("no table: expected the tables to measure, or --frontier")
    tell(_tables(asked.tables, asked.turns or TURNS), as_json=as_json)


def _surveyed(asked: BenchOptions) -> "Survey":
    from magicert.cli.progress import ProgressDisplay
    from magicert.compact.timing.frontier.figures import survey_json
    from magicert.jobs.measure import measure_frontier
    from magicert.system.whole_file import write_precious

    words = ["magicert", "bench", "--frontier", *asked.tables, "--budget", f"{asked.seconds:g}s"]
    words += [] if asked.turns is None else ["--turns", str(asked.turns)]
    survey = measure_frontier(
        find_tables(asked.tables), asked.seconds, asked.turns, shlex.join(words), ProgressDisplay
    )
    if asked.output is not None:
        write_precious(asked.output, survey_json(survey))
    return survey


def _tables(tables: tuple[str, ...], turns: int) -> "PlainDocument":
    """Tables alone: the best of all turns."""
    from magicert.cli.progress import ProgressDisplay
    from magicert.jobs.measure import measure
    from magicert.show.document import PlainDocument

    paths = find_tables(tables)
    with ProgressDisplay(f"measuring {len(tables)} tables"):
        speeds = measure(paths, turns)
    wide = max(len(speed.name) for speed in speeds)
    heads = "  ".join(f"{f'ns {kind}':>9}  {'median':>6}" for kind in speeds[0].nanoseconds)
    lines = [f"{'table':<{wide}}  {'entries':>9}  {'KiB':>7}  {heads}"]
    for s in speeds:
        shown = [f"{s.name:<{wide}}  {s.entries:>9,}  {s.bytes / 1024:>7,.1f}"]
        shown += [f"{best:>9.2f}  {s.medians[kind]:>6.2f}" for kind, best in s.nanoseconds.items()]
        lines.append("  ".join(shown))
    unsteady = max(speed.unsteady for speed in speeds)
    if unsteady > UNSTEADY:
        lines += [
            f"warning: a median turn took {unsteady:.0%} longer than the best: other work on this",
            "machine? Measure when it is quiet, or with more --turns",
        ]
    told = [
        {
            "table": s.name, "entries": s.entries, "bytes": s.bytes, "ns": s.nanoseconds,
            "median_ns": s.medians,
        }
        for s in speeds
    ]  # fmt: skip
    return PlainDocument(lines, lambda: told)
