"""A table resolved: the values of each piece's rows, its buffers, where each square's indexes go.

And the bits of the occupancy that can change an index at all, read off the formula: for each bit
of each intermediate word the set of occupancy bits that may influence it is kept. A carry is
assumed wherever one could start.

When: before the lookups of every table.

Why: all subsets of those bits are tried. So the verdict holds for all 2^64 occupancies of the
board, and not for the subsets of the mask alone: what the analysis leaves out changes no index.

Sound: it may name too many bits, which costs lookups, and never too few; an operation that it does
not know is an error. The tests hold it against random occupancies with all other bits changed.

Cost: once for a formula and piece, over all squares at once. Where a formula has no mask, or an
oversized one, the subsets may be too many: `--max-lookups`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from magicert.board import CHESS, MOST_SQUARES, Board, bitboard, row_bits
from magicert.formula import Formula
from magicert.formula.arrays import (
    RowsError,
    Words,
    bit_and,
    bit_or,
    evaluate,
    full,
    ints,
    nonzero,
    or_accumulate,
    or_reduce,
    single_bits,
    words,
)
from magicert.formula.tree import (
    LINE,
    MASK,
    OCCUPANCY,
    WORD,
    Binary,
    Call,
    Interpretation,
    Literal,
    Name,
    Node,
    Unary,
    names,
)
from magicert.problem import InputError, Problem, listed
from magicert.table import PieceTable
from magicert.table.files import TableFile
from magicert.table.model import MAX_BUFFER, Values
from magicert.verify.table.attacks import BoardPiece, least_masks, lines, usual_masks

# Which bits of the occupancy can change an index at all, for all occupancies.

Numbers: TypeAlias = NDArray[Any]
"""Python's integers, one a row: few, and of any width."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """Per row: `occupancy`, the occupancy bits that may matter, and `largest`, a bound
    (of the form 2^n - 1) on the index; both words of shape (rows,).
    """

    occupancy: Words
    largest: Words


@dataclass(frozen=True, slots=True)
class _Word:
    """Abstract words, one a row: `depends[row, i]` is the set of occupancy bits that can
    influence bit i; `may[row]` has a 1 wherever the word may have one; `known` is the
    value where it does not depend on the occupancy at all.
    """

    depends: Words
    may: Numbers
    known: Numbers | None = None


def relevance(formula: Formula, parameters: Mapping[str, Words], rows: int) -> Relevance:
    """Analyse a formula for `rows` squares; parameters are words of shape (rows, 1)."""
    interpretation = _Dependencies(formula, parameters, rows)
    word = interpretation.value(formula.tree)
    matters = bit_or(or_reduce(word.depends), interpretation.amounts)
    return Relevance(matters, words(_smear(word.may), formula.word))


Sources = tuple[int, ...]


def sources_of(formula: Formula) -> Sources:
    """For each bit of the formula's words, the bits of the loaded word that it may depend on,
    whatever the parameters are. Bits that the result has not depend on none.
    """
    source_words = _Dependencies(formula, {}, 1, WORD).value(formula.tree).depends
    return tuple(ints(source_words[0]))


class _Dependencies(Interpretation[_Word]):
    """What depends on `of`; other names that `parameters` lacks may be anything."""

    def __init__(
        self, formula: Formula, parameters: Mapping[str, Words], rows: int, of: str = OCCUPANCY
    ) -> None:
        self.text = formula.text
        self.of = of
        self.word = formula.word
        self.parameters = parameters
        self.rows = rows
        self.open = names(formula.tree) - (parameters.keys() - {of})
        self.bits = single_bits(self.word)
        # What decides whether a shift reaches the width matters, whatever becomes of its value.
        self.amounts = full(rows, 0, self.word)

    def value(self, node: Node) -> _Word:
        """A subtree without open names is computed, not analysed."""
        return super().value(node) if names(node) & self.open else self.known(node)

    def known(self, node: Node) -> _Word:
        values = ints(evaluate(node, self.parameters, self.text).reshape(-1))
        numbers = np.empty(self.rows, dtype=object)
        numbers[:] = values
        return _Word(self.nothing(), numbers, numbers)

    def literal(self, node: Literal) -> _Word:
        return self.known(node)

    def name(self, node: Name) -> _Word:
        if node.name not in self.open:
            return self.known(node)
        if node.name != self.of:  # a loaded word follows from the index, and may be anything
            return _Word(self.nothing(), self.any_value())
        return _Word(np.broadcast_to(self.bits, (self.rows, self.word)), self.any_value())

    def nothing(self) -> Words:
        """`depends` of words that do not depend on the occupancy."""
        return full((self.rows, self.word), 0, self.word)

    def any_value(self) -> Numbers:
        """`may` of words of which nothing is known."""
        return self.all((1 << self.word) - 1)

    def all(self, number: int) -> Numbers:
        """One number for every row."""
        return np.full(self.rows, number, dtype=object)

    def limited(self, depends: Words, may: Numbers, width: int) -> _Word:
        """A word that can only have ones, and so only depend, where `may` says."""
        may = may & ((1 << width) - 1)
        return _Word(self.where(may, depends), may)

    def where(self, bits: Numbers, depends: Words) -> Words:
        """What those bits depend on; the others on nothing."""
        chosen = nonzero(bit_and(words(bits[:, None], self.word), self.bits))
        return np.where(chosen, depends, full((), 0, self.word))

    def invert(self, node: Unary, x: _Word) -> _Word:
        return self.limited(x.depends, self.any_value(), node.width)

    def negate(self, node: Unary, x: _Word) -> _Word:
        return self.limited(or_accumulate(x.depends), self.any_value(), node.width)

    def bitwise_and(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Where one side is known to be 0, the other does not matter.
        return self.limited(bit_or(x.depends, y.depends), x.may & y.may, node.width)

    def bitwise_or(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Where one side is known to be 1, the other does not matter.
        open_bits = ~(_ones(x) | _ones(y)) & ((1 << node.width) - 1)
        depends = self.where(open_bits, bit_or(x.depends, y.depends))
        return self.limited(depends, x.may | y.may, node.width)

    def bitwise_xor(self, node: Binary, x: _Word, y: _Word) -> _Word:
        return self.limited(bit_or(x.depends, y.depends), x.may | y.may, node.width)

    def add(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # x <= x.may and y <= y.may, so this bounds the sum.
        depends = or_accumulate(bit_or(x.depends, y.depends))
        return self.limited(depends, _smear(x.may + y.may), node.width)

    def subtract(self, node: Binary, x: _Word, y: _Word) -> _Word:
        depends = or_accumulate(bit_or(x.depends, y.depends))
        return self.limited(depends, self.any_value(), node.width)

    def multiply(self, node: Binary, x: _Word, y: _Word) -> _Word:
        # Bit i of x reaches the product's bits from i + ctz(y) up, and likewise for y.
        moved = (_shifted(x.depends, map(_ctz, y.may)), _shifted(y.depends, map(_ctz, x.may)))
        return self.limited(or_accumulate(bit_or(*moved)), _smear(x.may * y.may), node.width)

    def shift_left(self, node: Binary, x: _Word, amount: _Word) -> _Word:
        if amount.known is None:
            return self.limited(self.anywhere(node, x, amount), self.any_value(), node.width)
        by = self.below(node, x, amount.known)
        return self.limited(_shifted(x.depends, by), x.may << by, node.width)

    def shift_right(self, node: Binary, x: _Word, amount: _Word) -> _Word:
        if amount.known is None:
            return self.limited(self.anywhere(node, x, amount), _smear(x.may), node.width)
        by = self.below(node, x, amount.known)
        return self.limited(_shifted(x.depends, -by), x.may >> by, node.width)

    def below(self, node: Binary, x: _Word, amounts: Numbers) -> Numbers:
        """Shift amounts. Those of the width or more are refused elsewhere, unless what is shifted
        is 0: whatever that depends on matters.
        """
        refused = np.where(amounts >= node.width, or_reduce(x.depends), full((), 0, self.word))
        self.amounts = bit_or(self.amounts, refused)
        least: Numbers = np.minimum(amounts, node.width - 1)
        return least

    def anywhere(self, node: Binary, x: _Word, amount: _Word) -> Words:
        """What a shift by an amount that depends on the occupancy depends on, at every bit."""
        can_be_refused = _smear(amount.may) >= node.width
        refused = np.where(can_be_refused, or_reduce(amount.depends), full((), 0, self.word))
        self.amounts = bit_or(self.amounts, refused)
        return self.everywhere(bit_or(x.depends, amount.depends))

    def everywhere(self, depends: Words) -> Words:
        """Every bit may depend on whatever any bit depends on."""
        return np.broadcast_to(or_reduce(depends)[:, None], (self.rows, self.word))

    def u32(self, node: Call, x: _Word) -> _Word:
        return self.limited(x.depends, x.may, node.width)

    u64 = u32

    def hi32(self, node: Call, x: _Word) -> _Word:
        return self.limited(_shifted(x.depends, self.all(-32)), x.may >> 32, 32)

    def hi64(self, node: Call, x: _Word) -> _Word:
        return self.limited(_shifted(x.depends, self.all(-64)), x.may >> 64, 64)

    def rol32(self, node: Call, x: _Word, amount: _Word) -> _Word:
        width, x = node.width, self.limited(x.depends, x.may, node.width)
        if amount.known is None:
            depends = self.everywhere(bit_or(x.depends, amount.depends))
            return self.limited(depends, self.any_value(), width)
        turn = (amount.known % width).astype(np.int64)
        places = (np.arange(width)[None, :] - turn[:, None]) % width
        depends = self.nothing()
        depends[:, :width] = np.take_along_axis(x.depends[:, :width], places, axis=1)
        # Which bits may be 1 turns with them.
        may = x.may << turn.astype(object)
        return self.limited(depends, may | may >> width, width)

    rol64 = rol32

    def bswap64(self, node: Call, x: _Word) -> _Word:
        x, places = self.limited(x.depends, x.may, 64), np.arange(self.word)
        places[:64] ^= 56
        swapped = (int.from_bytes(number.to_bytes(8, "little"), "big") for number in x.may)
        return self.limited(x.depends[:, places], _numbers(swapped, self.rows), 64)

    def pext(self, node: Call, x: _Word, mask: _Word) -> _Word:
        if mask.known is None:
            # At most as many bits as the mask can have 1 bits.
            may = _numbers(((1 << number.bit_count()) - 1 for number in mask.may), self.rows)
            return self.limited(self.everywhere(bit_or(x.depends, mask.depends)), may, 64)
        depends, x = self.nothing(), self.limited(x.depends, x.may, 64)
        may = self.all(0)
        for row, number in enumerate(mask.known):
            ones = [place for place in range(64) if number >> place & 1]
            depends[row, : len(ones)] = x.depends[row, ones]
            may[row] = sum((x.may[row] >> bit & 1) << place for place, bit in enumerate(ones))
        return self.limited(depends, may, 64)

    def popcount(self, node: Call, x: _Word) -> _Word:
        # At most the width, and every bit of x counts.
        most = 2 * node.arguments[0].width - 1
        return self.limited(self.everywhere(x.depends), self.all(most), 64)

    ctz = popcount


def _numbers(values: Iterable[int], rows: int) -> Numbers:
    return np.fromiter(values, dtype=object, count=rows)


def _smear(x: Numbers) -> Numbers:
    """All bits up to the highest one."""
    return _numbers(((1 << number.bit_length()) - 1 for number in x), len(x))


def _ones(x: _Word) -> Numbers:
    return x.known if x.known is not None else np.zeros_like(x.may)


def _shifted(depends: Words, amount: Iterable[int]) -> Words:
    """Each row's bits moved up by its amount (down where negative)."""
    rows, width = depends.shape
    places = np.arange(width)[None, :] - np.fromiter(amount, np.int64, rows)[:, None]
    inside = (places >= 0) & (places < width)
    moved = np.take_along_axis(depends, np.clip(places, 0, width - 1), axis=1)
    return np.where(inside, moved, np.zeros((), depends.dtype))


