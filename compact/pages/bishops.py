"""Pages filled and refilled with rooks, and bishops in the columns that the rooks leave free.

Each rook has a library of sets of columns. A depth-first search fills the 64 columns of a page
with one set from each of several libraries, the square with the fewest sets left first. Then some
pages give up their squares and are filled anew. Bishops of 9 bits stand in free columns, in
*bands* of 8 rows.

When: after the libraries, when a layout is made from nothing with rooks of 12 bits.

Why refilling: which squares share a page decides how much is left over; what is left fits half a
page or none. New pages are kept if they are fewer, or if the emptiest are emptier.

Cost: efforts are numbers of tries, never seconds. `pack --refills N` says how many rounds; without
it they take most of the budget. The rooks of `black` fill 17 pages, with 44 bishops on them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.chess import FIXED_BITS, Piece
from magicert.compact.anneal import (
    AnnealScratch,
    CellArrays,
    arrays_of,
    changed_word,
    new_scratch,
    next_mark,
)
from magicert.compact.kernels import (
    REFUSED,
    Count,
    State,
    WalkEffort,
    Word,
    entry_point,
    helper,
    next_below,
    random_state,
    walk,
)
from magicert.compact.pages.columns import COLUMNS, PAGE, Library, Shelf, load_libraries
from magicert.compact.placements import (
    CellData,
    Choice,
    Placement,
    Random,
    Words,
    cell_data,
    next_seed,
    random_word,
    sparse_start,
)
from magicert.compact.progress import ALONE, Workers, WorkPhase
from magicert.system.deadline import Deadline
from magicert.system.words import popcount

# The page kernel: one set of columns from each of several libraries, none meeting another.
#
# Depth first: take a set of columns, keep of every other library what is left beside it, go on
# with the square that has the fewest sets left, turn back where one has none.


U = np.uint64
Ints = NDArray[np.int64]


class Sets(NamedTuple):
    """The sets of columns of several squares, one behind the other.

    Square n's are columns[begins[n] : begins[n] + sizes[n]]; the smallest of them has least[n]
    columns.
    """

    columns: Words
    begins: Ints
    sizes: Ints
    least: Ints


class Limits(NamedTuple):
    """At every square but the first, at most `branches` random sets are tried; after `budget`
    sets looked at the search gives up.
    """

    branches: int
    budget: int


class _Tree(NamedTuple):
    """The search so far: row d of each array is what holds once d squares have their columns.

    `open_sets[d, begins[n]:][:counts[d, n]]` are the numbers of square n's sets that meet nothing
    `taken_columns[d]`; `turn[d]` is the square to place next, `attempts[d]` how many of its sets
    were tried, and `needed[d]` the fewest columns that the squares without columns need.
    """

    open_sets: NDArray[np.int32]
    counts: Ints
    taken_columns: Words
    needed: Ints
    turn: Ints
    attempts: Ints


@entry_point
def _new_tree(sets: Sets) -> _Tree:
    """The tree before any square has its columns."""
    squares = len(sets.sizes)
    open_sets = np.empty((squares + 1, len(sets.columns)), np.int32)
    for number in range(len(sets.columns)):
        open_sets[0, number] = number
    counts = np.zeros((squares + 1, squares), np.int64)
    counts[0] = sets.sizes
    needed = np.zeros(squares + 1, np.int64)
    needed[0] = sets.least.sum()
    return _Tree(
        open_sets,
        counts,
        np.zeros(squares + 1, np.uint64),
        needed,
        np.zeros(squares + 1, np.int64),
        np.zeros(squares + 1, np.int64),
    )


@helper
def _draw(tree: _Tree, sets: Sets, depth: Count, state: Words) -> Count:
    """A random set of the next square, which it does not have left any more."""
    square = tree.turn[depth]
    begin, count = sets.begins[square], tree.counts[depth, square]
    at = begin + next_below(state, count)
    number = tree.open_sets[depth, at]
    tree.open_sets[depth, at] = tree.open_sets[depth, begin + count - 1]
    tree.counts[depth, square] = count - 1
    return np.int64(number)


@helper
def _filter_sets(
    tree: _Tree, sets: Sets, depth: Count, square: Count, taken_columns: Word, most: Count
) -> Count:
    """Copy those of a square's sets to the next depth that meet nothing taken and have at most
    `most` columns; how many.
    """
    begin, count = sets.begins[square], 0
    for at in range(begin, begin + tree.counts[depth, square]):
        number = tree.open_sets[depth, at]
        columns = sets.columns[number]
        if columns & taken_columns == U(0) and np.int64(popcount(columns)) <= most:
            tree.open_sets[depth + 1, begin + count] = number
            count += 1
    tree.counts[depth + 1, square] = count
    return count


@entry_point
def disjoint(sets: Sets, limits: Limits, seed: Word) -> tuple[bool, Ints]:
    """Whether sets were found, one for every square and none meeting another, and their numbers
    in `sets.columns`.
    """
    squares, budget = len(sets.sizes), limits.budget
    state = random_state(seed)
    tree = _new_tree(sets)
    chosen = np.zeros(squares, np.int64)
    placed = np.zeros(squares, np.bool_)
    depth = 0
    while depth >= 0 and budget > 0:
        square = tree.turn[depth]
        exhausted = depth > 0 and tree.attempts[depth] >= limits.branches
        if exhausted or tree.counts[depth, square] == 0:
            placed[square] = False
            depth -= 1
            continue
        tree.attempts[depth] += 1
        number = _draw(tree, sets, depth, state)
        taken_columns = tree.taken_columns[depth] | sets.columns[number]
        needed = tree.needed[depth] - sets.least[square]
        free = COLUMNS - np.int64(popcount(taken_columns))
        if needed > free:
            continue
        chosen[square], placed[square] = number, True
        if depth == squares - 1:
            return True, chosen
        following, fewest = square, np.int64(len(sets.columns) + 1)
        for n in range(squares):
            if not placed[n]:
                budget -= tree.counts[depth, n]
                most = free - (needed - sets.least[n])
                open_count = _filter_sets(tree, sets, depth, n, taken_columns, most)
                if open_count < fewest:
                    following, fewest = n, open_count
                if open_count == 0:
                    break
        if fewest > 0:
            depth += 1
            tree.taken_columns[depth], tree.needed[depth] = taken_columns, needed
            tree.turn[depth], tree.attempts[depth] = following, 0
    return False, chosen


# Filling pages: squares whose fewest columns make up nearly all of a page's 64, and of each a
# magic that claims columns which no other one claims.
#
# Everything follows from the seeds: efforts are numbers of tries, never of seconds.

Seed = tuple[int, ...]
LIMITS = Limits(branches=6, budget=60_000_000)
"""How hard the page kernel tries with one group of squares."""
SLACKS = (1, 2, 3, 4, 6, 9, 14, 64)
"""Columns that a page may leave free: tried in this order."""
GROUPS = 5
"""Groups of squares tried for each slack."""
DRAWS = 200
"""Random choices of squares for one group that fills a page closely enough."""
WEIGHT_NOISE = 0.5
"""The base of a page is one of the largest squares: by the fewest columns, times 1 to 1.5."""
TRIES = 4
"""Fillings of each page in the first casting, of which the best stays."""
FILLING = WorkPhase("filling pages", "rooks")


@dataclass(frozen=True, slots=True)
class PagePlacement:
    """A square on a page: its magic, the columns that it claims, how far they are turned, and
    how many it would claim at least.
    """

    square: int
    magic: int
    columns: int
    turn: int
    least: int


Page = tuple[PagePlacement, ...]
Pages = tuple[Page, ...]


def worth(page: Page) -> int:
    """The columns that a page's squares would claim at least: what it is good for."""
    return sum(placement.least for placement in page)


