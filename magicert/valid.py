"""Which of many magics are valid for a cell: all occupancies at once, by the numpy reading."""

from collections.abc import Sequence

import numpy as np

from magicert.board import attack_set
from magicert.cell import Cell, numbered
from magicert.formula.numpy_reading import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.occupancy import carry_rippler

AT_ONCE = 1 << 18
"""Lookups that are done together."""


def invalid(cell: Cell, magics: Sequence[int]) -> list[int]:
    """Those of the magics that break the cell: two occupancies with different attack sets share
    an index, or an index is larger than the cell allows.
    """
    occupancies = list(carry_rippler(cell.mask))
    attack = np.array(numbered(attack_set(cell.piece, cell.square, o) for o in occupancies))
    count = int(attack.max()) + 1
    values = {"bits": cell.bits, **cell.fixed, "mask": cell.mask}
    arrays = {name: np.array([[value]], dtype=np.uint64) for name, value in values.items()}
    arrays[OCCUPANCY] = np.array([occupancies], dtype=np.uint64)
    many = max(1, AT_ONCE >> cell.c)
    found: list[int] = []
    for first in range(0, len(magics), many):
        some = magics[first : first + many]
        arrays[cell.scheme.free] = np.array(some, dtype=np.uint64)[:, None]
        read = evaluate(cell.scheme.formula.tree, arrays, cell.scheme.formula.text)
        index = np.broadcast_to(read, (len(some), len(occupancies)))
        # Sorted by index, then attack set, two that conflict are neighbours.
        keys = np.sort(np.minimum(index, cell.last_index).astype(np.int64) * count + attack, axis=1)
        differ = keys[:, 1:] != keys[:, :-1]
        same_index = keys[:, 1:] // count == keys[:, :-1] // count
        valid = ~(differ & same_index).any(axis=1) & (index <= cell.last_index).all(axis=1)
        found += [magic for magic, holds in zip(some, valid, strict=True) if not holds]
    return found
