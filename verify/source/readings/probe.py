"""A fast count of the squares on which a reading fails, before the exhaustive verifier.

It looks at conflicts inside one square only: offsets and buffers come later. A reading
that it refuses is wrong; one that it lets pass has still to be verified.
"""

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece, mask
from magicert.formula import Formula
from magicert.formula.numpy_reading import RowsError, evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.square_order import square_at
from magicert.verify.table.domain import Group, groups

Words = NDArray[np.uint64]

LARGEST_INDEX, LARGEST_BUFFER = 1 << 15, 1 << 22
SAMPLED = 6
"""Squares of a quick look."""


@cache
def _domain(piece: Piece) -> list[Group]:
    return groups(piece, tuple(mask(piece, square) for square in range(64)), tuple(range(64)))


@cache
def _masks(piece: Piece) -> Words:
    """The true masks by bit, (64, 1)."""
    return np.array([[mask(piece, square)] for square in range(64)], np.uint64)


@cache
def _rows(transform: str) -> NDArray[np.intp]:
    """The row that each bit belongs to."""
    rows = np.empty(64, np.intp)
    for row in range(64):
        rows[square_at(transform, row)] = row
    return rows


def bad_in_sample(
    piece: Piece, transform: str, formula: Formula, parameters: Mapping[str, Words]
) -> int:
    """How many of SAMPLED squares conflict, of 10 (rook) or 7 (bishop) occupancy bits.

    On the bishop's squares with 5 and 6 bits, random numbers are often right.
    """
    group = _domain(piece)[0 if piece == Piece.ROOK else 2]
    places = np.linspace(0, len(group.rows) - 1, SAMPLED).astype(np.intp)
    # A part of the occupancies is enough: a wrong reading conflicts everywhere.
    step = max(1, group.occupancies.shape[1] // 512)
    return int(_bad(group, places, transform, formula, parameters, step).sum())


def bad_rows(
    piece: Piece, transform: str, formula: Formula, parameters: Mapping[str, Words]
) -> list[int]:
    """All rows whose square conflicts with itself."""
    rows = _rows(transform)
    found: list[int] = []
    for group in _domain(piece):
        bad = _bad(group, np.arange(len(group.rows)), transform, formula, parameters)
        found += rows[group.rows[bad]].tolist()
    return sorted(found)


def _bad(
    group: Group,
    places: NDArray[np.intp],
    transform: str,
    formula: Formula,
    parameters: Mapping[str, Words],
    step: int = 1,
) -> NDArray[np.bool_]:
    squares = group.rows[places]
    rows = _rows(transform)[squares]
    occupancies, attacks = group.occupancies[places, ::step], group.attacks[places, ::step]
    values = {"mask": _masks(group.piece)[squares]} | {
        name: column[rows] for name, column in parameters.items()
    }
    try:
        index = evaluate(formula.tree, {**values, OCCUPANCY: occupancies}, formula.text)
    except RowsError:
        return np.ones(len(places), np.bool_)
    slots, too_large = _slots(np.broadcast_to(index, occupancies.shape))
    width = int(slots.max()) + 1
    slots += np.arange(len(places))[:, None] * width
    table = np.empty(len(places) * width, np.uint64)
    table[slots] = attacks
    return too_large | (table[slots] != attacks).any(axis=1)


def _slots(index: Words) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Indexes as small numbers, and the rows where they are too large for any buffer."""
    too_large: NDArray[np.bool_] = np.any(index >= LARGEST_INDEX, axis=1)
    if too_large.any() and (index < LARGEST_BUFFER).all():
        # More bits than any mask needs: legal, and rare enough for a slower way.
        numbered = np.unique(index, return_inverse=True)[1].reshape(index.shape)
        return numbered.astype(np.int64), np.zeros(len(index), np.bool_)
    return np.minimum(index, LARGEST_INDEX - 1).astype(np.int64), too_large