def claimed(page: Page) -> int:
    """The columns that a page's squares claim, as the bits of a word."""
    return reduce(or_, (placement.columns for placement in page), 0)


def score(pages: Pages) -> tuple[int, ...]:
    """The smaller the better: first how many pages, then how unequally they are filled. A nearly
    empty page beside full ones is nearly gone.
    """
    return len(pages), -sum(worth(page) ** 2 for page in pages)


def fill_pages(path: Path, seed: int, workers: Workers) -> Pages:
    """Pages for all squares of the libraries in a file, filled one after the other, each the
    best of TRIES.

    Raises BudgetOverError at the deadline.
    """
    unplaced = set(load_libraries(path))
    total = len(unplaced)
    pages: list[Page] = []
    while unplaced:
        order = partial(fill_page, path, tuple(sorted(unplaced)), workers.deadline)
        seeds = [(seed, len(pages), n) for n in range(TRIES)]
        pages.append(max(workers.mapper(order, seeds), key=worth))
        unplaced -= {placement.square for placement in pages[-1]}
        workers.progress(FILLING, total - len(unplaced), total, f"{len(pages)} pages")
    return tuple(pages)


def fill_page(path: Path, squares: Sequence[int], deadline: Deadline, seed: Seed) -> Page:
    """Fill one page with some of the squares, as full as a few tries bring it."""
    random = np.random.default_rng(seed)
    shelf = load_libraries(path)
    # A square alone always finds its columns.
    return fill(shelf, squares, COLUMNS, random, deadline) or (
        fill(shelf, squares[:1], COLUMNS, random, deadline)
    )


