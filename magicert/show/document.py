"""A document: what is said of one table, source or function, whatever it is rendered as."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from magicert.board import CHESS, Board
from magicert.data import broken_tables, tables_by_name
from magicert.problem import Problem, printable

RULES = {
    "conflict": "Two lookups share a slot and need different attack sets.",
    "outside": "A lookup is outside the buffer, or outside the square's own slots.",
    "literal": "The finished buffer holds another attack set.",
    "result": "What is made of the loaded word is another attack set.",
    "attack-sets": "The numbers of a two-level table do not fit its attack sets.",
    "number": "A number of a source does not fit into a word.",
    "function": "A function is not what it is said to be, or its behaviour is undefined.",
    "input": "The input cannot be used.",
    "undecided": "A part of the reading was taken, or the verification did not come to its end.",
    "warning": "Something in the source speaks against the reading that certifies.",
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
class Diagram:
    """A piece on a board with its blockers and what it attacks; `differing` squares are marked
    where it is drawn. `title` has a line or more for a narrow column, `caption` says it in one.
    """

    piece: str
    square: int
    blockers: frozenset[int]
    attacked: frozenset[int]
    title: tuple[str, ...] = ()
    caption: str = ""
    differing: frozenset[int] = frozenset()
    on: Board = CHESS


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
        """Whether it is wrong, or only not known to be right."""
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
        """The verdict in one line."""
        behind = f": {self.figures}" if self.figures else ""
        return printable(f"{self.verdict:<9} {self.name}{behind}")

    @property
    def headline(self) -> str:
        """The verdict, and where the first thing is that is wrong."""
        first = next((one for one in self.annotations if one.where), None)
        if self.verdict == "valid" or first is None:
            return f"{self.verdict}: {self.name}"
        more = len(self.annotations) - 1
        rest = f", and {more:,} more" if more else ""
        return f"{self.verdict}: {first.where} ({first.place}){rest}"


@dataclass(frozen=True, slots=True)
class PlainDocument:
    """What came of other work: `lines` on standard output, `remarks` on standard error; or `data`,
    the same as JSON.
    """

    lines: Iterable[str]
    data: Callable[[], object]
    remarks: Iterable[str] = ()


def bad_input(name: str, problems: Sequence[Problem], paths: Sequence[Path]) -> Document:
    """An input that cannot be used: every problem with its place."""
    return Document(
        "bad input", name, problems=tuple(problems),
        annotations=tuple(
            Annotation(
                "input", "not verified",
                printable(": ".join(part for part in (one.key, one.message) if part)),
                FilePlace(path_called(one.file, paths), one.line or 0),
            )
            for one in problems
        ),
        data=lambda: {"verdict": "bad input", "input": {"file": name}, **bad_data(problems)},
    )  # fmt: skip


def bad_data(problems: Sequence[Problem]) -> dict[str, object]:
    """What is wrong with an input, as JSON."""
    told = [
        {"file": printable(one.file), "key": one.key, "line": one.line,
         "message": printable(one.message)}
        for one in problems
    ]  # fmt: skip
    return {"verdict": "bad input", "problems": told}


def path_called(name: str, paths: Sequence[Path]) -> Path:
    """The file that a message calls by its last name."""
    found = [path for path in paths if name in (printable(path.name), str(path))]
    return found[0] if found else Path(name) if name else paths[0]
