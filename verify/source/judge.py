"""The readings that are left, each through the exhaustive verifier; and the verdict."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from magicert.board import Piece
from magicert.problem import InputError, Problem
from magicert.table import Table
from magicert.table.read import TableFile
from verify.lookups import MAX_LOOKUPS
from verify.report import Report
from verify.source.columns import Column
from verify.source.layouts import Laid, tables
from verify.source.pins import Pins
from verify.source.readings import TELLING, Half, Search, has_popcount_rival, search
from verify.source.roles import (
    MAGIC_WORDS,
    SHIFT_WORDS,
    could_be_magic,
    fits,
    piece_said,
    says,
    shift_kind,
)
from verify.source.source import Material, read_sources
from verify.verifier import verify

MOST_NEAREST = 3
MOST_PAIRS = 12
LIKE_A_TABLE = 32
"""A list that is right on so many squares in some reading is a table with errors."""

Verdict = Literal["valid", "invalid", "unknown"]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a source, through the exhaustive verifier.

    `sources` says for each part of the table where it was taken from. `bad_squares` counts
    the squares with a finding. `conditions` are the `#if` branches it stands in.
    """

    table: Table
    report: Report
    sources: dict[str, str]
    columns: tuple[Column, ...]
    conditions: tuple[str, ...]
    notes: tuple[str, ...]
    also: list["Reading"] = field(default_factory=list)
    """Readings of the same lists by another formula, which certify as well."""

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


def judge(
    files: Sequence[tuple[Path, bytes]],
    pins: Pins | None = None,
    *,
    max_lookups: int = MAX_LOOKUPS,
    progress: Progress | None = None,
) -> Judgement:
    """Find the table in some source files, read together, and verify it.

    Raises InputError where there is none, where a list has the wrong length, where two
    lists have one name, or where the pins name something that is not there.
    """
    pins = pins or Pins()
    materials = read_sources(files)
    judgement = Judgement(tuple(path for path, _ in files))
    judges = [_Judge(material, pins, max_lookups, progress, judgement) for material in materials]
    with_table = [one for one in judges if one.has_table()]
    if not with_table:
        raise InputError(_no_table(materials, [str(path) for path, _ in files]))
    for one in with_table:
        one.run()
    _forget_repeated(judgement)
    return judgement


def _forget_repeated(judgement: Judgement) -> None:
    """Alternatives may hold the same table; it is said once."""
    seen: set[tuple[object, ...]] = set()
    for readings in (judgement.valid, judgement.nearest):
        kept = []
        for reading in readings:
            key = tuple(
                (piece, half.index.text, tuple(sorted(half.parameters.items())), half.offset)
                for piece, half in reading.table.pieces.items()
            )
            if key not in seen:
                seen.add(key)
                kept.append(reading)
        readings[:] = kept


def _no_table(materials: Sequence[Material], files: Sequence[str]) -> list[Problem]:
    problems = [
        Problem(found.message, file=found.file, line=found.rows.first_line)
        for material in materials
        for found in material.misfits
    ]
    if problems:
        return list(dict.fromkeys(problems))
    lists = [column for material in materials for column in material.columns]
    known = ", ".join(sorted({column.where for column in lists})[:4])
    message = "no table: no list of 64 numbers that could be magics" + (
        f" (lists of 64: {known})" if known else ""
    )
    return [Problem(message, file=name) for name in files]


