"""The options of `magicert find` and `magicert disprove`."""

import click

from magicert.cli.options.types import PIECES, BoardType, NearChoice, PieceType
from magicert.cli.options.work import (
    CLUSTER,
    ENGINE_OPTION,
    MEMORY,
    SEED,
    TIMEOUT,
    WORKERS,
    file_option,
    keys_option,
    options,
)
from magicert.engine import ENGINES
from magicert.square_order import ORDERS

QUESTION = options(
    keys_option("Not a square, but keys: a line for each, as KEY or KEY VALUE (docs/keys.md)."),
    click.option(
        "--bits", type=int, metavar="K",
        help="Index bits; if not given, popcount(mask), or of keys the fewest that are found.",
    ),
    click.option("--scheme", default="white", show_default=True, help="A scheme or a formula."),
    click.option(
        "--board", type=BoardType(), is_eager=True, metavar="FILESxRANKS",
        help="A board such as 9x10; pieces by name or in Betza's notation (docs/boards.md).",
    ),
    click.option(
        "--order", type=NearChoice(ORDERS), default=ORDERS[0], show_default=True,
        help="Your square order, by its bit 0: with a8, the square a8 is bit 0.",
    ),
    click.option("--largest-index", type=int, metavar="N", help="The largest index allowed."),
    panel="The question",
)  # fmt: skip
ALL = options(
    click.option("--all", "everything", is_flag=True, help="All magics of the cell."),
    panel="The question",
)
WORK = options(
    click.option(
        "--engine", type=NearChoice(list(ENGINES)),
        help="If not given: trial; where magics are rare or a proof is wanted, window or z3.",
    ),
    click.option("--search", is_flag=True, help="Search, whatever the atlas knows."),
    ENGINE_OPTION, TIMEOUT, MEMORY, SEED, WORKERS,
    file_option("--ledger", help="Keep what is done: the same command resumes (window, sat)."),
    CLUSTER, panel="How to answer it",
)  # fmt: skip
"""With the question, what `find` and `disprove` share."""

OF_A_SET = options(
    click.option("--set", "whole_set", is_flag=True, help="All squares, as a table."),
    click.option(
        "--piece", "only_pieces", type=PieceType(PIECES.choices), multiple=True, metavar="PIECE",
        help="One piece only; with --board all pieces, as in rook, or cannon=pR.",
    ),
    click.option(
        "--fixed-shift", is_flag=True,
        help="One shift for all squares (12 bits for rooks, 9 for bishops, or the widest mask).",
    ),
    click.option(
        "--fewer-bits", is_flag=True,
        help="Known magics where fewer than popcount(mask) bits suffice.",
    ),
    file_option("-o", "--output", help="The table file; standard output if not given."),
    panel="A whole set (with --set)",
)  # fmt: skip
OF_A_BOARD = options(
    click.option(
        "--form", type=NearChoice(["whole", "lines"]),
        help="Whole pieces, or each line a piece of its own: one lookup a line, far fewer bytes.",
    ),
    click.option("--two-level", is_flag=True, help="Numbers of 8 or 16 bits; attack sets behind."),
    click.option(
        "--masks", type=NearChoice(["usual", "least"]),
        help="Least masks (if not given) leave out squares that cannot matter.",
    ),
    click.option("--sizes", is_flag=True, help="Only show the bytes that each form takes."),
    panel="A set of another board (with --set --board)",
)  # fmt: skip
