"""Tables: read, packed into the smallest buffer, written as source."""

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.api.asked import AnyTable, asking, file_of, path_of
from magicert.engine import Observer
from magicert.outcome import Impossible, Unknown
from magicert.problem import InputError, Problem, suggestion
from magicert.requests.pack import Pack
from magicert.table import TableFile

if TYPE_CHECKING:
    from magicert.requests.pack import PackOutcome


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
