"""Show one piece on a square with its lookup in a table, or squares in all square orders."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.betza import parse_piece
from magicert.board import (
    CHESS,
    ORDERS,
    Board,
    Movement,
    Piece,
    attacks_of,
    bitboard,
    least_mask,
    place_of,
    square_at,
    square_name,
    squares_of,
    usual_mask,
)
from magicert.data import find_table, tables_by_name
from magicert.outcome import Answered, OutcomeKind, Watch
from magicert.problem import InputError, Problem
from magicert.requests.request import (
    File,
    Given,
    Kind,
    Occupancy,
    OfPiece,
    OfSquare,
    OnBoard,
    Request,
    ShippedName,
    option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from magicert.atlas import Range
    from magicert.table import Table


def other_game(path: Path | None) -> "Table | None":
    """What --table names, if that is a table file of another board or of other pieces."""
    try:
        return _other_game(path, path.stat().st_mtime_ns) if path else None
    except (InputError, OSError):
        return None  # an engine's source, or what the lookup will say


@lru_cache(1)
def _other_game(path: Path, _written: int) -> "Table | None":
    """Read once for piece, square and occupancy, as it was written at that time."""
    from magicert.table import read_table

    table = read_table(path).table
    return None if table.is_chess() else table


class OfTable:
    """Reads what depends on --board with the board of --table, where that has another one."""

    def read(self, text: str, given: Given) -> Any:  # noqa: ANN401
        table = other_game(given.get("table"))
        if table is not None and isinstance(self, OfPiece) and text in table.pieces:
            return text
        board = given.get("board") or (table and table.board)
        return super().read(text, {**given, "board": board})  # type: ignore[misc]


class PieceOf(OfTable, OfPiece):
    """A piece of --table, or any."""


class SquareOf(OfTable, OfSquare):
    """A square of that board."""


class OccupancyOf(OfTable, Occupancy):
    """A set of its squares."""


@dataclass(frozen=True, slots=True)
class InOrders:
    """Squares (a1=0), or a number, as in 0x81: what it stands for depends on the order."""

    word: int
    is_number: bool

    @property
    def found(self) -> Mapping[str, int]:
        """In each square order the number that the squares make, or the squares (a1=0) that the
        number stands for, as a bitboard.
        """
        convert = square_at if self.is_number else place_of
        bits = [*squares_of(self.word)]
        return {order: bitboard(convert(order, bit) for bit in bits) for order in ORDERS}


class Layouts(Kind):
    """Squares, or a number."""

    def read(self, text: str, given: Given) -> InOrders:
        return InOrders(OccupancyOf().read(text, given), text.strip().lower().startswith("0x"))

    def accept(self, value: Any, given: Given) -> InOrders:  # noqa: ANN401
        return value if isinstance(value, InOrders) else self.read(value, given)


@dataclass(frozen=True, slots=True)
class LookedUp:
    """Where a table finds an attack set. `occupancy` is in the table's own square `order`;
    `mirrored` is set for an upper square of a half board: the occupancy with swapped bytes,
    and the square that it is looked up on; `result` is the formula that makes the attack set from
    the loaded word, where the table has one.
    """

    table: str
    formula: str
    parameters: Mapping[str, int]
    order: str
    occupancy: str
    mirrored: tuple[int, str] | None
    index: int
    offset: int
    slot: int
    result: str | None = None


@dataclass(frozen=True, slots=True)
class PieceOn:
    """A piece on a square with an occupancy (a1=0): its board, how it moves, its name; `least` says
    that its table has the least masks. `found` is the lookup in a table.
    """

    on: Board
    movement: Movement
    name: str
    square: int
    occupancy: int
    least: bool = False
    found: LookedUp | None = None

    @property
    def mask(self) -> int:
        rule = least_mask if self.least else usual_mask
        return rule(self.on, self.movement, self.square)

    @property
    def attacks(self) -> int:
        return attacks_of(self.on, self.movement, self.square, self.occupancy)

    @property
    def shortest(self) -> tuple[int, str, "Range"] | None:
        """What the atlas says of a chess piece's shortest table: bits, magic, range."""
        if self.on != CHESS or self.name not in tuple(Piece):
            return None
        from magicert.atlas import read_atlas
        from magicert.data import atlas_path

        place = Piece(self.name), self.square
        best = read_atlas(atlas_path(), place).best(*place)
        known = None if best is None else best.range
        if best is None or known is None:
            return None
        return best.bits, known.magic or best.magic, known

    def __str__(self) -> str:
        where = self.on.name(self.square)
        return f"{self.name} {where}, occupancy {self.on.hex(self.occupancy)}"


