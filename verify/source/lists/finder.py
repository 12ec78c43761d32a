"""Finding the lists of a source: it walks over the brackets, outermost first."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from magicert.board import Board
from magicert.verify.source.lists.around import NOTHING_AROUND, Around, around
from magicert.verify.source.lists.assignments import assigned_lists, bare_lists
from magicert.verify.source.lists.naming import Header, header
from magicert.verify.source.lists.regular import (
    MOST_ELEMENTS,
    Irregular,
    Rows,
    as_rows,
    fewest_numbers,
    irregular,
)
from magicert.verify.source.text.lexing import Code
from magicert.verify.source.text.tokens import Token
from magicert.verify.source.text.tree import Group
from magicert.verify.source.values.reader import Reader

MOST_CONTEXT = 40
"""Words around a list that are kept."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A group with what is known of it from outside."""

    group: Group
    name: str = ""
    context: tuple[str, ...] = ()
    around: Around = NOTHING_AROUND


@dataclass(slots=True)
class Finder:
    """Walks the tree of one source."""

    code: Code
    reader: Reader
    board: Board
    found: list[Rows] = field(default_factory=list)
    irregular: list[Irregular] = field(default_factory=list)

    def walk(self, root: Group) -> list[Rows]:
        """All lists, in the order of the source."""
        self.found += bare_lists(root, self.code, self.reader.definitions, self.board)
        pending = [_Place(root)]
        while pending:
            place = pending.pop()
            self.found += assigned_lists(place.group, self.code, self.reader, self.board)
            pending += reversed(list(self._inner(place)))
        return sorted(self.found, key=lambda rows: rows.first_line)

    def _inner(self, place: _Place) -> Iterator[_Place]:
        """The groups inside one that are no list themselves; lists go to `found`."""
        group, name = place.group, place.name
        number = 0
        statements = group.bracket in ("", "{")
        for at, element in enumerate(group.elements):
            if isinstance(element, Token):
                number += element.kind == "separator"
                continue
            if element.numbers < fewest_numbers(self.board):
                continue
            own = header(group.elements, at, self.code.line)
            inner_name = _name(own, name, number, statements)
            inner = _Place(
                element,
                inner_name,
                (*own.words, *place.context)[:MOST_CONTEXT],
                around(group.elements, at, own, place.around, self.reader.definitions),
            )
            rows = self._list(inner)
            if rows is None:
                yield inner
            else:
                self.found.append(rows)

    def _list(self, place: _Place) -> Rows | None:
        group = place.group
        if len(group.elements) > MOST_ELEMENTS:
            return None
        first, last = self.code.line(group.place), self.code.line(group.end)
        row = self.reader.row(group)
        rows = as_rows(row, place.name, place.context, first, last, self.board)
        if rows is not None:
            return replace(rows, around=place.around)
        found = irregular(row, place.name, place.context, first, self.board)
        if found is not None:
            self.irregular.append(found)
        return None


def _name(own: Header, outer: str, number: int, statements: bool) -> str:
    if own.name:
        return own.name if statements or not outer else f"{outer}.{own.name}"
    if outer and not statements:
        return f"{outer}[{number}]"
    return f"{outer}[{number}]" if outer and not own.words else outer
