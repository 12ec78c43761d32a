"""From conflicting slots to the two positions that show it, the simplest there are.

Among all pairs of lookups that share a slot with different attack sets, the one with the
fewest blockers is chosen, and each of its figures is computed again by the plain integer
reading and the slow walk before it is shown.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.board import MOST_SQUARES, squares_of
from magicert.formula.arrays import Words, argsort, ints, lanes, popcount
from magicert.formula.tree import LINE, MASK, OCCUPANCY, evaluate
from magicert.movement import attacks_of
from magicert.table import Table
from magicert.table.model import value_at
from magicert.verify.table.layout import PieceLayout, line_of, swap_bytes
from magicert.verify.table.lookups import Block, Lookups
from magicert.verify.table.report import Finding, Lookup


@dataclass(frozen=True, slots=True)
class Position:
    """A piece's row in its layout, and an occupancy."""

    layout: PieceLayout
    row: int
    occupancy: int

    def turned(self, board: int) -> int:
        """A bitboard on its way between the position and the buffer: bytes swapped, or not."""
        return swap_bytes(board) if self.layout.mirrored[self.row] else board

    @property
    def simplicity(self) -> tuple[int, int]:
        """How simple it is: the fewest blockers first."""
        return self.occupancy.bit_count(), self.occupancy

    @property
    def values(self) -> dict[str, int]:
        """What the names of the formulas stand for."""
        layout, home = self.layout, self.layout.home(self.row)
        values = {name: value_at(v, home) for name, v in layout.table.parameters.items()}
        values.setdefault(MASK, layout.table_masks[home])
        values.setdefault(LINE, line_of(layout.mover, layout.bits[home]))
        return {**values, OCCUPANCY: self.turned(self.occupancy)}

    @property
    def attacks(self) -> int:
        """The attack set by the slow walk, over the squares of the board and back to its bits."""
        mover = self.layout.mover
        occupied = sum(1 << mover.square(bit) for bit in squares_of(self.occupancy))
        square = mover.square(self.layout.bits[self.row])
        return mover.bits(attacks_of(mover.board, mover.movement, square, occupied))


class Witness:
    """Describes positions of one table, from first principles."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def names(self, board: int) -> list[str]:
        """The squares of a bitboard in the engine's numbering, by name, a1 first."""
        if not board:
            return []
        squares = sorted(self.table.bit_square(bit) for bit in squares_of(board))
        return [self.table.board.name(square) for square in squares]

    def index(self, position: Position) -> int:
        """The index by the plain interpretation."""
        formula = position.layout.table.index
        return evaluate(formula.tree, position.values, formula.text)

    def lookup(self, position: Position) -> Lookup:
        """The lookup by the plain interpretation and the slow walk."""
        layout, row, attacks = position.layout, position.row, position.attacks
        board = self.table.board
        index = self.index(position)
        return Lookup(
            piece=str(layout.table.piece),
            square=board.name(self.table.row_square(row)),
            occupancy=board.hex(position.occupancy),
            blockers=self.names(position.occupancy),
            index=_shown(index),
            slot=_shown(layout.offset[row] + index),
            attacks=board.hex(attacks),
            attacked=self.names(attacks),
        )


def _shown(number: int) -> int | str:
    """A number as the report has it: JSON's readers lose what has more than 64 bits."""
    return number if number.bit_length() <= 64 else f"{number:#x}"


def simplest(block: Block, place: int, chosen: NDArray[np.bool_]) -> int:
    """Of the chosen lookups of a block's square, the one with the fewest blockers."""
    counts = np.where(chosen, popcount(block.occupancies[place]), MOST_SQUARES + 1)
    fewest = np.flatnonzero(counts == counts.min())
    words = block.occupancies[place][fewest]
    return int(fewest[argsort(words)[0]])


def conflict(witness: Witness, first: Position, second: Position, slots: int) -> Finding:
    """The finding of two positions that share a slot; `slots` is how many slots are hit."""
    a, b = witness.lookup(first), witness.lookup(second)
    entries = [
        position.turned(int(shown.attacks, 16)) for position, shown in ((first, a), (second, b))
    ]
    if a.slot != b.slot or entries[0] == entries[1]:
        raise AssertionError(f"numpy and plain integers disagree, please report it: {a} {b}")
    places = "1 slot" if slots == 1 else f"{slots:,} slots"
    mirrored = any(first.layout.mirrored)
    squares = "different squares" + ", ranks 5-8 mirrored," * mirrored
    message = f"two positions share slot {a.slot} but attack {squares} ({places} in all)"
    return Finding.of("conflict", message, slots, a, b)


Entries = NDArray[np.void]


