"""What a reading takes otherwise than the names and the code of the source say.

A reading that certifies is not right for that: swapped lists, or another shift than the one
in the code, are tables that the engine does not use.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from magicert.table.model import Values
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.game import Game
from magicert.verify.source.lists.material import Material
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.lists.roles import (
    SHIFT_WORDS,
    WHOLE,
    Kind,
    column_mask,
    could_be_magic,
    is_complement,
    piece_said,
    says,
    shift_kind,
)
from magicert.verify.source.readings.counts import Count
from magicert.verify.source.readings.lengths import Length
from magicert.verify.source.readings.pins import Pins
from magicert.verify.source.readings.ways import Half
from magicert.verify.source.uses.counts import count_uses
from magicert.verify.source.uses.items import uses
from magicert.verify.source.uses.lookups import Taken, lookup_statements
from magicert.verify.source.uses.whole import whole_uses
from magicert.verify.source.uses.writes import list_names, writes

FEWEST_BITS = 5
"""A number of less, or of three more than any mask has, is no number of index bits."""

_COUNTING = frozenset(SHIFT_WORDS) - {"bit"}
_LIMITS = frozenset({"min", "max", "minimum", "maximum", "most", "least"})


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason why a reading may not be what the engine computes. `settled`: it does not count
    against the reading, because the user has fixed that part by hand, or it is no proof.
    """

    message: str
    file: str
    line: int | None
    settled: bool

    def __str__(self) -> str:
        line = f"{self.file}:{self.line}" if self.line else self.file
        return f"{line}: {self.message.partition(': --map')[0]}"


def doubts(
    material: Material,
    pins: Pins,
    halves: Sequence[Half],
    offsets: Sequence[Column | None] = (),
    lines: Sequence[Column] = (),
) -> list[Doubt]:
    """All that speaks against a reading, in the source or its names. `offsets` are the lists of
    the halves' offsets, in their order, `lines` those that loaded words are ANDed with.
    """
    found: list[Doubt] = []
    for column in lines:
        found += _numbers(column, False, "")
        found += _writes(material, column, False, "")
    for half, offset in zip(halves, offsets, strict=False):
        if offset is not None:
            fixed = _is_pinned(pins, offset, half.piece)
            found += _numbers(offset, fixed, "")
            found += _writes(material, offset, fixed, "")
            found += _whose(half, offset, fixed)
    for half in halves:
        by_hand = pins.settles(half.piece, "magic")
        found += _names(material, half, halves, by_hand)
        found += _shifts(material, half)
        found += _left_out(material, half)
        for column in half.columns:
            fixed = by_hand if column is half.magic else _is_pinned(pins, column, half.piece)
            meant = f": --map {half.piece}.magic={column.name} takes them as they stand"
            hint = meant if column is half.magic and column.name else ""
            found += _numbers(column, fixed, hint)
            found += _writes(material, column, fixed, hint)
            if column is not half.magic:
                found += _whose(half, column, fixed)
        found += _sums(material, half, by_hand)
        found += _lookups(material, half, by_hand, lines)
        meant = f": --map {half.piece}.magic={half.magic.name} takes them as they stand"
        found += _uses(material, half.magic, by_hand, meant)
    return list(dict.fromkeys(found))


def _is_pinned(pins: Pins, column: Column, piece: str) -> bool:
    names = {
        name.rpartition(":")[0] or name
        for (own, parameter), name in pins.lists.items()
        if own == piece and pins.settles(own, parameter)
    }
    return column.name in names


def too_short(pins: Pins, halves: Sequence[Half], found: Sequence[Length]) -> Iterator[Doubt]:
    """Attack tables that end before the lookups do."""
    by_hand = all(pins.settles(half.piece, "magic") for half in halves)
    for length in found:
        if length.buffer.entries < length.needed:
            message = f"{length}, but the lookups reach {length.needed:,}: they read beyond its end"
            yield Doubt(message, length.buffer.file, length.buffer.line, by_hand)


def _field_of(material: Material, column: Column) -> str | None:
    """The piece of a record's field without a name, by its place in the record's type, where a type
    has fields for both pieces.
    """
    place = re.search(r"\[(\d+)\]$", column.name)
    if place is None:
        return None
    for source in material.sources:
        for body in re.findall(
            r"\b(?:struct|class|record|type)\b[^{};=]*\{([^{}]*)\}", source.code
        ):
            parts = [part.strip() for part in re.split(r"[;,\n]+", body) if part.strip()]
            pieces = [material.game.named(part) for part in parts]
            if set(pieces) >= set(material.game.pieces) and int(place[1]) < len(pieces):
                return pieces[int(place[1])]
    return None


