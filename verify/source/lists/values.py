"""What an item of a list comes to: a number, or a row of numbers with their keys.

Constructor calls, casts, macro calls and suffix methods are looked through: what counts is
the numbers in them. Constants that are named elsewhere in the source are filled in, sums
and shifts of constants are worked out, and `table + 4992` is 4992 from `table`.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from magicert.board import WORD
from magicert.verify.source.languages.numbers import read_text_number
from magicert.verify.source.text.tokens import Token
from magicert.verify.source.text.tree import Element, Group, items


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number. `base` is the name it is an offset from; `value` None is no number at all.

    `text` is the digits of a string literal that does not tell its radix.
    """

    value: int | None
    base: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """Items with their keys: a field's name, a subscript, or None."""

    children: tuple["Value", ...]
    keys: tuple[str | int | None, ...]
    place: int = 0


Value = Leaf | Row
NOTHING = Leaf(None)

_LEVELS: dict[str, int] = {
    "|": 1, "or": 1, "^": 2, "xor": 2, "&": 3, "and": 3,
    "<<": 4, ">>": 4, ">>>": 4, "shl": 4, "shr": 4, "ushr": 4, "lsl": 4,
    "+": 5, "-": 5, "*": 6, "/": 6, "div": 6,
}  # fmt: skip
_OPERATIONS: dict[int, Callable[[int, int], int]] = {
    1: operator.or_, 2: operator.xor, 3: operator.and_,
}  # fmt: skip
_RADIX_READERS = re.compile(r"(?i)parse|int|from|bigint|val|strto|uint64|u64|long")
_LAST_ARGUMENT = re.compile(r"as_?u?int_?n$", re.IGNORECASE)
_SQUARE = re.compile(r"(?i)(?:sq(?:uare)?_?|s)?([a-h][1-8])")


@dataclass(slots=True)
class Reader:
    """Reads items; `constants` are the named numbers of the source."""

    constants: Mapping[str, int] = field(default_factory=dict)
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
            return Leaf(item[0].value)
        try:
            return _Expression(self, item).whole()
        except RecursionError:
            return NOTHING

    def subscript(self, group: Group) -> str | int | None:
        """The number or square's name in `[...]` or `(...)`; None where it is neither."""
        value = self.value(group.elements)
        if isinstance(value, Leaf):
            if value.base and (square := _SQUARE.fullmatch(value.base)):
                return square[1].lower()
            if not value.base:
                return value.value
        return None

    def _key(self, item: list[Element]) -> tuple[str | int | None, list[Element]]:
        """`[3] = x`, `.name = x`, `name: x`, `"name" => x`: the key, and what is left."""
        at = 1 if _is(item[0], ".") and len(item) > 1 else 0
        while len(item) > at + 4 and _is(item[at + 1], ".", "::"):
            at += 2
        if len(item) < at + 3 or not _is(item[at + 1], "=", ":", "=>", "->", ":="):
            return None, item
        first, rest = item[at], item[at + 2 :]
        if isinstance(first, Group):
            return (self.subscript(first), rest) if first.bracket == "[" else (None, item)
        if first.kind == "number":
            return first.value, rest
        if first.kind in ("name", "text"):
            square = _SQUARE.fullmatch(first.text)
            return (square[1].lower() if square else first.text), rest
        return None, item


def _is(element: Element, *texts: str) -> bool:
    return isinstance(element, Token) and element.kind != "text" and element.text in texts


