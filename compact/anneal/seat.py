"""A seat: one square's choice of magic, added constant and offset, and the slots it uses."""

from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from magicert.board import Piece, square_name
from magicert.compact.anneal.squares import CellData, Slots
from magicert.compact.compiled import Count, Word

Key = tuple[Piece, int]
"""A piece and the square (a1=0) that it stands on."""


class Choice(NamedTuple):
    """What is chosen for a square. Compiled code takes uint64 and int64."""

    magic: Word
    constant: Word = 0
    offset: Count = 0


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """A cell's place in a buffer: its choice, and the indexes that it uses, sorted.

    No two attack sets of the cell share an index.
    """

    cell: CellData
    choice: Choice
    used: Slots

    def __reduce__(self) -> tuple[object, ...]:
        # Other processes find the used indexes themselves.
        return Seat.valid, (self.cell, self.choice)

    @classmethod
    def of(cls, cell: CellData, choice: Choice) -> Self | None:
        """The seat of a choice; None where the magic has a conflict."""
        used = cell.used_indexes(choice.magic, choice.constant)
        return None if used is None else cls(cell, choice, used)

    @classmethod
    def valid(cls, cell: CellData, choice: Choice) -> Self:
        """The seat of a choice. Raises ValueError where the magic has a conflict."""
        seat = cls.of(cell, choice)
        if seat is None:
            square = f"{cell.square.piece} {square_name(cell.square.square)}"
            raise ValueError(f"{square}: {choice.magic:#018x} has a conflict")
        return seat

    def at(self, offset: int) -> Self:
        """The same magic and constant at another offset."""
        return replace(self, choice=self.choice._replace(offset=offset))

    @property
    def piece(self) -> Piece:
        """The piece."""
        return self.cell.square.piece

    @property
    def square(self) -> int:
        """The square (a1=0)."""
        return self.cell.square.square

    @property
    def key(self) -> Key:
        """Piece and square."""
        return self.piece, self.square

    @property
    def offset(self) -> int:
        """The slot of index 0."""
        return self.choice.offset

    @property
    def slots(self) -> Slots:
        """The slots that the square uses, sorted."""
        return self.used + self.offset

    @property
    def end(self) -> int:
        """The last slot used + 1."""
        return int(self.used[-1]) + self.offset + 1
