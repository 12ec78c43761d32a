"""Which rooks share bytes: libraries of pairs with few joint classes, and the best pairs of a file.

Rooks of one file have the same rows. Where their rows lie alike, a column has one attack set of the
rank for both, so the joint classes are few: rooks a7 and a8 need 51 numbers together, and have 42
and 49 attack sets. On different files there are hundreds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from magicert.board import Piece
from magicert.compact.anneal.squares import Slots, Words, square_data
from magicert.compact.overlay.joint_kernel import Side, find_joint
from magicert.compact.pages.library import Library, Shelf, load_libraries
from magicert.compact.pages.lines import COLUMNS, slot_step, turn_step
from magicert.compact.pages.pairs import Pair, PairLibrary
from magicert.compact.progress import Crew, WorkPhase
from magicert.system.deadline import Deadline

U = np.uint64
PRICE = 8
"""What a joint class costs, in bytes: words in two places, which others use, too."""
FARTHEST = 1
"""Most ranks between two rooks of a pair: farther ones have more joint classes."""
HOSTS, LOOKS = 8000, 60_000
"""Hosts for which a guest is looked for, and the guests looked at for each, turns included."""
MOST_CLASSES = 150
"""Most joint classes of a pair: with more, hardly a place is found for it among the words."""
DEARER = 140
"""Pairs that cost so many bytes more than the best one are left out."""
JOINING = WorkPhase("pairs of rooks that share bytes", "pairs")


@dataclass(frozen=True)
class JointLibrary:
    """Pairs of a host and a guest: the columns, as any pair's, and each row's joint classes."""

    pairs: PairLibrary
    classes: Words

    @property
    def cost(self) -> int:
        """The bytes of the best pair, with a price for its joint classes."""
        return int(_costs(self.pairs.rows, self.classes).min()) if len(self.classes) else 1 << 30


def joint_libraries(path: Path, scheme: str, seed: int, crew: Crew) -> dict[Pair, JointLibrary]:
    """Libraries for the rooks of each file that are not too far apart, from those of single rooks
    in a file. BudgetOverError at the deadline.
    """
    here = set(load_libraries(path))
    pairs = [
        (square, square + 8 * by)
        for square in range(64)
        for by in range(1, FARTHEST + 1)
        if {square, square + 8 * by} <= here
    ]
    found: dict[Pair, JointLibrary] = {}
    crew.progress(JOINING, 0, len(pairs), "")
    for library in crew.mapper(partial(_joint, path, scheme, seed, crew.deadline), pairs):
        found[library.pairs.key] = library
        crew.progress(JOINING, len(found), len(pairs), "")
    return found


def best_pairs(shelf: Shelf, found: Mapping[Pair, JointLibrary]) -> list[JointLibrary]:
    """Of all ways to pair some rooks and to leave others alone the cheapest, file by file."""
    alone = {square: COLUMNS * library.least for square, library in shelf.items()}
    chosen: list[JointLibrary] = []
    for file in range(8):
        squares = tuple(square for square in sorted(shelf) if square & 7 == file)
        chosen += _best(squares, alone, found)[1]
    return chosen


def _best(
    squares: tuple[int, ...], alone: Mapping[int, int], found: Mapping[Pair, JointLibrary]
) -> tuple[int, list[JointLibrary]]:
    if not squares:
        return 0, []
    first, others = squares[0], squares[1:]
    cost, pairs = _best(others, alone, found)
    best = cost + alone[first], pairs
    for other in others:
        library = found.get((first, other))
        if library is not None:
            left = tuple(square for square in others if square != other)
            cost, pairs = _best(left, alone, found)
            best = min(best, (cost + library.cost, [library, *pairs]), key=lambda one: one[0])
    return best


def _joint(path: Path, scheme: str, seed: int, deadline: Deadline, pair: Pair) -> JointLibrary:
    deadline.check()
    shelf = _shelf(path)
    host, guest = sorted(pair, key=lambda square: (-shelf[square].least, square))
    random = np.random.default_rng([seed, *pair])
    near = np.bitwise_count(shelf[host].columns) <= shelf[host].least + 1
    places = np.flatnonzero(near).astype(np.int64)
    sides = _side(shelf[host], scheme, places), _side(shelf[guest], scheme)
    step = turn_step(scheme, guest)
    found = np.zeros((HOSTS, 5), U)
    looks, steps = max(200, LOOKS * step // COLUMNS), (step, max(COLUMNS, slot_step(scheme, guest)))
    rows = find_joint(*sides, steps, looks, U(random.integers(1 << 62)), found)
    met = found[:rows]
    met[:, 1] = places[met[:, 1].astype(np.int64)]
    return _library(host, guest, met, max(step, turn_step(scheme, host)))


def _side(library: Library, scheme: str, places: Slots | None = None) -> Side:
    data = square_data(Piece.ROOK, library.square)
    around = data.around if scheme == "black" else U(0)
    chosen = np.arange(len(library.magics)) if places is None else places
    return Side(
        library.columns[chosen], library.magics[chosen], data.occupancies, data.numbers, around
    )


def _library(host: int, guest: int, rows: Words, step: int) -> JointLibrary:
    """The rows that cost hardly more than the best one, each union of columns once."""
    rows = rows[rows[:, 4] <= U(MOST_CLASSES)]
    cost = _costs(rows, rows[:, 4])
    rows, cost = rows[np.argsort(cost, kind="stable")], np.sort(cost, kind="stable")
    rows = rows[cost <= cost[0] + DEARER] if len(rows) else rows
    _, first = np.unique(rows[:, 0], return_index=True)
    rows = rows[np.sort(first)]
    least = int(np.bitwise_count(rows[:, 0]).min()) if len(rows) else COLUMNS
    more = np.zeros((0, 2), U)
    return JointLibrary(PairLibrary(host, guest, rows[:, :4], step, least, more), rows[:, 4])


def _costs(rows: Words, classes: Words) -> Slots:
    columns = np.bitwise_count(rows[:, 0]).astype(np.int64)
    return COLUMNS * columns + PRICE * classes.astype(np.int64)


_shelf = lru_cache(maxsize=1)(load_libraries)
