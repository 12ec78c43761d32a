"""What came of functions: for people, as JSON, and as annotations."""

from collections.abc import Iterator
from pathlib import Path

import click

from magicert.board import Board, parse_board, squares_of
from magicert.cli.display import boards as draw
from magicert.cli.display.documents import echo_json
from magicert.cli.display.formats import github, sarif
from magicert.cli.display.formats.annotations import Annotation, Place
from magicert.outcome import Unknown
from magicert.problem import printable
from magicert.square_order import squares_in
from magicert.verify.function.certificate import (
    FunctionCertificate,
    FunctionReport,
    SquareReport,
    as_document,
)
from magicert.verify.function.question import Question

SHOWN = 1
"""Findings with their boards, unless all are asked for."""


def as_json(result: FunctionCertificate) -> bytes:
    """The certificate's file."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(as_document(result)), indent=1) + b"\n"


def as_sarif(result: FunctionCertificate | Unknown, question: Question) -> bytes:
    """The log of the findings."""
    import msgspec

    log = sarif.log(list(_annotations(result, question)))
    return msgspec.json.format(msgspec.json.encode(log), indent=1) + b"\n"


def show(
    result: FunctionCertificate | Unknown, question: Question, form: str, *, everything: bool
) -> None:
    """The result in one of the formats of `verify`."""
    match form:
        case "json":
            if isinstance(result, Unknown):
                echo_json(
                    {"verdict": "unknown", "reason": result.reason, "progress": result.progress}
                )
            else:
                echo_json(as_document(result))
        case "sarif":
            echo_json(sarif.log(list(_annotations(result, question))))
        case "github":
            click.echo(github.commands(list(_annotations(result, question))), nl=False)
            _text(result, question, everything=False)
        case _:
            _text(result, question, everything=everything)


def _text(result: FunctionCertificate | Unknown, question: Question, *, everything: bool) -> None:
    if isinstance(result, Unknown):
        progress = f" ({result.progress})" if result.progress.strip() else ""
        click.echo(f"unknown   {question.sources[0]}: {result.reason}{progress}")
        return
    for report in result.functions:
        _function(report, result, everything=everything)
    click.echo("")
    rows = [("compiled by", result.compiler or "given as IR"), ("for", result.triple)]
    if result.command:
        rows.append(("as", result.command))
    rows += [("builds", ", ".join(result.ir))]
    if result.init:
        rows.append(("after", f"{result.init}(), which was run; {len(result.tables)} tables read"))
    rows += [("taken", taken) for taken in result.taken]
    rows.append(("evidence", result.evidence))
    rows.append(("trusted", "; ".join(result.trusted)))
    for name, text in rows:
        click.echo(f"  {name:<12} {printable(text)}")


def _function(report: FunctionReport, result: FunctionCertificate, *, everything: bool) -> None:
    count = len(report.squares)
    proved = count - len(report.findings)
    squares = f"{proved} of {count} squares proved" if report.kind != "setwise" else ""
    slots = f"indexes below {report.slots:,}" if report.slots else ""
    details = "; ".join(part for part in (report.statement, squares, slots) if part)
    click.echo(f"{report.verdict:<9} {report.name}: {details}")
    findings = sorted(report.findings, key=lambda finding: finding.outcome != "refuted")
    for number, finding in enumerate(findings):
        if number < SHOWN or everything:
            _finding(finding, report, result)
    if len(findings) > SHOWN and not everything:
        names = [finding.square for finding in findings[SHOWN:]]
        click.echo(f"  and {len(names)} more: {', '.join(names[:16])} (--full shows them all)")


def _finding(finding: SquareReport, report: FunctionReport, result: FunctionCertificate) -> None:
    place = f" at {finding.place}" if finding.place else ""
    click.echo(f"  {finding.square}, {finding.build}: {finding.outcome}: {finding.message}{place}")
    for name, value in finding.inputs.items():
        click.echo(f"    {name:<12} {value}")
    if finding.found:
        click.echo(f"    {'returns':<12} {finding.found}")
    if finding.expected and finding.inputs:
        click.echo(f"    {'expected':<12} {finding.expected}")
    if finding.confirmed:
        click.echo(f"    {'confirmed':<12} {finding.confirmed}")
    elif finding.found:
        text = "by computing its IR; --run allows to call it"
        click.echo(f"    {'confirmed':<12} {text}")
    for read in finding.reads:
        click.echo(f"    {'reads':<12} {read}")
    board, order = parse_board(result.board), result.order
    if finding.inputs and report.kind in {"attacks", "xray"}:
        shown = [("expected", finding.expected), ("found", finding.found)]
        blocks = [
            [title, *_board(finding, report.piece, value, board, order)]
            for title, value in shown
            if value
        ]
        for line in draw.beside(blocks, draw.width()):
            click.echo(f"    {line}".rstrip())


def _board(finding: SquareReport, piece: str, value: str, board: Board, order: str) -> list[str]:
    places = squares_in(order, board)
    occupied, attacked = (
        [places[bit] for bit in squares_of(int(text, 16)) if bit < len(places)]
        for text in (finding.inputs["occupied"], value)
    )
    return draw.board(board.parse(finding.square), piece, occupied, attacked, board)


def _annotations(result: FunctionCertificate | Unknown, question: Question) -> Iterator[Annotation]:
    source = question.sources[0]
    if isinstance(result, Unknown):
        yield Annotation("undecided", "not decided", result.reason, Place(source))
        return
    for report in result.functions:
        for finding in report.findings:
            decided = finding.outcome == "refuted"
            rule = "function" if decided else "undecided"
            shown = [f"{name} {value}" for name, value in finding.inputs.items()]
            if finding.found:
                shown.append(f"returns {finding.found}, expected {finding.expected}")
            message = f"{report.name}, {finding.square}: {finding.message}"
            title = f"wrong function: {report.name}" if decided else "not decided"
            text = printable("; ".join([message, *shown]))
            yield Annotation(rule, title, text, _place(finding.place, source))


def _place(text: str, source: Path) -> Place:
    name, _, line = text.rpartition(":")
    if not line.isdigit():
        return Place(source)
    path = source if Path(name).name == source.name else Path(name)
    return Place(path, int(line))
