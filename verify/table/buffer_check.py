"""The check of one buffer: all of its lookups, its figures, its findings."""

from collections.abc import Callable
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

from magicert.formula.wide import ints
from magicert.square_order import names_in
from magicert.table import Table
from magicert.verify.table.counterexample import Position, Witness, conflicts, simplest
from magicert.verify.table.layers.clash import clashes
from magicert.verify.table.layers.entries import Entries, is_layered, is_readable
from magicert.verify.table.layout import BufferLayout, PieceLayout
from magicert.verify.table.literal import LiteralCheck
from magicert.verify.table.lookups import HUGE_INDEX, Block, Lookups
from magicert.verify.table.occupied import Occupied, Owners
from magicert.verify.table.report import Buffer, Finding, Square

Progress = Callable[[int, int], None]
"""Called with the lookups done and the lookups of the whole."""


class Counter:
    """Adds up the lookups of several passes for the progress display."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.total = total
        self.done = 0
        self.progress = progress

    def add(self, lookups: int) -> None:
        """So many more are done."""
        self.done += lookups
        if self.progress:
            self.progress(min(self.done, self.total), self.total)


class BufferCheck:
    """The verification of one buffer: fills in `buffer`, `squares` and `findings`."""

    def __init__(
        self, table: Table, witness: Witness, lookups: Lookups, folder: Path, count: Counter
    ) -> None:
        self.table = table
        self.witness = witness
        self.lookups = lookups
        self.count = count
        self.layout: BufferLayout = lookups.buffer
        self.literal = LiteralCheck(table, self.layout, folder) if self.layout.literal else None
        self.sidecars = self.literal.sidecars if self.literal else {}
        # The entries of a two-level literal are numbers, which squares may well share.
        self.only_literal = self.literal is not None and self.literal.two_level
        self.layered = is_layered(self.layout) and not self.only_literal
        if self.layered and not is_readable(self.layout):
            self.layered, self.only_literal = False, True
        self.findings: list[Finding] = []
        self.squares: list[Square] = []

    def run(self) -> None:
        """Make every lookup, twice: once to write, once to read back."""
        occupied = self._occupied()
        owners = Owners(self.lookups, occupied)
        ranges = {id(layout): _Range(self.layout.rows) for layout in self.layout.pieces}
        wrong_literal = False
        for block in self.lookups:
            occupied.write(block)
            ranges[id(block.layout)].add(block)
            owners.write(block)
            if self.literal is not None and not wrong_literal:
                wrong_literal = bool(self.literal.wrong(block).any())
            self.count.add(block.slots.size)
        places = np.concatenate([occupied.conflicts(block) for block in self.lookups])
        self.findings += self._outside()
        if len(places) and not self.only_literal:
            shown = clashes if self.layered else conflicts
            self.findings += shown(self.witness, self.lookups, np.unique(occupied.slots(places)))
        if wrong_literal and self.literal is not None:
            self.findings += self.literal.findings(self.witness, self.lookups)
        used = owners.count()
        self.buffer = Buffer(
            name=self.layout.name,
            pieces=[str(layout.table.piece) for layout in self.layout.pieces],
            declared=self.layout.declared,
            length=occupied.length,
            min_slot=occupied.min_slot,
            slots_used=used,
            holes=occupied.length - used,
        )
        spans = (ranges[id(layout)].spans(layout) for layout in self.layout.pieces)
        # A mirrored square and its mirror have their slots in common, and layers share by design.
        exact = not len(places) and not self.table.half_board and not self.layered
        slots_used = owners.slots_used(exact, apart=_are_apart([*chain(*spans)]))
        for layout in self.layout.pieces:
            first = owners.member(layout, 0)
            part = slots_used[first : first + self.layout.rows]
            self.squares += self._squares(layout, ranges[id(layout)], part)

    def _occupied(self) -> Occupied:
        """What is written: attack sets, or ones and zeros where squares share entries by a
        formula that says which bits they want.
        """
        return Entries(self.lookups) if self.layered else Occupied(self.lookups)

    def _outside(self) -> list[Finding]:
        """One finding for each square with indexes outside, by the simplest position."""
        positions: dict[tuple[int, int], list[tuple[int, Position]]] = {}
        for block in self.lookups:
            if block.outside is None:
                continue
            for place in np.flatnonzero(block.outside.any(axis=1)).tolist():
                outside = block.outside[place]
                row = int(block.rows[place])
                occupancy = ints(block.occupancies[place, simplest(block, place, outside)])
                found = int(outside.sum()), Position(block.layout, row, occupancy)
                positions.setdefault((id(block.layout), row), []).append(found)
        return [self._outside_finding(found) for found in positions.values()]

    def _outside_finding(self, found: list[tuple[int, Position]]) -> Finding:
        """The finding of one square: of each block the lookups outside, and the simplest."""
        position = min((position for _, position in found), key=Position.simplicity)
        layout, row = position.layout, position.row
        lookup = self.witness.lookup(position)
        index = self.witness.index(position)
        size, slot = layout.size[row], layout.offset[row] + index
        end = HUGE_INDEX if self.layout.declared is None else self.layout.declared
        if index < size and 0 <= slot < end:
            raise AssertionError(f"numpy and plain reading disagree, please report it: {lookup}")
        if index >= size:
            where = f"index {lookup.index} is outside the square's {size:,} slots"
        else:
            declared = self.layout.declared
            of = "any buffer" if declared is None else f"the buffer of {declared:,} slots"
            where = f"slot {lookup.slot} is outside {of}"
        count = sum(number for number, _ in found)
        return Finding(
            kind="outside",
            squares=[self.witness.name(position)],
            message=f"{where} ({count:,} lookups in all)",
            count=count,
            lookups=[lookup],
        )

    def _squares(self, layout: PieceLayout, seen: "_Range", slots_used: list[int]) -> list[Square]:
        squares = []
        names = names_in(self.table.listing, self.table.board)
        for row in layout.rows:
            true, given = layout.masks[row], layout.given[row]
            used = slots_used[row]
            squares.append(
                Square(
                    piece=str(layout.table.piece),
                    square=names[row],
                    c=true.bit_count(),
                    bits=layout.reach[row].bit_length(),
                    lookups=seen.lookups[row],
                    index_min=seen.least[row],
                    index_max=seen.most[row],
                    offset=layout.offset[row],
                    slots_used=used,
                    holes=max(0, seen.most[row] - seen.least[row] + 1 - used),
                    constructive_collisions=seen.lookups[row] - used,
                    missing=self.witness.names(true & ~given),
                    extra=self.witness.names(given & ~layout.usual[row]),
                )
            )
        return squares


def _are_apart(spans: list[tuple[int, int]]) -> bool:
    """Whether no two spans, each from its first to its last slot, have a slot in common."""
    return all(end < start for (_, end), (start, _) in pairwise(sorted(spans)))


class _Range:
    """The least and the largest index of each row, and how many lookups it had."""

    def __init__(self, rows: int) -> None:
        self.least = [1 << 64] * rows
        self.most = [0] * rows
        self.lookups = [0] * rows

    def spans(self, layout: PieceLayout) -> list[tuple[int, int]]:
        """The first and the last slot of each row."""
        rows = zip(layout.offset, self.least, self.most, strict=True)
        return [(offset + least, offset + most) for offset, least, most in rows]

    def add(self, block: Block) -> None:
        least, most = block.least.tolist(), block.most.tolist()
        for place, row in enumerate(block.rows.tolist()):
            self.least[row] = min(self.least[row], least[place])
            self.most[row] = max(self.most[row], most[place])
            self.lookups[row] += block.slots.shape[1]
