"""Answers about one cell, or about keys."""

from collections.abc import Mapping, Sequence
from typing import Any

from magicert.board import CHESS, names_in
from magicert.cell import Slider
from magicert.key_file import KeyFile
from magicert.outcome import Exists, Impossible, Outcome, Unknown
from magicert.problem import printable
from magicert.requests.find import SEARCHED, Answer, CellRequest
from magicert.show.document import PlainDocument


def outcome_lines(
    what: str, outcome: Outcome, seconds: float, more: Sequence[str] = ()
) -> list[str]:
    """The first line is for grep: EXISTS, IMPOSSIBLE or UNKNOWN. The last has the figures; before
    it stands `more`.
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
        case _:
            reasons = ": ".join(filter(None, [outcome.reason, outcome.progress]))
            lines = [f"UNKNOWN {what}", f"  {reasons}"]
    figures = {**outcome.figures, "seconds": seconds}
    shown = ", ".join(f"{name} {_figure(value)}" for name, value in figures.items())
    return [*lines, *(f"  {line}" for line in more), f"  {shown}"]


def _figure(value: float | int | str) -> str:
    return f"{value:,.3g}" if isinstance(value, float) else str(value)


def answer_document(asked: CellRequest, answer: Answer, file: KeyFile | None) -> PlainDocument:
    """An answer about a cell, or about the keys of a file."""
    if file is not None:
        return keys_document(file, answer)
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


def keys_document(file: KeyFile, answer: Answer) -> PlainDocument:
    """An answer about keys."""
    shift = answer.outcome.shift if isinstance(answer.outcome, Exists) else None
    more = [] if shift is None else [f"shift {shift}"]
    more += _fewer(file, answer)
    if isinstance(answer.outcome, Unknown):
        more += [_chance(file, answer.cell.bits)]
    lines = outcome_lines(printable(str(answer.cell)), answer.outcome, answer.seconds, more)
    remarks = [printable(f"{file.path}: {remark}") for remark in file.remarks]
    return PlainDocument(lines, lambda: _document(file, answer), remarks)


def _fewer(file: KeyFile, answer: Answer) -> Sequence[str]:
    """What is known of fewer bits."""
    keys, lines = file.keys, []
    least = keys.least_bits
    if least > 1 and (answer.fewer or answer.cell.bits == least):
        count = f"{max(keys.numbers) + 1:,} values in {1 << least - 1:,} slots"
        lines.append(f"{least - 1} bits: IMPOSSIBLE: {count}")
    for one in answer.fewer:
        bits, outcome = one.cell.bits, one.outcome
        match outcome:
            case Impossible():
                lines.append(f"{bits} bits: IMPOSSIBLE: {outcome.argument} ({outcome.evidence})")
            case Unknown():
                said = ": ".join(filter(None, [outcome.reason, outcome.progress]))
                lines.append(f"{bits} bits: UNKNOWN: {said}; {_chance(file, bits)}")
    return lines


def _chance(file: KeyFile, bits: int) -> str:
    """How likely a random function would do."""
    return f"of random functions about {file.keys.chance(bits):.2g} would do"


def _document(file: KeyFile, answer: Answer) -> dict[str, object]:
    cell = answer.cell
    return {
        "scheme": cell.scheme.name,
        "formula": cell.scheme.formula.text,
        "keys": printable(str(file.path)),
        "count": len(file.entries),
        "values": cell.distinct,
        "mask": f"{cell.mask:#018x}",
        "remarks": list(file.remarks),
        "largest_index": cell.last_index,
        **_answered(answer),
        "fewer": [_answered(one) for one in answer.fewer],
    }


def _answered(answer: Answer) -> dict[str, object]:
    bits = answer.cell.bits
    shift = 64 - bits if answer.cell.scheme.name in SEARCHED else None
    told = {"bits": bits, "shift": shift, "engine": answer.engine}
    return {**told, **outcome_json(answer.outcome), "seconds": answer.seconds}


def outcome_json(outcome: Outcome) -> dict[str, Any]:
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
        case _:
            said = {"outcome": "unknown", "reason": outcome.reason, "progress": outcome.progress}
    return {**said, "figures": dict(outcome.figures)}
