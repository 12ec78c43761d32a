"""A document: what is said of one table, source or function; its text, and its other formats.

JSON is here, too. What programs take that show verdicts beside the code (SARIF, GitHub's log) is
in `scanning`, pages are in `report_page` and `function_page`.
"""

import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from magicert.data import broken_tables, tables_by_name
from magicert.drawing.boards import Diagram, drawn_boards
from magicert.problem import (
    InputError,
    Problem,
    Span,
    json_text,
    listed,
    path_called,
    printable,
    underlined,
)

RULES = {
    "conflict": "Two lookups share a slot and need different attack sets.",
    "outside": "A lookup is outside the buffer, or outside the square's own slots.",
    "literal": "The finished buffer holds a wrong attack set.",
    "result": "The attack set made of the loaded word is wrong.",
    "attack-sets": "The numbers of a two-level table do not fit its attack sets.",
    "parts": "A piece that is made of others is not what its parts and leaps are together.",
    "number": "A number of a source does not fit into a word.",
    "function": "A function gives a wrong result, or its behaviour is undefined.",
    "input": "The input cannot be used.",
    "undecided": "A part of the reading was assumed, or the verification did not finish.",
    "warning": "Something in the source contradicts the reading that was verified.",
}
"""What can be said, by the name of the rule."""
Rows = Sequence[tuple[str, str]]
"""Names and what stands behind them."""


