"""The ways to read one list as a piece's magics: formula, bits, masks, and the order of its rows.

`ways_of` gives them, the likely ones first, each as a `PieceReading`: the numbers of every
parameter, where each comes from, and what was assumed. `with_conflicts` then finds the squares that
conflict with themselves.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import TypeVar

from magicert.board import WORD
from magicert.formula import Formula, parse
from magicert.formula.arrays import Words
from magicert.scheme import SCHEMES
from magicert.table.model import MaskRule, Values
from magicert.verify.source.bits import Count, counts_of
from magicert.verify.source.columns import FEW_BITS, MOST_FIELDS, WHOLE, Column
from magicert.verify.source.contents import Contents
from magicert.verify.source.overrides import FOLDED, Overrides
from magicert.verify.source.variant import SAMPLED, Probe, SquareNumbering, Variant

TELLING = 16
"""A list that is wrong on fewer squares is meant for the reading: random numbers are wrong on all
rook squares and on about 30 bishop squares.
"""
MOST_SHOWN = 3
HOPELESS = SAMPLED - 1
"""So many squares of a sample conflict where the numbers are no magics of this reading."""
SQUARE_BIT = "own"
"""The parameter that is the square's own bit, where that is or-ed to the relevant occupancy."""
_T = TypeVar("_T")


@dataclass(frozen=True)
class PieceReading:
    """One piece read in one way. `masks` is the rule of masks that the source does not list.

    `sources` says in words where each parameter comes from; `columns` are those used.
    """

    piece: str
    formula: Formula
    arrangement: SquareNumbering
    parameters: Mapping[str, Values]
    sources: Mapping[str, str]
    columns: tuple[Column, ...]
    count: Count
    masks: MaskRule = "usual"
    guesses: tuple[str, ...] = ()
    """What the source does not say and was assumed: the formula, the bits."""
    bad: tuple[int, ...] = ()
    """The rows that conflict with themselves, once they were looked at."""
    hopeless: bool = False
    """A sample of its squares was enough to see that the numbers are no magics read like this."""
    in_square_order: bool = False
    """Its rows stand in another order in the source."""
    unusual_masks: bool = False
    """Its masks are called so and no usual ones: where they conflict, others are meant."""

    @property
    def variant(self) -> Variant:
        """The board, and how the piece moves."""
        return self.magic.variant

    @property
    def magic(self) -> Column:
        return self.columns[0]

    @property
    def certifies(self) -> bool:
        """Does no square conflict with itself?"""
        return not (self.bad or self.hopeless)

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
        needed = self.variant.mask_bits(self.piece, self.arrangement)
        if len(values) != len(needed):
            return frozenset()
        for row in self.bad:
            values[row] = abs(whole - needed[row])
        other = replace(self, parameters={**self.parameters, name: tuple(values)})
        probe = Probe(self.variant, self.piece, self.arrangement, self.masks)
        still = probe.bad_rows(self.formula, _words(other))
        return frozenset(self.bad).difference(still, self.magic.wide)

    @property
    def is_doubted(self) -> bool:
        """Were numbers that conflict taken in a way that the others do not confirm?"""
        conflicting = self.in_square_order or bool(self.magic.doubtful.intersection(self.bad))
        return self.unusual_masks or (bool(self.bad) and conflicting)

    @property
    def in_conflict(self) -> str:
        """How many squares conflict, in words."""
        bad = len(self.bad)
        return f"{bad} square{'s' * (bad > 1)} of the {self.piece} conflict{'s' * (bad == 1)}"

    def shown(self, column: Column) -> str:
        """The same, with the first of the squares and their lines in a list."""
        board, rows = self.variant.board, self.bad[:MOST_SHOWN]
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
        named = magic.is_called_magic or magic.named_piece is not None
        by_chance = count.fixed > self.variant.most_bits(self.piece)
        if self.hopeless or (self.bad and by_chance and not (named or count.is_read)):
            return False
        most = (
            self.variant.squares // 2 if self.variant.most_bits(self.piece) > FEW_BITS else TELLING
        )
        return len(self.bad) < most


