"""From the halves of a reading to tables: offsets, buffers, square orders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np

from magicert.formula import parse
from magicert.formula.tree import LINE
from magicert.table import PieceTable, Provenance, Table
from magicert.verify.source.candidates import Half
from magicert.verify.source.columns import (
    MANY_PLACES,
    MOST_BITS,
    NEARLY_ALL,
    OFFSET_WORDS,
    SIZE_WORDS,
    WHOLE,
    Column,
    Contents,
)
from magicert.verify.source.game import SquareNumbering
from magicert.verify.source.pins import Pins

Columns = Sequence[Column | None]
MOST_OFFSETS = 3
RESULT = "word & line"
"""What a layered table makes of a loaded word."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A table that a reading comes to, with what its buffer parts were taken from."""

    table: Table
    halves: tuple[Half, ...]
    sources: dict[str, str]
    offsets: tuple[Column | None, ...] = ()
    """The lists of the halves' offsets."""
    lines: tuple[Column, ...] = ()
    """The lists that loaded words are ANDed with."""
    guesses: tuple[str, ...] = ()
    """What of the buffers the source does not say."""


def tables(contents: Contents, pins: Pins, halves: Sequence[Half], name: str) -> Iterator[Laid]:
    """The tables that halves of one arrangement can make, the strongest claim first: one
    buffer shared by all pieces, then a buffer for each.
    """
    game, own = contents.game, halves[0].arrangement
    order = pins.order or (contents.order_hint[0] if contents.order_hint else "a1")
    named = game.called(own, order if game.like[order] == own.order else own.order)
    choices = list(_offset_choices(contents, pins, halves))
    none: tuple[Column | None, ...] = (None,) * len(halves)
    lines = [_lines(contents, half) for half in halves]
    layers = [none] + ([tuple(lines)] if all(lines) else [])

    def laid(offsets: Columns, layer: Columns, shared: bool, *guesses: str) -> Laid:
        places = _places(halves, offsets, shared=shared)
        table = Table(
            name=name,
            pieces={
                half.piece: _piece_table(half, own, line)
                for half, own, line in zip(halves, places, layer, strict=True)
            },
            order=named.order, listing=named.listing, shared=shared, board=game.board,
            provenance=_provenance(contents, halves, offsets),
        )  # fmt: skip
        sources = _sources(contents, pins, halves, offsets, shared, named)
        for half, line in zip(halves, layer, strict=True):
            if line is not None:
                sources[f"{half.piece}.result"] = f"{RESULT}, for without it squares clash"
                sources[f"{half.piece}.line"] = line.where
        said = pins.order or contents.order_hint or _masks_say_it(halves)
        if not said and not _orders_are_alike(contents):
            guesses = (*guesses, f"order = {named.order}")
        if named.order != named.listing and not _masks_say_it(halves):
            first = named.row_bit(0, game.board)
            guesses = (*guesses, f"rows in another order than bits (row 0 is bit {first})")
        used = tuple(column for column in layer if column is not None)
        return Laid(table, tuple(halves), sources, tuple(offsets), used, guesses)

    for layer, offsets in product(layers, choices):
        given = [column for column in offsets if column is not None]
        two = len(halves) == len(given) > 1
        bases = [column.bases for column in given]
        together = two and not (all(bases) and not _common(bases))
        shares: tuple[bool, ...] = (True, False) if together else (False,)
        if two and all(bases):
            shares = (together,)
        if pins.as_written:  # both lists begin at 0: a buffer each
            shares = (together and any(column.values[0] for column in given),)
        for shared in shares:
            each = ("a buffer for each piece",) if together and not shared else ()
            yield laid(offsets, layer, shared, *each)
    # Addresses were read: where they clash, nothing else is meant.
    addresses = any(column is not None and column.arrays for own in choices for column in own)
    if choices != [none] and not (addresses or pins.lists or pins.as_written):
        unread = ", ".join(c.where for c in choices[0] if c is not None)
        alone = laid(none, none, False)
        taken = f"slots of its own for each square, not {unread}"
        yield replace(alone, guesses=(*alone.guesses, taken))


def _lines(contents: Contents, half: Half) -> Column | None:
    """The list of what the piece attacks on the empty board, if the source has one."""
    game = half.game
    wanted = game.lines(half.piece, half.arrangement)
    for column in contents.columns:
        same = int(np.sum(game.array(column.words) == wanted))
        if same >= NEARLY_ALL * game.squares and column not in half.columns:
            return column
    return None


def _masks_say_it(halves: Sequence[Half]) -> bool:
    """Are there masks, by which the order is known?"""
    return all("mask" in half.parameters for half in halves)


def _orders_are_alike(contents: Contents) -> bool:
    """Do only the names of squares depend on the order?"""
    return len(set(contents.game.like.values())) == 1


def _common(bases: Sequence[frozenset[str]]) -> bool:
    """Have columns of addresses an array in common?"""
    return len(frozenset().union(*bases)) < sum(map(len, bases))


def _places(
    halves: Sequence[Half], offsets: Columns, *, shared: bool
) -> list[tuple[int, ...] | None]:
    """The offsets of each half. Of addresses in several arrays each array has slots of its own."""
    own = [column.values if column is not None else None for column in offsets]
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
                    [one.extents.get(array, 0) for one in offsets if one is not None]
                    + [_last_place(*both, array) for both in zip(halves, offsets, strict=True)]
                )
        rows = zip(column.arrays, column.values, strict=True)
        own[place] = tuple(starts[array] + value for array, value in rows)
    return own


