"""Any piece on a square of any board: the occupancies of its mask, with attack sets.

Rook and bishop of chess are `Slider`. To engines and certificates this is a list of words with
values, as keys are.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from magicert.board import Board, Movement, attacks_of, least_mask, usual_mask
from magicert.cell.record import Subject

MOST_WINDOW_SQUARES = 12
"""The window search comes to an end for chess's rooks, which have so many."""

MASKS = {"least": least_mask, "usual": usual_mask}


@dataclass(frozen=True, slots=True)
class Mover(Subject):
    """A piece on a square. The words are the occupancies of its mask, in pdep order."""

    board: Board
    movement: Movement
    square: int
    masks: Literal["least", "usual"] = "least"

    @property
    def kind(self) -> str:
        """No piece of chess's."""
        return "piece"

    @property
    def words(self) -> tuple[int, ...]:
        """All occupancies of the mask. Raises InputError for a mask that is too wide."""
        return _words_and_values(self)[0]

    @property
    def values(self) -> tuple[int, ...]:
        """The attack sets, as numbers."""
        return _words_and_values(self)[1]

    @property
    def mask(self) -> int:
        """The usual one, or the squares whose occupancy can change the attack set."""
        return MASKS[self.masks](self.board, self.movement, self.square)

    @property
    def width(self) -> int:
        """64, or 128 beyond 64 squares."""
        return self.board.word

    @property
    def usual_bits(self) -> int:
        """The popcount of the mask; one where it is empty."""
        return max(1, self.mask.bit_count())

    def suits_window(self, bits: int) -> bool:
        """As sparse as chess's."""
        return self.width == 64 and self.mask.bit_count() <= MOST_WINDOW_SQUARES

    @property
    def stream(self) -> int:
        """By its square, as of chess's rook."""
        return self.square + 1

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
        return (attacks_of(self.board, self.movement, self.square, o) for o in self.words)

    def __str__(self) -> str:
        piece = self.movement.name or "piece"
        return f"{piece} {self.board.name(self.square)} on {self.board}"


@lru_cache(maxsize=256)
def _words_and_values(mover: Mover) -> tuple[tuple[int, ...], tuple[int, ...]]:
    from magicert.cell.blockers import blockers_of

    found = blockers_of(mover.board, mover.movement, mover.square, mover.mask)
    words = found.low.tolist()
    if mover.width > 64:
        pairs = zip(words, found.high.tolist(), strict=True)
        words = [low | high << 64 for low, high in pairs]
    return tuple(words), tuple(found.numbers.tolist())
