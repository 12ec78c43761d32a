"""How many bits an index has: what a source states or lists, and only then what is usual.

`counts_of` gives the possible counts of one list of magics, the likely ones first:

1. what the user states;
2. a list of shifts or bits, in the records of the magics themselves or named for the piece;
3. a named number (`ROOK_BITS = 12`);
4. a literal that products with these magics are shifted by;
5. guesses: popcount of the mask, then 12 and 9 bits for every square.

A `Count` says which of these it is by its `evidence`: what is "stated" or "read" can make a table
invalid, the others never.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from magicert.table.model import Values
from magicert.verify.source.columns import MOST_BITS, SHIFT_WORDS, SIZE_WORDS, WHOLE, Column, Kind
from magicert.verify.source.contents import Contents
from magicert.verify.source.overrides import Overrides, called, map_option
from magicert.verify.source.variant import SquareNumbering, Variant, split_words

Evidence = Literal["stated", "read", "constant", "literal", "popcount", "usual"]


@dataclass(frozen=True, slots=True)
class Count:
    """The bits of an index, or its shift: the values, where from, and how it is known."""

    kind: Kind
    values: Values
    evidence: Evidence
    words: str
    column: Column | None = None
    in_records: bool = False
    """In the records of the magics themselves."""
    tied: bool = False
    """A literal that products with these magics are shifted by."""

    @property
    def parameter(self) -> str:
        return "bits" if self.kind == "bits" else "shift"

    @property
    def option_value(self) -> str:
        """What --bits takes to say the same."""
        return "popcount" if self.evidence == "popcount" else str(self.fixed)

    def option(self, contents: Contents, piece: str) -> str:
        """The option that says the same."""
        if self.column:
            return map_option(piece, self.parameter, called(contents, self.column))
        return f"--bits {piece}={self.option_value}"

    @property
    def fixed(self) -> int:
        """The bits of the first square: those of all where every square has as many."""
        whole, first = WHOLE[self.kind], self.values[0]
        return whole - first if whole else first

    def is_long(self, most: int) -> bool:
        """Is it a literal that leaves more bits than are usual, and may be of something else?"""
        return self.evidence == "literal" and not self.tied and self.fixed > most + 2

    @property
    def is_read(self) -> bool:
        """Is it more than a guess?"""
        return self.evidence in ("stated", "read")


def counts_of(
    contents: Contents,
    overrides: Overrides,
    magic: Column,
    piece: str,
    arrangement: SquareNumbering,
    longest: int = 0,
) -> list[Count]:
    """What the index's bits may be: as stated, as read, and only then as usual."""
    variant = contents.variant
    needed = variant.mask_bits(piece, arrangement)
    if overrides.bits.get(piece) == "popcount":
        return [Count("bits", needed, "stated", f"popcount of the mask, {overrides.origin}")]
    stated = overrides.count(contents, piece)
    if stated is not None:
        kind, values, words, column = stated
        return [Count(kind, values, "stated", words, column)]
    counts = _listed(contents, magic, piece)
    if any(count.in_records for count in counts):
        return counts
    constants = list(_constants(contents, piece))
    counts += [count for _, count in sorted(constants, key=lambda pair: not pair[0])]
    is_named = any(named for named, _ in constants)
    counts.append(Count("bits", needed, "popcount", "assumed: popcount of the mask"))
    literals = literals_of(contents, piece, magic)
    counts = [c for c in literals if c.tied] + counts + [c for c in literals if not c.tied]
    if not variant.by_hand and not is_named:
        most = variant.most_bits(piece)
        words = f"assumed: {{}} for every square, as is usual for a {piece}"
        counts.append(Count("bits", (most,), "usual", words.format(most)))
        longer = {most + 1, most + 2} if magic.is_called_magic else set()
        longer |= {longest} if longest > most else set()
        more = "assumed: {} for every square, with which they are valid"
        counts += [Count("bits", (n,), "usual", more.format(n)) for n in sorted(longer)]
    return counts + list(_in_every_record(contents, magic, piece))


def _in_every_record(contents: Contents, magic: Column, piece: str) -> Iterator[Count]:
    """What stands in each of the magics' records: shifts, perhaps, that leave long indexes."""
    for column in contents.columns:
        kind, (value, *others) = column.shift_kind, set(column.values)
        if kind is None or column.group != magic.group or others:
            continue
        if kind == _scalar(contents.variant, value, piece, named=True):
            yield Count(kind, column.values, "usual", column.where, column)