def _last_place(half: Half, column: Column | None, array: str) -> int:
    """Behind the last entry of an array that the squares of a half may use."""
    if column is None or not column.arrays:
        return 0
    count = half.count
    values = count.values if len(count.values) > 1 else count.values * len(column.values)
    whole = WHOLE[count.kind]
    bits = (whole - value if whole else value for value in values)
    rows = zip(column.arrays, column.values, bits, strict=True)
    return max(
        (value + (1 << min(own, MOST_BITS)) for a, value, own in rows if a == array), default=0
    )


def _piece_table(half: Half, offset: tuple[int, ...] | None, layer: Column | None) -> PieceTable:
    parameters = dict(half.parameters)
    if layer is not None:
        # A table file without them takes what the piece attacks on the empty board.
        derived = half.game.array(layer.words) == half.game.lines(half.piece, half.arrangement)
        parameters |= {} if np.all(derived) else {LINE: layer.words}
    return PieceTable(
        piece=half.piece,
        movement=half.game.movements[half.piece],
        masks=half.masks,
        index=half.formula,
        parameters=parameters,
        result=parse(RESULT, word=half.game.word) if layer is not None else None,
        offset=offset,
    )


def _offset_choices(
    contents: Contents, pins: Pins, halves: Sequence[Half]
) -> Iterator[tuple[Column | None, ...]]:
    options = [_offsets(contents, pins, half) for half in halves]
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


def _offsets(contents: Contents, pins: Pins, half: Half) -> list[Column | None]:
    """The lists that can be the offsets of a half. A list that the source gives binds."""
    pinned = pins.column(contents, half.piece, "offset")
    if pinned is not None:
        return [pinned]
    own: list[Column] = []
    named: list[Column] = []
    most = 0 if half.game.by_hand else half.game.most_bits(half.piece)
    for column in contents.columns:
        taken = (*half.columns, *half.magic.halves)
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
        if column.group == half.magic.group:
            own.append(column)
        elif (
            (column.arrays or column.says(OFFSET_WORDS if many else ("offset",)))
            and not column.says(("value", "score", "psqt", "pst", "bonus"))
            and not column.says(SIZE_WORDS)
            and column.piece_said == half.piece
            and contents.may_belong(column, half.magic)
            and not _is_for_others(contents, column, half.magic)
        ):
            named.append(column)
    own.sort(key=lambda column: (not column.says(OFFSET_WORDS), column.says(SIZE_WORDS)))
    addresses = [column for column in own if column.arrays]
    addresses += [column for column in named if column.arrays]
    found = addresses[:1] or own or named
    return [*found[:MOST_OFFSETS]] if found else [None]


def _is_for_others(contents: Contents, column: Column, magic: Column) -> bool:
    """Are other magics called more like a list: `black_offset` like `black_magic`?"""
    alike = len(column.own & magic.own)
    return any(
        other.could_be_magic
        and other.piece_said == magic.piece_said
        and len(column.own & other.own) > alike
        for other in contents.columns
    )


def _sources(
    contents: Contents,
    pins: Pins,
    halves: Sequence[Half],
    offsets: Sequence[Column | None],
    shared: bool,
    named: SquareNumbering,
) -> dict[str, str]:
    """What each part of the table was taken from, in words."""
    words: dict[str, str] = {}
    if contents.game.by_hand:
        words["board"] = f"{contents.game.board}, {pins.origin}"
    for half, column in zip(halves, offsets, strict=True):
        if contents.game.by_hand:
            moves = contents.game.movements[half.piece].name or "steps"
            words[f"{half.piece}.piece"] = f"{moves}, {pins.origin}"
        words |= {f"{half.piece}.{name}": text for name, text in half.sources.items()}
        words[f"{half.piece}.offset"] = (
            f"{column.where}{', from ' if column.bases else ''}{' and '.join(sorted(column.bases))}"
            if column
            else "not in the source: each square has slots of its own"
        )
    if any(column is not None for column in offsets):
        all_pieces = "both" if len(halves) == 2 else "all"
        words["buffer"] = f"one, shared by {all_pieces} pieces" if shared else "one for each piece"
    if pins.order:
        words["order"] = f"{pins.order}, given by hand"
    elif contents.order_hint:
        words["order"] = f"{contents.order_hint[0]}, as named in {contents.order_hint[1]}"
    else:
        alike = _orders_are_alike(contents)
        why = "only the names of squares depend on it" if alike else "the numbers fit"
        words["order"] = f"not in the source: {named.order} taken; {why}"
        if not alike and _masks_say_it(halves):
            words["order"] = f"{named.order}, by the masks"
    if named.order != named.listing:
        first = named.row_bit(0, contents.game.board)
        words["listing"] = f"rows stand in another order than bits: row 0 is bit {first}"
    return words


def _provenance(
    contents: Contents, halves: Sequence[Half], offsets: Sequence[Column | None]
) -> Provenance:
    lists = [half.magic.where for half in halves]
    lists += [column.where for column in offsets if column is not None]
    under = contents.conditions([half.magic for half in halves])
    conditions = f" under {', '.join(under)}" if under else ""
    return Provenance(
        path=", ".join(dict.fromkeys(source.file for source in contents.sources)),
        notation=f"read from source: {'; '.join(dict.fromkeys(lists))}{conditions}",
    )
