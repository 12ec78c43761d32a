"""The plausible readings of one piece: which list is its magics, with which formula and bits.

What the source says of the bits comes first. What is only taken as usual (popcount of the mask,
12 and 9 bits, white, black, two halves) can make a reading right, never wrong.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import Literal, TypeVar

from magicert.formula import Formula, parse
from magicert.formula.arrays import Words
from magicert.scheme import SCHEMES
from magicert.table.model import MaskRule, Values
from magicert.verify.source.columns import (
    FEW_BITS,
    MAGIC_WORDS,
    MOST_BITS,
    MOST_FIELDS,
    SHIFT_WORDS,
    SIZE_WORDS,
    WHOLE,
    Column,
    Contents,
    Kind,
)
from magicert.verify.source.game import SAMPLED, Game, Probe, SquareNumbering, split_words
from magicert.verify.source.pins import FOLDED, Pins, called, map_option

MOST_MAGICS = 60
TELLING = 16
"""A list that is wrong on fewer squares is meant for the reading: random numbers are wrong on all
rook squares and on about 30 bishop squares.
"""
MOST_SHOWN = 3
HOPELESS = SAMPLED - 1
OWN = "own"
"""The parameter that is the square's own bit, where that is or-ed to the relevant occupancy."""
_T = TypeVar("_T")
_GUESSED = ("popcount", "usual")
Evidence = Literal["stated", "read", "constant", "literal", "popcount", "usual"]


@dataclass(frozen=True, slots=True)
class Count:
    """The bits of an index, or its shift: the values, where from, and how it is known."""

    kind: Kind
    values: Values
    evidence: Evidence
    words: str
    column: Column | None = None
    beside: bool = False
    """In the records of the magics themselves."""
    tied: bool = False
    """A literal that products with these magics are shifted by."""

    @property
    def parameter(self) -> str:
        return "bits" if self.kind == "bits" else "shift"

    @property
    def stated(self) -> str:
        """What --bits takes to say the same."""
        return "popcount" if self.evidence == "popcount" else str(self.fixed)

    def settled(self, contents: Contents, piece: str) -> str:
        """The option that says the same."""
        if self.column:
            return map_option(piece, self.parameter, called(contents, self.column))
        return f"--bits {piece}={self.stated}"

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


@dataclass(frozen=True)
class Half:
    """One piece read in one way. `bad` are the rows that conflict with themselves, `masks` the
    rule of masks that the source does not list.

    `sources` says in words where each parameter comes from; `columns` are those used.
    """

    piece: str
    formula: Formula
    arrangement: SquareNumbering
    parameters: Mapping[str, Values]
    sources: Mapping[str, str]
    columns: tuple[Column, ...]
    bad: tuple[int, ...]
    count: Count
    masks: MaskRule = "usual"
    guesses: tuple[str, ...] = ()
    """What was taken: the formula, the bits."""
    against: str = ""
    """What speaks against a reading that certifies, and the option that settles it."""
    relisted: bool = False
    """Its rows stand in another order in the source."""
    own_masks: bool = False
    """Its masks are called so and no usual ones: where they conflict, others are meant."""

    @property
    def game(self) -> Game:
        """The board, and how the piece moves."""
        return self.magic.game

    @property
    def magic(self) -> Column:
        return self.columns[0]

    @property
    def lists(self) -> Iterator[tuple[str, Column]]:
        """Its lists, each with its parameter."""
        counted = {self.magic: "magic", self.count.column: self.count.parameter}
        return ((counted.get(column, "mask"), column) for column in self.columns)

    @property
    def masks_column(self) -> Column | None:
        """The list of its masks, if nearly all are the usual ones."""
        known = [c for c in self.columns[1:] if c.has_masks(self.piece, self.arrangement)]
        return known[0] if known and "mask" in self.parameters else None

    @cached_property
    def cured(self) -> frozenset[int]:
        """The rows that conflict, and do not with as many bits as the square's mask has."""
        count, name = self.count, self.count.parameter
        if count.column is None or name not in self.parameters or not self.bad:
            return frozenset()
        values, whole = [*self.parameters[name]], WHOLE[count.kind]
        needed = self.game.mask_bits(self.piece, self.arrangement)
        if len(values) != len(needed):
            return frozenset()
        for row in self.bad:
            values[row] = abs(whole - needed[row])
        other = replace(self, parameters={**self.parameters, name: tuple(values)})
        probe = Probe(self.game, self.piece, self.arrangement, self.masks)
        still = probe.bad_rows(self.formula, _words(other))
        return frozenset(self.bad).difference(still, self.magic.wide)

    @property
    def is_doubted(self) -> bool:
        """Were numbers that conflict taken in a way that the others do not confirm?"""
        conflicting = self.relisted or bool(self.magic.doubtful.intersection(self.bad))
        return self.own_masks or (bool(self.bad) and conflicting)

    @property
    def in_conflict(self) -> str:
        """How many squares conflict, in words."""
        bad = len(self.bad)
        return f"{bad} square{'s' * (bad > 1)} of the {self.piece} conflict{'s' * (bad == 1)}"

    def shown(self, column: Column) -> str:
        """The same, with the first of the squares and their lines in a list."""
        board, rows = self.game.board, self.bad[:MOST_SHOWN]
        squares = (board.name(self.arrangement.row_square(row, board)) for row in rows)
        lines = (column.spots[row][0] for row in rows)
        named = [f"{name} (line {line})" for name, line in zip(squares, lines, strict=True)]
        more = [f"{len(self.bad) - len(rows)} more"] * (len(self.bad) > len(rows))
        return f"{self.in_conflict}, {', '.join([*named, *more])}"

    @property
    def is_confirmed(self) -> bool:
        """Do so many squares certify that the list is meant for this reading? Not where nothing
        calls the list so, and the index was taken to be so long that any numbers may nearly do.
        """
        magic, count = self.magic, self.count
        named = magic.is_called_magic or magic.piece_said is not None
        by_chance = count.fixed > self.game.most_bits(self.piece)
        if self.bad and by_chance and not (named or count.is_read):
            return False
        most = self.game.squares // 2 if self.game.most_bits(self.piece) > FEW_BITS else TELLING
        return len(self.bad) < most


