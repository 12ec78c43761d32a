"""All lookups of one buffer, in blocks of numpy arrays, and the buffer that they are written to.

For each square every subset of what matters is looked up by the table's formula, a block of
squares at a time. All attack sets are written to their slots first, and then everything is read
back: whoever finds another attack set than his own conflicts (`WrittenBuffer`). `Owners` counts the
slots that squares use.

When: for every table that is verified.

Why twice: writing and reading back needs no comparison while writing, so that it is numpy
throughout. Of several attack sets written to a slot one stands, so at least one lookup notices.

Cost: two evaluations for each lookup, 107,648 of them for a usual table. Memory is that of a block
and of the buffer; where slots lie far apart only those that are used are kept.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.board import bitboard, squares_of
from magicert.formula.arrays import RowsError, Words, differing, evaluate, indexes, put
from magicert.formula.tree import OCCUPANCY
from magicert.verify.table.attacks import SizeGroup, chunk, groups, lines
from magicert.verify.table.layout import BufferLayout, PieceLayout

Indexes = NDArray[np.uint64]
Slots = NDArray[np.int64]

MOST_IN_MEMORY = 1 << 21
"""Up to this many lookups of one buffer stay in memory between two passes."""

HUGE_INDEX = 1 << 62


@dataclass(frozen=True, slots=True)
class Block:
    """Lookups of some squares of one piece, arrays of shape (squares, occupancies).

    `slots` is -1 where the index is outside (`outside` is None where none is); `least` and
    `most` are the smallest and the largest index of each square, those of more than 64 bits as
    2^64 - 1. `attacks` are what must stand in the slots: of a mirrored row the true attack sets
    with their bytes swapped.
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
    budget and only a part of their subsets is run over; `total` is how many are. `chunked_groups`
    are the groups of squares, and in how many chunks each is looked up.
    """

    def __init__(self, buffer: BufferLayout, budget: int) -> None:
        self.buffer = buffer
        self.complete = True
        self.chunked_groups: list[tuple[PieceLayout, SizeGroup, int]] = []
        self.total = 0
        for layout in buffer.pieces:
            relevant = self._affordable(layout, budget)
            for group in groups(layout.mover, relevant, layout.bits):
                chunks = 1 << len(group.high[0])
                self.chunked_groups.append((layout, group, chunks))
                self.total += group.occupancies.size * chunks
        self.blocks: list[Block] | None = [] if self.total <= MOST_IN_MEMORY else None

    def _affordable(self, layout: PieceLayout, budget: int) -> tuple[int, ...]:
        rows = layout.playable
        if sum(1 << layout.relevant[row].bit_count() for row in rows) <= budget:
            return layout.relevant
        self.complete = False
        most = max(0, (budget // len(rows)).bit_length() - 1)
        masks = [mask.bit_count() for mask in layout.masks]
        if sum(1 << masks[row] for row in rows) > budget:
            masks = [0 for _ in masks]
        return tuple(_first_bits(layout, row, max(most, masks[row])) for row in layout.rows)

    def __iter__(self) -> Iterator[Block]:
        if self.blocks:
            yield from self.blocks
            return
        for layout, group, chunks in self.chunked_groups:
            for number in range(chunks):
                block = _block(self.buffer, layout, group, number)
                if self.blocks is not None:
                    self.blocks.append(block)
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


def turned(layout: PieceLayout, rows: NDArray[np.intp], boards: Words) -> Words:
    """Bitboards as the table and its buffer have them: of mirrored rows the bytes are swapped."""
    if not any(layout.mirrored):
        return boards
    mirrored = np.array([[layout.mirrored[row]] for row in rows])
    return np.where(mirrored, boards.byteswap(), boards)


def values_of(layout: PieceLayout, rows: NDArray[np.intp], occupancies: Words) -> dict[str, Words]:
    """What the names of the formulas stand for: occupancies as the table reads them."""
    values = {name: words[rows] for name, words in layout.parameters.items()}
    return {**values, OCCUPANCY: turned(layout, rows, occupancies)}


def _block(buffer: BufferLayout, layout: PieceLayout, group: SizeGroup, number: int) -> Block:
    occupancies, attacks = chunk(group, number)
    values = values_of(layout, group.rows, occupancies)
    attacks = turned(layout, group.rows, attacks)
    formula = layout.table.index
    try:
        numbers = indexes(evaluate(formula.tree, values, formula.text)).astype(
            np.uint64, copy=False
        )
    except RowsError as error:
        error.piece = layout.table.piece
        error.rows = [int(group.rows[row]) for row in error.rows]
        raise
    index = np.broadcast_to(numbers, occupancies.shape)
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


# A buffer of attack sets: everything is written, then everything is read back.

DENSE_SLOTS = 1 << 23
"""Up to this length the buffer is an array; its untouched pages cost no memory."""
MOST_DENSE = 1 << 26
"""Up to this length it is one, too, where lookups fill it: to sort their slots takes far longer."""


class WrittenBuffer:
    """Which attack set stands in which slot; free slots hold nothing of meaning."""

    def __init__(self, lookups: Lookups) -> None:
        highest, count = -1, 0
        lowest: int | None = None
        dtype: np.dtype[Any] = np.dtype(np.uint64)
        for block in lookups:
            dtype = block.attacks.dtype
            count += block.slots.size
            inside = block.slots if block.outside is None else block.slots[~block.outside]
            if inside.size:
                least = int(inside.min())
                highest = max(highest, int(inside.max()))
                lowest = least if lowest is None else min(lowest, least)
        self.length = highest + 1
        self.min_slot = lowest or 0
        self.keys: NDArray[np.int64] | None = None
        filled = self.length <= min(MOST_DENSE, 2 * count)
        if self.length > DENSE_SLOTS and not filled:
            self.keys = different(block.slots[block.slots >= 0] for block in lookups)
        self.size = self.length if self.keys is None else len(self.keys)
        self.attacks = np.zeros(max(1, self.size), dtype=dtype)

    def places(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where slots stand in `attacks`."""
        return slots if self.keys is None else np.searchsorted(self.keys, slots)

    def slots(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The slots that stand at `places`: the inverse of `places`."""
        return places if self.keys is None else self.keys[places]

    def write(self, block: Block) -> None:
        """Write the attack sets of a block, whatever stands there already."""
        places, attacks = self._inside(block)
        put(self.attacks, places, attacks)

    def conflicts(self, block: Block) -> NDArray[np.int64]:
        """The places, with repeats, where something else stands than a block wrote.

        Once all blocks are written: of several attack sets written to one place one stands
        there, and the lookups of the others find it here.
        """
        places, attacks = self._inside(block)
        return places[differing(self.attacks.take(places), attacks)]

    def _inside(self, block: Block) -> tuple[NDArray[np.int64], Words]:
        if block.outside is None:
            return self.places(block.slots), block.attacks
        inside = ~block.outside
        return self.places(block.slots[inside]), block.attacks[inside]


def different(parts: Iterable[Slots]) -> Slots:
    """All numbers of some arrays, sorted. Each is sorted in a few times only."""
    keys, waiting, count = np.empty(0, dtype=np.int64), list[Slots](), 0
    for part in parts:
        waiting.append(np.unique(part))
        count += len(waiting[-1])
        if count > max(len(keys), MOST_IN_MEMORY):
            keys, waiting, count = np.unique(np.concatenate([keys, *waiting])), [], 0
    return np.unique(np.concatenate([keys, *waiting]))


class Owners:
    """Which square wrote a slot last: a *member* of the buffer, its piece's rows counted on.

    Attack sets of two squares can be the same, and may then share a slot.
    """

    def __init__(self, lookups: Lookups, written: WrittenBuffer) -> None:
        self.lookups = lookups
        self.written = written
        layout = lookups.buffer
        self.rows = layout.rows
        self.members = self.rows * len(layout.pieces)
        self.first = {id(piece): self.rows * n for n, piece in enumerate(layout.pieces)}
        kind = np.uint8 if self.members < 1 << 8 else np.uint16
        self.nobody = int(np.iinfo(kind).max)
        self.owner = np.full(len(written.attacks), self.nobody, dtype=kind)

    def member(self, layout: PieceLayout, row: int) -> int:
        """The number of a square among all of the buffer."""
        return self.first[id(layout)] + row

    def write(self, block: Block) -> None:
        places, members = self._inside(block)
        self.owner[places] = members

    def count(self) -> int:
        """The number of slots used."""
        return int(np.count_nonzero(self.owner != self.nobody))

    def slots_used(self, exact: bool, apart: bool) -> list[int]:
        """The slots that each member uses, once all have written.

        A slot counts for its owner; the slots of squares that are not the owners of all of theirs
        are counted one by one, as are those of all squares unless `exact`. Where all are known
        to be `apart`, nobody has to look.
        """
        used: list[int] = np.bincount(self.owner, minlength=self.members)[: self.members].tolist()
        if exact and apart:
            return used
        shared = self._overwritten() if exact else set(range(self.members))
        for member, slots in self._slots(shared).items():
            used[member] = len(slots - {-1})
        return used

    def _overwritten(self) -> set[int]:
        """The members that wrote a slot which another one wrote later."""
        overwritten: set[int] = set()
        for block in self.lookups:
            places, members = self._inside(block)
            lost = self.owner[places] != members
            if lost.any():
                overwritten.update(np.unique(members[lost]).tolist())
        return overwritten

    def _slots(self, members: set[int]) -> dict[int, set[int]]:
        slots: dict[int, set[int]] = {}
        for block in self.lookups if members else ():
            for place, row in enumerate(block.rows.tolist()):
                member = self.member(block.layout, row)
                if member in members:
                    slots.setdefault(member, set()).update(block.slots[place].tolist())
        return slots

    def _inside(self, block: Block) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The places of a block's lookups, and the members that make them."""
        members = (self.first[id(block.layout)] + block.rows).astype(self.owner.dtype)
        rows = np.broadcast_to(members[:, None], block.slots.shape)
        slots = block.slots
        if block.outside is not None:
            slots, rows = slots[~block.outside], rows[~block.outside]
        return self.written.places(slots), rows
