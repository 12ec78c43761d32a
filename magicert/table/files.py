"""A table file: its bytes, its TOML, and the table that they make."""

import hashlib
import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from magicert.problem import InputError, Problem
from magicert.table.model import (
    Table,
)
from magicert.table.read import MAX_FILE, MAX_PROBLEMS, read_document
from magicert.table.values import Places, Values, key_text, locate


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table with the file that it came from and the SHA-256 of that file's bytes."""

    table: Table
    path: Path
    sha256: str
    places: Places

    @classmethod
    def unsaved(cls, table: Table, name: str) -> "TableFile":
        """A table that comes from no file; `name` stands for the file in messages."""
        return cls(table, Path(name), "", Places())

    def __repr__(self) -> str:
        return f"<TableFile {self.path.name}: {self.table!r}>"

    def line(self, *path: str | int) -> int | None:
        """The line of a key, or of the nearest section around it."""
        return self.places.line(path)


def read_table(path: Path) -> TableFile:
    """Read a table file; InputError with every problem, OSError if it cannot be opened."""
    with path.open("rb") as stream:
        data = stream.read(MAX_FILE + 1)
    return parse_table(data, path)


def parse_table(data: bytes, path: Path) -> TableFile:
    """Read a table from the bytes of a file; `path` names it in messages."""
    if len(data) > MAX_FILE:
        message = f"file larger than {MAX_FILE:,} bytes: expected a table of at most 256 squares"
        raise InputError([Problem(message, file=str(path))])
    return _table_file(bytes(data), path)


@lru_cache(maxsize=32)
def _table_file(data: bytes, path: Path) -> TableFile:
    """The same files are read again: what ships is compared with the table given, and holds the
    magics that are known.
    """
    file = str(path)
    problems: list[Problem] = []
    text = _decode(data, file, problems)
    places = locate(text)
    for twice in places.duplicates:
        message = f"defined twice: the first is on line {twice.first_line}"
        problems.append(Problem(message, file, key_text(twice.path), twice.line))
    if places.too_deep is not None:
        message = "lists or keys nested too deeply: expected a table"
        raise InputError([*problems, Problem(message, file, "", places.too_deep)])
    document = _toml(_without_duplicates(text, places), file, problems)
    table = None if document is None else read_document(Values(file, places, problems), document)
    if problems or table is None:
        problems.sort(key=lambda problem: problem.line or 0)
        more = len(problems) - MAX_PROBLEMS
        if more > 0:
            problems[MAX_PROBLEMS:] = [Problem(f"and {more:,} problems more", file)]
        raise InputError(problems)
    return TableFile(table, path, hashlib.sha256(data).hexdigest(), places)


def table_of(document: dict[str, Any], file: str = "") -> Table:
    """The table that a document says which is already in memory, with the same checks.

    Raises InputError with every problem, named by its key.
    """
    problems: list[Problem] = []
    table = read_document(Values(file, Places(), problems), document)
    if problems or table is None:
        raise InputError(problems)
    return table


def _decode(data: bytes, file: str, problems: list[Problem]) -> str:
    # Universal newlines, as TOML has it; a byte-order mark is no error.
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        actual = f"byte 0x{data[error.start]:02x}"
        problems.append(Problem(f"{actual} is not UTF-8: expected UTF-8 text", file, "", line))
        return data.decode("utf-8", errors="replace")


def _without_duplicates(text: str, places: Places) -> str:
    """Blank every second definition, so that the rest of the file can be checked as well."""
    for twice in reversed(places.duplicates):
        blank = "\n" * text.count("\n", twice.start, twice.end)
        # Lines must keep their numbers; the statement's end keeps its own line break.
        text = text[: twice.start] + blank + text[twice.end :]
    return text


def _toml(text: str, file: str, problems: list[Problem]) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError, and int() on absurdly long digits
        message, _, place = str(error).partition(" (at ")
        if not isinstance(error, tomllib.TOMLDecodeError):
            message = "a number of thousands of digits: expected a 64-bit word"
        match = re.match(r"line (\d+), column (\d+)", place)
        line = int(match[1]) if match else text.count("\n") + 1
        problems.append(Problem(f"not TOML: {message}", file, "", line))
    return None
