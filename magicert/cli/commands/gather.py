"""`magicert gather`: 32-bit bit gatherers for lines of the board."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import click

from magicert.cli.declared import Json, declared
from magicert.dataclass import dataclass
from magicert.problem import InputError, Problem
from magicert.requests import words
from magicert.requests.request import OneOf, Option, Unsigned, WholeNumber, budget, option

if TYPE_CHECKING:
    from magicert.outcome import Outcome
    from magicert.z3models.gather import BoardLine, Gathered, Gatherer, GatherQuestion


R_OR_S = WholeNumber(0, 31)


@dataclass(frozen=True, slots=True)
class GatherOptions:
    """Lines, and what is known of their gatherer."""

    lines: Annotated[tuple[str, ...], Option(metavar="LINE...", argument=True, several=True)]
    bits: int = option(8, "Index bits.", WholeNumber(1, 16), shows_default=True)
    inner: bool = option(False, "Without the edge squares of each line.")
    rotated: str | None = option(
        None, "The half to rotate; both are tried if not given.", OneOf(["hi", "lo"])
    )
    r: int | None = option(None, "r, if it is known.", R_OR_S, flags=("--rotate",))
    C: int | None = option(
        None, "C, if it is known.", Unsigned(32, "0x401041"), flags=("--constant",)
    )
    s: int | None = option(None, "s, if it is known.", R_OR_S, flags=("--shift",))
    seconds: float | None = budget(panel=None)
    memory: int | None = words.memory(panel=None)
    draw: bool = option(False, "Draw where each square falls in the folded word.")


@click.command("gather")
@declared(GatherOptions, Json)
def command(
    lines: tuple[str, ...],
    inner: bool,
    draw: bool,
    as_json: bool,
    **known: Any,  # noqa: ANN401
) -> None:
    """Gather the squares of a line into an index by one 32-bit multiplication.

    The index is ((rol32(hi, r) | lo) * C) >> s & (2^bits - 1), or the same with lo rotated.
    LINE is ranks, files, diagonals, antidiagonals, all, or one line by its ends. One gatherer
    must serve all lines given. Of r, C and s, what is not given is found or proved not to exist.

        magicert gather a8-h1 --rotated hi --rotate 8 --constant 0x401041 --shift 22
        magicert gather diagonals antidiagonals --inner --bits 6
        magicert gather all --inner --bits 6

    Exit status: 0 found or valid, 1 none exists or invalid, 2 bad input, 3 unknown.
    """
    from magicert.cli.progress import ProgressDisplay
    from magicert.z3models.gather import Gathered, GatherQuestion, lines_of, solve

    chosen = lines_of(lines, edges=not inner)
    if not chosen:
        raise InputError([Problem("no square is left without the edges", key=" ".join(lines))])
    wanted = GatherQuestion(chosen, **known)
    what = f"{' '.join(lines)}{', inner squares' if inner else ''}, {wanted.bits} bits"
    with ProgressDisplay(f"gather {what}") as observer:
        found = solve(wanted, observer)
    if as_json:
        from magicert.show.document import echo_json

        echo_json(_as_json(found, wanted))
        sys.exit(0 if isinstance(found, Gathered) else found.exit_status)
    what += f", one gatherer for {len(chosen)} line{'s' if len(chosen) > 1 else ''}"
    if isinstance(found, Gathered):
        _show_found(f"{'EXISTS' if wanted.asks else 'VALID'} {what}", found, chosen, draw)
        sys.exit(0)
    _show_outcome(what, wanted, found)
    sys.exit(found.exit_status)


def _as_json(found: "Gathered | Outcome", wanted: "GatherQuestion") -> dict[str, Any]:
    """As of a cell; where a gatherer was given, a conflict is two subsets with one index."""
    from magicert.show.answers import outcome_json
    from magicert.z3models.gather import Gathered

    if isinstance(found, Gathered):
        own, formula_ = asdict(found.gatherer), formula(found.gatherer)
        return {"outcome": "exists", "gatherer": own, "formula": formula_, "figures": found.figures}
    return outcome_json(found) | {"conflict": _conflict(found, wanted)}


def _conflict(found: "Outcome", wanted: "GatherQuestion") -> dict[str, Any] | None:
    from magicert.outcome import Impossible

    if not isinstance(found, Impossible) or wanted.asks:
        return None
    (gatherer,) = wanted.forms()
    conflict = gatherer.counterexample(wanted.lines)
    assert conflict is not None
    line, *subsets = conflict
    return {"line": line.name, "subsets": [f"{one:#018x}" for one in subsets]}


def _show_found(what: str, found: "Gathered", lines: "tuple[BoardLine, ...]", draw: bool) -> None:
    gatherer = found.gatherer
    click.echo(what)
    click.echo(f"  {formula(gatherer)}")
    for name, value in found.figures.items():
        click.echo(f"  {name} {value:,}")
    if draw:
        for line in lines:
            click.echo("")
            for text in drawing(gatherer, line):
                click.echo(f"  {text}".rstrip())


def _show_outcome(what: str, wanted: Any, outcome: Any) -> None:  # noqa: ANN401
    from magicert.outcome import Impossible

    if not isinstance(outcome, Impossible):
        reasons = ": ".join(filter(None, [outcome.reason, outcome.progress]))
        click.echo(f"UNKNOWN {what}\n  {reasons}")
        return
    if wanted.asks:
        click.echo(f"IMPOSSIBLE {what}\n  {outcome.argument}")
        return
    (gatherer,) = wanted.forms()
    click.echo(f"INVALID {what}\n  {formula(gatherer)}")
    conflict = gatherer.counterexample(wanted.lines)
    assert conflict is not None
    for line in conflicting(gatherer, *conflict):
        click.echo(f"  {line}")


def formula(gatherer: "Gatherer") -> str:
    """A gatherer as an expression of C."""
    other = "lo" if gatherer.rotated == "hi" else "hi"
    turned = f"rol32({gatherer.rotated}, {gatherer.r})" if gatherer.r else gatherer.rotated
    index_mask = (1 << gatherer.bits) - 1
    return f"(({turned} | {other}) * {gatherer.C:#010x}) >> {gatherer.s} & {index_mask:#x}"


def conflicting(gatherer: "Gatherer", line: "BoardLine", one: int, other: int) -> list[str]:
    """Two subsets of a line that share an index, in words."""
    from magicert.board import square_name, squares_of

    def named(occupancy: int) -> str:
        return "{" + ", ".join(map(square_name, squares_of(occupancy))) + "}"

    question = gatherer.question(line)
    assert gatherer.C is not None
    index = question.index(gatherer.C, one)
    return [
        f"on {line.name}, two subsets share the index {index:#04x}:",
        f"  {named(one)} = {one:#018x}",
        f"  {named(other)} = {other:#018x}",
    ]


def drawing(gatherer: "Gatherer", line: "BoardLine") -> list[str]:
    """The board with, on each square of the line, the bit of the folded word it falls on."""
    lines = [f"{line.name}: bits of the folded word"]
    for rank in range(7, -1, -1):
        row = (
            f"{gatherer.place(square):2}" if square in line.squares else " ."
            for square in range(8 * rank, 8 * rank + 8)
        )
        lines.append(f"{rank + 1} {' '.join(row)}")
    return [*lines, "   a  b  c  d  e  f  g  h"]
