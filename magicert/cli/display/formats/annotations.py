"""What a verification has to say of which line: one record, whatever the format."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from magicert.board import parse_square
from magicert.jobs.read_sources import CheckedSource
from magicert.jobs.verify_tables import Checked, Verified
from magicert.problem import InputError, Problem, printable
from magicert.table import TableFile, read_table
from magicert.verify.source.judgement import MAYBE_ANOTHER, Judgement, Reading
from magicert.verify.table.report import Finding, Report

RULES = {
    "conflict": "Two lookups share a slot and need different attack sets.",
    "outside": "A lookup is outside the buffer, or outside the square's own slots.",
    "literal": "The finished buffer holds another attack set.",
    "result": "What is made of the loaded word is another attack set.",
    "attack-sets": "The numbers of a two-level table do not fit its attack sets.",
    "function": "A function is not what it is said to be, or its behaviour is undefined.",
    "input": "The input cannot be used.",
    "undecided": "A part of the reading was taken, or the verification did not come to its end.",
    "warning": "Something in the source speaks against the reading that certifies.",
}
"""What can be said, by the name of the rule."""
AT_LINE = re.compile(r"(?P<file>[^:\n]+):(?P<line>\d+): (?P<message>.*)", re.DOTALL)
"""How a reason names its place."""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file, and the column where a number begins; 0 where it is not known."""

    path: Path
    line: int = 0
    column: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One thing to say, at its place; `related` are the other places it is about."""

    rule: str
    title: str
    message: str
    place: Place
    related: tuple[Place, ...] = ()

    @property
    def level(self) -> Literal["error", "warning"]:
        """Whether it is wrong, or only not known to be right."""
        return "warning" if self.rule in ("undecided", "warning") else "error"


def annotations(verified: Verified) -> list[Annotation]:
    """Everything that a verification has to say. Nothing is said of what is valid."""
    said: list[Annotation] = []
    for table in verified.tables:
        said += _of_table(table)
    for source in verified.sources:
        said += _of_source(source)
    return said


def _of_table(checked: Checked) -> Iterator[Annotation]:
    if isinstance(checked.result, InputError):
        yield from _problems(checked.result.problems, [checked.path])
        return
    if checked.result.verdict == "unknown":
        yield _undecided(checked.result, checked.path)
    file = _read_again(checked.path) if checked.result.findings else None
    for finding in checked.result.findings:
        places = [_in_table(file, checked.path, name) for name in finding.squares]
        yield _finding(finding, places or [Place(checked.path)])


def _read_again(path: Path) -> TableFile | None:
    """The file for its lines, if it still says what was verified."""
    try:
        return read_table(path)
    except (InputError, OSError):
        return None


def _in_table(file: TableFile | None, path: Path, name: str) -> Place:
    """The magic of a square in a table file, given as "rook a1"."""
    piece, _, square = name.partition(" ")
    if file is None:
        return Place(path, label=name)
    wanted = parse_square(square)
    rows = [row for row in range(file.table.rows) if file.table.row_square(row) == wanted]
    line = file.line(piece, "magic", *rows) or 0
    return Place(path, line, label=name)


def _of_source(checked: CheckedSource) -> Iterator[Annotation]:
    if isinstance(checked.result, InputError):
        yield from _problems(checked.result.problems, checked.paths)
        return
    judgement = checked.result
    for reason in judgement.undecided:
        yield _at_its_line("undecided", "not decided", reason, checked.paths)
    for warning in checked.warnings:
        yield _at_its_line("warning", "valid, but", warning, checked.paths)
    for reading in judgement.valid:
        yield from _entries(judgement, reading)
    for reading in judgement.nearest:
        if reading.report.verdict == "unknown":
            yield _undecided(reading.report, checked.paths[0])
        for finding in reading.report.findings:
            yield _finding(finding, _in_source(judgement, reading, finding), reading.decided)


def _entries(judgement: Judgement, reading: Reading) -> Iterator[Annotation]:
    """The wrong entries of finished lists."""
    rule = "literal" if reading.read else "undecided"
    for one in reading.finished:
        path = _path(one.file, judgement.files)
        for line, column, wrong in one.wrong:
            place = Place(path, line or one.line, column)
            yield Annotation(rule, f"wrong entry of {one.name}", str(wrong), place)


def _in_source(judgement: Judgement, reading: Reading, finding: Finding) -> list[Place]:
    """The places of a finding's magics."""
    places = [
        Place(_path(entry.file, judgement.files), entry.line, entry.column, str(entry))
        for entry in reading.entries(finding)
    ]
    return places or [Place(judgement.files[0])]


def _finding(finding: Finding, places: Sequence[Place], decided: bool = True) -> Annotation:
    where = " and ".join(finding.squares)
    shown = [
        f"{lookup.piece} {lookup.square}, blockers {' '.join(lookup.blockers) or 'none'}: "
        f"slot {lookup.slot}, attacks {lookup.attacks}"
        for lookup in finding.lookups
    ]
    message = f"{where}: {finding.message}" if where else finding.message
    first, *related = places
    rule = finding.kind.replace(" ", "-")
    text = "\n".join([message, *shown])
    title = f"wrong magic: {where}" if decided else f"{where}: {MAYBE_ANOTHER}"
    return Annotation(rule if decided else "undecided", title, text, first, tuple(related))


def _problems(problems: Sequence[Problem], paths: Sequence[Path]) -> Iterator[Annotation]:
    for problem in problems:
        place = Place(_path(problem.file, paths), problem.line or 0)
        parts = [part for part in (problem.key, problem.message) if part]
        yield Annotation("input", "not verified", printable(": ".join(parts)), place)


def _at_its_line(rule: str, title: str, text: str, paths: Sequence[Path]) -> Annotation:
    found = AT_LINE.fullmatch(text)
    if found is None:
        return Annotation(rule, title, printable(text), Place(paths[0]))
    place = Place(_path(found["file"], paths), int(found["line"]))
    return Annotation(rule, title, printable(found["message"]), place)


def _undecided(report: Report, path: Path) -> Annotation:
    message = f"{report.lookups:,} lookups were not enough: {report.statement}"
    return Annotation("undecided", "not decided", message, Place(path))


def _path(name: str, paths: Sequence[Path]) -> Path:
    """The file that a message calls by its last name."""
    found = [path for path in paths if name in (printable(path.name), str(path))]
    return found[0] if found else Path(name) if name else paths[0]
