"""Where each square's indexes go: offsets, sizes, and the buffers that hold them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from magicert.board import CHESS, Board, bitboard
from magicert.formula import Formula
from magicert.formula.numpy_reading import RowsError, evaluate
from magicert.formula.tree import LINE, MASK, OCCUPANCY, WORD
from magicert.formula.wide import Words, bit_or, full, ints, words
from magicert.problem import InputError, Problem, listed
from magicert.square_order import row_bits
from magicert.table import PieceTable
from magicert.table.model import MAX_BUFFER, Values
from magicert.table.read import TableFile
from magicert.verify.table.attacks import Mover, least_masks, lines, usual_masks
from magicert.verify.table.relevance import relevance


@dataclass(frozen=True, slots=True)
class PieceLayout:
    """One piece, resolved: one value a row, of all squares of the board. In a half board the
    rows of ranks 5 to 8 have the numbers of the rows that their lookups go to, and `mirrored`
    says so.

    `bits` is the row's square in the engine's bit numbering. In the same numbering are `given`,
    the masks of the table, `masks`, those that it should have, and `usual`, the largest of use.
    `relevant` is every occupancy bit that the index may depend on or that the attack set does,
    `reach` a bound on the index, `offset` what is added to it and `size` the number of indexes
    allowed. `parameters` are what the formula reads: of a mirrored row they belong to the
    occupancy with its bytes swapped.
    """

    table: PieceTable
    mover: Mover
    bits: tuple[int, ...]
    masks: tuple[int, ...]
    usual: tuple[int, ...]
    given: tuple[int, ...]
    relevant: tuple[int, ...]
    reach: tuple[int, ...]
    offset: tuple[int, ...]
    size: tuple[int, ...]
    parameters: Mapping[str, Words]
    mirrored: tuple[bool, ...]

    @property
    def rows(self) -> range:
        """The rows: one for each square of the board."""
        return range(len(self.bits))

    def home(self, row: int) -> int:
        """The row of the lists that a row's lookups go to."""
        return mirror(row) if self.mirrored[row] else row


@dataclass(frozen=True, slots=True)
class BufferLayout:
    """One buffer of attack sets, or of the numbers of attack sets in a two-level table."""

    name: str
    pieces: tuple[PieceLayout, ...]
    declared: int | None
    literal: str | None

    @property
    def rows(self) -> int:
        """How many rows each piece has."""
        return len(self.pieces[0].bits)


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


def spread(values: Values, board: Board = CHESS) -> tuple[int, ...]:
    """A value for each square, whether the table gave as many, one for all, or half of them."""
    rows = board.squares
    if len(values) == 1:
        return values * rows
    return values + tuple(values[mirror(row)] for row in range(len(values), rows))


def mirror(row: int) -> int:
    """The row of a half board's square on the other side: the same file of the mirrored rank."""
    return row ^ 56


def swap_bytes(board: int) -> int:
    """A bitboard with its ranks mirrored: the first exchanged with the last, and so on."""
    return int.from_bytes(board.to_bytes(8, "little"), "big")


def _piece(file: TableFile, piece_table: PieceTable, problems: list[Problem]) -> PieceLayout | None:
    table, board = file.table, file.table.board
    mover = Mover(board, piece_table.movement, table.order)
    bits = row_bits(table.order, table.listing, board)
    mirrored = tuple(row >= table.rows for row in range(board.squares))
    least, usual = (
        tuple(masks[bit] for bit in bits) for masks in (least_masks(mover), usual_masks(mover))
    )
    own = usual if piece_table.masks == "usual" else least
    read = spread(piece_table.parameters.get(MASK, own[: table.rows]), board)
    parameters = _parameters(piece_table, mover, bits[: table.rows], read)
    try:
        bounds, matters = _bounds(piece_table, parameters, board.squares)
    except RowsError as error:
        error.piece = piece_table.piece
        problems += shift_problems(file, error)
        return None

    def turned(boards: Iterable[int]) -> tuple[int, ...]:
        return tuple(
            swap_bytes(board) if swapped else board
            for board, swapped in zip(boards, mirrored, strict=True)
        )

    given = turned(read)
    # A word may have more bits than the board has squares: those are never occupied.
    depends = turned(word & board.full for word in ints(matters))
    relevant = tuple(board | m for board, m in zip(depends, least, strict=True))
    reach = tuple(ints(bounds))
    size = _sizes(file, piece_table, reach, problems)
    if piece_table.offset is not None:
        offset = spread(piece_table.offset, board)
    else:
        offset = spread(tuple(sum(size[:row]) for row in range(table.rows)), board)
    masks = least if MASK in piece_table.parameters else own
    return PieceLayout(
        piece_table, mover, bits, masks, usual, given, relevant, reach, offset, size, parameters,
        mirrored,
    )  # fmt: skip


def _parameters(
    table: PieceTable, mover: Mover, bits: tuple[int, ...], masks: tuple[int, ...]
) -> dict[str, Words]:
    """What the formulas' names stand for, arrays of shape (rows, 1); `bits` are the lists' rows."""
    board, result = mover.board, table.result
    values = {**table.parameters, MASK: masks}
    if result is not None and LINE in result.names and LINE not in values:
        values[LINE] = tuple(line_of(mover, bit) for bit in bits)
    return {
        name: words([[value] for value in spread(some, board)], board.word)
        for name, some in values.items()
    }


def line_of(mover: Mover, bit: int) -> int:
    """Every bit that a piece may attack: all targets, but of a hopper not the first of a line,
    before which there is no hurdle.
    """
    return bitboard(
        target
        for line in lines(mover, bit)
        for target in line.targets[line.atom.kind == "hopper" :]
    )


def _bounds(table: PieceTable, parameters: Mapping[str, Words], rows: int) -> tuple[Words, Words]:
    """A bound on each row's index, and the occupancy bits that its index or result depends on."""
    bounds = relevance(table.index, parameters, rows)
    _refuse_wide_shifts(table.index, parameters, rows)
    if table.result is None:
        return bounds.largest, bounds.occupancy
    result = relevance(table.result, parameters, rows)
    _refuse_wide_shifts(table.result, parameters, rows)
    return bounds.largest, bit_or(bounds.occupancy, result.occupancy)


def shift_problems(file: TableFile, error: RowsError) -> list[Problem]:
    """The problems of shifts that reach the width, with their line, piece and square."""
    assert error.piece is not None
    line = file.line(str(error.piece), "index")
    names = [file.table.board.name(file.table.row_square(row)) for row in error.rows]
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


def _refuse_wide_shifts(formula: Formula, parameters: Mapping[str, Words], rows: int) -> None:
    """Read the formula once for the empty occupancy: amounts that do not depend on it are
    final; those that do are checked again with every lookup.
    """
    zero = full((rows, 1), 0, formula.word)
    evaluate(formula.tree, {WORD: zero, **parameters, OCCUPANCY: zero}, formula.text)


def _sizes(
    file: TableFile, table: PieceTable, reach: tuple[int, ...], problems: list[Problem]
) -> tuple[int, ...]:
    if table.square_size is not None:
        return spread(table.square_size, file.table.board)
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
