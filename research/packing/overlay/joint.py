"""Squares that share bytes of a first level: pairs with few joint classes, and pages of them.

How many joint classes a pair has is what the joint kernel counts; libraries of such pairs are
annealed, the best pairs matched, and a first level built from them, bishops behind.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.chess import Piece
from magicert.compact.kernels import Count, Word, entry_point, inner, next_below, random_state
from magicert.compact.layouts import Layout, rooks_first
from magicert.compact.pages.bishops import (
    Page,
    bishop_shelf,
    fill_pages,
    in_free_columns,
    refill_round,
    worth,
)
from magicert.compact.pages.columns import (
    COLUMNS,
    PAGE,
    ROW_BITS,
    Library,
    Pair,
    PairLibrary,
    Shelf,
    as_library,
    load_libraries,
    rook_libraries,
    save_libraries,
    slot_step,
    turn_step,
    turned_placement,
)
from magicert.compact.placements import (
    CellData,
    Key,
    Placement,
    Slots,
    Words,
    next_seed,
    square_data,
)
from magicert.compact.progress import ALONE, Workers, WorkPhase
from magicert.compact.start import place, ready_pools
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.system.words import popcount

# The joint kernel: pairs of rooks on few columns of a page, with few joint classes.
#
# Two rooks that share a column share its bytes. A byte numbers a joint class, an attack set of
# each. How many there are depends on how the rows of the two lie to each other: the guest is turned
# by whole rows, too, as far as its magics can be.


U = np.uint64
Ints = NDArray[np.int64]
MOST_SETS = 160
"""More than any square has attack sets."""
NUMBERS = 256
"""How many joint classes a byte can number."""


class Side(NamedTuple):
    """A rook of a pair: its library, and what makes a magic's indexes and attack set numbers."""

    columns: Words
    magics: Words
    occupancies: Words
    numbers: NDArray[np.uint16]
    around: Word


class PairStamps(NamedTuple):
    """Stamps of the pairs, and of the attack sets, that were seen."""

    pairs: Ints
    hosts: Ints
    guests: Ints
    stamp: Ints


@entry_point
def new_scratch() -> PairStamps:
    """Working space for any pair."""
    return PairStamps(
        np.zeros(MOST_SETS * MOST_SETS, np.int64), np.zeros(MOST_SETS, np.int64),
        np.zeros(MOST_SETS, np.int64), np.zeros(1, np.int64),
    )  # fmt: skip


@entry_point
def page_of(side: Side, magic: Word) -> Ints:
    """The attack set number in each slot of a page, -1 where a magic has none."""
    page = np.full(PAGE, -1, np.int64)
    added = side.around * magic
    for n in range(len(side.occupancies)):
        page[(side.occupancies[n] * magic + added) >> U(64 - ROW_BITS)] = side.numbers[n]
    return page


@inner
def joint_classes(host: Ints, guest: Ints, turn: Count, most: Count, scratch: PairStamps) -> Count:
    """How many numbers two rooks on one page need, the guest turned by `turn` slots: one for each
    pair of attack sets, and one for those that stand alone everywhere, of both rooks at once.
    Any number above `most` if they need more than that.
    """
    scratch.stamp[0] += 1
    stamp = scratch.stamp[0]
    joint = np.int64(0)
    for slot in range(PAGE):
        one, other = host[slot], guest[(slot - turn) & (PAGE - 1)]
        if one >= 0 and other >= 0:
            scratch.hosts[one] = scratch.guests[other] = stamp
            key = one * MOST_SETS + other
            if scratch.pairs[key] != stamp:
                scratch.pairs[key] = stamp
                joint += 1
                if joint > most:
                    return joint
    alone, also = np.int64(0), np.int64(0)
    for slot in range(PAGE):
        one, other = host[slot], guest[slot]
        if one >= 0 and scratch.hosts[one] != stamp:
            scratch.hosts[one] = stamp
            alone += 1
        if other >= 0 and scratch.guests[other] != stamp:
            scratch.guests[other] = stamp
            also += 1
    return joint + alone + also


