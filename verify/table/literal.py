"""Sidecar files: the finished buffer of a table, compared slot by slot with the truth.

A table file may name files of little-endian numbers, its finished buffer, and with two levels the
attack sets that the numbers stand for. Every lookup must load the true attack set from them.

When: for tables that name such files. What stands in holes does not matter.

Why: an engine that ships its buffer loads these bytes, not what its magics would make of an empty
one: right magics with a damaged buffer are wrong.

Cost: one more evaluation for each lookup. A file is read whole, and refused if its length is not
what the table says.
"""

import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert.formula.arrays import Words, dtype_of, indexes, ints
from magicert.problem import InputError, Problem, readable
from magicert.table import PieceTable, Table
from magicert.verify.table.attack_sets import set_offsets
from magicert.verify.table.counterexample import Position, Witness, simplest
from magicert.verify.table.layered import results
from magicert.verify.table.layout import BufferLayout
from magicert.verify.table.lookups import Block, Lookups
from magicert.verify.table.report import Finding

MAX_SIDECAR = 1 << 28
"""Largest sidecar file, in bytes."""


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Numbers or words from a sidecar file, with its SHA-256."""

    name: str
    sha256: str
    numbers: Words


def read_sidecar(folder: Path, name: str, entry_bits: int, entries: int | None) -> Sidecar:
    """Read little-endian numbers of 8 to 256 bits; `entries` is how many there must be.

    Raises InputError where the file is missing or its size does not fit.
    """
    path = folder / name
    size_of_entry = entry_bits // 8
    needed = None if entries is None else entries * size_of_entry
    with readable(path):
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InputError([Problem("not a file: expected a regular file", file=str(path))])
        if status.st_size > MAX_SIDECAR:
            message = f"{status.st_size:,} bytes: expected at most {MAX_SIDECAR:,}"
            raise InputError([Problem(message, file=str(path))])
        data = path.read_bytes()
    if needed not in (None, len(data)) or len(data) % size_of_entry:
        multiple = f"a multiple of {size_of_entry}"
        expected = multiple if needed is None else f"{needed:,}, {size_of_entry} an entry"
        message = f"{len(data):,} bytes: expected {expected}"
        raise InputError([Problem(message, file=str(path))])
    if entry_bits > 64:
        numbers: Words = np.frombuffer(data, dtype=dtype_of(entry_bits))
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
        by_square: dict[tuple[int, int], list[tuple[Position, int | None, int]]] = {}
        for block in lookups:
            wrong = self.wrong(block)
            entry, beyond = self.yields(block)
            for place in np.flatnonzero(wrong.any(axis=1)).tolist():
                which = simplest(block, place, wrong[place])
                occupancy = ints(block.occupancies[place, which])
                position = Position(block.layout, int(block.rows[place]), occupancy)
                loaded_number = ints(entry[place, which])
                yielded = None if beyond[place, which] else position.turned(loaded_number)
                mismatch = position, yielded, int(wrong[place].sum())
                by_square.setdefault((id(block.layout), position.row), []).append(mismatch)
        return [self._finding(witness, mismatches) for mismatches in by_square.values()]

    def _finding(
        self, witness: Witness, mismatches: list[tuple[Position, int | None, int]]
    ) -> Finding:
        """The finding of one square: of each block the simplest position, what it yields, and how
        many are wrong.
        """
        position, yielded, _ = min(mismatches, key=lambda mismatch: mismatch[0].simplicity)
        count = sum(number for *_, number in mismatches)
        lookup = witness.lookup(position)
        if yielded is not None and witness.table.board.hex(yielded) == lookup.attacks:
            raise AssertionError(f"numpy and the slow walk disagree, please report it: {lookup}")
        what = "nothing" if yielded is None else witness.table.board.hex(yielded)
        message = (
            f"{self.buffer.name} yields {what} at slot {lookup.slot}, not the true attack set "
            f"({count:,} lookups in all)"
        )
        return Finding.of("literal", message, count, lookup)


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
