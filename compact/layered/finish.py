"""What is on no page: the rooks that are left, in dense magics behind the pages, and the bishops.

A bishop gets on with the rook of its own square, with the rooks beside it, and with all bishops of
the other colour. So it looks for entries of those, and for holes, and stands behind the pages
where it finds none.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece
from magicert.compact.anneal.kernel import Offsets
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Choice, Key, Seat
from magicert.compact.anneal.squares import CellData
from magicert.compact.anneal.starts import random_start, sparse_start
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layered.dense import Blocks
from magicert.compact.layered.ground import FRESH, MARGIN, Floor
from magicert.compact.layered.needs import ALWAYS, relation
from magicert.compact.progress import ALONE, Crew, WorkPhase

SPARE = 1 << 14
"""Entries that there may be behind the pages."""
DENSE, TRIES = WalkEffort(100_000, 12.0, 0.4), 8
"""How a square is annealed behind the pages, and how often before it may lengthen the buffer."""
STEP, WINDOW = 64, 1024
"""By how much at once, and the shortest stretch in which a dense rook is looked for."""
INSIDE, INSIDE_TRIES = WalkEffort(40_000, 12.0, 0.6), 24
WINDOWS = 600
"""Windows of the buffer that are looked at for each bishop."""
FINISHING = WorkPhase("squares beside the pages", "squares")


def finish(
    cells: Mapping[Key, CellData],
    given: Iterable[Seat],
    blocks: Blocks,
    random: Random,
    crew: Crew = ALONE,
) -> Floor:
    """Seats for all cells: those given, then rooks in blocks, and the others where they lengthen
    the buffer least.

    Raises BudgetOverError.
    """
    seats = list(given)
    floor = Floor(seats, max((seat.end for seat in seats), default=0) + SPARE)
    rooks = {square for piece, square in cells if piece is Piece.ROOK}
    for block in blocks.sizes(rooks - {seat.square for seat in seats}):
        _put_block(floor, [blocks.seats[square] for square in block])
    left = [key for key in cells if key not in floor.seats]
    left.sort(key=lambda key: (key[0] is not Piece.ROOK, -len(cells[key].square.numbers), key))
    for n, key in enumerate(left):
        crew.deadline.check()
        crew.progress(FINISHING, n, len(left), f"{floor.length:,} entries")
        floor.put(seated(floor, cells[key], random))
    return floor


def _put_block(floor: Floor, seats: Iterable[Seat]) -> None:
    """Rooks that share a block, at the lowest offset from the last 1,024 entries on."""
    length = floor.length
    for offset in range(max(0, length - WINDOW), length + 1):
        block = [seat.at(seat.offset + offset) for seat in seats]
        if all(map(floor.agrees, block)):
            for seat in block:
                floor.put(seat)
            return
    raise AssertionError("behind the end there is always a place")


def seated(floor: Floor, cell: CellData, random: Random) -> Seat:
    """The first seat found that lengthens the buffer by no more than the least step."""
    length = floor.length
    rook = cell.square.piece is Piece.ROOK
    if not rook:
        inside = _inside(floor, cell, random)
        if inside is not None:
            return inside
    window = WINDOW if rook else 1 << cell.bits
    beside = _blocks(floor, cell) if rook else []
    for longer in _longer(rook, len(beside)):
        price = floor.prices(length + longer, 0 if rook else FRESH)
        start = max(0, length + longer - window - int(random.integers(64)))
        if beside and longer == 0:
            start = beside[int(random.integers(len(beside)))]
        offsets = Offsets(max(0, min(start, length - window)), length, 16)
        choice = Choice(_start(cell, random), 0, min(start, length))
        found = floor.annealed(cell, choice, offsets, price, DENSE, random)
        if found is not None and found[0].end <= length + longer:
            return found[0]
    raise AssertionError("behind the end there is always a place")


def _longer(rook: bool, beside: int) -> Iterator[int]:
    """By how much a square may lengthen the buffer, try by try."""
    if rook:
        yield from [0] * (3 * TRIES * beside)
        yield from [WINDOW] * (3 * TRIES)
    for step in count():
        yield from [(WINDOW if rook else 0) + STEP * step] * TRIES


def _blocks(floor: Floor, cell: CellData) -> list[int]:
    """Where rooks stand in dense magics that this one always agrees with."""
    key = cell.square.piece, cell.square.square
    return [
        seat.offset
        for other, seat in sorted(floor.seats.items())
        if other[0] is Piece.ROOK and relation(key, other) == ALWAYS
        if seat.end - int(seat.slots[0]) <= 2 * WINDOW
    ]


def _inside(floor: Floor, cell: CellData, random: Random) -> Seat | None:
    """A bishop's seat that lengthens nothing; of some the one with fewest new entries."""
    length, best = floor.length, None
    price = floor.prices(length)
    least = 1 << 40
    for start in _roomy(floor, cell, random):
        offsets = Offsets(max(0, start - 64), min(length, start + 64), 8)
        choice = Choice(_start(cell, random), 0, start)
        found = floor.annealed(cell, choice, offsets, price, INSIDE, random)
        if found is not None and found[0].end <= length and found[1] < least:
            best, least = found
    return best


def _start(cell: CellData, random: Random) -> int:
    if cell.square.piece is Piece.ROOK:
        return random_start(cell.square, random)
    return sparse_start(random)


def _roomy(floor: Floor, cell: CellData, random: Random) -> list[int]:
    """Offsets from which on most entries are free or used by squares that always agree."""
    span = 1 << cell.bits
    key = cell.square.piece, cell.square.square
    good = np.ones(len(floor.ones) - MARGIN, np.bool_)
    for other, seat in floor.seats.items():
        if relation(key, other) != ALWAYS:
            good[seat.slots] = False
    before: NDArray[np.int64] = np.concatenate([[0], np.cumsum(good[: floor.length])])
    if len(before) <= span + 1:
        return []
    starts = random.integers(len(before) - span, size=WINDOWS)
    within = before[starts + span] - before[starts]
    order: list[int] = starts[np.argsort(-within, kind="stable")][:INSIDE_TRIES].tolist()
    return order