@entry_point
def find_joint(
    host: Side, guest: Side, steps: tuple[Count, Count], looks: Count, seed: Word, found: Words
) -> Count:  # fmt: skip
    """Random hosts, each with a guest on as few columns together as `looks` guests allow, turned so
    that they have few joint classes.

    The guest turns by steps[0] slots within a row, and by steps[1] in whole rows. The number of
    rows of `found` that are filled: the union of the columns, the places in both libraries, the
    guest's turn in slots, and the joint classes, at most 256.
    """
    state, scratch = random_state(seed), new_scratch()
    rows = np.int64(0)
    for _ in range(len(found)):
        at = next_below(state, len(host.columns))
        own = host.columns[at]
        first, fewest = next_below(state, len(guest.columns)), np.int64(COLUMNS + 1)
        best, best_turn = np.int64(0), np.int64(0)
        for n in range(min(looks, len(guest.columns))):
            other = (first + n) % len(guest.columns)
            columns = guest.columns[other]
            for turn in range(0, COLUMNS, steps[0]):
                turned = columns << U(turn) | columns >> U((COLUMNS - turn) & 63)
                both = np.int64(popcount(own | turned))
                if both < fewest:
                    fewest, best, best_turn = both, np.int64(other), np.int64(turn)
            if fewest == np.int64(popcount(own)):
                break
        page = page_of(host, host.magics[at])
        theirs = page_of(guest, guest.magics[best])
        classes, best_by = np.int64(NUMBERS + 1), np.int64(0)
        for by in range(best_turn, PAGE, steps[1]):
            met = joint_classes(page, theirs, by, classes - 1, scratch)
            if met < classes:
                classes, best_by = met, np.int64(by)
        if classes <= NUMBERS:
            columns = guest.columns[best]
            turned = columns << U(best_turn) | columns >> U((COLUMNS - best_turn) & 63)
            found[rows, 0], found[rows, 1], found[rows, 2] = own | turned, U(at), U(best)
            found[rows, 3], found[rows, 4] = U(best_by), U(classes)
            rows += 1
    return rows


# Which rooks share bytes: libraries of pairs with few joint classes, and the best pairs of a file.
#
# Rooks of one file have the same rows. Where their rows lie alike, a column has one attack set of
# the rank for both, so the joint classes are few: rooks a7 and a8 need 51 numbers together, and
# have 42 and 49 attack sets. On different files there are hundreds.

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


