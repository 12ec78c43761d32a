"""All occupancies of a mask with the numbers of their attack sets, for words of two lanes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from magicert.board import Board, Movement, squares_of
from magicert.board.masks import Bundle, bundles
from magicert.problem import InputError, Problem

Words = NDArray[np.uint64]
U = np.uint64

MOST_SQUARES = 22
"""Widest mask: each of its 2^22 occupancies takes 24 bytes here."""
MOST_BITS = 24
"""A table of indexes has an entry of eight bytes for each."""
LANE = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class MagicQuestion:
    """Which magic maps the occupancies of this mask to `bits` index bits, so that those with
    different attack sets have different indexes?
    """

    board: Board
    movement: Movement
    square: int
    mask: int
    bits: int

    def __str__(self) -> str:
        piece = self.movement.name or "piece"
        return f"{piece} {self.board.name(self.square)} on {self.board}, {self.bits} bits"


@dataclass(frozen=True)
class Blockers:
    """Occupancies in two lanes, those with the fewest blockers first: there a bad magic fails
    soonest. Words of 64 bits stand in the high lane, so that an index is always the top of it.
    `numbers` are equal if and only if the attack sets are.
    """

    low: Words
    high: Words
    numbers: Words

    @cached_property
    def distinct(self) -> int:
        """How many different attack sets there are."""
        return int(self.numbers.max()) + 1


def check_mask(question: MagicQuestion) -> None:
    """Raises InputError for a mask that has too many occupancies."""
    width = question.mask.bit_count()
    if width > MOST_SQUARES:
        message = f"its mask has {width} squares, expected at most {MOST_SQUARES}"
        raise InputError([Problem(message, key=str(question))])


def blockers_of(question: MagicQuestion) -> Blockers:
    """All occupancies of the mask. Raises InputError for a mask that is too wide.

    They are never walked one by one: a bundle of steps depends on few squares, and the number
    of an attack set is made of those of its bundles, which have no target in common.
    """
    check_mask(question)
    squares = list(squares_of(question.mask))
    pdep = np.arange(1 << len(squares), dtype=U)
    pdep = pdep[np.argsort(np.bitwise_count(pdep), kind="stable")]
    lanes = np.zeros((2, len(pdep)), dtype=U)
    for place, square in enumerate(squares):
        lanes[square >> 6] |= (pdep >> U(place) & U(1)) << U(square & 63)
    numbers = np.zeros(len(pdep), dtype=np.int64)
    for bundle in bundles(question.board, question.movement, question.square):
        numbers = _joined(numbers, _of_bundle(question, bundle, squares, pdep))
    narrow = question.board.word == 64
    low, high = (lanes[1], lanes[0]) if narrow else (lanes[0], lanes[1])
    return Blockers(low, high, numbers.astype(U))


def _joined(numbers: NDArray[np.int64], more: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs as numbers from 0, none left out."""
    pairs = numbers * (int(more.max()) + 1) + more
    seen = np.zeros(int(pairs.max()) + 1, dtype=bool)
    seen[pairs] = True
    return (np.cumsum(seen) - 1)[pairs]


def _of_bundle(
    question: MagicQuestion, bundle: Bundle, squares: list[int], pdep: Words
) -> NDArray[np.int64]:
    """The number of the bundle's attack set for each occupancy."""
    own = [square for square in bundle.blockers if square in squares]
    occupancies = [0]
    for square in own:
        occupancies += [occupied | 1 << square for occupied in occupancies]
    numbers: dict[int, int] = {}
    attacks = (
        bundle.attacks(question.board, question.movement, question.square, occupied)
        for occupied in occupancies
    )
    table = np.array([numbers.setdefault(a, len(numbers)) for a in attacks], dtype=np.int64)
    places = np.zeros(len(pdep), dtype=np.int64)
    for place, square in enumerate(own):
        places |= (pdep >> U(squares.index(square)) & U(1)).astype(np.int64) << place
    return table[places]
