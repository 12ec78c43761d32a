"""Finding the lists of a source: it walks over the brackets, outermost first."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from magicert.verify.source.lists.assignments import assigned_lists, bare_lists
from magicert.verify.source.lists.naming import Header, header
from magicert.verify.source.lists.regular import FEWEST_NUMBERS, MOST_ELEMENTS, Rows, as_rows
from magicert.verify.source.lists.values import Reader
from magicert.verify.source.text.lexing import Code
from magicert.verify.source.text.tokens import Token
from magicert.verify.source.text.tree import Group


@dataclass(slots=True)
class Finder:
    """Walks the tree of one source."""

    code: Code
    reader: Reader
    found: list[Rows] = field(default_factory=list)

    def walk(self, root: Group) -> list[Rows]:
        """All lists, in the order of the source."""
        self.found += bare_lists(root, self.code)
        pending: list[tuple[Group, str, tuple[str, ...]]] = [(root, "", ())]
        while pending:
            group, name, context = pending.pop()
            self.found += assigned_lists(group, self.code, self.reader)
            inner = list(self._inner(group, name, context))
            pending += reversed(inner)
        return sorted(self.found, key=lambda rows: rows.first_line)

    def _inner(
        self, group: Group, name: str, context: tuple[str, ...]
    ) -> Iterator[tuple[Group, str, tuple[str, ...]]]:
        """The groups inside one that are no list themselves; lists go to `found`."""
        number = 0
        statements = group.bracket in ("", "{")
        for at, element in enumerate(group.elements):
            if isinstance(element, Token):
                number += element.kind == "separator"
                continue
            if element.numbers < FEWEST_NUMBERS:
                continue
            own = header(group.elements, at, self.code.line)
            inner_name = _name(own, name, number, statements)
            inner_context = (*own.words, *context)[:40]
            rows = self._list(element, inner_name, inner_context)
            if rows is None:
                yield element, inner_name, inner_context
            else:
                self.found.append(rows)

    def _list(self, group: Group, name: str, context: tuple[str, ...]) -> Rows | None:
        if len(group.elements) > MOST_ELEMENTS:
            return None
        row = self.reader.row(group)
        first, last = self.code.line(group.place), self.code.line(group.end)
        return as_rows(row, name, context, first, last)


def _name(own: Header, outer: str, number: int, statements: bool) -> str:
    if own.name:
        return own.name if statements or not outer else f"{outer}.{own.name}"
    if outer and not statements:
        return f"{outer}[{number}]"
    return f"{outer}[{number}]" if outer and not own.words else outer
