"""Which lists of a source may be a piece's magics: one list of candidates, the best first.

Every list that could be the magics is read in every plausible way (`ways.py`), the likely lists by
name first. What comes of a list is one candidate or several, each with a score:

| rank | a candidate that | becomes |
|---|---|---|
| SURE | has no conflict, and nothing speaks against it | part of a table that may be valid |
| CONTESTED | has no conflict, but a reason against it (`doubts.py`) | not decided |
| CONFLICTS | has squares that conflict, the fewer the better | invalid, if all of it was read |
| UNREAD | is called magics, and certifies in no way that was tried | not decided |

What the source says of the bits comes first. What is only assumed as usual (popcount of the mask,
12 and 9 bits, white, black, two halves) can make a candidate certify. Where it conflicts, the
assumption is refuted, not the list.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from magicert.verify.source.bits import Count
from magicert.verify.source.columns import MAGIC_WORDS, Column
from magicert.verify.source.contents import Contents
from magicert.verify.source.doubts import reasons_against
from magicert.verify.source.overrides import Overrides
from magicert.verify.source.variant import SquareNumbering
from magicert.verify.source.ways import (
    PieceReading,
    arrangements_of,
    is_beyond,
    ways_of,
    with_conflicts,
)

MOST_MAGICS = 60


class Rank(IntEnum):
    """What a candidate comes to, the best first."""

    SURE = 0
    CONTESTED = 1
    CONFLICTS = 2
    UNREAD = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A list that may be a piece's magics, and how it is read.

    Without a `reading` it is a list that is called magics, and valid in no way that was tried.
    """

    magic: Column
    reading: PieceReading | None = None
    reasons_against: tuple[str, ...] = ()
    """Of one that certifies: sentences that say what settles it, the gravest first."""

    @property
    def rank(self) -> Rank:
        if self.reading is None:
            return Rank.UNREAD
        if self.reading.bad:
            return Rank.CONFLICTS
        return Rank.CONTESTED if self.reasons_against else Rank.SURE

    @property
    def score(self) -> tuple[Rank, int]:
        """The rank, and how many squares conflict: the less, the better."""
        return self.rank, len(self.reading.bad) if self.reading else 0

    @property
    def reasons_for(self) -> tuple[str, ...]:
        """What confirms that the list is the piece's magics, read like this."""
        reading = self.reading
        if reading is None:
            return (f"{self.magic.name} is called magics",)
        squares = reading.variant.squares
        reasons = {
            f"{self.magic.name} is called magics": self.magic.is_called_magic,
            f"{self.magic.name} is called a {reading.piece}'s": (
                self.magic.named_piece == reading.piece
            ),
            f"the bits are from {reading.count.words}": reading.count.is_read,
            f"{squares - len(reading.bad)} of {squares} squares are right": reading.is_confirmed,
        }
        return tuple(text for text, holds in reasons.items() if holds)

    def __str__(self) -> str:
        return (
            f"{self.rank.name} {self.magic.where}; for: {', '.join(self.reasons_for) or '-'}; "
            f"against: {', '.join(self.reasons_against) or '-'}"
        )


def candidates_of(
    contents: Contents, overrides: Overrides, piece: str, longest: int = 0
) -> list[Candidate]:
    """The candidates of a piece, the best first. Lists that are less likely by name are looked at
    only while none is sure. With `longest` bits an index of so many is usual, too.
    """
    candidates: list[Candidate] = []
    for lists in _by_name(contents, overrides, piece):
        for magic in lists:
            read = _read(contents, overrides, piece, magic, longest)
            if _certifies(read) and _is_anothers(contents, overrides, piece, magic):
                continue
            candidates += read
        if any(candidate.rank == Rank.SURE for candidate in candidates):
            break
    return sorted(candidates, key=lambda candidate: candidate.score)


def readings_of(candidates: Sequence[Candidate], *ranks: Rank) -> list[PieceReading]:
    """The readings of the candidates of some ranks."""
    return [
        candidate.reading
        for candidate in candidates
        if candidate.reading is not None and candidate.rank in ranks
    ]


def _certifies(candidates: Sequence[Candidate]) -> bool:
    return any(candidate.rank <= Rank.CONTESTED for candidate in candidates)