def _ctz(number: int) -> int:
    """The zeros below the lowest one; as many as any width has where there is none."""
    return (number & -number).bit_length() - 1 if number else MOST_SQUARES


@dataclass(frozen=True, slots=True)
class PieceLayout:
    """One piece, resolved: one value a row, of all squares of the board. In a half board the
    rows of ranks 5 to 8 have the numbers of the rows that their lookups go to, and `mirrored`
    says so.

    `bits` is the row's square in the engine's bit numbering. In the same numbering are
    `table_masks`, `masks`, which the table should have, and `usual`, the largest of use.
    `relevant` is every occupancy bit that the index may depend on or that the attack set does,
    `reach` a bound on the index, `offset` what is added to it and `size` the number of indexes
    allowed. The rows of holes have no size, and in everything else, whatever the file gives them,
    the values of the first row that is none: what is computed there means nothing, and does no
    harm. `parameters` are what the formula reads: of a mirrored row they belong to the
    occupancy with its bytes swapped. `together` are all pieces that make the same lookups, if
    there are several.
    """

    table: PieceTable
    mover: BoardPiece
    bits: tuple[int, ...]
    masks: tuple[int, ...]
    usual: tuple[int, ...]
    table_masks: tuple[int, ...]
    relevant: tuple[int, ...]
    reach: tuple[int, ...]
    offset: tuple[int, ...]
    size: tuple[int, ...]
    parameters: Mapping[str, Words]
    mirrored: tuple[bool, ...]
    together: tuple[BoardPiece, ...] = ()

    @property
    def rows(self) -> range:
        """The rows: one for each square of the board, those of holes among them."""
        return range(len(self.bits))

    @property
    def playable(self) -> list[int]:
        """The rows of squares that are no holes: those that make lookups."""
        return [row for row in self.rows if self.mover.has(self.bits[row])]

    def home(self, row: int) -> int:
        """The row of the lists that a row's lookups go to."""
        return mirror(row) if self.mirrored[row] else row


