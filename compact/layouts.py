"""Layouts: where squares lie in buffers, while they are packed, as a value, and in a file.

Plain buffers, two-level tables, the scheme that a formula is, and bounds that no layout can beat.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from magicert.chess import MOVEMENTS, Piece
from magicert.compact.bounds import fewest_slots
from magicert.compact.formula_shape import FormulaShape, shape_of
from magicert.compact.placements import Choice, Key, Placement, cell_data
from magicert.formula.arrays import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.table import (
    PieceTable,
    Provenance,
    Table,
    chess_pieces,
)
from magicert.table.files import TableFile
from magicert.table.model import Values
from magicert.verify.table.layout import PieceLayout, lay_out
from magicert.verify.table.verifier import verify

MOST_BITS = 13
"""Most index bits of a square."""


MARGIN = 1 << MOST_BITS
"""Spare slots behind the buffer in every array of slots, for squares that reach beyond it:
the kernels do not check bounds."""


class Arrangement:
    """Placements by piece and square, and how many squares use each slot, while they are packed.

    Unlike a `Layout` it may be wrong for a while: squares may overlap, so that a search can walk
    through what is not allowed. `overlaps` says how far it is from a layout.
    `capacity` is how many slots the buffer may have at most while it is worked on.
    """

    def __init__(self, placements: Iterable[Placement], capacity: int) -> None:
        self.capacity = capacity
        self.placements: dict[Key, Placement] = {}
        self.count = np.zeros(capacity + MARGIN, dtype=np.int16)
        for placement in placements:
            self.put(placement)

    def put(self, placement: Placement) -> None:
        """Place a square that has no placement."""
        self.placements[placement.key] = placement
        self.count[placement.slots] += 1

    def take(self, key: Key) -> Placement:
        """Take out a square."""
        placement = self.placements.pop(key)
        self.count[placement.slots] -= 1
        return placement

    def replace(self, placement: Placement) -> bool:
        """Give a placed square another placement; False, and nothing done, where that would lie
        outside the buffer.
        """
        if placement.offset + int(placement.used[0]) < 0 or placement.end > self.capacity:
            return False
        self.take(placement.key)
        self.put(placement)
        return True

    def move(self, keys: Iterable[Key], distance: int) -> None:
        """Move squares to the right (or, by a negative distance, to the left)."""
        placements = [self.take(key) for key in keys]
        for placement in placements:
            self.put(placement.at(placement.offset + distance))

    def copy(self) -> "Arrangement":
        new = Arrangement((), self.capacity)
        new.placements = dict(self.placements)
        new.count = self.count.copy()
        return new

    @property
    def length(self) -> int:
        """The largest slot used + 1."""
        return max((placement.end for placement in self.placements.values()), default=0)

    @property
    def used_slots(self) -> int:
        """The sum over squares of the slots that each one uses."""
        return sum(len(placement.used) for placement in self.placements.values())

    def used_before(self, end: int) -> NDArray[np.bool_]:
        """Which slots before `end` a square uses."""
        return self.count[:end] > 0

    def is_free(self, placement: Placement) -> bool:
        """Whether no square uses a slot of a placement that is not here."""
        return not self.count[placement.slots].any()

    def overlaps(self) -> int:
        """How many slots too many are used: 0 in a valid arrangement."""
        return int(np.maximum(self.count - 1, 0).sum())

    def overlap_of(self, key: Key) -> int:
        """How many of a square's slots another square uses too."""
        return int(np.count_nonzero(self.count[self.placements[key].slots] > 1))

    def by_offset(self, piece: Piece | None = None) -> list[Key]:
        """The squares from left to right."""
        keys = [key for key in self.placements if piece in (None, key[0])]
        return sorted(keys, key=lambda key: (self.placements[key].offset, key))


# The layout: who sits where in a buffer, with its figures, and its two ways to a table file.
#
# A layout is a value: what a search has found, or what a table file says. It becomes a
# file only through `publish`, which has every lookup verified by `verify/` first.


@dataclass(frozen=True, slots=True)
class Layout:
    """Placements in one shared buffer, or in one buffer for each piece (`shared` False).

    Squares are numbered in the engine's own bit numbering, `order`; `listing` is the order
    of the rows in a table file. `scheme` is a CellData's.
    """

    scheme: str
    placements: tuple[Placement, ...]
    shared: bool = True
    order: str = "a1"
    listing: str = "a1"

    @property
    def pieces(self) -> tuple[Piece, ...]:
        present = {placement.piece for placement in self.placements}
        return tuple(piece for piece in Piece if piece in present)

    @property
    def buffers(self) -> tuple[tuple[Piece, ...], ...]:
        return (self.pieces,) if self.shared else tuple((piece,) for piece in self.pieces)

    def placements_of(self, pieces: Iterable[Piece]) -> tuple[Placement, ...]:
        """The placements of some pieces."""
        kinds = set(pieces)
        return tuple(placement for placement in self.placements if placement.piece in kinds)

    @property
    def length(self) -> int:
        """The entries of all buffers together."""
        return sum(
            max(placement.end for placement in self.placements_of(pieces))
            for pieces in self.buffers
        )

    @property
    def used_slots(self) -> int:
        """The slots that the squares use, of all buffers together."""
        return sum(
            len(
                np.unique(
                    np.concatenate([placement.slots for placement in self.placements_of(pieces)])
                )
            )
            for pieces in self.buffers
        )

    @property
    def least(self) -> int:
        """What no other offsets can go below: the slots of each square, but for what two squares
        may have in common.
        """
        return sum(
            fewest_slots(placement.words for placement in self.placements_of(pieces))
            for pieces in self.buffers
        )

    @property
    def holes(self) -> int:
        """Slots inside the buffers that nothing uses."""
        return self.length - self.used_slots

    @property
    def shares(self) -> bool:
        """Whether squares lie in each other's holes. False where each has a range of the
        buffer to itself, as in the textbook's tables.
        """
        return any(
            after.slots[0] < before.end
            for pieces in self.buffers
            for before, after in pairwise(
                sorted(self.placements_of(pieces), key=lambda s: s.slots[0])
            )
        )

    def arrangement(self, pieces: Iterable[Piece]) -> Arrangement:
        """The placements of one buffer as a working arrangement."""
        placements = self.placements_of(pieces)
        return Arrangement(placements, max(placement.end for placement in placements) + MARGIN)

    def with_arrangements(self, arrangements: Iterable[Arrangement]) -> "Layout":
        """The layout with the placements of packed arrangements."""
        placements = (
            placement for packed in arrangements for placement in packed.placements.values()
        )
        return replace(self, placements=rooks_first(placements))


