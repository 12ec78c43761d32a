"""A compiled function, certified, as one self-contained page."""

import shlex
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from magicert import __version__
from magicert.board import parse_board
from magicert.drawing.markup import element, facts, figure, html_page
from magicert.drawing.pictures import words_board
from magicert.functions.certificate import FunctionCertificate, FunctionReport
from magicert.functions.documents import as_json
from magicert.functions.question import FunctionQuestion
from magicert.outcome import Unknown
from magicert.problem import json_text
from magicert.show.document import Document
from magicert.show.report_page import annotation_elements, certificate, others


def function_page(
    result: FunctionCertificate | Unknown, question: FunctionQuestion, documents: Sequence[Document]
) -> str:
    """The page. It asks for nothing from anywhere."""
    gravest = next((d for d in documents if d.verdict == "invalid"), None)
    first = gravest or next((d for d in documents if d.verdict != "valid"), documents[0])
    names = ", ".join(document.name for document in documents)
    title = f"{first.verdict}: {names}"
    if first.verdict != "valid" and first.annotations:
        title = f"{first.verdict}: {first.name}, {first.headline.partition(': ')[2]}"
    return html_page(title, _body(title, result, question, documents), __version__)


def _body(
    title: str, result: FunctionCertificate | Unknown, question: FunctionQuestion,
    documents: Sequence[Document],
) -> Iterator[Element]:  # fmt: skip
    annotations = [annotation for document in documents for annotation in document.annotations]
    annotations.sort(key=lambda one: (one.level != "error", not one.diagrams))
    yield element("h1", title)
    for first in annotations[:1]:
        yield from annotation_elements(first)
    for document in documents:
        yield element("p", document.line, class_=f"verdict {document.verdict}")
    yield element("h2", "What this rests on, and how to repeat it")
    rows = [row for document in documents for row in document.facts]
    yield facts([*rows, ("repeat with", _command(question)), ("version", __version__)])
    if isinstance(result, Unknown):
        return
    boards = [_figure(report, result) for report in result.functions if report.kind != "setwise"]
    if boards:
        yield element("h2", "Square by square")
        yield element("div", *boards, class_="row")
    yield from others(annotations[1:])
    data = json_text(as_json(result)).encode()
    yield from certificate(result.verdict, "The whole answer stands", data)


def _figure(report: FunctionReport, result: FunctionCertificate) -> Element:
    board = parse_board(result.board)
    words = {"proved": "proved", "refuted": "wrong", "not decided": "open"}
    classes = {"proved": "settled", "refuted": "bad"}
    places = {board.parse(square.square): square.outcome for square in report.squares}
    picture = words_board(
        report.name,
        {place: ["", words[outcome], ""] for place, outcome in places.items()},
        {place: classes[outcome] for place, outcome in places.items() if outcome in classes},
        on=board,
    )
    return figure(picture, f"{report.name}: {report.statement}")


def _command(question: FunctionQuestion) -> str:
    """What asks the same on the command line."""
    words = ["magicert", "verify", *map(str, question.sources)]
    for claim in question.functions:
        words += ["--function", f"{claim.key}={claim.name}"]
    for name in ("init", "target", "compiler", "order", "board"):
        value, usual = getattr(question, name), FunctionQuestion.__dataclass_fields__[name].default
        words += [f"--{name}", str(value)] if value != usual else []
    words += ["--run"] * question.run + ["--no-traps"] * (not question.traps)
    return shlex.join([*words, *(["--", *question.flags] if question.flags else [])])
