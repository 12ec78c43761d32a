"""A bit gatherer, or why there is none, as a document."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from magicert.board import square_name, squares_of
from magicert.outcome import Impossible, Unknown
from magicert.requests.gather import GatherAnswer
from magicert.show.answers import outcome_json
from magicert.show.document import PlainDocument
from magicert.z3models.gather import BoardLine, Gathered, Gatherer


def gather_document(answer: GatherAnswer, *, draw: bool) -> PlainDocument:
    """What was found; with `draw`, where each square falls in the folded word."""
    return PlainDocument(_lines(answer, draw=draw), lambda: _data(answer))


def _data(answer: GatherAnswer) -> dict[str, Any]:
    """As of a cell; where a gatherer was given, a conflict is two subsets with one index."""
    found = answer.found
    if isinstance(found, Gathered):
        own, formula_ = asdict(found.gatherer), formula(found.gatherer)
        return {"outcome": "exists", "gatherer": own, "formula": formula_, "figures": found.figures}
    conflict = None
    if isinstance(found, Impossible) and not answer.question.asks:
        _, line, *subsets = _conflict(answer)
        conflict = {"line": line.name, "subsets": [f"{one:#018x}" for one in subsets]}
    return outcome_json(found) | {"conflict": conflict}


def _conflict(answer: GatherAnswer) -> tuple[Gatherer, BoardLine, int, int]:
    """The gatherer that was given, and two subsets of a line with one index."""
    (gatherer,) = answer.question.forms()
    conflict = gatherer.counterexample(answer.question.lines)
    assert conflict is not None
    return gatherer, *conflict


def _lines(answer: GatherAnswer, *, draw: bool) -> Iterator[str]:
    found, question = answer.found, answer.question
    count = len(question.lines)
    what = f"{answer.what}, one gatherer for {count} line{'s' if count > 1 else ''}"
    if isinstance(found, Gathered):
        yield f"{'EXISTS' if question.asks else 'VALID'} {what}"
        yield f"  {formula(found.gatherer)}"
        yield from (f"  {name} {value:,}" for name, value in found.figures.items())
        for line in question.lines if draw else ():
            yield ""
            yield from (f"  {text}".rstrip() for text in drawing(found.gatherer, line))
    elif isinstance(found, Unknown):
        reasons = (found.reason, found.progress)
        yield from (f"UNKNOWN {what}", f"  {': '.join(filter(None, reasons))}")
    elif isinstance(found, Impossible) and question.asks:
        yield from (f"IMPOSSIBLE {what}", f"  {found.argument}")
    else:
        gatherer, line, one, other = _conflict(answer)
        yield from (f"INVALID {what}", f"  {formula(gatherer)}")
        yield from (f"  {text}" for text in conflicting(gatherer, line, one, other))


def formula(gatherer: Gatherer) -> str:
    """A gatherer as an expression of C."""
    other = "lo" if gatherer.rotated == "hi" else "hi"
    turned = f"rol32({gatherer.rotated}, {gatherer.r})" if gatherer.r else gatherer.rotated
    index_mask = (1 << gatherer.bits) - 1
    return f"(({turned} | {other}) * {gatherer.C:#010x}) >> {gatherer.s} & {index_mask:#x}"


def conflicting(gatherer: Gatherer, line: BoardLine, one: int, other: int) -> list[str]:
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


def drawing(gatherer: Gatherer, line: BoardLine) -> list[str]:
    """The board with, on each square of the line, the bit of the folded word it falls on."""
    lines = [f"{line.name}: bits of the folded word"]
    for rank in range(7, -1, -1):
        row = (
            f"{gatherer.place(square):2}" if square in line.squares else " ."
            for square in range(8 * rank, 8 * rank + 8)
        )
        lines.append(f"{rank + 1} {' '.join(row)}")
    return [*lines, "   a  b  c  d  e  f  g  h"]
