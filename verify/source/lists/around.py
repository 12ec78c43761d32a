"""What the source says of a list as a whole: its declared type, and what it does to all items."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from magicert.verify.source.languages.conversions import is_container
from magicert.verify.source.languages.types import Width
from magicert.verify.source.lists.naming import Header
from magicert.verify.source.text.tokens import Token
from magicert.verify.source.text.tree import Element, Group
from magicert.verify.source.values.calls import RECORDS
from magicert.verify.source.values.definitions import Definitions
from magicert.verify.source.values.expression import is_text
from magicert.verify.source.values.leaf import Objection

_EACH = frozenset({"map", "fmap", "Select", "collect", "transform", "map!", "parMap", "vmap"})
"""Functions that apply another one to every item."""
_REORDER = frozenset(
    """
    sort sorted sort_by sort_unstable filter drop take skip slice splice concat rotate_left
    rotate_right shuffle reduce fold scan zip zipWith filterMap flatMap flat_map chunks
    """.split()  # noqa: SIM905 - a table of words
)
_ITEM = re.compile(r"\$\d|it|_\d?")
"""Names that stand for the item without being declared."""
_RADIX = ("16", "0")
_PARSES = frozenset({"int", "BigInt", "parseUnsignedLong", "strtoull", "from_str_radix", "UInt64"})
"""Functions that read a text by the radix that stands behind it."""
_OPERATORS = frozenset({"^", "+", "-", "%", "<<", ">>", "xor", "⊻", "⊕"})
_LAMBDAS = frozenset({"=>", "->", "fun", "fn", "lambda"})
_HARMLESS = frozenset({"=>", "->", "|", ".", "::", "$", "&", "\\", ":"})
_SIGNED_ABOVE = frozenset({"Haskell"})
"""Languages that declare a type on a line of its own."""
_CODES = {"b": 8, "B": 8, "h": 16, "H": 16, "i": 32, "I": 32, "f": 0, "d": 0}
"""The type codes of Python's array."""
_FARTHEST = 24
"""A call around a list stands at most this many words away from it."""


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of a list from outside its brackets.

    `width` is the narrow type that it is declared with, if it is.
    """

    width: Width | None = None
    objections: tuple[Objection, ...] = ()
    guesses: frozenset[str] = frozenset()
    """Functions called with the list that nobody here knows."""
    fields: Mapping[str | int, Width] = field(default_factory=dict)
    """The narrow fields of its records."""
    lengths: tuple[int, ...] = ()
    """For how many items it is declared, if a number says so."""


NOTHING_AROUND = Around()


def around(
    elements: Sequence[Element], at: int, own: Header, outer: Around, known: Definitions
) -> Around:
    """What the words around the group at `elements[at]` add to what is known outside it."""
    place = elements[at].place
    types = own.types or ()
    if own.name and known.language.name in _SIGNED_ABOVE:
        above = re.search(rf"^\s*{re.escape(own.name)}\s*::(.*)$", known.text, re.MULTILINE)
        types += tuple(re.findall(r"\w+", above[1])) if above else ()
    width = known.narrow(types) if types else outer.width
    found = [*outer.objections]
    texts = [*_callers(own, elements, at, known), *_behind(elements, at, known)]
    found += [Objection(place, text) for text in texts]
    record = elements[max(0, at - 1) : at] if _is_record(elements[at], known) else ()
    held = {element.text for element in record if isinstance(element, Token)}
    unknown = {
        f"{name}(...)" for name in own.callers if _is_unknown(name, known) and name not in held
    }
    guesses = outer.guesses | unknown
    fields = known.fields(types) or outer.fields
    width = width or _dtype(elements, at, known) or _kind(own.name, known)
    return Around(width, tuple(found), guesses, fields, own.lengths)


def _is_record(element: Element, known: Definitions) -> bool:
    """`Name { ... }` in a language where it runs no code."""
    brace = isinstance(element, Group) and element.bracket == "{"
    return brace and known.language.name in RECORDS


def _is_unknown(name: str, known: Definitions) -> bool:
    return not is_container(name) and name not in _EACH and known.effect(name) == "unknown"


def _callers(
    own: Header, elements: Sequence[Element], at: int, known: Definitions
) -> Iterator[str]:
    """Functions that are called with the list, and change its numbers or their order."""
    before = elements[max(0, at - _FARTHEST) : at]
    if len(before) >= 2 and is_text(before[-2], *_EACH) and not _keeps(before[-1:], known):
        # Perl's map { ... } (...).
        yield "map works on each item of the list"
    prefixed = next((e for e in reversed(before) if not _is_path(e)), None)
    if prefixed is not None and is_text(prefixed, "~"):
        yield "~ turns the bits of the whole list"
    if _is_comprehension(before):
        loop = next(n for n, e in enumerate(before) if isinstance(e, Token) and e.text == "for")
        start = max((n + 1 for n in range(loop) if _assigns(before[n])), default=0)
        variable = [e for e in before[loop + 1 : -1] if isinstance(e, Token)]
        if not _keeps([*before[start:loop], *variable], known):
            yield "each item is worked on by a loop"
        return
    for name in own.callers:
        if name in _EACH:
            if not _keeps(before[_place_of(name, before) + 1 :], known):
                yield f"{name} works on each item of the list"
        elif name in _REORDER or known.effect(name) in ("changes", "complement"):
            yield f"{name} works on the whole list"


def _is_path(element: Element) -> bool:
    return isinstance(element, Token) and (element.kind == "name" or element.text in (".", "::"))


def _place_of(name: str, elements: Sequence[Element]) -> int:
    return max(
        (n for n, e in enumerate(elements) if isinstance(e, Token) and e.text == name), default=0
    )


def _is_comprehension(before: Sequence[Element]) -> bool:
    """`f(x) for x in [...]`, with the list behind `in`."""
    words = [e.text for e in before if isinstance(e, Token) and e.kind == "name"]
    return bool(words) and words[-1] == "in" and "for" in words


def _assigns(element: Element) -> bool:
    return isinstance(element, Token) and element.text == "="


def _behind(elements: Sequence[Element], at: int, known: Definitions) -> Iterator[str]:
    """What is done to the list behind its brackets: `].map(x => ...)`, `}.reversed()`, `] ^ 5`."""
    following = elements[at + 1 : at + 12]
    if following and isinstance(following[0], Group):
        if following[0].bracket == "[" and any(
            is_text(e, ":", "::") for e in following[0].elements
        ):
            yield "a part of the list is taken, or its order changed"
        return
    if following and is_text(following[0], ","):
        rest = elements[at + 2 :]
        numbers = sum(e.numbers for e in rest if isinstance(e, Group))
        if numbers < 8 and any(is_text(e, *_LAMBDAS) for e in rest) and not _keeps(rest, known):
            yield "a function works on each item of the list"
        return
    while len(following) >= 2:
        sign, name = following[0], following[1]
        if is_text(sign, *_OPERATORS) or (_is_dot(sign) and is_text(name, *_OPERATORS)):
            yield "an operator works on the whole list"
            return
        if is_text(sign, "|") and is_text(name, ">"):
            yield from _piped(following[2:], known)
            return
        if not _is_dot(sign) or not isinstance(name, Token) or name.kind != "name":
            return
        call = following[2] if len(following) > 2 else None
        called = isinstance(call, Group) and call.bracket in ("(", "{")
        yield from _applied(name.text, [call] if call and called else [], known)
        following = following[3 if called else 2 :]


def _piped(following: Sequence[Element], known: Definitions) -> Iterator[str]:
    """`|> Array.map f`: the function's own name is the last one of the path."""
    at = 0
    while at + 2 < len(following) and _is_dot(following[at + 1]):
        at += 2
    first = following[at] if following else None
    if isinstance(first, Token) and first.kind == "name":
        yield from _applied(first.text, following[at + 1 : at + 2], known)