@dataclass(frozen=True, slots=True)
class BufferLayout:
    """One buffer of attack sets, or of the numbers of attack sets in a two-level table.

    A piece that makes the lookups of another one is laid out by itself: the same buffer, but as
    that piece reads it.
    """

    name: str
    pieces: tuple[PieceLayout, ...]
    declared: int | None
    literal: str | None

    @property
    def rows(self) -> int:
        """How many rows each piece has."""
        return len(self.pieces[0].bits)

    @property
    def numbers_of(self) -> str | None:
        """The piece whose lookups these are, if they are not the pieces' own."""
        return self.pieces[0].table.numbers_of

    @property
    def layered(self) -> bool:
        """Whether a formula makes the attack set from the loaded word."""
        return any(layout.table.result is not None for layout in self.pieces)


def lay_out(file: TableFile) -> list[BufferLayout]:
    """The buffers of a table. Raises InputError where the table contradicts itself."""
    table = file.table
    problems: list[Problem] = []
    pieces = [_piece(file, piece, problems) for piece in table.pieces.values()]
    piece_layouts = [piece for piece in pieces if piece is not None]
    if table.shared and len({piece.table.offset is None for piece in piece_layouts}) > 1:
        message = "missing: one piece of the shared buffer has offsets, so expected both to have"
        without = next(piece.table.piece for piece in piece_layouts if piece.table.offset is None)
        problems.append(_problem(file, message, without, "offset"))
    if problems:
        raise InputError(problems)
    others = [piece for piece in piece_layouts if piece.table.numbers_of is not None]
    piece_layouts = [piece for piece in piece_layouts if piece.table.numbers_of is None]
    for place, piece in enumerate(piece_layouts):
        same = [other.mover for other in others if other.table.numbers_of == piece.table.piece]
        piece_layouts[place] = replace(piece, together=(piece.mover, *same) if same else ())
    start = 0
    for place, piece in enumerate(piece_layouts if table.shared else ()):
        if piece.table.offset is None:
            piece_layouts[place] = _moved(piece, start)
            start += sum(piece.size[: table.rows])
    if table.shared:
        buffers = [BufferLayout("shared", tuple(piece_layouts), table.buffer_size, table.literal)]
    else:
        buffers = [
            BufferLayout(str(p.table.piece), (p,), p.table.buffer_size, p.table.literal)
            for p in piece_layouts
        ]
    return [*buffers, *(_of_another(piece, piece_layouts, buffers) for piece in others)]


