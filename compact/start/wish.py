"""What is wanted from nothing, and how to begin."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from magicert.board import Piece, square_name
from magicert.compact.anneal.seat import Key
from magicert.compact.anneal.squares import CellData
from magicert.compact.pages.lines import ROW_BITS
from magicert.compact.progress import FOREVER
from magicert.system.deadline import Deadline

Cells = Mapping[Key, CellData]
"""The squares that are wanted, with their scheme and bits."""


@dataclass(frozen=True, slots=True)
class StartPlan:
    """A seat for each of some cells of one scheme: `shared` or one buffer for each piece,
    `private` slots for every square, a file of `pools`, at most so many rounds of refilling
    pages, before `refill_until`.
    """

    cells: Cells
    seed: int = 1
    shared: bool = True
    private: bool = False
    pools: Path | None = None
    refills: int = 0
    refill_until: Deadline = FOREVER

    @property
    def scheme(self) -> str:
        """The scheme of all cells."""
        return next(iter(self.cells.values())).scheme

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces that squares are wanted of."""
        return tuple(piece for piece in Piece if any(key[0] is piece for key in self.cells))

    @property
    def on_pages(self) -> bool:
        """Whether rooks begin on pages."""
        rooks = {cell.bits for (piece, _), cell in self.cells.items() if piece is Piece.ROOK}
        return rooks == {ROW_BITS} and not self.private and self.pools is None


class NoPlaceError(ValueError):
    """Squares that cannot have so few bits. `impossible` says whether that is proved."""

    def __init__(self, message: str, impossible: bool) -> None:
        self.impossible = impossible
        super().__init__(message)


def refuse_impossible(cells: Cells) -> None:
    """Raise NoPlaceError where a square has more attack sets than indexes."""
    lacking = [
        f"{piece} {square_name(square)}: {cell.square.attack_sets} different attack sets, but only "
        f"{1 << cell.bits} indexes of {cell.bits} bits"
        for (piece, square), cell in cells.items()
        if cell.square.attack_sets > 1 << cell.bits
    ]
    if lacking:
        raise NoPlaceError("\n".join(lacking), impossible=True)
