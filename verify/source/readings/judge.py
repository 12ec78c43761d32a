"""The readings that are left, each through the exhaustive verifier; and the verdict."""

from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path

from magicert.problem import InputError
from magicert.table.locate import Places
from magicert.table.read import TableFile
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import Material, read_sources
from magicert.verify.source.lists.roles import could_be_magic, is_called_magic, piece_said
from magicert.verify.source.readings.contradictions import Doubt, doubts, guesses, too_short
from magicert.verify.source.readings.judgement import Judgement, Reading
from magicert.verify.source.readings.layouts import Laid, tables
from magicert.verify.source.readings.lengths import Length, lengths
from magicert.verify.source.readings.pairs import half_notes, pairs
from magicert.verify.source.readings.pins import Pins
from magicert.verify.source.readings.plausible import (
    TELLING,
    Search,
    search,
)
from magicert.verify.source.readings.refusals import (
    no_table,
    refuse_doubts,
    refuse_half_a_table,
    refuse_large_lists,
    refuse_misfits,
    refuse_no_formula,
    refuse_no_pieces,
    refuse_one_piece,
    refuse_two_under_one_name,
)
from magicert.verify.source.readings.ways import Half
from magicert.verify.table.budget import MAX_LOOKUPS
from magicert.verify.table.verifier import verify

MOST_NEAREST = 3
LIKE_A_TABLE = TELLING
"""A list that is wrong on so few squares in some reading is a table with errors. Random
numbers are wrong on all rook squares, but only on about 30 bishop squares.
"""

OTHER_PIECES = frozenset({"king", "knight", "pawn", "queen", "kings", "knights", "pawns"})
"""Their attack sets are sometimes called magics as well."""

Progress = Callable[[int, int], None]


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
    refuse_no_pieces(files, pins)
    try:
        judgement = _judged(files, pins, max_lookups, progress)
    except InputError as error:
        refuse_large_lists(files, pins, error.problems)
        raise
    if judgement.verdict != "valid" and not pins.lists:
        refuse_large_lists(files, pins, ())
    return judgement


def _judged(
    files: Sequence[tuple[Path, bytes]], pins: Pins, max_lookups: int, progress: Progress | None
) -> Judgement:
    materials = read_sources(files, pins.game)
    judgement = Judgement(tuple(path for path, _ in files))
    judges = [_Judge(material, pins, max_lookups, progress, judgement) for material in materials]
    pinned = _with_pinned_lists(judges)
    with_table = [one for one in pinned if one.has_table()]
    if not with_table:
        raise InputError(no_table(materials, [str(path) for path, _ in files]))
    for one in with_table:
        one.run()
    _forget_repeated(judgement)
    return judgement


