"""Lists that look like magics but cannot be: another length, wider words, lost items."""

from collections.abc import Sequence
from dataclasses import dataclass

from magicert.board import WORD
from magicert.verify.source.lists.columns import numbers_of, shown
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.lists.regular import Rows
from magicert.verify.source.lists.values import Leaf


@dataclass(frozen=True, slots=True)
class Misfit:
    """A list that is no column of 64 words. `claims`: it calls itself magics, so that a
    source with it cannot be judged without it.
    """

    file: str
    line: int
    message: str
    claims: bool


def misfit(rows: Rows, file: str) -> Misfit | None:
    """What keeps a list from being a column, if it looks like one."""
    for path, leaves in rows.fields.items():
        words = split_words(rows.name, *map(str, path), *rows.context[:6])
        named = any(word.startswith(("magic", "mult")) for word in words)
        message = _message(rows, leaves, named)
        if message:
            return Misfit(file, rows.first_line, f"{shown(rows.name, path)}{message}", named)
    return None


def _message(rows: Rows, leaves: Sequence[Leaf], named: bool) -> str:
    values = [value for value in numbers_of(leaves) if value is not None]
    wide = [value for value in values if value > WORD or value < -(1 << 63)]
    mostly_long = sum(value.bit_length() > 32 for value in values) * 2 > len(values)
    if len(wide) * 2 > len(values):
        bits = max(value.bit_length() for value in values)
        return f" has numbers of {bits} bits: expected 64 (a table for another board?)"
    if wide and named:
        return f": {wide[0]:#x} does not fit in 64 bits"
    if rows.problem and (named or mostly_long):
        return f": {rows.problem}"
    if rows.count % 64 and mostly_long and (named or 60 <= rows.count <= 68):
        return f" has {rows.count} numbers: expected 64, one a square"
    if len(values) < rows.count and named and mostly_long:
        lost = rows.count - len(values)
        return f": {lost} of {rows.count} items are no numbers that this reader understands"
    return ""
