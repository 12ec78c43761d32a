"""What a table is, independent of the file that it came from.

Lists are in *listing* order: row j belongs to the square `square_at(listing, j)`. The
lists of a half board end with rank 4: a lookup for the other squares swaps the bytes of the
occupancy, looks up square ^ 56 and swaps the bytes of the attack set found.
Bitboards (masks, occupancies) are in the engine's own bit numbering, `order`. A
scalar stands for all squares and is kept as a tuple of one value, so that what
was written as one number is written back as one number.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal, get_args

from magicert.board import CHESS, Board, bitboard, place_of, square_at, squares_of
from magicert.chess import Piece
from magicert.formula import Formula
from magicert.movement import Movement, attacks_of
from magicert.problem import InputError, Problem

Values = tuple[int, ...]
"""One value for all squares, or one a row: one a square of the board, or 32 of a half board."""

MAX_BUFFER = 1 << 32
"""Longest buffer that a table may declare, in slots."""

WHOLE_BOARD, HALF_BOARD = "whole", "ranks 1-4"
"""Which squares of chess's board a table holds, as table files and reports call them."""

MaskRule = Literal["usual", "least"]
MASK_RULES: tuple[MaskRule, ...] = get_args(MaskRule)
"""Which masks a piece has that are not given one by one: `usual_mask` or `least_mask`."""


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
    replay: str = ""

    @property
    def described(self) -> dict[str, str | int]:
        """What it says, by field."""
        return {name: value for name, value in asdict(self).items() if value not in ("", None)}


@dataclass(frozen=True, slots=True, repr=False)
class PieceTable:
    """The part of a table that belongs to one piece.

    `piece` is its name (chess's rook and bishop are members of `Piece`), `movement` how it moves.
    Without masks among the parameters `masks` says which ones it has.

    `parameters` holds the values of the formulas' names other than `occ`, and of `mask` only
    where the file gives it. `result` makes the attack set from the loaded word (None: it is the
    attack set). Without `offset` the squares stand one after another in listing order, each with
    `square_size` slots (None: what the formula can reach). `buffer_size` is the declared length
    of the piece's own buffer. `literal` names the sidecar file of the finished buffer;
    `set_offset` is where the attack sets of a square start in a two-level table.

    With `numbers_of` the piece makes the lookups of another one, of which it has the index, the
    parameters and the places: a number of the first level then means an attack set of each.
    """

    piece: str
    movement: Movement
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
    masks: MaskRule = "usual"
    numbers_of: str | None = None

    @property
    def slider(self) -> Piece:
        """Chess's rook or bishop, for code that serves chess only. ValueError for another piece."""
        return Piece(self.piece)

    def __repr__(self) -> str:
        """Short: a prompt shows it, and the numbers fill a screen."""
        return f"<PieceTable {self.piece}: {self.index.text}>"


@dataclass(frozen=True, slots=True)
class JoinedPiece:
    """A piece without a lookup of its own: its attack set is the OR of those of its `parts`, which
    are other pieces of the table, and of `leaps`, squares that it attacks whatever is occupied.

    Without `leaps` they are those steps of its movement that nothing blocks.
    """

    movement: Movement
    parts: tuple[str, ...]
    leaps: Values | None = None


@dataclass(frozen=True, slots=True)
class TwoLevel:
    """A buffer of small numbers that point into a buffer of the distinct attack sets.

    With `words` all pieces point into one buffer of so many words, `literal_words` its sidecar.
    """

    entry_bits: int
    words: int | None = None
    literal_words: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """A whole table: pieces by their names, in one shared buffer or in one each."""

    name: str
    pieces: Mapping[str, PieceTable]
    order: str = "a1"
    listing: str = "a1"
    shared: bool = False
    buffer_size: int | None = None
    literal: str | None = None
    two_level: TwoLevel | None = None
    provenance: Provenance = field(default_factory=Provenance)
    half_board: bool = False
    board: Board = CHESS
    joined: Mapping[str, JoinedPiece] = field(default_factory=dict)
    """Pieces that are made of those in `pieces`, by their names."""

    def __repr__(self) -> str:
        """Short, as that of a piece's table."""
        return f"<Table {self.name!r}: {', '.join(self.pieces)}>"

    @property
    def extent(self) -> str:
        """Which squares the table holds, as table files and reports call them."""
        if self.board != CHESS:
            return str(self.board)
        return HALF_BOARD if self.half_board else WHOLE_BOARD

    @property
    def rows(self) -> int:
        """How many squares the table holds, and how long its lists are."""
        return self.board.squares // 2 if self.half_board else self.board.squares

    def row_square(self, row: int) -> int:
        """The square (a1=0) that row `row` of the lists belongs to."""
        return square_at(self.listing, row, self.board)

    def row_bit(self, row: int) -> int:
        """The engine's own bit number of that square."""
        return place_of(self.order, self.row_square(row), self.board)

    def bit_square(self, bit: int) -> int:
        """The square (a1=0) that a bit of the engine's bitboards stands for."""
        return square_at(self.order, bit, self.board)

    def is_chess(self) -> bool:
        """Whether all of it is chess's rooks and bishops, on chess's board."""
        if self.joined or self.board != CHESS:
            return False
        return all(isinstance(piece, Piece) for piece in self.pieces)

    def leaps_of(self, name: str) -> list[int] | None:
        """What a joined piece attacks whatever is occupied, by the bits of the engine: as given, or
        by its movement; None where it has none.
        """
        piece = self.joined[name]
        if piece.leaps is not None:
            words = [0] * self.board.squares
            for row in range(self.rows):
                words[self.row_bit(row)] = value_at(piece.leaps, row)
            return words if any(words) else None
        from magicert.betza import leaps_of

        leaps = leaps_of(piece.movement)
        if leaps is None:
            return None
        return [self._bits(attacks_of(self.board, leaps, self.bit_square(bit), 0))
                for bit in range(self.board.squares)]  # fmt: skip

    def _bits(self, squares: int) -> int:
        """Squares of the board (a1 = 0) in the engine's bits."""
        places = (place_of(self.order, square, self.board) for square in squares_of(squares))
        return bitboard(places)


# What serves chess's rook and bishop only, on the 8x8 board, says so in one place.


def chess_only(table: Table, what: str, file: str = "") -> None:
    """Refuse a table of another board or of other pieces, for `what` serves chess only.

    Raises InputError.
    """
    if table.is_chess():
        return
    others = ", ".join(piece for piece in table.pieces if not isinstance(piece, Piece))
    actual = f"a table of {others} on {table.board}" if others else f"a table on {table.board}"
    message = f"{actual}: {what} serves chess only: expected rook and bishop on 8x8"
    raise InputError([Problem(message, file=file)])


def chess_pieces(table: Table, what: str, file: str = "") -> dict[Piece, PieceTable]:
    """The rook's and the bishop's part of a table; `chess_only` of any other."""
    chess_only(table, what, file)
    return {piece_table.slider: piece_table for piece_table in table.pieces.values()}
