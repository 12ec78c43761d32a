"""`magicert find` and `magicert disprove`: ask an engine about one cell, or for a set."""

import sys
from typing import Any

import click

from magicert.cli.commands.finding.boards import check_board, settle_board_set, settle_wide
from magicert.cli.commands.finding.options import ALL, OF_A_BOARD, OF_A_SET, QUESTION, WORK
from magicert.cli.commands.finding.settle import prove_with, settle, settle_keys, settle_set
from magicert.cli.commands.finding.usage import (
    check_order,
    check_outputs,
    check_subject,
    check_usage,
)
from magicert.cli.commands.finding.wanted import set_of, wanted_of
from magicert.cli.options.output import FORCE
from magicert.cli.options.types import cell_arguments
from magicert.cli.options.work import JSON, file_option
from magicert.engine import ENGINES, load


@click.command("find")
@cell_arguments(required=False)
@QUESTION
@ALL
@OF_A_SET
@OF_A_BOARD
@WORK
@JSON
@FORCE
def command(**given: Any) -> None:  # noqa: ANN401
    """Find a magic for one square, or prove that there is none; or find a whole set.

    For example:

        magicert find rook e4
        magicert find rook a8 --order a8
        magicert find bishop d8 --bits 4
        magicert find --set -o table.toml
        magicert find --set --piece rook --scheme two-halves --fixed-shift -o t.toml
        magicert find --set --board 9x10 --piece rook --piece cannon -o x.toml
        magicert find pR e5 --board 9x10

    What the atlas knows is said first, and is the answer where it is one: --search searches anyway,
    and so does whoever names an engine, its options or --all.

    Every magic is checked for all occupancies before it is printed. An interrupted set
    prints what it has and keeps it beside the output; the same command resumes from there.

    The keys of a file are hashed by the same product: keys without values get indexes of their
    own, of keys with values those with different ones. Without --bits the fewest that hold them
    are tried first:

        magicert find --keys words.txt

    Exit status: 0 found, 1 proved impossible, 2 bad input, 3 unknown.
    """
    if "help" in given["given"]:
        show_engine_options(given["engine"])
        return
    check_usage(given)
    check_outputs(given)
    if given["keys"] is not None:
        sys.exit(settle_keys(given, everything=given["everything"], proof=given["everything"]))
    if given["whole_set"] and given["board"] is not None:
        sys.exit(settle_board_set(given))
    if given["board"] is not None and given["board"].word > 64:
        sys.exit(settle_wide(given))
    if given["whole_set"]:
        sys.exit(settle_set(set_of(given), given["as_json"]))
    wanted = wanted_of(given, everything=given["everything"], proof=given["everything"])
    sys.exit(settle(wanted, given["order"], given["as_json"]))


@click.command("disprove")
@cell_arguments(required=False)
@QUESTION
@WORK
@file_option("--proof", help="Write a proof that a verified checker accepts (engine sat).")
@JSON
@FORCE
def disprove(**given: Any) -> None:  # noqa: ANN401
    """Prove that a square, or a file of keys, has no magic of so many bits, or find one.

    For example:

        magicert disprove bishop d1 --bits 4
        magicert disprove bishop d1 --bits 4 -O certificate=d1.cover.xz
        magicert disprove bishop d1 --bits 4 --proof bishop-d1-4.drup.xz
        magicert disprove --keys words.txt --bits 5

    Exit status: 0 proved impossible, 1 a magic exists, 2 bad input, 3 unknown.
    """
    if "help" in given["given"]:
        show_engine_options(given["engine"])
        return
    check_board(given)
    check_order(given)
    check_subject(given)
    check_outputs(given)
    if given["keys"] is not None:
        status = settle_keys(given, everything=False, proof=True)
        sys.exit({0: 1, 1: 0}.get(status, status))
    if given["board"] is not None and given["board"].word > 64:
        status = settle_wide(given)
        sys.exit({0: 1, 1: 0}.get(status, status))
    wanted = wanted_of(given, everything=False, proof=True)
    if given["proof"] is None:
        status = settle(wanted, given["order"], given["as_json"])
    else:
        status = prove_with(wanted, given["order"], given["proof"], given["as_json"])
    sys.exit({0: 1, 1: 0}.get(status, status))


def show_engine_options(engine: str | None) -> None:
    """Answer `-O help`."""
    for option in load(engine or next(iter(ENGINES))).OPTIONS:
        click.echo(f"{option.name}={option.default}  {option.help}")