def with_conflicts(reading: PieceReading, *, sample_first: bool = False) -> PieceReading:
    """The same with the rows that conflict, and those with numbers that are too large. With a
    sample first, a reading that is wrong on nearly all of it is hopeless: no rows are looked at.
    """
    probe = Probe(reading.variant, reading.piece, reading.arrangement, reading.masks)
    parameters = tuple(sorted(reading.parameters.items()))
    rows = _conflicts(probe, reading.formula, parameters, sample_first=sample_first)
    if rows is None:
        return replace(reading, hopeless=True)
    return replace(reading, bad=tuple(sorted({*rows, *reading.magic.wide})))


@lru_cache(maxsize=1 << 11)
def _conflicts(
    probe: Probe,
    formula: Formula,
    parameters: tuple[tuple[str, Values], ...],
    *,
    sample_first: bool,
) -> tuple[int, ...] | None:
    """The rows that conflict; None where a sample conflicts. The same numbers come again where a
    source is read again: of a folder the other files, of a mended source all other lists.
    """
    values = {name: _array(probe.variant, numbers) for name, numbers in parameters}
    if sample_first and probe.bad_in_sample(formula, values) >= HOPELESS:
        return None
    return tuple(probe.bad_rows(formula, values))


def in_square_order(reading: PieceReading, arrangement: SquareNumbering) -> PieceReading:
    """The same with the rows in another arrangement's order."""
    board, numbering = reading.variant.board, reading.arrangement
    row_of = {numbering.row_bit(row, board): row for row in range(reading.variant.squares)}
    rows = [row_of[arrangement.row_bit(row, board)] for row in range(reading.variant.squares)]

    def taken(values: Sequence[_T]) -> tuple[_T, ...]:
        return tuple(values[row] for row in rows) if len(values) == len(rows) else tuple(values)

    def column(original: Column) -> Column:
        return replace(
            original,
            values=taken(original.values),
            spots=taken(original.spots),
            doubtful=frozenset(),
        )

    columns = {id(original): column(original) for original in reading.columns}
    return replace(
        reading,
        arrangement=arrangement,
        parameters={name: taken(values) for name, values in reading.parameters.items()},
        columns=tuple(columns.values()),
        bad=tuple(rows.index(row) for row in reading.bad),
        count=replace(reading.count, values=taken(reading.count.values)),
        guesses=(*reading.guesses, f"{reading.piece} rows in another order"),
        in_square_order=True,
    )


def is_beyond(reading: PieceReading) -> bool:
    """Is it read with more bits than are usual? Only where it certifies is that worth a word."""
    count, most = reading.count, reading.variant.most_bits(reading.piece)
    usual = count.evidence == "usual" and count.values[0] > most
    return usual or count.is_long(most)


def _words(reading: PieceReading) -> dict[str, Words]:
    return {name: _array(reading.variant, values) for name, values in reading.parameters.items()}


@lru_cache(maxsize=1 << 12)
def _array(variant: Variant, values: Values) -> Words:
    """Numbers of all squares, or the one of each; the same lists go with many others."""
    return variant.array(values if len(values) > 1 else values * variant.squares).reshape(-1, 1)


def arrangements_of(
    contents: Contents, overrides: Overrides, magic: Column, piece: str
) -> list[SquareNumbering]:
    """The arrangements to try; a list of masks beside the magics tells the one."""
    for column in contents.columns:
        if column.group == magic.group and not overrides.as_written:
            by_masks = [m.arrangement for m in column.masks if m.piece == piece]
            if by_masks:
                return by_masks[:1]
    variant = contents.variant
    order = overrides.order or (contents.order_hint[0] if contents.order_hint else "")
    alike = variant.like.get(order)
    fitting = [numbering for numbering in variant.arrangements if alike in (None, numbering.order)]
    return (
        [numbering for numbering in fitting if numbering.listing == numbering.order][:1]
        if overrides.as_written
        else fitting
    )


def for_word(scheme: str, word: int) -> str:
    """A scheme's formula, with a product of the words of a board."""
    return SCHEMES[scheme].formula.text.replace("64 - bits", f"{word} - bits")


