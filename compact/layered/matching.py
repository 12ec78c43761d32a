"""Pairs of rooks: every rook with one of its diagonal neighbours, for the least cost in all.

A diagonal step changes the rank's parity, so the neighbours are a bipartite graph, and the best
pairs are an assignment (Kuhn 1955, in the shortest-path form of Jonker and Volgenant 1987).
"""

from collections.abc import Mapping

Pair = tuple[int, int]
NO_PAIR = 10**6
"""The cost of squares that are no neighbours."""


def diagonal_pairs() -> list[Pair]:
    """All pairs of squares that touch at a corner, the lower one first."""
    return [
        (square, square + 8 + by)
        for square in range(56)
        for by in (-1, 1)
        if 0 <= (square & 7) + by < 8
    ]


def best_matching(cost: Mapping[Pair, int]) -> list[Pair]:
    """32 of the pairs of `cost` that have every square once, for the least sum."""
    even = [square for square in range(64) if not square >> 3 & 1]
    odd = [square for square in range(64) if square >> 3 & 1]
    table = [[cost.get((min(a, b), max(a, b)), NO_PAIR) for b in odd] for a in even]
    chosen = assignment(table)
    return sorted((min(a, odd[n]), max(a, odd[n])) for a, n in zip(even, chosen, strict=True))


def assignment(cost: list[list[int]]) -> list[int]:
    """For each row its column, all different, so that the sum is the least."""
    size = len(cost)
    by_row, by_column = [0] * (size + 1), [0] * (size + 1)
    row_of = [0] * (size + 1)  # of each column, counted from 1; column 0 is the row to place
    for row in range(1, size + 1):
        row_of[0], column = row, 0
        least, before = [NO_PAIR * size] * (size + 1), [0] * (size + 1)
        done = [False] * (size + 1)
        while row_of[column]:
            done[column] = True
            here, step, following = row_of[column], NO_PAIR * size, 0
            for n in range(1, size + 1):
                if done[n]:
                    continue
                spare = cost[here - 1][n - 1] - by_row[here] - by_column[n]
                if spare < least[n]:
                    least[n], before[n] = spare, column
                if least[n] < step:
                    step, following = least[n], n
            for n in range(size + 1):
                if done[n]:
                    by_row[row_of[n]] += step
                    by_column[n] -= step
                else:
                    least[n] -= step
            column = following
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    chosen = [0] * size
    for n in range(1, size + 1):
        chosen[row_of[n] - 1] = n - 1
    return chosen
