"""From source files to a judgement: the whole way, in the order in which it is gone.

1. `lists.py` finds the lists of numbers, `cut_lists.py` cuts them into columns, one number a square
   (`columns.py`); `contents.py` has all that some files hold.
2. `candidates.py` gives for each piece one list of candidates, each with a score and reasons. It
   rests on `ways.py` and `bits.py` (how a list may be read) and `doubts.py` (what speaks against).
3. Here the candidates of the pieces are held against each other, and the best of each are chosen.
4. `tables.py` makes tables of those that go together, `verified.py` has each verified.
5. `judgement.py` draws the verdict from these readings (`reading.py`) and the reasons against.

The files are read once for each choice of their `#if` branches, and judged for each.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path, PurePath

from magicert.problem import InputError, NothingThereError, Problem
from magicert.verify.source.bits import Count
from magicert.verify.source.candidates import Candidate, Rank, candidates_of, readings_of
from magicert.verify.source.columns import MAGIC_WORDS, Column, UnreadPlace
from magicert.verify.source.contents import Contents, read_contents
from magicert.verify.source.files import OtherFiles
from magicert.verify.source.judgement import Judgement
from magicert.verify.source.no_table import OTHER_PIECES, name_not_read, no_table, refuse_lists
from magicert.verify.source.overrides import Overrides, called, map_option
from magicert.verify.source.reading import SourceReading
from magicert.verify.source.tables import combinations
from magicert.verify.source.uses import Write, writes
from magicert.verify.source.verified import Progress, SourceVerifier, without_magics
from magicert.verify.source.ways import PieceReading, ways_in_all_orders, with_conflicts
from magicert.verify.table import MAX_LOOKUPS

UNUSED_LIST = "not part of it: "
"""So a note begins on a list that calls itself magics, and is in no reading that certifies."""
MOST_NEAREST = 3


def judge(
    files: Sequence[tuple[Path, bytes]],
    overrides: Overrides | None = None,
    *,
    max_lookups: int = MAX_LOOKUPS,
    progress: Progress | None = None,
    other_files: OtherFiles | None = None,
) -> Judgement:
    """Find the table in some source files, read together, and verify it. What their code does with
    its lists is looked for in the `other_files`, too.

    Raises NothingThereError where there is none, and InputError where a list that calls itself
    magics has the wrong length or an unknown item, or where the overrides name what is not there.
    """
    overrides = overrides or Overrides()
    whole = Judgement(tuple(path for path, _ in files))
    other_files = other_files or OtherFiles(whole.files)
    every_contents = read_contents(files, overrides.variant, other_files, overrides.as_written)
    errors: list[InputError] = []
    parts: list[Judgement] = []
    for contents in every_contents:
        verifier = SourceVerifier(contents, overrides, whole.files[0], max_lookups, progress)
        judge_of_part = _Judge(contents, overrides, verifier, Judgement(whole.files))
        try:
            judge_of_part.run()
            parts.append(judge_of_part.judgement)
        except InputError as error:
            errors.append(error)
    claimed = [error for error in errors if not isinstance(error, NothingThereError)]
    if not parts:
        if not claimed:
            alone = (without_magics(contents, whole.files[0]) for contents in every_contents)
            whole.readings += filter(None, alone)
        if whole.readings:
            return whole
        raise (claimed or errors)[0]
    for part in parts:
        whole.readings += part.readings
        whole.undecided += part.undecided
        whole.rivals |= part.rivals
        whole.notes += [note for note in part.notes if note not in whole.notes]
    whole.undecided = list(dict.fromkeys(whole.undecided))
    # An alternative that holds less than a table, beside one that holds a whole one, is said.
    whole.notes += [f"under another #if: {p}" for error in claimed for p in error.problems]
    _forget_repeated(whole)
    return whole


def _forget_repeated(judgement: Judgement) -> None:
    """Alternatives and files may hold the same table; it is said once, with all its files."""
    first: dict[tuple[object, ...], SourceReading] = {}
    for reading in judgement.readings:
        key = (
            reading.report.verdict,
            *(
                (
                    piece,
                    piece_table.index.text,
                    tuple(sorted(piece_table.parameters.items())),
                    piece_table.offset,
                )
                for piece, piece_table in reading.table.pieces.items()
            ),
        )
        known = first.setdefault(key, reading)
        if known is not reading:
            first[key] = replace(known, copies=(*known.copies, *reading.files))
    judgement.readings[:] = first.values()


@dataclass(slots=True)
class _Judge:
    """Judges one alternative of a source."""

    contents: Contents
    overrides: Overrides
    verifier: SourceVerifier
    judgement: Judgement

    @property
    def pieces(self) -> tuple[str, ...]:
        return self.overrides.pieces or self.contents.variant.pieces

    def run(self) -> None:
        self.look_up_stated()
        candidates = {p: candidates_of(self.contents, self.overrides, p) for p in self.pieces}
        self.keep_apart(candidates)
        chosen = {piece: self.chosen(piece, candidates[piece]) for piece in candidates}
        self.read_as_long(candidates, chosen)
        self.refuse_spoilt(chosen)
        missing = [piece for piece in self.pieces if not chosen[piece]]
        unread = self.unread(candidates, chosen, missing)
        if missing and (not self.overrides.lists or self.contents.variant.by_hand):
            refuse_lists(self.contents, missing, self.pieces)
        if unread:
            for piece, column in unread:
                self.judgement.undecided.append(self.not_a_formula(piece, column, chosen))
            self.judgement.notes += self.contents.notes
            self.verify({piece: readings for piece, readings in chosen.items() if readings})
            return
        if missing:
            self.refuse_missing(chosen, missing)
        self.verify(chosen)
        self.judgement.notes += [*self.contents.notes, *self.unused_lists()]

    def look_up_stated(self) -> None:
        """InputError where a list is named by hand that is not there."""
        for piece, parameter in self.overrides.lists:
            if parameter == "magic":
                self.overrides.magics(self.contents, piece)
            else:
                self.overrides.column(self.contents, piece, parameter)

    # Which candidates of each piece.

    def keep_apart(self, candidates: dict[str, list[Candidate]]) -> None:
        """A list that certifies for one piece is not the other's; nor is one that nearly does so
        called the other's, unless it nearly does for both or the user has named the lists.
        """
        for piece, other in permutations(() if self.contents.variant.by_hand else candidates, 2):
            taken = {r.magic.key for r in readings_of(candidates[piece], Rank.SURE, Rank.CONTESTED)}
            theirs = [
                candidate
                for candidate in candidates[other]
                if candidate.rank != Rank.CONFLICTS or candidate.magic.key not in taken
            ]
            if not self.overrides.lists:
                taken |= _nearly(candidates[piece]) - _nearly(theirs)
                theirs = [c for c in theirs if c.rank != Rank.UNREAD or c.magic.key not in taken]
            candidates[other] = theirs

    def read_as_long(
        self, candidates: dict[str, list[Candidate]], chosen: dict[str, list[PieceReading]]
    ) -> None:
        """The magics of a piece that has none in any reading may have an index as long as that
        which was assumed for the other's.
        """
        counts = [
            readings[0].count for readings in chosen.values() if readings and readings[0].certifies
        ]
        usual = [count.fixed for count in counts if count.evidence == "usual"]
        for piece in self.pieces:
            if chosen[piece] or not usual or piece in self.overrides.bits:
                continue
            longer = candidates_of(self.contents, self.overrides, piece, max(usual))
            if readings_of(longer, Rank.SURE, Rank.CONTESTED):
                candidates[piece] = longer
                self.keep_apart(candidates)
                chosen[piece] = self.chosen(piece, candidates[piece])

    def chosen(self, piece: str, candidates: Sequence[Candidate]) -> list[PieceReading]:
        """The readings of a piece to verify: those that certify; where none does or the first is
        contested, those that nearly do.
        """
        sure = readings_of(candidates, Rank.SURE)
        if sure:
            if not self.overrides.lists:
                self.judgement.undecided += self.rivals(
                    sure, readings_of(candidates, Rank.CONFLICTS)
                )
            return sure
        contested = [candidate for candidate in candidates if candidate.rank == Rank.CONTESTED][:1]
        conflicting = readings_of(candidates, Rank.CONFLICTS)
        near = [r for r in conflicting if r.is_confirmed or self.overrides.lists]
        self.judgement.undecided += [candidate.reasons_against[0] for candidate in contested]
        if contested and not near:
            return readings_of(contested, Rank.CONTESTED)
        if self.contents.variant.by_hand:
            return (near or conflicting)[:1]
        named = (
            r for r in conflicting if r.magic.says(MAGIC_WORDS) and r.magic.named_piece == piece
        )
        return (near or [*named])[:MOST_NEAREST]

    def rivals(
        self, sure: Sequence[PieceReading], conflicting: Sequence[PieceReading]
    ) -> list[str]:
        """Other lists that call themselves the piece's magics, that nearly are, and that the engine
        may look up instead of those that certify.
        """
        groups = {reading.magic.group for reading in sure}
        names = {reading.magic.last_name for reading in sure}
        idle = not any(self.contents.is_used(reading.magic) for reading in sure)
        texts: dict[str, str] = {}
        for reading in conflicting:
            magic, piece = reading.magic, reading.piece
            meant = magic.named_piece in (None, piece) and reading.is_confirmed
            used = idle or magic.last_name in names or self.contents.is_used(magic)
            if meant and used and magic.group not in groups:
                text = f"{magic.file}:{magic.first_line}: {magic.name} reads as magics of a"
                text += f" {piece}, too, with conflicts on {len(reading.bad)} of its"
                text += f" {reading.variant.squares} squares:"
                this, other = (called(self.contents, column) for column in (magic, sure[0].magic))
                text += f" {map_option(piece, 'magic', this)} or"
                texts.setdefault(magic.where, f"{text} ={other} decides it")
                self.judgement.rivals.add(magic.file)
        return list(texts.values())

    def refuse_spoilt(self, chosen: dict[str, list[PieceReading]]) -> None:
        """InputError where the language makes other numbers of what is written there."""
        problems = []
        for piece, readings in [*chosen.items()]:
            magics = [reading.magic for reading in readings]
            chosen[piece] = [reading for reading in readings if not reading.magic.problems]
            if readings and not chosen[piece]:
                line, why = magics[0].problems[0]
                more = len(magics[0].problems) - 1
                others = f", and {more} more of its numbers" if more else ""
                text = f"{magics[0].name}: {why}{others}"
                problems.append(Problem(text, file=magics[0].file, line=line))
        if problems:
            raise InputError(problems)

    # Where a piece has none.

    def unread(
        self,
        candidates: Mapping[str, Sequence[Candidate]],
        chosen: Mapping[str, Sequence[PieceReading]],
        missing: Sequence[str],
    ) -> list[tuple[str, Column]]:
        """The lists that are called magics of a piece that has none, and certify with no formula;
        else, where the other piece has some, the first list that is called the missing one's.
        """
        unread = [
            (piece, candidate.magic)
            for piece in missing
            for candidate in candidates[piece]
            if candidate.rank == Rank.UNREAD
            and (self.contents.variant.by_hand or not candidate.magic.name_words & OTHER_PIECES)
        ]
        if len(missing) == len(self.pieces) or self.overrides.lists:
            return unread
        taken = {reading.magic.key for readings in chosen.values() for reading in readings}
        named = [
            (piece, column)
            for piece in missing
            if all(candidate.rank != Rank.UNREAD for candidate in candidates[piece])
            for column in self.contents.columns
            if column.could_be_magic and self.contents.variant.piece_in(column.name_words) == piece
            and column.key not in taken and not column.name_words & OTHER_PIECES
        ]  # fmt: skip
        return unread + named[:1]

    def not_a_formula(
        self, piece: str, column: Column, chosen: Mapping[str, Sequence[PieceReading]]
    ) -> str:
        """A list that calls itself magics, and that no formula reads."""
        written = [] if self.overrides.as_written else writes(self.contents, [column])
        if written:
            return _written_to(column, written[0])
        name = f"{column.name}, read as {column.radix}," if column.radix else column.name
        text = f"{column.file}:{column.first_line}: {name} is valid with no formula"
        text += f" that was tried{self.likeliest(piece, column)}; "
        longer = self.as_long(
            piece, column, [readings[0].count for readings in chosen.values() if readings]
        )
        text += longer or f"add {self.overrides.options_left} to say what the source has"
        if column.radix:
            option = map_option(piece, "magic", called(self.contents, column))
            text += f"; add {option} to say which base it has"
        return text

    def as_long(self, piece: str, column: Column, counts: Sequence[Count]) -> str:
        """The option with which a list certifies, if its index is as long as the other piece's."""
        for count in (count for count in counts if count.evidence == "usual"):
            bits = {**self.overrides.bits, piece: count.option_value}
            longer = candidates_of(self.contents, replace(self.overrides, bits=bits), piece)
            if any(r.magic is column for r in readings_of(longer, Rank.SURE, Rank.CONTESTED)):
                return f"add --bits {piece}={count.option_value} if its index has as many bits"
        return ""

    def likeliest(self, piece: str, column: Column) -> str:
        """What the likeliest way to read a list comes to."""
        way = next(ways_in_all_orders(self.contents, self.overrides, piece, column), None)
        reading = with_conflicts(way) if way is not None else None
        if reading is None or not reading.bad or column.named_piece not in (None, piece):
            return ""
        board, rows = reading.variant.board, range(reading.variant.squares)
        named = [board.name(reading.arrangement.row_square(row, board)) for row in rows]
        bad = [named[row] for row in reading.bad]
        good = [name for name in named if name not in bad]
        most = f"all but {', '.join(good)}" if good else "all"
        few = ", ".join(bad) if len(bad) <= len(good) else most
        assumed = f", {', '.join(reading.guesses)}" if reading.guesses else ""
        return f" (with {reading.formula.text}{assumed}, {reading.in_conflict}: {few})"

    def refuse_missing(
        self, chosen: Mapping[str, Sequence[PieceReading]], missing: Sequence[str]
    ) -> None:
        """InputError where pieces have no magics, unless a source of one piece is meant: by
        --piece, or by the names of its files.
        """
        variant = self.contents.variant
        if len(missing) == len(self.pieces):
            raise NothingThereError(no_table(self.contents, self.pieces, self.judgement.files))
        if variant.by_hand:
            names = " and ".join(missing)
            message = (
                f"no formula matches what the source lists for {names}: add --scheme to say which"
            )
            raise InputError([Problem(message)])
        known = next(piece for piece in self.pieces if chosen[piece])
        stems = [variant.named(PurePath(path).stem) for path in self.judgement.files]
        if self.overrides.pieces or all(piece == known for piece in stems):
            return
        reading, other = chosen[known][0], missing[0]
        magic = reading.magic
        if reading.bad or variant.piece_in(magic.name_words) == other:
            does = "conflicts on some squares" if reading.bad else "is valid"
            text = f"{magic.file}:{magic.first_line}: {magic.name} {does} as"
            text += f" magics of a {known}, and no list reads as those of a {other}: "
            self.judgement.undecided.append(
                f"{text}add {self.overrides.options_left} to say what the source has"
            )
            return
        message = (
            f"{magic.where} is valid as magics of a {known}, but there are none of a {other}"
            f"{name_not_read(self.contents, other)}: add --piece {known} if this is meant"
        )
        raise InputError([Problem(message, file=magic.file, line=magic.first_line)])

    # Their tables.

    def verify(self, chosen: Mapping[str, Sequence[PieceReading]]) -> None:
        """The tables of the chosen readings, verified: those that certify, else the nearest."""
        if not any(chosen.values()):
            return
        by_hand = self.contents.variant.by_hand
        judgement, nearest = self.judgement, list[SourceReading]()
        for pieces in combinations(chosen, by_hand=by_hand):
            tried = self.verifier.readings(pieces)
            nearest += sorted(tried, key=lambda reading: reading.bad_squares)[:1]
            for reading in tried:
                if reading.report.verdict == "valid":
                    judgement.readings.append(reading)
                    judgement.undecided += _reasons_against(self.contents, reading)
        if not judgement.readings:
            likely: dict[frozenset[str], SourceReading] = {}
            # What was read comes before what was assumed, and fewer conflicts before more.
            for reading in sorted(
                nearest, key=lambda other: (not other.decided, other.bad_squares)
            ):
                # Another way to read the same lists would accuse numbers that this finds right.
                keys = frozenset(piece.magic.key for piece in reading.piece_readings)
                likely.setdefault(keys, reading)
            judgement.readings += [*likely.values()][:MOST_NEAREST]
            for reading in judgement.readings:
                judgement.undecided += _changed(reading, telling=False)

    def unused_lists(self) -> list[str]:
        """Lists that call themselves magics, and are so in no reading that certifies."""
        valid = self.judgement.valid
        if not valid or self.overrides.lists or self.overrides.pieces:
            return []
        used = {(c.file, c.first_line) for reading in valid for c in reading.columns}
        return list(dict.fromkeys(
            f"{UNUSED_LIST}{column.where}"
            for column in self.contents.columns
            if column.could_be_magic and column.says(("magic",))
            and not column.name_words & OTHER_PIECES
            and (column.file, column.first_line) not in used
        ))  # fmt: skip


