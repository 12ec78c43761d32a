"""Libraries of columns: for every rook, many magics that claim few whole columns of a page.

Annealing finds the first ones; from there a walk along magics that need no more columns meets
thousands of others that claim different ones. Everything follows from the seed: efforts are
numbers of candidates, never of seconds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.squares import Words
from magicert.compact.pages.column_kernel import FORBIDDEN, column_anneal, column_walk
from magicert.compact.pages.lines import COLUMNS, rook_lines, row_start

U = np.uint64
Turns = NDArray[np.uint8]
Random = np.random.Generator

STEPS = (6, 5, 4)
"""Row steps (log2) that are tried for a square."""
CONFLICT = 300
"""The price of a conflict while annealing, in slots."""
CANDIDATES, COLD = 80_000, 6.0
"""Candidates of one annealing, and the temperature at its end, in slots."""
FIRST, MORE, LAST = 6, 20, 60
"""Annealings for every row step; more for the best ones; most before giving up a square."""
PROMISING = 1.2
"""A row step is worth more annealings if it needs at most so many times the fewest columns."""
WALKS, WALKED = 64, 40_000
"""Walks for a library, and the candidates of each."""
SPARE, CLIMBS = 4, (0, 1, 0, 2)
"""By how many columns the starts of walks may exceed the fewest, and walks their starts."""
MET = 200_000
"""Most magics that one walk notes down."""
KEPT = 40_000
"""Most magics in a library."""


@dataclass(frozen=True, slots=True)
class Library:
    """A square's magics, and the columns that each claims as the bits of a word: different for
    all of them. Columns are turned to the left by `turns`, which an offset or an added constant
    makes up for.
    """

    square: int
    columns: Words
    magics: Words
    turns: Turns

    @property
    def least(self) -> int:
        """The fewest columns that a magic of this square claims."""
        return int(np.bitwise_count(self.columns).min())


@dataclass(frozen=True, slots=True)
class LibraryOrder:
    """An order to fill the library of a square; picklable. `turning` where columns can be turned
    without a change of the magic.
    """

    square: int
    black: bool
    turning: bool
    seed: int


def collect(order: LibraryOrder) -> Library:
    """Fill a library. Empty if no magic of this form was found."""
    random = np.random.default_rng([order.seed, order.square])
    starts = sorted(_starts(order, random))
    found: dict[int, int] = {}
    near = [start for start in starts if start[0] <= starts[0][0] + SPARE]
    for walk in range(WALKS if near else 0):
        claimed, step, magic = near[int(random.integers(len(near)))]
        most = claimed + CLIMBS[walk % len(CLIMBS)]
        for columns, other in _walk(order, step, magic, most, random):
            found.setdefault(columns, other)
    return _library(order, found, random)


def _starts(order: LibraryOrder, random: Random) -> list[tuple[int, int, int]]:
    """Columns, row step and magic, of annealings that came to a magic."""
    starts: list[tuple[int, int, int]] = []
    steps: tuple[int, ...] = STEPS
    for attempt in range(LAST):
        for step in steps:
            starts += _anneal(order, step, random)
        if attempt + 1 >= FIRST and starts:
            fewest = {
                step: min((n for n, e, _ in starts if e == step), default=COLUMNS) for step in steps
            }
            most = PROMISING * min(fewest.values())
            steps = tuple(step for step in steps if fewest[step] <= most)
            if attempt + 1 >= FIRST + MORE:
                break
    return starts


def _anneal(order: LibraryOrder, step: int, random: Random) -> list[tuple[int, int, int]]:
    lines = rook_lines(order.square)
    magic, cost = column_anneal(
        U(row_start(lines, step, random)), order.black, np.int64(step), lines.lines,
        np.int64(CONFLICT), float(random.choice([100.0, 300.0])), COLD, np.int64(CANDIDATES),
        U(random.integers(1 << 63)),
    )  # fmt: skip
    if cost >= FORBIDDEN:
        return []
    # A cost may hide a conflict: a walk of one candidate does not.
    met = _walk(order, step, int(magic), int(cost) // COLUMNS, random, 1)
    return [(columns.bit_count(), step, found) for columns, found in met]


def _walk(
    order: LibraryOrder, step: int, magic: int, most: int, random: Random, candidates: int = WALKED
) -> Iterable[tuple[int, int]]:
    columns, magics = np.empty(MET, dtype=np.uint64), np.empty(MET, dtype=np.uint64)
    met = column_walk(
        U(magic), order.black, np.int64(step), rook_lines(order.square).lines, np.int64(most),
        np.int64(candidates), U(random.integers(1 << 63)), columns, magics,
    )  # fmt: skip
    return zip(columns[:met].tolist(), magics[:met].tolist(), strict=True)


def _library(order: LibraryOrder, found: dict[int, int], random: Random) -> Library:
    """KEPT of the magics at most, those of the fewest columns first of all."""
    columns = np.array(list(found), dtype=np.uint64)
    magics = np.array(list(found.values()), dtype=np.uint64)
    turns: Turns = np.zeros(len(columns), dtype=np.uint8)
    if order.turning and len(columns):
        drawn = random.integers(len(columns), size=2 * KEPT)
        drawn_turns = random.integers(COLUMNS, size=2 * KEPT).astype(np.uint8)
        chosen, first = np.unique(turned(columns[drawn], drawn_turns), return_index=True)
        columns, magics, turns = chosen, magics[drawn][first], drawn_turns[first]
    rank = np.argsort(np.bitwise_count(columns) + random.random(len(columns)), kind="stable")
    keep = np.sort(rank[:KEPT])
    return Library(order.square, columns[keep], magics[keep], turns[keep])


def turned(columns: Words, turns: Turns) -> Words:
    """Columns turned to the left, each word by its own number of places."""
    by = turns.astype(np.uint64)
    return columns << by | columns >> ((U(COLUMNS) - by) % U(COLUMNS))


def save_libraries(libraries: Iterable[Library], path: Path) -> None:
    """Write libraries for other processes to read."""
    arrays: dict[str, Words | Turns] = {}
    for one in libraries:
        arrays[f"columns{one.square}"] = one.columns
        arrays[f"magics{one.square}"] = one.magics
        arrays[f"turns{one.square}"] = one.turns
    np.savez(path, allow_pickle=False, **arrays)


def load_libraries(path: Path) -> dict[int, Library]:
    """The libraries of a file, by square."""
    with np.load(path) as arrays:
        squares = sorted(int(name[7:]) for name in arrays if name.startswith("columns"))
        return {
            square: Library(
                square,
                arrays[f"columns{square}"],
                arrays[f"magics{square}"],
                arrays[f"turns{square}"],
            )
            for square in squares
        }