def _with_pinned_lists(judges: "list[_Judge]") -> "list[_Judge]":
    """The alternatives that have the lists named by hand; InputError where none has."""
    having, problems = [], []
    for one in judges:
        try:
            for piece, parameter in one.pins.lists:
                if parameter == "magic":
                    one.pins.magics(one.material, piece)
                else:
                    one.pins.column(one.material, piece, parameter)
            having.append(one)
        except InputError as error:
            problems.append(error)
    if not having:
        raise problems[0]
    return having


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
        self.doubts: dict[int, list[Doubt]] = {}
        """What speaks against each reading, by its identity."""

    def has_table(self) -> bool:
        return bool(self.pins.lists) or any(map(could_be_magic, self.material.columns))

    def run(self) -> None:
        refuse_misfits(self.material, self.pins, self.pieces)
        searches = {piece: self.searched(piece) for piece in self.material.game.pieces}
        refuse_two_under_one_name(self.material, self.pins)
        self.keep_apart(searches)
        chosen = {piece: self.candidates(piece, searches) for piece in searches}
        missing = [piece for piece in self.pieces if not chosen[piece]]
        refuse_no_formula(self.material, self.pins, missing)
        if len(missing) == len(self.pieces):
            raise InputError(
                no_table([self.material], [str(path) for path in self.judgement.files])
            )
        refuse_misfits(self.material, self.pins, self.pieces, missing)
        refuse_half_a_table(self.material, missing)
        good, bad = self.verified(chosen)
        self.accept(good, bad)

    @property
    def pieces(self) -> tuple[str, ...]:
        return self.pins.pieces or self.material.game.pieces

    def searched(self, piece: str) -> Search:
        return search(self.material, self.pins, piece) if piece in self.pieces else Search()

    def accept(self, good: list[Reading], bad: list[Reading]) -> None:
        """Put the readings into the judgement. A reading that certifies against what the source
        says is refused, unless the user has settled it.
        """
        if not good:
            self.judgement.nearest += sorted(bad, key=_badness)[:MOST_NEAREST]
            refused = [found for reading in bad[:1] if (found := self.unsettled(reading))]
            if refused:
                refuse_doubts(refused)
            return
        refused = [self.unsettled(reading) for reading in good]
        accepted = [r for r, found in zip(good, refused, strict=True) if not found]
        if not accepted:
            refuse_doubts(refused)
        for piece in accepted[0].table.pieces:
            if len(accepted[0].table.pieces) == 1:
                lists = [reading.columns[0] for reading in accepted]
                refuse_one_piece(self.material, self.pins, piece, lists)
        self.judgement.valid += accepted
        self.judgement.doubts += self.left_over(good)

    def unsettled(self, reading: Reading) -> list[Doubt]:
        return [doubt for doubt in self.doubts[id(reading)] if not doubt.settled]

    def keep_apart(self, searches: dict[str, Search]) -> None:
        """A list that is certainly one piece's is not the other's, unless the user says so."""
        for piece, other in permutations(() if self.material.game.by_hand else searches, 2):
            taken = {half.magic for half in searches[piece].right}
            searches[other].near = [h for h in searches[other].near if h.magic not in taken]

    def candidates(self, piece: str, searches: dict[str, Search]) -> list[Half]:
        """The halves of a piece to verify; with `bad` rows where none is without them."""
        found = searches[piece]
        if found.right:
            return found.right
        others = [half for other in searches if other != piece for half in searches[other].right]
        taken = {(half.magic.file, half.magic.first_line) for half in others}
        near: list[Half] = []
        for half in found.near:
            said = piece_said(half.magic)
            elsewhere = (half.magic.file, half.magic.first_line) not in taken
            pinned = (piece, "magic") in self.pins.lists
            claims = pinned or (said in (None, piece) and is_called_magic(half.magic) and elsewhere)
            if len(half.bad) <= LIKE_A_TABLE or claims:
                near.append(half)
        # What the user has named is shown as it is likeliest, and no other way.
        return near[: 1 if self.material.game.by_hand else MOST_NEAREST]

    def verified(self, chosen: dict[str, list[Half]]) -> tuple[list[Reading], list[Reading]]:
        """Each plausible pair of halves as tables, verified: the valid ones, the others."""
        good: list[Reading] = []
        bad: list[Reading] = []
        for halves in pairs(chosen):
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
        file = TableFile(laid.table, path, self.material.sha256, _places(laid, path.name))
        report = verify(file, max_lookups=self.max_lookups, progress=self.progress)
        found = doubts(self.material, self.pins, laid.halves, laid.offsets, laid.lines)
        declared = [*lengths(self.material, report)] if report.verdict == "valid" else []
        found += too_short(self.pins, laid.halves, declared)
        reading = Reading(
            table=laid.table,
            report=report,
            sources=laid.sources
            | ({"length": _said(declared)} if report.verdict == "valid" else {}),
            halves=laid.halves,
            conditions=self.material.conditions,
            notes=(*half_notes(laid.halves), *self.material.notes, *self.not_read()),
            guesses=(*guesses(self.material, laid.halves), *laid.guesses),
            warnings=tuple(str(doubt) for doubt in found if doubt.settled),
            lines=laid.lines,
        )
        self.doubts[id(reading)] = found
        return reading

    def not_read(self) -> list[str]:
        """Lists beside those that the user has named which could be magics as well."""
        if not self.material.game.by_hand:
            return []
        read = {self.pins.lists[key].partition(":")[0] for key in self.pins.lists}
        names = {c.list_name for c in self.material.columns if could_be_magic(c)} - {""}
        left = sorted(name for name in names - read if "magic" in name.lower())
        return [f"not read, for no --piece names them: {', '.join(left)}"] if left else []

    def left_over(self, good: Sequence[Reading]) -> list[str]:
        """Lists that call themselves magics, and are so in no reading."""
        taken = [c for reading in good for c in (*reading.columns, *reading.lines)]
        used = {place for column in taken for place in _places_of(column)}
        doubts = []
        for column in self.material.columns:
            if (
                not self.pins.lists
                and (not self.pins.pieces or piece_said(column) in self.pins.pieces)
                and could_be_magic(column)
                and column.own & {"magic", "magics"}
                and not column.own & OTHER_PIECES
                and not used.issuperset(_places_of(column))
            ):
                used |= _places_of(column)
                doubts.append(f"{column.where} is called magic, but certifies in no reading")
        return doubts


def _places_of(column: Column) -> set[tuple[object, ...]]:
    """Where a list's numbers stand: this tells lists apart on one line, too."""
    parts = column.halves or (column,)
    return {(part.file, *spot) for part in parts for spot in part.spots or [(part.first_line, 0)]}


def _said(declared: Sequence[Length]) -> str:
    """What is known of the lengths of the attack tables, in words."""
    found = [f"{one} ({one.buffer.file}, line {one.buffer.line})" for one in declared]
    nothing = "not in the source: whether attack tables are long enough is not checked"
    return "; ".join(found) or nothing


def _places(laid: Laid, file: str) -> Places:
    """Where the lists of a table stand in the source, for the verifier's messages."""
    lines: dict[tuple[str | int, ...], int] = {}
    for half in laid.halves:
        for column in reversed(half.columns):
            if column.file == file:
                lines[half.piece,] = column.first_line
        if half.count and half.count.column and half.count.column.file == file:
            lines[half.piece, half.count.parameter] = half.count.column.first_line
    return Places(lines)


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
