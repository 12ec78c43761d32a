"""The overlay kernel: numbers for one party's joint classes, so that few bits of words are new.

A word has bits that must be one, bits that must be zero, and bits that nobody asks for. The classes
of a party need different words; which one gets which is an assignment of least cost (Jonker and
Volgenant 1987).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.squares import Words
from magicert.compact.compiled import Count, entry
from magicert.system.words import popcount

U = np.uint64
Ints = NDArray[np.int64]
NO_PLACE = 1 << 20
"""The cost of a word that contradicts a class, and of a party that finds no numbers."""


class Ground(NamedTuple):
    """The words: what is wanted of each, by how many classes, and the price of an unused one."""

    ones: Words
    zeros: Words
    used: Ints
    fresh: int


@entry
def costs(ones: Words, zeros: Words, bases: Ints, span: Count, ground: Ground) -> Ints:
    """What each number below `span` would cost each class of a party with these bases."""
    classes, members = ones.shape
    cost = np.zeros((classes, span), np.int64)
    for n in range(classes):
        for k in range(members):
            one, zero = ones[n, k], zeros[n, k]
            if one == U(0):
                continue
            for v in range(span):
                at = bases[k] + v
                if (one & ground.zeros[at]) | (zero & ground.ones[at]):
                    cost[n, v] = NO_PLACE
                elif ground.used[at] == 0:
                    cost[n, v] += ground.fresh
                else:
                    known = ground.ones[at] | ground.zeros[at]
                    cost[n, v] += np.int64(popcount((one | zero) & ~known))
    return cost


@entry
def least_possible(cost: Ints) -> Count:
    """What the classes would cost if they could share numbers: no assignment costs less."""
    total = np.int64(0)
    for n in range(cost.shape[0]):
        least = np.int64(NO_PLACE)
        for v in range(cost.shape[1]):
            least = min(least, cost[n, v])
        if least >= NO_PLACE:
            return np.int64(NO_PLACE)
        total += least
    return total


@entry
def assigned(cost: Ints) -> tuple[Count, Ints]:
    """For each row a column, all different, for the least sum; and the sum, NO_PLACE at least if
    there is none without a contradiction.
    """
    rows, columns = cost.shape
    by_row, by_column = np.zeros(rows + 1, np.int64), np.zeros(columns + 1, np.int64)
    row_of, before = np.zeros(columns + 1, np.int64), np.zeros(columns + 1, np.int64)
    least, done = np.empty(columns + 1, np.int64), np.zeros(columns + 1, np.bool_)
    chosen = np.full(rows, -1, np.int64)
    for row in range(1, rows + 1):
        row_of[0], column = row, np.int64(0)
        least[:], done[:] = 1 << 60, False
        while True:
            done[column] = True
            here, step, following = row_of[column], np.int64(1 << 60), np.int64(0)
            for n in range(1, columns + 1):
                if done[n]:
                    continue
                spare = cost[here - 1, n - 1] - by_row[here] - by_column[n]
                if spare < least[n]:
                    least[n], before[n] = spare, column
                if least[n] < step:
                    step, following = least[n], np.int64(n)
            for n in range(columns + 1):
                if done[n]:
                    by_row[row_of[n]] += step
                    by_column[n] -= step
                else:
                    least[n] -= step
            column = following
            if row_of[column] == 0:
                break
        if -by_column[0] >= NO_PLACE:
            return np.int64(NO_PLACE), chosen
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    total = np.int64(0)
    for n in range(1, columns + 1):
        if row_of[n]:
            chosen[row_of[n] - 1] = n - 1
            total += cost[row_of[n] - 1, n - 1]
    return total, chosen


@entry
def best_numbers(
    ones: Words, zeros: Words, choices: Ints, span: Count, ground: Ground, tries: Count
) -> tuple[Count, Count, Ints]:
    """Of some choices of bases the cheapest: its cost (NO_PLACE: none), its place, the numbers.

    The `tries` that could be cheapest are assigned; three times as many while none is possible.
    """
    bounds = np.empty(len(choices), np.int64)
    for n in range(len(choices)):
        bounds[n] = least_possible(costs(ones, zeros, choices[n], span, ground))
    least, place = np.int64(NO_PLACE), np.int64(-1)
    numbers = np.full(len(ones), -1, np.int64)
    for tried, n in enumerate(np.argsort(bounds, kind="mergesort")):
        if bounds[n] >= least or tried >= (tries if place >= 0 else 3 * tries):
            break
        total, chosen = assigned(costs(ones, zeros, choices[n], span, ground))
        if total < least:
            least, place, numbers = total, np.int64(n), chosen
    return least, place, numbers
