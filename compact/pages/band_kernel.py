"""The band kernel: how many columns of a band a bishop's magic claims.

A *band* are 8 rows of a page, the 512 slots of a bishop. A column that no rook of a page claims is
free in all its rows, so bishops that claim few columns stand there, eight above one another.
"""

from typing import NamedTuple

import numpy as np

from magicert.compact.anneal.kernel import (
    AnnealScratch,
    CellArrays,
    changed_word,
    new_scratch,
    next_mark,
)
from magicert.compact.anneal.random_words import State, next_below, random_state
from magicert.compact.anneal.squares import Words
from magicert.compact.anneal.walk import REFUSED, WalkEffort, walk
from magicert.compact.compiled import Count, Word, entry, helper
from magicert.compact.pages.lines import COLUMNS
from magicert.system.words import popcount

U = np.uint64
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
    cell, products, seen = task.cell, scratch.products, scratch.seen
    mark = next_mark(scratch)
    products[0] = cell.around * magic
    index = products[0] >> cell.shift
    seen[index] = mark | np.uint32(cell.numbers[0])
    columns, conflicts = U(1) << (index & U(COLUMNS - 1)), np.int64(0)
    size = 1
    for j in range(len(cell.shifts)):
        step = magic << U(cell.shifts[j])
        for n in range(size, size + size):
            products[n] = products[n - size] + step
            index = products[n] >> cell.shift
            key = mark | np.uint32(cell.numbers[n])
            if seen[index] < mark:
                seen[index] = key
                columns |= U(1) << (index & U(COLUMNS - 1))
            elif seen[index] != key:
                conflicts += task.conflict
        size *= 2
        if conflicts + COLUMN_PRICE * np.int64(popcount(columns)) > limit:
            return np.int64(REFUSED)
    return conflicts + COLUMN_PRICE * np.int64(popcount(columns))


@helper
def band_neighbour(task: BandTask, magic: Word, state: State) -> tuple[Word, bool]:  # noqa: ARG001
    """Another magic: changed once or twice."""
    other = changed_word(magic, state)
    if next_below(state, TWICE[1]) < TWICE[0]:
        other = changed_word(other, state)
    return other, True


@entry
def band_anneal(task: BandTask, start: Word, effort: WalkEffort, seed: Word) -> tuple[Word, Count]:
    """The best magic met from `start`, and its cost."""
    scratch = new_scratch(task.cell)
    return walk(task, start, effort, seed, scratch, band_neighbour, band_cost)


@helper
def claimed(task: BandTask, scratch: AnnealScratch) -> Word:
    """The columns of the magic whose cost was found last, as the bits of a word. Before: it was not
    refused, so that all products are there.
    """
    columns = U(0)
    for n in range(len(task.cell.numbers)):
        columns |= U(1) << ((scratch.products[n] >> task.cell.shift) & U(COLUMNS - 1))
    return columns


@entry
def band_columns(task: BandTask, magic: Word) -> Word:
    """The columns that a magic claims, as the bits of a word."""
    scratch = new_scratch(task.cell)
    band_cost(task, magic, np.int64(REFUSED - 1), scratch)
    return claimed(task, scratch)


@entry
def band_walk(
    task: BandTask, start: Word, most: Count, candidates: Count, seed: Word, found: Words
) -> Count:
    """Walk along magics without conflicts that claim at most so many columns; each that claims
    others than the one before becomes a row of `found`: magic and columns. How many there are.
    """
    state, scratch = random_state(seed), new_scratch(task.cell)
    magic, before, met = start, U(0), np.int64(0)
    for _ in range(candidates):
        other, _ = band_neighbour(task, magic, state)
        if band_cost(task, other, COLUMN_PRICE * most, scratch) > COLUMN_PRICE * most:
            continue
        magic, columns = other, claimed(task, scratch)
        if columns != before and met < len(found):
            found[met, 0], found[met, 1], before = magic, columns, columns
            met += 1
    return met
