"""The exhaustive verification of a table: all occupancies of all squares, no sampling."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert import __version__
from magicert.board import DIRECTIONS, Piece, ray, square_name
from magicert.problem import InputError
from magicert.table import Table
from magicert.table.read import TableFile
from verify.counterexample import Position, Witness, conflicts
from verify.layout import BufferLayout, PieceLayout, lay_out, shift_problem
from verify.literal import LiteralCheck
from verify.lookups import MAX_LOOKUPS, Block, Lookups
from verify.numpy_reading import ShiftError
from verify.occupied import Occupied
from verify.report import Buffer, Finding, Input, Report, Square, Verdict

Progress = Callable[[int, int], None]
"""Called with the lookups done and the lookups of the whole."""


def verify(
    file: TableFile, *, max_lookups: int = MAX_LOOKUPS, progress: Progress | None = None
) -> Report:
    """Verify a table; the report is a certificate if its verdict is "valid".

    Raises InputError where the table contradicts itself, where a shift reaches the
    word's width, or where a sidecar file is unusable.
    """
    table = file.table
    witness = Witness(table)
    buffers: list[Buffer] = []
    squares: list[Square] = []
    findings: list[Finding] = []
    sidecars: dict[str, str] = {}
    lookups: list[Lookups] = []
    try:
        plans = [Lookups(layout, max_lookups) for layout in lay_out(file)]
        count = _Counter(sum(plan.total for plan in plans), progress)
        for plan in plans:
            check = _BufferCheck(table, witness, plan, file.path.parent, count)
            check.run()
            buffers.append(check.buffer)
            squares += check.squares
            findings += check.findings
            sidecars.update(check.sidecars)
            lookups.append(plan)
    except ShiftError as error:
        raise InputError([shift_problem(file, error)]) from None
    findings += _attack_set_findings(table)
    complete = all(plan.complete for plan in lookups)
    verdict: Verdict = "invalid" if findings else "valid" if complete else "unknown"
    return Report(
        tool=f"magicert {__version__}",
        input=Input(file=file.path.name, sha256=file.sha256, sidecars=sidecars),
        table=table.name,
        verdict=verdict,
        statement=_STATEMENTS[verdict] + (_LITERAL if sidecars and verdict == "valid" else ""),
        formulas={piece.value: half.index.text for piece, half in table.pieces.items()},
        order=table.order,
        listing=table.listing,
        lookups=sum(plan.total for plan in lookups),
        buffers=buffers,
        squares=squares,
        findings=findings,
        notes=_notes(table, buffers, squares, lookups),
    )


_STATEMENTS = {
    "valid": "For every square and all 2^64 occupancies of the board, the slot is inside its "
    "buffer, and no slot is reached with two different attack sets.",
    "invalid": "At least one lookup of this table yields a wrong attack set, or none.",
    "unknown": "Nothing wrong was found, but more occupancy bits can change the index than the "
    "budget of lookups allows to try.",
}

_LITERAL = " The finished buffer yields the true attack set for each of them."

NOBODY = 255
"""The owner of a hole: more than the 128 squares of both pieces."""


class _Counter:
    """Adds up the lookups of several passes for the progress display."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.total = total
        self.done = 0
        self.progress = progress

    def add(self, lookups: int) -> None:
        self.done += lookups
        if self.progress:
            self.progress(min(self.done, self.total), self.total)


