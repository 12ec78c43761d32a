"""The square order of an engine, where its source lists the squares by name."""

import re

from magicert.board import square_name
from magicert.square_order import ORDERS, square_at
from magicert.verify.source.text.lexing import Code

_SQUARE = re.compile(r"(?<![A-Za-z0-9])(?:SQ_?|SQUARE_?|sq_?)?([a-hA-H][1-8])(?![A-Za-z0-9_])")
_FEWEST = 9
"""Two ranks' beginning tells all eight orders apart."""


def enumerated_order(code: Code, file: str) -> tuple[str, str] | None:
    """The order that the first run of square names follows, with its place; None without one."""
    names: list[str] = []
    start = 0
    for match in _SQUARE.finditer(code.text):
        following = code.text[match.end() : match.end() + 12]
        names = [*names, match[1].lower()]
        if len(names) == 1:
            start = match.start()
        found = _following(names)
        if found is None:
            names, start = [match[1].lower()], match.start()
        elif len(names) >= _FEWEST and len(found) == 1:
            value = re.match(r"\s*(?:=|:)\s*(\d+)", following)
            if value and int(value[1]) not in (len(names) - 1, len(names)):
                return None
            return found[0], f"{file}, line {code.line(start)}"
    return None


def _following(names: list[str]) -> list[str] | None:
    orders = [
        order
        for order in ORDERS
        if all(
            square_name(square_at(order, place)) == name for place, name in enumerate(names[:64])
        )
    ]
    return orders or None
