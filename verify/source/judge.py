"""What a source is found to be: readings, each through the exhaustive verifier, and the verdict."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations, product
from pathlib import Path, PurePath
from typing import Literal

from magicert.board import Piece
from magicert.problem import InputError, NothingThereError, Problem, printable
from magicert.scheme import SCHEMES
from magicert.table import Table
from magicert.table.read import TableFile
from magicert.table.values import Places
from magicert.verify.source.attack_lists import AttackList, attack_lists, pext_lists
from magicert.verify.source.candidates import (
    MOST_MAGICS,
    Count,
    Half,
    Search,
    likeliest,
    relisted,
    search,
)
from magicert.verify.source.columns import (
    MAGIC_WORDS,
    OFFSET_WORDS,
    WHOLE,
    Column,
    Contents,
    UnreadPlace,
    Use,
    read_contents,
    says,
)
from magicert.verify.source.game import split_words
from magicert.verify.source.lists import Beside, Source
from magicert.verify.source.pins import Pins, called, map_option
from magicert.verify.source.tables import Laid, tables
from magicert.verify.source.uses import Write, writes
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.report import Finding, Report
from magicert.verify.table.verifier import verify

Verdict = Literal["valid", "invalid", "unknown"]
LEFT = "not part of it: "
"""So a note begins on a list that calls itself magics, and is in no reading that certifies."""
NOT_READ = "the code that uses them is not read"
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
    """How to certify the function: the last line of a valid source. It names a slider of chess that
    the reading has, where the source is one that is compiled here.
    """
    endings = {name.rpartition(".")[2].lower() for name in reading.files}
    sliders = [piece for piece in Piece if piece in reading.table.pieces]
    if not sliders or not reading.table.is_chess() or not endings <= COMPILED:
        return NOT_READ
    return f"{NOT_READ}: magicert verify FILE --function {sliders[0]}=NAME certifies it"


def entry_of(column: Column, row: int) -> ListEntry:
    """The entry of a column."""
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
    writes: tuple[Write, ...] = ()
    """Statements that may change the numbers, and are not followed."""
    doubted: bool = False
    """Were numbers that conflict taken, and not read?"""
    maps: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """The options that name its lists, by their pieces and parameters."""
    either: tuple[tuple[str, str], ...] = ()
    """The keys of the lists whose digits were taken to be of one base."""
    copies: tuple[str, ...] = ()
    """The files of other lists with the same numbers."""
    as_written: bool = False
    """The lists are taken as they stand."""
    unread: tuple[UnreadPlace, ...] = ()
    """What stands where the places of squares would, and is not read."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """All lists that the reading takes its numbers from."""
        own = [column for half in self.halves for column in half.columns]
        return (*own, *(column for column in self.offsets if column), *self.lines)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that the table came from, copies of it as well, and no others."""
        lists = [] if self.halves else [one.file for one in self.finished]
        own = [column.file for column in self.columns]
        return tuple(dict.fromkeys([*own, *lists, *self.copies]))

    def entries(self, finding: Finding) -> list[ListEntry]:
        """Where the magics of a finding's squares stand in the source, in its own order; of a
        square whose mask alone is no usual one, the mask; of one that is right with another number
        of bits, that number.
        """
        wrong, counted = self.wrong_mask(finding), self.wrong_count(finding)
        return [
            counted[0]
            if counted
            else entry_of((half.masks_column if wrong else None) or half.magic, row)
            for half, row in self._rows(finding)
        ]

    def _rows(self, finding: Finding) -> list[tuple[Half, int]]:
        """The rows of a finding's squares."""
        board = self.table.board
        return [
            (half, row)
            for half in self.halves
            for row in range(self.table.rows)
            if f"{half.piece} {board.name(self.table.row_square(row))}" in finding.squares
        ]

    def wrong_count(self, finding: Finding) -> tuple[ListEntry, int] | None:
        """The number of bits, or the shift, that the source lists for a finding's one square, and
        the usual one, where with that nothing conflicts there.
        """
        rows = self._rows(finding)
        if len(rows) != 1 or finding.kind not in ("conflict", "outside"):
            return None
        ((half, row),) = rows
        if half.count.column is None or row not in half.cured:
            return None
        needed = half.game.mask_bits(half.piece, half.arrangement)[row]
        return entry_of(half.count.column, row), abs(WHOLE[half.count.kind] - needed)

    def wrong_mask(self, finding: Finding) -> str:
        """What is wrong with the mask that the source lists for a finding's one square, if nearly
        all others are the usual ones.
        """
        listed = {half.piece for half in self.halves if half.masks_column}
        for one in self.report.squares:
            if [f"{one.piece} {one.square}"] == finding.squares and one.piece in listed:
                parts = (("it lacks", one.missing), ("it has besides", one.extra))
                return " and ".join(f"{what} {' '.join(names)}" for what, names in parts if names)
        return ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was taken: the verdict's own line says it, so that it claims no more."""
        taken = f"taken, for the source does not say it: {', '.join(self.guesses)}"
        return (taken,) if self.guesses else ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What speaks against the reading, without refuting it.

        A condition that nothing defines is said in the first line: a build may well define it.
        """
        notes = (note for note in self.notes if note.startswith("not read"))
        return (*([] if self.swapped else self.misnamed), *notes)

    @property
    def called_otherwise(self) -> list[tuple[Half, bool]]:
        """The halves whose lists are named for another piece, unless the user has said whose they
        are; and whether a name says so in full.
        """
        found = []
        for half in () if self.named else self.halves:
            game, magic = half.game, half.magic
            stem = game.named(PurePath(magic.file).stem)
            said = magic.piece_said or (None if game.by_hand else stem)
            if said not in (None, half.piece):
                found.append((half, game.said(magic.own) == game.named(magic.name) == said))
        return found

    @property
    def swapped(self) -> bool:
        """Are names such that an engine by them would look up the other piece's numbers?"""
        wrong = self.called_otherwise
        return any(fully for _, fully in wrong) or len(wrong) == len(self.halves) > 1

    @property
    def misnamed(self) -> tuple[str, ...]:
        """Lists that are named for another piece."""
        wrong = [(half.magic, half.piece) for half, _ in self.called_otherwise]
        if not wrong:
            return ()
        text = ", and ".join(
            f"{magic.name or magic.file} holds magics of a {piece}" for magic, piece in wrong
        )
        if self.swapped:
            options = " ".join(self.maps[half.piece, "magic"] for half, _ in self.called_otherwise)
            text += f"; {options} says that this is meant"
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
        """Do nearly all squares certify, so that the rest of the lists confirms what was taken?

        Offsets by which most squares of a piece share slots are none.
        """
        counts = Counter(name.partition(" ")[0] for name in self.bad)
        placed = [half.piece for half, own in zip(self.halves, self.offsets, strict=True) if own]
        return (
            bool(counts)
            and all(half.is_confirmed for half in self.halves)
            and all(counts[piece] * 2 <= self.table.rows for piece in placed)
        )

    @property
    def places_read(self) -> bool:
        """Are the offsets given by hand, or called so? Only then is a clash of squares theirs."""
        columns = [column for column in self.offsets if column]
        return self.named or all(not c.guesses if c.arrays else c.is_called_offset for c in columns)

    @property
    def places_rise(self) -> bool:
        """Do all the lists that were taken for offsets look like such?"""
        columns = [column for column in self.offsets if column]
        return bool(columns) and all(column.rises for column in columns)

    @property
    def ends_right(self) -> bool:
        """Is every entry of the finished lists what the index asks for?"""
        return all(one.right for one in self.finished)

    @property
    def read(self) -> bool:
        """Are there magics, and were their bits read? Nearly all entries confirm the formula."""
        if self.writes:
            return False
        return bool(self.halves) and all(half.count.is_read for half in self.halves)

    @property
    def decided(self) -> bool:
        """Was every part read or stated? Only then is a conflict the table's own."""
        bad = [half for half in self.halves if half.bad]
        if self.writes or self.doubted or self.either_in_question:
            return False
        read = all(half.count.is_read for half in bad)
        # Squares that are right by themselves clash only by their offsets.
        if self.confirmed:
            return read and (bool(bad) or self.places_read)
        return read and (self.stated or self.as_the_other) and (bool(bad) or self.named)

    @property
    def as_the_other(self) -> bool:
        """Are lists taken as they stand, and does another piece certify by the formula and a list
        of bits of its own? Then the formula is not in question.
        """
        bad = {half.formula.text for half in self.halves if half.bad}
        right = {h.formula.text for h in self.halves if not h.bad and h.count.evidence == "read"}
        return self.as_written and bad <= right

    @property
    def either_in_question(self) -> list[tuple[str, str]]:
        """The lists that may be in another base, where there is a conflict."""
        bad = [half.piece for half in self.halves if half.bad]
        return [one for one in self.either if one[0] in bad or one[1] == "offset"]

    @property
    def in_question(self) -> str:
        """What was taken where it conflicts: the offsets alone, where no square conflicts by
        itself.
        """
        placed = " and ".join(column.name for column in self.offsets if column)
        if placed and self.confirmed and not any(half.bad for half in self.halves):
            return f"{placed} as offsets"
        counts = [half.count.words for half in self.halves if half.bad and not half.count.is_read]
        return ", ".join(self.guesses or counts) or "the formula"

    @property
    def settled_by(self) -> str:
        """The options that settle all that was guessed where it conflicts."""
        bad = [half for half in self.halves if half.bad]
        guessed = [half for half in bad if not half.count.is_read]
        bits = ",".join(f"{half.piece}={half.count.stated}" for half in guessed)
        options = [f"--bits {bits}"] if bits else []
        if self.doubted:
            options.append("--as-written")
        if not (self.stated or self.confirmed):
            options.append(f"--scheme {_stated(self.halves[0].formula.text)}")
        options += [self.maps[key] for key in self.either_in_question]
        if not (self.named or bad):
            options += [option for key, option in self.maps.items() if key[1] == "offset"]
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
    `rivals` are the files of lists that are read as the same piece's, with conflicts.
    """

    files: tuple[Path, ...]
    valid: list[SourceReading] = field(default_factory=list)
    nearest: list[SourceReading] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rivals: set[str] = field(default_factory=set)

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


# The readings that are left, each through the exhaustive verifier; and the verdict.

MOST_NEAREST = 3
MOST_PAIRS = 12
_INCLUDED = re.compile(r'[\[{(,]\s*\n[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]')
"""A list's items in a file of their own."""
AT_START_UP = (
    "an engine that makes its magics at start-up is tested from within: "
    "magicert emit --check-harness --lang c++ (c, rust, go, java, csharp, zig) writes the test"
)
"""What can be done where a source holds no numbers."""
OTHER_PIECES = frozenset({"king", "knight", "pawn", "queen", "kings", "knights", "pawns"})
"""Their attack sets are sometimes called magics as well."""
Progress = Callable[[int, int], None]


