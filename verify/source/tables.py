"""From a reading of each piece to tables: which go together, offsets, buffers, square orders."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np

from magicert.betza import piece_words
from magicert.formula import parse
from magicert.formula.tree import LINE
from magicert.table import PieceTable, Provenance, Table
from magicert.verify.source.columns import (
    MANY_PLACES,
    MOST_BITS,
    NEARLY_ALL,
    OFFSET_WORDS,
    SIZE_WORDS,
    WHOLE,
    Column,
)
from magicert.verify.source.contents import Contents
from magicert.verify.source.overrides import Overrides
from magicert.verify.source.variant import SquareNumbering
from magicert.verify.source.ways import PieceReading, in_square_order

Columns = Sequence[Column | None]
MOST_OFFSETS = 3
MOST_PAIRS = 12
RESULT = "word & line"
"""What a layered table makes of a loaded word."""


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A table that a reading comes to, with what its buffer parts were taken from."""

    table: Table
    readings: tuple[PieceReading, ...]
    sources: dict[str, str]
    offsets: tuple[Column | None, ...] = ()
    """The lists of the readings' offsets."""
    lines: tuple[Column, ...] = ()
    """The lists that loaded words are ANDed with."""
    guesses: tuple[str, ...] = ()
    """What of the buffers the source does not say."""


def tables(
    contents: Contents, overrides: Overrides, readings: Sequence[PieceReading], name: str
) -> Iterator[TableLayout]:
    """The tables that readings of one arrangement can make, the strongest claim first: one
    buffer shared by all pieces, then a buffer for each.
    """
    variant, numbering = contents.variant, readings[0].arrangement
    order = overrides.order or (contents.order_hint[0] if contents.order_hint else "a1")
    named = variant.called(
        numbering, order if variant.like[order] == numbering.order else numbering.order
    )
    choices = list(_offset_choices(contents, overrides, readings))
    none: tuple[Column | None, ...] = (None,) * len(readings)
    lines = [_lines(contents, reading) for reading in readings]
    layers = [none] + ([tuple(lines)] if all(lines) else [])

    def of(offsets: Columns, layer: Columns, shared: bool, *guesses: str) -> TableLayout:
        places = _places(readings, offsets, shared=shared)
        table = Table(
            name=name,
            pieces={
                reading.piece: _piece_table(reading, numbering, line)
                for reading, numbering, line in zip(readings, places, layer, strict=True)
            },
            order=named.order, listing=named.listing, shared=shared, board=variant.board,
            provenance=_provenance(contents, readings, offsets),
        )  # fmt: skip
        sources = _sources(contents, overrides, readings, offsets, shared, named)
        for reading, line in zip(readings, layer, strict=True):
            if line is not None:
                sources[f"{reading.piece}.result"] = f"{RESULT}, for without it squares clash"
                sources[f"{reading.piece}.line"] = line.where
        order_read = overrides.order or contents.order_hint or _masks_say_it(readings)
        if not order_read and not _orders_are_alike(contents):
            guesses = (*guesses, f"order = {named.order}")
        if named.order != named.listing and not _masks_say_it(readings):
            first = named.row_bit(0, variant.board)
            guesses = (*guesses, f"rows in another order than the bits (row 0 is bit {first})")
        used = tuple(column for column in layer if column is not None)
        return TableLayout(table, tuple(readings), sources, tuple(offsets), used, guesses)

    for layer, offsets in product(layers, choices):
        read_offsets = [column for column in offsets if column is not None]
        two = len(readings) == len(read_offsets) > 1
        bases = [column.bases for column in read_offsets]
        together = two and not (all(bases) and not _common(bases))
        shares: tuple[bool, ...] = (True, False) if together else (False,)
        if two and all(bases):
            shares = (together,)
        if overrides.as_written:  # both lists begin at 0: a buffer each
            shares = (together and any(column.values[0] for column in read_offsets),)
        for shared in shares:
            each = ("a buffer for each piece",) if together and not shared else ()
            yield of(offsets, layer, shared, *each)
    # Addresses were read: where they clash, nothing else is meant.
    addresses = any(column is not None and column.arrays for choice in choices for column in choice)
    if choices != [none] and not (addresses or overrides.lists or overrides.as_written):
        unread = ", ".join(c.where for c in choices[0] if c is not None)
        alone = of(none, none, False)
        taken = f"separate slots for each square, not {unread}"
        yield replace(alone, guesses=(*alone.guesses, taken))


def _lines(contents: Contents, reading: PieceReading) -> Column | None:
    """The list of what the piece attacks on the empty board, if the source has one."""
    variant = reading.variant
    lines = variant.lines(reading.piece, reading.arrangement)
    for column in contents.columns:
        same = int(np.sum(variant.array(column.words) == lines))
        if same >= NEARLY_ALL * variant.squares and column not in reading.columns:
            return column
    return None


