"""A slider on a square: the occupancies of its mask, each with its attack set."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from magicert.board import Piece, attack_set, mask, square_name
from magicert.cell.record import Cell, Subject
from magicert.occupancy import all_occupancies
from magicert.problem import InputError, Problem
from magicert.scheme import Scheme


@dataclass(frozen=True, slots=True)
class Slider(Subject):
    """A piece on a square. The words are the occupancies in pdep order."""

    piece: Piece
    square: int

    @property
    def kind(self) -> str:
        """The piece."""
        return self.piece.value

    @property
    def words(self) -> tuple[int, ...]:
        """All occupancies of the mask."""
        return all_occupancies(self.piece, self.square).occupancies

    @property
    def values(self) -> tuple[int, ...]:
        """The attack sets, as numbers."""
        return all_occupancies(self.piece, self.square).attacks

    @property
    def mask(self) -> int:
        """The relevant occupancy."""
        return mask(self.piece, self.square)

    @property
    def usual_bits(self) -> int:
        """c, the popcount of the mask: from there on every square has magics."""
        return self.mask.bit_count()

    def suits_window(self, bits: int) -> bool:
        """All sparse enough."""
        return True

    @property
    def stream(self) -> int:
        """1 to 128."""
        return 64 * list(Piece).index(self.piece) + self.square + 1

    @property
    def place(self) -> tuple[Piece, int]:
        """Piece and square."""
        return self.piece, self.square

    @property
    def parts(self) -> tuple[str, int]:
        """Piece and square, as text and number."""
        return self.piece.value, self.square

    @property
    def described(self) -> dict[str, Any]:
        """Piece and square, by name."""
        return {"piece": self.piece.value, "square": square_name(self.square)}

    def values_again(self) -> Iterator[int]:
        """From first principles: the ray walk for every occupancy."""
        return (attack_set(self.piece, self.square, occupancy) for occupancy in self.words)

    def __str__(self) -> str:
        return f"{self.piece} {square_name(self.square)}"


def square_cell(
    scheme: Scheme,
    piece: Piece,
    square: int,
    bits: int,
    fixed: Mapping[str, int] | None = None,
    largest_index: int | None = None,
) -> Cell:
    """The cell of a slider on a square."""
    return Cell(scheme, Slider(piece, square), bits, fixed or {}, largest_index)


def slider_of(cell: Cell) -> Slider:
    """The slider that a cell is about. Raises InputError where it is about anything else."""
    if not isinstance(cell.about, Slider):
        raise InputError([Problem("expected a slider on a square", key=str(cell))])
    return cell.about
