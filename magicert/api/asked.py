"""What callers name in their own way: pieces, squares, tables; and who watches the work."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import wraps
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from magicert.data import find_table
from magicert.engine import Observer, Quiet
from magicert.problem import InputError, Problem, readable, suggestion
from magicert.requests.request import Request
from magicert.table import Table, TableFile

if TYPE_CHECKING:
    from magicert.jobs.watch import Watch

AnyTable = TableFile | Table | str | PathLike[str]
"""A table: read or made, or the path or name of one."""
NAMELESS = "table"
"""What a table that comes from no file and has no name is called."""


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


Words = ParamSpec("Words")
Result = TypeVar("Result")
Value = TypeVar("Value")


def asking(
    name: str, request: Callable[Words, Request[Result]], value: Callable[[Result, Any], Value]
) -> Callable[Words, Value]:
    """The function of Python that asks a question: its arguments are the request's fields, of which
    `observer` sees how far the answer is. `value` is made of the result and the
    request.

    Raises InputError with all that is wrong with them.
    """

    @wraps(request, updated=())
    def ask(*arguments: Words.args, **given: Words.kwargs) -> Value:
        refuse_unknown(request, given)
        made = request(*arguments, **given)
        with libraries():
            return value(made.run(watched_by(made.observer)), made)

    ask.__name__ = ask.__qualname__ = name
    return ask


def refuse_unknown(request: object, given: Iterable[str]) -> None:
    """InputError for arguments that a request has not."""
    known = [one.name for one in fields(request)]  # type: ignore[arg-type]
    wrong = [name for name in given if name not in known]
    if wrong:
        expected = f"expected one of {', '.join(known)}"
        raise InputError(Problem(suggestion(name, known) or expected, key=name) for name in wrong)
