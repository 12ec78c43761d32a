"""A column: one number a square, of one list of a source, and what its name and numbers can mean.

Magics, masks, shifts or bits, offsets, attack sets: a column may be several of these. What it is in
a table, `candidates.py` and `tables.py` find out.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Literal

import numpy as np

from magicert.board import CHESS, place_of
from magicert.formula.arrays import Words
from magicert.languages.evaluator import LARGEST_PLACE
from magicert.table.model import MaskRule
from magicert.verify.source.variant import SquareNumbering, Variant, split_words

MOST_FIELDS = 24
"""Records of more fields are no records of magics."""
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

FEWEST_ENTRIES = LEAST_STEP * CHESS.squares
"""Shorter arrays hold no attack sets."""

Kind = Literal["bits", "shift32", "shift", "shift128", "shift256"]
"""How a number counts index bits: as such, or as a shift of a word of 32 to 256 bits."""
WHOLE: dict[Kind, int] = {
    "bits": 0, "shift32": 32, "shift": 64, "shift128": 128, "shift256": 256,
}  # fmt: skip
"""What a count of each kind and the bits of its index differ by."""


def beyond_32(amount: int) -> Kind:
    """The narrowest word of 64 bits or more that can be shifted by so much."""
    kinds: tuple[Kind, ...] = ("shift", "shift128")
    return next((kind for kind in kinds if amount <= WHOLE[kind]), "shift256")


@lru_cache(64)
def _reached(variant: Variant, arrangement: SquareNumbering) -> Words:
    board, boards = variant.board, []
    for row in range(variant.squares):
        rank, file = divmod(arrangement.row_square(row, board), board.files)
        steps = (
            (abs(to // board.files - rank), abs(to % board.files - file), to)
            for to in range(variant.squares)
        )
        reached = (to for a, b, to in steps if not a or not b or a == b or max(a, b) == 2)
        boards.append(sum(1 << place_of(arrangement.order, to, board) for to in reached))
    return variant.array(boards)


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
    `name_words` are the words of its name and field, `context` those around it. `group` is shared
    by the columns of one list. `arrays` are what the numbers are counted from, one a row, where
    they are the addresses of entries, and `lengths` how many entries these have, where it is known.
    """

    values: tuple[int, ...]
    name: str
    name_words: frozenset[str]
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
    """The low and the high halves of words that this was put together from, if it was; or four
    fields of 64 bits, the lowest first.
    """
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
        return says(self.name_words, words)

    @cached_property
    def is_called_magic(self) -> bool:
        """Does the name, or what stands around it, call these magics?"""
        return says(self.name_words | self.context, MAGIC_WORDS)

    @cached_property
    def is_called_offset(self) -> bool:
        """Does its own name call it places in a buffer, and nothing else? Of records, the field's
        name.
        """
        whole = self.name == self.list_name
        words, known = (
            (self.name_words, PLACE_WORDS) if whole else (split_words(self.field), OFFSET_WORDS)
        )
        return any(word in known or word.rstrip("s") in known for word in words)

    @cached_property
    def named_piece(self) -> str | None:
        """The piece that the name, or else what stands around it, speaks of."""
        by_name = self.variant.piece_in(self.name_words)
        return self.variant.piece_in(self.context) if by_name is None else by_name

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
        boards = variant.array(self.words)
        return any(
            not np.any(boards & ~_reached(variant, arrangement))
            for arrangement in variant.arrangements
        )

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
        rules = []
        for complement in (False, True):
            values = (~word for word in self.words) if complement else self.words
            boards = variant.array(values)
            if complement and variant.word > variant.squares:
                continue  # of bits that are no squares nobody knows
            rules += [
                Masks(piece, arrangement, rule, complement)
                for piece in variant.pieces
                for rule in variant.mask_rules(piece)
                for arrangement in variant.arrangements
                if int(np.sum(boards == variant.mask_words(piece, arrangement, rule))) >= enough
            ]
        return rules

    def has_masks(self, piece: str, arrangement: SquareNumbering) -> bool:
        """Are these the masks of a piece, in an arrangement?"""
        return any((m.piece, m.arrangement) == (piece, arrangement) for m in self.masks)

    @cached_property
    def are_masks_anyhow(self) -> bool:
        """Are nearly all numbers masks of some square, in whatever order?"""
        variant = self.variant
        arrangement = variant.arrangements[0]
        known = {
            word for piece in variant.pieces for word in variant.masks(piece, arrangement, "usual")
        }
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
        kind = beyond_32(middle)
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
        numbers = self.bits(kind)
        if len(set(self.values)) <= 2:  # one shift for all squares
            most = variant.most_bits(piece)
            leaves = range(most - 1, most + (3 if most > FEW_BITS else 2))
            return sorted(numbers)[len(numbers) // 2] in leaves
        needed = variant.mask_bits(piece, variant.arrangements[0])
        near = sum(abs(a - b) <= 2 for a, b in zip(numbers, needed, strict=True))
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
            short = max(self.extents.values(), default=0) < FEWEST_ENTRIES
            is_constant = len({*zip(self.arrays, self.values, strict=True)}) == 1
            unlike = not high and not self.extents  # functions, perhaps
            known = len(self.extents) == len(self.bases)
            return low >= 0 and not (is_constant or unlike or (short and known))
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
    name_words: frozenset[str]
    context: frozenset[str]
    file: str
    line: int
    text: str
    same: bool


def says(words: Iterable[str], vocabulary: tuple[str, ...]) -> bool:
    """Do words of names have one of these, in the singular or the plural?"""
    return any(word in vocabulary or word.rstrip("s") in vocabulary for word in words)