def judge(
    files: Sequence[tuple[Path, bytes]],
    pins: Pins | None = None,
    *,
    max_lookups: int = MAX_LOOKUPS,
    progress: Progress | None = None,
    beside: Beside | None = None,
) -> Judgement:
    """Find the table in some source files, read together, and verify it. What their code does with
    its lists is looked for in the files `beside` them, too.

    Raises NothingThereError where there is none, and InputError where a list that calls itself
    magics has the wrong length or an unknown item, or where the pins name what is not there.
    """
    pins = pins or Pins()
    whole = Judgement(tuple(path for path, _ in files))
    beside = beside or Beside(whole.files)
    every_contents = read_contents(files, pins.game, beside, pins.as_written)
    errors: list[InputError] = []
    parts: list[Judgement] = []
    for contents in every_contents:
        own = Judgement(whole.files)
        try:
            _Judge(contents, pins, max_lookups, progress, own).run()
            parts.append(own)
        except InputError as error:
            errors.append(error)
    claimed = [error for error in errors if not isinstance(error, NothingThereError)]
    if not parts:
        if not claimed:
            whole.valid += filter(
                None, (_without_magics(contents, files) for contents in every_contents)
            )
        if whole.valid:
            return whole
        raise (claimed or errors)[0]
    for own in parts:
        whole.valid += own.valid
        whole.nearest += own.nearest
        whole.undecided += own.undecided
        whole.rivals |= own.rivals
        whole.notes += [note for note in own.notes if note not in whole.notes]
    whole.undecided = list(dict.fromkeys(whole.undecided))
    # An alternative that holds less than a table, beside one that holds a whole one, is said.
    whole.notes += [f"under another #if: {p}" for error in claimed for p in error.problems]
    _forget_repeated(whole)
    return whole