class _Judge:
    """Judges one alternative of a source."""

    def __init__(
        self,
        material: Material,
        pins: Pins,
        max_lookups: int,
        progress: Progress | None,
        judgement: Judgement,
    ) -> None:
        self.material = material
        self.pins = pins
        self.max_lookups = max_lookups
        self.progress = progress
        self.judgement = judgement

    def has_table(self) -> bool:
        return bool(self.pins.lists) or any(map(could_be_magic, self.material.columns))

    def run(self) -> None:
        self.refuse_misfits()
        searches = {piece: search(self.material, self.pins, piece) for piece in Piece}
        self.refuse_two_under_one_name(searches)
        self.keep_apart(searches)
        chosen = {piece: self.candidates(piece, searches) for piece in Piece}
        if not any(chosen.values()):
            raise InputError(
                _no_table([self.material], [str(path) for path in self.judgement.files])
            )
        complete = all(not halves or halves[0].bad == () for halves in chosen.values())
        self.refuse_half_a_table(chosen)
        good, bad = self.verified(chosen)
        if complete and good:
            self.judgement.valid += good
        else:
            self.judgement.nearest += sorted(good + bad, key=_badness)[:MOST_NEAREST]
        if complete and good:
            self.judgement.doubts += self.left_over(good)

    def refuse_misfits(self) -> None:
        """A list with another length, by the name of magics, is no table of this board."""
        named = [m for m in self.material.misfits if not self.pins.lists]
        if named:
            problems = [Problem(m.message, file=m.file, line=m.rows.first_line) for m in named]
            raise InputError(list(dict.fromkeys(problems)))

    def refuse_two_under_one_name(self, searches: dict[Piece, Search]) -> None:
        seen: dict[tuple[str, frozenset[str], str], Column] = {}
        for column in self.material.columns:
            if not column.name or not could_be_magic(column) or column.part.startswith("every"):
                continue
            key = (column.name, column.context, column.part)
            first = seen.setdefault(key, column)
            if first.first_line != column.first_line or first.file != column.file:
                if not (says(column, MAGIC_WORDS) or piece_said(column)):
                    continue
                if any((piece, "magic") in self.pins.lists for piece in Piece):
                    continue
                message = (
                    f"two lists are called {column.name} (the other is in {first.file}, "
                    f"line {first.first_line}): say which with --map rook.magic="
                    f"{column.name}:{column.first_line}"
                )
                raise InputError([Problem(message, file=column.file, line=column.first_line)])

    def refuse_half_a_table(self, chosen: dict[Piece, list[Half]]) -> None:
        """Shifts of rooks without magics of rooks: there is a list that was not understood."""
        for piece in Piece:
            if chosen[piece]:
                continue
            for column in self.material.columns:
                kind = shift_kind(column) if says(column, SHIFT_WORDS) else None
                if kind and piece_said(column) == piece and fits(column, kind, piece):
                    message = f"{column.where} is there, but no magics of a {piece} were found"
                    raise InputError([Problem(message, file=column.file, line=column.first_line)])

    def keep_apart(self, searches: dict[Piece, Search]) -> None:
        """A list that is certainly one piece's is not the other's."""
        for piece, other in ((Piece.ROOK, Piece.BISHOP), (Piece.BISHOP, Piece.ROOK)):
            taken = {half.magic for half in searches[piece].right}
            searches[other].near = [h for h in searches[other].near if h.magic not in taken]

    def candidates(self, piece: Piece, searches: dict[Piece, Search]) -> list[Half]:
        """The halves of a piece to verify; with `bad` rows where none is without them."""
        found = searches[piece]
        if found.right:
            return found.right
        other = searches[Piece.BISHOP if piece == Piece.ROOK else Piece.ROOK]
        taken = {(half.magic.file, half.magic.first_line) for half in other.right}
        near: list[Half] = []
        for half in found.near:
            claims = piece_said(half.magic) == piece and (
                says(half.magic, MAGIC_WORDS) or not other.right
            )
            alike = len(half.bad) <= LIKE_A_TABLE
            alone = not other.right and not any(h for h in near)
            elsewhere = (half.magic.file, half.magic.first_line) not in taken
            if alike or (claims and elsewhere) or (alone and piece_said(half.magic) is None):
                near.append(half)
        return near[:MOST_NEAREST]

    def verified(self, chosen: dict[Piece, list[Half]]) -> tuple[list[Reading], list[Reading]]:
        """Each plausible pair of halves as tables, verified: the valid ones, the others."""
        good: list[Reading] = []
        bad: list[Reading] = []
        for halves in _pairs(chosen):
            tried: list[Reading] = []
            for laid in tables(self.material, self.pins, halves, self.name()):
                reading = self.verify(laid)
                # Where a likelier layout fails on a few squares, these are wrong, not the layout.
                if reading.report.verdict == "valid" and not _nearly(tried):
                    _keep(good, reading)
                    break
                tried.append(reading)
            else:
                bad += _nearly(tried)[:1] or sorted(tried, key=_badness)[:1]
        return good, bad

    def name(self) -> str:
        return " and ".join(self.material.files)

    def verify(self, laid: Laid) -> Reading:
        path = self.judgement.files[0]
        file = TableFile(laid.table, path, self.material.sha256)
        report = verify(file, max_lookups=self.max_lookups, progress=self.progress)
        columns = tuple(column for half in laid.halves for column in half.columns)
        return Reading(
            laid.table,
            report,
            laid.sources,
            columns,
            self.material.conditions,
            tuple(_half_notes(laid.halves)) + self.material.notes,
        )

    def left_over(self, good: Sequence[Reading]) -> list[str]:
        """Lists that call themselves magics, and are so in no reading."""
        used = {(c.file, c.first_line) for reading in good for c in reading.columns}
        doubts = []
        for column in self.material.columns:
            if (
                not self.pins.lists
                and could_be_magic(column)
                and any(word in ("magic", "magics") for word in column.own)
                and (column.file, column.first_line) not in used
            ):
                used.add((column.file, column.first_line))
                doubts.append(f"{column.where} is called magic, but certifies in no reading")
        return doubts


