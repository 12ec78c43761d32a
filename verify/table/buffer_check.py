"""The check of one buffer: all of its lookups, its figures, its findings."""

import hashlib
import stat
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert.board import names_in
from magicert.formula.wide import WIDE, Words, indexes, ints
from magicert.problem import InputError, Problem
from magicert.table import PieceTable, Table
from magicert.verify.table.attack_sets import set_offsets
from magicert.verify.table.counterexample import Position, Witness, conflicts, simplest
from magicert.verify.table.layered import Entries, clashes, is_layered, is_readable, results
from magicert.verify.table.layout import BufferLayout, PieceLayout
from magicert.verify.table.lookups import HUGE_INDEX, Block, Lookups, Occupied, Owners
from magicert.verify.table.report import Buffer, Finding, Square

# Sidecar files: the finished buffer of a table, compared slot by slot with the truth.

MAX_SIDECAR = 1 << 28
"""Largest sidecar file, in bytes."""


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Numbers or words from a sidecar file, with its SHA-256."""

    name: str
    sha256: str
    numbers: Words


def read_sidecar(folder: Path, name: str, entry_bits: int, entries: int | None) -> Sidecar:
    """Read little-endian numbers of 8, 16, 64 or 128 bits; `entries` is how many there must be.

    Raises InputError where the file is missing or its size does not fit.
    """
    path = folder / name
    size_of_entry = entry_bits // 8
    wanted = None if entries is None else entries * size_of_entry
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InputError([Problem("not a file: expected a regular file", file=str(path))])
        if status.st_size > MAX_SIDECAR:
            message = f"{status.st_size:,} bytes: expected at most {MAX_SIDECAR:,}"
            raise InputError([Problem(message, file=str(path))])
        data = path.read_bytes()
    except OSError as error:
        raise InputError([Problem(f"cannot be read: {error.strerror}", file=str(path))]) from None
    if wanted not in (None, len(data)) or len(data) % size_of_entry:
        multiple = f"a multiple of {size_of_entry}"
        expected = multiple if wanted is None else f"{wanted:,}, {size_of_entry} an entry"
        message = f"{len(data):,} bytes: expected {expected}"
        raise InputError([Problem(message, file=str(path))])
    if entry_bits == 128:
        numbers: Words = np.frombuffer(data, dtype=WIDE)
    else:
        numbers = np.frombuffer(data, dtype=f"<u{size_of_entry}").astype(np.uint64)
    return Sidecar(name, hashlib.sha256(data).hexdigest(), numbers)


class LiteralCheck:
    """Compares what the finished buffer yields with the true attack sets."""

    def __init__(self, table: Table, buffer: BufferLayout, folder: Path) -> None:
        assert buffer.literal is not None
        self.two_level = table.two_level is not None
        word = table.board.word
        bits = table.two_level.entry_bits if table.two_level else word
        self.sets: dict[int, tuple[Sidecar, NDArray[np.int64]]] = {}
        problems: list[Problem] = []
        try:
            self.buffer = read_sidecar(folder, buffer.literal, bits, buffer.declared)
        except InputError as error:
            problems += error.problems
        for layout in buffer.pieces if self.two_level else ():
            name, count = second_level(table, layout.table)
            try:
                sets = read_sidecar(folder, name, word, count)
            except InputError as error:
                problems += error.problems
                continue
            starts = np.array(set_offsets(layout), dtype=np.int64)
            self.sets[id(layout)] = (sets, starts)
        if problems:
            raise InputError(problems)
        self.sidecars = {
            sidecar.name: sidecar.sha256
            for sidecar in (self.buffer, *(sets for sets, _ in self.sets.values()))
        }

    def yields(self, block: Block) -> tuple[Words, NDArray[np.bool_]]:
        """What the finished buffer yields for each lookup, and where it yields nothing."""
        entry, beyond = self.loaded(block)
        return entry if block.layout.table.result is None else results(block, entry), beyond

    def loaded(self, block: Block) -> tuple[Words, NDArray[np.bool_]]:
        """The word that each lookup loads, and where there is none."""
        entry, beyond = _take(self.buffer.numbers, block.slots)
        if self.two_level:
            sets, offset = self.sets[id(block.layout)]
            number = indexes(entry).astype(np.int64) + offset[block.rows][:, None]
            entry, also = _take(sets.numbers, number)
            beyond |= also
        return entry, beyond

    def wrong(self, block: Block) -> NDArray[np.bool_]:
        """Which lookups of a block yield anything but the true attack set.

        Lookups outside the buffer are findings of their own.
        """
        entry, beyond = self.yields(block)
        wrong = (entry != block.attacks) | beyond
        return wrong if block.outside is None else wrong & ~block.outside

    def findings(self, witness: Witness, lookups: Lookups) -> list[Finding]:
        """One finding for each square with wrong entries."""
        found: dict[tuple[int, int], list[tuple[Position, int | None, int]]] = {}
        for block in lookups:
            wrong = self.wrong(block)
            entry, beyond = self.yields(block)
            for place in np.flatnonzero(wrong.any(axis=1)).tolist():
                which = simplest(block, place, wrong[place])
                occupancy = ints(block.occupancies[place, which])
                position = Position(block.layout, int(block.rows[place]), occupancy)
                held = ints(entry[place, which])
                yielded = None if beyond[place, which] else position.turned(held)
                one = position, yielded, int(wrong[place].sum())
                found.setdefault((id(block.layout), position.row), []).append(one)
        return [self._finding(witness, own) for own in found.values()]

    def _finding(self, witness: Witness, found: list[tuple[Position, int | None, int]]) -> Finding:
        """The finding of one square: of each block the simplest position, what it yields, and how
        many are wrong.
        """
        position, yielded, _ = min(found, key=lambda one: one[0].simplicity())
        count = sum(number for *_, number in found)
        lookup = witness.lookup(position)
        if yielded is not None and witness.hex(yielded) == lookup.attacks:
            raise AssertionError(f"numpy and the slow walk disagree, please report it: {lookup}")
        what = "nothing" if yielded is None else witness.hex(yielded)
        message = (
            f"{self.buffer.name} yields {what} at slot {lookup.slot}, not the true attack set "
            f"({count:,} lookups in all)"
        )
        return Finding(
            kind="literal",
            squares=[witness.name(position)],
            message=message,
            count=count,
            lookups=[lookup],
        )


def second_level(table: Table, piece_table: PieceTable) -> tuple[str, int | None]:
    """The sidecar file of a piece's attack sets, or of the words that all pieces share, and how
    many there must be.
    """
    assert table.two_level is not None
    name = table.two_level.literal_words or piece_table.literal_sets
    assert name is not None  # the reader sees to it
    return name, table.two_level.words or piece_table.attack_sets


def _take(numbers: Words, places: NDArray[np.int64]) -> tuple[Words, NDArray[np.bool_]]:
    """`numbers[places]`, and where a place is outside (there the value means nothing)."""
    beyond = (places < 0) | (places >= len(numbers))
    if not len(numbers):
        return np.zeros(places.shape, dtype=numbers.dtype), beyond
    return numbers[np.clip(places, 0, len(numbers) - 1)], beyond


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