@dataclass(slots=True)
class Search:
    """All readings of a piece: those without a conflict, the nearest of the others, and the lists
    that call themselves its magics and are so in no reading.
    """

    right: list[Half] = field(default_factory=list)
    near: list[Half] = field(default_factory=list)
    claims: list[Column] = field(default_factory=list)


def search(contents: Contents, pins: Pins, piece: str, longest: int = 0) -> Search:
    """Read a piece in every plausible way; a list under a magic's name that certifies wins. With
    `longest` bits an index of so many is usual, too.
    """
    found = Search()
    for tier in _tiers(contents, pins, piece):
        for magic in tier:
            own = Search()
            _read(contents, pins, piece, magic, own, longest)
            if own.right and _is_anothers(contents, pins, piece, magic):
                continue
            found.right += own.right
            found.near += own.near
            found.claims += own.claims
        if any(not half.against for half in found.right):
            break
    found.right.sort(key=lambda half: bool(half.against))
    found.near.sort(key=lambda half: len(half.bad))
    return found


def _tiers(contents: Contents, pins: Pins, piece: str) -> list[list[Column]]:
    """The columns that could be the piece's magics, the likely ones by name first."""
    stated = pins.magics(contents, piece)
    if stated:
        return [stated]
    tiers: tuple[list[Column], ...] = ([], [], [], [])
    for column in contents.columns:
        if not column.could_be_magic:
            continue
        said, named = column.piece_said, column.is_called_magic
        own = column.says(MAGIC_WORDS)
        place = (
            3 if said not in (None, piece) else 0 if named and said == piece else 1 if own else 2
        )
        tiers[place].append(column)
    if pins.as_written:
        tiers = (next(filter(None, tiers), []),)
    return [sorted(tier, key=lambda c: not c.says(MAGIC_WORDS))[:MOST_MAGICS] for tier in tiers]


def _is_anothers(contents: Contents, pins: Pins, piece: str, magic: Column) -> bool:
    """Is a list right for the other piece, whose magics it calls itself?"""
    said, found = magic.piece_said, Search()
    if said in (None, piece) or (piece, "magic") in pins.lists:
        return False
    _read(contents, pins, said, magic, found)
    return bool(found.right)