def _without_magics(
    contents: Contents, files: Sequence[tuple[Path, bytes]]
) -> SourceReading | None:
    """Finished lists of attack sets alone, if their entries follow PEXT."""
    found = pext_lists(contents)
    if found is None:
        return None
    table, finished, left = found
    report = verify(TableFile(table, files[0][0], contents.sha256, Places()))
    lists = {
        f"{one.piece}.entries": f"{one.name} ({one.file}, line {one.line})" for one in finished
    }
    return SourceReading(
        table, report, lists, (), notes=contents.notes,
        guesses=("index = pext(occ, mask), one square after another", *left), finished=finished,
    )  # fmt: skip


def _forget_repeated(judgement: Judgement) -> None:
    """Alternatives and files may hold the same table; it is said once, with all its files."""
    for readings in (judgement.valid, judgement.nearest):
        kept: dict[tuple[object, ...], SourceReading] = {}
        for reading in readings:
            key = tuple(
                (piece, half.index.text, tuple(sorted(half.parameters.items())), half.offset)
                for piece, half in reading.table.pieces.items()
            )
            known = kept.setdefault(key, reading)
            if known is not reading:
                kept[key] = replace(known, copies=(*known.copies, *reading.files))
        readings[:] = kept.values()


@dataclass(slots=True)
class _Judge:
    """Judges one alternative of a source."""

    contents: Contents
    pins: Pins
    max_lookups: int
    progress: Progress | None
    judgement: Judgement

    @property
    def pieces(self) -> tuple[str, ...]:
        return self.pins.pieces or self.contents.game.pieces

    def run(self) -> None:
        self.look_up_stated()
        found = {piece: search(self.contents, self.pins, piece) for piece in self.pieces}
        self.keep_apart(found)
        chosen = {piece: self.chosen(piece, found) for piece in found}
        self.read_as_long(found, chosen)
        self.refuse_spoilt(chosen)
        missing = [piece for piece in self.pieces if not chosen[piece]]
        claims = [(p, c) for p in missing for c in found[p].claims if not c.own & OTHER_PIECES]
        if 0 < len(missing) < len(self.pieces) and not self.pins.lists:
            taken = {half.magic.key for own in chosen.values() for half in own}
            claims += [
                (piece, column)
                for piece in missing if not found[piece].claims
                for column in self.contents.columns
                if column.could_be_magic and self.contents.game.said(column.own) == piece
                and column.key not in taken and not column.own & OTHER_PIECES
            ][:1]  # fmt: skip
        if missing:
            self.refuse_lists(missing)
        if claims:
            self.undecide(claims, {piece: halves for piece, halves in chosen.items() if halves})
            return
        if len(missing) == len(self.pieces):
            raise NothingThereError(self.no_table())
        if self.contents.game.by_hand and missing:
            names = " and ".join(missing)
            problem = Problem(
                f"no formula goes with what the source lists for {names}: --scheme says which"
            )
            raise InputError([problem])
        if missing:
            self.refuse_one_piece(chosen, missing[0])
        self.verified(chosen)
        self.judgement.notes += [*self.contents.notes, *self.left_over()]

    def look_up_stated(self) -> None:
        """InputError where a list is named by hand that is not there."""
        for piece, parameter in self.pins.lists:
            if parameter == "magic":
                self.pins.magics(self.contents, piece)
            else:
                self.pins.column(self.contents, piece, parameter)

    def keep_apart(self, found: dict[str, Search]) -> None:
        """A list that is certainly one piece's is not the other's, unless the user says so."""
        for piece, other in permutations(() if self.contents.game.by_hand else found, 2):
            taken = {half.magic.key for half in found[piece].right}
            mine = found[other]
            mine.near = [half for half in mine.near if half.magic.key not in taken]
            if not self.pins.lists:
                near = {half.magic.key for half in found[piece].near if half.is_confirmed}
                taken |= near - {half.magic.key for half in mine.near if half.is_confirmed}
                mine.claims = [column for column in mine.claims if column.key not in taken]

    def read_as_long(self, found: dict[str, Search], chosen: dict[str, list[Half]]) -> None:
        """The magics of a piece that has none in any reading may have an index as long as that
        which was taken for the other's.
        """
        counts = [own[0].count for own in chosen.values() if own and not own[0].bad]
        for piece in found:
            usual = [one.fixed for one in counts if one.evidence == "usual"]
            if chosen[piece] or not usual or piece in self.pins.bits:
                continue
            longer = search(self.contents, self.pins, piece, max(usual))
            if longer.right:
                found[piece] = longer
                self.keep_apart(found)
                chosen[piece] = self.chosen(piece, found)

    def refuse_spoilt(self, chosen: dict[str, list[Half]]) -> None:
        """InputError where the language makes other numbers of what is written there."""
        problems = []
        for piece, halves in chosen.items():
            magics = [half.magic for half in halves]
            chosen[piece] = [half for half in halves if not half.magic.problems]
            if halves and not chosen[piece]:
                line, why = magics[0].problems[0]
                more = len(magics[0].problems) - 1
                others = f", and {more} more of its numbers" if more else ""
                text = f"{magics[0].name}: {why}{others}"
                problems.append(Problem(text, file=magics[0].file, line=line))
        if problems:
            raise InputError(problems)

    def chosen(self, piece: str, found: dict[str, Search]) -> list[Half]:
        """The halves of a piece to verify; with `bad` rows where none is without them."""
        own = found[piece]
        sure = [half for half in own.right if not half.against]
        if sure:
            if not self.pins.lists:
                self.judgement.undecided += self.rivals(sure, own.near)
            return sure
        near = [half for half in own.near if half.is_confirmed or self.pins.lists]
        self.judgement.undecided += [half.against for half in own.right[:1]]
        if own.right and not near:
            return own.right[:1]
        if self.contents.game.by_hand:
            return (near or own.near)[:1]
        called = (h for h in own.near if h.magic.says(MAGIC_WORDS) and h.magic.piece_said == piece)
        return (near or [*called])[:MOST_NEAREST]

    def rivals(self, sure: Sequence[Half], near: Sequence[Half]) -> list[str]:
        """Other lists that call themselves the piece's magics, that nearly are, and that the engine
        may look up instead of those that certify.
        """
        taken = {half.magic.group for half in sure}
        names = {half.magic.last_name for half in sure}
        idle = not any(self.contents.is_used(half.magic) for half in sure)
        found: dict[str, str] = {}
        for half in near:
            magic, piece = half.magic, half.piece
            meant = magic.piece_said in (None, piece) and half.is_confirmed
            used = idle or magic.last_name in names or self.contents.is_used(magic)
            if meant and used and magic.group not in taken:
                text = f"{magic.file}:{magic.first_line}: {magic.name} reads as magics of a"
                text += f" {piece}, too, with conflicts on {len(half.bad)} of its"
                text += f" {half.game.squares} squares:"
                one, other = (called(self.contents, own) for own in (magic, sure[0].magic))
                text += f" {map_option(piece, 'magic', one)} or"
                found.setdefault(magic.where, f"{text} ={other} settles it")
                self.judgement.rivals.add(magic.file)
        return list(found.values())

    def verified(self, chosen: dict[str, list[Half]]) -> None:
        """Each plausible pair of halves as tables, verified: the first that certifies wins."""
        bad: list[SourceReading] = []
        for halves in self.pairs(chosen):
            tried: list[SourceReading] = []
            name = " and ".join(dict.fromkeys(half.magic.file for half in halves))
            for laid in tables(self.contents, self.pins, halves, name):
                # What is only taken to make up for offsets that nearly fit would hide an error.
                told = [one for one in tried if one.confirmed or one.places_read or one.places_rise]
                if told and laid.offsets != tried[-1].offsets:
                    break
                if tried and laid.lines == tried[-1].lines and tried[-1].confirmed:
                    break
                tried.append(self.verify(laid))
                if tried[-1].report.verdict == "valid":
                    self.judgement.valid.append(tried[-1])
                    self.judgement.undecided += _changed(tried[-1], telling=True)
                    self.judgement.undecided += map(_not_placed, tried[-1].unread)
                    self.judgement.undecided += tried[-1].misnamed * tried[-1].swapped
                    break
            bad += sorted(tried, key=lambda one: one.bad_squares)[:1]
        if not self.judgement.valid:
            likely: dict[frozenset[str], SourceReading] = {}
            # What was read comes before what was taken, and fewer conflicts before more.
            for one in sorted(bad, key=lambda own: (not own.decided, own.bad_squares)):
                # Another way to read the same lists would accuse numbers that this finds right.
                likely.setdefault(frozenset(half.magic.key for half in one.halves), one)
            self.judgement.nearest += [*likely.values()][:MOST_NEAREST]
            self.judgement.undecided += [
                text for one in self.judgement.nearest for text in _changed(one, telling=False)
            ]

    def pairs(self, chosen: dict[str, list[Half]]) -> list[tuple[Half, ...]]:
        """Halves that can stand in one table: of one arrangement, the most alike first."""
        given = [halves for halves in chosen.values() if halves]
        if len(given) != 2 or self.contents.game.by_hand:
            if len(given) == 1:
                return [(half,) for half in given[0]]
            like = (given[0][0].arrangement, given[0][0].formula.text)
            alike = ([h for h in own if (h.arrangement, h.formula.text) == like] for own in given)
            return [tuple((same or own)[0] for same, own in zip(alike, given, strict=True))]
        found = [pair for pair in product(*given) if pair[0].arrangement == pair[1].arrangement]
        if not found:
            first, second = given[0][0], given[1][0]
            found = [(first, relisted(second, first.arrangement))]
        same = [pair for pair in found if pair[0].magic.file == pair[1].magic.file]
        at_home = [half.magic for pair in same for half in pair]
        # A list is paired with one of another file only where its own file has none.
        found = same + [p for p in found if p[0].magic not in at_home and p[1].magic not in at_home]

        def unlike(pair: tuple[Half, ...]) -> tuple[int, ...]:
            a, b = pair
            return (
                a.formula.text != b.formula.text,
                a.magic.group != b.magic.group and a.magic.part != b.magic.part,
                abs(a.magic.first_line - b.magic.last_line),
            )

        kept: list[tuple[Half, ...]] = []
        for pair in sorted(found, key=unlike):
            if not all(any(half in other for other in kept) for half in pair):
                kept.append(pair)
        return sorted(kept, key=lambda pair: pair[0].magic.first_line)[:MOST_PAIRS]

    def verify(self, laid: Laid) -> SourceReading:
        path = self.judgement.files[0]
        columns = [column for half in laid.halves for column in half.columns]
        file = TableFile(laid.table, path, self.contents.sha256, _places(laid, columns[0].file))
        report = verify(file, max_lookups=self.max_lookups, progress=self.progress)
        wide = [_too_wide(laid.table, half, row) for half in laid.halves for row in half.magic.wide]
        wide += _beyond_arrays(laid, report)
        if wide:
            told = [one.squares for one in wide]
            others = [one for one in report.findings if one.squares not in told]
            report = replace(report, verdict="invalid", findings=[*wide, *others])
        unread = self.unread(laid)
        lists = {(half.piece, name): one for half in laid.halves for name, one in half.lists}
        for half, offset in zip(laid.halves, laid.offsets, strict=True):
            lists |= {(half.piece, "offset"): offset} if offset else {}
        maps = {key: map_option(*key, called(self.contents, one)) for key, one in lists.items()}
        either = {
            key: one for key, one in lists.items() if one.radix and not self.pins.names(key[0], one)
        }
        taken = [
            guess for half in laid.halves for guess in (*half.guesses, *sorted(half.magic.guesses))
        ]
        taken += [
            f"the digits of {one.name or 'the list'} = {one.radix}" for one in either.values()
        ]
        return SourceReading(
            table=laid.table,
            report=report,
            sources=laid.sources,
            halves=laid.halves,
            conditions=self.contents.conditions(columns),
            notes=self.contents.notes,
            guesses=tuple(dict.fromkeys([*taken, *laid.guesses])),
            also_used=self.contents.uses([half.magic for half in laid.halves]),
            stated=self.pins.formula is not None,
            named=bool(self.pins.lists),
            offsets=laid.offsets,
            lines=laid.lines,
            finished=(
                attack_lists(self.contents, laid.table)
                if report.verdict == "valid" and not unread
                else ()
            ),
            unread=tuple(unread),
            as_written=self.pins.as_written,
            writes=()
            if self.pins.as_written
            else writes(self.contents, [half for one in columns for half in (one, *one.halves)]),
            maps=maps,
            either=tuple(either),
            doubted=not self.pins.as_written and any(half.is_doubted for half in laid.halves),
        )

    def unread(self, laid: Laid) -> list[UnreadPlace]:
        """What of the squares' places in arrays is not read. What is the same in all records may be
        there to be filled, where something writes to these.
        """
        found = []
        for half, offset in zip(laid.halves, laid.offsets, strict=True):
            own = [
                one
                for one in self.contents.unread
                if offset is None
                and (
                    one.group == half.magic.group
                    or (
                        half.game.said(one.own) == half.piece
                        and says(one.own, OFFSET_WORDS)
                        and not any(c.group == one.group for c in half.columns)
                    )
                )
            ]
            if own and not (all(one.same for one in own) and writes(self.contents, [half.magic])):
                found.append(own[0])
        return found

    def undecide(self, claims: Sequence[tuple[str, Column]], chosen: dict[str, list[Half]]) -> None:
        """Lists that call themselves magics, and that no formula reads."""
        for piece, column in claims:
            written = [] if self.pins.as_written else writes(self.contents, [column])
            if written:
                self.judgement.undecided.append(_written_to(column, written[0]))
                continue
            name = f"{column.name}, read as {column.radix}," if column.radix else column.name
            text = f"{column.file}:{column.first_line}: {name} certifies with no formula"
            text += f" that was tried{self.told(piece, column)}; "
            longer = self.as_long(piece, column, [own[0].count for own in chosen.values()])
            text += longer or f"{self.pins.left} says what the source has"
            if column.radix:
                option = map_option(piece, "magic", called(self.contents, column))
                text += f"; {option} says which base it has"
            self.judgement.undecided.append(text)
        self.judgement.notes += self.contents.notes
        if chosen:
            self.verified(chosen)

    def as_long(self, piece: str, column: Column, counts: Sequence[Count]) -> str:
        """The option with which a list certifies, if its index is as long as the other piece's."""
        for count in (count for count in counts if count.evidence == "usual"):
            bits = {**self.pins.bits, piece: count.stated}
            right = search(self.contents, replace(self.pins, bits=bits), piece).right
            if any(half.magic is column for half in right):
                return f"--bits {piece}={count.stated} says that its index has as many bits"
        return ""

    def told(self, piece: str, column: Column) -> str:
        """What the likeliest way to read a list comes to."""
        half = likeliest(self.contents, self.pins, piece, column)
        if half is None or not half.bad or column.piece_said not in (None, piece):
            return ""
        board, rows = half.game.board, range(half.game.squares)
        named = [board.name(half.arrangement.row_square(row, board)) for row in rows]
        bad = [named[row] for row in half.bad]
        well = [name for name in named if name not in bad]
        most = f"all but {', '.join(well)}" if well else "all"
        few = ", ".join(bad) if len(bad) <= len(well) else most
        taken = f", {', '.join(half.guesses)}" if half.guesses else ""
        return f" (with {half.formula.text}{taken}, {half.in_conflict}: {few})"

    def left_over(self) -> list[str]:
        """Lists that call themselves magics, and are so in no reading that certifies."""
        if not self.judgement.valid or self.pins.lists or self.pins.pieces:
            return []
        used = {(c.file, c.first_line) for reading in self.judgement.valid for c in reading.columns}
        return list(dict.fromkeys(
            f"{LEFT}{column.where}"
            for column in self.contents.columns
            if column.could_be_magic and column.says(("magic",)) and not column.own & OTHER_PIECES
            and (column.file, column.first_line) not in used
        ))  # fmt: skip

    def refuse_lists(self, missing: Sequence[str]) -> None:
        """Where a piece is missing: a list that could have been its magics, but is no column."""
        if self.pins.lists and not self.contents.game.by_hand:
            return
        meant = (None, *missing)
        refused = [m for m in self.contents.refused if m.what == "magic" and m.piece in meant]
        if refused:
            claimed = any(m.claims for m in refused) or len(missing) < len(self.pieces)
            kind = InputError if claimed else NothingThereError
            problems = [Problem(m.message, file=m.file, line=m.line) for m in refused]
            raise kind(list(dict.fromkeys(problems)))

    def refuse_one_piece(self, chosen: dict[str, list[Half]], missing: str) -> None:
        """A source of one piece has to be meant: by --piece, or by the names of its files."""
        game = self.contents.game
        found = next(piece for piece in self.pieces if chosen[piece])
        stems = [game.named(PurePath(path).stem) for path in self.judgement.files]
        if game.by_hand or self.pins.pieces or all(piece == found for piece in stems):
            return
        magic = chosen[found][0].magic
        called = game.said(magic.own) == missing
        if chosen[found][0].bad or called:
            does = "conflicts on some squares" if chosen[found][0].bad else "certifies"
            text = f"{magic.file}:{magic.first_line}: {magic.name} {does} as"
            text += f" magics of a {found}, and no list reads as those of a {missing}: "
            self.judgement.undecided.append(f"{text}{self.pins.left} says what the source has")
            return
        message = (
            f"{magic.where} certifies as magics of a {found}, but there are none of a {missing}"
        )
        problem = f"{message}{self.not_read(missing)}: --piece {found} says that this is meant"
        raise InputError([Problem(problem, file=magic.file, line=magic.first_line)])

    def not_read(self, piece: str) -> str:
        """Where a name of a piece's magics stands that is no list which is read."""
        for source in self.contents.sources:
            for match in re.finditer(r"[A-Za-z_]\w*", source.code):
                words = split_words(match[0])
                if says(words, MAGIC_WORDS) and self.contents.game.said(words) == piece:
                    return f"; {match[0]} in line {source.spot(match.start())[0]} is not read"
        return ""

    def no_table(self) -> list[Problem]:
        """Why there is no table in a source, as well as it can be told."""
        included = [
            Problem(
                f"no table here: a list's numbers are in {printable(found[1])}; verify the folder, "
                "which is read together",
                file=str(source.path),
                line=source.spot(found.start(1))[0],
            )
            for source in self.contents.sources
            for found in _INCLUDED.finditer(source.text)
        ]
        if included:
            return included
        message = f"no table: no list of 64 numbers could be magics; {AT_START_UP}"
        plain = message
        sets = dict.fromkeys(c.name for c in self.contents.columns if c.are_attack_sets)
        if sets:
            shown = ", ".join([*sets][:4])
            message = f"no table: no list of 64 numbers could be magics ({shown}: attack sets)"
        likely = sum(c.could_be_magic for c in self.contents.columns)
        if likely > MOST_MAGICS:
            message = f"no table: {MOST_MAGICS} of {likely} lists that could be magics were tried;"
            options = " ".join(map_option(piece, "magic", "NAME") for piece in self.pieces)
            message += f" {options} says which they are"
        word = self.contents.game.word
        narrow = {
            f"{c.where} is of a type of {c.type[0]} bits": None
            for c in self.contents.columns
            if c.is_called_magic and c.type is not None and 0 < c.type[0] < word
        }
        if narrow:
            message = f"no table: {'; '.join(narrow)}: a bitboard has {word}"
        lists = {
            c.where: None
            for c in self.contents.columns
            if c.could_be_magic and c.is_called_magic and not c.own & OTHER_PIECES
        }
        if lists:
            known = "; ".join([*lists][:4])
            message = (
                f"no table: no list reads as magics; --map and --scheme can say more ({known})"
            )
        sources = self.contents.sources if message == plain else ()
        seen = {source.path: _seen(source) for source in sources}
        if sum(map(len, seen.values())) >= FEWEST_SEEN:
            return [_told_seen(path, places) for path, places in seen.items() if places]
        return [Problem(message, file=str(path)) for path in self.judgement.files]


