"""One way to read a whole source: a table with the verifier's report, and what of it was assumed.

The rule that everything here serves: *what was assumed can make a table valid, never invalid*. A
conflict accuses somebody only where every part of what conflicts was read or stated by the user.
`assumed_parts` are those of which that is not so; where there are none, the reading is `decided`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from magicert.chess import Piece
from magicert.scheme import SCHEMES
from magicert.table import Table
from magicert.verify.source.attack_lists import AttackList
from magicert.verify.source.columns import WHOLE, Column, UnreadPlace
from magicert.verify.source.contents import Use
from magicert.verify.source.uses import Write
from magicert.verify.source.ways import PieceReading
from magicert.verify.table.report import Finding, Report

NOT_READ = "Only the numbers were checked."
COMPILED = frozenset({"c", "cc", "cpp", "cxx", "h", "hh", "hpp", "rs", "zig"})
"""The endings of sources whose functions can be certified."""
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


def function_hint(reading: "SourceReading") -> str:
    """How to certify the function: the end of what is said of a valid source. It names a slider of
    chess that the reading has, where the source is one that is compiled here.
    """
    endings = {name.rpartition(".")[2].lower() for name in reading.files}
    sliders = [piece for piece in Piece if piece in reading.table.pieces]
    if not sliders or not reading.table.is_chess() or not endings <= COMPILED:
        return NOT_READ
    how = f"add --function {sliders[0]}=NAME; --functions lists the names"
    return f"{NOT_READ} To check the lookup code, {how}"


def entry_of(column: Column, row: int) -> ListEntry:
    """The entry of a column."""
    line, before = column.spots[row]
    number = column.values[row] if row in column.wide else column.words[row]
    return ListEntry(column.name, row, column.file, line, f"0x{number:x}", before + 1)


@dataclass(frozen=True, slots=True)
class SourceReading:
    """One way to read a source, through the exhaustive verifier.

    `sources` says for each part of the table where it was taken from. `conditions` are the `#if`
    branches it stands in. `guesses` are what the source does not say and was assumed.
    """

    table: Table
    report: Report
    sources: dict[str, str]
    piece_readings: tuple[PieceReading, ...]
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
    writes: tuple[Write, ...] = ()
    """Statements that may change the numbers, and are not followed."""
    doubted: bool = False
    """Were numbers that conflict assumed, and not read?"""
    maps: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The options that name its lists, by their pieces and parameters."""
    either: tuple[tuple[str, str], ...] = ()
    """The keys of the lists whose digits were assumed to be of one base."""
    copies: tuple[str, ...] = ()
    """The files of other lists with the same numbers."""
    as_written: bool = False
    """The lists are taken as they stand."""
    unread: tuple[UnreadPlace, ...] = ()
    """What stands where the places of squares would, and is not read."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """All lists that the reading takes its numbers from."""
        from_pieces = [column for reading in self.piece_readings for column in reading.columns]
        return (*from_pieces, *(column for column in self.offsets if column), *self.lines)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the table came from, copies of it as well, and no others."""
        lists = [] if self.piece_readings else [attack_list.file for attack_list in self.finished]
        files = [column.file for column in self.columns]
        return tuple(dict.fromkeys([*files, *lists, *self.copies]))

    def entries(self, finding: Finding) -> list[ListEntry]:
        """Where the magics of a finding's squares stand in the source, in its own order; of a
        square whose mask alone is no usual one, the mask; of one that is right with another number
        of bits, that number.
        """
        wrong, counted = self.wrong_mask(finding), self.wrong_count(finding)
        return [
            counted[0]
            if counted
            else entry_of((reading.masks_column if wrong else None) or reading.magic, row)
            for reading, row in self._rows(finding)
        ]

    def _rows(self, finding: Finding) -> list[tuple[PieceReading, int]]:
        """The rows of a finding's squares."""
        board = self.table.board
        return [
            (reading, row)
            for reading in self.piece_readings
            for row in range(self.table.rows)
            if f"{reading.piece} {board.name(self.table.row_square(row))}" in finding.squares
        ]

    def wrong_count(self, finding: Finding) -> tuple[ListEntry, int] | None:
        """The number of bits, or the shift, that the source lists for a finding's one square, and
        the usual one, where with that nothing conflicts there.
        """
        rows = self._rows(finding)
        if len(rows) != 1 or finding.kind not in ("conflict", "outside"):
            return None
        ((reading, row),) = rows
        if reading.count.column is None or row not in reading.cured:
            return None
        needed = reading.variant.mask_bits(reading.piece, reading.arrangement)[row]
        return entry_of(reading.count.column, row), abs(WHOLE[reading.count.kind] - needed)

    def wrong_mask(self, finding: Finding) -> str:
        """What is wrong with the mask that the source lists for a finding's one square, if nearly
        all others are the usual ones.
        """
        listed = {reading.piece for reading in self.piece_readings if reading.masks_column}
        for entry in self.report.squares:
            if [f"{entry.piece} {entry.square}"] == finding.squares and entry.piece in listed:
                parts = (("it lacks", entry.missing), ("it has besides", entry.extra))
                return " and ".join(f"{what} {' '.join(names)}" for what, names in parts if names)
        return ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was assumed: the verdict's own line says it, so that it claims no more."""
        assumed = f"assumed (not in the source): {', '.join(self.guesses)}"
        return (assumed,) if self.guesses else ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What speaks against the reading, without refuting it.

        A condition that nothing defines is said in the first line: a build may well define it.
        """
        notes = (note for note in self.notes if note.startswith("not read"))
        return (*([] if self.swapped else self.misnamed), *notes)

    @property
    def called_otherwise(self) -> list[tuple[PieceReading, bool]]:
        """The pieces whose lists are named for another, unless the user has said whose they
        are; and whether a name says so in full.
        """
        misnamed = []
        for reading in () if self.named else self.piece_readings:
            variant, magic = reading.variant, reading.magic
            stem = variant.named(PurePath(magic.file).stem)
            named_piece = magic.named_piece or (None if variant.by_hand else stem)
            if named_piece not in (None, reading.piece):
                misnamed.append(
                    (
                        reading,
                        variant.piece_in(magic.name_words)
                        == variant.named(magic.name)
                        == named_piece,
                    )
                )
        return misnamed

    @property
    def swapped(self) -> bool:
        """Are names such that an engine by them would look up the other piece's numbers?"""
        wrong = self.called_otherwise
        return any(fully for _, fully in wrong) or len(wrong) == len(self.piece_readings) > 1

    @property
    def misnamed(self) -> tuple[str, ...]:
        """Lists that are named for another piece."""
        wrong = [(reading.magic, reading.piece) for reading, _ in self.called_otherwise]
        if not wrong:
            return ()
        text = ", and ".join(
            f"{magic.name or magic.file} holds magics of a {piece}" for magic, piece in wrong
        )
        if self.swapped:
            options = " ".join(
                self.maps[reading.piece, "magic"] for reading, _ in self.called_otherwise
            )
            text += f"; add {options} if this is meant"
        return (f"{wrong[0][0].file}:{wrong[0][0].first_line}: {text}",)

    @property
    def bad(self) -> set[str]:
        """The squares that have a finding."""
        return {name for finding in self.report.findings for name in finding.squares}

    @property
    def bad_squares(self) -> int:
        return len(self.bad)

    @property
    def confirmed(self) -> bool:
        """Do nearly all squares certify, so that the rest of the lists confirms what was assumed?

        Offsets by which most squares of a piece share slots are none.
        """
        counts = Counter(name.partition(" ")[0] for name in self.bad)
        placed = [
            reading.piece
            for reading, offset in zip(self.piece_readings, self.offsets, strict=True)
            if offset
        ]
        return (
            bool(counts)
            and all(reading.is_confirmed for reading in self.piece_readings)
            and all(counts[piece] * 2 <= self.table.rows for piece in placed)
        )

    @property
    def offsets_read(self) -> bool:
        """Are the offsets given by hand, or called so? Only then is a clash of squares theirs."""
        columns = [column for column in self.offsets if column]
        return self.named or all(not c.guesses if c.arrays else c.is_called_offset for c in columns)

    @property
    def offsets_increase(self) -> bool:
        """Do all the lists that were assumed to be offsets look like such?"""
        columns = [column for column in self.offsets if column]
        return bool(columns) and all(column.increases for column in columns)

    @property
    def finished_lists_right(self) -> bool:
        """Is every entry of the finished lists what the index asks for?"""
        return all(attack_list.right for attack_list in self.finished)

    @property
    def read(self) -> bool:
        """Are there magics, and were their bits read? Nearly all entries confirm the formula."""
        if self.writes:
            return False
        return bool(self.piece_readings) and all(r.count.is_read for r in self.piece_readings)

    @property
    def in_conflict(self) -> list[PieceReading]:
        """The pieces with squares that conflict by themselves; none where squares only clash."""
        return [reading for reading in self.piece_readings if reading.bad]

    @property
    def assumed_parts(self) -> list[tuple[str, str]]:
        """What was neither read nor stated of the parts that conflict, and the option that settles
        each.

        Squares that are right by themselves clash only by their offsets.
        """
        parts: list[tuple[str, str]] = []
        assumed = [reading for reading in self.in_conflict if not reading.count.is_read]
        if assumed:
            bits = ",".join(
                f"{piece_reading.piece}={piece_reading.count.option_value}"
                for piece_reading in assumed
            )
            parts.append(("bits", f"--bits {bits}"))
        if self.writes or self.doubted:
            parts.append(("numbers", "--as-written"))
        if self.piece_readings and not (self.stated or self.confirmed or self.as_the_other):
            formula = _scheme_value(self.piece_readings[0].formula.text)
            parts.append(("formula", f"--scheme {formula}"))
        parts += [("digits", self.maps[key]) for key in self.either_in_question]
        if not (self.in_conflict or (self.offsets_read if self.confirmed else self.named)):
            offsets = [option for key, option in self.maps.items() if key[1] == "offset"]
            parts.append(("offsets", " ".join(offsets)))
        return parts

    @property
    def decided(self) -> bool:
        """Is a conflict the table's own?"""
        return not self.assumed_parts

    @property
    def as_the_other(self) -> bool:
        """Are lists taken as they stand, and does another piece certify by the formula and a list
        of bits of its own? Then the formula is not in question.
        """
        right = {
            reading.formula.text
            for reading in self.piece_readings
            if not reading.bad and reading.count.evidence == "read"
        }
        return self.as_written and {reading.formula.text for reading in self.in_conflict} <= right

    @property
    def either_in_question(self) -> list[tuple[str, str]]:
        """The lists that may be in another base, where there is a conflict."""
        bad = [reading.piece for reading in self.in_conflict]
        return [key for key in self.either if key[0] in bad or key[1] == "offset"]

    @property
    def in_question(self) -> str:
        """What was assumed where it conflicts: the offsets alone, where no square conflicts by
        itself.
        """
        placed = " and ".join(column.name for column in self.offsets if column)
        if placed and self.confirmed and not self.in_conflict:
            return f"{placed} as offsets"
        counts = [reading.count.words for reading in self.in_conflict if not reading.count.is_read]
        return ", ".join(self.guesses or counts) or "the formula"

    @property
    def settled_by(self) -> str:
        """The options that settle all that was assumed where it conflicts."""
        options = " ".join(option for _, option in self.assumed_parts if option)
        return f"if that is what the engine computes, add {options}"


def _scheme_value(formula: str) -> str:
    """What --scheme takes to say the same: a scheme's name, or the formula."""
    bits = {formula.replace(">> shift", f">> ({word} - bits)") for word in (32, 64)}
    names = [name for name, scheme in SCHEMES.items() if scheme.formula.text in bits]
    return names[0] if names else f'"{formula}"'
