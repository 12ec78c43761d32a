"""What is wanted from nothing, and how to begin."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from magicert.board import Piece, square_name
from magicert.compact.anneal.seat import Key
from magicert.compact.anneal.squares import CellData, cell_data, square_data
from magicert.compact.pages.lines import ROW_BITS
from magicert.compact.progress import FOREVER
from magicert.system.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Wish:
    """A scheme, and the index bits of every square."""

    scheme: str
    bits: Mapping[Key, int]

    @property
    def cells(self) -> dict[Key, CellData]:
        """The cells."""
        return {key: cell_data(self.scheme, *key, bits) for key, bits in self.bits.items()}

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces that squares are wanted of."""
        return tuple(piece for piece in Piece if any(key[0] is piece for key in self.bits))

    def only(self, keys: Iterable[Key]) -> "Wish":
        """The wish for some of the squares."""
        return replace(self, bits={key: self.bits[key] for key in keys})

    def without(self, keys: Container[Key]) -> "Wish":
        """The wish for all other squares."""
        return self.only(key for key in self.bits if key not in keys)

    def of(self, pieces: Container[Piece]) -> "Wish":
        """The wish for the squares of some pieces."""
        return self.only(key for key in self.bits if key[0] in pieces)


@dataclass(frozen=True, slots=True)
class StartPlan:
    """How to begin: `shared` or one buffer for each piece, `private` slots for every square, a
    file of `pools`, at most so many rounds of refilling pages, before `refill_until`.
    """

    seed: int = 1
    shared: bool = True
    private: bool = False
    pools: Path | None = None
    refills: int = 0
    refill_until: Deadline = FOREVER

    def on_pages(self, wish: Wish) -> bool:
        """Whether rooks begin on pages."""
        rooks = {bits for (piece, _), bits in wish.bits.items() if piece is Piece.ROOK}
        return rooks == {ROW_BITS} and not self.private and self.pools is None


class NoPlaceError(ValueError):
    """Squares that cannot have so few bits. `impossible` says whether that is proved."""

    def __init__(self, message: str, impossible: bool) -> None:
        self.impossible = impossible
        super().__init__(message)


def refuse_impossible(wish: Wish) -> None:
    """Raise NoPlaceError where a square has more attack sets than indexes."""
    lacking = []
    for (piece, square), bits in wish.bits.items():
        sets = square_data(piece, square).attack_sets
        if sets > 1 << bits:
            lacking.append(
                f"{piece} {square_name(square)}: {sets} different attack sets, but only "
                f"{1 << bits} indexes of {bits} bits"
            )
    if lacking:
        raise NoPlaceError("\n".join(lacking), impossible=True)
