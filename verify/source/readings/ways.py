"""The ways to read one column of magics: orders, counts, formulas, masks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from magicert.formula import Formula, parse
from magicert.scheme import SCHEMES
from magicert.table.model import MaskRule, Values
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.game import Arrangement, Game
from magicert.verify.source.lists.material import Material
from magicert.verify.source.lists.roles import (
    WHOLE,
    column_mask,
    is_complement,
    is_post_mask,
    piece_said,
)
from magicert.verify.source.readings.counts import Count, counts, plausible_bits, popcounts
from magicert.verify.source.readings.pins import Pins


@dataclass(frozen=True, slots=True)
class Half:
    """One piece read in one way. `bad` are the rows that conflict with themselves, `masks` the
    rule of masks that the source does not list.

    `sources` says in words where each parameter comes from; `columns` are those used.
    """

    piece: str
    formula: Formula
    arrangement: Arrangement
    parameters: Mapping[str, Values]
    sources: Mapping[str, str]
    columns: tuple[Column, ...]
    bad: tuple[int, ...]
    count: Count | None
    likelihood: tuple[int, ...] = ()
    note: str = ""
    masks: MaskRule = "usual"

    @property
    def game(self) -> Game:
        """The board, and how the piece moves."""
        return self.magic.game

    @property
    def magic(self) -> Column:
        """The column of the magics."""
        return self.columns[0]


FOLDED = "(u64((occ & mask) | ((occ & mask) >> 63)) * magic) >> (64 - bits)"
"""A board of 81 squares, folded to 64 bits before it is multiplied, as shogi engines do it."""
_HALVES = ("two-halves", "two-halves-add")
_POST_MASKED = (
    "(((occ & mask) * magic) >> shift) & post_mask",
    "(((occ | ~mask) * magic) >> shift) & post_mask",
)


def arrangements(material: Material, pins: Pins, magic: Column, piece: str) -> list[Arrangement]:
    """The arrangements to try; a list of masks beside the magics tells the one."""
    for column in material.columns:
        if column.group == magic.group:
            told = [m.arrangement for m in column_mask(column) if m.piece == piece]
            if told:
                return told[:1]
    game = material.game
    order = pins.order or (material.order_hint[0] if material.order_hint else "")
    alike = game.like.get(order)
    return [own for own in game.arrangements if alike in (None, own.order)]


def ways(
    material: Material, pins: Pins, piece: str, magic: Column, arrangement: Arrangement
) -> Iterator[Half]:
    """All ways to read one column of magics in one arrangement."""
    game = material.game
    masks = _mask_options(material, pins, piece, magic, arrangement)
    if pins.bits.get(piece) == "popcount":
        counted = [popcounts(game, piece, arrangement, "{}, given by hand")]
    else:
        counted = pins.counts(material, piece) or counts(material, magic, piece, arrangement)
    posts = _post_masks(material, magic, piece)
    for count in counted:
        for formula, post in _formulas(pins, material, count, posts):
            for mask_column, mask_words, rule in masks:
                parameters: dict[str, Values] = {"magic": magic.words}
                sources = {"magic": magic.where}
                columns = [magic]
                if count.parameter in formula.names:
                    parameters[count.parameter] = tuple(count.values)
                    sources[count.parameter] = count.words
                    columns += [count.column] if count.column else []
                if mask_column is not None:
                    parameters["mask"] = _mask_values(mask_column, piece)
                    columns.append(mask_column)
                sources["mask"] = mask_words
                if post is not None:
                    parameters["post_mask"] = post.values
                    sources["post_mask"] = post.words
                    columns += [post.column] if post.column else []
                if not pins.fill(material, piece, formula, magic, parameters, sources):
                    continue
                yield Half(
                    piece=piece,
                    formula=formula,
                    arrangement=arrangement,
                    parameters=parameters,
                    sources=sources,
                    columns=tuple(columns),
                    bad=(),
                    count=count,
                    masks=rule,
                )


def _mask_values(column: Column, piece: str) -> Values:
    if not is_complement(column, piece):
        return column.words
    return column.game.words_of(~word for word in column.words)


def _formulas(
    pins: Pins, material: Material, count: Count, posts: Sequence["_PostMask"]
) -> Iterator[tuple[Formula, "_PostMask | None"]]:
    game, wanted = material.game, count.parameter
    if count.evidence == "mask" and game.by_hand:
        wanted = "popcount"
    whole = WHOLE[count.kind]
    if pins.formula is not None:
        if not game.by_hand:
            yield pins.formula, None
        elif whole in (0, *_wholes(pins.formula.text)):
            yield with_count(pins.formula.text, wanted, game.word), None
        return
    if whole in (0, game.word) and not count.windowed:
        for name in ("white", "black") if material.black_hint or not game.by_hand else ("white",):
            yield with_count(for_word(name, game.word), wanted, game.word), None
    if game.word > WHOLE["shift"]:
        if whole in (0, WHOLE["shift"]) and material.fold_hint:
            yield with_count(FOLDED, wanted, game.word), None
    elif count.kind != "shift":
        for name in _HALVES:
            yield with_count(for_word(name, game.word), wanted, game.word), None
    if wanted == "shift":
        for post in posts:
            for text in _POST_MASKED:
                yield with_count(text, wanted, game.word), post


@dataclass(frozen=True, slots=True)
class _PostMask:
    """A mask for an AND after the shift: a list, or one number for all squares."""

    values: Values
    words: str
    column: Column | None = None


def _post_masks(material: Material, magic: Column, piece: str) -> list[_PostMask]:
    found = [
        _PostMask(column.words, column.where, column)
        for column in material.columns
        if is_post_mask(column) and _goes_with(column, magic, piece)
    ]
    for low in material.low_masks:
        if low.mask.bit_length() in plausible_bits(material.game, piece):
            words = f"the AND with {low.mask:#x} ({low.file}, line {low.line})"
            if (low.mask,) not in [post.values for post in found]:
                found.append(_PostMask((low.mask,), words))
    return found[:4]


def for_word(scheme: str, word: int) -> str:
    """A scheme's formula, with a product of the words of a board."""
    return SCHEMES[scheme].formula.text.replace("64 - bits", f"{word} - bits")


