"""One lookup of a table, step by step, by the formulas that are verified."""

from collections.abc import Mapping
from dataclasses import dataclass

from magicert.board import place_of, squares_of
from magicert.chess import square_name
from magicert.formula.arrays import ints
from magicert.table import TableFile
from magicert.verify.table.counterexample import Position, Witness
from magicert.verify.table.layout import lay_out, swap_bytes


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a table finds an attack set. `occupancy` is in the table's own square `order`;
    `mirrored` is set for an upper square of a half board: the occupancy with swapped bytes, and the
    square that it is looked up on; `result` is the formula that makes the attack set from the
    loaded word, where the table has one.
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


def trace(file: TableFile, piece: str, square: int, occupancy: int) -> Trace:
    """Look up a piece of a table on a square with an occupancy (both with a1 = 0).

    Raises InputError for a table whose formula has no value there.
    """
    table = file.table
    layouts = (layout for buffer in lay_out(file) for layout in buffer.pieces)
    layout = next(layout for layout in layouts if layout.table.piece == piece)
    row = next(row for row in layout.rows if table.row_square(row) == square)
    engine = sum(
        1 << place_of(table.order, blocker, table.board) for blocker in squares_of(occupancy)
    )
    index = Witness(table).index(Position(layout, row, engine))
    mirrored = None
    if layout.mirrored[row]:
        mirrored = swap_bytes(engine), square_name(table.row_square(layout.home(row)))
    result = layout.table.result
    return Trace(
        table=table.name,
        formula=str(layout.table.index),
        parameters={name: int(ints(words[row, 0])) for name, words in layout.parameters.items()},
        order=table.order,
        occupancy=table.board.hex(engine),
        mirrored=mirrored,
        index=index,
        offset=int(layout.offset[row]),
        slot=layout.offset[row] + index,
        result=None if result is None else str(result),
    )
