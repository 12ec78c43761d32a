"""The options that several questions have: each is said once, with its default."""

from functools import partial

from magicert.board import ORDERS
from magicert.engine import ENGINES
from magicert.requests.request import (
    File,
    OfPiece,
    OfSquare,
    OnBoard,
    OneOf,
    Pairs,
    WholeNumber,
    option,
)

QUESTION = "The question"
WORK = "How to answer it"

LOWEST_BIT = "lowest-bit"
"""In the place of a piece: the 64 words of one bit, each with a value of its own. A formula that
keeps them apart in 64 slots finds the number of a word's lowest bit, as Glaurung's fold hash does.
"""

the_piece = partial(option, None, kind=OfPiece(others=(LOWEST_BIT,)), argument=True)
the_square = partial(option, None, kind=OfSquare(), argument=True)
bits = partial(
    option, None, "Index bits; if not given, popcount(mask).", WholeNumber(), "K", panel=QUESTION
)
scheme = partial(
    option, "white", "A scheme or a formula.", metavar="TEXT", panel=QUESTION, shows_default=True
)
board = partial(
    option, None, "A board such as 9x10; pieces by name or in Betza's notation (docs/boards.md).",
    OnBoard(), panel=QUESTION, first=True,
)  # fmt: skip
order = partial(
    option, ORDERS[0], "Your square order, by its bit 0: with a8, the square a8 is bit 0.",
    OneOf(ORDERS), panel=QUESTION, shows_default=True,
)  # fmt: skip
largest_index = partial(
    option, None, "The largest index allowed.", WholeNumber(), "N", panel=QUESTION, seldom=True
)
engine = partial(
    option, None, "If not given: trial; where magics are rare or a proof is wanted, window or z3.",
    OneOf(ENGINES), panel=WORK,
)  # fmt: skip
engine_options = partial(
    option, {}, "An option of the engine; -O help lists them.", Pairs(), flags=("--option", "-O"),
    several=True, panel=WORK, seldom=True,
)  # fmt: skip
memory = partial(
    option, None, "Memory limit of a solver.", WholeNumber(64), "MIB", panel=WORK, seldom=True,
    told=False,
)  # fmt: skip
seed = partial(
    option, 1, "The same seed gives the same result.", WholeNumber(0), "N", panel=WORK,
    shows_default=True, always=True, seldom=True,
)  # fmt: skip
workers = partial(
    option, 1, "How many processes or threads work at a time.", WholeNumber(1, 1024), "N",
    panel=WORK, shows_default=True, seldom=True, told=False,
)  # fmt: skip
ledger = partial(
    option, None, "Keep what is done: the same command resumes (window, sat).", File(), panel=WORK,
    seldom=True, told=False,
)  # fmt: skip
cluster = partial(
    option, "", "Run the shards on a Dask cluster.", metavar="tcp://...", panel=WORK, seldom=True,
    told=False,
)  # fmt: skip
output = partial(
    option, None, "The table file; standard output if not given.", File(output=True),
    flags=("-o", "--output"), told=False,
)  # fmt: skip