class _Expression:
    """One item, by precedence climbing."""

    def __init__(self, reader: Reader, elements: Sequence[Element]) -> None:
        self.reader = reader
        self.elements = elements
        self.at = 0

    def whole(self) -> Value:
        value = self.binary(1)
        # Words before the value (`return`, a type) or behind it (`as u64`) do not count.
        while self.at < len(self.elements):
            if value == NOTHING or (isinstance(value, Leaf) and value.base):
                following = self.binary(1)
                if following != NOTHING:
                    value = following
            else:
                self.at += 1
        return value

    def peek(self, ahead: int = 0) -> Element | None:
        place = self.at + ahead
        return self.elements[place] if place < len(self.elements) else None

    def binary(self, level: int) -> Value:
        left = self.unary()
        while (sign := self.operator()) and (own := _LEVELS[sign]) >= level:
            self.at += 1
            left = _combined(sign, left, self.binary(own + 1))
        return left

    def operator(self) -> str:
        element = self.peek()
        if isinstance(element, Token) and element.text in _LEVELS:
            return element.text
        return ""

    def unary(self) -> Value:
        element = self.peek()
        if element is not None and _is(element, "-", "~", "+", "&", "*", "!", "^", ".", "not"):
            self.at += 1
            assert isinstance(element, Token)
            value = self.unary()
            if isinstance(value, Leaf) and value.value is not None:
                if element.text == "-":
                    return Leaf(-value.value, value.base)
                if element.text in ("~", "!", "not"):
                    return Leaf(~value.value & WORD, value.base)
            return value
        return self.primary()

    def primary(self) -> Value:
        element = self.peek()
        if element is None:
            return NOTHING
        self.at += 1
        if isinstance(element, Group):
            return self.postfixed(self.group(element))
        if element.kind == "number":
            return self.postfixed(Leaf(element.value))
        if element.kind == "text":
            number = read_text_number(element.text)
            return self.postfixed(Leaf(number, text=element.text))
        if element.kind == "name":
            return self.postfixed(self.named(element.text))
        return NOTHING

    def group(self, group: Group) -> Value:
        if group.bracket == "(" and _is_cast(group):
            following = self.peek()
            if following is not None and not _is(following, "+", "-", "*", "<<", ">>", ">>>", "|"):
                return self.unary()
        return _collapsed(self.reader.row(group))

    def named(self, name: str) -> Value:
        """A name and what belongs to it: `name`, `a::b!(...)`, `name<T>{...}`, `name[...]`."""
        while True:
            element = self.peek()
            if element is None:
                break
            if _is(element, "::", ".", "!"):
                self.at += 1
            elif isinstance(element, Token) and element.text == "<" and self.generic():
                continue
            elif (
                isinstance(element, Token)
                and element.kind == "name"
                and element.text not in _LEVELS
                and element.text != "as"
            ):
                name = element.text
                self.at += 1
            else:
                break
        element = self.peek()
        if isinstance(element, Group):
            self.at += 1
            if element.bracket == "(":
                return self.call(name, element)
            row = self.reader.row(element)
            if element.bracket == "[" and len(row.children) == 1:
                inner = row.children[0]
                follower = self.peek()
                if isinstance(follower, Group) and follower.bracket in ("{", "("):
                    self.at += 1
                    return _collapsed(self.reader.row(follower))
                return Leaf(inner.value, name) if isinstance(inner, Leaf) else inner
            follower = self.peek()
            if not row.children and isinstance(follower, Group):
                # C#'s `ulong[] { ... }`.
                self.at += 1
                row = self.reader.row(follower)
            return _collapsed(row)
        if isinstance(element, Token) and element.kind == "text" and name in ("Z", "z", "X", "x"):
            self.at += 1
            return Leaf(read_text_number(element.text, 16))
        if isinstance(element, Token) and element.kind in ("number", "text"):
            return self.unary()
        if name in self.reader.constants:
            return Leaf(self.reader.constants[name])
        return Leaf(0, name)

    def generic(self) -> bool:
        """Skip `<...>` of types before a call; False where `<` compares."""
        for ahead in range(1, 12):
            element = self.peek(ahead)
            if element is None or isinstance(element, Group) or element.kind == "text":
                return False
            if element.text == ">":
                self.at += ahead + 1
                return True
        return False

    def call(self, name: str, group: Group) -> Value:
        row = self.reader.row(group)
        children = row.children
        if _LAST_ARGUMENT.search(name) and len(children) == 2:
            return children[1]
        first = children[0] if children else NOTHING
        if isinstance(first, Leaf) and first.text and _RADIX_READERS.search(name):
            for other in children[1:]:
                if isinstance(other, Leaf) and other.value in (2, 8, 10, 16):
                    return Leaf(read_text_number(first.text.removeprefix("0x"), other.value))
        if len(children) == 2 and isinstance(first, Leaf) and first.base and name.startswith("@"):
            return children[1]
        if len(children) == 2 and name.lower() == "int":
            # Fortran's int(x, kind).
            return children[0]
        return _collapsed(row)

    def postfixed(self, value: Value) -> Value:
        """Skip `.toULong()`, `as u64`: what follows a value and does not change it."""
        while True:
            element, name = self.peek(), self.peek(1)
            if element is None or not (_is(element, ".", "as", "'")):
                return value
            if not isinstance(name, Token) or name.kind != "name":
                return value
            self.at += 2
            call = self.peek()
            if isinstance(call, Group) and call.bracket == "(":
                self.at += 1
                if name.text in ("add", "offset", "wrapping_add") and isinstance(value, Leaf):
                    inner = _collapsed(self.reader.row(call))
                    value = _combined("+", value, inner)


def _is_cast(group: Group) -> bool:
    """`(uint64_t)`, `(const Bitboard *)`: nothing but names."""
    return bool(group.elements) and all(
        isinstance(element, Token)
        and (element.kind == "name" or element.text in ("*", "&", "::", "."))
        for element in group.elements
    )


def _collapsed(row: Row) -> Value:
    """A row of one item without a key is that item; of no item, nothing."""
    if not row.children:
        return NOTHING
    return row.children[0] if len(row.children) == 1 and row.keys[0] is None else row


def _combined(sign: str, left: Value, right: Value) -> Value:
    if not isinstance(left, Leaf) or not isinstance(right, Leaf):
        return NOTHING
    a, b = left.value, right.value
    base = left.base or right.base
    if a is None or b is None or (left.base and right.base):
        return NOTHING
    level = _LEVELS[sign]
    if base and (sign not in ("+", "-") or (sign == "-" and right.base)):
        return NOTHING
    if level in _OPERATIONS:
        return Leaf(_OPERATIONS[level](a, b))
    if level == 4:
        if not 0 <= b < 128:
            return NOTHING
        return Leaf(a << b if sign in ("<<", "shl", "lsl") else a >> b)
    if sign == "+":
        return Leaf(a + b, base)
    if sign == "-":
        return Leaf(a - b, base)
    if sign == "*":
        return Leaf(a * b)
    return Leaf(a // b) if b else NOTHING
