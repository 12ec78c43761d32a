"""Trial for words of 128 bits, and for pieces with more attack sets than the usual loop can number.

What is multiplied stands in two lanes; candidates are drawn for both. Words of 64 bits stand in the
high lane, so that an index is always the top of it.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from magicert.cell import Cell, Mover
from magicert.formula import wide
from magicert.formula.numpy_reading import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.problem import InputError, Problem
from magicert.search.finders.all_occupancies import Words
from magicert.search.finders.drawing import Drawing

PART = 1 << 16
"""Candidates that are drawn in the same way."""
SMALL_MASK = 8
ANDS_OF_SMALL, ANDS_OF_LARGE = (2, 3), (3, 4)
"""How many random words are ANDed, by turns: small masks want denser magics than large ones."""
MOST_NUMBERS = 1 << 16
"""Attack sets that the loop of one lane can number."""

U = np.uint64


def takes_two_lanes(cell: Cell) -> bool:
    """Whether one lane will not do."""
    return cell.about.width > 64 or (isinstance(cell.about, Mover) and cell.distinct > MOST_NUMBERS)


def two_lane_loop(
    cell: Cell, drawing: Drawing, key: int
) -> Callable[[int, int, Any], Iterable[Any]]:
    """The loop of `trial.loop_of`. Raises InputError for a formula that is not one product, and
    where the compiler's library is missing.
    """
    if cell.largest_index is not None:
        message = "no engine bounds the index of such words: expected none"
        raise InputError([Problem(message, key=f"largest index {cell.largest_index}")])
    if cell.scheme.product is None or cell.scheme.product.constant:
        message = f"only a product is searched in words of {cell.about.width} bits"
        raise InputError([Problem(message, key=f"scheme {cell.scheme.name}")])
    try:
        from magicert.search.finders.wide_kernel import first_magic
    except ModuleNotFoundError as error:
        message = f"needs {error.name} where a magic must be tried: pip install 'magicert[search]'"
        raise InputError([Problem(message, key=str(cell.about))]) from None
    arrays = (*_lanes(cell), U(64 - cell.bits))
    usual = ANDS_OF_SMALL if cell.mask.bit_count() <= SMALL_MASK else ANDS_OF_LARGE

    def loop(first: int, end: int, table: Words) -> tuple[int, int, int, int]:
        start = first
        while first < end:
            ands = drawing.ands or usual[first // PART % len(usual)]
            last = min(end, (first // PART + 1) * PART)
            place = (U(ands), U(key), U(first), U(last))
            number, low, high = map(int, first_magic(*arrays, *place, table))
            if number < last:
                magic = high << 64 | low if cell.about.width > 64 else low
                return number, magic, number + 1 - start, 0
            first = last
        return end, 0, end - start, 0

    return loop


def _lanes(cell: Cell) -> tuple[Words, Words, Words]:
    """What is multiplied, low and high, and the numbers of values; few blockers come first."""
    assert cell.scheme.product is not None
    multiplicand = cell.scheme.product.multiplicand
    words = wide.words([cell.words], multiplicand.word)
    values = {OCCUPANCY: words, "mask": wide.words([[cell.mask]], multiplicand.word)}
    read = evaluate(multiplicand.tree, values, multiplicand.text).reshape(-1)
    order = np.argsort(wide.popcount(words.reshape(-1)), kind="stable")
    numbers = np.array(cell.values, dtype=U)[order]
    if cell.about.width == 64:
        high = np.ascontiguousarray(read[order])
        return np.zeros_like(high), high, numbers
    low, high = (np.ascontiguousarray(read[lane][order]) for lane in ("lo", "hi"))
    return low, high, numbers
