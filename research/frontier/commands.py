"""Bytes against time, of many ways to get attacks."""

from dataclasses import dataclass
from functools import partial

from magicert.cli.declared import Json, asks, force
from magicert.requests.request import Given, OneOf, option
from magicert.show.document import PlainDocument
from research.frontier.figures import Survey
from research.frontier.measure import MeasureWays
from research.frontier.show import survey_document

_shown = partial(option, shows_default=True)


@dataclass(frozen=True, slots=True)
class FiguresShown:
    """Of a survey, the figures that are shown."""

    piece: str = _shown("queen", "Whose figures to show.", OneOf(["rook", "bishop", "queen"]))
    positions: str = _shown(
        "games", "Which positions' figures to show.", OneOf(["random", "games"])
    )
    force: bool = force()


@asks("measure", MeasureWays, FiguresShown, Json)
def command(asked: MeasureWays, measured: Survey, given: Given) -> PlainDocument:
    """Measure many ways to get attacks, and the tables that are named: magics, PEXT, and what needs
    no table. All lookups of each are checked first. Medians are shown, with ~ where the middle half
    of the runs is wider than a quarter of that.

        python -m research.frontier measure --budget 2m -o frontier.json
        python -m research.frontier measure mine.toml --piece rook --positions random

    Exit status: 0 done, 1 a way answered wrongly, 2 bad input or no compiler, 3 interrupted.
    """
    return survey_document(measured, given["piece"], given["positions"])
