"""The name that a list belongs to: what stands before its bracket."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from magicert.verify.source.text.tokens import Token
from magicert.verify.source.text.tree import Element, Group

_ASSIGNS = ("=", ":=", "=>", "<-", ":", "->")
_SECTIONS = ("public", "private", "protected", "default")
_FARTHEST = 40
_NO_NAME = re.compile(
    r"(?i)const\w*|static|inline|return|new|let|var|val|final|pub|public|private|protected|"
    r"internal|readonly|struct|class|enum|extern|unsigned|signed|long|int|u?int\d*(_t)?|u\d+|"
    r"ulong|qword|bigint|auto|array\w*|list\w*|vec\w*|span|of|ref|mut|do|then|else|in|begin|"
    r"as|dim|std|alignas|define|type|object|module|namespace|fn|func|fun|def|if|for|while|switch|case"
)


@dataclass(frozen=True, slots=True)
class Header:
    """What stands before a bracket: the name assigned to, if any, and all words.

    `callers` are the words between the assignment and the bracket: functions, and types.
    `types` are all words, those in square brackets too: `[UInt32]`, `[u64; 64]`.
    """

    name: str
    words: tuple[str, ...]
    callers: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    """The numbers in square brackets, `[64]`, `[u64; 64]`, outermost last."""


def header(elements: Sequence[Element], at: int, line: Callable[[int], int]) -> Header:
    """The header of the group at `elements[at]`, read backwards from its bracket."""
    words: list[str] = []
    all_words: list[str] = []
    types: list[str] = []
    lengths: list[int] = []
    designated: list[str] = []
    callers: list[str] | None = None
    assigned, angles = False, 0
    last_line = line(elements[at].place)
    for place in range(at - 1, max(-1, at - _FARTHEST), -1):
        element = elements[place]
        own_line = line(element.place)
        if own_line != last_line and (
            (assigned and words) or last_line - own_line > 2 or (words and _ended(element))
        ):
            break
        last_line = own_line
        if isinstance(element, Group):
            if element.bracket == "{":
                break
            types += _inside(element)
            lengths += _lengths(element)
            if assigned and not words and len(element.elements) == 1:
                # [ROOK] = {...}
                designated += _inside(element)
            continue
        text = element.text
        if text == ";" or (text == "," and not angles):
            break
        angles += (text == ">") - (text == "<")
        if text in _ASSIGNS:
            before = elements[place - 1] if place else None
            if text == ":" and isinstance(before, Token) and before.text in _SECTIONS:
                break
            if assigned and text != ":" and words:
                break
            assigned = True
            callers = words if callers is None else callers
            words = []
        elif element.kind == "number" and angles and element.value is not None:
            lengths.append(element.value)
        elif element.kind in ("name", "text") and re.fullmatch(r"[\w$@.\-]{1,60}", text):
            words.append(text)
            all_words.append(text)
            types.append(text)
    named = [word for word in words if not _NO_NAME.fullmatch(word)] or designated[:1]
    if callers is None:
        # `return f([...])`, or `f(` alone: the list's own name comes first where it has one.
        callers = words[: words.index("return")] if "return" in words else []
        group = elements[at]
        if not callers and isinstance(group, Group) and group.bracket == "(":
            callers = words[:1]
    return Header(
        named[0] if named else "", tuple(all_words), tuple(callers), tuple(types), tuple(lengths)
    )


def _inside(group: Group) -> list[str]:
    """The words in square brackets, `[u64; 64]`; those of an argument list are not of the list."""
    if group.bracket != "[" or group.numbers > 2:
        return []
    words: list[str] = []
    for element in group.elements:
        if isinstance(element, Group):
            words += _inside(element)
        elif element.kind == "name":
            words.append(element.text)
    return words


def _lengths(group: Group) -> list[int]:
    """The length in square brackets: their only number, behind nothing, `u64;` or `0..`."""
    if group.bracket != "[" or group.numbers not in (1, 2) or len(group.elements) > 5:
        return []
    numbers = [e.value for e in group.elements if isinstance(e, Token) and e.kind == "number"]
    signs = [e.text for e in group.elements if isinstance(e, Token) and e.kind == "operator"]
    if len(numbers) == 2 and numbers[0] == 0 and signs and set("".join(signs)) == {"."}:
        return [(numbers[1] or 0) + 1]
    if len(numbers) != 1 or signs or numbers[0] is None:
        return []
    return [numbers[0]]


def _ended(element: Element) -> bool:
    """A statement of an earlier line that has nothing to do with the next."""
    return isinstance(element, Token) and element.kind in ("number", "separator")


def split_words(*names: str) -> frozenset[str]:
    """The words of identifiers, in lower case: "RookMagics" and "rook_magics" have the same."""
    found: set[str] = set()
    for name in names:
        for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name):
            found.add(part.lower())
    return frozenset(found)
