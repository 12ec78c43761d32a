"""What an emitted table of another board or of other pieces says, and what of it is computed."""

from collections.abc import Mapping, Sequence

from magicert.formula.integers import evaluate
from magicert.formula.tree import (
    OCCUPANCY,
    SHIFTS,
    Binary,
    Literal,
    Name,
    Node,
    children,
    names,
    with_children,
)
from magicert.table import Table

Rows = Mapping[str, list[int]]


def pieces_named(table: Table) -> str:
    """What the table is of: "rook and bishop", or "rook and cannon (9x10)"."""
    if table.is_chess():
        return "rook and bishop"
    *first, last = map(str, table.pieces)
    named = f"{', '.join(first)} and {last}" if first else last
    return f"{named} ({table.board})"


def asked(table: Table) -> str:
    """The options with which a source of this table is read back; "" for chess."""
    if table.is_chess():
        return ""
    pieces = (f"--piece {name}={half.movement.name or '?'}" for name, half in table.pieces.items())
    return " ".join([f"--board {table.board}", *pieces])


def with_amounts(tree: Node, given: Rows) -> tuple[Node, dict[str, list[int]]]:
    """A formula whose shifts are by names or literals, and its parameters with those names.

    Only amounts without the occupancy are computed, one for each row: `128 - popcount(mask)`
    becomes `shift`, as engines write it.
    """
    found = dict(given)
    return _named(tree, given, found), found


def _named(node: Node, given: Rows, found: dict[str, list[int]]) -> Node:
    if isinstance(node, Binary) and node.operator in SHIFTS and _computed(node.right):
        left = _named(node.left, given, found)
        name = next(n for n in _names() if n not in found or found[n] == _values(node.right, given))
        found[name] = _values(node.right, given)
        return with_children(node, (left, Name(name, node.right.span, node.right.width)))
    return with_children(node, tuple(_named(child, given, found) for child in children(node)))


def _computed(node: Node) -> bool:
    return not isinstance(node, Name | Literal) and OCCUPANCY not in names(node)


def _names() -> Sequence[str]:
    return ("shift", *(f"shift_{number}" for number in range(2, 100)))


def _values(node: Node, given: Rows) -> list[int]:
    rows = len(next(iter(given.values())))
    return [
        evaluate(node, {name: words[row] for name, words in given.items()}) for row in range(rows)
    ]
