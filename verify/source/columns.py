"""Columns: one number a square, cut out of lists; what each can be; files read together."""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from magicert.board import CHESS, Board, orders, place_of, square_at
from magicert.formula.arrays import Words
from magicert.languages.addresses import Address, address_of
from magicert.languages.values import (
    BEFORE,
    INSIDE,
    LARGEST_PLACE,
    Definitions,
    ItemRow,
    ListItem,
    Value,
    in_one_base,
)
from magicert.table.model import MaskRule
from magicert.verify.source.lists import NumberList, OtherFiles, Source, enclosing, read_sources
from magicert.verify.source.variant import SquareNumbering, Variant, split_words

MOST_FLAT = 4
"""A list of so many numbers a square at most is cut into parts: both pieces, in pairs of words."""
MOST_FIELDS = 24
"""Records of more fields are no records of magics."""
MOST_ASTRAY = 3
"""A list with so many items more or fewer than squares was meant to have one a square."""
MOST_WIDE = 3
"""So many numbers of a list may have a digit too many."""
MOST_COLUMNS = 600
"""Columns of one source beyond these are left out."""
Nesting = tuple[str | int, ...]


MAGIC_WORDS = ("magic", "mult", "factor", "multiplier", "magi")
SHIFT_WORDS = ("shift", "bits", "rshift", "nbits", "bit", "rbits", "bbits", "bshift", "relevant")
PLACE_WORDS = ("offset", "base", "start", "ptr", "addr", "begin", "slot")
OFFSET_WORDS = (
    *PLACE_WORDS, "index", "position", "pos", "idx", "entry", "attacks", "data", "table", "indices",
)  # fmt: skip
SIZE_WORDS = ("size", "len", "length", "count", "num")
MOST_BITS = 20
FEW_BITS = 9
"""A piece with larger masks may have more bits to spare."""
NEARLY_ALL = 40 / 64
"""A list that agrees with what it should be on this part of the squares is that list."""
FEWEST_PLACES, MANY_PLACES = 8, 32
"""Different numbers in a list of offsets: at least so many, and so many if nothing else, such
as its name, speaks for it.
"""

LEAST_STEP = 16
"""Slots that a square has at least, on average."""

Kind = Literal["bits", "shift32", "shift", "shift128"]
"""How a number counts index bits: as such, or as a shift of a word of 32, 64 or 128 bits."""
WHOLE: dict[Kind, int] = {"bits": 0, "shift32": 32, "shift": 64, "shift128": 128}
"""What a count of each kind and the bits of its index differ by."""


