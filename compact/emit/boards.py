"""What an emitted table of another board or of other pieces says, what of it is computed, and how
pieces move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from magicert.board import BY_FILES, Board, place_of, squares_of, word_of
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
from magicert.movement import Movement
from magicert.table import Table
from magicert.table.write import movement_toml

Rows = Mapping[str, list[int]]


def pieces_named(table: Table) -> str:
    """What the table is of: "rook and bishop", or "rook and cannon (9x10)"."""
    if table.is_chess():
        return "rook and bishop"
    parts = {part for piece in table.joined.values() for part in piece.parts}
    *first, last = (*table.joined, *(str(name) for name in table.pieces if name not in parts))
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
    pieces = {name: movement_toml(half.movement) for name, half in table.pieces.items()}
    return BoardFacts(str(table.board), table.order, pieces)


def with_amounts(tree: Node, parameters: Rows) -> tuple[Node, dict[str, list[int]]]:
    """A formula whose shifts are by names or literals, and its parameters with those names.

    Only amounts without the occupancy are computed, one for each row: `128 - popcount(mask)`
    becomes `shift`, as engines write it.
    """
    named_rows = dict(parameters)
    return _name_shifts(tree, parameters, named_rows), named_rows


def _name_shifts(node: Node, parameters: Rows, named_rows: dict[str, list[int]]) -> Node:
    if isinstance(node, Binary) and node.operator in SHIFTS and _computed(node.right):
        left = _name_shifts(node.left, parameters, named_rows)
        name = next(
            n
            for n in _names()
            if n not in named_rows or named_rows[n] == _amounts(node, parameters)
        )
        named_rows[name] = _amounts(node, parameters)
        return with_children(node, (left, Name(name, node.right.span, node.right.width)))
    return with_children(
        node, tuple(_name_shifts(child, parameters, named_rows) for child in children(node))
    )


def _computed(node: Node) -> bool:
    return not isinstance(node, Name | Literal) and OCCUPANCY not in names(node)


def _names() -> Sequence[str]:
    return ("shift", *(f"shift_{number}" for number in range(2, 100)))


def _amounts(shift: Binary, parameters: Rows) -> list[int]:
    """The amount of each row. One of the width or more, which languages do not define, is of a
    square where 0 is shifted, and any other will do.
    """
    rows = len(next(iter(parameters.values())))
    amounts = (
        evaluate(shift.right, {name: words[row] for name, words in parameters.items()})
        for row in range(rows)
    )
    return [min(amount, shift.width - 1) for amount in amounts]


# How a piece of any board moves, in the engine's numbering: what an emitted fill routine walks.
#
# A square of an engine has the number y * files + x. Which corner that counts from, and whether it
# runs along the files of the board, is the table's `order`. Steps and regions are turned alike, so
# that one walk in x and y serves every order.

LAME_FROM_TARGET = "lame leaper from target"


@dataclass(frozen=True, slots=True)
class Frame:
    """How squares are numbered: `across` in a row of numbers, `up` such rows; the numbers of those
    that are no part of the board.
    """

    across: int
    up: int
    holes: tuple[int, ...] = ()

    @property
    def squares(self) -> int:
        """How many there are."""
        return self.across * self.up

    @property
    def word(self) -> int:
        """The bits of the words that hold a bitboard."""
        return word_of(self.squares)


CHESS_FRAME = Frame(8, 8)


@dataclass(frozen=True, slots=True)
class Move:
    """One step, and the rule that it follows; a lame leaper may be seen from its target."""

    rule: str
    x: int
    y: int
    limit: int


@dataclass(frozen=True, slots=True)
class Moves:
    """All steps of a piece, and the regions that it may not leave: left, low, right, high.

    A piece without regions has one, the board.
    """

    steps: tuple[Move, ...]
    regions: tuple[tuple[int, int, int, int], ...]


def frame(board: Board, order: str) -> Frame:
    """How the squares of an order are numbered."""
    sides = (board.files, board.ranks)
    across, up = sides[::-1] if order.endswith(BY_FILES) else sides
    holes = sorted(place_of(order, square, board) for square in squares_of(board.holes))
    return Frame(across, up, tuple(holes))


def moves(board: Board, order: str, movement: Movement) -> Moves:
    """A piece in the numbering of an order."""
    corner = board.place(board.parse_corner(order.removesuffix(BY_FILES)))
    swapped = order.endswith(BY_FILES)

    def turned(step: tuple[int, int]) -> tuple[int, int]:
        x, y = (-n if place else n for n, place in zip(step, corner, strict=True))
        return (y, x) if swapped else (x, y)

    def placed(square: tuple[int, int]) -> tuple[int, int]:
        x, y = (abs(n - place) for n, place in zip(square, corner, strict=True))
        return (y, x) if swapped else (x, y)

    steps = [
        Move(LAME_FROM_TARGET if atom.from_target else atom.kind, *turned(step), atom.limit)
        for atom in movement.atoms
        for step in atom.steps
    ]
    corners = [(placed(region.low), placed(region.high)) for region in movement.regions]
    regions = [(*map(min, first, second), *map(max, first, second)) for first, second in corners]
    size = frame(board, order)
    whole = (0, 0, size.across - 1, size.up - 1)
    return Moves(tuple(steps), tuple((r[0], r[1], r[2], r[3]) for r in regions) or (whole,))