def _by_name(contents: Contents, overrides: Overrides, piece: str) -> list[list[Column]]:
    """The columns that could be the piece's magics, in groups: the likely ones by name first."""
    stated = overrides.magics(contents, piece)
    if stated:
        return [stated]
    groups: tuple[list[Column], ...] = ([], [], [], [])
    for column in contents.columns:
        if not column.could_be_magic:
            continue
        called_for, named = column.named_piece, column.is_called_magic
        itself = column.says(MAGIC_WORDS)
        place = (
            3
            if called_for not in (None, piece)
            else 0
            if named and called_for == piece
            else 1
            if itself
            else 2
        )
        groups[place].append(column)
    if overrides.as_written:
        groups = (next(filter(None, groups), []),)
    return [sorted(group, key=lambda c: not c.says(MAGIC_WORDS))[:MOST_MAGICS] for group in groups]


def _is_anothers(contents: Contents, overrides: Overrides, piece: str, magic: Column) -> bool:
    """Does a list certify for the other piece, whose magics it calls itself?"""
    called_for = magic.named_piece
    if called_for in (None, piece) or (piece, "magic") in overrides.lists:
        return False
    return _certifies(_read(contents, overrides, called_for, magic))


def _read(
    contents: Contents, overrides: Overrides, piece: str, magic: Column, longest: int = 0
) -> list[Candidate]:
    """The candidates that come of one list: in the first order of its rows in which one certifies,
    that and what nearly does; else whatever has squares that do not conflict.
    """
    tried: list[PieceReading] = []
    near: list[PieceReading] = []
    for number, arrangement in enumerate(arrangements_of(contents, overrides, magic, piece)):
        here = list(_tried(contents, overrides, piece, magic, arrangement, longest))
        tried += here
        near = _with_conflicts(tried)
        best = next((reading for reading in here if reading.certifies), None)
        # More bits tell more apart: that says nothing against a list that was read.
        index_is_read = any(
            near_reading.is_confirmed and _is_the_index(contents, near_reading.count)
            for near_reading in near
        )
        if best is not None and not (index_is_read and best.count.evidence == "usual"):
            against = tuple(reasons_against(contents, overrides, best, here, near))
            confirmed = (Candidate(magic, reading) for reading in near if reading.is_confirmed)
            return [Candidate(magic, best, against), *confirmed]
        called = magic.is_called_magic or magic.named_piece == piece
        if number == 0 and not near and not called and not overrides.lists:
            break  # other orders of rows are tried for what is called magic, or the piece's
    candidates = [Candidate(magic, reading) for reading in near]
    meant = magic.says(MAGIC_WORDS) and magic.named_piece in (None, piece)
    meant = meant or (piece, "magic") in overrides.lists
    if meant and not any(reading.is_confirmed for reading in near):
        candidates.append(Candidate(magic))
    return candidates


def _tried(
    contents: Contents,
    overrides: Overrides,
    piece: str,
    magic: Column,
    arrangement: SquareNumbering,
    longest: int,
) -> Iterator[PieceReading]:
    """A list in every way, until it certifies in one; then only with other lists of bits, which
    may speak against that.
    """
    best: PieceReading | None = None
    stated = overrides.says_all(piece) or overrides.as_written
    for way in ways_of(contents, overrides, piece, magic, arrangement, longest):
        if best is None or _has_other_bits(way, best):
            reading = with_conflicts(way, sample_first=not stated)
            yield reading
            if reading.certifies:
                best = best or reading
                if not reading.count.is_read:
                    return


def _with_conflicts(tried: Sequence[PieceReading]) -> list[PieceReading]:
    """The readings with conflicts that may still be meant. A guess of 12 or 9 bits for all squares
    is worth a word beside popcount only where nearly all squares confirm it, and not popcount.
    """
    usual_masks = [reading for reading in tried if not reading.unusual_masks]
    near = [reading for reading in usual_masks if reading.bad and not is_beyond(reading)]
    popcount = [reading for reading in usual_masks if reading.count.evidence == "popcount"]
    confirmed = {reading.formula.text for reading in popcount if reading.is_confirmed}
    return [
        reading
        for reading in near
        if reading.count.evidence != "usual"
        or (reading.is_confirmed and reading.formula.text not in confirmed)
        or not popcount
    ]


def _has_other_bits(first: PieceReading, best: PieceReading) -> bool:
    """Is it the same formula with the bits of another list that is read?"""
    texts = {re.sub(r"\(\d+ - bits\)", "shift", reading.formula.text) for reading in (first, best)}
    other = first.count.column not in (None, best.count.column)
    return other and first.count.evidence == "read" and len(texts) == 1


def _is_the_index(contents: Contents, count: Count) -> bool:
    """Are these bits read, and of the index? A list of bits that nothing uses may count the squares
    of the masks instead.
    """
    column = count.column
    if count.kind == "bits" and column is not None and not count.in_records:
        return count.is_read and contents.is_used(column)
    return count.is_read
