"""`magicert bench`: ns per lookup of several tables, or of many ways, in one run."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from magicert.cli.declared import Json, asks, force
from magicert.requests.bench import FRONTIER, Bench
from magicert.requests.request import Given, OneOf, option
from magicert.show.document import PlainDocument

if TYPE_CHECKING:
    from magicert.requests.bench import BenchResult
_shown = partial(option, panel=FRONTIER, shows_default=True)


@dataclass(frozen=True, slots=True)
class FiguresShown:
    """Of a survey, the figures that are shown."""

    piece: str = _shown("queen", "Whose figures to show.", OneOf(["rook", "bishop", "queen"]))
    positions: str = _shown(
        "games", "Which positions' figures to show.", OneOf(["random", "games"])
    )
    force: bool = force(panel=FRONTIER)


@asks("bench", Bench, FiguresShown, Json)
def command(asked: Bench, measured: "BenchResult", given: Given) -> PlainDocument:
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
    from magicert.show.frontier import speeds_document, survey_document

    if isinstance(measured, list):
        return speeds_document(measured)
    return survey_document(measured, given["piece"], given["positions"])
