"""What no layout can beat.

Three bounds, from the weakest to the strongest: no magics at all can use fewer slots than
there are different attack sets; a layout's own magics cannot go below the sum of their used
slots, but for those that bishops on opposite corners can have in common; and of a small group of
squares with given magics OR-tools CP-SAT finds the shortest arrangement.

There a square is a set of indexes U and an offset. Two squares conflict if and only if the
difference of their offsets is a difference of indexes with different attack sets, so "no
conflict" is one linear constraint for each pair: offset_j - offset_i lies in the complement of
{a - b : a in U_i, b in U_j, their attack sets differ}. What is minimised is the last slot used.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from magicert.chess import Piece
from magicert.compact.placements import Slots, square_data
from magicert.formula.arrays import Words
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
    """The different attack sets of the squares, each of which needs an entry: of all 64, 4,900 for
    rooks and 1,426 for bishops. Of the latter a1 and h8 have one in common, and h1 and a8.
    """
    attacks = [square_data(piece, square).attacks for piece in pieces for square in squares]
    return len(np.unique(np.concatenate(attacks)))


def fewest_slots(squares: Iterable[Words]) -> int:
    """How many slots squares need at least in one buffer, by the words at their used indexes: of
    each word as many as the square that has it at the most indexes.
    """
    most: dict[int, int] = {}
    for words in squares:
        different, counts = np.unique(words, return_counts=True)
        for word, count in zip(different.tolist(), counts.tolist(), strict=True):
            most[word] = max(most.get(word, 0), count)
    return sum(most.values())


def shortest(placements: Sequence[tuple[Slots, Words]], seconds: float) -> Shortest | None:
    """Arrange some sets of indexes, each with its word, in as few slots as possible; None if the
    time was too short. Two squares may meet where both have the same word.

    Raises InputError for too large a group, or without OR-tools.
    """
    if not 1 <= len(placements) <= MOST_SQUARES:
        message = f"{len(placements)} squares: expected 1 to {MOST_SQUARES} for an exact search"
        raise InputError([Problem(message)])
    from ortools.sat.python import cp_model

    spans = [int(indexes[-1]) + 1 for indexes, _ in placements]
    longest = sum(spans)
    model = cp_model.CpModel()
    offsets = [model.new_int_var(0, longest - span, f"offset {n}") for n, span in enumerate(spans)]
    length = model.new_int_var(max(spans), longest, "length")
    for offset, span in zip(offsets, spans, strict=True):
        model.add(length >= offset + span)
    for j in range(len(placements)):
        for i in range(j):
            apart = cp_model.Domain.from_intervals(_gaps(placements[i], placements[j], longest))
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
    least = max(round(solver.best_objective_bound), fewest_slots(words for _, words in placements))
    return Shortest(round(solver.objective_value), least)


def _gaps(first: tuple[Slots, Words], second: tuple[Slots, Words], longest: int) -> list[list[int]]:
    """The intervals of offset differences (other's minus one's) at which two sets do not meet with
    different words.
    """
    differ = first[1][:, None] != second[1][None, :]
    meet = np.unique((first[0][:, None] - second[0][None, :])[differ])
    edges = [-longest - 1, *meet.tolist(), longest + 1]
    return [[before + 1, after - 1] for before, after in pairwise(edges) if after - before > 1]
