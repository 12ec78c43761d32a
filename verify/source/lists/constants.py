"""Numbers that have a name, and the amounts that a source shifts by."""

from collections.abc import Iterator
from dataclasses import dataclass

from magicert.verify.source.languages.arithmetic import level
from magicert.verify.source.languages.language import Language
from magicert.verify.source.languages.types import as_narrow, narrow
from magicert.verify.source.text.tokens import Token
from magicert.verify.source.text.tree import Group
from magicert.verify.source.values.definitions import Definitions
from magicert.verify.source.values.leaf import Leaf
from magicert.verify.source.values.reader import Reader

_END_OF_VALUE = frozenset({";", ",", ")", "}"})
_SHIFTS = frozenset({">>", ">>>", "shr", "ushr", "lsr", "shiftR", "unsafeShiftR", "rshift"})

Elements = list[Token | Group]
MOST_TYPE_WORDS, LONGEST_VALUE = 4, 7
"""Elements between a constant's name and its sign, and elements of its value, at most."""
_SHIFT_FUNCTIONS = frozenset({"shift_right_logical", "shift_right", "shiftR", "unsafeShiftR"})
_STORED_SHIFTS = frozenset({">>=", ">>>="})


@dataclass(frozen=True, slots=True)
class ShiftAmount:
    """A right shift by a constant: `>> 52` or `>> (64 - 12)`, and where it stands.

    `multiplied`: what is shifted is seen to be a product.
    """

    amount: int
    place: int
    multiplied: bool


@dataclass(frozen=True, slots=True)
class PostMask:
    """A low mask that a shifted value is ANDed with, and where."""

    mask: int
    place: int


def named_constants(root: Group, language: Language) -> dict[str, int]:
    """`NAME = 12`, `#define NAME 12`, `NAME: u32 = 12`: the names with just one value."""
    found: dict[str, set[int]] = {}
    reader = Reader(Definitions(language))
    for elements in _element_lists(root):
        for at, element in enumerate(elements):
            if not isinstance(element, Token) or element.kind != "name":
                continue
            value = _value_after(elements, at, reader)
            if value is not None:
                found.setdefault(element.text, set()).add(value)
    return {name: values.pop() for name, values in found.items() if len(values) == 1}


def _value_after(elements: Elements, at: int, reader: Reader) -> int | None:
    """The number that the name at a place is given there, if it is given one."""
    start = _value_place(elements, at)
    if start is None or start >= len(elements):
        return None
    item = _first_item(elements[start:])
    first = item[0]
    if isinstance(first, Group) and (first.numbers > 3 or first.bracket != "("):
        return None
    if not any(isinstance(e, Group) or e.kind == "number" for e in item):
        return None
    value = reader.value(item)
    if not isinstance(value, Leaf) or value.base:
        return None
    around = [*elements[max(0, at - 3) : at], *elements[at + 1 : start]]
    types = [e.text for e in around if isinstance(e, Token) and e.kind == "name"]
    width = narrow(types, reader.definitions.language.name)
    if width is None or value.value is None:
        return value.value
    return None if width.is_float else as_narrow(value.value, width)


def _value_place(elements: Elements, at: int) -> int | None:
    """Where the value of a name begins: behind `=`, `: type =`, `::`, or a macro's name."""
    before = elements[at - 1] if at else None
    if isinstance(before, Token) and before.text == "define":
        return at + 2 if _is_unused_parameter(elements[at + 1 : at + 2]) else at + 1
    if isinstance(before, Token) and before.text in (".", "->", "<"):
        return None
    for place in range(at + 1, min(at + 1 + MOST_TYPE_WORDS, len(elements))):
        sign = elements[place]
        if not isinstance(sign, Token):
            return None
        if sign.text in ("=", ":=", "::"):
            typed = place > at + 1
            return None if typed and not _is_text(elements[at + 1], ":") else place + 1
        if sign.text != ":" and sign.kind != "name":
            return None
    return None


