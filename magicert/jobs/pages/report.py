"""A table or a source, verified, as one self-contained page."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from magicert import __version__
from magicert.draw.board import coloured_board, words_board
from magicert.draw.buffer_map import COARSEST, LONGEST
from magicert.draw.markup import element, json_element
from magicert.draw.page import facts, figure, html_page
from magicert.jobs.pages.findings import findings
from magicert.jobs.pages.numbers import numbers
from magicert.jobs.pages.usage import CONFLICT, SHARED, map_of, square_colours, usage_of
from magicert.jobs.verify_tables import STDIN, Verified, Wanted, verify_all
from magicert.jobs.watch import Watch
from magicert.problem import InputError, Problem
from magicert.table import Table, read_table
from magicert.table.read import TableFile
from magicert.verify.table.report import Report, to_json

if TYPE_CHECKING:
    from magicert.verify.source.pins import Pins


KEPT = 400
"""Findings in the page's JSON: where squares stand on one another there can be thousands."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a page is about: `verdict` is that of the input, which for a source may be graver than
    its reading's. `remarks` belong to the verdict; `command` repeats it; `places` are those of
    each finding's numbers in a source.
    """

    file: TableFile
    report: Report
    verdict: str
    remarks: tuple[str, ...]
    command: str
    places: tuple[tuple[str, ...], ...] = ()


def subject_of(name: str, pins: "Pins | None", watch: Watch) -> Subject:
    """Verify a table, by path or by name, or a source; of a source's readings the first that
    certifies, else the nearest.

    Raises InputError where there is no one table to show.
    """
    if name == str(STDIN):
        raise InputError(
            [Problem("standard input: expected a file, or a table by name", file=name)]
        )
    verified = verify_all(Wanted((name,), pins=pins), watch)
    if len(verified.tables) + len(verified.sources) != 1:
        message = f"{len(verified.paths)} tables or sources: expected one for a report"
        raise InputError([Problem(message, file=name)])
    command = f"magicert verify {name}"
    return _of_source(verified, command) if verified.sources else _of_table(verified, command)


def _of_table(verified: Verified, command: str) -> Subject:
    checked = verified.tables[0]
    if isinstance(checked.result, InputError):
        raise checked.result
    file = read_table(checked.path)
    return Subject(file, checked.result, checked.verdict, checked.remarks, command)


def _of_source(verified: Verified, command: str) -> Subject:
    (source,) = verified.sources
    if isinstance(source.result, InputError):
        raise source.result
    judged = source.result
    readings = [*judged.valid, *judged.nearest]
    if not readings:
        raise InputError([Problem("no reading of this source is a table", file=source.name)])
    reading = readings[0]
    remarks = [*reading.remarks, *judged.undecided]
    if len(readings) > 1:
        remarks.append(f"{len(readings)} readings of this source; this page shows the first")
    remarks += [f"{part} from {where}" for part, where in reading.sources.items()]
    file = TableFile.unsaved(reading.table, source.name)
    places = tuple(tuple(map(str, reading.entries(finding))) for finding in reading.report.findings)
    return Subject(file, reading.report, judged.verdict, tuple(remarks), command, places)


def report_page(subject: Subject) -> str:
    """The page. It asks for nothing from anywhere."""
    return html_page(f"{subject.verdict}: {subject.report.table}", _body(subject), __version__)


def _body(subject: Subject) -> Iterator[Element]:
    report = subject.report
    yield element("h1", report.table)
    yield element("p", verdict_line(subject), class_=f"verdict {subject.verdict}")
    for remark in subject.remarks:
        yield element("p", remark)
    yield element("p", report.statement)
    yield from findings(report, subject.places)
    yield element("h2", "Square by square")
    yield element(
        "div", *(_figures(report, piece) for piece in subject.file.table.pieces), class_="row"
    )
    yield from _maps(subject)
    yield element("h2", "Where it comes from, and how to repeat this")
    yield facts(_facts(subject))
    if report.notes:
        yield element("ul", *(element("li", note) for note in report.notes))
    yield element("h2", "The numbers")
    yield from numbers(subject.file.table)
    yield element("h2", "The certificate" if report.verdict == "valid" else "The findings")
    kept = report.findings[:KEPT]
    whole = "The whole answer of magicert verify stands"
    if len(kept) < len(report.findings):
        whole = f"The first {len(kept)} of {len(report.findings):,} findings stand"
    yield element(
        "p", f"{whole} in this page as JSON, in the element with the id ",
        element("code", "certificate"), "; magicert verify --certificates writes it as a file. ",
        element("button", "copy", type="button", data_copy="certificate"),
    )  # fmt: skip
    yield json_element("certificate", to_json(replace(report, findings=kept)))


def verdict_line(subject: Subject) -> str:
    """The verdict and its figures, with what belongs to it."""
    report = subject.report
    length = sum(buffer.length for buffer in report.buffers)
    used = sum(buffer.slots_used for buffer in report.buffers)
    pieces = list(subject.file.table.pieces)
    chess = subject.file.table.is_chess()
    only = f" ({pieces[0]}s only)" if chess and len(pieces) == 1 else ""
    return (
        f"{subject.verdict}{only}: {report.lookups:,} lookups, {length:,} slots, "
        f"{used:,} used, {length - used:,} free"
    )


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


def _maps(subject: Subject) -> Iterator[Element]:
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
        own = {square: colour for (other, square), colour in colours.items() if other == piece}
        label = f"colours of the {piece}s"
        yield figure(coloured_board(label, own, table.board), label)


def _facts(subject: Subject) -> Iterator[tuple[str, str]]:
    table, report = subject.file.table, subject.report
    for name, formula in report.formulas.items():
        yield f"formula, {name}", formula
    yield "bit 0 is", report.order[:2] + (", along the files" if "files" in report.order else "")
    if report.board != "whole":
        yield "board", report.board
    if table.two_level is not None:
        yield "entries", f"{table.two_level.entry_bits} bits, which number attack sets"
    for field in fields(table.provenance):
        value = getattr(table.provenance, field.name)
        if value not in ("", None):
            yield field.name.replace("_", " "), str(value)
    yield "file", report.input.file
    if report.input.sha256:
        yield "SHA-256", report.input.sha256
    yield "repeat with", subject.command
    yield "version", report.tool


def write_report(subject: Subject, output: Path) -> int:
    """Write the page in one step; how many bytes it has."""
    from magicert.system.whole_file import write_whole

    data = report_page(subject).encode()
    write_whole(output, data)
    return len(data)
