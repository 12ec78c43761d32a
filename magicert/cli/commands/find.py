"""`magicert find` and `magicert disprove`: about one cell, about keys, or for a set."""

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
from magicert.dataclass import dataclass
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
    if "help" in given["options"]:
        show_engine_options(given["engine"])
    elif given["whole_set"]:
        settle_set(given)
    else:
        refuse_others(Find, [SetRequest], given, ": expected together with --set")
        if given["sizes"]:
            raise InputError([Problem("--sizes: expected together with --set")])
        if given["keys"] is None and (given["piece"] is None or given["square"] is None):
            ways = "expected PIECE and SQUARE, or --keys FILE, or --set"
            raise InputError([Problem(ways)])
        settle(request_of(Find, given), given)


@click.command("disprove")
@declared(Disprove, Json, Force)
def disprove(**given: Any) -> None:  # noqa: ANN401
    """Prove that a square, or a file of keys, has no magic of so many bits, or find one.

    For example:

        magicert disprove bishop d1 --bits 4
        magicert disprove bishop d1 --bits 4 -O certificate=d1.cover.xz
        magicert disprove bishop d1 --bits 4 --proof bishop-d1-4.drup.xz
        magicert disprove --keys words.txt --bits 5

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
    file, said = asked.file, asked.said
    if said and not given["as_json"]:
        click.echo(f"known: {said}")
    answer(asked, given, lambda asked, found, _: answer_document(asked, found, file))


def settle_set(given: dict[str, Any]) -> None:
    """Find the set, or show what its forms take; exit with its status."""
    from magicert.show.sets import set_document, sizes_document

    problem = ""
    if given["keys"] is not None:
        problem = "--set is for all squares: not together with --keys"
    elif given["piece"] is not None:
        problem = "--set is for all squares: expected --piece rook, not PIECE SQUARE"
    if problem:
        raise InputError([Problem(problem)])
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