def joint_libraries(
    path: Path, scheme: str, seed: int, workers: Workers
) -> dict[Pair, JointLibrary]:
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
    work = partial(_joint, path, scheme, seed, workers.deadline)
    return {library.pairs.key: library for library in workers.each(JOINING, work, pairs)}


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
    shelf = load_libraries(path)
    host, guest = sorted(pair, key=lambda square: (-shelf[square].least, square))
    random = np.random.default_rng([seed, *pair])
    near = np.bitwise_count(shelf[host].columns) <= shelf[host].least + 1
    places = np.flatnonzero(near).astype(np.int64)
    sides = _side(shelf[host], scheme, places), _side(shelf[guest], scheme)
    step = turn_step(scheme, guest)
    found = np.zeros((HOSTS, 5), U)
    looks, steps = max(200, LOOKS * step // COLUMNS), (step, max(COLUMNS, slot_step(scheme, guest)))
    rows = find_joint(*sides, steps, looks, next_seed(random), found)
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
    return JointLibrary(PairLibrary(host, guest, rows[:, :4], step), rows[:, 4])


def _costs(rows: Words, classes: Words) -> Slots:
    columns = np.bitwise_count(rows[:, 0]).astype(np.int64)
    return COLUMNS * columns + PRICE * classes.astype(np.int64)


# A first level from nothing: pairs that share bytes and single rooks on pages, bishops behind.

REFILLING = WorkPhase("refilling pages", "rounds")


@dataclass(frozen=True)
class FirstLevel:
    """What is wanted: cells of 12 bits a rook, a seed, at most so many rounds of refilling pages,
    and until when. The scheme is one in which columns turn: black or constant.
    """

    cells: Mapping[Key, CellData]
    scheme: str
    seed: int
    refills: int
    refill_until: Deadline

    @property
    def rooks(self) -> list[int]:
        """The squares of the rooks that are wanted."""
        return [square for piece, square in self.cells if piece is Piece.ROOK]


def first_level(plan: FirstLevel, workers: Workers = ALONE) -> tuple[Layout, int]:
    """A layout in which rooks of a file may share slots, and the rounds of refilling it took.

    Raises NoPlaceError where a square has no magic of so few bits, BudgetOverError.
    """
    bishops = {key: cell for key, cell in plan.cells.items() if key[0] is Piece.BISHOP}
    pools = ready_pools(bishops, plan.seed, workers)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "libraries"
        black = plan.scheme == "black"
        save_libraries(rook_libraries(plan.rooks, black, plan.seed, workers), path)
        shelf = load_libraries(path)
        found = joint_libraries(path, plan.scheme, plan.seed, workers)
        pairs = {64 + n: one for n, one in enumerate(best_pairs(shelf, found))}
        mixed = path.with_suffix(".mixed")
        save_libraries([*_mixed(shelf, pairs, plan.seed)], mixed)
        pages = fill_pages(mixed, plan.seed, workers)
        rounds = 0
        workers.progress(REFILLING, 0, plan.refills, f"{len(pages)} pages")
        try:
            for number in range(plan.refills):
                plan.refill_until.check()
                until = workers._replace(deadline=plan.refill_until)
                pages = refill_round(mixed, pages, (plan.seed, number), until)
                rounds = number + 1
                note = f"{len(pages)} pages, {min(map(worth, pages))} columns on the last"
                workers.progress(REFILLING, rounds, plan.refills, note)
        except BudgetOverError:
            pass
        fullest = sorted(pages, key=lambda page: -worth(page))
        placements = [
            placement
            for n, page in enumerate(fullest)
            for placement in _placements(plan, shelf, pairs, page, n * PAGE)
        ]
        shelf = bishop_shelf(list(bishops.values()), plan.seed, workers)
    packed = []
    for behind in (False, True):
        columns = in_free_columns(plan.scheme, shelf, placements, plan.seed, behind=behind)
        packed.append(place(plan.cells, pools, plan.seed, [*placements, *columns], workers))
    shortest = min(packed, key=lambda one: one.length)
    return Layout(plan.scheme, rooks_first(shortest.placements.values())), rounds


def _mixed(shelf: Shelf, pairs: Mapping[int, JointLibrary], seed: int) -> Iterator[Library]:
    """Libraries for the page filling: pairs as if they were squares from 64 on, and the others."""
    paired = {square for one in pairs.values() for square in one.pairs.key}
    for number, one in pairs.items():
        yield as_library(one.pairs, number, seed)
    for square, library in shelf.items():
        if square not in paired:
            yield library


def _placements(
    plan: FirstLevel, shelf: Shelf, pairs: Mapping[int, JointLibrary], page: Page, start: int
) -> Iterator[Placement]:
    def cell(square: int) -> CellData:
        return plan.cells[Piece.ROOK, square]

    for one in page:
        if one.square not in pairs:
            yield turned_placement(cell(one.square), one.magic, one.turn, start)
            continue
        joint = pairs[one.square].pairs
        _, host, guest, by = map(int, joint.rows[one.magic])
        magics = int(shelf[joint.host].magics[host]), int(shelf[joint.guest].magics[guest])
        yield turned_placement(cell(joint.host), magics[0], one.turn, start)
        yield turned_placement(cell(joint.guest), magics[1], one.turn + by, start)
