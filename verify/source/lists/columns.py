"""Columns: one number a square, cut out of the lists of a source."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from magicert.verify.source.languages.types import ONLY
from magicert.verify.source.lists.game import Game
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.lists.regular import Path, Rows
from magicert.verify.source.text.lexing import Code
from magicert.verify.source.values.leaf import Leaf

MOST_FLAT = 4
"""A list of so many numbers a square at most is cut into parts: both pieces, in pairs of words."""
LEAST_DECLARED = 16
"""A smaller number in brackets is a subscript."""
MOST_COLUMNS = 400
"""Columns of one source beyond these are left out: first those that have no role in a table."""


@dataclass(frozen=True, slots=True)
class Column:
    """One number a square, of one list.

    `values` are as written, negative ones included; `words` are modulo the word of a bitboard.
    `own` are the words of its own name and field, `context` those around it. `group` is shared by
    the columns of one list. `bases` are the names that the numbers are offsets from.
    """

    values: tuple[int, ...]
    name: str
    own: frozenset[str]
    context: frozenset[str]
    file: str
    first_line: int
    last_line: int
    group: str
    game: Game
    sorted_by: str = ""
    bases: frozenset[str] = frozenset()
    part: str = ""
    """Which part of the list this is, in words, if it is not the whole."""
    halves: tuple["Column", ...] = ()
    """The low and the high halves of words that this was put together from, if it was."""
    objections: tuple[tuple[int, str], ...] = ()
    """Lines, and why the engine may compute other numbers than those read there."""
    guesses: frozenset[str] = frozenset()
    """Conversions that were taken to change nothing, because of their names alone."""
    stated: bool = False
    """Filled in by statements, one an item, not by one list."""
    list_name: str = ""
    field: str = ""
    """The name of the list, and of the field of its records that this is."""
    spots: tuple[tuple[int, int], ...] = ()
    """Where each number stands: its line, from 1, and the characters before it in that line."""

    @property
    def words(self) -> tuple[int, ...]:
        """The values as words of a bitboard."""
        return self.game.words_of(self.values)

    @property
    def where(self) -> str:
        """The name and lines, for people."""
        lines = f"line {self.first_line}"
        if self.last_line != self.first_line:
            lines = f"lines {self.first_line}-{self.last_line}"
        part = f", {self.part}" if self.part else ""
        return f"{self.name or 'unnamed list'} ({self.file}, {lines}{part})"


def columns_of(rows: Rows, file: str, code: Code, game: Game) -> Iterator[Column]:
    """The columns of a list: each field; halves and interleaved parts of longer lists."""
    cuts: list[tuple[str, slice]] = []
    squares = game.squares
    if rows.count == squares:
        cuts = [("", slice(None))]
    elif rows.count % squares == 0 and rows.count <= MOST_FLAT * squares:
        parts = rows.count // squares
        starts = range(0, rows.count, squares)
        cuts = [(f"rows {n}-{n + squares - 1}", slice(n, n + squares)) for n in starts]
        cuts += [(f"every {_ordinal(parts)} from {n}", slice(n, None, parts)) for n in range(parts)]
    for path, leaves in rows.fields.items():
        values = numbers_of(leaves)
        for part, cut in cuts:
            own = values[cut]
            if any(value is None or not -game.whole // 2 <= value <= game.whole for value in own):
                continue
            numbers = tuple(value for value in own if value is not None)
            yield Column(
                values=numbers,
                name=shown(rows.name, path),
                own=split_words(rows.name, *(str(key) for key in path)),
                context=split_words(*rows.context),
                file=file,
                first_line=rows.first_line,
                last_line=rows.last_line,
                group=f"{file}:{rows.first_line}:{rows.name}:{part}",
                game=game,
                sorted_by=rows.sorted_by,
                bases=frozenset(leaf.base for leaf in leaves[cut] if leaf.base),
                part=part,
                objections=tuple(_objections(rows, path, leaves[cut], numbers, code, game)),
                guesses=rows.around.guesses | {leaf.guess for leaf in leaves[cut] if leaf.guess},
                stated=rows.stated,
                list_name=rows.name,
                field=next((key for key in reversed(path) if isinstance(key, str)), ""),
                spots=tuple(code.spot(leaf.place) for leaf in leaves[cut]),
            )


def _objections(
    rows: Rows,
    path: Path,
    leaves: Sequence[Leaf],
    numbers: Sequence[int],
    code: Code,
    game: Game,
) -> Iterator[tuple[int, str]]:
    """What is said against the numbers of a column, once for each line and reason."""
    found = [*rows.around.objections]
    found += dict.fromkeys(leaf.objection for leaf in leaves if leaf.objection)
    said = dict.fromkeys((code.line(one.place), one.text) for one in found)
    if game.by_hand:  # what a macro does, it does to all of its numbers
        first: dict[str, int] = {}
        for line, text in said:
            first.setdefault(text, line)
        said = dict.fromkeys((line, text) for text, line in first.items())
    yield from said
    declared = prod(rows.around.lengths)
    fitting = {game.squares, rows.count}
    if declared >= LEAST_DECLARED and fitting.isdisjoint((declared, *rows.around.lengths)):
        yield rows.first_line, f"declared for {declared} items: expected {rows.count}"
    long = max(map(abs, numbers)) >> 32 != 0
    if long and (bases := sorted({leaf.base for leaf in leaves if leaf.base})):
        yield rows.first_line, f"{bases[0]} is added to a number, and is not known"
    fields = rows.around.fields
    width = next((fields[key] for key in path or (ONLY,) if key in fields), None)
    width = width or rows.around.width
    if width is None:
        return
    if width.is_float:
        if long:
            yield rows.first_line, f"declared {width.name}, which holds no integers of 64 bits"
    elif any(number >> width.bits not in (0, -1) for number in numbers):
        yield (
            rows.first_line,
            f"declared {width.name}, but numbers need more than {width.bits} bits",
        )


_LOW_WORDS = frozenset({"lo", "low", "l", "lower"})
_HIGH_WORDS = frozenset({"hi", "high", "h", "upper"})
_HALF_WORDS = _LOW_WORDS | _HIGH_WORDS | {"0", "1", "32"}


def word_pairs(columns: Sequence[Column]) -> Iterator[Column]:
    """Columns put together from two halves of a word, in both orders."""
    half = columns[0].game.word // 2 if columns else 0
    halves = [column for column in columns if _is_half(column, half)]
    for low in halves:
        for high in halves:
            if low is high or low.file != high.file or not _belong(low, high):
                continue
            if not (_is_wide(low, half) or _is_wide(high, half)):
                continue
            whole = (1 << half) - 1
            values = tuple(
                (a & whole) | (b & whole) << half
                for a, b in zip(low.values, high.values, strict=True)
            )
            yield Column(
                values=values,
                name=f"{low.name} | {high.name} << {half}",
                own=low.own | high.own,
                context=low.context | high.context,
                file=low.file,
                first_line=min(low.first_line, high.first_line),
                last_line=max(low.last_line, high.last_line),
                group=low.group,
                game=low.game,
                sorted_by=low.sorted_by,
                part=low.part if low.part == high.part else f"pairs of {half}-bit words",
                halves=(low, high),
                objections=low.objections + high.objections + _exchanged(low, high),
                guesses=low.guesses | high.guesses,
                stated=low.stated or high.stated,
                spots=low.spots,
            )


def _exchanged(low: Column, high: Column) -> tuple[tuple[int, str], ...]:
    """What is said against words that certify the other way round than they are named."""
    named_high = low.own & _HIGH_WORDS and not low.own & _LOW_WORDS
    named_low = high.own & _LOW_WORDS and not high.own & _HIGH_WORDS
    if not (named_high and named_low):
        return ()
    return ((low.first_line, f"{low.name} certifies as the low words, not as the high"),)


def _belong(low: Column, high: Column) -> bool:
    if low.group == high.group:
        return True
    if low.part.startswith("every") and high.part.startswith("every"):
        return low.group.rpartition(":")[0] == high.group.rpartition(":")[0]
    different = low.own ^ high.own
    return bool(different) and different <= _HALF_WORDS and bool(low.own & high.own)


def _is_half(column: Column, half: int) -> bool:
    return (
        min(column.values) >= -(1 << (half - 1))
        and max(column.values) < 1 << half
        and max(map(abs, column.values)) > 1 << 8
    )


def _is_wide(column: Column, half: int) -> bool:
    return sum(abs(value) >> (half - 12) != 0 for value in column.values) >= 16


def numbers_of(leaves: Sequence[Leaf]) -> list[int | None]:
    """The values; string literals without a prefix are hexadecimal as soon as one must be."""
    if any(leaf.value is None and leaf.text for leaf in leaves) and all(
        re.fullmatch(r"[0-9a-fA-F]{1,32}", leaf.text) for leaf in leaves
    ):
        return [int(leaf.text, 16) for leaf in leaves]
    return [leaf.value for leaf in leaves]


def shown(name: str, path: Path) -> str:
    """The name of a field of a list."""
    text = name
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else key
    return text


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")
