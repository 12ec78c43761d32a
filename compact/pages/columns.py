"""Rooks as whole columns of a page: the column kernel, and libraries of magics that claim few.

A page of 4,096 slots has 64 columns, the residues modulo 64. A rook whose rank moves by a power of
two of buckets (its *row step*) uses whole columns; the kernel anneals for few of them, and a walk
from the best finds thousands of magics that need no more columns, but others.

When: packing with rooks of 12 bits under black, white or a free constant.

Why: columns tile without loss, and the columns of a page are one 64-bit word: whether two squares
fit together is an AND.

Cost: a candidate evaluates the file's sums alone, at most 64, not the 4,096 occupancies. The
fewest columns found under black: a8 27 of the 64, e5 12, d2 10, a1 40; nothing proves that fewer
are impossible. `used_indexes` has the last word on every magic.
"""

import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.board import WORD, squares_of
from magicert.chess import Piece, attack_set, mask, square_name
from magicert.compact.kernels import (
    REFUSED,
    Count,
    State,
    WalkEffort,
    Word,
    entry_point,
    helper,
    inner,
    next_below,
    random_state,
    walk,
)
from magicert.compact.placements import (
    FRACTION_TOP,
    CellData,
    Choice,
    Placement,
    Random,
    Words,
    random_word,
    subsets,
)
from magicert.compact.progress import Workers, WorkPhase
from magicert.system.deadline import FOREVER, Deadline
from magicert.system.whole_file import write_whole
from magicert.system.words import popcount

# A rook's square as two lines: the *column kernel*'s view of it (compact/README.md,
# "Rows, columns and pages").
#
# The mask bits of the rank are neighbours, so their contributions double. With a *row step* of
# 2^e buckets for the lowest of them, the rank's patterns are a fixed set R of multiples of the
# step, and the used slots are F + 2^e * R: F has one number for each *file sum* of the vertical
# line. A square is then as large as its F, and only the file's few sums need evaluating.


ROW_BITS = 12
"""A page of 4,096 slots: the column kernel works on indexes of so many bits."""
PAGE = 1 << ROW_BITS
WIDEST_STEP = 6
"""The largest e: a rank of six bits fills a page of 64 rows of 64 columns."""
COLUMNS = 1 << WIDEST_STEP
EXTRA_WEIGHT_BITS = 5
"""A small negative weight is ROW_BITS 1 bits and up to four more."""


class Lines(NamedTuple):
    """A rook's square as the column kernel sees it: the file's mask bits and attack sets, and
    the rank's patterns R.

    `shifts` are the squares of the file's mask bits and `numbers[n]` the number of file pattern
    n's attack set, in doubling order; `lowest` is the rank's lowest mask bit, and `farthest` the
    largest member of R. `turned[u]` has R * u mod 64 as the bits of a word, or 0 where two of
    them coincide; `behind[e]` has the columns 2^e * R that a file sum of 0 claims. `ends` are
    the file's blockers next to the edges, which make small sets when they weigh next to nothing.
    `around` times the magic is added: ~mask under black, otherwise 0.
    """

    shifts: NDArray[np.int64]
    numbers: NDArray[np.int64]
    lowest: int
    farthest: int
    turned: Words
    behind: Words
    ends: NDArray[np.int64]
    around: Word


@cache
def rook_lines(square: int, black: bool) -> Lines:
    """The two lines of a square, made once."""
    board = mask(Piece.ROOK, square)
    rank = [bit for bit in squares_of(board) if bit >> 3 == square >> 3]
    file = [bit for bit in squares_of(board) if bit >> 3 != square >> 3]
    attacks = [attack_set(Piece.ROOK, square, occupancy) for occupancy in subsets(file)]
    _, numbers = np.unique(np.array(attacks, dtype=np.uint64), return_inverse=True)
    patterns = tuple(sorted(occupancy >> min(rank) for occupancy in subsets(rank)))
    above, below = [bit for bit in file if bit > square], [bit for bit in file if bit < square]
    return Lines(
        np.array(file, dtype=np.int64),
        numbers.astype(np.int64),
        min(rank),
        patterns[-1],
        np.array([_turned(patterns, turn) for turn in range(64)], dtype=np.uint64),
        np.array([_columns(patterns, step) for step in range(WIDEST_STEP + 1)], dtype=np.uint64),
        np.array([*above[-1:], *below[:1]], dtype=np.int64),
        np.uint64(~board & WORD if black else 0),
    )


