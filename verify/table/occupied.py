"""A buffer of attack sets: everything is written, then everything is read back.

The anti-pattern of the field is a table builder that overwrites a slot without ever
looking. Here every lookup must find its own attack set once all have been written.
"""

import numpy as np
from numpy.typing import NDArray

from magicert.verify.table.lookups import Block, Lookups

DENSE_SLOTS = 1 << 23
"""Up to this length the buffer is an array; its untouched pages cost no memory."""


class Occupied:
    """Which attack set stands in which slot. Attack sets are never empty, so 0 is a free slot."""

    def __init__(self, lookups: Lookups) -> None:
        highest = -1
        lowest: int | None = None
        for block in lookups:
            inside = block.slots if block.outside is None else block.slots[~block.outside]
            if inside.size:
                least = int(inside.min())
                highest = max(highest, int(inside.max()))
                lowest = least if lowest is None else min(lowest, least)
        self.length = highest + 1
        self.min_slot = lowest or 0
        self.keys: NDArray[np.int64] | None = None
        if self.length > DENSE_SLOTS:
            keys = np.empty(0, dtype=np.int64)
            for block in lookups:
                keys = np.union1d(keys, block.slots[block.slots >= 0])
            self.keys = keys
        self.size = self.length if self.keys is None else len(self.keys)
        self.attacks = np.zeros(max(1, self.size), dtype=np.uint64)

    def places(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where slots stand in `attacks`."""
        return slots if self.keys is None else np.searchsorted(self.keys, slots)

    def slots(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The slots that stand at `places`: the inverse of `places`."""
        return places if self.keys is None else self.keys[places]

    def write(self, block: Block) -> None:
        """Write the attack sets of a block, whatever stands there already."""
        places, attacks = self._inside(block)
        self.attacks[places] = attacks

    def conflicts(self, block: Block) -> NDArray[np.int64]:
        """The places, with repeats, where something else stands than a block wrote.

        Once all blocks are written: of several attack sets written to one place one stands
        there, and the lookups of the others find it here.
        """
        places, attacks = self._inside(block)
        return places[self.attacks[places] != attacks]

    def _inside(self, block: Block) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        if block.outside is None:
            return self.places(block.slots), block.attacks
        inside = ~block.outside
        return self.places(block.slots[inside]), block.attacks[inside]

    def count(self) -> int:
        """The number of slots used."""
        return int(np.count_nonzero(self.attacks))