def _masks_say_it(readings: Sequence[PieceReading]) -> bool:
    """Are there masks, by which the order is known?"""
    return all("mask" in reading.parameters for reading in readings)


def _orders_are_alike(contents: Contents) -> bool:
    """Do only the names of squares depend on the order?"""
    return len(set(contents.variant.like.values())) == 1


def _common(bases: Sequence[frozenset[str]]) -> bool:
    """Have columns of addresses an array in common?"""
    return len(frozenset().union(*bases)) < sum(map(len, bases))


def _places(
    readings: Sequence[PieceReading], offsets: Columns, *, shared: bool
) -> list[tuple[int, ...] | None]:
    """The offsets of each piece. Of addresses in several arrays each array has slots of its own."""
    slots = [column.values if column is not None else None for column in offsets]
    starts: dict[str, int] = {}
    end = 0
    for place, column in enumerate(offsets):
        if column is None or not column.arrays:
            continue
        if not shared:
            starts, end = {}, 0
        for array in dict.fromkeys(column.arrays):
            if array not in starts:
                starts[array] = end
                end += max(
                    [offset.extents.get(array, 0) for offset in offsets if offset is not None]
                    + [_last_place(*both, array) for both in zip(readings, offsets, strict=True)]
                )
        rows = zip(column.arrays, column.values, strict=True)
        slots[place] = tuple(starts[array] + value for array, value in rows)
    return slots


def _last_place(reading: PieceReading, column: Column | None, array: str) -> int:
    """Behind the last entry of an array that the squares of a piece may use."""
    if column is None or not column.arrays:
        return 0
    count = reading.count
    values = count.values if len(count.values) > 1 else count.values * len(column.values)
    whole = WHOLE[count.kind]
    bits = (whole - value if whole else value for value in values)
    rows = zip(column.arrays, column.values, bits, strict=True)
    return max(
        (value + (1 << min(width, MOST_BITS)) for a, value, width in rows if a == array), default=0
    )


def _piece_table(
    reading: PieceReading, offset: tuple[int, ...] | None, layer: Column | None
) -> PieceTable:
    parameters = dict(reading.parameters)
    if layer is not None:
        # A table file without them takes what the piece attacks on the empty board.
        derived = reading.variant.array(layer.words) == reading.variant.lines(
            reading.piece, reading.arrangement
        )
        parameters |= {} if np.all(derived) else {LINE: layer.words}
    return PieceTable(
        piece=reading.piece,
        movement=reading.variant.movements[reading.piece],
        masks=reading.masks,
        index=reading.formula,
        parameters=parameters,
        result=parse(RESULT, word=reading.variant.word) if layer is not None else None,
        offset=offset,
    )


def _offset_choices(
    contents: Contents, overrides: Overrides, readings: Sequence[PieceReading]
) -> Iterator[tuple[Column | None, ...]]:
    options = [_offsets(contents, overrides, reading) for reading in readings]
    if len(options) != 2:
        yield from islice(product(*options), MOST_OFFSETS * 2)
        return
    first, second = options
    # The offsets of both pieces are columns of like place: try like with like first.
    pairs = [(a, b) for a in first for b in second]
    pairs.sort(key=lambda pair: _unlike(*pair))
    yield from pairs[: MOST_OFFSETS * 2]


def _unlike(a: Column | None, b: Column | None) -> int:
    if a is None or b is None:
        return 2 * ((a is None) != (b is None))
    return a.name.rpartition(".")[2] != b.name.rpartition(".")[2]


def _offsets(
    contents: Contents, overrides: Overrides, reading: PieceReading
) -> list[Column | None]:
    """The lists that can be the offsets of a piece. A list that the source gives binds."""
    pinned = overrides.column(contents, reading.piece, "offset")
    if pinned is not None:
        return [pinned]
    fitting: list[Column] = []
    named: list[Column] = []
    most = 0 if reading.variant.by_hand else reading.variant.most_bits(reading.piece)
    taken = [part for column in reading.columns for part in (column, *column.halves)]
    for column in contents.columns:
        if column in taken or not column.could_be_offset or column.is_post_mask:
            continue
        if column.shift_kind is not None:
            continue
        # All places within so few slots are too few for the attack sets of a piece.
        if not column.bases and max(column.values) >> max(0, most - 3) == 0:
            continue
        item = column.field and column.name.endswith("]") and not column.says(OFFSET_WORDS)
        if item and not column.arrays:
            continue  # an item of a list that is a field
        many = len(set(column.values)) >= MANY_PLACES
        if column.group == reading.magic.group:
            fitting.append(column)
        elif (
            (column.arrays or column.says(OFFSET_WORDS if many else ("offset",)))
            and not column.says(("value", "score", "psqt", "pst", "bonus"))
            and not column.says(SIZE_WORDS)
            and column.named_piece == reading.piece
            and contents.may_belong(column, reading.magic)
            and not _is_for_others(contents, column, reading.magic)
        ):
            named.append(column)
    fitting.sort(key=lambda column: (not column.says(OFFSET_WORDS), column.says(SIZE_WORDS)))
    addresses = [column for column in fitting if column.arrays]
    addresses += [column for column in named if column.arrays]
    choices = addresses[:1] or fitting or named
    return [*choices[:MOST_OFFSETS]] if choices else [None]


