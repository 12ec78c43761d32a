"""Movers: a piece, or one of its lines, on a square of any board, as packing knows it.

A mover's lookups are numbers: for each occupancy the number of its attack set. Which attack sets
those are, `sets` says by numbers that are common to all movers of a buffer, so that equal attack
sets have equal numbers, and nothing here depends on the width of a bitboard. Products have two
lanes of 64 bits; words of 64 bits stand in the high lane.

When: `magicert pack` for a table of any board of up to 128 squares.

Why: two movers may use one slot if and only if the same attack set is in it. Cannons have the empty
set almost everywhere, and on a line many of the others.

Cost: as of `anneal`, whose walk it is; an addition of two lanes instead of one. What is found is
checked as there: a choice with a conflict is none.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.blockers import blockers_of
from magicert.board import Board, bitboard, squares_of
from magicert.compact.anneal import BETWEEN_LIMITS, next_mark
from magicert.compact.kernels import (
    FREE,
    REFUSED,
    Count,
    Held,
    State,
    WalkEffort,
    Word,
    entry_point,
    helper,
    inner,
    next_below,
    walk,
)
from magicert.compact.placements import Random, Slots
from magicert.formula import arrays
from magicert.movement import Movement, attacks_of

U = np.uint64
LANE = (1 << 64) - 1
WIDEST = 128
"""The bits of the widest words whose magics are annealed."""

Key = tuple[str, int]
"""A piece by its name, and the square that it stands on."""


@dataclass(frozen=True, slots=True, eq=False)
class Mover:
    """A piece on a square. `shifts[j]` is the square of mask bit j; occupancy n is the subset of
    them that the bits of n choose. `numbers[n]` numbers its attack set among those of this mover,
    `sets` says what each of these is in the buffer. `width` is that of the board's words, `bits`
    are the numbers of index bits that it may have.

    `others` make the same lookups from other squares, each with the same magic moved down.
    """

    key: Key
    width: int
    shifts: NDArray[np.int64]
    numbers: Held
    sets: Held
    bits: tuple[int, ...]
    others: tuple[Key, ...] = ()

    @property
    def mask(self) -> int:
        return bitboard(self.shifts.tolist())

    def indexes(self, magic: int, bits: int) -> Slots:
        """The index of every occupancy."""
        high, low = np.zeros(1, U), np.zeros(1, U)
        for shift in self.shifts.tolist():
            step = (magic << shift) & ((1 << self.width) - 1)
            step <<= WIDEST - self.width
            sums = low + U(step & LANE)
            carries = (sums < low).astype(U)
            high = np.concatenate([high, high + U(step >> 64) + carries])
            low = np.concatenate([low, sums])
        return (high >> U(64 - bits)).astype(np.int64)

    def placed(self, magic: int, bits: int, offset: int = 0) -> "MoverPlacement | None":
        """The placement of a magic; None where two attack sets share an index."""
        index = self.indexes(magic, bits)
        used, first = np.unique(index, return_index=True)
        numbers = self.numbers[first]
        if (numbers[np.searchsorted(used, index)] != self.numbers).any():
            return None
        return MoverPlacement(self, magic, bits, offset, used, self.sets[numbers])


def mover_of(
    key: Key, board: Board, movement: Movement, mask: int, bits: tuple[int, ...]
) -> tuple[Mover, list[int]]:
    """A piece on a square, with the occupancies of this mask, and its attack sets by their own
    numbers, which are its `sets` for now.
    """
    square = key[1]
    blockers = blockers_of(board, movement, square, mask)
    numbers = blockers.numbers.astype(np.int32)
    first = np.unique(numbers, return_index=True)[1]
    occupancies = arrays.ints(blockers.occupancies[first])
    attacks = [attacks_of(board, movement, square, occupied) for occupied in occupancies]
    shifts = np.array(list(squares_of(mask)), dtype=np.int64)
    own = np.arange(len(attacks), dtype=np.int32)
    return Mover(key, board.word, shifts, numbers, own, bits), attacks


def alike(movers: Iterable[Mover]) -> list[Mover]:
    """Movers that make the same lookups from different squares, as one. It stands on the highest
    of them: (occ >> d) * (magic << d) is occ * magic.
    """
    groups: dict[object, list[Mover]] = {}
    for mover in movers:
        around = (mover.shifts - mover.key[1]).tobytes()
        lookups = mover.numbers.tobytes(), mover.sets.tobytes()
        groups.setdefault((mover.bits, around, lookups), []).append(mover)
    return [_as_one(sorted(group, key=lambda mover: -mover.key[1])) for group in groups.values()]


def _as_one(group: list[Mover]) -> Mover:
    return replace(group[0], others=tuple(mover.key for mover in group[1:]))


@dataclass(frozen=True, slots=True, eq=False)
class MoverPlacement:
    """A mover's place in a buffer: magic, index bits and offset, and the slots from there that it
    uses, `used` (sorted), with the attack set in each, `holds`.
    """

    mover: Mover
    magic: int
    bits: int
    offset: int
    used: Slots
    holds: Held

    def at(self, offset: int) -> "MoverPlacement":
        """The same magic at another offset."""
        return replace(self, offset=offset)

    @property
    def key(self) -> Key:
        return self.mover.key

    @property
    def magics(self) -> dict[Key, int]:
        """The magic of each square that the mover stands for."""
        keys, full = (self.key, *self.mover.others), (1 << self.mover.width) - 1
        return {key: self.magic << (self.key[1] - key[1]) & full for key in keys}

    @property
    def slots(self) -> Slots:
        """The slots in use, sorted."""
        return self.used + self.offset

    @property
    def end(self) -> int:
        """The last slot used + 1."""
        return int(self.used[-1]) + self.offset + 1

    @property
    def words(self) -> NDArray[np.uint64]:
        """The attack set in each slot used, by its number."""
        return self.holds.astype(U)


# The annealing kernel: one mover's magic and offset, all others fixed.
#
# What a slot costs is read off what it holds: nothing where it has the attack set that is wanted
# there, and most where it has another one. The walk, its temperature and its marks are those of
# `anneal`; products have two lanes.


class Wide(NamedTuple):
    """What is chosen for a mover: a magic's two lanes, and an offset."""

    high: Any
    low: Any
    offset: Any


