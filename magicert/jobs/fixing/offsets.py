"""Other offsets, where squares that are right by themselves share slots."""

from collections.abc import Iterator
from dataclasses import replace

from magicert.data import published_tables
from magicert.jobs.fixing.repair import Repair
from magicert.table import read_table
from magicert.table.read import TableFile
from magicert.verify.source.columns import NEARLY_ALL
from magicert.verify.source.judgement import SourceReading
from magicert.verify.table.verifier import verify

Offsets = dict[tuple[str, int], int]
"""The offset of each piece and row."""
MOST_TRIALS = 32
"""Tables that are verified before giving up; one takes some tenths of a second."""
BEFORE = "the sum of the sizes before"


def other_offsets(reading: SourceReading) -> list[tuple[str, Repair]]:
    """The fewest offsets that make a reading's table valid, each with its square ("rook a1"); none
    if none was found.

    Tried are the sum of the sizes before and a published table's: of one square that shares a slot,
    then of all that differ.
    """
    columns = {
        half.piece: column
        for half, column in zip(reading.halves, reading.offsets, strict=True)
        if column is not None
    }
    own = {
        (piece, row): column.values[row]
        for piece, column in columns.items()
        for row in range(reading.table.rows)
    }
    named = {name for finding in reading.report.findings for name in finding.squares}
    trials = MOST_TRIALS
    for offsets, how in _likely(reading, own):
        differing = [place for place in own if offsets[place] != own[place]]
        single = [[place] for place in differing if _square(reading, *place) in named]
        for places in [*single, differing][:trials]:
            trials -= 1
            if _is_valid(reading, own | {place: offsets[place] for place in places}):
                return [
                    (
                        _square(reading, piece, row),
                        Repair(columns[piece], row, offsets[piece, row], how),
                    )
                    for piece, row in places
                ]
    return []


def _likely(reading: SourceReading, own: Offsets) -> Iterator[tuple[Offsets, str]]:
    """Offsets that most of the reading's agree with, and where they come from."""
    for offsets, how in [*_sums(reading), *_published()]:
        same = sum(offsets.get(place) == value for place, value in own.items())
        if own and offsets.keys() >= own.keys() and same >= NEARLY_ALL * len(own):
            yield offsets, how


def _sums(reading: SourceReading) -> Iterator[tuple[Offsets, str]]:
    """Each square behind the one before it: all of one piece, then of the other, in both orders;
    and each piece from 0.
    """
    bits = {f"{one.piece} {one.square}": one.bits for one in reading.report.squares}
    pieces = [half.piece for half in reading.halves]
    for order, apart in ((pieces, False), (pieces[::-1], False), (pieces, True)):
        sums: Offsets = {}
        total = 0
        for piece in order:
            total = 0 if apart else total
            for row in range(reading.table.rows):
                sums[piece, row] = total
                total += 1 << bits[_square(reading, piece, row)]
        yield sums, BEFORE


def _published() -> Iterator[tuple[Offsets, str]]:
    for name, path in published_tables().items():
        table = read_table(path).table
        yield (
            {
                (piece, row): offset
                for piece, half in table.pieces.items()
                for row, offset in enumerate(half.offset or ())
            },
            f"as in {name}",
        )


def _square(reading: SourceReading, piece: str, row: int) -> str:
    return f"{piece} {reading.table.board.name(reading.table.row_square(row))}"


def _is_valid(reading: SourceReading, offsets: Offsets) -> bool:
    table = reading.table
    pieces = {
        piece: replace(half, offset=tuple(offsets[piece, row] for row in range(table.rows)))
        if (piece, 0) in offsets
        else half
        for piece, half in table.pieces.items()
    }
    return verify(TableFile.unsaved(replace(table, pieces=pieces), table.name)).verdict == "valid"
