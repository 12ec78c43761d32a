"""Tables: read, packed into the smallest buffer, written as source."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from magicert.api.asked import AnyTable, check_seconds, file_of, libraries, path_of, watched_by
from magicert.engine import Observer
from magicert.outcome import Impossible, Unknown
from magicert.problem import InputError, Problem, suggestion
from magicert.table import TableFile


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


def pack(
    output: str | PathLike[str],
    *,
    source: str | PathLike[str] | None = None,
    seconds: float,
    observer: Observer | None = None,
    **options: Any,  # noqa: ANN401
) -> Packed | Impossible | Unknown:
    """Pack all attack sets into the smallest buffer that `seconds` allow; `output` is the table
    file that always holds the best so far, verified. Ctrl-C before there is one raises
    KeyboardInterrupt.

    `source` is a table to begin with. `options` are the fields of
    magicert.jobs.packing.pack.Packing, such as `scheme`, `seed`, `workers` and `rounds`.
    Raises InputError for what cannot be packed.
    """
    check_seconds(seconds)
    from dataclasses import fields

    from magicert.data import find_table

    with libraries():
        from magicert.jobs.packing.pack import Interrupted, Packing
        from magicert.jobs.packing.pack import pack as work

    known = [field.name for field in fields(Packing)]
    wrong = [name for name in options if name not in known]
    if wrong:
        raise InputError(
            Problem(suggestion(name, known) or f"expected one of {', '.join(known)}", key=name)
            for name in wrong
        )
    start = None if source is None else find_table(str(path_of(source, "source")))
    asked = Packing(output=path_of(output, "output"), source=start, seconds=seconds, **options)
    with libraries():
        found = work(asked, watched_by(observer))
    if isinstance(found, Impossible | Unknown):
        return found
    if isinstance(found, Interrupted):
        raise KeyboardInterrupt
    return Packed(found.layout.length, asked.output)
