"""The ways to read one column of magics: orders, counts, formulas, masks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from magicert.board import Piece
from magicert.formula import Formula, parse
from magicert.scheme import SCHEMES
from magicert.square_order import ORDERS
from magicert.table.model import Values
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import Material
from magicert.verify.source.lists.roles import (
    column_mask,
    is_complement,
    is_post_mask,
    piece_said,
)
from magicert.verify.source.readings.counts import PLAUSIBLE, Count, counts, popcounts
from magicert.verify.source.readings.pins import Pins


@dataclass(frozen=True, slots=True)
class Half:
    """One piece read in one way. `bad` are the rows that conflict with themselves.

    `sources` says in words where each parameter comes from; `columns` are those used.
    """

    piece: Piece
    formula: Formula
    transform: str
    parameters: Mapping[str, Values]
    sources: Mapping[str, str]
    columns: tuple[Column, ...]
    bad: tuple[int, ...]
    count: Count | None
    likelihood: tuple[int, ...] = ()
    note: str = ""

    @property
    def magic(self) -> Column:
        """The column of the magics."""
        return self.columns[0]


_HALVES = ("two-halves", "two-halves-add")
_POST_MASKED = (
    "(((occ & mask) * magic) >> shift) & post_mask",
    "(((occ | ~mask) * magic) >> shift) & post_mask",
)


def transforms(material: Material, magic: Column, piece: Piece) -> list[str]:
    """The orders to try; a list of masks beside the magics tells the one."""
    for column in material.columns:
        if column.group == magic.group:
            told = [t for p, t, _ in column_mask(column) if p == piece]
            if told:
                return told[:1]
    return list(ORDERS)


def ways(
    material: Material, pins: Pins, piece: Piece, magic: Column, transform: str
) -> Iterator[Half]:
    """All ways to read one column of magics in one order."""
    masks = _mask_options(material, pins, piece, magic, transform)
    if pins.bits.get(piece) == "popcount":
        counted = [popcounts(piece, transform)]
    else:
        counted = pins.counts(material, piece) or counts(material, magic, piece, transform)
    posts = _post_masks(material, magic, piece)
    for count in counted:
        for formula, post in _formulas(pins, count, posts):
            for mask_column, mask_words in masks:
                parameters: dict[str, Values] = {"magic": magic.words64}
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
                    piece, formula, transform, parameters, sources, tuple(columns), (), count
                )


def _mask_values(column: Column, piece: Piece) -> Values:
    if not is_complement(column, piece):
        return column.words64
    return tuple(~word & (1 << 64) - 1 for word in column.words64)


def _formulas(
    pins: Pins, count: Count, posts: Sequence["_PostMask"]
) -> Iterator[tuple[Formula, "_PostMask | None"]]:
    if pins.formula is not None:
        yield pins.formula, None
        return
    wanted = count.parameter
    if count.kind != "shift32" and not count.windowed:
        for name in ("white", "black"):
            yield _with_count(SCHEMES[name].formula.text, wanted), None
    if count.kind != "shift":
        for name in _HALVES:
            yield _with_count(SCHEMES[name].formula.text, wanted), None
    if wanted == "shift":
        for post in posts:
            for text in _POST_MASKED:
                yield _with_count(text, wanted), post


@dataclass(frozen=True, slots=True)
class _PostMask:
    """A mask for an AND after the shift: a list, or one number for all squares."""

    values: Values
    words: str
    column: Column | None = None


def _post_masks(material: Material, magic: Column, piece: Piece) -> list[_PostMask]:
    found = [
        _PostMask(column.words64, column.where, column)
        for column in material.columns
        if is_post_mask(column) and _goes_with(column, magic, piece)
    ]
    for low in material.low_masks:
        if low.mask.bit_length() in PLAUSIBLE[piece]:
            words = f"the AND with {low.mask:#x} ({low.file}, line {low.line})"
            if (low.mask,) not in [post.values for post in found]:
                found.append(_PostMask((low.mask,), words))
    return found[:4]


@cache
def _with_count(text: str, parameter: str) -> Formula:
    if parameter == "shift":
        text = text.replace("(64 - bits)", "shift").replace("(32 - bits)", "shift")
    return parse(text)


def _mask_options(
    material: Material, pins: Pins, piece: Piece, magic: Column, transform: str
) -> list[tuple[Column | None, str]]:
    """The source's own masks, if it lists them; else the relevant occupancy."""
    pinned = pins.column(material, piece, "mask")
    if pinned is not None:
        return [(pinned, pinned.where)]
    found = [
        column
        for column in material.columns
        if any((p, t) == (piece, transform) for p, t, _ in column_mask(column))
    ]
    same = [column for column in found if column.group == magic.group]
    chosen = (same or found)[:2]
    if chosen:
        return [
            (c, c.where + (", complemented" if is_complement(c, piece) else "")) for c in chosen
        ]
    return [(None, "not in the source: the relevant occupancy taken")]


def _goes_with(column: Column, magic: Column, piece: Piece) -> bool:
    return column.group == magic.group or piece_said(column) in (None, piece)
