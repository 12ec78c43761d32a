"""Any piece on a square of a board of at most 64: the occupancies of its mask, with attack sets.

Rook and bishop of chess are `Slider`. To engines and certificates this is a list of words with
values, as keys are.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from magicert.board import Board, Movement
from magicert.board.masks import bundles, least_mask
from magicert.board.walk import attack_set
from magicert.cell.record import Subject
from magicert.occupancy import carry_rippler, numbered

MOST_WINDOW_SQUARES = 12
"""The window search comes to an end for chess's rooks, which have so many."""


@dataclass(frozen=True, slots=True)
class Mover(Subject):
    """A piece on a square. The words are the occupancies of its least mask, in pdep order."""

    board: Board
    movement: Movement
    square: int

    @property
    def kind(self) -> str:
        """No piece of chess's."""
        return "piece"

    @property
    def words(self) -> tuple[int, ...]:
        """All occupancies of the mask."""
        return _occupancies(self)

    @property
    def values(self) -> tuple[int, ...]:
        """The attack sets, as numbers."""
        return _numbers(self)

    @property
    def mask(self) -> int:
        """The squares whose occupancy can change the attack set."""
        return least_mask(self.board, self.movement, self.square)

    @property
    def usual_bits(self) -> int:
        """The popcount of the mask; one where it is empty."""
        return max(1, self.mask.bit_count())

    def suits_window(self, bits: int) -> bool:
        """As sparse as chess's."""
        return self.mask.bit_count() <= MOST_WINDOW_SQUARES

    @property
    def stream(self) -> int:
        """Behind those of chess's squares and of keys."""
        return 130 + self.square

    @property
    def parts(self) -> tuple[str, list[list[int]]]:
        """The words with the numbers of their values, as a list of keys."""
        return "keys", [list(pair) for pair in zip(self.words, self.values, strict=True)]

    @property
    def described(self) -> dict[str, Any]:
        """The same, as a certificate has them."""
        pairs = zip(self.words, self.values, strict=True)
        return {"keys": [[hex(word), number] for word, number in pairs]}

    @property
    def named(self) -> dict[str, Any]:
        """Piece, board and square by name."""
        return {
            "piece": self.movement.name,
            "board": str(self.board),
            "square": self.board.name(self.square),
        }

    def values_again(self) -> Iterator[int]:
        """From first principles: the walk for every occupancy."""
        return (attack_set(self.board, self.movement, self.square, o) for o in self.words)

    def __str__(self) -> str:
        return f"{self.movement.name} {self.board.name(self.square)} on {self.board}"


@cache
def _occupancies(mover: Mover) -> tuple[int, ...]:
    return tuple(carry_rippler(mover.mask))


@cache
def _numbers(mover: Mover) -> tuple[int, ...]:
    """Bundles of steps have no target in common, and depend on few squares each."""
    sets = [0] * len(mover.words)
    for bundle in bundles(mover.board, mover.movement, mover.square):
        known: dict[int, int] = {}
        blockers = sum(1 << square for square in bundle.blockers)
        for place, word in enumerate(mover.words):
            own = word & blockers
            if own not in known:
                known[own] = bundle.attacks(mover.board, mover.movement, mover.square, own)
            sets[place] |= known[own]
    return numbered(sets)
