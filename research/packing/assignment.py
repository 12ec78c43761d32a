"""The cheapest assignment of rows to columns: Kuhn 1955, in the shortest-path form of Jonker and
Volgenant 1987. Rows are placed one by one, each along the cheapest way of moving those before.
"""

import numpy as np
from numpy.typing import NDArray

from magicert.compact.kernels import Count, entry_point

Ints = NDArray[np.int64]
FAR = 1 << 60
"""More than any way costs."""


@entry_point
def assigned(cost: Ints) -> tuple[Count, Ints]:
    """The least sum, and for each row its column, all different. Before: no more rows than
    columns, and sums below 2^59.
    """
    rows, columns = cost.shape
    by_row, by_column = np.zeros(rows + 1, np.int64), np.zeros(columns + 1, np.int64)
    # Of each column, counted from 1; column 0 has the row that is to be placed.
    row_of, before = np.zeros(columns + 1, np.int64), np.zeros(columns + 1, np.int64)
    least, done = np.empty(columns + 1, np.int64), np.empty(columns + 1, np.bool_)
    for row in range(1, rows + 1):
        row_of[0], column = row, np.int64(0)
        least[:], done[:] = FAR, False
        while row_of[column]:
            done[column] = True
            here, step, following = row_of[column], np.int64(FAR), np.int64(0)
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
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    total, chosen = np.int64(0), np.empty(rows, np.int64)
    for n in range(1, columns + 1):
        if row_of[n]:
            chosen[row_of[n] - 1] = n - 1
            total += cost[row_of[n] - 1, n - 1]
    return total, chosen
