"""The interleave kernel: rooks that share columns, but no slot.

On the b and g files a rook's rank has five neighbouring mask bits, whose patterns are all numbers
below 32. With a row step of 16 slots they take half of the 64 residues that are alike modulo 16 and
different modulo 1,024. Where all file sums that meet in such a class take the same half, the other
half is free for another rook.
"""

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.random_words import random_state
from magicert.compact.anneal.squares import Words
from magicert.compact.anneal.walk import REFUSED, WalkEffort, walk
from magicert.compact.compiled import Count, Word, entry, helper
from magicert.compact.pages.column_kernel import (
    ColumnScratch,
    ColumnTask,
    changed,
    column_cost,
    new_column_scratch,
)
from magicert.compact.pages.lines import COLUMNS, PAGE
from magicert.system.words import popcount

U = np.uint64
STEP = 4
"""The row step (log2)."""
CLASSES, WORDS = 1 << STEP, 4
"""Residues modulo 16, and the words of the kernel's bitset for each: one for 1,024 slots."""
COLUMN_PRICE = 2
"""Beside the slots modulo 1,024 a column costs so much: few classes are to be in use at all."""
ANY = 1 << 30
"""A cost that is not too much."""


@helper
def _claimed(own: Words) -> Count:
    """The slots that are claimed if one of four that are alike modulo 1,024 claims the others."""
    count = np.int64(0)
    for n in range(CLASSES):
        word = U(0)
        for m in range(WORDS):
            word |= own[WORDS * n + m]
        count += np.int64(popcount(word))
    return WORDS * count


@helper
def half_cost(task: ColumnTask, magic: Word, limit: Count, scratch: ColumnScratch) -> Count:
    """Claimed slots, columns and conflicts; REFUSED where the cost exceeds `limit`, or where the
    magic has another row step.
    """
    cost, columns = column_cost(task, magic, np.int64(ANY), scratch)
    if cost == REFUSED:
        return np.int64(REFUSED)
    width = np.int64(popcount(columns))
    cost += COLUMN_PRICE * width - COLUMNS * width + _claimed(scratch.own)
    return cost if cost <= limit else np.int64(REFUSED)


@entry
def half_anneal(
    task: ColumnTask, start: Word, effort: WalkEffort, seed: Word
) -> tuple[Word, Count]:
    """Anneal a magic that claims few slots modulo 1,024; the best found and its cost."""
    return walk(task, start, effort, seed, new_column_scratch(), changed, half_cost)


@entry
def half_walk(
    task: ColumnTask, start: Word, most: Count, candidates: Count, seed: Word, found: Words
) -> Count:
    """Walk from magic to magic, none of a higher cost than `most` and none with a conflict
    (`task.conflict` is FORBIDDEN). They go into `found`: how many, at most as many as it holds.
    """
    state = random_state(seed)
    scratch = new_column_scratch()
    magic, met = start, 0
    for n in range(candidates):
        new = changed(task, magic, state)[0] if n else magic
        if half_cost(task, new, most, scratch) == REFUSED:
            continue
        if met < len(found) and (new != magic or n == 0):
            found[met] = new
            met += 1
        magic = new
    return met


@entry
def best_turn(
    taken: NDArray[np.bool_], columns: Word, slots: NDArray[np.int64]
) -> tuple[Count, Count, Word]:
    """By how many slots a guest turns so that it meets nothing taken and the fewest columns are in
    use with the host's; how many, and which. COLUMNS + 1 of them where it meets something anyhow.
    """
    best, fewest, union = np.int64(0), np.int64(COLUMNS + 1), U(0)
    for turn in range(PAGE):
        both, free = columns, True
        for slot in slots:
            place = (slot + turn) & (PAGE - 1)
            if taken[place]:
                free = False
                break
            both |= U(1) << U(place & (COLUMNS - 1))
        if free and np.int64(popcount(both)) < fewest:
            best, fewest, union = np.int64(turn), np.int64(popcount(both)), both
    return best, fewest, union
