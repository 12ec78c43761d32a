"""Answers about one cell."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from magicert.api.find import CellAnswer, Question
from magicert.board import BY_FILES, CHESS, names_in
from magicert.data import VARIABLE, tables_folder
from magicert.outcome import Exists, Impossible, NoMagic, Outcome
from magicert.problem import InputError, printable
from magicert.targets import Slider


def outcome_lines(
    what: str, outcome: Outcome | NoMagic, seconds: float, more: Sequence[str] = ()
) -> list[str]:
    """The first line is for grep: EXISTS, IMPOSSIBLE, UNKNOWN or NO MAGIC. The last
    has the figures; before it stands `more`.
    """
    match outcome:
        case Exists():
            lines = [f"EXISTS {what}", *(f"  magic {magic:#018x}" for magic in outcome.magics)]
            if outcome.complete:
                lines.append(f"  these are all {len(outcome.magics):,}, up to the LCM period")
            elif outcome.progress:
                lines.append(f"  not all of them: {outcome.progress}")
        case Impossible():
            lines = [f"IMPOSSIBLE {what}", f"  {outcome.argument}"]
            lines.append(f"  evidence: {outcome.evidence}")
            lines.append(f"  certificate: {_file(outcome.certificate) or 'none'}")
        case NoMagic():
            lines = [f"NO MAGIC {what}", f"  {outcome.magic:#018x}", f"  {_conflict(outcome)}"]
        case _:
            reasons = ": ".join(filter(None, [outcome.reason, outcome.progress]))
            lines = [f"UNKNOWN {what}", f"  {reasons}"]
    figures = {**_figures(outcome), "seconds": seconds}
    shown = ", ".join(f"{name} {_figure(value)}" for name, value in figures.items())
    return [*lines, *(f"  {line}" for line in more), f"  {shown}"]


def _file(certificate: str) -> str:
    """A certificate's file as it can be opened from here: the atlas names its files from the folder
    of what ships, a search names those that it wrote.
    """
    if not certificate or Path(certificate).exists():
        return certificate
    try:
        shipped = tables_folder() / certificate
    except InputError:
        return certificate
    if not shipped.exists():
        return f"{certificate} (not installed: {VARIABLE} may name a folder that has it)"
    here = Path.cwd()
    path = shipped.relative_to(here) if shipped.is_relative_to(here) else shipped
    return printable(str(path))


def _figures(outcome: Outcome | NoMagic) -> Mapping[str, float | int | str]:
    return {} if isinstance(outcome, NoMagic) else outcome.figures


def _conflict(outcome: NoMagic) -> str:
    first, second = outcome.occupancies
    if first == second:
        return f"occupancy {first:#x} has the index {outcome.index}, which is larger than allowed"
    return f"occupancies {first:#x} and {second:#x} share the index {outcome.index}"


def _figure(value: float | int | str) -> str:
    return f"{value:,.3g}" if isinstance(value, float) else str(value)


def answer_lines(question: Question, answer: CellAnswer) -> list[str]:
    """An answer about a cell, with what a magic of it is used with."""
    name = question.name_of(answer.cell)
    return outcome_lines(name, answer.outcome, answer.seconds, _use(question, answer))


def _use(question: Question, answer: CellAnswer) -> list[str]:
    """Mask, shift and square order."""
    outcome, cell = answer.outcome, answer.cell
    if not isinstance(outcome, Exists) or outcome.mask is None:
        return []
    digits = cell.target.width // 4 + 2
    lines = [f"mask {outcome.mask:#0{digits}x}, index {cell.scheme.formula.text}"]
    if outcome.shift is not None:
        lines.append(f"shift {outcome.shift}")
    if isinstance(cell.target, Slider):
        lines.append(f"order {question.order}: {question.order.removesuffix(BY_FILES)} is bit 0")
    return lines


def answer_json(question: Question, answer: CellAnswer) -> dict[str, Any]:
    """The same for --json."""
    cell = answer.cell
    named = cell.target.named
    if isinstance(cell.target, Slider):
        square = names_in(question.order, CHESS)[cell.target.square]
        named |= {"square": square, "order": question.order}
    return {
        "known": answer.known,
        "scheme": cell.scheme.name,
        "formula": cell.scheme.formula.text,
        **named,
        "bits": cell.bits,
        "largest_index": cell.last_index,
        "engine": answer.engine,
        **outcome_json(answer.outcome),
        "seconds": answer.seconds,
    }


def outcome_json(outcome: Outcome | NoMagic) -> dict[str, Any]:
    """The outcome of a cell; magics as 0x and 16 digits."""
    match outcome:
        case Exists():
            data: Mapping[str, Any] = {
                "outcome": "exists",
                "magics": [f"{magic:#018x}" for magic in outcome.magics],
                "complete": outcome.complete,
                "progress": outcome.progress,
                "mask": None if outcome.mask is None else f"{outcome.mask:#018x}",
                "shift": outcome.shift,
            }
        case Impossible():
            data = {
                "outcome": "impossible",
                "argument": outcome.argument,
                "evidence": outcome.evidence,
                "certificate": outcome.certificate,
            }
        case NoMagic():
            data = {
                "outcome": "no magic",
                "magics": [f"{outcome.magic:#018x}"],
                "occupancies": [f"{occupancy:#018x}" for occupancy in outcome.occupancies],
                "index": outcome.index,
            }
        case _:
            data = {"outcome": "unknown", "reason": outcome.reason, "progress": outcome.progress}
    return {**data, "figures": dict(_figures(outcome))}
