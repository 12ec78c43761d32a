"""`magicert find` and `magicert disprove`: about one cell, or for a set."""

from dataclasses import dataclass
from typing import Any

import click

from magicert.cli.declared import (
    Force,
    Json,
    answer,
    declared,
    refuse_others,
    refuse_outputs,
    request_of,
)
from magicert.engine import ENGINES, load
from magicert.problem import InputError, Problem
from magicert.requests.find import CellRequest, Disprove, Find
from magicert.requests.find_set import SetRequest, SizesRequest
from magicert.requests.request import option
from magicert.requests.set_question import OF_FORMS, OF_SETS


@dataclass(frozen=True, slots=True)
class WholeSet:
    """What makes a set of the question."""

    whole_set: bool = option(False, "All squares, as a table.", flags=("--set",), panel=OF_SETS)


@dataclass(frozen=True, slots=True)
class OnlySizes:
    """What makes a list of sizes of it."""

    sizes: bool = option(
        False, "Only show the bytes that each form takes.", panel=OF_FORMS, seldom=True
    )


@click.command("find")
@declared(Find, WholeSet, SetRequest, OnlySizes, Json, Force)
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

    Known answers come from the shipped results. --search, --engine, an option of the engine or
    --all search anyway.

    Every magic is checked for all occupancies before it is printed. An interrupted set
    prints what it has and keeps it beside the output; the same command resumes from there.

    With --magic the number is only checked. lowest-bit stands for the 64 words of one bit, which
    a fold hash keeps apart (docs/finders.md).

    Exit status: 0 found, 1 proved impossible or no magic, 2 bad input, 3 unknown.
    """
    if "help" in given["options"]:
        show_engine_options(given["engine"])
    elif given["whole_set"]:
        settle_set(given)
    else:
        refuse_others(Find, [SetRequest], given, ": expected together with --set")
        if given["sizes"]:
            raise InputError([Problem("--sizes: expected together with --set")])
        if given["piece"] is None:
            raise InputError([Problem("expected PIECE and SQUARE, or --set")])
        settle(request_of(Find, given), given)


@click.command("disprove")
@declared(Disprove, Json, Force)
def disprove(**given: Any) -> None:  # noqa: ANN401
    """Prove that a square has no magic of so many bits, or find one.

    For example:

        magicert disprove bishop d1 --bits 4
        magicert disprove bishop d1 --bits 4 -O certificate=d1.cover.xz
        magicert disprove bishop d1 --bits 4 --proof bishop-d1-4.drup.xz

    Exit status: 0 proved impossible, 1 a magic exists, 2 bad input, 3 unknown.
    """
    if "help" in given["options"]:
        show_engine_options(given["engine"])
    else:
        settle(request_of(Disprove, given), given)


def settle(asked: CellRequest, given: dict[str, Any]) -> None:
    """Say what is known, ask, show the answer, exit with its status."""
    from magicert.show.answers import answer_document

    refuse_outputs(asked, force=given["force"])
    said = asked.said
    if said and not given["as_json"]:
        click.echo(f"known: {said}")
    answer(asked, given, lambda asked, found, _: answer_document(asked, found))


def settle_set(given: dict[str, Any]) -> None:
    """Find the set, or show what its forms take; exit with its status."""
    from magicert.show.sets import set_document, sizes_document

    if given["piece"] is not None:
        expected = "--set is for all squares: expected --piece rook, not PIECE SQUARE"
        raise InputError([Problem(expected)])
    refuse_others(SetRequest, [Find], given, " is for one square: not together with --set")
    if given["sizes"]:
        refuse_others(SizesRequest, [SetRequest], given, ": not together with --sizes")
        sizes = request_of(SizesRequest, given)
        answer(sizes, given, lambda _, found, __: sizes_document(found))
    asked = request_of(SetRequest, given)
    answer(asked, given, lambda asked, found, _: set_document(found, asked.output))


def show_engine_options(engine: str | None) -> None:
    """Answer `-O help`."""
    for own in load(engine or next(iter(ENGINES))).OPTIONS:
        click.echo(f"{own.name}={own.default}  {own.help}")
