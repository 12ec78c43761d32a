"""Answers about one cell."""

from collections.abc import Mapping, Sequence
from typing import Any

from magicert.board import CHESS, names_in
from magicert.cell import Slider
from magicert.outcome import Exists, Impossible, NoMagic, Outcome
from magicert.requests.find import Answer, CellRequest
from magicert.show.document import PlainDocument


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
            lines.append(f"  certificate: {outcome.certificate or 'none'}")
        case NoMagic():
            lines = [f"NO MAGIC {what}", f"  {outcome.magic:#018x}", f"  {_conflict(outcome)}"]
        case _:
            reasons = ": ".join(filter(None, [outcome.reason, outcome.progress]))
            lines = [f"UNKNOWN {what}", f"  {reasons}"]
    figures = {**_figures(outcome), "seconds": seconds}
    shown = ", ".join(f"{name} {_figure(value)}" for name, value in figures.items())
    return [*lines, *(f"  {line}" for line in more), f"  {shown}"]


def _figures(outcome: Outcome | NoMagic) -> Mapping[str, float | int | str]:
    return {} if isinstance(outcome, NoMagic) else outcome.figures


def _conflict(found: NoMagic) -> str:
    one, other = found.occupancies
    if one == other:
        return f"occupancy {one:#x} has the index {found.index}, which is larger than allowed"
    return f"occupancies {one:#x} and {other:#x} share the index {found.index}"


def _figure(value: float | int | str) -> str:
    return f"{value:,.3g}" if isinstance(value, float) else str(value)


def answer_document(asked: CellRequest, answer: Answer) -> PlainDocument:
    """An answer about a cell."""
    outcome = outcome_json(answer.outcome)
    about = {"known": answer.known, **_about(asked, answer)}
    name, more = asked.name_of(answer.cell), asked.use(answer)
    return PlainDocument(
        outcome_lines(name, answer.outcome, answer.seconds, more),
        lambda: {**about, **outcome, "seconds": answer.seconds},
    )


def _about(asked: CellRequest, answer: Answer) -> dict[str, Any]:
    cell = answer.cell
    named = cell.about.named
    if isinstance(cell.about, Slider):
        square = names_in(asked.order, CHESS)[cell.about.square]
        named |= {"square": square, "order": asked.order}
    return {
        "scheme": cell.scheme.name,
        "formula": cell.scheme.formula.text,
        **named,
        "bits": cell.bits,
        "largest_index": cell.last_index,
        "engine": answer.engine,
    }


def outcome_json(outcome: Outcome | NoMagic) -> dict[str, Any]:
    """The outcome of a cell; magics as 0x and 16 digits."""
    match outcome:
        case Exists():
            said: Mapping[str, Any] = {
                "outcome": "exists",
                "magics": [f"{magic:#018x}" for magic in outcome.magics],
                "complete": outcome.complete,
                "progress": outcome.progress,
                "mask": None if outcome.mask is None else f"{outcome.mask:#018x}",
                "shift": outcome.shift,
            }
        case Impossible():
            said = {
                "outcome": "impossible",
                "argument": outcome.argument,
                "evidence": outcome.evidence,
                "certificate": outcome.certificate,
            }
        case NoMagic():
            said = {
                "outcome": "no magic",
                "magics": [f"{outcome.magic:#018x}"],
                "occupancies": [f"{occupancy:#018x}" for occupancy in outcome.occupancies],
                "index": outcome.index,
            }
        case _:
            said = {"outcome": "unknown", "reason": outcome.reason, "progress": outcome.progress}
    return {**said, "figures": dict(_figures(outcome))}