def _entry(word: np.dtype[Any]) -> np.dtype[Any]:
    """A lookup, by the words of its board; its occupancy also as the order of numbers has it."""
    lanes_down = [(f"lane {place}", "u8") for place in reversed(range(word.itemsize // 8))]
    ordered = [("slot", "i8"), ("member", "i4"), ("count", "u2"), *lanes_down]
    return np.dtype([*ordered, ("occupancy", word), ("attacks", word)])


def conflicts(witness: Witness, lookups: Lookups, bad_slots: NDArray[np.int64]) -> list[Finding]:
    """One finding for each square, or pair of squares, that conflicts in `bad_slots` (sorted).

    Squares of one slot are paired with their next two there, so that each of them is named.
    """
    buffer = lookups.buffer
    members = [(layout, row) for layout in buffer.pieces for row in layout.rows]
    first_member = {id(layout): buffer.rows * n for n, layout in enumerate(buffer.pieces)}
    entries = _all_simplest(
        _entries(block, bad_slots, first_member[id(block.layout)]) for block in lookups
    )
    return [
        conflict(
            witness,
            Position(*members[int(a["member"])], ints(a["occupancy"])),
            Position(*members[int(b["member"])], ints(b["occupancy"])),
            slots,
        )
        for a, b, slots in _simplest_pairs(entries)
    ]


def _entries(block: Block, bad_slots: NDArray[np.int64], first_member: int) -> Entries:
    place = np.minimum(np.searchsorted(bad_slots, block.slots), len(bad_slots) - 1)
    hit = bad_slots[place] == block.slots
    occupancies: Words = block.occupancies[hit]
    entries = np.zeros(len(occupancies), dtype=_entry(occupancies.dtype))
    entries["slot"] = block.slots[hit]
    entries["occupancy"] = occupancies
    entries["count"] = popcount(occupancies)
    for number, lane in enumerate(lanes(occupancies)):
        entries[f"lane {number}"] = lane
    entries["member"] = first_member + block.rows[np.nonzero(hit)[0]]
    entries["attacks"] = block.attacks[hit]
    return entries


def _all_simplest(parts: Iterable[Entries]) -> Entries:
    """`_simplest` of all parts together. Reduced as they come: there may be many millions, and few
    are needed. Each entry is sorted in a few times only.
    """
    waiting: list[Entries] = []
    count = simplest_count = 0
    for part in parts:
        waiting.append(_simplest(part))
        count += len(waiting[-1])
        if count > 2 * simplest_count:
            waiting = [_simplest(np.concatenate(waiting))]
            count = simplest_count = len(waiting[0])
    return _simplest(np.concatenate(waiting))


def _simplest(entries: Entries) -> Entries:
    """Of each square in each slot, the entry with the fewest blockers, and the simplest one
    whose attack set differs from that; sorted by slot, then by square.
    """
    assert entries.dtype.names is not None
    ordered = entries.dtype.names[:-2]
    entries = entries[np.lexsort([entries[key] for key in reversed(ordered)])]
    first = _starts(entries)
    # For each entry, the first one of its slot and square.
    leader = np.flatnonzero(first)[np.cumsum(first) - 1]
    other = entries["attacks"] != entries["attacks"][leader]
    second = np.zeros_like(first)
    differing = np.flatnonzero(other)
    second[differing[np.unique(leader[differing], return_index=True)[1]]] = True
    simplest_entries: Entries = entries[first | second]
    return simplest_entries


def _starts(entries: Entries) -> NDArray[np.bool_]:
    """Where a new slot or a new square begins."""
    starts = np.ones(len(entries), dtype=bool)
    same = entries["slot"][1:] == entries["slot"][:-1]
    starts[1:] = ~(same & (entries["member"][1:] == entries["member"][:-1]))
    return starts


def _simplest_pairs(entries: Entries) -> Iterator[tuple[np.void, np.void, int]]:
    """For each square, and for each pair of squares, its simplest conflicting pair of entries
    and the number of slots where it conflicts. `entries` come from `_simplest`.
    """
    starts = _starts(entries)
    second = np.flatnonzero(~starts)
    leaders = np.flatnonzero(starts)
    slots = entries["slot"][leaders]
    shared = np.flatnonzero(slots[1:] == slots[:-1])
    twice = np.flatnonzero(slots[2:] == slots[:-2])
    a = np.concatenate([second - 1, leaders[shared], leaders[twice]])
    b = np.concatenate([second, leaders[shared + 1], leaders[twice + 2]])
    # Two squares may have an attack set in common: sharing it is no conflict.
    differ = entries["attacks"][a] != entries["attacks"][b]
    a, b = a[differ], b[differ]
    key = entries["member"][a].astype(np.int64) << 32 | entries["member"][b]
    cost = entries["count"][a].astype(np.int64) + entries["count"][b]
    order = np.lexsort((a, cost, key))
    _, best, count = np.unique(key[order], return_index=True, return_counts=True)
    for place, number in zip(order[best], count, strict=True):
        yield entries[a[place]], entries[b[place]], int(number)