def _nearly(candidates: Sequence[Candidate]) -> set[str]:
    """The lists that nearly certify."""
    return {r.magic.key for r in readings_of(candidates, Rank.CONFLICTS) if r.is_confirmed}


def _reasons_against(contents: Contents, reading: SourceReading) -> Iterator[str]:
    """What keeps a table that certifies from being the engine's."""
    first, *others = reading.piece_readings
    for other in others:
        # Whatever looks both up numbers the squares in one way.
        if other.in_square_order and all(map(contents.is_used, (first.magic, other.magic))):
            both = f"{other.magic.where} is in another order of squares than {first.magic.where}"
            yield f"{both}, and both are looked up; add --as-written to take them as listed"
    yield from _changed(reading, telling=True)
    yield from map(_not_placed, reading.unread)
    if reading.swapped:
        yield from reading.misnamed


def _changed(reading: SourceReading, *, telling: bool) -> list[str]:
    """What may change the numbers of a reading, to others that it states or to any."""
    texts = [write.text for write in reading.writes if write.telling or not telling]
    more = f", and {len(texts) - 3} more" if len(texts) > 3 else ""
    text = (
        "what it makes of the list's numbers is not known; add --as-written to take them as listed"
    )
    return [f"{'; '.join(texts[:3])}{more}: {text}"] if texts else []


def _written_to(column: Column, write: Write) -> str:
    """What is said of a list whose numbers certify in no reading, and that something writes to."""
    place, _, statement = write.text.partition(": ")
    return (
        f"{place}: {column.name} is written to here ({statement}), and the numbers that are listed "
        "are no magics by themselves; add --as-written to take them as listed"
    )


def _not_placed(place: UnreadPlace) -> str:
    """What is said of a place that is not read."""
    same = "the same in all records" if place.same else "not read"
    return (
        f"{place.file}:{place.line}: {place.name} has {place.text}, which is {same}: where the "
        "slots of squares begin is not known; expected the address of an array's entry, as in "
        "&TABLE[4096]"
    )
