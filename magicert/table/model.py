"""What a table is, independent of the file that it came from.

Lists are in *listing* order: row j belongs to the square `square_at(listing, j)`. The
lists of a half board end with rank 4: a lookup for the other squares swaps the bytes of the
occupancy, looks up square ^ 56 and swaps the bytes of the attack set found.
Bitboards (masks, occupancies) are in the engine's own bit numbering, `order`. A
scalar stands for all squares and is kept as a tuple of one value, so that what
was written as one number is written back as one number.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from magicert.board import Piece
from magicert.formula import Formula
from magicert.square_order import place_of, square_at

Values = tuple[int, ...]
"""One value for all squares, or one a row: 64, or 32 of a half board."""

MAX_BUFFER = 1 << 32
"""Longest buffer that a table may declare, in slots."""

WHOLE_BOARD, HALF_BOARD = "whole", "ranks 1-4"
"""Which squares a table holds, as table files and reports call them."""


def value_at(values: Values, row: int) -> int:
    """The value of a row: the scalar, or its own."""
    return values[0] if len(values) == 1 else values[row]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a table's numbers come from, and who deserves the credit."""

    repository: str = ""
    path: str = ""
    commit: str = ""
    licence: str = ""
    language: str = ""
    found_by: str = ""
    found_on: str = ""
    notation: str = ""
    notes: str = ""
    command: str = ""
    seed: int | None = None
    certificate: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class PieceTable:
    """The half of a table that belongs to one piece.

    `parameters` holds the values of the formulas' names other than `occ`, and of
    `mask` only where the file gives it. `result` makes the attack set from the loaded word
    (None: it is the attack set). Without `offset` the squares stand one after
    another in listing order, each with `square_size` slots (None: what the
    formula can reach). `buffer_size` is the declared length of the piece's own buffer.
    `literal` names the sidecar file of the finished buffer; `set_offset` is where the
    attack sets of a square start in a two-level table.
    """

    piece: Piece
    index: Formula
    parameters: Mapping[str, Values]
    result: Formula | None = None
    offset: Values | None = None
    square_size: Values | None = None
    buffer_size: int | None = None
    literal: str | None = None
    attack_sets: int | None = None
    set_offset: Values | None = None
    literal_sets: str | None = None

    def __repr__(self) -> str:
        """Short: a prompt shows it, and the numbers fill a screen."""
        return f"<PieceTable {self.piece}: {self.index.text}>"


@dataclass(frozen=True, slots=True)
class TwoLevel:
    """A buffer of small numbers that point into a buffer of the distinct attack sets.

    With `words` both pieces point into one buffer of so many words, `literal_words` its sidecar.
    """

    entry_bits: int
    words: int | None = None
    literal_words: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """A whole table: one or both pieces, in one shared buffer or in one each."""

    name: str
    pieces: Mapping[Piece, PieceTable]
    order: str = "a1"
    listing: str = "a1"
    shared: bool = False
    buffer_size: int | None = None
    literal: str | None = None
    two_level: TwoLevel | None = None
    provenance: Provenance = field(default_factory=Provenance)
    half_board: bool = False

    def __repr__(self) -> str:
        """Short, as that of a piece's table."""
        return f"<Table {self.name!r}: {', '.join(self.pieces)}>"

    @property
    def board(self) -> str:
        """Which squares the table holds, in words."""
        return HALF_BOARD if self.half_board else WHOLE_BOARD

    @property
    def rows(self) -> int:
        """How many squares the table holds, and how long its lists are."""
        return 32 if self.half_board else 64

    def row_square(self, row: int) -> int:
        """The square (a1=0) that row `row` of the lists belongs to."""
        return square_at(self.listing, row)

    def row_bit(self, row: int) -> int:
        """The engine's own bit number of that square."""
        return place_of(self.order, self.row_square(row))

    def bit_square(self, bit: int) -> int:
        """The square (a1=0) that a bit of the engine's bitboards stands for."""
        return square_at(self.order, bit)
