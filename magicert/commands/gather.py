"""`magicert gather`: 32-bit bit gatherers for lines of the board."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from magicert.board import squares_of
from magicert.chess import square_name
from magicert.commands.command import Answer, command, option
from magicert.commands.options import Choice, Suggested, Unsigned, WholeNumber, budget, memory
from magicert.outcome import Impossible, OutcomeKind, Unknown
from magicert.problem import InputError, Problem
from magicert.show.progress import ProgressDisplay

if TYPE_CHECKING:
    from magicert.outcome import Outcome
    from magicert.z3models.gather import BoardLine, Gatherer, GatherFound, GatherQuestion

R_OR_S = WholeNumber(0, 31)


def _families() -> tuple[str, ...]:
    from magicert.z3models.gather import FAMILIES

    return (*FAMILIES, "all")


@command("gather")
@click.argument("lines", type=Suggested(_families), nargs=-1, required=True, metavar="LINE...")
@option("--bits", type=WholeNumber(1, 16), default=8, show_default=True, help="Index bits.")
@option("--inner", is_flag=True, help="Without the edge squares of each line.")
@option("--rotated", type=Choice(["hi", "lo"]),
        help="The half to rotate; both are tried if not given.")  # fmt: skip
@option("--rotate", "r", type=R_OR_S, help="r, if it is known.")
@option("--constant", "constant", type=Unsigned(32, "0x401041"), help="C, if it is known.")
@option("--shift", "s", type=R_OR_S, help="s, if it is known.")
@budget(panel="Options")
@memory(panel="Options")
@option("--draw", is_flag=True, help="Draw where each square falls in the folded word.")
def run(
    lines: tuple[str, ...], bits: int, inner: bool, rotated: str | None, r: int | None,
    constant: int | None, s: int | None, seconds: float | None, memory: int | None, draw: bool,
) -> Answer:  # fmt: skip
    """Gather the squares of a line into an index by one 32-bit multiplication.

    The index is ((rol32(hi, r) | lo) * C) >> s & (2^bits - 1), or the same with lo rotated.
    LINE is ranks, files, diagonals, antidiagonals, all, or one line by its ends. One gatherer
    must serve all lines given. Of r, C and s, what is not given is found or proved not to exist.

        magicert gather a8-h1 --rotated hi --rotate 8 --constant 0x401041 --shift 22
        magicert gather diagonals antidiagonals --inner --bits 6
        magicert gather all --inner --bits 6

    Exit status: 0 found or valid, 1 none exists or invalid, 2 bad input, 3 unknown.
    """
    from magicert.z3models.gather import GatherFound, GatherQuestion, lines_of, solve
    from magicert.z3models.solvers.child import Budget

    chosen, named = lines_of(lines, edges=not inner), " ".join(lines)
    if not chosen:
        raise InputError([Problem("no square is left without the edges", key=named)])
    question = GatherQuestion(chosen, bits, rotated, r, s, constant)
    title = f"{named}{', inner squares' if inner else ''}, {bits} bits"
    with ProgressDisplay(f"gather {title}") as observer:
        result = solve(question, observer, Budget(seconds, memory))
    kind = OutcomeKind.EXISTS if isinstance(result, GatherFound) else result.kind
    shown = _lines(title, question, result, draw=draw)
    return Answer(kind, shown, lambda: _data(question, result))


def _data(question: "GatherQuestion", result: "GatherFound | Outcome") -> dict[str, Any]:
    """As of a cell; where a gatherer was given, a conflict is two subsets with one index."""
    from magicert.show.answers import outcome_json
    from magicert.z3models.gather import GatherFound

    if isinstance(result, GatherFound):
        gatherer, figures = result.gatherer, result.figures
        return {
            "outcome": "exists", "gatherer": asdict(gatherer), "formula": formula(gatherer),
            "figures": figures,
        }  # fmt: skip
    conflict = None
    if isinstance(result, Impossible) and not question.has_unknowns:
        _, line, *subsets = _conflict(question)
        conflict = {"line": line.name, "subsets": [f"{subset:#018x}" for subset in subsets]}
    return outcome_json(result) | {"conflict": conflict}


def _conflict(question: "GatherQuestion") -> "tuple[Gatherer, BoardLine, int, int]":
    """The gatherer that was given, and two subsets of a line with one index."""
    (gatherer,) = question.forms()
    conflict = gatherer.counterexample(question.lines)
    assert conflict is not None
    return gatherer, *conflict


def _lines(
    title: str, question: "GatherQuestion", result: "GatherFound | Outcome", *, draw: bool
) -> Iterator[str]:
    from magicert.z3models.gather import GatherFound

    count = len(question.lines)
    what = f"{title}, one gatherer for {count} line{'s' if count > 1 else ''}"
    if isinstance(result, GatherFound):
        yield f"{'EXISTS' if question.has_unknowns else 'VALID'} {what}"
        yield f"  {formula(result.gatherer)}"
        yield from (f"  {name} {value:,}" for name, value in result.figures.items())
        for line in question.lines if draw else ():
            yield ""
            yield from (f"  {text}".rstrip() for text in drawing(result.gatherer, line))
    elif isinstance(result, Unknown):
        reasons = (result.reason, result.progress)
        yield from (f"UNKNOWN {what}", f"  {': '.join(filter(None, reasons))}")
    elif isinstance(result, Impossible) and question.has_unknowns:
        yield from (f"IMPOSSIBLE {what}", f"  {result.argument}")
    else:
        gatherer, line, first, second = _conflict(question)
        yield from (f"INVALID {what}", f"  {formula(gatherer)}")
        yield from (f"  {text}" for text in conflicting(gatherer, line, first, second))


def formula(gatherer: "Gatherer") -> str:
    """A gatherer as an expression of C."""
    other = "lo" if gatherer.rotated == "hi" else "hi"
    turned = f"rol32({gatherer.rotated}, {gatherer.r})" if gatherer.r else gatherer.rotated
    index_mask = (1 << gatherer.bits) - 1
    return f"(({turned} | {other}) * {gatherer.C:#010x}) >> {gatherer.s} & {index_mask:#x}"


def conflicting(gatherer: "Gatherer", line: "BoardLine", one: int, other: int) -> list[str]:
    """Two subsets of a line that share an index, in words."""

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
