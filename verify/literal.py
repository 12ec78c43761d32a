"""Sidecar files: the finished buffer of a table, compared slot by slot with the truth."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert.problem import InputError, Problem
from magicert.table import Table
from verify.counterexample import Position, Witness
from verify.layout import BufferLayout, PieceLayout, spread
from verify.lookups import Block, Lookups
from verify.report import Finding

MAX_SIDECAR = 1 << 28
"""Largest sidecar file, in bytes."""


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Numbers from a sidecar file, with its SHA-256."""

    name: str
    sha256: str
    numbers: NDArray[np.uint64]


def read_sidecar(folder: Path, name: str, entry_bits: int, entries: int | None) -> Sidecar:
    """Read little-endian numbers of `entry_bits` bits; `entries` is how many there must be.

    Raises InputError where the file is missing or its size does not fit.
    """
    path = folder / name
    try:
        size = path.stat().st_size
        wanted = None if entries is None else entries * entry_bits // 8
        if size > MAX_SIDECAR or size % (entry_bits // 8) or wanted not in (None, size):
            expected = f"expected {wanted:,}" if wanted else f"expected at most {MAX_SIDECAR:,}"
            message = f"{size:,} bytes: {expected}, {entry_bits} bits an entry"
            raise InputError([Problem(message, file=str(path))])
        data = path.read_bytes()
    except OSError as error:
        raise InputError([Problem(f"cannot be read: {error.strerror}", file=str(path))]) from None
    numbers = np.frombuffer(data, dtype=f"<u{entry_bits // 8}").astype(np.uint64)
    return Sidecar(name, hashlib.sha256(data).hexdigest(), numbers)


class LiteralCheck:
    """Compares what the finished buffer yields with the true attack sets."""

    def __init__(self, table: Table, buffer: BufferLayout, folder: Path) -> None:
        assert buffer.literal is not None
        self.two_level = table.two_level is not None
        bits = table.two_level.entry_bits if table.two_level else 64
        self.buffer = read_sidecar(folder, buffer.literal, bits, buffer.declared)
        self.sets: dict[int, tuple[Sidecar, NDArray[np.int64]]] = {}
        self.sidecars = {self.buffer.name: self.buffer.sha256}
        if self.two_level:
            for layout in buffer.pieces:
                self._read_sets(layout, folder)

    def _read_sets(self, layout: PieceLayout, folder: Path) -> None:
        piece = layout.table
        if piece.literal_sets is None:
            message = "missing: a two-level table with a finished buffer needs the attack sets"
            raise InputError([Problem(message, key=f"{piece.piece}.literal_sets")])
        sidecar = read_sidecar(folder, piece.literal_sets, 64, piece.attack_sets)
        offset = np.array(spread(piece.set_offset or (0,)), dtype=np.int64)
        self.sets[id(layout)] = (sidecar, offset)
        self.sidecars[sidecar.name] = sidecar.sha256

    def wrong(self, block: Block) -> NDArray[np.bool_]:
        """Which lookups of a block yield anything but the true attack set."""
        entry, beyond = _take(self.buffer.numbers, block.slots)
        if self.two_level:
            sets, offset = self.sets[id(block.layout)]
            number = entry.astype(np.int64) + offset[block.rows][:, None]
            entry, also = _take(sets.numbers, number)
            beyond |= also
        return (entry != block.attacks) | beyond

    def findings(self, witness: Witness, lookups: Lookups) -> list[Finding]:
        """One finding for each square with wrong entries."""
        findings = []
        for block in lookups:
            wrong = self.wrong(block)
            for place in np.flatnonzero(wrong.any(axis=1)):
                counts = np.where(wrong[place], np.bitwise_count(block.occupancies[place]), 255)
                simplest = int(np.argmin(counts))
                occupancy = int(block.occupancies[place, simplest])
                position = Position(block.layout, int(block.rows[place]), occupancy)
                lookup = witness.lookup(position)
                count = int(wrong[place].sum())
                message = (
                    f"{self.buffer.name} does not yield the true attack set at slot {lookup.slot} "
                    f"({count:,} lookups in all)"
                )
                findings.append(
                    Finding(
                        kind="literal",
                        squares=[witness.name(position)],
                        message=message,
                        count=count,
                        lookups=[lookup],
                    )
                )
        return findings


def _take(
    numbers: NDArray[np.uint64], places: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.bool_]]:
    """`numbers[places]`, and where a place is outside (there the value means nothing)."""
    beyond = (places < 0) | (places >= len(numbers))
    if not len(numbers):
        return np.zeros(places.shape, dtype=np.uint64), beyond
    return numbers[np.clip(places, 0, len(numbers) - 1)], beyond
