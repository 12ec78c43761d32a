"""Attack tables of the source that are too short for a reading: lookups behind their end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from magicert.verify.source.lists.material import Material
from magicert.verify.source.uses.buffers import Buffer, buffers
from magicert.verify.table.report import Report

MUCH_SHORTER = 2
"""A table of less than one in so many of the entries needed holds something else."""


@dataclass(frozen=True, slots=True)
class Length:
    """A declared table beside the entries that a reading needs of it."""

    buffer: Buffer
    needed: int

    def __str__(self) -> str:
        each = " for each square" if self.buffer.each_square else ""
        return f"{self.buffer.name} has {self.buffer.entries:,} entries{each}"


def lengths(material: Material, report: Report) -> Iterator[Length]:
    """The tables that the source declares for the pieces of a reading, the longest of each name."""
    longest: dict[str, Buffer] = {}
    for buffer in buffers(material):
        first = longest.setdefault(buffer.name, buffer)
        if first.entries < buffer.entries:
            longest[buffer.name] = buffer
    found = list(longest.values())
    pieces = {square.piece for square in report.squares}
    for piece in material.game.pieces:
        own = [buffer for buffer in found if buffer.piece == piece]
        if piece in pieces:
            yield from _enough([b for b in own if b.each_square], _of_a_square(report, piece))
            yield from _enough([b for b in own if not b.each_square], _of(report, {piece}))
    if not any(buffer.piece for buffer in found):
        whole = [buffer for buffer in found if not buffer.each_square]
        yield from _enough(whole, _of(report, pieces))


def _enough(own: Sequence[Buffer], needed: int) -> Iterator[Length]:
    """The longest of some tables, unless it, or all of them together, are much too short."""
    together = sum(buffer.entries for buffer in own)
    if needed and together * MUCH_SHORTER >= needed:
        enough = together >= needed
        best = max(own, key=lambda buffer: buffer.entries)
        if enough or best.entries * MUCH_SHORTER >= needed:
            yield Length(best, min(needed, best.entries) if enough else needed)


def _of_a_square(report: Report, piece: str) -> int:
    """The most entries that a square of the piece reaches."""
    return max(square.index_max + 1 for square in report.squares if square.piece == piece)


def _of(report: Report, pieces: set[str]) -> int:
    """The entries that some pieces reach in all; 0 where others share their buffer."""
    mine = [buffer for buffer in report.buffers if pieces.issuperset(buffer.pieces)]
    held = {piece for buffer in mine for piece in buffer.pieces}
    return sum(buffer.length for buffer in mine) if held == pieces else 0