def _first_item(elements: Elements) -> Elements:
    """A short expression: the first element, with the numbers and operators behind it."""
    item = elements[:1]
    for element in elements[1:LONGEST_VALUE]:
        if isinstance(element, Group) or element.text in _END_OF_VALUE:
            break
        if element.kind not in ("number", "operator") or element.text == "#":
            break
        item.append(element)
    return item


def _is_unused_parameter(elements: Elements) -> bool:
    """Of a macro such as `#define SHIFT(square) 52`."""
    return any(isinstance(element, Group) and element.numbers == 0 for element in elements)


def _is_text(element: Token | Group, text: str) -> bool:
    return isinstance(element, Token) and element.text == text


def shift_amounts(root: Group, reader: Reader) -> Iterator[ShiftAmount]:
    """Every right shift by a constant amount: a shift of a magic index, perhaps."""
    for elements in _element_lists(root):
        for at, element in enumerate(elements[:-1]):
            if not isinstance(element, Token):
                continue
            if element.text in _SHIFT_FUNCTIONS and (found := _called_shift(elements, at, reader)):
                yield found
                continue
            stores = element.text in _STORED_SHIFTS
            if not stores and element.text not in _SHIFTS:
                continue
            # `x *= m; x >>= 52` has the product in the statement before.
            before = elements[max(0, at - (16 if stores else 6)) : at]
            multiplied = any(map(_multiplies, before))
            value = reader.value(_operand(elements, at + 1, reader.definitions.language))
            if isinstance(value, Leaf) and value.value is not None and not value.base:
                yield ShiftAmount(value.value, element.place, multiplied)


def _called_shift(elements: Elements, at: int, reader: Reader) -> ShiftAmount | None:
    """OCaml's `shift_right_logical (mul a b) 52`."""
    shifted, element = elements[at + 1], elements[at]
    if not isinstance(shifted, Group) or at + 2 >= len(elements) or isinstance(element, Group):
        return None
    value = reader.value([elements[at + 2]])
    if not isinstance(value, Leaf) or value.value is None or value.base:
        return None
    return ShiftAmount(value.value, element.place, _multiplies(shifted))


def _operand(elements: Elements, at: int, language: Language) -> Elements:
    """What stands behind a shift, as far as it binds tighter: `64 - 10` in C, `64` in Go."""
    item: Elements = []
    for element in elements[at : at + 8]:
        if isinstance(element, Token) and item:
            own = level(element.text, language)
            if element.kind == "operator" and own <= level(">>", language):
                break
            if element.kind in ("separator", "text"):
                break
            if element.kind == "name" and not isinstance(item[-1], Token):
                break
        item.append(element)
    return item


def _multiplies(element: Token | Group) -> bool:
    if isinstance(element, Token):
        return element.text in ("*", "*%", "&*") or "mul" in element.text.lower()
    return element.numbers <= 8 and any(map(_multiplies, element.elements))


def post_masks(root: Group, reader: Reader) -> Iterator[PostMask]:
    """Every AND of a shifted value with a low mask: `(x >> 40) & 0xfff`, `x >> s[i] & 4095`."""
    for elements in _element_lists(root):
        for at, element in enumerate(elements[:-1]):
            if not _is_text(element, "&") or not any(map(_shifts, elements[max(0, at - 6) : at])):
                continue
            value = reader.value([elements[at + 1]])
            if isinstance(value, Leaf) and value.value and not value.base:
                number = value.value
                if 0x1F <= number <= 0xFFFF and number & (number + 1) == 0:
                    assert isinstance(element, Token)
                    yield PostMask(number, element.place)


def _shifts(element: Token | Group) -> bool:
    if isinstance(element, Token):
        return element.text in _SHIFTS
    return element.numbers <= 8 and any(map(_shifts, element.elements))


def _element_lists(root: Group) -> Iterator[Elements]:
    pending = [root]
    while pending:
        group = pending.pop()
        # A list of numbers holds no statements.
        if group.numbers <= 64 or len(group.elements) != group.numbers * 2:
            yield group.elements
        pending += [element for element in group.elements if isinstance(element, Group)]