def _wholes(text: str) -> set[int]:
    """The widths of the words that a formula of `bits` shifts; all, where it has a shift."""
    found = {int(number) for number in re.findall(r"\((\d+) - bits\)", text)}
    return found or set(WHOLE.values())


@cache
def with_count(text: str, parameter: str, word: int) -> Formula:
    """A formula of `bits` with a shift of its own, or popcount(mask), instead of them."""
    if parameter == "shift":
        text = re.sub(r"\(\d+ - bits\)", "shift", text)
    elif parameter == "popcount":
        text = re.sub(r"\bbits\b", "popcount(mask)", text)
    return parse(text, word=word)


def _mask_options(
    material: Material, pins: Pins, piece: str, magic: Column, arrangement: Arrangement
) -> list[tuple[Column | None, str, MaskRule]]:
    """The source's own masks, if it lists them; else the usual ones, and then the least."""
    pinned = pins.column(material, piece, "mask")
    if pinned is not None:
        return [(pinned, pinned.where, "usual")]
    rule = pins.masks.get(piece)
    if rule is not None:
        return [(None, f"{rule}, given by hand", rule)]
    found = [
        column
        for column in material.columns
        if any((m.piece, m.arrangement) == (piece, arrangement) for m in column_mask(column))
    ]
    same = [column for column in found if column.group == magic.group]
    chosen = (same or found)[:2]
    if chosen:
        return [
            (c, c.where + (", complemented" if is_complement(c, piece) else ""), "usual")
            for c in chosen
        ]
    taken: dict[MaskRule, str] = {
        "usual": "the relevant occupancy taken",
        "least": "the squares that can change the attack set taken",
    }
    rules = material.game.mask_rules(piece)
    return [(None, f"not in the source: {taken[rule]}", rule) for rule in rules]


def _goes_with(column: Column, magic: Column, piece: str) -> bool:
    return column.group == magic.group or piece_said(column) in (None, piece)
