"""The questions of the command line, as functions of Python."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import wraps
from inspect import Parameter, Signature, signature
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from magicert.data import find_table
from magicert.outcome import Impossible, NoMagic, Observer, Outcome, Quiet, Unknown, watched_by
from magicert.problem import InputError, Problem, libraries, readable, suggestion
from magicert.requests.find import Answer, Disprove, Find
from magicert.requests.find_set import SetRequest
from magicert.requests.pack import Pack
from magicert.requests.request import Request
from magicert.requests.set_search import SetFound, SetNotFound
from magicert.table import Table, TableFile, parse_table

if TYPE_CHECKING:
    from magicert.functions.certificate import FunctionCertificate
    from magicert.requests.pack import PackOutcome


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


def _table(found: SetFound | SetNotFound, _: SetRequest) -> TableFile:
    if isinstance(found, SetFound):
        return parse_table(found.text.encode(), Path("magicert"))
    word = "no magic" if found.kind == "impossible" else "no magic found in time"
    raise InputError(
        Problem(word, key=f"{piece} {found.board.name(square)}") for piece, square in found.left
    )


def _outcome(answer: Answer, _: Find | Disprove) -> Outcome | NoMagic:
    return answer.outcome


find = asking("find", Find, _outcome)
disprove = asking("disprove", Disprove, _outcome)
find_set = asking("find_set", SetRequest, _table)


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


@dataclass(frozen=True, slots=True)
class Packed:
    """The smallest buffer that was found: its length in `entries`, and the `path` of its file."""

    entries: int
    path: Path

    @property
    def table(self) -> TableFile:
        """The table of that file, which was verified before it was written."""
        return file_of(self.path)


def read_table(table: str | PathLike[str], *, observer: Observer | None = None) -> TableFile:
    """Read a table: a table file, an engine's source, a folder with one of them, or the name of
    one that ships. Its magics are in `.table.pieces["rook"].parameters["magic"]`.

    Raises InputError where there is none, or where no one reading of a source certifies.
    """
    return file_of(path_of(table, "table"), observer)


def emit(
    table: AnyTable,
    language: str,
    *,
    literal: bool = False,
    scope: str | None = None,
    stem: str | None = None,
    observer: Observer | None = None,
) -> str:
    """The source of a table, which is verified first: the text that `magicert emit` writes.

    `scope` is the language's prefix, namespace or package, `stem` the file's name without
    ending; `literal` asks for the finished buffer. Raises InputError for an unknown language,
    and for a table that is not valid.
    """
    from magicert.compact.emit import LANGUAGES, make_unit, own_name, printer

    language = own_name(str(language))
    if language not in LANGUAGES:
        hint = suggestion(str(language), LANGUAGES) or f"expected one of {', '.join(LANGUAGES)}"
        raise InputError([Problem(f"{language!r}: {hint}", key="language")])
    unit = make_unit(file_of(table, observer), "magicert.emit()")
    return printer(language, scope, stem).emit(unit, literal)


def _packed(found: "PackOutcome", asked: Pack) -> Packed | Impossible | Unknown:
    if isinstance(found, Impossible | Unknown):
        return found
    if not found.entries:  # Ctrl-C before there is a table
        raise KeyboardInterrupt
    return Packed(found.entries, asked.path)


pack = asking("pack", Pack, _packed)