class _BufferCheck:
    """The verification of one buffer: fills in `buffer`, `squares` and `findings`."""

    def __init__(
        self, table: Table, witness: Witness, lookups: Lookups, folder: Path, count: _Counter
    ) -> None:
        self.table = table
        self.witness = witness
        self.lookups = lookups
        self.count = count
        self.layout: BufferLayout = lookups.buffer
        self.literal = LiteralCheck(table, self.layout, folder) if self.layout.literal else None
        self.sidecars = self.literal.sidecars if self.literal else {}
        self.findings: list[Finding] = []
        self.squares: list[Square] = []

    def run(self) -> None:
        occupied = Occupied(self.lookups)
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
        # The entries of a two-level literal are numbers, which squares may well share.
        shared_entries = self.literal is not None and self.literal.two_level
        if len(places) and not shared_entries:
            self.findings += conflicts(
                self.witness, self.lookups, np.unique(occupied.slots(places))
            )
        if wrong_literal and self.literal is not None:
            self.findings += self.literal.findings(self.witness, self.lookups)
        used = occupied.count()
        self.buffer = Buffer(
            name=self.layout.name,
            pieces=[layout.table.piece.value for layout in self.layout.pieces],
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
        """The slots that each square uses. Without conflicts no two squares share a slot,
        since no two squares have a common attack set; with them each square is counted.
        """
        squares = 64 * len(self.layout.pieces)
        if exact:
            return np.bincount(owner, minlength=NOBODY).tolist()[:squares]
        slots: dict[int, NDArray[np.int64]] = {}
        for block in self.lookups:
            first = self._first(block.layout)
            for row, own in zip(block.rows.tolist(), block.slots, strict=True):
                before = slots.get(first + row, np.empty(0, dtype=np.int64))
                slots[first + row] = np.union1d(before, own[own >= 0])
        return [len(slots[square]) for square in range(squares)]

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
        room = block.layout.room[row]
        if lookup.index >= room:
            where = f"index {lookup.index} is outside the square's room of {room:,} slots"
        else:
            declared = f"{self.layout.declared:,}" if self.layout.declared else "any number of"
            where = f"slot {lookup.slot} is outside the buffer of {declared} slots"
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
                    piece=layout.table.piece.value,
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


def distinct_attack_sets(piece: Piece, square: int) -> int:
    """How many different attack sets a square has: each ray can end on any of its squares."""
    count = 1
    for direction in DIRECTIONS[piece]:
        count *= max(1, len(ray(square, direction)))
    return count


def _attack_set_findings(table: Table) -> list[Finding]:
    """A two-level table's declared numbers of attack sets against the true ones."""
    if table.two_level is None:
        return []
    messages = []
    totals: dict[Piece, int] = {}
    most = 0
    for piece, half in table.pieces.items():
        counts = [distinct_attack_sets(piece, square) for square in range(64)]
        totals[piece] = sum(counts)
        # Without a starting place for each square, one numbering serves them all.
        most = max(most, *counts)
        if half.attack_sets is not None and half.attack_sets < totals[piece]:
            messages.append(
                f"{piece}.attack_sets: {half.attack_sets:,} declared, but a {piece} has "
                f"{totals[piece]:,} different attack sets"
            )
    if most > 1 << table.two_level.entry_bits:
        messages.append(f"entries of {table.two_level.entry_bits} bits cannot number {most} sets")
    return [
        Finding(kind="attack sets", squares=[], message=message, count=1, lookups=[])
        for message in messages
    ]


def _notes(
    table: Table, buffers: list[Buffer], squares: list[Square], lookups: list[Lookups]
) -> list[str]:
    notes = []
    for buffer in buffers:
        if buffer.declared is not None and buffer.length < buffer.declared:
            spare = buffer.declared - buffer.length
            notes.append(
                f"buffer {buffer.name}: {buffer.declared:,} slots declared, {buffer.length:,} "
                f"needed: the last {spare:,} are never used"
            )
    odd = [s for s in squares if s.missing or s.extra]
    for square in odd:
        parts = [
            f"{word} {' '.join(names)}"
            for word, names in (("lacks", square.missing), ("has besides", square.extra))
            if names
        ]
        notes.append(f"{square.piece} {square.square}: the given mask {' and '.join(parts)}")
    fewer = [s for s in squares if s.bits < s.c]
    for piece in table.pieces:
        names = [s.square for s in fewer if s.piece == piece]
        if names:
            notes.append(f"{piece}: fewer bits than the mask has on {' '.join(names)}")
    if not all(plan.complete for plan in lookups):
        notes.append("not exhaustive: raise the budget of lookups to decide")
    return notes