def fill(
    shelf: Shelf, squares: Iterable[int], slack: int, random: Random, deadline: Deadline
) -> Page:
    """A page with some of the squares that leaves about `slack` columns free at most; empty if
    none came about. BudgetOverError at the deadline.
    """
    weights = {
        square: shelf[square].least * (1 + WEIGHT_NOISE * random.random()) for square in squares
    }
    base = max(weights, key=lambda square: (weights[square], square))
    other_squares = sorted(set(weights) - {base})
    tried_groups: set[frozenset[int]] = set()
    for free in sorted({min(most_free, slack) for most_free in SLACKS}):
        for _ in range(GROUPS):
            deadline.check()
            group = _group(shelf, base, other_squares, free, random)
            if group is None or group in tried_groups:
                continue
            tried_groups.add(group)
            page = _solve(shelf, group, random)
            if page:
                return page
    return ()


def _group(
    shelf: Shelf, base: int, other_squares: list[int], slack: int, random: Random
) -> frozenset[int] | None:
    """The base and random others that leave at most `slack` columns free; None if there are no
    such others.
    """
    for _ in range(DRAWS):
        group, free = [base], COLUMNS - shelf[base].least
        for square in random.permutation(other_squares).tolist():
            if shelf[square].least <= free:
                group.append(square)
                free -= shelf[square].least
        if free <= slack or len(group) > len(other_squares):
            return frozenset(group)
    return None


def _solve(shelf: Shelf, group: Iterable[int], random: Random) -> Page:
    """A page with all squares of a group, or an empty one if none was found."""
    libraries = sorted(
        (shelf[n] for n in group), key=lambda library: (-library.least, library.square)
    )
    sizes = np.array([len(library.columns) for library in libraries], dtype=np.int64)
    sets = Sets(
        np.concatenate([library.columns for library in libraries]),
        np.cumsum(sizes) - sizes,
        sizes,
        np.array([library.least for library in libraries], dtype=np.int64),
    )
    is_solved, chosen = disjoint(sets, LIMITS, U(random.integers(1 << 63)))
    if not is_solved:
        return ()
    return tuple(
        PagePlacement(
            library.square, int(library.magics[n]), int(library.columns[n]), int(library.turns[n]),
            library.least,
        )
        for library, n in zip(libraries, (chosen - sets.begins).tolist(), strict=True)
    )  # fmt: skip


# Refilling: a few pages give up their squares and are filled anew. The new pages are kept if
# they are fewer, or if the emptiest of them are emptier.

FEWEST, MOST = 1, 4
"""Pages that are refilled at once."""
Judge = Callable[[Pages], tuple[int, ...]]
"""What pages are judged by, the smaller the better; picklable."""
REFILLS, COPIES = 3, 2
"""Refillings in a row, and such rows in one round, of which the best goes on."""


def refill_round(
    path: Path, pages: Pages, seed: Seed, workers: Workers, judge: Judge = score
) -> Pages:
    """One round: COPIES refillings of the same pages; the best of what they give.

    Raises BudgetOverError at the deadline.
    """
    seeds = [(*seed, copy) for copy in range(COPIES)]
    order = partial(refill, path, pages, workers.deadline, judge=judge)
    return min(workers.mapper(order, seeds), key=judge)


