"""Dense rooks: those that find no page stand behind the pages, in as few entries as their indexes
reach over.

Two rooks that touch at a corner share their entries there: a *block*. How many entries a rook
needs is measured, for every square whose mask has ten bits, before pages are rebuilt.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from magicert.board import Piece, mask
from magicert.compact.anneal.kernel import Offsets
from magicert.compact.anneal.seat import Choice, Key, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.anneal.starts import random_start, sparse_start
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layered.ground import Floor
from magicert.compact.layered.matching import diagonal_pairs
from magicert.compact.progress import Crew, WorkPhase
from magicert.system.deadline import Deadline

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
class DenseOrder:
    """A rook to be annealed for few entries; picklable."""

    cell: CellData
    seed: int
    deadline: Deadline


@dataclass(frozen=True)
class Blocks:
    """The dense rooks that were found: each with its first slot at 0."""

    seats: Mapping[int, Seat]

    def sizes(self, left: Iterable[int]) -> dict[tuple[int, ...], int]:
        """The blocks of rooks without a page, and the entries of each. Two neighbours share one,
        the largest first.
        """
        alone = {square: self.seats[square].end for square in left if square in self.seats}
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
        """What the blocks come to."""
        return sum(self.sizes(left).values())

    def homeless(self, left: Iterable[int]) -> set[int]:
        """The rooks that have no dense magic."""
        return set(left) - self.seats.keys()


_NEIGHBOURS: dict[int, list[int]] = {
    square: [one for pair in diagonal_pairs() if square in pair for one in pair if one != square]
    for square in range(64)
}


def dense_rooks(cells: Mapping[Key, CellData], seed: int, crew: Crew) -> Blocks:
    """The densest rooks found. Raises BudgetOverError."""
    inner = [n for n in range(64) if mask(Piece.ROOK, n).bit_count() == INNER_BITS]
    orders = [DenseOrder(cells[Piece.ROOK, n], seed, crew.deadline) for n in inner]
    found: dict[int, Seat] = {}
    for done, seat in enumerate(crew.mapper(densest, orders)):
        if seat is not None:
            found[seat.square] = seat
        crew.progress(MEASURING, done + 1, len(orders), "")
    return Blocks(found)


def _in_centre(square: int) -> bool:
    return 2 <= square >> 3 <= 5 and 2 <= square & 7 <= 5


def densest(order: DenseOrder) -> Seat | None:
    """The seat whose indexes reach over the fewest entries, of a few; None if no magic came about.
    BudgetOverError at the deadline.
    """
    cell = order.cell
    random = np.random.default_rng([order.seed, cell.square.square])
    floor = Floor([], 1 << cell.bits)
    price = floor.prices(TOLD, 0)
    best = None
    for attempt in range(CENTRE_TRIES if _in_centre(cell.square.square) else TRIES):
        order.deadline.check()
        start = sparse_start(random) if attempt % 2 else random_start(cell.square, random)
        found = floor.annealed(cell, Choice(start), Offsets(0, 0), price, EFFORT, random)
        if found is None:
            continue
        seat = found[0].at(-int(found[0].used[0]))
        if best is None or seat.end < best.end:
            best = seat
        if best.end <= TOLD:
            break
    return best