def _of_another(
    piece: PieceLayout, pieces: list[PieceLayout], buffers: list[BufferLayout]
) -> BufferLayout:
    """The lookups of a piece that makes those of another one."""
    first = next(one for one in pieces if one.table.piece == piece.table.numbers_of)
    declared = next(buffer.declared for buffer in buffers if first in buffer.pieces)
    same = replace(piece, offset=first.offset, size=first.size, together=first.together)
    name = f"{piece.table.piece} (numbers of {first.table.piece})"
    return BufferLayout(name, (same,), declared, None)


def _moved(piece: PieceLayout, start: int) -> PieceLayout:
    return replace(piece, offset=tuple(offset + start for offset in piece.offset))


def spread(values: Values, board: Board = CHESS) -> tuple[int, ...]:
    """A value for each square, whether the table gave as many, one for all, or half of them."""
    rows = board.squares
    if len(values) == 1:
        return values * rows
    return values + tuple(values[mirror(row)] for row in range(len(values), rows))


def without(holes: frozenset[int], values: tuple[int, ...]) -> tuple[int, ...]:
    """A value for each row, where the rows of holes have that of the first row that is none."""
    if not holes:
        return values
    first = next(value for row, value in enumerate(values) if row not in holes)
    return tuple(first if row in holes else value for row, value in enumerate(values))