def file_name(path: Path) -> str:
    """A file as its user knows it: a table that ships by its name, others by their path."""
    names = {**broken_tables(), **tables_by_name()} if path.is_absolute() else {}
    return printable(path.stem if names.get(path.stem) == path else path)


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A line of a file, and the column where a number begins; 0 where it is not known."""

    path: Path
    line: int = 0
    column: int = 0
    label: str = ""

    def __str__(self) -> str:
        numbers = [number for number in (self.line, self.column) if number]
        return ":".join([file_name(self.path), *map(str, numbers)])


@dataclass(frozen=True, slots=True)
class Annotation:
    """One thing to say, at its place; `related` are the other places that it is about. `where`
    names squares, `title` says in a few words what is wrong there.
    """

    rule: str
    title: str
    message: str
    place: FilePlace
    related: tuple[FilePlace, ...] = ()
    where: str = ""
    diagrams: tuple[Diagram, ...] = ()
    rows: Rows = ()

    @property
    def level(self) -> Literal["error", "warning"]:
        return "warning" if self.rule in ("undecided", "warning") else "error"


@dataclass(frozen=True, slots=True)
class Document:
    """The verdict about `name`, in one line with `figures`; `remarks` are lines below it.

    Of `annotations` a short text shows the first `shown`. `facts` say what was taken for what.
    `problems` are those of an input that cannot be used, `data` is the answer as JSON. `aside` is
    a document about another reading of the same source, which only a full text shows.
    """

    verdict: str
    name: str
    figures: str = ""
    remarks: tuple[str, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    shown: int = 10
    facts: Rows = ()
    notes: tuple[str, ...] = ()
    help: str = ""
    problems: tuple[Problem, ...] = ()
    data: Callable[[], object] = dict
    aside: bool = False
    brief: bool = True
    """Facts and notes are shown in a full text only."""

    @property
    def line(self) -> str:
        behind = f": {self.figures}" if self.figures else ""
        return printable(f"{self.verdict:<9} {self.name}{behind}")

    @property
    def headline(self) -> str:
        """The verdict, and where the first thing is that is wrong."""
        first = next((annotation for annotation in self.annotations if annotation.where), None)
        if self.verdict == "valid" or first is None:
            return f"{self.verdict}: {self.name}"
        more = len(self.annotations) - 1
        rest = f", and {more:,} more" if more else ""
        return f"{self.verdict}: {first.where} ({first.place}){rest}"


def bad_input(name: str, problems: Sequence[Problem], paths: Sequence[Path]) -> Document:
    """An input that cannot be used: every problem with its place."""
    return Document(
        "bad input", name, problems=tuple(problems),
        annotations=tuple(
            Annotation(
                "input", "not verified",
                printable(": ".join(part for part in (problem.key, problem.message) if part)),
                FilePlace(path_called(problem.file, paths), problem.line or 0),
            )
            for problem in problems
        ),
        data=lambda: {"verdict": "bad input", "input": {"file": name}, **bad_data(problems)},
    )  # fmt: skip


def bad_data(problems: Sequence[Problem], verdict: str = "bad input") -> dict[str, object]:
    """What is wrong with an input, or why else there is no answer, as JSON."""
    entries = [
        {"file": printable(problem.file), "key": problem.key, "line": problem.line,
         "message": printable(problem.message)}
        for problem in problems
    ]  # fmt: skip
    return {"verdict": verdict, "problems": entries}


# Other work: as text, or as JSON.


def echo_json(data: object) -> None:
    """One JSON document on stdout."""
    click.echo(json_text(data))


# Documents as plain text.

COLOURS = {"valid": "green", "invalid": "red", "unknown": "yellow", "bad input": "magenta"}
MOST_NAMES = 16
PIPED = 100
"""Columns where nobody says how many there are."""


def width() -> int:
    """Columns of the terminal; 100 when piped."""
    if not sys.stdout.isatty():
        return PIPED
    import shutil

    return shutil.get_terminal_size((PIPED, 24)).columns


def echo(documents: Sequence[Document], everything: bool = False) -> None:
    """Documents on standard output."""
    for line in coloured(documents, everything):
        click.echo(line)


def coloured(documents: Sequence[Document], everything: bool = False) -> Iterator[str]:
    """Documents as text, each verdict in its colour. A problem names its file: a sole document with
    problems has said all, among several each has its line.
    """
    parted = False
    for number, document in enumerate(
        shown_document for shown_document in documents if everything or not shown_document.aside
    ):
        has_annotations = bool(document.annotations) and not document.problems
        if number and (everything or parted or has_annotations):
            yield ""
        parted = has_annotations
        for line in lines(document, everything):
            word = document.verdict
            is_verdict = line == document.line
            if is_verdict and document.problems and len(documents) == 1:
                continue
            yield click.style(word, fg=COLOURS[word]) + line[len(word) :] if is_verdict else line


def lines(document: Document, everything: bool = False, columns: int = 0) -> Iterator[str]:
    """What is wrong, as a compiler says it; then the verdict and what it rests on."""
    columns = columns or width()
    yield from map(str, document.problems)
    findings = [annotation for annotation in document.annotations if annotation.rule != "input"]
    shown = findings if everything else findings[: document.shown]
    files: dict[Path, list[str]] = {}
    for number, annotation in enumerate(shown):
        yield from annotated(annotation, columns, files, drawn=everything or number == 0)
    if shown and len(findings) > len(shown):
        names = list(
            dict.fromkeys(
                annotation.where for annotation in findings[len(shown) :] if annotation.where
            )
        )
        named = f" ({listed(names, MOST_NAMES)})" if names else ""
        yield f"... and {len(findings) - len(shown):,} more: --full shows them all{named}"
    if document.help:
        yield printable(f"help: {document.help}")
    yield document.line
    for remark in document.remarks:
        yield f"{'':<9} {printable(remark)}"
    if everything or not document.brief:
        yield from listed_rows(document.facts, columns)
    if everything or not document.brief or document.verdict != "valid":
        yield from (f"  note: {printable(note)}" for note in document.notes)


def annotated(
    annotation: Annotation, columns: int, files: dict[Path, list[str]], *, drawn: bool
) -> Iterator[str]:
    """One thing that is said, with the line of the source, its figures and its boards. `files` are
    the sources that were read for their lines.
    """
    yield printable(f"{annotation.place}: {annotation.title}: {annotation.message}")
    yield from excerpt(annotation.place, files)
    for place in annotation.related:
        yield printable(f"{place}: and this one")
        yield from excerpt(place, files)
    if drawn:
        yield from listed_rows(annotation.rows, columns)
        yield from (
            f"    {line}".rstrip() for line in drawn_boards(annotation.diagrams, columns - 4)
        )


NUMBER = re.compile(r"""[-~]?\s*["'`]?[$#]?\w[\w'#]*["'`]?|\S""")
"""A number of a source, as it is marked: with its sign, quotes, digit separators and suffix; of an
expression the first character.
"""


def excerpt(place: FilePlace, files: dict[Path, list[str]]) -> list[str]:
    """The line of a source with a number that is marked; [] where no column is known, or the source
    cannot be read again, as that of standard input.
    """
    if not place.column:
        return []
    if place.path not in files:
        from magicert.verify.source.files import decoded

        try:
            text = decoded(place.path.read_bytes(), place.path)
            files[place.path] = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        except (OSError, InputError):
            files[place.path] = []
    line = "".join(files[place.path][place.line - 1 : place.line])
    number = NUMBER.match(line, place.column - 1)
    return [] if number is None else underlined(line, Span(*number.span()))


def listed_rows(rows: Rows, columns: int) -> Iterator[str]:
    """Names and what stands behind them, in two columns."""
    wide = max([12, *(len(name) for name, _ in rows)])
    for name, text in rows:
        head, below = f"  {name:<{wide}} ", " " * (wide + 3)
        yield from textwrap.wrap(
            printable(text), max(columns, wide + 40), initial_indent=head, subsequent_indent=below,
            break_long_words=False, break_on_hyphens=False,
        ) or [head.rstrip()]  # fmt: skip
