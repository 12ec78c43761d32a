"""Bishops in the columns that rooks leave free on their pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from magicert.board import FIXED_BITS, Piece
from magicert.compact.anneal.kernel import arrays_of
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.seat import Choice, Seat
from magicert.compact.anneal.squares import CellData, Words, cell_data
from magicert.compact.anneal.starts import random_word, sparse_start
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.pages.band_kernel import (
    COLUMN_PRICE,
    BandTask,
    band_anneal,
    band_columns,
    band_walk,
)
from magicert.compact.pages.filling import Pages, claimed, score, worth
from magicert.compact.pages.library import Library, Shelf, load_libraries
from magicert.compact.pages.lines import COLUMNS, PAGE
from magicert.compact.progress import ALONE, Crew, WorkPhase
from magicert.system.deadline import Deadline

U = np.uint64
BAND = 1 << FIXED_BITS[Piece.BISHOP]


class Annealings(NamedTuple):
    """How many annealings of how many candidates, from which temperatures, and the price of a
    conflict.
    """

    starts: int
    candidates: int
    hot: tuple[float, ...]
    conflict: int


EFFORTS = {
    32: Annealings(30, 40_000, (8.0, 30.0, 60.0), 24),
    128: Annealings(30, 80_000, (8.0, 30.0, 60.0), 24),
    512: Annealings(16, 3_000_000, (45.0,), 16),
}
"""For bishops of at most so many occupancies. The four of the centre have 512."""
COLD, NO_CONFLICT = 1.0, 1 << 20
"""The last temperature, and the price of a conflict while walking."""
WALKS, WALKED, MET = 32, 30_000, 100_000
"""Walks for a library, the candidates of each, and how many magics one notes down."""
CLIMBS = (0, 1, 0)
"""By how many columns walks may exceed their starts."""
KEPT = 20_000
"""Most magics in a library."""
WAYS, LOOKS = 100, 6
"""Ways in which bands are filled, of which the best is kept; fewer to judge pages of rooks."""
_Way = dict[int, tuple[int, int]]
"""Bishops with a magic and a band."""
FULL = (1 << COLUMNS) - 1
LIBRARIES = WorkPhase("bishops in whole columns", "bishops")


def bishop_shelf(cells: Sequence[CellData], seed: int, crew: Crew = ALONE) -> Shelf:
    """Libraries for bishops of 9 bits. BudgetOverError at the deadline."""
    wanted = [cell for cell in cells if cell.bits == FIXED_BITS[Piece.BISHOP]]
    # What takes longest is begun first.
    wanted.sort(key=lambda cell: -len(cell.square.occupancies))
    shelf: Shelf = {}
    crew.progress(LIBRARIES, 0, len(wanted), "")
    orders = [(cell.scheme, cell.square.square) for cell in wanted]
    found = crew.mapper(partial(_collect, seed, crew.deadline), orders)
    for done, library in enumerate(found, 1):
        if len(library.columns):
            shelf[library.square] = library
        crew.progress(LIBRARIES, done, len(wanted), "")
    return shelf


def in_free_columns(
    scheme: str, shelf: Shelf, seats: Sequence[Seat], seed: int, *, behind: bool = False
) -> list[Seat]:
    """Seats for as many bishops as fit into columns that nobody claims, up to the end of the
    last page; or for all of them, if `behind` allows bands behind the pages.
    """
    end = max((seat.end for seat in seats), default=0)
    bands = -(-end // PAGE) * PAGE // BAND
    taken = np.zeros(bands * BAND, np.bool_)
    for seat in seats:
        taken[seat.used + seat.offset] = True
    rows = taken.reshape(-1, BAND // COLUMNS, COLUMNS).any(axis=1)
    free = np.packbits(~rows, axis=1, bitorder="little").view("<u8")[:, 0]
    if behind:
        # Rooks may reach over the end of a page by a few slots: from there on, bands are behind.
        free = np.concatenate([free[: -(-end // BAND)], np.full(len(shelf), FULL, U)])
    best = _best_way(shelf, free, WAYS, seed)
    return [
        Seat.valid(
            cell_data(scheme, Piece.BISHOP, square, FIXED_BITS[Piece.BISHOP]),
            Choice(magic, 0, band * BAND),
        )
        for square, (magic, band) in best.items()
    ]


def judged_with_bishops(path: Path, pages: Pages) -> tuple[int, int, int]:
    """What pages of rooks are worth: the smaller the better. How many pages; where no fewer can do,
    how many columns of bishops find no room there, by their libraries in a file; and how
    unequally the pages are filled.
    """
    count, unequal = score(pages)
    if count > -(-sum(map(worth, pages)) // COLUMNS):
        return count, 0, unequal
    shelf = _shelf(path)
    free = np.repeat(np.array([FULL & ~claimed(page) for page in pages], U), PAGE // BAND)
    placed = _best_way(shelf, free, LOOKS, 0)
    return count, sum(shelf[square].least for square in shelf if square not in placed), unequal


_shelf = lru_cache(maxsize=1)(load_libraries)


def _best_way(shelf: Shelf, free: Words, ways: int, seed: int) -> _Way:
    """Of some ways to fill bands that which leaves the fewest columns of bishops without room; then
    that which ends first.
    """
    random = np.random.default_rng([seed, len(shelf)])

    def room(way: _Way) -> tuple[int, int, int]:
        last = max((band for _, band in way.values()), default=0)
        there = sum(shelf[n].least for n, (_, band) in way.items() if band == last)
        return sum(shelf[n].least for n in shelf if n not in way), last, there

    return min((_fill(shelf, free, random) for _ in range(ways)), key=room)


@dataclass(frozen=True, slots=True)
class _Start:
    claimed: int
    magic: int


def _collect(seed: int, deadline: Deadline, which: tuple[str, int]) -> Library:
    """A library of one bishop; empty if no magic of 9 bits was found."""
    scheme, square = which
    random = np.random.default_rng([seed, square, 1])
    cell = cell_data(scheme, Piece.BISHOP, square, FIXED_BITS[Piece.BISHOP])
    starts = _starts(cell, random, deadline)
    least = min((start.claimed for start in starts), default=0)
    near = [start for start in starts if start.claimed <= least + 1]
    found = _walked(cell, near, random) if near else {}
    some = sorted(found, key=int.bit_count)[:KEPT]
    magics = np.array([found[columns] for columns in some], np.uint64)
    return Library(square, np.array(some, np.uint64), magics, np.zeros(len(some), np.uint8))


def _starts(cell: CellData, random: Random, deadline: Deadline) -> list[_Start]:
    """Valid magics with few columns, annealed. BudgetOverError at the deadline."""
    size = len(cell.square.occupancies)
    annealings = next(one for most, one in EFFORTS.items() if size <= most)
    task = BandTask(arrays_of(cell), annealings.conflict)
    starts: list[_Start] = []
    for n in range(annealings.starts):
        deadline.check()
        word = U(sparse_start(random) if n % 2 else random_word(random))
        effort = WalkEffort(annealings.candidates, float(random.choice(annealings.hot)), COLD)
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


def _fill(shelf: Shelf, free: Words, random: Random) -> _Way:
    """Bands one by one; in each the largest bishops that still fit. Those with rooks come first,
    the emptiest of them first of all.
    """
    placed: _Way = {}
    emptiest = np.where(free == U(FULL), np.arange(len(free)), 0) - np.bitwise_count(free) / COLUMNS
    order = np.argsort(emptiest + random.random(len(free)) / COLUMNS, kind="stable")
    left = sorted(shelf, key=lambda square: -shelf[square].least - random.random())
    for band in order.tolist():
        room = int(free[band])
        for square in list(left):
            library = shelf[square]
            if library.least > room.bit_count():
                continue
            fits = np.flatnonzero(library.columns & U(~room & FULL) == 0)
            if len(fits):
                at = int(fits[random.integers(len(fits))])
                room &= ~int(library.columns[at])
                placed[square] = int(library.magics[at]), band
                left.remove(square)
    return placed


def _seed(random: Random) -> np.uint64:
    return U(random.integers(1 << 62))
