"""A source's reading for people: what was taken for what, and what came of it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import rich_click as click

from magicert.cli.display.documents import bad_input
from magicert.cli.display.report import show_all, show_finding
from magicert.jobs.read_sources import CheckedSource
from magicert.jobs.verify_tables import Checked
from magicert.problem import InputError, printable

if TYPE_CHECKING:
    from magicert.verify.source.readings.judgement import Judgement, Reading

NOT_READ = "lookup code is not read: this certifies the numbers with the formula shown"


def show_sources(checked: Sequence[CheckedSource], everything: bool) -> None:
    """The verdict of each source with its readings."""
    for number, item in enumerate(checked):
        if number:
            click.echo("")
        if isinstance(item.result, InputError):
            click.echo(f"{item.verdict} {item.name}")
            for problem in item.result.problems:
                click.echo(problem, err=True)
        else:
            _show_judgement(item, item.result, everything)


def _show_judgement(item: CheckedSource, judgement: "Judgement", everything: bool) -> None:
    path = item.paths[0]
    for doubt in judgement.doubts:
        click.echo(f"{judgement.verdict.ljust(9)} {item.name}: {doubt}; but:")
    if judgement.valid:
        rows = [Checked(path, reading.report, reading.remarks) for reading in judgement.valid]
        show_all(rows, everything)
        several = len(judgement.valid) > 1
        for number, reading in enumerate(judgement.valid, 1):
            _show_reading(reading, f"reading {number} of {len(judgement.valid)}" if several else "")
        if several and not any(reading.conditions for reading in judgement.valid):
            click.echo("\nEach of these readings certifies. --map keeps to one of them.")
    if not judgement.nearest:
        return
    word = "no reading of it certifies" if not judgement.valid else "one alternative fails"
    click.echo(f"{judgement.verdict.ljust(9)} {item.name}: {word}; the nearest:")
    for reading in judgement.nearest:
        count = reading.bad_squares
        title = f"nearest reading: {count} bad square{'' if count == 1 else 's'}"
        if reading.report.verdict == "unknown":
            title = "nearest reading: not decided"
        _show_reading(reading, title)
        findings = reading.report.findings
        for place, finding in enumerate(findings if everything else findings[:1]):
            drawn = everything or place == 0
            show_finding(finding, reading.report.geometry if drawn else None)
            for entry in reading.entries(finding):
                click.echo(f"    {printable(str(entry))}")
        if len(findings) > 1 and not everything:
            click.echo(f"  ... and {len(findings) - 1} more findings: --full shows them all")


def _show_reading(reading: "Reading", title: str) -> None:
    parts = [title, *reading.conditions]
    click.echo("")
    if any(parts):
        click.secho(", ".join(part for part in parts if part), bold=True)
    shown = lines(reading)
    width = max(16, *(len(name) for name, _ in shown))
    for name, text in shown:
        click.echo(f"  {name:<{width}} {printable(text)}")
    for other in reading.also:
        formulas = dict.fromkeys(half.index.text for half in other.table.pieces.values())
        counted = [text for key, text in other.sources.items() if key.endswith((".bits", ".shift"))]
        parts = [*formulas, *dict.fromkeys(counted)]
        click.echo(f"  {'also certifies':<16} {'; '.join(parts)}")
    for note in reading.notes:
        click.echo(f"  note: {printable(note)}")
    click.echo(f"  {NOT_READ}")


def lines(reading: "Reading") -> list[tuple[str, str]]:
    """What was taken for what: a part of the table, and where it comes from."""
    shown = []
    for piece, half in reading.table.pieces.items():
        shown.append((f"{piece}.index", half.index.text))
        shown += [
            (name, text) for name, text in reading.sources.items() if name.startswith(f"{piece}.")
        ]
    pieces = tuple(f"{piece}." for piece in reading.table.pieces)
    return shown + [i for i in reading.sources.items() if not i[0].startswith(pieces)]


def as_json(checked: CheckedSource) -> list[dict[str, Any]]:
    """The reports of a source for --json: a verification's, with `reading` beside it."""
    import msgspec

    if isinstance(checked.result, InputError):
        return [bad_input(checked.name, checked.result)]
    judgement = checked.result
    return [
        {
            **msgspec.to_builtins(reading.report),
            "reading": {
                "verdict_of_source": judgement.verdict,
                "sources": reading.sources,
                "conditions": list(reading.conditions),
                "bad_squares": reading.bad_squares,
                "entries": [
                    [asdict(entry) for entry in reading.entries(finding)]
                    for finding in reading.report.findings
                ],
                "notes": list(reading.notes),
                "also": [other.report.formulas for other in reading.also],
                "doubts": judgement.doubts,
                "guesses": list(reading.guesses),
                "warnings": list(reading.warnings),
                "not_read": NOT_READ,
            },
        }
        for reading in [*judgement.valid, *judgement.nearest]
    ]
