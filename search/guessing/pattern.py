"""A cell as the guessing kernel reads it: occupancies in runs of equal ctz."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from magicert.cell import Cell, Slider, slider_of
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES
from magicert.search.finders.all_occupancies import Words, all_occupancies
from magicert.search.finders.form import MOST_BITS

U = np.uint64
NONE: Words = np.zeros(0, dtype=U)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A cell as the kernel reads it: its occupancies in runs of equal ctz, highest first."""

    words: Words
    attacks: Words
    classes: Words
    width: int
    largest: int
    bits: int
    index_bits: int

    @property
    def relevant(self) -> int:
        """The bits of a magic below the LCM period."""
        return (1 << self.bits) - 1

    def arguments(self) -> tuple[Any, ...]:
        """The first arguments of `descend`."""
        numbers = (self.width, self.largest, self.relevant)
        return (self.words, self.attacks, self.classes, *(U(number) for number in numbers))

    def table(self) -> Words:
        """An empty table of indexes."""
        return np.zeros(1 << self.index_bits, dtype=U)


def pattern_of(cell: Cell) -> Pattern:
    """The pattern of a cell; InputError unless it is about a square, with the white formula."""
    if cell.scheme.formula.tree != SCHEMES["white"].formula.tree:
        message = "this engine reads the white formula only: try trial or z3"
        raise InputError([Problem(message, key=f"scheme {cell.scheme.name}")])
    if cell.bits > MOST_BITS:
        message = f"expected at most {MOST_BITS}: every index needs an entry in memory"
        raise InputError([Problem(message, key=f"bits {cell.bits}")])
    return pattern(slider_of(cell), cell.bits, cell.largest_index)


def pattern(slider: Slider, index_bits: int, largest: int | None = None) -> Pattern:
    """The pattern of a square."""
    listed = all_occupancies(slider)
    return pattern_from(listed.occupancies, listed.attacks, index_bits, largest)


def pattern_from(
    occupancies: Words, attacks: Words, index_bits: int, largest: int | None = None
) -> Pattern:
    """The pattern of any list of occupancies (empty first) with their attack numbers."""
    lowest = occupancies & (~occupancies + U(1))
    zeros = np.where(occupancies == 0, U(64), np.bitwise_count(lowest - U(1)))
    order = np.argsort(-zeros.astype(np.int64), kind="stable")
    zeros = zeros[order]
    starts = np.flatnonzero(np.concatenate([[True], zeros[1:] != zeros[:-1]]))
    ends = np.concatenate([starts[1:], [len(zeros)]])
    # The empty occupancy's ctz of 64 would be a shift by the word's width: 63 does as well.
    columns = [starts, ends, np.minimum(zeros[starts], 63)]
    classes = np.stack([column.astype(U) for column in columns], axis=1).ravel()
    return Pattern(
        words=occupancies[order],
        attacks=attacks[order],
        classes=classes,
        width=64 - index_bits,
        largest=(1 << index_bits) - 1 if largest is None else largest,
        bits=64 - int(zeros[zeros < 64].min()),
        index_bits=index_bits,
    )
