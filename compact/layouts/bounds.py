"""What no layout can beat.

Three bounds, from the weakest to the strongest: no magics at all can use fewer slots than
there are different attack sets (no two squares have a common one, so nothing is shared);
a layout's own magics cannot go below the sum of their used slots; and of a small group of
squares with given magics OR-tools CP-SAT finds the shortest arrangement.

There a square is a set of indexes U and an offset. Two squares meet if and only if the
difference of their offsets is a difference of their indexes, so "apart" is one linear
constraint for each pair: offset_j - offset_i lies in the complement of
{a - b : a in U_i, b in U_j}. What is minimised is the last slot used.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from magicert.board import Piece
from magicert.compact.anneal.squares import square_data
from magicert.problem import InputError, Problem

MOST_SQUARES = 12
"""Larger groups are beyond exact search."""


@dataclass(frozen=True, slots=True)
class Shortest:
    """A proved bound of a group: no arrangement of these magics is shorter than `bound`;
    `length` is that of the one found (equal: proved the shortest).
    """

    length: int
    bound: int


def lower_bound(pieces: Iterable[Piece], squares: Sequence[int] = range(64)) -> int:
    """The different attack sets of the squares: of all 64, 4,900 for rooks, 1,428 for bishops."""
    return sum(square_data(piece, square).attack_sets for piece in pieces for square in squares)


def shortest(used: Sequence[NDArray[np.int64]], seconds: float) -> Shortest | None:
    """Arrange some sets of indexes in as few slots as possible; None if the time was too short.

    Raises InputError for too large a group, or without OR-tools.
    """
    if not 1 <= len(used) <= MOST_SQUARES:
        message = f"{len(used)} squares: expected 1 to {MOST_SQUARES} for an exact search"
        raise InputError([Problem(message)])
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        message = "needs ortools: pip install 'magicert[bounds]'"
        raise InputError([Problem(message, key="exact bounds")]) from None
    spans = [int(indexes[-1]) + 1 for indexes in used]
    longest = sum(spans)
    model = cp_model.CpModel()
    offsets = [model.new_int_var(0, longest - span, f"offset {n}") for n, span in enumerate(spans)]
    length = model.new_int_var(max(spans), longest, "length")
    for offset, span in zip(offsets, spans, strict=True):
        model.add(length >= offset + span)
    for j in range(len(used)):
        for i in range(j):
            apart = cp_model.Domain.from_intervals(_gaps(used[i], used[j], longest))
            model.add_linear_expression_in_domain(offsets[j] - offsets[i], apart)
    model.minimize(length)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 1
    # The presolve of OR-tools 9.15 loses values of domains with holes, and then calls a
    # longer arrangement optimal; the property test of this module found it.
    solver.parameters.cp_model_presolve = False
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    least = max(round(solver.best_objective_bound), sum(map(len, used)))
    return Shortest(round(solver.objective_value), least)


def _gaps(one: NDArray[np.int64], other: NDArray[np.int64], longest: int) -> list[list[int]]:
    """The intervals of offset differences (other's minus one's) at which two sets are apart."""
    meet = np.unique((one[:, None] - other[None, :]).ravel())
    edges = [-longest - 1, *meet.tolist(), longest + 1]
    return [[before + 1, after - 1] for before, after in pairwise(edges) if after - before > 1]
