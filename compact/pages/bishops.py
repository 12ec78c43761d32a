"""Bishops in the columns that rooks leave free on their pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from magicert.board import FIXED_BITS, Piece
from magicert.compact.anneal.kernel import arrays_of
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.squares import CellData, Words, cell_data
from magicert.compact.anneal.starts import random_word, sparse_start
from magicert.compact.anneal.walk import Effort
from magicert.compact.pages.band_kernel import (
    COLUMN_PRICE,
    BandTask,
    band_anneal,
    band_columns,
    band_walk,
)
from magicert.compact.pages.library import Library, Shelf
from magicert.compact.pages.lines import COLUMNS, PAGE
from magicert.compact.progress import ALONE, Crew, Phase
from magicert.system.deadline import Deadline

U = np.uint64
BAND = 1 << FIXED_BITS[Piece.BISHOP]
LARGEST = 128
"""Bishops with more occupancies, the four of the centre, claim nearly a whole band each."""
STARTS, CANDIDATES = 30, 40_000
"""Annealings for a bishop, and the candidates of each; twice as many where there are 128
occupancies.
"""
HOT, COLD = (8.0, 30.0, 60.0), 1.0
CONFLICT, NO_CONFLICT = 24, 1 << 20
"""Prices of a conflict while annealing, and while walking."""
WALKS, WALKED, MET = 32, 30_000, 100_000
"""Walks for a library, the candidates of each, and how many magics one notes down."""
CLIMBS = (0, 1, 0)
"""By how many columns walks may exceed their starts."""
KEPT = 20_000
"""Most magics in a library."""
WAYS = 12
"""Ways in which bands are filled: the one that leaves the fewest columns is kept."""
LIBRARIES = Phase("bishops in whole columns", "bishops")


def bishop_shelf(cells: Sequence[CellData], seed: int, crew: Crew = ALONE) -> Shelf:
    """Libraries for bishops of 9 bits, but for the largest. BudgetOverError at the deadline."""
    wanted = [
        cell for cell in cells
        if cell.bits == FIXED_BITS[Piece.BISHOP] and len(cell.square.occupancies) <= LARGEST
    ]  # fmt: skip
    shelf: Shelf = {}
    crew.progress(LIBRARIES, 0, len(wanted), "")
    orders = [(cell.scheme, cell.square.square) for cell in wanted]
    found = crew.mapper(partial(_collect, seed, crew.deadline), orders)
    for done, library in enumerate(found, 1):
        if len(library.columns):
            shelf[library.square] = library
        crew.progress(LIBRARIES, done, len(wanted), "")
    return shelf


def in_free_columns(scheme: str, shelf: Shelf, seats: Sequence[Seat], seed: int) -> list[Seat]:
    """Seats for as many bishops as fit into columns that nobody claims, up to the end of the
    last page.
    """
    pages = -(-max((seat.end for seat in seats), default=0) // PAGE)
    taken = np.zeros(pages * PAGE, np.bool_)
    for seat in seats:
        taken[seat.used + seat.offset] = True
    rows = taken.reshape(-1, BAND // COLUMNS, COLUMNS).any(axis=1)
    free = np.packbits(~rows, axis=1, bitorder="little").view("<u8")[:, 0]
    random = np.random.default_rng([seed, len(shelf)])
    ways = [_fill(shelf, free, random) for _ in range(WAYS)]
    best = min(ways, key=lambda way: sum(shelf[n].least for n in shelf if n not in way))
    return [
        Seat.valid(
            cell_data(scheme, Piece.BISHOP, square, FIXED_BITS[Piece.BISHOP]),
            Choice(magic, 0, band * BAND),
        )
        for square, (magic, band) in best.items()
    ]


@dataclass(frozen=True, slots=True)
class _Start:
    claimed: int
    magic: int


def _collect(seed: int, deadline: Deadline, which: tuple[str, int]) -> Library:
    """A library of one bishop; empty if no magic of 9 bits was found."""
    deadline.check()
    scheme, square = which
    random = np.random.default_rng([seed, square, 1])
    cell = cell_data(scheme, Piece.BISHOP, square, FIXED_BITS[Piece.BISHOP])
    starts = _starts(cell, random)
    least = min((start.claimed for start in starts), default=0)
    near = [start for start in starts if start.claimed <= least + 1]
    found = _walked(cell, near, random) if near else {}
    some = sorted(found, key=int.bit_count)[:KEPT]
    magics = np.array([found[columns] for columns in some], np.uint64)
    return Library(square, np.array(some, np.uint64), magics, np.zeros(len(some), np.uint8))


def _starts(cell: CellData, random: Random) -> list[_Start]:
    """Valid magics with few columns, annealed."""
    task = BandTask(arrays_of(cell), CONFLICT)
    times = 2 if len(cell.square.occupancies) >= LARGEST else 1
    starts: list[_Start] = []
    for n in range(STARTS):
        word = U(sparse_start(random) if n % 2 else random_word(random))
        effort = Effort(times * CANDIDATES, float(random.choice(HOT)), COLD)
        magic, cost = band_anneal(task, word, effort, _seed(random))
        claimed = int(band_columns(task, U(magic))).bit_count()
        if cost == COLUMN_PRICE * claimed:
            starts.append(_Start(claimed, int(magic)))
    return starts


def _walked(cell: CellData, near: Sequence[_Start], random: Random) -> dict[int, int]:
    """The columns of the magics that walks meet, each with a magic."""
    task, found = BandTask(arrays_of(cell), NO_CONFLICT), dict[int, int]()
    met = np.empty((MET, 2), np.uint64)
    for n in range(WALKS):
        start = near[int(random.integers(len(near)))]
        most = start.claimed + CLIMBS[n % len(CLIMBS)]
        count = band_walk(task, U(start.magic), most, WALKED, _seed(random), met)
        for magic, columns in met[:count].tolist():
            found.setdefault(columns, magic)
    return found


def _fill(shelf: Shelf, free: Words, random: Random) -> dict[int, tuple[int, int]]:
    """Bands one by one, the emptiest first; in each the largest bishops that still fit."""
    placed: dict[int, tuple[int, int]] = {}
    order = np.argsort(-np.bitwise_count(free).astype(np.int64) + random.random(len(free)))
    left = sorted(shelf, key=lambda square: -shelf[square].least - random.random())
    for band in order.tolist():
        room = int(free[band])
        for square in list(left):
            library = shelf[square]
            if library.least > room.bit_count():
                continue
            fits = np.flatnonzero(library.columns & U(~room & (1 << COLUMNS) - 1) == 0)
            if len(fits):
                at = int(fits[random.integers(len(fits))])
                room &= ~int(library.columns[at])
                placed[square] = int(library.magics[at]), band
                left.remove(square)
    return placed


def _seed(random: Random) -> np.uint64:
    return U(random.integers(1 << 62))
