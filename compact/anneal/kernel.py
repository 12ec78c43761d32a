"""The annealing kernel: one square's magic, added constant and offset, all other squares fixed.

The cost of a choice is the price of every slot that it uses, plus `prices.conflict` for
every occupancy whose slot holds another attack set of the same square. The caller prices
the slots: one for a slot as such, more where another square is, more beyond the length
wanted. So one kernel finds magics with few used slots, magics for given holes, and magics
that overlap a little while something else is moved.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.random_words import Random, State, next_below
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.anneal.walk import REFUSED, WalkEffort, walk
from magicert.compact.compiled import Count, Word, entry, helper, inner

U = np.uint64
LAST_STAMP = (1 << 16) - 1
"""Where the marks in `seen` are used up: they are the upper half of a 32-bit word."""
BETWEEN_LIMITS = 64
"""Occupancies between two looks at the limit."""


class CellArrays(NamedTuple):
    """What the kernel knows of a cell.

    `shifts` are the squares of the mask bits; `numbers[n]` is the number of occupancy n's
    attack set, in doubling order; an index is `(product + around * magic + constant) >> shift`,
    where `around` is ~mask under black and 0 otherwise. `free_constant`: the constant is chosen.
    """

    shifts: NDArray[np.int64]
    numbers: NDArray[np.uint16]
    around: Word
    shift: Word
    free_constant: bool


class Prices(NamedTuple):
    """The price of every slot of the buffer, and that of a conflict.

    There is a price for every index from any offset allowed: the kernel checks no bounds.
    """

    slots: NDArray[np.int32]
    conflict: int


class Offsets(NamedTuple):
    """The lowest and the highest offset allowed, and how far an offset moves at once."""

    lowest: int
    highest: int
    jump: int = 64


class AnnealTask(NamedTuple):
    """A square to anneal into a buffer."""

    cell: CellArrays
    prices: Prices
    offsets: Offsets


class AnnealScratch(NamedTuple):
    """Working space for one cell: products of all occupancies, and who was seen at an index.

    An entry of `seen` is a stamp above the number of an attack set. Stamps rise from candidate
    to candidate, so that `seen` need not be cleared between them.
    """

    products: NDArray[np.uint64]
    seen: NDArray[np.uint32]
    stamp: NDArray[np.uint32]


@entry
def new_scratch(cell: CellArrays) -> AnnealScratch:
    """Working space for a cell."""
    indexes = np.int64(U(1) << (U(64) - cell.shift))
    return AnnealScratch(
        np.empty(len(cell.numbers), np.uint64),
        np.zeros(indexes, np.uint32),
        np.zeros(1, np.uint32),
    )


@helper
def next_mark(scratch: AnnealScratch) -> Any:  # noqa: ANN401
    """A mark larger than all in `seen`: a stamp in the upper half of a uint32."""
    if scratch.stamp[0] == np.uint32(LAST_STAMP):
        scratch.seen[:] = np.uint32(0)
        scratch.stamp[0] = np.uint32(0)
    scratch.stamp[0] += np.uint32(1)
    return scratch.stamp[0] << np.uint32(16)


@inner
def cost_of(task: AnnealTask, choice: Choice, limit: Count, scratch: AnnealScratch) -> Count:
    """The cost of one choice, or REFUSED as soon as it exceeds `limit`."""
    cell, products, seen = task.cell, scratch.products, scratch.seen
    mark = next_mark(scratch)
    price, offset = task.prices.slots, U(choice.offset)
    products[0] = cell.around * choice.magic + choice.constant
    index = products[0] >> cell.shift
    seen[index] = mark | np.uint32(cell.numbers[0])
    cost = np.int64(price[offset + index])
    size = 1
    for j in range(len(cell.shifts)):
        # The first `size` products are there; those with one more mask bit follow them.
        step = choice.magic << U(cell.shifts[j])
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
                if before != key:
                    if before < mark:
                        seen[index] = key
                        cost += np.int64(price[offset + index])
                    else:
                        cost += task.prices.conflict
            start = end
            if cost > limit:
                return np.int64(REFUSED)
    return cost


@helper
def changed_word(word: Word, state: State) -> Word:
    """A neighbour of a word: one bit turned, or a power of two added or taken away."""
    bit = U(next_below(state, 64))
    kind = next_below(state, 4)
    if kind == 0:
        return word + (U(1) << bit)
    if kind == 1:
        return word - (U(1) << bit)
    return word ^ (U(1) << bit)


@helper
def neighbour(task: Any, choice: Choice, state: State) -> tuple[Choice, bool]:  # noqa: ANN401
    """Another choice, and whether its offset is allowed. `task` is any with a cell and offsets.

    Of sixteen draws three move the offset. All but two change the magic, six of them twice;
    where the constant is free, five change that instead.
    """
    magic, constant, offset = choice.magic, choice.constant, choice.offset
    lowest, highest, jump = task.offsets
    kind = next_below(state, 16)
    if kind < 3 and highest > lowest:
        offset += next_below(state, 2 * jump + 1) - jump
        if offset < lowest or offset > highest:
            return choice, False
    if task.cell.free_constant and (kind < 1 or kind > 11):
        constant = changed_word(constant, state)
    elif kind > 1:
        magic = changed_word(magic, state)
        if kind < 8:
            magic = changed_word(magic, state)
    return Choice(magic, constant, offset), True


@entry
def anneal(
    task: AnnealTask, start: Choice, effort: WalkEffort, seed: Word
) -> tuple[Word, Word, Count, Count]:
    """Anneal from a start: magic, constant and offset of the best choice found, and its cost.

    Plain numbers, because Ctrl-C while numba makes a record of them ends in a SystemError.
    """
    scratch = new_scratch(task.cell)
    best, cost = walk(task, start, effort, seed, scratch, neighbour, cost_of)
    return best.magic, best.constant, best.offset, cost


def annealed(
    cell: CellData,
    start: Choice,
    prices: Prices,
    offsets: Offsets,
    effort: WalkEffort,
    random: Random,
) -> Seat | None:
    """The best seat found from a start; None where the best choice found has a conflict."""
    magic, constant, offset, _ = anneal(
        AnnealTask(arrays_of(cell), prices, offsets),
        Choice(np.uint64(start.magic), np.uint64(start.constant), np.int64(start.offset)),
        effort,
        np.uint64(random.integers(1 << 63)),
    )
    return Seat.of(cell, Choice(int(magic), int(constant), int(offset)))


def arrays_of(cell: CellData) -> CellArrays:
    """A cell as the kernel takes it."""
    square, free_constant = cell.square, cell.scheme == "constant"
    shift = np.uint64(64 - cell.bits)
    return CellArrays(square.shifts, square.numbers, cell.around, shift, free_constant)
