"""Bytes against time, of many ways to get attacks."""

from pathlib import Path

import click

from magicert.commands.command import Answer, OutputPath, command, option, recorded_command
from magicert.commands.options import TABLE_NAME, Choice, budget
from magicert.data import find_tables
from magicert.outcome import OutcomeKind
from magicert.show.progress import ProgressDisplay
from magicert.system.whole_file import write_precious
from research.frontier.figures import survey_json
from research.frontier.measure import measure_frontier
from research.frontier.show import survey_lines


@command("measure")
@click.argument("tables", type=TABLE_NAME, nargs=-1)
@option("--turns", type=click.IntRange(1, 1000), metavar="N",
        help="How often each is run.  [default: as --budget allows]")  # fmt: skip
@budget(panel="Options", default="60s", show_default=True, always=True, recorded=True,
        help="How long to measure, after compiling; one turn at least.")  # fmt: skip
@option("-o", "--output", type=OutputPath(), metavar="FILE", recorded=False,
        help="Also write all figures, as JSON.")  # fmt: skip
@option("--piece", type=Choice(["rook", "bishop", "queen"]), default="queen", show_default=True,
        recorded=False, help="Whose figures to show.")  # fmt: skip
@option("--positions", type=Choice(["random", "games"]), default="games", show_default=True,
        recorded=False, help="Which positions' figures to show.")  # fmt: skip
def measure(
    tables: tuple[str, ...], turns: int | None, seconds: float, output: Path | None, piece: str,
    positions: str,
) -> Answer:  # fmt: skip
    """Measure many ways to get attacks, and the tables that are named: magics, PEXT, and what needs
    no table. All lookups of each are checked first. Medians are shown, with ~ where the middle half
    of the runs is wider than a quarter of that.

        python -m research.frontier measure --budget 2m -o frontier.json
        python -m research.frontier measure mine.toml --piece rook --positions random

    Exit status: 0 done, 1 a way answered wrongly, 2 bad input or no compiler, 3 interrupted.
    """
    again = recorded_command()
    survey = measure_frontier(find_tables(tables), seconds, turns, again, ProgressDisplay)
    if output is not None:
        write_precious(output, survey_json(survey))
    wrong = any(way.wrong for way in survey.left_out)
    kind = OutcomeKind.INVALID if wrong else OutcomeKind.VALID
    return Answer(
        OutcomeKind.UNKNOWN if survey.interrupted else kind,
        survey_lines(survey, piece, positions),
        lambda: survey,
        ["interrupted: these are the medians so far"] * survey.interrupted,
    )
