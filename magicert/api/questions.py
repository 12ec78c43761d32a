"""The questions of the command line, as functions of Python."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import MISSING, fields
from functools import wraps
from inspect import Parameter, Signature, signature
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from magicert.atlas import Atlas
from magicert.atlas import read_atlas as read
from magicert.data import find_table, tables_folder
from magicert.outcome import Observer, Quiet, Unknown
from magicert.problem import InputError, Problem, libraries, readable, suggestion
from magicert.requests.check import Check, CheckedCertificate
from magicert.requests.request import Request
from magicert.table import Table, TableFile

if TYPE_CHECKING:
    from magicert.functions.certificate import FunctionCertificate
    from magicert.outcome import Watch


AnyTable = TableFile | Table | str | PathLike[str]
"""A table: read or made, or the path or name of one."""
NAMELESS = "table"
"""What a table that comes from no file and has no name is called."""


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
    from magicert.jobs.read_sources import table_from

    path = find_table(str(path_of(table, "table")))
    with readable(path):
        return table_from(path, watched_by(observer))


def watched_by(observer: Observer | None) -> "Watch":
    """The phases of a job, each told to one observer."""
    return lambda doing, unit: nullcontext(observer or Quiet())  # noqa: ARG005


Words = ParamSpec("Words")
Result = TypeVar("Result")
Value = TypeVar("Value")


def asking(
    name: str, request: Callable[Words, Request[Result]], value: Callable[[Result, Any], Value]
) -> Callable[Words, Value]:
    """The function of Python that asks a question: its arguments are the request's fields, of which
    `observer` sees how far the answer is. `value` makes its result of what was found and the
    request, and says of which type that is.

    Raises InputError with all that is wrong with them.
    """

    @wraps(request, updated=())
    def ask(*arguments: Words.args, **given: Words.kwargs) -> Value:
        refuse_unknown(request, given)
        made = request(*arguments, **given)
        with libraries():
            return value(made.run(watched_by(made.observer)), made)

    ask.__name__ = ask.__qualname__ = name
    ask.__module__ = __name__
    shown = _signature(request, signature(value).return_annotation)
    ask.__signature__ = shown  # type: ignore[attr-defined]
    ask.__annotations__ = {
        **{one.name: one.annotation for one in shown.parameters.values()},
        "return": shown.return_annotation,
    }
    del ask.__wrapped__  # or it is called a class that returns None
    return ask


def _signature(request: Callable[..., object], result: object) -> Signature:
    """What help() and the site show: a request's fields with their defaults, and a result."""
    known = signature(request)
    made = {one.name: one.default_factory for one in fields(request)}  # type: ignore[arg-type]

    def shown(one: Parameter) -> Parameter:
        factory = made[one.name]
        if factory is not MISSING:
            return one.replace(default=factory())
        return one.replace(default=fspath(one.default)) if isinstance(one.default, Path) else one

    parameters = [shown(one) for one in known.parameters.values()]
    return known.replace(parameters=parameters, return_annotation=result)


def refuse_unknown(request: object, given: Iterable[str]) -> None:
    """InputError for arguments that a request has not."""
    known = [one.name for one in fields(request)]  # type: ignore[arg-type]
    wrong = [name for name in given if name not in known]
    if wrong:
        expected = f"expected one of {', '.join(known)}"
        raise InputError(Problem(suggestion(name, known) or expected, key=name) for name in wrong)


def _checked(checked: CheckedCertificate, _: Check) -> CheckedCertificate:
    return checked


check = asking("check", Check, _checked)


def read_atlas(path: str | PathLike[str] | None = None) -> Atlas:
    """What is known of every cell of the white scheme: the atlas that ships, or another file.

    Iterating gives its entries; `best(piece, square)` is the magic with the fewest bits,
    `bound(piece, square)` the impossible cell with the most. Raises InputError for what is none.
    """
    return read(tables_folder() / "atlas.toml" if path is None else path_of(path))


AnyPath = str | PathLike[str]
Paths = AnyPath | Sequence[AnyPath]


def certify_function(
    source: Paths,
    functions: Mapping[str, str] | None = None,
    *,
    function_file: AnyPath | None = None,
    flags: Sequence[str] = (),
    init: str = "",
    run: bool = False,
    target: str = "",
    compiler: str = "",
    order: str = "",
    board: str = "",
    traps: bool | None = None,
    seconds: float = 600,
    memory: int = 2048,
    observer: Observer | None = None,
) -> "FunctionCertificate | Unknown":
    """Prove functions of a source, or of several that belong together, for all occupancies.

    `functions` says what each is: {"rook": "rook_attacks", "setwise:fR": "north_fill"}; without it
    `function_file` must, whose `compiler`, `init` and `run` are obeyed as if they stood here.
    `flags` are the compiler's. `init` names a function that is run before tables are read; it and
    `run` allow to run the source's code, which is never done without them. The result is Unknown
    where `seconds` or `memory` (MiB) were not enough.

    Raises InputError where the source does not compile, and for a function that is not there or
    has another signature.
    """
    given_sources = [source] if isinstance(source, str | PathLike) else source
    sources = tuple(path_of(one, "source") for one in given_sources)
    given = {
        "functions": functions or {}, "flags": flags, "init": init,
        "run": run or None, "target": target, "compiler": compiler, "order": order,
        "board": board, "traps": traps, "seconds": seconds, "memory": memory,
    }  # fmt: skip
    with libraries():
        from magicert.functions.question import question_of, read_function_file
        from magicert.functions.work import certify_functions

        with readable(sources[0]):
            file = None
            if function_file is not None:
                file = read_function_file(path_of(function_file, "function_file"))
            return certify_functions(question_of(sources, given, file), observer or Quiet())


def read_table(table: str | PathLike[str], *, observer: Observer | None = None) -> TableFile:
    """Read a table: a table file, an engine's source, a folder with one of them, or the name of
    one that ships. Its magics are in `.table.pieces["rook"].parameters["magic"]`.

    Raises InputError where there is none, or where no one reading of a source certifies.
    """
    return file_of(path_of(table, "table"), observer)