@cache
def with_count(text: str, parameter: str, word: int) -> Formula:
    """A formula of `bits` with a shift of its own, or popcount(mask), instead of them."""
    if parameter == "shift":
        text = re.sub(r"\(\d+ - bits\)", "shift", text)
    elif parameter == "shift - 32":  # of readings, counted as of whole words
        text = re.sub(r"\(\d+ - bits\)", "(shift - 32)", text)
    elif parameter == "popcount":
        text = re.sub(r"\bbits\b", "popcount(mask)", text)
    return parse(text, word=word)


def _formulas(
    contents: Contents, overrides: Overrides, magic: Column, count: Count
) -> Iterator[tuple[Formula, str]]:
    """The formulas that go with a count, each with what is taken by it."""
    variant, parameter, whole = contents.variant, count.parameter, WHOLE[count.kind]
    if count.evidence == "popcount" and variant.by_hand:
        parameter = "popcount"
    if overrides.formula is not None:
        if not variant.by_hand:
            yield overrides.formula, ""
            return
        widths = {int(number) for number in re.findall(r"\((\d+) - bits\)", overrides.formula.text)}
        if whole in (0, *(widths or WHOLE.values())):
            yield with_count(overrides.formula.text, parameter, variant.word), ""
        return
    if whole in (0, variant.word):
        for name, taken in (("white", ""), ("black", "occ | ~mask")):
            yield with_count(for_word(name, variant.word), parameter, variant.word), taken
    if variant.word > WHOLE["shift"]:
        folds = any(amount == 63 for amount, _ in contents.shifts)
        folds |= not max(magic.words) >> WHOLE["shift"]  # magics of 64 bits
        if whole in (0, WHOLE["shift"]) and folds:
            yield with_count(FOLDED, parameter, variant.word), "the fold x | x >> 63"
        board, most = variant.board, max(magic.words)
        if whole == 0 and WORD < most <= board.full < variant.whole:
            text = f"(((occ & mask) * magic) & {board.full:#x}) >> ({board.squares} - bits)"
            yield with_count(text, parameter, variant.word), f"words of {board.squares} bits"
    else:
        how = "shift - 32" if count.kind == "shift" else parameter
        for name in ("two-halves", "two-halves-add"):
            yield with_count(for_word(name, variant.word), how, variant.word), f"the formula {name}"
    if whole in (0, variant.word):
        text = for_word("white", variant.word).replace("occ & mask", f"(occ & mask) | {SQUARE_BIT}")
        yield (
            with_count(text, parameter, variant.word),
            f"(occ & mask) | {SQUARE_BIT}, the square itself",
        )


def ways_in_all_orders(
    contents: Contents, overrides: Overrides, piece: str, magic: Column
) -> Iterator[PieceReading]:
    """All ways to read one column of magics, in each order that its rows may have."""
    for arrangement in arrangements_of(contents, overrides, magic, piece):
        yield from ways_of(contents, overrides, piece, magic, arrangement)


_Way = tuple[Formula, str, Count]
"""A formula, what is taken by it, and the bits of its index."""


def ways_of(
    contents: Contents,
    overrides: Overrides,
    piece: str,
    magic: Column,
    arrangement: SquareNumbering,
    longest: int = 0,
) -> Iterator[PieceReading]:
    """All ways to read one column of magics in one arrangement, the likely ones first."""
    counts = counts_of(contents, overrides, magic, piece, arrangement, longest)
    ways: list[_Way] = [
        (formula, taken, count)
        for count in counts
        for formula, taken in _formulas(contents, overrides, magic, count)
    ]
    most = magic.variant.most_bits(piece)

    def unlikely(way: _Way) -> tuple[bool, bool, bool]:
        """A long index may certify whatever the formula, and what is read comes before a guess."""
        formula, _, count = way
        usual = not any(sign in formula.text for sign in ("~mask", "32"))
        return count.is_long(most), not count.is_read, not usual

    ways.sort(key=unlikely)
    readings = _filled(contents, overrides, piece, magic, arrangement, ways)
    yield from islice(readings, 1) if overrides.as_written else readings


