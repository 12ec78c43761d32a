"""The place kernel: a square's magic and offset, annealed into a layered buffer.

A candidate pays for every slot that it uses: nothing where others want the entry anyway and agree,
a little for a fresh entry, more beyond the end, and much where somebody wants a bit otherwise.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.kernel import (
    AnnealScratch,
    CellArrays,
    Offsets,
    neighbour,
    new_scratch,
)
from magicert.compact.anneal.seat import Choice
from magicert.compact.anneal.squares import Words
from magicert.compact.anneal.walk import REFUSED, WalkEffort, walk
from magicert.compact.compiled import Count, Word, entry, inner

U = np.uint64
BETWEEN_LIMITS = 32


class EntryDemands(NamedTuple):
    """The buffer: ones and zeros wanted of each entry, and the price of using it.

    They reach as far as any index from any offset allowed: the kernel checks no bounds.
    """

    ones: Words
    zeros: Words
    price: NDArray[np.int32]
    clash: int
    conflict: int


class PlaceTask(NamedTuple):
    """A square to place: its cell, what its occupancies want, the buffer, the offsets allowed."""

    cell: CellArrays
    ones: Words
    zeros: Words
    ground: EntryDemands
    offsets: Offsets


@inner
def place_cost(task: PlaceTask, choice: Choice, limit: Count, scratch: AnnealScratch) -> Count:
    """The cost of one choice, or REFUSED as soon as it exceeds `limit`."""
    cell, ground, products, seen = task.cell, task.ground, scratch.products, scratch.seen
    if scratch.stamp[0] == np.uint32(0xFFFF):
        seen[:] = np.uint32(0)
        scratch.stamp[0] = np.uint32(0)
    scratch.stamp[0] += np.uint32(1)
    mark = scratch.stamp[0] << np.uint32(16)
    offset, cost = U(choice.offset), np.int64(0)
    products[0] = cell.around * choice.magic + choice.constant
    size, start = 1, 0
    for j in range(len(cell.shifts) + 1):
        if j > 0:
            step = choice.magic << U(cell.shifts[j - 1])
            for n in range(size):
                products[size + n] = products[n] + step
            start = size
            size *= 2
        while start < size:
            end = min(start + BETWEEN_LIMITS, size)
            for n in range(start, end):
                index = products[n] >> cell.shift
                key = mark | np.uint32(cell.numbers[n])
                before = seen[index]
                if before == key:
                    continue
                if before >= mark:
                    cost += ground.conflict
                    continue
                seen[index] = key
                slot = offset + index
                if (task.ones[n] & ground.zeros[slot]) | (task.zeros[n] & ground.ones[slot]):
                    cost += ground.clash
                cost += np.int64(ground.price[slot])
            start = end
            if cost > limit:
                return np.int64(REFUSED)
    return cost


@entry
def place(
    task: PlaceTask, start: Choice, effort: WalkEffort, seed: Word
) -> tuple[Word, Word, Count, Count]:
    """Anneal from a start: magic, constant and offset of the best choice found, and its cost."""
    scratch: Any = new_scratch(task.cell)
    best, cost = walk(task, start, effort, seed, scratch, neighbour, place_cost)
    return best.magic, best.constant, best.offset, cost