def _pairs(chosen: dict[Piece, list[Half]]) -> list[tuple[Half, ...]]:
    """Halves that can stand in one table: of one transform, alike in scheme first."""
    rooks, bishops = chosen[Piece.ROOK], chosen[Piece.BISHOP]
    if not rooks or not bishops:
        return [(half,) for half in (rooks or bishops)]
    pairs = [(a, b) for a in rooks for b in bishops if a.transform == b.transform]
    pairs = pairs or [(a, b) for a in rooks[:1] for b in bishops[:1]]

    def unlike(pair: tuple[Half, Half]) -> tuple[int, ...]:
        a, b = pair
        return (
            a.formula.text != b.formula.text,
            a.magic.file != b.magic.file,
            a.magic.group != b.magic.group and a.magic.part != b.magic.part,
            abs(a.magic.first_line - b.magic.last_line),
        )

    alike = sorted(pairs, key=unlike)
    # Each half stands in the table that is most like it; crossings are the same proof twice.
    kept: list[tuple[Half, ...]] = []
    for a, b in alike:
        if not any(a in pair for pair in kept) or not any(b in pair for pair in kept):
            kept.append((a, b))
    return kept[:MOST_PAIRS]


def _nearly(tried: Sequence[Reading]) -> list[Reading]:
    """The readings that fail on so few squares that they are meant."""
    return [reading for reading in tried if 0 < reading.bad_squares < TELLING]


def _keep(good: list[Reading], reading: Reading) -> None:
    """Another formula over lists that already certify is said beside the first, likelier one."""
    for first in good:
        if first.columns[0] == reading.columns[0] and set(first.columns) == set(reading.columns):
            first.also.append(reading)
            return
    good.append(reading)


def _badness(reading: Reading) -> tuple[int, int]:
    return reading.bad_squares, len(reading.report.findings)


def _half_notes(halves: Sequence[Half]) -> list[str]:
    notes = []
    for half in halves:
        count = half.count
        if half.note:
            notes.append(half.note)
        if half.bad:
            said = count is not None and count.evidence in ("list", "constant", "literal")
            if count is not None and said and has_popcount_rival(half):
                notes.append(
                    f"{half.piece}: with popcount(mask) bits instead of {count.words} these "
                    "magics would be right; the source says otherwise"
                )
        elif count is not None and count.evidence == "literal" and has_popcount_rival(half):
            notes.append(f"{half.piece}: also valid with bits = popcount(mask)")
    return notes
