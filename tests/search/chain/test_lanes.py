"""Eight words at once against one cell at a time; and on a processor without vectors."""

import os
import subprocess
import sys

import numpy as np

from magicert.search.chain.descent import LANES, RelationLookup, look_up, look_up_free
from magicert.search.compiled import entry

ALL = (1 << 64) - 1
UNIT_LOG2, PER_CELL, WORDS_LOG2, FRACTIONS = 47, 2, 3, 15
BUCKET_LOG2, STEP = 53, 2
STRIDE = (1 << WORDS_LOG2) + 1


@entry
def look(table, starts, alive, place, lookup):
    return look_up(table, starts, alive, place, lookup)


@entry
def look_free(table, starts, alive, place, lookup):
    return look_up_free(table, starts, alive, place, lookup)


def lookup_of(moving: int, fixed: int, row: int) -> RelationLookup:
    buckets, fractions = ~((1 << BUCKET_LOG2) - 1) & ALL, FRACTIONS if fixed else 0
    words = (
        moving, fixed, row, fractions, UNIT_LOG2, buckets, UNIT_LOG2 + STEP,
        (1 << PER_CELL) - 1, PER_CELL, WORDS_LOG2, (1 << WORDS_LOG2) - 1,
    )  # fmt: skip
    return RelationLookup(*map(np.uint64, words))


def dead_cells(table: list[int], start: int, moving: int, fixed: int, row: int) -> int:
    """The cells of a word that a table marks, one by one."""
    product = fixed * start & ALL
    shift = (moving * start - (product >> BUCKET_LOG2 << BUCKET_LOG2)) & ALL
    fraction = product >> UNIT_LOG2 + STEP & FRACTIONS if fixed else 0
    unit = shift >> UNIT_LOG2
    first = (row + (fraction << PER_CELL) + unit % (1 << PER_CELL)) * STRIDE
    dead = 0
    for n in range(64):
        cell = ((unit >> PER_CELL) % (64 << WORDS_LOG2)) + n
        dead |= (table[first + cell // 64] >> cell % 64 & 1) << n
    return dead


def test_a_lookup_of_eight_words_is_eight_lookups():
    random = np.random.default_rng(1)
    table = random.integers(0, 1 << 64, 400 * STRIDE, dtype=np.uint64)
    place, eight = np.uint64(LANES), slice(LANES, 2 * LANES)
    for turn in range(50):
        starts = random.integers(0, 1 << 63, 3 * LANES, dtype=np.uint64)
        alive = random.integers(0, 1 << 64, 3 * LANES, dtype=np.uint64)
        alive[random.random(len(alive)) < 0.3] = 0
        moving = sum(1 << int(bit) for bit in random.choice([8, 16, 24, 32], 2, replace=False))
        fixed = 0 if turn % 2 else 1 << int(random.choice([8, 16, 24, 40]))
        row = int(random.integers(0, 200))
        wanted = alive.tolist()
        for n in range(LANES, 2 * LANES):
            wanted[n] &= ~dead_cells(table.tolist(), int(starts[n]), moving, fixed, row)
        for kernel in [look] if fixed else [look, look_free]:
            left = alive.copy()
            living = kernel(table, starts, left, place, lookup_of(moving, fixed, row))
            assert living == np.count_nonzero(alive[eight])
            assert left.tolist() == wanted


def test_a_processor_without_vectors_looks_up_the_same():
    """This file again, compiled for any processor: words are then loaded in pairs."""
    if "NUMBA_CPU_NAME" in os.environ:
        return
    generic = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    subprocess.run([*command, "-p", "no:xdist"], env=generic, check=True, capture_output=True)