def _read(
    contents: Contents, pins: Pins, piece: str, magic: Column, found: Search, longest: int = 0
) -> None:
    """Read one column in every way, until one is right."""
    near: list[Half] = []
    by_popcount = False
    """Was popcount tried, in vain?"""
    for place, arrangement in enumerate(_arrangements(contents, pins, magic, piece)):
        right: Half | None = None
        odd = list(_implausible(contents, piece))
        fitting: list[Count] = []
        for half in _ways(contents, pins, piece, magic, arrangement, longest):
            if right is not None and not _is_rival(half, right):
                continue
            probe = Probe(half.game, piece, arrangement, half.masks)
            words = _words(half)
            hopeless = probe.bad_in_sample(half.formula, words) >= HOPELESS
            if hopeless and not (pins.says_all(piece) or pins.as_written):
                by_popcount |= half.count.evidence == "popcount"
                if _may_be_meant(contents, magic, half):
                    odd.append(half.count)
                continue
            fitting.append(half.count)
            bad = tuple(sorted({*probe.bad_rows(half.formula, words), *magic.wide}))
            judged = replace(half, bad=bad)
            if bad:
                if not (_is_beyond(judged) or half.own_masks):
                    near.append(judged)
                continue
            right = right or judged
            if not judged.count.is_read:
                break
        read = any(half.is_confirmed and _is_the_index(contents, half.count) for half in near)
        # More bits tell more apart: that says nothing against a list that was read.
        if right is not None and not (read and right.count.evidence == "usual"):
            odd = [count for count in odd if count not in fitting]
            found.right.append(_against(contents, pins, right, near, odd))
            found.near += [half for half in near if half.is_confirmed]
            return
        popcount = [half for half in near if half.count.evidence == "popcount"]
        close = {half.formula.text for half in popcount if half.is_confirmed}
        near = [
            h
            for h in near
            if h.count.evidence != "usual"
            or (h.is_confirmed and h.formula.text not in close)
            or not (popcount or by_popcount)
        ]
        called = magic.is_called_magic or magic.piece_said == piece
        if place == 0 and not near and not called and not pins.lists:
            break  # other orders of rows are tried for what is called magic, or the piece's
    found.near += near
    meant = magic.says(MAGIC_WORDS) and magic.piece_said in (None, piece)
    meant = meant or (piece, "magic") in pins.lists
    if meant and not any(half.is_confirmed for half in near):
        found.claims.append(magic)


def likeliest(contents: Contents, pins: Pins, piece: str, magic: Column) -> Half | None:
    """The first way to read a column, with the rows that conflict."""
    for arrangement in _arrangements(contents, pins, magic, piece):
        for half in _ways(contents, pins, piece, magic, arrangement):
            probe = Probe(half.game, piece, arrangement, half.masks)
            return replace(half, bad=tuple(probe.bad_rows(half.formula, _words(half))))
    return None


def relisted(half: Half, arrangement: SquareNumbering) -> Half:
    """The same with the rows in another arrangement's order."""
    board, own = half.game.board, half.arrangement
    row_of = {own.row_bit(row, board): row for row in range(half.game.squares)}
    rows = [row_of[arrangement.row_bit(row, board)] for row in range(half.game.squares)]

    def taken(values: Sequence[_T]) -> tuple[_T, ...]:
        return tuple(values[row] for row in rows) if len(values) == len(rows) else tuple(values)

    def column(one: Column) -> Column:
        return replace(one, values=taken(one.values), spots=taken(one.spots), doubtful=frozenset())

    columns = {id(one): column(one) for one in half.columns}
    return replace(
        half,
        arrangement=arrangement,
        parameters={name: taken(values) for name, values in half.parameters.items()},
        columns=tuple(columns.values()),
        bad=tuple(rows.index(row) for row in half.bad),
        count=replace(half.count, values=taken(half.count.values)),
        guesses=(*half.guesses, f"{half.piece} rows in another order"),
        relisted=True,
    )