class SlotPrices(NamedTuple):
    """What is in each slot, FREE where nothing is, and what a slot costs that is free, that holds
    another attack set, or lies at `goal` or beyond; and a conflict. There is a slot for every index
    from any offset allowed: the kernel checks no bounds.
    """

    held: Held
    free: int
    taken: int
    closed: int
    goal: int
    conflict: int


class MoverTask(NamedTuple):
    """A mover to anneal into a buffer. `shifts` are those that move a magic to the high lane, and
    an index is the high lane of the product shifted by `shift`.
    """

    shifts: NDArray[np.int64]
    numbers: Held
    sets: Held
    shift: Word
    bits: int
    prices: SlotPrices
    lowest: int
    highest: int
    jump: int


class WideScratch(NamedTuple):
    """Working space: products of all occupancies, and who was seen at an index."""

    high: NDArray[np.uint64]
    low: NDArray[np.uint64]
    marks: NDArray[np.uint32]
    stamp: NDArray[np.uint32]


@inner
def step_of(choice: Wide, shift: Count) -> tuple[Word, Word]:
    """The magic's lanes moved up by 0 to 127 bits."""
    if shift >= 64:
        return choice.low << U(shift - 64), U(0)
    if shift == 0:
        return choice.high, choice.low
    return (choice.high << U(shift)) | (choice.low >> U(64 - shift)), choice.low << U(shift)


@inner
def price_of(prices: SlotPrices, slot: Count, wanted: Any) -> Count:  # noqa: ANN401
    """What it costs to have an attack set in a slot."""
    held = prices.held[slot]
    price = np.int64(0)
    if slot >= prices.goal:
        price += prices.closed
    if held == FREE:
        price += prices.free
    elif held != wanted:
        price += prices.taken
    return price