def _turned(patterns: tuple[int, ...], turn: int) -> int:
    places = {pattern * turn % 64 for pattern in patterns}
    return sum(1 << place for place in places) if len(places) == len(patterns) else 0


def _columns(patterns: tuple[int, ...], step: int) -> int:
    return sum(1 << place for place in {(pattern << step) % COLUMNS for pattern in patterns})


def row_start(lines: Lines, step: int, random: Random) -> int:
    """A random magic whose row step is 2^step buckets; half of the file's ends get a small
    negative weight.
    """
    word = random_word(random)
    if random.random() < 0.5:
        word &= int(random.integers(1 << 63)) << 1 | 1
    for end in lines.ends.tolist():
        if random.random() < 0.5:
            length, top = ROW_BITS + int(random.integers(EXTRA_WEIGHT_BITS)), 64 - end
            word |= (1 << top) - (1 << max(0, top - length))
    # The rank's coefficient shall be the step, up to a small fraction of a bucket.
    forced = (WORD >> lines.lowest) & ~((1 << max(0, FRACTION_TOP - lines.lowest)) - 1)
    return word & ~forced | 1 << max(0, 64 - ROW_BITS + step - lines.lowest)


def slot_step(scheme: str, square: int) -> int:
    """By how many slots a rook's slots turn on their page at once, without a change of what they
    are.

    An added constant turns by any number. Under black the magic's highest bits turn: below its
    lowest mask bit L the complement of the mask is all ones, so these bits, from 64 - L on, move
    all indexes alike and change nothing else. Under white nothing turns them on their page.
    """
    if scheme != "black":
        return 1 if scheme == "constant" else PAGE
    lowest = (mask(Piece.ROOK, square) & -mask(Piece.ROOK, square)).bit_length() - 1
    return 1 << max(0, ROW_BITS - lowest)


def turn_step(scheme: str, square: int) -> int:
    """By how many columns a rook's columns turn at once; COLUMNS where they do not turn at all.
    Under white an offset turns them.
    """
    return 1 if scheme == "white" else min(COLUMNS, slot_step(scheme, square))


# A library: many magics for one rook, each claiming other columns of a page.

Turns = NDArray[np.uint8]


@dataclass(frozen=True)
class Library:
    """A square's magics, and the columns that each claims as the bits of a word: different for
    all of them. Columns are turned to the left by `turns`, which an offset or an added constant
    makes up for.
    """

    square: int
    columns: Words
    magics: Words
    turns: Turns

    @cached_property
    def least(self) -> int:
        """The fewest columns that a magic of this square claims."""
        return int(np.bitwise_count(self.columns).min())


Shelf = dict[int, Library]
"""Libraries by square."""


def save_libraries(libraries: Sequence[Library], path: Path) -> None:
    """Write libraries for this command's other processes to read."""
    write_whole(path, pickle.dumps({library.square: library for library in libraries}))


@lru_cache(maxsize=2)
def load_libraries(path: Path) -> Shelf:
    """The libraries of a file, read once in every process: of rooks, and of pairs or bishops."""
    shelf: Shelf = pickle.loads(path.read_bytes())
    return dict(sorted(shelf.items()))