def _applied(name: str, arguments: Sequence[Element], known: Definitions) -> Iterator[str]:
    """What a function or method of this name does to the list."""
    if any(known.narrow([token.text]) for token in _flat(arguments)):
        yield f".{name}(...) keeps a part of each number"
    elif name == "pack":
        yield ".pack(...) makes bytes of the list"
    elif name in _EACH:
        if not _keeps(arguments, known):
            yield f".{name}(...) works on each item of the list"
    elif name in _REORDER or known.effect(name) in ("changes", "complement"):
        yield f".{name}() works on the whole list"


def _is_dot(element: Element) -> bool:
    return isinstance(element, Token) and element.text == "."


def _keeps(function: Sequence[Element], known: Definitions) -> bool:
    """Does a function of one item give that item back: `BigInt`, `x => BigInt(x)`?"""
    flat = list(_flat(function))
    names = [e.text for e in flat if e.kind == "name" and not _ITEM.fullmatch(e.text)]
    signs = [e.text for e in flat if e.kind in ("operator", "number", "text")]
    if _PARSES.intersection(names):
        signs = [sign for sign in signs if sign not in _RADIX]
    # The name of the item stands twice: as the parameter and where it is used.
    calls = [name for name in names if names.count(name) == 1]
    return (
        bool(names)
        and all(sign in _HARMLESS for sign in signs)
        and all(known.effect(name) in ("same", "constructor") for name in calls)
        and not any(known.narrow([name]) for name in calls)
    )


def _flat(elements: Sequence[Element]) -> Iterator[Token]:
    for element in elements:
        if isinstance(element, Group):
            yield from _flat(element.elements)
        else:
            yield element


def _kind(name: str, known: Definitions) -> Width | None:
    """Fortran's kinds: `integer(4) :: name`, `integer(kind=int32)`."""
    if known.language.name != "Fortran" or not name:
        return None
    kind = re.search(
        rf"(?i)integer\s*(?:\*\s*|\(\s*(?:kind\s*=\s*)?)(?:4|int32)\b[^\n]*\b{re.escape(name)}\b",
        known.text,
    )
    return Width("integer(4)", 32) if kind else None


def _dtype(elements: Sequence[Element], at: int, known: Definitions) -> Width | None:
    """The type named behind a list: numpy's `dtype=np.uint32`."""
    behind = elements[at + 1 : at + 8]
    words = [e.text for e in behind if isinstance(e, Token)]
    if "dtype" in words:
        return known.narrow(words[words.index("dtype") :])
    if known.language.name not in ("Python", "Cython"):
        return None
    code = elements[at - 2] if at >= 2 else None
    if isinstance(code, Token) and code.kind == "text" and code.text in _CODES:
        return Width(f"'{code.text}'", _CODES[code.text])
    positional = len(behind) > 1 and is_text(behind[0], ",") and "=" not in words
    return known.narrow(words[1:]) if positional else None
