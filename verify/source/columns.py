"""Columns: 64 numbers, one a square, cut out of the lists of a source."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verify.source.lists import Path, Rows
from verify.source.naming import split_words
from verify.source.values import Leaf

WORD = (1 << 64) - 1
MOST_COLUMNS = 160
"""Columns of one source beyond these are left out, the last ones first."""


@dataclass(frozen=True, slots=True)
class Column:
    """64 numbers of one list.

    `values` are as written, negative ones included; `words64` are modulo 2^64. `own` are the
    words of its own name and field, `context` those around it. `group` is shared by the
    columns of one list. `bases` are the names that the numbers are offsets from.
    """

    values: tuple[int, ...]
    name: str
    own: frozenset[str]
    context: frozenset[str]
    file: str
    first_line: int
    last_line: int
    group: str
    sorted_by: str = ""
    bases: frozenset[str] = frozenset()
    part: str = ""
    """Which part of the list this is, in words, if it is not the whole."""
    halves: tuple["Column", ...] = ()
    """The low and the high 32-bit words that this was put together from, if it was."""

    @property
    def words64(self) -> tuple[int, ...]:
        """The values as 64-bit words."""
        return tuple(value & WORD for value in self.values)

    @property
    def where(self) -> str:
        """The name and lines, for people."""
        lines = f"line {self.first_line}"
        if self.last_line != self.first_line:
            lines = f"lines {self.first_line}-{self.last_line}"
        part = f", {self.part}" if self.part else ""
        return f"{self.name or 'unnamed list'} ({self.file}, {lines}{part})"


@dataclass(frozen=True, slots=True)
class Misfit:
    """A list that looks like a table of another length or of wider words."""

    rows: Rows
    file: str
    message: str


def columns_of(rows: Rows, file: str) -> Iterator[Column]:
    """The columns of a list: each field; halves and interleaved parts of longer lists."""
    cuts: list[tuple[str, slice]] = []
    if rows.count == 64:
        cuts = [("", slice(None))]
    elif rows.count % 64 == 0 and rows.count <= 512:
        parts = rows.count // 64
        cuts = [(f"rows {64 * n}-{64 * n + 63}", slice(64 * n, 64 * n + 64)) for n in range(parts)]
        cuts += [(f"every {_ordinal(parts)} from {n}", slice(n, None, parts)) for n in range(parts)]
    for path, leaves in rows.fields.items():
        values = _numbers(leaves)
        for part, cut in cuts:
            own = values[cut]
            if any(value is None or not -(1 << 63) <= value <= WORD for value in own):
                continue
            yield Column(
                values=tuple(value for value in own if value is not None),
                name=_shown(rows.name, path),
                own=split_words(rows.name, *(str(key) for key in path)),
                context=split_words(*rows.context),
                file=file,
                first_line=rows.first_line,
                last_line=rows.last_line,
                group=f"{file}:{rows.first_line}:{rows.name}:{part}",
                sorted_by=rows.sorted_by,
                bases=frozenset(leaf.base for leaf in leaves[cut] if leaf.base),
                part=part,
            )


def misfit(rows: Rows, file: str) -> Misfit | None:
    """What keeps a list that looks like magics from being a column, if anything does."""
    for path, leaves in rows.fields.items():
        values = [value for value in _numbers(leaves) if value is not None]
        wide = [value for value in values if value > WORD or value < -(1 << 63)]
        words = split_words(rows.name, *map(str, path))
        named = any(
            word.startswith(("magic", "mult")) for word in words | split_words(*rows.context[:6])
        )
        if len(wide) * 2 > len(values):
            message = (
                f"{_shown(rows.name, path)} has numbers of {max(v.bit_length() for v in values)} "
                "bits: expected 64 (a table for another board?)"
            )
            return Misfit(rows, file, message)
        if wide and named:
            message = f"{_shown(rows.name, path)}: {wide[0]:#x} does not fit in 64 bits"
            return Misfit(rows, file, message)
        big = sum(value.bit_length() > 32 for value in values)
        if rows.problem and (named or big * 2 > len(values)):
            return Misfit(rows, file, f"{_shown(rows.name, path)}: {rows.problem}")
        if rows.count % 64 and big * 2 > len(values) and (named or 60 <= rows.count <= 68):
            message = (
                f"{_shown(rows.name, path)} has {rows.count} numbers: expected 64, one a square"
            )
            return Misfit(rows, file, message)
        if len(values) < rows.count and named and big * 2 > len(values):
            message = (
                f"{_shown(rows.name, path)}: {rows.count - len(values)} of {rows.count} items "
                "are no numbers that this reader understands"
            )
            return Misfit(rows, file, message)
    return None


_HALF_WORDS = frozenset({"lo", "low", "l", "lower", "hi", "high", "h", "upper", "0", "1", "32"})


def word_pairs(columns: Sequence[Column]) -> Iterator[Column]:
    """64-bit columns put together from two 32-bit halves, in both orders."""
    halves = [column for column in columns if _is_half(column)]
    for low in halves:
        for high in halves:
            if low is high or low.file != high.file or not _belong(low, high):
                continue
            if not (_is_wide(low) or _is_wide(high)):
                continue
            values = tuple(
                (a & 0xFFFF_FFFF) | (b & 0xFFFF_FFFF) << 32
                for a, b in zip(low.values, high.values, strict=True)
            )
            yield Column(
                values=values,
                name=f"{low.name} | {high.name} << 32",
                own=low.own | high.own,
                context=low.context | high.context,
                file=low.file,
                first_line=min(low.first_line, high.first_line),
                last_line=max(low.last_line, high.last_line),
                group=low.group,
                sorted_by=low.sorted_by,
                part=low.part if low.part == high.part else "pairs of 32-bit words",
                halves=(low, high),
            )


def _belong(low: Column, high: Column) -> bool:
    if low.group == high.group:
        return True
    if low.part.startswith("every") and high.part.startswith("every"):
        return low.group.rpartition(":")[0] == high.group.rpartition(":")[0]
    different = low.own ^ high.own
    return bool(different) and different <= _HALF_WORDS and bool(low.own & high.own)


def _is_half(column: Column) -> bool:
    return (
        min(column.values) >= -(1 << 31)
        and max(column.values) < 1 << 32
        and max(map(abs, column.values)) > 1 << 8
    )


def _is_wide(column: Column) -> bool:
    return sum(abs(value) >> 20 != 0 for value in column.values) >= 16


def _numbers(leaves: Sequence[Leaf]) -> list[int | None]:
    """The values; string literals without a prefix are hexadecimal as soon as one must be."""
    if any(leaf.value is None and leaf.text for leaf in leaves) and all(
        re.fullmatch(r"[0-9a-fA-F]{1,32}", leaf.text) for leaf in leaves
    ):
        return [int(leaf.text, 16) for leaf in leaves]
    return [leaf.value for leaf in leaves]


def _shown(name: str, path: Path) -> str:
    text = name
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")