# The column kernel: which of a page's 64 columns a rook with a row step needs.
#
# A column is a residue class modulo 64 of the page's slots, all 64 of them. Squares that claim
# whole columns stand side by side without loss, and a page of them is 64 bits. Only the file's
# sums are evaluated, at most 64; the rank's patterns follow each as one 64-bit word.
#
# A candidate costs 64 for every column, and `conflict` for whatever makes it no magic of this form.
# What comes out is exact for the form; `used_indexes` still has the last word on every magic.
#
# Beside other rooks of a layered page only the *empty* columns cost anything. Some columns are
# *blocked*, for all classes of the rook's file or for some: what the rook's file attacks there
# would contradict the others. A class is an attack set of the file.

U = np.uint64
WORDS = 66
"""Words of a page's bitset, with a spare word or two."""
LARGEST_FRACTION = np.int64(1) << 48
"""The largest deviation of the row step, in units of 2^-52 of a bucket."""
FORBIDDEN = 1 << 20
"""A price that no walk pays."""

OTHER_SET, SLOT_TWICE = 4, 2
"""How many conflicts it counts as if a file sum's index holds another attack set, and if a
slot is used behind two file sums."""
MOST_CLASSES = 16
"""More than the attack sets that a file has: 12 at most."""


class ColumnTask(NamedTuple):
    """A rook to anneal for few columns: its lines, the row step (log2), the price of a conflict.

    `blocked[number]` are the columns that the file's attack set of this number must not claim,
    `empty` those that cost their slots. An empty page has nothing else.
    """

    lines: Lines
    step: int
    conflict: int
    blocked: Words = np.zeros(MOST_CLASSES, np.uint64)
    empty: Word = U(WORD)


class ColumnScratch(NamedTuple):
    """Working space: the attack set that holds an index, the square's own bitset of a page, the
    products of the file's patterns.

    An entry of `holds` is a stamp above the number of an attack set. Stamps rise from candidate
    to candidate, so that `holds` need not be cleared between them.
    """

    holds: NDArray[np.int64]
    page_bits: Words
    products: Words
    stamp: NDArray[np.int64]


@entry_point
def new_column_scratch() -> ColumnScratch:
    """Working space for any square."""
    return ColumnScratch(
        np.zeros(PAGE, np.int64),
        np.zeros(WORDS, np.uint64),
        np.empty(64, np.uint64),
        np.zeros(1, np.int64),
    )


@helper
def _claim(page_bits: Words, place: Count, word: Word) -> bool:
    """Set bits of the square's own bitset from a place on. True if one was set already."""
    shift = U(place & 63)
    at = place >> 6
    low = word << shift
    twice = page_bits[at] & low
    page_bits[at] |= low
    if shift != U(0):
        high = word >> (U(64) - shift)
        twice |= page_bits[at + 1] & high
        page_bits[at + 1] |= high
    return twice != U(0)


@helper
def _place(index: Count, step: Count) -> Count:
    """Where a slot's bit is in layout `step`: slots 2^step apart are neighbouring bits."""
    columns = (np.int64(1) << step) - 1
    return (index & columns) * (np.int64(PAGE) >> step) + (index >> step)


@helper
def _use_rows(page_bits: Words, step: Count, index: Count, pattern: Word) -> bool:
    """Use the rank's patterns behind one file sum, wrapped at the page's end. True if the
    square uses one of the slots already.
    """
    if step == WIDEST_STEP:
        # A whole column of the page: rows wrap in the word.
        row = U(index >> 6)
        rows = pattern << row | pattern >> ((U(64) - row) & U(63))
        return _claim(page_bits, _place(index & 63, step), rows)
    rows_left = (np.int64(PAGE) - index + (np.int64(1) << step) - 1) >> step
    first = pattern
    if rows_left < 64:
        first = pattern & ((U(1) << U(rows_left)) - U(1))
    twice = _claim(page_bits, _place(index, step), first)
    if first != pattern:
        start = index + (rows_left << step) - np.int64(PAGE)
        twice |= _claim(page_bits, _place(start, step), pattern >> U(rows_left))
    return twice


