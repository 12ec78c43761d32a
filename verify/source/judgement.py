"""What a source is found to be: readings, and the verdict that follows from them."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from magicert.scheme import SCHEMES
from magicert.table import Table
from magicert.verify.source.attack_lists import AttackList
from magicert.verify.source.candidates import Half
from magicert.verify.source.columns import Column, is_called_offset
from magicert.verify.source.material import Use
from magicert.verify.table.report import Finding, Report

Verdict = Literal["valid", "invalid", "unknown"]
FUNCTION_HINT = "the code that uses them is not read: magicert verify FILE --function certifies it"
"""How to certify the function: the last line of a valid source."""
MAYBE_ANOTHER = "its magic is wrong, or the source uses another index there"
"""What a conflict under a guess says, where the rest of the list confirms the guess."""


@dataclass(frozen=True, slots=True)
class ListEntry:
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


def entry_of(column: Column, row: int) -> ListEntry | None:
    """The entry of a column, if its place is known."""
    if not column.spots:
        return None
    line, before = column.spots[row]
    number = column.values[row] if row in column.wide else column.words[row]
    return ListEntry(column.name, row, column.file, line, f"0x{number:x}", before + 1)


@dataclass(frozen=True, slots=True)
class SourceReading:
    """One way to read a source, through the exhaustive verifier.

    `sources` says for each part of the table where it was taken from. `conditions` are the `#if`
    branches it stands in. `guesses` are what the source does not say and was taken as usual.
    """

    table: Table
    report: Report
    sources: dict[str, str]
    halves: tuple[Half, ...]
    conditions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    also_used: tuple[Use, ...] = ()
    stated: bool = False
    """The formula was stated by the user."""
    named: bool = False
    """The lists were named by the user."""
    offsets: tuple[Column | None, ...] = ()
    lines: tuple[Column, ...] = ()
    """The lists that loaded words are ANDed with."""
    finished: tuple[AttackList, ...] = ()
    """The finished lists of attack sets, compared entry by entry."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """All lists that the reading takes its numbers from."""
        own = [column for half in self.halves for column in half.columns]
        return (*own, *(column for column in self.offsets if column), *self.lines)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the table came from, and no others."""
        lists = [] if self.halves else [one.file for one in self.finished]
        return tuple(dict.fromkeys([*(column.file for column in self.columns), *lists]))

    def entries(self, finding: Finding) -> list[ListEntry]:
        """Where the magics of a finding's squares stand in the source, in its own order."""
        board = self.table.board
        return [
            entry
            for half in self.halves
            for row in range(self.table.rows)
            if f"{half.piece} {board.name(self.table.row_square(row))}" in finding.squares
            and (entry := entry_of(half.magic, row)) is not None
        ]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was taken: the verdict's own line says it, so that it claims no more."""
        return (
            (f"taken, for the source does not say it: {', '.join(self.guesses)}",)
            if self.guesses
            else ()
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What speaks against the reading, without refuting it.

        A condition that nothing defines is said in the first line: a build may well define it.
        """
        return (*self.misnamed, *(note for note in self.notes if note.startswith("not read")))

    @property
    def misnamed(self) -> tuple[str, ...]:
        """Lists that are named for another piece, unless the user has said whose they are."""
        wrong = [
            (half.magic, half.piece)
            for half in self.halves
            if half.game.said(half.magic.own) not in (None, half.piece)
        ]
        if not wrong or self.named:
            return ()
        text = ", and ".join(f"{magic.name} holds magics of a {piece}" for magic, piece in wrong)
        return (f"{wrong[0][0].file}:{wrong[0][0].first_line}: {text}",)

    @property
    def bad_squares(self) -> int:
        """How many squares have a finding."""
        return len({name for finding in self.report.findings for name in finding.squares})

    @property
    def confirmed(self) -> bool:
        """Do nearly all squares certify, so that the rest of the lists confirms what was taken?

        Offsets by which most squares of a piece share slots are none.
        """
        bad = {name for finding in self.report.findings for name in finding.squares}
        counts = Counter(name.partition(" ")[0] for name in bad)
        placed = [half.piece for half, own in zip(self.halves, self.offsets, strict=True) if own]
        return (
            bool(bad)
            and all(half.is_confirmed for half in self.halves)
            and all(counts[piece] * 2 <= self.table.rows for piece in placed)
        )

    @property
    def places_read(self) -> bool:
        """Are the offsets given by hand, or called so? Only then is a clash of squares theirs."""
        columns = [column for column in self.offsets if column]
        return self.named or all(c.bases or is_called_offset(c) for c in columns)

    @property
    def ends_right(self) -> bool:
        """Is every entry of the finished lists what the index asks for?"""
        return all(one.right for one in self.finished)

    @property
    def read(self) -> bool:
        """Are there magics, and were their bits read? Nearly all entries confirm the formula."""
        counts = [half.count for half in self.halves]
        return bool(counts) and all(count is None or count.is_read for count in counts)

    @property
    def decided(self) -> bool:
        """Was every part read or stated? Only then is a conflict the table's own."""
        bad = [half for half in self.halves if half.bad]
        read = all(half.count is None or half.count.is_read for half in bad)
        # Squares that are right by themselves clash only by their offsets.
        if self.confirmed:
            return read and (bool(bad) or self.places_read)
        return read and self.stated and (bool(bad) or self.named)

    @property
    def settled_by(self) -> str:
        """The options that settle all that was guessed where it conflicts."""
        guessed = [
            half for half in self.halves if half.bad and half.count and not half.count.is_read
        ]
        bits = ",".join(f"{half.piece}={half.count.stated}" for half in guessed if half.count)
        options = [f"--bits {bits}"] if bits else []
        if not (self.stated or self.confirmed):
            options.append(f"--scheme {_stated(self.halves[0].formula.text)}")
        if not (self.named or guessed or any(half.bad for half in self.halves)):
            own = zip(self.halves, self.offsets, strict=True)
            options += [f"--map {half.piece}.offset={c.name}" for half, c in own if c]
        return f"if that is what the engine computes, say {' '.join(options)}"


def _stated(formula: str) -> str:
    """What --scheme takes to say the same: a scheme's name, or the formula."""
    bits = {formula.replace(">> shift", f">> ({word} - bits)") for word in (32, 64)}
    names = [name for name, scheme in SCHEMES.items() if scheme.formula.text in bits]
    return names[0] if names else f'"{formula}"'


@dataclass(slots=True)
class Judgement:
    """What a source is found to be.

    `valid` are the readings that certify, `nearest` those that come nearest where none does.
    `undecided` says why nothing is decided, `notes` what was not read and what else there is.
    """

    files: tuple[Path, ...]
    valid: list[SourceReading] = field(default_factory=list)
    nearest: list[SourceReading] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def remarks(self) -> list[str]:
        """What the readings that certify have to say beside the verdict."""
        return list(dict.fromkeys(text for one in self.valid for text in one.remarks))

    @property
    def warnings(self) -> list[str]:
        """What speaks against the readings that certify, without refuting them."""
        return list(dict.fromkeys(text for one in self.valid for text in one.warnings))

    @property
    def verdict(self) -> Verdict:
        """The verdict of the whole source: "invalid" only where every part was read or stated."""
        wrong = [reading for reading in self.nearest if reading.report.verdict == "invalid"]
        ends = [reading for reading in self.valid if not reading.ends_right]
        if ends:
            return "invalid" if any(reading.read for reading in ends) else "unknown"
        if any(reading.decided for reading in wrong) and not self.undecided:
            return "invalid"
        return "valid" if self.valid and not self.nearest and not self.undecided else "unknown"

    @property
    def can_be_fixed(self) -> bool:
        """Is there a reading whose wrong squares are known?"""
        return any(reading.report.findings for reading in self.nearest)
