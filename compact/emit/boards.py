"""What an emitted table of another board or of other pieces says, and what of it is computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from magicert.formula.tree import (
    OCCUPANCY,
    SHIFTS,
    Binary,
    Literal,
    Name,
    Node,
    children,
    evaluate,
    names,
    with_children,
)
from magicert.table import Table
from magicert.table.write import movement_toml

Rows = Mapping[str, list[int]]


def pieces_named(table: Table) -> str:
    """What the table is of: "rook and bishop", or "rook and cannon (9x10)"."""
    if table.is_chess():
        return "rook and bishop"
    *first, last = map(str, table.pieces)
    named = f"{', '.join(first)} and {last}" if first else last
    return f"{named} ({table.board})"


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What a source does not say of itself: the board, the square order, how each piece moves, as
    table files write it.
    """

    board: str
    order: str
    pieces: Mapping[str, str]

    @property
    def short(self) -> bool:
        """Whether options say it: every piece has a name or a notation."""
        return all(text.startswith('"') for text in self.pieces.values())

    def lines(self, filename: str, lists: Mapping[str, str]) -> list[str]:
        """How `filename` is read back, in which a list of each piece has a name."""
        turned = self.order != "a1"
        if self.short:
            options = [f"--board {self.board}", *([f"--order {self.order}"] * turned)]
            options += [f"--piece {lists[name]}={how[1:-1]}" for name, how in self.pieces.items()]
            return [f"Read it back: magicert verify {filename} {' '.join(options)}"]
        order = [f'    order = "{self.order}"'] * turned
        pieces = [
            f"    {line}"
            for name, how in self.pieces.items()
            for line in (f"[{lists[name]}]", f"piece = {how}")
        ]
        first = f"Read it back: magicert verify {filename}, with {filename}.toml beside it:"
        return [first, f'    board = "{self.board}"', *order, *pieces]


def board_facts(table: Table) -> BoardFacts | None:
    """What a source of this table does not say; None of one that cannot be read back."""
    layered = any(half.result is not None for half in table.pieces.values())
    if table.is_chess() or table.two_level is not None or layered:
        return None
    pieces = {name: movement_toml(half, table.board) for name, half in table.pieces.items()}
    return BoardFacts(str(table.board), table.order, pieces)


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
