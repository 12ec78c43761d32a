"""What stands behind a layered table's pages: dense rooks, bishops, placed and squeezed, compiled.

`SharedBuffer` is the buffer with what is wanted of each entry; `place` anneals one square into it;
`finish` gives all squares a place that are on no page; `squeeze` shortens what came of it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.chess import Piece, mask
from magicert.compact.anneal import (
    AnnealScratch,
    CellArrays,
    Offsets,
    arrays_of,
    neighbour,
    new_scratch,
    next_mark,
)
from magicert.compact.kernels import REFUSED, Count, WalkEffort, Word, entry_point, inner, walk
from magicert.compact.placements import (
    CellData,
    Choice,
    Key,
    Placement,
    Random,
    Words,
    random_start,
    sparse_start,
)
from magicert.compact.progress import ALONE, Workers, WorkPhase
from magicert.system.deadline import Deadline
from research.packing.layered.pages import ALWAYS, Needs, diagonal_pairs, needs_of, relation

# The place kernel: a square's magic and offset, annealed into a layered buffer.
#
# A candidate pays for every slot that it uses: nothing where others want the entry anyway and
# agree, a little for a fresh entry, more beyond the end, and much where somebody wants a bit
# otherwise.


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
    buffer: EntryDemands
    offsets: Offsets


@inner
def place_cost(task: PlaceTask, choice: Choice, limit: Count, scratch: AnnealScratch) -> Count:
    """The cost of one choice, or REFUSED as soon as it exceeds `limit`."""
    cell, buffer, products, seen = task.cell, task.buffer, scratch.products, scratch.marks
    mark = next_mark(scratch)
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
                    cost += buffer.conflict
                    continue
                seen[index] = key
                slot = offset + index
                if (task.ones[n] & buffer.zeros[slot]) | (task.zeros[n] & buffer.ones[slot]):
                    cost += buffer.clash
                cost += np.int64(buffer.price[slot])
            start = end
            if cost > limit:
                return np.int64(REFUSED)
    return cost


@entry_point
def place(
    task: PlaceTask, start: Choice, effort: WalkEffort, seed: Word
) -> tuple[Word, Word, Count, Count]:
    """Anneal from a start: magic, constant and offset of the best choice found, and its cost."""
    scratch: Any = new_scratch(task.cell)
    best, cost = walk(task, start, effort, seed, scratch, neighbour, place_cost)
    return best.magic, best.constant, best.offset, cost


# A layered buffer as it is worked on: placements, and what they want of each entry.

MARGIN = 1 << 13
DEARER_EVERY = 128
"""Entries behind the end after which an entry costs 1 more."""
FRESH, BEYOND, CLASH, CONFLICT = 1, 3, 20, 20
"""Prices of an entry that nobody uses, of one beyond the end, of a contradiction with others, and
of one with oneself."""


class SharedBuffer:
    """Placements in one buffer, and what is wanted of its entries."""

    def __init__(self, placements: Iterable[Placement], capacity: int) -> None:
        self.capacity = capacity
        self.placements: dict[Key, Placement] = {}
        self.ones = np.zeros(capacity + MARGIN, np.uint64)
        self.zeros = np.zeros(capacity + MARGIN, np.uint64)
        for placement in placements:
            self.put(placement)

    @property
    def length(self) -> int:
        """The largest slot used + 1."""
        return max((placement.end for placement in self.placements.values()), default=0)

    def agrees(self, placement: Placement) -> bool:
        """Whether a placement wants nothing that contradicts what is wanted."""
        needs, slots = _wants(placement)
        attacks = needs.square.attacks
        clash = (attacks & self.zeros[slots]) | (needs.zeros & self.ones[slots])
        return not clash.any()

    def put(self, placement: Placement) -> None:
        needs, slots = _wants(placement)
        np.bitwise_or.at(self.ones, slots, needs.square.attacks)
        np.bitwise_or.at(self.zeros, slots, needs.zeros)
        self.placements[placement.key] = placement

    def take(self, key: Key) -> Placement:
        """Take out a square: the entries that it used are written again by all others."""
        placement = self.placements.pop(key)
        self.ones[placement.slots] = self.zeros[placement.slots] = 0
        gone = np.zeros(len(self.ones), np.bool_)
        gone[placement.slots] = True
        for other in self.placements.values():
            needs, slots = _wants(other)
            again = gone[slots]
            if again.any():
                np.bitwise_or.at(self.ones, slots[again], needs.square.attacks[again])
                np.bitwise_or.at(self.zeros, slots[again], needs.zeros[again])
        return placement

    def prices(self, end: int, fresh: int = FRESH) -> NDArray[np.int32]:
        """The price of every entry, if the buffer shall end at `end`; `fresh` is that of an entry
        which nobody uses.
        """
        slots = np.arange(len(self.ones))
        price = np.where((self.ones | self.zeros) != 0, 0, fresh)
        price[slots >= end] = BEYOND + (slots[slots >= end] - end) // DEARER_EVERY
        return price.astype(np.int32)

    def annealed(
        self,
        cell: CellData,
        start: Choice,
        offsets: Offsets,
        price: NDArray[np.int32],
        effort: WalkEffort,
        random: Random,
    ) -> tuple[Placement, int] | None:
        """A placement that agrees with all others, and its price; None if none was found."""
        needs = needs_of(cell.square.piece, cell.square.square)
        buffer = EntryDemands(self.ones, self.zeros, price, CLASH, CONFLICT)
        task = PlaceTask(arrays_of(cell), needs.square.attacks, needs.zeros, buffer, offsets)
        magic, constant, offset, cost = place(
            task,
            Choice(np.uint64(start.magic), np.uint64(start.constant), np.int64(start.offset)),
            effort,
            np.uint64(random.integers(1 << 63)),
        )
        if cost >= REFUSED:
            return None
        placement = Placement.of(cell, Choice(int(magic), int(constant), int(offset)))
        return (placement, int(cost)) if placement is not None and self.agrees(placement) else None


def _wants(placement: Placement) -> tuple[Needs, NDArray[np.int64]]:
    """What a placement wants, and the slot of each occupancy."""
    needs = needs_of(placement.piece, placement.square)
    slots = (
        placement.cell.indexes(placement.choice.magic, placement.choice.constant) + placement.offset
    )
    return needs, slots


# Dense rooks: those that find no page stand behind the pages, in as few entries as their indexes
# reach over.
#
# Two rooks that touch at a corner share their entries there: a *block*. How many entries a rook
# needs is measured, for every square whose mask has ten bits, before pages are rebuilt.

INNER_BITS = 10
"""Mask bits of the rooks that are off the edge: the others need twice the entries at least."""
CENTRE_TRIES, TRIES, EFFORT = 100, 16, WalkEffort(40_000, 12.0, 0.4)
"""Annealings of a rook, fewer once nothing is left to gain. The 16 rooks of the centre touch no
rook of the edge that would take them in: mostly these are left over.
"""
TOLD = 1 << INNER_BITS
"""The indexes that cost nothing; each further one has its price."""
MEASURING = WorkPhase("rooks in few entries", "rooks")


@dataclass(frozen=True)
class Blocks:
    """The dense rooks that were found: each with its first slot at 0."""

    placements: Mapping[int, Placement]

    def sizes(self, left: Iterable[int]) -> dict[tuple[int, ...], int]:
        """The blocks of rooks without a page, and the entries of each. Two neighbours share one,
        the largest first.
        """
        alone = {
            square: self.placements[square].end for square in left if square in self.placements
        }
        blocks: dict[tuple[int, ...], int] = {}
        for square in sorted(alone, key=lambda one: (-alone[one], one)):
            if square not in alone:
                continue
            size = alone.pop(square)
            mates = [one for one in _NEIGHBOURS[square] if one in alone]
            mate = max(mates, key=lambda one: (alone[one], -one), default=None)
            if mate is not None:
                del alone[mate]
            blocks[(square,) if mate is None else (square, mate)] = size
        return blocks

    def entries(self, left: Iterable[int]) -> int:
        return sum(self.sizes(left).values())

    def homeless(self, left: Iterable[int]) -> set[int]:
        """The rooks that have no dense magic."""
        return set(left) - self.placements.keys()


_NEIGHBOURS: dict[int, list[int]] = {
    square: [one for pair in diagonal_pairs() if square in pair for one in pair if one != square]
    for square in range(64)
}


def dense_rooks(cells: Mapping[Key, CellData], seed: int, workers: Workers) -> Blocks:
    """The densest rooks found. Raises BudgetOverError."""
    inner = [
        cells[Piece.ROOK, n] for n in range(64) if mask(Piece.ROOK, n).bit_count() == INNER_BITS
    ]
    found = workers.each(MEASURING, partial(densest, seed, workers.deadline), inner)
    return Blocks({placement.square: placement for placement in found if placement is not None})


def _in_centre(square: int) -> bool:
    return 2 <= square >> 3 <= 5 and 2 <= square & 7 <= 5


def densest(seed: int, deadline: Deadline, cell: CellData) -> Placement | None:
    """The placement whose indexes reach over the fewest entries, of a few; None if no magic came
    about. BudgetOverError at the deadline.
    """
    random = np.random.default_rng([seed, cell.square.square])
    buffer = SharedBuffer([], 1 << cell.bits)
    price = buffer.prices(TOLD, 0)
    best = None
    for attempt in range(CENTRE_TRIES if _in_centre(cell.square.square) else TRIES):
        deadline.check()
        start = sparse_start(random) if attempt % 2 else random_start(cell.square, random)
        found = buffer.annealed(cell, Choice(start), Offsets(0, 0), price, EFFORT, random)
        if found is None:
            continue
        placement = found[0].at(-int(found[0].used[0]))
        if best is None or placement.end < best.end:
            best = placement
        if best.end <= TOLD:
            break
    return best


# What is on no page: the rooks that are left, in dense magics behind the pages, and the bishops.
#
# A bishop gets on with the rook of its own square, with the rooks beside it, and with all bishops
# of the other colour. So it looks for entries of those, and for holes, and stands behind the
# pages where it finds none.

SPARE = 1 << 14
"""Entries that there may be behind the pages."""
DENSE, DENSE_TRIES = WalkEffort(100_000, 12.0, 0.4), 8
"""How a square is annealed behind the pages, and how often before it may lengthen the buffer."""
STEP, WINDOW = 64, 1024
"""By how much at once, and the shortest stretch in which a dense rook is looked for."""
INSIDE, INSIDE_TRIES = WalkEffort(40_000, 12.0, 0.6), 24
WINDOWS = 600
"""Windows of the buffer that are looked at for each bishop."""
FINISHING = WorkPhase("squares beside the pages", "squares")


def finish(
    cells: Mapping[Key, CellData],
    given: Iterable[Placement],
    blocks: Blocks,
    random: Random,
    workers: Workers = ALONE,
) -> SharedBuffer:
    """Placements for all cells: those given, then rooks in blocks, and the others where they
    lengthen the buffer least.

    Raises BudgetOverError.
    """
    placements = list(given)
    buffer = SharedBuffer(
        placements, max((placement.end for placement in placements), default=0) + SPARE
    )
    rooks = {square for piece, square in cells if piece is Piece.ROOK}
    for block in blocks.sizes(rooks - {placement.square for placement in placements}):
        _put_block(buffer, [blocks.placements[square] for square in block])
    left = [key for key in cells if key not in buffer.placements]
    left.sort(key=lambda key: (key[0] is not Piece.ROOK, -len(cells[key].square.numbers), key))
    for n, key in enumerate(left):
        workers.deadline.check()
        workers.progress(FINISHING, n, len(left), f"{buffer.length:,} entries")
        buffer.put(placed(buffer, cells[key], random))
    return buffer


def _put_block(buffer: SharedBuffer, placements: Iterable[Placement]) -> None:
    """Rooks that share a block, at the lowest offset from the last 1,024 entries on."""
    length = buffer.length
    for offset in range(max(0, length - WINDOW), length + 1):
        block = [placement.at(placement.offset + offset) for placement in placements]
        if all(map(buffer.agrees, block)):
            for placement in block:
                buffer.put(placement)
            return
    raise AssertionError("behind the end there is always a place")


def placed(buffer: SharedBuffer, cell: CellData, random: Random) -> Placement:
    """The first placement found that lengthens the buffer by no more than the least step."""
    length = buffer.length
    rook = cell.square.piece is Piece.ROOK
    if not rook:
        inside = _inside(buffer, cell, random)
        if inside is not None:
            return inside
    window = WINDOW if rook else 1 << cell.bits
    beside = _blocks(buffer, cell) if rook else []
    for longer in _longer(rook, len(beside)):
        price = buffer.prices(length + longer, 0 if rook else FRESH)
        start = max(0, length + longer - window - int(random.integers(64)))
        if beside and longer == 0:
            start = beside[int(random.integers(len(beside)))]
        offsets = Offsets(max(0, min(start, length - window)), length, 16)
        choice = Choice(_start(cell, random), 0, min(start, length))
        found = buffer.annealed(cell, choice, offsets, price, DENSE, random)
        if found is not None and found[0].end <= length + longer:
            return found[0]
    raise AssertionError("behind the end there is always a place")


def _longer(rook: bool, beside: int) -> Iterator[int]:
    """By how much a square may lengthen the buffer, try by try."""
    if rook:
        yield from [0] * (3 * DENSE_TRIES * beside)
        yield from [WINDOW] * (3 * DENSE_TRIES)
    for step in count():
        yield from [(WINDOW if rook else 0) + STEP * step] * DENSE_TRIES


def _blocks(buffer: SharedBuffer, cell: CellData) -> list[int]:
    """Where rooks stand in dense magics that this one always agrees with."""
    key = cell.square.piece, cell.square.square
    return [
        placement.offset
        for other, placement in sorted(buffer.placements.items())
        if other[0] is Piece.ROOK and relation(key, other) == ALWAYS
        if placement.end - int(placement.slots[0]) <= 2 * WINDOW
    ]


def _inside(buffer: SharedBuffer, cell: CellData, random: Random) -> Placement | None:
    """A bishop's placement that lengthens nothing; of some the one with fewest new entries."""
    length, best = buffer.length, None
    price = buffer.prices(length)
    least = 1 << 40
    for start in _roomy(buffer, cell, random):
        offsets = Offsets(max(0, start - 64), min(length, start + 64), 8)
        choice = Choice(_start(cell, random), 0, start)
        found = buffer.annealed(cell, choice, offsets, price, INSIDE, random)
        if found is not None and found[0].end <= length and found[1] < least:
            best, least = found
    return best