def refill(path: Path, pages: Pages, deadline: Deadline, seed: Seed, judge: Judge = score) -> Pages:
    """Some pages filled anew, a few times over; what is better stays."""
    random = np.random.default_rng(seed)
    cost = judge(pages)
    for _ in range(REFILLS):
        refilled = _refilled(load_libraries(path), pages, random, deadline)
        # Another filling as good as this one may lead on.
        if refilled is not pages and (after := judge(refilled)) <= cost:
            pages, cost = refilled, after
    return pages


def _refilled(shelf: Shelf, pages: Pages, random: Random, deadline: Deadline) -> Pages:
    """The pages after one refilling; the same ones if their squares did not fit again."""
    chosen = _emptier(pages, random)
    unplaced = {placement.square for n in chosen for placement in pages[n]}
    new: list[Page] = []
    while unplaced:
        free = COLUMNS * (len(chosen) - len(new)) - sum(shelf[square].least for square in unplaced)
        page = fill(shelf, unplaced, free, random, deadline) if free >= 0 else ()
        if not page:
            return pages
        new.append(page)
        unplaced -= {placement.square for placement in page}
    return tuple(page for n, page in enumerate(pages) if n not in chosen) + tuple(new)


def _emptier(pages: Pages, random: Random) -> set[int]:
    """Numbers of some pages; the emptier a page, the likelier it is among them."""
    empty = np.array([COLUMNS + 1 - worth(page) for page in pages], dtype=float)
    count = min(len(pages), FEWEST + int(random.integers(MOST - FEWEST + 1)))
    return set(random.choice(len(pages), count, replace=False, p=empty / empty.sum()).tolist())


# The band kernel: how many columns of a band a bishop's magic claims.
#
# A *band* are 8 rows of a page, the 512 slots of a bishop. A column that no rook of a page claims
# is free in all its rows, so bishops that claim few columns stand there, eight above one another.

COLUMN_PRICE = 8
"""What a column costs while annealing: its slots in a band."""
TWICE = 7, 16
"""In 7 of 16 cases a magic is changed twice at once."""


class BandTask(NamedTuple):
    """A bishop of 9 bits, and the price of a conflict."""

    cell: CellArrays
    conflict: int


@helper
def band_cost(task: BandTask, magic: Word, limit: Count, scratch: AnnealScratch) -> Count:
    """The price of a magic's columns and conflicts, or REFUSED as soon as it exceeds `limit`."""
    cell, products, marks = task.cell, scratch.products, scratch.marks
    mark = next_mark(scratch)
    products[0] = cell.around * magic
    index = products[0] >> cell.shift
    marks[index] = mark | np.uint32(cell.numbers[0])
    columns, conflicts = U(1) << (index & U(COLUMNS - 1)), np.int64(0)
    size = 1
    for j in range(len(cell.shifts)):
        step = magic << U(cell.shifts[j])
        for n in range(size, size + size):
            products[n] = products[n - size] + step
            index = products[n] >> cell.shift
            key = mark | np.uint32(cell.numbers[n])
            if marks[index] < mark:
                marks[index] = key
                columns |= U(1) << (index & U(COLUMNS - 1))
            elif marks[index] != key:
                conflicts += task.conflict
        size *= 2
        if conflicts + COLUMN_PRICE * np.int64(popcount(columns)) > limit:
            return np.int64(REFUSED)
    return conflicts + COLUMN_PRICE * np.int64(popcount(columns))


@helper
def band_neighbour(task: BandTask, magic: Word, state: State) -> tuple[Word, bool]:  # noqa: ARG001
    """Another magic: changed once or twice."""
    neighbour = changed_word(magic, state)
    if next_below(state, TWICE[1]) < TWICE[0]:
        neighbour = changed_word(neighbour, state)
    return neighbour, True


@entry_point
def band_anneal(task: BandTask, start: Word, effort: WalkEffort, seed: Word) -> tuple[Word, Count]:
    """The best magic met from `start`, and its cost."""
    scratch = new_scratch(task.cell)
    return walk(task, start, effort, seed, scratch, band_neighbour, band_cost)


