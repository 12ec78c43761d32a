"""How a piece of any board moves, in the engine's numbering: what an emitted fill routine walks.

A square of an engine has the number y * files + x. Which corner that counts from, and whether it
runs along the files of the board, is the table's `order`. Steps and regions are turned alike, so
that one walk in x and y serves every order.
"""

from dataclasses import dataclass

from magicert.board import BY_FILES, Board, Kind, Movement

LAME_FROM_TARGET = "lame leaper from target"


@dataclass(frozen=True, slots=True)
class Frame:
    """How squares are numbered: `across` in a row of numbers, `up` such rows."""

    across: int
    up: int

    @property
    def squares(self) -> int:
        """How many there are."""
        return self.across * self.up


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
    return Frame(*(sides[::-1] if order.endswith(BY_FILES) else sides))


def moves(board: Board, order: str, movement: Movement) -> Moves:
    """A piece in the numbering of an order."""
    corner = board.place(board.parse(order.removesuffix(BY_FILES)))
    swapped = order.endswith(BY_FILES)

    def turned(step: tuple[int, int]) -> tuple[int, int]:
        x, y = (-n if place else n for n, place in zip(step, corner, strict=True))
        return (y, x) if swapped else (x, y)

    def placed(square: tuple[int, int]) -> tuple[int, int]:
        x, y = (abs(n - place) for n, place in zip(square, corner, strict=True))
        return (y, x) if swapped else (x, y)

    steps = [
        Move(_rule(atom.kind, atom.from_target), *turned(step), atom.limit)
        for atom in movement.atoms
        for step in atom.steps
    ]
    corners = [(placed(region.low), placed(region.high)) for region in movement.regions]
    regions = [(*map(min, one, two), *map(max, one, two)) for one, two in corners]
    size = frame(board, order)
    whole = (0, 0, size.across - 1, size.up - 1)
    return Moves(tuple(steps), tuple((r[0], r[1], r[2], r[3]) for r in regions) or (whole,))


def _rule(kind: Kind, from_target: bool) -> str:
    return LAME_FROM_TARGET if from_target else kind
