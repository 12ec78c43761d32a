"""The layout: who sits where in a buffer, with its figures, and its two ways to a table file.

A layout is a value: what a search has found, or what a table file says. It becomes a
file only through `publish`, which has every lookup verified by `verify/` first.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from magicert.board import MOVEMENTS, Piece
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.squares import cell_data
from magicert.compact.layouts.arrangement import MARGIN, MOST_BITS, Arrangement
from magicert.compact.layouts.shapes import FormulaShape, shape_of
from magicert.formula.numpy_reading import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.system.whole_file import write_whole, write_with
from magicert.table import PieceTable, Provenance, Table, chess_halves, parse_table
from magicert.table.model import Values
from magicert.table.read import TableFile
from magicert.table.write import file_text
from magicert.verify.table.layout import PieceLayout, lay_out
from magicert.verify.table.report import Report, to_json
from magicert.verify.table.verifier import verify


@dataclass(frozen=True, slots=True)
class Layout:
    """Seats in one shared buffer, or in one buffer for each piece (`shared` False).

    Squares are numbered in the engine's own bit numbering, `order`; `listing` is the order
    of the rows in a table file. `scheme` is a CellData's. A half board has seats for
    ranks 1 to 4 only.
    """

    scheme: str
    seats: tuple[Seat, ...]
    shared: bool = True
    order: str = "a1"
    listing: str = "a1"
    half_board: bool = False

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces that have seats."""
        present = {seat.piece for seat in self.seats}
        return tuple(piece for piece in Piece if piece in present)

    @property
    def buffers(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces of each buffer."""
        return (self.pieces,) if self.shared else tuple((piece,) for piece in self.pieces)

    def seats_of(self, pieces: Iterable[Piece]) -> tuple[Seat, ...]:
        """The seats of some pieces."""
        wanted = set(pieces)
        return tuple(seat for seat in self.seats if seat.piece in wanted)

    @property
    def length(self) -> int:
        """The entries of all buffers together."""
        return sum(max(seat.end for seat in self.seats_of(pieces)) for pieces in self.buffers)

    @property
    def used_slots(self) -> int:
        """The sum over squares of the slots that each one uses: the layout's own lower bound,
        since no two squares have a common attack set.
        """
        return sum(len(seat.used) for seat in self.seats)

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
            for before, after in pairwise(sorted(self.seats_of(pieces), key=lambda s: s.slots[0]))
        )

    def arrangement(self, pieces: Iterable[Piece]) -> Arrangement:
        """The seats of one buffer as a working arrangement."""
        seats = self.seats_of(pieces)
        return Arrangement(seats, max(seat.end for seat in seats) + MARGIN)

    def with_arrangements(self, arrangements: Iterable[Arrangement]) -> "Layout":
        """The layout with the seats of packed arrangements."""
        seats = (seat for packed in arrangements for seat in packed.seats.values())
        return replace(self, seats=rooks_first(seats))


def rooks_first(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Seats in the order of a layout: rooks, then bishops, by square."""
    return tuple(sorted(seats, key=lambda seat: (seat.piece is not Piece.ROOK, seat.square)))


def from_table(file: TableFile, layered: bool = False, two_level: bool = False) -> Layout:
    """The layout of a table file; of a layered or a two-level one only if that is expected.

    Raises InputError where the table is another one, its formula is none of the packing
    schemes, its masks are not the true ones, or it is not valid to begin with.
    """
    table = file.table
    where = str(file.path)
    halves = chess_halves(table, "packing", where)
    problems = []
    if table.two_level is not None and not two_level:
        problems.append(Problem("a two-level table: expected a buffer of attack sets", file=where))
    for piece, half in halves.items():
        if half.result is not None and not layered:
            message = f"{half.result.text!r}: expected a buffer of attack sets, no layered table"
            problems.append(Problem(message, file=where, key=f"{piece}.result"))
    shapes: dict[Piece, FormulaShape] = {}
    for piece, half in halves.items():
        shape = shape_of(half.index)
        if shape is None:
            message = f"{half.index.text!r}: expected white, black or constant, with one shift"
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
    seats = [
        seat
        for buffer in lay_out(TableFile.unsaved(table, where))
        for part in buffer.pieces
        for seat in _seats(part, shapes[part.table.slider], scheme, where)
    ]
    return Layout(scheme, tuple(seats), table.shared, table.order, table.listing, table.half_board)


def _seats(part: PieceLayout, shape: FormulaShape, scheme: str, where: str) -> list[Seat]:
    piece = part.table.slider
    if part.given != part.masks:
        message = "not the relevant occupancies: expected masks without the rays' last squares"
        raise InputError([Problem(message, file=where, key=f"{piece}.mask")])
    zero = np.zeros((64, 1), dtype=np.uint64)
    values = {**part.parameters, OCCUPANCY: zero}
    words = evaluate(shape.shift, values), values[shape.magic], values.get(shape.constant, zero)
    shifts, magics, constants = (np.broadcast_to(one, (64, 1)).ravel().tolist() for one in words)
    return [
        Seat.valid(
            cell_data(scheme, piece, square, 64 - shifts[row]),
            Choice(magics[row], constants[row], part.offset[row]),
        )
        for row, square in enumerate(part.bits)
        if not part.mirrored[row]
    ]


def to_table(layout: Layout, name: str, provenance: Provenance) -> Table:
    """The table file's content. Every piece needs all of its squares: 64, or those of a half."""
    pieces: dict[str, PieceTable] = {p: _piece_table(layout, p) for p in layout.pieces}
    return Table(
        name=name,
        pieces=pieces,
        order=layout.order,
        listing=layout.listing,
        shared=layout.shared,
        buffer_size=layout.length if layout.shared else None,
        provenance=provenance,
        half_board=layout.half_board,
    )


def _piece_table(layout: Layout, piece: Piece) -> PieceTable:
    seats = {seat.square: seat for seat in layout.seats_of([piece])}
    blank = Table("", {}, layout.order, layout.listing, half_board=layout.half_board)
    rows = [seats[blank.row_bit(row)] for row in range(blank.rows)]
    bits: Values = tuple(seat.cell.bits for seat in rows)
    parameters: dict[str, Values] = {
        "bits": bits[:1] if len(set(bits)) == 1 else bits,
        "magic": tuple(seat.choice.magic for seat in rows),
    }
    if layout.scheme == "constant":
        parameters["constant"] = tuple(seat.choice.constant for seat in rows)
    return PieceTable(
        piece=piece,
        movement=MOVEMENTS[piece],
        index=SCHEMES[layout.scheme].formula,
        parameters=parameters,
        offset=tuple(seat.offset for seat in rows),
        buffer_size=None if layout.shared else max(seat.end for seat in rows),
    )


class NotValidError(AssertionError):
    """A layout that did not survive verification: a fault in the packer, never in the input."""


def publish(table: Table, path: Path, certificate: Path | None = None) -> Report:
    """Verify a table, then write it (and its certificate) in one step each.

    A reader, or whoever kills this process, never sees half a file or an invalid one, nor the
    certificate of another table beside it. Raises NotValidError with the findings.
    """
    data = file_text(table).encode()
    report = verify(parse_table(data, path))
    if report.verdict != "valid":
        findings = "; ".join(finding.message for finding in report.findings[:3])
        raise NotValidError(f"{path.name} would be {report.verdict}: {findings}")
    if certificate is None:
        write_whole(path, data)
    else:
        write_with(path, data, certificate, to_json(report))
    return report