FEWEST_SEEN = 16
_WORD = re.compile(
    r"(?<![\w.])(?:(?:0[xX]|\$|#?[xX]\"|16#|&[Hh]|\d{1,3}'[hH])([0-9a-fA-F][0-9a-fA-F_']{7,40}+)"
    r"|(\d[\d_']{9,40}+)|([0-9a-fA-F]{13,16}))(?:[uUlLnNzZ]\w{0,5})?(?![\w.])"
)


def _seen(source: Source) -> list[int]:
    """The lines of the numbers that need more than 32 bits and at most 64."""
    found = []
    for match in _WORD.finditer(source.text):
        digits = re.sub("[_']", "", match[1] or match[2] or match[3])
        if 32 < int(digits, 10 if match[2] else 16).bit_length() <= 64:
            found.append(source.spot(match.start())[0])
    return found


def _told_seen(path: Path, lines: Sequence[int]) -> Problem:
    where = f"lines {lines[0]}-{lines[-1]}" if lines[0] != lines[-1] else f"line {lines[0]}"
    message = f"no table: {len(lines):,} numbers of 64 bits were seen ({where}), but no list of"
    message += (
        " 64 numbers could be magics: what is read are lists, rows that are added to one, and"
    )
    message += " numbers behind the names of squares or behind 0 to 63"
    return Problem(message, file=str(path), line=lines[0])


