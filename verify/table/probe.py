"""A fast count of the squares on which a reading fails, before the exhaustive verifier.

It looks at conflicts inside one square only: offsets and buffers come later. A reading
that it refuses is wrong; one that it lets pass has still to be verified.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from magicert.formula import Formula
from magicert.formula.numpy_reading import RowsError, evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.formula.wide import Words, indexes
from magicert.table.model import MaskRule
from magicert.verify.table.attacks import SizeGroup, chunk, groups
from magicert.verify.table.game import Game, SquareNumbering

LARGEST_INDEX, LARGEST_BUFFER = 1 << 15, 1 << 22
"""Indexes of chess's tables are below the first; of any table, below the second."""
MOST_LOOKUPS = 1 << 22
SAMPLED = 6
"""Squares of a quick look."""
TELLING_BITS = 7
"""Of squares with fewer occupancy bits, random numbers are often right."""


@lru_cache(maxsize=6)
def _domain(game: Game, piece: str, order: str, rule: MaskRule) -> tuple[SizeGroup, ...]:
    """All occupancies; the rows of a group are bits."""
    by_bit = SquareNumbering(order, order)
    masks = game.masks(piece, by_bit, rule)
    return tuple(groups(game.mover(piece, by_bit), masks, tuple(range(game.squares))))


@cache
def _rows(game: Game, arrangement: SquareNumbering) -> NDArray[np.intp]:
    """The row that each bit belongs to."""
    rows = np.empty(game.squares, np.intp)
    for row in range(game.squares):
        rows[arrangement.row_bit(row, game.board)] = row
    return rows


@dataclass(frozen=True, slots=True)
class Probe:
    """A piece on the squares of an arrangement, with masks by a rule."""

    game: Game
    piece: str
    arrangement: SquareNumbering
    rule: MaskRule = "usual"

    def bad_in_sample(self, formula: Formula, parameters: Mapping[str, Words]) -> int:
        """How many of SAMPLED squares conflict, of a common number of occupancy bits (of chess's
        rook 10, of its bishop 7).
        """
        group = _telling(self._groups())
        places = np.linspace(0, len(group.rows) - 1, SAMPLED).astype(np.intp)
        # A part of the occupancies is enough: a wrong reading conflicts everywhere, as soon as
        # there are many more pairs of them than indexes.
        bits = group.occupancies.shape[1].bit_length() - 1 + len(group.high[0])
        step = max(1, group.occupancies.shape[1] // max(512, 8 << bits // 2))
        occupancies, attacks = group.occupancies[places, ::step], group.attacks[places, ::step]
        return int(self._bad(group.rows[places], occupancies, attacks, formula, parameters).sum())

    def bad_rows(self, formula: Formula, parameters: Mapping[str, Words]) -> list[int]:
        """All rows whose square conflicts with itself; of a piece with more than MOST_LOOKUPS
        occupancies, those that show it in a part of them.
        """
        rows = _rows(self.game, self.arrangement)
        found: list[int] = []
        all_groups = self._groups()
        lookups = sum(group.occupancies.size << len(group.high[0]) for group in all_groups)
        for group in all_groups:
            known = _whole(group) if lookups <= MOST_LOOKUPS else chunk(group, 0)
            bad = self._bad(group.rows, *known, formula, parameters)
            found += rows[group.rows[bad]].tolist()
        return sorted(found)

    def _groups(self) -> tuple[SizeGroup, ...]:
        return _domain(self.game, self.piece, self.arrangement.order, self.rule)

    def _bad(
        self,
        bits: NDArray[np.intp],
        occupancies: Words,
        attacks: Words,
        formula: Formula,
        parameters: Mapping[str, Words],
    ) -> NDArray[np.bool_]:
        """Which of the squares of some bits conflict with themselves."""
        rows = _rows(self.game, self.arrangement)[bits]
        masks = self.game.mask_words(self.piece, self.arrangement, self.rule)
        values = {"mask": masks[rows].reshape(-1, 1)} | {
            name: column[rows] for name, column in parameters.items()
        }
        try:
            index = evaluate(formula.tree, {**values, OCCUPANCY: occupancies}, formula.text)
        except RowsError:
            return np.ones(len(bits), np.bool_)
        slots, too_large = _slots(np.broadcast_to(indexes(index), occupancies.shape))
        width = int(slots.max()) + 1
        slots += np.arange(len(bits))[:, None] * width
        table = np.empty(len(bits) * width, attacks.dtype)
        table[slots] = attacks
        return too_large | (table[slots] != attacks).any(axis=1)


def _telling(found: tuple[SizeGroup, ...]) -> SizeGroup:
    """The largest group of squares with enough bits; else the one with the most bits."""
    enough = [group for group in found if group.occupancies.shape[1] >> TELLING_BITS]
    return max(enough, key=lambda group: len(group.rows)) if enough else found[-1]


def _whole(group: SizeGroup) -> tuple[Words, Words]:
    """All occupancies of a group with their attack sets, those with high bits as well."""
    chunks = [chunk(group, number) for number in range(1 << len(group.high[0]))]
    if len(chunks) == 1:
        return chunks[0]
    occupancies, attacks = zip(*chunks, strict=True)
    return np.concatenate(occupancies, axis=1), np.concatenate(attacks, axis=1)


def _slots(index: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Indexes as small numbers, and the rows where they are too large for any buffer."""
    largest = max(LARGEST_INDEX, 4 * index.shape[1])
    too_large: NDArray[np.bool_] = np.any(index >= largest, axis=1)
    if too_large.any() and (index < LARGEST_BUFFER).all():
        # More bits than any mask needs: legal, and rare enough for a slower way.
        numbered = np.unique(index, return_inverse=True)[1].reshape(index.shape)
        return numbered.astype(np.int64), np.zeros(len(index), np.bool_)
    return np.minimum(index, largest - 1).astype(np.int64), too_large
