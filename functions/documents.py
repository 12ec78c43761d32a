"""What came of functions, as documents."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from magicert.board import Board, parse_board
from magicert.drawing.boards import Diagram
from magicert.functions.certificate import (
    FORMAT,
    FunctionCertificate,
    FunctionReport,
    SquareReport,
    as_document,
    verdict_of,
)
from magicert.functions.compare import pairs
from magicert.functions.compare.layout import layout_of
from magicert.functions.other_orders import empty_sets, order_hint, own_square_hint, words_hint
from magicert.functions.question import FunctionQuestion, as_call
from magicert.outcome import Unknown
from magicert.problem import printable
from magicert.show.document import Annotation, Document, FilePlace

SHOWN = 1
"""Findings with their boards, unless all are asked for."""


def as_json(result: FunctionCertificate | Unknown) -> dict[str, object]:
    """The certificate's file, or why there is none."""
    if isinstance(result, Unknown):
        return {"verdict": "unknown", "reason": result.reason, "progress": result.progress}
    return as_document(result)


Results = Sequence[tuple[FunctionQuestion, FunctionCertificate | Unknown]]
"""What came of each target."""


def _gravest(results: Results) -> str:
    verdicts = {verdict_of(result) for _, result in results}
    return next(verdict for verdict in ("invalid", "unknown", "valid") if verdict in verdicts)


def targets_as_json(results: Results) -> dict[str, object]:
    """A certificate with a row for each target: its verdict, and what decides it; its own
    certificate stands in the row.
    """
    rows = []
    for question, result in results:
        row: dict[str, object] = {"target": question.target, "verdict": verdict_of(result)}
        if isinstance(result, Unknown):
            row["reason"] = result.reason
        else:
            row["triple"] = result.triple
            row["computes_with"] = {
                report.name: report.computes_with for report in result.functions
            }
        rows.append({**row, "certificate": as_json(result)})
    assumed = [
        a for _, result in results if not isinstance(result, Unknown) for a in result.assumed
    ]
    document = {"format": FORMAT, "verdict": _gravest(results), "targets": rows}
    return {**document, "assumed": [*dict.fromkeys(assumed)]}


def of_targets(results: Results, documents: Sequence[Sequence[Document]]) -> list[Document]:
    """The documents of each target, and last one with a row for each target."""
    found_documents = [
        replace(document, name=f"{document.name}, {question.target}")
        for (question, _), each in zip(results, documents, strict=True)
        for document in each
    ]
    rows = []
    for question, result in results:
        row = verdict_of(result)
        if isinstance(result, Unknown):
            rows.append((question.target, f"not decided: {result.reason}"))
            continue
        for report in result.functions:
            with_what = f" with {report.computes_with}" if report.computes_with else ""
            row += f"; {report.name} {report.verdict}{with_what}"
        rows.append((question.target, row))
    valid = sum(verdict_of(result) == "valid" for _, result in results)
    source = str(results[0][0].sources[0])
    message = f"{valid} of {len(results)} targets valid"
    found_documents.append(
        Document(_gravest(results), source, message, shown=0, facts=rows, brief=False)
    )
    return found_documents


def documents_of(
    result: FunctionCertificate | Unknown, question: FunctionQuestion
) -> Iterator[Document]:
    """A document for each function; with the last one stands what the answer rests on."""
    source = question.sources[0]
    if isinstance(result, Unknown):
        progress = f" ({result.progress})" if result.progress.strip() else ""
        reason = Annotation("undecided", "not decided", result.reason, FilePlace(source))
        yield Document(
            "unknown", str(source), f"{result.reason}{progress}", annotations=(reason,), shown=0
        )
        return
    advice = result.advice
    for number, report in enumerate(result.functions, 1):
        last = number == len(result.functions)
        document = _of_function(report, result, source, _rests_on(result) if last else [])
        if advice and report.verdict != "valid":  # one command is for all of them
            document, advice = replace(document, help=advice), ""
        yield document


_HOW_THE_CLAIM_STANDS = {"valid": "", "invalid": "refuted: ", "unknown": "not decided: "}


