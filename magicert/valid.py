"""Magics against all occupancies at once, by the numpy reading: evaluate, sort, compare.

All indexes of a magic are sorted together with the numbers of their attack sets; the magic is valid
if no two neighbours have one index and different attack sets, and no index is too large. Every
magic that an engine reports is tried like this before anybody sees it (`check_magics`). Nothing
here is compiled; the slow reference is `magicert.cell.first_conflict`, word by word in Python.
The cost is one sort of 2^c numbers a magic, where c is the popcount of the mask.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.cell import Cell
from magicert.formula import Formula, arrays
from magicert.formula.arrays import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.outcome import NoMagic

AT_ONCE = 1 << 18
"""Lookups that are done together."""

Indexes = NDArray[np.uint64]
"""(magics, occupancies)."""


class AllIndexes:
    """The indexes of all occupancies under any magic, and where they conflict.

    `values` holds every name of the formula but `occ` and `free`; `attacks[n]` is the number of
    the attack set of `occupancies[n]`. Indexes above `last_index` are not allowed.
    """

    def __init__(
        self,
        formula: Formula,
        free: str,
        values: Mapping[str, int],
        occupancies: Sequence[int],
        attacks: Sequence[int],
        last_index: int,
    ) -> None:
        self.formula = formula
        self.free = free
        self.attacks = np.array(attacks, dtype=np.int64)
        self.attack_sets = int(self.attacks.max()) + 1
        self.last_index = last_index
        self.arrays = {
            name: arrays.words([[value]], formula.word) for name, value in values.items()
        }
        self.arrays[OCCUPANCY] = arrays.words([occupancies], formula.word)

    def of(self, magics: Sequence[int] | arrays.Words) -> Indexes:
        """The index of every occupancy under every magic; 2^64 - 1 where it has more bits."""
        values = {**self.arrays, self.free: arrays.words(magics, self.formula.word)[:, None]}
        read = arrays.indexes(evaluate(self.formula.tree, values, self.formula.text))
        return np.broadcast_to(read.astype(np.uint64), (len(magics), len(self.attacks)))

    def valid(self, magics: Sequence[int] | arrays.Words) -> NDArray[np.bool_]:
        indexes = self.of(magics)
        within = np.minimum(indexes, np.uint64(self.last_index)).astype(np.int64)
        # One number for index and attack set sorts faster than two columns.
        keys = np.sort(within * self.attack_sets + self.attacks, axis=1)
        conflicts = _conflicts(*np.divmod(keys, self.attack_sets))
        too_large = indexes > np.uint64(self.last_index)
        return ~(np.any(conflicts, axis=1) | np.any(too_large, axis=1))

    def conflicts(self, magic: int) -> list[tuple[int, int]]:
        """Pairs of places that conflict, at most one for each two neighbours in the order
        of (index, attack set); (place, place) where an index is too large. Empty exactly
        for a valid magic.
        """
        (indexes,) = self.of([magic])
        too_large = np.flatnonzero(indexes > np.uint64(self.last_index))
        order = np.lexsort((self.attacks, indexes))
        at = np.flatnonzero(_conflicts(indexes[order], self.attacks[order]))
        pairs = [(int(order[i]), int(order[i + 1])) for i in at]
        return [(int(place), int(place)) for place in too_large] + pairs


def _conflicts(indexes: NDArray[Any], attacks: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Where neighbours, sorted by index and attack set, have one index and two attack sets."""
    same_index = indexes[..., 1:] == indexes[..., :-1]
    return same_index & (attacks[..., 1:] != attacks[..., :-1])


def _all_indexes(cell: Cell) -> AllIndexes:
    values = {"bits": cell.bits, **cell.fixed, "mask": cell.mask}
    scheme = cell.scheme
    return AllIndexes(scheme.formula, scheme.free, values, cell.words, cell.values, cell.last_index)


def _in_parts(cell: Cell, magics: Sequence[int]) -> Iterator[Sequence[int]]:
    """As many magics at a time as fit."""
    many = max(1, AT_ONCE // len(cell.words))
    return (magics[first : first + many] for first in range(0, len(magics), many))


def invalid(cell: Cell, magics: Sequence[int]) -> list[int]:
    """Those of the magics that break the cell: two occupancies with different attack sets share
    an index, or an index is larger than the cell allows.
    """
    indexes = _all_indexes(cell)
    not_magic: list[int] = []
    for some in _in_parts(cell, magics):
        not_magic += [
            magic for magic, valid in zip(some, indexes.valid(some), strict=True) if not valid
        ]
    return not_magic


def conflict_of(cell: Cell, magic: int) -> NoMagic | None:
    """Why a number is no magic of the cell; None where it is one."""
    indexes = _all_indexes(cell)
    for first, second in indexes.conflicts(magic):
        (shared,) = indexes.of([magic])
        return NoMagic(magic, (cell.words[first], cell.words[second]), int(shared[first]))
    return None


def largest_indexes(cell: Cell, magics: Sequence[int]) -> list[int]:
    """The largest index of each of the magics. Raises ValueError where one is no magic."""
    wrong = invalid(cell, magics)
    if wrong:
        raise ValueError(f"{cell}: {wrong[0]:#x} is no magic")
    indexes = _all_indexes(cell)
    return [int(i) for some in _in_parts(cell, magics) for i in indexes.of(some).max(axis=1)]


def check_magics(cell: Cell, magics: Sequence[int], source: str) -> None:
    """Nobody is believed: check all magics, for all occupancies, before anybody sees one.

    Raises AssertionError (a bug of ours) for none at all, or one that is no magic.
    """
    wrong = invalid(cell, magics)
    if wrong or not magics:
        what = f"{wrong[0]:#x}, which is no magic" if wrong else "a magic, but none is given"
        raise AssertionError(f"{source} reported {what} ({cell})")
