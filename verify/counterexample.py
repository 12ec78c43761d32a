"""From conflicting slots to the two positions that show it, the simplest there are.

Among all pairs of lookups that share a slot with different attack sets, the one with the
fewest blockers is chosen, and each of its figures is computed again by the plain integer
reading and the ray walk before it is shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from magicert.board import attack_set, square_name, squares_of
from magicert.formula.integers import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.table import Table
from magicert.table.model import value_at
from verify.layout import PieceLayout
from verify.lookups import Block, Lookups
from verify.report import Finding, Lookup


@dataclass(frozen=True, slots=True)
class Position:
    """A slider's row in its layout, and an occupancy."""

    layout: PieceLayout
    row: int
    occupancy: int


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
        values = {name: value_at(v, row) for name, v in layout.table.parameters.items()}
        values.setdefault("mask", layout.given[row])
        values[OCCUPANCY] = position.occupancy
        index = evaluate(layout.table.index.tree, values, layout.table.index.text)
        # The attack set depends on the occupancy inside the true mask only.
        attacks = attack_set(layout.table.piece, layout.bits[row], position.occupancy)
        return Lookup(
            piece=layout.table.piece.value,
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
    if a.slot != b.slot or a.attacks == b.attacks:
        raise AssertionError(f"numpy and plain reading disagree, please report it: {a} {b}")
    names = list(dict.fromkeys((witness.name(first), witness.name(second))))
    places = "1 slot" if slots == 1 else f"{slots:,} slots"
    message = f"two positions share slot {a.slot} but attack different squares ({places} in all)"
    return Finding(kind="conflict", squares=names, message=message, count=slots, lookups=[a, b])


Entries = NDArray[np.void]

_ENTRY = np.dtype(
    [("slot", "i8"), ("count", "u1"), ("member", "i4"), ("occupancy", "u8"), ("attacks", "u8")]
)


def conflicts(witness: Witness, lookups: Lookups, bad_slots: NDArray[np.int64]) -> list[Finding]:
    """One finding for each square, or pair of squares, that conflicts in `bad_slots`."""
    members: list[tuple[PieceLayout, int]] = [
        (layout, row) for layout in lookups.buffer.pieces for row in range(64)
    ]
    first_member = {id(layout): 64 * place for place, layout in enumerate(lookups.buffer.pieces)}
    entries = np.concatenate(
        [_entries(block, bad_slots, first_member[id(block.layout)]) for block in lookups]
    )
    pairs = _simplest_pairs(_without_repeats(entries))
    return [
        conflict(
            witness,
            Position(*members[int(a["member"])], int(a["occupancy"])),
            Position(*members[int(b["member"])], int(b["occupancy"])),
            slots,
        )
        for a, b, slots in pairs
    ]


def _without_repeats(entries: Entries) -> Entries:
    """Of the entries of one square with one attack set in one slot, the simplest; sorted by
    slot, then by number of blockers.
    """
    keys = ("slot", "member", "attacks", "count", "occupancy")
    grouped = entries[np.lexsort([entries[key] for key in reversed(keys)])]
    first = np.ones(len(grouped), dtype=bool)
    same = [grouped[key][1:] == grouped[key][:-1] for key in keys[:3]]
    first[1:] = ~np.logical_and.reduce(same)
    kept = grouped[first]
    return kept[np.lexsort([kept[key] for key in ("member", "occupancy", "count", "slot")])]


def _entries(block: Block, bad_slots: NDArray[np.int64], first_member: int) -> Entries:
    hit = np.isin(block.slots, bad_slots)
    squares, _ = np.nonzero(hit)
    entries = np.zeros(len(squares), dtype=_ENTRY)
    entries["slot"] = block.slots[hit]
    entries["occupancy"] = block.occupancies[hit]
    entries["count"] = np.bitwise_count(entries["occupancy"])
    entries["member"] = first_member + block.rows[squares]
    entries["attacks"] = block.attacks[hit]
    return entries


def _simplest_pairs(entries: Entries) -> Iterable[tuple[np.void, np.void, int]]:
    """For each square and each pair of squares, its simplest conflicting pair and the number
    of slots. `entries` are sorted by slot, then by number of blockers.
    """
    best: dict[tuple[int, int], tuple[int, np.void, np.void]] = {}
    slots: dict[tuple[int, int], int] = {}
    bounds = np.flatnonzero(np.diff(entries["slot"], prepend=-1))
    for start, end in zip(bounds, [*bounds[1:], len(entries)], strict=True):
        for a, b in _pairs_of_slot(entries[start:end]):
            key = (int(a["member"]), int(b["member"]))
            key = (min(key), max(key))
            cost = int(a["count"]) + int(b["count"])
            slots[key] = slots.get(key, 0) + 1
            if key not in best or cost < best[key][0]:
                best[key] = (cost, a, b)
    return [(a, b, slots[key]) for key, (_, a, b) in sorted(best.items())]


def _pairs_of_slot(entries: Entries) -> Iterable[tuple[np.void, np.void]]:
    """The first two different attack sets of each square in a slot, and of each two squares
    that follow one another there.
    """
    by_member: dict[int, np.void] = {}
    paired: set[int] = set()
    for entry in entries:
        member = int(entry["member"])
        first = by_member.setdefault(member, entry)
        if member not in paired and first["attacks"] != entry["attacks"]:
            paired.add(member)
            yield first, entry
    firsts = list(by_member.values())
    yield from pairwise(firsts)