def _filled(
    contents: Contents,
    overrides: Overrides,
    piece: str,
    magic: Column,
    arrangement: SquareNumbering,
    ways: Sequence[_Way],
) -> Iterator[PieceReading]:
    """Formulas with the values of their parameters, and the masks that the source lists."""
    masks = _mask_options(contents, overrides, piece, magic, arrangement)
    rows, board = range(magic.variant.squares), magic.variant.board
    square_bits = tuple(1 << arrangement.row_bit(row, board) for row in rows)
    for plain, taken, count in ways:
        limit = None if overrides.formula is not None else _limit(contents, piece, magic, count)
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
                stated_masks = column.words
                if column.is_complement(piece):
                    stated_masks = column.variant.words_of(~word for word in stated_masks)
                parameters["mask"] = stated_masks
                columns.append(column)
            sources["mask"] = mask_words
            if SQUARE_BIT in formula.names:
                parameters[SQUARE_BIT] = square_bits
                sources[SQUARE_BIT] = "the square's bit"
            if not overrides.fill(contents, piece, formula, magic, parameters, sources):
                continue
            guesses = [taken] if taken else []
            is_stated = count.is_read or count.tied
            if not is_stated and count.parameter in formula.names | {"bits"}:
                value_text = (
                    "popcount(mask)" if count.evidence == "popcount" else str(count.values[0])
                )
                unread = (
                    contents.not_read.get(piece, "")
                    if count.evidence in ("popcount", "usual")
                    else ""
                )
                guesses.append(f"{piece} {count.parameter} = {value_text}{unread}")
            stated = (piece, "mask") in overrides.lists
            odd = column is not None and not (stated or column.has_masks(piece, arrangement))
            yield PieceReading(
                piece, formula, arrangement, parameters, sources, tuple(columns), count, rule,
                tuple(guesses), unusual_masks=odd,
            )  # fmt: skip


def _limit(contents: Contents, piece: str, magic: Column, count: Count) -> Column | None:
    """The list of low masks for an AND after the shift, where the shift leaves more bits."""
    if count.parameter != "shift" or count.column is None:
        return None
    for column in contents.columns:
        if column.is_post_mask and (column.group == magic.group or column.named_piece == piece):
            pairs = zip(count.values, column.words, strict=True)
            if any(WHOLE[count.kind] - shift > low.bit_length() for shift, low in pairs):
                return column
    return None


@cache
def _limited(formula: Formula) -> Formula:
    return parse(f"({formula.text}) & limit", word=formula.word)


def _mask_options(
    contents: Contents,
    overrides: Overrides,
    piece: str,
    magic: Column,
    arrangement: SquareNumbering,
) -> list[tuple[Column | None, str, MaskRule]]:
    """The source's own masks, if it lists them; else the usual ones, and then the least."""
    stated = overrides.column(contents, piece, "mask")
    if stated is not None:
        return [(stated, stated.where, "usual")]
    rule = overrides.masks.get(piece)
    if rule is not None:
        return [(None, f"{rule}, {overrides.origin}", rule)]
    mask_columns = [
        column
        for column in contents.columns
        if column.has_masks(piece, arrangement) and contents.may_belong(column, magic)
    ]
    mask_columns = [column for column in mask_columns if column.file == magic.file] or mask_columns
    if mask_columns:
        mask_column = next(
            (column for column in mask_columns if column.group == magic.group), mask_columns[0]
        )
        where = ", complemented" if mask_column.is_complement(piece) else ""
        return [(mask_column, mask_column.where + where, "usual")]
    options: list[tuple[Column | None, str, MaskRule]] = [
        (column, column.where, "usual") for column in other_masks(contents, piece, magic)
    ]
    taken: dict[MaskRule, str] = {
        "usual": "the relevant occupancy",
        "least": "the squares that can change the attack set",
    }
    rules = contents.variant.mask_rules(piece)
    return options + [(None, f"assumed: {taken[rule]}", rule) for rule in rules]


def other_masks(contents: Contents, piece: str, magic: Column) -> Iterator[Column]:
    """Lists of masks that are called the piece's, or stand in the magics' records, and are looked
    up with them.
    """
    fields = Counter(column.group for column in contents.columns)
    for column in contents.columns:
        if fields[column.group] > MOST_FIELDS:
            continue
        fellow = column.group == magic.group and column is not magic
        named = any(word.rstrip("s").endswith("mask") for word in column.name_words)
        called = named and (fellow or column.named_piece == piece) and max(column.words) >> 32
        if (called or (fellow and column.are_masks_anyhow)) and contents.goes_with(column, magic):
            yield column
