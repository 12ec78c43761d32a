"""One buffer: every lookup writes its attack set, and reads it back."""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from magicert.board import names_in
from magicert.formula.arrays import ints
from magicert.table import Table
from magicert.verify.table.layout import BufferLayout, PieceLayout
from magicert.verify.table.lookups import HUGE_INDEX, Block, Lookups, Owners, WrittenBuffer
from magicert.verify.table.report import Buffer, Finding, Square

if TYPE_CHECKING:
    from magicert.verify.table.counterexample import Position, Witness
    from magicert.verify.table.literal import LiteralCheck


Progress = Callable[[int, int], None]
"""Called with the lookups done and the lookups of the whole."""


class LookupCounter:
    """Adds up the lookups of several passes for the progress display."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.total = total
        self.done = 0
        self.progress = progress

    def add(self, lookups: int) -> None:
        self.done += lookups
        if self.progress:
            self.progress(min(self.done, self.total), self.total)


class BufferCheck:
    """The verification of one buffer: fills in `buffer`, `squares` and `findings`."""

    def __init__(self, table: Table, lookups: Lookups, folder: Path, count: LookupCounter) -> None:
        self.table = table
        self.lookups = lookups
        self.count = count
        self.layout: BufferLayout = lookups.buffer
        self.literal: LiteralCheck | None = None
        if self.layout.literal:
            from magicert.verify.table import literal

            self.literal = literal.LiteralCheck(table, self.layout, folder)
        self.sidecars = self.literal.sidecars if self.literal else {}
        # The entries of a two-level literal are numbers, which squares may well share.
        self.only_literal = self.literal is not None and self.literal.two_level
        self.layered = self.layout.layered and not self.only_literal
        if self.layered:
            from magicert.verify.table.layered import is_readable

            if not is_readable(self.layout):
                self.layered, self.only_literal = False, True
        self.findings: list[Finding] = []
        self.squares: list[Square] = []

    @cached_property
    def witness(self) -> "Witness":
        """Describes positions; loaded where there is one to be described."""
        from magicert.verify.table.counterexample import Witness

        return Witness(self.table)

    def run(self) -> None:
        """Make every lookup, twice: once to write, once to read back."""
        written = self._written_buffer()
        owners = Owners(self.lookups, written)
        ranges = {id(layout): _Range(self.layout.rows) for layout in self.layout.pieces}
        wrong_literal = False
        for block in self.lookups:
            written.write(block)
            ranges[id(block.layout)].add(block)
            owners.write(block)
            if self.literal is not None and not wrong_literal:
                wrong_literal = bool(self.literal.wrong(block).any())
            self.count.add(block.slots.size)
        places = np.concatenate([written.conflicts(block) for block in self.lookups])
        self.findings += self._outside()
        if len(places) and not self.only_literal:
            bad = np.unique(written.slots(places))
            self.findings += self._shown(bad)
        if wrong_literal and self.literal is not None:
            self.findings += self.literal.findings(self.witness, self.lookups)
        used = owners.count()
        self.buffer = Buffer(
            name=self.layout.name,
            pieces=[str(layout.table.piece) for layout in self.layout.pieces],
            declared=self.layout.declared,
            length=written.length,
            min_slot=written.min_slot,
            slots_used=used,
            holes=written.length - used,
        )
        spans = (ranges[id(layout)].spans(layout) for layout in self.layout.pieces)
        # A mirrored square and its mirror have their slots in common, and layers share by design.
        exact = not len(places) and not self.table.half_board and not self.layered
        slots_used = owners.slots_used(exact, apart=_are_apart([*chain(*spans)]))
        for layout in self.layout.pieces:
            first = owners.member(layout, 0)
            part = slots_used[first : first + self.layout.rows]
            self.squares += self._squares(layout, ranges[id(layout)], part)

    def judge_numbers(self) -> bool:
        """Once it has run: whether it is decided that there are numbers for what the buffer holds.

        A finished buffer has them, and is followed through both levels instead. What each piece has
        is judged by itself, whatever else the table holds.
        """
        if self.table.two_level is None or self.literal is not None:
            return True
        from magicert.verify.table import attack_sets

        self.findings += attack_sets.attack_set_findings(self.table, [self.layout])
        if self.findings:  # the table is invalid, whatever the numbers are
            return True
        common = attack_sets.common_sets(self.lookups)
        if common and any(layout.together for layout in self.layout.pieces):
            return False  # other pieces have other attack sets there
        numbered = attack_sets.can_be_numbered(common)
        if numbered is False:
            self.findings.append(attack_sets.sharing_finding(self.table, common))
        return numbered is not None

    def statement(self, numbered: bool) -> str:
        """What was shown of a buffer without findings."""
        levels = self.table.two_level
        if not self.lookups.complete:
            text = STATEMENTS["unknown"]
        elif not numbered:
            text = _NOT_NUMBERED
        elif self.literal is not None:
            text = _LITERAL
        elif levels is not None:
            text = _NUMBERED
        else:
            text = _LAYERED if self.layered else STATEMENTS["valid"]
        bits = levels.entry_bits if levels is not None else 0
        text = text.format(squares=len(self.table.board.playable), bits=bits)
        for name in dict.fromkeys(p.numbers_of for p in self.table.pieces.values()):
            same = [n for n, p in self.table.pieces.items() if name and p.numbers_of == name]
            if same and levels is not None and numbered and self.lookups.complete:
                text += _TOGETHER.format(first=name, others=" and ".join(same))
        return text

    def _written_buffer(self) -> WrittenBuffer:
        """What is written: attack sets, or ones and zeros where squares share entries by a
        formula that says which bits they want.
        """
        if not self.layered:
            return WrittenBuffer(self.lookups)
        from magicert.verify.table.layered import Entries

        return Entries(self.lookups)

    def _shown(self, bad: NDArray[np.int64]) -> list[Finding]:
        """The findings of slots where lookups contradict one another."""
        if not self.layered:
            from magicert.verify.table.counterexample import conflicts

            return conflicts(self.witness, self.lookups, bad)
        from magicert.verify.table.layered import layered_conflicts

        return layered_conflicts(self.witness, self.lookups, bad)

    def _outside(self) -> list[Finding]:
        """One finding for each square with indexes outside, by the simplest position."""
        positions: dict[tuple[int, int], list[tuple[int, Position]]] = {}
        for block in self.lookups:
            for row, position_outside in (
                () if block.outside is None else _outside(block, block.outside)
            ):
                positions.setdefault((id(block.layout), row), []).append(position_outside)
        return [self._outside_finding(position_outside) for position_outside in positions.values()]

    def _outside_finding(self, outside: "list[tuple[int, Position]]") -> Finding:
        """The finding of one square: of each block the lookups outside, and the simplest."""
        position = min(
            (position for _, position in outside),
            key=lambda place: place.simplicity,
        )
        layout, row = position.layout, position.row
        lookup = self.witness.lookup(position)
        index = self.witness.index(position)
        size, slot = layout.size[row], layout.offset[row] + index
        end = HUGE_INDEX if self.layout.declared is None else self.layout.declared
        if index < size and 0 <= slot < end:
            raise AssertionError(f"numpy and plain integers disagree, please report it: {lookup}")
        if index >= size:
            where = f"index {lookup.index} is outside the square's {size:,} slots"
        else:
            declared = self.layout.declared
            of = "any buffer" if declared is None else f"the buffer of {declared:,} slots"
            where = f"slot {lookup.slot} is outside {of}"
        count = sum(number for number, _ in outside)
        return Finding.of("outside", f"{where} ({count:,} lookups in all)", count, lookup)

    def _squares(self, layout: PieceLayout, seen: "_Range", slots_used: list[int]) -> list[Square]:
        squares = []
        names = names_in(self.table.listing, self.table.board)
        for row in layout.playable:
            true, table_masks = layout.masks[row], layout.table_masks[row]
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
                    missing=self._named(true & ~table_masks),
                    extra=self._named(table_masks & ~layout.usual[row]),
                )
            )
        return squares

    def _named(self, squares: int) -> list[str]:
        return self.witness.names(squares) if squares else []


def _are_apart(spans: list[tuple[int, int]]) -> bool:
    """Whether no two spans, each from its first to its last slot, have a slot in common."""
    return all(end < start for (_, end), (start, _) in pairwise(sorted(spans)))


def _outside(
    block: Block, outside: NDArray[np.bool_]
) -> "Iterator[tuple[int, tuple[int, Position]]]":
    """The rows of a block with lookups outside: how many, and the simplest."""
    from magicert.verify.table.counterexample import Position, simplest

    for place in np.flatnonzero(outside.any(axis=1)).tolist():
        row = int(block.rows[place])
        occupancy = ints(block.occupancies[place, simplest(block, place, outside[place])])
        yield row, (int(outside[place].sum()), Position(block.layout, row, occupancy))


class _Range:
    """The least and the largest index of each row, and how many lookups it had."""

    def __init__(self, rows: int) -> None:
        self.least = [1 << 64] * rows
        self.most = [0] * rows
        self.lookups = [0] * rows

    def spans(self, layout: PieceLayout) -> list[tuple[int, int]]:
        """The first and the last slot of each row."""
        return [
            (layout.offset[row] + self.least[row], layout.offset[row] + self.most[row])
            for row in layout.playable
        ]

    def add(self, block: Block) -> None:
        least, most = block.least.tolist(), block.most.tolist()
        for place, row in enumerate(block.rows.tolist()):
            self.least[row] = min(self.least[row], least[place])
            self.most[row] = max(self.most[row], most[place])
            self.lookups[row] += block.slots.shape[1]


STATEMENTS = {
    "valid": "For every square and all 2^{squares} occupancies of the board, the slot is inside "
    "its buffer, and no slot is reached with two different attack sets.",
    "invalid": "At least one lookup of this table yields a wrong attack set, or none.",
    "unknown": "Nothing wrong was found, but more occupancy bits can change the index than the "
    "budget of lookups allows to try.",
}


_NOT_NUMBERED = (
    "Nothing wrong was found, but squares share slots, and whether there are numbers that mean the "
    "same attack sets for each of them is not decided: a finished buffer (literal) says which."
)


_NUMBERED = (
    "For every square and all 2^{squares} occupancies of the board, the slot is inside its buffer, "
    "no slot is reached with two different attack sets, and there are numbers of {bits} bits for "
    "the attack sets of each square."
)


_TOGETHER = (
    " An entry of {first} numbers what it and {others} attack together: each has the same lookups, "
    "and attack sets of its own."
)


_LITERAL = (
    "For every square and all 2^{squares} occupancies of the board, the slot is inside its buffer, "
    "and the finished buffer yields the true attack set."
)


_LAYERED = (
    "For every square and all 2^{squares} occupancies of the board, the slot is inside its buffer, "
    "and no bit of a slot's word must be both one and zero for the result formula to yield the "
    "true attack sets. So there is a buffer that yields all of them: the ones asked for, 0 "
    "elsewhere."
)
