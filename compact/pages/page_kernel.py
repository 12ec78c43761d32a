"""The page kernel: one set of columns from each of several libraries, none meeting another.

Depth first: take a set of columns, keep of every other library what is left beside it, go on
with the square that has the fewest sets left, turn back where one has none.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.compact.anneal.random_words import next_below, random_state
from magicert.compact.anneal.squares import Words
from magicert.compact.compiled import Count, Word, entry, helper
from magicert.compact.pages.lines import COLUMNS
from magicert.system.words import popcount

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

    `left[d, begins[n]:][:counts[d, n]]` are the numbers of square n's sets that meet nothing
    `taken[d]`; `turn[d]` is the square to place next, `tried[d]` how many of its sets were tried,
    and `needed[d]` the fewest columns that the squares without columns need.
    """

    left: NDArray[np.int32]
    counts: Ints
    taken: Words
    needed: Ints
    turn: Ints
    tried: Ints


@entry
def _new_tree(sets: Sets) -> _Tree:
    """The tree before any square has its columns."""
    squares = len(sets.sizes)
    left = np.empty((squares + 1, len(sets.columns)), np.int32)
    for number in range(len(sets.columns)):
        left[0, number] = number
    counts = np.zeros((squares + 1, squares), np.int64)
    counts[0] = sets.sizes
    needed = np.zeros(squares + 1, np.int64)
    needed[0] = sets.least.sum()
    return _Tree(
        left,
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
    number = tree.left[depth, at]
    tree.left[depth, at] = tree.left[depth, begin + count - 1]
    tree.counts[depth, square] = count - 1
    return np.int64(number)


@helper
def _keep(tree: _Tree, sets: Sets, depth: Count, square: Count, taken: Word, most: Count) -> Count:
    """Copy those of a square's sets to the next depth that meet nothing taken and have at most
    `most` columns; how many.
    """
    begin, kept = sets.begins[square], 0
    for at in range(begin, begin + tree.counts[depth, square]):
        number = tree.left[depth, at]
        one = sets.columns[number]
        if one & taken == U(0) and np.int64(popcount(one)) <= most:
            tree.left[depth + 1, begin + kept] = number
            kept += 1
    tree.counts[depth + 1, square] = kept
    return kept


@entry
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
        exhausted = depth > 0 and tree.tried[depth] >= limits.branches
        if exhausted or tree.counts[depth, square] == 0:
            placed[square] = False
            depth -= 1
            continue
        tree.tried[depth] += 1
        number = _draw(tree, sets, depth, state)
        taken = tree.taken[depth] | sets.columns[number]
        needed = tree.needed[depth] - sets.least[square]
        free = COLUMNS - np.int64(popcount(taken))
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
                kept = _keep(tree, sets, depth, n, taken, most)
                if kept < fewest:
                    following, fewest = n, kept
                if kept == 0:
                    break
        if fewest > 0:
            depth += 1
            tree.taken[depth], tree.needed[depth] = taken, needed
            tree.turn[depth], tree.tried[depth] = following, 0
    return False, chosen