@inner
def wide_cost(task: MoverTask, choice: Wide, limit: Count, scratch: WideScratch) -> Count:
    """The cost of one choice, or REFUSED as soon as it exceeds `limit`."""
    high, low, marks = scratch.high, scratch.low, scratch.marks
    mark = next_mark(scratch)
    high[0], low[0] = U(0), U(0)
    marks[0] = mark | np.uint32(task.numbers[0])
    cost = price_of(task.prices, choice.offset, task.sets[task.numbers[0]])
    size = 1
    for j in range(len(task.shifts)):
        step_high, step_low = step_of(choice, task.shifts[j])
        for n in range(size):
            total = low[n] + step_low
            low[size + n] = total
            high[size + n] = high[n] + step_high + (U(1) if total < step_low else U(0))
        start = size
        size *= 2
        while start < size:
            end = min(start + BETWEEN_LIMITS, size)
            for n in range(start, end):
                index = high[n] >> task.shift
                number = task.numbers[n]
                key = mark | np.uint32(number)
                before = marks[index]
                if before != key:
                    if before < mark:
                        marks[index] = key
                        slot = choice.offset + np.int64(index)
                        cost += price_of(task.prices, slot, task.sets[number])
                    else:
                        cost += task.prices.conflict
            start = end
            if cost > limit:
                return np.int64(REFUSED)
    return cost


@inner
def changed_lanes(high: Word, low: Word, bit: Count, kind: Count) -> tuple[Word, Word]:
    """A magic with one bit turned, or a power of two added or taken away."""
    one = U(1) << U(bit & 63)
    if bit >= 64:
        if kind == 0:
            return high + one, low
        if kind == 1:
            return high - one, low
        return high ^ one, low
    if kind == 0:
        total = low + one
        return high + (U(1) if total < one else U(0)), total
    if kind == 1:
        return high - (U(1) if low < one else U(0)), low - one
    return high, low ^ one


BELOW_INDEX = 4
"""So many bits below the index may a change of a magic begin."""


@helper
def wide_neighbour(task: MoverTask, choice: Wide, state: State) -> tuple[Wide, bool]:
    """Another choice, and whether it is allowed. Of sixteen draws three move the offset; all but
    two change the magic, six of them twice: where one bit of the mask meets the index.
    """
    high, low, offset = choice.high, choice.low, choice.offset
    kind = next_below(state, 16)
    if kind < 3 and task.highest > task.lowest:
        offset += next_below(state, 2 * task.jump + 1) - task.jump
        if offset < task.lowest or offset > task.highest:
            return choice, False
    changes = 0 if kind < 2 else (2 if kind < 8 else 1)
    for _ in range(changes):
        shift = task.shifts[next_below(state, len(task.shifts))]
        bit = 127 - next_below(state, task.bits + BELOW_INDEX) - shift
        how = next_below(state, 4)
        if bit < 0:
            return choice, False
        high, low = changed_lanes(high, low, bit, how)
    return Wide(high, low, offset), True


@entry_point
def wide_anneal(
    task: MoverTask, start: Wide, effort: WalkEffort, seed: Word
) -> tuple[Word, Word, Count, Count]:
    """Anneal from a start: the lanes and the offset of the best choice found, and its cost."""
    occupancies = len(task.numbers)
    scratch = WideScratch(
        np.empty(occupancies, np.uint64),
        np.empty(occupancies, np.uint64),
        np.zeros(np.int64(U(1) << (U(64) - task.shift)), np.uint32),
        np.zeros(1, np.uint32),
    )
    best, cost = walk(task, start, effort, seed, scratch, wide_neighbour, wide_cost)
    return best.high, best.low, best.offset, cost


class Anneal(NamedTuple):
    """How a mover is annealed: its index bits, a magic and an offset to begin with, how far the
    offset may move from there, and at once, and how long.
    """

    bits: int
    magic: int
    offset: int
    reach: int
    jump: int
    effort: WalkEffort


def annealed(
    mover: Mover, how: Anneal, prices: SlotPrices, random: Random
) -> MoverPlacement | None:
    """The best placement found; None where the best choice found has a conflict."""
    if not len(mover.shifts):
        return mover.placed(how.magic, how.bits, how.offset)
    highest = min(how.offset + how.reach, len(prices.held) - (1 << how.bits))
    task = MoverTask(
        mover.shifts + (WIDEST - mover.width), mover.numbers, mover.sets, U(64 - how.bits),
        how.bits, prices, max(0, how.offset - how.reach), max(how.offset, highest), how.jump,
    )  # fmt: skip
    start = Wide(U(how.magic >> 64), U(how.magic & LANE), np.int64(how.offset))
    seed = U(random.integers(1 << 63))
    high, low, offset, _ = wide_anneal(task, start, how.effort, seed)
    magic = (int(high) << 64 | int(low)) & ((1 << mover.width) - 1)
    return mover.placed(magic, how.bits, int(offset))