def _listed(contents: Contents, magic: Column, piece: str) -> list[Count]:
    """Lists of shifts or bits: those in the magics' own records, else those named for the piece."""
    counts: list[Count] = []
    named: list[Count] = []
    odd: list[Count] = []
    alike: list[Count] = []
    for column in contents.columns:
        kind = column.shift_kind
        if kind is None or column is magic or column in magic.halves:
            continue
        named_piece = column.named_piece
        if column.group == magic.group:
            only_size = column.says(SIZE_WORDS) and not column.says(SHIFT_WORDS)
            is_constant = len(set(column.values)) == 1 and not column.says(SHIFT_WORDS)
            if column.fits(kind, piece) or not (only_size or is_constant):
                counts.append(
                    Count(kind, column.values, "read", column.where, column, in_records=True)
                )
        elif named_piece not in (None, piece):
            continue
        elif column.says(SHIFT_WORDS):
            count = Count(kind, column.values, "read", column.where, column)
            here = column.file == magic.file and contents.goes_with(column, magic)
            if column.fits(kind, piece):
                named.insert(0 if named_piece == piece else len(named), count)
            elif named_piece == piece or here:
                odd.append(count)
        elif column.fits(kind, piece) and len(set(column.values)) > 2:
            alike.append(Count(kind, column.values, "read", column.where, column))
    fitting = [count for count in counts if count.column and count.column.fits(count.kind, piece)]
    others = [candidate for candidate in (named, odd, alike) if candidate]
    nearby = [
        [candidate for candidate in some if candidate.column and candidate.column.file in files]
        for files in ((magic.file,), contents.in_folder_of(magic.file))
        for some in others
    ]
    return fitting or counts or next(filter(None, (*nearby, *others)), [])


def _constants(contents: Contents, piece: str) -> Iterator[tuple[bool, Count]]:
    """Named numbers of bits; whether the name says the piece, and stands elsewhere as well."""
    for name, value, file in contents.constants:
        named = contents.variant.briefly(split_words(name))
        kind = _scalar(contents.variant, value, piece, named == piece)
        if kind is not None and named in (None, piece):
            words = f"{name} = {value} ({file})"
            yield named == piece and _used(contents, name), Count(kind, (value,), "constant", words)


def implausible(contents: Contents, piece: str) -> Iterator[Count]:
    """Named numbers that are called the piece's bits or shift, are used, and cannot be."""
    for name, value, file in contents.constants:
        words = split_words(name)
        called = contents.variant.briefly(words) == piece and not words.isdisjoint(
            ("shift", "bits")
        )
        possible = _scalar(contents.variant, value, piece, named=True) is not None
        if called and not possible and 1 < value <= contents.variant.word and _used(contents, name):
            yield Count("bits", (value,), "constant", f"{name} = {value} ({file})")


def _used(contents: Contents, name: str) -> bool:
    """Does a constant stand elsewhere, too?"""
    return sum(len(re.findall(rf"\b{name}\b", source.code)) for source in contents.sources) > 1


def literals_of(contents: Contents, piece: str, magic: Column) -> list[Count]:
    """Shifts by a literal that the piece may have: those behind the magics themselves, if any."""
    counts = []
    # What a shift leaves of a word must be an index.
    shifts, word = contents.shifts_of(magic), contents.variant.word
    tied = {n: place for n, place in shifts.items() if 4 <= word - n <= MOST_BITS}
    for amount, place in tied.items() or contents.shifts:
        kind = "shift" if tied else _scalar(contents.variant, amount, piece, named=True)
        if kind not in (None, "bits"):
            words = f"the shift by {amount} ({place})"
            counts.append(Count(kind, (amount,), "literal", words, tied=bool(tied)))
    return counts


def _scalar(variant: Variant, value: int, piece: str, named: bool) -> Kind | None:
    """How one number counts index bits; one that is `named` the piece's may be more than needed."""
    most = variant.most_bits(piece)
    plausible = range(most - 1, MOST_BITS + 1 if named else most + 3)
    kinds: Sequence[Kind] = ("bits", "shift", "shift32", "shift128", "shift256")
    for kind in kinds:
        bits = WHOLE[kind] - value if WHOLE[kind] else value
        if bits in plausible and WHOLE[kind] <= variant.word:
            return kind
    return None