def _against(
    contents: Contents, pins: Pins, half: Half, near: Sequence[Half], odd: Sequence[Count]
) -> Half:
    """What speaks against a reading by what was taken: a likelier one nearly certifies, or what is
    called the piece's own bits (`odd`) is used, and does not go with them.
    """
    count = half.count
    text = _other_pieces(contents, pins, half) or _spoilt(contents, pins, half)
    if text:
        return replace(half, against=text)
    stated = half.piece in pins.masks or (half.piece, "mask") in pins.lists
    for column in () if stated else _contradicting(contents, half):
        text = f"{column.where} are not the masks with which they certify;"
        text += f" {map_option(half.piece, 'mask', called(contents, column))} or =usual settles it"
        return replace(half, against=text)
    for own in _literals(contents, half.piece, half.magic):
        apart = count.column and not contents.goes_with(count.column, half.magic)
        if own.tied and not count.tied and (apart or not count.is_read):
            text = f"{own.words} does not go with them;"
            return replace(half, against=f"{text} {count.settled(contents, half.piece)} settles it")
    for own in () if count.tied else odd:
        if count.is_read and not _is_instead(contents, own, count):
            continue
        if own.column is None or contents.may_belong(own.column, half.magic):
            text = f"{own.words} does not go with the magics of a {half.piece};"
            return replace(half, against=f"{text} --bits {half.piece}={count.stated} settles it")
    for other in near:
        own, close = other.count, other.is_confirmed
        if own.evidence == "read" and own.column is not None and own.column is not count.column:
            telling = close or (own.beside and not count.is_read) or _is_the_pieces(half, own)
            if not (count.is_read or count.tied):
                telling = telling or _may_be_meant(contents, half.magic, other)
            telling = telling or _is_instead(contents, own, count)
            if telling and contents.may_belong(own.column, half.magic):
                text = f"{own.words} does not go with them: {other.shown(own.column)}"
                ways = " or ".join(one.settled(contents, half.piece) for one in (own, count))
                return replace(half, against=f"{text}; {ways} settles it")
        if count.is_read:
            continue
        likelier = own.evidence == "popcount" or (
            own.evidence in ("literal", count.evidence) and own.fixed < count.fixed
        )
        if likelier and close and count.evidence in ("usual", "literal"):
            said = own.stated
            few = "popcount of the mask" if said == "popcount" else f"{said} bits"
            text = f"with {few} {len(other.bad)} of the {half.game.squares} squares of the"
            text += f" {half.piece} conflict,"
            text += f" with {count.stated} bits none;"
            text += f" --bits {half.piece}={count.stated} or {said} settles it"
            return replace(half, against=text)
    return half


def _contradicting(contents: Contents, half: Half) -> Iterator[Column]:
    """Lists of masks that the piece's magics are not read with."""
    masks = half.parameters.get("mask", ())
    both = (masks, half.game.words_of(~word for word in masks))
    taken = [one for one in half.columns[1:] if one.words in both]
    theirs = (half.magic.group, None, half.piece)
    if any(one.group in theirs or one.piece_said in theirs for one in taken):
        return
    yield from _other_masks(contents, half.piece, half.magic)
    if half.arrangement.listing != half.arrangement.order:
        for column in contents.columns:
            told = [masks.arrangement for masks in column.masks if masks.piece == half.piece]
            if told and half.arrangement not in told:
                yield column


def _other_pieces(contents: Contents, pins: Pins, half: Half) -> str:
    """Where the magics are called another piece's, and what goes with them this one's."""
    said = half.game.said(half.magic.own)
    if said in (None, half.piece) or (half.piece, "magic") in pins.lists:
        return ""
    own = [
        c.where
        for c in half.columns[1:]
        if c.group != half.magic.group and c.piece_said == half.piece
    ]
    if half.count.evidence == "constant":
        name = half.count.words.partition(" ")[0]
        own += [half.count.words] * (half.game.briefly(split_words(name)) == half.piece)
    if not own:
        return ""
    text = f"{half.magic.where} certifies as magics of a {half.piece}, with {own[0]};"
    return f"{text} {map_option(half.piece, 'magic', called(contents, half.magic))} settles it"


def _spoilt(contents: Contents, pins: Pins, half: Half) -> str:
    """Where a list is called the piece's bits or masks, and has not one item a square."""
    for one in contents.refused:
        if one.what == "magic" or one.piece != half.piece:
            continue
        if one.what == "mask":
            known = "mask" in half.parameters or half.piece in pins.masks
            option = map_option(half.piece, "mask", "usual")
        else:
            known, option = half.count.is_read, half.count.settled(contents, half.piece)
        if not known:
            return f"{one.file}:{one.line}: {one.message}; {option} settles it"
    return ""


def _may_be_meant(contents: Contents, magic: Column, half: Half) -> bool:
    """Is a list of bits that goes with no magic called the piece's, or looked up with these? One
    that counts the squares of the masks is for that. If nothing uses the magics, it must count
    about as many bits as the piece needs.
    """
    column, needed = half.count.column, half.game.mask_bits(half.piece, half.arrangement)
    if column is None or (half.count.kind == "bits" and (*column.values,) == needed):
        return False
    if column.piece_said is None:
        about = range(min(needed) - 2, max(needed) + 4)
        likely = sum(n in about for n in column.bits(half.count.kind)) > len(column.values) // 2
        likely = likely or contents.is_used(magic)
        return likely and column.says(SHIFT_WORDS) and contents.goes_with(column, magic)
    return column.piece_said == half.piece