def mirror(row: int) -> int:
    """The row of a half board's square on the other side: the same file of the mirrored rank."""
    return row ^ 56


def swap_bytes(board: int) -> int:
    """A bitboard with its ranks mirrored: the first exchanged with the last, and so on."""
    return int.from_bytes(board.to_bytes(8, "little"), "big")


def _piece(file: TableFile, piece_table: PieceTable, problems: list[Problem]) -> PieceLayout | None:
    table, board = file.table, file.table.board
    mover = BoardPiece(board, piece_table.movement, table.order)
    bits = row_bits(table.order, table.listing, board)
    mirrored = tuple(row >= table.rows for row in range(board.squares))
    least, usual = (
        tuple(masks[bit] for bit in bits) for masks in (least_masks(mover), usual_masks(mover))
    )
    usual_or_least = usual if piece_table.masks == "usual" else least
    holes = frozenset(row for row, bit in enumerate(bits) if not mover.has(bit))
    read = spread(piece_table.parameters.get(MASK, usual_or_least[: table.rows]), board)
    read = without(holes, read)
    parameters = _parameters(piece_table, mover, bits[: table.rows], read, holes)
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

    table_masks = turned(read)
    # A word may have more bits than the board has squares, and holes: those are never occupied.
    full = mover.bits(board.full)
    depends = turned(word & full for word in ints(matters))
    relevant = tuple(board | m for board, m in zip(depends, least, strict=True))
    reach = tuple(ints(bounds))
    size = tuple(
        0 if row in holes else slots
        for row, slots in enumerate(_sizes(file, piece_table, reach, problems))
    )
    if piece_table.offset is not None:
        offset = spread(piece_table.offset, board)
    else:
        offset = spread(tuple(sum(size[:row]) for row in range(table.rows)), board)
    offset = without(holes, offset)
    masks = least if MASK in piece_table.parameters else usual_or_least
    return PieceLayout(
        piece_table, mover, bits, masks, usual, table_masks, relevant, reach, offset, size,
        parameters, mirrored,
    )  # fmt: skip


def _parameters(
    table: PieceTable, mover: BoardPiece, bits: tuple[int, ...], masks: tuple[int, ...],
    holes: frozenset[int],
) -> dict[str, Words]:  # fmt: skip
    """What the formulas' names stand for, arrays of shape (rows, 1); `bits` are the lists' rows."""
    board, result = mover.board, table.result
    values = {**table.parameters, MASK: masks}
    if result is not None and LINE in result.names and LINE not in values:
        values[LINE] = tuple(line_of(mover, bit) for bit in bits)
    return {
        name: words([[value] for value in without(holes, spread(some, board))], board.word)
        for name, some in values.items()
    }


def line_of(mover: BoardPiece, bit: int) -> int:
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
    table = file.table
    by_square = [
        (table.board.name(square), problem)
        for row, problem in zip(error.rows, error.problems, strict=True)
        if table.board.has(square := table.row_square(row))
    ]
    names, problems = [name for name, _ in by_square], [problem for _, problem in by_square]
    same = len(set(problems)) == 1 and len(names) > 1
    if same:  # an amount that is wrong for many squares is one problem
        names = [listed(names)]
    return [
        problem.at(str(file.path), f"{error.piece}.index on {name}", line)
        for name, problem in zip(names, problems, strict=not same)
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