@helper
def _pattern(task: ColumnTask, magic: Word) -> tuple[Word, Count]:
    """The rank's patterns as the bits of a word, in steps of 2^step, and by how much the
    magic's row step deviates; no bits where it is another step.
    """
    lines, step = task.lines, task.step
    coefficient = magic << U(lines.lowest)
    top = U(64 - ROW_BITS + step)
    deviation = np.int64(coefficient & ((U(1) << top) - U(1)))
    if deviation >> np.int64(top - U(1)):
        deviation -= np.int64(1) << np.int64(top)
    turn = (coefficient - U(deviation)) >> top
    fits = -LARGEST_FRACTION <= deviation <= LARGEST_FRACTION and (
        step == WIDEST_STEP or turn == U(1)
    )
    return lines.turned[turn] if fits else U(0), deviation


@inner
def column_cost(
    task: ColumnTask, magic: Word, limit: Count, scratch: ColumnScratch
) -> tuple[Count, Word]:
    """The cost of a magic and its columns as the bits of a word; REFUSED where its row step is
    another or the cost exceeds `limit`.
    """
    lines, step = task.lines, task.step
    holds, page_bits, products = scratch.holds, scratch.page_bits, scratch.products
    scratch.stamp[0] += 1
    stamp = scratch.stamp[0] << 16
    pattern, deviation = _pattern(task, magic)
    if pattern == U(0):
        return np.int64(REFUSED), U(0)
    within = (np.int64(1) << np.int64(64 - ROW_BITS)) - 1
    most = deviation * lines.farthest
    products[0] = lines.around * magic
    size = 1
    for shift in lines.shifts:
        term = magic << U(shift)
        for n in range(size):
            products[size + n] = products[n] + term
        size *= 2
    page_bits[:] = U(0)
    behind = lines.behind[step]
    columns = U(0)
    conflicts = np.int64(0)
    for n in range(size):
        index = np.int64(products[n] >> U(64 - ROW_BITS))
        # The rank's fractions must not carry this sum into another bucket.
        fraction = np.int64(products[n] & U(within)) + most
        if fraction > within or fraction < 0:
            conflicts += task.conflict
        key = stamp | lines.numbers[n]
        if holds[index] == key:
            continue
        if holds[index] >= stamp:
            conflicts += OTHER_SET * task.conflict
            continue
        holds[index] = key
        turn = U(index & 63)
        claimed = behind << turn | behind >> ((U(64) - turn) & U(63))
        columns |= claimed
        conflicts += task.conflict * np.int64(popcount(claimed & task.blocked[lines.numbers[n]]))
        if _use_rows(page_bits, step, index, pattern):
            conflicts += SLOT_TWICE * task.conflict
        if conflicts + COLUMNS * np.int64(popcount(columns & task.empty)) > limit:
            return np.int64(REFUSED), U(0)
    return conflicts + COLUMNS * np.int64(popcount(columns & task.empty)), columns


@helper
def _cost_alone(task: ColumnTask, magic: Word, limit: Count, scratch: ColumnScratch) -> Count:
    """The cost without the columns."""
    cost, _ = column_cost(task, magic, limit, scratch)
    return cost


@helper
def _change_once(magic: Word, state: State, lines: Lines) -> Word:
    """A neighbour: a bit turned, a power of two added or taken away, or a file square's
    coefficient made a small negative fraction.
    """
    bit = U(next_below(state, 64))
    kind = next_below(state, 96)
    if kind < 2:
        top = U(64 - lines.shifts[next_below(state, len(lines.shifts))])
        length = U(ROW_BITS + next_below(state, EXTRA_WEIGHT_BITS))
        low = top - length if top > length else U(0)
        return magic | ((U(1) << top) - (U(1) << low))
    if kind < 25:
        return magic + (U(1) << bit)
    if kind < 48:
        return magic - (U(1) << bit)
    return magic ^ (U(1) << bit)


