"""What a source is found to be: readings, and the verdict that follows from them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from magicert.table import Table
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.readings.ways import Half
from magicert.verify.table.report import Finding, Report

Verdict = Literal["valid", "invalid", "unknown"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of a list: its place in the list, as the engine counts, and in the source.

    `line` and `column` count from 1.
    """

    list: str
    entry: int
    file: str
    line: int
    number: str
    column: int

    def __str__(self) -> str:
        name = self.list or "an unnamed list"
        return f"entry {self.entry} of {name}, {self.file}, line {self.line}: {self.number}"


def entry_of(column: Column, row: int) -> Entry | None:
    """The entry of a column, if its place is known."""
    if not column.spots:
        return None
    number = f"0x{column.words[row]:x}"
    line, before = column.spots[row]
    return Entry(column.name, row, column.file, line, number, before + 1)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a source, through the exhaustive verifier.

    `sources` says for each part of the table where it was taken from. `bad_squares` counts
    the squares with a finding. `conditions` are the `#if` branches it stands in. `guesses`
    are what the source does not say and was taken as usual; `warnings` are what speaks
    against the reading, but was settled by hand or is no proof.
    """

    table: Table
    report: Report
    sources: dict[str, str]
    halves: tuple[Half, ...]
    conditions: tuple[str, ...]
    notes: tuple[str, ...]
    guesses: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    lines: tuple[Column, ...] = ()
    """The lists that loaded words are ANDed with."""
    also: list["Reading"] = field(default_factory=list)
    """Readings of the same lists by another formula, which certify as well."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """All lists that the reading takes its numbers from."""
        return tuple(column for half in self.halves for column in half.columns)

    def entries(self, finding: Finding) -> list[Entry]:
        """Where the magics of a finding's squares stand in the source, in its own order."""
        return [
            entry
            for half in self.halves
            for row in range(self.table.rows)
            if f"{half.piece} {self.table.board.name(self.table.row_square(row))}"
            in finding.squares
            and (entry := entry_of(half.magic, row)) is not None
        ]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the verdict's own line has to say of the reading, so that it claims no more."""
        taken = [f"not in the source, taken as usual: {', '.join(self.guesses)}"]
        warnings = [f"warning: {text}" for text in self.warnings]
        return (*(taken if self.guesses else []), *warnings)

    @property
    def bad_squares(self) -> int:
        """How many squares have a finding."""
        return len({name for finding in self.report.findings for name in finding.squares})


@dataclass(slots=True)
class Judgement:
    """What a source is found to be.

    `valid` are the readings that certify (more than one if several do), `nearest` those that
    come nearest where none does, `doubts` the reasons why the verdict is not "valid" in
    spite of a reading that certifies.
    """

    files: tuple[Path, ...]
    valid: list[Reading] = field(default_factory=list)
    nearest: list[Reading] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        """The verdict of the whole source."""
        if any(reading.report.verdict == "invalid" for reading in self.nearest) or self.doubts:
            return "invalid"
        if self.valid and not self.nearest:
            return "valid"
        return "unknown"