def _is_instead(contents: Contents, own: Count, count: Count) -> bool:
    """Is a list of bits looked up, and the one that was taken not?"""
    if own.column is None or count.column is None or own.column.piece_said is None:
        return False
    return contents.is_used(own.column) and not contents.is_used(count.column)


def _is_the_pieces(half: Half, own: Count) -> bool:
    """Is a count that was read called the piece's bits or shifts? The bits of its masks may be
    there to count occupancies.
    """
    column = own.column
    if column is None or half.count.is_read or not column.says(SHIFT_WORDS):
        return False
    needed = half.game.mask_bits(half.piece, half.arrangement)
    return column.piece_said == half.piece and (own.kind != "bits" or (*own.values,) != needed)


def _is_rival(half: Half, right: Half) -> bool:
    """Is it the same formula with the bits of another list that is read?"""
    texts = {re.sub(r"\(\d+ - bits\)", "shift", one.formula.text) for one in (half, right)}
    other = half.count.column not in (None, right.count.column)
    return other and half.count.evidence == "read" and len(texts) == 1


def _is_the_index(contents: Contents, count: Count) -> bool:
    """Are these bits read, and of the index? A list of bits that nothing uses may count the squares
    of the masks instead.
    """
    column = count.column
    if count.kind == "bits" and column is not None and not count.beside:
        return count.is_read and contents.is_used(column)
    return count.is_read


def _is_beyond(half: Half) -> bool:
    """Is it read with more bits than are usual? Only where it certifies is that worth a word."""
    count, most = half.count, half.game.most_bits(half.piece)
    usual = count.evidence == "usual" and count.values[0] > most
    return usual or count.is_long(most)


def _words(half: Half) -> dict[str, Words]:
    return {name: _array(half.game, values) for name, values in half.parameters.items()}


@lru_cache(maxsize=1 << 12)
def _array(game: Game, values: Values) -> Words:
    """Numbers of all squares, or the one of each; the same lists go with many others."""
    return game.array(values if len(values) > 1 else values * game.squares).reshape(-1, 1)


def _arrangements(
    contents: Contents, pins: Pins, magic: Column, piece: str
) -> list[SquareNumbering]:
    """The arrangements to try; a list of masks beside the magics tells the one."""
    for column in contents.columns:
        if column.group == magic.group and not pins.as_written:
            told = [m.arrangement for m in column.masks if m.piece == piece]
            if told:
                return told[:1]
    game = contents.game
    order = pins.order or (contents.order_hint[0] if contents.order_hint else "")
    alike = game.like.get(order)
    found = [own for own in game.arrangements if alike in (None, own.order)]
    return [own for own in found if own.listing == own.order][:1] if pins.as_written else found


# --------------------------------------------------------------------------- bits


def _counts(
    contents: Contents,
    pins: Pins,
    magic: Column,
    piece: str,
    arrangement: SquareNumbering,
    longest: int = 0,
) -> list[Count]:
    """What the index's bits may be: as stated, as read, and only then as usual."""
    game = contents.game
    needed = game.mask_bits(piece, arrangement)
    if pins.bits.get(piece) == "popcount":
        return [Count("bits", needed, "stated", f"popcount of the mask, {pins.origin}")]
    stated = pins.count(contents, piece)
    if stated is not None:
        kind, values, words, column = stated
        return [Count(kind, values, "stated", words, column)]
    found = _listed(contents, magic, piece)
    if any(count.beside for count in found):
        return found
    constants = list(_constants(contents, piece))
    found += [count for _, count in sorted(constants, key=lambda one: not one[0])]
    said = any(own for own, _ in constants)
    found.append(Count("bits", needed, "popcount", "not in the source: popcount of the mask taken"))
    literals = _literals(contents, piece, magic)
    found = [c for c in literals if c.tied] + found + [c for c in literals if not c.tied]
    if not game.by_hand and not said:
        most = game.most_bits(piece)
        words = f"not in the source: {{}} taken for every square, as is usual for a {piece}"
        found.append(Count("bits", (most,), "usual", words.format(most)))
        longer = {most + 1, most + 2} if magic.is_called_magic else set()
        longer |= {longest} if longest > most else set()
        more = "not in the source: {} taken for every square, with which they certify"
        found += [Count("bits", (n,), "usual", more.format(n)) for n in sorted(longer)]
    return found + list(_in_every_record(contents, magic, piece))