def _changed(reading: SourceReading, *, telling: bool) -> list[str]:
    """What may change the numbers of a reading, to others that it states or to any."""
    found = [one.text for one in reading.writes if one.telling or not telling]
    more = f", and {len(found) - 3} more" if len(found) > 3 else ""
    text = "what it makes of the list's numbers is not known; --as-written takes them as listed"
    return [f"{'; '.join(found[:3])}{more}: {text}"] if found else []


def _written_to(column: Column, one: Write) -> str:
    """What is said of a list whose numbers certify in no reading, and that something writes to."""
    place, _, statement = one.text.partition(": ")
    return (
        f"{place}: {column.name} is written to here ({statement}), and the numbers that are listed "
        "are no magics by themselves; --as-written takes them as listed"
    )


def _not_placed(one: UnreadPlace) -> str:
    """What is said of a place that is not read."""
    same = "the same in all records" if one.same else "not read"
    return (
        f"{one.file}:{one.line}: {one.name} has {one.text}, which is {same}: where the slots of "
        "squares begin is not known; expected the address of an array's entry, as in &TABLE[4096]"
    )


def _beyond_arrays(laid: Laid, report: Report) -> list[Finding]:
    """The squares whose slots go on behind the end of the array that they begin in."""
    found = []
    for half, column in zip(laid.halves, laid.offsets, strict=True):
        if column is None or not column.arrays:
            continue
        last = {one.square: one.index_max for one in report.squares if one.piece == half.piece}
        for row, (array, value) in enumerate(zip(column.arrays, column.values, strict=True)):
            name = laid.table.board.name(laid.table.row_square(row))
            length, end = column.extents.get(array), value + last.get(name, 0)
            if length is not None and end >= length:
                message = f"slot {end:,} is outside {array}, which has {length:,} entries"
                squares = [f"{half.piece} {name}"]
                found.append(
                    Finding(kind="outside", squares=squares, message=message, count=1, lookups=[])
                )
    return found


def _too_wide(table: Table, half: Half, row: int) -> Finding:
    number, word = half.magic.values[row], half.game.word
    message = f"0x{number:x} has {number.bit_length()} bits: expected at most {word}"
    name = table.board.name(table.row_square(row))
    return Finding(
        kind="number", squares=[f"{half.piece} {name}"], message=message, count=1, lookups=[]
    )


def _places(laid: Laid, file: str) -> Places:
    """Where the lists of a table stand in the source, for the verifier's messages."""
    lines: dict[tuple[str | int, ...], int] = {}
    for half in laid.halves:
        for column in reversed(half.columns):
            if column.file == file:
                lines[half.piece,] = column.first_line
        if half.count.column and half.count.column.file == file:
            lines[half.piece, half.count.parameter] = half.count.column.first_line
    return Places(lines)
