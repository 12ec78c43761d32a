"""Brackets, nested: the tree that lists are found in."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Union

from magicert.verify.source.text.tokens import Token

DEEPEST = 40
"""No source nests deeper around a table; brackets beyond this are taken as level."""

_PAIRS = {"(": ")", "[": "]", "{": "}", "[|": "|]"}


@dataclass(slots=True, eq=False)
class Group:
    """What stands between two brackets. `numbers` counts the numbers at any depth.

    The whole source is a group without brackets. Places are those of the code.
    """

    bracket: str
    place: int
    elements: list["Element"] = field(default_factory=list)
    end: int = -1
    numbers: int = 0


Element = Union[Token, Group]  # noqa: UP007 - Group is a forward name at this point


def nest(tokens: Iterable[Token]) -> Group:
    """The tree of a source. A bracket that closes nothing is passed over."""
    root = Group("", 0)
    open_groups = [root]
    level = 0
    """How many brackets beyond DEEPEST are open."""
    for token in tokens:
        group = open_groups[-1]
        if token.kind == "open":
            if len(open_groups) > DEEPEST:
                level += 1
                continue
            inner = Group(token.text, token.place)
            group.elements.append(inner)
            open_groups.append(inner)
        elif token.kind == "close":
            if level:
                level -= 1
            else:
                _close(open_groups, token)
        else:
            if token.kind == "number" or (token.kind == "text" and token.text[-1:].isalnum()):
                group.numbers += 1
            group.elements.append(token)
    while len(open_groups) > 1:
        _close_last(open_groups, open_groups[-1].place)
    return root


def _close(open_groups: list[Group], token: Token) -> None:
    # An opening bracket that nobody closes ends where one around it does.
    for depth in range(len(open_groups) - 1, 0, -1):
        if _PAIRS[open_groups[depth].bracket] == token.text:
            while len(open_groups) > depth:
                _close_last(open_groups, token.place)
            return


def _close_last(open_groups: list[Group], place: int) -> None:
    group = open_groups.pop()
    group.end = place
    open_groups[-1].numbers += group.numbers


def items(group: Group) -> Iterator[list[Element]]:
    """The items of a group: what its separators separate, or, without separators, each value.

    Two values with nothing between them are two items (`[0x1 0x2]`, one a line).
    """
    item: list[Element] = []
    for element in group.elements:
        if isinstance(element, Token) and element.kind == "separator":
            if item:
                yield item
            item = []
        elif item and not _applies(item, group) and _begins_anew(item[-1], element):
            yield item
            item = [element]
        else:
            item.append(element)
    if item:
        yield item


def _applies(item: list[Element], group: Group) -> bool:
    """Is this a function with its arguments, `xor 5 0x1`, in a list with separators?"""
    first = item[0]
    return (
        isinstance(first, Token)
        and first.kind == "name"
        and any(isinstance(e, Token) and e.kind == "separator" for e in group.elements)
    )


def _begins_anew(before: Element, element: Element) -> bool:
    if isinstance(element, Group):
        return False
    value = element.kind in ("number", "text")
    if isinstance(before, Group):
        return value and before.bracket in ("{", "[", "[|") and before.numbers > 1
    return value and before.kind in ("number", "text")