def _in_every_record(contents: Contents, magic: Column, piece: str) -> Iterator[Count]:
    """What stands in each of the magics' records: shifts, perhaps, that leave long indexes."""
    for column in contents.columns:
        kind, (one, *others) = column.shift_kind, set(column.values)
        if kind is None or column.group != magic.group or others:
            continue
        if kind == _scalar(contents.game, one, piece, own=True):
            yield Count(kind, column.values, "usual", column.where, column)


def _listed(contents: Contents, magic: Column, piece: str) -> list[Count]:
    """Lists of shifts or bits: those in the magics' own records, else those named for the piece."""
    own: list[Count] = []
    named: list[Count] = []
    odd: list[Count] = []
    alike: list[Count] = []
    for column in contents.columns:
        kind = column.shift_kind
        if kind is None or column is magic or column in magic.halves:
            continue
        whose = column.piece_said
        if column.group == magic.group:
            only_size = column.says(SIZE_WORDS) and not column.says(SHIFT_WORDS)
            one_value = len(set(column.values)) == 1 and not column.says(SHIFT_WORDS)
            if column.fits(kind, piece) or not (only_size or one_value):
                own.append(Count(kind, column.values, "read", column.where, column, beside=True))
        elif whose not in (None, piece):
            continue
        elif column.says(SHIFT_WORDS):
            count = Count(kind, column.values, "read", column.where, column)
            here = column.file == magic.file and contents.goes_with(column, magic)
            if column.fits(kind, piece):
                named.insert(0 if whose == piece else len(named), count)
            elif whose == piece or here:
                odd.append(count)
        elif column.fits(kind, piece) and len(set(column.values)) > 2:
            alike.append(Count(kind, column.values, "read", column.where, column))
    fitting = [count for count in own if count.column and count.column.fits(count.kind, piece)]
    others = [one for one in (named, odd, alike) if one]
    beside = [
        [one for one in some if one.column and one.column.file in files]
        for files in ((magic.file,), contents.in_folder_of(magic.file))
        for some in others
    ]
    return fitting or own or next(filter(None, (*beside, *others)), [])


def _constants(contents: Contents, piece: str) -> Iterator[tuple[bool, Count]]:
    """Named numbers of bits; whether the name says the piece, and stands elsewhere as well."""
    for name, value, file in contents.constants:
        whose = contents.game.briefly(split_words(name))
        kind = _scalar(contents.game, value, piece, whose == piece)
        if kind is not None and whose in (None, piece):
            words = f"{name} = {value} ({file})"
            yield whose == piece and _used(contents, name), Count(kind, (value,), "constant", words)


def _implausible(contents: Contents, piece: str) -> Iterator[Count]:
    """Named numbers that are called the piece's bits or shift, are used, and cannot be."""
    for name, value, file in contents.constants:
        words = split_words(name)
        called = contents.game.briefly(words) == piece and not words.isdisjoint(("shift", "bits"))
        possible = _scalar(contents.game, value, piece, own=True) is not None
        if called and not possible and 1 < value <= contents.game.word and _used(contents, name):
            yield Count("bits", (value,), "constant", f"{name} = {value} ({file})")


def _used(contents: Contents, name: str) -> bool:
    """Does a constant stand elsewhere, too?"""
    return sum(len(re.findall(rf"\b{name}\b", one.code)) for one in contents.sources) > 1


def _literals(contents: Contents, piece: str, magic: Column) -> list[Count]:
    """Shifts by a literal that the piece may have: those behind the magics themselves, if any."""
    found = []
    # What a shift leaves of a word must be an index.
    shifts, word = contents.shifts_of(magic), contents.game.word
    tied = {n: place for n, place in shifts.items() if 4 <= word - n <= MOST_BITS}
    for amount, place in tied.items() or contents.shifts:
        kind = "shift" if tied else _scalar(contents.game, amount, piece, own=True)
        if kind not in (None, "bits"):
            words = f"the shift by {amount} ({place})"
            found.append(Count(kind, (amount,), "literal", words, tied=bool(tied)))
    return found


