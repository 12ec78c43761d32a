"""The way into the annealing kernel, for everyone who anneals a single square."""

import numpy as np

from magicert.compact.anneal.kernel import CellArrays, Offsets, Prices, Task, anneal
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.anneal.walk import Effort

Random = np.random.Generator


def annealed(
    cell: CellData, start: Choice, prices: Prices, offsets: Offsets, effort: Effort, random: Random
) -> Seat | None:
    """The best seat found from a start; None where the best choice found has a conflict."""
    best, _ = anneal(
        Task(arrays_of(cell), prices, offsets),
        Choice(np.uint64(start.magic), np.uint64(start.constant), np.int64(start.offset)),
        effort,
        np.uint64(random.integers(1 << 63)),
    )
    return Seat.of(cell, Choice(int(best.magic), int(best.constant), int(best.offset)))


def arrays_of(cell: CellData) -> CellArrays:
    """A cell as the kernel takes it."""
    square = cell.square
    free_constant = cell.scheme == "constant"
    shift = np.uint64(64 - cell.bits)
    return CellArrays(square.shifts, square.numbers, cell.around, shift, free_constant)
