"""Where each square's indexes go: offsets, sizes, and the buffers that hold them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from magicert.board import attack_set, square_name
from magicert.board import mask as true_mask
from magicert.formula import Formula
from magicert.formula.numpy_reading import RowsError, evaluate
from magicert.formula.tree import LINE, OCCUPANCY, WORD
from magicert.problem import InputError, Problem, listed
from magicert.table import PieceTable
from magicert.table.model import MAX_BUFFER, Values
from magicert.table.read import TableFile
from magicert.verify.table.relevance import relevance

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class PieceLayout:
    """One piece, resolved: arrays of 64, one value a row. In a half board the rows of ranks
    5 to 8 have the numbers of the rows that their lookups go to, and `mirrored` says so.

    `bits` is the row's square in the engine's bit numbering, `masks` the true masks and
    `given` those of the table in the same numbering, `relevant` every occupancy bit that
    the index may depend on or that the attack set does, `reach` a bound on the index,
    `offset` what is added to it and `size` the number of indexes allowed. `parameters` are
    what the formula reads: of a mirrored row they belong to the occupancy with its bytes swapped.
    """

    table: PieceTable
    bits: tuple[int, ...]
    masks: tuple[int, ...]
    given: tuple[int, ...]
    relevant: tuple[int, ...]
    reach: tuple[int, ...]
    offset: tuple[int, ...]
    size: tuple[int, ...]
    parameters: Mapping[str, Words]
    mirrored: tuple[bool, ...]

    def home(self, row: int) -> int:
        """The row of the lists that a row's lookups go to."""
        return row ^ 56 if self.mirrored[row] else row


@dataclass(frozen=True, slots=True)
class BufferLayout:
    """One buffer of attack sets, or of the numbers of attack sets in a two-level table."""

    name: str
    pieces: tuple[PieceLayout, ...]
    declared: int | None
    literal: str | None


def lay_out(file: TableFile) -> list[BufferLayout]:
    """The buffers of a table. Raises InputError where the table contradicts itself."""
    table = file.table
    problems: list[Problem] = []
    pieces = [_piece(file, piece, problems) for piece in table.pieces.values()]
    laid = [piece for piece in pieces if piece is not None]
    if table.shared and len({piece.table.offset is None for piece in laid}) > 1:
        message = "missing: one piece of the shared buffer has offsets, so expected both to have"
        without = next(piece.table.piece for piece in laid if piece.table.offset is None)
        problems.append(_problem(file, message, without, "offset"))
    if problems:
        raise InputError(problems)
    if not table.shared:
        return [
            BufferLayout(str(p.table.piece), (p,), p.table.buffer_size, p.table.literal)
            for p in laid
        ]
    start = 0
    for place, piece in enumerate(laid):
        if piece.table.offset is None:
            laid[place] = _moved(piece, start)
            start += sum(piece.size[: table.rows])
    return [BufferLayout("shared", tuple(laid), table.buffer_size, table.literal)]


def _moved(piece: PieceLayout, start: int) -> PieceLayout:
    return replace(piece, offset=tuple(offset + start for offset in piece.offset))


def spread(values: Values) -> tuple[int, ...]:
    """64 values, whether the table gave 64, one for all, or 32 for a half board."""
    if len(values) == 32:
        return values + tuple(values[row ^ 56] for row in range(32, 64))
    return values * 64 if len(values) == 1 else values


def swap_bytes(board: int) -> int:
    """A bitboard with its ranks mirrored: the first exchanged with the last, and so on."""
    return int.from_bytes(board.to_bytes(8, "little"), "big")


def _piece(file: TableFile, piece_table: PieceTable, problems: list[Problem]) -> PieceLayout | None:
    table, piece = file.table, piece_table.slider
    bits = tuple(table.row_bit(row) for row in range(64))
    mirrored = tuple(row >= table.rows for row in range(64))
    masks = tuple(true_mask(piece, bit) for bit in bits)
    read = spread(piece_table.parameters.get("mask", masks[: table.rows]))
    parameters = {
        name: np.array(spread(values), dtype=np.uint64).reshape(64, 1)
        for name, values in {**piece_table.parameters, "mask": read}.items()
    }
    result = piece_table.result
    if result is not None and LINE in result.names and LINE not in parameters:
        lines = tuple(attack_set(piece, bit, 0) for bit in bits[: table.rows])
        parameters[LINE] = np.array(spread(lines), dtype=np.uint64).reshape(64, 1)
    try:
        bounds = relevance(piece_table.index, parameters, 64)
        _refuse_wide_shifts(piece_table.index, parameters)
        matters = bounds.occupancy
        if result is not None:
            matters = matters | relevance(result, parameters, 64).occupancy
            _refuse_wide_shifts(result, parameters)
    except RowsError as error:
        error.piece = piece
        problems += shift_problems(file, error)
        return None

    def turned(boards: Iterable[int]) -> tuple[int, ...]:
        return tuple(
            swap_bytes(board) if swapped else board
            for board, swapped in zip(boards, mirrored, strict=True)
        )

    given = turned(read)
    depends = turned(matters.tolist())
    relevant = tuple(board | m for board, m in zip(depends, masks, strict=True))
    reach = tuple(int(largest) for largest in bounds.largest)
    size = _sizes(file, piece_table, reach, problems)
    if piece_table.offset is not None:
        offset = spread(piece_table.offset)
    else:
        offset = spread(tuple(sum(size[:row]) for row in range(table.rows)))
    return PieceLayout(
        piece_table, bits, masks, given, relevant, reach, offset, size, parameters, mirrored
    )


def shift_problems(file: TableFile, error: RowsError) -> list[Problem]:
    """The problems of shifts that reach the width, with their line, piece and square."""
    assert error.piece is not None
    line = file.line(error.piece.value, "index")
    names = [square_name(file.table.row_square(row)) for row in error.rows]
    same = len(set(error.problems)) == 1 and len(names) > 1
    if same:  # an amount that is wrong for many squares is one problem
        names = [listed(names)]
    return [
        problem.at(str(file.path), f"{error.piece}.index on {name}", line)
        for name, problem in zip(names, error.problems, strict=not same)
    ]


def _problem(file: TableFile, message: str, piece: str, key: str) -> Problem:
    line = file.line(str(piece), key)
    return Problem(message, str(file.path), f"{piece}.{key}", line)


def _refuse_wide_shifts(formula: Formula, parameters: Mapping[str, Words]) -> None:
    """Read the formula once for the empty occupancy: amounts that do not depend on it are
    final; those that do are checked again with every lookup.
    """
    zero = np.zeros((64, 1), np.uint64)
    evaluate(formula.tree, {WORD: zero, **parameters, OCCUPANCY: zero}, formula.text)


def _sizes(
    file: TableFile, table: PieceTable, reach: tuple[int, ...], problems: list[Problem]
) -> tuple[int, ...]:
    if table.square_size is not None:
        return spread(table.square_size)
    if table.offset is not None:
        # Squares that overlap have no slots of their own; the buffer is the limit.
        return tuple(largest + 1 for largest in reach)
    if any(largest >= MAX_BUFFER for largest in reach):
        message = (
            f"missing: the index can reach {max(reach)}, so the squares' places are unknown; "
            "expected offset or square_size"
        )
        problems.append(_problem(file, message, table.piece, "square_size"))
    return tuple(largest + 1 for largest in reach)
