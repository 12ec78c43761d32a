"""One item of a list, by precedence climbing."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from magicert.verify.source.languages.arithmetic import combined, level, prefixed
from magicert.verify.source.languages.numbers import read_text_number
from magicert.verify.source.text.tokens import Token
from magicert.verify.source.text.tree import Element, Group
from magicert.verify.source.values.bodies import worked_out
from magicert.verify.source.values.calls import (
    HALF,
    RECORDS,
    called,
    cast_to,
    converted,
    narrowed,
)
from magicert.verify.source.values.definitions import Definitions
from magicert.verify.source.values.leaf import (
    NOTHING,
    Leaf,
    Row,
    Value,
    collapsed,
    doubted,
    widened,
)

_PREFIXES = ("-", "~", "+", "&", "*", "!", "^", ".", "not", "~~~")
_AFTER_CAST = ("+", "-", "*", "<<", ">>", ">>>", "|")
_FORTRAN_BASES = {"Z": 16, "z": 16, "X": 16, "x": 16, "O": 8, "B": 2}
_OFFSETS = ("add", "offset", "wrapping_add")
_COMMAS = frozenset({"C", "C++", "JavaScript", "TypeScript", "D"})
_ASCRIPTIONS = ("::", ":", ".", "as", "'", "\\", "@", "#", "=>", "->", "=")
"""What may stand between a number and a type, or a word of the next statement, behind it."""


def read_item(
    definitions: Definitions, row: Callable[[Group], Row], elements: Sequence[Element]
) -> Value:
    """What the elements of one item come to. `row` reads the items of a group in it."""
    return _Expression(definitions, row, elements).whole()


class _Expression:
    """Reads the elements of one item."""

    def __init__(
        self,
        definitions: Definitions,
        row: Callable[[Group], Row],
        elements: Sequence[Element],
    ) -> None:
        self.known = definitions
        self.row = row
        self.elements = elements
        self.at = 0
        self.skipped = ""
        """An operator before the value that was passed over."""

    def whole(self) -> Value:
        """The value of the item: words before it (`return`, a type) do not count."""
        value = self.begun()
        if self.skipped:
            place = self.elements[0].place
            return doubted(value, place, f"{self.skipped!r} before a number is not understood")
        return value

    def begun(self) -> Value:
        """The value, and what is behind it."""
        value = self.binary(1)
        while self.at < len(self.elements):
            if value == NOTHING or (isinstance(value, Leaf) and value.base):
                following = self.binary(1)
                if following != NOTHING:
                    value = following
            else:
                return self.ascribed(value)
        return value

    def ascribed(self, value: Value) -> Value:
        """What stands behind the value: a type, or an operator that nobody here knows."""
        rest = self.elements[self.at :]
        self.at = len(self.elements)
        first = rest[0]
        words = [e.text for e in rest if isinstance(e, Token) and e.kind == "name"]
        fraction = is_text(first, ".") and not words
        known = (is_text(first, *_ASCRIPTIONS) and not fraction) or (
            isinstance(first, Token)
            and first.kind == "name"
            and self.known.effect(first.text) == "same"
        )
        strange = first if not known else next(filter(self.is_operator, rest[1:]), None)
        if strange is not None:
            text = strange.text if isinstance(strange, Token) else strange.bracket
            return doubted(value, strange.place, f"{text!r} behind a number is not understood")
        return narrowed(value, self.known.narrow(words), first.place)

    def is_operator(self, element: Element) -> bool:
        """Does an element work on the number before it, however far away?"""
        if not isinstance(element, Token) or element.kind in ("text", "number", "separator"):
            return False
        if element.kind == "name":
            return level(element.text.lower(), self.known.language) > 0
        return level(element.text, self.known.language) > 0 and element.text not in _ASCRIPTIONS

    def peek(self, ahead: int = 0) -> Element | None:
        place = self.at + ahead
        return self.elements[place] if place < len(self.elements) else None

    def binary(self, least: int) -> Value:
        left = self.unary()
        while (own := self.operator_level()) >= least > 0:
            sign = self.elements[self.at]
            assert isinstance(sign, Token)
            self.at += 1
            left = self.joined(sign, left, self.binary(own + 1))
        return left

    def operator_level(self) -> int:
        element = self.peek()
        if not isinstance(element, Token) or element.kind == "text":
            return 0
        return level(element.text, self.known.language)

    def joined(self, sign: Token, left: Value, right: Value) -> Value:
        """Two values under an operator: numbers, or a number counted from a name."""
        if not isinstance(left, Leaf) or not isinstance(right, Leaf):
            return NOTHING
        if left.value is None or right.value is None or (left.base and right.base):
            return NOTHING
        base = left.base or right.base
        if base and (sign.text not in ("+", "-") or (sign.text == "-" and right.base)):
            return NOTHING
        number = combined(sign.text, left.number(), right.number(), self.known.language)
        if number is None:
            return NOTHING
        objection = left.objection or right.objection
        found = replace(left, base=base, objection=objection, guess=left.guess or right.guess)
        return found.becoming(number, sign.place)

    def unary(self) -> Value:
        element = self.peek()
        if element is None or not is_text(element, *_PREFIXES):
            return self.primary()
        self.at += 1
        assert isinstance(element, Token)
        value = self.unary()
        if isinstance(value, Leaf) and value.text and self.known.language.rounds:
            text = f"{element.text} makes a number of a text: a double"
            return value.doubted(element.place, text)
        if isinstance(value, Leaf) and value.value is not None and not value.base:
            return value.becoming(
                prefixed(element.text, value.number(), self.known.language), element.place
            )
        return value

    def primary(self) -> Value:
        element = self.peek()
        if element is None:
            return NOTHING
        self.at += 1
        if isinstance(element, Group):
            return self.postfixed(self.group(element))
        match element.kind:
            case "number":
                return self.postfixed(self.known.literal(element))
            case "text":
                return self.postfixed(
                    Leaf(read_text_number(element.text), text=element.text, place=element.place)
                )
            case "name":
                return self.postfixed(self.named(element))
            case _:
                if element.text not in _ASCRIPTIONS:
                    self.skipped = self.skipped or element.text
                return NOTHING

    def group(self, group: Group) -> Value:
        if group.bracket == "(" and _is_cast(group):
            following = self.peek()
            negated = following is not None and is_text(following, "-") and self.is_type(group)
            if following is not None and (negated or not is_text(following, *_AFTER_CAST)):
                return self.cast(group)
        row = self.row(group)
        if group.bracket == "(" and len(row.children) > 1 and self.has_commas():
            last = row.children[-1]
            return doubted(last, group.place, "a comma in brackets leaves the last number")
        return collapsed(row)

    def has_commas(self) -> bool:
        """Does the language take a comma in brackets for an operator?"""
        return self.known.language.name in _COMMAS

    def is_type(self, group: Group) -> bool:
        """Do the names in a bracket mean a type, and no constant?"""
        names = [e.text for e in group.elements if isinstance(e, Token) and e.kind == "name"]
        return all(self.known.effect(n) == "same" or self.known.narrow([n]) for n in names)

    def cast(self, group: Group) -> Value:
        """The value behind a cast, `(uint64_t) x`, as the type holds it."""
        words = [e.text for e in group.elements if isinstance(e, Token)]
        value = self.unary()
        if self.known.word > HALF:
            return cast_to(self.known, words, value, group.place)
        width = self.known.narrow(words)
        return widened(value) if width is None else narrowed(value, width, group.place)

    def named(self, first: Token) -> Value:
        """A name and what belongs to it: `name`, `a::b!(...)`, `name<T>{...}`, `name[...]`."""
        if first.text in self.known.bound:
            return self.known.bound[first.text]
        name, types = self.qualified(first.text)
        if self.known.word > HALF and name != first.text:
            types = [first.text, *types]  # u128::from
        element = self.peek()
        if isinstance(element, Group):
            self.at += 1
            if name == "cast" and _is_cast(element):
                return self.cast(element)
            own = self.worked_out(name, element)
            if own is not None:
                return own
            if element.bracket == "(":
                return converted(
                    self.known,
                    name,
                    types,
                    called(self.known, name, self.row(element)),
                    first.place,
                )
            return self.braced(name, types, element, first.place)
        if isinstance(element, Token) and element.kind == "text" and name in _FORTRAN_BASES:
            self.at += 1
            number = read_text_number(element.text, _FORTRAN_BASES[name])
            return Leaf(number, place=element.place)
        if isinstance(element, Token) and element.kind in ("number", "text"):
            return converted(self.known, name, types, self.unary(), first.place)
        if name in self.known.constants:
            return Leaf(self.known.constants[name], place=first.place)
        return Leaf(0, name)

    def worked_out(self, name: str, arguments: Group) -> Value | None:
        """What a macro or function of the source makes of its arguments, where words have 128
        bits: in words of 64, two halves of 32 are put together by their numbers (columns.py).
        """
        if self.known.word <= HALF or arguments.bracket not in ("(", "{"):
            return None
        path = self.elements[: self.at - 1]
        alone = self.at == len(self.elements) and all(
            isinstance(e, Token) and (e.kind == "name" or e.text in ("::", ".", "!")) for e in path
        )
        return worked_out(self.known, name, arguments, read_item, alone=alone)

    def qualified(self, name: str) -> tuple[str, list[str]]:
        """The last name of a path (`new std::vector<U64>`), and the types it names."""
        types: list[str] = []
        while (element := self.peek()) is not None:
            if is_text(element, "::", ".", "!"):
                self.at += 1
            elif is_text(element, "<") and (inner := self.generic()):
                types += inner
            elif (
                isinstance(element, Token) and element.kind == "name" and not self.is_word(element)
            ):
                if not is_text(self.elements[self.at - 1], "::", ".", "!"):
                    types.append(name)
                name = element.text
                self.at += 1
            else:
                break
        return name, types

    def is_word(self, element: Token) -> bool:
        """An operator that is written as a word."""
        return element.text == "as" or level(element.text, self.known.language) > 0

    def generic(self) -> list[str]:
        """Skip `<...>` of types before a call, and name them; none where `<` compares."""
        for ahead in range(1, 12):
            element = self.peek(ahead)
            if element is None or isinstance(element, Group) or element.kind == "text":
                return []
            if element.text == ">":
                between = self.elements[self.at : self.at + ahead]
                self.at += ahead + 1
                return [e.text for e in between if isinstance(e, Token)]
        return []

    def braced(self, name: str, types: list[str], element: Group, place: int) -> Value:
        """`name[...]`, `name{...}`, C#'s `ulong[] { ... }`, Go's `[]T{...}`."""
        row = self.row(element)
        follower = self.peek()
        followed = isinstance(follower, Group) and follower.bracket in ("{", "(")
        if element.bracket == "[" and len(row.children) == 1 and not followed:
            inner = row.children[0]
            return Leaf(inner.value, name) if isinstance(inner, Leaf) else inner
        if isinstance(follower, Group) and (
            not row.children or (element.bracket == "[" and followed)
        ):
            self.at += 1
            row = self.row(follower)
        return converted(
            self.known, name, types, collapsed(row), place, record=self.is_plain(element)
        )

    def is_plain(self, element: Group) -> bool:
        """Does `name{...}` only put the fields of a record together, in this language?"""
        before = self.elements[max(0, self.at - 2) : self.at - 1]
        macro = any(isinstance(one, Token) and one.text == "!" for one in before)
        return element.bracket == "{" and self.known.language.name in RECORDS and not macro

    def postfixed(self, value: Value) -> Value:
        """`.toULong()`, `as u64`: what follows a value."""
        while True:
            element, name = self.peek(), self.peek(1)
            if element is None or not is_text(element, ".", "as", "'"):
                return value
            if not isinstance(name, Token) or name.kind != "name":
                return value
            self.at += 2
            value = self.method(name, value)

    def method(self, name: Token, value: Value) -> Value:
        """One method or field of a value, or the type behind `as`."""
        call = self.peek()
        if not isinstance(call, Group) or call.bracket != "(":
            return converted(self.known, name.text, [], value, name.place)
        self.at += 1
        if name.text in _OFFSETS:
            plus = Token("operator", "+", None, name.place)
            return self.joined(plus, value, collapsed(self.row(call)))
        if call.numbers and not (isinstance(value, Leaf) and value.text):
            return doubted(value, name.place, f".{name.text}(...) changes the number")
        return converted(self.known, name.text, [], value, name.place)


def _is_cast(group: Group) -> bool:
    """`(uint64_t)`, `(const Bitboard *)`: nothing but names."""
    return bool(group.elements) and all(
        isinstance(element, Token)
        and (element.kind == "name" or element.text in ("*", "&", "::", "."))
        for element in group.elements
    )


def is_text(element: Element, *texts: str) -> bool:
    """Is this one of the signs or names, and no string?"""
    return isinstance(element, Token) and element.kind != "text" and element.text in texts
