"""The page kernel: one set of columns from each of several libraries, none meeting another.

Depth first: take a set of columns, keep of every other library what is left beside it, go on
with the square that has the fewest sets left, turn back where one has none.
"""

import numpy as np

from magicert.compact.anneal.kernel import next_below, random_state
from magicert.compact.anneal.words import popcount
from magicert.compact.compiled import entry, helper
from magicert.compact.pages.lines import COLUMNS

U = np.uint64


@helper
def _keep(columns, taken, most, left, depth, begin, count):  # type: ignore[no-untyped-def]
    """Copy those of a library's sets to the next depth that meet nothing taken and have at most
    `most` columns; how many.
    """
    kept = 0
    for at in range(begin, begin + count):
        number = left[depth, at]
        one = columns[number]
        if one & taken == U(0) and popcount(one) <= most:
            left[depth + 1, begin + kept] = number
            kept += 1
    return kept


@entry
def disjoint(columns, begins, sizes, least, branches, budget, seed, left):  # type: ignore[no-untyped-def]
    """Numbers of one set of columns for every square, none meeting another; -1 where none were
    found.

    Square n's sets are columns[begins[n] : begins[n] + sizes[n]], the smallest of them of
    least[n] columns. At every square but the first at most `branches` random sets are tried;
    after `budget` sets looked at the search gives up. `left` is working space: int32, a row
    for every square and one more, each as long as `columns`.
    """
    squares = len(begins)
    state = random_state(seed)
    chosen = np.full(squares, -1, np.int64)
    counts = np.zeros((squares + 1, squares), np.int64)
    tried = np.zeros(squares + 1, np.int64)
    turn = np.zeros(squares + 1, np.int64)
    taken = np.zeros(squares + 1, np.uint64)
    needed = np.zeros(squares + 1, np.int64)
    needed[0] = least.sum()
    for n in range(squares):
        for at in range(sizes[n]):
            left[0, begins[n] + at] = begins[n] + at
        counts[0, n] = sizes[n]
    depth = 0
    while depth >= 0 and budget > 0:
        square = turn[depth]
        if counts[depth, square] == 0 or (depth > 0 and tried[depth] >= branches):
            chosen[square] = -1
            depth -= 1
            continue
        tried[depth] += 1
        last = begins[square] + counts[depth, square] - 1
        at = begins[square] + next_below(state, counts[depth, square])
        number = left[depth, at]
        left[depth, at] = left[depth, last]
        counts[depth, square] -= 1
        now = taken[depth] | columns[number]
        rest = needed[depth] - least[square]
        free = COLUMNS - np.int64(popcount(now))
        if rest > free:
            continue
        chosen[square] = number
        if depth == squares - 1:
            return chosen
        following = -1
        for n in range(squares):
            if chosen[n] >= 0:
                continue
            budget -= counts[depth, n]
            most = free - (rest - least[n])
            counts[depth + 1, n] = _keep(
                columns, now, most, left, depth, begins[n], counts[depth, n]
            )
            if following < 0 or counts[depth + 1, n] < counts[depth + 1, following]:
                following = n
            if counts[depth + 1, n] == 0:
                break
        if counts[depth + 1, following] > 0:
            depth += 1
            taken[depth], needed[depth], turn[depth], tried[depth] = now, rest, following, 0
    chosen[:] = -1
    return chosen