def _names(
    material: Material, half: Half, halves: Sequence[Half], by_hand: bool
) -> Iterator[Doubt]:
    """A list of the other piece by its name: by a full name, or where both are exchanged."""
    column, game = half.magic, half.game
    named = [game.named(column.name), _field_of(material, column)]
    full = next((piece for piece in named if piece not in (None, half.piece)), None)
    exchanged = len(halves) == 2 and all(
        piece_said(own.magic) not in (None, own.piece) for own in halves
    )
    if full or exchanged:
        other = full or next(piece for piece in game.pieces if piece != half.piece)
        meant = f"--map {half.piece}.magic={column.name}:{column.first_line}"
        message = (
            f"{column.name or 'the list'} certifies as magics of a {half.piece}, but is named for "
            f"a {other}: {meant} says it is meant"
        )
        yield Doubt(message, column.file, column.first_line, by_hand)


def _named_for(half: Half) -> str:
    """The piece that the magics are named for: what goes with them may be named for it, too."""
    return half.game.named(half.magic.name) or half.piece


def _whose(half: Half, column: Column, by_hand: bool) -> Iterator[Doubt]:
    """A list of shifts, masks or offsets that is named in full for the other piece."""
    other = half.game.named(column.name)
    if other not in (None, _named_for(half)):
        message = f"{column.name} is read for a {half.piece}, but is named for a {other}"
        yield Doubt(message, column.file, column.first_line, by_hand)


def _left_out(material: Material, half: Half) -> Iterator[Doubt]:
    """A list that is named for the piece's shifts or bits, and says others than the reading."""
    count = half.count
    if count is None or count.evidence == "given by hand":
        return
    game = material.game
    own = _bits_of(count.values, count.kind, game)
    yield from _other_masks(material, half)
    for column in material.columns:
        named = game.named(column.name) == _named_for(half) and says(column, SHIFT_WORDS)
        if not named or column is half.magic or could_be_magic(column) or column_mask(column):
            continue
        kind = shift_kind(column)
        said_bits = _bits_of(column.values, kind, game) if kind else ()
        alike = own in (said_bits, said_bits[:1] * game.squares)
        if column is not count.column and not alike:
            message = (
                f"{column.name} is named for the bits of a {half.piece}, but what certifies has "
                f"others: --map {half.piece}.{count.parameter}=... says which"
            )
            yield Doubt(message, column.file, column.first_line, False)


def _other_masks(material: Material, half: Half) -> Iterator[Doubt]:
    """A list that is named for the masks of the piece, and is not the relevant occupancy."""
    used = {part.name for column in half.columns for part in column.halves}
    for column in material.columns:
        if column.name in used or used & {part.name for part in column.halves}:
            continue  # half of what is used, or the same halves the other way round
        named = half.game.named(column.name) == _named_for(half) and column.own & {"mask", "masks"}
        if named and column not in half.columns and not column_mask(column):
            message = f"{column.name} is not the relevant occupancy of a {half.piece}, and not used"
            yield Doubt(message, column.file, column.first_line, True)


def _bits_of(values: Values, kind: Kind, game: Game) -> tuple[int, ...]:
    listed = values if len(values) > 1 else tuple(values) * game.squares
    return tuple(abs(WHOLE[kind] - value) for value in listed)


def _sums(material: Material, half: Half, by_hand: bool) -> Iterator[Doubt]:
    """Code that shifts by more or less than the list of shifts says."""
    column = half.count.column if half.count else None
    if column is None:
        return
    for use in count_uses(column, material.sources):
        text = use.text if len(use.text) <= 60 else f"{use.text[:57]}..."
        message = f"the code shifts by another number than {column.name} says: {text}"
        yield Doubt(message, use.file, use.line, by_hand or bool(use.never_called))


def _lookups(
    material: Material, half: Half, by_hand: bool, lines: Sequence[Column]
) -> Iterator[Doubt]:
    """Statements that multiply by these magics, and compute another formula."""
    if half.count is None or "post_mask" in half.parameters:
        return
    names = tuple(name for column in lines for name in list_names(column)[-1:])
    taken = Taken(half.piece, half.formula.text, frozenset(_bits(half.count)), names)
    if is_complement(half.columns[-1], half.piece):
        return
    found = lookup_statements(half.magic, taken, material.sources)
    for use, text, certain in found:
        message = f"{text}: --map {half.piece}.magic={half.magic.name} says that this is meant"
        settled = by_hand or not certain or bool(use.never_called)
        yield Doubt(message, use.file, use.line, settled)


