"""Lists that look like magics but cannot be: another length, wider words, lost items."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from magicert.verify.source.lists.columns import numbers_of, shown
from magicert.verify.source.lists.game import Game
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.lists.regular import FEWER_MEANT, MORE_MEANT, Irregular, Rows
from magicert.verify.source.values.leaf import Leaf


@dataclass(frozen=True, slots=True)
class Misfit:
    """A list that is no column of words. `claims`: it calls itself magics, so that a
    source with it cannot be judged without it. `piece` is the piece that it names.
    """

    file: str
    line: int
    message: str
    claims: bool
    piece: str | None
    name: str = ""
    """The list's own name."""


def misfits(
    rows: Iterable[Rows], irregular: Iterable[Irregular], file: str, game: Game
) -> Iterator[Misfit]:
    """The lists that look like magics and are no column, each with what keeps it from being one."""
    for one in rows:
        for path, leaves in one.fields.items():
            words = split_words(one.name, *map(str, path), *one.context[:6])
            claims = _claims(words)
            message = _message(one, leaves, claims, game)
            if message:
                text = f"{shown(one.name, path) or 'unnamed list'}{message}"
                yield Misfit(file, one.first_line, text, claims, game.said(words), one.name)
                break
    for broken in irregular:
        words = split_words(broken.name, *broken.context[:6])
        text = f"{broken.name or 'unnamed list'}: {broken.problem}"
        claims = _claims(words)
        yield Misfit(file, broken.line, text, claims, game.said(words), broken.name)


def _claims(words: Iterable[str]) -> bool:
    return any(word.startswith(("magic", "mult")) for word in words)


def _message(rows: Rows, leaves: Sequence[Leaf], named: bool, game: Game) -> str:
    squares, word = game.squares, game.word
    values = [value for value in numbers_of(leaves) if value is not None]
    wide = [value for value in values if value > game.whole or value < -(1 << (word - 1))]
    mostly_long = sum(value.bit_length() > 32 for value in values) * 2 > len(values)
    if len(wide) * 2 > len(values):
        bits = max(value.bit_length() for value in values)
        return f" has numbers of {bits} bits: expected {word} (a table for another board?)"
    if wide and (named or mostly_long):
        return f": {wide[0]:#x} does not fit in {word} bits"
    if rows.problem and (named or mostly_long):
        return f": {rows.problem}"
    meant = squares - FEWER_MEANT <= rows.count <= squares + MORE_MEANT
    if rows.count % squares and mostly_long and (named or meant):
        return f" has {rows.count} numbers: expected {squares}, one a square"
    if len(values) < rows.count and mostly_long and (named or rows.count == squares):
        lost = rows.count - len(values)
        return f": {lost} of {rows.count} items are no numbers that this reader understands"
    return ""