def _scalar(game: Game, value: int, piece: str, own: bool) -> Kind | None:
    """How one number counts index bits. What is the piece's `own` may be more than it needs."""
    most = game.most_bits(piece)
    plausible = range(most - 1, MOST_BITS + 1 if own else most + 3)
    kinds: Sequence[Kind] = ("bits", "shift", "shift32", "shift128")
    for kind in kinds:
        bits = WHOLE[kind] - value if WHOLE[kind] else value
        if bits in plausible and WHOLE[kind] <= game.word:
            return kind
    return None


# --------------------------------------------------------------------------- formulas


def for_word(scheme: str, word: int) -> str:
    """A scheme's formula, with a product of the words of a board."""
    return SCHEMES[scheme].formula.text.replace("64 - bits", f"{word} - bits")


@cache
def with_count(text: str, parameter: str, word: int) -> Formula:
    """A formula of `bits` with a shift of its own, or popcount(mask), instead of them."""
    if parameter == "shift":
        text = re.sub(r"\(\d+ - bits\)", "shift", text)
    elif parameter == "shift - 32":  # of halves, counted as of whole words
        text = re.sub(r"\(\d+ - bits\)", "(shift - 32)", text)
    elif parameter == "popcount":
        text = re.sub(r"\bbits\b", "popcount(mask)", text)
    return parse(text, word=word)


def _formulas(
    contents: Contents, pins: Pins, magic: Column, count: Count
) -> Iterator[tuple[Formula, str]]:
    """The formulas that go with a count, each with what is taken by it."""
    game, wanted, whole = contents.game, count.parameter, WHOLE[count.kind]
    if count.evidence == "popcount" and game.by_hand:
        wanted = "popcount"
    if pins.formula is not None:
        if not game.by_hand:
            yield pins.formula, ""
            return
        widths = {int(number) for number in re.findall(r"\((\d+) - bits\)", pins.formula.text)}
        if whole in (0, *(widths or WHOLE.values())):
            yield with_count(pins.formula.text, wanted, game.word), ""
        return
    if whole in (0, game.word):
        for name, taken in (("white", ""), ("black", "occ | ~mask")):
            yield with_count(for_word(name, game.word), wanted, game.word), taken
    if game.word > WHOLE["shift"]:
        folds = any(amount == 63 for amount, _ in contents.shifts)
        folds |= not max(magic.words) >> WHOLE["shift"]  # magics of 64 bits
        if whole in (0, WHOLE["shift"]) and folds:
            yield with_count(FOLDED, wanted, game.word), "the fold x | x >> 63"
    else:
        how = "shift - 32" if count.kind == "shift" else wanted
        for name in ("two-halves", "two-halves-add"):
            yield with_count(for_word(name, game.word), how, game.word), f"the formula {name}"
    if whole in (0, game.word):
        text = for_word("white", game.word).replace("occ & mask", f"(occ & mask) | {OWN}")
        yield with_count(text, wanted, game.word), f"(occ & mask) | {OWN}, the square itself"


_Way = tuple[Formula, str, Count]
"""A formula, what is taken by it, and the bits of its index."""


def _ways(
    contents: Contents,
    pins: Pins,
    piece: str,
    magic: Column,
    arrangement: SquareNumbering,
    longest: int = 0,
) -> Iterator[Half]:
    """All ways to read one column of magics in one arrangement, the likely ones first."""
    counts = _counts(contents, pins, magic, piece, arrangement, longest)
    ways: list[_Way] = [
        (formula, taken, count)
        for count in counts
        for formula, taken in _formulas(contents, pins, magic, count)
    ]
    most = magic.game.most_bits(piece)

    def unlikely(way: _Way) -> tuple[bool, bool, bool]:
        """A long index may certify whatever the formula, and what is read comes before a guess."""
        formula, _, count = way
        usual = not any(sign in formula.text for sign in ("~mask", "32"))
        return count.is_long(most), not count.is_read, not usual

    ways.sort(key=unlikely)
    found = _filled(contents, pins, piece, magic, arrangement, ways)
    yield from islice(found, 1) if pins.as_written else found


