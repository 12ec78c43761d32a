"""The column kernel beside a host: a magic annealed for few columns that the host has not."""

from typing import NamedTuple

import numpy as np

from magicert.compact.anneal.random_words import State
from magicert.compact.anneal.walk import REFUSED, Effort, walk
from magicert.compact.compiled import Count, Word, entry, helper
from magicert.compact.pages.column_kernel import (
    ColumnScratch,
    ColumnTask,
    changed,
    column_cost,
    new_column_scratch,
)
from magicert.compact.pages.lines import COLUMNS
from magicert.system.words import popcount

U = np.uint64


class BesideTask(NamedTuple):
    """A rook to anneal, and the columns of the host that it always agrees with."""

    own: ColumnTask
    host: Word


@helper
def _cost(task: BesideTask, magic: Word, limit: Count, scratch: ColumnScratch) -> Count:
    """The cost of the columns that are not the host's."""
    most = limit + COLUMNS * np.int64(popcount(task.host))
    cost, columns = column_cost(task.own, magic, most, scratch)
    if cost >= REFUSED:
        return np.int64(REFUSED)
    return cost - COLUMNS * np.int64(popcount(columns & task.host))


@helper
def _neighbour(task: BesideTask, magic: Word, state: State) -> tuple[Word, bool]:
    return changed(task.own, magic, state)


@entry
def anneal_beside(
    task: BesideTask, start: Word, effort: Effort, seed: Word
) -> tuple[Word, Count, Word]:
    """Anneal from a start: the best magic, its cost, and its columns."""
    scratch = new_column_scratch()
    best, cost = walk(task, start, effort, seed, scratch, _neighbour, _cost)
    _, columns = column_cost(task.own, best, np.int64(REFUSED - 1), scratch)
    return best, cost, columns
