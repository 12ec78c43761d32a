"""The lookups of one buffer: every occupancy of every square, in blocks of numpy arrays."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from magicert.board import bitboard, squares_of
from magicert.formula.numpy_reading import RowsError, evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.formula.wide import Words, indexes
from magicert.verify.table.attacks import lines
from magicert.verify.table.domain import SizeGroup, chunk, groups
from magicert.verify.table.layout import BufferLayout, PieceLayout

Indexes = NDArray[np.uint64]
Slots = NDArray[np.int64]

KEPT_LOOKUPS = 1 << 21
"""Up to this many lookups of one buffer stay in memory between two passes."""

HUGE_INDEX = 1 << 62


@dataclass(frozen=True, slots=True)
class Block:
    """Lookups of some squares of one piece, arrays of shape (squares, occupancies).

    `slots` is -1 where the index is outside (`outside` is None where none is); `least` and
    `most` are the smallest and the largest index of each square, those of more than 64 bits as
    2^64 - 1. `attacks` are what must stand
    in the slots: of a mirrored row the true attack sets with their bytes swapped.
    """

    layout: PieceLayout
    rows: NDArray[np.intp]
    occupancies: Words
    attacks: Words
    slots: Slots
    outside: NDArray[np.bool_] | None
    least: Indexes
    most: Indexes


class Lookups:
    """All lookups of a buffer, as often as they are asked for.

    `complete` is False where the relevant bits of some squares were too many for the
    budget and only a part of their subsets is run over; `total` is how many are.
    """

    def __init__(self, buffer: BufferLayout, budget: int) -> None:
        self.buffer = buffer
        self.complete = True
        self.plan: list[tuple[PieceLayout, SizeGroup, int]] = []
        self.total = 0
        for layout in buffer.pieces:
            relevant = self._affordable(layout, budget)
            for group in groups(layout.mover, relevant, layout.bits):
                chunks = 1 << len(group.high[0])
                self.plan += [(layout, group, number) for number in range(chunks)]
                self.total += group.occupancies.size * chunks
        self.kept: list[Block] | None = [] if self.total <= KEPT_LOOKUPS else None

    def _affordable(self, layout: PieceLayout, budget: int) -> tuple[int, ...]:
        if sum(1 << board.bit_count() for board in layout.relevant) <= budget:
            return layout.relevant
        self.complete = False
        most = max(0, (budget // len(layout.rows)).bit_length() - 1)
        masks = [mask.bit_count() for mask in layout.masks]
        if sum(1 << count for count in masks) > budget:
            masks = [0 for _ in masks]
        return tuple(_first_bits(layout, row, max(most, masks[row])) for row in layout.rows)

    def __iter__(self) -> Iterator[Block]:
        if self.kept:
            yield from self.kept
            return
        for layout, group, number in self.plan:
            block = _block(self.buffer, layout, group, number)
            if self.kept is not None:
                self.kept.append(block)
            yield block


def _first_bits(layout: PieceLayout, row: int, count: int) -> int:
    """The `count` relevant bits most likely to break a table: the mask, the square itself,
    the ends of the lines, then the others.
    """
    square, board = layout.bits[row], layout.mover.board
    ends = (line.targets[-1] for line in lines(layout.mover, square))
    order = [*squares_of(layout.masks[row]), square, *ends, *range(board.squares)]
    relevant = layout.relevant[row]
    chosen = list(dict.fromkeys(bit for bit in order if relevant >> bit & 1))
    return bitboard(chosen[:count])


def _block(buffer: BufferLayout, layout: PieceLayout, group: SizeGroup, number: int) -> Block:
    occupancies, attacks = chunk(group, number)
    values = {name: words[group.rows] for name, words in layout.parameters.items()}
    values[OCCUPANCY] = occupancies
    if any(layout.mirrored):
        mirrored = np.array([[layout.mirrored[row]] for row in group.rows])
        values[OCCUPANCY] = np.where(mirrored, occupancies.byteswap(), occupancies)
        attacks = np.where(mirrored, attacks.byteswap(), attacks)
    formula = layout.table.index
    try:
        found = indexes(evaluate(formula.tree, values, formula.text)).astype(np.uint64, copy=False)
    except RowsError as error:
        error.piece = layout.table.piece
        error.rows = [int(group.rows[row]) for row in error.rows]
        raise
    index = np.broadcast_to(found, occupancies.shape)
    rows = group.rows.tolist()
    offset = np.array([[layout.offset[row]] for row in rows], dtype=np.int64)
    limit = np.array([[_limit(buffer, layout, row)] for row in rows], dtype=np.uint64)
    slots = index.view(np.int64) + offset
    least, most = index.min(axis=1), index.max(axis=1)
    outside = None
    below = (least.view(np.int64) + offset[:, 0]) < 0
    if (most >= limit[:, 0]).any() or below.any():
        outside = (index >= limit) | (slots < 0)
        slots = np.where(outside, -1, slots)
    return Block(layout, group.rows, occupancies, attacks, slots, outside, least=least, most=most)


def _limit(buffer: BufferLayout, layout: PieceLayout, row: int) -> int:
    """The first index that is not allowed on a row."""
    limit = min(layout.size[row], HUGE_INDEX)
    if buffer.declared is not None:
        limit = min(limit, buffer.declared - layout.offset[row])
    return max(0, limit)
