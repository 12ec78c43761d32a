"""A table as source, in the languages that engines are written in."""

from __future__ import annotations

from magicert.api.tables import AnyTable, file_of
from magicert.outcome import Observer
from magicert.problem import InputError, Problem, suggestion


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

        Path("magics.hpp").write_text(magicert.emit("black", "c++", stem="magics"))

    `scope` is the language's prefix, namespace or package, `stem` the file's name, with its ending
    where that is not the language's usual one; `literal` asks for the finished buffer. `observer`
    sees how far a source is read. Raises InputError for an unknown language, and for a table that
    is not valid.
    """
    from magicert.compact.emit import LANGUAGES, own_name, prepare_table, printer

    language = own_name(str(language))
    if language not in LANGUAGES:
        hint = suggestion(str(language), LANGUAGES) or f"expected one of {', '.join(LANGUAGES)}"
        raise InputError([Problem(f"{language!r}: {hint}", key="language")])
    unit = prepare_table(file_of(table, observer), "magicert.emit()")
    return printer(language, scope, stem).emit(unit, literal)