def _filled(
    contents: Contents,
    pins: Pins,
    piece: str,
    magic: Column,
    arrangement: SquareNumbering,
    ways: Sequence[_Way],
) -> Iterator[Half]:
    """Formulas with the values of their parameters, and the masks that the source lists."""
    masks = _mask_options(contents, pins, piece, magic, arrangement)
    rows, board = range(magic.game.squares), magic.game.board
    own_squares = tuple(1 << arrangement.row_bit(row, board) for row in rows)
    for plain, taken, count in ways:
        limit = None if pins.formula is not None else _limit(contents, piece, magic, count)
        formula = plain if limit is None else _limited(plain)
        for column, mask_words, rule in masks:
            parameters: dict[str, Values] = {"magic": magic.words}
            sources = {"magic": magic.where}
            columns = [magic]
            if count.parameter in formula.names:
                parameters[count.parameter] = tuple(count.values)
                sources[count.parameter] = count.words
                columns += [count.column] if count.column else []
            if limit is not None:
                parameters["limit"], sources["limit"] = limit.words, limit.where
                columns.append(limit)
            if column is not None:
                own = column.words
                if column.is_complement(piece):
                    own = column.game.words_of(~word for word in own)
                parameters["mask"] = own
                columns.append(column)
            sources["mask"] = mask_words
            if OWN in formula.names:
                parameters[OWN] = own_squares
                sources[OWN] = "the square's bit"
            if not pins.fill(contents, piece, formula, magic, parameters, sources):
                continue
            guesses = [taken] if taken else []
            told = count.is_read or count.tied
            if not told and count.parameter in formula.names | {"bits"}:
                said = "popcount(mask)" if count.evidence == "popcount" else str(count.values[0])
                unread = contents.not_read.get(piece, "") if count.evidence in _GUESSED else ""
                guesses.append(f"{piece} {count.parameter} = {said}{unread}")
            stated = (piece, "mask") in pins.lists
            odd = column is not None and not (stated or column.has_masks(piece, arrangement))
            yield Half(
                piece, formula, arrangement, parameters, sources, tuple(columns), (), count, rule,
                tuple(guesses), own_masks=odd,
            )  # fmt: skip


def _limit(contents: Contents, piece: str, magic: Column, count: Count) -> Column | None:
    """The list of low masks for an AND after the shift, where the shift leaves more bits."""
    if count.parameter != "shift" or count.column is None:
        return None
    for column in contents.columns:
        if column.is_post_mask and (column.group == magic.group or column.piece_said == piece):
            pairs = zip(count.values, column.words, strict=True)
            if any(WHOLE[count.kind] - shift > low.bit_length() for shift, low in pairs):
                return column
    return None


@cache
def _limited(formula: Formula) -> Formula:
    return parse(f"({formula.text}) & limit", word=formula.word)


def _mask_options(
    contents: Contents, pins: Pins, piece: str, magic: Column, arrangement: SquareNumbering
) -> list[tuple[Column | None, str, MaskRule]]:
    """The source's own masks, if it lists them; else the usual ones, and then the least."""
    stated = pins.column(contents, piece, "mask")
    if stated is not None:
        return [(stated, stated.where, "usual")]
    rule = pins.masks.get(piece)
    if rule is not None:
        return [(None, f"{rule}, {pins.origin}", rule)]
    found = [
        column
        for column in contents.columns
        if column.has_masks(piece, arrangement) and contents.may_belong(column, magic)
    ]
    found = [column for column in found if column.file == magic.file] or found
    if found:
        own = next((column for column in found if column.group == magic.group), found[0])
        where = ", complemented" if own.is_complement(piece) else ""
        return [(own, own.where + where, "usual")]
    options: list[tuple[Column | None, str, MaskRule]] = [
        (column, column.where, "usual") for column in _other_masks(contents, piece, magic)
    ]
    taken: dict[MaskRule, str] = {
        "usual": "the relevant occupancy taken",
        "least": "the squares that can change the attack set taken",
    }
    rules = contents.game.mask_rules(piece)
    return options + [(None, f"not in the source: {taken[rule]}", rule) for rule in rules]


def _other_masks(contents: Contents, piece: str, magic: Column) -> Iterator[Column]:
    """Lists of masks that are called the piece's, or stand in the magics' records, and are looked
    up with them.
    """
    fields = Counter(column.group for column in contents.columns)
    for column in contents.columns:
        if fields[column.group] > MOST_FIELDS:
            continue
        beside = column.group == magic.group and column is not magic
        named = any(word.rstrip("s").endswith("mask") for word in column.own)
        called = named and (beside or column.piece_said == piece) and max(column.words) >> 32
        if (called or (beside and column.are_masks_anyhow)) and contents.goes_with(column, magic):
            yield column
