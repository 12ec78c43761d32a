"""Libraries of pairs: rooks on diagonally neighbouring squares, on as few columns as can be.

Everything follows from the seed: efforts are numbers of magics looked at, never of seconds.
"""

from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from magicert.board import WORD
from magicert.compact.anneal.random_words import Random
from magicert.compact.anneal.squares import Words
from magicert.compact.anneal.walk import WalkEffort
from magicert.compact.layered.matching import diagonal_pairs
from magicert.compact.layered.pair_kernel import find_pairs
from magicert.compact.pages.column_kernel import ColumnTask
from magicert.compact.pages.columns import CONFLICT, FEW, annealed
from magicert.compact.pages.library import Library, Shelf, load_libraries
from magicert.compact.pages.lines import COLUMNS, rook_lines, row_start, turn_step
from magicert.compact.pages.pairs import Pair, PairLibrary, Pairs
from magicert.compact.progress import Crew, WorkPhase
from magicert.system.deadline import Deadline

U = np.uint64
FIRST_HOSTS, MOST_ROWS = 25, 8000
"""Hosts that say how few columns a pair needs, and the most pairs in a library."""
FIRST_LOOKS, LOOKS = 160_000, 2 * 10**8
"""Columns that are looked at for one host, and for a whole library, turns included."""
ANNEALED_HOSTS, WIDER = 120, 2
"""Hosts for which a guest is annealed, where the libraries have no pair without loss; by how much
their columns may exceed the fewest. A pair may be smaller with a host that is not the smallest.
"""
ANNEALED_STEPS = 6, 5
"""Their row steps (log2)."""
BESIDE = WalkEffort(60_000, 200.0, 6.0)
PAIRING = WorkPhase("pairs of rooks", "pairs")


def pair_libraries(
    path: Path, scheme: str, seed: int, crew: Crew
) -> tuple[Shelf, dict[Pair, PairLibrary]]:
    """The libraries of all pairs, from those of single rooks in a file, and these with the magics
    that were annealed for pairs. BudgetOverError at the deadline.
    """
    keys = diagonal_pairs()
    shelf = dict(_shelf(path))
    found: dict[Pair, PairLibrary] = {}
    crew.progress(PAIRING, 0, len(keys), "")
    for pairs in crew.mapper(partial(_pairs_of, path, scheme, seed, crew.deadline), keys):
        # The guest's new magics come behind those that other pairs have added.
        begin, base = len(shelf[pairs.guest].magics), len(_shelf(path)[pairs.guest].magics)
        rows = pairs.rows.copy()
        rows[rows[:, 2] >= base, 2] += U(begin - base)
        shelf[pairs.guest] = _with_more(shelf[pairs.guest], pairs.more)
        found[pairs.key] = replace(pairs, rows=rows)
        crew.progress(PAIRING, len(found), len(keys), "")
    return shelf, found


def _with_more(library: Library, more: Words) -> Library:
    return Library(
        library.square,
        np.concatenate([library.columns, more[:, 1]]),
        np.concatenate([library.magics, more[:, 0]]),
        np.concatenate([library.turns, np.zeros(len(more), np.uint8)]),
    )


def _pairs_of(path: Path, scheme: str, seed: int, deadline: Deadline, pair: Pair) -> PairLibrary:
    deadline.check()
    shelf = _shelf(path)
    random = np.random.default_rng([seed, *pair])
    host, guest = sorted(pair, key=lambda square: (-shelf[square].least, square))
    columns = shelf[host].columns
    sizes = np.bitwise_count(columns)
    # A host with few magics of its fewest columns has others in some more.
    wide = max(shelf[host].least + 1, int(np.sort(sizes)[:FEW][-1]))
    places = np.flatnonzero(sizes <= wide)
    step = turn_step(scheme, guest)
    turns = COLUMNS // step
    looks = min(len(shelf[guest].columns), FIRST_LOOKS // turns)

    def search(most: int, hosts: int) -> tuple[Words, int]:
        found = np.zeros((hosts, 4), U)
        order = shelf[guest].columns, step, most, hosts, looks, U(random.integers(1 << 62))
        met, fewest = find_pairs(columns[places], *order, found)
        return found[:met], int(fewest)

    _, fewest = search(0, FIRST_HOSTS)
    hosts = max(1, min(MOST_ROWS, LOOKS // (looks * turns)))
    rows, also = search(max(fewest + 1, wide), hosts)
    if also > max(fewest + 1, wide):  # the first ones were lucky
        rows, also = search(also, hosts)
    rows[:, 1] = places[rows[:, 1].astype(np.int64)]
    more = np.zeros((0, 2), U)
    if scheme == "black" and also > max(shelf[host].least, shelf[guest].least):
        beside, more = _beside(shelf, host, guest, also, random, deadline)
        rows = np.concatenate([rows, beside])
    _, first = np.unique(rows[:, 0], return_index=True)
    rows = rows[first]
    least = int(np.bitwise_count(rows[:, 0]).min()) if len(rows) else COLUMNS
    return PairLibrary(host, guest, rows, max(step, turn_step(scheme, host)), least, more)


def _beside(
    shelf: Shelf, host: int, guest: int, most: int, random: Random, deadline: Deadline
) -> tuple[Words, Words]:
    """Pairs of at most `most` columns whose guest is annealed for its host, and the new magics with
    their columns, whose places are behind those of the guest's library.
    """
    lines = rook_lines(guest, True)
    columns = shelf[host].columns
    sizes = np.bitwise_count(columns)
    rows: list[list[int]] = []
    more: list[list[int]] = []
    spares = range(WIDER + 1)
    places = [np.flatnonzero(sizes <= min(most, shelf[host].least + spare)) for spare in spares]
    for n in range(ANNEALED_HOSTS):
        deadline.check()
        place = int(random.choice(places[n % len(places)]))
        own = int(columns[place])
        for step in ANNEALED_STEPS:
            task = ColumnTask(lines, step, CONFLICT, empty=U(WORD & ~own))
            start, seed = row_start(lines, step, random), int(random.integers(1 << 62))
            found = annealed(task, start, BESIDE, most - own.bit_count(), seed)
            if found is None:
                continue
            magic, claimed = found
            rows.append([own | claimed, place, len(shelf[guest].magics) + len(more), 0])
            more.append([magic, claimed])
    return np.array(rows, U).reshape(-1, 4), np.array(more, U).reshape(-1, 2)


_shelf = lru_cache(maxsize=1)(load_libraries)


def costs(pairs: Pairs) -> dict[Pair, int]:
    """What each pair needs at least, for the matching."""
    return {key: library.least for key, library in pairs.items()}
