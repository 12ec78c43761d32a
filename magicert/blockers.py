"""All occupancies of a mask with the numbers of their attack sets, as arrays."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from magicert.board import Board, squares_of
from magicert.formula import arrays
from magicert.movement import Bundle, Movement, bundles
from magicert.problem import InputError, Problem

Words = NDArray[np.uint64]
U = np.uint64

MOST_SQUARES = 22
"""Widest mask: each of its 2^22 occupancies takes 16 to 40 bytes here."""


@dataclass(frozen=True)
class Blockers:
    """The occupancies of a mask in pdep order, in `formula.arrays` words of the board's width.
    `numbers` are equal if and only if the attack sets are; they count from 0 in the order of their
    first appearance.
    """

    occupancies: arrays.Words
    numbers: Words


@lru_cache(maxsize=4)
def blockers_of(board: Board, movement: Movement, square: int, mask: int) -> Blockers:
    """All occupancies of the mask. Raises InputError for a mask that is too wide.

    They are never walked one by one: a bundle of steps depends on few squares, and the number
    of an attack set is made of those of its bundles, which have no target in common.
    """
    squares = list(squares_of(mask))
    if len(squares) > MOST_SQUARES:
        message = f"its mask has {len(squares)} squares, expected at most {MOST_SQUARES}"
        where = f"{movement.name or 'piece'} {board.name(square)} on {board}"
        raise InputError([Problem(message, key=where)])
    pdep = np.arange(1 << len(squares), dtype=U)
    occupancies = arrays.full(len(pdep), 0, board.word)
    lanes = arrays.lanes(occupancies)
    for place, square_bit in enumerate(squares):
        lanes[square_bit >> 6] |= (pdep >> U(place) & U(1)) << U(square_bit & 63)
    numbers = np.zeros(len(pdep), dtype=np.int64)
    for bundle in bundles(board, movement, square):
        attacks = _of_bundle(board, movement, square, bundle, squares)
        numbers = _joined(numbers, attacks[_places(bundle, squares, pdep)])
    _, first, of_each = np.unique(numbers, return_index=True, return_inverse=True)
    in_order = np.empty(len(first), dtype=U)
    in_order[np.argsort(first)] = np.arange(len(first), dtype=U)
    return Blockers(occupancies, in_order[of_each])


def _joined(numbers: NDArray[np.int64], more: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs as numbers from 0, none left out."""
    pairs = numbers * (int(more.max()) + 1) + more
    seen = np.zeros(int(pairs.max()) + 1, dtype=bool)
    seen[pairs] = True
    return (np.cumsum(seen) - 1)[pairs]


def _of_bundle(
    board: Board, movement: Movement, square: int, bundle: Bundle, squares: list[int]
) -> NDArray[np.int64]:
    """The number of the bundle's attack set for each occupancy of its own squares."""
    occupancies = [0]
    for blocker in bundle.blockers:
        if blocker in squares:
            occupancies += [occupied | 1 << blocker for occupied in occupancies]
    numbers: dict[int, int] = {}
    attacks = (bundle.attacks(board, movement, square, occupied) for occupied in occupancies)
    return np.array([numbers.setdefault(a, len(numbers)) for a in attacks], dtype=np.int64)


def _places(bundle: Bundle, squares: list[int], pdep: Words) -> NDArray[np.int64]:
    """Of each occupancy the one of the bundle's own squares."""
    places = np.zeros(len(pdep), dtype=np.int64)
    for place, blocker in enumerate(
        candidate for candidate in bundle.blockers if candidate in squares
    ):
        places |= (pdep >> U(squares.index(blocker)) & U(1)).astype(np.int64) << place
    return places
