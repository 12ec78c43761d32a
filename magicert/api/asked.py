"""What callers name in their own way: pieces, squares, tables; and who watches the work."""

import operator
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.board import Piece, parse_square
from magicert.data import find_table
from magicert.engine import Observer, Quiet
from magicert.problem import InputError, Problem, suggestion
from magicert.table import Table, TableFile

if TYPE_CHECKING:
    from magicert.jobs.watch import Watch

AnyTable = TableFile | Table | str | PathLike[str]
"""A table: read or made, or the path or name of one."""
NAMELESS = "table"
"""What a table that comes from no file and has no name is called."""


def piece_of(piece: str) -> Piece:
    """The piece of that name. Raises InputError for what is none."""
    try:
        return Piece(piece)
    except ValueError:
        hint = suggestion(str(piece), list(Piece)) or f"expected one of {', '.join(Piece)}"
        raise InputError([Problem(f"{piece!r}: {hint}", key="piece")]) from None


def square_of(square: str | int) -> int:
    """A square by name or number (a1 = 0). Raises InputError for what is none."""
    try:
        if isinstance(square, str):
            return parse_square(square.lower())
        number = operator.index(square)
    except (ValueError, TypeError):
        number = -1
    if isinstance(square, bool) or not 0 <= number < 64:
        raise InputError([Problem(f"{square!r}: expected a1..h8, or 0..63", key="square")])
    return number


def check_numbers(**given: object) -> None:
    """Raises InputError for every argument that is no whole number. None is not given."""
    wrong = {
        key: value
        for key, value in given.items()
        if value is not None and not (type(value) is int and value >= 0)
    }
    if wrong:
        raise InputError(
            Problem(f"{value!r}: expected a whole number, 0 or more", key=key)
            for key, value in wrong.items()
        )


def check_seconds(seconds: object) -> None:
    """Raises InputError for what is no time. None is no limit."""
    if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
        raise InputError([Problem(f"{seconds!r}: expected more than 0", key="seconds")])


def path_of(path: str | PathLike[str], key: str = "path") -> Path:
    """A path. Raises InputError for what is none."""
    try:
        if fspath(path):
            return Path(fspath(path))
        raise InputError([Problem("an empty path", key=key)])
    except TypeError:
        message = f"{type(path).__name__}: expected a path"
        raise InputError([Problem(message, key=key)]) from None


def file_of(table: AnyTable, observer: Observer | None = None) -> TableFile:
    """A table from wherever it stands. Raises InputError where it cannot be read, or where a
    source has no one reading that certifies.
    """
    if isinstance(table, TableFile):
        return table
    if isinstance(table, Table):
        return TableFile.unsaved(table, table.name or NAMELESS)
    from magicert.jobs.any_table import table_from

    path = find_table(str(path_of(table, "table")))
    with readable(path):
        return table_from(path, watched_by(observer))


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """What the system says of a file that cannot be read becomes an InputError."""
    try:
        yield
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        raise InputError([Problem(message, file=str(error.filename or path))]) from None


@contextmanager
def libraries() -> Iterator[None]:
    """A library that an extra brings, and that is not here, becomes an InputError."""
    try:
        yield
    except ModuleNotFoundError as error:
        from magicert.cli.app import EXTRAS

        library = str(error.name).partition(".")[0]
        if library not in EXTRAS:
            raise
        message = f"needs {library}: pip install 'magicert[{EXTRAS[library]}]'"
        raise InputError([Problem(message)]) from None


class _Told:
    """A phase of a job, told to one observer."""

    def __init__(self, observer: Observer) -> None:
        self.progress = observer.progress
        self.say = observer.say

    def __enter__(self) -> "_Told":
        return self

    def __exit__(self, *error: object) -> None:
        """It keeps no error."""


def watched_by(observer: Observer | None) -> "Watch":
    """The phases of a job, each told to one observer."""
    return lambda doing, unit: _Told(observer or Quiet())  # noqa: ARG005