@helper
def claimed_columns(task: BandTask, scratch: AnnealScratch) -> Word:
    """The columns of the magic whose cost was found last, as the bits of a word. Before: it was not
    refused, so that all products are there.
    """
    columns = U(0)
    for n in range(len(task.cell.numbers)):
        columns |= U(1) << ((scratch.products[n] >> task.cell.shift) & U(COLUMNS - 1))
    return columns


@entry_point
def band_columns(task: BandTask, magic: Word) -> Word:
    """The columns that a magic claims, as the bits of a word."""
    scratch = new_scratch(task.cell)
    band_cost(task, magic, np.int64(REFUSED - 1), scratch)
    return claimed_columns(task, scratch)


@entry_point
def band_walk(
    task: BandTask, start: Word, most: Count, candidates: Count, seed: Word, met_magics: Words
) -> Count:
    """Walk along magics without conflicts that claim at most so many columns; each that claims
    others than the one before becomes a row of `met_magics`: magic and columns. How many there are.
    """
    state, scratch = random_state(seed), new_scratch(task.cell)
    magic, before, count = start, U(0), np.int64(0)
    for _ in range(candidates):
        candidate, _ = band_neighbour(task, magic, state)
        if band_cost(task, candidate, COLUMN_PRICE * most, scratch) > COLUMN_PRICE * most:
            continue
        magic, columns = candidate, claimed_columns(task, scratch)
        if columns != before and count < len(met_magics):
            met_magics[count, 0], met_magics[count, 1], before = magic, columns, columns
            count += 1
    return count


# Bishops in the columns that rooks leave free on their pages.

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
WALKS, WALK_CANDIDATES, MOST_MET = 32, 30_000, 100_000
"""Walks for a library, the candidates of each, and how many magics one notes down."""
CLIMBS = (0, 1, 0)
"""By how many columns walks may exceed their starts."""
LIBRARY_SIZE = 20_000
"""Most magics in a library."""
FILLINGS, JUDGING_FILLINGS = 100, 6
"""Ways in which bands are filled, of which the best is kept; fewer to judge pages of rooks."""
_BandFilling = dict[int, tuple[int, int]]
"""Bishops with a magic and a band."""
FULL = (1 << COLUMNS) - 1
LIBRARIES = WorkPhase("bishops in whole columns", "bishops")


def bishop_shelf(cells: Sequence[CellData], seed: int, workers: Workers = ALONE) -> Shelf:
    """Libraries for bishops of 9 bits. BudgetOverError at the deadline."""
    nine_bit_cells = [cell for cell in cells if cell.bits == FIXED_BITS[Piece.BISHOP]]
    # What takes longest is begun first.
    nine_bit_cells.sort(key=lambda cell: -len(cell.square.occupancies))
    shelf: Shelf = {}
    orders = [(cell.scheme, cell.square.square) for cell in nine_bit_cells]
    for library in workers.each(LIBRARIES, partial(_collect, seed, workers.deadline), orders):
        if len(library.columns):
            shelf[library.square] = library
    return shelf


