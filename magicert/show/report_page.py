"""A table or a source, verified, as one self-contained page: the verdict, the two positions and the
patch first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from magicert import __version__
from magicert.api.verify_files import Verified
from magicert.drawing.markup import copied, element, facts, figure, html_page, json_element
from magicert.drawing.pictures import coloured_board, piece_board, words_board
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.show.buffers import (
    COARSEST,
    CONFLICT,
    LONGEST,
    SHARED,
    map_of,
    square_colours,
    usage_of,
)
from magicert.show.document import Annotation, Document
from magicert.show.verdicts import documents_of
from magicert.table import Table, read_table
from magicert.table.files import TableFile
from magicert.table.write import table_toml
from magicert.verify.table.report import Report, to_json

if TYPE_CHECKING:
    from magicert.verify.source.judgement import Judgement
    from magicert.verify.source.overrides import Overrides


MOST_FINDINGS = 400
"""Findings in the page's JSON: where squares stand on one another there can be thousands."""
MOST = 40
"""Findings with boards; the certificate has all of them."""
MOST_PATCHED = 4
"""Wrong squares for which a patch is looked for, which takes seconds each."""
IN_A_LINE = 4


@dataclass(frozen=True, slots=True)
class PageSubject:
    """What a page is about. `remarks` belong to the verdict; `command` repeats it; `patch` makes a
    source valid.
    """

    document: Document
    file: TableFile
    report: Report
    command: str
    remarks: tuple[str, ...] = ()
    patch: str = ""


def page_subject(
    name: str, verified: Verified, overrides: "Overrides | None", watch: Watch
) -> PageSubject:
    """What a page shows of the table or source of that name: of a source's readings the first that
    certifies, else the nearest.

    Raises InputError where there is no one table to show.
    """
    document = documents_of(verified)[0]
    options = f" {overrides.options}" if overrides is not None and overrides.options else ""
    command = f"magicert verify {name}{options}"
    for table in verified.tables:
        if isinstance(table.result, InputError):
            raise table.result
        return PageSubject(document, read_table(table.path), table.result, command)
    (source,) = verified.sources
    judged = source.result
    if isinstance(judged, InputError):
        raise judged
    readings = [*judged.valid, *judged.nearest]
    if not readings:
        raise InputError([Problem("this source could not be read as a table", file=name)])
    remarks = [*document.remarks, *judged.undecided]
    if len(readings) > 1:
        remarks.append(f"{len(readings)} readings of this source; this page shows the first")
    file = TableFile.unsaved(readings[0].table, source.name)
    patch = _patch(source.paths, judged, overrides, watch)
    return PageSubject(document, file, readings[0].report, command, tuple(remarks), patch)


def _patch(
    paths: Sequence[Path], judged: "Judgement", overrides: "Overrides | None", watch: Watch
) -> str:
    """What `magicert fix` writes, where few squares are wrong and everything else is right."""
    from magicert.verify.fixing.fix import fix

    few = [reading for reading in judged.nearest if 0 < reading.bad_squares <= MOST_PATCHED]
    if not any(reading.confirmed for reading in few):
        return ""
    try:
        fixed = fix(paths, overrides, 1, watch)
    except InputError:
        return ""
    return "".join(fixed.patches) if fixed.verdict == "valid" else ""


def report_page(subject: PageSubject) -> str:
    """The page. It asks for nothing from anywhere."""
    return html_page(subject.document.headline, _body(subject), __version__)


def _body(subject: PageSubject) -> Iterator[Element]:
    report, document = subject.report, subject.document
    yield element("h1", document.headline)
    drawn = [annotation for annotation in document.annotations if annotation.diagrams]
    for first in drawn[:1]:
        yield from annotation_elements(first)
    if subject.patch:
        yield element("h2", "The patch that makes it valid")
        yield copied("patch", subject.patch)
    line = f"{document.verdict}: {document.figures}"
    yield element("p", line, class_=f"verdict {document.verdict}")
    for remark in subject.remarks:
        yield element("p", remark)
    yield element("h2", "Where each part was read, and how to repeat this")
    yield facts(_facts(subject))
    if document.notes:
        yield element("ul", *(element("li", note) for note in document.notes))
    plain = [annotation for annotation in document.annotations if not annotation.diagrams]
    yield from others([*drawn[1:], *plain])
    yield element("h2", "Square by square")
    pieces = subject.file.table.pieces
    yield element("div", *(_figures(report, piece) for piece in pieces), class_="row")
    yield from _maps(subject)
    yield element("h2", "The numbers")
    yield from _numbers(subject.file.table)
    first_findings = report.findings[:MOST_FINDINGS]
    whole = "The whole answer of magicert verify stands"
    if len(first_findings) < len(report.findings):
        whole = f"The first {len(first_findings)} of {len(report.findings):,} findings stand"
    yield from certificate(report.verdict, whole, to_json(replace(report, findings=first_findings)))


def certificate(verdict: str, whole: str, data: bytes) -> Iterator[Element]:
    """The answer as JSON, in the page."""
    yield element("h2", "The certificate" if verdict == "valid" else "The findings")
    yield element(
        "p", f"{whole} in this page as JSON, in the element with the id ",
        element("code", "certificate"), "; magicert verify --certificates writes it as a file. ",
        element("button", "copy", type="button", data_copy="certificate"),
    )  # fmt: skip
    yield json_element("certificate", data)


