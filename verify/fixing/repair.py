"""Other numbers for what is wrong: a known or a new magic, or offsets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from magicert.atlas import AtlasCell, read_atlas
from magicert.board import ORDERS, WORD, bitboard, place_of, squares_of
from magicert.chess import Piece
from magicert.data import atlas_path, published_tables
from magicert.origin import nearest_set
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.table import read_table
from magicert.table.files import TableFile
from magicert.table.model import value_at
from magicert.targets import Mover, Slider
from magicert.valid import AllIndexes
from magicert.verify.source.columns import NEARLY_ALL, WHOLE, Column
from magicert.verify.source.reading import SourceReading
from magicert.verify.source.ways import PieceReading
from magicert.verify.table.verifier import verify

LAST_INDEX = (1 << 22) - 1
"""An index beyond this is no index of a table."""
FIRST_LOOKUPS = 256
"""Occupancies that a candidate is tried with first; few are left after these."""
CANDIDATES, BLOCK = 1 << 23, 1 << 12
"""Candidates that are tried before giving up, and how many at once."""
ONE_DIGIT = "one digit"
WORDS_ANDED = 3
"""A candidate is so many random words, ANDed: magics have few 1 bits."""


@dataclass(frozen=True, slots=True)
class Repair:
    """Another number for row `row` of a column, and how it was found."""

    column: Column
    row: int
    value: int
    how: str


class ReadSquare:
    """One square of a piece as it was read, with the parameters that the source gives it."""

    def __init__(self, piece_reading: PieceReading, row: int) -> None:
        self.piece_reading = piece_reading
        self.row = row
        self.bit = piece_reading.arrangement.row_bit(row, piece_reading.variant.board)
        """The square's own bit on the engine's bitboards."""
        self.true_mask = piece_reading.variant.masks(
            piece_reading.piece, piece_reading.arrangement, piece_reading.masks
        )[row]
        self.values = {name: value_at(v, row) for name, v in piece_reading.parameters.items()}
        self.values.setdefault("mask", self.true_mask)
        self.magic = self.values.pop("magic")
        self._indexes: dict[int, AllIndexes] = {}
        """Those of every so-many-th occupancy, with the parameters that the source gives."""

    def valid(
        self, magics: Sequence[int], step: int = 1, **other: int
    ) -> "NDArray[np.bool_] | list[bool]":
        """Which of the magics are valid for every occupancy, or every `step`-th."""
        indexes = None if other else self._indexes.get(step)
        if indexes is None:
            formula, values = self.piece_reading.formula, {**self.values, **other}
            words, numbers = self.occupancies
            occupancies, attacks = words[::step], numbers[::step]
            indexes = AllIndexes(formula, "magic", values, occupancies, attacks, LAST_INDEX)
        if not other:
            self._indexes[step] = indexes
        try:
            return indexes.valid(magics)
        except InputError:  # a shift by more than the word has
            return [False] * len(magics)

    def all_valid(self, magics: Sequence[int]) -> Iterator[int]:
        """Those that are valid for every occupancy, in their order; few are left to be tried with
        all of them.
        """
        step = max(1, (1 << self.true_mask.bit_count()) // FIRST_LOOKUPS)
        for magic, may_be_valid in zip(magics, self.valid(magics, step), strict=True):
            if may_be_valid and self.valid([magic])[0]:
                yield magic

    @cached_property
    def occupancies(self) -> tuple[Sequence[int], Sequence[int]]:
        """All occupancies of the true mask over the engine's bits, and the number of each one's
        attack set.
        """
        variant, arrangement = self.piece_reading.variant, self.piece_reading.arrangement
        if not variant.by_hand:
            known = Slider(Piece(self.piece_reading.piece), self.bit)
            return known.words, known.values
        board = variant.board
        movement = variant.movements[self.piece_reading.piece]
        square = Mover(
            board, movement, arrangement.row_square(self.row, board), self.piece_reading.masks
        )
        if arrangement.order == ORDERS[0]:
            return square.words, square.values
        places = [place_of(arrangement.order, s, board) for s in range(board.squares)]
        turned = (bitboard(places[s] for s in squares_of(word)) for word in square.words)
        return list(turned), square.values

    @cached_property
    def word(self) -> int:
        """All bits that a magic may have: 64 on a larger board, too, if no other has more."""
        whole = self.piece_reading.variant.whole
        others = (w for row, w in enumerate(self.piece_reading.magic.words) if row != self.row)
        return whole if max(others, default=0) > WORD else min(whole, WORD)

    @property
    def is_right(self) -> bool:
        """Does nothing conflict inside this square?"""
        return not self.is_wide and bool(self.valid([self.magic])[0])

    @property
    def is_wide(self) -> bool:
        """Has its magic too many digits?"""
        return self.row in self.piece_reading.magic.wide

    def repairs(self, base: int, seed: int | None, usable: int = WORD) -> Iterator[Repair]:
        """Numbers that make the square right, the likeliest first; new magics only with a seed.

        `base` is the radix that the magic is written in; a new magic has no other bits than
        those of `usable`.
        """
        yield from self.other_numbers()
        if self.is_right:
            return
        if (published := published_number(self.piece_reading, self.row)) is not None:
            name, magic = published
            if self.valid([magic])[0]:
                yield Repair(self.piece_reading.magic, self.row, magic, f"as in {name}")
        written = self.piece_reading.magic.values[self.row] if self.is_wide else self.magic
        slips = list(dict.fromkeys(slips_of(written, base, self.word)))
        for magic in self.all_valid(slips):
            yield Repair(self.piece_reading.magic, self.row, magic, ONE_DIGIT)
        for atlas_cell in self.known:
            magic = int(atlas_cell.magic or "0", 16)
            if magic and self.valid([magic])[0]:
                how = f"in the atlas, found by {atlas_cell.finder}"
                yield Repair(self.piece_reading.magic, self.row, magic, how)
        if seed is not None and not self.is_hopeless:
            new_magic = self.trial(seed, usable)
            if new_magic is not None:
                yield Repair(self.piece_reading.magic, self.row, new_magic, "a new magic")

    @cached_property
    def known(self) -> list[AtlasCell]:
        """What the atlas of the formula's scheme has of the square."""
        if self.piece_reading.variant.by_hand:
            return []
        text, piece_square = self.piece_reading.formula.text, (self.piece_reading.piece, self.bit)
        for scheme in ("white", "black"):
            if text.startswith(SCHEMES[scheme].formula.text.partition(">>")[0]):
                return [*read_atlas(atlas_path(scheme), piece_square)]
        return []

    @property
    def is_hopeless(self) -> bool:
        """Does the mask lack a square, or does a proof say that no magic has so few bits?"""
        if self.true_mask & ~self.values["mask"] and "mask" in self.piece_reading.formula.names:
            return True
        count = self.piece_reading.count
        value = self.values.get(count.parameter)
        bits = None if value is None else WHOLE[count.kind] - value if WHOLE[count.kind] else value
        impossible = (
            atlas_cell.bits for atlas_cell in self.known if atlas_cell.state == "impossible"
        )
        return bits is not None and bits <= max(impossible, default=0)

    def other_numbers(self) -> Iterator[Repair]:
        """The mask and the count that the square should have, where its magic is right then."""
        masks = next((column for column in self.piece_reading.columns if column.masks), None)
        if masks is not None and self.values["mask"] != self.true_mask:
            complemented = any(rule.complement for rule in masks.masks)
            value = self.true_mask ^ (self.piece_reading.variant.whole if complemented else 0)
            if self.valid([self.magic], mask=self.true_mask)[0]:
                yield Repair(masks, self.row, value, "the relevant occupancy")
        count = self.piece_reading.count
        if count.column is None or count.parameter not in self.values:
            return
        bits = self.true_mask.bit_count()
        value = abs(WHOLE[count.kind] - bits)
        other = {count.parameter: value}
        if self.values[count.parameter] != value and self.valid([self.magic], **other)[0]:
            yield Repair(count.column, self.row, value, "popcount of the mask")

    def trial(self, seed: int, usable: int) -> int | None:
        """A magic by trial, the same for the same seed."""
        random = np.random.default_rng((seed, self.piece_reading.piece == "rook", self.bit))
        wide = self.word > WORD
        for _ in range(CANDIDATES // BLOCK):
            words = random.integers(0, WORD, (WORDS_ANDED, BLOCK), np.uint64, endpoint=True)
            magics = [*np.bitwise_and.reduce(words).tolist()]
            if wide:
                words = random.integers(0, WORD, (WORDS_ANDED, BLOCK), np.uint64, endpoint=True)
                upper = np.bitwise_and.reduce(words).tolist()
                magics = [high << 64 | low for high, low in zip(upper, magics, strict=True)]
            found = next(self.all_valid([magic & usable for magic in magics]), None)
            if found is not None:
                return found
        return None


def published_number(piece_reading: PieceReading, row: int) -> tuple[str, int] | None:
    """The set that has nearly the same magics, by the name that `verify` says, and its number for
    that row.
    """
    if piece_reading.variant.by_hand:
        return None
    board, by_bit = piece_reading.variant.board, [0] * piece_reading.variant.squares
    for place, magic in enumerate(piece_reading.magic.words):
        by_bit[piece_reading.arrangement.row_bit(place, board)] = magic
    origin = nearest_set(piece_reading.piece, by_bit, piece_reading.formula)
    magic = origin.magic(piece_reading.arrangement.row_bit(row, board)) if origin is not None else 0
    return (origin.numbers.tables[0], magic) if origin is not None and magic else None


def slips_of(number: int, base: int, most: int = WORD) -> Iterator[int]:
    """The numbers up to `most` that one wrong digit, one too many or too few, or two exchanged come
    from.
    """
    digits = "0123456789abcdef"[:base]
    text = np.base_repr(number, base).lower()
    texts = [text[:at] + d + text[at + 1 :] for at in range(len(text)) for d in digits]
    texts += [text[:at] + text[at + 1] + text[at] + text[at + 2 :] for at in range(len(text) - 1)]
    texts += [text[:at] + d + text[at:] for at in range(len(text) + 1) for d in digits]
    texts += [text[:at] + text[at + 1 :] for at in range(len(text)) if len(text) > 1]
    return (
        value for misspelt in texts if (value := int(misspelt, base)) != number and value <= most
    )


Offsets = dict[tuple[str, int], int]
"""The offset of each piece and row."""
MOST_TRIALS = 32
"""Tables that are verified before giving up; one takes some tenths of a second."""
BEFORE = "the sum of the sizes before"


def other_offsets(reading: SourceReading) -> list[tuple[str, Repair]]:
    """The fewest offsets that make a reading's table valid, each with its square ("rook a1"); none
    if none was found.

    Tried are the sum of the sizes before and a published table's: of one square that shares a slot,
    then of all that differ.
    """
    columns = {
        piece_reading.piece: column
        for piece_reading, column in zip(reading.piece_readings, reading.offsets, strict=True)
        if column is not None
    }
    if any(len(column.bases) > 1 for column in columns.values()):
        return []  # each array has slots of its own
    current = {
        (piece, row): column.values[row]
        for piece, column in columns.items()
        for row in range(reading.table.rows)
    }
    named = reading.bad
    trials = MOST_TRIALS
    for offsets, how in _likely(reading, current):
        differing = [piece_row for piece_row in current if offsets[piece_row] != current[piece_row]]
        single = [[piece_row] for piece_row in differing if _square(reading, *piece_row) in named]
        for piece_rows in [*single, differing][:trials]:
            trials -= 1
            if _is_valid(reading, current | {at: offsets[at] for at in piece_rows}):
                return [
                    (
                        _square(reading, piece, row),
                        Repair(columns[piece], row, offsets[piece, row], how),
                    )
                    for piece, row in piece_rows
                ]
    return []


def _likely(reading: SourceReading, current: Offsets) -> Iterator[tuple[Offsets, str]]:
    """Offsets that most of the reading's agree with, and where they come from."""
    for offsets, how in [*_sums(reading), *_published()]:
        same = sum(offsets.get(piece_row) == value for piece_row, value in current.items())
        if current and offsets.keys() >= current.keys() and same >= NEARLY_ALL * len(current):
            yield offsets, how


def _sums(reading: SourceReading) -> Iterator[tuple[Offsets, str]]:
    """Each square behind the one before it: all of one piece, then of the other, in both orders;
    and each piece from 0.
    """
    bits = {f"{entry.piece} {entry.square}": entry.bits for entry in reading.report.squares}
    pieces = [piece_reading.piece for piece_reading in reading.piece_readings]
    for order, apart in ((pieces, False), (pieces[::-1], False), (pieces, True)):
        sums: Offsets = {}
        total = 0
        for piece in order:
            total = 0 if apart else total
            for row in range(reading.table.rows):
                sums[piece, row] = total
                total += 1 << bits[_square(reading, piece, row)]
        yield sums, BEFORE


def _published() -> Iterator[tuple[Offsets, str]]:
    for name, path in published_tables().items():
        table = read_table(path).table
        yield (
            {
                (piece, row): offset
                for piece, piece_table in table.pieces.items()
                for row, offset in enumerate(piece_table.offset or ())
            },
            f"as in {name}",
        )


def _square(reading: SourceReading, piece: str, row: int) -> str:
    return f"{piece} {reading.table.board.name(reading.table.row_square(row))}"


def _is_valid(reading: SourceReading, offsets: Offsets) -> bool:
    table = reading.table
    pieces = {
        piece: replace(piece_table, offset=tuple(offsets[piece, row] for row in range(table.rows)))
        if (piece, 0) in offsets
        else piece_table
        for piece, piece_table in table.pieces.items()
    }
    return verify(TableFile.unsaved(replace(table, pieces=pieces), table.name)).verdict == "valid"