@helper
def change(task: ColumnTask, magic: Word, state: State) -> tuple[Word, bool]:
    """One change, or two; always possible."""
    new = _change_once(magic, state, task.lines)
    if next_below(state, 16) < 7:
        new = _change_once(new, state, task.lines)
    return new, True


@entry_point
def column_anneal(
    task: ColumnTask, start: Word, effort: WalkEffort, seed: Word
) -> tuple[Word, Count]:
    """Anneal a magic for few columns; the best found and its cost."""
    return walk(task, start, effort, seed, new_column_scratch(), change, _cost_alone)


@entry_point
def column_walk(
    task: ColumnTask, start: Word, most: Count, candidates: Count, seed: Word, met_magics: Words
) -> Count:
    """Walk from magic to magic, none of more than `most` empty columns and none with a conflict
    (`task.conflict` is FORBIDDEN). Magics go into met_magics[0], their columns into met_magics[1]:
    how many, at most as many as it holds.
    """
    state = random_state(seed)
    scratch = new_column_scratch()
    count = 0
    magic, last = start, U(0)
    for n in range(candidates):
        new = change(task, magic, state)[0] if n else magic
        cost, columns = column_cost(task, new, COLUMNS * most, scratch)
        if cost > COLUMNS * most:
            continue
        magic = new
        if columns != last and count < met_magics.shape[1]:
            met_magics[0, count], met_magics[1, count] = new, columns
            count += 1
            last = columns
    return count


# Libraries of columns: for every rook, many magics that claim few whole columns of a page.
#
# Annealing finds the first ones; from there a walk along magics that need no more columns meets
# thousands of others that claim different ones. Everything follows from the seed: efforts are
# numbers of candidates, never of seconds.

STEPS = (6, 5, 4)
"""Row steps (log2) that are tried for a square."""
CONFLICT = 300
"""The price of a conflict while annealing, in slots."""
CANDIDATES, HOT, COLD = 80_000, (100.0, 300.0), 6.0
"""Candidates of one annealing, the temperatures it may begin at and the one at its end."""
FIRST, FURTHER, LAST = 6, 20, 60
"""Annealings for every row step; more for the best ones; most before giving up a square."""
PROMISING = 1.2
"""A row step is worth more annealings if it needs at most so many times the fewest columns."""
WALKS, WALK_CANDIDATES = 64, 40_000
"""Walks for a library, and the candidates of each."""
SPARE, CLIMBS = 4, (0, 1, 0, 2)
"""By how many columns the starts of walks may exceed the fewest, and walks their starts."""
FEW, STUBBORN, WIDER = 1000, 150, 2 * SPARE
"""A library of fewer columns has got stuck at a lucky magic: so many more annealings for every
row step, and walks from magics that need that many more columns.
"""
MOST_MET = 200_000
"""Most magics that one walk notes down."""
LIBRARY_SIZE = 40_000
"""Most magics in a library."""
LIBRARIES = WorkPhase("magics in whole columns", "rooks")


@dataclass(frozen=True, slots=True)
class LibraryOrder:
    """An order to fill the library of a square; picklable. Under black the columns lie where the
    magics put them; otherwise they can be turned without a change of the magic, and are, if
    `turning`.
    """

    square: int
    black: bool
    seed: int
    deadline: Deadline = FOREVER
    turning: bool = True

    @property
    def lines(self) -> Lines:
        """The square as the column kernel sees it."""
        return rook_lines(self.square, self.black)


class Start(NamedTuple):
    """A magic that walks begin at: how many columns it claims, and its row step (log2)."""

    claimed: int
    step: int
    magic: int


def rook_libraries(
    squares: Iterable[int], black: bool, seed: int, workers: Workers, turning: bool = True
) -> list[Library]:
    """A library for each of some squares, in their order; empty ones included."""
    orders = [LibraryOrder(square, black, seed, workers.deadline, turning) for square in squares]
    return list(
        workers.each(LIBRARIES, collect, orders, lambda library: square_name(library.square))
    )


