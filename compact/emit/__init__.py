"""Source of a table, in the languages that engines are written in.

`LANGUAGES` are the dialects by name, and `own_name` knows what else they are called; a printer
writes one file, `binary` the finished buffers.
"""

from magicert.compact.emit.dialect import Dialect, dialects, own_name
from magicert.compact.emit.emitted_table import EmittedTable, binary, prepare_table
from magicert.compact.emit.printer import Printer

LANGUAGES = dialects()

__all__ = [
    "LANGUAGES",
    "Dialect",
    "EmittedTable",
    "Printer",
    "binary",
    "own_name",
    "prepare_table",
    "printer",
]


def printer(language: str, scope: str | None = None, stem: str | None = None) -> Printer:
    """What writes a language. Raises InputError where it cannot have such a scope."""
    return Printer(LANGUAGES[language], scope, stem)
