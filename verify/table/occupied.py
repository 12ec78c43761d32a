"""A buffer of attack sets: everything is written, then everything is read back.

The anti-pattern of the field is a table builder that overwrites a slot without ever
looking. Here every lookup must find its own attack set once all have been written.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from magicert.formula.wide import Words
from magicert.verify.table.layout import PieceLayout
from magicert.verify.table.lookups import Block, Lookups

DENSE_SLOTS = 1 << 23
"""Up to this length the buffer is an array; its untouched pages cost no memory."""
MOST_DENSE = 1 << 26
"""Up to this length it is one, too, where lookups fill it: to sort their slots takes far longer."""


class Occupied:
    """Which attack set stands in which slot; free slots hold nothing of meaning."""

    def __init__(self, lookups: Lookups) -> None:
        highest, count = -1, 0
        lowest: int | None = None
        dtype: np.dtype[Any] = np.dtype(np.uint64)
        for block in lookups:
            dtype = block.attacks.dtype
            count += block.slots.size
            inside = block.slots if block.outside is None else block.slots[~block.outside]
            if inside.size:
                least = int(inside.min())
                highest = max(highest, int(inside.max()))
                lowest = least if lowest is None else min(lowest, least)
        self.length = highest + 1
        self.min_slot = lowest or 0
        self.keys: NDArray[np.int64] | None = None
        filled = self.length <= min(MOST_DENSE, 2 * count)
        if self.length > DENSE_SLOTS and not filled:
            keys = np.empty(0, dtype=np.int64)
            for block in lookups:
                keys = np.union1d(keys, block.slots[block.slots >= 0])
            self.keys = keys
        self.size = self.length if self.keys is None else len(self.keys)
        self.attacks = np.zeros(max(1, self.size), dtype=dtype)

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

    def _inside(self, block: Block) -> tuple[NDArray[np.int64], Words]:
        if block.outside is None:
            return self.places(block.slots), block.attacks
        inside = ~block.outside
        return self.places(block.slots[inside]), block.attacks[inside]


class Owners:
    """Which square wrote a slot last: a *member* of the buffer, its piece's rows counted on.

    Attack sets of two squares can be the same, and may then share a slot.
    """

    def __init__(self, lookups: Lookups, occupied: Occupied) -> None:
        self.lookups = lookups
        self.occupied = occupied
        layout = lookups.buffer
        self.rows = layout.rows
        self.members = self.rows * len(layout.pieces)
        self.first = {id(piece): self.rows * n for n, piece in enumerate(layout.pieces)}
        kind = np.uint8 if self.members < 1 << 8 else np.uint16
        self.nobody = int(np.iinfo(kind).max)
        self.owner = np.full(len(occupied.attacks), self.nobody, dtype=kind)

    def member(self, layout: PieceLayout, row: int) -> int:
        """The number of a square among all of the buffer."""
        return self.first[id(layout)] + row

    def write(self, block: Block) -> None:
        """The squares of a block write their slots."""
        places, members = self._inside(block)
        self.owner[places] = members

    def count(self) -> int:
        """The number of slots used."""
        return int(np.count_nonzero(self.owner != self.nobody))

    def slots_used(self, exact: bool, apart: bool) -> list[int]:
        """The slots that each member uses, once all have written.

        A slot counts for its owner; the slots of squares that are not the owners of all of theirs
        are counted one by one, as are those of all squares unless `exact`. Where all are known
        to be `apart`, nobody has to look.
        """
        used: list[int] = np.bincount(self.owner, minlength=self.members)[: self.members].tolist()
        if exact and apart:
            return used
        shared = self._overwritten() if exact else set(range(self.members))
        for member, slots in self._slots(shared).items():
            used[member] = len(slots - {-1})
        return used

    def _overwritten(self) -> set[int]:
        """The members that wrote a slot which another one wrote later."""
        overwritten: set[int] = set()
        for block in self.lookups:
            places, members = self._inside(block)
            lost = self.owner[places] != members
            if lost.any():
                overwritten.update(np.unique(members[lost]).tolist())
        return overwritten

    def _slots(self, members: set[int]) -> dict[int, set[int]]:
        slots: dict[int, set[int]] = {}
        for block in self.lookups if members else ():
            for place, row in enumerate(block.rows.tolist()):
                member = self.member(block.layout, row)
                if member in members:
                    slots.setdefault(member, set()).update(block.slots[place].tolist())
        return slots

    def _inside(self, block: Block) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The places of a block's lookups, and the members that make them."""
        members = (self.first[id(block.layout)] + block.rows).astype(self.owner.dtype)
        rows = np.broadcast_to(members[:, None], block.slots.shape)
        slots = block.slots
        if block.outside is not None:
            slots, rows = slots[~block.outside], rows[~block.outside]
        return self.occupied.places(slots), rows