def in_free_columns(
    scheme: str, shelf: Shelf, placements: Sequence[Placement], seed: int, *, behind: bool = False
) -> list[Placement]:
    """Placements for as many bishops as fit into columns that nobody claims, up to the end of the
    last page; or for all of them, if `behind` allows bands behind the pages.
    """
    end = max((placement.end for placement in placements), default=0)
    bands = -(-end // PAGE) * PAGE // BAND
    is_taken = np.zeros(bands * BAND, np.bool_)
    for placement in placements:
        is_taken[placement.used + placement.offset] = True
    rows = is_taken.reshape(-1, BAND // COLUMNS, COLUMNS).any(axis=1)
    free = np.packbits(~rows, axis=1, bitorder="little").view("<u8")[:, 0]
    if behind:
        # Rooks may reach over the end of a page by a few slots: from there on, bands are behind.
        free = np.concatenate([free[: -(-end // BAND)], np.full(len(shelf), FULL, U)])
    best = _best_filling(shelf, free, FILLINGS, seed)
    return [
        Placement.valid(
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
    shelf = load_libraries(path)
    free = np.repeat(np.array([FULL & ~claimed(page) for page in pages], U), PAGE // BAND)
    placed = _best_filling(shelf, free, JUDGING_FILLINGS, 0)
    return count, sum(shelf[square].least for square in shelf if square not in placed), unequal


def _best_filling(shelf: Shelf, free: Words, fillings: int, seed: int) -> _BandFilling:
    """Of some ways to fill bands that which leaves the fewest columns of bishops without room; then
    that which ends first.
    """
    random = np.random.default_rng([seed, len(shelf)])

    def room(filling: _BandFilling) -> tuple[int, int, int]:
        last = max((band for _, band in filling.values()), default=0)
        last_columns = sum(shelf[n].least for n, (_, band) in filling.items() if band == last)
        return sum(shelf[n].least for n in shelf if n not in filling), last, last_columns

    return min((_fill(shelf, free, random) for _ in range(fillings)), key=room)


@dataclass(frozen=True, slots=True)
class _Start:
    claimed: int
    magic: int


def _collect(seed: int, deadline: Deadline, order: tuple[str, int]) -> Library:
    """A library of one bishop; empty if no magic of 9 bits was found."""
    scheme, square = order
    random = np.random.default_rng([seed, square, 1])
    cell = cell_data(scheme, Piece.BISHOP, square, FIXED_BITS[Piece.BISHOP])
    starts = _starts(cell, random, deadline)
    least = min((start.claimed for start in starts), default=0)
    near = [start for start in starts if start.claimed <= least + 1]
    magic_of = _walk_magics(cell, near, random) if near else {}
    fewest_first = sorted(magic_of, key=int.bit_count)[:LIBRARY_SIZE]
    magics = np.array([magic_of[columns] for columns in fewest_first], np.uint64)
    return Library(
        square, np.array(fewest_first, np.uint64), magics, np.zeros(len(fewest_first), np.uint8)
    )


def _starts(cell: CellData, random: Random, deadline: Deadline) -> list[_Start]:
    """Valid magics with few columns, annealed. BudgetOverError at the deadline."""
    size = len(cell.square.occupancies)
    annealings = next(row for most, row in EFFORTS.items() if size <= most)
    task = BandTask(arrays_of(cell), annealings.conflict)
    starts: list[_Start] = []
    for n in range(annealings.starts):
        deadline.check()
        word = U(sparse_start(random) if n % 2 else random_word(random))
        effort = WalkEffort(annealings.candidates, float(random.choice(annealings.hot)), COLD)
        magic, cost = band_anneal(task, word, effort, next_seed(random))
        claimed = int(band_columns(task, U(magic))).bit_count()
        if cost == COLUMN_PRICE * claimed:
            starts.append(_Start(claimed, int(magic)))
    return starts


def _walk_magics(cell: CellData, near: Sequence[_Start], random: Random) -> dict[int, int]:
    """The columns of the magics that walks meet, each with a magic."""
    task, magic_of = BandTask(arrays_of(cell), NO_CONFLICT), dict[int, int]()
    met_magics = np.empty((MOST_MET, 2), np.uint64)
    for n in range(WALKS):
        start = near[int(random.integers(len(near)))]
        most = start.claimed + CLIMBS[n % len(CLIMBS)]
        count = band_walk(
            task, U(start.magic), most, WALK_CANDIDATES, next_seed(random), met_magics
        )
        for magic, columns in met_magics[:count].tolist():
            magic_of.setdefault(columns, magic)
    return magic_of


def _fill(shelf: Shelf, free: Words, random: Random) -> _BandFilling:
    """Bands one by one; in each the largest bishops that still fit. Those with rooks come first,
    the emptiest of them first of all.
    """
    placed: _BandFilling = {}
    emptiest = np.where(free == U(FULL), np.arange(len(free)), 0) - np.bitwise_count(free) / COLUMNS
    order = np.argsort(emptiest + random.random(len(free)) / COLUMNS, kind="stable")
    unplaced = sorted(shelf, key=lambda square: -shelf[square].least - random.random())
    for band in order.tolist():
        room = int(free[band])
        for square in list(unplaced):
            library = shelf[square]
            if library.least > room.bit_count():
                continue
            fits = np.flatnonzero(library.columns & U(~room & FULL) == 0)
            if len(fits):
                at = int(fits[random.integers(len(fits))])
                room &= ~int(library.columns[at])
                placed[square] = int(library.magics[at]), band
                unplaced.remove(square)
    return placed