def _start(cell: CellData, random: Random) -> int:
    if cell.square.piece is Piece.ROOK:
        return random_start(cell.square, random)
    return sparse_start(random)


def _roomy(buffer: SharedBuffer, cell: CellData, random: Random) -> list[int]:
    """Offsets from which on most entries are free or used by squares that always agree."""
    span = 1 << cell.bits
    key = cell.square.piece, cell.square.square
    good = np.ones(len(buffer.ones) - MARGIN, np.bool_)
    for other, placement in buffer.placements.items():
        if relation(key, other) != ALWAYS:
            good[placement.slots] = False
    before: NDArray[np.int64] = np.concatenate([[0], np.cumsum(good[: buffer.length])])
    if len(before) <= span + 1:
        return []
    starts = random.integers(len(before) - span, size=WINDOWS)
    within = before[starts + span] - before[starts]
    order: list[int] = starts[np.argsort(-within, kind="stable")][:INSIDE_TRIES].tolist()
    return order


# Squeezing a layered buffer: the squares that end last, and some others, find new places.
#
# A round is a number of attempts, not of seconds: the same seed gives the same layout.

ATTEMPTS = 6
"""Attempts of one worker in one round."""
MOST_DIFFERING = 4
"""Most bishops that give up their places with the last square."""


def squeeze(
    best: tuple[Placement, ...], deadline: Deadline, seed: tuple[int, ...], attempts: int = ATTEMPTS
) -> tuple[Placement, ...]:
    """Placements in a buffer that is no longer. BudgetOverError at the deadline."""
    random = np.random.default_rng(seed)
    cells = {placement.key: placement.cell for placement in best}
    for _ in range(attempts):
        deadline.check()
        buffer = SharedBuffer(best, length_of(best) + SPARE)
        last = max(buffer.placements, key=lambda key: (buffer.placements[key].end, key))
        bishops = [key for key in sorted(buffer.placements) if key[0] is Piece.BISHOP]
        others = random.permutation(len(bishops))[: int(random.integers(MOST_DIFFERING + 1))]
        moved = {last, *(bishops[n] for n in others.tolist())}
        for key in sorted(moved):
            buffer.take(key)
        # The larger ones first, as at the beginning.
        for key in sorted(moved, key=lambda one: (-len(cells[one].square.numbers), one)):
            deadline.check()
            buffer.put(placed(buffer, cells[key], random))
        if buffer.length <= length_of(best):
            best = tuple(buffer.placements.values())
    return best


def length_of(placements: tuple[Placement, ...]) -> int:
    """The last slot used + 1."""
    return max(placement.end for placement in placements)
