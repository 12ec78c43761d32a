"""What a source is found to be, for people: as a compiler says it, the place first."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.cli.display.documents import bad_input
from magicert.cli.display.report import lookup_board
from magicert.jobs.read_sources import CheckedSource
from magicert.problem import InputError, printable
from magicert.verify.source.judgement import FUNCTION_HINT, MAYBE_ANOTHER

if TYPE_CHECKING:
    from magicert.verify.source.judgement import Judgement, Reading

MOST_PLACES = 6
"""Places where a list is used that are shown without --full."""
MOST_CAUSES = 8


def show_sources(checked: Sequence[CheckedSource], everything: bool) -> None:
    """The verdict of each source: two lines for a valid one, the causes of any other."""
    for number, item in enumerate(checked):
        if number and (everything or checked[number - 1].verdict != "valid"):
            click.echo("")
        if isinstance(item.result, InputError):
            click.echo(f"{item.verdict} {item.name}")
            for problem in item.result.problems:
                click.echo(problem, err=True)
        else:
            _show_judgement(item, item.result, everything)


def _show_judgement(item: CheckedSource, judgement: "Judgement", everything: bool) -> None:
    for number, reading in enumerate(judgement.valid, 1):
        _show_entries(reading, item)
        count = f" (reading {number} of {len(judgement.valid)})" if len(judgement.valid) > 1 else ""
        decided = (
            "the numbers are valid" if judgement.verdict == "valid" else "the numbers certify, but"
        )
        names = " and ".join(dict.fromkeys(str(_path(name, item)) for name in reading.files))
        click.echo(
            printable(f"{judgement.verdict:<9} {names}: {decided}{count}: {_figures(reading)}")
        )
        if judgement.verdict == "valid":
            click.echo(
                printable(f"          {'; '.join([*_beside(reading, item), FUNCTION_HINT])}")
            )
        if everything:
            _show_reading(reading)
    for warning in item.warnings:
        click.echo(f"warning   {printable(warning)}")
    for reading in judgement.nearest[: None if everything else 1]:
        _show_causes(reading, item, everything)
    for reason in judgement.undecided:
        click.echo(printable(f"{item.name}: not decided: {reason}"))
    if judgement.verdict != "valid" and judgement.nearest:
        nearest = judgement.nearest[0]
        squares = sum(len(half.magic.values) for half in nearest.halves)
        counted = f"{nearest.bad_squares} of {squares} squares conflict"
        if nearest.report.verdict == "unknown":
            counted = f"{nearest.report.lookups:,} lookups were not enough"
        elif judgement.verdict == "unknown" and not judgement.undecided:
            counted += f", but {_guessed(nearest)}; {nearest.settled_by}"
        click.echo(printable(f"{judgement.verdict:<9} {item.name}: {counted}"))
    elif judgement.verdict != "valid" and not judgement.valid:
        click.echo(printable(f"{judgement.verdict:<9} {item.name}"))
    for note in judgement.notes if everything or judgement.verdict != "valid" else ():
        click.echo(f"  note: {printable(note)}")


def _figures(reading: "Reading") -> str:
    """The lists, the formulas, and what was taken."""
    lists = ", ".join(
        f"{half.magic.name or 'unnamed'}:{half.magic.first_line}" for half in reading.halves
    )
    formulas = " and ".join(dict.fromkeys(half.formula.text for half in reading.halves))
    length = sum(buffer.length for buffer in reading.report.buffers)
    pieces = list(reading.report.formulas)
    only = f"; {pieces[0]}s only" if len(pieces) == 1 and reading.table.is_chess() else ""
    under = f"; under {', '.join(reading.conditions)}" if reading.conditions else ""
    remarks = "".join(f"; {remark}" for remark in reading.remarks)
    figures = f"{reading.report.lookups:,} lookups, {length:,} slots"
    if not reading.halves:
        lists = ", ".join(f"{one.name}:{one.line}" for one in reading.finished)
        formulas = " and ".join(dict.fromkeys(reading.report.formulas.values()))
    wrong = sum(one.compared.wrong for one in reading.finished)
    remarks += f"; {wrong:,} entries of finished lists are wrong" if wrong else ""
    return f"{lists} with {formulas}, {figures}{only}{under}{remarks}"


def _show_entries(reading: "Reading", item: CheckedSource) -> None:
    """The wrong entries of finished lists, a line each."""
    for one in reading.finished:
        path = _path(one.file, item)
        for line, column, wrong in one.wrong:
            click.echo(printable(f"{path}:{line or one.line}:{column or 1}: {wrong}"))
        more = one.compared.wrong - len(one.wrong)
        if more > 0:
            click.echo(printable(f"... and {more:,} more of {one.name}"))


def _beside(reading: "Reading", item: CheckedSource, most: int = MOST_PLACES) -> Iterator[str]:
    """What else is known of a reading: whose numbers it has, its finished lists, and where its
    lists are used.
    """
    from magicert.whose import whose

    known = {piece: str(found) for piece, found in whose(reading.table).items()}
    if len({*known.values()}) == 1 and len(known) == len(reading.table.pieces):
        yield next(iter(known.values()))
    else:
        yield from (f"{piece}: {text}" for piece, text in known.items())
    fitting = [one for one in reading.finished if one.fits]
    if fitting:
        lists = " and ".join(dict.fromkeys(f"{one.name}:{one.line}" for one in fitting))
        loaded = sum(one.compared.loaded for one in fitting)
        yield f"all {loaded:,} entries of {lists} that lookups load are right"
    for one in reading.finished:
        if not one.fits:
            yield f"not compared: {one.name}:{one.line} has attack sets in no order that was tried"
    places = [(str(_path(use.file, item)), use) for use in reading.also_used]
    shown: list[str] = []
    for file, uses in groupby(places[:most], key=lambda one: one[0]):
        for number, (_, use) in enumerate(uses):
            own = f"{'' if number else file}:{use.line}"
            shown.append(f"{own} ({use.function})" if use.function else own)
    more = f" and {len(places) - most} more" if len(places) > most else ""
    if shown:
        yield f"also used at {', '.join(shown)}{more}"


def _guessed(reading: "Reading") -> str:
    return f"{', '.join(reading.guesses)} was taken" if reading.guesses else "the formula was taken"


def _show_causes(reading: "Reading", item: CheckedSource, everything: bool) -> None:
    """A line a cause, with its boards for the first; then what helps."""
    if everything:
        _show_reading(reading)
    findings = reading.report.findings
    shown = findings if everything else findings[:MOST_CAUSES]
    for number, finding in enumerate(shown):
        entries = reading.entries(finding)
        where = " and ".join(finding.squares) or "the table"
        place = (
            f"{_path(entries[0].file, item)}:{entries[0].line}:{entries[0].column}"
            if entries
            else item.name
        )
        blamed = f"has a wrong {_blamed(reading)}" if reading.decided else MAYBE_ANOTHER
        wrong = f"{blamed}: {finding.message}"
        if len(finding.squares) != 1:
            wrong = finding.message
        sign = " " if len(finding.squares) == 1 and reading.decided else ": "
        click.echo(printable(f"{place}: {where}{sign}{wrong}"))
        for entry in entries[1:]:
            click.echo(
                printable(f"{_path(entry.file, item)}:{entry.line}:{entry.column}: and this one")
            )
        if everything or number == 0:
            lookup_board(finding, reading.report.geometry)
    if len(findings) > len(shown):
        click.echo(f"... and {len(findings) - len(shown)} more: --full shows them all")
    if findings and reading.confirmed and reading.table.is_chess():
        click.echo(printable(f"help: magicert fix {item.paths[0]} looks for the smallest change"))


def _blamed(reading: "Reading") -> str:
    """Which of the numbers that were read a conflict may come from."""
    listed = any(half.count and half.count.column for half in reading.halves if half.bad)
    return "magic or number of bits" if listed else "magic"


def _show_reading(reading: "Reading") -> None:
    shown = lines(reading)
    width = max(16, *(len(name) for name, _ in shown))
    for name, text in shown:
        click.echo(f"  {name:<{width}} {printable(text)}")
    for use in reading.also_used:
        inside = f" ({use.function})" if use.function else ""
        click.echo(
            f"  {'also used':<{width}} {printable(f'{use.name}: {use.file}:{use.line}{inside}')}"
        )


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


def _path(name: str, item: CheckedSource) -> Path:
    """The file that a reading calls by its last name."""
    return next((path for path in item.paths if printable(path.name) == name), Path(name))


def as_json(checked: CheckedSource) -> list[dict[str, Any]]:
    """The reports of a source for --json: a verification's, with `reading` beside it."""
    import msgspec

    if isinstance(checked.result, InputError):
        return [bad_input(checked.name, checked.result)]
    from magicert.whose import whose

    judgement = checked.result
    readings = [*judgement.valid, *judgement.nearest]
    if not readings:
        undecided = {
            "file": checked.name,
            "verdict": judgement.verdict,
            "undecided": judgement.undecided,
        }
        return [{**undecided, "notes": judgement.notes}]
    return [
        {
            **msgspec.to_builtins(reading.report),
            "reading": {
                "verdict_of_source": judgement.verdict,
                "sources": reading.sources,
                "conditions": list(reading.conditions),
                "bad_squares": reading.bad_squares,
                "decided": reading.decided,
                "undecided": judgement.undecided,
                "entries": [
                    [asdict(entry) for entry in reading.entries(finding)]
                    for finding in reading.report.findings
                ],
                "guesses": list(reading.guesses),
                "also_used": [asdict(use) for use in reading.also_used],
                "whose": {piece: str(found) for piece, found in whose(reading.table).items()},
                "finished": [asdict(one) for one in reading.finished],
                "notes": judgement.notes,
                "not_read": FUNCTION_HINT,
            },
        }
        for reading in readings
    ]