def rooks_first(placements: Iterable[Placement]) -> tuple[Placement, ...]:
    """Placements in the order of a layout: rooks, then bishops, by square."""
    return tuple(
        sorted(
            placements, key=lambda placement: (placement.piece is not Piece.ROOK, placement.square)
        )
    )


def from_table(file: TableFile, layered: bool = False, two_level: bool = False) -> Layout:
    """The layout of a table file; of a layered or a two-level one only if that is expected.

    Raises InputError where the table is another one, its formula is none of the packing
    schemes, its masks are not the true ones, or it is not valid to begin with.
    """
    table = file.table
    where = str(file.path)
    piece_tables = chess_pieces(table, "packing", where)
    problems = []
    if table.half_board:
        problems.append(Problem("a half board: expected the whole board", file=where))
    if table.two_level is not None and not two_level:
        problems.append(Problem("a two-level table: expected a buffer of attack sets", file=where))
    for piece, piece_table in piece_tables.items():
        if piece_table.result is not None and not layered:
            message = (
                f"{piece_table.result.text!r}: expected a buffer of attack sets, no layered table"
            )
            problems.append(Problem(message, file=where, key=f"{piece}.result"))
    shapes: dict[Piece, FormulaShape] = {}
    for piece, piece_table in piece_tables.items():
        shape = shape_of(piece_table.index)
        if shape is None:
            message = (
                f"{piece_table.index.text!r}: expected white, black or constant, with one shift"
            )
            problems.append(Problem(message, file=where, key=f"{piece}.index"))
        else:
            shapes[piece] = shape
    schemes = {shape.scheme for shape in shapes.values()}
    if len(schemes) > 1:
        message = f"{' and '.join(sorted(schemes))}: expected one scheme for both pieces"
        problems.append(Problem(message, file=where))
    if problems:
        raise InputError(problems)
    report = verify(file)
    widest = max((square.bits for square in report.squares), default=0)
    if report.verdict != "valid":
        problems = [Problem(f"the table is {report.verdict}: expected a valid one", file=where)]
    elif widest > MOST_BITS:
        message = f"indexes of {widest} bits: expected at most {MOST_BITS}"
        problems = [Problem(message, file=where)]
    if problems:
        raise InputError(problems)
    scheme = schemes.pop()
    placements = [
        placement
        for buffer in lay_out(TableFile.unsaved(table, where))
        for part in buffer.pieces
        for placement in _placements(part, shapes[part.table.slider], scheme, where)
    ]
    return Layout(scheme, tuple(placements), table.shared, table.order, table.listing)


def _placements(part: PieceLayout, shape: FormulaShape, scheme: str, where: str) -> list[Placement]:
    piece = part.table.slider
    if part.table_masks != part.masks:
        message = "not the relevant occupancies: expected masks without the rays' last squares"
        raise InputError([Problem(message, file=where, key=f"{piece}.mask")])
    zero = np.zeros((64, 1), dtype=np.uint64)
    values = {**part.parameters, OCCUPANCY: zero}
    words = evaluate(shape.shift, values), values[shape.magic], values.get(shape.constant, zero)
    shifts, magics, constants = (
        np.broadcast_to(column, (64, 1)).ravel().tolist() for column in words
    )
    return [
        Placement.valid(
            cell_data(scheme, piece, square, 64 - shifts[row]),
            Choice(magics[row], constants[row], part.offset[row]),
        )
        for row, square in enumerate(part.bits)
        if not part.mirrored[row]
    ]


def to_table(layout: Layout, name: str, provenance: Provenance) -> Table:
    """The table file's content. Every piece needs all of its 64 squares."""
    pieces: dict[str, PieceTable] = {p: _piece_table(layout, p) for p in layout.pieces}
    return Table(
        name=name,
        pieces=pieces,
        order=layout.order,
        listing=layout.listing,
        shared=layout.shared,
        buffer_size=layout.length if layout.shared else None,
        provenance=provenance,
    )


def _piece_table(layout: Layout, piece: Piece) -> PieceTable:
    placements = {placement.square: placement for placement in layout.placements_of([piece])}
    blank = Table("", {}, layout.order, layout.listing)
    rows = [placements[blank.row_bit(row)] for row in range(blank.rows)]
    bits: Values = tuple(placement.cell.bits for placement in rows)
    parameters: dict[str, Values] = {
        "bits": bits[:1] if len(set(bits)) == 1 else bits,
        "magic": tuple(placement.choice.magic for placement in rows),
    }
    if layout.scheme == "constant":
        parameters["constant"] = tuple(placement.choice.constant for placement in rows)
    return PieceTable(
        piece=piece,
        movement=MOVEMENTS[piece],
        index=SCHEMES[layout.scheme].formula,
        parameters=parameters,
        offset=tuple(placement.offset for placement in rows),
        buffer_size=None if layout.shared else max(placement.end for placement in rows),
    )
