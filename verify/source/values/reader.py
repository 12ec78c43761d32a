"""Reading items: constructor calls, casts, macro calls and methods are looked through, each by
what it does to the number inside. Constants named elsewhere in the source are filled in, sums
and shifts of constants are worked out, and `table + 4992` is 4992 from `table`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from magicert.verify.source.text.tokens import Token
from magicert.verify.source.text.tree import Element, Group, items
from magicert.verify.source.values.definitions import Definitions
from magicert.verify.source.values.expression import is_text, read_item
from magicert.verify.source.values.leaf import NOTHING, Leaf, Row, Value

SQUARE = re.compile(r"(?i)(?:sq(?:uare)?_?|s)?([a-h][1-8])")


@dataclass(slots=True)
class Reader:
    """Reads the items of groups."""

    definitions: Definitions = field(default_factory=Definitions)
    rows: dict[int, Row] = field(default_factory=dict)
    """What has been read, by the identity of its group: each group is read once."""

    def row(self, group: Group) -> Row:
        """All items of a group."""
        if id(group) not in self.rows:
            self.rows[id(group)] = self._read(group)
        return self.rows[id(group)]

    def _read(self, group: Group) -> Row:
        children: list[Value] = []
        keys: list[str | int | None] = []
        for item in items(group):
            key, rest = self._key(item)
            children.append(self.value(rest))
            keys.append(key)
        return Row(tuple(children), tuple(keys), group.place)

    def value(self, item: Sequence[Element]) -> Value:
        """What one item comes to; NOTHING where that is no number."""
        if len(item) == 1 and isinstance(item[0], Token) and item[0].kind == "number":
            token = item[0]
            small = token.value is None or token.value >> 31 == 0
            return (
                Leaf(token.value, place=token.place) if small else self.definitions.literal(token)
            )
        try:
            return read_item(self.definitions, self.row, item)
        except RecursionError:
            return NOTHING

    def subscript(self, group: Group) -> str | int | None:
        """The number or square's name in `[...]` or `(...)`; None where it is neither."""
        value = self.value(group.elements)
        if isinstance(value, Leaf):
            if value.base and (square := SQUARE.fullmatch(value.base)):
                return square[1].lower()
            if not value.base:
                return value.value
        return None

    def _key(self, item: list[Element]) -> tuple[str | int | None, list[Element]]:
        """`[3] = x`, `.name = x`, `name: x`, `"name" => x`: the key, and what is left."""
        at = 1 if is_text(item[0], ".") and len(item) > 1 else 0
        while len(item) > at + 4 and is_text(item[at + 1], ".", "::"):
            at += 2
        if len(item) < at + 3 or not is_text(item[at + 1], "=", ":", "=>", "->", ":="):
            return None, item
        first, rest = item[at], item[at + 2 :]
        if isinstance(first, Group):
            return (self.subscript(first), rest) if first.bracket == "[" else (None, item)
        if first.kind == "number":
            return first.value, rest
        if first.kind in ("name", "text"):
            square = SQUARE.fullmatch(first.text)
            return (square[1].lower() if square else first.text), rest
        return None, item
