"""Look one occupancy up in a table, by the formula that is verified."""

from collections.abc import Mapping
from pathlib import Path

from magicert.board import place_of, square_name, squares_of
from magicert.dataclass import dataclass
from magicert.formula.arrays import ints
from magicert.jobs.read_sources import table_from
from magicert.problem import InputError, Problem
from magicert.verify.table.counterexample import Position, Witness
from magicert.verify.table.layout import lay_out, swap_bytes


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


def look_up(path: Path, piece: str, square: int, occupancy: int) -> LookedUp:
    """Look up a piece. Raises InputError where the table lacks the piece, or is none."""
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
        occupancy=witness.hex(engine),
        mirrored=mirrored,
        index=index,
        offset=int(layout.offset[row]),
        slot=layout.offset[row] + index,
        result=None if layout.table.result is None else str(layout.table.result),
    )