@dataclass(frozen=True, slots=True)
class PieceShown(Answered):
    """The piece, the squares, or both."""

    kind = OutcomeKind.VALID
    piece: PieceOn | None
    layouts: InOrders | None


@dataclass(frozen=True, slots=True)
class Show(Request[PieceShown]):
    """What is shown: a piece on a square, or squares in all orders."""

    begins = ("show",)
    piece: str | None = option(None, kind=PieceOf(), argument=True)
    square: str | int | None = option(None, kind=SquareOf(), argument=True)
    _: KW_ONLY
    occupancy: int = option(0, 'Occupied squares, "e6,c4" or 0x... (a1=0).', OccupancyOf())
    table: Path | None = option(
        None, "Look up in this table (a file, or a name).",
        ShippedName("TABLE", tables_by_name, find_table), first=True,
    )  # fmt: skip
    board: Board | None = option(
        None,
        "Another board than chess's, such as 9x10.",
        OnBoard(), "BOARD", first=True,
    )  # fmt: skip
    svg: Path | None = option(
        None, "Write the attack set's board as a picture, too.", File(output=True)
    )
    layouts: InOrders | None = option(
        None,
        "What squares are in each of the eight square orders, or what a number 0x... is there.",
        Layouts(), "SQUARE...",
    )  # fmt: skip

    def problems(self) -> "Iterator[Problem]":
        given = (self.piece, self.square)
        if None in given and (self.layouts is None or given != (None, None)):
            yield Problem("expected PIECE and SQUARE, or --layouts SQUARE...")
        if self.piece is None:
            yield from self.only_with("PIECE and SQUARE", "occupancy", "table", "board", "svg")
        table = other_game(self.table)
        if table is not None and self.board not in (None, table.board):
            yield Problem(f"--board {self.board}: expected {table.board}, the board of --table")

    def run(self, watch: Watch) -> PieceShown:
        """Raises InputError where the table lacks the piece, or is none."""
        return PieceShown(None if self.piece is None else self._piece(self.piece), self.layouts)

    def _piece(self, name: str) -> PieceOn:
        """The piece on its board: of chess, of a table, or by its notation; and its lookup."""
        table = other_game(self.table)
        own = table.pieces.get(name) if table is not None else None
        on = self.board or (table.board if table is not None else CHESS)
        movement = parse_piece(name) if own is None else own.movement
        assert self.square is not None
        square = on.parse(self.square) if isinstance(self.square, str) else self.square
        found = None
        if self.table is not None:
            found = look_up(self.table, name, square, self.occupancy)
        least = own is not None and own.masks == "least"
        return PieceOn(on, movement, name, square, self.occupancy, least, found)


def look_up(path: Path, piece: str, square: int, occupancy: int) -> LookedUp:
    """Look a piece up by the formula that is verified. Raises InputError where the table lacks it,
    or is none.
    """
    from magicert.formula.arrays import ints
    from magicert.verify.source.read import table_from
    from magicert.verify.table.counterexample import Position, Witness
    from magicert.verify.table.layout import lay_out, swap_bytes

    file = table_from(path)
    table = file.table
    if piece not in table.pieces:
        message = f"no [{piece}] in this table: expected one of {', '.join(table.pieces)}"
        raise InputError([Problem(message, file=str(path))])
    layouts = (layout for buffer in lay_out(file) for layout in buffer.pieces)
    layout = next(layout for layout in layouts if layout.table.piece == piece)
    row = next(row for row in layout.rows if table.row_square(row) == square)
    engine = sum(
        1 << place_of(table.order, blocker, table.board) for blocker in squares_of(occupancy)
    )
    witness, position = Witness(table), Position(layout, row, engine)
    index = witness.index(position)
    mirrored = None
    if layout.mirrored[row]:
        mirrored = swap_bytes(engine), square_name(table.row_square(layout.home(row)))
    return LookedUp(
        table=table.name,
        formula=str(layout.table.index),
        parameters={name: int(ints(words[row, 0])) for name, words in layout.parameters.items()},
        order=table.order,
        occupancy=table.board.hex(engine),
        mirrored=mirrored,
        index=index,
        offset=int(layout.offset[row]),
        slot=layout.offset[row] + index,
        result=None if layout.table.result is None else str(layout.table.result),
    )
