"""A table from wherever it stands: a file, a source, a folder, a name, or memory."""

from os import PathLike
from pathlib import Path

from magicert.arguments import Arguments
from magicert.arguments import path_of as parse_path
from magicert.data import find_table
from magicert.outcome import Observer, watched_by
from magicert.problem import readable
from magicert.table import Table, TableFile

AnyTable = TableFile | Table | str | PathLike[str]
"""A table: read or made, or the path or name of one."""
NAMELESS = "table"
"""What a table that comes from no file and has no name is called."""


def path_of(path: str | PathLike[str], key: str = "path") -> Path:
    """A path. Raises InputError for what is none."""
    arguments = Arguments()
    read: Path = arguments.read(key, path, parse_path)
    arguments.refuse()
    return read


def file_of(table: AnyTable, observer: Observer | None = None) -> TableFile:
    """A table from wherever it stands. Raises InputError where it cannot be read, or where a
    source has no one reading that certifies.
    """
    if isinstance(table, TableFile):
        return table
    if isinstance(table, Table):
        return TableFile.unsaved(table, table.name or NAMELESS)
    from magicert.verify.source.read import table_from

    path = find_table(str(path_of(table, "table")))
    with readable(path):
        return table_from(path, watched_by(observer))


def read_table(table: str | PathLike[str], *, observer: Observer | None = None) -> TableFile:
    """Read a table: a table file, an engine's source, a folder with one of them, or the name of
    one that ships. A source is verified as it is read.

    >>> magicert.read_table("shakmaty").table.pieces["rook"].parameters["magic"][0]
    36028866279506048

    Raises InputError where there is none, or where no one reading of a source certifies.
    """
    return file_of(path_of(table, "table"), observer)