def collect(order: LibraryOrder) -> Library:
    """Fill a library. Empty if no magic of this form was found; BudgetOverError at the deadline."""
    random = np.random.default_rng([order.seed, order.square])
    starts = _starts(order, random)
    magic_of = _magics_on_walks(order, starts, SPARE, random)
    if starts and len(magic_of) < FEW:
        for _ in range(STUBBORN):
            for step in STEPS:
                order.deadline.check()
                starts += _anneal(order, step, random)
        magic_of |= _magics_on_walks(order, starts, WIDER, random)
    return _library(order, magic_of, random)


def _magics_on_walks(
    order: LibraryOrder, starts: list[Start], spare: int, random: Random
) -> dict[int, int]:
    """Columns and a magic for each, met on walks from starts that exceed the fewest by `spare`."""
    magic_of: dict[int, int] = {}
    starts = sorted(starts)
    near = [start for start in starts if start.claimed <= starts[0].claimed + spare]
    for number in range(WALKS if near else 0):
        order.deadline.check()
        start = near[int(random.integers(len(near)))]
        most = start.claimed + CLIMBS[number % len(CLIMBS)]
        for magic, columns in _walk(order, start, most, WALK_CANDIDATES, random):
            magic_of.setdefault(columns, magic)
    return magic_of


def _starts(order: LibraryOrder, random: Random) -> list[Start]:
    """Magics that annealing came to: FIRST for every row step, then FURTHER for promising steps;
    while there is none at all, LAST.
    """
    starts: list[Start] = []
    steps: tuple[int, ...] = STEPS
    for attempt in range(1, LAST + 1):
        for step in steps:
            order.deadline.check()
            starts += _anneal(order, step, random)
        if attempt >= FIRST and starts:
            steps = _promising(steps, starts)
            if attempt >= FIRST + FURTHER:
                break
    return starts


def _promising(steps: tuple[int, ...], starts: list[Start]) -> tuple[int, ...]:
    """The row steps that need hardly more columns than the best one."""
    fewest = {
        step: min((start.claimed for start in starts if start.step == step), default=COLUMNS)
        for step in steps
    }
    most = PROMISING * min(fewest.values())
    return tuple(step for step in steps if fewest[step] <= most)


def _anneal(order: LibraryOrder, step: int, random: Random) -> list[Start]:
    """One annealing: a start, or none if it came to no magic."""
    first = row_start(order.lines, step, random)
    effort = WalkEffort(CANDIDATES, float(random.choice(HOT)), COLD)
    task = ColumnTask(order.lines, step, CONFLICT)
    result = anneal_columns(task, first, effort, COLUMNS, U(random.integers(1 << 63)))
    return [] if result is None else [Start(result[1].bit_count(), step, result[0])]


def anneal_columns(
    task: ColumnTask, start: int, effort: WalkEffort, most: int, seed: np.uint64
) -> tuple[int, int] | None:
    """The magic that one annealing comes to, and its columns; None if it has a conflict, or claims
    more than `most` empty columns.
    """
    magic, _ = column_anneal(task, U(start), effort, seed)
    # A cost may hide a conflict: a walk of one candidate does not.
    met_magics = np.empty((2, 1), np.uint64)
    if not column_walk(task._replace(conflict=FORBIDDEN), U(magic), most, 1, seed, met_magics):
        return None
    return int(met_magics[0, 0]), int(met_magics[1, 0])


def _walk(
    order: LibraryOrder, start: Start, most: int, candidates: int, random: Random
) -> list[tuple[int, int]]:
    """Magics and their columns, none of more than `most`."""
    met_magics = np.empty((2, MOST_MET), dtype=np.uint64)
    task = ColumnTask(order.lines, start.step, FORBIDDEN)
    seed = U(random.integers(1 << 63))
    count = column_walk(task, U(start.magic), most, candidates, seed, met_magics)
    magics, columns = met_magics[:, :count].tolist()
    return list(zip(magics, columns, strict=True))