def _is_for_others(contents: Contents, column: Column, magic: Column) -> bool:
    """Are other magics called more like a list: `black_offset` like `black_magic`?"""
    alike = len(column.name_words & magic.name_words)
    return any(
        other.could_be_magic
        and other.named_piece == magic.named_piece
        and len(column.name_words & other.name_words) > alike
        for other in contents.columns
    )


def _sources(
    contents: Contents,
    overrides: Overrides,
    readings: Sequence[PieceReading],
    offsets: Sequence[Column | None],
    shared: bool,
    named: SquareNumbering,
) -> dict[str, str]:
    """What each part of the table was taken from, in words."""
    words: dict[str, str] = {}
    if contents.variant.by_hand:
        words["board"] = f"{contents.variant.board}, {overrides.origin}"
    for reading, column in zip(readings, offsets, strict=True):
        if contents.variant.by_hand:
            moves = piece_words(contents.variant.movements[reading.piece]) or "steps"
            words[f"{reading.piece}.piece"] = f"{moves}, {overrides.origin}"
        words |= {f"{reading.piece}.{name}": text for name, text in reading.sources.items()}
        words[f"{reading.piece}.offset"] = (
            f"{column.where}{', from ' if column.bases else ''}{' and '.join(sorted(column.bases))}"
            if column
            else "assumed: separate slots for each square"
        )
    if any(column is not None for column in offsets):
        all_pieces = "both" if len(readings) == 2 else "all"
        words["buffer"] = f"one, shared by {all_pieces} pieces" if shared else "one for each piece"
    if overrides.order:
        words["order"] = f"{overrides.order}, given by hand"
    elif contents.order_hint:
        words["order"] = f"{contents.order_hint[0]}, as named in {contents.order_hint[1]}"
    else:
        alike = _orders_are_alike(contents)
        why = "only the names of squares depend on it" if alike else "the numbers fit"
        words["order"] = f"assumed: {named.order}; {why}"
        if not alike and _masks_say_it(readings):
            words["order"] = f"{named.order}, by the masks"
    if named.order != named.listing:
        first = named.row_bit(0, contents.variant.board)
        words["listing"] = f"rows stand in another order than bits: row 0 is bit {first}"
    return words


def _provenance(
    contents: Contents, readings: Sequence[PieceReading], offsets: Sequence[Column | None]
) -> Provenance:
    lists = [reading.magic.where for reading in readings]
    lists += [column.where for column in offsets if column is not None]
    under = contents.conditions([reading.magic for reading in readings])
    conditions = f" under {', '.join(under)}" if under else ""
    return Provenance(
        path=", ".join(dict.fromkeys(source.file for source in contents.sources)),
        notation=f"read from source: {'; '.join(dict.fromkeys(lists))}{conditions}",
    )


def combinations(
    chosen: Mapping[str, Sequence[PieceReading]], *, by_hand: bool
) -> list[tuple[PieceReading, ...]]:
    """Readings of all pieces that can stand in one table: of one arrangement, most alike first."""
    choices = [readings for readings in chosen.values() if readings]
    if len(choices) == 1:
        return [(reading,) for reading in choices[0]]
    if len(choices) != 2 or by_hand:
        like = (choices[0][0].arrangement, choices[0][0].formula.text)
        alike = (
            next((r for r in readings if (r.arrangement, r.formula.text) == like), readings[0])
            for readings in choices
        )
        return [tuple(alike)]
    pairs = [pair for pair in product(*choices) if pair[0].arrangement == pair[1].arrangement]
    if not pairs:
        first, second = choices[0][0], choices[1][0]
        pairs = [(first, in_square_order(second, first.arrangement))]
    same = [pair for pair in pairs if pair[0].magic.file == pair[1].magic.file]
    at_home = [reading.magic for pair in same for reading in pair]
    # A list is paired with one of another file only where its own file has none.
    pairs = same + [p for p in pairs if p[0].magic not in at_home and p[1].magic not in at_home]

    def unlike(pair: tuple[PieceReading, ...]) -> tuple[int, ...]:
        a, b = pair
        return (
            a.formula.text != b.formula.text,
            a.magic.group != b.magic.group and a.magic.part != b.magic.part,
            abs(a.magic.first_line - b.magic.last_line),
        )

    most_alike: list[tuple[PieceReading, ...]] = []
    for pair in sorted(pairs, key=unlike):
        if not all(any(reading in other for other in most_alike) for reading in pair):
            most_alike.append(pair)
    return sorted(most_alike, key=lambda pair: pair[0].magic.first_line)[:MOST_PAIRS]
