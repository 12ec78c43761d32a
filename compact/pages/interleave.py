"""Rooks of one file that share columns, but no slot: the interleave kernel, and who uses it.

Two rooks with a row step of 16 may each use half of the rows of the same columns, one the rows
that the other leaves free.

When: on pages, for pairs of rooks on the b and g files. Black only: for a constant no pair was
found.

Why: Rooks b4 and b5 take 16 whole columns each. They have magics of 768 slots that touch 24
columns and use half of each, and fit into one another: 24 columns in place of 32.

Cost: annealings of both rooks of a pair, further ones where a rook claims little enough. It is
part of what brought the record from 74,745 entries (whole columns) to 72,696.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from magicert.chess import Piece, mask
from magicert.compact.kernels import (
    REFUSED,
    Count,
    WalkEffort,
    Word,
    entry_point,
    helper,
    random_state,
    walk,
)
from magicert.compact.pages.columns import (
    CANDIDATES,
    COLD,
    COLUMNS,
    CONFLICT,
    FORBIDDEN,
    HOT,
    PAGE,
    ROW_BITS,
    ColumnScratch,
    ColumnTask,
    PairLibrary,
    Shelf,
    change,
    column_cost,
    new_column_scratch,
    rook_lines,
    row_start,
)
from magicert.compact.placements import CellData, Random, Slots, Words, cell_data, next_seed
from magicert.compact.progress import Workers, WorkPhase
from magicert.system.deadline import Deadline
from magicert.system.words import popcount

# The interleave kernel: rooks that share columns, but no slot.
#
# On the b and g files a rook's rank has five neighbouring mask bits, whose patterns are all numbers
# below 32. With a row step of 16 slots they take half of the 64 residues that are alike modulo 16
# and different modulo 1,024. Where all file sums that meet in such a class take the same half, the
# other half is free for another rook.


U = np.uint64
STEP = 4
"""The row step (log2)."""
CLASSES, WORDS = 1 << STEP, 4
"""Residues modulo 16, and the words of the kernel's bitset for each: one for 1,024 slots."""
COLUMN_PRICE = 2
"""Beside the slots modulo 1,024 a column costs so much: few classes are to be in use at all."""
ANY_COST = 1 << 30
"""A cost that is not too much."""


@helper
def _claimed_slots(page_bits: Words) -> Count:
    """The slots that are claimed if one of four that are alike modulo 1,024 claims the others."""
    count = np.int64(0)
    for n in range(CLASSES):
        word = U(0)
        for m in range(WORDS):
            word |= page_bits[WORDS * n + m]
        count += np.int64(popcount(word))
    return WORDS * count


@helper
def half_cost(task: ColumnTask, magic: Word, limit: Count, scratch: ColumnScratch) -> Count:
    """Claimed slots, columns and conflicts; REFUSED where the cost exceeds `limit`, or where the
    magic has another row step.
    """
    cost, columns = column_cost(task, magic, np.int64(ANY_COST), scratch)
    if cost == REFUSED:
        return np.int64(REFUSED)
    width = np.int64(popcount(columns))
    cost += COLUMN_PRICE * width - COLUMNS * width + _claimed_slots(scratch.page_bits)
    return cost if cost <= limit else np.int64(REFUSED)


@entry_point
def half_anneal(
    task: ColumnTask, start: Word, effort: WalkEffort, seed: Word
) -> tuple[Word, Count]:
    """Anneal a magic that claims few slots modulo 1,024; the best found and its cost."""
    return walk(task, start, effort, seed, new_column_scratch(), change, half_cost)


@entry_point
def half_walk(
    task: ColumnTask, start: Word, most: Count, candidates: Count, seed: Word, met_magics: Words
) -> Count:
    """Walk from magic to magic, none of a higher cost than `most` and none with a conflict
    (`task.conflict` is FORBIDDEN). They go into `met_magics`: how many, at most as many as it
    holds.
    """
    state = random_state(seed)
    scratch = new_column_scratch()
    magic, count = start, 0
    for n in range(candidates):
        new = change(task, magic, state)[0] if n else magic
        if half_cost(task, new, most, scratch) == REFUSED:
            continue
        if count < len(met_magics) and (new != magic or n == 0):
            met_magics[count] = new
            count += 1
        magic = new
    return count


