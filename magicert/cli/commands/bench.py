"""`magicert bench`: ns per lookup of several tables, or of many ways, in one run."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click

from magicert.cli.declared import Json, check_outputs, declared, force, request_of
from magicert.dataclass import dataclass
from magicert.requests.bench import FRONTIER, Bench
from magicert.requests.request import OneOf, option

_shown = partial(option, panel=FRONTIER, shows_default=True)


@dataclass(frozen=True, slots=True)
class FiguresShown:
    """Of a survey, the figures that are shown."""

    piece: str = _shown("queen", "Whose figures to show.", OneOf(["rook", "bishop", "queen"]))
    positions: str = _shown(
        "games", "Which positions' figures to show.", OneOf(["random", "games"])
    )
    force: bool = force(panel=FRONTIER)


@click.command("bench")
@declared(Bench, FiguresShown, Json)
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
    from magicert.cli.progress import ProgressDisplay
    from magicert.show.document import tell
    from magicert.show.frontier import speeds_document, survey_document

    asked, as_json = request_of(Bench, given), given["as_json"]
    if not asked.frontier and asked.output is not None:
        raise click.UsageError("--output is for the figures of --frontier: expected --frontier")
    if not asked.frontier and not asked.tables:
        raise click.UsageError("no table: expected the tables to measure, or --frontier")
    check_outputs(asked, force=given["force"], inputs=map(Path, asked.tables))
    measured = asked.run(ProgressDisplay)
    if isinstance(measured, list):
        tell(speeds_document(measured), as_json=as_json)
        return
    tell(survey_document(measured, given["piece"], given["positions"]), as_json=as_json)
    if measured.interrupted:
        click.echo("interrupted: these are the medians so far", err=True)
        sys.exit(3)
    sys.exit(int(any(way.wrong for way in measured.left_out)))