def _of_function(
    report: FunctionReport, result: FunctionCertificate, source: Path, facts: list[tuple[str, str]]
) -> Document:
    count = len(report.squares)
    proved = count - len(report.findings)
    squares = f"{proved} of {count} squares proved" if report.kind != "setwise" else ""
    slots = f"indexes below {report.slots:,}" if report.slots else ""
    claim = f"{_HOW_THE_CLAIM_STANDS[report.verdict]}{report.statement}"
    findings = sorted(report.findings, key=lambda finding: finding.outcome != "refuted")
    return Document(
        report.verdict, report.name,
        "; ".join(part for part in (claim, squares, slots) if part),
        annotations=tuple(_annotation(finding, report, result, source) for finding in findings),
        shown=SHOWN, facts=facts, brief=False, help=_what_helps(report, result),
    )  # fmt: skip


def _what_helps(report: FunctionReport, result: FunctionCertificate) -> str:
    """What helps if a function wants its own square to be occupied; if each square's set on the
    empty board is empty, after an init that may not fill the tables, or right in another order of
    the squares.
    """
    board = parse_board(result.board)
    if report.kind != "attacks" or report.verdict != "invalid":
        return ""
    if hint := own_square_hint(report, result.order, board):
        return hint
    sets = empty_sets(report, result.order, board)
    if result.init and None not in sets and not any(sets):
        init = as_call(result.init)
        return f"on the empty board all sets are empty: is {init} all that fills tables?"
    hint = words_hint(report, result.order, board)
    return hint or order_hint(report, result.order, board)


def _rests_on(result: FunctionCertificate) -> list[tuple[str, str]]:
    rows = [("compiled by", result.compiler or "given as IR"), ("for", result.triple)]
    if result.command:
        rows.append(("as", result.command))
    rows += [("builds", ", ".join(result.ir))]
    if result.ran:
        what = as_call(result.init) if result.init else "static initialisers"
        rows.append(("after running", f"{what}; {len(result.tables)} tables read"))
    rows += [("taken", taken) for taken in result.taken]
    rows += [("assumed", assumed) for assumed in result.assumed]
    return [*rows, ("evidence", result.evidence), ("trusted", "; ".join(result.trusted))]


def _annotation(
    finding: SquareReport, report: FunctionReport, result: FunctionCertificate, source: Path
) -> Annotation:
    return Annotation(
        "function" if finding.outcome == "refuted" else "undecided",
        f"{report.name}, {finding.square}, {finding.build}: {finding.outcome}",
        printable(finding.message),
        _place(finding.place, source),
        where=finding.square,
        rows=list(_rows(finding)),
        diagrams=tuple(_diagrams(finding, report, result)),
    )


def _rows(finding: SquareReport) -> Iterator[tuple[str, str]]:
    yield from finding.inputs.items()
    if finding.found:
        yield "returns", finding.found
    if finding.expected and finding.inputs:
        yield "expected", finding.expected
    if finding.confirmed or finding.found:
        by_hand = "by computing the IR; --run calls the compiled function as well"
        yield "confirmed", finding.confirmed or by_hand
    yield from (("reads", read) for read in finding.reads)


def _diagrams(
    finding: SquareReport, report: FunctionReport, result: FunctionCertificate
) -> Iterator[Diagram]:
    if not finding.inputs or report.kind not in {"attacks", "xray", *pairs.KINDS}:
        return
    board = parse_board(result.board)
    if report.kind in pairs.KINDS:
        occupied = frozenset([board.parse(finding.inputs["target"])])
    else:
        occupied = _squares(finding.inputs["occupied"], board, result.order)
    for title, value in (("expected", finding.expected), ("returned", finding.found)):
        if value:
            reached = _squares(value, board, result.order)
            square = board.parse(finding.square)
            yield Diagram(report.piece, square, occupied, reached, (title,), title, on=board)


def _squares(word: str, board: Board, order: str) -> frozenset[int]:
    return layout_of(order, board).squares_given(int(word, 16))


def _place(text: str, source: Path) -> FilePlace:
    name, _, line = text.rpartition(":")
    if not line.isdigit():
        return FilePlace(source)
    return FilePlace(source if Path(name).name == source.name else Path(name), int(line))
