"""The check of one buffer: all of its lookups, its figures, its findings."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece, square_name
from magicert.table import Table
from magicert.verify.table.counterexample import Position, Witness, conflicts
from magicert.verify.table.layers.clash import clashes
from magicert.verify.table.layers.entries import Entries, is_layered, is_readable
from magicert.verify.table.layout import BufferLayout, PieceLayout
from magicert.verify.table.literal import LiteralCheck
from magicert.verify.table.lookups import HUGE_INDEX, Block, Lookups
from magicert.verify.table.occupied import Occupied
from magicert.verify.table.report import Buffer, Finding, Square

Progress = Callable[[int, int], None]
"""Called with the lookups done and the lookups of the whole."""

CORNERS = (0, 7, 56, 63)
NOBODY = 255
"""The owner of a hole: more than the 128 squares of both pieces."""


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
        owner = np.full(len(occupied.attacks), NOBODY, dtype=np.uint8)
        ranges = {id(layout): _Range() for layout in self.layout.pieces}
        wrong_literal = False
        for block in self.lookups:
            occupied.write(block)
            ranges[id(block.layout)].add(block)
            self._own(owner, occupied, block)
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
        used = occupied.count()
        self.buffer = Buffer(
            name=self.layout.name,
            pieces=[str(layout.table.piece) for layout in self.layout.pieces],
            declared=self.layout.declared,
            length=occupied.length,
            min_slot=occupied.min_slot,
            slots_used=used,
            holes=occupied.length - used,
        )
        slots_used = self._slots_used(owner, exact=not len(places))
        for place, layout in enumerate(self.layout.pieces):
            part = slots_used[64 * place : 64 * place + 64]
            self.squares += self._squares(layout, ranges[id(layout)], part)

    def _occupied(self) -> Occupied:
        """What is written: attack sets, or ones and zeros where squares share entries by a
        formula that says which bits they want.
        """
        return Entries(self.lookups) if self.layered else Occupied(self.lookups)

    def _own(self, owner: NDArray[np.uint8], occupied: Occupied, block: Block) -> None:
        first = self._first(block.layout)
        members = (first + block.rows).astype(np.uint8)
        rows = np.broadcast_to(members[:, None], block.slots.shape)
        slots = block.slots
        if block.outside is not None:
            slots, rows = slots[~block.outside], rows[~block.outside]
        owner[occupied.places(slots)] = rows

    def _first(self, layout: PieceLayout) -> int:
        """The number of a piece's first square among those of the buffer."""
        return 64 * [piece is layout for piece in self.layout.pieces].index(True)

    def _slots_used(self, owner: NDArray[np.uint8], exact: bool) -> list[int]:
        """The slots that each square uses.

        Without conflicts a slot has one owner, for no two squares have an attack set in
        common but bishops in opposite corners, whose long diagonal can be blocked from both
        ends alike. Those, and all squares where there are conflicts, are counted one by one, as
        are those of a half board, where a square and its mirror have their slots in common.
        """
        exact = exact and not self.table.half_board and not self.layered
        squares = 64 * len(self.layout.pieces)
        used: list[int] = np.bincount(owner, minlength=NOBODY).tolist()[:squares]
        apart: dict[int, set[int]] = {}
        for block in self.lookups:
            bishop, first = block.layout.table.piece is Piece.BISHOP, self._first(block.layout)
            for place, row in enumerate(block.rows.tolist()):
                if not exact or (bishop and block.layout.bits[row] in CORNERS):
                    apart.setdefault(first + row, set()).update(block.slots[place].tolist())
        for member, slots in apart.items():
            used[member] = len(slots - {-1})
        return used

    def _outside(self) -> list[Finding]:
        return [
            self._outside_finding(block, place)
            for block in self.lookups
            if block.outside is not None
            for place in np.flatnonzero(block.outside.any(axis=1)).tolist()
        ]

    def _outside_finding(self, block: Block, place: int) -> Finding:
        assert block.outside is not None
        outside = block.outside[place]
        simplest = int(
            np.argmin(np.where(outside, np.bitwise_count(block.occupancies[place]), 255))
        )
        row = int(block.rows[place])
        position = Position(block.layout, row, int(block.occupancies[place, simplest]))
        lookup = self.witness.lookup(position)
        size = block.layout.size[row]
        end = HUGE_INDEX if self.layout.declared is None else self.layout.declared
        if lookup.index < size and 0 <= lookup.slot < end:
            raise AssertionError(f"numpy and plain reading disagree, please report it: {lookup}")
        if lookup.index >= size:
            where = f"index {lookup.index} is outside the square's {size:,} slots"
        else:
            declared = self.layout.declared
            of = "any buffer" if declared is None else f"the buffer of {declared:,} slots"
            where = f"slot {lookup.slot} is outside {of}"
        count = int(outside.sum())
        return Finding(
            kind="outside",
            squares=[self.witness.name(position)],
            message=f"{where} ({count:,} lookups in all)",
            count=count,
            lookups=[lookup],
        )

    def _squares(self, layout: PieceLayout, seen: "_Range", slots_used: list[int]) -> list[Square]:
        squares = []
        for row in range(64):
            true, given = layout.masks[row], layout.given[row]
            used = slots_used[row]
            squares.append(
                Square(
                    piece=str(layout.table.piece),
                    square=square_name(self.table.row_square(row)),
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
                    extra=self.witness.names(given & ~true),
                )
            )
        return squares


class _Range:
    """The least and the largest index of each row, and how many lookups it had."""

    def __init__(self) -> None:
        self.least = [1 << 64] * 64
        self.most = [0] * 64
        self.lookups = [0] * 64

    def add(self, block: Block) -> None:
        least, most = block.least.tolist(), block.most.tolist()
        for place, row in enumerate(block.rows.tolist()):
            self.least[row] = min(self.least[row], least[place])
            self.most[row] = max(self.most[row], most[place])
            self.lookups[row] += block.slots.shape[1]