def annotation_elements(annotation: Annotation) -> Iterator[Element]:
    """One finding: its message, the places of its numbers, its positions side by side."""
    yield element("p", f"{annotation.title}: {annotation.message}")
    if annotation.diagrams:
        boards = [figure(piece_board(board), board.caption) for board in annotation.diagrams]
        yield element("div", *boards, class_="pair")
    if annotation.rows:
        yield facts(annotation.rows)
    for place in (annotation.place, *annotation.related):
        label = place.label if place.label.count(" ") > 1 else ""
        yield element("p", ": ".join(filter(None, [str(place), label])), class_="quiet")


def others(annotations: Sequence[Annotation]) -> Iterator[Element]:
    """All other findings, up to a number that can be read."""
    if annotations:
        what = (
            "wrong"
            if any(annotation.level == "error" for annotation in annotations)
            else "not known to be right"
        )
        yield element("h2", f"Also {what}: {len(annotations):,}")
    for annotation in annotations[:MOST]:
        yield element("h3", annotation.where or annotation.rule)
        yield from annotation_elements(annotation)
    if len(annotations) > MOST:
        rest = len(annotations) - MOST
        yield element("p", f"... and {rest:,} more, which magicert verify --full shows.")


def _figures(report: Report, piece: str) -> Element:
    squares = [square for square in report.squares if square.piece == piece]
    wrong = {name for finding in report.findings for name in finding.squares}
    on = report.geometry
    words, classes = {}, {}
    for square in squares:
        place = on.parse(square.square)
        words[place] = [f"{square.bits}", f"{square.slots_used:,}", f"{square.holes:,}"]
        if square.bits < square.c:
            classes[place] = "settled"
        if f"{piece} {square.square}" in wrong:
            classes[place] = "bad"
    caption = (
        f"{piece}: index bits, slots used, holes between its first and its last slot; green: "
        "fewer bits than the mask has; a red frame: something is wrong"
    )
    picture = words_board(f"{piece}: bits, used slots, holes", words, classes, on=on)
    return figure(picture, caption)


def _maps(subject: PageSubject) -> Iterator[Element]:
    table = subject.file.table
    yield element("h2", "The buffer")
    drawn = usage_of(subject.file)
    if not drawn:
        yield element("p", f"Longer than {COARSEST * LONGEST:,} slots: too long to be drawn.")
        return
    scale = max(usage.scale for usage in drawn)
    dots = "A dot is a slot" if scale == 1 else f"A dot is up to {scale} slots"
    yield element(
        "p", f"{dots}, in the colour of the square that uses it; what is grey is free. "
        "Slots run from left to right, 64 in a row, 64 rows in a page.",
        " An entry is a number of an attack set." if table.two_level else "",
    )  # fmt: skip
    for usage in drawn:
        free = usage.length - usage.used
        caption = (
            f"buffer {usage.name}: {usage.length:,} slots, {usage.used:,} used, {free:,} free, "
            f"{usage.shared:,} used by several squares, {len(usage.conflicts):,} in conflict"
        )
        yield figure(map_of(usage, table.name), caption)
    yield element("div", *_keys(table), class_="row key")
    several = element("b", "several squares")
    several.set("style", f"color:{SHARED[2]}")
    clash = element("b", "conflict")
    clash.set("style", f"color:{CONFLICT}")
    yield element("p", "Slots of ", several, "; slots in ", clash, ".", class_="quiet")


def _keys(table: Table) -> Iterator[Element]:
    """A board for each piece, its squares in the colours of the maps."""
    colours = square_colours(table)
    for piece in table.pieces:
        of_piece = {square: colour for (other, square), colour in colours.items() if other == piece}
        label = f"colours of the {piece}s"
        yield figure(coloured_board(label, of_piece, table.board), label)


def _facts(subject: PageSubject) -> Iterator[tuple[str, str]]:
    """The reading, then where the table comes from."""
    table, report = subject.file.table, subject.report
    yield from subject.document.facts
    yield "bit 0 is", report.order[:2] + (", along the files" if "files" in report.order else "")
    if report.board != "whole":
        yield "board", report.board
    if table.two_level is not None:
        yield "entries", f"{table.two_level.entry_bits} bits, which number attack sets"
    for name, value in table.provenance.described.items():
        yield name.replace("_", " "), str(value)
    yield "file", report.input.file
    yield "repeat with", subject.command
    yield "version", report.tool


def _numbers(table: Table) -> Iterator[Element]:
    """Each piece's magics, in the order of the table's own lists; then everything."""
    last = table.board.name(table.rows - 1) if not table.half_board else "h8"
    for piece, piece_table in table.pieces.items():
        magics = piece_table.parameters.get("magic", ())
        if len(magics) > 1:
            first = f"from {table.listing}" if table.listing != "a1" else f"from a1 to {last}"
            yield element("h3", f"{len(magics)} {piece} magics, {first}")
            yield copied(f"{piece}-magics", _rows(magics, table.board.word))
    yield element("h3", "The whole table, for magicert verify and magicert emit")
    yield copied("table", table_toml(table))


def _rows(words: tuple[int, ...], width: int) -> str:
    digits = width // 4 if max(words) >> 64 else 16
    step = IN_A_LINE * 16 // digits
    shown = [f"0x{word:0{digits}x}," for word in words]
    lines = [shown[at : at + step] for at in range(0, len(shown), step)]
    return "\n".join(map(" ".join, lines))
