"""The options that several questions have: each is said once."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from magicert.board import ORDERS, Board
from magicert.cell import Keys
from magicert.engine import ENGINES
from magicert.requests.kinds import (
    Duration,
    File,
    Flag,
    OfPiece,
    OfSquare,
    OnBoard,
    OneOf,
    Pairs,
    WholeNumber,
)
from magicert.requests.request import Option

QUESTION = "The question"
WORK = "How to answer it"

ThePiece = Annotated[str | None, Option(kind=OfPiece(), argument=True)]
TheSquare = Annotated[str | int | None, Option(kind=OfSquare(), argument=True)]
Bits = Annotated[
    int | None,
    Option(
        "Index bits; if not given, popcount(mask), or of keys the fewest that are found.",
        kind=WholeNumber(), metavar="K", panel=QUESTION,
    ),
]  # fmt: skip
SchemeName = Annotated[
    str, Option("A scheme or a formula.", panel=QUESTION, metavar="TEXT", shows_default=True)
]
TheBoard = Annotated[
    Board | str | None,
    Option(
        "A board such as 9x10; pieces by name or in Betza's notation (docs/boards.md).",
        kind=OnBoard(), panel=QUESTION, first=True,
    ),
]  # fmt: skip
Order = Annotated[
    str,
    Option(
        "Your square order, by its bit 0: with a8, the square a8 is bit 0.",
        kind=OneOf(ORDERS), panel=QUESTION, shows_default=True,
    ),
]  # fmt: skip
LargestIndex = Annotated[
    int | None,
    Option(
        "The largest index allowed.", kind=WholeNumber(), metavar="N", panel=QUESTION, seldom=True
    ),
]  # fmt: skip


class OfKeys(File):
    """A file of keys, which must be there; in Python keys as well."""

    def accept(self, value: Any, given: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """The path, or the keys."""
        return value if isinstance(value, Keys) else super().accept(value, given)


KeysFile = Annotated[
    Path | Keys | None,
    Option(
        "Not a square, but keys: a line for each, as KEY or KEY VALUE (docs/keys.md).",
        kind=OfKeys(there=True), panel=QUESTION,
    ),
]  # fmt: skip
EngineName = Annotated[
    str | None,
    Option(
        "If not given: trial; where magics are rare or a proof is wanted, window or z3.",
        kind=OneOf(ENGINES), panel=WORK,
    ),
]  # fmt: skip
EngineOptions = Annotated[
    Mapping[str, str],
    Option(
        "An option of the engine; -O help lists them.", flags=("--option", "-O"), kind=Pairs(),
        several=True, panel=WORK, seldom=True,
    ),
]  # fmt: skip
Seconds = Annotated[
    float | None,
    Option(
        "Stop after 90s, 10m or 2h.", flags=("--budget",), kind=Duration(), panel=WORK,
        told=False,
    ),
]  # fmt: skip
Memory = Annotated[
    int | None,
    Option(
        "Memory limit of a solver.", kind=WholeNumber(64), metavar="MIB", panel=WORK, seldom=True,
        told=False,
    ),
]  # fmt: skip
Seed = Annotated[
    int,
    Option(
        "The same seed gives the same result.", kind=WholeNumber(0), metavar="N", panel=WORK,
        shows_default=True, always=True,
    ),
]  # fmt: skip
Workers = Annotated[
    int,
    Option(
        "How many processes or threads work at a time.", kind=WholeNumber(1, 1024), metavar="N",
        panel=WORK, shows_default=True, seldom=True, told=False,
    ),
]  # fmt: skip
Ledger = Annotated[
    Path | None,
    Option(
        "Keep what is done: the same command resumes (window, sat).", kind=File(), panel=WORK,
        seldom=True, told=False,
    ),
]  # fmt: skip
Cluster = Annotated[
    str,
    Option(
        "Run the shards on a Dask cluster.", metavar="tcp://...", panel=WORK, seldom=True,
        told=False,
    ),
]  # fmt: skip
Output = Annotated[
    Path | None,
    Option(
        "The table file; standard output if not given.", flags=("-o", "--output"),
        kind=File(output=True), told=False,
    ),
]  # fmt: skip
Yes = Flag()
WHOLE = WholeNumber()
