"""The square order of an engine, where its source lists the squares by name."""

import re

from magicert.board import Board
from magicert.square_order import orders, square_at
from magicert.verify.source.text.lexing import Code

_SQUARE = re.compile(
    r"(?<![A-Za-z0-9])(?:SQ_?|SQUARE_?|sq_?)?([a-zA-Z][1-9][0-9]{0,2})(?![A-Za-z0-9_])"
)


def enumerated_order(code: Code, file: str, board: Board) -> tuple[str, str] | None:
    """The order that the first run of square names follows, with its place; None without one."""
    names: list[str] = []
    squares = {board.name(square) for square in range(board.squares)}
    fewest = min(max(board.files, board.ranks) + 1, board.squares)  # tells all orders apart
    start = 0
    for match in _SQUARE.finditer(code.text):
        if match[1].lower() not in squares:
            continue
        following = code.text[match.end() : match.end() + 12]
        names = [*names, match[1].lower()]
        if len(names) == 1:
            start = match.start()
        found = _following(names, board)
        if found is None:
            names, start = [match[1].lower()], match.start()
        elif len(names) >= fewest and len(found) == 1:
            value = re.match(r"\s*(?:=|:)\s*(\d+)", following)
            if value and int(value[1]) not in (len(names) - 1, len(names)):
                return None
            return found[0], f"{file}, line {code.line(start)}"
    return None


def _following(names: list[str], board: Board) -> list[str] | None:
    found = [
        order
        for order in orders(board)
        if all(
            board.name(square_at(order, place, board)) == name
            for place, name in enumerate(names[: board.squares])
        )
    ]
    return found or None
