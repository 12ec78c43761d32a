"""Answers about keys."""

from typing import TYPE_CHECKING

import click

from magicert.cell.key_file import KeyFile
from magicert.cli.display.documents import echo_json, outcome_json
from magicert.cli.display.outcomes import show_outcome
from magicert.outcome import Exists, Impossible, Unknown
from magicert.problem import printable

if TYPE_CHECKING:
    from magicert.jobs.find import Answer
    from magicert.jobs.keyed.find_keys import KeysAnswer


def show_keys(file: KeyFile, found: "KeysAnswer", as_json: bool, to_stderr: bool = False) -> int:
    """Show an answer about keys; its exit status for `find`."""
    for remark in file.remarks:
        click.echo(printable(f"{file.path}: {remark}"), err=True)
    answer = found.answer
    if as_json:
        echo_json(_document(file, found))
    else:
        more = [f"shift {64 - answer.cell.bits}"] * isinstance(answer.outcome, Exists)
        more += _fewer(file, found)
        if not isinstance(answer.outcome, Exists | Impossible):
            more += [_chance(file, answer.cell.bits)]
        what = printable(str(answer.cell))
        show_outcome(what, answer.outcome, answer.seconds, more, to_stderr)
    return answer.outcome.exit_status


def _fewer(file: KeyFile, found: "KeysAnswer") -> list[str]:
    """What is known of fewer bits."""
    keys, lines = file.keys, []
    least = keys.least_bits
    if least > 1 and (found.fewer or found.answer.cell.bits == least):
        count = f"{max(keys.numbers) + 1:,} values in {1 << least - 1:,} slots"
        lines.append(f"{least - 1} bits: IMPOSSIBLE: {count}")
    for answer in found.fewer:
        bits, outcome = answer.cell.bits, answer.outcome
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


def _document(file: KeyFile, found: "KeysAnswer") -> dict[str, object]:
    cell = found.answer.cell
    return {
        "scheme": cell.scheme.name,
        "formula": cell.scheme.formula.text,
        "keys": printable(str(file.path)),
        "count": len(file.entries),
        "values": cell.distinct,
        "mask": f"{cell.mask:#018x}",
        "remarks": list(file.remarks),
        "largest_index": cell.last_index,
        **_answered(found.answer),
        "fewer": [_answered(answer) for answer in found.fewer],
    }


def _answered(answer: "Answer") -> dict[str, object]:
    bits = answer.cell.bits
    told = {"bits": bits, "shift": 64 - bits, "engine": answer.engine}
    return {**told, **outcome_json(answer.outcome), "seconds": answer.seconds}
