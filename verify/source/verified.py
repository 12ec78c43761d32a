"""From a table that a source may hold to its reading: the verifier's report, and where from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from magicert.table import Table
from magicert.table.files import TableFile
from magicert.table.values import Places
from magicert.verify.source.attack_lists import attack_lists, pext_lists
from magicert.verify.source.columns import OFFSET_WORDS, UnreadPlace, says
from magicert.verify.source.contents import Contents
from magicert.verify.source.overrides import Overrides, called, map_option
from magicert.verify.source.reading import SourceReading
from magicert.verify.source.tables import TableLayout, tables
from magicert.verify.source.uses import writes
from magicert.verify.source.ways import PieceReading
from magicert.verify.table.report import Finding, Report
from magicert.verify.table.verifier import verify

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class SourceVerifier:
    """Verifies the tables of some files that are read together."""

    contents: Contents
    overrides: Overrides
    file: Path
    max_lookups: int
    progress: Progress | None

    def readings(self, pieces: Sequence[PieceReading]) -> list[SourceReading]:
        """The tables that readings of some pieces can make, up to the first that certifies."""
        tried: list[SourceReading] = []
        name = " and ".join(dict.fromkeys(reading.magic.file for reading in pieces))
        for layout in tables(self.contents, self.overrides, pieces, name):
            # What is only assumed to make up for offsets that nearly fit would hide an error.
            telling = any(t.confirmed or t.offsets_read or t.offsets_increase for t in tried)
            if telling and layout.offsets != tried[-1].offsets:
                break
            if tried and layout.lines == tried[-1].lines and tried[-1].confirmed:
                break
            tried.append(self._reading(layout))
            if tried[-1].report.verdict == "valid":
                break
        return tried

    def _reading(self, layout: TableLayout) -> SourceReading:
        contents, overrides = self.contents, self.overrides
        columns = [column for reading in layout.readings for column in reading.columns]
        report = self._report(layout, columns[0].file)
        unread = _offsets_not_read(contents, layout)
        lists = {(r.piece, name): column for r in layout.readings for name, column in r.lists}
        for reading, offset in zip(layout.readings, layout.offsets, strict=True):
            lists |= {(reading.piece, "offset"): offset} if offset else {}
        either = {
            key: column
            for key, column in lists.items()
            if column.radix and not overrides.names(key[0], column)
        }
        guesses = [
            guess for r in layout.readings for guess in (*r.guesses, *sorted(r.magic.guesses))
        ]
        guesses += [f"the digits of {c.name or 'the list'} = {c.radix}" for c in either.values()]
        as_written = overrides.as_written
        written = [part for column in columns for part in (column, *column.halves)]
        return SourceReading(
            table=layout.table,
            report=report,
            sources=layout.sources,
            piece_readings=layout.readings,
            conditions=contents.conditions(columns),
            notes=contents.notes,
            guesses=tuple(dict.fromkeys([*guesses, *layout.guesses])),
            also_used=contents.uses([reading.magic for reading in layout.readings]),
            stated=overrides.formula is not None,
            named=bool(overrides.lists),
            offsets=layout.offsets,
            lines=layout.lines,
            finished=(
                attack_lists(contents, layout.table)
                if report.verdict == "valid" and not unread
                else ()
            ),
            unread=tuple(unread),
            as_written=as_written,
            writes=() if as_written else writes(contents, written),
            maps={
                key: map_option(*key, called(contents, list_name))
                for key, list_name in lists.items()
            },
            either=tuple(either),
            doubted=not as_written and any(reading.is_doubted for reading in layout.readings),
        )

    def _report(self, layout: TableLayout, file: str) -> Report:
        """The verifier's report, with what no table file has: numbers that are too large, and slots
        beyond an array's end.
        """
        table = TableFile(layout.table, self.file, self.contents.sha256, _places(layout, file))
        report = verify(table, max_lookups=self.max_lookups, progress=self.progress)
        beyond = [
            _too_wide(layout.table, reading, row)
            for reading in layout.readings
            for row in reading.magic.wide
        ]
        beyond += _beyond_arrays(layout, report)
        if not beyond:
            return report
        squares = [finding.squares for finding in beyond]
        others = [finding for finding in report.findings if finding.squares not in squares]
        return replace(report, verdict="invalid", findings=[*beyond, *others])


def without_magics(contents: Contents, file: Path) -> SourceReading | None:
    """Finished lists of attack sets alone, if their entries follow PEXT."""
    pext = pext_lists(contents)
    if pext is None:
        return None
    table, finished, not_looked_at = pext
    report = verify(TableFile(table, file, contents.sha256, Places()))
    lists = {
        f"{entries.piece}.entries": f"{entries.name} ({entries.file}, line {entries.line})"
        for entries in finished
    }
    index = "index = pext(occ, mask), one square after another"
    return SourceReading(
        table, report, lists, (), notes=contents.notes, guesses=(index, *not_looked_at),
        finished=finished,
    )  # fmt: skip


def _offsets_not_read(contents: Contents, layout: TableLayout) -> list[UnreadPlace]:
    """What of the squares' places in arrays is not read. What is the same in all records may be
    there to be filled, where something writes to these.
    """
    unread_places = []
    for reading, offset in zip(layout.readings, layout.offsets, strict=True):
        groups = {column.group for column in reading.columns}
        places = [
            place
            for place in contents.unread
            if place.group == reading.magic.group
            or (
                reading.variant.piece_in(place.name_words) == reading.piece
                and says(place.name_words, OFFSET_WORDS)
                and place.group not in groups
            )
        ]
        if offset is not None or not places:
            continue
        if not (all(place.same for place in places) and writes(contents, [reading.magic])):
            unread_places.append(places[0])
    return unread_places


def _beyond_arrays(layout: TableLayout, report: Report) -> list[Finding]:
    """The squares whose slots go on behind the end of the array that they begin in."""
    findings = []
    for reading, column in zip(layout.readings, layout.offsets, strict=True):
        if column is None or not column.arrays:
            continue
        last = {
            entry.square: entry.index_max
            for entry in report.squares
            if entry.piece == reading.piece
        }
        for row, (array, value) in enumerate(zip(column.arrays, column.values, strict=True)):
            name = layout.table.board.name(layout.table.row_square(row))
            length, end = column.extents.get(array), value + last.get(name, 0)
            if length is not None and end >= length:
                message = f"slot {end:,} is outside {array}, which has {length:,} entries"
                squares = [f"{reading.piece} {name}"]
                findings.append(
                    Finding(kind="outside", squares=squares, message=message, count=1, lookups=[])
                )
    return findings


def _too_wide(table: Table, reading: PieceReading, row: int) -> Finding:
    number, word = reading.magic.values[row], reading.variant.word
    message = f"0x{number:x} has {number.bit_length()} bits: expected at most {word}"
    name = table.board.name(table.row_square(row))
    return Finding(
        kind="number", squares=[f"{reading.piece} {name}"], message=message, count=1, lookups=[]
    )


def _places(layout: TableLayout, file: str) -> Places:
    """Where the lists of a table stand in the source, for the verifier's messages."""
    lines: dict[tuple[str | int, ...], int] = {}
    for reading in layout.readings:
        for column in reversed(reading.columns):
            if column.file == file:
                lines[reading.piece,] = column.first_line
        if reading.count.column and reading.count.column.file == file:
            lines[reading.piece, reading.count.parameter] = reading.count.column.first_line
    return Places(lines)