@entry_point
def best_turn(
    is_taken: NDArray[np.bool_], columns: Word, slots: NDArray[np.int64]
) -> tuple[Count, Count, Word]:
    """By how many slots a guest turns so that it meets nothing taken and the fewest columns are in
    use with the host's; how many, and which. COLUMNS + 1 of them where it meets something anyhow.
    """
    best, fewest, union = np.int64(0), np.int64(COLUMNS + 1), U(0)
    for turn in range(PAGE):
        both, free = columns, True
        for slot in slots:
            place = (slot + turn) & (PAGE - 1)
            if is_taken[place]:
                free = False
                break
            both |= U(1) << U(place & (COLUMNS - 1))
        if free and np.int64(popcount(both)) < fewest:
            best, fewest, union = np.int64(turn), np.int64(popcount(both)), both
    return best, fewest, union


# Two rooks of one file whose slots interleave: together they need fewer columns than each alone.
#
# Rooks b4 and b5 take 16 whole columns each, 1,024 slots. They also have magics of 768 slots, in 24
# columns of which they use half; and such a b4 and b5 fit into one another.

RANK_BITS = 5
"""Neighbouring mask bits of a rank whose patterns are half of the residues."""
FIRST, FURTHER = 16, 300
"""Annealings of a rook, and further ones where it claims little enough."""
WALKS, WALK_CANDIDATES, MOST_MET, SPARE = 6, 40_000, 20_000, 16
"""Walks of a rook, the candidates of each, the magics it notes down, and by how many slots these
may claim more than the best.
"""
TRIES, LIBRARY_SIZE = 3_000, 200
"""Hosts and guests that are held against one another, and the most pairs in a library."""
FITTING = WorkPhase("rooks that interleave", "rooks")


@dataclass(frozen=True)
class Interleaved:
    """A library of pairs, and the magics that its rows name: the host's and the guest's."""

    pairs: PairLibrary
    hosts: Words
    guests: Words


def interleaved(shelf: Shelf, seed: int, workers: Workers) -> Interleaved | None:
    """The two rooks of one file that save the most columns if they interleave; None where none do.

    Under black only: white rooks do not turn, and of those with a constant none were found that
    interleave. Raises BudgetOverError.
    """
    squares = [square for square in shelf if _may_interleave(square)]
    orders = [(square, shelf[square].least, seed) for square in squares]
    libraries = workers.each(FITTING, partial(half_library, workers.deadline), orders)
    halves = {
        square: half for square, half in zip(squares, libraries, strict=True) if half is not None
    }
    best: Interleaved | None = None
    saved = 0
    for host, guest in combinations(sorted(halves), 2):
        if host & 7 != guest & 7:
            continue
        workers.deadline.check()
        alone = shelf[host].least + shelf[guest].least
        fitted = _fitted(halves[host], halves[guest], alone - saved, seed)
        if fitted is not None:
            best, saved = fitted, alone - fitted.pairs.least
    return best


def _may_interleave(square: int) -> bool:
    """Whether the rank's mask bits are five neighbours: on the b and g files."""
    rank = mask(Piece.ROOK, square) >> (square & ~7) & 0xFF
    return rank.bit_count() == RANK_BITS and rank // (rank & -rank) == (1 << RANK_BITS) - 1


@dataclass(frozen=True)
class HalfColumns:
    """A rook's magics that use half of their columns: where each claims slots modulo 16, as bits,
    and which do so there.
    """

    cell: CellData
    magics: Words
    by_classes: Mapping[int, Sequence[int]]

    def pick(self, classes: int, random: Random) -> tuple[int, Slots]:
        """One of the magics that claim these classes, and its slots."""
        candidates = self.by_classes[classes]
        at = candidates[int(random.integers(len(candidates)))]
        return at, np.unique(self.cell.indexes(int(self.magics[at])))


