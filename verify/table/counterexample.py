"""From conflicting slots to the two positions that show it, the simplest there are.

Among all pairs of lookups that share a slot with different attack sets, the one with the
fewest blockers is chosen, and each of its figures is computed again by the plain integer
reading and the ray walk before it is shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from magicert.board import attack_set, square_name, squares_of
from magicert.formula.integers import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.table import Table
from magicert.table.model import value_at
from magicert.verify.table.layout import PieceLayout, swap_bytes
from magicert.verify.table.lookups import Block, Lookups
from magicert.verify.table.report import Finding, Lookup


@dataclass(frozen=True, slots=True)
class Position:
    """A slider's row in its layout, and an occupancy."""

    layout: PieceLayout
    row: int
    occupancy: int

    def turned(self, board: int) -> int:
        """A bitboard on its way between the position and the buffer: bytes swapped, or not."""
        return swap_bytes(board) if self.layout.mirrored[self.row] else board


class Witness:
    """Describes positions of one table, from first principles."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def name(self, position: Position) -> str:
        """The piece and square: "rook a1"."""
        square = self.table.row_square(position.row)
        return f"{position.layout.table.piece} {square_name(square)}"

    def names(self, board: int) -> list[str]:
        """The squares of a bitboard in the engine's numbering, by name, a1 first."""
        if not board:
            return []
        return [square_name(s) for s in sorted(self.table.bit_square(b) for b in squares_of(board))]

    def lookup(self, position: Position) -> Lookup:
        """The lookup by the plain reading and the ray walk."""
        layout, row = position.layout, position.row
        home = layout.home(row)
        values = {name: value_at(v, home) for name, v in layout.table.parameters.items()}
        values.setdefault("mask", layout.given[home])
        values[OCCUPANCY] = position.turned(position.occupancy)
        index = evaluate(layout.table.index.tree, values, layout.table.index.text)
        # The attack set depends on the occupancy inside the true mask only.
        attacks = attack_set(layout.table.slider, layout.bits[row], position.occupancy)
        return Lookup(
            piece=str(layout.table.piece),
            square=square_name(self.table.row_square(row)),
            occupancy=f"0x{position.occupancy:016x}",
            blockers=self.names(position.occupancy),
            index=index,
            slot=layout.offset[row] + index,
            attacks=f"0x{attacks:016x}",
            attacked=self.names(attacks),
        )


def conflict(witness: Witness, first: Position, second: Position, slots: int) -> Finding:
    """The finding of two positions that share a slot; `slots` is how many slots are hit."""
    a, b = witness.lookup(first), witness.lookup(second)
    entries = [
        position.turned(int(found.attacks, 16)) for position, found in ((first, a), (second, b))
    ]
    if a.slot != b.slot or entries[0] == entries[1]:
        raise AssertionError(f"numpy and plain reading disagree, please report it: {a} {b}")
    names = list(dict.fromkeys((witness.name(first), witness.name(second))))
    places = "1 slot" if slots == 1 else f"{slots:,} slots"
    mirrored = any(first.layout.mirrored)
    squares = "different squares" + ", ranks 5-8 mirrored," * mirrored
    message = f"two positions share slot {a.slot} but attack {squares} ({places} in all)"
    return Finding(kind="conflict", squares=names, message=message, count=slots, lookups=[a, b])


Entries = NDArray[np.void]

_ENTRY = np.dtype(
    [("slot", "i8"), ("member", "i4"), ("count", "u1"), ("occupancy", "u8"), ("attacks", "u8")]
)


def conflicts(witness: Witness, lookups: Lookups, bad_slots: NDArray[np.int64]) -> list[Finding]:
    """One finding for each square, or pair of squares, that conflicts in `bad_slots` (sorted).

    Squares of one slot are paired with their next two there, so that each of them is named.
    """
    members = [(layout, row) for layout in lookups.buffer.pieces for row in range(64)]
    first_member = {id(layout): 64 * place for place, layout in enumerate(lookups.buffer.pieces)}
    entries = np.zeros(0, dtype=_ENTRY)
    for block in lookups:
        found = _entries(block, bad_slots, first_member[id(block.layout)])
        # Reduced as they come: there may be many millions, and few are needed.
        entries = _simplest(np.concatenate([entries, found]))
    return [
        conflict(
            witness,
            Position(*members[int(a["member"])], int(a["occupancy"])),
            Position(*members[int(b["member"])], int(b["occupancy"])),
            slots,
        )
        for a, b, slots in _simplest_pairs(entries)
    ]


def _entries(block: Block, bad_slots: NDArray[np.int64], first_member: int) -> Entries:
    place = np.minimum(np.searchsorted(bad_slots, block.slots), len(bad_slots) - 1)
    hit = bad_slots[place] == block.slots
    entries = np.zeros(np.count_nonzero(hit), dtype=_ENTRY)
    entries["slot"] = block.slots[hit]
    entries["occupancy"] = block.occupancies[hit]
    entries["count"] = np.bitwise_count(entries["occupancy"])
    entries["member"] = first_member + block.rows[np.nonzero(hit)[0]]
    entries["attacks"] = block.attacks[hit]
    return entries


def _simplest(entries: Entries) -> Entries:
    """Of each square in each slot, the entry with the fewest blockers, and the simplest one
    whose attack set differs from that; sorted by slot, then by square.
    """
    entries = np.sort(entries, order=("slot", "member", "count", "occupancy"))
    first = _starts(entries)
    # For each entry, the first one of its slot and square.
    leader = np.flatnonzero(first)[np.cumsum(first) - 1]
    other = entries["attacks"] != entries["attacks"][leader]
    second = np.zeros_like(first)
    differing = np.flatnonzero(other)
    second[differing[np.unique(leader[differing], return_index=True)[1]]] = True
    kept: Entries = entries[first | second]
    return kept


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
    # Bishops in opposite corners have an attack set in common: sharing it is no conflict.
    differ = entries["attacks"][a] != entries["attacks"][b]
    a, b = a[differ], b[differ]
    key = entries["member"][a].astype(np.int64) << 32 | entries["member"][b]
    cost = entries["count"][a].astype(np.int64) + entries["count"][b]
    order = np.lexsort((a, cost, key))
    _, best, count = np.unique(key[order], return_index=True, return_counts=True)
    for place, number in zip(order[best], count, strict=True):
        yield entries[a[place]], entries[b[place]], int(number)