def _shifts(material: Material, half: Half) -> Iterator[Doubt]:
    """A shift in the code, or a named number of bits, that is not the reading's."""
    count = half.count
    if count is None:
        return
    own = _bits(count)
    settled = count.evidence in ("given by hand", "list")
    game = material.game
    whole = WHOLE[count.kind] or (WHOLE["shift"] if "u64(" in half.formula.text else game.word)
    counted = range(FEWEST_BITS, max(map(game.most_bits, game.pieces)) + 3)
    for shift in material.shifts:
        bits = whole - shift.amount
        if shift.piece == half.piece and bits in counted and own != {bits}:
            message = (
                f"the code shifts a {half.piece}'s product by {shift.amount}, {bits} bits, but "
                f"what certifies has {_listed(own)}: --map {half.piece}.shift=... says which"
            )
            yield Doubt(message, shift.file, shift.line, settled)
    for constant in material.constants:
        words = split_words(constant.name)
        if game.briefly(words) != half.piece or not words & _COUNTING or words & _LIMITS:
            continue
        bits = constant.value if constant.value in counted else whole - constant.value
        if bits in counted and own != {bits}:
            message = (
                f"{constant.name} = {constant.value} says {bits} bits, but what certifies has "
                f"{_listed(own)}: --map {half.piece}.{count.parameter}=... says which"
            )
            yield Doubt(message, constant.file, None, settled)


def _bits(count: Count) -> set[int]:
    return {abs(WHOLE[count.kind] - value) for value in count.values}


def _listed(own: set[int]) -> str:
    return f"{min(own)} to {max(own)}" if len(own) > 1 else str(*own)


def _numbers(column: Column, by_hand: bool, hint: str) -> Iterator[Doubt]:
    """Numbers that are not plainly what the language computes."""
    for line, text in column.objections:
        message = f"{column.name or 'unnamed list'}: {text}{hint}"
        yield Doubt(message, column.file, line, by_hand)


def _writes(material: Material, column: Column, by_hand: bool, hint: str) -> Iterator[Doubt]:
    """Statements that change the list later."""
    for write in writes(column, material.sources):
        text = write.text if len(write.text) <= 60 else f"{write.text[:57]}..."
        message = f"{column.name} is changed after it is made: {text}"
        if write.never_called:
            message += f" (in {write.never_called}, which nothing here calls)"
        yield Doubt(message + hint, write.file, write.line, by_hand or bool(write.never_called))


def _uses(material: Material, column: Column, by_hand: bool, hint: str) -> Iterator[Doubt]:
    """Code that makes other numbers of the magics before it multiplies by them."""
    found = [*uses(column, material.sources), *whole_uses(column, material.sources)]
    for use in {use.line: use for use in reversed(found)}.values():
        text = use.text if len(use.text) <= 60 else f"{use.text[:57]}..."
        how = "taken by another subscript" if use.turned else "changed before it is used"
        if use.whole:
            how = "handed over" if use.open else "worked on as a whole"
        message = f"{'' if use.whole else 'an item of '}{column.name} is {how}: {text}"
        if use.never_called:
            message += f" (in {use.never_called}, which nothing here calls)"
        settled = by_hand or use.turned or use.open or bool(use.never_called)
        yield Doubt(message + hint, use.file, use.line, settled)


def guesses(material: Material, halves: Sequence[Half]) -> list[str]:
    """What a reading takes that the source does not say, in a few words each."""
    found: list[str] = []
    for half in halves:
        count = half.count
        if count is not None and count.evidence == "mask":
            found.append("bits = popcount(mask)")
        elif count is not None and count.evidence == "usual":
            found.append(f"{half.piece} bits = {_values(count.values)}")
        if "~mask" in half.formula.text and not material.black_hint:
            found.append("occ | ~mask")
        if "mask" in half.formula.names and "mask" not in half.parameters:
            least = "the squares that can change the attack set"
            found.append(f"masks = {'relevant occupancy' if half.masks == 'usual' else least}")
        found += [
            name if " = " in name else f"{name} = the number in it"
            for name in sorted(half.magic.guesses)
        ]
        if half.game.by_hand and half.magic.halves:
            found.append(f"{half.magic.halves[0].name} = the low half")
    return list(dict.fromkeys(found))


def _values(values: Values) -> str:
    return str(values[0]) if len(set(values)) == 1 else f"{min(values)} to {max(values)}"