def _library(order: LibraryOrder, magic_of: dict[int, int], random: Random) -> Library:
    """LIBRARY_SIZE of the magics at most, those of the fewest columns first of all."""
    columns = np.array(list(magic_of), dtype=np.uint64)
    magics = np.array(list(magic_of.values()), dtype=np.uint64)
    turns: Turns = np.zeros(len(columns), dtype=np.uint8)
    if order.turning and not order.black and len(columns):
        picks = random.integers(len(columns), size=2 * LIBRARY_SIZE)
        drawn_turns = random.integers(COLUMNS, size=2 * LIBRARY_SIZE).astype(np.uint8)
        chosen, first = np.unique(turned(columns[picks], drawn_turns), return_index=True)
        columns, magics, turns = chosen, magics[picks][first], drawn_turns[first]
    rank = np.argsort(np.bitwise_count(columns) + random.random(len(columns)), kind="stable")
    ranked = np.sort(rank[:LIBRARY_SIZE])
    return Library(order.square, columns[ranked], magics[ranked], turns[ranked])


def turned(columns: Words, turns: Turns) -> Words:
    """Columns turned to the left, each word by its own number of places."""
    by = turns.astype(np.uint64)
    return columns << by | columns >> ((U(COLUMNS) - by) % U(COLUMNS))


# Pairs of rooks that stand on a page together, as if they were one square.

Pair = tuple[int, int]


@dataclass(frozen=True)
class PairLibrary:
    """Pairs of a host and a guest. A row has the union of their columns, their places in their
    libraries, and the guest's turn; `step` is by how much both turn together. `more` are magics
    and columns that the guest's library gets, annealed for a host.
    """

    host: int
    guest: int
    rows: Words
    step: int
    more: Words = field(default_factory=lambda: np.zeros((0, 2), U))

    @cached_property
    def least(self) -> int:
        """The fewest columns of a pair; COLUMNS where there is none."""
        return int(np.bitwise_count(self.rows[:, 0]).min(initial=COLUMNS))

    @property
    def key(self) -> Pair:
        """The squares, the lower one first."""
        return min(self.host, self.guest), max(self.host, self.guest)


Pairs = Mapping[Pair, PairLibrary]


def as_library(pairs: PairLibrary, number: int, seed: int) -> Library:
    """A pair as one square of a page, in every turn: its magics are row numbers."""
    random = np.random.default_rng([seed, number])
    columns, rows, turns = [], [], []
    for turn in range(0, COLUMNS, pairs.step):
        by = np.full(len(pairs.rows), turn, np.uint8)
        columns.append(turned(pairs.rows[:, 0], by))
        rows.append(np.arange(len(pairs.rows), dtype=np.uint64))
        turns.append(by)
    words, first = np.unique(np.concatenate(columns), return_index=True)
    rank = np.argsort(np.bitwise_count(words) + random.random(len(words)), kind="stable")[
        :LIBRARY_SIZE
    ]
    at = first[rank]
    return Library(number, words[rank], np.concatenate(rows)[at], np.concatenate(turns)[at])


def turned_placement(cell: CellData, magic: int, turn: int, start: int) -> Placement:
    """A rook whose slots are turned on its page, which begins at `start`: by an added constant, or
    under black by the magic's highest bits. What these cannot do an offset does, which may push
    some of the last slots, fewer than `slot_step`, over the end of the page.
    """
    further = turn % slot_step(cell.scheme, cell.square.square)
    by = (turn - further) % PAGE << (64 - ROW_BITS)
    constant = 0 if cell.scheme == "black" else by
    magic = (magic - by) & WORD if cell.scheme == "black" else magic
    return Placement.valid(cell, Choice(magic, constant, start + further))