def half_library(deadline: Deadline, order: tuple[int, int, int]) -> HalfColumns | None:
    """Magics of one rook that use half of their columns; None if they claim more slots than
    its whole columns have. BudgetOverError at the deadline.
    """
    square, least, seed = order
    random = np.random.default_rng([seed, square, 2])
    lines = rook_lines(square, True)
    task, exact = ColumnTask(lines, STEP, CONFLICT), ColumnTask(lines, STEP, FORBIDDEN)
    starts: list[tuple[int, int]] = []
    for number in range(FIRST + FURTHER):
        deadline.check()
        first = U(row_start(lines, STEP, random))
        effort = WalkEffort(CANDIDATES, float(random.choice(HOT)), COLD)
        magic, cost = half_anneal(task, first, effort, next_seed(random))
        starts.append((int(cost), int(magic)))
        if number + 1 == FIRST and min(starts)[0] > COLUMNS * least:
            return None
    most = min(starts)[0] + SPARE
    near = [magic for cost, magic in starts if cost <= most]
    met_magics, batches = np.empty(MOST_MET, U), [np.array([], U)]
    for _ in range(WALKS):
        start = U(near[int(random.integers(len(near)))])
        count = half_walk(exact, start, most, WALK_CANDIDATES, next_seed(random), met_magics)
        batches.append(met_magics[:count].copy())
    magics = np.unique(np.concatenate(batches))
    return by_classes(cell_data("black", Piece.ROOK, square, ROW_BITS), magics)


def by_classes(cell: CellData, magics: Words) -> HalfColumns | None:
    """A library of some magics of a cell; None if there are none."""
    places = defaultdict(list)
    for at, magic in enumerate(magics.tolist()):
        classes = np.unique(cell.indexes(magic) % CLASSES)
        places[sum(1 << residue for residue in classes.tolist())].append(at)
    return HalfColumns(cell, magics, dict(places)) if len(magics) else None


def _fewest(host: HalfColumns, guest: HalfColumns) -> tuple[int, list[tuple[int, int]]]:
    """The fewest columns that both can claim together if slots do not matter, and the classes of
    those that do.
    """
    together = {
        (host_classes, guest_classes): min(
            (host_classes | _turned(guest_classes, by)).bit_count() for by in range(CLASSES)
        )
        for host_classes in host.by_classes
        for guest_classes in guest.by_classes
    }
    fewest = min(together.values())
    return WORDS * fewest, [both for both, count in together.items() if count == fewest]


def _fitted(host: HalfColumns, guest: HalfColumns, below: int, seed: int) -> Interleaved | None:
    """The pairs found that need the fewest columns which that takes; None if there are none, or if
    these are not below a limit.
    """
    fewest, groups = _fewest(host, guest)
    if fewest >= below:
        return None
    squares = host.cell.square.square, guest.cell.square.square
    random = np.random.default_rng([seed, *squares])
    rows: list[tuple[int, int, int, int]] = []
    for _ in range(TRIES):
        host_classes, guest_classes = groups[int(random.integers(len(groups)))]
        (host_at, host_slots), (guest_at, guest_slots) = (
            host.pick(host_classes, random),
            guest.pick(guest_classes, random),
        )
        is_taken = np.zeros(PAGE, np.bool_)
        is_taken[host_slots] = True
        columns = U(sum(1 << column for column in set((host_slots % COLUMNS).tolist())))
        by, count, union = best_turn(is_taken, columns, guest_slots)
        if count == fewest:
            rows.append((int(union), host_at, guest_at, int(by)))
        if len(rows) == LIBRARY_SIZE:
            break
    if not rows:
        return None
    chosen = np.unique(np.array(rows, U), axis=0)
    return Interleaved(PairLibrary(*squares, chosen, 1), host.magics, guest.magics)


def _turned(classes: int, by: int) -> int:
    return (classes << by | classes >> (CLASSES - by)) & ((1 << CLASSES) - 1)