@lru_cache(64)
def _reached(variant: Variant, arrangement: SquareNumbering) -> Words:
    board, found = variant.board, []
    for row in range(variant.squares):
        rank, file = divmod(arrangement.row_square(row, board), board.files)
        steps = (
            (abs(to // board.files - rank), abs(to % board.files - file), to)
            for to in range(variant.squares)
        )
        reached = (to for a, b, to in steps if not a or not b or a == b or max(a, b) == 2)
        found.append(sum(1 << place_of(arrangement.order, to, board) for to in reached))
    return variant.array(found)


@dataclass(frozen=True, slots=True)
class Masks:
    """What a column of masks is: whose, in which arrangement, by which rule."""

    piece: str
    arrangement: SquareNumbering
    rule: MaskRule
    complement: bool


@dataclass(frozen=True, eq=False)
class Column:
    """One number a square, of one list.

    `values` are as written, negative ones included; `words` are modulo the word of a bitboard.
    `own` are the words of its own name and field, `context` those around it. `group` is shared by
    the columns of one list. `arrays` are what the numbers are counted from, one a row, where they
    are the addresses of entries, and `lengths` how many entries these have, where it is known.
    """

    values: tuple[int, ...]
    name: str
    own: frozenset[str]
    context: frozenset[str]
    file: str
    first_line: int
    last_line: int
    group: str
    variant: Variant
    arrays: tuple[str, ...] = ()
    lengths: tuple[tuple[str, int], ...] = ()
    part: str = ""
    """Which part of the list this is, in words, if it is not the whole; and its `radix`."""
    halves: tuple["Column", ...] = ()
    """The low and the high halves of words that this was put together from, if it was."""
    radix: str = ""
    """Decimal or hexadecimal, where the digits of texts may be both and nothing says it."""
    guesses: frozenset[str] = frozenset()
    doubtful: frozenset[int] = frozenset()
    """The rows whose numbers were taken otherwise than most."""
    problems: tuple[tuple[int, str], ...] = ()
    """Lines, and why the language makes other numbers of what is written there."""
    list_name: str = ""
    field: str = ""
    """The name of the list, and of the field of its records that this is."""
    type: tuple[int, bool] | None = None
    """The bits of the type that the list is declared or made as, and whether it is signed."""
    spots: tuple[tuple[int, int], ...] = ()
    """Where each number stands: its line, from 1, and the characters before it in that line."""
    span: tuple[int, int] = (0, 0)
    """Where its list stands in the source's text."""

    @cached_property
    def words(self) -> tuple[int, ...]:
        return self.variant.words_of(self.values)

    @cached_property
    def bases(self) -> frozenset[str]:
        """The arrays whose entries these are the addresses of."""
        return frozenset(self.arrays)

    @property
    def wide(self) -> tuple[int, ...]:
        """The rows whose numbers do not fit into a word."""
        return tuple(row for row, n in enumerate(self.values) if not self.variant.holds(n))

    @property
    def where(self) -> str:
        """The name and lines, for people."""
        lines = f"line {self.first_line}"
        if self.last_line != self.first_line:
            lines = f"lines {self.first_line}-{self.last_line}"
        part = f", {self.part}" if self.part else ""
        return f"{self.name or 'unnamed list'} ({self.file}, {lines}{part})"

    @property
    def key(self) -> str:
        """What no other column has."""
        return self.group + self.name

    @property
    def last_name(self) -> str:
        """The list's name without what it is part of."""
        return re.split(r"::|\.|->", self.list_name)[-1]

    @cached_property
    def called(self) -> tuple[str, ...]:
        """What says this column in an option: its name, and with its line, its file and both."""
        part = f":{self.part.replace(' ', '-')}" if self.part else ""
        return tuple(f"{self.name}{place}{part}" for place in self.places)

    @property
    def places(self) -> tuple[str, ...]:
        """What stands behind a name to say which list of that name it is."""
        return "", f":{self.first_line}", f":{self.file}", f":{self.file}:{self.first_line}"

    # What it can be.

    def says(self, words: tuple[str, ...]) -> bool:
        """Does the column's own name say so?"""
        return says(self.own, words)

    @cached_property
    def is_called_magic(self) -> bool:
        """Does the name, or what stands around it, call these magics?"""
        return says(self.own | self.context, MAGIC_WORDS)

    @cached_property
    def is_called_offset(self) -> bool:
        """Does its own name call it places in a buffer, and nothing else? Of records, the field's
        name.
        """
        whole = self.name == self.list_name
        words, known = (self.own, PLACE_WORDS) if whole else (split_words(self.field), OFFSET_WORDS)
        return any(word in known or word.rstrip("s") in known for word in words)

    @cached_property
    def piece_said(self) -> str | None:
        """The piece that the name, or else what stands around it, speaks of."""
        own = self.variant.said(self.own)
        return self.variant.said(self.context) if own is None else own

    @cached_property
    def could_be_magic(self) -> bool:
        """At least half of the numbers need more than 32 bits; no masks, no attack sets."""
        wide = sum(word >> 32 != 0 for word in self.words)
        different = len(set(self.values)) >= 8
        likely = wide * 2 >= self.variant.squares and different and not self.masks
        return likely and not self.are_attack_sets

    @cached_property
    def are_attack_sets(self) -> bool:
        """Has every number only squares that a queen or a knight reaches from the row's square?"""
        variant = self.variant
        if variant.by_hand or len(set(self.words)) < variant.squares // 2:
            return False
        own = variant.array(self.words)
        return any(not np.any(own & ~_reached(variant, one)) for one in variant.arrangements)

    @property
    def is_plausible(self) -> bool:
        """Could these be anything of a table?"""
        counts = self.shift_kind is not None or self.could_be_offset
        return counts or self.could_be_magic or bool(self.masks)

    @cached_property
    def masks(self) -> list[Masks]:
        """The pieces and arrangements whose masks these are."""
        variant = self.variant
        enough = NEARLY_ALL * variant.squares
        found = []
        for complement in (False, True):
            values = (~word for word in self.words) if complement else self.words
            own = variant.array(values)
            if complement and variant.word > variant.squares:
                continue  # of bits that are no squares nobody knows
            found += [
                Masks(piece, arrangement, rule, complement)
                for piece in variant.pieces
                for rule in variant.mask_rules(piece)
                for arrangement in variant.arrangements
                if int(np.sum(own == variant.mask_words(piece, arrangement, rule))) >= enough
            ]
        return found

    def has_masks(self, piece: str, arrangement: SquareNumbering) -> bool:
        """Are these the masks of a piece, in an arrangement?"""
        return any((m.piece, m.arrangement) == (piece, arrangement) for m in self.masks)

    @cached_property
    def are_masks_anyhow(self) -> bool:
        """Are nearly all numbers masks of some square, in whatever order?"""
        variant = self.variant
        one = variant.arrangements[0]
        known = {word for piece in variant.pieces for word in variant.masks(piece, one, "usual")}
        return sum(word in known for word in self.words) >= NEARLY_ALL * variant.squares

    def is_complement(self, piece: str) -> bool:
        """Are these the complements of the piece's masks?"""
        return any(masks.complement for masks in self.masks if masks.piece == piece)

    @cached_property
    def shift_kind(self) -> Kind | None:
        """How the numbers of a column could count index bits; None where they cannot: of the
        squares' own numbers no two are the same.
        """
        values = sorted(self.values)
        few = len(values) // 8
        if (
            len(set(values)) == len(values)
            or self.bases
            or values[0] < 0
            or (values[few] < 1 and not self.says(SHIFT_WORDS))
            or values[-few] > self.variant.word
        ):
            return None
        middle = values[len(values) // 2]
        kind: Kind = "shift" if middle <= 64 else "shift128"
        kind = "bits" if middle <= 16 else "shift32" if middle < 32 else kind
        # What is filled later begins with one number for all, which leaves no index.
        holds = values[0] == values[-1] and abs(WHOLE[kind] - middle) not in range(2, MOST_BITS + 1)
        return None if holds else kind

    def bits(self, kind: Kind) -> list[int]:
        """The index bits that numbers of a kind leave each square."""
        return [abs(WHOLE[kind] - value) for value in self.values]

    @cache  # noqa: B019 - a column lives as long as its command
    def fits(self, kind: Kind, piece: str) -> bool:
        """Are these about the numbers of bits that the piece's squares need?"""
        variant = self.variant
        own = self.bits(kind)
        if len(set(self.values)) <= 2:  # one shift for all squares
            most = variant.most_bits(piece)
            leaves = range(most - 1, most + (3 if most > FEW_BITS else 2))
            return sorted(own)[len(own) // 2] in leaves
        needed = variant.mask_bits(piece, variant.arrangements[0])
        near = sum(abs(a - b) <= 2 for a, b in zip(own, needed, strict=True))
        return near >= NEARLY_ALL * variant.squares

    @cached_property
    def is_post_mask(self) -> bool:
        """A low mask on every row, for an AND after the shift."""
        return all(0x1F <= v <= 0xFFFF and v & (v + 1) == 0 for v in self.words)

    @cached_property
    def increases(self) -> bool:
        """Do the numbers rise as places do, of one square's slots behind another's?"""
        values, squares = self.values, self.variant.squares
        steps = sum(after >= before for before, after in pairwise(values))
        return steps >= 0.9 * (squares - 1) and values[-1] - values[0] >= LEAST_STEP * squares

    @cached_property
    def extents(self) -> dict[str, int]:
        """The lengths of its arrays, of those that are declared with one."""
        return {array: length for array, length in self.lengths if length}

    @cached_property
    def could_be_offset(self) -> bool:
        """Places in a buffer: no number is negative or large, and they differ. Squares side by side
        in one page begin at the same place, so not all of them need to. Addresses are places,
        but for those of lists that are too short for attack sets.
        """
        low, high = min(self.values), max(self.values)
        if self.arrays:
            short = max(self.extents.values(), default=0) < _FEWEST_ENTRIES
            one = len({*zip(self.arrays, self.values, strict=True)}) == 1
            unlike = not high and not self.extents  # functions, perhaps
            known = len(self.extents) == len(self.bases)
            return low >= 0 and not (one or unlike or (short and known))
        return low >= 0 and high < LARGEST_PLACE and len(set(self.values)) >= FEWEST_PLACES


@dataclass(frozen=True, slots=True)
class RefusedList:
    """A list that looks like magics, or is called masks or bits, and is no column. `claims`: its
    own name calls it magics.
    """

    file: str
    line: int
    message: str
    claims: bool
    piece: str | None
    name: str
    what: Literal["magic", "mask", "bits"] = "magic"


@dataclass(frozen=True, slots=True)
class UnreadPlace:
    """What stands in a record where other records have the address of an entry, or where an array
    is named, and is not read as one. `same`: all records have the same there.
    """

    group: str
    name: str
    own: frozenset[str]
    context: frozenset[str]
    file: str
    line: int
    text: str
    same: bool


def says(own: Iterable[str], words: tuple[str, ...]) -> bool:
    """Do words of names have one of these, in the singular or the plural?"""
    return any(word in words or word.rstrip("s") in words for word in own)


def _astray(source: Source, one: NumberList, variant: Variant) -> Iterator[RefusedList]:
    """A list that is called a piece's masks, bits or shifts, and has nearly one item a square."""
    count, words = len(one.row.items), split_words(one.name)
    piece = variant.said(words)
    ended = count == variant.squares + 1 and getattr(one.row.items[-1], "value", None) == 0
    if piece is None or ended or not 0 < abs(count - variant.squares) <= MOST_ASTRAY:
        return
    masks = any(word.rstrip("s").endswith("mask") for word in words)
    if masks or says(words, SHIFT_WORDS):
        message = f"{one.name} has {count} items: expected {variant.squares}, one a square"
        what: Literal["mask", "bits"] = "mask" if masks else "bits"
        yield RefusedList(source.file, one.line, message, False, piece, one.name, what)


def _short_rows(source: Source, one: NumberList, variant: Variant) -> Iterator[RefusedList]:
    """The rows of a list that have nearly one magic a square, beside others that have one."""
    for place, row in enumerate(one.row.items):
        count = len(row.items) if isinstance(row, ItemRow) else variant.squares
        if isinstance(row, ItemRow) and 0 < abs(count - variant.squares) <= MOST_ASTRAY:
            line = source.spot(row.start)[0]
            name = f"{one.name}[{place}]"
            message = f"{name} has {count} items: expected {variant.squares}, one a square"
            yield RefusedList(source.file, line, message, False, None, name)


def columns_of(
    source: Source, variant: Variant
) -> tuple[list[Column], list[RefusedList], list[UnreadPlace]]:
    """All columns of a source, those put together from two halves as well; what is none, and what
    of places in arrays is not read.
    """
    found: list[Column] = []
    refused: list[RefusedList] = []
    unread: list[UnreadPlace] = []
    for one in source.lists:
        if twice := _twice(source, one, variant):
            refused += twice
            continue
        before = len(found)
        parts = [*_regular(one.row, one.name, "", variant)]
        lettered = _lettered(parts)
        for name, part, records in parts:
            found += _fields(source, one, name, part, records, variant, lettered)
            whole = {column.group for column in found[before:] if column.could_be_magic}
            if whole or says(split_words(name), OFFSET_WORDS):
                unread += _unread(source, one, name, part, records)
        if not any(column.could_be_magic for column in found[before:]):
            refused += _refusals(source, one, variant, len(found) > before)
        else:
            refused += _short_rows(source, one, variant)
        refused += _astray(source, one, variant)
    found += word_pairs(found, _joins(source, found, variant))
    return found[:MOST_COLUMNS], refused, unread


def _twice(source: Source, one: NumberList, variant: Variant) -> list[RefusedList]:
    """Two items of a list that say the same square: which of them counts, and what the square that
    is left out has, is not in the list.
    """
    items, keys = _without_end(one.row, variant)
    named: dict[str, list[int]] = {}
    for item, key in zip(items, keys, strict=True):
        said, first = key, item
        if key == "" and isinstance(item, ItemRow) and item.items:
            first = item.items[0]
            square = item.keys[0] in ("sq", "square") or _square_named(getattr(first, "text", ""))
            said = getattr(first, "text", "") if square else ""
        square = _square_named(said) if isinstance(said, str) else str(said)
        if square in variant.by_name or square.isdigit():
            place = first.start if isinstance(first, ItemRow) else first.place
            named.setdefault(square, []).append(source.spot(place)[0])
    count = sum(map(len, named.values()))
    if abs(len(items) - variant.squares) > MOST_ASTRAY or count < variant.squares // 2:
        return []
    words = split_words(one.name)
    what: Literal["magic", "mask", "bits"] = "magic"
    what = "bits" if says(words, SHIFT_WORDS) else "mask" if says(words, ("mask",)) else what
    return [
        RefusedList(
            source.file, lines[1],
            f"{one.name or 'unnamed list'} has {len(lines)} items for {square}, in "
            f"{_lines(lines)}: expected one a square",
            says(words, MAGIC_WORDS), variant.said(words | split_words(*one.around)), one.name,
            what,
        )
        for square, lines in named.items()
        if len(lines) > 1
    ]  # fmt: skip


def _lines(lines: Sequence[int]) -> str:
    different = [*map(str, dict.fromkeys(lines))]
    return f"lines {' and '.join(different)}" if len(different) > 1 else f"line {different[0]}"


def _without_end(row: ItemRow, variant: Variant) -> tuple[Sequence[Value], Sequence[str | int]]:
    """A row's items with their keys, without a zero that ends it, or an arm for no square."""
    items, keys = row.items, row.keys
    last = getattr(items[-1], "value", 1) if items else 1
    if len(items) % variant.squares == 1 and (last == 0 or keys[-1] in ("_", "else", "default")):
        return items[:-1], keys[:-1]
    return items, keys


def _regular(
    row: ItemRow, name: str, part: str, variant: Variant
) -> Iterator[tuple[str, str, Sequence[Value]]]:
    """The lists of one record a square in a row: it, its parts, or those inside of it."""
    squares, (items, keys) = variant.squares, _without_end(row, variant)
    inner = [item for item in items if isinstance(item, ItemRow)]
    ranks, files = variant.board.ranks, variant.board.files
    if len(items) == ranks == len(inner) and all(len(r.items) == files for r in inner):
        items = tuple(item for r in inner for item in r.items)
        keys = ("",) * len(items)
    elif inner and len(items) == len(inner) and len(items) % squares:
        lengths = {len(r.items) for r in inner}
        total = len(items) * max(lengths)
        plain = all(isinstance(item, ListItem) for r in inner for item in r.items)
        if len(lengths) == 1 and plain and total == squares and len(items) > 2:
            items = tuple(item for r in inner for item in r.items)
            keys = ("",) * len(items)
    count = len(items)
    if count and count % squares == 0 and count <= MOST_FLAT * squares:
        if count == squares:
            yield name, part, _by_square(_sorted(items, keys, variant), variant)
            return
        for start in range(0, count, squares):
            yield name, f"rows {start}-{start + squares - 1}", items[start : start + squares]
        step = count // squares
        if not inner or step == 2:
            which = {2: "second", 3: "third"}.get(step, f"{step}th")
            for start in range(step):
                yield name, f"every {which} from {start}", items[start::step]
        return
    for place, (key, item) in enumerate(zip(keys, items, strict=True)):
        if isinstance(item, ItemRow) and next(islice(item.flat(), squares // 2, None), None):
            own = f".{key}" if isinstance(key, str) and key else f"[{key if key != '' else place}]"
            yield from _regular(item, f"{name}{own}", part, variant)


def _sorted(items: Sequence[Value], keys: Sequence[str | int], variant: Variant) -> Sequence[Value]:
    """The records in the order of their subscripts, or of the squares that they are named for."""
    places, following = [], 0
    for key in keys:
        if isinstance(key, int):
            following = key
        elif key:
            following = variant.by_name.get(_square_named(key), following)
        places.append(following)
        following += 1
    if sorted(places) != list(range(min(places), min(places) + len(places))):
        return items
    order = sorted(range(len(places)), key=places.__getitem__)
    return [items[i] for i in order]


def _by_square(records: Sequence[Value], variant: Variant) -> Sequence[Value]:
    """The records in the order of the squares that they say they are of, in their first field or
    in one of that name.
    """
    rows = [record for record in records if isinstance(record, ItemRow)]
    for number in range(min((len(row.items) for row in rows), default=0)):
        called = {row.keys[number] for row in rows}
        if len(rows) < len(records) or (number and not called <= {"sq", "square"}):
            continue
        own = [row.items[number] for row in rows]
        places = [
            variant.by_name.get(_square_named(one.text), one.value)
            for one in own
            if isinstance(one, ListItem)
        ]
        if {*places} == {*range(variant.squares)}:
            return [records[places.index(square)] for square in range(variant.squares)]
    return records


def _square_named(text: str) -> str:
    """The square that a name or a string means: "e4", SQ_E4, Square::E4."""
    found = _SQUARE.fullmatch(re.split(r"::|\.", text.strip("\"'"))[-1])
    return found[1].lower() if found else ""


def _leaves(value: Value, path: Nesting) -> Iterator[tuple[Nesting, ListItem]]:
    """The numbers of a value with their paths. A long list is no field: it is what is looked up."""
    if isinstance(value, ListItem):
        yield path, value
        return
    if len(value.items) > MOST_FIELDS:
        return
    for place, (key, item) in enumerate(zip(value.keys, value.items, strict=True)):
        yield from _leaves(item, (*path, key if key != "" else place))


_Part = tuple[str, str, Sequence[Value]]
"""The name of a list of records, which part of it this is, and the records."""


def _field_of(name: str, part: str, path: Nesting) -> tuple[str, str, Nesting]:
    """What is one column in the source, though both pieces' rows may be in it."""
    return name, part if part.startswith("every") else "", path


def _lettered(parts: Sequence[_Part]) -> set[tuple[str, str, Nesting]]:
    """The fields whose texts are hexadecimal, because some have letters."""
    return {
        _field_of(name, part, path)
        for name, part, records in parts
        for record in records
        for path, number in _leaves(record, ())
        if number.must_be_hexed
    }


def _fields(
    source: Source,
    one: NumberList,
    name: str,
    part: str,
    records: Sequence[Value],
    variant: Variant,
    lettered: set[tuple[str, str, Nesting]],
) -> Iterator[Column]:
    """The columns of a list of records: each path that all of them have. Texts that may be in two
    bases are two columns, if both could be something.
    """
    flat = [dict(_leaves(record, ())) for record in records]
    paths = [path for path in flat[0] if all(path in own for own in flat)]
    for path in paths[:MOST_FIELDS]:
        texts = [own[path] for own in flat]
        ways = in_one_base(texts, lettered=_field_of(name, part, path) in lettered)
        read = {
            radix: column
            for radix, numbers in ways
            if (column := _column(source, one, name, part, path, numbers, variant)) is not None
        }
        likely = {radix: own for radix, own in read.items() if len(read) > 1 and own.is_plausible}
        found = likely or read
        for radix, own in found.items():
            alone = len(found) == 1
            yield own if alone else replace(own, radix=radix, part=f"{part} {radix}".strip())


def _column(
    source: Source,
    one: NumberList,
    name: str,
    part: str,
    path: Nesting,
    numbers: Sequence[ListItem],
    variant: Variant,
) -> Column | None:
    """A column of a list; None where a number is not known, some only are addresses, or many are
    too wide.
    """
    numbers = _as_addresses(source, numbers)
    if any(n.base for n in numbers) and not all(n.base for n in numbers):
        return None
    values = tuple(n.value for n in numbers if n.value is not None)
    if len(values) < len(numbers) or sum(not variant.holds(v) for v in values) > MOST_WIDE:
        return None
    guesses = Counter(n.guess for n in numbers if n.guess)
    own_name = name
    for key in path:
        own_name += f"[{key}]" if isinstance(key, int) else f".{key}" if own_name else str(key)
    return Column(
        values=values,
        name=own_name,
        own=split_words(own_name),
        context=split_words(*one.around, one.row.word),
        file=source.file,
        first_line=one.line,
        last_line=one.last_line,
        group=f"{source.file}:{one.line}:{one.column}:{name}:{part}",
        variant=variant,
        arrays=tuple(n.base for n in numbers) if all(n.base for n in numbers) else (),
        lengths=_lengths(source, numbers),
        part=part,
        guesses=frozenset(guesses),
        doubtful=frozenset(
            row
            for row, n in enumerate(numbers)
            if one.loose
            or n.guess.startswith((BEFORE, INSIDE))
            or (n.guess and guesses[n.guess] * 2 < len(numbers))
        ),
        problems=tuple(
            (source.spot(n.place)[0], n.problem)
            for n, value in zip(numbers, values, strict=True)
            if n.problem and variant.holds(value)
        ),
        list_name=one.name,
        field=next((key for key in reversed(path) if isinstance(key, str)), ""),
        type=source.definitions.type_of(f"{one.type} {one.row.word}"),
        spots=tuple(source.spot(n.place) for n in numbers),
        span=(one.row.start, one.row.end),
    )


def _as_addresses(source: Source, numbers: Sequence[ListItem]) -> Sequence[ListItem]:
    """Where some items of a column are addresses, or all name arrays, one that is nothing but a
    name is the address of the first entry.
    """
    known = source.definitions
    own: dict[str, Address | None] = {}
    for n in numbers:
        if n.value is None and _PATH.fullmatch(n.text) and not _NOTHING.fullmatch(n.text):
            own[n.text] = own.get(n.text) or address_of(n.text, known.surroundings, depth=1)
    found = [own.get(n.text) if n.value is None else None for n in numbers]
    declared = {text: one and known.declared(one.array) for text, one in own.items()}
    if not own or not (any(n.base for n in numbers) or (all(found) and all(declared.values()))):
        return numbers
    return [
        n
        if one is None
        else replace(
            n, value=one.entry, base=one.array,
            guess="" if declared[n.text] else f"{one.array} = an array",
        )
        for n, one in zip(numbers, found, strict=True)
    ]  # fmt: skip


def _lengths(source: Source, numbers: Sequence[ListItem]) -> tuple[tuple[str, int], ...]:
    """How many entries the arrays have that numbers are the addresses in."""
    found = {n.base: source.definitions.declared(n.base) for n in numbers if n.base}
    return tuple((array, own.entries if own else 0) for array, own in found.items())


_FEWEST_ENTRIES = LEAST_STEP * CHESS.squares
"""Shorter arrays hold no attack sets."""
_PATH = re.compile(r"[A-Za-z_]\w*(?:(?:::|\.|->)[A-Za-z_]\w*)*")
_NOTHING = re.compile(
    r"(?i)null|nullptr|nil|none|undefined|default|true|false|0|not assigned|\{\}|\?"
)


def _unread(
    source: Source, one: NumberList, name: str, part: str, records: Sequence[Value]
) -> Iterator[UnreadPlace]:
    """The first item of each field that is a place in an array, and is not read."""
    known = source.definitions
    flat = [dict(_leaves(record, ())) for record in records]
    pointers = _pointer_fields(source, one)
    for path in list(dict.fromkeys(path for own in flat for path in own))[:MOST_FIELDS]:
        items = _as_addresses(source, [own[path] for own in flat if path in own])
        unknown = [
            n for n in items
            if n.value is None and not n.problem and not _NOTHING.fullmatch(n.text)
            and not _square_named(n.text) and n.text[:1] not in "\"'"
        ]  # fmt: skip
        addresses = [n for n in items if n.base]
        field = path[-1] if path else ""
        same = len(items) == len(records) and len({(n.base, n.value, n.text) for n in items}) == 1
        first = None
        if addresses and not same:
            others = [n for n in items if not n.base or (n.value or 0) < 0]
            first = next(iter([*unknown, *others]), None)
            if first is None and len(items) < len(records):
                record = next(r for r, own in zip(records, flat, strict=True) if path not in own)
                start = record.start if isinstance(record, ItemRow) else record.place
                first = ListItem(None, start, f"the record of {name}")
        elif addresses and not (addresses[0].guess and _PATH.fullmatch(addresses[0].text[1:])):
            own = known.declared(addresses[0].base)
            first = None if own and 0 < own.entries < _FEWEST_ENTRIES else addresses[0]
        elif unknown and (
            field in pointers or any(_names_an_array(known, n.text) for n in unknown)
        ):
            names = {n.text for n in unknown}
            alone = len(names) == len(records) and all(map(_PATH.fullmatch, names))
            first = None if alone else unknown[0]  # an array of its own for each square
        if first is None:
            continue
        whole = name + "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in path)
        yield UnreadPlace(
            f"{source.file}:{one.line}:{one.column}:{name}:{part}", whole, split_words(whole),
            split_words(*one.around, one.row.word), source.file, source.spot(first.place)[0],
            first.text, same,
        )  # fmt: skip


def _pointer_fields(source: Source, one: NumberList) -> frozenset[str | int]:
    """The fields of a list's records that are declared as pointers, by name and by number."""
    fields = source.definitions.fields_of(one.type) if one.type else None
    found = [(n, name) for n, (name, own) in enumerate((fields or {}).items()) if "*" in own.said]
    return frozenset(part for pair in found for part in pair)


_AS_ADDRESS = re.compile(
    r"(?:^|[^\w)\]&\s])\s*(?:&|@)\s*\(*[A-Za-z_]|^(?:addr|ref)\s|\.(?:ptr|as_ptr|AsSpan)\b"
)


def _names_an_array(known: Definitions, text: str) -> bool:
    """Does an expression take an address, or name what is declared as an array?"""
    if _AS_ADDRESS.search(text):
        return True
    names = re.findall(r"(?<![\w.>])[A-Za-z_]\w*(?:(?:::|\.|->)[A-Za-z_]\w*)*(?!\w*\s*\()", text)
    declared = (known.declared(name) for name in names)
    return any(
        own is not None and (not own.entries or own.entries >= _FEWEST_ENTRIES) for own in declared
    )


def _refusals(
    source: Source, one: NumberList, variant: Variant, regular: bool
) -> Iterator[RefusedList]:
    """Why a list of long numbers is no column."""
    squares = variant.squares
    numbers = [replace(n, value=n.hexed) if n.must_be_hexed else n for n in one.row.flat()]
    own = split_words(one.name)
    claims = any(word.startswith(("magic", "mult")) for word in own)
    long = [n for n in numbers if n.value is not None and abs(n.value) >> (variant.word // 2)]
    unknown = [n for n in numbers if n.value is None or n.problem]
    count = len(_without_end(one.row, variant)[0])
    meant = min(abs(count - squares), abs(len(long) - squares)) <= MOST_ASTRAY
    message, line = "", one.line
    if len(long) * 2 < count or not (claims or meant) or len(numbers) > 24 * squares:
        return
    wide = [n for n in long if not variant.holds(n.value or 0)]
    if len(wide) * 2 > len(long):
        bits = max((n.value or 0).bit_length() for n in wide)
        message = (
            f" has numbers of {bits} bits: expected {variant.word} (a table for another board?)"
        )
    elif wide:
        line, message = (
            source.spot(wide[0].place)[0],
            f": {wide[0].value:#x} does not fit in {variant.word} bits",
        )
    elif count % squares and len(numbers) % squares:
        message = f" has {count} items: expected {squares}, one a square"
    elif unknown:
        line = source.spot(unknown[0].place)[0]
        entry = numbers.index(unknown[0])
        why = unknown[0].problem or "its number is not in these sources"
        message = f": entry {entry} is {unknown[0].text or 'no plain number'}: {why}"
    elif not regular:
        message = f" has {count} items: expected {squares}, one a square"
        rows, _ = _without_end(one.row, variant)
        shapes = [frozenset(path for path, _ in _leaves(row, ())) for row in rows]
        ((usual, _),) = Counter(shapes).most_common(1)
        for entry, row in enumerate(rows):
            if shapes[entry] != usual:
                line = source.spot(row.start if isinstance(row, ItemRow) else row.place)[0]
                message = f" has {count} rows that are not alike: entry {entry} is unlike most"
                break
    if message:
        text = f"{one.name or 'unnamed list'}{message}"
        yield RefusedList(
            source.file, line, text, claims, variant.said(own | split_words(*one.around)), one.name
        )


_LOW_WORDS = frozenset({"lo", "low", "l", "lower"})
_HIGH_WORDS = frozenset({"hi", "high", "h", "upper"})
_HALF_WORDS = _LOW_WORDS | _HIGH_WORDS | {"0", "1", "32"}


def word_pairs(columns: Sequence[Column], joins: Sequence["Join"] = ()) -> Iterator[Column]:
    """Columns put together from two halves of a word: in both orders, where no statement `joins`
    them.
    """
    half = columns[0].variant.word // 2 if columns else 0
    halves = [column for column in columns if _is_half(column, half)]
    whole = (1 << half) - 1
    for low in halves:
        for high in halves:
            said = [j for j in joins if {low.last_name, high.last_name} == {j.high, j.low}]
            told = [join for join in said if join.high == high.last_name or not join.sure]
            if low is high or low.file != high.file or (said and not told):
                continue
            if not (told or _belong(low, high)):
                continue
            if told and _extends(low, half) and not any(join.unsigned for join in told):
                continue  # ((long) high << 32) | low: a negative low half is not itself there
            given = told[0].given if told else ""
            if not (_is_wide(low, half) or _is_wide(high, half)):
                continue
            if low.radix and high.radix and low.radix != high.radix:
                continue
            pairs = zip(low.values, high.values, strict=True)
            yield Column(
                values=tuple((a & whole) | (b & whole) << half for a, b in pairs),
                name=given or f"{low.name} | {high.name} << {half}",
                own=split_words(given) or low.own | high.own,
                context=low.context | high.context,
                file=low.file,
                first_line=min(low.first_line, high.first_line),
                last_line=max(low.last_line, high.last_line),
                group=low.group,
                variant=low.variant,
                part=low.part if low.part == high.part else f"pairs of {half}-bit words",
                halves=(low, high),
                list_name=given,
                radix=low.radix or high.radix,
                guesses=low.guesses | high.guesses | _taken(told, low, high),
                problems=low.problems + high.problems,
                spots=low.spots,
                span=(min(low.span), max(high.span)),
            )


class Join(NamedTuple):
    """Where a statement makes words of two lists of halves: their names, and that of what is made.
    `sure`: which is the high one is said; `plain`: nothing else is done to them; `unsigned`: a
    number is made unsigned there.
    """

    high: str
    low: str
    given: str
    sure: bool
    plain: bool
    unsigned: bool


_HIGHER = re.compile(
    r"(?:<<|\bshl\b|\blsl\b|`?\b(?:unsafe)?[sS]hiftL`?)\s*+\(?\s*+(?:32|64)[uUlLn]{0,3}\b"
    r"|\*\s*+(?:4294967296|0x1_?0{4}_?0{4}|\(?\s*+(?:2|1n?)\s*+(?:\*\*|<<)\s*+32)\w{0,3}"
)
_UNSIGNED = re.compile(
    r"0[xX]_?[fF]{4}_?[fF]{4}(?![0-9a-fA-F_])|4_?294_?967_?295|>>>\s*+0\b|toUnsigned|"
    r"\bunsigned(?!\s+long)|\b[uU](?:[iI]nt)?32|\b(?:to)?UInt\b|\buint\b"
)
"""What makes a number of 32 bits unsigned: a mask, a cast or a function."""
_JOINED = re.compile(r"[|+^]|\b(?:or|bor|xor)\b|\.\|\.")
_GIVEN = re.compile(
    r"(?<![\w.$])\$?([A-Za-z_]\w*+)\s*+(?:\[\w{1,20}\]\s*+)?(?::(?!=)[^=\n;]{0,60})?(?::=|=(?![=>]))"
)
_WORD = re.compile(r"[A-Za-z_$]\w*")
MOST_JOINS, ABOUT, MOST_LINES = 200, 400, 6
"""Shifts by half a word that are looked at, and the letters and lines around each."""


def _joins(source: Source, columns: Sequence[Column], variant: Variant) -> list[Join]:
    """The statements that put words together from two lists of halves."""
    halves = {c.last_name for c in columns if c.last_name and _is_half(c, variant.word // 2)}
    found: list[Join] = []
    for shift in islice(_HIGHER.finditer(source.code) if len(halves) > 1 else (), MOST_JOINS):
        place, code = shift.start(), source.code
        start, stop = code.rfind("\n", 0, place) + 1, code.find("\n", place)
        stop = stop if stop >= 0 else len(code)
        start, stop = max(start, place - ABOUT), min(stop, place + ABOUT)
        start = max(start, code.rfind(";", start, place) + 1)
        for _ in range(MOST_LINES):
            if len(_names(code[start:stop], halves)) > 1 or not start:
                break
            ended = code[start:stop].rstrip().endswith(";")
            after = code.find("\n", stop + 1, place + ABOUT)
            if not ended and after >= 0 and len(_names(code[start:after], halves)) < 3:
                stop = after
            if len(_names(code[start:stop], halves)) < 2 and code[:start].rstrip()[-1:] not in ";}":
                start = max(code.rfind("\n", 0, start - 1) + 1, place - ABOUT, 0)
        own = _names(code[start:stop], halves)
        if len(own) == 2:
            found.append(_join(code, start, place, shift.end(), stop, own))
    return found


def _names(text: str, known: Collection[str]) -> set[str]:
    return {word for word in _WORD.findall(text) if word in known}


def _join(code: str, start: int, place: int, end: int, stop: int, own: Collection[str]) -> Join:
    """What a statement says of the halves that it joins."""
    first, second = sorted(own, key=lambda name: code.find(name, start, stop))
    shifted = _operand(code, start, place)
    words = _WORD.findall(shifted)
    direct = [word for word in words if word in own]
    high = direct[-1] if direct else ""
    if not high and words:
        held = words[-1] if words[-1] not in ("n", "u64", "i") else words[0]
        other = re.match(
            r"[\s)]*+(?:[|+^]|or\b|bor\b|\.\|\.)((?:(?!\bfor\b)[^|+^;\n,}]){0,80})", code[end:stop]
        )
        named = [word for word in _WORD.findall(other[1]) if word in own] if other else []
        if named:  # hi.map((w, i) => w << 32 | lo[i])
            high = first if named[0] == second else second
        elif other:
            partner = next(
                (
                    w
                    for w in _WORD.findall(other[1])
                    if re.search(
                        rf"\b{re.escape(held)}\W+{w}\b|\b{w}\W+{re.escape(held)}\b",
                        _around(code, start, place, end, stop),
                    )
                ),
                "",
            )
            both = _around(code, start, place, end, stop)
            a, b = (
                re.search(rf"(?<!\w){re.escape(held)}[\s,&*]{{1,4}}{partner}\b", both),
                re.search(rf"(?<!\w){partner}[\s,&*]{{1,4}}{re.escape(held)}\b", both),
            )
            if partner and (a is None) != (b is None):
                high = first if a is not None else second
            elif held.startswith("$") and held[1:] in ("0", "1"):
                high = (first, second)[int(held[1:])]
    given = next((m[1] for m in _GIVEN.finditer(code, start, stop) if m[1] not in own), "")
    low = next((name for name in own if name != high), "")
    rest = code[start:stop].replace("=>", "").replace("->", "")
    plain = len(_HIGHER.findall(rest)) == 1 and not re.search(
        r"~|\bnot\b|%|/|(?<![*\w])-\s*\d", rest
    )
    plain &= len(_JOINED.findall(re.sub(r"\|\w[\w,\s]*\||\|\(.*?\)\|", "", rest))) <= 1
    kept = code[start : place - len(shifted)] + code[end:stop]
    unsigned = _UNSIGNED.search(kept) is not None
    if not high:
        return Join(first, second, given, False, plain, unsigned)
    return Join(high, low, given, True, plain, unsigned)


def _around(code: str, start: int, place: int, end: int, stop: int) -> str:
    """A statement without what is shifted."""
    return f"{code[start : max(start, place - 1)]} {code[end:stop]}"


def _operand(code: str, start: int, place: int) -> str:
    """What stands before a shift: its brackets, or its last words."""
    depth, at = 0, place
    while at > start:
        sign = code[at - 1]
        depth += (sign in ")]") - (sign in "([")
        if depth < 0 or (not depth and sign in "|,{=>:"):
            break
        at -= 1
    return code[at:place]


def _taken(joins: Sequence[Join], low: Column, high: Column) -> frozenset[str]:
    """What is taken where a statement joins two lists, and it is not all that it does, or it is
    not known how.
    """
    if joins and not any(join.sure and join.plain for join in joins):
        return frozenset({f"the words = {high.name} << half | {low.name}"})
    return frozenset()


def _belong(low: Column, high: Column) -> bool:
    if low.own & _HIGH_WORDS and high.own & _LOW_WORDS and not low.own & _LOW_WORDS:
        return False  # named the other way round
    if low.group == high.group:
        return True
    if low.part.startswith("every") and high.part.startswith("every"):
        return low.group.rpartition(":")[0] == high.group.rpartition(":")[0]
    different = low.own ^ high.own
    return bool(different) and different <= _HALF_WORDS and bool(low.own & high.own)


def _is_half(column: Column, half: int) -> bool:
    low, high = min(column.values), max(column.values)
    return low >= -(1 << (half - 1)) and max(high, -low) > 1 << 8 and high < 1 << half


def _extends(column: Column, half: int) -> bool:
    """Whether some numbers of a list are negative where they are used as wider ones."""
    signed = column.type == (half, True)
    return signed and any(value >> (half - 1) & 1 for value in column.values)


def _is_wide(column: Column, half: int) -> bool:
    return sum(abs(value) >> (half - 12) != 0 for value in column.values) >= 16


# Some files read together, under one choice of their `#if` branches.

_RIGHT = r"(?:>>>?=?|\bu?shr\b|`(?:unsafe)?[sS]hiftR`)\s*+(?:\(\s*+)?(?:(\d{2,3})\s*+-\s*+)?"
_BEHIND = re.compile(
    rf"[^;{{}}?,]{{0,80}}?(?:;\s*\w+\s*)?{_RIGHT}(\w+)\b"
    r"(?!(?:[ \t]*[-.\w\[(:]|\s*-|[\s)]*[<>]=?\s*\d{1,2}\b))"
)
"""The next shift by a number or a name behind a list's name, in the same expression. What is then
compared with a small number is no index.
"""
_SHIFT = re.compile(rf"{_RIGHT}(\d{{1,3}})\b(?!(?:[ \t]*[-.\w]|\s*-))")
_PRODUCT = re.compile(r"(?<!\w)(\w++)\s*+(?::[^=;\n(){}]{0,80})?[*:]?=\s*+[^=;\n]*+$")
"""What stands before magics whose product gets a name."""
_SQUARE = re.compile(
    r"(?<![A-Za-z0-9])(?:SQ_?|SQUARE_?|sq_?)?([a-zA-Z][1-9][0-9]{0,2})(?![A-Za-z0-9_])"
)
MOST_USES = 40


@dataclass(frozen=True, slots=True)
class Use:
    """A place where the name of a list stands: a line from 1, and the function around it."""

    name: str
    file: str
    line: int
    function: str = ""


@dataclass(frozen=True, eq=False)
class Contents:
    """What some files, read together, hold."""

    sources: tuple[Source, ...]
    variant: Variant
    columns: tuple[Column, ...]
    refused: tuple[RefusedList, ...]
    unread: tuple[UnreadPlace, ...]
    sha256: str
    other_files: OtherFiles
    """Other files of the same program."""
    known_shifts: dict[tuple[str, int, str], dict[int, str]] = field(default_factory=dict)
    known_places: dict[str, list[tuple[str, Source, int, int]]] = field(default_factory=dict)
    """What `shifts_of` and `named` have found."""

    @cached_property
    def constants(self) -> list[tuple[str, int, str]]:
        """Named numbers that may be shifts or bits, with their files."""
        return [
            (name, value, source.file)
            for source in self.sources
            for name, value in source.definitions.counts().items()
        ]

    @cached_property
    def not_read(self) -> dict[str, str]:
        """What is called a piece's bits or shifts and has items, but is no list that was read."""
        found: dict[str, str] = {}
        known = {column.last_name for column in self.columns}
        for source in self.sources:
            for match in re.finditer(r"(?<![\w$])([A-Za-z_]\w*)[ \t]*\[", source.code):
                words = split_words(match[1])
                piece = self.variant.said(words)
                if piece and match[1] not in known and says(words, SHIFT_WORDS):
                    place = f"{source.file}, line {source.spot(match.start())[0]}"
                    found.setdefault(piece, f" ({match[1]}, {place}, is not read)")
        return found

    @cached_property
    def shifts(self) -> list[tuple[int, str]]:
        """The literals that the code shifts by, with their places."""
        found: dict[int, str] = {}
        for source in self.sources:
            for match in _SHIFT.finditer(source.code):
                amount = int(match[1]) - int(match[2]) if match[1] else int(match[2])
                place = f"{source.file}, line {source.spot(match.start())[0]}"
                found.setdefault(amount, place)
        return list(found.items())

    @cached_property
    def folders(self) -> dict[str, Path]:
        """The folder of each file."""
        return {source.file: source.path.parent for source in self.sources}

    def in_folder_of(self, file: str) -> list[str]:
        """The files beside one, and itself."""
        return [own for own, folder in self.folders.items() if folder == self.folders.get(file)]

    @cached_property
    def order_hint(self) -> tuple[str, str] | None:
        """The order that the source enumerates its squares in, and where."""
        found = (enumerated_order(source, self.variant.board) for source in self.sources)
        return next((one for one in found if one is not None), None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not read, and how what was read was."""
        return tuple(dict.fromkeys(note for source in self.sources for note in source.notes))

    def conditions(self, columns: Sequence[Column]) -> tuple[str, ...]:
        """The `#if` branches that some columns stand in."""
        found: dict[str, None] = {}
        for source in self.sources:
            lines = [(c.first_line, c.last_line) for c in columns if c.file == source.file]
            for branch in source.taken:
                start, end = source.spot(branch.start)[0], source.spot(branch.end)[0]
                if any(first <= end and last >= start for first, last in lines):
                    found[branch.words] = None
        return tuple(found)

    def named(self, columns: Sequence[Column]) -> Iterator[tuple[str, Source, int, int]]:
        """Where the names of some columns' lists stand: name, source, place and its end; in a
        string, too, that is a subscript or an argument before one. A part of something, in a file
        that does not name the whole, only behind a point.
        """
        found: dict[tuple[str, int], tuple[str, Source, int, int]] = {}
        for whole, name in dict.fromkeys((c.list_name, c.last_name) for c in columns):
            if not name:
                continue
            if whole not in self.known_places:
                # With the name first, re leaps from one to the next.
                plain = re.escape(name.lstrip("$"))
                pattern = re.compile(rf"{plain}(?!\w)(?<!\w{plain})")
                called = re.compile(rf"{plain}[\"'](?<=[\"']{plain}.)\s*[\])](?=\s*\[)")
                own, words = {source.path for source in self.sources}, re.findall(r"\w+", whole)
                others = self.other_files.naming(name, self.sources[0].language, own)
                self.known_places[whole] = [
                    (name, source, match.start(), match.end())
                    for source in (*self.sources, *others)
                    for bare in [all(word in source.code for word in words)]
                    for match in (*pattern.finditer(source.code), *called.finditer(source.text))
                    if bare or source.code.endswith((".", "->", "::"), 0, match.start())
                ]
            found |= {(one[1].file, one[2]): one for one in self.known_places[whole]}
        yield from found.values()

    def is_constant(self, column: Column) -> bool:
        """Is a column's list declared so that nothing can write to it?"""
        for _, source, place, _ in self.named([column]):
            line = source.spot(place)[0]
            if source.file == column.file and -2 <= line - column.first_line <= 0:
                start = max(source.code.rfind(mark, 0, place) for mark in ";{}") + 1
                words = source.language.constant
                return words is not None and re.search(words, source.code[start:place]) is not None
        return False

    def elsewhere(self, columns: Sequence[Column]) -> Iterator[tuple[str, Source, int, int]]:
        """As `named`, but where lists of these names are made: in them, or just above in the same
        statement.
        """
        names = {c.last_name for c in columns}
        alike = (c for c in self.columns if c.last_name in names)
        own = {(c.last_name, c.file, c.first_line, *c.span) for c in (*columns, *alike)}
        for name, source, place, end in self.named(columns):
            here, line = (name, source.file), source.spot(place)[0]
            if place in source.filling:
                continue
            if not any(
                (n, f) == here
                and first - 2 <= line
                and place < last
                and _ONE_STATEMENT.fullmatch(source.code, end, max(end, start))
                for n, f, first, start, last in own
            ):
                yield name, source, place, end

    def uses(self, columns: Sequence[Column]) -> tuple[Use, ...]:
        """Where else the names of some columns' lists stand."""
        found = (
            Use(name, source.file, source.spot(place)[0], enclosing(source, place))
            for name, source, place, _ in self.elsewhere(columns)
        )
        return tuple(islice(found, MOST_USES))

    def shifts_of(self, magic: Column) -> dict[int, str]:
        """The numbers by which products with some magics are shifted, with their places."""
        key = magic.file, magic.first_line, magic.list_name
        if key in self.known_shifts:  # each arrangement and each count asks
            return self.known_shifts[key]
        found = self.known_shifts.setdefault(key, {})
        for _, source, place, end in self.elsewhere([magic]):
            match = _BEHIND.match(source.code, end) or _shifted(source.code, place, end)
            amount = source.definitions.number(match[2]) if match is not None else None
            if match is not None and amount is not None:
                amount = int(match[1]) - amount if match[1] else amount
                found.setdefault(amount, f"{source.file}, line {source.spot(place)[0]}")
        return found

    def is_used(self, column: Column) -> bool:
        """Does the name of a column's list stand anywhere else?"""
        return next(self.elsewhere([column]), None) is not None

    def goes_with(self, column: Column, magic: Column) -> bool:
        """Is a column looked up in a function where some magics are, or in their records? Of magics
        that nothing uses, all may be.
        """
        if column.group == magic.group:
            return True
        places = {(use.file, use.function or use.line) for use in self.uses([magic])}
        own = {(use.file, use.function or use.line) for use in self.uses([column])}
        return not own.isdisjoint(places) or not places

    def may_belong(self, column: Column, magic: Column) -> bool:
        """May the engine look a column up with some magics? Not one that nothing uses, if it uses
        them.
        """
        same = column.group == magic.group
        return same or self.is_used(column) or not self.is_used(magic)


_ONE_STATEMENT = re.compile(r"(?>[^;}\[]+|\[(?:[^\[\]]|\[[^\[\]]*\])*\]|\[)*")
"""What stands between a list's name and the list: `;` only in the brackets of a type."""


def _shifted(code: str, place: int, end: int, names: int = 2) -> re.Match[str] | None:
    """The shift of what got a name where magics stand, soon after it; or of what that is named."""
    named = _PRODUCT.search(code, code.rfind("\n", 0, place) + 1, place)
    if named is None or not names:
        return None
    stop = code.find("}", end, end + 400)
    stop = stop if stop >= 0 else min(end + 400, len(code))
    for use in re.compile(rf"(?<![\w.]){re.escape(named[1])}(?!\w)").finditer(code, end, stop):
        found = _BEHIND.match(code, use.end(), stop)
        found = found or _shifted(code, use.start(), use.end(), names - 1)
        if found is not None:
            return found
    return None


def read_contents(
    files: Sequence[tuple[Path, bytes]],
    variant: Variant,
    other_files: OtherFiles,
    as_written: bool = False,
) -> list[Contents]:
    """Files read together: one for each of their `#if` alternatives. As written: no statement in
    a function has changed a list.
    """
    digest = hashlib.sha256()
    for _, data in files:
        digest.update(data)
    own = read_sources(files, variant.word, other_files.names)
    found = []
    for number in range(max(map(len, own))):
        sources = tuple(choices[min(number, len(choices) - 1)] for choices in own)
        for source in sources if as_written else ():
            source.lists = tuple(replace(one, row=one.listed or one.row) for one in source.lists)
        parts = [columns_of(source, variant) for source in sources]
        columns = tuple(column for part, _, _ in parts for column in part)
        refused = tuple(one for _, part, _ in parts for one in part)
        unread = tuple(one for *_, part in parts for one in part)
        found.append(
            Contents(sources, variant, columns, refused, unread, digest.hexdigest(), other_files)
        )
    return found


def enumerated_order(source: Source, board: Board) -> tuple[str, str] | None:
    """The order that the first run of square names follows, with its place; None without one."""
    names: list[str] = []
    squares = {board.name(square) for square in range(board.squares)}
    fewest = min(max(board.files, board.ranks) + 1, board.squares)  # tells all orders apart
    start = 0
    for match in _SQUARE.finditer(source.code):
        if match[1].lower() not in squares:
            continue
        following = source.code[match.end() : match.end() + 12]
        names = [*names, match[1].lower()]
        if len(names) == 1:
            start = match.start()
        found = _following(names, board)
        if found is None:
            names, start = [match[1].lower()], match.start()
        elif len(names) >= fewest and len(found) == 1:
            value = re.match(r"\s*(?:=|:)\s*(\d+)\b", following)
            small = value is not None and int(value[1]) < 2 * board.squares
            if value and small and int(value[1]) not in (len(names) - 1, len(names)):
                return None
            return found[0], f"{source.file}, line {source.spot(start)[0]}"
    return None


def _following(names: list[str], board: Board) -> list[str] | None:
    places = [*enumerate(names[: board.squares])]
    found = [
        o for o in orders(board) if all(board.name(square_at(o, p, board)) == n for p, n in places)
    ]
    return found or None
